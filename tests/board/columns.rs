//! Boards side by side, compared with the same functions on each single board.

use fastrand::Rng;
use shakmaty::{Bitboard, Color, Role, Square};
use skewer::board::columns::{Boards, Column, LANES, Movers, are_in_line, beyond, reach, shifted};
use skewer::board::{Board, Direction, DirectionSet, attacked, fill, lines, pawns};
use skewer::chess::in_check;

use crate::board::random;

const ROUNDS: usize = 100;

/// Random boards, and a random set of squares for each.
struct Sample {
    boards: Vec<Board>,
    side_by_side: Boards,
    sets: [Column; 3],
}

impl Sample {
    fn new(rng: &mut Rng) -> Sample {
        let boards: Vec<Board> = (0..LANES).map(|_| random::board(rng)).collect();
        let side_by_side = boards.iter().copied().collect();
        let mut set = || {
            let sets: Vec<Bitboard> = (0..LANES).map(|_| random::operand(rng)).collect();
            Column::from_lanes(|lane| sets[lane])
        };
        let sets = [set(), set(), set()];
        Sample {
            boards,
            side_by_side,
            sets,
        }
    }

    /// Asserts that each lane of a column is the same as on the single board.
    fn assert(&self, found: Column, alone: impl Fn(&Board, [Bitboard; 3]) -> Bitboard) {
        for (lane, board) in self.boards.iter().enumerate() {
            assert_eq!(
                found.lane(lane),
                alone(board, self.sets.map(|set| set.lane(lane))),
                "{board:?}"
            );
        }
    }
}

#[test]
fn boards_keep_their_lanes() {
    let mut rng = Rng::with_seed(40);
    let Sample {
        boards, side_by_side, ..
    } = &Sample::new(&mut rng);
    for (lane, board) in boards.iter().enumerate() {
        assert_eq!(side_by_side.board(lane), *board);
        assert_eq!(side_by_side.occupied().lane(lane), board.occupied());
        for color in Color::ALL {
            for role in Role::ALL {
                assert_eq!(side_by_side.pieces(color, role).lane(lane), board.pieces(color, role));
            }
        }
    }
    let few = Boards::from_iter(boards.iter().copied().take(3));
    assert_eq!(few.board(2), boards[2]);
    assert_eq!(few.board(3), Board::default(), "lanes without a board are empty");
}

/// Limits on the number of squares that can be tested without counting, and others.
const LIMITS: [(u32, u32); 7] = [(0, 0), (1, u32::MAX), (1, 1), (2, u32::MAX), (0, 1), (2, 2), (1, 0)];

#[test]
fn lanes_are_those_where_it_holds() {
    let mut rng = Rng::with_seed(41);
    for _ in 0..ROUNDS {
        let [left, right, _] = Sample::new(&mut rng).sets;
        let (least, most) = (rng.u32(..6), rng.u32(..66));
        let mut few = Column::default();
        for lane in 0..LANES {
            let squares = 0..rng.usize(..4);
            let random = squares.map(|_| Square::new(rng.u32(..64)));
            few = few | Column::full(1 << lane) & Column::same(random.collect());
        }
        let found = LIMITS.map(|(least, most)| few.count_within(least, most));
        for lane in 0..LANES {
            let holds = |lanes: u16| lanes >> lane & 1 == 1;
            let (a, b) = (left.lane(lane), right.lane(lane));
            let count = a.count() as u32;
            assert_eq!(holds(left.any()), a.any());
            assert_eq!(holds(left.count_within(least, most)), least <= count && count <= most);
            assert_eq!(holds(left.equals(&right)), a == b);
            assert_eq!(holds(left.is_within(&right)), a.is_subset(b));
            assert!(holds(left.equals(&left)));
            assert!(holds((left & right).is_within(&left)));
            assert!(holds(left.count_within(0, u32::MAX)));
            let few = few.lane(lane).count() as u32;
            for ((least, most), found) in LIMITS.into_iter().zip(found) {
                assert_eq!(
                    holds(found),
                    least <= few && few <= most,
                    "{few} squares, {least} to {most}"
                );
            }
            assert_eq!((left | right).lane(lane), a | b);
            assert_eq!((!left).lane(lane), !a);
            let places = rng.i8(-63..64);
            let moved = match places {
                0.. => a.0 << places,
                _ => a.0 >> places.unsigned_abs(),
            };
            assert_eq!(left.moved(places).lane(lane), Bitboard(moved));
        }
    }
}

#[test]
fn fills_and_lines_are_those_of_each_board() {
    let mut rng = Rng::with_seed(42);
    for _ in 0..ROUNDS {
        let sample = Sample::new(&mut rng);
        let [first, second, third] = sample.sets;
        for direction in Direction::ALL {
            sample.assert(reach(&first, &second, direction), |_, [set, empty, _]| {
                fill::reach(set, empty, direction)
            });
            sample.assert(beyond(&first, direction), |_, [set, ..]| fill::beyond(set, direction));
            sample.assert(shifted(&first, direction), |_, [set, ..]| direction.shift(set));
        }
        for (kinds, straight, diagonal) in [
            (DirectionSet::ALL, true, true),
            (DirectionSet::ORTHOGONAL, true, false),
            (DirectionSet::DIAGONAL, false, true),
            (DirectionSet::EMPTY, false, false),
        ] {
            let others = second & !first;
            let found = are_in_line(|lane| first.lane(lane), |lane| others.lane(lane), straight, diagonal);
            sample.assert(Column::full(found), |_, [set, other, _]| {
                let mut beyond = kinds.iter().map(|direction| fill::beyond(other & !set, direction));
                let is_in_line = beyond.any(|squares| (squares & set).any());
                if is_in_line { Bitboard::FULL } else { Bitboard::EMPTY }
            });
        }
        let directions = random::directions(&mut rng);
        let boards = &sample.side_by_side;
        let empty = boards.empty();
        let sets = [first, second, third];
        for count in 1..=3 {
            sample.assert(
                boards.seen_last(directions, false, &sets[..count], &empty),
                |board, sets| lines::ray(board, directions, &sets[..count]),
            );
            sample.assert(
                boards.seen_first(directions, false, &sets[..count], &empty),
                |board, sets| lines::ray_origins(board, directions, &sets[..count]),
            );
            let everywhere = DirectionSet::ALL;
            sample.assert(
                boards.seen_last(everywhere, true, &sets[..count], &empty),
                |board, sets| lines::xray(board, &sets[..count]),
            );
            sample.assert(
                boards.seen_first(everywhere, true, &sets[..count], &empty),
                |board, sets| lines::xray_origins(board, &sets[..count]),
            );
        }
        assert_eq!(boards.seen_last(directions, false, &[], &empty), Column::default());
        assert_eq!(boards.seen_first(directions, false, &[], &empty), Column::default());
    }
}

#[test]
fn attacks_are_those_of_each_board() {
    let mut rng = Rng::with_seed(43);
    for _ in 0..ROUNDS {
        let sample = Sample::new(&mut rng);
        let (boards, [first, second, _]) = (&sample.side_by_side, sample.sets);
        let empty = boards.empty();
        sample.assert(
            boards.attackers_among(first, second, Movers::ALL, &empty),
            |board, [from, to, _]| attacked::attackers_among(board, from, to),
        );
        sample.assert(
            boards.attacked_by_set(first, Movers::ALL, &empty),
            |board, [from, ..]| attacked::attacked_by_set(board, from),
        );
        for bits in 0..8 {
            let movers = Movers {
                leapers: bits & 1 != 0,
                diagonal: bits & 2 != 0,
                straight: bits & 4 != 0,
            };
            // Queens move in both ways, so they are left out.
            let moving = |board: &Board| {
                let kinds = [
                    (movers.leapers, board.roles.pawn | board.roles.knight | board.roles.king),
                    (movers.diagonal, board.roles.bishop),
                    (movers.straight, board.roles.rook),
                ];
                let asked = kinds.into_iter().filter(|(is_asked, _)| *is_asked);
                asked.fold(Bitboard::EMPTY, |all, (_, pieces)| all | pieces)
            };
            let no_queens = first & !boards.roles.queen;
            sample.assert(
                boards.attackers_among(no_queens, second, movers, &empty),
                |board, [from, to, _]| attacked::attackers_among(board, from & moving(board), to),
            );
            sample.assert(
                boards.attacked_by_set(no_queens, movers, &empty),
                |board, [from, ..]| attacked::attacked_by_set(board, from & moving(board)),
            );
        }
    }
}

#[test]
fn checks_are_those_of_each_board() {
    let mut rng = Rng::with_seed(45);
    let mut checks = 0;
    for _ in 0..ROUNDS {
        let Sample {
            boards, side_by_side, ..
        } = &Sample::new(&mut rng);
        let white_to_move = rng.u16(..);
        let found = side_by_side.in_check(white_to_move);
        for (lane, board) in boards.iter().enumerate() {
            let turn = if white_to_move >> lane & 1 == 1 {
                Color::White
            } else {
                Color::Black
            };
            assert_eq!(found >> lane & 1 == 1, in_check(board, turn), "{turn} {board:?}");
        }
        checks += found.count_ones();
    }
    assert!(checks > 0, "no board has a check");
}

#[test]
fn pawns_are_those_of_each_board() {
    let mut rng = Rng::with_seed(44);
    let sample = Sample::new(&mut rng);
    for structure in [pawns::passed, pawns::isolated, pawns::doubled, pawns::connected] {
        sample.assert(sample.side_by_side.map(structure), |board, _| structure(board));
    }
}
