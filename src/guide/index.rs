//! Which pages there are, and which words their sections explain.

use super::markdown::{self, Block};
use super::{Section, everyday, rows};
use crate::syntax::token::TokenKind;
use crate::syntax::{beyond_words, keywords};

/// A page of the guide.
pub(super) struct Page {
    /// The file.
    pub(super) file: &'static str,
    text: &'static str,
    /// Headings of sections, each with the signs that it explains, in ASCII spelling, and with names that are not reserved. Words in
    /// capitals stand for tokens of which there are many. The words of the language are in the table of [`keywords`].
    pub(super) words: &'static [(&'static str, &'static str)],
}

pub(super) const PAGES: &[Page] = &[
    Page {
        file: "sets-and-pieces.md",
        text: include_str!("../../docs/guide/sets-and-pieces.md"),
        words: &[
            ("Designators", "DESIGNATOR . []"),
            ("Operators", "& | ~"),
            ("Loops over squares and pieces", "[element] [forall] PIECE-MARK"),
        ],
    },
    Page {
        file: "numbers.md",
        text: include_str!("../../docs/guide/numbers.md"),
        words: &[("Numbers", "NUMBER # + - * / %"), ("Comparisons", "== != < > <= >=")],
    },
    Page {
        file: "rays-attacks-pins.md",
        text: include_str!("../../docs/guide/rays-attacks-pins.md"),
        words: &[("Rays, attacks and pins", "-> <-")],
    },
    Page {
        file: "prelude.md",
        text: include_str!("../../docs/guide/prelude.md"),
        words: &[
            (
                "Motifs by name",
                "battery discoveredattack discoveredcheck absolutepin relativepin partialpin skewer xrayattack",
            ),
            ("Squares where lines cross", "intersection"),
        ],
    },
    Page {
        file: "mates-and-pawns.md",
        text: include_str!("../../docs/guide/mates-and-pawns.md"),
        words: &[],
    },
    Page {
        file: "transforms.md",
        text: include_str!("../../docs/guide/transforms.md"),
        words: &[],
    },
    Page {
        file: "control-and-variables.md",
        text: include_str!("../../docs/guide/control-and-variables.md"),
        words: &[("Control", "{ } ( )"), ("Variables", "= =? += -= *= /= %= |= &=")],
    },
    Page {
        file: "positions.md",
        text: include_str!("../../docs/guide/positions.md"),
        words: &[("Other positions", ": [<] [<=] [>] [>=]")],
    },
    Page {
        file: "moves.md",
        text: include_str!("../../docs/guide/moves.md"),
        words: &[("Played moves", "-- [x]")],
    },
    Page {
        file: "games-and-tags.md",
        text: include_str!("../../docs/guide/games-and-tags.md"),
        words: &[("Tags", "RESULT"), ("Variants", "variant")],
    },
    Page {
        file: "text-and-output.md",
        text: include_str!("../../docs/guide/text-and-output.md"),
        words: &[("Strings", "STRING"), ("Messages and comments", "///")],
    },
    Page {
        file: "paths-and-lines.md",
        text: include_str!("../../docs/guide/paths-and-lines.md"),
        words: &[("Repetitions", "REPETITION {*} {+} ?"), ("line", "--> <--")],
    },
    Page {
        file: "relations.md",
        text: include_str!("../../docs/guide/relations.md"),
        words: &[],
    },
    Page {
        file: "strings-and-patterns.md",
        text: include_str!("../../docs/guide/strings-and-patterns.md"),
        words: &[("Patterns", "~~ GROUP")],
    },
    Page {
        file: "dictionaries-and-state.md",
        text: include_str!("../../docs/guide/dictionaries-and-state.md"),
        words: &[],
    },
    Page {
        file: "studies.md",
        text: include_str!("../../docs/guide/studies.md"),
        words: &[],
    },
    Page {
        file: "analysis.md",
        text: include_str!("../../docs/guide/analysis.md"),
        words: &[("Ready-made functions", "timetrouble missedwin swindle")],
    },
    Page {
        file: "beyond.md",
        text: include_str!("../../docs/guide/beyond.md"),
        words: &[],
    },
    Page {
        file: "tablebases.md",
        text: include_str!("../../docs/guide/tablebases.md"),
        words: &[
            ("Thrown wins and draws", "blunders"),
            ("Only moves and zugzwang", "onlymove mutualzugzwang"),
            ("Soundness of studies", "cook dual"),
        ],
    },
    Page {
        file: "README.md",
        text: include_str!("../../docs/guide/README.md"),
        words: &[],
    },
    Page {
        file: everyday::FILE,
        text: everyday::PAGE,
        words: &[],
    },
];

impl Page {
    /// The page, cut at its headings.
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
            words: self.words_of(&title),
            rows: rows::of(&title, &blocks),
            title,
            blocks,
        });
        sections.collect()
    }

    fn words_of(&self, title: &str) -> Vec<&'static str> {
        let words = self.words.iter().filter(|(heading, _)| *heading == title);
        let words = words.flat_map(|(_, words)| words.split_whitespace());
        words.chain(keywords::explained_in(self.file, title)).collect()
    }
}

/// The word of the index that a name is, as words of the prelude and those beyond CQL 6.2 are.
pub(super) fn word_of_name(name: &str) -> Option<&'static str> {
    let words = PAGES.iter().flat_map(|page| page.words);
    words
        .flat_map(|(_, words)| words.split_whitespace())
        .chain(beyond_words())
        .find(|word| *word == name)
}

/// The word of the index for a token of which there are many.
pub(super) fn kind_of_token(kind: &TokenKind) -> Option<&'static str> {
    Some(match kind {
        TokenKind::Designator(_) => "DESIGNATOR",
        TokenKind::Integer(_) => "NUMBER",
        TokenKind::String(_) => "STRING",
        TokenKind::Group(_) | TokenKind::GroupIndex(_) => "GROUP",
        TokenKind::Repetition(..) => "REPETITION",
        TokenKind::Result(_) => "RESULT",
        TokenKind::PieceMark => "PIECE-MARK",
        TokenKind::LineMessage => "///",
        TokenKind::Dash { capture: false, .. } => "--",
        TokenKind::Dash { capture: true, .. } => "[x]",
        TokenKind::Sign(sign) => sign.ascii(),
        TokenKind::Word(word) => word,
        TokenKind::File { input: true, .. } => "input",
        TokenKind::File { input: false, .. } => "output",
        TokenKind::Name(_) | TokenKind::LineMessageEnd | TokenKind::PathEnd | TokenKind::End => return None,
    })
}
