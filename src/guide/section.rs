//! A section of the guide.

use super::markdown::Block;
use super::rows::IndexedRow;

/// What stands between two headings of a page.
#[derive(Debug)]
pub struct Section {
    /// The file of the page in `docs/guide`.
    pub file: &'static str,
    /// The heading of the page.
    pub page: String,
    /// The heading of the section; that of the page for what comes before the first other heading.
    pub title: String,
    /// The text below the heading.
    pub blocks: Vec<Block>,
    /// The words and signs that are explained here.
    pub words: Vec<&'static str>,
    pub(super) rows: Vec<IndexedRow>,
}
