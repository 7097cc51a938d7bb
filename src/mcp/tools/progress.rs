//! Reports the progress of a pass over games.

use std::time::{Duration, Instant};

use super::super::call::{Call, Progress};
use crate::Games;
use crate::output::Totals;
use crate::search::Listener;

/// The time between two reports.
const PACE: Duration = Duration::from_millis(200);

/// Reports the progress of a pass over games to the client.
pub(super) struct ProgressListener<'c> {
    call: &'c Call,
    /// The number of bytes to read.
    length: Option<u64>,
    /// When progress was last reported.
    told: Option<Instant>,
}

impl<'c> ProgressListener<'c> {
    /// Creates it for a pass over these games.
    pub(super) fn new(call: &'c Call, games: &Games) -> ProgressListener<'c> {
        ProgressListener {
            call,
            length: games.plain_length().filter(|length| *length > 0),
            told: None,
        }
    }

    /// Reports how much has been read, and how many games match.
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
    fn advance(&mut self, bytes: u64, games: u64, totals: Totals) {
        self.tell(games, totals.matches, bytes);
    }
}
