//! `search`: what a query finds in games, as it is found.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::{Error, parse};
use super::options::{Limits, SearchOptions, refused};
use crate::game::{Warning, WarningKind};
use crate::limits::{Cause, Instant, Interrupt};
use crate::output::{ColumnType, FormatName, Totals};
use crate::search::Listener;
use crate::{Games, Options, Query};

/// So many warnings are told; all are counted.
const MOST_WARNINGS: usize = 100;

/// How often it is said how far a search has come.
const PACE: Duration = Duration::from_millis(50);

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// A whole query or filters alone.
    pub query: String,
    /// How it is searched for.
    #[serde(default)]
    pub options: SearchOptions,
}

/// Something that a search says. Events come one a line: `{"progress": {…}}`.
#[derive(Serialize, Clone, Debug)]
#[serde(rename_all = "lowercase")]
enum Event<'e> {
    /// How far it has come.
    Progress(Progress),
    /// What the query prints with `message`.
    Message(&'e str),
    /// It has ended. Nothing comes after it.
    Done(Done),
}

/// How far a search has come.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Games that have been looked at.
    pub games: u64,
    /// Games that match.
    pub matched: u64,
    /// Positions that match.
    pub positions: u64,
    /// Bytes that have been read, after unpacking.
    pub bytes: u64,
    /// How much of the input that is, from 0 to 1, where its length is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// What came of a search.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Done {
    /// Games that were looked at.
    pub games: u64,
    /// Games that match.
    pub matched: u64,
    /// Positions that match.
    pub positions: u64,
    /// Games with variations, searched or not.
    pub with_variations: u64,
    /// Games that are not among those to which the search is narrowed.
    pub left_alone: u64,
    /// Games of a damaged database that were not searched.
    pub unreadable: u64,
    /// Why it ended.
    pub end: End,
    /// What the query sorts by, in the order of the values `sort` of each game.
    pub sort: Vec<SortKey>,
    /// The added columns, in the order of the values `values` of each match.
    pub columns: Vec<Column>,
    /// The first warnings about the games.
    pub warnings: Vec<WarningLine>,
    /// How many warnings there are.
    pub warning_count: u64,
}

/// Why a search ended.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// All games were looked at.
    All,
    /// So many games were found as were wanted.
    Limit,
    /// Its time was over.
    Time,
    /// Somebody asked for it.
    Interrupted,
}

/// What a query sorts by.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct SortKey {
    /// Its title.
    pub title: String,
    /// Whether the values are texts, otherwise numbers.
    pub text: bool,
    /// Whether the smallest value is the best.
    pub ascending: bool,
}

/// An added column.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds: `number`, `text` or `truth`.
    #[serde(rename = "type")]
    pub kind: &'static str,
}

/// Something about the games that could not be read as it stands.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct WarningLine {
    /// Of which kind it is, such as `wrong-move`.
    pub kind: WarningKind,
    /// The file.
    pub source: String,
    /// The line or row, from 1; 0 for the file as a whole.
    pub line: u64,
    /// The number of the game; 0 for text before the first one.
    pub game: u64,
    /// What is wrong and what is done about it.
    pub message: String,
}

/// A search that can begin.
pub struct Search {
    query: Query,
    options: Options,
    interrupt: Arc<Interrupt>,
}

impl Search {
    /// Compiles the query of a question. The time of the search runs from now on.
    ///
    /// # Errors
    /// When the question is none, or the query is none.
    pub fn new(question: &str, limits: &Limits) -> Result<Search, Error> {
        let question: Question = parse(question)?;
        let query = question.options.compile(question.query)?;
        let (options, interrupt) = question.options.of_search(limits)?;
        Ok(Search {
            query,
            options,
            interrupt,
        })
    }

    /// What ends the search early, from another thread.
    pub fn interrupt(&self) -> &Arc<Interrupt> {
        &self.interrupt
    }

    /// Searches and says what is found: each time one object of JSON, without a line end. `{"game": …}` has what the page of results knows of
    /// a game, and its PGN; `{"progress": …}` and `{"message": …}` come between; the last is `{"done": …}`. To hear no more, break; then
    /// `done` is not said.
    ///
    /// Games come in the order of the input; those of a query that sorts come at the end, the best first.
    ///
    /// # Errors
    /// When games cannot be read, the query asks for something that cannot be done, or a thread cannot be started. What was found before has
    /// been said.
    pub fn run(&self, games: Games, emit: &mut (dyn FnMut(&str) -> ControlFlow<()> + Send)) -> Result<(), Error> {
        let length = games.plain_length();
        let speaker = Mutex::new(Speaker {
            emit,
            interrupt: &self.interrupt,
            is_over: false,
        });
        let mut ear = Ear {
            speaker: &speaker,
            length,
            last: None,
            warnings: Vec::new(),
            warning_count: 0,
        };
        let mut lines = Lines {
            speaker: &speaker,
            rest: Vec::new(),
        };
        let totals = self
            .query
            .write_as(games, FormatName::Games, &self.options, &mut lines, &mut ear);
        let totals = totals.map_err(|error| refused(&String::from_utf8_lossy(self.query.text()), &error))?;
        let done = self.done(&totals, ear.warnings, ear.warning_count);
        locked(&speaker).say(&Event::Done(done));
        Ok(())
    }

    fn done(&self, totals: &Totals, warnings: Vec<WarningLine>, warning_count: u64) -> Done {
        let is_full = self.options.limit.is_some_and(|limit| totals.matches >= limit);
        let sort: Vec<_> = self.query.sort_keys().map(|key| SortKey::of(&key)).collect();
        let columns = self.query.columns().map(|(name, kind)| Column {
            name: name.to_owned(),
            kind: match kind {
                ColumnType::Number => "number",
                ColumnType::Text => "text",
                ColumnType::Truth => "truth",
            },
        });
        Done {
            games: totals.games,
            matched: totals.matches,
            positions: totals.positions,
            with_variations: totals.with_variations,
            left_alone: totals.left_alone,
            unreadable: totals.unreadable,
            end: match self.interrupt.cause().filter(|_| self.interrupt.was_heeded()) {
                Some(Cause::Deadline) => End::Time,
                Some(Cause::Raised) => End::Interrupted,
                None if is_full && sort.is_empty() => End::Limit,
                None => End::All,
            },
            sort,
            columns: columns.collect(),
            warnings,
            warning_count,
        }
    }
}

impl SortKey {
    fn of(key: &crate::SortKey) -> SortKey {
        SortKey {
            title: key.title().to_owned(),
            text: key.is_text(),
            ascending: key.is_ascending(),
        }
    }
}

/// Who says what is found.
struct Speaker<'e> {
    emit: &'e mut (dyn FnMut(&str) -> ControlFlow<()> + Send),
    interrupt: &'e Interrupt,
    /// Nobody wants to hear more.
    is_over: bool,
}

impl Speaker<'_> {
    fn say(&mut self, event: &Event<'_>) {
        if let Ok(line) = serde_json::to_string(event) {
            self.say_line(&line);
        }
    }

    fn say_line(&mut self, line: &str) {
        if !self.is_over && (self.emit)(line).is_break() {
            self.is_over = true;
            self.interrupt.raise();
        }
    }
}

/// Whatever panicked, the speaker has said whole lines.
fn locked<'s, 'e>(speaker: &'s Mutex<Speaker<'e>>) -> MutexGuard<'s, Speaker<'e>> {
    speaker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes lines of games.
struct Lines<'s, 'e> {
    speaker: &'s Mutex<Speaker<'e>>,
    /// A line that has not come to its end.
    rest: Vec<u8>,
}

impl Write for Lines<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut speaker = locked(self.speaker);
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(line) = part.strip_suffix(b"\n") else {
                self.rest.extend_from_slice(part);
                continue;
            };
            match self.rest.is_empty() {
                true => speaker.say_line(&String::from_utf8_lossy(line)),
                false => {
                    self.rest.extend_from_slice(line);
                    speaker.say_line(&String::from_utf8_lossy(&self.rest));
                    self.rest.clear();
                }
            }
            if speaker.is_over {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hears what a search says beside what it finds.
struct Ear<'s, 'e> {
    speaker: &'s Mutex<Speaker<'e>>,
    /// How many bytes there are to read.
    length: Option<u64>,
    /// When it was said how far the search has come.
    last: Option<Instant>,
    warnings: Vec<WarningLine>,
    warning_count: u64,
}

impl Ear<'_, '_> {
    fn tell(&self, lines: &[u8]) {
        if !lines.is_empty() {
            let text = String::from_utf8_lossy(lines);
            locked(self.speaker).say(&Event::Message(text.trim_end_matches('\n')));
        }
    }
}

impl Listener for Ear<'_, '_> {
    fn log(&mut self, games: &mut dyn Iterator<Item = (&[Warning], &[u8])>) {
        for (warnings, lines) in games {
            self.warning_count += warnings.len() as u64;
            let room = MOST_WARNINGS.saturating_sub(self.warnings.len());
            let told = warnings.iter().take(room).map(|warning| WarningLine {
                kind: warning.kind,
                source: warning.source.to_string(),
                line: warning.line,
                game: warning.game,
                message: warning.message.clone(),
            });
            self.warnings.extend(told);
            self.tell(lines);
        }
    }

    fn close(&mut self, lines: &[u8]) {
        self.tell(lines);
    }

    fn advance(&mut self, bytes: u64, games: u64, totals: Totals) {
        if self.last.is_some_and(|last| last.elapsed() < PACE) {
            return;
        }
        self.last = Some(Instant::now());
        let share = self.length.filter(|length| *length > 0);
        let progress = Progress {
            games,
            matched: totals.matches,
            positions: totals.positions,
            bytes,
            share: share.map(|length| (bytes as f64 / length as f64).min(1.0)),
        };
        locked(self.speaker).say(&Event::Progress(progress));
    }
}
