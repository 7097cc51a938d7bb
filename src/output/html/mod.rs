//! A page for the browser.
//!
//! One file without anything from elsewhere: a list of the matching positions and the game of the selected one, drawn by a script
//! of its own, or a sheet of diagrams to print.
//!
//! Each part uses only those before it: `moves`, `solution`, `sheet`, `list`, `first_match`.

#[cfg(feature = "cli")]
mod first_match;
mod list;
mod moves;
mod sheet;
mod solution;

use super::format::Format;
use super::look::{Layout, Look};
use crate::query::SortKey;

use list::Html;
use sheet::Sheet;

#[cfg(feature = "cli")]
pub use first_match::first_match;
#[cfg(feature = "cli")]
pub(super) use list::advice;

/// What writes a page with this look for a query with these sort keys.
pub(super) fn format(look: &Look, keys: &[SortKey]) -> Box<dyn Format> {
    match look.layout {
        Layout::Sheet => Box::new(Sheet::new(look)),
        Layout::List => Box::new(Html::new(look, keys)),
    }
}
