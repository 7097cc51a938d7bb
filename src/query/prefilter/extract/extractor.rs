//! The state of an extraction.

use std::cell::OnceCell;

use crate::query::algebra::{BoardSet, Pieces};
use crate::query::ast::Set;
use crate::query::ast::variables::Variable;
use crate::query::facts::purity::Purity;
use crate::query::prefilter::condition::{Prefilter, all};

/// What must hold at a position where a part of a query matches; `None` if the part is not known to be pure.
pub(super) type Requirement = Option<Prefilter>;

/// Extracts what must hold where expressions match.
#[derive(Clone, Copy)]
pub(super) struct Extractor<'q, 'i> {
    /// Which parts are pure.
    pub(super) purity: Purity<'q>,
    /// The innermost enclosing loop or block.
    pub(super) inside: Option<&'i Enclosing<'q, 'i>>,
    /// The number of enclosing blocks that introduce an alias.
    pub(super) names: u32,
}

/// A loop around the current part, whose variable holds squares of its set, or a block that introduces an alias.
pub(super) struct Enclosing<'q, 'i> {
    pub(super) variable: Variable,
    pub(super) set: &'q Set,
    /// The pieces that may be on the squares of the set. Computed on demand.
    pub(super) cover: OnceCell<Option<Pieces>>,
    /// A set that contains these squares. Computed on demand.
    pub(super) squares: OnceCell<Option<BoardSet>>,
    /// The next enclosing loop or block.
    pub(super) around: Option<&'i Enclosing<'q, 'i>>,
}

pub(super) fn both(left: Requirement, right: Requirement) -> Requirement {
    Some(all(vec![left?, right?]))
}

/// Returns a prefilter that holds here if `prefilter` holds at the next position.
pub(super) fn next(prefilter: Prefilter) -> Prefilter {
    match prefilter {
        Prefilter::Open => Prefilter::Open,
        prefilter => Prefilter::Ahead(1, Box::new(prefilter)),
    }
}

/// Drops what is known, if nothing follows from it.
pub(super) fn nothing(_: Prefilter) -> Prefilter {
    Prefilter::Open
}
