//! Forms that evaluate others: blocks and their like, loops, the copies that a transform makes.
//!
//! Each part uses only those before it: `flow`, `loops`, `transforms`.

pub(crate) mod flow;
pub(crate) mod loops;
pub(crate) mod transforms;
