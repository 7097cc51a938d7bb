//! Drawings.

use roxmltree::Document;

use super::*;

fn drawn(arguments: &[&str]) -> String {
    stdout(search(arguments).args(["--format", "svg"]))
}

/// Returns how many elements use a symbol.
fn count(document: &Document<'_>, symbol: &str) -> usize {
    let uses = document
        .descendants()
        .filter(|node| node.has_tag_name("use") || node.tag_name().name() == "use");
    uses.filter(|node| node.attribute("href") == Some(symbol)).count()
}

#[test]
fn a_match_is_one_board() {
    let text = drawn(&["-e", "mate gamenumber==5", CLASSICS]);
    let document = Document::parse(&text).expect("the drawing is XML");
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    assert_eq!(
        (root.attribute("width"), root.attribute("height")),
        (Some("412"), Some("448"))
    );
    let pieces = ["k", "q", "r", "b", "n", "p"].map(|piece| count(&document, &format!("#skewer-{piece}")));
    // The position: 1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5
    assert_eq!(pieces, [2, 1, 2, 2, 1, 12]);
    let symbols = document.descendants().filter(|node| node.tag_name().name() == "symbol");
    assert_eq!(symbols.count(), 6, "each piece is drawn once");
    assert!(text.contains("Morphy, Paul – Duke of Brunswick") && text.contains("17.Rd8#"));
}

#[test]
fn several_matches_stand_in_rows() {
    let text = drawn(&["-e", "mate", CLASSICS]);
    let document = Document::parse(&text).expect("the drawing is XML");
    assert_eq!(count(&document, "#skewer-k"), 16, "eight boards with two kings each");
    let root = document.root_element();
    assert_eq!(
        (root.attribute("width"), root.attribute("height")),
        (Some("1236"), Some("1344"))
    );
    let places: Vec<_> = root.children().filter_map(|node| node.attribute("transform")).collect();
    assert_eq!(
        places[..4],
        [
            "translate(0 0)",
            "translate(412 0)",
            "translate(824 0)",
            "translate(0 448)"
        ]
    );
}

#[test]
fn a_sorted_query_draws_the_best_first() {
    let text = drawn(&["-e", "sort \"plies\" ply mate", "-n", "2", CLASSICS]);
    let longest = text.find("41...Rc2#").expect("the longest game");
    assert!(
        text[..longest].matches("<title>").count() == 2,
        "the title of the sheet and of the first board"
    );
    assert_eq!(text.matches(" to move.</title>").count(), 2);
}

#[test]
fn nothing_found_is_an_empty_drawing() {
    let text = drawn(&["-e", "false", CLASSICS]);
    assert!(Document::parse(&text).is_ok(), "{text}");
}

#[test]
fn captions_are_text() {
    let folder = Folder::new();
    let games = folder.file("odd.pgn", b"[White \"<b>&\x0e\"]\n[Black \"]]> \xff\"]\n\n1. e4 *\n");
    let text = drawn(&["-e", "btm", text(&games)]);
    let document = Document::parse(&text).expect("the drawing is XML");
    let captions: Vec<_> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "text")
        .filter_map(|node| node.text())
        .collect();
    assert!(captions.contains(&"<b>&  – ]]> ÿ"), "{captions:?}");
}
