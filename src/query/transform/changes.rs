//! The single changes of the board that make up transforms.

use std::ops::RangeInclusive;

use shakmaty::KnownOutcome;

use crate::board::symmetry::shift_with_full_lines;
use crate::board::{DirectionSet, Symmetry};
use crate::query::ast::versions::{Colors, Group, TransformName};
use crate::query::ast::visit::{ChildMut, Children};
use crate::syntax::token::Designator;

/// A single change of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Transform {
    /// Nothing changes.
    Identity,
    /// A rotation or reflection of the board.
    Symmetry(Symmetry),
    /// Exchanges colours and mirrors ranks.
    ColorSwap,
    /// Turns directions counterclockwise by this many times 45 degrees.
    Turn(u8),
    /// Moves all pieces by files and ranks.
    Shift {
        /// Files to the right, −7 to 7.
        files: i8,
        /// Ranks up, −7 to 7.
        ranks: i8,
    },
}

impl Group {
    /// Returns the changes, in the order of the language reference (6.2).
    pub(crate) fn transforms(self) -> Vec<Transform> {
        use Transform::{ColorSwap, Identity, Shift, Turn};
        let symmetries = |list: &[Symmetry]| list.iter().map(|symmetry| Transform::Symmetry(*symmetry)).collect();
        let shifts = |files: RangeInclusive<i8>, ranks: RangeInclusive<i8>| {
            files
                .flat_map(|files| ranks.clone().map(move |ranks| Shift { files, ranks }))
                .filter(|shift| *shift != Shift { files: 0, ranks: 0 })
                .collect()
        };
        let others: Vec<Transform> = match self {
            Group::Flip => symmetries(&Symmetry::IN_ORDER_OF_FLIP[1..]),
            Group::FlipVertical => symmetries(&[Symmetry::ReflectV]),
            Group::FlipHorizontal => symmetries(&[Symmetry::ReflectH]),
            Group::FlipColor => vec![ColorSwap],
            Group::ReverseColor => return vec![ColorSwap],
            Group::Rotate90 => symmetries(&[Symmetry::Counterclockwise90, Symmetry::Rotate180, Symmetry::Clockwise90]),
            Group::Rotate45 => (1..8).map(Turn).collect(),
            Group::Shift => shifts(-7..=7, -7..=7),
            Group::ShiftHorizontal => shifts(-7..=7, 0..=0),
            Group::ShiftVertical => shifts(0..=0, -7..=7),
        };
        std::iter::once(Identity).chain(others).collect()
    }
}

impl Transform {
    /// Returns the colours after this change.
    pub(super) fn colors(self, before: Colors) -> Colors {
        match self {
            Transform::ColorSwap => before.exchanged(),
            _ => before,
        }
    }

    /// Returns the name that `currenttransform` shows; empty for the identity.
    pub(super) fn name(self) -> TransformName {
        match self {
            Transform::Identity => String::new(),
            Transform::Symmetry(symmetry) => symmetry.name().to_owned(),
            Transform::ColorSwap => "invertcolor reflect_h".to_owned(),
            Transform::Turn(times) => format!("rotate45^{times}"),
            Transform::Shift { files, ranks } => {
                let step = |count: i8, back: &str, forth: &str| match count {
                    0 => String::new(),
                    1.. => format!("{forth}^{count}"),
                    _ => format!("{back}^{}", -count),
                };
                let (horizontal, vertical) = (step(files, "left", "right"), step(ranks, "down", "up"));
                if horizontal.is_empty() || vertical.is_empty() {
                    horizontal + &vertical
                } else {
                    format!("{horizontal} {vertical}")
                }
            }
        }
    }

    /// Changes an expression in place. Returns false if a designator lost all its squares.
    pub(crate) fn apply<N: Children>(self, expression: &mut N) -> bool {
        let mut whole = true;
        expression.children_mut(&mut |child| whole &= self.apply_to(child));
        whole
    }

    fn apply_to(self, child: ChildMut<'_>) -> bool {
        let mut whole = true;
        match child {
            expression @ (ChildMut::Set(_)
            | ChildMut::Number(_)
            | ChildMut::String(_)
            | ChildMut::Position(_)
            | ChildMut::Condition(_)) => expression.parts(&mut |part| whole &= self.apply_to(part)),
            ChildMut::Designator(designator) => whole = self.apply_to_designator(designator),
            ChildMut::Directions(directions) => *directions = self.directions(*directions),
            ChildMut::SquareColor(light) => *light ^= self.changes_square_color(),
            ChildMut::Color(color) | ChildMut::TagColor(color) => {
                if self == Transform::ColorSwap {
                    *color = !*color;
                }
            }
            ChildMut::Result(result) => {
                if let (Transform::ColorSwap, KnownOutcome::Decisive { winner }) = (self, &mut *result) {
                    *winner = !*winner;
                }
            }
            ChildMut::TransformNames(names) => {
                if self != Transform::Identity {
                    names.insert(0, self.name());
                }
            }
            ChildMut::SetVersions(versions) => whole = versions.transform(self),
            ChildMut::NumberVersions(versions) => whole = versions.transform(self),
            ChildMut::ConditionVersions(versions) => whole = versions.transform(self),
            ChildMut::Fixed(_) => {}
        }
        whole
    }

    fn apply_to_designator(self, designator: &mut Designator) -> bool {
        match self {
            Transform::Identity | Transform::Turn(_) => {}
            Transform::Symmetry(symmetry) => designator.squares = symmetry.set(designator.squares),
            Transform::ColorSwap => {
                designator.squares = Symmetry::ReflectH.set(designator.squares);
                designator.contents = designator.contents.color_swapped();
                std::mem::swap(&mut designator.any_white, &mut designator.any_black);
            }
            Transform::Shift { files, ranks } => {
                designator.squares = shift_with_full_lines(designator.squares, files.into(), ranks.into());
            }
        }
        designator.squares.any()
    }

    fn directions(self, directions: DirectionSet) -> DirectionSet {
        match self {
            Transform::Identity | Transform::Shift { .. } => directions,
            Transform::Symmetry(symmetry) => symmetry.directions(directions),
            Transform::ColorSwap => Symmetry::ReflectH.directions(directions),
            Transform::Turn(times) => directions.rotate45(u32::from(times)),
        }
    }

    /// Returns whether light squares become dark.
    fn changes_square_color(self) -> bool {
        match self {
            Transform::Identity | Transform::Turn(_) => false,
            Transform::Symmetry(symmetry) => symmetry.exchanges_square_colors(),
            Transform::ColorSwap => Symmetry::ReflectH.exchanges_square_colors(),
            Transform::Shift { files, ranks } => (files + ranks) % 2 != 0,
        }
    }
}
