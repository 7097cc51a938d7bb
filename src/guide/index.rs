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

/// All pages.
pub(super) const PAGES: &[Page] = &[
    Page {
        file: "sets-and-pieces.md",
        text: include_str!("../../docs/guide/sets-and-pieces.md"),
    },
    Page {
        file: "numbers.md",
        text: include_str!("../../docs/guide/numbers.md"),
    },
    Page {
        file: "rays-attacks-pins.md",
        text: include_str!("../../docs/guide/rays-attacks-pins.md"),
    },
    Page {
        file: "prelude.md",
        text: include_str!("../../docs/guide/prelude.md"),
    },
    Page {
        file: "mates-and-pawns.md",
        text: include_str!("../../docs/guide/mates-and-pawns.md"),
    },
    Page {
        file: "transforms.md",
        text: include_str!("../../docs/guide/transforms.md"),
    },
    Page {
        file: "control-and-variables.md",
        text: include_str!("../../docs/guide/control-and-variables.md"),
    },
    Page {
        file: "positions.md",
        text: include_str!("../../docs/guide/positions.md"),
    },
    Page {
        file: "moves.md",
        text: include_str!("../../docs/guide/moves.md"),
    },
    Page {
        file: "games-and-tags.md",
        text: include_str!("../../docs/guide/games-and-tags.md"),
    },
    Page {
        file: "text-and-output.md",
        text: include_str!("../../docs/guide/text-and-output.md"),
    },
    Page {
        file: "paths-and-lines.md",
        text: include_str!("../../docs/guide/paths-and-lines.md"),
    },
    Page {
        file: "relations.md",
        text: include_str!("../../docs/guide/relations.md"),
    },
    Page {
        file: "strings-and-patterns.md",
        text: include_str!("../../docs/guide/strings-and-patterns.md"),
    },
    Page {
        file: "dictionaries-and-state.md",
        text: include_str!("../../docs/guide/dictionaries-and-state.md"),
    },
    Page {
        file: "studies.md",
        text: include_str!("../../docs/guide/studies.md"),
    },
    Page {
        file: "analysis.md",
        text: include_str!("../../docs/guide/analysis.md"),
    },
    Page {
        file: "beyond.md",
        text: include_str!("../../docs/guide/beyond.md"),
    },
    Page {
        file: "tablebases.md",
        text: include_str!("../../docs/guide/tablebases.md"),
    },
    Page {
        file: "README.md",
        text: include_str!("../../docs/guide/README.md"),
    },
    Page {
        file: "words.md",
        text: EVERYDAY_WORDS,
    },
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
