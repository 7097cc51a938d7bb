//! Queries as the command line names them: files, folders, names of the library, texts.
//!
//! Each part uses only those before it: `files`, `text`, `compiled`, `names`.

pub(super) mod compiled;
pub(super) mod files;
pub(super) mod names;
pub(super) mod text;
