//! The copies of an expression that a transform made, and what all of them ask for first.

use bitflags::bitflags;

use crate::board::{Bitboard, Contents};

/// The name of a transform, as `currenttransform` shows it.
pub(crate) type TransformName = String;

/// A transform word: the changes that it stands for.
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

/// The words, the usual one of each group first.
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
    /// The group of a transform word.
    pub(crate) fn named(word: &str) -> Option<Group> {
        GROUPS.iter().find(|(known, _)| *known == word).map(|(_, group)| *group)
    }

    /// The usual word.
    pub(crate) fn word(self) -> &'static str {
        GROUPS
            .iter()
            .find(|(_, group)| *group == self)
            .map_or("", |(word, _)| word)
    }
}

/// The copies of an expression that a transform made, in the order of their evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Versions<N> {
    /// The copies.
    pub copies: Vec<N>,
    /// The transforms that made them of the first that is listed, outermost first; nothing where only some of their copies are here.
    pub groups: Vec<Group>,
    /// The places of the copies in the order in which the transform lists them.
    pub(crate) listed: Vec<usize>,
    /// There are two copies, and each is the other with colours exchanged and ranks mirrored, all of it.
    pub(crate) exchange_colors: bool,
    /// How each copy came about: with the colours as they are written, exchanged, or both, as equal copies are one.
    pub(crate) colors: Vec<Colors>,
    /// The expression has no side effect, so that an evaluation may stop as soon as the result is known.
    pub pure: bool,
    /// What every copy asks first, if that differs by squares alone.
    pub guard: Option<Guard>,
}

bitflags! {
    /// What a transform has done with the colours.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) struct Colors: u8 {
        /// They are as written.
        const WRITTEN = 1;
        /// They are exchanged.
        const EXCHANGED = 1 << 1;
    }
}

impl Colors {
    /// The same, exchanged once more.
    pub(crate) fn exchanged(self) -> Colors {
        let mut exchanged = Colors::empty();
        exchanged.set(Colors::WRITTEN, self.contains(Colors::EXCHANGED));
        exchanged.set(Colors::EXCHANGED, self.contains(Colors::WRITTEN));
        exchanged
    }
}

/// Designators that each of many copies asks for first, on other squares. The pieces are looked up once for all copies.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// What has to stand somewhere, test by test.
    pub contents: Vec<Contents>,
    /// On one of which squares: for each copy as many sets as there are tests.
    pub squares: Vec<Bitboard>,
    /// The copies ask for nothing else.
    pub complete: bool,
    /// All copies ask for the same figure in another place.
    pub figure: Option<Figure>,
}

/// Pieces that stand to each other as given, somewhere: what `shift` makes of single squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Figure {
    /// The squares of the first piece, one a copy.
    pub anchors: Bitboard,
    /// How many squares further than the first piece each of the pieces stands, counted from a1 to h8.
    pub offsets: Vec<i8>,
}
