//! A page for the browser.
//!
//! The page is one self-contained file. It is either a list of the matching positions with the game of the selected one, drawn by a script
//! of its own, or a sheet of diagrams to print.
//!
//! Each part uses only those before it: `moves`, `solution`, `game_line`, `games`, `sheet`, `list`, `first_match`.

#[cfg(feature = "cli")]
mod first_match;
mod game_line;
#[cfg(feature = "service")]
mod games;
#[cfg(feature = "files")]
mod list;
mod moves;
#[cfg(feature = "files")]
mod sheet;
mod solution;

use super::format::Format;
use super::look::{Layout, Look};
use crate::query::SortKey;

#[cfg(feature = "cli")]
pub use first_match::first_match;
#[cfg(feature = "cli")]
pub(super) use list::advice;

/// Returns the format that writes the games of the page, one per line.
#[cfg(feature = "service")]
pub(super) fn games(look: &Look) -> Box<dyn Format> {
    Box::new(games::Games::new(look))
}

/// Returns the format that writes a page with this look, for a query with these sort keys.
#[cfg(feature = "files")]
pub(super) fn format(look: &Look, keys: &[SortKey]) -> Box<dyn Format> {
    match look.layout {
        Layout::Sheet => Box::new(sheet::Sheet::new(look)),
        Layout::List => Box::new(list::Html::new(look, keys)),
    }
}
