//! What can be told of a typed query without evaluating it. Nothing here changes a query.

pub(crate) mod bindings;
pub(crate) mod context_free;
pub(crate) mod cost;
pub(crate) mod intervals;
#[cfg(feature = "database")]
pub(crate) mod obstacles;
pub(crate) mod purity;
pub(crate) mod tags;
