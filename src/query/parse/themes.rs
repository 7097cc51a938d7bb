//! The queries that a query asks for by `theme`.

use std::collections::HashMap;
use std::sync::Arc;

use super::options::{Options, Vocabulary};
use super::theme_lookup::ThemeLookup;
use crate::query::ast::Cond;
use crate::syntax::Diagnostic;

/// A query that was read.
#[derive(Clone)]
pub(super) struct Theme {
    pub(super) condition: Cond,
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
}

impl Themes {
    pub(super) fn new(options: &Options) -> Themes {
        Themes {
            lookup: options.themes.clone(),
            vocabulary: options.vocabulary,
            ..Themes::default()
        }
    }

    /// How the text of a theme is compiled.
    pub(super) fn options(&self) -> Options {
        Options {
            vocabulary: self.vocabulary,
            ..Options::default()
        }
    }
}
