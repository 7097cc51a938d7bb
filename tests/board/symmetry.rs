//! Symmetries and shifts, compared with their coordinates.

use fastrand::Rng;
use shakmaty::{Bitboard, File, Rank, Square};
use skewer::board::symmetry::shift_with_full_lines;
use skewer::board::{Direction, Symmetry};

use crate::board::{naive, random};

/// Returns the coordinates of section 6.2.
fn image(symmetry: Symmetry, x: u32, y: u32) -> (u32, u32) {
    match symmetry.name() {
        "" => (x, y),
        "reflect_v" => (7 - x, y),
        "reflect_h" => (x, 7 - y),
        "rotate180" => (7 - x, 7 - y),
        "reflect_a1h8" => (y, x),
        "reflect_a8h1" => (7 - y, 7 - x),
        "counterclockwise90" => (7 - y, x),
        "clockwise90" => (y, 7 - x),
        name => panic!("no symmetry is called {name}"),
    }
}

#[test]
fn squares_go_where_their_coordinates_say() {
    for symmetry in Symmetry::ALL {
        for square in Square::ALL {
            let (x, y) = image(symmetry, square.file().to_u32(), square.rank().to_u32());
            let expected = Square::from_coords(File::new(x), Rank::new(y));
            assert_eq!(symmetry.square(square), expected, "{symmetry:?} {square}");
            assert_eq!(
                symmetry.exchanges_square_colors(),
                square.is_light() != expected.is_light()
            );
        }
    }
}

#[test]
fn sets_and_directions_follow_the_squares() {
    let mut rng = Rng::with_seed(60);
    for symmetry in Symmetry::ALL {
        for _ in 0..100 {
            let set = random::set(&mut rng);
            let expected = set
                .into_iter()
                .map(|square| symmetry.square(square))
                .collect::<Bitboard>();
            assert_eq!(symmetry.set(set), expected);
        }
        for direction in Direction::ALL {
            let end = naive::offset(Square::D4, naive::delta(direction)).expect("d4 has eight neighbours");
            let turned = naive::offset(symmetry.square(Square::D4), naive::delta(symmetry.direction(direction)));
            assert_eq!(turned, Some(symmetry.square(end)), "{symmetry:?} {direction:?}");
        }
        let directions = random::directions(&mut rng);
        for direction in Direction::ALL {
            let image = symmetry.direction(direction);
            assert_eq!(
                symmetry.directions(directions).contains(image),
                directions.contains(direction)
            );
        }
    }
}

#[test]
fn symmetries_compose_as_they_act() {
    for first in Symmetry::ALL {
        assert_eq!(first.then(first.inverse()), Symmetry::Identity);
        for second in Symmetry::ALL {
            for square in Square::ALL {
                let both = second.square(first.square(square));
                assert_eq!(first.then(second).square(square), both, "{first:?} {second:?}");
            }
        }
    }
}

#[test]
fn eight_turns_of_a_direction_are_counterclockwise() {
    let turns = [
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
        (0, -1),
        (1, -1),
        (1, 0),
    ];
    for (times, delta) in (0..).zip(turns) {
        assert_eq!(Direction::East.rotate45(times).delta(), delta);
    }
}

/// Takes one step of section 6.2. Squares that leave the board disappear, but complete lines stay.
fn naive_step(set: Bitboard, delta: (i32, i32), lines: &[Bitboard]) -> Bitboard {
    let moved = set
        .into_iter()
        .filter_map(|square| naive::offset(square, delta))
        .collect::<Bitboard>();
    lines
        .iter()
        .filter(|line| set.is_superset(**line))
        .fold(moved, |set, line| set | *line)
}

fn naive_shift(mut set: Bitboard, dx: i32, dy: i32) -> Bitboard {
    let files = File::ALL.map(Bitboard::from);
    let ranks = Rank::ALL.map(Bitboard::from);
    for _ in 0..dy.abs() {
        set = naive_step(set, (0, dy.signum()), &files);
    }
    for _ in 0..dx.abs() {
        set = naive_step(set, (dx.signum(), 0), &ranks);
    }
    set
}

#[test]
fn shifts_keep_complete_lines() {
    let mut rng = Rng::with_seed(61);
    for _ in 0..40 {
        // Half of the sets include a random rank or file, so that complete lines occur.
        let rank = Bitboard::from(random::square(&mut rng).rank());
        let file = Bitboard::from(random::square(&mut rng).file());
        let lines = [Bitboard::EMPTY, rank, file, rank | file, Bitboard::FULL];
        let set = random::set(&mut rng) & random::set(&mut rng) | lines[rng.usize(..5)];
        for dx in -7..=7 {
            for dy in -7..=7 {
                assert_eq!(
                    shift_with_full_lines(set, dx, dy),
                    naive_shift(set, dx, dy),
                    "{set:?} {dx} {dy}"
                );
            }
        }
    }
    assert_eq!(
        shift_with_full_lines(Bitboard::FULL, i32::MIN, i32::MAX),
        Bitboard::FULL
    );
}
