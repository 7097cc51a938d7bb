//! Filters on endgame tablebases.

use crate::syntax::Diagnostic;
use crate::tablebase::{MOST_MEN, Metric};

use super::builder::{Builder, Built};
use crate::query::ast::NumExpr;
use crate::query::ast::node::Filter;

impl Builder {
    /// Reads `tablebase`, which matches if the tables say who wins. The word is read.
    pub(super) fn in_tablebase(&mut self, first: usize) -> Built {
        let number = self.endgame(Metric::Wdl, first)?;
        Ok(Filter::Condition(self.condition(number)?))
    }

    /// Reads `wdl`, `dtz`. The word is read. Tables are opened now: their number of men is a part of the filter, and unusable tables are an
    /// error before any game is read.
    pub(super) fn endgame(&mut self, metric: Metric, first: usize) -> Built {
        let word = self.cursor.tokens[first].span;
        let most_men = match &self.tablebase {
            None => MOST_MEN,
            Some(tablebase) => tablebase
                .most_men()
                .map_err(|unreadable| Diagnostic::new(word, unreadable.to_string()).label("asked for here"))?,
        };
        let kind = NumExpr::Endgame { metric, most_men };
        self.complete(kind, first)
    }
}
