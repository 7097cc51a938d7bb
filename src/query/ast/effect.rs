//! The effects of filters, in classes.

use super::facts::Effects;

/// A class of effects that evaluating a filter has besides giving a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effect {
    /// None: nobody can tell how often it is evaluated.
    None,
    /// It writes comments, which is no effect if comments are not wanted.
    Comments,
    /// It assigns and reads variables.
    Assigns,
    /// Anything else: it changes something, may end the run, or reads what changes while a game is evaluated.
    Any,
}

impl Effect {
    /// Returns whether the filter may be evaluated any number of times, provided that comments are not wanted.
    pub(crate) fn may_be_repeated(self) -> bool {
        matches!(self, Effect::None | Effect::Comments)
    }

    /// Returns the smallest class that covers all of `effects`.
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
