//! `skewer stats`: counts what queries find, by groups.
//!
//! Each part uses only those before it: `arguments`, `queries`, `run`.

mod arguments;
mod queries;
mod run;

pub(super) use arguments::Arguments;
pub(super) use run::execute;
