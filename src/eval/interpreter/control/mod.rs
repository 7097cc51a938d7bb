//! Forms that evaluate others: blocks and similar forms, loops, and the copies made by a transform.
//!
//! Each part uses only those before it: `flow`, `loops`, `transforms`.

pub(crate) mod flow;
pub(crate) mod loops;
pub(crate) mod transforms;
