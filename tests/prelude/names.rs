//! Names that a query defines take precedence.
//!
//! The prelude changes no query that has a meaning without it.

use skewer::syntax::Diagnostic;

use crate::prelude::{compile, compile_without, run};

const BOARD: &str = "k3r3/8/8/8/4q3/8/8/4R2K";

/// Returns the errors of compiling without and with the prelude.
fn both(filters: &str) -> [Option<Diagnostic>; 2] {
    [compile_without(filters).err(), compile(filters).err()]
}

#[test]
fn the_words_are_used_where_the_query_does_not_declare_them() {
    for filters in [
        "skewer(R q r)",
        "x=skewer(R q r) x",
        "#skewer() == 1",
        "flipcolor skewer(R q r)",
        "s∊[Rr] skewer(s)",
        "piece front in q skewer(R front)",
        "{find quiet skewer(R)} : skewer(R)",
        "function f(s) { skewer(s) & e8 } f(R)",
        "skewer (R q r)",
        "up 1 skewer(R)==[] skewer(R) -- or skewer(R)",
        "isunbound skewer isunbound \"skewer\"",
    ] {
        let (found, _) = run(filters, &[BOARD.to_owned()]);
        assert_eq!(found, "1:0\n", "{filters}");
    }
}

#[test]
fn a_name_of_the_query_is_its_own() {
    for filters in [
        "function skewer(s) { s & q } skewer([qr]) == e4",
        "function skewer(s t) { s | t } skewer(R q) == [e1,e4]",
        "skewer=5 skewer==5",
        "skewer=R #skewer==1",
        "skewer∊R skewer & e1",
        "piece skewer in R {skewer & e1}",
        "piece skewer=R skewer (skewer & e1)",
        "square all skewer in R skewer & e1",
        "persistent quiet skewer=0 skewer+=1 skewer==1",
        "local dictionary skewer (R) skewer[\"a\"]=1 #skewer==1",
        "echo (skewer battery) {skewer==battery}",
        "atomic battery=R battery",
        "function f(battery) { battery (e1) } f(R)",
        "function f(battery) { battery=3 } battery=1 f(battery) battery==3",
        "intersection=Re1 intersection & R",
        "function intersection(a1x b1x) { a1x & b1x } intersection(R e1)",
        "variant=\"x\" message(variant \"atomic\")",
        "function variant() { R } variant() \"a\" in \"ab\"",
        "function f(variant) { message(variant \"y\") } f(R)",
    ] {
        let without = compile_without(filters).map(|_| ()).map_err(|error| error.message);
        assert_eq!(without, Ok(()), "{filters}");
        assert_eq!(
            format!("{:?}", compile_without(filters)),
            format!("{:?}", compile(filters)),
            "{filters}"
        );
    }
}

#[test]
fn a_name_that_is_declared_later_is_unknown_before_as_without_the_prelude() {
    for filters in [
        "skewer(R q r) skewer=5",
        "skewer(R q r) function skewer(x) { x }",
        "x=battery(R) battery∊x true",
        "intersection(R q) piece intersection=R",
        "skewer(R) function f(skewer) { skewer }",
        "function f(x) { battery(x) } f(R) battery=R",
    ] {
        let [without, with] = both(filters);
        assert!(without.is_some(), "{filters}");
        assert_eq!(without, with, "{filters}");
    }
}

#[test]
fn without_parentheses_a_word_is_an_unknown_name() {
    for filters in [
        "skewer",
        "skewer & R",
        "x=battery",
        "unbind intersection",
        "battery += 1",
        "skewer[1]",
        "variant",
        "variant == \"atomic\"",
        "variant(\"atomic\")",
    ] {
        let [without, with] = both(filters);
        let (without, with) = (without.expect("an error"), with.expect("an error"));
        assert_eq!((without.message, without.span), (with.message, with.span), "{filters}");
        assert!(
            with.hints
                .iter()
                .any(|hint| hint.contains("the prelude has") || hint.contains("`variant \"atomic\"`")),
            "{filters}"
        );
    }
}

#[test]
fn a_variant_has_a_name_that_is_known() {
    assert_eq!(
        run(
            "variant \"Standard\" {variant \"chess\" or variant \"atomic\"}",
            &[BOARD.to_owned()]
        )
        .0,
        "1:0\n"
    );
    assert_eq!(run("variant \"king of the hill\"", &[BOARD.to_owned()]).0, "");
    let error = compile("variant \"atomc\"").expect_err("there is none");
    assert_eq!(error.message, "unknown variant `atomc`");
    assert!(error.hints[0].contains("`Atomic`"), "{:?}", error.hints);
}

#[test]
fn names_inside_of_the_prelude_are_not_those_of_the_query() {
    // `discoveredcheck` calls `discoveredattack`, and both have parameters.
    let filters = "function discoveredattack(x) { [] } slider=1 blocker=2 king=3 target=4
                   not discoveredattack(R) discoveredcheck(R N) == e8 slider+blocker+king+target==10";
    let (found, _) = run(filters, &["4k3/8/8/8/4N3/8/8/4R1K1".to_owned()]);
    assert_eq!(found, "1:0\n");
}

#[test]
fn arguments_are_sets_of_which_the_last_may_be_left_out() {
    let message = |filters: &str| compile(filters).expect_err(filters).message;
    assert_eq!(
        message("skewer(5)"),
        "expected a set as an argument of `skewer`, found a number"
    );
    assert_eq!(
        message("x=5 skewer(x)"),
        "expected a set as an argument of `skewer`, found a number variable"
    );
    assert_eq!(
        message("skewer(check)"),
        "expected a set as an argument of `skewer`, found a condition"
    );
    assert_eq!(message("skewer(R q r k)"), "unexpected piece designator");
    assert_eq!(message("skewer(R, q)"), "unexpected `,`");
    for filters in ["skewer()", "skewer(R)", "skewer(R q)", "skewer(R q r)"] {
        assert_eq!(run(filters, &[BOARD.to_owned()]).0, "1:0\n", "{filters}");
    }
}

#[test]
fn an_error_while_the_prelude_is_evaluated_is_shown_at_the_call() {
    let query = compile("if false x=R skewer(x q)").expect("a query");
    let pgn = tempfile::Builder::new().suffix(".pgn").tempfile().expect("a file");
    std::fs::write(pgn.path(), "[Result \"*\"]\n\n*\n").expect("written");
    let error = skewer::search::search_in_memory(
        &query,
        skewer::eval::Settings::default(),
        pgn.path(),
        skewer::output::FormatName::Ids,
        &skewer::search::Options::quiet(),
    );
    let Err(skewer::search::Error::Evaluation(stop)) = error else {
        panic!("the variable has no value");
    };
    assert_eq!(stop.diagnostic.span.range(), 13..24);
}

#[test]
fn a_call_is_evaluated_once_for_all_squares_that_a_transform_moves() {
    // Transforms change the arguments of a call, but not the motif.
    let board = ["r3k3/8/8/q7/8/8/8/R3K3".to_owned()];
    for filters in [
        "flip skewer(Rh8 q r)",
        "rotate90 skewer(Rh1)",
        "rotate45 skewer(R q r)",
        "not skewer(Rh1)",
        "flipvertical 1 {skewer(Rh1 q r)}",
        "shift skewer(Rb2 q r)",
    ] {
        assert_eq!(run(filters, &board).0, "1:0\n", "{filters}");
    }
}
