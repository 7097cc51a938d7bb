//! Questions about the facts of a query, and analyses of a query as a whole. Nothing here changes a query.
//!
//! Each part uses only those before it: `intervals`, `context_free`, `bindings`, `tags`, `purity`,
//! `dependencies`.

pub(crate) mod bindings;
pub(crate) mod context_free;
pub(crate) mod dependencies;
pub(crate) mod intervals;
pub(crate) mod purity;
pub(crate) mod tags;
