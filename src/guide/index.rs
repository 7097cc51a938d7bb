//! The pages of the guide. The table of [`keywords`] says which words their sections explain.

use super::markdown::{self, Block};
use super::rows;
use super::section::Section;
use crate::syntax::keywords;

/// A page of the guide.
pub(super) struct Page {
    /// The file name.
    pub(super) file: &'static str,
    text: &'static str,
}

/// The page of everyday words.
pub(super) const EVERYDAY_WORDS: &str = include_str!("../../docs/guide/words.md");

/// Includes the pages with these file names.
macro_rules! pages {
    ($($file:literal),* $(,)?) => {
        &[$(Page { file: $file, text: include_str!(concat!("../../docs/guide/", $file)) }),*]
    };
}

/// All pages.
pub(super) const PAGES: &[Page] = pages![
    "sets-and-pieces.md",
    "numbers.md",
    "rays-attacks-pins.md",
    "prelude.md",
    "mates-and-pawns.md",
    "transforms.md",
    "control-and-variables.md",
    "positions.md",
    "moves.md",
    "games-and-tags.md",
    "text-and-output.md",
    "paths-and-lines.md",
    "relations.md",
    "strings-and-patterns.md",
    "dictionaries-and-state.md",
    "studies.md",
    "analysis.md",
    "beyond.md",
    "tablebases.md",
    "README.md",
    "words.md",
];

impl Page {
    /// Splits the page at its headings.
    pub(super) fn sections(&self) -> Vec<Section> {
        let mut parts: Vec<(String, Vec<Block>)> = Vec::new();
        for block in markdown::blocks(self.text) {
            match (block, parts.last_mut()) {
                (Block::Heading(heading), _) => parts.push((heading.to_string(), Vec::new())),
                (block, Some((_, blocks))) => blocks.push(block),
                (_, None) => {}
            }
        }
        let page = parts.first().map(|(title, _)| title.clone()).unwrap_or_default();
        let sections = parts.into_iter().map(|(title, blocks)| Section {
            file: self.file,
            page: page.clone(),
            words: keywords::explained_in(self.file, &title),
            rows: rows::of(&title, &blocks),
            title,
            blocks,
        });
        sections.collect()
    }
}
