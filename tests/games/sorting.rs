//! `sort` (7).

use super::*;

/// Games with 1, 2, 3 and 0 moves of White.
const LENGTHS: &str = "[Event \"?\"]\n[White \"B\"]\n\n1. e4 *\n\n[Event \"?\"]\n[White \"A\"]\n\n1. e4 e5 2. d4 *\n\n\
                       [Event \"?\"]\n[White \"B\"]\n\n1. e4 e5 2. d4 d5 3. c4 *\n\n[Event \"?\"]\n[White \"C\"]\n\n*\n";

/// Returns the first comment of each game, in the order of the output.
fn first(query: &str) -> Vec<String> {
    let games = moves(query, LENGTHS);
    let comment = |game: &String| {
        game.split('}')
            .next()
            .unwrap_or_default()
            .trim_start_matches('{')
            .to_owned()
    };
    games.iter().map(comment).collect()
}

#[test]
fn best_games_come_first_and_those_without_a_value_last() {
    assert_eq!(
        first("cql() initial not find {ply>0 terminal sort \"n\" ply false}"),
        [
            "Game number 3 CQL  n: 5",
            "Game number 2 CQL  n: 3",
            "Game number 1 CQL  n: 1",
            "Game number 4 CQL  n: none",
        ]
    );
}

#[test]
fn keys_count_in_the_order_in_which_their_filters_end() {
    // The inner `sort` ends first.
    assert_eq!(
        first("cql(silent) initial sort \"outer\" (sort min \"inner\" player white == \"B\")").len(),
        2
    );
    assert_eq!(
        first("cql() terminal sort \"outer\" {sort \"inner\" player white ply}"),
        [
            "Game number 4 CQL  inner: C outer: 0",
            "Game number 3  inner: B outer: 5",
            "Game number 1  inner: B outer: 1",
            "Game number 2  inner: A outer: 3",
        ]
    );
}

#[test]
fn the_number_of_matches_is_the_last_key() {
    assert_eq!(
        first("cql(sort matchcount 1 9 matchstring \"\") sort min \"name\" player white"),
        [
            "Game number 2  name: A matchcount: 4",
            "Game number 3  name: B matchcount: 6",
            "Game number 1  name: B matchcount: 2",
            "Game number 4  name: C matchcount: 1",
        ]
    );
}

#[test]
fn equal_games_keep_their_order() {
    let order = first("cql(matchstring \"\") sort quiet \"w\" #K");
    assert_eq!(
        order,
        ["Game number 1", "Game number 2", "Game number 3", "Game number 4"]
    );
}

#[test]
fn untitled_keys_are_numbered_by_their_keywords() {
    assert_eq!(
        comments("cql() initial sort (sort ply)+1 sort #K"),
        ["0: Game number 1 CQL  <sort-id-2>: 0 <sort-id-1>: 1 <sort-id-3>: 1"]
    );
}

#[test]
fn max_is_what_it_says() {
    // CQL sorts `max` like `min`.
    assert_eq!(
        comments("cql() mate sort max \"m\" ply"),
        ["0: Game number 1  m: 5", "5: CQL"]
    );
    assert_eq!(
        comments("cql() btm sort min \"m\" ply"),
        ["0: Game number 1  m: 1", "1: CQL", "3: CQL", "5: CQL"]
    );
}

#[test]
fn values_count_wherever_they_are_found() {
    assert_eq!(
        comments("cql() initial not find {sort \"m\" ply false}")[0],
        "0: Game number 1 CQL  m: 5"
    );
    assert_eq!(
        comments("cql() initial or {sort \"m\" ply ply==2}"),
        ["0: Game number 1 CQL  m: 5", "2: CQL"]
    );
    // An empty set has a value, too.
    assert_eq!(
        comments("cql() initial sort \"set\" Pa8")[0],
        "0: Game number 1 CQL  set: 0"
    );
}

#[test]
fn only_a_better_value_replaces_the_comments() {
    assert_eq!(
        comments("cql() sort \"m\" {comment(\"at \" ply) ply%2}"),
        [
            "0: Game number 1 CQL  m: 1",
            "1: CQL at 1",
            "2: CQL",
            "3: CQL",
            "4: CQL",
            "5: CQL",
        ]
    );
}

#[test]
fn a_title_stands_for_one_key() {
    assert_eq!(
        comments("cql() initial sort \"t\" 1+0 sort \"u\" 5+0 sort \"t\" 3+0"),
        ["0: Game number 1 CQL  t: 3 u: 5"]
    );
    for query in [
        "cql() sort \"t\" ply sort min \"t\" ply",
        "cql() sort \"t\" ply sort \"t\" player white",
    ] {
        assert!(refused(query).contains("one title"), "{query}");
    }
}

#[test]
fn quiet_hides_title_and_value() {
    assert_eq!(
        comments("cql() mate sort quiet \"m\" ply"),
        ["0: Game number 1", "5: CQL"]
    );
}

#[test]
fn what_cannot_be_sorted_by() {
    for filter in [
        "sort check",
        "sort currentposition",
        "sort 5",
        "sort min(1 2)",
        "sort max ply",
        "sort",
    ] {
        refused(&format!("cql() {filter}"));
    }
}

#[test]
fn the_value_goes_on() {
    assert_eq!(positions("cql() x=sort \"t\" ply x==4", MATE), ["1:4"]);
}
