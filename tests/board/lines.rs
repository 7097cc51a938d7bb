//! Rays through sets and pins, compared with sections 2.3, 3 and 4 of chapter 04 written down square by square.

use fastrand::Rng;
use shakmaty::{Bitboard, Square};
use skewer::board::pins::{pins, pins_by_fill, pins_by_targets};
use skewer::board::{Board, Direction, DirectionSet, Pins, lines};

use crate::board::reference::lines::xray_by_directions;
use crate::board::{naive, random};

/// Returns the (first, last) squares of all lines through the sets. Each next square is in the direction, with only empty squares strictly between.
fn naive_lines(
    board: &Board,
    directions: DirectionSet,
    sliders_first: bool,
    sets: &[Bitboard],
) -> Vec<(Square, Square)> {
    let mut found = Vec::new();
    for direction in directions {
        for first in sets[0] {
            let slides = board
                .piece_at(first)
                .is_some_and(|piece| naive::slides(piece.role, direction));
            if !sliders_first || slides {
                let mut ends = Vec::new();
                follow(board, direction, first, &sets[1..], &mut ends);
                found.extend(ends.into_iter().map(|last| (first, last)));
            }
        }
    }
    found
}

fn follow(board: &Board, direction: Direction, from: Square, sets: &[Bitboard], ends: &mut Vec<Square>) {
    let Some((next, rest)) = sets.split_first() else {
        ends.push(from);
        return;
    };
    for to in naive::view(board.occupied(), from, direction) & *next {
        follow(board, direction, to, rest, ends);
    }
}

/// Returns sets as queries have them: pieces of one kind, all squares, or any squares.
fn sets(rng: &mut Rng, board: &Board) -> Vec<Bitboard> {
    (0..rng.usize(1..=4))
        .map(|_| match rng.u8(..6) {
            0 => board.colors.white,
            1 => board.colors.black,
            2 => board.occupied(),
            3 => board.roles.king,
            _ => random::operand(rng),
        })
        .collect()
}

#[test]
fn lines_through_sets_are_found_by_both_ends() {
    let mut rng = Rng::with_seed(30);
    let mut with_lines = 0;
    for _ in 0..4_000 {
        let board = random::board(&mut rng);
        let sets = sets(&mut rng, &board);
        let directions = random::directions(&mut rng);
        for (directions, sliders_first) in [(directions, false), (DirectionSet::ALL, true)] {
            let expected = naive_lines(&board, directions, sliders_first, &sets);
            with_lines += usize::from(!expected.is_empty());
            let first = expected.iter().map(|line| line.0).collect::<Bitboard>();
            let last = expected.iter().map(|line| line.1).collect::<Bitboard>();
            if sliders_first {
                assert_eq!(lines::xray_origins(&board, &sets), first);
                assert_eq!(lines::xray(&board, &sets), last);
                assert_eq!(xray_by_directions(&board, &sets), last);
            } else {
                assert_eq!(lines::ray_origins(&board, directions, &sets), first);
                assert_eq!(lines::ray(&board, directions, &sets), last);
            }
        }
    }
    assert!(with_lines > 2_000, "only {with_lines} boards have lines");
}

#[test]
fn no_sets_and_empty_sets_have_no_lines() {
    let board = Board::from(&shakmaty::Board::default());
    let full = Bitboard::FULL;
    for sets in [
        &[][..],
        &[Bitboard::EMPTY],
        &[full, Bitboard::EMPTY],
        &[Bitboard::EMPTY, full],
    ] {
        assert_eq!(lines::ray(&board, DirectionSet::ALL, sets), Bitboard::EMPTY);
        assert_eq!(lines::ray_origins(&board, DirectionSet::ALL, sets), Bitboard::EMPTY);
        assert_eq!(lines::xray(&board, sets), Bitboard::EMPTY);
        assert_eq!(lines::xray_origins(&board, sets), Bitboard::EMPTY);
    }
}

/// Game 11 of the spec's examples in section 3: white Qd2 Rd3 Rd4, black Pd7 Rd8.
#[test]
fn examples_of_the_spec_hold() {
    let board: Board = "3r4/3p4/8/8/3R4/3R4/3Q4/8".parse().expect("a board");
    let (queen, rooks) = (board.roles.queen, board.roles.rook & board.colors.white);
    let (pawn, black_rook) = (board.roles.pawn, board.roles.rook & board.colors.black);
    let up = DirectionSet::from(Direction::North);
    let ray_up = |sets: &[Bitboard]| lines::ray(&board, up, sets);
    let any = Bitboard::FULL;
    assert_eq!(ray_up(&[queen, rooks, black_rook]), Bitboard::EMPTY);
    assert_eq!(ray_up(&[queen, rooks, rooks, pawn, black_rook]), Square::D8.into());
    assert_eq!(ray_up(&[queen, any, any, any, black_rook]), Square::D8.into());
    assert_eq!(ray_up(&[queen, rooks, rooks]), Square::D4.into());
    let sliders = queen | rooks;
    assert_eq!(ray_up(&[sliders, sliders]), rooks);
}

/// Finds the triples of section 4 by looking at all pairs of a slider and a target.
fn naive_pins(board: &Board, from: Bitboard, through: Bitboard, to: Bitboard) -> Pins {
    let mut pins = Pins::default();
    for slider in from {
        let Some(piece) = board.piece_at(slider) else { continue };
        for direction in Direction::ALL {
            if !naive::slides(piece.role, direction) {
                continue;
            }
            for target in naive::walk(slider, direction).filter(|target| to.contains(*target)) {
                let of_own_color = |square| board.piece_at(square).is_some_and(|other| other.color == piece.color);
                let pieces = naive::between(slider, target) & board.occupied();
                if let Some(pinned) = pieces.single_square()
                    && through.contains(pinned)
                    && !of_own_color(pinned)
                    && !of_own_color(target)
                {
                    pins.from.add(slider);
                    pins.through.add(pinned);
                    pins.to.add(target);
                }
            }
        }
    }
    pins
}

#[test]
fn pins_are_sliders_one_piece_and_a_square_behind() {
    let mut rng = Rng::with_seed(31);
    let mut with_pins = 0;
    for round in 0..4_000 {
        let board = random::board(&mut rng);
        // Usually all pins, otherwise those between random sets.
        let (from, through) = match round % 3 {
            0 | 1 => (Bitboard::FULL, Bitboard::FULL),
            _ => (random::operand(&mut rng), random::operand(&mut rng)),
        };
        let to = if round % 2 == 0 {
            board.roles.king
        } else {
            random::operand(&mut rng)
        };
        let expected = naive_pins(&board, from, through, to);
        with_pins += usize::from(expected.from.any());
        assert_eq!(pins(&board, from, through, to), expected);
        assert_eq!(pins_by_targets(&board, from, through, to), expected);
        assert_eq!(pins_by_fill(&board, from, through, to), expected);
    }
    assert!(with_pins > 500, "only {with_pins} boards have pins");
}
