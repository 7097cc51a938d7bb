//! The positions of a game by values that must equal others: `echo` and `find` look them up instead of trying one after the other.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::chess::Position;
use crate::query::Filter;
use crate::query::echo::Operand;

use crate::eval::Eval;
use crate::eval::context::Context;

/// Positions by the hash of their values.
#[derive(Clone, Debug)]
pub(crate) struct Index(Vec<(u64, u32)>);

impl Index {
    /// How many bytes a position takes.
    pub(crate) const BYTES: usize = size_of::<(u64, u32)>();

    /// Of hashes and the ids of their positions.
    pub(crate) fn new(mut keys: Vec<(u64, u32)>) -> Index {
        keys.sort_unstable();
        Index(keys)
    }

    /// The positions of a range that have this hash, in their order.
    pub(crate) fn with(&self, key: u64, ids: Range<u32>) -> impl DoubleEndedIterator<Item = u32> {
        let place = |id| self.0.partition_point(|entry| *entry < (key, id));
        let found = self.0.get(place(ids.start)..place(ids.end)).unwrap_or_default();
        found.iter().map(|(_, id)| *id)
    }
}

/// The hash of some values; nothing if one is missing, as then nothing equals it.
pub(crate) fn key<'a>(
    operands: impl Iterator<Item = &'a Operand>,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    for operand in operands {
        match operand {
            Operand::Board(position) => position.eval(context, at)?.board.hash(&mut hasher),
            Operand::Value(Filter::Set(set)) => set.eval(context, at).hash(&mut hasher),
            Operand::Value(Filter::Number(number)) => number.eval(context, at)?.hash(&mut hasher),
            Operand::Value(Filter::String(string)) => string.eval(context, at)?.hash(&mut hasher),
            Operand::Value(Filter::Position(position)) => position.eval(context, at)?.id.hash(&mut hasher),
            Operand::Value(Filter::Condition(condition)) => condition.eval(context, at).hash(&mut hasher),
        }
    }
    Some(hasher.finish())
}
