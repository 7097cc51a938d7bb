//! Damage of a game.

/// Why a game cannot be read, or not to its end.
#[derive(Debug)]
pub(crate) struct Damage(pub(crate) String);
