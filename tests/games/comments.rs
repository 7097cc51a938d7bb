//! Added comments: which survive, where they end up (6.2, 6.3).

use super::*;

#[test]
fn what_fails_drops_the_comments_made_inside_it() {
    for (dropping, query) in [
        ("braces", "{comment(\"x\") false}"),
        ("`and`", "comment(\"x\") and false"),
        ("`or`, both sides", "{comment(\"x\") false} or {comment(\"x\") false}"),
        ("a comparison of numbers", "{comment(\"x\") ply}==99"),
        ("a comparison of strings", "{comment(\"x\") \"a\"}==\"b\""),
        (
            "a comparison of positions",
            "{comment(\"x\") currentposition}<initialposition",
        ),
        ("a comparison of sets", "{comment(\"x\") K}==k"),
        ("the other comparison", "not {comment(\"x\") ply}!=99"),
        ("`not` that fails", "not comment(\"x\")"),
        ("a move", "--(comment(\"x\") false)"),
        ("a transform", "flipcolor {comment(\"x\") Ke5 Ke6}"),
        ("a transform with a count", "flipcolor 2 {comment(\"x\") Ka1}"),
        ("a loop over squares", "square s in [e4,e5] {comment(\"x\") false}"),
        (
            "a loop over all squares",
            "square all s in [e4,e5] {comment(\"x\") s==e4}",
        ),
        ("a loop over pieces", "piece m in [Kk] {comment(\"x\") m==e5}"),
        ("an index of a string", "{comment(\"x\") \"a\"}[7]"),
        ("a function of two filters", "F()"),
    ] {
        let function = "function F() {comment(\"x\") false}";
        let found = comments(&format!("cql() {function} initial if ({query}) then true"));
        assert_eq!(found, ["0: Game number 1 CQL"], "{dropping}");
    }
}

#[test]
fn what_only_passes_a_failure_on_drops_nothing() {
    for (keeping, query) in [
        ("`find`", "find 99 comment(\"x\")"),
        ("`in` of sets", "{comment(\"x\") K} in k"),
        ("an assignment", "y={comment(\"x\") 1}/0"),
        ("arithmetic", "{comment(\"x\") 1}/0"),
        (
            "another position",
            "parent:comment(\"x\") or currentposition:{comment(\"x\")}",
        ),
        ("`countmoves`", "countmoves --(comment(\"x\"))==99 or true"),
        ("`equal`", "equal ({comment(\"x\") 1} 2)"),
        ("a set in braces", "y={comment(\"x\") false K}"),
        ("the test of `if`", "if {comment(\"x\") true} then false"),
        ("the test of `while`", "while ({comment(\"x\") false}) true"),
    ] {
        let found = comments(&format!("cql() initial if ({query}) then true"));
        let kept = found.iter().any(|comment| comment.contains(" x"));
        // Comparisons and braces with two filters drop comments inside of them, as the test above shows.
        let dropped = ["`countmoves`", "the test of `while`"].contains(&keeping);
        assert_eq!(kept, !dropped, "{keeping}: {found:?}");
    }
}

#[test]
fn a_failing_body_drops_comments_on_other_positions_too() {
    let query = "cql() find <-- {wtm comment(\"seen\")} mate";
    assert_eq!(comments(query), ["0: Game number 1", "4: seen Found", "5: CQL"]);
}

#[test]
fn a_position_collects_comments_in_the_order_of_events() {
    assert_eq!(
        comments(
            "cql() btm comment(\"a\") comment(\"b\") position 5:comment(\"from \" ply) sort \"s\" {comment(\"best\") ply}"
        ),
        [
            "0: Game number 1  s: 5",
            "1: a b CQL",
            "3: a b CQL",
            "5: from 5 a b CQL best",
        ]
    );
}

#[test]
fn a_text_is_added_once_but_may_repeat_the_original() {
    let pgn = "[Event \"?\"]\n\n{same} 1. e4 {other} *\n";
    let query = "cql() comment(\"same\") comment(\"Same\") comment(\"same\") comment(\"\")";
    assert_eq!(
        moves(query, pgn),
        ["{same Game number 1 same Same CQL} 1.e4 {other same Same CQL} *"]
    );
    assert_eq!(
        moves("cql() comment(\"CQL\") initial", pgn),
        ["{same Game number 1 CQL} 1.e4 {other} *"]
    );
}

#[test]
fn braces_become_low_lines_and_all_bytes_stay() {
    let pgn = "[Event \"?\"]\n\n{café} 1. e4 *\n";
    assert_eq!(
        moves("cql() initial comment(\"{a} é ♞\")", pgn),
        ["{café Game number 1 _a_ é ♞ CQL} 1.e4 *"]
    );
}

#[test]
fn there_is_no_limit_to_comments() {
    let query = "cql() initial x=\"word \" i=0 while (i<12) {i+=1 x=x+x} comment(x)";
    let text = written(query, MATE);
    assert_eq!(text.matches("word").count(), 4096);
    assert!(text.lines().all(|line| line.len() < 80));
}

#[test]
fn values_as_text() {
    let pgn = "[Event \"?\"]\n\n1. e4 (1. d4 d5) e5 2. Nf3 *\n";
    let query = "cql(variations) ply==1 message(currentposition \"|\" K \"|\" [Kk] \"|\" [] \"|\" ply>0 \"|\" ply>9 \"|\" wtm \"|\" \
                 btm \"|\" -ply \"|\" tag \"Nope\" \"|\" parent:parent)";
    assert_eq!(
        messages(query, pgn),
        "Game: 1 move 1(btm): move 1(btm)|e1|[e1,e8]|[]|1|<false>|<false>|<true>|-1|<false>|<false>\n\
         Game: 1 move 1(btm)[4]: move 1(btm)[4]|e1|[e1,e8]|[]|1|<false>|<false>|<true>|-1|<false>|<false>\n"
    );
}

#[test]
fn message_comments_end_with_their_line() {
    // In CQL, a comment at the end of such a line makes it ignore the next line.
    assert_eq!(
        comments("cql()\ninitial /// \"here \" ply // a note\nwtm"),
        ["0: Game number 1 here 0 CQL"]
    );
    assert_eq!(
        comments("cql() initial //// \"no comment\"\nwtm"),
        ["0: Game number 1 CQL"]
    );
    assert!(refused("cql() initial ///\nwtm").contains("///"));
}

#[test]
fn searches_in_lists_of_items_are_items() {
    let pgn = "[Event \"A\"]\n\n1. e4 *\n";
    let lines = messages("cql() initial message(event \"A\" (event \"A\") fen \"x\"[0:0])", pgn);
    assert!(lines.starts_with("Game: 1 move 1(wtm): AA<true>rnbqkbnr/"), "{lines}");
    assert_eq!(
        messages("cql() initial message hhdb gbr message quiet(\"x\")", pgn),
        "Game: 1 move 1(wtm): <false>\nx\n"
    );
}
