//! A verdict: the whole body as a condition of the board algebra, so that positions need not be evaluated one by one.

use super::condition::{BoardTest, Prefilter};
use crate::query::algebra::BoardCond;

/// An exact test of the whole body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    /// The whole body.
    pub body: BoardTest,
    /// The test before it: the prefilter without the tests that are parts of the body.
    pub before: Prefilter,
}

impl Verdict {
    /// Creates the test of a body with this prefilter.
    pub(crate) fn new(condition: BoardCond, prefilter: &Prefilter) -> Verdict {
        Verdict {
            body: BoardTest::new(condition, None),
            before: prefilter.beside_what_holds(),
        }
    }
}
