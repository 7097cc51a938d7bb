//! What can be told of a typed query without evaluating it. Nothing here changes a query.

pub(crate) mod assigned;
pub(crate) mod bindings;
pub(crate) mod context_free;
pub(crate) mod cost;
pub(crate) mod dependencies;
pub(crate) mod identities;
pub(crate) mod intervals;
pub(crate) mod purity;
pub(crate) mod tags;
