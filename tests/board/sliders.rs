//! Rays, line and piece attacks, x-rays and in-between sets of single squares.

use fastrand::Rng;
use shakmaty::{Bitboard, Square, attacks};
use skewer::board::{Direction, DirectionSet, between, rays, sliders, xray};

use crate::board::reference::square0x88::difference;
use crate::board::reference::{self, rays as other_rays, sliders as other, xray as other_xray};
use crate::board::{naive, random};

const OCCUPANCIES: usize = 10_000;

#[test]
fn rays_of_the_empty_board_go_to_the_edge() {
    for square in Square::ALL {
        for direction in Direction::ALL {
            let expected = naive::walk(square, direction).collect::<Bitboard>();
            assert_eq!(rays::ray(direction, square), expected, "{square} {direction:?}");
        }
    }
}

#[test]
fn all_ray_attacks_are_the_queens_attacks_on_the_ray() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..OCCUPANCIES {
        let occupied = random::set(&mut rng);
        for square in Square::ALL {
            let queen = attacks::queen_attacks(square, occupied);
            for direction in Direction::ALL {
                let expected = queen & rays::ray(direction, square);
                assert_eq!(
                    other_rays::generalised_branchless(occupied, direction, square),
                    expected
                );
                assert_eq!(other_rays::conditional(occupied, direction, square), expected);
                assert_eq!(
                    other_rays::generalised_conditional(occupied, direction, square),
                    expected
                );
                assert_eq!(other_rays::branchless(occupied, direction, square), expected);
                assert_eq!(other_rays::zero_count(occupied, direction, square), expected);
            }
        }
    }
}

#[test]
fn ray_attacks_are_what_a_walk_sees() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..500 {
        let occupied = random::set(&mut rng);
        for square in Square::ALL {
            for direction in Direction::ALL {
                let expected = naive::view(occupied, square, direction);
                assert_eq!(
                    other_rays::generalised_branchless(occupied, direction, square),
                    expected
                );
            }
        }
    }
}

#[test]
fn line_and_piece_attacks_agree_with_shakmaty() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..OCCUPANCIES {
        let occupied = random::set(&mut rng);
        for square in Square::ALL {
            let rook = attacks::rook_attacks(square, occupied);
            let bishop = attacks::bishop_attacks(square, occupied);
            let (rank, file) = (
                other::rank_attacks(occupied, square),
                other::file_attacks(occupied, square),
            );
            let diagonal = other::diagonal_attacks(occupied, square);
            let antidiagonal = other::antidiagonal_attacks(occupied, square);

            assert_eq!(rank, rook & square.rank());
            assert_eq!(file, rook & square.file());
            assert_eq!(diagonal | antidiagonal, bishop);
            assert!(diagonal.is_disjoint(antidiagonal));
            assert_eq!(other::rank_attacks_of_rook(occupied, square), rank);
            assert_eq!(other::file_attacks_of_rook(occupied, square), file);
            assert_eq!(other::diagonal_attacks_of_bishop(occupied, square), diagonal);

            assert_eq!(sliders::rook_attacks(occupied, square), rook);
            assert_eq!(other::rook_attacks_by_lines(occupied, square), rook);
            assert_eq!(other::rook_attacks_in_one_run(occupied, square), rook);
            assert_eq!(sliders::bishop_attacks(occupied, square), bishop);
            assert_eq!(other::bishop_attacks_by_lines(occupied, square), bishop);
            assert_eq!(other::bishop_attacks_in_one_run(occupied, square), bishop);
        }
    }
    for square in Square::ALL {
        assert_eq!(
            sliders::rook_lines(square),
            attacks::rook_attacks(square, Bitboard::EMPTY)
        );
        assert_eq!(
            sliders::bishop_lines(square),
            attacks::bishop_attacks(square, Bitboard::EMPTY)
        );
    }
}

/// Finds what is seen through the first piece of each ray if it is a blocker, by walking.
fn xray_by_walking(
    occupied: Bitboard,
    blockers: Bitboard,
    square: Square,
    directions: impl IntoIterator<Item = Direction>,
) -> Bitboard {
    let mut behind = Bitboard::EMPTY;
    for direction in directions {
        let first = naive::walk(square, direction).find(|at| occupied.contains(*at));
        if let Some(first) = first.filter(|first| blockers.contains(*first)) {
            behind |= naive::view(occupied, first, direction);
        }
    }
    behind
}

#[test]
fn x_rays_begin_behind_the_first_blocker() {
    let mut rng = Rng::with_seed(4);
    for round in 0..OCCUPANCIES {
        let occupied = random::set(&mut rng);
        let blockers = random::operand(&mut rng);
        for square in Square::ALL {
            let rook = xray::xray_rook_attacks(occupied, blockers, square);
            let bishop = xray::xray_bishop_attacks(occupied, blockers, square);
            let by_rays = |directions| other_xray::xray_by_rays(occupied, blockers, square, directions);
            assert_eq!(rook, by_rays(DirectionSet::ORTHOGONAL));
            assert_eq!(bishop, by_rays(DirectionSet::DIAGONAL));
            assert_eq!(
                other_xray::xray_rank_attacks(occupied, blockers, square),
                by_rays(DirectionSet::HORIZONTAL)
            );
            assert_eq!(
                other_xray::xray_file_attacks(occupied, blockers, square),
                by_rays(DirectionSet::VERTICAL)
            );
            if round < 200 {
                assert_eq!(
                    rook | bishop,
                    xray_by_walking(occupied, blockers, square, Direction::ALL)
                );
            }
        }
    }
}

#[test]
fn in_between_sets_agree_with_shakmaty() {
    for a in Square::ALL {
        for b in Square::ALL {
            let expected = naive::between(a, b);
            assert_eq!(expected, attacks::between(a, b));
            assert_eq!(between::between(a, b), expected, "{a} {b}");
            assert_eq!(reference::between::triangular(a, b), expected, "{a} {b}");
            assert_eq!(reference::between::by_0x88_difference(a, b), expected, "{a} {b}");
            assert_eq!(reference::between::calculated(a, b), expected, "{a} {b}");
        }
    }
}

#[test]
fn equal_0x88_differences_are_equal_distances() {
    let distance = |from: usize, to: usize| (to as i32 % 8 - from as i32 % 8, to as i32 / 8 - from as i32 / 8);
    let mut seen = [None; 240];
    for from in 0..64 {
        for to in 0..64 {
            let expected = *seen[difference(from, to)].get_or_insert(distance(from, to));
            assert_eq!(distance(from, to), expected);
        }
    }
    assert_eq!(seen.iter().flatten().count(), 225);
}
