//! The language server: what an editor shows about a query while it is written.
//!
//! `transport` frames messages, `server` answers them and keeps the open documents. A `Document` has the
//! text, its lines and its tokens; its variables and functions are [found in the tree](crate::query::declarations) of the text, so that it
//! works in texts that do not compile; `structure` folds and selects by it. The other modules each make one kind of answer. What filters mean comes from [`crate::guide`].
//!
//! Each part uses only those before it: `paths`, `examples`, `document`, `colours`, `example_help`, `hover`, `place`, `words`,
//! `completion`, `diagnostics`, `formatting`, `lenses`, `links`, `navigation`, `quick_fixes`, `signatures`, `structure`, `transport`,
//! `workspace`, `server`.

mod colours;
mod completion;
mod diagnostics;
mod document;
mod example_help;
mod examples;
mod formatting;
mod hover;
mod lenses;
mod links;
mod navigation;
mod paths;
mod place;
mod quick_fixes;
mod server;
mod signatures;
mod structure;
mod transport;
mod words;
mod workspace;

pub use server::{Ended, serve};
