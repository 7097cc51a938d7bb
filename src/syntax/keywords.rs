//! The table of the words of the language: where each may stand, and which section of the guide explains it.

use std::collections::HashMap;
use std::sync::LazyLock;

#[cfg(feature = "lsp")]
use super::words::reserved_words;

/// Where a word may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WordPosition {
    /// In front of the header.
    Start,
    /// In the header alone.
    Header,
    /// In the header, and among the filters.
    Anywhere,
    /// Among the filters: a filter begins with it, or it is a part of one.
    Body,
    /// Between filters or their operands: no filter begins with it.
    Between,
    /// Among the filters of old queries.
    Rare,
    /// Nowhere: it is reserved and means nothing.
    Nowhere,
}

/// Words of one place that one section explains.
#[cfg_attr(
    not(feature = "lsp"),
    allow(dead_code, reason = "the guide is there for the language server")
)]
struct Row {
    /// The page of the guide.
    page: &'static str,
    /// The heading of the section.
    section: &'static str,
    place: WordPosition,
    words: &'static str,
}

const fn row(page: &'static str, section: &'static str, place: WordPosition, words: &'static str) -> Row {
    Row {
        page,
        section,
        place,
        words,
    }
}

/// In the order of the guide. Each word is in the section where one would look first.
const KEYWORDS: &[Row] = &[
    row("sets-and-pieces.md", "Operators", WordPosition::Between, "in"),
    row(
        "sets-and-pieces.md",
        "Operators",
        WordPosition::Body,
        "light dark between makesquare",
    ),
    row(
        "sets-and-pieces.md",
        "Directions",
        WordPosition::Body,
        "up down left right northeast northwest southeast southwest vertical horizontal orthogonal diagonal maindiagonal \
         offdiagonal anydirection",
    ),
    row(
        "sets-and-pieces.md",
        "Loops over squares and pieces",
        WordPosition::Body,
        "square piece pieceid",
    ),
    row(
        "numbers.md",
        "Numbers",
        WordPosition::Body,
        "abs sqrt max min rank file power type colortype white black sidetomove",
    ),
    row(
        "rays-attacks-pins.md",
        "Rays, attacks and pins",
        WordPosition::Between,
        "attacks attack attackedby attacked by",
    ),
    row(
        "rays-attacks-pins.md",
        "Rays, attacks and pins",
        WordPosition::Body,
        "ray xray",
    ),
    row("rays-attacks-pins.md", "Pins", WordPosition::Body, "pin through"),
    row(
        "mates-and-pawns.md",
        "Mates and pawn structure",
        WordPosition::Body,
        "check mate stalemate puremate modelmate idealmate purestalemate modelstalemate idealstalemate passedpawns \
         connectedpawns isolatedpawns doubledpawns",
    ),
    row(
        "transforms.md",
        "Transforms",
        WordPosition::Body,
        "flip flipdihedral dihedral flipvertical fliphorizontal flipcolor reversecolor rotate90 rotate45 shift \
         shifthorizontal shiftvertical notransform currenttransform",
    ),
    row(
        "control-and-variables.md",
        "Control",
        WordPosition::Between,
        "and or then else",
    ),
    row(
        "control-and-variables.md",
        "Control",
        WordPosition::Body,
        "not if while loop assert equal true false cql_assertvariations",
    ),
    row("control-and-variables.md", "Control", WordPosition::Rare, "cql_abort"),
    row(
        "control-and-variables.md",
        "Variables",
        WordPosition::Body,
        "isbound isunbound unbind",
    ),
    row("control-and-variables.md", "Functions", WordPosition::Body, "function"),
    row(
        "positions.md",
        "Facts about the current position",
        WordPosition::Body,
        "ply movenumber positionid depth wtm btm initial terminal mainline variation fen",
    ),
    row(
        "positions.md",
        "Other positions",
        WordPosition::Body,
        "currentposition curpos parent child initialposition position lca ancestor descendant distance",
    ),
    row("positions.md", "find", WordPosition::Body, "find all count"),
    row(
        "moves.md",
        "Played moves",
        WordPosition::Body,
        "previous currentmove countmoves",
    ),
    row(
        "moves.md",
        "The move that led here",
        WordPosition::Body,
        "from to castle o-o o-o-o enpassant enpassantsquare nullmove primary secondary",
    ),
    row("moves.md", "Possible moves", WordPosition::Body, "legal pseudolegal"),
    row(
        "moves.md",
        "move",
        WordPosition::Body,
        "move capture captures promote null",
    ),
    row("games-and-tags.md", "The header", WordPosition::Start, "cql"),
    row(
        "games-and-tags.md",
        "The header",
        WordPosition::Header,
        "input output variations matchcount matchstring silent",
    ),
    row("games-and-tags.md", "The header", WordPosition::Anywhere, "quiet"),
    row(
        "games-and-tags.md",
        "Tags",
        WordPosition::Body,
        "player event site date eventdate eco tag year elo lastgamenumber",
    ),
    row("games-and-tags.md", "Tags", WordPosition::Anywhere, "gamenumber result"),
    row(
        "text-and-output.md",
        "Strings",
        WordPosition::Body,
        "str indexof typename piecename uppercase lowercase ascii",
    ),
    row(
        "text-and-output.md",
        "Messages and comments",
        WordPosition::Body,
        "message comment originalcomment hascomment removecomment settag",
    ),
    row(
        "text-and-output.md",
        "Order of the output",
        WordPosition::Anywhere,
        "sort",
    ),
    row(
        "paths-and-lines.md",
        "Constituents of a path",
        WordPosition::Body,
        "path",
    ),
    row(
        "paths-and-lines.md",
        "Parameters",
        WordPosition::Body,
        "focus singlecolor firstmatch nestban lastposition keepallbest title piecepath verbose",
    ),
    row(
        "paths-and-lines.md",
        "Inside and after a path",
        WordPosition::Body,
        "pathcount pathcountunfocused pathstart pathlastposition pathdebug",
    ),
    row("paths-and-lines.md", "line", WordPosition::Body, "line"),
    row("relations.md", "echo", WordPosition::Body, "echo"),
    row(
        "relations.md",
        "consecutivemoves",
        WordPosition::Body,
        "consecutivemoves",
    ),
    row("relations.md", "Variations", WordPosition::Body, "virtualmainline try"),
    row(
        "relations.md",
        "similarposition",
        WordPosition::Body,
        "similarposition nosort",
    ),
    row("strings-and-patterns.md", "Conversion", WordPosition::Body, "int"),
    row(
        "dictionaries-and-state.md",
        "Persistent variables",
        WordPosition::Body,
        "persistent",
    ),
    row(
        "dictionaries-and-state.md",
        "Atomic variables",
        WordPosition::Body,
        "atomic",
    ),
    row(
        "dictionaries-and-state.md",
        "Dictionaries",
        WordPosition::Body,
        "dictionary local string",
    ),
    row(
        "dictionaries-and-state.md",
        "Files",
        WordPosition::Body,
        "readfile writefile",
    ),
    row("studies.md", "Flags", WordPosition::Body, "hhdb"),
    row("studies.md", "Flags", WordPosition::Rare, "cql_hhdbhascook"),
    row(
        "README.md",
        "Words without a use",
        WordPosition::Nowhere,
        "any arrow extension oldline pgn substring transform",
    ),
];

/// The words beyond CQL 6.2, in the order of the guide. A word that is more than itself reads
/// what follows it in its rule, which `query::parse::word_table` names.
const BEYOND: &[Row] = &[
    row("beyond.md", "A null move", WordPosition::Body, "pass"),
    row("beyond.md", "Without pieces", WordPosition::Body, "without"),
    row("beyond.md", "Legal positions", WordPosition::Body, "legalposition"),
    row("analysis.md", "Evaluations", WordPosition::Body, "eval evaldepth"),
    row(
        "analysis.md",
        "Judgements",
        WordPosition::Body,
        "nag blunder mistake inaccuracy",
    ),
    row("analysis.md", "Clocks", WordPosition::Body, "clock elapsed timecontrol"),
    row(
        "beyond.md",
        "Positions as strings and numbers",
        WordPosition::Body,
        "currentfen zobristkey halfmoveclock",
    ),
    row("beyond.md", "Promoted pieces", WordPosition::Body, "promotedpieces"),
    row("beyond.md", "Replacing in strings", WordPosition::Body, "replace"),
    row(
        "tablebases.md",
        "What a position is worth",
        WordPosition::Body,
        "tablebase wdl dtz",
    ),
];

/// The rows of both tables: of the reserved words, and of those beyond CQL 6.2.
fn rows() -> impl Iterator<Item = &'static Row> {
    KEYWORDS.iter().chain(BEYOND)
}

static PLACES: LazyLock<HashMap<&'static str, WordPosition>> = LazyLock::new(|| {
    let words = rows().flat_map(|row| row.words.split_whitespace().map(|word| (word, row.place)));
    words.collect()
});

/// Where a word of the language may stand; `None` for other words.
pub(crate) fn place(word: &str) -> Option<WordPosition> {
    PLACES.get(word).copied()
}

/// All words beyond CQL 6.2, in the order of the guide.
pub fn beyond_words() -> impl Iterator<Item = &'static str> {
    BEYOND.iter().flat_map(|row| row.words.split_whitespace())
}

/// The word beyond CQL 6.2 that is written so.
pub(crate) fn beyond_word(text: &str) -> Option<&'static str> {
    beyond_words().find(|word| *word == text)
}

/// The words that may stand in the header, in alphabetical order.
#[cfg(feature = "lsp")]
pub(crate) fn in_header() -> impl Iterator<Item = &'static str> {
    let is_there = |word: &&str| matches!(place(word), Some(WordPosition::Header | WordPosition::Anywhere));
    reserved_words().filter(is_there)
}

/// The words that a section of a page of the guide explains.
#[cfg(feature = "lsp")]
pub(crate) fn explained_in(page: &str, section: &str) -> impl Iterator<Item = &'static str> {
    let rows = rows().filter(move |row| row.page == page && row.section == section);
    rows.flat_map(|row| row.words.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::reserved_words;

    #[test]
    fn the_table_has_each_word_of_the_grammar_once() {
        let mut words: Vec<_> = KEYWORDS.iter().flat_map(|row| row.words.split_whitespace()).collect();
        words.sort_unstable();
        assert!(words.iter().copied().eq(reserved_words()), "{words:?}");
    }
}
