//! What `skewer why` reports about single positions.

use skewer::why::{Error, Value, Why};

use super::{Asked, culprits, game_of_fen};
use skewer::game::Game;

/// Returns why a query matches a position or not, after checking the report.
fn why(query: &str, fen: &str) -> Why {
    let asked = Asked::new(query);
    let checked = asked.checked(&game_of_fen(fen), 0);
    checked.unwrap_or_else(|error| panic!("{query}: {error}"))
}

/// Returns the same for a position of a game.
fn why_in(query: &str, moves: &str, position: u32) -> Why {
    let game = Game::of_pgn(moves).expect("one game");
    let checked = Asked::new(query).checked(&game, position);
    checked.unwrap_or_else(|error| panic!("{query}: {error}"))
}

fn sentences(why: &Why) -> Vec<&str> {
    why.sentences.iter().map(String::as_str).collect()
}

const ROOKS: &str = "6k1/8/8/8/8/8/PP6/K5R1 w - - 0 1";

#[test]
fn filters_that_fail_are_named_with_what_is_there() {
    assert_eq!(
        sentences(&why("btm #P>=3 R attacks k", ROOKS)),
        [
            "The position does not match.",
            "`btm` fails first: it is White's turn.",
            "`#P>=3` fails, too: `#P` is 2.",
            "No filter that fails is to blame alone.",
            "With `wtm` in place of `btm` and `#P>=2` in place of `#P>=3` it would match.",
        ]
    );
    assert_eq!(
        sentences(&why("wtm Qg1 R attacks k", ROOKS)),
        [
            "The position does not match.",
            "`Qg1` fails: a white rook stands on g1.",
            "Without `Qg1` it would match.",
            "With `Rg1` in place of `Qg1` it would match.",
        ]
    );
    assert_eq!(
        sentences(&why("wtm B R", ROOKS)),
        [
            "The position does not match.",
            "`B` fails: there is none.",
            "Without `B` it would match."
        ]
    );
    assert_eq!(sentences(&why("wtm pe4 R", ROOKS))[1], "`pe4` fails: e4 is empty.");
    assert_eq!(
        sentences(&why("a attacks K wtm", ROOKS))[1],
        "`a attacks K` fails: `a` on g8 and `K` on a1."
    );
    assert_eq!(
        sentences(&why("B attacks k wtm", ROOKS))[1],
        "`B attacks k` fails: `B` is empty."
    );
    assert_eq!(
        sentences(&why("stays(4 {R wtm})", ROOKS))[1],
        "`stays(4 {R wtm})` fails: `{R wtm}` matches here, but not for so long."
    );
    assert_eq!(
        sentences(&why("stays(4 {R btm})", ROOKS))[1],
        "`btm` fails: it is White's turn."
    );
    assert_eq!(
        sentences(&why("not R attacks k", ROOKS))[1],
        "`not R attacks k` fails: `R attacks k` matches, `R` on g1 and `k` on g8."
    );
}

#[test]
fn a_match_is_told_with_its_squares() {
    let why = why("R attacks k #P==2", ROOKS);
    assert!(why.matches);
    assert_eq!(
        sentences(&why),
        [
            "The position matches.",
            "`R attacks k` matches: g1.",
            "`#P==2` matches: `#P` is 2.",
        ]
    );
    assert_eq!(why.parts[0].value, Some(Value::Squares(vec!["g1".to_owned()])));
    assert!(why.marks.contains(&"g1".to_owned()), "{:?}", why.marks);
}

#[test]
fn the_copy_that_comes_nearest_is_shown() {
    let colors = why("flipcolor {R attacks k q #P==2}", ROOKS);
    assert_eq!(
        sentences(&colors)[1],
        "Of the 2 copies of `flipcolor`, the one as it is written comes nearest."
    );
    assert_eq!(
        culprits(&colors.parts)
            .iter()
            .map(|part| &*part.text)
            .collect::<Vec<_>>(),
        ["q"]
    );
    let exchanged = why("flipcolor {r attacks K #p==2}", ROOKS);
    assert!(exchanged.matches);
    let copy = exchanged.parts[0].parts[0].copy.as_ref().expect("a copy is shown");
    assert_eq!((copy.of, copy.colors), (2, "exchanged"));
    assert_eq!(
        sentences(&exchanged)[1],
        "Of the 2 copies of `flipcolor`, the one with the colours exchanged matches. There capital letters are Black's pieces."
    );
    // All other copies are farther from a match.
    let shifted = why("shift {Ra1 Kb1 kg8}", "6k1/8/8/8/8/8/8/R1K5 w - - 0 1");
    assert_eq!(culprits(&shifted.parts).len(), 1, "{shifted:#?}");
}

#[test]
fn loops_show_the_round_that_comes_nearest() {
    let loops = why("square x in P {x attackedby K dark x x in a-h3}", ROOKS);
    let part = &loops.parts[0];
    let body = part.parts.last().expect("the body is shown");
    let rounds = body.rounds.as_ref().expect("it was asked twice");
    assert_eq!((rounds.of, rounds.asked, rounds.matched), ("squares", 2, 0));
    assert_eq!(
        rounds.shown.as_deref(),
        Some("b2"),
        "it is dark, so it fails one test alone"
    );
    assert_eq!(
        part.sentence.as_deref(),
        Some("`{x attackedby K dark x x in a-h3}` matches for none of 2 squares")
    );
    assert_eq!(
        sentences(&loops)[1],
        "`x in a-h3` fails (for b2): `x` on b2 and `a-h3` on a3, b3, c3, d3, e3, f3, g3, h3."
    );
    let pieces = why("piece x in [KR] x attacks k", ROOKS);
    assert!(pieces.matches);
    let all = why("square all x in P x attackedby R", "6k1/8/8/8/8/8/PP6/R5K1 w - - 0 1");
    let body = all.parts[0].parts.last().expect("the body is shown");
    assert_eq!(
        body.rounds.as_ref().and_then(|rounds| rounds.shown.as_deref()),
        Some("b2")
    );
}

#[test]
fn searches_and_moves_show_where_something_holds() {
    let moves = "1. f3 e5 2. g4 Qh4# 0-1";
    let found = why_in("initial find mate", moves, 0);
    assert!(found.matches);
    assert_eq!(
        sentences(&found)[1],
        "`find mate` matches: `mate` matches for 1 of 5 positions: 2...Qh4#."
    );
    let missed = why_in("initial find {mate wtm q}", "1. f3 e5 2. g4 Nc6", 0);
    assert_eq!(sentences(&missed)[1], "`mate` fails (in the initial position).");
    let tried = why_in("btm legal --(mate)", moves, 3);
    assert!(tried.matches, "{tried:#?}");
    let tried = why_in("btm legal --(mate)", moves, 1);
    assert_eq!(
        tried.parts[1].parts[0].rounds.as_ref().map(|rounds| rounds.of),
        Some("moves"),
        "{tried:#?}"
    );
    let path = why_in("path -- -- -- stalemate", moves, 0);
    assert!(!path.matches);
}

#[test]
fn functions_are_shown_as_they_are_written() {
    let why = why("function seen(x) {x attackedby R dark x} seen(k)", ROOKS);
    let call = &why.parts[0];
    assert_eq!(call.text, "seen(k)");
    let culprits = culprits(&why.parts);
    assert_eq!(culprits.len(), 1);
    assert_eq!(culprits[0].text, "dark x");
    assert_eq!(culprits[0].from, Some(33));
    assert_eq!(why.nearest.expect("it is near").changes[0].insert, "");
}

#[test]
fn alternatives_fail_together() {
    let why = why("wtm (btm or #P>=3 or Q)", ROOKS);
    assert_eq!(culprits(&why.parts).len(), 3);
    assert_eq!(
        why.nearest.expect("it is near").changes.len(),
        1,
        "one of them is enough"
    );
}

#[test]
fn variables_have_the_values_that_they_had() {
    let why = why("x=R y=#P y>2 x attacks k", ROOKS);
    assert_eq!(sentences(&why)[1], "`y>2` fails: `y` is 2.");
    // The variable has the value from the positions before.
    let counted = "if initial tried=0 tried+=1 tried>3 wtm";
    let later = why_in(counted, "1. f3 e5 2. g4 Qh4# 0-1", 4);
    assert!(later.matches, "{later:#?}");
    let early = why_in(counted, "1. f3 e5 2. g4 Qh4# 0-1", 2);
    assert_eq!(early.nearest.expect("it is near").changes[0].insert, "tried>2");
}

#[test]
fn what_the_header_asks_for_is_told() {
    let moves = "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
    let result = why_in("cql(result 1-0) mate", moves, 4);
    assert_eq!(
        sentences(&result)[1],
        "The header asks for `result 1-0`, and the result of the game is 0-1."
    );
    let count = why_in("cql(matchcount 2) mate", moves, 4);
    assert_eq!(
        sentences(&count)[1],
        "The header asks for `matchcount 2 2`, and the filters match at 1 position of the game."
    );
}

#[test]
fn places_are_counted_as_editors_do() {
    let why = why("♔a1 ♙≥… ".trim_end_matches("≥… "), ROOKS);
    assert!(why.matches);
    let why = super::Asked::new("♔a1 // \u{1d11e}\n#♙≥3 ♖");
    let why = why.checked(&game_of_fen(ROOKS), 0).expect("it can be asked");
    let change = &why.nearest.expect("it is near").changes[0];
    assert_eq!((change.text.as_str(), change.insert.as_str()), ("#♙≥3", "#♙≥2"));
    assert_eq!(change.from, 10, "the clef is two code units");
}

#[test]
fn positions_that_are_not_there_are_refused() {
    let game = Game::of_pgn("1. f3 e5 (1... c5) 2. g4 Qh4# 0-1").expect("one game");
    let error = Asked::new("mate").why(&game, 5);
    assert!(
        matches!(
            error,
            Err(Error::NoPosition {
                is_variation: true,
                last: 4,
                ..
            })
        ),
        "{error:?}"
    );
    let error = Asked::new("cql(variations) mate").why(&game, 9);
    assert!(
        matches!(
            error,
            Err(Error::NoPosition {
                is_variation: false,
                last: 5,
                ..
            })
        ),
        "{error:?}"
    );
    assert!(matches!(Asked::new("chekc").why(&game, 0), Err(Error::Query(_))));
    assert!(matches!(Asked::new("assert mate").why(&game, 0), Err(Error::Query(_))));
}
