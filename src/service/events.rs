//! What a search says while it runs: a line of JSON for each event.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;

use crate::game::{Warning, WarningKind};
use crate::limits::{Cause, Instant, Interrupt};
use crate::output::Totals;
use crate::search::Listener;

/// This many warnings are told; all are counted.
const MOST_WARNINGS: usize = 100;

/// How often it is said how far a search has come.
const PACE: Duration = Duration::from_millis(50);

/// Something that a search says. Events come one a line: `{"progress": {…}}`.
#[derive(Serialize, Clone, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum Event<'e, D, B = ()> {
    /// It begins. Nothing comes before it.
    Begin(B),
    /// How far it has come.
    Progress(Progress),
    /// What the query prints with `message`.
    Message(&'e str),
    /// It has ended. Nothing comes after it.
    Done(D),
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

/// Why a search ended.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// All games were looked at.
    All,
    /// So many games were found as were wanted.
    Limit,
    /// Its time was up.
    Time,
    /// Someone asked for it.
    Interrupted,
}

impl End {
    /// Why a search ended, if someone or its time has ended it.
    pub(super) fn of(interrupt: &Interrupt) -> Option<End> {
        let cause = interrupt.cause().filter(|_| interrupt.was_acknowledged())?;
        Some(match cause {
            Cause::Deadline => End::Time,
            Cause::Raised => End::Interrupted,
        })
    }
}

/// What was wrong with the games.
#[derive(Serialize, Clone, PartialEq, Eq, Default, Debug)]
pub struct Warnings {
    /// The first warnings.
    pub warnings: Vec<WarningLine>,
    /// How many there are.
    pub warning_count: u64,
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

/// Who says what is found.
pub(super) struct Speaker<'e> {
    emit: &'e mut (dyn FnMut(&str) -> ControlFlow<()> + Send),
    interrupt: &'e Interrupt,
    /// Nobody wants to hear more.
    is_over: bool,
}

impl<'e> Speaker<'e> {
    pub(super) fn new(
        emit: &'e mut (dyn FnMut(&str) -> ControlFlow<()> + Send),
        interrupt: &'e Interrupt,
    ) -> Mutex<Speaker<'e>> {
        Mutex::new(Speaker {
            emit,
            interrupt,
            is_over: false,
        })
    }

    pub(super) fn say<D: Serialize, B: Serialize>(&mut self, event: &Event<'_, D, B>) {
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
pub(super) fn locked<'s, 'e>(speaker: &'s Mutex<Speaker<'e>>) -> MutexGuard<'s, Speaker<'e>> {
    speaker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes lines of games.
pub(super) struct Lines<'s, 'e> {
    speaker: &'s Mutex<Speaker<'e>>,
    /// A line that has not come to its end.
    rest: Vec<u8>,
}

impl<'s, 'e> Lines<'s, 'e> {
    pub(super) fn new(speaker: &'s Mutex<Speaker<'e>>) -> Lines<'s, 'e> {
        Lines {
            speaker,
            rest: Vec::new(),
        }
    }
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
pub(super) struct Ear<'s, 'e> {
    speaker: &'s Mutex<Speaker<'e>>,
    /// How many bytes there are to read.
    length: Option<u64>,
    /// When it was said how far the search has come.
    last: Option<Instant>,
    /// What the query prints is left out.
    is_deaf: bool,
    warnings: Warnings,
}

impl<'s, 'e> Ear<'s, 'e> {
    /// Of games that have this many bytes.
    pub(super) fn new(speaker: &'s Mutex<Speaker<'e>>, length: Option<u64>) -> Ear<'s, 'e> {
        Ear {
            speaker,
            length,
            last: None,
            is_deaf: false,
            warnings: Warnings::default(),
        }
    }

    /// What the query prints is left out.
    pub(super) fn without_messages(self) -> Ear<'s, 'e> {
        Ear { is_deaf: true, ..self }
    }

    /// What was wrong with the games.
    pub(super) fn into_warnings(self) -> Warnings {
        self.warnings
    }

    fn tell(&self, lines: &[u8]) {
        if !lines.is_empty() && !self.is_deaf {
            let text = String::from_utf8_lossy(lines);
            locked(self.speaker).say(&Event::<(), ()>::Message(text.trim_end_matches('\n')));
        }
    }
}

impl Listener for Ear<'_, '_> {
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
        locked(self.speaker).say(&Event::<(), ()>::Progress(progress));
    }
}
