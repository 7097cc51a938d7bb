//! The values of the traced parts of a query at a position, in the order of evaluation.

use crate::chess::{Arrival, Position};
use crate::query::TraceId;

use crate::eval::report::MatchValue;

/// The most values that are noted.
const MOST_EVENTS: usize = 50_000;

/// The values of traced parts.
#[derive(Debug)]
pub(crate) struct Trace {
    /// Each event comes before those of the parts inside it.
    pub(crate) events: Vec<TraceEvent>,
    /// Whether some were not noted because there were too many.
    pub(crate) is_cut: bool,
    /// Whether filters are evaluated even after one before them has failed.
    asks_all: bool,
}

/// The value of a part.
#[derive(Debug)]
pub(crate) struct TraceEvent {
    pub(crate) part: TraceId,
    pub(crate) value: MatchValue,
    /// The index after the last event inside.
    pub(crate) end: usize,
    /// The id of the position where the part was evaluated; `None` for an imagined position.
    pub(crate) position: Option<u32>,
    /// The move that led to the position.
    pub(crate) arrival: Arrival,
}

impl Trace {
    /// Creates an empty trace.
    pub(super) fn new(asks_all: bool) -> Trace {
        Trace {
            events: Vec::new(),
            is_cut: false,
            asks_all,
        }
    }

    /// Returns whether to evaluate filters whose value is not needed.
    pub(super) fn asks_all(&self) -> bool {
        self.asks_all && !self.is_cut
    }

    /// Notes that a part is being evaluated. Returns the index of its event, if there is room for it.
    pub(super) fn begin(&mut self, part: TraceId, at: &Position, is_imagined: bool) -> Option<usize> {
        let place = self.events.len();
        if place == MOST_EVENTS {
            self.is_cut = true;
            return None;
        }
        self.events.push(TraceEvent {
            part,
            value: MatchValue::Unknown,
            end: place + 1,
            position: (!is_imagined).then_some(at.id),
            arrival: at.arrival,
        });
        Some(place)
    }

    /// Notes the value of a part.
    pub(super) fn end(&mut self, place: usize, value: MatchValue) {
        let end = self.events.len();
        if let Some(event) = self.events.get_mut(place) {
            event.value = value;
            event.end = end;
        }
    }
}
