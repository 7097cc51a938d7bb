//! A compiled query: its filters, and what was decided about them before any game is read.

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
    /// What stands in `cql( … )`.
    pub header: Header,
    /// What a game has to fulfil to match at all, asked before its moves are read.
    pub(crate) narrowing: Vec<Cond>,
    /// Only the first matching position of a game counts.
    pub(crate) first_of_game: bool,
    /// What a game has to fulfil for its positions to be evaluated: filters that say the same at all of them. They are asked
    /// before its moves are read; of a game that fails one, no position matches.
    pub(crate) selection: Vec<Cond>,
    /// The filters of the body as one condition.
    pub(crate) body: Cond,
    /// What a position must have for the body to be tried there.
    pub(crate) prefilter: Prefilter,
    /// What a game must have for the body to match or do anything but fail at any of its positions.
    pub(crate) game_prefilter: GamePrefilter,
    /// The themes that must hold in it for that.
    #[cfg_attr(
        not(any(feature = "database", feature = "service")),
        allow(dead_code, reason = "databases know them, and a plan shows them")
    )]
    pub(crate) themes: GamePrefilter,
    /// All of the body, if that can be asked of many positions at once, so that none of them has to be tried.
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
    /// What the names are that `isbound` asks for.
    pub(crate) bound_names: Vec<BoundName>,
    /// The keys by which matching games are sorted, the most significant first.
    pub(crate) sort_keys: Vec<SortKey>,
    /// The types of the values that are kept of each match.
    pub(crate) columns: Vec<Type>,
    /// The last two of them say of which side a match is, as the query exchanges colours.
    pub(crate) exchanges_colors: bool,
    /// A part of the name, in small letters, of the player whose side a match must be of. The last two values that are kept say of which side it is.
    pub(crate) by_player: Option<Vec<u8>>,
    /// What its filters read.
    pub(crate) reads: Reads,
    /// The tablebases that it asks, if they are known.
    pub(crate) tablebase: Option<Arc<Tablebase>>,
    /// How games are annotated.
    pub(crate) annotations: Annotations,
    /// How many relations are remembered position by position.
    pub(crate) memos: MemoCounts,
    /// How many `consecutivemoves` keep the longest run of a game.
    pub(crate) runs: u32,
    /// The file that `similarposition` compares with.
    pub similar: Option<Similar>,
    /// The ways to leave work out that may be taken.
    pub(crate) shortcuts: Shortcuts,
}

impl Query {
    /// The place of the first of the two values that say of which side a match is, if the query exchanges colours.
    pub(crate) fn side_values(&self) -> Option<usize> {
        self.columns.len().checked_sub(2).filter(|_| self.exchanges_colors)
    }

    /// What of the boards has to stand side by side for the prefilter and the verdict.
    pub(crate) fn parts_side_by_side(&self) -> Parts {
        let verdict = self.verdict.as_ref();
        self.prefilter.parts()
            | verdict
                .map(|verdict| verdict.body.condition.parts())
                .unwrap_or_default()
    }

    /// All filters.
    pub(super) fn filters(&self) -> impl Iterator<Item = &Cond> {
        self.narrowing.iter().chain(&self.selection).chain([&self.body])
    }

    /// Returns the first filter that reads something by itself, not through its parts.
    pub(crate) fn first_reader(&self, reads: Reads) -> Option<Span> {
        let reads = |facts: &Facts| facts.reads.intersects(reads).then_some(());
        let found = self
            .filters()
            .find_map(|filter| first_part(Child::Condition(filter), &reads));
        found.map(|(span, ())| span)
    }

    /// Which tags of a game it reads.
    pub(crate) fn tags(&self) -> TagUse {
        let mut tags = TagUse::of(self.filters());
        if self.by_player.is_some() {
            tags.names.extend([b"White", b"Black"].map(|name| name.to_vec()));
        }
        tags
    }

    /// Whether games have to be evaluated one after the other, because something lives through the run or files are used.
    pub fn is_serial(&self) -> bool {
        !self.persistent.is_empty()
            || self.dictionaries.iter().any(|dictionary| !dictionary.local)
            || self.file_access.is_some()
    }

    /// An error at the first place where the query asks tablebases, if there are none.
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

    /// How deeply its filters nest.
    pub(crate) fn depth(&self) -> usize {
        fn depth(child: Child<'_>) -> usize {
            let mut below = 0;
            child.parts(&mut |part| below = below.max(depth(part)));
            below + 1
        }
        let filters = self.selection.iter().chain([&self.body]);
        filters.map(|filter| depth(Child::Condition(filter))).max().unwrap_or(0)
    }

    /// Takes the filters out, which nest as deeply as queries may, so that they can be dropped where the stack is deep enough. What is
    /// left matches anything.
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
