//! Generated moves, compared with trying all squares, and with shakmaty.

use fastrand::Rng;
use shakmaty::fen::Fen;
use shakmaty::{ByRole, CastlingMode, CastlingSide, Chess, Position as _, attacks};

use super::pseudolegal::{PROMOTIONS, castle, is_castling_denied, last_rank, pushers};
use super::{CheckOrMate, Counted, MoveFilter, SpecialMove, count_legal, each_move, each_piece, has_legal_move};
use crate::board::columns::Boards;
use crate::board::{Bitboard, Board, Color, Role, Square};
use crate::chess::{Arrival, MoveKind, Position, arrival_of, en_passant_victim, in_check, leaves_king_safe};
use crate::game::Game;
use crate::pgn::{GameReader, Reading, Scope, sample};

type Moves = Vec<(Role, Arrival)>;

/// Returns all moves of a position, by testing every pair of squares.
fn all_moves(game: &Game, at: &Position, pseudo: bool, respects_fen: bool) -> Moves {
    let (board, us) = (&at.board, at.turn);
    let king = board.pieces(us, Role::King).first();
    let passed = game.en_passant_at_start().filter(|_| respects_fen);
    let mut moves = Vec::new();
    for from in *board.colors.get(us) {
        let role = board.role_at(from).expect("a piece");
        for to in Square::ALL {
            let plain = Arrival {
                kind: MoveKind::Normal,
                from,
                to,
                promotion: None,
                captured: board.colors.get(!us).contains(to).then_some(to),
            };
            if king == Some(from) && !in_check(board, us) {
                for side in CastlingSide::ALL {
                    let is_denied = respects_fen && is_castling_denied(game, us, side);
                    if !is_denied && castle(game, at, side, &|| game.arrivals(at)).contains(to) {
                        let kind = MoveKind::Castle(side);
                        moves.push((
                            role,
                            Arrival {
                                kind,
                                captured: None,
                                ..plain
                            },
                        ));
                    }
                }
            }
            let is_legal = |captured| pseudo || leaves_king_safe(board, us, from, to, captured);
            let attacked = attacks::attacks(from, role.of(us), board.occupied()).contains(to);
            let victim = en_passant_victim(at, passed, to).filter(|_| role == Role::Pawn && attacked);
            if victim.is_some_and(|victim| is_legal(Some(victim))) {
                let kind = MoveKind::EnPassant;
                moves.push((
                    role,
                    Arrival {
                        kind,
                        captured: victim,
                        ..plain
                    },
                ));
                continue;
            }
            let reaches = if role == Role::Pawn {
                attacked && plain.captured.is_some() || pushers(board, us, to.into()).contains(from)
            } else {
                attacked && !board.colors.get(us).contains(to)
            };
            let takes_king = board.pieces(!us, Role::King).contains(to);
            if !reaches || (takes_king && !pseudo) || !is_legal(plain.captured) {
                continue;
            }
            if role == Role::Pawn && to.rank() == last_rank(us) {
                moves.extend(PROMOTIONS.map(|to| {
                    (
                        role,
                        Arrival {
                            promotion: Some(to),
                            ..plain
                        },
                    )
                }));
            } else {
                moves.push((role, plain));
            }
        }
    }
    moves
}

/// Returns whether a move passes a filter.
fn fits(game: &Game, at: &Position, filter: &MoveFilter, (role, arrival): (Role, Arrival)) -> bool {
    let given = || game.after(at, role, arrival, at.id);
    filter.from.contains(arrival.from)
        && filter.to.contains(arrival.to)
        && filter.special.is_none_or(|special| special.includes(arrival.kind))
        && filter
            .captured
            .is_none_or(|squares| arrival.captured.is_some_and(|captured| squares.contains(captured)))
        && filter
            .promotion
            .is_none_or(|roles| arrival.promotion.is_some_and(|role| *roles.get(role)))
        && filter.gives.is_none_or(|gives| {
            let after = given();
            in_check(&after.board, after.turn)
                && (gives == CheckOrMate::Check || all_moves(game, &after, false, false).is_empty())
        })
}

/// Returns the generated moves, up to a number.
fn generated(game: &Game, at: &Position, filter: &MoveFilter, most: usize) -> Moves {
    let mut moves = Vec::new();
    each_move(game, at, filter, &|| game.arrivals(at), &mut |role, arrival| {
        moves.push((role, arrival));
        moves.len() == most
    });
    moves
}

/// Returns random squares.
fn some(random: &mut Rng) -> Bitboard {
    Bitboard(random.u64(..) & random.u64(..))
}

/// Returns a random filter that some moves pass.
fn random_filter(random: &mut Rng, pseudo: bool) -> MoveFilter {
    let specials = [
        SpecialMove::EnPassant,
        SpecialMove::Castle(None),
        SpecialMove::Castle(Some(CastlingSide::QueenSide)),
    ];
    let special = random.u8(..4) == 0;
    MoveFilter {
        pseudo,
        respects_fen: random.bool(),
        special: special.then(|| specials[random.usize(..3)]),
        from: !some(random),
        to: [Bitboard::FULL, some(random), some(random) & some(random)][random.usize(..3)],
        captured: [None, Some(some(random)), Some(Bitboard::FULL)][random.usize(..3)],
        promotion: (random.u8(..4) == 0).then(|| ByRole::new_with(|_| random.bool())),
        gives: [None, Some(CheckOrMate::Check), Some(CheckOrMate::Mate)]
            .get(random.usize(..5))
            .copied()
            .flatten()
            .filter(|_| !pseudo),
    }
}

/// Compares the generated moves with all moves of a position. Returns how many there are.
fn compare(game: &Game, at: &Position, random: &mut Rng) -> usize {
    let mut count = 0;
    for pseudo in [false, true] {
        let all = [false, true].map(|respects_fen| all_moves(game, at, pseudo, respects_fen));
        let mut filters = vec![MoveFilter {
            pseudo,
            ..MoveFilter::LEGAL
        }];
        filters.extend((0..8).map(|_| random_filter(random, pseudo)));
        if !pseudo {
            let given = [CheckOrMate::Check, CheckOrMate::Mate];
            filters.extend(given.map(|given| MoveFilter {
                gives: Some(given),
                ..MoveFilter::LEGAL
            }));
        }
        for filter in filters {
            let moves = all[usize::from(filter.respects_fen)].iter().copied();
            let expected: Moves = moves.filter(|found| fits(game, at, &filter, *found)).collect();
            let context = || format!("{:?} {:?} {:?}", at.board, filter.special, filter.gives);
            assert_eq!(generated(game, at, &filter, usize::MAX), expected, "{}", context());
            assert_eq!(generated(game, at, &filter, 1).len(), expected.len().min(1));
            count += expected.len();
            if filter.gives.is_some() || filter.promotion.is_some() {
                continue;
            }
            let mut pieces = Vec::new();
            each_piece(game, at, &filter, &|| game.arrivals(at), &mut |from, targets| {
                pieces.extend(targets.into_iter().map(|to| (from, to)));
                false
            });
            let mut pairs: Vec<_> = expected.iter().map(|(_, arrival)| (arrival.from, arrival.to)).collect();
            pairs.dedup();
            assert_eq!(pieces, pairs, "{:?}", at.board);
        }
    }
    let all = all_moves(game, at, false, false);
    let mut pairs: Vec<_> = all.iter().map(|(_, arrival)| (arrival.from, arrival.to)).collect();
    pairs.dedup();
    let squares: Bitboard = pairs.iter().map(|(_, to)| *to).collect();
    for most in [0, 1, 2, 5, 20, u32::MAX] {
        for (counted, all) in [(Counted::Moves, pairs.len()), (Counted::Arrivals, squares.count())] {
            let found = count_legal(counted, game, at, most, &|| game.arrivals(at)) as usize;
            let enough = found > most as usize && found <= all;
            assert!(found == all || enough, "{:?}: {found} of {all}, {most}", at.board);
        }
    }
    assert_eq!(has_legal_move(game, at), !pairs.is_empty());
    count
}

/// Calls a function for positions of the golden games.
fn each_golden_position(step: usize, mut tell: impl FnMut(&Game, &Position)) {
    for name in sample::GOLDEN {
        let batch = sample::golden(name);
        let mut reader = GameReader::new(&batch);
        let mut game = Game::default();
        while reader.read(Scope::ALL, &mut game, |_| true) != Reading::End {
            game.positions.iter().step_by(step).for_each(|at| tell(&game, at));
        }
    }
}

#[test]
fn moves_are_those_of_all_pairs_of_squares_in_games() {
    let mut random = Rng::with_seed(3);
    let mut count = 0;
    each_golden_position(11, |game, at| {
        if !game.has_own_rules() {
            count += compare(game, at, &mut random);
        }
    });
    assert!(count > 10_000, "{count}");
}

/// Any number of kings, pawns on all ranks, pins and checks of all kinds, pawns that may be captured en passant.
#[test]
fn moves_are_those_of_all_pairs_of_squares_on_random_boards() {
    let mut random = Rng::with_seed(17);
    let mut games = String::new();
    for _ in 0..400 {
        let mut board = shakmaty::Board::empty();
        for piece in "KkRrPpQqNnBbPp".chars().cycle().take(random.usize(2..36)) {
            let piece = shakmaty::Piece::from_char(piece).expect("a letter");
            let square = Square::new(random.u32(0..64));
            if random.u8(0..8) > 0 {
                board.set_piece_at(square, piece);
            }
        }
        let (turn, rank) = if random.bool() { ("w", 6) } else { ("b", 3) };
        let passed = if random.bool() {
            format!("e{rank}")
        } else {
            "-".to_owned()
        };
        games += &format!("[FEN \"{board} {turn} KQkq {passed} 0 1\"]\n[SetUp \"1\"]\n\n*\n\n");
    }
    let batch = sample::batch(&games);
    let mut reader = GameReader::new(&batch);
    let mut game = Game::default();
    let mut count = 0;
    while reader.read(Scope::ALL, &mut game, |_| true) != Reading::End {
        for at in &game.positions {
            count += compare(&game, at, &mut random);
        }
    }
    assert!(count > 5_000, "{count}");
}

#[test]
fn moves_are_those_of_shakmaty() {
    let mut count = 0;
    let named = |arrival: &Arrival| {
        (
            arrival.from,
            arrival.to,
            arrival.promotion.map(u8::from),
            arrival.captured,
        )
    };
    each_golden_position(3, |game, at| {
        let fen: Option<Fen> = game.fen(at).parse().ok();
        let chess = fen.and_then(|fen| fen.into_position::<Chess>(CastlingMode::Chess960).ok());
        let Some(chess) = chess.filter(|_| !game.has_own_rules()) else {
            return;
        };
        let all = MoveFilter {
            respects_fen: true,
            ..MoveFilter::LEGAL
        };
        let found = generated(game, at, &all, usize::MAX);
        let mut found: Vec<_> = found.iter().map(|(_, arrival)| named(arrival)).collect();
        let mut expected: Vec<_> = chess
            .legal_moves()
            .into_iter()
            .map(|played| named(&arrival_of(played)))
            .collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{}", game.fen(at));
        count += 1;
    });
    assert!(count > 1000, "{count}");
}

/// Returns a board with pieces on random squares. It has both kings, and no pawn on a first or last rank.
fn random_board(random: &mut Rng) -> Board {
    let mut squares: Vec<usize> = (0..64).collect();
    random.shuffle(&mut squares);
    let mut placed = ['1'; 64];
    for letter in "Kk"
        .chars()
        .chain("QQRRBBNNPPPqrrbbnnppp".chars().filter(|_| random.bool()))
    {
        let place = squares
            .iter()
            .position(|square| !letter.eq_ignore_ascii_case(&'p') || (8..56).contains(square));
        let square = squares.swap_remove(place.expect("room for all pieces"));
        placed[square] = letter;
    }
    let ranks: Vec<String> = placed.chunks(8).map(|rank| rank.iter().collect()).collect();
    ranks.join("/").parse().expect("a board")
}

#[test]
fn checks_and_mates_are_those_of_the_moves_that_are_tried_one_by_one() {
    let mut random = Rng::with_seed(11);
    let other = sample::game("1. Nf3 *");
    let (mut positions, mut checks, mut mates, mut mating) = (0, 0, 0, 0);
    let mut compare = |game: &Game, at: &Position| {
        if in_check(&at.board, !at.turn) {
            return;
        }
        let boards = Boards::from_iter([at.board]);
        let white_to_move = at.turn.fold_wb(1, 0);
        let may_check = boards.may_check(white_to_move) & 1 == 1;
        let may_mate = boards.may_mate(white_to_move) & 1 == 1;
        for (given, may) in [(CheckOrMate::Check, may_check), (CheckOrMate::Mate, may_mate)] {
            let every = MoveFilter {
                respects_fen: true,
                ..MoveFilter::LEGAL
            };
            let mut tried = generated(game, at, &every, usize::MAX);
            tried.retain(|(role, arrival)| {
                let after = game.after(at, *role, *arrival, at.id);
                in_check(&after.board, after.turn) && (given == CheckOrMate::Check || !has_legal_move(game, &after))
            });
            let filter = MoveFilter {
                gives: Some(given),
                ..every
            };
            assert_eq!(
                generated(game, at, &filter, usize::MAX),
                tried,
                "{given:?} at\n{:?}",
                at.board
            );
            assert!(may || tried.is_empty() || at.id == 0, "{given:?} at\n{:?}", at.board);
            mates += usize::from(given == CheckOrMate::Mate) * tried.len();
        }
        if game.len() > 2 {
            positions += 1;
            checks += usize::from(may_check);
            mating += usize::from(may_mate);
        }
    };
    for _ in 0..4000 {
        let board = random_board(&mut random);
        for turn in Color::ALL {
            let at = Position {
                board,
                turn,
                ..other.positions[1]
            };
            compare(&other, &at);
        }
    }
    each_golden_position(5, |game, at| {
        if !game.has_own_rules() {
            compare(game, at);
        }
    });
    assert!(mates > 250, "{mates}");
    assert!(checks * 4 < positions * 3, "{checks} of {positions}");
    assert!(mating * 3 < positions, "{mating} of {positions}");
}
