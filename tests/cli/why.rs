//! `skewer why`.

use predicates::str::contains;
use serde_json::Value;

use super::{CLASSICS as GAMES, skewer, stdout};

const ROOKS: &str = "6k1/8/8/8/8/8/PP6/K5R1 w";

#[test]
fn a_position_has_a_board_and_reasons() {
    let why = skewer()
        .args(["why", "-e", "btm R attacks k", "--ascii", "--fen", ROOKS])
        .assert()
        .code(1);
    let text = String::from_utf8(why.get_output().stdout.clone()).expect("UTF-8");
    for line in [
        "1  K . . . . . R .",
        "White to move",
        "`btm` fails: it is White's turn.",
        "Without `btm` it would match.",
        " no  btm          it is White's turn",
        "yes  R attacks k  g1",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
    skewer()
        .args(["why", "-e", "wtm R attacks k", "--fen", ROOKS])
        .assert()
        .code(0);
}

#[test]
fn positions_of_games_are_named_as_show_names_them() {
    let text = stdout(skewer().args(["why", "smothered-mate", GAMES, "1:0", "3:20"]));
    assert!(text.contains("1:0\n") && text.contains("3:20  10...Nge7\n"), "{text}");
    let query = stdout(skewer().args(["why", "-e", "mate", "-e", "wtm", GAMES, "1:0"]));
    assert!(query.contains("`mate` fails") && query.contains("yes  wtm"), "{query}");
    for (arguments, error) in [
        (&["why", "smothered-mate", GAMES, "999:1"][..], "there is no game 999"),
        (&["why", "-e", "mate", GAMES, "1:999"], "game 1 has no position 999"),
        (
            &["why", "-e", "mate", GAMES, "1"],
            "`1` is a whole game, and one of its positions is asked for",
        ),
        (&["why", "-e", "mate", GAMES, "1:"], "`1:` is not a game"),
        (
            &["why", "-e", "mate", GAMES, "--fen", ROOKS],
            "--fen names the position",
        ),
        (&["why", "-e", "mate", "--fen", "8/8 w"], "--fen: "),
        (&["why", "-e", "mate"], "nothing to ask about"),
        (&["why", "-e", "chekc", "--fen", ROOKS], "unknown name `chekc`"),
        (
            &["why", "-e", "assert mate", "--fen", ROOKS],
            "an assertion does not hold",
        ),
    ] {
        skewer().args(arguments).assert().code(2).stderr(contains(error));
    }
}

#[test]
fn variations_are_asked_where_the_query_does() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/variations.pgn");
    let shown = stdout(skewer().args(["search", "--variations", "-e", "variation", games, "-f", "ids"]));
    let id = shown.lines().next().expect("there is a variation");
    skewer()
        .args(["why", "-e", "variation", games, id])
        .assert()
        .code(2)
        .stderr(contains("is in a variation"));
    skewer()
        .args(["why", "--variations", "-e", "variation", games, id])
        .assert()
        .code(0);
}

#[test]
fn a_funnel_says_which_filter_leaves_nothing() {
    let text = stdout(skewer().args(["why", "-e", "mate #Q>=3 check", GAMES]));
    assert!(text.starts_with("`#Q>=3` leaves nothing of 8 games.\n"), "{text}");
    assert!(text.contains("games  positions  without it\n"), "{text}");
    let found = stdout(skewer().args(["why", "-e", "mate check", GAMES]));
    assert!(found.starts_with("8 of 18 games match, at 8 positions.\n"), "{found}");
    // Options narrow the games, as in a search.
    let narrowed = stdout(skewer().args(["why", "-e", "mate", GAMES, "--player", "Morphy"]));
    assert!(!narrowed.starts_with("8 of"), "{narrowed}");
}

#[test]
fn programs_get_objects() {
    let why = stdout(skewer().args(["why", "--json", "-e", "wtm #P>=3 R", "--fen", ROOKS]));
    let why: Value = serde_json::from_str(&why).expect("an object");
    assert_eq!(why["matches"], false);
    assert_eq!(why["nearest"]["query"], "wtm #P>=2 R");
    assert_eq!(why["nearest"]["changes"][0]["insert"], "#P>=2");
    assert_eq!(why["removals"][0]["text"], "#P>=3");
    assert_eq!(why["parts"][2]["value"][0], "g1");
    assert_eq!(why["parts"][1]["parts"][0]["value"], 2);
    let two = stdout(skewer().args(["why", "-f", "json", "-e", "wtm", GAMES, "1:0", "1:1"]));
    assert_eq!(two.lines().count(), 2, "one a line");
    let funnel = stdout(skewer().args(["why", "--json", "-e", "mate #Q>=3", GAMES]));
    let funnel: Value = serde_json::from_str(&funnel).expect("an object");
    assert_eq!(funnel["steps"][1]["with"]["games"], 0);
    assert_eq!(funnel["steps"][1]["without"]["games"], 8);
    assert_eq!(funnel["games"], 18);
}
