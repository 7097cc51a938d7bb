//! What evaluating a filter does besides giving a value.

use super::facts::Effects;

/// What evaluating a filter does beside giving a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effect {
    /// Nothing: how often it is evaluated cannot be told.
    None,
    /// It writes comments; nothing where nobody asks for them.
    Comments,
    /// It gives variables values and reads them.
    Assigns,
    /// More than that: it changes something, may end the run, or reads what changes while a game is evaluated.
    Any,
}

impl Effect {
    /// Whether it does not matter how often the filter is evaluated, unless comments are wanted.
    pub(crate) fn may_be_repeated(self) -> bool {
        matches!(self, Effect::None | Effect::Comments)
    }

    /// Returns the least of these that covers all of some effects.
    pub(crate) fn of(effects: Effects) -> Effect {
        if effects.is_empty() {
            Effect::None
        } else if effects == Effects::COMMENT {
            Effect::Comments
        } else if (Effects::ASSIGN | Effects::UNBOUND).contains(effects) {
            Effect::Assigns
        } else {
            Effect::Any
        }
    }
}
