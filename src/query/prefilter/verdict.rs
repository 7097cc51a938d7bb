//! A body that columns can express as a whole, so that no position is evaluated one by one.

use super::condition::Prefilter;
use crate::query::columns::CondColumn;
use crate::query::shortcuts::Shortcuts;

/// An exact test of the whole body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    /// The whole body.
    pub condition: CondColumn,
    /// What is tested before: the prefilter without the tests that are parts of the body.
    pub before: Prefilter,
    /// The estimated number of instructions per position.
    pub work: u32,
    /// A necessary condition on stretches and its cost per stretch, if it may rule something out.
    pub cover: Option<(CondColumn, u32)>,
}

impl Verdict {
    /// Makes the test of a body with this prefilter.
    pub(crate) fn new(condition: CondColumn, prefilter: &Prefilter, shortcuts: Shortcuts) -> Verdict {
        let asks_stretches = shortcuts.contains(Shortcuts::STRETCHES);
        let cover = condition.of_stretch().filter(|_| asks_stretches);
        Verdict {
            before: prefilter.beside_what_holds(),
            work: condition.work(),
            cover: cover.map(|cover| (cover.clone(), cover.work())),
            condition,
        }
    }
}
