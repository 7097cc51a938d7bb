//! Each format.

use super::*;

fn mates(format: &str) -> String {
    stdout(&mut search(&["-e", "mate", "--format", format, CLASSICS]))
}

#[test]
fn ids() {
    assert_eq!(mates("ids"), MATES);
}

#[test]
fn count() {
    assert_eq!(mates("count"), "games: 8\npositions: 8\n");
    search(&["-e", "stalemate", "--format", "count", CLASSICS])
        .assert()
        .code(1)
        .stdout("games: 0\npositions: 0\n");
}

#[test]
fn fen() {
    let fens = mates("fen");
    assert_eq!(fens.lines().count(), 8);
    assert_eq!(
        fens.lines().next(),
        Some("rn1q1bnr/ppp1kB1p/3p2p1/3NN3/4P3/8/PPPP1PPP/R1BbK2R b KQ - 2 7")
    );
}

#[test]
fn pgn_has_matching_games_with_comments() {
    let games = mates("pgn");
    assert_eq!(games.matches("[Event \"").count(), 8);
    assert!(games.contains("{Game number 1}\n1.e4 e5 2.Nf3 d6"), "{games}");
    assert!(games.contains("7.Nd5# {CQL} 1-0\n\n\n[Event"), "{games}");
}

#[test]
fn csv_has_a_header_and_a_row_for_each_position() {
    let table = mates("csv");
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some("file,game,positionid,ply,movenumber,side,fen,white,black,white_elo,black_elo,event,site,date,result,eco")
    );
    let opera = lines.nth(3).expect("there are eight rows");
    assert!(
        opera.contains(",5,33,33,17,black,1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17,"),
        "{opera}"
    );
    assert!(
        opera.ends_with("\"Morphy, Paul\",Duke of Brunswick and Count Isouard,,,Casual game,Paris,1858.??.??,1-0,")
    );
    assert_eq!(lines.count(), 4);
}

#[test]
fn jsonl_has_an_object_for_each_position() {
    let query = "sort \"plies\" ply settag(\"Theme\" \"mate\") mate gamenumber==9";
    let output = stdout(&mut search(&["-e", query, "--format", "jsonl", CLASSICS]));
    assert_eq!(output.lines().count(), 1);
    let line: serde_json::Value = serde_json::from_str(&output).expect("each line is JSON");
    assert_eq!(line["white"], "Réti, Richard");
    assert_eq!(line["positionid"], 21);
    assert_eq!(line["side"], "black");
    assert_eq!(line["white_elo"], serde_json::Value::Null);
    assert_eq!(line["sort"], serde_json::json!({"plies": 21}));
    assert_eq!(line["tags"], serde_json::json!({"Theme": "mate"}));
}

#[test]
fn cells_that_look_like_formulas_are_quoted_on_demand() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", "[White \"=HYPERLINK(1)\"]\n[Black \"@b\"]\n\n1. e4 *\n");
    let run = |options: &[&str]| stdout(search(&["-e", "initial", "-f", "csv", text(&games)]).args(options));
    assert!(run(&[]).contains(",=HYPERLINK(1),@b,"));
    assert!(run(&["--quote-formulas"]).contains(",'=HYPERLINK(1),'@b,"));
}
