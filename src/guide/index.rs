//! Which pages there are, and which words their sections explain.

use super::markdown::{self, Block};
use super::{Section, everyday, rows};
use crate::syntax::token::TokenKind;

/// A page of the guide.
pub(super) struct Page {
    /// The file.
    pub(super) file: &'static str,
    text: &'static str,
    /// Headings of sections, each with the words and signs that it explains, in ASCII spelling. Words in capitals stand for
    /// tokens of which there are many. Each word is in one place only, there where one would look first.
    pub(super) words: &'static [(&'static str, &'static str)],
}

pub(super) const PAGES: &[Page] = &[
    Page {
        file: "sets-and-pieces.md",
        text: include_str!("../../docs/guide/sets-and-pieces.md"),
        words: &[
            ("Designators", "DESIGNATOR . []"),
            ("Operators", "& | ~ in light dark between makesquare"),
            (
                "Directions",
                "up down left right northeast northwest southeast southwest vertical horizontal orthogonal diagonal \
                 maindiagonal offdiagonal anydirection",
            ),
            (
                "Loops over squares and pieces",
                "square piece pieceid [element] [forall] PIECE-MARK",
            ),
        ],
    },
    Page {
        file: "numbers.md",
        text: include_str!("../../docs/guide/numbers.md"),
        words: &[
            (
                "Numbers",
                "NUMBER # + - * / % abs sqrt max min rank file power type colortype white black sidetomove",
            ),
            ("Comparisons", "== != < > <= >="),
        ],
    },
    Page {
        file: "rays-attacks-pins.md",
        text: include_str!("../../docs/guide/rays-attacks-pins.md"),
        words: &[
            (
                "Rays, attacks and pins",
                "-> <- attacks attack attackedby attacked by ray xray",
            ),
            ("Pins", "pin through"),
        ],
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
        words: &[(
            "Mates and pawn structure",
            "check mate stalemate puremate modelmate idealmate purestalemate modelstalemate idealstalemate passedpawns \
             connectedpawns isolatedpawns doubledpawns",
        )],
    },
    Page {
        file: "transforms.md",
        text: include_str!("../../docs/guide/transforms.md"),
        words: &[(
            "Transforms",
            "flip flipdihedral dihedral flipvertical fliphorizontal flipcolor reversecolor rotate90 rotate45 shift \
             shifthorizontal shiftvertical notransform currenttransform",
        )],
    },
    Page {
        file: "control-and-variables.md",
        text: include_str!("../../docs/guide/control-and-variables.md"),
        words: &[
            (
                "Control",
                "and or not if then else while loop assert equal true false cql_abort cql_assertvariations { } ( )",
            ),
            ("Variables", "= =? += -= *= /= %= |= &= isbound isunbound unbind"),
            ("Functions", "function"),
        ],
    },
    Page {
        file: "positions.md",
        text: include_str!("../../docs/guide/positions.md"),
        words: &[
            (
                "Facts about the current position",
                "ply movenumber positionid depth wtm btm initial terminal mainline variation fen",
            ),
            (
                "Other positions",
                "currentposition curpos parent child initialposition position lca ancestor descendant distance : [<] [<=] \
                 [>] [>=]",
            ),
            ("find", "find all count"),
        ],
    },
    Page {
        file: "moves.md",
        text: include_str!("../../docs/guide/moves.md"),
        words: &[
            ("Played moves", "-- [x] previous currentmove countmoves"),
            (
                "The move that led here",
                "from to castle o-o o-o-o enpassant enpassantsquare nullmove primary secondary",
            ),
            ("Possible moves", "legal pseudolegal"),
            ("move", "move capture captures promote null"),
        ],
    },
    Page {
        file: "games-and-tags.md",
        text: include_str!("../../docs/guide/games-and-tags.md"),
        words: &[
            (
                "The header",
                "cql input output variations matchcount matchstring quiet silent",
            ),
            (
                "Tags",
                "player event site date eventdate eco tag year elo gamenumber lastgamenumber result RESULT",
            ),
            ("Variants", "variant"),
        ],
    },
    Page {
        file: "text-and-output.md",
        text: include_str!("../../docs/guide/text-and-output.md"),
        words: &[
            (
                "Strings",
                "STRING str indexof typename piecename uppercase lowercase ascii",
            ),
            (
                "Messages and comments",
                "message comment /// originalcomment hascomment removecomment settag",
            ),
            ("Order of the output", "sort"),
        ],
    },
    Page {
        file: "paths-and-lines.md",
        text: include_str!("../../docs/guide/paths-and-lines.md"),
        words: &[
            ("Constituents of a path", "path"),
            ("Repetitions", "REPETITION {*} {+} ?"),
            (
                "Parameters",
                "focus singlecolor firstmatch nestban lastposition keepallbest title piecepath verbose",
            ),
            (
                "Inside and after a path",
                "pathcount pathcountunfocused pathstart pathlastposition pathdebug",
            ),
            ("line", "line --> <--"),
        ],
    },
    Page {
        file: "relations.md",
        text: include_str!("../../docs/guide/relations.md"),
        words: &[
            ("echo", "echo"),
            ("consecutivemoves", "consecutivemoves"),
            ("Variations", "virtualmainline try"),
            ("similarposition", "similarposition nosort"),
        ],
    },
    Page {
        file: "strings-and-patterns.md",
        text: include_str!("../../docs/guide/strings-and-patterns.md"),
        words: &[("Conversion", "int"), ("Patterns", "~~ GROUP")],
    },
    Page {
        file: "dictionaries-and-state.md",
        text: include_str!("../../docs/guide/dictionaries-and-state.md"),
        words: &[
            ("Persistent variables", "persistent"),
            ("Atomic variables", "atomic"),
            ("Dictionaries", "dictionary local string"),
            ("Files", "readfile writefile"),
        ],
    },
    Page {
        file: "studies.md",
        text: include_str!("../../docs/guide/studies.md"),
        words: &[("Flags", "hhdb cql_hhdbhascook")],
    },
    Page {
        file: "README.md",
        text: include_str!("../../docs/guide/README.md"),
        words: &[(
            "Words without a use",
            "any arrow extension oldline pgn substring transform",
        )],
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
        words.flat_map(|(_, words)| words.split_whitespace()).collect()
    }
}

/// The word of the index that a name is, as words of the prelude are.
pub(super) fn word_of_name(name: &str) -> Option<&'static str> {
    let words = PAGES.iter().flat_map(|page| page.words);
    words
        .flat_map(|(_, words)| words.split_whitespace())
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
