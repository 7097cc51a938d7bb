//! The output file (8), tags of games (4) and what `settag` and `removecomment` do to it (5).

use skewer::Picture;

use super::*;

/// Returns the tags of the only matching game, read by these rules.
fn tags(rules: Rules, query: &str, pgn: &str) -> Vec<String> {
    let (text, _) = searched_by(rules, query, pgn, FormatName::Pgn);
    let (tags, _) = text.split_once("\n\n").expect("tags and moves");
    tags.lines().map(str::to_owned).collect()
}

const UNUSUAL_TAGS: &str = "[Remark \"one\"]\n[WhiteRating \"2720\"]\n[White \"Karpov,Anatoly\"]\n\
    [Black \"van der Wiel,J. (2510)\"]\n[BlackElo \"2600\"]\n[ECO \"b85a1\"]\n[Date \"1985.11.9\"]\n\
    [EventDate \"1985\"]\n[Remark \"two\"]\n[Annotator \"a \\\"b\\\"\"]\n\n1. e4 0-1\n";
const SET_TAGS: &str = "cql(silent) settag(\"New\" \"x\") settag(\"Annotator\" \"me\") initial";

#[test]
fn tags_are_written_as_they_stood_the_seven_of_every_game_first() {
    assert_eq!(
        tags(Rules::Full, SET_TAGS, UNUSUAL_TAGS),
        [
            "[Event \"?\"]",
            "[Site \"?\"]",
            "[Date \"1985.11.9\"]",
            "[Round \"?\"]",
            "[White \"Karpov,Anatoly\"]",
            "[Black \"van der Wiel,J. (2510)\"]",
            "[Result \"0-1\"]",
            "[Remark \"one\"]",
            "[WhiteRating \"2720\"]",
            "[BlackElo \"2600\"]",
            "[ECO \"b85a1\"]",
            "[EventDate \"1985\"]",
            "[Remark \"two\"]",
            "[Annotator \"me\"]",
            "[New \"x\"]",
        ]
    );
}

#[test]
fn by_the_rules_of_cql_tags_are_written_in_normal_form_and_order() {
    assert_eq!(
        tags(Rules::Cql, SET_TAGS, UNUSUAL_TAGS),
        [
            "[Event \"?\"]",
            "[Site \"?\"]",
            "[Date \"1985.11.09\"]",
            "[Round \"?\"]",
            "[White \"Karpov, Anatoly\"]",
            "[Black \"Van der Wiel, J.\"]",
            "[Result \"0-1\"]",
            "[WhiteRating \"2720\"]",
            "[BlackElo \"2510\"]",
            "[ECO \"B85a1\"]",
            "[EventDate \"1985.??.??\"]",
            "[Remark \"two\"]",
            "[BlackElo \"2600\"]",
            "[Annotator \"me\"]",
            "[New \"x\"]",
        ]
    );
}

#[test]
fn filters_compare_the_normal_form_of_tags() {
    let query = "cql() initial message(player white \"|\" player black \"|\" elo white \"|\" elo black \"|\" elo \"|\" eco \"|\" date \"|\" \
                 eventdate \"|\" year \"|\" tag \"Remark\" \"|\" event \"|\" player \"|\" tag \"Nope\" \"|\" tag \"FEN\" \"|\" tag \"ECO\")";
    let expected = "Game: 1 move 1(wtm): Karpov, Anatoly|Van der Wiel, J.|2720|2510|2720|B85a1|1985.11.09|1985.??.??|1985|two|?|\
                    Karpov, Anatoly\\nVan der Wiel, J.|<false>|<false>|B85a1\n";
    for rules in [Rules::Full, Rules::Cql] {
        let (_, messages) = searched_by(rules, query, UNUSUAL_TAGS, FormatName::Count);
        assert_eq!(messages, expected, "{rules:?}");
    }
}

#[test]
fn missing_values_do_not_compare_but_differ() {
    let pgn = "[Site \"\"]\n[White \"\"]\n\n1. e4 *\n";
    for (filter, holds) in [
        ("site==\"x\"", false),
        ("site!=\"x\"", true),
        ("not site", true),
        ("player white", false),
        ("event \"?\"", true),
        ("elo>0", false),
        ("elo!=0", true),
        ("year", false),
        ("eco", false),
        ("date", true),
        ("date>\"1998\"", true),
        ("gamenumber==1", true),
        ("result 1-0", false),
    ] {
        let found = positions(&format!("cql() initial {filter}"), pgn);
        assert_eq!(!found.is_empty(), holds, "{filter}");
    }
}

#[test]
fn colours_change_places_under_flipcolor() {
    let pgn = "[White \"Alpha\"]\n[Black \"Beta\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2100\"]\n\n1. e4 1-0\n";
    for (filter, holds) in [
        ("flipcolor player white \"Beta\"", true),
        ("reversecolor player white \"Beta\"", true),
        ("reversecolor player white \"Alpha\"", false),
        ("reversecolor tag \"White\"==\"Beta\"", true),
        ("reversecolor elo white==2100", true),
        ("reversecolor result 0-1", true),
        ("reversecolor result 1-0", false),
        ("reversecolor player \"Alpha\\nBeta\"", true),
        ("reversecolor hhdb composer \"Beta\"", false),
        ("reversecolor hhdb composer \"Alpha\"", true),
    ] {
        let found = positions(&format!("cql() initial {filter}"), pgn);
        assert_eq!(!found.is_empty(), holds, "{filter}");
    }
}

#[test]
fn symbols_and_comments_of_the_file() {
    let pgn = "[Event \"?\"]\n\n{Intro} 1. e4! $7 {first} e5 {} 2. Nf3?? *\n";
    for (filter, found) in [
        ("originalcomment", &["1:0", "1:1"][..]),
        ("hascomment", &["1:0", "1:1"]),
        ("originalcomment \"first\"", &["1:1"]),
        ("originalcomment \"First\"", &[]),
        ("originalcomment \"!\"", &["1:1"]),
        ("originalcomment \"$1\"", &["1:1"]),
        ("originalcomment \"$7\"", &["1:1"]),
        ("originalcomment \"??\"", &["1:3"]),
        ("originalcomment \"$x\"", &[]),
        ("originalcomment==\"Intro\"", &["1:0"]),
    ] {
        assert_eq!(positions(&format!("cql() {filter}"), pgn), found, "{filter}");
    }
    for filter in ["originalcomment \"$0\"", "originalcomment \"$256\""] {
        assert!(refused(&format!("cql() {filter}")).contains("`$1` to `$255`"));
    }
}

#[test]
fn settag_and_removecomment_are_not_undone_and_end_with_the_game() {
    let pgn = "[Event \"?\"]\n\n{a} 1. e4 {b} *\n\n[Event \"?\"]\n\n{c} 1. e4 {d} *\n";
    let query = "cql(silent matchcount 0 9) gamenumber==1 initial settag(\"New\" \"x\") removecomment false";
    let text = written(query, pgn);
    assert_eq!(text.matches("[New \"x\"]").count(), 1);
    assert_eq!(moves(query, pgn), ["1.e4 {b} *", "{c} 1.e4 {d} *"]);
}

#[test]
fn variations_are_written_though_not_searched() {
    let pgn = "[Event \"?\"]\n\n1. e4 {a} (1. d4 {x} d5) 1... e5 *\n";
    assert_eq!(
        moves("cql() btm", pgn),
        ["{Game number 1} 1.e4 {a CQL} ( 1.d4 {x} 1...d5 ) 1...e5 *"]
    );
    assert_eq!(
        moves("cql(variations) btm", pgn),
        ["{Game number 1} 1.e4 {a CQL} ( 1.d4 {x CQL} 1...d5 ) 1...e5 *"]
    );
}

#[test]
fn hhdb_finds_cooks_in_variations_that_are_not_searched() {
    let pgn = "[Event \"?\"]\n\n1. e4 (1. d4 {<cook MR>}) *\n";
    for filter in ["hhdb cooked", "cql_hhdbhascook", "hhdb unsound", "hhdb sound"] {
        assert_eq!(positions(&format!("cql() initial {filter}"), pgn), ["1:0"], "{filter}");
    }
    let tag = "[Event \"x <cook> y\"]\n\n1. e4 *\n";
    assert_eq!(positions("cql() initial hhdb cooked", tag), ["1:0"]);
    assert!(positions("cql() hhdb cooked", MATE).is_empty());
    assert!(positions("cql() hhdb \"<cook>\"", pgn).is_empty());
}

#[test]
fn hhdb_awards_match_without_a_value() {
    let pgn = "[Event \"sp.p Shakmat\"]\n\n1. e4 *\n";
    for (filter, holds) in [
        ("hhdb prize", true),
        ("hhdb prize>0", false),
        ("hhdb special prize==1", true),
        ("hhdb max special==10000", true),
        ("hhdb hm", false),
        ("flip hhdb prize", true),
    ] {
        let found = positions(&format!("cql() initial {filter}"), pgn);
        assert_eq!(!found.is_empty(), holds, "{filter}");
    }
}

#[test]
fn the_first_match_of_a_page_can_be_drawn_again() {
    let odd = "[Event \"a\"]\n\n1. e4 (1. d4 d5 (1... f5) 2. c4) 1... c5 2. e5 d5 3. exd6 Nf6 4. dxe7 Nc6 5. exd8=N -- 6. Nf3 *\n\n\
        [Event \"b\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 1\"]\n\n1... Kd8 2. O-O Ke8 *\n\n\
        [Event \"c\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n";
    let classics = std::fs::read_to_string("examples/classics.pgn").expect("the games");
    let mut drawn = 0;
    for (pgn, games) in [(odd, 1..=3), (&*classics, 1..=4)] {
        for game in games {
            for position in (0..16).chain([33, 46]) {
                let query = format!("cql(variations gamenumber {game}) positionid == {position}");
                let (fen, _) = searched(&query, pgn, FormatName::Fen);
                let (page, _) = searched(&query, pgn, FormatName::Html);
                let picture = first_match(page.as_bytes()).expect("it is read");
                let Some((placement, rest)) = fen.split_once(' ') else {
                    assert!(picture.is_none(), "{query}");
                    continue;
                };
                let picture = picture.unwrap_or_else(|| panic!("{query}: {page}"));
                let placement = placement.split('[').next().unwrap_or_default();
                let alone = Picture::of_fen(&format!("{placement} {}", &rest[..1])).expect("a position");
                let pieces = |picture: &Picture| {
                    picture
                        .svg()
                        .split_once("<g fill=")
                        .map(|(_, pieces)| pieces.to_owned())
                };
                assert_eq!(pieces(&picture), pieces(&alone), "{query}");
                drawn += 1;
            }
        }
    }
    assert!(drawn > 80, "{drawn} positions");
}
