//! The language server: what an editor shows about a query while it is written.
//!
//! `transport` frames messages, `server` answers them and keeps the open documents. A `Document` has the
//! text, its lines and its tokens; `names` finds the variables and functions in the tree of the text, so that it works in texts
//! that do not compile; `structure` folds and selects by it. The other modules each make one kind of answer. What filters mean comes from [`crate::guide`].

mod completion;
mod diagnostics;
mod document;
mod formatting;
mod hover;
mod names;
mod navigation;
mod quick_fixes;
mod server;
mod structure;
mod transport;

pub use server::{Ended, serve};
