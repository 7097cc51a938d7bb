//! Neighbours of the recorded cases: what follows from them for similar filters, mostly about which comments stay.

use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::pgn::Source as Games;
use skewer::query;
use skewer::search::{Options, search_sources};
use skewer::syntax::Source;

const OPENING: &str = "1. e4 e5 ( 1... c5 2. Nf3 ) 2. Nf3 Nc6 *\n";
const PROMOTIONS: &str = "[FEN \"7k/P7/8/8/8/8/p7/K7 w - - 0 1\"]\n\n1. a8=Q+ Kh7 ( 1... Kg7 ) 2. Kb2 a1=N *\n";

/// Returns the output and the messages of filters.
fn printed(filters: &str, games: &str, format: FormatName) -> (String, String) {
    let source = Source::new(
        "test.cql",
        format!("cql(variations quiet matchstring \"\")\n{filters}\n"),
    );
    let query = query::compile(&source, &query::Options::default())
        .unwrap_or_else(|error| panic!("{}", error.render(&source, false)));
    let games = Games::of_bytes("games.pgn", games.to_owned());
    let printed = search_sources(&query, Settings::default(), [games], format, &Options::quiet());
    let printed = printed.unwrap_or_else(|error| panic!("{filters}: {error}"));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(printed.output), text(printed.log))
}

/// Returns the comments that filters make, in the order of the moves.
fn comments(filters: &str, games: &str) -> Vec<String> {
    let (output, _) = printed(filters, games, FormatName::Pgn);
    assert!(!output.is_empty(), "{filters} finds nothing");
    let texts = output.split('{').skip(1).filter_map(|text| text.split_once('}'));
    let texts = texts.map(|(text, _)| text.replace('\n', " "));
    let texts = texts.map(|text| text.trim_start_matches("Game number 1").trim_start().to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}

/// Asserts which comments filters make at the start of a game.
fn assert_left(filters: &str, expected: &[&str]) {
    assert_eq!(comments(&format!("initial {filters}"), OPENING), expected, "{filters}");
}

fn count(filters: &str, games: &str) -> usize {
    printed(filters, games, FormatName::Ids).0.lines().count()
}

#[test]
fn a_move_that_does_not_fit_drops_the_comments_of_its_sides() {
    assert_left("child:{x=currentmove --{comment(\"a\") A}(.)}", &[]);
    assert_left("child:{x=previous {comment(\"a\") .}[x](to)}", &[]);
    assert_left("child:(previous --{comment(\"a\") A} or true)", &[]);
    // The moves match; only the condition on the target fails.
    assert_left("child:{x=previous --{comment(\"a\") .}(secondary to)}", &["a"]);
    assert_left("child:(previous --{comment(\"a\") .}(secondary) or true)", &[]);
}

/// `fen` with a string is two items, but any operator may follow `fen`.
#[test]
fn operators_follow_fen_in_items_of_text() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (item, expected) in [
        ("fen", START.to_owned()),
        ("fen ~~ \"r\"", "r".to_owned()),
        ("fen + \"x\"", format!("{START}x")),
        ("fen[0]", "r".to_owned()),
        ("fen[0:2] fen[2]", "rnb".to_owned()),
        ("fen == \"x\"", "<false>".to_owned()),
        ("fen in \"x\"", "<false>".to_owned()),
        ("\"x\" in fen", "<false>".to_owned()),
        ("\"v\" fen ~~ \"q\"", "vq".to_owned()),
        ("\"x\" fen in \"x\"", "x<false>".to_owned()),
        ("fen \"8/8\"", format!("{START}8/8")),
    ] {
        let said = |filters: &str| printed(&format!("initial {filters}"), OPENING, FormatName::Ids).1;
        let expected = format!("Game: 1 move 1(wtm): {expected}\n");
        assert_eq!(said(&format!("message({item})")), expected, "{item}");
        assert_eq!(said(&format!("message(str({item}))")), expected, "{item}");
        assert_eq!(said(&format!("x=str({item}) message x")), expected, "{item}");
        assert!(!comments(&format!("initial comment({item})"), OPENING).is_empty());
    }
}

#[test]
fn a_version_that_fails_drops_nothing_a_transform_that_fails_all() {
    let body = "if find 99 comment(\"t\" currenttransform) then Ke1 else Ke1";
    let both = "t<reflect_v> t<>";
    let first = |filters: &str| comments(&format!("initial {filters}"), OPENING).first().cloned();
    assert_eq!(first(&format!("flipvertical {body}")).as_deref(), Some(both));
    assert_eq!(first(&format!("flipvertical 1 {body}")).as_deref(), Some(both));
    assert_eq!(first(&format!("(flipvertical 2 {body}) or true")), None);
    let nowhere = body.replace("Ke1", "Ke4");
    assert_eq!(first(&format!("(flipvertical {nowhere}) or true")), None);
    // If all parts must match and one fails, their comments are dropped.
    assert_eq!(
        first("flipvertical {comment(\"t\" currenttransform) Ke1}").as_deref(),
        Some("t<>")
    );
}

#[test]
fn only_a_worse_value_drops_its_comments() {
    assert_left(
        "x=max(rank {comment(\"a\") .} {comment(\"b\") 2} {comment(\"c\") 1})",
        &["a b"],
    );
    assert_left(
        "x=max({comment(\"b\") 1} rank {comment(\"a\") .} {comment(\"c\") 2})",
        &["a c"],
    );
    assert_left(
        "x=min({comment(\"b\") 1} rank {comment(\"a\") .} {comment(\"c\") 2})",
        &["b a"],
    );
    assert_left(
        "x=max({comment(\"b\") \"z\"} typename {comment(\"a\") .} {comment(\"c\") \"z\"})",
        &["b a c"],
    );
    assert_left("(x=max(rank {comment(\"a\") .} 1/0)) or true", &["a"]);
    assert_left("if x=flip file {comment(\"t\") .} then true", &["t"]);
}

#[test]
fn a_part_of_a_string_that_is_not_there_drops_comments() {
    assert_left("if (typename {comment(\"a\") .})[1:2] then true", &["a"]);
    assert_left("if {comment(\"a\") \"abc\"}[9] then true", &[]);
    assert_left("if \"abc\"[rank {comment(\"a\") .}] then true", &[]);
    assert_left("x=\"abc\" if x[{comment(\"a\") 9}]=\"z\" then true", &[]);
    assert_left(
        "x=\"abc\" if x[{comment(\"a\") 1}]=typename {comment(\"b\") .} then true",
        &[],
    );
    assert_left(
        "x=\"abc\" if x[{comment(\"a\") 1}]={comment(\"b\") \"z\"} then true",
        &["a b"],
    );
}

#[test]
fn a_loop_over_matches_without_a_string_drops_comments() {
    assert_left("(while ({comment(\"a\") \"1\"} ~~ \"K\" ~~ \"K\") true) or true", &[]);
    assert_left("while ({comment(\"a\") \"1\"} ~~ \"1\") comment(\"b\")", &["a b"]);
    assert_left("while ({comment(\"a\") \"1\"} ~~ \"2\") true", &["a"]);
}

#[test]
fn a_path_keeps_the_comments_of_the_moves_it_took() {
    let left = |path: &str, games: &str| comments(&format!("initial path quiet {path}"), games);
    for focus in ["", "focus [Aa]"] {
        assert_eq!(
            left(&format!("{focus} --+ --{{comment(positionid) .}}"), OPENING),
            ["3"],
            "{focus}"
        );
        assert_eq!(
            left(&format!("{focus} --* --={{comment(positionid) \"N\"}}"), PROMOTIONS),
            ["3"],
            "{focus}"
        );
    }
    // A comment on the moves from one position is made once, and stays for the move that is taken.
    assert_eq!(
        left("max positionid -- --{comment(\"a\" positionid) .}", OPENING),
        ["a1"]
    );
    // A filter that is a constituent of its own is not undone, as in CQL.
    assert_eq!(left("--+ comment(positionid) --", OPENING), ["1", "2", "3"]);
}

#[test]
fn the_place_of_a_message_is_text_after_its_items() {
    let at = |filters: &str| comments(&format!("position 3:primary {filters}"), OPENING);
    let ids = comments("variation message({comment(\"c\") ply})", OPENING);
    assert_eq!(ids, ["c id:5", "c id:6"]);
    assert_eq!(
        comments("variation message quiet({comment(\"c\") ply})", OPENING),
        ["c", "c"]
    );
    assert_eq!(at("initial message(position 5)"), ["id:5"]);
}

#[test]
fn what_always_matches_is_not_evaluated_where_its_value_is_lost() {
    for word in ["#", "power "] {
        for form in [
            "{S}",
            "(S)",
            "if wtm S else S",
            "parent:S",
            "flip S",
            "if S then true",
            "find quiet S",
            "{true S}",
        ] {
            let form = form.replace('S', &format!("{word}{{x=1 Ra1}}"));
            assert_eq!(count(&format!("x=0 if {form} then true x==0"), OPENING), 7, "{form}");
        }
        assert_eq!(count(&format!("x=0 {word}{{x=1 .}}>=0 x==1"), OPENING), 7);
        assert_eq!(count(&format!("x=0 y={word}{{x=1 .}} x==1"), OPENING), 7);
        assert_eq!(count(&format!("not {word}{{x=1 .}}"), OPENING), 0);
    }
    // The copies are counted nevertheless.
    assert_eq!(count("flip 4 {#Ra1}", OPENING), 7);
}

#[test]
fn the_colour_after_a_promotion_sign_makes_versions() {
    let at_start = |filters: &str| count(&format!("initial {filters}"), PROMOTIONS) == 1;
    for two in [
        "--=Q",
        "--=q",
        "--=A",
        "move promote Q",
        "move promote [qR]",
        "{path quiet --=Q}",
        "child:previous --=Q",
    ] {
        assert!(at_start(&format!("flipcolor 2 {two}")), "{two}");
        assert!(at_start(&format!("flip flipcolor 2 {two}")), "{two}");
        assert!(at_start(&format!("rotate45 1 {two}")), "{two}");
    }
    for one in [
        "--=[Qq]",
        "--=.",
        "--=[Aa]",
        "--=\"Q\"",
        "move promote [Aa]",
        "notransform --=Q",
    ] {
        assert!(at_start(&format!("flipcolor 1 {one}")), "{one}");
    }
}

#[test]
fn a_symbol_in_a_text_is_asked_for() {
    let games = "1. e4! e5 *\n";
    for (item, expected) in [
        ("originalcomment \"!\"", "<true>"),
        ("hascomment \"$1\"", "<true>"),
        ("originalcomment \"?\"", "<false>"),
        ("originalcomment \"x\"", "<false>x"),
        ("function F(){true}", "<unbound: F>"),
        ("(function F(){true})", "<true>"),
    ] {
        let (_, messages) = printed(&format!("positionid==1 message quiet({item})"), games, FormatName::Ids);
        assert_eq!(messages.trim_end(), expected, "{item}");
    }
}

#[test]
fn an_arrow_that_turns_belongs_to_what_takes_it() {
    for (inner, outer) in [
        ("x=square s in . P->a<-.", "x={square s in . P->a}<-."),
        ("x=flip P->a<-.", "x={flip P->a}<-."),
        ("x=if wtm A<-k else A<-q->.", "x={if wtm A<-k else A<-q}->."),
    ] {
        let said = |text: &str| printed(&format!("{text} message(x)"), OPENING, FormatName::Ids);
        assert_eq!(said(inner), said(outer), "{inner}");
    }
    for refused in ["P->a<-.", "#P->a<-.", "A<-k->q", "square s in P->a<-. check"] {
        let error = query::compile(
            &Source::new("q", format!("cql() {refused}")),
            &query::Options::default(),
        );
        let error = error.err().map(|error| error.message).unwrap_or_default();
        assert!(error.contains("both directions"), "{refused}: {error}");
    }
}
