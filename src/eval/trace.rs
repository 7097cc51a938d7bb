//! What the traced parts of a query said at a position, in the order in which they were asked.

use crate::chess::{Arrival, Position};
use crate::query::TraceId;

use crate::eval::report::MatchValue;

/// How many answers of parts are noted at most.
const MOST_EVENTS: usize = 50_000;

/// The answers of traced parts.
#[derive(Debug)]
pub(crate) struct Trace {
    /// Each before those of the parts inside it.
    pub(crate) events: Vec<TraceEvent>,
    /// Some were not noted, as there were too many.
    pub(crate) is_cut: bool,
    /// What fails does not keep the filters after it from being asked, too.
    asks_all: bool,
}

/// An answer of a part.
#[derive(Debug)]
pub(crate) struct TraceEvent {
    /// The part.
    pub(crate) part: TraceId,
    /// What it said.
    pub(crate) value: MatchValue,
    /// One past the last answer inside.
    pub(crate) end: usize,
    /// The number of the position where it was asked; none of an imagined one.
    pub(crate) position: Option<u32>,
    /// The move that led there.
    pub(crate) arrival: Arrival,
}

impl Trace {
    /// No answers yet.
    pub(super) fn new(asks_all: bool) -> Trace {
        Trace {
            events: Vec::new(),
            is_cut: false,
            asks_all,
        }
    }

    /// Whether filters are asked that need not be.
    pub(super) fn asks_all(&self) -> bool {
        self.asks_all && !self.is_cut
    }

    /// Notes that a part is asked. Returns the place of its answer, if there is room for it.
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

    /// Notes the answer.
    pub(super) fn end(&mut self, place: usize, value: MatchValue) {
        let end = self.events.len();
        if let Some(event) = self.events.get_mut(place) {
            event.value = value;
            event.end = end;
        }
    }
}
