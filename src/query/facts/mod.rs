//! What can be told of a typed query without evaluating it. Nothing here changes a query.
//!
//! Each part uses only those before it: `cost`, `identities`, `intervals`, `context_free`, `bindings`, `assigned`, `tags`, `purity`,
//! `dependencies`.

pub(crate) mod assigned;
pub(crate) mod bindings;
pub(crate) mod context_free;
pub(crate) mod cost;
pub(crate) mod dependencies;
pub(crate) mod identities;
pub(crate) mod intervals;
pub(crate) mod purity;
pub(crate) mod tags;
