//! The copies of an expression that a transform made, and the test that they have in common.

use bitflags::bitflags;

use crate::board::{Bitboard, Contents};

/// The name of a transform, as `currenttransform` shows it.
pub(crate) type TransformName = String;

/// The group of changes that a transform word stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Group {
    Flip,
    FlipVertical,
    FlipHorizontal,
    FlipColor,
    ReverseColor,
    Rotate90,
    Rotate45,
    Shift,
    ShiftHorizontal,
    ShiftVertical,
}

/// The transform words, the usual one of each group first.
const GROUPS: [(&str, Group); 12] = [
    ("flip", Group::Flip),
    ("dihedral", Group::Flip),
    ("flipdihedral", Group::Flip),
    ("flipvertical", Group::FlipVertical),
    ("fliphorizontal", Group::FlipHorizontal),
    ("flipcolor", Group::FlipColor),
    ("reversecolor", Group::ReverseColor),
    ("rotate90", Group::Rotate90),
    ("rotate45", Group::Rotate45),
    ("shift", Group::Shift),
    ("shifthorizontal", Group::ShiftHorizontal),
    ("shiftvertical", Group::ShiftVertical),
];

impl Group {
    /// Returns the group of a transform word.
    pub(crate) fn named(word: &str) -> Option<Group> {
        GROUPS.iter().find(|(known, _)| *known == word).map(|(_, group)| *group)
    }

    /// Returns the usual word.
    pub(crate) fn word(self) -> &'static str {
        GROUPS
            .iter()
            .find(|(_, group)| *group == self)
            .map_or("", |(word, _)| word)
    }
}

/// The copies of an expression that a transform made, in the order of evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Versions<N> {
    /// The copies.
    pub copies: Vec<N>,
    /// The transforms that made the copies from the first listed copy, outermost first. Empty if only some of the copies are here.
    pub groups: Vec<Group>,
    /// The indices of the copies in the order in which the transform lists them.
    pub(crate) listed: Vec<usize>,
    /// Whether there are exactly two copies, each of which is the other with colours exchanged and ranks mirrored.
    pub(crate) exchange_colors: bool,
    /// How each copy came about: with the colours as written, exchanged, or both, because equal copies are merged.
    pub(crate) colors: Vec<Colors>,
    /// Whether the expression has no side effect, so that an evaluation may stop as soon as the result is known.
    pub pure: bool,
    /// The first test of every copy, if the copies differ only in its squares.
    pub guard: Option<Guard>,
}

bitflags! {
    /// What a transform did with the colours.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) struct Colors: u8 {
        /// They are as written.
        const WRITTEN = 1;
        /// They are exchanged.
        const EXCHANGED = 1 << 1;
    }
}

impl Colors {
    /// Returns the colours after one more exchange.
    pub(crate) fn exchanged(self) -> Colors {
        let mut exchanged = Colors::empty();
        exchanged.set(Colors::WRITTEN, self.contains(Colors::EXCHANGED));
        exchanged.set(Colors::EXCHANGED, self.contains(Colors::WRITTEN));
        exchanged
    }
}

/// Designators that each of many copies tests first, on different squares. The pieces are looked up once for all copies.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The contents of the designators, test by test.
    pub contents: Vec<Contents>,
    /// The squares of the designators: for each copy one set for each test.
    pub squares: Vec<Bitboard>,
    /// Whether the copies test nothing else.
    pub complete: bool,
    /// The formation, if all copies test the same formation at different places.
    pub formation: Option<Formation>,
}

/// Pieces in a fixed arrangement anywhere on the board, which is what `shift` makes of single squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Formation {
    /// The squares of the first piece, one for each copy.
    pub anchors: Bitboard,
    /// The distance of each piece from the first, in squares counted from a1 to h8.
    pub offsets: Vec<i8>,
}
