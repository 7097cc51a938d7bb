//! The events of a running search, a line of JSON each.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use serde::Serialize;

use crate::game::{Warning, WarningKind};
use crate::limits::{Cause, Instant, Interrupt, locked};
use crate::output::Totals;
use crate::search::Listener;

/// The number of warnings that are reported. All are counted.
const MOST_WARNINGS: usize = 100;

/// The time between two reports of progress.
const PACE: Duration = Duration::from_millis(50);

/// The progress of a search.
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
    /// The share of the input that has been read, from 0 to 1, if its length is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// The reason why a search ended.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// All games were looked at.
    All,
    /// The wanted number of games was found.
    Limit,
    /// Its time was up.
    Time,
    /// It was interrupted.
    Interrupted,
}

impl End {
    /// Returns why a search ended, if it was interrupted or its time was up.
    pub(super) fn of(interrupt: &Interrupt) -> Option<End> {
        let cause = interrupt.cause().filter(|_| interrupt.was_acknowledged())?;
        Some(match cause {
            Cause::Deadline => End::Time,
            Cause::Raised => End::Interrupted,
        })
    }
}

/// Warnings about the games.
#[derive(Serialize, Clone, PartialEq, Eq, Default, Debug)]
pub struct Warnings {
    /// The first warnings.
    pub warnings: Vec<WarningLine>,
    /// The number of all warnings.
    pub warning_count: u64,
}

/// A warning about games that could not be read literally.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct WarningLine {
    /// Its kind, such as `wrong-move`.
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

/// Takes events, and says whether more of them are wanted.
pub type Emit<'e> = dyn FnMut(&str) -> ControlFlow<()> + Send + 'e;

/// Emits the lines of a search.
pub(super) struct EventSender<'e> {
    emit: &'e mut Emit<'e>,
    interrupt: &'e Interrupt,
    /// Whether the receiver wants no more lines.
    is_over: bool,
}

impl<'e> EventSender<'e> {
    pub(super) fn new(emit: &'e mut Emit<'e>, interrupt: &'e Interrupt) -> Mutex<EventSender<'e>> {
        Mutex::new(EventSender {
            emit,
            interrupt,
            is_over: false,
        })
    }

    /// Emits an event with its name. `begin` is the first of a search, `done` the last; `progress` and `message`, which is text that the query
    /// prints, come between them.
    pub(super) fn say(&mut self, name: &str, content: &(impl Serialize + ?Sized)) {
        if let Ok(line) = serde_json::to_string(&BTreeMap::from([(name, content)])) {
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

/// Splits the text of games into lines, and emits them.
pub(super) struct Lines<'s, 'e> {
    events: &'s Mutex<EventSender<'e>>,
    /// The beginning of a line that is not complete yet.
    rest: Vec<u8>,
}

impl<'s, 'e> Lines<'s, 'e> {
    pub(super) fn new(events: &'s Mutex<EventSender<'e>>) -> Lines<'s, 'e> {
        Lines {
            events,
            rest: Vec::new(),
        }
    }
}

impl Write for Lines<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut events = locked(self.events);
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(line) = part.strip_suffix(b"\n") else {
                self.rest.extend_from_slice(part);
                continue;
            };
            match self.rest.is_empty() {
                true => events.say_line(&String::from_utf8_lossy(line)),
                false => {
                    self.rest.extend_from_slice(line);
                    events.say_line(&String::from_utf8_lossy(&self.rest));
                    self.rest.clear();
                }
            }
            if events.is_over {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Receives everything from a search except its results.
pub(super) struct RunListener<'s, 'e> {
    events: &'s Mutex<EventSender<'e>>,
    /// The number of bytes to read.
    length: Option<u64>,
    /// When progress was last reported.
    last: Option<Instant>,
    /// Whether to leave out what the query prints.
    is_deaf: bool,
    warnings: Warnings,
}

impl<'s, 'e> RunListener<'s, 'e> {
    /// Creates it for games of this many bytes.
    pub(super) fn new(events: &'s Mutex<EventSender<'e>>, length: Option<u64>) -> RunListener<'s, 'e> {
        RunListener {
            events,
            length,
            last: None,
            is_deaf: false,
            warnings: Warnings::default(),
        }
    }

    /// Leaves out what the query prints.
    pub(super) fn without_messages(self) -> RunListener<'s, 'e> {
        RunListener { is_deaf: true, ..self }
    }

    /// Returns the warnings about the games.
    pub(super) fn into_warnings(self) -> Warnings {
        self.warnings
    }

    fn tell(&self, lines: &[u8]) {
        if !lines.is_empty() && !self.is_deaf {
            let text = String::from_utf8_lossy(lines);
            locked(self.events).say("message", text.trim_end_matches('\n'));
        }
    }
}

impl Listener for RunListener<'_, '_> {
    fn log(&mut self, games: &mut dyn Iterator<Item = (&[Warning], &[u8])>) {
        for (warnings, lines) in games {
            self.warnings.warning_count += warnings.len() as u64;
            let room = MOST_WARNINGS.saturating_sub(self.warnings.warnings.len());
            let told = warnings.iter().take(room).map(|warning| WarningLine {
                kind: warning.kind,
                source: warning.source.to_string(),
                line: warning.line,
                game: warning.game,
                message: warning.message.clone(),
            });
            self.warnings.warnings.extend(told);
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
        locked(self.events).say("progress", &progress);
    }
}
