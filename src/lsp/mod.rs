//! The language server: what an editor shows about a query while it is written.
//!
//! `conversation` answers messages and keeps the open documents, `transport` frames messages, and `server` joins both. A `Document` has the
//! text, its lines and its tokens. Variables and functions are [found in the tree](crate::query::declarations) of the text, so that this
//! works in texts that do not compile; `structure` folds and selects by the same tree. Each of the other modules makes one kind of answer.
//! The meaning of filters comes from [`crate::guide`].
//!
//! Each part uses only those before it: `paths`, `examples`, `document`, `themes`, `file_renames`, `code_lenses`, `cursor_context`, `example_help`, `hover`,
//! `word_forms`, `completion`, `diagnostics`, `formatting`, `links`, `navigation`, `quick_fixes`, `semantic_tokens`, `signatures`,
//! `structure`, `workspace`, `conversation`, `transport`, `server`.

mod code_lenses;
mod completion;
mod conversation;
mod cursor_context;
mod diagnostics;
mod document;
mod example_help;
mod examples;
mod file_renames;
mod formatting;
mod hover;
mod links;
mod navigation;
mod paths;
mod quick_fixes;
mod semantic_tokens;
mod server;
mod signatures;
mod structure;
mod themes;
mod transport;
mod word_forms;
mod workspace;

pub use conversation::{Conversation, Ended};
pub use lsp_server::Message;
pub(crate) use paths::PLAIN;
pub use server::serve;
pub(crate) use {
    diagnostics::{kind, place},
    document::{Document, Encoding, Problem},
    quick_fixes::allowance,
    transport::as_json,
};
