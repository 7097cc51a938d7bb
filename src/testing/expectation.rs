//! The language of expectations.
//!
//! ```text
//! //? match "FEN"
//! //? match pgn "1. e4 e5 …" with White "Carlsen, Magnus" at 3, 5
//! //? no match game "games.pgn" 3
//! //? count "games.pgn" 2 games, 5 positions
//! ```
//!
//! An expectation may continue on the next lines, if they begin with `//?` and a word other than `match`, `no` or `count`.

use std::fmt;

use super::text::{Cursor, Marked, Text, marked};
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source, nearest};

/// An expectation about what a query finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The whole expectation, without the comment mark.
    pub span: Span,
    /// What is expected.
    pub claim: Claim,
}

impl Expectation {
    /// Returns the file that it names, if any.
    pub fn into_file(self) -> Option<Text> {
        match self.claim {
            Claim::Count(Count { file, .. })
            | Claim::Match(Match {
                example: Example::Game { file, .. },
                ..
            }) => Some(file),
            Claim::Match(_) => None,
        }
    }
}

/// The content of an expectation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// `match …`, `no match …`
    Match(Match),
    /// `count …`
    Count(Count),
}

/// What matches in a game, or does not match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    /// The game.
    pub example: Example,
    /// `no match`
    pub negated: bool,
    /// `at …`
    pub at: Option<At>,
}

/// How much matches in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// The file that is searched.
    pub file: Text,
    /// The expected numbers, or `None` if they have not been recorded yet.
    pub recorded: Option<Counts>,
    /// The place of the numbers. If there are none, it is empty and after the name of the file.
    pub numbers: Span,
}

/// A game that a query is tested with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Example {
    /// `"FEN"`: a game without moves.
    Fen(Text),
    /// `pgn "MOVES" with NAME "VALUE" …`
    Pgn {
        /// Moves, comments, variations.
        movetext: Text,
        /// Its tags.
        tags: Vec<Tag>,
    },
    /// `game "FILE" NUMBER`
    Game {
        /// The file.
        file: Text,
        /// The number of the game in it, from 1.
        number: u64,
        /// The place of the number.
        number_span: Span,
    },
}

/// A tag of an example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The name, made of letters, digits and `_`.
    pub name: String,
    /// Its value.
    pub value: Text,
}

/// `at 3, 5`, `at exactly 3, 5`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct At {
    /// Whether no other position may match.
    pub exactly: bool,
    /// The `positionid`s with their places, at least one.
    pub ids: Vec<(u32, Span)>,
}

/// How much a query finds in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Games that match.
    pub games: u64,
    /// Positions that match.
    pub positions: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count| if count == 1 { "" } else { "s" };
        let Counts { games, positions } = *self;
        write!(f, "{games} game{}, {positions} position{}", s(games), s(positions))
    }
}

/// Returns the expectations in the comments of a query, in order, or an error for each that cannot be understood.
pub fn expectations(source: &Source) -> Vec<Result<Expectation, Diagnostic>> {
    let lines = marked(source);
    let mut rest = &*lines;
    let mut found = Vec::new();
    while let Some(mut cursor) = Cursor::new(source, rest) {
        if cursor.is_at_end() {
            // A comment without text is ignored.
            rest = cursor.later();
            continue;
        }
        let expectation = read(&mut cursor);
        rest = if expectation.is_ok() {
            cursor.later()
        } else {
            from_next_beginning(source, rest)
        };
        found.push(expectation);
    }
    found
}

/// Returns the comments from the next one that begins an expectation. Those before it may be the rest of a broken one.
fn from_next_beginning<'s>(source: &Source, lines: &'s [Marked]) -> &'s [Marked] {
    let later = lines.get(1..).unwrap_or_default();
    let next = later.iter().position(|line| line.is_beginning(source));
    &later[next.unwrap_or(later.len())..]
}

fn read(cursor: &mut Cursor<'_>) -> Result<Expectation, Diagnostic> {
    let start = cursor.here();
    let claim = if take(cursor, "count") {
        Claim::Count(count(cursor)?)
    } else if take(cursor, "match") {
        Claim::Match(matching(cursor, false)?)
    } else if take(cursor, "no") {
        if !take(cursor, "match") {
            return Err(unexpected_word(cursor, "`match`", &["match"]));
        }
        Claim::Match(matching(cursor, true)?)
    } else {
        // The last two continue an expectation. They are included because they may have been meant here.
        let words = ["match", "no", "count", "at", "with"];
        return Err(unexpected_word(cursor, "`match`, `no match` or `count`", &words));
    };
    Ok(Expectation {
        span: start.to(cursor.here()),
        claim,
    })
}

fn take(cursor: &mut Cursor<'_>, word: &str) -> bool {
    cursor.take_if(|next| next == word).is_some()
}

/// Returns an error at the next word, with the word that it may stand for.
fn unexpected_word(cursor: &Cursor<'_>, expected: &str, words: &[&str]) -> Diagnostic {
    let error = cursor.unexpected(expected);
    let meant = cursor
        .peek()
        .and_then(|(word, span)| Some((nearest(word, words.iter().copied())?, span)));
    match meant {
        Some((word, span)) => error.hint(format!("did you mean `{word}`?")).change(span, word),
        None => error,
    }
}

/// Reads the rest after `[no] match`.
fn matching(cursor: &mut Cursor<'_>, negated: bool) -> Result<Match, Diagnostic> {
    if cursor.is_at_string() {
        let fen = string(cursor, "a FEN")?;
        if let Some((_, at)) = cursor.peek().filter(|(word, _)| matches!(*word, "at" | "with")) {
            return Err(Diagnostic::new(at, "a FEN is one position and nothing else")
                .hint(r#"a game has moves: `match pgn "1. e4 e5" with FEN "…" at 2`"#));
        }
        end(cursor, "the end", &[])?;
        return Ok(Match {
            example: Example::Fen(fen),
            negated,
            at: None,
        });
    }
    let example = if take(cursor, "pgn") {
        pgn(cursor)?
    } else if take(cursor, "game") {
        game(cursor)?
    } else {
        let expected = "a FEN in quotes, `pgn \"MOVES\"` or `game \"FILE\" NUMBER`";
        return Err(unexpected_word(cursor, expected, &["pgn", "game"]));
    };
    let at = at(cursor, negated)?;
    match (&at, &example) {
        (Some(_), _) => end(cursor, "`,` or the end", &[])?,
        (None, Example::Pgn { tags, .. }) if tags.is_empty() => {
            end(cursor, "`at`, `with` or the end", &["at", "with"])?;
        }
        (None, Example::Pgn { .. }) => end(cursor, "a tag, `at` or the end", &["at"])?,
        (None, _) => end(cursor, "`at` or the end", &["at"])?,
    }
    Ok(Match { example, negated, at })
}

/// Reads the rest after `pgn`.
fn pgn(cursor: &mut Cursor<'_>) -> Result<Example, Diagnostic> {
    let movetext = string(cursor, "moves in quotes")?;
    let mut tags = Vec::new();
    if take(cursor, "with") {
        while let Some((name, span)) = cursor.take_if(|word| word != "at") {
            if tags.iter().any(|tag: &Tag| tag.name == name) {
                return Err(Diagnostic::new(span, format!("the tag `{name}` is given twice")));
            }
            let value = string(cursor, "the value of the tag in quotes")?;
            let name = name.to_owned();
            tags.push(Tag { name, value });
        }
        if tags.is_empty() {
            return Err(cursor
                .unexpected("the name of a tag")
                .hint(r#"tags are pairs of names and values: `with White "Carlsen, Magnus" Result "1-0"`"#));
        }
    }
    Ok(Example::Pgn { movetext, tags })
}

/// Reads the rest after `game`.
fn game(cursor: &mut Cursor<'_>) -> Result<Example, Diagnostic> {
    let file = string(cursor, "the name of a file in quotes")?;
    let (number, number_span) = number(cursor, "the number of the game")?;
    if number == 0 {
        return Err(Diagnostic::new(number_span, "games are counted from 1"));
    }
    Ok(Example::Game {
        file,
        number,
        number_span,
    })
}

/// Reads `at [exactly] ID, ID`, if it comes next.
fn at(cursor: &mut Cursor<'_>, negated: bool) -> Result<Option<At>, Diagnostic> {
    if !take(cursor, "at") {
        return Ok(None);
    }
    let exactly = cursor.take_if(|word| word == "exactly");
    if let Some((_, span)) = exactly.filter(|_| negated) {
        return Err(
            Diagnostic::new(span, "`exactly` says which positions match, `no match` which do not")
                .hint("without `exactly`: none of these positions matches")
                .change(span, ""),
        );
    }
    let mut ids = Vec::new();
    loop {
        let expected = if exactly.is_some() || !ids.is_empty() {
            "the number of a position"
        } else {
            "the number of a position, or `exactly`"
        };
        let (id, span) = number(cursor, expected)?;
        let id = u32::try_from(id).map_err(|_| Diagnostic::new(span, "the number is too large"))?;
        ids.push((id, span));
        if !cursor.take_sign(',') {
            let exactly = exactly.is_some();
            return Ok(Some(At { exactly, ids }));
        }
    }
}

/// Reads the rest after `count`.
fn count(cursor: &mut Cursor<'_>) -> Result<Count, Diagnostic> {
    let file = string(cursor, "the name of a file in quotes")?;
    let after = cursor.here();
    if cursor.is_at_line_end() && !cursor.peek().is_some_and(|(word, _)| is_number(word)) {
        return Ok(Count {
            file,
            recorded: None,
            numbers: after,
        });
    }
    let form = "the numbers are written `2 games, 5 positions`; without them `skewer test --bless` records them";
    let (games, start) = number(cursor, "the number of games, or the end").map_err(|error| error.hint(form))?;
    unit(cursor, &["games", "game"]).map_err(|error| error.hint(form))?;
    if !cursor.take_sign(',') {
        return Err(cursor.unexpected("`,`").hint(form));
    }
    let (positions, _) = number(cursor, "the number of positions").map_err(|error| error.hint(form))?;
    unit(cursor, &["positions", "position"]).map_err(|error| error.hint(form))?;
    let numbers = start.to(cursor.here());
    end(cursor, "the end", &[])?;
    Ok(Count {
        file,
        recorded: Some(Counts { games, positions }),
        numbers,
    })
}

fn unit(cursor: &mut Cursor<'_>, names: &[&str; 2]) -> Result<(), Diagnostic> {
    match cursor.take_if(|word| names.contains(&word)) {
        Some(_) => Ok(()),
        None => Err(cursor.unexpected(&format!("`{}`", names[0]))),
    }
}

fn string(cursor: &mut Cursor<'_>, expected: &str) -> Result<Text, Diagnostic> {
    match cursor.take_string() {
        Some(text) => text,
        None => Err(cursor.unexpected(expected)),
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(cursor: &mut Cursor<'_>, expected: &str) -> Result<(u64, Span), Diagnostic> {
    let Some((digits, span)) = cursor.take_if(is_number) else {
        return Err(cursor.unexpected(expected));
    };
    match digits.parse() {
        Ok(number) => Ok((number, span)),
        Err(_) => Err(Diagnostic::new(span, "the number is too large")),
    }
}

/// Checks that nothing follows on the line. The next line does not belong to the expectation.
fn end(cursor: &Cursor<'_>, expected: &str, words: &[&str]) -> Result<(), Diagnostic> {
    if cursor.is_at_line_end() {
        Ok(())
    } else {
        Err(unexpected_word(cursor, expected, words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the only expectation of a query.
    fn only(query: &str) -> Result<Claim, Diagnostic> {
        let mut all = expectations(&Source::new("q", query));
        assert_eq!(all.len(), 1, "{query}");
        all.remove(0).map(|expectation| expectation.claim)
    }

    /// Returns a description of an expectation.
    fn told(query: &str) -> String {
        match only(query).unwrap_or_else(|error| panic!("{query}: {}", error.message)) {
            Claim::Match(Match { example, negated, at }) => {
                let example = match example {
                    Example::Fen(fen) => fen.value,
                    Example::Pgn { movetext, tags } => {
                        let tags = tags.iter().map(|tag| format!(" [{} {}]", tag.name, tag.value.value));
                        movetext.value + &tags.collect::<String>()
                    }
                    Example::Game { file, number, .. } => format!("{}#{number}", file.value),
                };
                let at = at.map(|At { exactly, ids }| {
                    let ids: Vec<_> = ids.iter().map(|(id, _)| *id).collect();
                    format!(" @{}{ids:?}", if exactly { "=" } else { "" })
                });
                format!(
                    "{}{example}{}",
                    if negated { "not " } else { "" },
                    at.unwrap_or_default()
                )
            }
            Claim::Count(Count { file, recorded, .. }) => format!("{}: {recorded:?}", file.value),
        }
    }

    #[test]
    fn every_form_is_read() {
        for (query, expected) in [
            (r#"//? match "8/8 w""#, "8/8 w"),
            (r#"//?no   match"8/8 w"  "#, "not 8/8 w"),
            (r#"//? match pgn "1. e4 e5" at 2"#, "1. e4 e5 @[2]"),
            (r#"//? match pgn "1. e4" at exactly 0 , 1"#, "1. e4 @=[0, 1]"),
            (r#"//? no match pgn "1. e4""#, "not 1. e4"),
            (
                r#"//? match pgn "" with FEN "8/8 w" White "A \"B\" C" at 3"#,
                r#" [FEN 8/8 w] [White A "B" C] @[3]"#,
            ),
            (r#"//? match game "a b.pgn" 12"#, "a b.pgn#12"),
            (r#"//? no match game "a.pgn" 1 at 3,4"#, "not a.pgn#1 @[3, 4]"),
            (r#"//? count "a.pgn""#, "a.pgn: None"),
            (
                r#"//? count "a.pgn" 1 game, 0 positions"#,
                "a.pgn: Some(Counts { games: 1, positions: 0 })",
            ),
            ("//? match pgn \"1. e4\n//?   e5\" at 2\nmate", "1. e4 e5 @[2]"),
            (
                "//? match\n//? pgn \"1. e4\" \n//?\n//?  with White \"A\"\n//? Black \"B\" at 0,\n//? 1\n//?\n",
                "1. e4 [White A] [Black B] @[0, 1]",
            ),
        ] {
            assert_eq!(told(query), expected, "{query}");
        }
    }

    #[test]
    fn errors_have_their_place() {
        for (query, place, message, label) in [
            (
                "//? mach \"\"",
                "mach",
                "unexpected `mach`",
                "expected `match`, `no match` or `count`",
            ),
            ("//? no \"\"", "\"", "unexpected `\"`", "expected `match`"),
            (
                "//? match 8/8",
                "8",
                "unexpected `8`",
                "expected a FEN in quotes, `pgn \"MOVES\"` or `game \"FILE\" NUMBER`",
            ),
            (
                "//? match \"8/8 w\" at 3",
                "at",
                "a FEN is one position and nothing else",
                "",
            ),
            ("//? match \"8/8 w\" \"", "\"", "unexpected `\"`", "expected the end"),
            ("//? match pgn 1. e4", "1", "unexpected `1`", "expected moves in quotes"),
            (
                "//? match pgn \"\" art 3",
                "art",
                "unexpected `art`",
                "expected `at`, `with` or the end",
            ),
            (
                "//? match pgn \"\" at",
                "",
                "the expectation ends too early",
                "expected the number of a position, or `exactly`",
            ),
            (
                "//? match pgn \"\" at 3,",
                "",
                "the expectation ends too early",
                "expected the number of a position",
            ),
            (
                "//? match pgn \"\" at 3 5",
                "5",
                "unexpected `5`",
                "expected `,` or the end",
            ),
            (
                "//? match pgn \"\" at 99999999999",
                "99999999999",
                "the number is too large",
                "",
            ),
            (
                "//? no match pgn \"\" at exactly 3",
                "exactly",
                "`exactly` says which positions match, `no match` which do not",
                "",
            ),
            (
                "//? match pgn \"\" with at 3",
                "at",
                "unexpected `at`",
                "expected the name of a tag",
            ),
            (
                "//? match pgn \"\" with A \"\" A \"\"",
                "A",
                "the tag `A` is given twice",
                "",
            ),
            (
                "//? match game \"a\"",
                "",
                "the expectation ends too early",
                "expected the number of the game",
            ),
            ("//? match game \"a\" 0", "0", "games are counted from 1", ""),
            (
                "//? count \"a\" 2 game, 5",
                "",
                "the expectation ends too early",
                "expected `positions`",
            ),
            ("//? count \"a\" 2 games 5", "5", "unexpected `5`", "expected `,`"),
        ] {
            let source = Source::new("q", query);
            let error = only(query).expect_err(query);
            assert_eq!(
                (source.slice(error.span), &*error.message, &*error.label),
                (place, message, label),
                "{query}"
            );
        }
        let error = only("//? mach \"\"").expect_err("it is misspelt");
        assert_eq!(*error.hints, ["did you mean `match`?"]);
    }

    #[test]
    fn what_follows_an_error_is_read() {
        let query = "//?\n//? match pgn \"1. e4\n//?  e5\" bad\n//?  rest\n//? no match \"8/8 w\n//? count \"a\"\nmate";
        let outcome: Vec<_> = expectations(&Source::new("q", query))
            .into_iter()
            .map(|expectation| expectation.map_err(|error| error.message))
            .collect();
        assert_eq!(outcome.len(), 3);
        assert_eq!(outcome[0], Err("unexpected `bad`".to_owned()));
        assert_eq!(
            outcome[1],
            Err("the string has no closing quote".to_owned()),
            "the quote of the next line does not close it"
        );
        assert!(outcome[2].is_ok());
    }

    #[test]
    fn numbers_have_the_place_where_they_are_recorded() {
        for (query, place) in [
            ("//? count \"a\" 1 game, 2 positions  \r\n", "1 game, 2 positions"),
            ("//? count \"a\"  \r\n", ""),
        ] {
            let source = Source::new("q", query);
            let Ok(Claim::Count(Count { numbers, .. })) = only(query) else {
                panic!("{query:?} is a count")
            };
            assert_eq!(source.slice(numbers), place);
            assert_eq!(&query[..numbers.start as usize].trim_end(), &"//? count \"a\"");
        }
    }
}
