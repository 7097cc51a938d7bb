//! Attacks to and from squares and sets, compared with the attacks of each piece.

use fastrand::Rng;
use shakmaty::{Bitboard, Color, Role, Square, attacks};
use skewer::board::{Board, attacked};

use crate::board::reference::attacked as other;
use crate::board::{naive, random};

const BOARDS: usize = 2_000;

/// Returns the squares of the pieces whose attacks meet the targets.
fn naive_attackers(board: &Board, targets: Bitboard) -> Bitboard {
    board
        .occupied()
        .into_iter()
        .filter(|square| naive::attacks(board, *square).intersects(targets))
        .collect()
}

#[test]
fn leaper_fills_are_unions_of_attacks() {
    let mut rng = Rng::with_seed(20);
    for _ in 0..10_000 {
        let set = random::set(&mut rng);
        let union =
            |of: &dyn Fn(Square) -> Bitboard| set.into_iter().fold(Bitboard::EMPTY, |all, square| all | of(square));
        assert_eq!(attacked::knight_fill(set), union(&attacks::knight_attacks));
        assert_eq!(attacked::king_fill(set), union(&attacks::king_attacks));
        for color in Color::ALL {
            assert_eq!(
                attacked::pawn_fill(color, set),
                union(&|square| attacks::pawn_attacks(color, square))
            );
        }
    }
}

#[test]
fn attacks_to_a_square_are_those_of_the_pieces_that_attack_it() {
    let mut rng = Rng::with_seed(21);
    for _ in 0..200 {
        let board = random::board(&mut rng);
        for square in Square::ALL {
            assert_eq!(attacked::attacks_from(&board, square), naive::attacks(&board, square));
            let expected = naive_attackers(&board, square.into());
            assert_eq!(attacked::attacks_to(&board, board.occupied(), square), expected);
            for color in Color::ALL {
                let (side, occupied) = (*board.colors.get(color), board.occupied());
                let by_color = expected.intersects(side);
                assert_eq!(attacked::attacked(&board, side, color, occupied, square), by_color);
                assert_eq!(other::attacked_by_tables(&board, occupied, square, color), by_color);
            }
        }
    }
}

#[test]
fn attacks_to_a_square_agree_with_shakmaty_in_any_occupancy() {
    let mut rng = Rng::with_seed(22);
    for _ in 0..10_000 {
        let board = random::board(&mut rng);
        let occupied = random::set(&mut rng);
        let theirs = shakmaty::Board::try_from_bitboards(board.roles, board.colors).expect("the sets are consistent");
        let square = random::square(&mut rng);
        let expected =
            theirs.attacks_to(square, Color::White, occupied) | theirs.attacks_to(square, Color::Black, occupied);
        assert_eq!(attacked::attacks_to(&board, occupied, square), expected);
    }
}

#[test]
fn single_attacks_agree_with_shakmaty() {
    let mut rng = Rng::with_seed(23);
    for round in 0..10_000 {
        let occupied = random::set(&mut rng);
        // Each occupancy is tested with one first square and all second squares, so all pairs are tested with many occupancies.
        let from = Square::ALL[round % 64];
        for role in Role::ALL {
            for color in Color::ALL {
                let piece = role.of(color);
                let attacks = attacks::attacks(from, piece, occupied);
                for to in Square::ALL {
                    let expected = attacks.contains(to);
                    assert_eq!(
                        other::is_attacked(from, to, piece, occupied),
                        expected,
                        "{piece:?} {from} {to}"
                    );
                }
            }
        }
    }
}

#[test]
fn no_piece_attacks_on_an_empty_board_what_it_does_not_attack() {
    for from in Square::ALL {
        for role in Role::ALL {
            for color in Color::ALL {
                let attacks = attacks::attacks(from, role.of(color), Bitboard::EMPTY);
                for to in Square::ALL {
                    let found = other::is_attacked(from, to, role.of(color), Bitboard::EMPTY);
                    assert_eq!(found, attacks.contains(to), "{role:?} {from} {to}");
                }
            }
        }
    }
}

#[test]
fn attackers_of_a_set_are_the_pieces_whose_attacks_meet_it() {
    let mut rng = Rng::with_seed(24);
    for _ in 0..BOARDS {
        let board = random::board(&mut rng);
        let (candidates, targets) = (random::operand(&mut rng), random::operand(&mut rng));
        let expected = naive_attackers(&board, targets);
        assert_eq!(attacked::attackers_among(&board, Bitboard::FULL, targets), expected);
        assert_eq!(
            attacked::attackers_among(&board, candidates, targets),
            candidates & expected
        );
        assert_eq!(other::attackers_by_fill(&board, targets), expected);
        assert_eq!(other::attackers_by_targets(&board, targets), expected);
        let none = attacked::attackers_among(&board, Bitboard::FULL, Bitboard::EMPTY);
        assert_eq!(none, Bitboard::EMPTY);
    }
}

#[test]
fn one_piece_and_one_square_are_asked_like_sets() {
    let mut rng = Rng::with_seed(27);
    for _ in 0..200 {
        let board = random::board(&mut rng);
        for from in board.occupied() {
            let attacks = naive::attacks(&board, from);
            for to in Square::ALL {
                let (attacker, target) = (Bitboard::from(from), Bitboard::from(to));
                let attackers = attacked::attackers_among(&board, attacker, target);
                assert_eq!(
                    attackers,
                    if attacks.contains(to) {
                        attacker
                    } else {
                        Bitboard::EMPTY
                    }
                );
                let targets = attacked::attacked_among(&board, target, attacker);
                assert_eq!(targets, target & attacks);
            }
        }
    }
}

#[test]
fn squares_attacked_by_a_set_are_the_attacks_of_its_men() {
    let mut rng = Rng::with_seed(25);
    for _ in 0..BOARDS {
        let board = random::board(&mut rng);
        let (squares, attackers) = (random::operand(&mut rng), random::operand(&mut rng));
        let expected = attackers
            .into_iter()
            .fold(Bitboard::EMPTY, |all, square| all | naive::attacks(&board, square));
        assert_eq!(attacked::attacked_by_set(&board, attackers), expected);
        assert_eq!(attacked::attacked_among(&board, squares, attackers), squares & expected);
        assert_eq!(other::attacked_by_fill(&board, attackers), expected);
        assert_eq!(other::attacked_by_members(&board, attackers), expected);
        assert_eq!(
            attacked::attacked_among(&board, Bitboard::EMPTY, attackers),
            Bitboard::EMPTY
        );
    }
}

#[test]
fn both_ways_of_attacking_sets_hold_for_boards_full_of_sliders() {
    let mut rng = Rng::with_seed(26);
    for _ in 0..BOARDS {
        let mut board = Board::default();
        for square in random::set(&mut rng) {
            let role = [Role::Bishop, Role::Rook, Role::Queen][rng.usize(..3)];
            board.roles.get_mut(role).add(square);
            board.colors.get_mut(Color::ALL[rng.usize(..2)]).add(square);
        }
        let set = random::set(&mut rng);
        let attackers = attacked::attackers_among(&board, Bitboard::FULL, set);
        assert_eq!(attackers, naive_attackers(&board, set));
        for candidates in [board.roles.bishop, board.roles.rook, board.colors.white] {
            let expected = candidates & naive_attackers(&board, set);
            assert_eq!(attacked::attackers_among(&board, candidates, set), expected);
        }
        assert_eq!(
            attacked::attacked_by_set(&board, set),
            other::attacked_by_members(&board, set)
        );
    }
}
