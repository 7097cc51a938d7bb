//! Limits for clients.

use std::time::Duration;

use crate::service;

/// The largest size of the head of a request, in bytes.
pub(super) const HEAD_BYTES: usize = 16 << 10;

/// The largest number of header fields.
pub(super) const HEAD_FIELDS: usize = 64;

/// The largest size of a body, which is a query or a game to ask about, in bytes.
pub(super) const BODY_BYTES: usize = 1 << 20;

/// The largest number of connections. A browser has six.
pub(super) const CONNECTIONS: usize = 64;

/// The largest number of searches at the same time.
pub(super) const SEARCHES: usize = 4;

/// The largest number of questions answered at the same time, besides searches.
pub(super) const QUESTIONS: usize = 4;

/// The largest number of pages that are remembered.
pub(super) const PAGES: usize = 32;

/// Limits that are chosen when the server is started.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time for the head of a request, and then for its body. Also the time that a question waits for its turn.
    pub request_time: Duration,
    /// The time for which a client may read nothing of an answer.
    pub answer_time: Duration,
    /// The limits of a search.
    pub search: service::Limits,
}
