//! Bodies that say nothing but what is asked of many positions at once, so that none of them has to be tried.

use shakmaty::Color;

use crate::board::columns::Parts;
use crate::query::columns::CondColumn;
use crate::query::node::Flow;
use crate::query::{Cond, CondExpr};

/// All of a body: where the prefilter lets a position pass and this holds there, the body matches, and does nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    /// The side that has to be to move, if there is one.
    pub to_move: Option<Color>,
    /// What has to hold of the pieces.
    pub condition: CondColumn,
}

impl Verdict {
    /// What a body says, if that is all.
    pub(crate) fn of(body: &Cond) -> Option<Verdict> {
        let (mut to_move, mut conditions) = (None, Vec::new());
        read(body, &mut to_move, &mut conditions)?;
        Some(Verdict {
            to_move,
            condition: CondColumn::All(conditions),
        })
    }

    /// What has to be known of the boards.
    pub(crate) fn parts(&self) -> Parts {
        self.condition.parts()
    }
}

fn read(condition: &Cond, to_move: &mut Option<Color>, conditions: &mut Vec<CondColumn>) -> Option<()> {
    match &condition.kind {
        CondExpr::Flow(Flow::Block { tests, value }) => {
            let mut filters = tests.iter().chain([value]);
            filters.try_for_each(|filter| read(filter, to_move, conditions))
        }
        CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => read(value, to_move, conditions),
        CondExpr::And(left, right) => {
            read(left, to_move, conditions)?;
            read(right, to_move, conditions)
        }
        CondExpr::ToMove(color) => match to_move.replace(*color) {
            Some(other) if other != *color => None,
            _ => Some(()),
        },
        other => {
            conditions.push(CondColumn::of(other)?);
            Some(())
        }
    }
}
