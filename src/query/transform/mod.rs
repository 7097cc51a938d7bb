//! Transforms: `flip`, `shift` and their like turn one expression into many (chapter 4.6 of the language reference).
//!
//! The copies are made when the query is compiled: a transform changes the designators, directions and colours of a copy;
//! copies that lose all squares of a designator are dropped, equal copies are merged, the rest is sorted.

mod changes;
mod parts;

use std::collections::BTreeMap;

use shakmaty::Color;

use crate::board::{Bitboard, Contents};
use crate::syntax::token::{Designator, Span};

pub use changes::{Group, Transform};
pub use parts::{Child, Part};

/// The name of a transform, as `currenttransform` shows it.
pub type TransformName = String;

/// The copies of an expression that a transform made, in the order of their evaluation.
#[derive(Clone, Debug)]
pub struct Versions<N> {
    /// The copies.
    pub copies: Vec<N>,
    /// The places of the copies in the order in which the transform lists them.
    listed: Vec<usize>,
    /// The expression has no side effect, so that an evaluation may stop as soon as the result is known.
    pub pure: bool,
    /// What every copy asks first, if that differs by squares alone.
    pub guard: Option<Guard>,
}

/// Designators that each of many copies asks for first, on other squares. The men are looked up once for all copies.
#[derive(Clone, Debug)]
pub struct Guard {
    /// What has to stand somewhere, test by test.
    pub contents: Vec<Contents>,
    /// On one of which squares: for each copy as many sets as there are tests.
    pub squares: Vec<Bitboard>,
    /// The copies ask for nothing else.
    pub complete: bool,
    /// All copies ask for the same figure in another place.
    pub figure: Option<Figure>,
}

/// Men that stand to each other as given, somewhere: what `shift` makes of single squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// The squares of the first man, one a copy.
    pub anchors: Bitboard,
    /// How many squares further than the first man each of the men stands, counted from a1 to h8.
    pub offsets: Vec<i8>,
}

impl Figure {
    /// The figure of copies that ask for `men` men each on `squares`.
    fn of(squares: &[Bitboard], men: usize) -> Option<Figure> {
        let mut figures = squares.chunks_exact(men).map(|copy| {
            let first = copy.first()?.single_square()?;
            let offset = |men: &Bitboard| Some(men.single_square()? as i8 - first as i8);
            Some((first, copy.iter().map(offset).collect::<Option<Vec<i8>>>()?))
        });
        let (first, offsets) = figures.next()??;
        let mut anchors = Bitboard::from(first);
        for figure in figures {
            let (anchor, moved) = figure?;
            anchors.add(anchor);
            if moved != offsets {
                return None;
            }
        }
        Some(Figure { anchors, offsets })
    }
}

impl Guard {
    /// The tests with which all copies begin, if there are any and enough copies to make it worth while.
    fn of<N: Part>(copies: &[N]) -> Option<Guard> {
        const FEW: usize = 2;
        let mut model = Vec::new();
        let complete = copies
            .first()
            .filter(|_| copies.len() > FEW)?
            .first_designators(&mut model);
        let contents: Vec<Contents> = model.iter().map(|designator| designator.contents).collect();
        let mut squares = Vec::with_capacity(contents.len() * copies.len());
        for copy in copies {
            let mut tests = Vec::new();
            copy.first_designators(&mut tests);
            if !tests
                .iter()
                .map(|designator| designator.contents)
                .eq(contents.iter().copied())
            {
                return None;
            }
            squares.extend(tests.iter().map(|designator| designator.squares));
        }
        (!contents.is_empty()).then(|| Guard {
            figure: Figure::of(&squares, contents.len()),
            contents,
            squares,
            complete,
        })
    }
}

/// What makes copies of one expression differ, part by part; the derived order is that of 6.6.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Designator {
        squares: u64,
        any_white: bool,
        any_black: bool,
        contents: Vec<u8>,
    },
    Directions(Vec<(i32, i32)>),
    Rank(u8),
    Versions(Vec<Vec<Key>>),
}

/// The key of an expression: its changeable parts in order.
fn keys<N: Part>(expression: &mut N) -> Vec<Key> {
    let mut keys = Vec::new();
    expression.child(&mut |child| collect_keys(child, &mut keys));
    keys
}

fn collect_keys(child: Child<'_>, keys: &mut Vec<Key>) {
    match child {
        expression @ (Child::Set(_)
        | Child::Number(_)
        | Child::String(_)
        | Child::Position(_)
        | Child::Condition(_)) => expression.parts(&mut |part| collect_keys(part, keys)),
        Child::Designator(designator) => keys.push(designator_key(designator)),
        Child::Directions(directions) => {
            let mut steps: Vec<_> = directions.iter().map(|direction| direction.delta()).collect();
            steps.sort_unstable();
            keys.push(Key::Directions(steps));
        }
        Child::SquareColor(light) => keys.push(Key::Rank(u8::from(*light))),
        Child::Color(color) => keys.push(Key::Rank(u8::from(color.is_black()))),
        Child::TagColor(color) => keys.push(Key::Rank(u8::from(color.is_white()))),
        Child::Result(result) => keys.push(Key::Rank(match result.winner() {
            Some(Color::White) => 0,
            Some(Color::Black) => 1,
            None => 2,
        })),
        Child::TransformNames(_) | Child::Fixed(_) => {}
        Child::SetVersions(versions) => keys.push(versions.key()),
        Child::NumberVersions(versions) => keys.push(versions.key()),
        Child::ConditionVersions(versions) => keys.push(versions.key()),
    }
}

fn designator_key(designator: &Designator) -> Key {
    let implied = |any: bool, color: Contents| if any { color.0 } else { 0 };
    let listed = if designator.has_contents {
        designator.contents.0
            & !implied(designator.any_white, Contents::WHITE)
            & !implied(designator.any_black, Contents::BLACK)
    } else {
        0
    };
    Key::Designator {
        squares: designator.squares.0,
        any_white: designator.any_white,
        any_black: designator.any_black,
        contents: (0..13).filter(|kind| listed >> kind & 1 != 0).collect(),
    }
}

impl<N: Part> Versions<N> {
    /// The copies of `body` under each of `transforms`: broken ones dropped, equal ones merged, the rest sorted.
    pub fn new(transforms: &[Transform], body: N, pure: bool) -> Versions<N> {
        Versions::merged(
            transforms.iter().filter_map(|transform| transformed(&body, *transform)),
            pure,
        )
    }

    /// The copies of versions under an outer transform, as one list: the outer transform changes slowest.
    pub fn under(&self, transforms: &[Transform]) -> Versions<N> {
        let products = transforms
            .iter()
            .flat_map(|transform| self.listed.iter().map(move |place| (transform, &self.copies[*place])));
        Versions::merged(
            products.filter_map(|(transform, body)| transformed(body, *transform)),
            self.pure,
        )
    }

    fn merged(copies: impl Iterator<Item = N>, pure: bool) -> Versions<N> {
        let mut sorted: BTreeMap<Vec<Key>, (usize, N)> = BTreeMap::new();
        for (place, mut copy) in copies.enumerate() {
            sorted.entry(keys(&mut copy)).or_insert((place, copy));
        }
        let (places, copies): (Vec<usize>, Vec<N>) = sorted.into_values().unzip();
        let mut listed: Vec<usize> = (0..places.len()).collect();
        listed.sort_unstable_by_key(|index| places[*index]);
        Versions {
            guard: Guard::of(&copies),
            copies,
            listed,
            pure,
        }
    }

    /// The same copies as expressions of another type.
    pub fn map<M: Part, E>(self, convert: impl FnMut(N) -> Result<M, E>) -> Result<Versions<M>, E> {
        let copies: Vec<M> = self.copies.into_iter().map(convert).collect::<Result<_, E>>()?;
        Ok(Versions {
            guard: Guard::of(&copies),
            copies,
            listed: self.listed,
            pure: self.pure,
        })
    }

    /// How much work it is to transform all copies once.
    pub fn work(&mut self) -> usize {
        self.copies.iter_mut().map(work).fold(0, usize::saturating_add)
    }

    /// Where one of the copies first holds squares or a square colour.
    pub fn first_squares(&mut self) -> Option<Span> {
        self.copies.iter_mut().find_map(first_squares)
    }

    /// Puts an outer transform around every copy. Returns whether one is left.
    fn transform(&mut self, transform: Transform) -> bool {
        *self = self.under(&[transform]);
        !self.copies.is_empty()
    }

    fn key(&mut self) -> Key {
        Key::Versions(self.copies.iter_mut().map(keys).collect())
    }
}

fn transformed<N: Part>(body: &N, transform: Transform) -> Option<N> {
    let mut copy = body.clone();
    transform.apply(&mut copy).then_some(copy)
}

/// How much work it is to transform the expression once: how many parts it has, those of versions inside once more for each
/// transform around them, since every application makes them anew.
pub fn work<N: Part>(expression: &mut N) -> usize {
    fn add(child: Child<'_>, depth: usize, work: &mut usize) {
        *work = work.saturating_add(1 + depth);
        let is_versions = matches!(
            child,
            Child::SetVersions(_) | Child::NumberVersions(_) | Child::ConditionVersions(_)
        );
        let depth = depth + usize::from(is_versions);
        child.parts(&mut |part| add(part, depth, work));
    }
    let mut work = 0;
    expression.child(&mut |child| add(child, 0, &mut work));
    work
}

/// Where the expression first holds squares or a square colour, which cannot be turned by 45 degrees.
pub fn first_squares<N: Part>(expression: &mut N) -> Option<Span> {
    fn look(child: Child<'_>, around: Span, found: &mut Option<Span>) {
        let around = child.span().unwrap_or(around);
        match child {
            Child::Designator(designator) if designator.squares != Bitboard::FULL => *found = found.or(Some(around)),
            Child::SquareColor(_) => *found = found.or(Some(around)),
            Child::Fixed(_) => {}
            other => other.parts(&mut |part| look(part, around, found)),
        }
    }
    let mut found = None;
    expression.child(&mut |child| look(child, Span::default(), &mut found));
    found
}
