//! Coloured squares and arrows in comments.

use roxmltree::Document;

use super::*;

/// A plan for the knight to reach f5. Black's move has no comment.
const DRAWN: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 {see [%csl Gf5,Rf7] [%cal Gf3h4,Yh4f5] [%csl Zz9]} Nc6 (2... d6 {[%cal Be5e4]}) *\n\n";

#[test]
fn boards_show_what_the_annotator_has_drawn() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", DRAWN);
    let database = folder.path().join("games.parquet");
    skewer()
        .args(["index", text(&games), "-o", text(&database)])
        .assert()
        .code(0);
    for games in [text(&games), text(&database)] {
        let svg = stdout(&mut search(&["-e", "Nf3 attacks p", "-f", "svg", "-n", "1", games]));
        let document = Document::parse(&svg).expect("the drawing is XML");
        let fills = |color: &str| {
            let all = document.descendants();
            all.filter(|node| node.attribute("fill") == Some(color)).count()
        };
        // The knight attacks the pawn on e5 in two positions, and only the first one has a comment.
        assert_eq!(
            ["#4f9d1e", "#c8321e", "#f0dc00", "#1e88e5"].map(fills),
            [2, 1, 1, 0],
            "{games}"
        );
        assert!(fills("#00808a") > 0, "the marks of the query are there, too");

        let page = stdout(&mut search(&["-e", "Nf3 attacks p", "-f", "html", games]));
        assert!(
            page.contains("\"drawn\":[[3,\"Gf5Rf7\",\"Gf3h4Yh4f5\"],[5,\"\",\"Be5e4\"]]"),
            "{games}"
        );

        let boards = stdout(&mut search(&["-e", "Nf3 attacks p", "-f", "board", "--ascii", games]));
        assert_eq!(boards.matches("drawn ").count(), 1, "{boards}");
        assert!(
            boards.contains("drawn green f5 f3–h4, red f7, yellow h4–f5"),
            "{boards}"
        );
    }
    let board = stdout(skewer().args(["show", text(&games), "1:3", "--ascii"]));
    assert!(board.contains("drawn green f5 f3–h4, red f7, yellow h4–f5"), "{board}");
}

#[test]
fn games_without_drawings_are_drawn_as_before() {
    let page = stdout(&mut search(&["-e", "mate", "-f", "html", CLASSICS]));
    assert!(!page.contains("\"drawn\""));
    let boards = stdout(&mut search(&["-e", "mate", "-f", "board", CLASSICS]));
    assert!(!boards.contains("drawn "));
}
