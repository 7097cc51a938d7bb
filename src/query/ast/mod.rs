//! The typed query as a tree: one enum for each type of value, and the types that its expressions consist of.
//!
//! Expressions contain each other, so the files of this room may name each other. They know no other room of `query`.

pub(crate) mod assignments;
pub(crate) mod comparison;
pub(crate) mod conditions;
pub(crate) mod dictionaries;
pub(crate) mod echo;
pub(crate) mod facts;
pub(crate) mod find;
pub(crate) mod header;
pub(crate) mod hhdb;
pub(crate) mod loops;
pub(crate) mod moves;
pub(crate) mod node;
pub(crate) mod numbers;
pub(crate) mod paths;
pub(crate) mod positions;
pub(crate) mod program;
pub(crate) mod range;
pub(crate) mod sets;
pub mod similar;
pub(crate) mod sort;
pub(crate) mod strings;
pub(crate) mod text_items;
pub(crate) mod themes;
pub(crate) mod variables;
pub(crate) mod versions;
pub(crate) mod visit;

pub(crate) use assignments::Assignment;
pub(crate) use comparison::{Comparison, PositionComparison};
pub(crate) use conditions::{CondExpr, required};
pub(crate) use find::{Find, Lookup};
pub use header::{CommentLevel, Header, has_header};
pub(crate) use loops::Loop;
pub(crate) use moves::{Dash, Imagined, LegalDash, Lookahead, Move};
pub(crate) use node::{Cond, Filter, Flow, Node, Num, Pos, Set, Str, TraceId, Type};
pub(crate) use numbers::NumExpr;
pub(crate) use positions::PosExpr;
pub(crate) use range::{Bound, Range};
pub(crate) use sets::SetExpr;
pub use sort::SortKey;
pub(crate) use sort::{ColumnId, SortId};
pub(crate) use strings::StrExpr;
pub(crate) use text_items::TextItem;
pub(crate) use themes::{NamedTheme, ThemeDigest};
pub(crate) use variables::BoundName;
