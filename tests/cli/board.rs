//! `skewer board`.

use predicates::prelude::*;

use super::*;

/// Returns the command `skewer board` with letters for the pieces.
fn board(arguments: &[&str]) -> Command {
    let mut command = skewer();
    command.args(["board", "--ascii"]).args(arguments);
    command
}

const KING_AND_PAWN: &str = "\
8  . . . . k . . .
7  . . . . . . . .
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  . . . . P . . .
1  . . . . K . . .
   a b c d e f g h
Black to move
";

#[test]
fn a_fen_is_one_argument_or_several() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    board(&[fen]).assert().code(0).stdout(KING_AND_PAWN).stderr("");
    let fields: Vec<_> = fen.split(' ').take(2).collect();
    board(&fields).assert().code(0).stdout(KING_AND_PAWN);
}

#[test]
fn positions_come_from_standard_input_too() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    board(&["-"])
        .write_stdin(format!("{fen}\n\n  {fen}\r\n"))
        .assert()
        .code(0)
        .stdout(format!("{KING_AND_PAWN}\n{KING_AND_PAWN}"))
        .stderr("");
    board(&["-"])
        .write_stdin(format!("{fen}\n4k3/8 w\n"))
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains(" --> <stdin>:2:1\n"));
    board(&["-"])
        .write_stdin("\n")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("standard input has no position"));
    skewer()
        .args(["board", "--svg", "-"])
        .write_stdin(format!("{fen}\n{fen}\n"))
        .assert()
        .code(2)
        .stderr(predicate::str::contains("a picture has one position"));
}

#[test]
fn compositions_are_drawn() {
    board(&["8/8/8/3kK3/8/8/8/P6p w"]).assert().code(0);
}

#[test]
fn the_board_can_be_turned_and_squares_marked() {
    board(&["--flip", "--mark", "e1,h8", "4k3/8/8/8/8/8/4P3/4K3 w"])
        .assert()
        .code(0)
        .stdout(predicate::str::starts_with("1  . . .[K]. . . .\n2  . . . P . . . .\n"))
        .stdout(predicate::str::ends_with(
            "8 [.]. . k . . . .\n   h g f e d c b a\nWhite to move\n",
        ));
}

#[test]
fn symbols_are_for_locales_that_have_them() {
    for (locale, king) in [("C.UTF-8", "♔"), ("C", "K")] {
        skewer()
            .args(["board", "4k3/8/8/8/8/8/8/4K3 w"])
            .env("LC_ALL", locale)
            .assert()
            .stdout(predicate::str::contains(king));
    }
}

#[test]
fn colors_are_for_terminals() {
    let escape = predicate::str::contains("\u{1b}[");
    board(&["4k3/8/8/8/8/8/8/4K3 w"]).assert().stdout(escape.clone().not());
    board(&["--color", "always", "4k3/8/8/8/8/8/8/4K3 w"])
        .assert()
        .stdout(escape);
}

#[test]
fn a_bad_fen_is_an_error_with_its_place() {
    let expected = "\
error: rank 2 has 9 squares
 --> <FEN>:1:15
  |
1 | 4k3/8/8/8/8/8/P8/4K3 w
  |               ^^
  |
  = help: the pieces and the numbers of empty squares of a rank add up to eight
";
    board(&["4k3/8/8/8/8/8/P8/4K3 w"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(expected);
    board(&["4k3/8/8/8/8/8/8/4K3"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("the side to move is missing"));
    board(&["4k3/8/8/8/8/8/8/4K3 w", "--mark", "e9"]).assert().code(2);
    board(&[]).assert().code(2);
}

#[test]
fn a_drawing_has_the_pieces_and_the_marks() {
    let text = stdout(skewer().args(["board", "--svg", "--mark", "d1,d8", "6k1/5ppp/8/8/8/8/8/3R2K1 w"]));
    let document = roxmltree::Document::parse(&text).expect("the drawing is XML");
    let count = |name: &str| {
        document
            .descendants()
            .filter(|node| node.tag_name().name() == name)
            .count()
    };
    assert_eq!(count("use"), 6);
    assert_eq!(text.matches("rx=\"5\"").count(), 2, "two framed squares");
    assert!(text.contains("White to move"));
    skewer()
        .args(["board", "--svg", "--ascii", "8/8/8/8/8/8/8/8 w"])
        .assert()
        .code(2);
}

#[test]
fn a_position_is_said_as_a_query() {
    let fen = "8/5k2/8/8/4P3/4K3/8/1r5R w - - 0 1";
    let material = "R == 1 P == 1 r == 1 not [QBNqbnp]\n";
    for (arguments, query) in [
        (&["--query"][..], "fen \"8/5k2/8/8/4P3/4K3/8/1r5R\"\nwtm\n".to_owned()),
        (
            &["--query", "--widen", "pieces"],
            "fen \"8/5k2/8/8/4P3/4K3/8/1r5R\"\n".to_owned(),
        ),
        (&["--query", "--widen", "pawns"], format!("Pe4 {material}")),
        (&["--query", "--widen=files"], format!("Pe1-8 {material}")),
        (&["--query", "--widen", "material"], material.to_owned()),
        (&["--query", "--widen", "structure"], "Pe4 P == 1 not p\n".to_owned()),
        (
            &["--query", "--widen", "structure", "--unicode"],
            "♙e4 ♙ == 1 not ♟\n".to_owned(),
        ),
    ] {
        skewer()
            .arg("board")
            .args(arguments)
            .arg(fen)
            .assert()
            .code(0)
            .stdout(query)
            .stderr("");
    }
    skewer()
        .args(["board", "--query", "--widen", "structure", "-"])
        .write_stdin(format!("{fen}\n4k3/8/8/8/8/8/8/4K3 b\n"))
        .assert()
        .code(0)
        .stdout("Pe4 P == 1 not p\n\nnot [Pp]\n");
}

#[test]
fn a_query_that_a_position_is_finds_it() {
    let fen = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16";
    for width in ["exact", "pieces", "pawns", "files", "material", "structure"] {
        let query = stdout(skewer().args(["board", "--query", "--widen", width, fen]));
        let found = stdout(skewer().args(["search", "-q", "-f", "fen", "-e", &query, "examples/classics.pgn"]));
        assert!(found.contains(fen), "{width}: {query}: {found}");
    }
}

#[test]
fn positions_of_other_games_than_chess_are_no_queries() {
    for (fen, message) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[QN] w KQkq - 0 1",
            "`[` is not a piece",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB~NR w KQkq - 0 1",
            "`~` is not a piece",
        ),
        (
            "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
            "White has no king",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - +0+0 0 1",
            "this is not a number",
        ),
    ] {
        skewer()
            .args(["board", "--query", fen])
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(message));
    }
    for arguments in [
        &["--widen", "pawns"][..],
        &["--unicode"],
        &["--query", "--svg"],
        &["--query", "--mark", "e4"],
        &["--query", "-o", "q.cql"],
        &["--query", "--unicode", "--ascii"],
        &["--query", "--widen", "kings"],
    ] {
        let mut command = skewer();
        command.arg("board").args(arguments).arg("4k3/8/8/8/8/8/8/4K3 w");
        command.assert().code(2).stdout("");
    }
}
