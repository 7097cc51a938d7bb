//! The state of an extraction.

use std::cell::OnceCell;

use crate::query::algebra::{BoardSet, Pieces};
use crate::query::ast::Set;
use crate::query::ast::variables::Variable;
use crate::query::facts::purity::Purity;
use crate::query::prefilter::condition::{Prefilter, all};

/// What a part of a query requires of the position; `None` if the part is not known to be pure.
pub(super) type Requirement = Option<Prefilter>;

/// Extracts from expressions what holds where they match.
#[derive(Clone, Copy)]
pub(super) struct Extractor<'q, 'i> {
    /// Which parts are pure.
    pub(super) purity: Purity<'q>,
    /// The innermost loop or block around.
    pub(super) inside: Option<&'i Enclosing<'q, 'i>>,
    /// How many of the blocks around introduce an alias.
    pub(super) names: u32,
}

/// A loop around the current part, whose variable stands for some or all squares of its set, or a block that introduces an alias.
pub(super) struct Enclosing<'q, 'i> {
    pub(super) variable: Variable,
    pub(super) set: &'q Set,
    /// On which pieces the squares of the set are. Computed on demand.
    pub(super) cover: OnceCell<Option<Pieces>>,
    /// A set that contains them. Computed on demand.
    pub(super) squares: OnceCell<Option<BoardSet>>,
    /// The loop or block around it.
    pub(super) around: Option<&'i Enclosing<'q, 'i>>,
}

pub(super) fn both(left: Requirement, right: Requirement) -> Requirement {
    Some(all(vec![left?, right?]))
}

/// What holds here if something holds at the next position.
pub(super) fn next(prefilter: Prefilter) -> Prefilter {
    match prefilter {
        Prefilter::Open => Prefilter::Open,
        prefilter => Prefilter::Ahead(1, Box::new(prefilter)),
    }
}

/// Leaves out what is known, where nothing follows from it.
pub(super) fn nothing(_: Prefilter) -> Prefilter {
    Prefilter::Open
}
