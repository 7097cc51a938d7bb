//! What paths and lines find.

use std::time::{Duration, Instant};

use skewer::output::FormatName;

use super::{golden, on_game, run};

/// Returns the value of a path or line and its last position, for every position of the golden games.
fn found(pattern: &str) -> String {
    // A complete search of longer games would take too long.
    let query = format!(
        "gamenumber==1 or gamenumber==6 or gamenumber==9\n fin={{{pattern}}}\n message(positionid \" \" {{fin:positionid}})"
    );
    run(&query, &golden("paths.pgn"), FormatName::Ids).expect(pattern).1
}

/// Patterns in which FILTER is replaced by a filter that always holds. If several ways lead to the same moves, they are searched
/// with memory if that filter has no side effect, and otherwise completely.
const PATTERNS: [&str; 16] = [
    "path lastposition -- FILTER {1,3} --? check",
    "path lastposition (-- FILTER -- ?)* -- check",
    "path lastposition (Q|K-- FILTER ? k|r|q-- ?)*",
    "path lastposition (--? FILTER --?){2,3} --",
    "path lastposition ((-- FILTER){2,} --?){1,2}",
    "path lastposition max depth --* FILTER --* ply>3",
    "path lastposition focus A -- FILTER * -- *",
    "path lastposition focus A|k (-- FILTER -- ?)+",
    "path lastposition primary (-- FILTER -- ?)+ --{2}",
    "path lastposition firstmatch --* -- FILTER + check",
    "path lastposition singlecolor (-- FILTER){2} --? --?",
    "line lastposition --> {FILTER}+ --> .* --> check",
    "line lastposition --> ({FILTER} --> .?)+ --> check",
    "line lastposition singlecolor --> {FILTER}{2,3} --> .*",
    "line lastposition --> {FILTER}* --> {move from N}? --> .+",
    "line lastposition <-- {FILTER}+ <-- .+ <-- not check",
];

#[test]
fn search_with_memory_finds_what_the_full_search_finds() {
    for pattern in PATTERNS {
        let pure = found(&pattern.replace("FILTER", "{true}"));
        let full = found(&pattern.replace("FILTER", "{same=1}"));
        assert_eq!(pure, full, "{pattern}");
        assert!(!pure.is_empty(), "{pattern}");
    }
}

/// Returns a game in which knights go out and back many times.
fn long_game(moves: usize) -> String {
    let mut game = "[Event \"long\"]\n\n".to_owned();
    for _ in 0..moves / 4 {
        game.push_str("1. Nf3 Nf6 2. Ng1 Ng8\n");
    }
    game.push_str("*\n");
    game
}

#[test]
fn no_pattern_of_pure_filters_is_exponential() {
    let game = long_game(400);
    let start = Instant::now();
    let patterns = [
        "path ((--)+)+",
        "path ((--*)*)*",
        "path (({true})*)* --",
        "path (--?)+",
        "path (-- --?)* -- check",
        "path (--)* (--)* (--)* check",
        "path ((--){2,3}){2,}",
        "path focus A ((--)+)+",
        "{line --> (.+)+}",
        "{line --> ((.+ --> .?)+ --> .?)+ --> check}",
    ];
    for pattern in patterns {
        on_game(&format!("initial {pattern}"), &game).expect(pattern);
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn a_search_that_would_not_end_stops_the_run() {
    let error = on_game("initial path (({true}){60000}){60000} -- check", &long_game(8)).expect_err("endless");
    assert!(error.contains("too many ways"), "{error}");
}

#[test]
fn a_game_of_thousands_of_moves_does_not_exhaust_the_stack() {
    let game = long_game(20_000);
    let (out, log) = on_game("initial cnt=0 len=path (-- cnt+=1)+\n\nmessage(len)", &game).expect("found");
    assert_eq!((out.as_str(), log.as_str()), ("1:0\n", "Game: 1 move 1(wtm): 20000\n"));
    let (_, log) = on_game("initial len={line --> .+} message(len)", &game).expect("found");
    assert_eq!(log, "Game: 1 move 1(wtm): 20001\n");
}

#[test]
fn rounds_without_a_move_end() {
    let game = long_game(8);
    for (pattern, length) in [
        ("path ({cnt+=1})* --", 1),
        ("path (--? cnt+=1)+", 8),
        ("path ({cnt+=1}){3} --{2}", 2),
        ("path (--?){2,3} {cnt+=1}", 3),
        ("path ((-- cnt+=1)*){2,} {wtm}", 8),
    ] {
        let (_, log) = on_game(&format!("cnt=0 initial len={pattern}\n\nmessage(len)"), &game).expect(pattern);
        assert_eq!(log, format!("Game: 1 move 1(wtm): {length}\n"), "{pattern}");
    }
}

#[test]
fn state_of_paths_is_forgotten_between_games() {
    let two = format!("{}\n{}", long_game(4), long_game(4));
    let query = "if {gamenumber==1 initial} then {path --{2}}\n if positionid==1 then message({pathcount}) else false";
    let (_, log) = on_game(query, &two).expect("found");
    assert_eq!(log, "Game: 1 move 1(btm): 2\nGame: 2 move 1(btm): <false>\n");
}

#[test]
fn a_null_move_is_no_capture() {
    let game = "[FEN \"4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1\"]\n\n1. Rh8+ Ke7 2. -- Kd6 *\n";
    assert_eq!(on_game("path [x]", game).expect("nothing").0, "");
    assert_eq!(on_game("path focus capture h1 --{2,}", game).expect("nothing").0, "");
    assert_eq!(on_game("path K--", game).expect("found").0, "1:2\n");
}

#[test]
fn a_move_in_an_item_is_tied_only_where_the_item_stands() {
    let game = "1. e4 e5 ( 1... c5 2. Nf3 ) 2. Nf3 *\n";
    for (pattern, ids) in [
        // The inner filters see all moves, whichever child the line follows.
        (
            "positionid==1 line --> {move to c5 currentposition:move to e5} --> wtm",
            "1:1\n",
        ),
        ("positionid==1 line --> {move to c5 move to e5} --> wtm", ""),
        (
            "positionid==1 line --> {move to c5 line --> move to e5} --> wtm",
            "1:1\n",
        ),
        ("positionid==0 line --> --(move to c5) --> btm", "1:0\n"),
        ("positionid==1 line primary --> move to c5 --> wtm", ""),
        ("positionid==1 line secondary --> move to c5 --> wtm", "1:1\n"),
        // Without children, the item is evaluated once.
        ("positionid==3 line --> not move to c5", "1:3\n"),
    ] {
        assert_eq!(on_game(pattern, game).expect(pattern).0, ids, "{pattern}");
    }
}

#[test]
fn tracks_follow_both_men_of_a_castling() {
    let game = golden("paths.pgn");
    let query = "gamenumber==4 positionid==6 path quiet focus Ke1|Rh1 piecepath --";
    let (out, _) = run(query, &game, FormatName::Pgn).expect("found");
    assert!(out.replace('\n', " ").contains("Focus path: Ke1-g1 Rh1-f1"), "{out}");
}
