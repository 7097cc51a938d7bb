//! The numbers of a funnel are the same as those of searches.

use skewer::eval::Settings;
use skewer::output::{FormatName, Totals};
use skewer::query::{self, Options, Query};
use skewer::search::{self, search_in_memory};
use skewer::syntax::Source;
use skewer::why::{Counts, Funnel, FunnelReport};

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics.pgn");

fn options(text: &str) -> Options {
    Options {
        filters_only: !query::has_header(text),
        themes: skewer::library::themes(None),
        ..Options::default()
    }
}

fn totals(query: &Query) -> Totals {
    let found = search_in_memory(
        query,
        Settings::default(),
        GAMES,
        FormatName::Count,
        &search::Options::quiet(),
    );
    found.expect("the games can be searched").totals
}

fn count(text: &str) -> Counts {
    let query = query::compile(&Source::new("q", text), &options(text));
    let totals = totals(&query.unwrap_or_else(|error| panic!("{text}: {}", error.message)));
    Counts {
        games: totals.matches,
        positions: totals.positions,
    }
}

fn report(text: &str) -> FunnelReport {
    let funnel = Funnel::new(&Source::new("q", text), &options(text)).expect("the query compiles");
    funnel.report(&funnel.queries().map(totals).collect::<Vec<_>>())
}

/// Returns the texts of the steps, indented by two spaces for each level.
fn steps(report: &FunnelReport) -> Vec<String> {
    let steps = report.steps.iter();
    steps
        .map(|step| format!("{}{}", "  ".repeat(step.depth), step.text))
        .collect()
}

/// Compares the numbers of a funnel with searches: each step together with all steps before it, and all steps without it. Returns the funnel.
fn check(text: &str, expected: &[(&str, &str, Option<&str>)]) -> FunnelReport {
    let report = report(text);
    let texts: Vec<&str> = expected.iter().map(|(step, ..)| *step).collect();
    assert_eq!(steps(&report), texts, "{text}");
    for (step, (name, with, without)) in report.steps.iter().zip(expected) {
        assert_eq!(step.with, Some(count(with)), "{text}: with {name}");
        assert_eq!(step.without, without.map(count), "{text}: without {name}");
    }
    assert_eq!(report.found, count(text), "{text}");
    report
}

#[test]
fn each_filter_leaves_what_a_search_finds() {
    check(
        "wtm check #q==0",
        &[
            ("wtm", "wtm", Some("check #q==0")),
            ("check", "wtm check", Some("wtm #q==0")),
            ("#q==0", "wtm check #q==0", Some("wtm check")),
        ],
    );
    check(
        "cql(result 1-0) flipcolor {btm check R attacks k}",
        &[
            (
                "btm",
                "cql(result 1-0) flipcolor {btm}",
                Some("cql(result 1-0) flipcolor {check R attacks k}"),
            ),
            (
                "check",
                "cql(result 1-0) flipcolor {btm check}",
                Some("cql(result 1-0) flipcolor {btm R attacks k}"),
            ),
            (
                "R attacks k",
                "cql(result 1-0) flipcolor {btm check R attacks k}",
                Some("cql(result 1-0) flipcolor {btm check}"),
            ),
        ],
    );
}

#[test]
fn what_is_inside_of_loops_and_searches_is_told_apart() {
    check(
        "initial find {check btm piece x in N {x attacks k x in a-h6-8}}",
        &[
            (
                "initial",
                "initial",
                Some("find {check btm piece x in N {x attacks k x in a-h6-8}}"),
            ),
            ("find", "initial find true", Some("initial")),
            (
                "  check",
                "initial find {check}",
                Some("initial find {btm piece x in N {x attacks k x in a-h6-8}}"),
            ),
            (
                "  btm",
                "initial find {check btm}",
                Some("initial find {check piece x in N {x attacks k x in a-h6-8}}"),
            ),
            (
                "  piece x in N",
                "initial find {check btm N}",
                Some("initial find {check btm}"),
            ),
            (
                "    x attacks k",
                "initial find {check btm N attacks k}",
                Some("initial find {check btm piece x in N {x in a-h6-8}}"),
            ),
            (
                "    x in a-h6-8",
                "initial find {check btm piece x in N {x attacks k x in a-h6-8}}",
                Some("initial find {check btm piece x in N {x attacks k}}"),
            ),
        ],
    );
    check(
        "stays(4 {#R==1 #r==1})",
        &[
            ("stays(4 …)", "stays(4 true)", Some("true")),
            ("  #R==1", "stays(4 {#R==1})", Some("stays(4 {#r==1})")),
            ("  #r==1", "stays(4 {#R==1 #r==1})", Some("stays(4 {#R==1})")),
        ],
    );
    // What the parts of an `or` leave is not determined.
    check(
        "wtm (mate or {check #q==0})",
        &[
            ("wtm", "wtm", Some("mate or {check #q==0}")),
            ("(mate or {check #q==0})", "wtm (mate or {check #q==0})", Some("wtm")),
        ],
    );
}

#[test]
fn what_others_need_cannot_be_left_out() {
    check(
        "x=R x attacks k wtm",
        &[
            ("x=R", "x=R", None),
            ("x attacks k", "x=R x attacks k", Some("wtm")),
            ("wtm", "x=R x attacks k wtm", Some("R attacks k")),
        ],
    );
}

#[test]
fn a_theme_is_one_filter() {
    for theme in ["theme \"greek-gift\"", "theme \"rook-ending\""] {
        check(
            &format!("{theme} wtm"),
            &[
                (theme, theme, Some("wtm")),
                ("wtm", &format!("{theme} wtm"), Some(theme)),
            ],
        );
        check(theme, &[(theme, theme, Some("true"))]);
    }
}

#[test]
fn the_filter_that_leaves_nothing_is_named() {
    let report = report("mate btm #q==9 check");
    assert_eq!(report.found, Counts::default());
    let left = count("mate btm").games;
    assert_eq!(
        report.sentences,
        [
            format!("`#q==9` leaves nothing of {left} games."),
            format!("There would be {left} games without `#q==9`."),
        ]
    );
    let header = self::report("cql(gamenumber 900 901) mate");
    assert_eq!(header.sentences.len(), 1);
    assert!(
        header.sentences[0].starts_with("No game is left before the first filter"),
        "{header:?}"
    );
}
