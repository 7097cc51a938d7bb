//! What an evaluation keeps while it goes through a game. Nothing here knows the evaluation.

pub(crate) mod comments;
pub(crate) mod memo;
