//! The header: selection of games and levels of comments (1).

use super::*;

/// Games with the results 1-0, 0-1, 1/2-1/2 and *. White is to move in one position of each game, and in two of the last.
const RESULTS: &str = "[Event \"?\"]\n\n1. e4 1-0\n\n[Event \"?\"]\n\n1. e4 0-1\n\n\
                       [Event \"?\"]\n\n1. e4 1/2-1/2\n\n[Event \"?\"]\n\n1. e4 e5 *\n";

/// Returns the numbers of the matching games.
fn games(query: &str) -> Vec<usize> {
    let text = written(query, RESULTS);
    // Games that are not evaluated are counted, too.
    let numbers = text.split("Game number ").skip(1);
    numbers
        .map(|rest| rest[..1].parse().expect("the number of a game"))
        .collect()
}

#[test]
fn a_game_shut_out_by_its_result_matches_at_no_position() {
    assert_eq!(games("cql(result 1-0) ."), [1]);
    assert_eq!(games("cql(result 1-0 result 0-1) ."), [0_usize; 0]);
    assert_eq!(games("cql(result \"0-1\" matchcount 0) ."), [1, 3, 4]);
    assert_eq!(games("cql(result 1-0 matchcount 0 1) wtm"), [1, 2, 3, 4]);
    assert_eq!(games("cql(result 1-0 matchcount 1 5) wtm"), [1]);
    assert_eq!(
        games("cql(result 1-0 gamenumber 2 3 matchcount 0) ."),
        [2, 3],
        "outside of the range nothing matches"
    );
}

#[test]
fn matchcount_has_both_ends() {
    assert_eq!(games("cql(matchcount 2) wtm"), [4]);
    assert_eq!(games("cql(matchcount 1) wtm"), [1, 2, 3]);
    assert_eq!(games("cql(matchcount 2 1) wtm"), [0_usize; 0]);
    assert_eq!(games("cql(matchcount -3 0) mate"), [1, 2, 3, 4]);
    assert_eq!(games("cql(sort matchcount 1 2) wtm"), [4, 1, 2, 3]);
}

#[test]
fn numbers_of_games() {
    assert_eq!(games("cql(gamenumber 2) ."), [2]);
    assert_eq!(games("cql(gamenumber -5 2) ."), [1, 2]);
    assert_eq!(games("cql(gamenumber 3 99) ."), [3, 4]);
    assert_eq!(games("cql(gamenumber 3 2) ."), [0_usize; 0]);
    assert_eq!(games("cql(gamenumber 0) ."), [0_usize; 0]);
}

#[test]
fn levels_of_comments() {
    let pgn = "[Event \"?\"]\n\n{old} 1. e4 {older} e5 *\n";
    let query = |level: &str| {
        format!(
            "cql({level}) ply<2 comment(\"mine\") find wtm settag(\"New\" \"tag\") message(ply) if ply==1 then removecomment sort \"s\" ply"
        )
    };
    let all = moves(&query(""), pgn);
    assert_eq!(
        all,
        ["{old Game number 1 mine Found CQL  s: 1} 1.e4 { mine CQL} 1...e5 {Found} *"]
    );
    let quiet = moves(&query("quiet"), pgn);
    assert_eq!(quiet, ["{old Game number 1 mine  s: 1} 1.e4 { mine} 1...e5 *"]);
    let silent = moves(&query("silent"), pgn);
    assert_eq!(silent, ["{old} 1.e4 e5 *"]);
    for level in ["", "quiet", "silent"] {
        assert!(written(&query(level), pgn).contains("[New \"tag\"]"), "{level}");
        assert_eq!(
            messages(&query(level), pgn),
            "Game: 1 move 1(wtm): 0\nGame: 1 move 1(btm): 1\n",
            "{level}"
        );
    }
    // The first of the two words counts.
    assert_eq!(
        moves("cql(quiet silent) initial", pgn)[0],
        "{old Game number 1} 1.e4 {older} 1...e5 *"
    );
    assert_eq!(
        moves("cql(silent quiet) initial", pgn)[0],
        "{old} 1.e4 {older} 1...e5 *"
    );
}

#[test]
fn the_last_match_string_counts() {
    assert_eq!(
        comments("cql(matchstring \"a\" matchstring \"b\") mate"),
        ["0: Game number 1", "5: b"]
    );
    assert_eq!(comments("cql(matchstring \"\") mate"), ["0: Game number 1"]);
}

#[test]
fn side_effects_do_not_ask_whether_the_game_matches() {
    let lines = messages("cql(matchcount 99) btm message(ply)", MATE);
    assert_eq!(
        lines,
        "Game: 1 move 1(btm): 1\nGame: 1 move 2(btm): 3\nGame: 1 move 3(btm): 5\n"
    );
}

#[test]
fn variables_begin_anew_in_each_game() {
    let lines = messages("cql() initial if isbound x then message(\"bound\") else x=1", RESULTS);
    assert_eq!(lines, "");
}

#[test]
fn refused_headers() {
    for (query, said) in [
        ("mate", "a query begins with a header"),
        ("cql(year 1950) mate", "after the header"),
        ("cql(input a.PGN input b.pgn) mate", "twice"),
        ("cql(output a.txt) mate", "ends in `.pgn`"),
        ("cql(input a.Pgn) mate", "ends in `.pgn`"),
        ("cql(input a.pgn, quiet) mate", "not by commas"),
        ("cql(matchcount 1 sort matchcount 2) mate", "twice"),
        ("cql(sort matchcount) mate", "expected a number"),
        ("cql(gamenumber 1 gamenumber 2) mate", "twice"),
        ("cql(gamenumber x) mate", "expected a number"),
        ("cql(gamenumber 3-8) mate", "two numbers: `cql(gamenumber 1 10)`"),
        ("cql(gamenumber 3 -8) mate", "two numbers: `cql(gamenumber 1 10)`"),
        ("cql(matchcount 1+1) mate", "no arithmetic in the header"),
        ("cql(result *) mate", "`1/2-1/2`"),
        ("cql(matchstring mate) mate", "quoted string"),
        ("cql()", "expected a filter"),
        ("cql() matchcount 2", "`matchcount`"),
    ] {
        let error = refused(query);
        assert!(error.contains(said), "{query}: {error}");
    }
}

#[test]
fn refused_filters_say_what_to_write() {
    for (filter, said) in [
        ("year 1950 1960", "1950<=year<=1960"),
        ("elo 2500", "write `elo>=2500`"),
        ("tag \"X\" \"Y\"", "\"Y\" in tag \"X\""),
        ("event \"a+\"", "~~"),
        ("sort \"t\" ply or check", "parentheses end it"),
        ("settag(\"X\" ply)", "str"),
        ("settag(\"White\" \"x\")", "cannot be set"),
        ("hhdb mainline", "write `variations`"),
        ("hhdb \"<main>\"", "write `variations`"),
        ("hhdb (c)", "are quoted"),
        ("hhdb prise", "did you mean `prize`"),
        ("hhdb \"U1\"", "write `hhdb U1`"),
        ("hhdb source", "cannot be used"),
        ("hhdb sort max prize", "both ranks"),
        ("hhdb prize sort \"x\" ply", "hhdb sort"),
        ("hhdb composer", "its value is lost"),
        ("hhdb search", "its value is lost"),
        ("result==\"1-0\"", "1-0"),
        ("tag \"WhiteElo\"==\"x\"", "its own filter"),
        ("tag \"a b\"==\"x\"", "not a tag name"),
        ("comment()", "expected a filter"),
        ("x=comment(\"y\")", "no value"),
        ("hascomment(\"x\")", "a string is used as a condition"),
    ] {
        let error = refused(&format!("cql() {filter}"));
        assert!(error.contains(said), "{filter}: {error}");
    }
}
