//! Makes a game of the text of an example.
//!
//! Readers of PGN make the best of their input: they leave out what they cannot read and go on. An example must say what its author means,
//! so here everything that would be left out is an error.

use std::fmt::Write;
use std::ops::Range;

use super::expectation::Tag;
use super::text::Text;
use crate::chess::Start;
use crate::game::Game;
use crate::moves::moves_to;
use crate::pgn::{Batch, GameReader, Reading, Scope, Splitter, Token, Tokens};
use crate::syntax::Diagnostic;

/// The results that end a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Returns a game without moves that begins at a position.
///
/// # Errors
/// Returns an error if the FEN is wrong.
pub(super) fn of_fen(fen: &Text) -> Result<Game, Diagnostic> {
    check_fen(fen)?;
    let head = tag_line("FEN", &fen.value);
    read(&head, "").ok_or_else(|| Diagnostic::new(fen.span, "this cannot be read as a game"))
}

/// Returns a game with moves and tags.
///
/// # Errors
/// Returns an error if one of the moves is illegal or not a move, or if a tag has an impossible value.
pub(super) fn of_pgn(movetext: &Text, tags: &[Tag]) -> Result<Game, Diagnostic> {
    let mut head = String::new();
    let mut result = "*";
    for Tag { name, value } in tags {
        match &**name {
            "FEN" => check_fen(value)?,
            "Result" => result = check_result(value)?,
            _ => {}
        }
        head += &tag_line(name, &value.value);
    }
    let words = words(movetext)?;
    let moves: Vec<_> = words.iter().filter(|word| word.kind == WordKind::Move).collect();
    let is_ended = words.last().is_some_and(|word| word.kind == WordKind::Result);
    let text = match is_ended {
        true => movetext.value.clone(),
        false => format!("{} {result}", movetext.value),
    };
    let game = read(&head, &text);
    let has_tag = |tag: &&Tag| {
        let value = game.as_ref().and_then(|game| game.tags.raw(tag.name.as_bytes()));
        value.is_none_or(|value| value == tag.value.value.as_bytes())
    };
    if let Some(Tag { value, .. }) = tags.iter().find(|tag| !has_tag(tag)) {
        return Err(Diagnostic::new(value.span, "this cannot be the value of a tag"));
    }
    match game {
        Some(game) if game.positions.len() == moves.len() + 1 => Ok(game),
        _ => Err(first_fault(&head, movetext, &moves)),
    }
}

/// Returns the line of a tag in PGN. Readers take quotes and backslashes in values literally.
fn tag_line(name: &str, value: &str) -> String {
    format!("[{name} \"{value}\"]\n")
}

/// Reads the only game of a text. Returns `None` if the text does not have exactly one.
fn read(head: &str, movetext: &str) -> Option<Game> {
    // Without any tag, the moves would have to begin the game, and comments before them would not belong to it.
    let head = if head.is_empty() { "[Result \"*\"]\n" } else { head };
    let end = if movetext.is_empty() { "*" } else { "" };
    let pgn = format!("{head}\n{movetext}{end}\n");
    let mut batch = Batch::default();
    Splitter::new(pgn.as_bytes(), "example".into(), 0)
        .read_batch(&mut batch)
        .ok()?;
    let mut game = Game::default();
    let read = GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true) == Reading::Read;
    (read && batch.games.len() == 1).then_some(game)
}

fn check_fen(fen: &Text) -> Result<(), Diagnostic> {
    match Start::from_fen(fen.value.as_bytes()) {
        Ok(_) => Ok(()),
        Err(error) => {
            let place = if error.range.is_empty() {
                fen.span
            } else {
                fen.place(error.range)
            };
            Err(Diagnostic::new(place, error.fault.to_string()).hint(error.fault.advice()))
        }
    }
}

fn check_result(result: &Text) -> Result<&str, Diagnostic> {
    if RESULTS.contains(&&*result.value) {
        Ok(&result.value)
    } else {
        Err(Diagnostic::new(result.span, "this is not a result").hint("results are `1-0`, `0-1`, `1/2-1/2` and `*`"))
    }
}

/// Returns the error for the first move that readers leave out. It is the last move of the shortest beginning of the moves that cannot be
/// read to its end.
fn first_fault(head: &str, movetext: &Text, moves: &[&Word]) -> Diagnostic {
    let beginning = |count: usize| {
        let last = count.checked_sub(1).and_then(|last| moves.get(last));
        let text = last.map_or("", |word| &movetext.value[..word.range.end]);
        let closed = ")".repeat(last.map_or(0, |word| word.depth));
        read(head, &format!("{text}{closed} *"))
    };
    let is_read = |count: usize| beginning(count).is_some_and(|game| game.positions.len() == count + 1);
    let counts: Vec<usize> = (1..=moves.len()).collect();
    let fault = counts.partition_point(|count| is_read(*count));
    let Some(word) = moves.get(fault) else {
        return Diagnostic::new(movetext.span, "the moves cannot be read as one game")
            .hint("text after the result, tags before the moves and braces inside braces cannot be used here");
    };
    let text = &movetext.value[word.range.clone()];
    let error = Diagnostic::new(movetext.place(word.range.clone()), format!("`{text}` cannot be played"));
    match beginning(fault).filter(|_| word.depth == 0) {
        Some(mut game) => {
            game.keep_main_line();
            error.label(where_it_stands(&game))
        }
        None => error,
    }
    .hint("moves are written as in PGN, with English letters: `Nf3`, `exd5`, `O-O`, `e8=Q`")
}

/// Returns the side to move and the moves before.
fn where_it_stands(game: &Game) -> String {
    let Some(position) = game.positions.last() else {
        return String::new();
    };
    let line = moves_to(game, position);
    let mut place = format!("{:?} is to move", position.turn);
    if !line.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(place, " after {line}");
    }
    place
}

/// A move or result in the movetext.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    pub(super) range: Range<usize>,
    /// The number of variations around it.
    pub(super) depth: usize,
    pub(super) kind: WordKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordKind {
    Move,
    Result,
}

/// Returns the moves and results of a movetext. Everything that is not a comment, number, dot or symbol counts as a move.
pub(super) fn words(movetext: &Text) -> Result<Vec<Word>, Diagnostic> {
    let text = &*movetext.value;
    let error = |at: usize, message| Diagnostic::new(movetext.place(at..at + 1), message);
    let mut words = Vec::new();
    let mut open = Vec::new();
    for (token, place) in Tokens::of(text.as_bytes()) {
        let start = place.start;
        let written = &text[place];
        match token {
            Token::Open => open.push(start),
            Token::Close if open.pop().is_none() => return Err(error(start, "there is no variation to close")),
            Token::Comment(_) | Token::OddMove(_) | Token::OddNag(_) if !written.ends_with('}') => {
                return Err(error(start, "the comment has no closing brace"));
            }
            Token::Word => {
                if let Some(offset) = written.find(';') {
                    return Err(error(start + offset, "this comment would take the rest of the moves")
                        .hint("line breaks count as spaces in an example: write `{…}`"));
                }
                let mut at = start;
                for part in written.split_inclusive(char::is_whitespace) {
                    let range = at..at + part.trim_end().len();
                    at += part.len();
                    let kind = kind_of(&text[range.clone()]);
                    words.extend(kind.map(|kind| Word {
                        range,
                        depth: open.len(),
                        kind,
                    }));
                }
            }
            _ => {}
        }
    }
    match open.pop() {
        Some(at) => Err(error(at, "the variation has no closing parenthesis")),
        None => Ok(words),
    }
}

/// Returns the kind of a word without a number, or `None` for symbols and `e.p.`.
fn kind_of(word: &str) -> Option<WordKind> {
    match word {
        "--" => Some(WordKind::Move),
        result if RESULTS.contains(&result) => Some(WordKind::Result),
        "e.p." | "ep" => None,
        word if word.chars().all(|sign| "+-=/~#".contains(sign)) => None,
        _ => Some(WordKind::Move),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Source;
    use crate::testing::expectation::{Claim, Example, Match, expectations};

    /// Returns the game of an expectation, or else the error and the text that is underlined.
    fn game(example: &str) -> Result<Game, (String, String)> {
        let source = Source::new("q", format!("//? match {example}"));
        let expectation = expectations(&source).remove(0).expect("an expectation");
        let Claim::Match(Match { example, .. }) = expectation.claim else {
            panic!("it is an example")
        };
        let game = match example {
            Example::Fen(fen) => of_fen(&fen),
            Example::Pgn { movetext, tags } => of_pgn(&movetext, &tags),
            Example::Game { .. } => panic!("it is in the text"),
        };
        game.map_err(|error| (error.message, source.slice(error.span).to_owned()))
    }

    fn positions(example: &str) -> usize {
        let game = game(example).unwrap_or_else(|error| panic!("{example}: {error:?}"));
        game.positions.len()
    }

    #[test]
    fn whatever_pgn_has_is_an_example() {
        assert_eq!(positions(r#""8/8/8/3kK3/8/8/8/P6p w""#), 1);
        assert_eq!(positions(r#"pgn """#), 1);
        assert_eq!(positions(r#"pgn "1. e4 e5 2.Nf3""#), 4);
        let symbols = r#"pgn "e4 {a (b) c} 1... e5! $3 +- (1... c5 ( 1... e6)) 2. Nf3?! -- 3.Ng1""#;
        assert_eq!(positions(symbols), 8);
        let zeros = r#"pgn "0-0 0-0-0" with FEN "r3k3/8/8/8/8/8/8/4K2R w Kq""#;
        assert_eq!(positions(zeros), 3);
    }

    #[test]
    fn tags_are_those_of_the_game() {
        let game = game(r#"pgn "1... Kd8 0-1" with FEN "4k3/8/8/8/8/8/8/4K3 b" White "A \"B\" \\C""#).expect("a game");
        assert_eq!(game.positions.len(), 2);
        assert_eq!(game.result.to_string(), "0-1");
        assert_eq!(game.tags.white().as_ref(), b"A \"B\" \\C");
        let game = super::tests::game(r#"pgn "1. e4" with Result "1/2-1/2""#).expect("a game");
        assert_eq!(game.result.to_string(), "1/2-1/2");
    }

    #[test]
    fn nothing_is_left_out() {
        for (example, message, place) in [
            (r#""8/8 w""#, "the board has 2 ranks", "8/8"),
            (
                r#""4k3/8/8/8/8/8/8/4K3""#,
                "the side to move is missing",
                r#""4k3/8/8/8/8/8/8/4K3""#,
            ),
            (r#"pgn "1. e4 e5 2. Bb6 Nf6""#, "`Bb6` cannot be played", "Bb6"),
            (r#"pgn "1. e4 e5 2. Bb5 xf6""#, "`xf6` cannot be played", "xf6"),
            (r#"pgn "1. e4 e5 (1... e4) 2. Nf3""#, "`e4` cannot be played", "e4"),
            (r#"pgn "1. e4 1-0 e5""#, "`e5` cannot be played", "e5"),
            (
                r#"pgn "1. e4 e5 (2. d4""#,
                "the variation has no closing parenthesis",
                "(",
            ),
            (r#"pgn "1. e4 e5) 2. d4""#, "there is no variation to close", ")"),
            (r#"pgn "1. e4 {a""#, "the comment has no closing brace", "{"),
            (
                r#"pgn "1. e4 ; e5""#,
                "this comment would take the rest of the moves",
                ";",
            ),
            (r#"pgn "[White 1. e4""#, "`[White` cannot be played", "[White"),
            (
                r#"pgn "1. e4" with FEN "4k3/8/8/8/8/8/8/8 w""#,
                "White has no king",
                "4k3/8/8/8/8/8/8/8",
            ),
            (
                "pgn \"1. e4\" with White \"A\0B\" Black \"C\"",
                "this cannot be the value of a tag",
                "\"A\0B\"",
            ),
            (r#"pgn "1. e4" with Result "2-0""#, "this is not a result", r#""2-0""#),
        ] {
            let error = game(example).map(|game| game.positions.len()).expect_err(example);
            assert_eq!((&*error.0, &*error.1), (message, place), "{example}");
        }
    }

    #[test]
    fn no_text_is_too_strange() {
        let mut random = fastrand::Rng::with_seed(20_261_121);
        let parts = [
            "match ",
            "no ",
            "pgn ",
            "game ",
            "count ",
            "with ",
            "at ",
            "exactly ",
            "FEN ",
            "Result ",
            "\"",
            "\"",
            "\\",
            "\n//?",
            "\n",
            "3",
            ", ",
            "1. e4 ",
            "e5 ",
            "(",
            ")",
            "{",
            "}",
            ";",
            "♔",
            "\u{1}",
            "\u{1a}",
            "0-0",
            "1-0",
            "4k3/8/",
            "8/8/8/8/8/4K3 w",
            "[A \\\"b\\\"]",
            "...",
            "$1",
            "--",
            "99999999999999999999",
        ];
        for _ in 0..500 {
            let length = random.usize(..16);
            let text: String = (0..length).filter_map(|_| random.choice(parts)).collect();
            let source = Source::new(
                "q",
                format!("//? match {text}\n//? match pgn \"{text}\"\n//? match \"{text}\""),
            );
            for expectation in expectations(&source).into_iter().flatten() {
                let game = match expectation.claim {
                    Claim::Match(Match {
                        example: Example::Fen(fen),
                        ..
                    }) => of_fen(&fen),
                    Claim::Match(Match {
                        example: Example::Pgn { movetext, tags },
                        ..
                    }) => of_pgn(&movetext, &tags),
                    _ => continue,
                };
                if let Err(error) = game {
                    assert!(!error.render(&source, false).is_empty());
                }
            }
        }
    }
}
