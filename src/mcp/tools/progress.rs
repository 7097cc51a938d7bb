//! How far a pass over games has come.

use std::time::{Duration, Instant};

use super::super::call::{Call, Progress};
use crate::Games;
use crate::game::Warning;
use crate::output::Totals;
use crate::search::Listener;

/// How often it is said.
const PACE: Duration = Duration::from_millis(200);

/// Tells who asks how far a pass over games has come.
pub(super) struct ProgressListener<'c> {
    call: &'c Call,
    /// How many bytes there are to read.
    length: Option<u64>,
    /// When it was last told.
    told: Option<Instant>,
}

impl<'c> ProgressListener<'c> {
    /// For a pass over these games.
    pub(super) fn new(call: &'c Call, games: &Games) -> ProgressListener<'c> {
        ProgressListener {
            call,
            length: games.plain_length().filter(|length| *length > 0),
            told: None,
        }
    }

    /// So much has been read, and this many games match.
    pub(super) fn tell(&mut self, games: u64, matched: u64, bytes: u64) {
        if self.told.is_none_or(|told| told.elapsed() >= PACE) {
            self.told = Some(Instant::now());
            self.call.advance(Progress {
                games,
                matched,
                share: self.length.map(|length| (bytes as f64 / length as f64).min(1.0)),
            });
        }
    }
}

impl Listener for ProgressListener<'_> {
    fn log(&mut self, _games: &mut dyn Iterator<Item = (&[Warning], &[u8])>) {}

    fn close(&mut self, _lines: &[u8]) {}

    fn advance(&mut self, bytes: u64, games: u64, totals: Totals) {
        self.tell(games, totals.matches, bytes);
    }
}
