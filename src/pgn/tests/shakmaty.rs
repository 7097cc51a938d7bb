//! Replays every game of the golden files with shakmaty, the authority for chess, and compares the boards.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, Move, Position as _, Role, Setup, Square,
};

use crate::board::Board;
use crate::chess::{MoveKind, Position, Start, make_move};
use crate::game::{Game, Replayer, push_main_line};
use crate::moves::{MoveText, resolve, write_san};
use crate::pgn::read::{GameReader, Reading, Scope};
use crate::pgn::sample;

/// Returns shakmaty's move for the one that led to `position`, if it is legal in `chess`.
fn legal_move(chess: &Chess, position: &Position) -> Option<Move> {
    let arrival = position.arrival;
    chess.legal_moves().into_iter().find(|candidate| match arrival.kind {
        MoveKind::Castle(side) => candidate.castling_side() == Some(side),
        MoveKind::EnPassant => {
            candidate.is_en_passant() && candidate.to() == arrival.to && candidate.from() == Some(arrival.from)
        }
        _ => {
            !candidate.is_castle()
                && !candidate.is_en_passant()
                && candidate.from() == Some(arrival.from)
                && candidate.to() == arrival.to
                && candidate.promotion() == arrival.promotion
        }
    })
}

/// Returns shakmaty's position for one of ours, with all castling rights that the squares allow, if shakmaty accepts it.
fn chess_of(game: &Game, position: &Position) -> Option<Chess> {
    let fen: Fen = game.fen_of_cql(position).parse().ok()?;
    fen.into_position(CastlingMode::Standard).ok()
}

#[test]
fn every_move_leads_where_shakmaty_says() {
    let mut compared = 0;
    for name in sample::GOLDEN {
        let batch = sample::golden(name);
        let mut reader = GameReader::new(&batch);
        let mut game = Game::default();
        while reader.read(Scope::ALL, &mut game, |_| true) != Reading::End {
            for position in &game.positions {
                let Some(before) = game.parent(position) else { continue };
                let Some(mut chess) = chess_of(&game, before) else {
                    continue;
                };
                let Some(played) = legal_move(&chess, position) else {
                    let tolerated = matches!(position.arrival.kind, MoveKind::Null | MoveKind::Castle(_))
                        || (position.arrival.kind == MoveKind::EnPassant && before.id == 0);
                    assert!(tolerated, "{name} game {} position {}", game.number, position.id);
                    continue;
                };
                let captured = match played {
                    Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
                    _ => played.is_capture().then_some(position.arrival.to),
                };
                assert_eq!(
                    position.arrival.captured, captured,
                    "{name} game {} position {}",
                    game.number, position.id
                );
                chess.play_unchecked(played);
                assert_eq!(
                    Board::from(chess.board()),
                    position.board,
                    "{name} game {} position {}",
                    game.number,
                    position.id
                );
                assert_eq!(chess.turn(), position.turn);
                compared += 1;
            }
        }
    }
    assert!(compared > 30_000, "only {compared} moves were compared");
}

#[test]
fn every_legal_move_is_read_and_no_other() {
    // Each legal move of many positions, written in SAN, must be found. A move that leaves the king in check must not be.
    let batch = sample::golden("tree.pgn");
    let mut reader = GameReader::new(&batch);
    let mut game = Game::default();
    for _ in 0..12 {
        reader.read(Scope::ALL, &mut game, |_| true);
        for position in game.positions.iter().step_by(7) {
            let Some(chess) = chess_of(&game, position) else {
                continue;
            };
            let start = Start::from_fen(game.fen_of_cql(position).as_bytes()).ok();
            let legal = chess.legal_moves();
            for candidate in &legal {
                let san = shakmaty::san::San::from_move(&chess, *candidate);
                let text = MoveText::San(san);
                let found = resolve(position, start.as_ref(), text).expect("a legal move");
                let mut board = position.board;
                make_move(&mut board, position.turn, start.as_ref(), &found);
                let mut after = chess.clone();
                after.play_unchecked(*candidate);
                assert_eq!(board, Board::from(after.board()), "{san} in {}", game.fen(position));
                let reached = Position {
                    board,
                    turn: !position.turn,
                    arrival: found.arrival,
                    id: 1,
                    ..*position
                };
                let mut written = Vec::new();
                write_san(&mut written, &Game::default(), position, &reached);
                let theirs = shakmaty::san::SanPlus::from_move(chess.clone(), *candidate);
                let theirs_in_full = theirs.to_string();
                let ours = String::from_utf8_lossy(&written);
                let suffix = |san: &str| {
                    san.trim_start_matches(|letter| letter != '+' && letter != '#')
                        .to_owned()
                };
                assert_eq!(
                    suffix(&ours),
                    suffix(&theirs_in_full),
                    "{ours} in {}",
                    game.fen(position)
                );
                let both_named = ours.len() == theirs_in_full.len() + 1;
                assert!(both_named || ours == theirs_in_full, "{ours} in {}", game.fen(position));
            }
            for role in shakmaty::Role::ALL {
                for from in position.board.pieces(position.turn, role) {
                    // A king that goes to his own rook castles; the rights are checked later.
                    for to in !position.board.pieces(position.turn, Role::Rook) {
                        let san = shakmaty::san::San::Normal {
                            role,
                            file: Some(from.file()),
                            rank: Some(from.rank()),
                            capture: false,
                            to,
                            promotion: None,
                        };
                        let readable = resolve(position, start.as_ref(), MoveText::San(san)).is_ok();
                        let is_legal = legal.iter().any(|m| {
                            !m.is_castle() && m.from() == Some(from) && m.to() == to && m.promotion().is_none()
                        });
                        assert_eq!(readable, is_legal, "{san} in {}", game.fen(position));
                    }
                }
            }
        }
    }
}

#[test]
fn the_sample_of_the_language_reference_has_its_ids() {
    let batch = sample::golden("game-tree.pgn");
    let mut game = Game::default();
    GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
    let parents: Vec<u32> = game.positions.iter().map(|position| position.parent).collect();
    assert_eq!(parents, [0, 0, 1, 2, 3, 4, 2, 6, 7, 1, 9, 10, 11, 10, 13, 10, 1, 16]);
    let lasts: Vec<u32> = game.positions.iter().map(|position| position.last).collect();
    assert_eq!(lasts, [17, 17, 8, 5, 5, 5, 8, 8, 8, 15, 15, 12, 12, 14, 14, 15, 17, 17]);
    let depths: Vec<u16> = game.positions.iter().map(|position| position.depth).collect();
    assert_eq!(depths, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1]);
    let choices: Vec<u16> = game.positions.iter().map(|position| position.choice).collect();
    assert_eq!(choices, [0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 2, 2, 0]);
    let children = |id: usize| {
        game.children(&game.positions[id])
            .map(|child| child.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (children(1), children(2), children(10), children(5)),
        (vec![2, 9, 16], vec![3, 6], vec![11, 13, 15], vec![])
    );
}

#[test]
fn the_main_line_is_the_same_in_every_scope() {
    for name in sample::GOLDEN {
        let batch = sample::golden(name);
        let (mut whole, mut line) = (Game::default(), Game::default());
        let (mut first, mut second) = (GameReader::new(&batch), GameReader::new(&batch));
        while first.read(Scope::ALL, &mut whole, |_| true) != Reading::End {
            second.read(Scope::default(), &mut line, |_| true);
            let main = whole.positions.iter().filter(|position| position.depth == 0);
            assert_eq!(
                main.clone().count(),
                line.positions.len(),
                "{name} game {}",
                whole.number
            );
            for (ours, theirs) in line.positions.iter().zip(main) {
                assert_eq!(
                    (ours.id, ours.parent, ours.board),
                    (theirs.id, theirs.parent, theirs.board)
                );
            }
            assert!(
                line.positions
                    .iter()
                    .all(|position| position.last as usize == line.positions.len() - 1)
            );
        }
    }
}

#[test]
fn castling_sides_are_those_of_the_king() {
    let pgn = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. e1g1 O-O-O *\n";
    let batch = sample::batch(pgn);
    let mut game = Game::default();
    GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
    let kinds: Vec<MoveKind> = game.positions.iter().map(|position| position.arrival.kind).collect();
    assert_eq!(
        kinds,
        [
            MoveKind::None,
            MoveKind::Castle(CastlingSide::KingSide),
            MoveKind::Castle(CastlingSide::QueenSide)
        ]
    );
    assert!(
        game.positions[2]
            .board
            .pieces(Color::Black, shakmaty::Role::King)
            .contains(Square::C8)
    );
}

/// Returns a random game in PGN and shakmaty's position after each of its moves. Castling is written as shakmaty does, or as the king taking his
/// rook.
fn random_game(mut chess: Chess, takes_rook: bool, random: &mut fastrand::Rng) -> (String, Vec<Chess>) {
    let fen = Fen::from_position(&chess, EnPassantMode::PseudoLegal);
    let mut pgn = format!("[FEN \"{fen}\"]\n\n");
    let mut positions = vec![chess.clone()];
    for _ in 0..80 {
        let legal = chess.legal_moves();
        let castlings: Vec<Move> = legal.iter().copied().filter(|played| played.is_castle()).collect();
        let Some(played) = random
            .choice(castlings)
            .or_else(|| random.choice(legal.iter().copied()))
        else {
            break;
        };
        let text = match played {
            Move::Castle { rook, .. } if takes_rook => format!("Kx{rook}"),
            _ => SanPlus::from_move(chess.clone(), played).to_string(),
        };
        chess.play_unchecked(played);
        pgn += &text;
        pgn.push(' ');
        positions.push(chess.clone());
    }
    (pgn + "*\n\n", positions)
}

#[test]
fn all_starts_of_chess960_are_played_as_by_shakmaty() {
    let mut random = fastrand::Rng::with_seed(960);
    let mut castlings = 0;
    for start in 0..960 {
        let board = shakmaty::Board::new();
        let setup = chess960_start(start, board);
        let chess: Chess = setup.position(CastlingMode::Chess960).expect("a start");
        let (pgn, positions) = random_game(chess, start % 2 == 0, &mut random);
        let batch = sample::batch(&pgn);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        assert!(game.warnings.is_empty(), "{:?} in {pgn}", game.warnings);
        assert_eq!(game.positions.len(), positions.len(), "{pgn}");
        for (ours, theirs) in game.positions.iter().zip(&positions) {
            let fen = Fen::from_position(theirs, EnPassantMode::PseudoLegal).to_string();
            assert_eq!(game.fen(ours), fen, "position {} of {pgn}", ours.id);
            castlings += usize::from(matches!(ours.arrival.kind, MoveKind::Castle(_)));
        }
        let mut copy = Game {
            start: game.start.clone(),
            ..Game::default()
        };
        let mut line = Vec::new();
        push_main_line(&game, &mut line);
        Replayer::default()
            .replay(&mut copy, &line, &[])
            .expect("it can be replayed");
        assert_eq!(copy.positions, game.positions, "{pgn}");
    }
    assert!(castlings > 500, "only {castlings} castlings");
}

/// Returns the Chess960 start position with this number, in some order.
fn chess960_start(number: usize, mut board: shakmaty::Board) -> Setup {
    let mut left: Vec<File> = File::ALL.to_vec();
    let mut pieces: Vec<(File, Role)> = Vec::new();
    let (bishops, rest) = (number % 16, number / 16);
    pieces.push((File::new(bishops as u32 % 4 * 2), Role::Bishop));
    pieces.push((File::new(bishops as u32 / 4 * 2 + 1), Role::Bishop));
    left.retain(|file| pieces.iter().all(|(taken, _)| taken != file));
    pieces.push((left.remove(rest % 6), Role::Queen));
    let pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
    let (first, second) = pairs.clone().nth(rest / 6).expect("ten pairs");
    let (second, first) = (left.remove(second), left.remove(first));
    pieces.extend([(first, Role::Knight), (second, Role::Knight)]);
    pieces.extend(left.into_iter().zip([Role::Rook, Role::King, Role::Rook]));
    let mut rights = shakmaty::Bitboard::EMPTY;
    for color in Color::ALL {
        for (file, role) in &pieces {
            let square = Square::from_coords(*file, color.backrank());
            board.set_piece_at(square, role.of(color));
            if *role == Role::Rook {
                rights.add(square);
            }
        }
    }
    Setup {
        board,
        castling_rights: rights,
        ..Setup::initial()
    }
}

#[test]
fn fens_of_standard_games_are_those_of_shakmaty() {
    let mut random = fastrand::Rng::with_seed(11);
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 7 31",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 40 90",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    ] {
        for _ in 0..60 {
            let chess: Chess = fen
                .parse::<Fen>()
                .expect("a FEN")
                .into_position(CastlingMode::Standard)
                .expect("a position");
            let (pgn, positions) = random_game(chess, false, &mut random);
            let batch = sample::batch(&pgn);
            let mut game = Game::default();
            GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
            assert_eq!(game.positions.len(), positions.len(), "{pgn}");
            for (ours, theirs) in game.positions.iter().zip(&positions) {
                let fen = Fen::from_position(theirs, EnPassantMode::PseudoLegal).to_string();
                assert_eq!(game.fen(ours), fen, "position {} of {pgn}", ours.id);
            }
        }
    }
}
