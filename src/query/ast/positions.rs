//! Filters whose value, if they have one, is a position of the game.

use crate::query::ast::node::{Flow, Num, Pos};
use crate::query::ast::paths::{Line, Path};
use crate::query::ast::variables::PosVar;
use crate::query::ast::{Find, PositionComparison};

/// A filter whose value, if it has one, is a position of the game.
#[derive(Clone, Debug)]
pub(crate) enum PosExpr {
    /// `currentposition`, `∙`
    Current,
    /// `parent`
    Parent,
    /// `child`, `child (n)`
    Child(Option<Num>),
    /// `position n`
    Numbered(Num),
    /// `initialposition`
    Initial,
    /// `lca (p q)`: the last common ancestor.
    CommonAncestor(Pos, Pos),
    /// `x`
    Variable(PosVar),
    /// `p < q` and the like: the left position if the comparison holds.
    Compare(PositionComparison, Pos, Pos),
    /// `find f`: the first position where f matches.
    Find(Box<Find>),
    /// `path lastposition …`
    Path(Box<Path>),
    /// `line lastposition …`
    Line(Box<Line>),
    /// `pathstart`
    PathStart,
    /// `pathlastposition`
    PathLast {
        /// Whether it is inside a path: then it is the last position of that path.
        inside: bool,
    },
    /// A form that passes the value of a part on.
    Flow(Flow<Pos>),
}
