//! Forms that evaluate others: blocks and their like, loops, the copies that a transform makes.

pub(super) mod flow;
pub(super) mod loops;
pub(super) mod transforms;
