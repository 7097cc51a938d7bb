//! A compiled query: its filters, and all decisions about them that are made before any game is read.

use std::mem;
use std::sync::Arc;

use crate::board::columns::Parts;
use crate::syntax::Diagnostic;
use crate::syntax::token::Span;
use crate::tablebase::Tablebase;

use super::ast::dictionaries::Dictionary;
use super::ast::facts::{Facts, Reads, first_part};
use super::ast::node::node;
use super::ast::similar::Similar;
use super::ast::variables::{BoundName, PersistentVariable, VariableCounts};
use super::ast::visit::Child;
use super::ast::{Cond, CondExpr, Header, SortKey, Type};
use super::facts::bindings::Bindings;
use super::facts::tags::TagUse;
use super::optimize::memoize::MemoCounts;
use super::parse::Annotations;
use super::prefilter::{GamePrefilter, Prefilter, Verdict};
use super::shortcuts::Shortcuts;

/// A query, checked and ready to be evaluated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Query {
    /// The parameters in `cql( … )`.
    pub header: Header,
    /// Filters that a game must pass to match at all, evaluated before its moves are read.
    pub(crate) narrowing: Vec<Cond>,
    /// Whether only the first matching position of a game counts.
    pub(crate) first_of_game: bool,
    /// Filters that have the same value at all positions of a game. They are evaluated before its moves are read; if one fails, no position
    /// of the game matches.
    pub(crate) selection: Vec<Cond>,
    /// The filters of the body as one condition.
    pub(crate) body: Cond,
    /// A condition that a position must meet for the body to be tried there.
    pub(crate) prefilter: Prefilter,
    /// A condition that a game must meet for the body to match, or to do anything but fail, at any of its positions.
    pub(crate) game_prefilter: GamePrefilter,
    /// The themes that must hold in the game for that.
    pub(crate) themes: GamePrefilter,
    /// The whole body as a condition on boards, if it has that form: it is evaluated at many positions at once, and the body is never
    /// tried.
    pub(crate) verdict: Option<Verdict>,
    /// The variables that only name a set.
    pub(crate) bindings: Bindings,
    /// How many variables there are.
    pub(crate) variables: VariableCounts,
    /// The variables that live through the run, in the order of their creation.
    pub(crate) persistent: Vec<PersistentVariable>,
    /// The dictionaries.
    pub(crate) dictionaries: Vec<Dictionary>,
    /// The first `readfile` or `writefile` of the text. A search has to be allowed to run such a query.
    pub file_access: Option<Span>,
    /// The names that `isbound` asks about.
    pub(crate) bound_names: Vec<BoundName>,
    /// The keys by which matching games are sorted, the most significant first.
    pub(crate) sort_keys: Vec<SortKey>,
    /// The types of the values that are kept for each match.
    pub(crate) columns: Vec<Type>,
    /// Whether the query exchanges colours: the last two columns then say for which side it matched.
    pub(crate) exchanges_colors: bool,
    /// A part of a player's name, in lower case: matches must be for the side of this player. The last two columns say which side that is.
    pub(crate) by_player: Option<Vec<u8>>,
    /// What the filters read.
    pub(crate) reads: Reads,
    /// The tablebases for filters that need them, if there are any.
    pub(crate) tablebase: Option<Arc<Tablebase>>,
    /// How games are annotated.
    pub(crate) annotations: Annotations,
    /// The numbers of memos that the query needs.
    pub(crate) memos: MemoCounts,
    /// How many `consecutivemoves` keep the longest run of a game.
    pub(crate) runs: u32,
    /// The file that `similarposition` compares with.
    pub similar: Option<Similar>,
    /// The shortcuts that may be taken.
    pub(crate) shortcuts: Shortcuts,
}

impl Query {
    /// Returns the index of the first of the two columns that say for which side a match is, if the query exchanges colours.
    pub(crate) fn side_values(&self) -> Option<usize> {
        self.columns.len().checked_sub(2).filter(|_| self.exchanges_colors)
    }

    /// Returns the parts of boards that the prefilter and the verdict need side by side.
    pub(crate) fn parts_side_by_side(&self) -> Parts {
        let verdict = self.verdict.as_ref();
        self.prefilter.parts()
            | verdict
                .map(|verdict| verdict.body.condition.parts())
                .unwrap_or_default()
    }

    /// Returns all filters: narrowing, selection and body.
    pub(super) fn filters(&self) -> impl Iterator<Item = &Cond> {
        self.narrowing.iter().chain(&self.selection).chain([&self.body])
    }

    /// Returns the text of the first filter that reads any of `reads` itself, not only through its parts.
    pub(crate) fn first_reader(&self, reads: Reads) -> Option<Span> {
        let reads = |facts: &Facts| facts.reads.intersects(reads).then_some(());
        let found = self
            .filters()
            .find_map(|filter| first_part(Child::Condition(filter), &reads));
        found.map(|(span, ())| span)
    }

    /// Returns the tags of a game that the query reads.
    pub(crate) fn tags(&self) -> TagUse {
        let mut tags = TagUse::of(self.filters());
        if self.by_player.is_some() {
            tags.names.extend([b"White", b"Black"].map(|name| name.to_vec()));
        }
        tags
    }

    /// Returns whether games must be evaluated one after the other, because values live through the run or files are used.
    pub fn is_serial(&self) -> bool {
        !self.persistent.is_empty()
            || self.dictionaries.iter().any(|dictionary| !dictionary.local)
            || self.file_access.is_some()
    }

    /// Returns an error at the first filter that needs tablebases, if there are none.
    pub(crate) fn lacks_tablebase(&self) -> Option<Diagnostic> {
        let place = self
            .first_reader(Reads::TABLEBASE)
            .filter(|_| self.tablebase.is_none())?;
        let error =
            Diagnostic::new(place, "the query needs endgame tablebases").label("no folder with tablebases is given");
        Some(if cfg!(feature = "tablebase") {
            error.hint("`--tablebase DIR` names a folder that has them, `.rtbw` and `.rtbz` files, as does the variable SKEWER_TABLEBASE")
        } else {
            error.hint("this program was built without `tablebase`")
        })
    }

    /// Returns how deeply the filters nest.
    pub(crate) fn depth(&self) -> usize {
        fn depth(child: Child<'_>) -> usize {
            let mut below = 0;
            child.parts(&mut |part| below = below.max(depth(part)));
            below + 1
        }
        let filters = self.selection.iter().chain([&self.body]);
        filters.map(|filter| depth(Child::Condition(filter))).max().unwrap_or(0)
    }

    /// Takes the filters out, so that they can be dropped on a stack that is deep enough: they nest as deeply as queries may. The rest
    /// matches anything.
    pub(crate) fn take_filters(&mut self) -> impl Send + use<> {
        let anything = node(CondExpr::Constant(true), self.body.span);
        (
            mem::take(&mut self.selection),
            mem::replace(&mut self.body, anything),
            mem::replace(&mut self.prefilter, Prefilter::Open),
            mem::replace(&mut self.game_prefilter, GamePrefilter::None),
            self.verdict.take(),
        )
    }
}
