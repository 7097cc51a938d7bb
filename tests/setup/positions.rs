//! Positions as setups, at each width.

use fastrand::Rng;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};
use skewer::chess::Start;
use skewer::setup::{Setup, Width};

use super::{Positions, compiled, query, shown};

/// Each width asks for less than the one before.
const CHAIN: [Width; 5] = [Width::Exact, Width::Pieces, Width::Pawns, Width::Files, Width::Material];

fn of_fen(fen: &str, width: Width) -> Setup {
    let start = Start::from_fen(fen.as_bytes()).unwrap_or_else(|error| panic!("{fen}: {}", error.fault));
    Setup::of_position(&start.board, start.turn, width)
}

#[test]
fn a_position_fits_to_its_setups_and_each_is_wider_than_the_one_before() {
    let positions = Positions::read();
    for (number, position) in positions.all.iter().enumerate().step_by(23) {
        let mut before: Option<Vec<(u64, u32)>> = None;
        for width in CHAIN {
            let text = query(&of_fen(&position.fen, width));
            let found = positions.found(&compiled(&text));
            assert!(found.contains(&position.place), "{}: {text}", position.fen);
            if let Some(before) = before {
                let lost = before.iter().find(|place| !found.contains(place));
                assert_eq!(lost, None, "{number}: {text}");
            }
            before = Some(found);
        }
        let structure = positions.found(&compiled(&query(&of_fen(&position.fen, Width::Structure))));
        let pawns = positions.found(&compiled(&query(&of_fen(&position.fen, Width::Pawns))));
        assert!(pawns.iter().all(|place| structure.contains(place)), "{}", position.fen);
    }
}

#[test]
fn legal_positions_of_all_kinds_fit_to_their_setups() {
    let mut rng = Rng::with_seed(49);
    for game in 0..12 {
        let mut position = Chess::default();
        for ply in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[rng.usize(..moves.len())]);
            if ply % 25 != game % 25 {
                continue;
            }
            let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            for width in CHAIN.into_iter().chain([Width::Structure]) {
                let setup = of_fen(&fen, width);
                let text = query(&setup);
                assert_eq!(compiled(&text).matches_fen(&fen).ok(), Some(true), "{fen}: {text}");
                let shown = shown(&text);
                assert!(shown.whole && shown.setup == setup, "{fen}: {text}");
            }
        }
    }
}

#[test]
fn widths_keep_what_they_say() {
    let fen = "r4rk1/pp3ppp/2n5/3p4/8/2P2N2/P4PPP/2R2RK1 w - - 0 1";
    let material = "R == 2 N == 1 P == 5 r == 2 n == 1 p == 6 not [QBqb]";
    let board = "fen \"r4rk1/pp3ppp/2n5/3p4/8/2P2N2/P4PPP/2R2RK1\"";
    let pawns = "P[a2,c3,f-h2] == 5 p[a-b7,d5,f-h7] == 6";
    for (width, text) in [
        (Width::Exact, format!("{board}\nwtm")),
        (Width::Pieces, board.to_owned()),
        (Width::Pawns, format!("{pawns}\n{material}")),
        (
            Width::Files,
            format!("Pa1-8 Pc1-8 Pf1-8 Pg1-8 Ph1-8 pa1-8 pb1-8 pd1-8 pf1-8 pg1-8 ph1-8\n{material}"),
        ),
        (Width::Material, material.to_owned()),
        (Width::Structure, format!("{pawns} P == 5 p == 6")),
    ] {
        assert_eq!(query(&of_fen(fen, width)), text, "{width:?}");
    }
    // Two pawns on a file, a side without pawns, and Chess960.
    for (fen, width, text) in [
        (
            "4k3/8/8/8/8/2P5/2P5/4K3 b",
            Width::Files,
            "Pc1-8 >= 2 P == 2 not [QRBNqrbnp]",
        ),
        ("4k3/8/8/8/8/2P5/2P5/4K3 b", Width::Structure, "Pc2 Pc3 P == 2 not p"),
        (
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
            Width::Material,
            "R == 2 r == 2 not [QBNPqbnp]",
        ),
    ] {
        assert_eq!(query(&of_fen(fen, width)), text, "{fen}");
    }
}

#[test]
fn castling_and_counters_are_not_asked_for() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 17";
    let query = compiled(&query(&of_fen(fen, Width::Exact)));
    assert_eq!(query.matches_fen("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1").ok(), Some(true));
    assert_eq!(query.matches_fen("r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1").ok(), Some(false));
}
