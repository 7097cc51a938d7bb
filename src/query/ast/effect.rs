//! What evaluating a filter does besides giving a value.

/// What evaluating a filter does beside giving a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effect {
    /// Nothing: how often it is evaluated cannot be told.
    None,
    /// It writes comments; nothing where nobody asks for them.
    Comments,
    /// It gives variables values and reads them. Only of loops this is told from more.
    Assigns,
    /// More than that: it changes something, may end the run, or reads what changes while a game is evaluated.
    Any,
}
