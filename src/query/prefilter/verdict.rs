//! A body that columns can say as a whole, so that no position has to be tried.

use super::condition::Prefilter;
use crate::query::columns::{CondColumn, OfPawns};
use crate::query::shortcuts::Shortcuts;

/// What decides where a body matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    /// The whole body.
    pub condition: CondColumn,
    /// What is asked before: what the prefilter asks beside parts of the body as they stand.
    pub before: Prefilter,
    /// About how many instructions it takes for each position.
    pub work: u32,
    /// What can be asked of stretches before, if that may rule something out; and what it takes for each of them.
    pub cover: Option<(CondColumn, u32)>,
    /// What can be asked of pawn structures before.
    pub pawns: Option<OfPawns>,
}

impl Verdict {
    /// The verdict that a body is, of which this is the prefilter.
    pub(crate) fn new(condition: CondColumn, prefilter: &Prefilter, shortcuts: Shortcuts) -> Verdict {
        let has = |shortcut| shortcuts.contains(shortcut);
        let cover = condition.of_stretch().filter(|_| has(Shortcuts::STRETCHES));
        Verdict {
            before: prefilter.beside_what_holds(),
            work: condition.work(),
            cover: cover.map(|cover| (cover.clone(), cover.work())),
            pawns: OfPawns::of(&condition).filter(|_| has(Shortcuts::STRUCTURES)),
            condition,
        }
    }
}
