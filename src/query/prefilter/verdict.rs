//! A body that the board algebra can express as a whole, so that no position is evaluated one by one.

use super::condition::{BoardTest, Prefilter};
use crate::query::algebra::BoardCond;

/// An exact test of the whole body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    /// The whole body.
    pub body: BoardTest,
    /// What is tested before: the prefilter without the tests that are parts of the body.
    pub before: Prefilter,
}

impl Verdict {
    /// Makes the test of a body with this prefilter.
    pub(crate) fn new(condition: BoardCond, prefilter: &Prefilter) -> Verdict {
        Verdict {
            body: BoardTest::new(condition, None),
            before: prefilter.beside_what_holds(),
        }
    }
}
