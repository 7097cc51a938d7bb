//! The queries that a query asks for by `theme`.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::options::{Options, Vocabulary};
use super::theme_lookup::ThemeLookup;
use crate::query::ast::{Cond, NamedTheme, ThemeDigest};
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source};

/// A query that was read.
#[derive(Clone)]
pub(super) struct Theme {
    pub(super) condition: Cond,
    pub(super) digest: ThemeDigest,
    /// How many tokens it has, with those of its own themes and functions.
    pub(super) tokens: usize,
}

/// The themes of a query.
#[derive(Default)]
pub(super) struct Themes {
    pub(super) lookup: Option<Arc<dyn ThemeLookup>>,
    vocabulary: Vocabulary,
    /// The names of those that are being read, outermost first.
    pub(super) open: Vec<String>,
    /// Those that have been read, by their names, also with an error.
    pub(super) read: HashMap<String, Result<Theme, Diagnostic>>,
    /// Some theme asks for the last path that matched.
    pub(super) asks_for_last_path: bool,
    /// The themes that the text names which is being read.
    pub(super) named: BTreeSet<ThemeDigest>,
    /// Where the query itself names themes.
    pub(super) places: Vec<(Span, NamedTheme)>,
}

/// The themes of a query as databases know them.
pub(crate) struct AskedThemes {
    /// The places where it names some.
    pub(crate) places: Vec<(Span, NamedTheme)>,
    /// The query itself, which is a theme for others.
    pub(crate) whole: NamedTheme,
    /// Where its own text ends, after which options have theirs.
    pub(crate) end: u32,
    /// A transform stands around the filters, so that these are not those of the text.
    pub(crate) is_transformed: bool,
}

impl Themes {
    pub(super) fn new(options: &Options) -> Themes {
        Themes {
            lookup: options.themes.clone(),
            vocabulary: options.vocabulary,
            ..Themes::default()
        }
    }

    /// Notes that the condition at a place is a theme. What was noted there before was read in another way.
    pub(super) fn note(&mut self, place: Span, theme: NamedTheme) {
        self.places.retain(|(known, _)| known.to(place) != *known);
        self.places.push((place, theme));
    }

    /// A condition gets a larger place.
    pub(super) fn enclose(&mut self, place: Span, larger: Span) {
        if let Some((known, _)) = self.places.iter_mut().find(|(known, _)| *known == place) {
            *known = larger;
        }
    }

    /// The digest of the text that has been read.
    pub(super) fn digest(&self, source: &Source) -> ThemeDigest {
        ThemeDigest::of(source.bytes(), &self.named)
    }

    /// How the text of a theme is compiled.
    pub(super) fn options(&self) -> Options {
        Options {
            vocabulary: self.vocabulary,
            ..Options::default()
        }
    }
}
