//! Benchmarks of the forms of each routine of the board module.
//!
//! Each group is a question and each line is one form. An iteration calls the form for all positions of a sample, so the time
//! divided by the number of items is the time of one call. `docs/board-variants.md` has the results.

use std::sync::LazyLock;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use fastrand::Rng;
use shakmaty::{Chess, Position};
use skewer::board::attacked::{attacked, attacked_by_set, attackers_among, attacks_from};
use skewer::board::columns::{Boards, LANES, Movers};
use skewer::board::intersection::intersection_squares;
use skewer::board::{Bitboard, Board, Color, Direction, DirectionSet, Line, Role, Square};
use skewer::board::{between, fill, lines, pins, sliders, xray};

#[path = "../tests/board/reference/mod.rs"]
mod reference;

fn main() {
    divan::main();
}

/// The arguments of a routine: a position, two squares and a direction.
struct Sample {
    board: Board,
    occupied: Bitboard,
    a: Square,
    b: Square,
    direction: Direction,
}

/// The number of samples. Branch predictors learn a few thousand samples by heart, which favours the forms with branches.
const SAMPLES: usize = 1 << 16;

/// Positions of random games, with random squares. They are the same in every run.
static SAMPLE: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let mut rng = Rng::with_seed(2024);
    let mut samples = Vec::with_capacity(SAMPLES);
    while samples.len() < SAMPLES {
        for board in random_game(&mut rng) {
            samples.push(Sample {
                board,
                occupied: board.occupied(),
                a: Square::ALL[rng.usize(..64)],
                b: Square::ALL[rng.usize(..64)],
                direction: Direction::ALL[rng.usize(..8)],
            });
        }
    }
    samples.truncate(SAMPLES);
    samples
});

/// Returns the boards of up to 100 random moves. Captures are preferred, so that endgames occur.
fn random_game(rng: &mut Rng) -> Vec<Board> {
    let mut position = Chess::default();
    let mut boards = Vec::new();
    for _ in 0..rng.usize(..100) {
        let captures = position.capture_moves();
        let moves = if captures.is_empty() || rng.u8(..3) > 0 {
            position.legal_moves()
        } else {
            captures
        };
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[rng.usize(..moves.len())]);
        boards.push(Board::from(position.board()));
    }
    boards
}

/// Measures one form on all samples.
fn ask<T>(bencher: Bencher<'_, '_>, routine: impl Fn(&Sample) -> T + Sync) {
    let samples = &*SAMPLE;
    bencher.counter(ItemsCount::new(samples.len())).bench(|| {
        for sample in samples {
            black_box(routine(black_box(sample)));
        }
    });
}

/// One ray, in a direction known only at run time.
mod ray {
    use super::*;
    use reference::rays as other;

    #[divan::bench]
    fn branchless(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::branchless(s.occupied, s.direction, s.a));
    }

    #[divan::bench]
    fn conditional(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::conditional(s.occupied, s.direction, s.a));
    }

    #[divan::bench]
    fn generalised_branchless(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::generalised_branchless(s.occupied, s.direction, s.a));
    }

    #[divan::bench]
    fn generalised_conditional(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            other::generalised_conditional(s.occupied, s.direction, s.a)
        });
    }

    #[divan::bench]
    fn zero_count(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::zero_count(s.occupied, s.direction, s.a));
    }
}

/// All eight rays of a square, one by one, so that their directions are known at compile time.
mod ray_of_known_direction {
    use super::*;
    use reference::rays as other;

    fn all(s: &Sample, ray: impl Fn(Bitboard, Direction, Square) -> Bitboard) -> Bitboard {
        Direction::ALL
            .into_iter()
            .fold(Bitboard::EMPTY, |all, direction| all | ray(s.occupied, direction, s.a))
    }

    #[divan::bench]
    fn branchless(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| all(s, other::branchless));
    }

    #[divan::bench]
    fn conditional(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| all(s, other::conditional));
    }

    #[divan::bench]
    fn generalised_branchless(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| all(s, other::generalised_branchless));
    }

    #[divan::bench]
    fn generalised_conditional(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| all(s, other::generalised_conditional));
    }

    #[divan::bench]
    fn zero_count(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| all(s, other::zero_count));
    }
}

/// The attacks along one line.
mod line {
    use super::*;
    use reference::sliders as other;

    #[divan::bench]
    fn diagonal_by_rays(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::diagonal_attacks(s.occupied, s.a));
    }

    #[divan::bench]
    fn diagonal_of_bishop(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::diagonal_attacks_of_bishop(s.occupied, s.a));
    }

    #[divan::bench]
    fn file_by_rays(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::file_attacks(s.occupied, s.a));
    }

    #[divan::bench]
    fn file_of_rook(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::file_attacks_of_rook(s.occupied, s.a));
    }

    #[divan::bench]
    fn rank_by_rays(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::rank_attacks(s.occupied, s.a));
    }

    #[divan::bench]
    fn rank_of_rook(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::rank_attacks_of_rook(s.occupied, s.a));
    }
}

/// The attacks of a rook and a bishop.
mod piece {
    use super::*;
    use reference::sliders as other;

    #[divan::bench]
    fn bishop_by_lines(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::bishop_attacks_by_lines(s.occupied, s.a));
    }

    #[divan::bench]
    fn bishop_in_one_run(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::bishop_attacks_in_one_run(s.occupied, s.a));
    }

    #[divan::bench]
    fn bishop_magic(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| sliders::bishop_attacks(s.occupied, s.a));
    }

    #[divan::bench]
    fn rook_by_lines(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::rook_attacks_by_lines(s.occupied, s.a));
    }

    #[divan::bench]
    fn rook_in_one_run(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::rook_attacks_in_one_run(s.occupied, s.a));
    }

    #[divan::bench]
    fn rook_magic(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| sliders::rook_attacks(s.occupied, s.a));
    }
}

/// The x-rays of a rook.
mod xray_of_rook {
    use super::*;

    #[divan::bench]
    fn by_lines(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            let along = |line: fn(Bitboard, Bitboard, Square) -> Bitboard| line(s.occupied, s.board.colors.black, s.a);
            along(reference::xray::xray_rank_attacks) | along(reference::xray::xray_file_attacks)
        });
    }

    #[divan::bench]
    fn by_rays(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            reference::xray::xray_by_rays(s.occupied, s.board.colors.black, s.a, DirectionSet::ORTHOGONAL)
        });
    }

    #[divan::bench]
    fn changed_occupancy(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            xray::xray_rook_attacks(s.occupied, s.board.colors.black, s.a)
        });
    }
}

/// The squares in view of all white pieces in one direction.
mod reach {
    use super::*;
    use reference::fill as other;

    #[divan::bench]
    fn dumb7(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            other::reach_dumb7(s.board.colors.white, !s.occupied, s.direction)
        });
    }

    #[divan::bench]
    fn kogge_stone(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| fill::reach(s.board.colors.white, !s.occupied, s.direction));
    }

    #[divan::bench]
    fn of_each_member(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            other::reach_by_members(s.board.colors.white, !s.occupied, s.direction)
        });
    }

    #[divan::bench]
    fn one_member(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            other::reach_by_members(s.a.into(), !s.occupied, s.direction)
        });
    }

    #[divan::bench]
    fn step_by_step(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            other::reach_by_steps(s.board.colors.white, !s.occupied, s.direction)
        });
    }
}

/// The squares between two squares.
mod in_between {
    use super::*;
    use reference::between as other;

    #[divan::bench]
    fn by_0x88_difference(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::by_0x88_difference(s.a, s.b));
    }

    #[divan::bench]
    fn calculated(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::calculated(s.a, s.b));
    }

    #[divan::bench]
    fn rectangular(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| between::between(s.a, s.b));
    }

    #[divan::bench]
    fn triangular(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| other::triangular(s.a, s.b));
    }
}

/// The squares between two sets of this many members.
mod in_between_sets {
    use super::*;

    const SIDES: [usize; 5] = [2, 4, 8, 10, 12];

    fn few(set: Bitboard, size: usize) -> Bitboard {
        set.into_iter().take(size).collect()
    }

    fn pairs_of_sets(size: usize) -> Vec<(Bitboard, Bitboard)> {
        let sets = |s: &Sample| (few(s.board.colors.white, size), few(s.board.colors.black, size));
        SAMPLE.iter().map(sets).collect()
    }

    fn ask(bencher: Bencher<'_, '_>, size: usize, routine: impl Fn(Bitboard, Bitboard) -> Bitboard + Sync) {
        let sets = pairs_of_sets(size);
        bencher.counter(ItemsCount::new(sets.len())).bench(|| {
            for (a, b) in &sets {
                black_box(routine(black_box(*a), black_box(*b)));
            }
        });
    }

    #[divan::bench(args = SIDES)]
    fn by_fill(bencher: Bencher<'_, '_>, size: usize) {
        ask(bencher, size, between::between_by_fill);
    }

    #[divan::bench(args = SIDES)]
    fn by_pairs(bencher: Bencher<'_, '_>, size: usize) {
        ask(bencher, size, between::between_pairs);
    }
}

/// Whether White's queen attacks a square.
mod queen_attacks_square {
    use super::*;

    fn ask(bencher: Bencher<'_, '_>, routine: impl Fn(&Board, Square, Square) -> bool + Sync) {
        let queen = |s: &Sample| s.board.pieces(Color::White, Role::Queen).first();
        let asked = SAMPLE.iter().filter_map(|s| Some((&s.board, queen(s)?, s.a)));
        let asked = asked.collect::<Vec<_>>();
        bencher.counter(ItemsCount::new(asked.len())).bench(|| {
            for (board, from, to) in &asked {
                black_box(routine(black_box(board), black_box(*from), black_box(*to)));
            }
        });
    }

    #[divan::bench]
    fn by_0x88_difference(bencher: Bencher<'_, '_>) {
        let queen = Role::Queen.of(Color::White);
        ask(bencher, |board, from, to| {
            reference::attacked::is_attacked(from, to, black_box(queen), board.occupied())
        });
    }

    #[divan::bench]
    fn by_0x88_difference_and_piece(bencher: Bencher<'_, '_>) {
        ask(bencher, |board, from, to| {
            let piece = board.piece_at(from);
            piece.is_some_and(|piece| reference::attacked::is_attacked(from, to, piece, board.occupied()))
        });
    }

    #[divan::bench]
    fn by_attack_set(bencher: Bencher<'_, '_>) {
        ask(bencher, |board, from, to| attacks_from(board, from).contains(to));
    }

    #[divan::bench]
    fn hot_path(bencher: Bencher<'_, '_>) {
        ask(bencher, |board, from, to| {
            attackers_among(board, from.into(), to.into()).any()
        });
    }
}

/// Whether White attacks the black king, or any square.
mod is_attacked_by_a_side {
    use super::*;

    const TARGETS: [&str; 2] = ["king", "any square"];

    fn ask(bencher: Bencher<'_, '_>, name: &str, routine: impl Fn(&Board, Square) -> bool + Sync) {
        let target = |s: &Sample| match name {
            "king" => s.board.pieces(Color::Black, Role::King).first(),
            _ => Some(s.a),
        };
        let asked = SAMPLE.iter().filter_map(|s| Some((&s.board, target(s)?)));
        let asked = asked.collect::<Vec<_>>();
        bencher.counter(ItemsCount::new(asked.len())).bench(|| {
            for (board, target) in &asked {
                black_box(routine(black_box(board), black_box(*target)));
            }
        });
    }

    #[divan::bench(args = TARGETS)]
    fn by_lines(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, name, |board, square| {
            attacked(board, board.colors.white, Color::White, board.occupied(), square)
        });
    }

    #[divan::bench(args = TARGETS)]
    fn by_tables(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, name, |board, square| {
            reference::attacked::attacked_by_tables(board, board.occupied(), square, Color::White)
        });
    }
}

/// The attackers of a set: a king, the rooks and queens, all white pieces, all empty squares.
mod attackers {
    use super::*;
    use reference::attacked as other;

    const TARGETS: [&str; 4] = ["king", "rooks and queens", "white pieces", "empty squares"];

    fn targets(s: &Sample, name: &str) -> Bitboard {
        match name {
            "king" => s.board.roles.king & s.board.colors.white,
            "rooks and queens" => s.board.orthogonal_sliders(),
            "white pieces" => s.board.colors.white,
            _ => !s.occupied,
        }
    }

    fn ask(bencher: Bencher<'_, '_>, name: &str, routine: impl Fn(&Board, Bitboard) -> Bitboard + Sync) {
        let asked = SAMPLE.iter().map(|s| (&s.board, targets(s, name))).collect::<Vec<_>>();
        bencher.counter(ItemsCount::new(asked.len())).bench(|| {
            for (board, set) in &asked {
                black_box(routine(black_box(board), black_box(*set)));
            }
        });
    }

    #[divan::bench(args = TARGETS)]
    fn by_fill(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, name, other::attackers_by_fill);
    }

    #[divan::bench(args = TARGETS)]
    fn by_targets(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, name, other::attackers_by_targets);
    }

    #[divan::bench(args = TARGETS)]
    fn hot_path(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, name, |board, set| {
            attackers_among(board, board.occupied(), set)
        });
    }

    #[divan::bench(args = TARGETS)]
    fn hot_path_among_rooks_and_queens(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, name, |board, set| {
            attackers_among(board, board.orthogonal_sliders(), set)
        });
    }

    #[divan::bench(args = TARGETS)]
    fn hot_path_among_white_rooks(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, name, |board, set| {
            attackers_among(board, board.roles.rook & board.colors.white, set)
        });
    }
}

/// The squares that a set attacks: a king, the rooks and queens, all white pieces, all pieces.
mod attacked_squares {
    use super::*;
    use reference::attacked as other;

    const ATTACKERS: [&str; 4] = ["king", "rooks and queens", "white pieces", "all pieces"];

    fn attackers(s: &Sample, name: &str) -> Bitboard {
        match name {
            "king" => s.board.roles.king & s.board.colors.white,
            "rooks and queens" => s.board.orthogonal_sliders(),
            "white pieces" => s.board.colors.white,
            _ => s.occupied,
        }
    }

    fn ask(bencher: Bencher<'_, '_>, name: &str, routine: impl Fn(&Board, Bitboard) -> Bitboard + Sync) {
        let asked = SAMPLE
            .iter()
            .map(|s| (&s.board, attackers(s, name)))
            .collect::<Vec<_>>();
        bencher.counter(ItemsCount::new(asked.len())).bench(|| {
            for (board, set) in &asked {
                black_box(routine(black_box(board), black_box(*set)));
            }
        });
    }

    #[divan::bench(args = ATTACKERS)]
    fn by_fill(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, name, other::attacked_by_fill);
    }

    #[divan::bench(args = ATTACKERS)]
    fn by_members(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, name, other::attacked_by_members);
    }

    #[divan::bench(args = ATTACKERS)]
    fn hot_path(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, name, attacked_by_set);
    }
}

/// Pins to the kings, to this many squares of pieces, or to any square.
mod pin {
    use super::*;

    const TARGETS: [usize; 6] = [2, 4, 8, 12, 16, 64];

    fn ask(bencher: Bencher<'_, '_>, count: usize, routine: impl Fn(&Board, Bitboard) -> pins::Pins + Sync) {
        let targets = |s: &Sample| match count {
            2 => s.board.roles.king,
            64 => Bitboard::FULL,
            _ => s.occupied.into_iter().take(count).collect(),
        };
        let asked = SAMPLE.iter().map(|s| (&s.board, targets(s))).collect::<Vec<_>>();
        bencher.counter(ItemsCount::new(asked.len())).bench(|| {
            for (board, set) in &asked {
                black_box(routine(black_box(board), black_box(*set)));
            }
        });
    }

    #[divan::bench(args = TARGETS)]
    fn by_fill(bencher: Bencher<'_, '_>, count: usize) {
        ask(bencher, count, |board, to| {
            pins::pins_by_fill(board, Bitboard::FULL, Bitboard::FULL, to)
        });
    }

    #[divan::bench(args = TARGETS)]
    fn by_targets(bencher: Bencher<'_, '_>, count: usize) {
        ask(bencher, count, |board, to| {
            pins::pins_by_targets(board, Bitboard::FULL, Bitboard::FULL, to)
        });
    }
}

/// Lines from any white piece through a black one, to the black king or to any black piece.
mod lines_through_sets {
    use super::*;

    const TARGETS: [&str; 2] = ["king", "black pieces"];

    fn sets(s: &Sample, name: &str) -> [Bitboard; 3] {
        let colors = &s.board.colors;
        let last = if name == "king" {
            s.board.roles.king & colors.black
        } else {
            colors.black
        };
        [colors.white, colors.black, last]
    }

    #[divan::bench(args = TARGETS)]
    fn ray(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, |s| {
            lines::ray(&s.board, black_box(DirectionSet::ALL), &sets(s, name))
        });
    }

    #[divan::bench(args = TARGETS)]
    fn xray(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, |s| lines::xray(&s.board, &sets(s, name)));
    }

    #[divan::bench(args = TARGETS)]
    fn xray_by_directions(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, |s| {
            reference::lines::xray_by_directions(&s.board, &sets(s, name))
        });
    }

    #[divan::bench(args = TARGETS)]
    fn xray_origins(bencher: Bencher<'_, '_>, name: &str) {
        ask(bencher, |s| lines::xray_origins(&s.board, &sets(s, name)));
    }
}

/// The crossing of lines through two squares: a diagonal and an antidiagonal, or lines of all kinds.
mod crossing {
    use super::*;
    use reference::intersection::intersection;

    #[divan::bench]
    fn all_by_0x88_coordinates(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            let pairs = Line::ALL.into_iter().flat_map(|a| Line::ALL.map(|b| (a, b)));
            pairs
                .filter_map(|(a, b)| intersection(a, s.a, b, s.b))
                .collect::<Bitboard>()
        });
    }

    #[divan::bench]
    fn all_by_bitboards(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            intersection_squares(DirectionSet::ALL, s.a.into(), DirectionSet::ALL, s.b.into())
        });
    }

    #[divan::bench]
    fn one_by_0x88_coordinates(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| intersection(Line::Diagonal, s.a, Line::AntiDiagonal, s.b));
    }

    #[divan::bench]
    fn one_by_bitboards(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            Line::Diagonal.through(s.a.into()) & Line::AntiDiagonal.through(s.b.into())
        });
    }
}

/// The squares that all white pieces attack, and the white pieces that attack the black king: board by board, and for sixteen boards at once.
mod side_by_side {
    use super::*;

    static BOARDS: LazyLock<Vec<Boards>> = LazyLock::new(|| {
        let blocks = SAMPLE.chunks(LANES);
        blocks
            .map(|samples| samples.iter().map(|sample| sample.board).collect())
            .collect()
    });

    fn ask_all<T>(bencher: Bencher<'_, '_>, routine: impl Fn(&Boards) -> T + Sync) {
        let boards = &*BOARDS;
        bencher.counter(ItemsCount::new(boards.len() * LANES)).bench(|| {
            for boards in boards {
                black_box(routine(black_box(boards)));
            }
        });
    }

    #[divan::bench]
    fn attacked_one_by_one(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| attacked_by_set(&s.board, s.board.colors.white));
    }

    #[divan::bench]
    fn attacked_at_once(bencher: Bencher<'_, '_>) {
        ask_all(bencher, |boards| {
            boards.attacked_by_set(boards.colors.white, Movers::ALL, &boards.empty())
        });
    }

    #[divan::bench]
    fn checkers_one_by_one(bencher: Bencher<'_, '_>) {
        ask(bencher, |s| {
            attackers_among(&s.board, s.board.colors.white, s.board.pieces(Color::Black, Role::King))
        });
    }

    #[divan::bench]
    fn checkers_at_once(bencher: Bencher<'_, '_>) {
        ask_all(bencher, |boards| {
            let kings = boards.pieces(Color::Black, Role::King);
            boards.attackers_among(boards.colors.white, kings, Movers::ALL, &boards.empty())
        });
    }
}
