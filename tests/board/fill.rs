//! Fills and their combinations, compared with the same functions on each member of the sets.

use fastrand::Rng;
use shakmaty::{Bitboard, Square};
use skewer::board::{Direction, between, fill, xray};

use crate::board::reference::fill as other;
use crate::board::{naive, random};

const ROUNDS: usize = 10_000;

/// Returns the union over the members of a set.
fn union(set: Bitboard, squares: impl Fn(Square) -> Bitboard) -> Bitboard {
    set.into_iter()
        .fold(Bitboard::EMPTY, |union, square| union | squares(square))
}

#[test]
fn reach_is_the_union_of_the_views_of_the_members() {
    let mut rng = Rng::with_seed(10);
    for round in 0..ROUNDS {
        let (set, occupied) = (random::operand(&mut rng), random::set(&mut rng));
        for direction in Direction::ALL {
            let expected = other::reach_by_members(set, !occupied, direction);
            assert_eq!(fill::reach(set, !occupied, direction), expected);
            assert_eq!(other::reach_by_steps(set, !occupied, direction), expected);
            assert_eq!(other::reach_dumb7(set, !occupied, direction), expected);
            if round < 500 {
                assert_eq!(expected, union(set, |square| naive::view(occupied, square, direction)));
                let filled = fill::occluded_fill(set, !occupied, direction);
                assert_eq!(filled, set | expected & !occupied);
            }
        }
    }
}

#[test]
fn pieces_do_not_block_what_lies_beyond() {
    let mut rng = Rng::with_seed(11);
    for _ in 0..500 {
        let set = random::operand(&mut rng);
        for direction in Direction::ALL {
            let expected = union(set, |square| naive::walk(square, direction).collect());
            assert_eq!(fill::beyond(set, direction), expected);
        }
    }
}

#[test]
fn piece_reaches_are_unions_of_piece_attacks() {
    let mut rng = Rng::with_seed(12);
    for _ in 0..ROUNDS {
        let (set, occupied) = (random::set(&mut rng), random::set(&mut rng));
        let rooks = union(set, |square| shakmaty::attacks::rook_attacks(square, occupied));
        assert_eq!(fill::rook_reach(set, !occupied), rooks);
        let bishops = union(set, |square| shakmaty::attacks::bishop_attacks(square, occupied));
        assert_eq!(fill::bishop_reach(set, !occupied), bishops);
    }
}

#[test]
fn shifts_move_every_member() {
    let mut rng = Rng::with_seed(13);
    for _ in 0..500 {
        let set = random::set(&mut rng);
        for direction in Direction::ALL {
            let (files, ranks) = naive::delta(direction);
            assert_eq!(direction.delta(), (files, ranks));
            for steps in -9..=9 {
                let expected = set
                    .into_iter()
                    .filter_map(|square| naive::offset(square, (steps * files, steps * ranks)))
                    .collect::<Bitboard>();
                assert_eq!(direction.shift_by(set, steps), expected, "{direction:?} {steps}");
            }
            assert_eq!(direction.shift(set), direction.shift_by(set, 1));
        }
    }
}

#[test]
fn sets_between_sets_are_unions_over_pairs() {
    let mut rng = Rng::with_seed(14);
    for _ in 0..500 {
        let (a, b) = (random::operand(&mut rng), random::operand(&mut rng));
        let expected = union(a, |from| union(b, |to| shakmaty::attacks::between(from, to)));
        assert_eq!(between::between_sets(a, b), expected);
        assert_eq!(between::between_pairs(a, b), expected);
        assert_eq!(between::between_by_fill(a, b), expected);
    }
}

#[test]
fn set_wise_x_rays_look_through_one_blocker() {
    let mut rng = Rng::with_seed(15);
    for _ in 0..2_000 {
        let (sliders, occupied) = (random::set(&mut rng), random::set(&mut rng));
        let blockers = occupied & random::operand(&mut rng);
        for direction in Direction::ALL {
            let expected = union(sliders, |slider| {
                let first = naive::walk(slider, direction).find(|at| occupied.contains(*at));
                match first.filter(|first| blockers.contains(*first)) {
                    Some(first) => naive::view(occupied, first, direction),
                    None => Bitboard::EMPTY,
                }
            });
            let found = xray::xray_attacks(sliders, !occupied, &[blockers], direction);
            assert_eq!(found, expected);
            let seen = xray::xray_attacks(sliders, !occupied, &[], direction);
            assert_eq!(seen, fill::reach(sliders, !occupied, direction));
        }
    }
}

#[test]
fn between_slider_and_target_has_at_most_one_piece_between() {
    let mut rng = Rng::with_seed(16);
    for _ in 0..1_000 {
        let (sliders, targets) = (random::set(&mut rng), random::set(&mut rng));
        let occupied = random::set(&mut rng);
        for direction in Direction::ALL {
            // A square is seen from both ends, whatever is on it.
            let expected = Square::ALL
                .into_iter()
                .filter(|square| {
                    let from_slider = naive::view(occupied, *square, direction.opposite());
                    let from_target = naive::view(occupied, *square, direction);
                    looks_back(occupied, from_slider & sliders, *square)
                        && looks_back(occupied, from_target & targets, *square)
                })
                .collect::<Bitboard>();
            let found = xray::between_slider_and_target(sliders, !occupied, targets, direction);
            assert_eq!(found, expected);
        }
    }
}

/// Returns whether a square is seen from any of the squares, with only empty squares strictly between.
fn looks_back(occupied: Bitboard, squares: Bitboard, square: Square) -> bool {
    squares
        .into_iter()
        .any(|from| naive::between(from, square).is_disjoint(occupied))
}
