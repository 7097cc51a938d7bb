//! Transforms: `flip`, `shift` and others turn one expression into many copies (chapter 4.6 of the language reference).
//!
//! The copies are made when the query is compiled. A transform changes the designators, directions and colours of a copy. Copies that lose
//! all squares of a designator are dropped, equal copies are merged, and the rest are sorted.
//!
//! Each part uses only those before it: `guard`, `changes`.

mod changes;
mod guard;

use std::collections::BTreeMap;

use shakmaty::Color;

use crate::board::{Bitboard, Contents};
use crate::query::ast::versions::{Colors, Guard, Versions};
use crate::query::ast::visit::{Child, Children};
use crate::syntax::token::{Designator, Span};

pub(crate) use crate::query::ast::versions::Group;
pub(crate) use changes::Transform;
pub(crate) use guard::Guarded;

/// A part in which copies of an expression can differ. The derived order is the order of 6.6.
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

/// Returns the key of an expression: its parts that transforms can change, in order.
fn keys<N: Children>(expression: &N) -> Vec<Key> {
    let mut keys = Vec::new();
    expression.children(&mut |child| collect_keys(child, &mut keys));
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
        Child::SetVersions(versions) => keys.push(key_of_versions(versions)),
        Child::NumberVersions(versions) => keys.push(key_of_versions(versions)),
        Child::ConditionVersions(versions) => keys.push(key_of_versions(versions)),
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

impl<N: Guarded> Versions<N> {
    /// Makes the copies of `body` under each change of `group`. Broken ones are dropped, equal ones are merged, and the rest are sorted.
    pub(crate) fn new(group: Group, body: N, pure: bool) -> Versions<N> {
        let transforms = group.transforms();
        let copies = transforms
            .iter()
            .filter_map(|transform| Some((transform.colors(Colors::WRITTEN), transformed(&body, *transform)?)));
        let versions = Versions::merged(copies, pure);
        Versions {
            groups: vec![group],
            exchange_colors: group == Group::FlipColor
                && versions.copies.len() == transforms.len()
                && !has_fixed(&body),
            ..versions
        }
    }

    /// Returns the copies under an outer group as one list, in which the outer group changes slowest.
    pub(crate) fn under(&self, group: Group) -> Versions<N> {
        Versions {
            groups: [&[group], &*self.groups].concat(),
            ..self.under_each(&group.transforms())
        }
    }

    fn under_each(&self, transforms: &[Transform]) -> Versions<N> {
        let products = transforms
            .iter()
            .flat_map(|transform| self.listed.iter().map(move |place| (transform, *place)));
        let copies = products.filter_map(|(transform, place)| {
            let copy = transformed(&self.copies[place], *transform)?;
            Some((transform.colors(self.colors[place]), copy))
        });
        Versions::merged(copies, self.pure)
    }

    fn merged(copies: impl Iterator<Item = (Colors, N)>, pure: bool) -> Versions<N> {
        let mut sorted: BTreeMap<Vec<Key>, (usize, Colors, N)> = BTreeMap::new();
        for (place, (of_copy, copy)) in copies.enumerate() {
            let (_, colors, _) = sorted.entry(keys(&copy)).or_insert((place, of_copy, copy));
            *colors |= of_copy;
        }
        let (mut places, mut colors, mut copies) = (Vec::new(), Vec::new(), Vec::new());
        for (place, of_copy, copy) in sorted.into_values() {
            places.push(place);
            colors.push(of_copy);
            copies.push(copy);
        }
        let mut listed: Vec<usize> = (0..places.len()).collect();
        listed.sort_unstable_by_key(|index| places[*index]);
        Versions {
            guard: Guard::of(&copies),
            copies,
            groups: Vec::new(),
            listed,
            exchange_colors: false,
            colors,
            pure,
        }
    }

    /// Returns whether any copy has its colours exchanged.
    pub(crate) fn has_exchanged(&self) -> bool {
        self.colors.iter().any(|colors| colors.contains(Colors::EXCHANGED))
    }

    /// Returns the copies with these colours, if there are any.
    pub(crate) fn with_colors(&self, wanted: Colors) -> Option<Versions<N>> {
        let copies = self.listed.iter().filter(|place| self.colors[**place].contains(wanted));
        let copies: Vec<_> = copies.map(|place| (wanted, self.copies[*place].clone())).collect();
        (!copies.is_empty()).then(|| Versions::merged(copies.into_iter(), self.pure))
    }

    /// Converts the copies to expressions of another type.
    pub(crate) fn map<M: Guarded, E>(self, convert: impl FnMut(N) -> Result<M, E>) -> Result<Versions<M>, E> {
        let copies: Vec<M> = self.copies.into_iter().map(convert).collect::<Result<_, E>>()?;
        Ok(Versions {
            guard: Guard::of(&copies),
            copies,
            groups: self.groups,
            listed: self.listed,
            exchange_colors: self.exchange_colors,
            colors: self.colors,
            pure: self.pure,
        })
    }

    /// Applies an outer transform to every copy. Returns whether any copy is left.
    fn transform(&mut self, transform: Transform) -> bool {
        *self = self.under_each(&[transform]);
        !self.copies.is_empty()
    }
}

fn key_of_versions<N: Children>(versions: &Versions<N>) -> Key {
    Key::Versions(versions.copies.iter().map(keys).collect())
}

fn transformed<N: Children + Clone>(body: &N, transform: Transform) -> Option<N> {
    let mut copy = body.clone();
    transform.apply(&mut copy).then_some(copy)
}

/// Returns the work of transforming an expression once: the number of its parts. Parts inside versions count once more for each transform
/// around them, because each application makes them again.
pub(crate) fn work<N: Children>(expression: &N) -> usize {
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
    expression.children(&mut |child| add(child, 0, &mut work));
    work
}

/// Returns the text of the first part that contains squares or a square colour, which cannot be turned by 45 degrees.
pub(crate) fn first_squares<N: Children>(expression: &N) -> Option<Span> {
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
    expression.children(&mut |child| look(child, Span::default(), &mut found));
    found
}

/// Returns whether a part of the expression is not changed by transforms.
fn has_fixed<N: Children>(expression: &N) -> bool {
    fn look(child: Child<'_>, found: &mut bool) {
        match child {
            Child::Fixed(_) => *found = true,
            other => other.parts(&mut |part| look(part, found)),
        }
    }
    let mut found = false;
    expression.children(&mut |child| look(child, &mut found));
    found
}
