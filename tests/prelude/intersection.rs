//! `intersection`: where lines of two sets cross.

use skewer::board::intersection::intersection_squares;
use skewer::board::{Bitboard, DirectionSet, Line, Square};

use crate::board::reference::intersection::intersection;
use crate::prelude::{compile, matches, run};

const BOARD: &str = "4k3/8/4b3/8/8/8/2R5/K7";

#[test]
fn lines_of_all_kinds_cross_unless_kinds_are_named() {
    for (filters, squares) in [
        ("intersection(vertical R diagonal b)", "[c4,c8]"),
        ("intersection(horizontal R diagonal b)", "a2"),
        ("intersection(horizontal R vertical b)", "e2"),
        ("intersection(vertical R horizontal b)", "c6"),
        ("intersection(orthogonal R diagonal b)", "[a2,c4,c8]"),
        ("intersection(horizontal vertical R diagonal b)", "[a2,c4,c8]"),
        ("intersection(maindiagonal R offdiagonal b)", "f5"),
        ("intersection(offdiagonal R maindiagonal b)", "b3"),
        ("intersection(horizontal R offdiagonal b)", "[]"),
        ("intersection(vertical R maindiagonal b)", "c4"),
        ("intersection(vertical R offdiagonal b)", "c8"),
        ("intersection(R vertical k)", "[e2,e4]"),
        ("intersection(R [])", "[]"),
        ("intersection({up 2 R} horizontal {e6})", "[a6,c6,e6]"),
        ("intersection(R b) & intersection(b R)", "[a2,e2,b3,c4,e4,f5,c6,g6,c8]"),
    ] {
        let (_, message) = run(&format!("message quiet({filters})"), &[BOARD.to_owned()]);
        assert_eq!(message.trim_end(), squares, "{filters}");
    }
}

#[test]
fn men_do_not_stop_lines() {
    let between = "8/8/8/3k4/8/1PPP4/1PRP4/KPPP4";
    assert!(matches("intersection(vertical R horizontal k) == c5", between));
    assert!(matches("{. <- R} & {. <- k} == []", between), "attacks are stopped");
}

#[test]
fn transforms_turn_the_kinds_that_are_written() {
    for (filters, found) in [
        ("rotate90 {c6 & intersection(horizontal R vertical b)}", false),
        ("flip {e2 & intersection(vertical Rc2 horizontal be6)}", false),
        ("flip {intersection(horizontal [c2] vertical [e6]) == c6}", false),
        ("rotate45 1 8 {intersection(horizontal R maindiagonal b)}", true),
        ("rotate45 8 {intersection(R b)}", false),
        ("rotate45 1 {intersection(R b)}", true),
    ] {
        assert_eq!(matches(filters, BOARD), found, "{filters}");
    }
    // Turned by 45 degrees, a rank becomes a diagonal.
    let turned = "rotate45 {intersection(horizontal R vertical b) message quiet(currenttransform)}";
    let (_, messages) = run(turned, &[BOARD.to_owned()]);
    assert!(messages.lines().count() >= 2, "{messages}");
}

#[test]
fn the_set_of_crossings_is_that_of_all_pairs_of_squares() {
    let kinds = |line: Line| line.directions().into_iter().collect::<DirectionSet>();
    let (a, b) = (
        Bitboard::from_iter([Square::C2, Square::H7]),
        Bitboard::from_iter([Square::E6, Square::B1]),
    );
    for line_a in Line::ALL {
        let every_kind = Line::ALL.into_iter().flat_map(|line_b| {
            a.into_iter()
                .flat_map(move |a| b.into_iter().filter_map(move |b| intersection(line_a, a, line_b, b)))
        });
        let expected: Bitboard = every_kind.collect();
        assert_eq!(intersection_squares(kinds(line_a), a, DirectionSet::ALL, b), expected);
    }
}

#[test]
fn mistakes_are_explained() {
    for (filters, message) in [
        ("intersection(R)", "unexpected `)`"),
        ("intersection(R b k)", "unexpected piece designator"),
        (
            "intersection(R 3)",
            "expected a set as second argument of `intersection`, found a number",
        ),
        ("intersection(up R b)", "`up` is not a kind of line"),
        ("intersection(diagonal 1 R b)", "unexpected number `1`"),
        (
            "intersection(diagonal offdiagonal R b)",
            "a kind of line is given twice",
        ),
        ("intersection(vertical R vertical b)", "lines of one kind do not cross"),
    ] {
        assert_eq!(compile(filters).expect_err(filters).message, message);
    }
}
