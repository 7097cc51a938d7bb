//! A section of the guide.

use super::markdown::Block;
use super::rows::IndexedRow;

/// The text between two headings of a page.
#[derive(Debug)]
pub struct Section {
    /// The file of the page in `docs/guide`.
    pub file: &'static str,
    /// The heading of the page.
    pub page: String,
    /// The heading of the section. Text before the first one has the heading of the page.
    pub title: String,
    /// The text below the heading.
    pub blocks: Vec<Block>,
    /// The words and signs that are explained here.
    pub words: Vec<&'static str>,
    pub(super) rows: Vec<IndexedRow>,
}
