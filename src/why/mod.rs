//! Why a query matches at a position, or why not; and which of its filters keep a search from finding anything.
//!
//! ```text
//!  query ──► instrument (query) ──► trace (eval) ──► tree ──► words ──► Why
//!    └──► changes: the text without a filter, or with another number or piece, is compiled and searched with
//!    └──► funnel: the text with more and more of its filters, for a search with all of them in one pass
//! ```
//!
//! The evaluation itself provides the value of a part: the parts of the query note their values while it runs. A search without a
//! filter shows its effect.
//!
//! Each part uses only those before it: `subject`, `answer`, `tree`, `words`, `edits`, `changes`, `sentences`, `position`, `funnel`, `text`.

mod answer;
mod changes;
mod edits;
mod funnel;
mod position;
mod sentences;
mod subject;
pub(crate) mod text;
mod tree;
mod words;

pub use answer::{Change, Nearest, Part, Place, Removal, Rounds, TransformCopy, Value, Why};
pub use funnel::{Counts, Funnel, FunnelReport, Step};
pub use position::{Error, at};
pub use subject::Subject;
