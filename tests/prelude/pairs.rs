//! The motifs, compared with their definitions piece by piece on random boards.

use fastrand::Rng;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use crate::prelude::run;

/// A slider, the first piece that it attacks, and a square behind that piece, up to the next piece.
struct Triple {
    slider: Piece,
    blocker: (Square, Piece),
    target: (Square, Option<Piece>),
    /// All squares in line with slider and blocker.
    line: Bitboard,
}

/// Returns all triples on a board.
fn triples(board: &Board) -> Vec<Triple> {
    let mut triples = Vec::new();
    for (from, slider) in board.clone() {
        let sliders = [Role::Rook, Role::Bishop, Role::Queen];
        if !sliders.contains(&slider.role) {
            continue;
        }
        for at in attacks::attacks(from, slider, board.occupied()) & board.occupied() {
            let without = board.occupied() ^ Bitboard::from(at);
            let more = attacks::attacks(from, slider, without) ^ attacks::attacks(from, slider, board.occupied());
            for behind in more {
                triples.push(Triple {
                    slider,
                    blocker: (at, board.piece_at(at).expect("a piece")),
                    target: (behind, board.piece_at(behind)),
                    line: attacks::ray(from, at),
                });
            }
        }
    }
    triples
}

fn worth(role: Role) -> u32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

/// Returns whether a piece on a square attacks along a line.
fn moves_along(piece: Piece, at: Square, line: Bitboard) -> bool {
    let slides = matches!(piece.role, Role::Rook | Role::Bishop | Role::Queen);
    slides && (attacks::attacks(at, piece, Bitboard::EMPTY) & line).any()
}

/// Returns whether a piece has a move to a square off the line.
fn leaves(piece: Piece, at: Square, line: Bitboard, board: &Board) -> bool {
    let attacked = attacks::attacks(at, piece, board.occupied());
    let to = if piece.role == Role::Pawn {
        let step = at
            .offset(piece.color.fold_wb(8, -8))
            .map_or(Bitboard::EMPTY, Bitboard::from);
        attacked & board.by_color(!piece.color) | step & !board.occupied()
    } else {
        attacked & !board.by_color(piece.color)
    };
    (to & !line).any()
}

/// Returns the name of each motif, and whether a triple is an example of it.
fn motifs(triple: &Triple, board: &Board) -> [(&'static str, bool); 8] {
    let color: Color = triple.slider.color;
    let (at, blocker) = triple.blocker;
    let target = triple.target.1;
    let own_blocker = blocker.color == color;
    let opposing = target.filter(|piece| piece.color != color).map(|piece| piece.role);
    let own_target = target.is_some_and(|piece| piece.color == color);
    let along = moves_along(blocker, at, triple.line);
    let can_leave = leaves(blocker, at, triple.line, board);
    let worthier = opposing.is_some_and(|role| worth(role) > worth(blocker.role));
    let no_worthier = opposing.is_some_and(|role| worth(role) <= worth(blocker.role));
    let king = opposing == Some(Role::King);
    [
        ("battery", own_blocker && along),
        ("discoveredattack", own_blocker && can_leave && opposing.is_some()),
        ("discoveredcheck", own_blocker && can_leave && king),
        ("absolutepin", !own_blocker && king),
        ("relativepin", !own_blocker && worthier && !king),
        ("partialpin", !own_blocker && along && worthier),
        ("skewer", !own_blocker && blocker.role != Role::Pawn && no_worthier),
        ("xrayattack", !own_blocker && along && own_target),
    ]
}

/// Returns a board with one king of each side and up to twenty other pieces.
fn random_board(rng: &mut Rng) -> Board {
    let mut squares = Square::ALL;
    rng.shuffle(&mut squares);
    let mut board = Board::empty();
    let pieces = rng.usize(4..22);
    for (index, square) in squares.into_iter().take(pieces).enumerate() {
        let color = if index % 2 == 0 { Color::White } else { Color::Black };
        let role = match index {
            0 | 1 => Role::King,
            _ => Role::ALL[rng.usize(0..5)],
        };
        board.set_piece_at(square, Piece { color, role });
    }
    board
}

/// Returns a set as `message` prints it.
fn printed(set: Bitboard) -> String {
    let squares: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
    match &*squares {
        [square] => square.clone(),
        squares => format!("[{}]", squares.join(",")),
    }
}

#[test]
fn motifs_are_those_pairs_of_pieces_that_their_definitions_say() {
    let mut rng = Rng::with_seed(7);
    let boards: Vec<Board> = (0..400).map(|_| random_board(&mut rng)).collect();
    let texts: Vec<String> = boards.iter().map(Board::to_string).collect();
    for (motif, name) in [
        "battery",
        "discoveredattack",
        "discoveredcheck",
        "absolutepin",
        "relativepin",
        "partialpin",
        "skewer",
        "xrayattack",
    ]
    .into_iter()
    .enumerate()
    {
        let (_, messages) = run(&format!("message quiet({name}())"), &texts);
        let mut seen = 0;
        for (board, message) in boards.iter().zip(messages.lines()) {
            let found: Vec<Triple> = triples(board)
                .into_iter()
                .filter(|triple| motifs(triple, board)[motif].1)
                .collect();
            let expected: Bitboard = found.iter().map(|triple| triple.target.0).collect();
            assert_eq!(message, printed(expected), "{name}: {board}");
            seen += usize::from(expected.any());
        }
        assert_eq!(messages.lines().count(), boards.len(), "{name}");
        assert!(seen > 10, "{name} is seen on {seen} boards only");
        assert!(seen < boards.len(), "{name} is on all boards");
    }
}

#[test]
fn each_argument_narrows_its_own_piece() {
    let mut rng = Rng::with_seed(8);
    let boards: Vec<Board> = (0..200).map(|_| random_board(&mut rng)).collect();
    let texts: Vec<String> = boards.iter().map(Board::to_string).collect();
    let (_, messages) = run("message quiet(skewer(A [qr] a-h1-4))", &texts);
    for (board, message) in boards.iter().zip(messages.lines()) {
        let expected: Bitboard = triples(board)
            .into_iter()
            .filter(|triple| triple.slider.color == Color::White)
            .filter(|triple| matches!(triple.blocker.1.role, Role::Queen | Role::Rook))
            .filter(|triple| motifs(triple, board).contains(&("skewer", true)))
            .map(|triple| triple.target.0)
            .filter(|target| target.rank() < shakmaty::Rank::Fifth)
            .collect();
        assert_eq!(message, printed(expected), "{board}");
    }
}
