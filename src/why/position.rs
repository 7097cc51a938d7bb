//! Answers why a query matches at a position, or why not.

use std::fmt;

use super::answer::{Change, Nearest, Part, Place, Removal, Rounds, TransformCopy, Value, Why};
use super::changes::{self, Trials};
use super::edits::Edit;
use super::sentences::SentenceBuilder;
use super::subject::Subject;
use super::tree::{Round, Shown, Tree};
use super::words::{Words, counted, last_move, names};
use crate::eval::report::{Compiled, MatchValue};
use crate::eval::{Evaluation, Traced, trace};
use crate::game::Game;
use crate::query::ast::Type;
use crate::query::ast::versions::Colors;
use crate::query::instrument::{Instrumented, PartForm, Role, instrumented};
use crate::query::{Header, Options, compile};
use crate::search::{self, Hit, on_deep_stack, search_game};
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source};

/// Why there is no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The query is wrong, or asks for something impossible.
    Query(Box<Diagnostic>),
    /// The game has no such position.
    NoPosition {
        /// The number of its last position.
        last: u32,
        /// Whether it is in a variation, and the query does not search variations.
        is_variation: bool,
    },
    /// The search was ended early.
    Interrupted,
}

impl From<Diagnostic> for Error {
    fn from(error: Diagnostic) -> Error {
        Error::Query(Box::new(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Query(error) => f.write_str(&error.message),
            Error::NoPosition { is_variation: true, .. } => {
                f.write_str("the position is in a variation, and the query does not search variations")
            }
            Error::NoPosition { last, .. } => write!(f, "the game has no such position; its last is {last}"),
            Error::Interrupted => f.write_str("it was ended early"),
        }
    }
}

impl std::error::Error for Error {}

/// Returns why a query matches at a position of a game, or why not.
///
/// Filters that options add to the text are evaluated, too, but tags of the game never exclude it.
///
/// # Errors
/// Returns an error if the query is wrong or cannot be evaluated, or there is no such position.
///
/// ```
/// use std::sync::Arc;
/// use skewer::eval::Settings;
/// use skewer::game::Game;
/// use skewer::query::Options;
/// use skewer::syntax::Source;
/// use skewer::why::{Subject, at};
///
/// let game = Game::of_pgn("1. e4 e5 2. Qh5 Nc6").expect("one game");
/// let source = Source::new("query", "btm #Q>=2 Q attacks f7");
/// let options = Options { filters_only: true, ..Options::default() };
/// let (settings, interrupt) = (Settings::default(), Arc::default());
/// let subject = Subject { game: &game, position: 3, settings: &settings, interrupt: &interrupt };
/// let why = at(&source, &options, &subject)?;
/// assert!(!why.matches);
/// assert_eq!(why.nearest.expect("it is near").sentence, "With `#Q>=1` in place of `#Q>=2` it would match.");
/// # Ok::<(), skewer::why::Error>(())
/// ```
pub fn at(source: &Source, options: &Options, subject: &Subject<'_>) -> Result<Why, Error> {
    // Parts nest as deeply as queries can.
    let answer = || answer(source, options, subject);
    on_deep_stack(answer).unwrap_or_else(|_| answer())
}

fn answer(source: &Source, options: &Options, subject: &Subject<'_>) -> Result<Why, Error> {
    let options = Options {
        first_of_game: false,
        narrowing: Vec::new(),
        columns: Vec::new(),
        ..options.clone()
    };
    let query = compile(source, &options)?;
    let mut game = subject.game.clone();
    let all = game.positions.len() as u32;
    if !query.header.variations {
        game.keep_main_line();
    }
    let position = subject.position;
    let last = (game.positions.len() as u32).saturating_sub(1);
    if position > last {
        return Err(Error::NoPosition {
            last,
            is_variation: position < all,
        });
    }
    let subject = Subject {
        game: &game,
        ..*subject
    };
    let hit = search_game(&query, subject.settings.clone(), subject.interrupt, game.clone());
    let hit = hit.map_err(|error| failed(error, source))?;
    let matches = hit.matched && hit.positions.contains(&position);

    let instrumented = instrumented(source, &options)?;
    let trace = traced(&instrumented, &subject)?;
    let tree = Tree::new(&instrumented.parts, &trace.events);
    let words = Words {
        source,
        options: &options,
        game: &game,
        tree: &tree,
    };
    let body = tree.body();
    let header = header_parts(&query.header, &game, &hit);
    let mut sentences = SentenceBuilder::new(&words);
    sentences.verdict(matches, &header, body.as_ref());
    let mut trials = Trials::new(&query, source, &options, &subject);
    let (mut removals, mut nearest) = (Vec::new(), None);
    if let Some(body) = body.as_ref().filter(|body| !matches && body.is_blamed) {
        let removed = trials.removals(body, &words);
        let found = trials.nearest(&body.culprits(&tree), &words);
        sentences.removals(&removed);
        let removal = |(span, matches): &(Span, bool)| Removal {
            from: utf16(source, span.start),
            to: utf16(source, span.end),
            text: source.slice(*span).to_owned(),
            matches: *matches,
        };
        removals = removed.iter().map(removal).collect();
        nearest = found.map(|found| {
            let sentence = changes::sentence(&found.edits, &words);
            sentences.nearest(&found.edits, &sentence);
            Nearest {
                changes: changes_told(source, &found.edits),
                query: String::from_utf8_lossy(&found.query).into_owned(),
                sentence,
            }
        });
    }
    if subject.interrupt.is_raised() {
        return Err(Error::Interrupted);
    }
    let mut parts = header;
    match &body {
        Some(body) if tree.parts[body.part].form == PartForm::Conjunction => {
            parts.extend(body.parts.iter().map(|part| told(part, &words)));
        }
        Some(body) => parts.push(told(body, &words)),
        None => {}
    }
    let SentenceBuilder { sentences, marks, .. } = sentences;
    Ok(Why {
        query: source.text().to_owned(),
        position: place(&game, position),
        matches,
        sentences,
        marks: names(marks),
        whole: !trace.is_cut && !instrumented.is_cut,
        parts,
        removals,
        nearest,
        all_tried: trials.are_complete(),
    })
}

/// Returns the values of the parts at the position. If that takes too much, evaluates only the parts whose values are needed.
fn traced(instrumented: &Instrumented, subject: &Subject<'_>) -> Result<crate::eval::Trace, Error> {
    let evaluation = Evaluation::new(&instrumented.query, subject.settings.clone());
    let prepared = evaluation.prepare(Some(subject.game.number), subject.interrupt);
    let prepared = prepared.map_err(|stop| stop.diagnostic)?;
    let run = |asks_all: bool| {
        let traced = Traced {
            position: subject.position,
            from_start: instrumented.reads_before,
            asks_all,
        };
        trace(
            &instrumented.query,
            &prepared,
            subject.settings,
            subject.game,
            traced,
            &|| subject.interrupt.is_raised(),
        )
    };
    let trace = run(true).or_else(|_| run(false)).map_err(|stop| stop.diagnostic)?;
    trace.ok_or(Error::Interrupted)
}

/// Returns the error of a search that ended early.
fn failed(error: search::Error, source: &Source) -> Error {
    match error {
        search::Error::Evaluation(stop) => stop.diagnostic.into(),
        other => Diagnostic::new(Span::new(0, source.bytes().len()), other.to_string()).into(),
    }
}

fn place(game: &Game, id: u32) -> Place {
    let position = game.positions.get(id as usize);
    Place {
        game: game.number,
        id,
        fen: position.map(|position| game.fen(position)).unwrap_or_default(),
        last_move: last_move(game, id),
    }
}

/// Returns the conditions of the header that can keep a game from matching.
fn header_parts(header: &Header, game: &Game, hit: &Hit) -> Vec<Part> {
    let part = |text: String, matches: bool, sentence: String| Part {
        text,
        kind: "condition",
        value: Some(Value::Truth(matches)),
        asked: true,
        matches: Some(matches),
        blamed: !matches,
        sentence: Some(sentence),
        ..Part::default()
    };
    let mut parts = Vec::new();
    for result in &header.results {
        let is_so = game.result == shakmaty::Outcome::Known(*result);
        parts.push(part(
            format!("result {result}"),
            is_so,
            format!("the result of the game is {}", game.result),
        ));
    }
    if let Some((least, most)) = header.games {
        let number = i32::try_from(game.number).unwrap_or(i32::MAX);
        let is_so = (least..=most).contains(&number);
        parts.push(part(
            format!("gamenumber {least} {most}"),
            is_so,
            format!("the number of the game is {number}"),
        ));
    }
    if let Some((least, most)) = header.match_count {
        let count = hit.positions.len();
        let sentence = format!("the filters match at {} of the game", counted(count, "position"));
        parts.push(part(
            format!("matchcount {least} {most}"),
            header.matches(count),
            sentence,
        ));
    }
    parts
}

/// Converts a part to its public form.
fn told(shown: &Shown, words: &Words<'_>) -> Part {
    let tree = words.tree;
    let part = &tree.parts[shown.part];
    let is_in_text = part.span.end as usize <= words.source.bytes().len();
    let place = |offset: u32| is_in_text.then(|| utf16(words.source, offset));
    let asks = shown.value.map_or(part, |(value, _)| &tree.parts[value]);
    let matches = shown.event.filter(|_| part.kind == Type::Condition);
    Part {
        text: words.text(part.span).to_owned(),
        from: place(part.span.start),
        to: place(part.span.end),
        kind: match asks.kind {
            Type::Set => "set",
            Type::Number => "number",
            Type::String => "string",
            Type::Position => "position",
            Type::Condition => "condition",
        },
        value: shown.event.and_then(|_| value(words.value(shown), words)),
        asked: shown.event.is_some(),
        matches: matches.map(|event| tree.matched(event)),
        blamed: shown.is_blamed,
        sentence: words
            .reason(shown)
            .filter(|reason| *reason != words.told(words.value(shown))),
        copy: match part.role {
            Role::Copy { number, of, colors } => Some(TransformCopy {
                number,
                of,
                colors: match colors {
                    Colors::WRITTEN => "written",
                    Colors::EXCHANGED => "exchanged",
                    _ => "both",
                },
            }),
            _ => None,
        },
        rounds: shown.rounds.map(|rounds| Rounds {
            of: match rounds.round {
                Round::Square(_) => "squares",
                Round::Position(_) => "positions",
                Round::Move(..) => "moves",
                Round::Try => "tries",
            },
            asked: rounds.asked,
            matched: rounds.matched,
            shown: words.round(rounds.round),
        }),
        parts: shown.parts.iter().map(|part| told(part, words)).collect(),
    }
}

fn value(value: &MatchValue, words: &Words<'_>) -> Option<Value> {
    Some(match value {
        MatchValue::Unknown => return None,
        MatchValue::Truth(holds) => Value::Truth(*holds),
        MatchValue::Number(number) => Value::Number(*number),
        MatchValue::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        MatchValue::Squares(squares) => Value::Squares(names(*squares)),
        MatchValue::Position(id) => Value::Position {
            id: *id,
            last_move: last_move(words.game, *id),
        },
    })
}

/// Converts changes to their public form.
fn changes_told(source: &Source, edits: &[Edit]) -> Vec<Change> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    let change = |edit: &Edit| Change {
        from: utf16(source, edit.span.start),
        to: utf16(source, edit.span.end),
        text: source.slice(edit.span).to_owned(),
        insert: edit.insert.clone().unwrap_or_default(),
    };
    edits.into_iter().map(change).collect()
}

/// Returns an offset in a text in UTF-16 code units.
pub(super) fn utf16(source: &Source, offset: u32) -> usize {
    let before = source.text().get(..offset as usize).unwrap_or_else(|| source.text());
    before.chars().map(char::len_utf16).sum()
}
