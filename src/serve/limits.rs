//! What a client may take.

use std::time::Duration;

use crate::service;

/// How large the head of a request may be, in bytes.
pub(super) const HEAD_BYTES: usize = 16 << 10;

/// How many fields it may have.
pub(super) const HEAD_FIELDS: usize = 64;

/// How large the body may be: a query, or a game to ask about.
pub(super) const BODY_BYTES: usize = 1 << 20;

/// How many connections there are at once. A browser has six.
pub(super) const CONNECTIONS: usize = 64;

/// How many searches there are at once.
pub(super) const SEARCHES: usize = 4;

/// How many questions are worked on at once, beside searches.
pub(super) const QUESTIONS: usize = 4;

/// How many pages are remembered.
pub(super) const PAGES: usize = 32;

/// What whoever starts the server decides.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long the head of a request may take, and then its body; also how long a question waits for its turn.
    pub request_time: Duration,
    /// How long a client may read nothing of an answer.
    pub answer_time: Duration,
    /// What a search may take.
    pub search: service::Limits,
}
