//! Intersection squares, compared with a search over the whole board.

use fastrand::Rng;
use shakmaty::{Bitboard, Square};
use skewer::board::intersection::intersection_squares;
use skewer::board::{DirectionSet, Line};

use crate::board::random;
use crate::board::reference::intersection::intersection;

/// Returns a number that all squares of a line have in common.
fn line_number(line: Line, square: Square) -> i32 {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    match line {
        Line::Rank => rank,
        Line::File => file,
        Line::Diagonal => rank - file,
        Line::AntiDiagonal => rank + file,
    }
}

/// Returns the two directions of a kind of lines.
fn kind(line: Line) -> DirectionSet {
    line.directions().into_iter().collect()
}

fn crossings(line_a: Line, a: Square, line_b: Line, b: Square) -> Vec<Square> {
    if line_a == line_b {
        return Vec::new();
    }
    Square::ALL
        .into_iter()
        .filter(|square| line_number(line_a, *square) == line_number(line_a, a))
        .filter(|square| line_number(line_b, *square) == line_number(line_b, b))
        .collect()
}

#[test]
fn all_pairs_of_lines_through_all_pairs_of_squares_cross_where_a_search_finds_it() {
    for line_a in Line::ALL {
        for line_b in Line::ALL {
            for a in Square::ALL {
                for b in Square::ALL {
                    let found = intersection(line_a, a, line_b, b);
                    let expected = crossings(line_a, a, line_b, b);
                    assert!(
                        found.into_iter().eq(expected),
                        "{line_a:?} {a} {line_b:?} {b}: {found:?}"
                    );
                    let squares = intersection_squares(kind(line_a), a.into(), kind(line_b), b.into());
                    assert_eq!(squares, Bitboard::from_iter(found));
                }
            }
        }
    }
}

#[test]
fn intersections_of_sets_are_unions_over_pairs() {
    let mut rng = Rng::with_seed(40);
    for _ in 0..300 {
        let (a, b) = (random::operand(&mut rng), random::set(&mut rng));
        let mut all = Bitboard::EMPTY;
        for line_a in Line::ALL {
            for line_b in Line::ALL {
                let expected = a
                    .into_iter()
                    .flat_map(|a| b.into_iter().filter_map(move |b| intersection(line_a, a, line_b, b)))
                    .collect::<Bitboard>();
                let found = intersection_squares(kind(line_a), a, kind(line_b), b);
                assert_eq!(found, expected, "{line_a:?} {line_b:?}");
                all |= expected;
            }
        }
        assert_eq!(intersection_squares(DirectionSet::ALL, a, DirectionSet::ALL, b), all);
    }
}
