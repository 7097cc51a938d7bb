//! Says in words what games and positions must have, and what is read of a game.

use super::quotes::{Quotes, counted};
use crate::board::Contents;
use crate::moves::CheckOrMate;
use crate::query::Query;
use crate::query::algebra::{BoardCond, BoardSet, Lines, Pieces};
use crate::query::ast::facts::Reads;
use crate::query::prefilter::{BoardTest, Event, GamePrefilter, Prefilter};
use crate::syntax::piece_letters;

/// Describes what is read of a game.
pub(super) fn reading(query: &Query, quotes: &Quotes<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((first, last)) = query.header.games {
        lines.push(format!("looked at only if its number is {first} to {last}"));
    }
    if !query.header.results.is_empty() {
        lines.push("its result is asked before its moves are read".to_owned());
    }
    lines.push(if query.header.variations {
        "tags, the moves of the main line and of all variations".to_owned()
    } else {
        "tags and the moves of the main line; variations are skipped".to_owned()
    });
    if query.header.matches(0) {
        lines.push("moves are read even if a test of the game fails: no matching position is a match".to_owned());
    }
    let known = query.game_prefilter.without_squares();
    if !known.is_none() {
        lines.push(format!(
            "from a database, moves only of games with {}",
            required(&known)
        ));
    }
    if known != query.game_prefilter {
        lines.push(format!(
            "positions are asked only in games with {}, at one of them or another",
            required(&query.game_prefilter)
        ));
    }
    let reads = |reads| query.reads.contains(reads);
    lines.push(match (reads(Reads::NOTES), reads(Reads::COMMANDS)) {
        (true, false) => "comments and annotation symbols".to_owned(),
        (true, true) => "comments, annotation symbols, evaluations and clocks".to_owned(),
        (false, true) => "annotation symbols, and of comments evaluations and clocks".to_owned(),
        (false, false) => "comments are skipped".to_owned(),
    });
    if reads(Reads::IDENTITIES) {
        lines.push("every piece is followed through its moves".to_owned());
    }
    if let Some(span) = query.first_reader(Reads::LAST_GAME_NUMBER) {
        lines.push(format!(
            "the games are counted before the search: `{}`",
            quotes.quote(span)
        ));
    }
    if !query.sort_keys.is_empty() {
        lines.push(format!(
            "if it matches, kept until the end to be sorted by {}",
            counted(query.sort_keys.len(), "key")
        ));
    }
    lines
}

/// Describes what databases may know about the themes of a query. `query` is its name.
pub(super) fn indexed(themes: &GamePrefilter, query: &str) -> Option<String> {
    let others = themes.themes().into_iter().filter(|theme| *theme.name != *query);
    let names: Vec<String> = others.map(|theme| format!("`--theme {}`", theme.name)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "from a database indexed with {}, only games in which that holds",
            names.join(" and ")
        )
    })
}

/// Describes the conditions that a position must meet for the body to be tried there, one in each line.
pub(super) fn at_a_glance(prefilter: &Prefilter, quotes: &Quotes<'_>) -> Vec<String> {
    match prefilter {
        Prefilter::Open => Vec::new(),
        Prefilter::All(prefilters) => prefilters.iter().map(|prefilter| wanted(prefilter, quotes)).collect(),
        prefilter => vec![wanted(prefilter, quotes)],
    }
}

/// Describes a condition on a position.
fn wanted(prefilter: &Prefilter, quotes: &Quotes<'_>) -> String {
    let wanted = |prefilter: &Prefilter| wanted(prefilter, quotes);
    let joined = |prefilters: &[Prefilter], word: &str| prefilters.iter().map(wanted).collect::<Vec<_>>().join(word);
    match prefilter {
        Prefilter::Open => "anything".to_owned(),
        Prefilter::Elsewhere(prefilter) => format!("{} somewhere in the game", wanted(prefilter)),
        Prefilter::All(prefilters) => joined(prefilters, " and "),
        Prefilter::Either(prefilters) if prefilters.is_empty() => "what no position has".to_owned(),
        Prefilter::Either(prefilters) => format!("({})", joined(prefilters, " or ")),
        Prefilter::ToMove(color) => format!("{color} to move"),
        Prefilter::Initial => "no move before".to_owned(),
        Prefilter::Terminal => "no move after it".to_owned(),
        Prefilter::Plies(least, most) => {
            let plies = |plies: u32| counted(plies as usize, "half-move");
            match (*least, *most) {
                (least, u32::MAX) => format!("at least {} before", plies(least)),
                (0, most) => format!("at most {} before", plies(most)),
                (least, most) if least == most => format!("{} before", plies(most)),
                (least, most) => format!("{least} to {} before", plies(most)),
            }
        }
        Prefilter::Ahead(plies, prefilter) => later(*plies, prefilter, quotes),
        Prefilter::Capture(None) => "a capture as next move".to_owned(),
        Prefilter::Capture(Some(pieces)) => format!("a capture by {} as next move", designated(*pieces)),
        Prefilter::Moves(contents, 1) => format!("a move by {} next", designated((*contents).into())),
        Prefilter::Moves(contents, least) => format!(
            "a move by {} next, and {least} such moves to the end",
            designated((*contents).into())
        ),
        Prefilter::Gives { given, after_pass } => {
            let given = match given {
                CheckOrMate::Check => "check",
                CheckOrMate::Mate => "mate",
            };
            let after = if *after_pass { " after a null move" } else { "" };
            format!("a move that may give {given}{after}")
        }
        Prefilter::Event(event) => happening(*event).to_owned(),
        Prefilter::Holds(held) => tested(held, quotes),
        Prefilter::Often(held, least) => format!(
            "{} at {} of the game or more",
            tested(held, quotes),
            counted(*least as usize, "position")
        ),
    }
}

/// Describes a condition on a position this many half-moves later. Each of its parts gets its own number.
fn later(plies: usize, prefilter: &Prefilter, quotes: &Quotes<'_>) -> String {
    match prefilter {
        Prefilter::Ahead(more, prefilter) => later(plies + more, prefilter, quotes),
        Prefilter::All(prefilters) => {
            let all = prefilters.iter().map(|prefilter| later(plies, prefilter, quotes));
            all.collect::<Vec<_>>().join(" and ")
        }
        prefilter => format!("{} {} later", wanted(prefilter, quotes), counted(plies, "half-move")),
    }
}

/// Describes a test of a board.
fn tested(test: &BoardTest, quotes: &Quotes<'_>) -> String {
    match (test.span, &test.condition) {
        (Some(span), _) if test.is_exact => format!("`{}`", quotes.quote(span)),
        (Some(span), _) => format!("what it takes for `{}`", quotes.quote(span)),
        (None, BoardCond::InLine(from, to, lines)) => {
            let (from, to) = (designated(*from), designated(*to));
            format!("{from} in line with {to}{}", kinds(*lines))
        }
        (None, BoardCond::Subset(BoardSet::Squares(squares), BoardSet::Pieces(contents, _))) => {
            let squares: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
            format!("{} on each of {}", letters(*contents), squares.join(", "))
        }
        (None, condition) => match condition.counted() {
            None => "anything".to_owned(),
            Some((pieces, least, u32::MAX)) => format!("at least {least} of {}", designated(pieces)),
            Some((pieces, 0, most)) => format!("at most {most} of {}", designated(pieces)),
            Some((pieces, least, most)) if least == most => format!("exactly {least} of {}", designated(pieces)),
            Some((pieces, least, most)) => format!("{least} to {most} of {}", designated(pieces)),
        },
    }
}

/// Describes pieces, and their squares if they are limited.
fn designated(pieces: Pieces) -> String {
    let letters = letters(pieces.contents);
    match (pieces.squares.count(), pieces.squares.single_square()) {
        (64, _) => letters,
        (_, Some(square)) => format!("{letters} on {square}"),
        (squares, None) => format!("{letters} on {}", counted(squares, "square")),
    }
}

/// Describes the kinds of lines, unless it is all kinds.
fn kinds(lines: Lines) -> &'static str {
    match (lines.straight, lines.diagonal) {
        (true, false) => " along a rank or file",
        (false, true) => " along a diagonal",
        _ => "",
    }
}

/// Describes a condition on a game.
fn required(prefilter: &GamePrefilter) -> String {
    let joined =
        |prefilters: &[GamePrefilter], word: &str| prefilters.iter().map(required).collect::<Vec<_>>().join(word);
    match prefilter {
        GamePrefilter::None => "anything".to_owned(),
        GamePrefilter::All(prefilters) => joined(prefilters, " and "),
        GamePrefilter::Either(prefilters) if prefilters.is_empty() => "what no game has".to_owned(),
        GamePrefilter::Either(prefilters) => format!("({})", joined(prefilters, " or ")),
        GamePrefilter::Event(event) => happening(*event).to_owned(),
        GamePrefilter::AtLeast(contents, pieces) => format!("at least {pieces} of {}", letters(*contents)),
        GamePrefilter::AtMost(contents, pieces) => format!("at most {pieces} of {}", letters(*contents)),
        GamePrefilter::Formation(contents, _) => {
            let pieces: Vec<String> = contents.iter().map(|contents| letters(*contents)).collect();
            format!("{} arranged as in the query", pieces.join(", "))
        }
        GamePrefilter::Board(_) => "exactly this board".to_owned(),
        GamePrefilter::Theme(theme) => format!("the theme `{}`", theme.name),
        GamePrefilter::Stands(pieces, 1) => designated(*pieces),
        GamePrefilter::Stands(pieces, least) => format!("{least} of {}", designated(*pieces)),
        GamePrefilter::Plies(plies) => format!("at least {}", counted(*plies as usize, "half-move")),
    }
}

fn happening(event: Event) -> &'static str {
    match event {
        Event::Check => "a check",
        Event::Mate => "a mate",
        Event::Stalemate => "a stalemate",
        Event::Castling(_) => "castling",
        Event::EnPassant => "a capture en passant",
        Event::NullMove => "a null move",
        Event::Promotion(_) => "a promotion",
        Event::Evaluation => "an evaluation",
        Event::Clock => "a clock",
        Event::Symbol => "an annotation symbol",
    }
}

/// Returns the pieces as in a designator.
fn letters(contents: Contents) -> String {
    format!("`[{}]`", piece_letters(contents))
}
