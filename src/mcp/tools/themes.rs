//! `find_theme` and `theme`: queries of the library.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::Call;
use super::context::ToolContext;
use super::tool::Question;
use crate::service::{Error, library};

/// The number of themes to list.
const MOST: usize = 25;

/// Themes with some words.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FindTheme {
    /// What chess players call it: `smothered mate`, `isolated pawn`, `rook sacrifice`.
    words: String,
}

/// A theme by its name.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Theme {
    /// The name, with or without its folder: `smothered-mate`, `mates/smothered-mate`.
    name: String,
}

impl Question for FindTheme {
    const NAME: &'static str = "find_theme";
    const TITLE: &'static str = "Find a theme";
    const PURPOSE: &'static str = "Finds ready-made queries by words: tactics, mates, pawn structures, endings, sacrifices, studies. Use this \
                                   first, before you write a query of your own.";

    fn answer(self, _: &ToolContext, _: &Call) -> Result<String, Error> {
        let found = library::found(&self.words);
        let [first, ..] = found.entries.as_slice() else {
            return Ok("No theme has such words. Try others, or write a query: see `word`.\n".to_owned());
        };
        let mut text = String::new();
        // Writing to a string cannot fail.
        for taken in &found.taken_for {
            let _ = writeln!(text, "`{}` is taken for `{}`.", taken.word, taken.near);
        }
        if found.nearest {
            text.push_str("No theme has all these words; these come near:\n");
        }
        for entry in found.entries.iter().take(MOST) {
            let refused = entry
                .refused
                .as_ref()
                .map(|reason| format!(" Cannot be searched here: {reason}."));
            let _ = writeln!(text, "{}: {}{}", entry.name, entry.summary, refused.unwrap_or_default());
        }
        if let Some(more @ 1..) = found.entries.len().checked_sub(MOST) {
            let _ = writeln!(text, "and {more} more; use more words");
        }
        let _ = writeln!(
            text,
            "\nTo search for one, let the query be `theme \"{}\"`; it can be combined with other filters.",
            first.name
        );
        Ok(text)
    }
}

impl Question for Theme {
    const NAME: &'static str = "theme";
    const TITLE: &'static str = "Show a theme";
    const PURPOSE: &'static str = "Shows the text of a theme that `find_theme` has found, with its comment and examples: to see what exactly it \
                                   finds, and as a model for a query of your own.";

    fn answer(self, _: &ToolContext, _: &Call) -> Result<String, Error> {
        library::named(&self.name).map(|theme| theme.query)
    }
}
