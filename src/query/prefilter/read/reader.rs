//! Who reads off expressions what must hold where they match, and what it gives back.

use std::cell::OnceCell;

use crate::query::ast::Set;
use crate::query::ast::variables::Variable;
use crate::query::columns::SetColumn;
use crate::query::facts::purity::Silence;
use crate::query::prefilter::condition::{Pieces, Prefilter, all};

/// What pieces of a query say of the position; nothing for those that are not known to be without effects.
pub(super) type Known = Option<Prefilter>;

/// Reads off expressions what holds where they match.
#[derive(Clone, Copy)]
pub(super) struct Reader<'q, 'i> {
    /// What is without effects.
    pub(super) silence: Silence<'q>,
    /// What has given a variable its value.
    pub(super) inside: Option<&'i Inside<'q, 'i>>,
    /// How many of those around are names.
    pub(super) names: u32,
}

/// A loop that is being read, the variable of which stands for some of its squares or all of them, or a block in which it names a set.
pub(super) struct Inside<'q, 'i> {
    pub(super) variable: Variable,
    pub(super) set: &'q Set,
    /// On which pieces the squares of the set are, when somebody has asked.
    pub(super) cover: OnceCell<Option<Pieces>>,
    /// What contains them.
    pub(super) squares: OnceCell<Option<SetColumn>>,
    /// The loop or block around it.
    pub(super) around: Option<&'i Inside<'q, 'i>>,
}

pub(super) fn both(left: Known, right: Known) -> Known {
    Some(all(vec![left?, right?]))
}

/// What holds here if something holds at another position.
pub(super) fn elsewhere(prefilter: Prefilter) -> Prefilter {
    match prefilter {
        Prefilter::Open => Prefilter::Open,
        prefilter => Prefilter::Elsewhere(Box::new(prefilter)),
    }
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
