//! Why a query matches at a position, or why not.

use std::fmt;

use super::answer::{Change, Nearest, Part, Place, Removal, Rounds, TransformCopy, Value, Why};
use super::changes::{self, Trials};
use super::edits::Edit;
use super::subject::Subject;
use super::tree::{Round, Shown, Tree};
use super::words::{Words, counted, last_move, listed, names};
use crate::board::Bitboard;
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

/// So many filters that fail are told, and so many that would have to be left out.
const TOLD: usize = 6;

/// Why there is no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The query is wrong, or asks for something that cannot be done.
    Query(Box<Diagnostic>),
    /// The game has no such position.
    NoPosition {
        /// The number of its last position.
        last: u32,
        /// It is in a variation, and the query does not search variations.
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

/// Says why a query matches at a position of a game, or why not.
///
/// What options add to the text is asked, too, but the tags of the game alone never keep it from being looked at.
///
/// # Errors
/// When the query is wrong or cannot be evaluated, or there is no such position.
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
    // Parts nest as deeply as queries may.
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
    let mut telling = Telling {
        words: &words,
        sentences: Vec::new(),
        marks: Bitboard::EMPTY,
    };
    telling.verdict(matches, &header, body.as_ref());
    let mut trials = Trials::new(&query, source, &options, &subject);
    let (mut removals, mut nearest) = (Vec::new(), None);
    if let Some(body) = body.as_ref().filter(|body| !matches && body.is_blamed) {
        let removed = trials.removals(body, &words);
        let found = trials.nearest(&body.culprits(&tree), &words);
        telling.removals(&removed);
        let removal = |(span, matches): &(Span, bool)| Removal {
            from: utf16(source, span.start),
            to: utf16(source, span.end),
            text: source.slice(*span).to_owned(),
            matches: *matches,
        };
        removals = removed.iter().map(removal).collect();
        nearest = found.map(|found| {
            let sentence = changes::sentence(&found.edits, &words);
            telling.nearest(&found.edits, &sentence);
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
    let Telling { sentences, marks, .. } = telling;
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

/// What the parts say at the position. Where that takes too much, only what has to be asked is asked.
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

/// Why a search ended before its end.
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

/// What the header asks of games, as far as that can keep one from matching.
fn header_parts(header: &Header, game: &Game, hit: &Hit) -> Vec<Part> {
    let part = |text: String, matches: bool, sentence: String| Part {
        text,
        from: None,
        to: None,
        kind: "condition",
        value: Some(Value::Truth(matches)),
        asked: true,
        matches: Some(matches),
        blamed: !matches,
        sentence: Some(sentence),
        copy: None,
        rounds: None,
        parts: Vec::new(),
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

/// Says what there is to say.
struct Telling<'w> {
    words: &'w Words<'w>,
    sentences: Vec<String>,
    marks: Bitboard,
}

impl Telling<'_> {
    fn say(&mut self, sentence: impl Into<String>) {
        self.sentences.push(sentence.into());
    }

    /// Whether the position matches, and what decides.
    fn verdict(&mut self, matches: bool, header: &[Part], body: Option<&Shown>) {
        self.say(match matches {
            true => "The position matches.",
            false => "The position does not match.",
        });
        for part in header.iter().filter(|part| part.blamed) {
            let sentence = part.sentence.as_deref().unwrap_or_default();
            self.say(format!("The header asks for `{}`, and {sentence}.", part.text));
        }
        let Some(body) = body else { return };
        self.copies(body);
        if body.is_blamed {
            self.culprits(body);
        } else if matches {
            self.decided(body);
        } else if header.iter().all(|part| !part.blamed) {
            self.say("All filters match; what keeps the game from matching is an option of the search.");
        }
    }

    /// Which copies of transforms are shown.
    fn copies(&mut self, shown: &Shown) {
        if let Some(sentence) = self.words.copy(shown) {
            self.say(sentence);
        }
        for part in shown.parts.iter().filter(|part| part.event.is_some()) {
            self.copies(part);
        }
    }

    /// The filters that fail.
    fn culprits(&mut self, body: &Shown) {
        let culprits = body.culprits(self.words.tree);
        let mut is_first = true;
        for culprit in culprits.iter().take(TOLD) {
            let part = culprit.part;
            let text = self.words.quoted(self.words.tree.parts[part.part].span);
            let place = self
                .place_of(body, part)
                .map(|place| format!(" ({place})"))
                .unwrap_or_default();
            let reason = self
                .words
                .reason(part)
                .map(|reason| format!(": {reason}"))
                .unwrap_or_default();
            let verb = if is_first { "fails first" } else { "fails, too" };
            let verb = if culprits.len() == 1 { "fails" } else { verb };
            self.say(format!("{text} {verb}{place}{reason}."));
            if is_first {
                self.mark(part);
            }
            is_first = false;
        }
        if culprits.len() > TOLD {
            self.say(format!("{} more fail.", counted(culprits.len() - TOLD, "filter")));
        }
    }

    /// The round in which a part is shown, if a part around it is asked in rounds.
    fn place_of(&self, around: &Shown, part: &Shown) -> Option<String> {
        let mut found = None;
        let mut way = around;
        loop {
            if let Some(rounds) = way.rounds {
                found = self.words.round(rounds.round).map(|place| match rounds.round {
                    Round::Square(_) => format!("for {place}"),
                    Round::Position(0) => format!("in {place}"),
                    Round::Position(_) => format!("after {place}"),
                    Round::Move(..) => format!("if {place} is played"),
                    Round::Try => place,
                });
            }
            if std::ptr::eq(way, part) {
                return found;
            }
            way = way.parts.iter().find(|inside| holds(inside, part))?;
        }
    }

    /// What a match depends on.
    fn decided(&mut self, body: &Shown) {
        let tree = self.words.tree;
        let filters = match tree.parts[body.part].form {
            PartForm::Conjunction => body.parts.as_slice(),
            _ => std::slice::from_ref(body),
        };
        for filter in filters.iter().take(2 * TOLD) {
            if let Some(reason) = self.words.reason(filter) {
                let text = self.words.quoted(tree.parts[filter.part].span);
                self.say(format!("{text} matches: {reason}."));
            }
            self.mark(filter);
        }
    }

    /// Marks the squares that a part speaks of, if they are not most of the board.
    fn mark(&mut self, part: &Shown) {
        let values = std::iter::once(part).chain(&part.parts);
        for shown in values {
            if let MatchValue::Squares(squares) = self.words.value(shown)
                && squares.count() <= 8
            {
                self.marks |= *squares;
            }
        }
    }

    /// Which filters are to blame alone.
    fn removals(&mut self, removals: &[(Span, bool)]) {
        let alone = removals.iter().filter(|(_, matches)| *matches).take(TOLD);
        let alone: Vec<String> = alone.map(|(span, _)| self.words.quoted(*span)).collect();
        match alone.as_slice() {
            [] if removals.len() > 1 => self.say("No filter that fails is to blame alone."),
            [] => {}
            [only] => self.say(format!("Without {only} it would match.")),
            several => self.say(format!("It would match without one of these: {}.", listed(several))),
        }
    }

    fn nearest(&mut self, edits: &[Edit], sentence: &str) {
        // That has been said.
        let is_removal = matches!(edits, [Edit { insert: None, .. }]);
        if !is_removal {
            self.say(sentence);
        }
    }
}

/// Whether a part is another, or in it.
fn holds(around: &Shown, part: &Shown) -> bool {
    std::ptr::eq(around, part) || around.parts.iter().any(|inside| holds(inside, part))
}

/// A part as it is handed out.
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

/// Changes as they are handed out.
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

/// A place in a text in UTF-16 code units.
pub(super) fn utf16(source: &Source, offset: u32) -> usize {
    let before = source.text().get(..offset as usize).unwrap_or_else(|| source.text());
    before.chars().map(char::len_utf16).sum()
}
