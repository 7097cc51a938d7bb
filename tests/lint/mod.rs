//! The warnings of `skewer check`.
//!
//! Each of them appears where it should, and not for filters that are only similar.

use std::path::Path;

use skewer::query::Options;
use skewer::query::lint::{Lint, Warning, lint};
use skewer::syntax::Source;

fn linted(text: &str) -> (Source, Vec<Warning>) {
    let source = Source::new("query.cql", text);
    let warnings =
        lint(&source, &Options::default()).unwrap_or_else(|error| panic!("{}", error.render(&source, false)));
    (source, warnings)
}

fn warnings(filters: &str) -> Vec<(Lint, String)> {
    let (source, warnings) = linted(&format!("cql()\n{filters}"));
    let place = |warning: &Warning| source.slice(warning.diagnostic.span).to_owned();
    warnings.iter().map(|warning| (warning.lint, place(warning))).collect()
}

/// Asserts that there is one warning, about this part of the text, and that its advice works.
fn assert_warns(filters: &str, lint: Lint, part: &str) {
    assert_eq!(warnings(filters), [(lint, part.to_owned())], "{filters}");
    assert_helps(&format!("cql()\n{filters}"));
}

/// Asserts that each warning that advises what to write offers changes, and that each change removes the warning and leaves a valid query.
fn assert_helps(text: &str) {
    let (source, warnings) = linted(text);
    for Warning { lint, diagnostic, .. } in warnings {
        let is_shown = diagnostic.hints.iter().any(|hint| hint.contains('`'));
        assert!(
            !is_shown || !diagnostic.fixes.is_empty(),
            "{text}: {:?}",
            diagnostic.hints
        );
        let place = source.slice(diagnostic.span);
        for fix in &diagnostic.fixes {
            let changed = fix.apply(text);
            let (source, left) = linted(&changed);
            let mut same = left.iter().filter(|other| other.lint == lint);
            let is_left = same.any(|other| source.slice(other.diagnostic.span) == place);
            assert!(!is_left, "{text}: {} leaves {changed}", fix.title);
        }
    }
}

/// Asserts that there are no warnings.
fn assert_silent(filters: &str) {
    assert_eq!(warnings(filters), [], "{filters}");
}

#[test]
fn whole_fens_of_which_the_board_is_compared() {
    const BOARD: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    for rest in ["w KQkq - 2 3", "b", "-"] {
        let fen = format!("\"{BOARD} {rest}\"");
        assert_warns(&format!("fen {fen}"), Lint::Misread, &fen);
        assert_warns(&format!("flip {{fen {fen} or mate}}"), Lint::Misread, &fen);
    }
    assert_silent(&format!("fen \"{BOARD}\" wtm"));
    assert_silent(&format!("mate message(fen \"{BOARD} w\")"));
    assert_silent(&format!("currentfen == \"{BOARD} w KQkq - 2 3\""));
}

#[test]
fn words_that_look_like_functions() {
    for word in ["connectedpawns", "doubledpawns", "isolatedpawns", "passedpawns"] {
        assert_warns(&format!("{word}(P)"), Lint::Misread, word);
        assert_warns(&format!("flipcolor {{{word}(Pd4) >= 1}}"), Lint::Misread, word);
        assert_silent(&format!("{word} (P)"));
        assert_silent(&format!("{word}(check)"));
        assert_silent(&format!("({word}) P"));
    }
    assert_warns("abs(rank K)-rank k == 2", Lint::Misread, "abs(rank K)");
    assert_warns("sqrt(ply)*2 > 9", Lint::Misread, "sqrt(ply)");
    assert_warns("(abs(rank K-rank k)%2) == 1", Lint::Misread, "abs(rank K-rank k)");
    assert_silent("(abs(rank K))-rank k == 2");
    assert_silent("abs (rank K)-rank k == 2");
    assert_silent("2*abs(rank K-rank k) == 2");
    assert_silent("abs((rank K)-1) == 2");
}

#[test]
fn unions_that_are_not_attacked() {
    assert_warns("N attacks k|q", Lint::Misread, "k|q");
    assert_warns("#(A attackedby r|b|n)>=2 wtm", Lint::Misread, "r|b|n");
    assert_silent("N attacks {k|q}");
    assert_silent("N -> k|q");
    assert_silent("N attacks k | R attacks k");
}

#[test]
fn sets_that_are_not_transformed() {
    assert_warns("flipcolor Nf5 kg8", Lint::Misread, "flipcolor Nf5");
    assert_warns("not {flipcolor Nf5 kg8 Qd1}", Lint::Misread, "flipcolor Nf5");
    assert_warns("flip Bg2 Ph3\nwtm", Lint::Misread, "flip Bg2");
    for meant in [
        "flipcolor {Nf5 kg8}",
        "flipcolor Nf5\nkg8",
        "flipcolor Nf5 kg8 wtm",
        "flipcolor Nf5 attacks kg8",
        "flipcolor Nf5 [Aa]e4",
        "flip N K",
        "kg8 flipcolor Nf5",
    ] {
        assert_silent(meant);
    }
}

#[test]
fn what_ifs_and_endings_that_cannot_be() {
    assert_warns("wdl == 3", Lint::AlwaysFalse, "wdl == 3");
    assert_warns("check pass(legal --(mate))", Lint::NeverMatches, "pass(legal --(mate))");
    assert_warns("mate legal --(check)", Lint::NeverMatches, "legal --(check)");
    assert_warns("stalemate legal Q--", Lint::NeverMatches, "legal Q--");
    assert_warns("pass(wdl) == 2 check pass(wtm)", Lint::NeverMatches, "pass(wtm)");
    assert_warns("without((R & N) mate)", Lint::Misread, "(R & N)");
    assert_warns("without([] mate)", Lint::Misread, "[]");
    assert_warns("eval > 3", Lint::Misread, "3");
    assert_warns("-5 >= eval", Lint::Misread, "-5");
    for filters in [
        "wdl == 2",
        "not check pass(legal --(mate))",
        "mate pseudolegal --(check)",
        "check or pass(legal --(mate))",
        "without(R mate)",
        "eval > 1",
        "eval > 0",
        "eval >= 300",
        "evaldepth > 5",
        "clock < 9",
    ] {
        assert_silent(filters);
    }
}

#[test]
fn variables_that_nothing_reads() {
    for (filters, name) in [
        ("x = ply check", "x"),
        ("x = 1 x += 2 check", "x"),
        ("x = R x |= N check", "x"),
        ("square s in R check", "s"),
        ("s∊R check", "s"),
        ("◭man∊R check", "man"),
        ("piece man = Ra1 check", "man"),
        ("function F(x) { x } x = 5 F(ply) > 2", "x"),
        ("a1--=Q x = R", "x"),
    ] {
        assert_warns(filters, Lint::UnusedVariable, name);
    }
    for filters in [
        "x = ply x > 3",
        "x = ply message(x)",
        "x = ply find { ply > x }",
        "_x = ply check",
        "square s in R s attacks k",
        "square _s in R check",
        "persistent total = 0 total += 1",
        "persistent quiet total = 0 total += 1",
        "x = ply isbound x",
        "x = ply isbound \"x\"",
        "lo = 2 find lo check",
        "function F(x) { x = 5 } y = 1 F(y) y == 5",
        "echo (s t) check",
        "dictionary D D[1] = 2",
    ] {
        assert_silent(filters);
    }
}

#[test]
fn functions_and_parameters_without_use() {
    assert_warns("function F() { check } mate", Lint::UnusedFunction, "F");
    assert_warns("function F() { F() } mate", Lint::UnusedFunction, "F");
    assert_warns("function F(x y) { x > 2 } F(ply 2)", Lint::UnusedParameter, "y");
    assert_warns("function F(x) {5} F(ply) > 2", Lint::UnusedParameter, "x");
    assert_silent("function F(x y) { x > y } F(ply 2)");
    assert_silent("function F(x _y) { x > 2 } F(ply 2)");
    assert_silent("function F() { check } function G() { F() } G()");
    assert_silent("function _F() { check } mate");
}

#[test]
fn conditions_that_always_match() {
    for (filters, part) in [
        ("3 < 4", "3 < 4"),
        ("#R >= 0", "#R >= 0"),
        ("R >= 0", "R >= 0"),
        ("ply >= 0", "ply >= 0"),
        ("if #Ra1 <= 1 check", "#Ra1 <= 1"),
        ("R != 65", "R != 65"),
        ("{R != 65}", "R != 65"),
        ("not {{2 != (-#R)}}", "2 != (-#R)"),
        ("∀s∊R {({s & R} != 65)}", "{s & R} != 65"),
        ("sidetomove <= 1", "sidetomove <= 1"),
        ("#R", "#R"),
        ("ply", "ply"),
        ("♖ == R", "♖ == R"),
        ("[RN]a1 in Aa-h1", "[RN]a1 in Aa-h1"),
    ] {
        assert_warns(filters, Lint::AlwaysTrue, part);
    }
    for filters in [
        "#R >= 1",
        "ply > 0",
        "#Ra-b1 <= 1",
        "R != 64",
        "rank R <= 8 or mate",
        "R == N",
        "A in a-h1",
        "true",
        "line --> check --> .",
        "elo",
        "year",
        "int \"5\"",
        "x = 5 x > 4",
        "function F(x) { x >= 0 } F(ply) or F(power A)",
    ] {
        assert_silent(filters);
    }
}

#[test]
fn conditions_that_never_match() {
    for (filters, part) in [
        ("4 < 3", "4 < 3"),
        ("R & N", "R & N"),
        ("wtm Ra1 & b1", "Ra1 & b1"),
        ("not A & a", "A & a"),
        ("#R > 64", "#R > 64"),
        ("Ra-b1 > 2", "Ra-b1 > 2"),
        ("rank R == 9", "rank R == 9"),
        ("0 > ply", "0 > ply"),
        ("movenumber < 0", "movenumber < 0"),
        ("K != K", "K != K"),
        ("find all check == 0", "find all check == 0"),
        ("find 5 2 check", "find 5 2 check"),
        ("flip 4 2 Ra1", "flip 4 2 Ra1"),
    ] {
        assert_warns(filters, Lint::AlwaysFalse, part);
    }
    for filters in [
        "R | N",
        "R & a1",
        "A & R",
        "R == 9",
        "false",
        "[]",
        "not []",
        "find all check >= 1",
        "find 2 5 check",
        "movenumber < 1",
    ] {
        assert_silent(filters);
    }
}

#[test]
fn what_holds_for_some_copies_only_is_no_warning() {
    // Some copies of `flip` have the rook on the square, and others do not.
    assert_silent("flip { Ra1 & notransform a1 }");
    assert_warns("flip { Ra1 & a2 wtm }", Lint::AlwaysFalse, "Ra1 & a2");
    assert_warns("flipcolor { wtm R & N }", Lint::AlwaysFalse, "R & N");
    // The filter can hold in one of the two calls.
    assert_silent("function F(s) { R & s } F(N) or F(A)");
}

#[test]
fn filters_that_exclude_each_other() {
    for (filters, part) in [
        ("wtm R btm", "btm"),
        ("wtm and R and btm", "btm"),
        ("mate message(\"here\") not check", "not check"),
        ("check not find <-- check", "not find <-- check"),
        ("check stalemate", "stalemate"),
        ("ply < 5 R ply > 10", "ply > 10"),
        ("10 < ply < 20 ply == 5", "ply == 5"),
        ("R == 2 not R", "not R"),
        ("Ra1 Na1", "Na1"),
        ("flipcolor { wtm btm }", "btm"),
        ("find { wtm btm }", "btm"),
        ("mate or { wtm btm }", "btm"),
    ] {
        assert_warns(filters, Lint::NeverMatches, part);
    }
    for filters in [
        "wtm child:btm",
        "wtm find btm",
        "wtm or btm",
        "wtm not btm",
        "wtm --(btm)",
        "mate check",
        "ply > 5 ply < 10",
        "R == 2 N == 0",
        "Ra1 Nb1",
        "[RN]a1 [NB]a1",
        "Ra1 child:Na1",
        "Ra-b1 Na-b1",
        "line --> wtm --> btm",
        "path --(wtm) --(btm)",
        "check not parent:find <-- check",
        "check not find 2 check",
        "check find not check",
    ] {
        assert_silent(filters);
    }
}

#[test]
fn old_forms() {
    for (filters, part) in [
        ("ray attack (R a k)", "ray attack"),
        ("ray attacks (R a k)", "ray attacks"),
        ("R attack k", "attack"),
        ("R attacked by k", "attacked by"),
        ("result \"1-0\"", "\"1-0\""),
        (
            "local dictionary D D[\"a\"] = 1 string x in D message(x)",
            "string x in D",
        ),
    ] {
        assert_warns(filters, Lint::Deprecated, part);
    }
    for filters in [
        "xray (R a k)",
        "ray (R a k)",
        "R attacks k",
        "R attackedby k",
        "result 1-0",
        "local dictionary D D[\"a\"] = 1 x∊D message(x)",
    ] {
        assert_silent(filters);
    }
}

#[test]
fn the_modern_form_is_shown() {
    let source = Source::new("query.cql", "cql() ray attack (R a k)");
    let warnings = lint(&source, &Options::default()).expect("it is a query");
    let shown = warnings[0].diagnostic.render_warning(&source, false);
    assert!(
        shown.contains("`xray (R a k)`, or with arrows `k <- a <- R`"),
        "{shown}"
    );
}

/// Returns the filters after the first change that their warning proposes.
fn changed(filters: &str) -> String {
    let source = Source::new("query.cql", filters);
    let options = Options {
        filters_only: true,
        ..Options::default()
    };
    let warnings = lint(&source, &options).expect("it is a query");
    let fixes = warnings.iter().flat_map(|warning| warning.diagnostic.fixes.first());
    fixes.map(|fix| fix.apply(filters)).next().unwrap_or_default()
}

#[test]
fn filters_in_a_row_that_look_like_one() {
    for (filters, part, meant) in [
        ("pin R k", "pin R k", "pin from R to k"),
        ("pin R n k", "pin R n k", "pin from R through n to k"),
        ("move R", "move R", "move from R"),
        ("year 1990-2000", "1990-2000", "1990<=year<=2000"),
        ("elo white 2500 - 2600", "2500 - 2600", "2500<=elo white<=2600"),
        ("0-0", "0-0", "o-o"),
        ("0-0-0 check", "0-0-0", "o-o-o check"),
        ("parent(mate)", "parent", "parent:(mate)"),
        ("mate;check", ";check", "mate check"),
    ] {
        assert_warns(filters, Lint::Misread, part);
        assert_eq!(changed(filters), meant, "{filters}");
    }
    assert_eq!(changed("R -- a1"), "R--a1");
    assert_eq!(changed("check -- a1"), "check --a1");
    for filters in [
        "pin from R to k",
        "pin\nR k",
        "pin check",
        "move from R to a1",
        "year == 1990-10",
        "2000-1990 > 5",
        "path -- R --",
        "R -- {a1 & A}",
        "parent (mate)",
        "parent:(mate)",
        "mate ;check",
        "mate;a comment",
        "mate //; check",
    ] {
        assert_silent(filters);
    }
}

#[test]
fn squares_alone_always_match() {
    assert_warns("e4", Lint::AlwaysTrue, "e4");
    assert_warns("wtm or [a1,h8]", Lint::AlwaysTrue, "[a1,h8]");
    assert_eq!(changed("e4 check"), "[Aa]e4 check");
    assert_silent("[Aa]e4");
    assert_silent("R attacks e4");
    assert_silent("e4 & R");
}

#[test]
fn repetitions_of_repetitions() {
    for (filters, part) in [
        ("path (--+)+", "+"),
        ("path ((-- check)*)*", "*"),
        ("path ((--+ (-- check)?) )*", "*"),
        ("line --> (check+)+", "+"),
        ("path (--{2,}){*}", "{*}"),
    ] {
        assert_warns(filters, Lint::NestedRepetition, part);
    }
    for filters in [
        "path (-- check)+",
        "path (--+ -- check)+",
        "path (--{2})+",
        "path (--+)?",
        "line --> (check+ --> mate)+",
    ] {
        assert_silent(filters);
    }
}

#[test]
fn loops_in_loops_in_loops() {
    let nest = "x∊. y∊. z∊. u∊. { rank x + rank y == rank z * rank u message(x) }";
    assert_warns(
        nest,
        Lint::CostlyNesting,
        nest.split_once("u∊").map_or("", |(before, _)| &nest[before.len()..]),
    );
    assert_silent("x∊. y∊. z∊. { rank x + rank y == rank z message(x) }");
    assert_silent("x∊R y∊N z∊B u∊Q { rank x + rank y == rank z * rank u message(x) }");
    // These loops are answered for all squares at once.
    assert_silent("_x∊. _y∊. _z∊. _u∊. _u attacks k");
    assert_silent("find find find check");
    // Positions are looked up by an equal key, but not by a greater one.
    let find = |value: &str, filter: &str| {
        format!("{value} x∊. y∊. z∊. {{ rank x + rank y == rank z find quiet <-- {{{filter}}} message(x) }}")
    };
    assert_silent(&find("Key=zobristkey", "zobristkey == Key"));
    let costly = find("Ply=ply", "ply > Ply");
    assert_warns(&costly, Lint::CostlyNesting, "find quiet <-- {ply > Ply}");
}

#[test]
fn comments_allow_warnings() {
    assert_silent("//? allow unused-variable always-false\nx = 1 R & N");
    assert_warns("//? allow unused-variable\nx = 1 R & N", Lint::AlwaysFalse, "R & N");
    assert_warns("// allow always-false\nR & N", Lint::AlwaysFalse, "R & N");
}

#[test]
fn the_queries_of_the_repository_are_fine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["examples", "queries"].map(|folder| root.join(folder));
    let files = folders
        .iter()
        .filter(|folder| folder.exists())
        .flat_map(walkdir::WalkDir::new);
    let paths = files.map(|entry| entry.expect("it can be read").into_path());
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "cql")) {
        let source = Source::new(
            path.display().to_string(),
            std::fs::read(&path).expect("queries can be read"),
        );
        let found = lint(&source, &Options::default()).expect("it compiles");
        let shown: Vec<String> = found
            .iter()
            .map(|warning| warning.diagnostic.render_warning(&source, false))
            .collect();
        assert!(shown.is_empty(), "{}", shown.join("\n"));
    }
}
