//! What tools may use.

use crate::service::{Inputs, Limits};

/// What tools may use: games that may be read, and the limits of a search.
pub(crate) struct Desk {
    /// What may be searched.
    pub(crate) inputs: Inputs,
    /// What a search may take.
    pub(crate) limits: Limits,
}
