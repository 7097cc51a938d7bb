//! The queries that a query names by `theme`.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::options::{Options, Vocabulary};
use super::theme_lookup::ThemeLookup;
use crate::query::ast::{Cond, NamedTheme, ThemeDigest};
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source};

/// A query that has been read as a theme.
#[derive(Clone)]
pub(super) struct Theme {
    pub(super) condition: Cond,
    pub(super) digest: ThemeDigest,
    /// The number of its tokens, including those of its own themes and functions.
    pub(super) tokens: usize,
}

/// The themes of a query.
#[derive(Default)]
pub(super) struct Themes {
    pub(super) lookup: Option<Arc<dyn ThemeLookup>>,
    vocabulary: Vocabulary,
    /// The names of the themes that are being read, outermost first.
    pub(super) open: Vec<String>,
    /// The themes that have been read, by name, including those with an error.
    pub(super) read: HashMap<String, Result<Theme, Diagnostic>>,
    /// Whether a theme reads the last path that matched.
    pub(super) asks_for_last_path: bool,
    /// The themes that the current text names.
    pub(super) named: BTreeSet<ThemeDigest>,
    /// The places where the query itself names themes.
    pub(super) places: Vec<(Span, NamedTheme)>,
}

/// The themes of a query, in the form that databases use.
pub(crate) struct AskedThemes {
    /// The places where the query names themes.
    pub(crate) places: Vec<(Span, NamedTheme)>,
    /// The query itself, which is a theme for other queries.
    pub(crate) whole: NamedTheme,
    /// The place where its own text ends and the texts of options begin.
    pub(crate) end: u32,
    /// Whether a transform encloses the filters, so that they are not the filters of the text.
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

    /// Records that the condition at a place is a theme. Earlier records that contain the place are dropped: they come from another attempt
    /// to read it.
    pub(super) fn note(&mut self, place: Span, theme: NamedTheme) {
        self.places.retain(|(known, _)| known.to(place) != *known);
        self.places.push((place, theme));
    }

    /// Extends the place of a condition.
    pub(super) fn enclose(&mut self, place: Span, larger: Span) {
        if let Some((known, _)) = self.places.iter_mut().find(|(known, _)| *known == place) {
            *known = larger;
        }
    }

    /// Returns the digest of the text that has been read.
    pub(super) fn digest(&self, source: &Source) -> ThemeDigest {
        ThemeDigest::of(source.bytes(), &self.named)
    }

    /// Returns the options for compiling the text of a theme.
    pub(super) fn options(&self) -> Options {
        Options {
            vocabulary: self.vocabulary,
            ..Options::default()
        }
    }
}
