//! The typed query: tokens become expressions with one enum per value type, so that an ill-typed query cannot exist.
//!
//! ```text
//!  tokens ──► parse (names, types, operators, functions) ──► ast ──► optimize, algebra, prefilter ──► Query
//!               └─ transform (copies of expressions)          └─ facts (what filters read and do)
//! ```
//!
//! Each part uses only those before it: `shortcuts`, `ast`, `transform`, `facts`, `algebra`, `prefilter`, `optimize`, `parse`, `compiled`, `obstacles`,
//! `tag_tests`, `explain`, `compile`, `instrument`, `lint`.

pub(crate) mod algebra;
pub(crate) mod ast;
mod compile;
mod compiled;
#[cfg(any(feature = "cli", feature = "service"))]
pub mod explain;
pub(crate) mod facts;
pub(crate) mod instrument;
pub mod lint;
mod obstacles;
pub(crate) mod optimize;
mod parse;
pub(crate) mod prefilter;
mod shortcuts;
pub(crate) mod tag_tests;
pub(crate) mod transform;

pub(crate) use ast::facts::Reads;
pub(crate) use ast::numbers::Fact;
pub(crate) use ast::sets::Line;
pub(crate) use ast::versions::{Group, Versions};
pub(crate) use ast::{
    Assignment, Bound, BoundName, ColumnId, Comparison, Cond, CondExpr, Dash, Filter, Find, Flow, Imagined, LegalDash,
    Lookahead, Loop, Move, Node, Num, NumExpr, Pos, PosExpr, PositionComparison, Range, Set, SetExpr, SortId, Str,
    StrExpr, TextItem, TraceId,
};
pub use ast::{CommentLevel, Header, SortKey, has_header, similar};
pub(crate) use ast::{NamedTheme, ThemeDigest};
pub use compile::{Analysis, analyze, compile};
pub use compiled::Query;
pub(crate) use facts::tags;
pub use obstacles::Obstacle;
pub(crate) use parse::typed;
pub use parse::{
    Annotations, HeaderOptions, MatchSides, NamedQuery, NotFound, Options, ThemeLookup, Vocabulary, compiles,
    declarations, hhdb_words, is_hhdb_award_word, is_hhdb_text_word, outline, prelude,
};
pub use shortcuts::Shortcuts;
pub use tag_tests::TagCondition;
