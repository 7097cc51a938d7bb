//! What a game must have for a query to match any of its positions: facts that can be known without its moves.

use super::Query;
use super::gate::{Event, Gate, Men};
use crate::board::{Bitboard, Contents};

/// A condition on a whole game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Any game fulfils it.
    None,
    /// All of these.
    All(Vec<Bound>),
    /// One of these.
    Either(Vec<Bound>),
    /// Some position is like this, or was reached like this.
    Event(Event),
    /// Some position has at least so many of these men.
    AtLeast(Contents, u32),
    /// Some position has at most so many of these men.
    AtMost(Contents, u32),
    /// Some position has so many plies before it.
    Plies(u32),
}

impl Bound {
    /// What the games of a query have in common in which its body matches or does anything but fail.
    pub fn of(query: &Query) -> Bound {
        if query.header.matches(0) {
            Bound::None
        } else {
            Bound::of_gate(&Gate::of(&query.body))
        }
    }

    /// What the games have in common in which the body of any of some queries matches or does anything but fail.
    pub fn of_any(queries: &[&Query]) -> Bound {
        either(queries.iter().map(|query| Bound::of(query)).collect())
    }

    /// Whether it lets every game pass.
    pub fn is_none(&self) -> bool {
        *self == Bound::None
    }

    /// What the games have in common in which some position fulfils a gate.
    fn of_gate(gate: &Gate) -> Bound {
        match gate {
            Gate::Open
            | Gate::ToMove(_)
            | Gate::Initial
            | Gate::Terminal
            | Gate::InLine(..)
            | Gate::Reach(..)
            | Gate::Capture(_)
            | Gate::Holds(..) => Bound::None,
            Gate::All(gates) => all(gates.iter().map(Bound::of_gate).collect()),
            Gate::Either(gates) => either(gates.iter().map(Bound::of_gate).collect()),
            Gate::Plies(plies) => Bound::Plies(*plies),
            Gate::Count(men, least, most) => counted(*men, *least, *most),
            Gate::Event(event) => Bound::Event(*event),
            Gate::Ahead(_, gate) | Gate::Elsewhere(gate) => Bound::of_gate(gate),
        }
    }
}

fn all(mut bounds: Vec<Bound>) -> Bound {
    bounds.retain(|bound| !bound.is_none());
    without_repetitions(&mut bounds);
    match bounds.len() {
        0 => Bound::None,
        1 => bounds.remove(0),
        _ => Bound::All(bounds),
    }
}

fn either(mut bounds: Vec<Bound>) -> Bound {
    without_repetitions(&mut bounds);
    match bounds.len() {
        _ if bounds.iter().any(Bound::is_none) => Bound::None,
        1 => bounds.remove(0),
        _ => Bound::Either(bounds),
    }
}

/// Leaves one of each, such as of the copies that a transform made.
fn without_repetitions(bounds: &mut Vec<Bound>) {
    let mut seen: Vec<Bound> = Vec::new();
    bounds.retain(|bound| {
        let is_new = !seen.contains(bound);
        if is_new {
            seen.push(bound.clone());
        }
        is_new
    });
}

/// What follows from a number of men: for the lower limit wherever they stand, for the upper one if all of them are counted.
fn counted(men: Men, least: u32, most: u32) -> Bound {
    if men.contents.intersects(Contents::EMPTY) {
        return Bound::None;
    }
    let at_least = (least > 0).then_some(Bound::AtLeast(men.contents, least));
    let at_most = (most < u32::MAX && men.squares == Bitboard::FULL).then_some(Bound::AtMost(men.contents, most));
    all(at_least.into_iter().chain(at_most).collect())
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Role};

    use super::*;
    use crate::query::{self, Options};
    use crate::syntax::Source;

    fn bound(filters: &str) -> Bound {
        let text = if filters.starts_with("cql(") {
            filters.to_owned()
        } else {
            format!("cql() {filters}")
        };
        let source = Source::new("q.cql", text);
        Bound::of(&query::compile(&source, &Options::default()).unwrap())
    }

    const WHITE_KING: Contents = Contents::of(Color::White, Role::King);
    const WHITE_ROOK: Contents = Contents::of(Color::White, Role::Rook);

    #[test]
    fn counts_of_men_bound_them() {
        assert_eq!(
            bound("R==9"),
            Bound::All(vec![Bound::AtLeast(WHITE_ROOK, 9), Bound::AtMost(WHITE_ROOK, 9)])
        );
        assert_eq!(bound("#R < 2"), Bound::AtMost(WHITE_ROOK, 1));
        assert_eq!(bound("#Ra-h7 < 2"), Bound::None, "men elsewhere do not count");
    }

    #[test]
    fn what_happens_bounds_the_game() {
        assert_eq!(bound("btm mate"), Bound::Event(Event::Mate));
        assert_eq!(bound("--=N"), Bound::Event(Event::Promotion(Role::Knight)));
        assert_eq!(bound("not mate"), Bound::None);
        assert_eq!(bound("mate or K"), Bound::Event(Event::Mate).or_kings());
        assert_eq!(bound("ply >= 100"), Bound::Plies(100));
        assert_eq!(
            bound("Ra1 K"),
            Bound::All(vec![Bound::AtLeast(WHITE_ROOK, 1), Bound::AtLeast(WHITE_KING, 1)])
        );
        let both = Bound::All(vec![
            Bound::AtLeast(WHITE_ROOK, 1),
            Bound::AtLeast(WHITE_KING.color_swapped(), 1),
        ]);
        assert_eq!(bound("x∊Ra1 {x attacks k}"), both);
    }

    impl Bound {
        /// This, or a white king on the board.
        fn or_kings(self) -> Bound {
            Bound::Either(vec![self, Bound::AtLeast(WHITE_KING, 1)])
        }
    }

    #[test]
    fn copies_that_ask_the_same_bound_once() {
        assert_eq!(bound("shift {Rd4 Re5}"), Bound::AtLeast(WHITE_ROOK, 1));
        assert_eq!(
            bound("flipcolor {Rd4}"),
            Bound::Either(vec![
                Bound::AtLeast(WHITE_ROOK, 1),
                Bound::AtLeast(WHITE_ROOK.color_swapped(), 1)
            ])
        );
    }

    #[test]
    fn nothing_behind_an_effect_counts() {
        assert_eq!(bound("message(\"here\") mate"), Bound::None);
        assert_eq!(
            bound("stalemate message(\"here\") mate"),
            Bound::Event(Event::Stalemate)
        );
        assert_eq!(bound("x=1 mate"), Bound::None);
        assert_eq!(bound("not {message(\"here\") check} mate"), Bound::None);
        assert_eq!(
            bound("cql(matchcount 0 3) mate"),
            Bound::None,
            "games without a match are wanted"
        );
    }
}
