//! What each motif is, in drawn positions.

use skewer::query::prelude::{self, Function};

use crate::{color_swapped, drawn, matches};

/// Whether filters match a board and, colours swapped, the board of the other colour; they have to agree.
fn found(filters: &str, board: &[&str]) -> bool {
    let board = drawn(board);
    let found = matches(filters, &board);
    let swapped = matches(&format!("reversecolor {{{filters}}}"), &color_swapped(&board));
    assert_eq!(found, swapped, "`{filters}` sees one colour only: {board}");
    found
}

/// The drawing in a documentation and the filters below it.
fn example(function: &Function) -> (Vec<&str>, Vec<&str>) {
    let lines = function.documentation().lines().map(str::trim);
    let mut drawing = Vec::new();
    let mut filters = Vec::new();
    for line in lines
        .skip_while(|line| !line.is_empty())
        .filter(|line| !line.is_empty())
    {
        if drawing.len() < 8 {
            drawing.push(line);
        } else {
            filters.push(line);
        }
    }
    (drawing, filters)
}

#[test]
fn the_examples_of_the_prelude_hold() {
    for function in prelude::functions() {
        let (board, filters) = example(function);
        assert!(!filters.is_empty(), "{} has no example", function.name());
        for filter in filters {
            assert!(filter.contains(function.name()), "{filter}");
            assert!(matches(filter, &drawn(&board)), "{filter}\n{}", board.join("\n"));
        }
        // Without arguments the men of both sides count.
        assert!(found(&format!("{}()", function.name()), &board), "{}", function.name());
    }
}

#[test]
fn a_battery_needs_two_sliders_that_move_along_its_line() {
    let board = [
        ". . . . k . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . Q . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . . K",
    ];
    assert!(found("battery(R Q k)", &board));
    assert!(found("battery(R Q) == [e5,e6,e7,e8]", &board));
    assert!(found("battery(Q R) == []", &board), "nothing is behind the rook");
    assert!(found("not battery(B)", &board));
    let wrong_man = [
        ". . . . k . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . B . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . . K",
    ];
    assert!(!found("battery()", &wrong_man), "a bishop does not move along a file");
    let other_side = [
        ". . . . k . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . q . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . . K",
    ];
    assert!(!found("battery()", &other_side));
}

#[test]
fn a_discovered_attack_needs_a_man_that_can_leave_the_line() {
    let blocked_pawn = [
        ". . . . q . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . P . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . . K",
    ];
    assert!(!found("discoveredattack()", &blocked_pawn), "it stays on the file");
    let capturing_pawn = [
        ". . . . q . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . p . . . .",
        ". . . . P . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . . K",
    ];
    assert!(found("discoveredattack(R P q)", &capturing_pawn));
    assert!(found("discoveredattack(R P) == e8", &capturing_pawn));
    let pawn_on_rank = [
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        "R . . P . . r .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . K",
    ];
    assert!(found("discoveredattack(R P r)", &pawn_on_rank));
    let own_target = [
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        "R . . N . . R .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . K",
    ];
    assert!(!found("discoveredattack()", &own_target));
    let shut_in = [
        ". . . . . . . k",
        ". . . . . . . .",
        "n . . . . . . .",
        "B . . . . . . .",
        "R . . . . . . .",
        "N P P . . . . .",
        ". K . . . . . .",
        "R . . . . . . .",
    ];
    assert!(
        !found("discoveredattack(Ra1 N)", &shut_in),
        "nothing of the other side behind it"
    );
}

#[test]
fn a_pawn_that_can_only_take_along_the_diagonal_does_not_leave_it() {
    let along = [
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . p r . . . .",
        ". . P . . . . .",
        ". B . . . . . .",
        ". . . . . . . K",
    ];
    assert!(!found("discoveredattack()", &along));
    let aside = [
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". n p r . . . .",
        ". . P . . . . .",
        ". B . . . . . .",
        ". . . . . . . K",
    ];
    assert!(found("discoveredattack(B P r)", &aside));
    let ahead = [
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". r . . . . . .",
        ". . P . . . . .",
        ". . . B . . . .",
        ". . . . . . . K",
    ];
    assert!(found("discoveredattack(B P r)", &ahead));
}

#[test]
fn a_discovered_check_is_one_of_the_king_alone() {
    let queen = [
        ". . . . q . k .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . N . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . K .",
    ];
    assert!(found("discoveredattack(R N q)", &queen));
    assert!(!found("discoveredcheck()", &queen));
    let king = [
        ". . . . . . . k",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . P . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". B . . . . . .",
        ". . . . . . K .",
    ];
    assert!(found("discoveredcheck(B P) == h8", &king));
    assert!(found("{man ∊ A discoveredcheck(. man)} == e5", &king));
}

#[test]
fn pins_are_told_apart_by_what_is_behind() {
    let king = [
        ". . . . k . . .",
        ". . . . . . . .",
        ". . . . r . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . K .",
    ];
    assert!(found("absolutepin(R r)", &king));
    assert!(found("partialpin(R r k)", &king));
    assert!(!found("relativepin()", &king));
    let queen = [
        ". . . . q . k .",
        ". . . . . . . .",
        ". . . . r . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . K .",
    ];
    assert!(found("relativepin(R r q)", &queen));
    assert!(found("partialpin(R r) == e8", &queen));
    assert!(!found("absolutepin()", &queen));
    let equal = [
        ". . . . n . k .",
        ". . . . . . . .",
        ". . . . b . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . K .",
    ];
    assert!(!found("relativepin()", &equal), "bishop and knight are worth the same");
    assert!(
        !found("partialpin()", &equal),
        "the bishop does not move along the file"
    );
    let own = [
        ". . . . k . . .",
        ". . . . . . . .",
        ". . . . N . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . K .",
    ];
    assert!(!found("absolutepin()", &own), "a discovered check");
}

#[test]
fn a_skewer_has_the_man_of_more_worth_in_front() {
    let queen = [
        ". . . . r . k .",
        ". . . . . . . .",
        ". . . . q . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . K .",
    ];
    assert!(found("skewer(R q r)", &queen));
    assert!(found("skewer(A) == e8", &queen));
    assert!(!found("skewer(B q r)", &queen));
    assert!(!found("relativepin()", &queen));
    let pin = [
        ". . . . q . k .",
        ". . . . . . . .",
        ". . . . r . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . K .",
    ];
    assert!(!found("skewer()", &pin));
    let equal = [
        ". . . . . . r k",
        ". . . . . r . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . B . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . K .",
    ];
    assert!(found("skewer(B r r) == g8", &equal));
    let pawns = [
        ". . . . . . . k",
        ". . . . p . . .",
        ". . . . p . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . . K",
    ];
    assert!(!found("skewer()", &pawns), "a pawn is no piece");
}

#[test]
fn an_x_ray_goes_through_a_slider_of_the_same_line() {
    let board = [
        ". . . . R . k .",
        ". . . . . . . .",
        ". . . . q . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . K .",
    ];
    assert!(found("xrayattack(Re1 q R) == e8", &board));
    let bishop = [
        ". . . . R . k .",
        ". . . . . . . .",
        ". . . . b . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . R . K .",
    ];
    assert!(!found("xrayattack()", &bishop));
}
