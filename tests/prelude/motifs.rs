//! The definition of each motif, tested on drawn positions.

use skewer::query::prelude::{self, Function};

use crate::prelude::{color_swapped, drawn, game, matches, run_games};

/// Returns whether filters match a board. Asserts that with the colours swapped they give the same answer for the other colour.
fn found(filters: &str, board: &str) -> bool {
    let found = matches(filters, board);
    let swapped = matches(&format!("reversecolor {{{filters}}}"), &color_swapped(board));
    assert_eq!(found, swapped, "`{filters}` sees one colour only: {board}");
    found
}

/// Returns a board with these pieces on the e-file, from e8 down to e1, and the kings on the h-file. The black king is only on the
/// h-file if it is not on the e-file.
fn on_e_file(pieces: &str) -> String {
    let aside = |rank: usize| match rank {
        0 if !pieces.contains('k') => 'k',
        7 => 'K',
        _ => '.',
    };
    let ranks = pieces.chars().enumerate();
    let ranks: Vec<_> = ranks
        .map(|(rank, piece)| format!(". . . . {piece} . . {}", aside(rank)))
        .collect();
    drawn(&ranks)
}

/// Returns the parts of a documentation: its drawing, the moves that are played from there, if any, and the filters below.
fn example(function: &Function) -> (Vec<&str>, Option<&str>, Vec<&str>) {
    let lines = function.documentation().lines().map(str::trim);
    let mut drawing = Vec::new();
    let mut moves = None;
    let mut filters = Vec::new();
    for line in lines
        .skip_while(|line| !line.is_empty())
        .filter(|line| !line.is_empty())
    {
        if drawing.len() < 8 {
            drawing.push(line);
        } else if line.starts_with("1.") || line.starts_with('{') {
            moves = Some(line);
        } else {
            filters.push(line);
        }
    }
    (drawing, moves, filters)
}

#[test]
fn the_examples_of_the_prelude_hold() {
    for function in prelude::functions() {
        let (board, moves, filters) = example(function);
        assert!(!filters.is_empty(), "{} has no example", function.name());
        for filter in filters {
            assert!(filter.contains(function.name()), "{filter}");
            let found = match moves {
                Some(moves) => !run_games(filter, &[game(&drawn(&board), moves)]).0.is_empty(),
                None => matches(filter, &drawn(&board)),
            };
            assert!(found, "{filter}\n{}", board.join("\n"));
        }
        if moves.is_some() {
            continue;
        }
        // Without arguments, the motif may be of either side.
        assert!(
            found(&format!("{}()", function.name()), &drawn(&board)),
            "{}",
            function.name()
        );
    }
}

#[test]
fn a_battery_needs_two_sliders_that_move_along_its_line() {
    let board = on_e_file("k...Q..R");
    assert!(found("battery(R Q k)", &board));
    assert!(found("battery(R Q) == [e5,e6,e7,e8]", &board));
    assert!(found("battery(Q R) == []", &board), "nothing is behind the rook");
    assert!(found("not battery(B)", &board));
    let wrong_piece = on_e_file("k...B..R");
    assert!(!found("battery()", &wrong_piece), "a bishop does not move along a file");
    let other_side = on_e_file("k...q..R");
    assert!(!found("battery()", &other_side));
}

#[test]
fn a_discovered_attack_needs_a_piece_that_can_leave_the_line() {
    let blocked_pawn = on_e_file("q...P..R");
    assert!(!found("discoveredattack()", &blocked_pawn), "it stays on the file");
    let capturing_pawn = drawn(&[
        ". . . . q . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . p . . . .",
        ". . . . P . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . . K",
    ]);
    assert!(found("discoveredattack(R P q)", &capturing_pawn));
    assert!(found("discoveredattack(R P) == e8", &capturing_pawn));
    let pawn_on_rank = drawn(&[
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        "R . . P . . r .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . K",
    ]);
    assert!(found("discoveredattack(R P r)", &pawn_on_rank));
    let own_target = drawn(&[
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        "R . . N . . R .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . K",
    ]);
    assert!(!found("discoveredattack()", &own_target));
    let shut_in = drawn(&[
        ". . . . . . . k",
        ". . . . . . . .",
        "n . . . . . . .",
        "B . . . . . . .",
        "R . . . . . . .",
        "N P P . . . . .",
        ". K . . . . . .",
        "R . . . . . . .",
    ]);
    assert!(
        !found("discoveredattack(Ra1 N)", &shut_in),
        "nothing of the other side behind it"
    );
}

#[test]
fn a_pawn_that_can_only_take_along_the_diagonal_does_not_leave_it() {
    let along = drawn(&[
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . p r . . . .",
        ". . P . . . . .",
        ". B . . . . . .",
        ". . . . . . . K",
    ]);
    assert!(!found("discoveredattack()", &along));
    let aside = drawn(&[
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". n p r . . . .",
        ". . P . . . . .",
        ". B . . . . . .",
        ". . . . . . . K",
    ]);
    assert!(found("discoveredattack(B P r)", &aside));
    let ahead = drawn(&[
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". r . . . . . .",
        ". . P . . . . .",
        ". . . B . . . .",
        ". . . . . . . K",
    ]);
    assert!(found("discoveredattack(B P r)", &ahead));
}

#[test]
fn a_discovered_check_is_one_of_the_king_alone() {
    let queen = on_e_file("q...N..R");
    assert!(found("discoveredattack(R N q)", &queen));
    assert!(!found("discoveredcheck()", &queen));
    let king = drawn(&[
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . P . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". B . . . . . .",
        ". . . . . . K .",
    ]);
    assert!(found("discoveredcheck(B P) == h8", &king));
    assert!(found("{x ∊ A discoveredcheck(. x)} == e5", &king));
}

#[test]
fn pins_are_told_apart_by_what_is_behind() {
    let king = on_e_file("k.r....R");
    assert!(found("absolutepin(R r)", &king));
    assert!(found("partialpin(R r k)", &king));
    assert!(!found("relativepin()", &king));
    let queen = on_e_file("q.r....R");
    assert!(found("relativepin(R r q)", &queen));
    assert!(found("partialpin(R r) == e8", &queen));
    assert!(!found("absolutepin()", &queen));
    let equal = on_e_file("n.b....R");
    assert!(!found("relativepin()", &equal), "bishop and knight are worth the same");
    assert!(
        !found("partialpin()", &equal),
        "the bishop does not move along the file"
    );
    let own = on_e_file("k.N....R");
    assert!(!found("absolutepin()", &own), "a discovered check");
}

#[test]
fn a_skewer_has_the_piece_of_more_worth_in_front() {
    let queen = on_e_file("r.q....R");
    assert!(found("skewer(R q r)", &queen));
    assert!(found("skewer(A) == e8", &queen));
    assert!(!found("skewer(B q r)", &queen));
    assert!(!found("relativepin()", &queen));
    let pin = on_e_file("q.r....R");
    assert!(!found("skewer()", &pin));
    let equal = drawn(&[
        ". . . . . . r k",
        ". . . . . r . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . B . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . K .",
    ]);
    assert!(found("skewer(B r r) == g8", &equal));
    let pawns = on_e_file(".pp....R");
    assert!(!found("skewer()", &pawns), "a pawn is not a piece");
}

#[test]
fn an_x_ray_goes_through_a_slider_of_the_same_line() {
    let board = on_e_file("R.q....R");
    assert!(found("xrayattack(Re1 q R) == e8", &board));
    let bishop = on_e_file("R.b....R");
    assert!(!found("xrayattack()", &bishop));
}
