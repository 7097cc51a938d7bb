//! The resources that tools may use.

use crate::service::{Inputs, Limits};

/// The resources that tools may use: games, and the limits of a search.
pub(crate) struct ToolContext {
    /// The inputs that may be searched.
    pub(crate) inputs: Inputs,
    /// The limits of a search.
    pub(crate) limits: Limits,
}
