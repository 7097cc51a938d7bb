//! The words for the facts in an explanation.

use super::quotes::Quotes;
use crate::board::Contents;
use crate::moves::CheckOrMate;
use crate::query::algebra::{BoardCond, BoardSet, Lines, Pieces};
use crate::query::explain::{
    Form, Hindrance, InGame, Join, Part, PathStrategy, Reach, Reading, SerialCause, Shortcut, SideEffect,
};
use crate::query::prefilter::{BoardTest, Event, GamePrefilter, Prefilter};
use crate::syntax::piece_letters;

/// Describes how a part is evaluated and why it has no faster form.
pub(super) fn part(part: &Part, quotes: &Quotes<'_>) -> Vec<String> {
    let mut lines: Vec<String> = form(&part.form).into_iter().collect();
    lines.extend(part.hindrance.as_ref().map(|hindrance| because(hindrance, quotes)));
    lines.extend(in_game(part.in_game).map(str::to_owned));
    lines
}

fn in_game(in_game: InGame) -> Option<&'static str> {
    match in_game {
        InGame::Varies => None,
        InGame::Same => Some(
            "has the same value at every position of a game: before the other filters it would be asked once per game",
        ),
    }
}

fn form(form: &Form) -> Option<String> {
    Some(match form {
        Form::Plain => return None,
        Form::Placement(designators) => format!("one test for {}", counted(*designators, "designator")),
        Form::Together => "a loop that is answered for all its squares at once".to_owned(),
        Form::Narrowed => "only those for which the tests of the loop can hold".to_owned(),
        Form::Rounds => "a loop over its squares, one after the other".to_owned(),
        Form::Repeats => "repeats until it fails; how often is not known beforehand".to_owned(),
        Form::Versions { copies, shortcut } => format!("{}: {}", counted(*copies, "copy"), compared(*shortcut)),
        Form::Remembered(reach) => format!(
            "its filter is evaluated once at each position of a game and remembered{}",
            limited(*reach)
        ),
        Form::LookedUp(reach, equations) => format!(
            "positions are looked up by {}{}",
            counted(*equations, "equal value"),
            limited(*reach)
        ),
        Form::Tried => "its filter is tried at position after position each time".to_owned(),
        Form::Joined(join) => joined(join),
        Form::AllPairs => "all pairs of positions are tried".to_owned(),
        Form::Runs => "the common runs of moves are found once per game".to_owned(),
        Form::Sequence { search, any } => searched(*search, *any),
        Form::Mate => "legal moves are only looked for where there is check".to_owned(),
        Form::Stalemate => "only looked at where the game or a variation ends".to_owned(),
        Form::LegalMoves => "all legal moves of the position are generated".to_owned(),
        Form::TriedMoves => {
            "all legal moves of the position are generated, and those that fit are tried one by one".to_owned()
        }
        Form::CheckingMoves => {
            "only moves that can give check are looked at; no list of legal moves is made".to_owned()
        }
        Form::Name => "a name for a set, which is read as the set wherever many positions are asked at once".to_owned(),
        Form::Local => {
            "a value that only the rest of its block reads, so positions where that fails may be skipped".to_owned()
        }
        Form::SideEffect(deed) => format!("{}, so it is evaluated wherever it is reached", does(*deed)),
    })
}

fn searched(search: PathStrategy, any: bool) -> String {
    let mut words = match search {
        PathStrategy::OneWay => "a sequence of moves fits in one way at most: searched move by move".to_owned(),
        PathStrategy::Memoised(reach) => format!(
            "sequences of moves fit in many ways: each state is entered once at a position{}",
            limited(reach)
        ),
        PathStrategy::AllWays => "sequences of moves fit in many ways: all are tried".to_owned(),
    };
    if any {
        words += "; where the output has no comments the first ends the search";
    }
    words
}

fn compared(shortcut: Shortcut) -> String {
    let (how, complete) = match shortcut {
        Shortcut::None => return "evaluated one after the other".to_owned(),
        Shortcut::Formation { complete } => (
            "all ask for the same pieces in the same places to each other, looked for everywhere at once",
            complete,
        ),
        Shortcut::Pieces { complete } => (
            "all ask first for the same pieces on other squares, looked up once for all",
            complete,
        ),
    };
    let rest = if complete {
        "no copy is evaluated"
    } else {
        "only copies whose pieces stand there are evaluated"
    };
    format!("{how}; {rest}")
}

fn joined(join: &Join) -> String {
    let asked = [
        (join.of_source, "of the source once"),
        (join.of_target, "of each target once per game"),
        (join.of_pair, "of pairs"),
    ];
    let asked: Vec<String> = asked
        .into_iter()
        .filter(|(filters, _)| *filters > 0)
        .map(|(filters, whom)| format!("{} asked {whom}", counted(filters, "filter")))
        .collect();
    let mut words = format!("a join{}: {}", limited(join.reach), asked.join(", "));
    if join.equations > 0 {
        words += &format!("; targets are looked up by {}", counted(join.equations, "equal value"));
    }
    words += match join.spans {
        0 => "",
        1 => "; one condition says where they lie",
        _ => "; several conditions say where they lie",
    };
    words
}

fn limited(reach: Reach) -> &'static str {
    match reach {
        Reach::Always => "",
        Reach::WithoutComments => ", where the output has no comments",
    }
}

fn because(hindrance: &Hindrance, quotes: &Quotes<'_>) -> String {
    match hindrance {
        Hindrance::SideEffect(deed, span) => {
            format!("cannot be shortened: `{}` {}", quotes.quote(*span), does(*deed))
        }
        Hindrance::Effect => {
            "cannot be shortened: something inside writes comments, may end the run, or reads what changes".to_owned()
        }
        Hindrance::State => {
            "cannot be remembered: its filter depends on more than the position, as on a variable".to_owned()
        }
        Hindrance::Body => "what its body asks cannot be answered for all squares at once".to_owned(),
    }
}

fn does(deed: SideEffect) -> &'static str {
    match deed {
        SideEffect::Assigns => "sets a variable",
        SideEffect::ChangesDictionary => "works on a dictionary",
        SideEffect::WritesMessage => "writes a message",
        SideEffect::WritesComment => "writes a comment",
        SideEffect::RemovesComment => "removes comments",
        SideEffect::KeepsValue => "keeps a value",
        SideEffect::SetsTag => "sets a tag",
        SideEffect::WritesFile => "writes a file",
        SideEffect::MayEndRun => "may end the run",
        SideEffect::Sorts => "keeps a value to sort by",
    }
}

/// Describes what is read of a game.
pub(super) fn reading(reading: &Reading, quotes: &Quotes<'_>) -> Vec<String> {
    let Reading {
        games,
        results,
        without_matches,
        game_prefilter,
        variations,
        notes,
        commands,
        identities,
        last_game_number,
        sort_keys,
    } = reading;
    let mut lines = Vec::new();
    if let Some((first, last)) = games {
        lines.push(format!("looked at only if its number is {first} to {last}"));
    }
    if *results {
        lines.push("its result is asked before its moves are read".to_owned());
    }
    lines.push(if *variations {
        "tags, the moves of the main line and of all variations".to_owned()
    } else {
        "tags and the moves of the main line; variations are skipped".to_owned()
    });
    if *without_matches {
        lines.push("moves are read even if a test of the game fails: no matching position is a match".to_owned());
    }
    let known = game_prefilter.without_squares();
    if !known.is_none() {
        lines.push(format!(
            "from a database, moves only of games with {}",
            required(&known)
        ));
    }
    if known != *game_prefilter {
        lines.push(format!(
            "positions are asked only in games with {}, at one of them or another",
            required(game_prefilter)
        ));
    }
    lines.push(match (*notes, *commands) {
        (true, false) => "comments and annotation symbols".to_owned(),
        (true, true) => "comments, annotation symbols, evaluations and clocks".to_owned(),
        (false, true) => "annotation symbols, and of comments evaluations and clocks".to_owned(),
        (false, false) => "comments are skipped".to_owned(),
    });
    if *identities {
        lines.push("every piece is followed through its moves".to_owned());
    }
    if let Some(span) = last_game_number {
        lines.push(format!(
            "the games are counted before the search: `{}`",
            quotes.quote(*span)
        ));
    }
    if *sort_keys > 0 {
        lines.push(format!(
            "if it matches, kept until the end to be sorted by {}",
            counted(*sort_keys, "key")
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

/// Describes whether threads share the games.
pub(super) fn threads(causes: &[SerialCause], quotes: &Quotes<'_>) -> Vec<String> {
    if causes.is_empty() {
        return vec!["games are shared among all threads".to_owned()];
    }
    let cause = |cause: &SerialCause| match cause {
        SerialCause::Variable(name) => {
            format!("one game after the other: the variable `{name}` lives through the run")
        }
        SerialCause::Dictionary(name) => {
            format!("one game after the other: the dictionary `{name}` lives through the run")
        }
        SerialCause::File(span) => {
            format!("one game after the other: `{}` uses a file", quotes.quote(*span))
        }
    };
    causes.iter().map(cause).collect()
}

fn counted(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix("py")) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}pies"),
        (_, None) => format!("{count} {noun}s"),
    }
}
