//! The tree: it holds the whole text, agrees with the compiler, and is made in linear time.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use skewer::query::{self, Options};
use skewer::search::STACK_BYTES;
use skewer::syntax::format::Outline;
use skewer::syntax::token::{Span, TokenKind};
use skewer::syntax::tree::{Node, Tree};
use skewer::syntax::{Source, scan, tokens};

use crate::syntax::robustness::shuffled;

/// Returns the queries of the golden cases and of the library.
fn queries() -> Vec<Source> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let walk =
        ["tests/golden", "queries"].map(|folder| walkdir::WalkDir::new(repository.join(folder)).sort_by_file_name());
    let paths = walk
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("it can be listed").into_path());
    let queries = paths.filter(|path| path.extension().is_some_and(|extension| extension == "cql"));
    queries
        .map(|path| Source::new(path.display().to_string(), fs::read(&path).expect("it can be read")))
        .collect()
}

/// Asserts that the leaves cover the text without gaps, and that the parts of each node are inside of it.
fn assert_whole(source: &Source) {
    let tree = source.tree();
    let mut end = 0;
    for leaf in tree.leaves() {
        assert_eq!(leaf.span().start, end, "{} in {:?}", leaf.name(), source.text());
        end = leaf.span().end;
    }
    assert_eq!(end as usize, source.bytes().len(), "{:?}", source.text());
    for node in tree.nodes() {
        assert!(node.parent().is_none_or(|parent| contains(parent.span(), node.span())));
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn node<'t>(tree: &'t Tree, name: &str) -> Node<'t> {
    tree.nodes()
        .find(|node| node.name() == name)
        .unwrap_or_else(|| panic!("no {name}"))
}

/// Returns the text of each part of the first node of a rule, except gaps.
fn parts(text: &str, rule: &str) -> Vec<String> {
    let source = Source::new("test", text);
    let form = node(source.tree(), rule);
    let parts = form.children().filter(|part| part.name() != "gap");
    parts.map(|part| source.slice(part.span()).to_owned()).collect()
}

#[test]
fn forms_go_as_far_as_the_text_shows() {
    for (text, rule, expected) in [
        ("xray /* x */ (R a k) & r", "xray", "xray|(R a k)"),
        ("ray up down (R k)", "ray", "ray|up|down|(R k)"),
        ("ray attack (R k)", "ray", "ray|attack|(R k)"),
        ("up 1 -- 3 R", "direction", "up|1"),
        ("up 1 3 R", "direction", "up|1 3"),
        ("up 1 ~R", "direction", "up"),
        ("up -1 R", "direction", "up|-1"),
        ("flip count R", "transform", "flip|count"),
        ("⬓ R", "transform", "⬓"),
        ("∀◭x∊R f", "piece_loop", "∀|◭|x|∊"),
        ("square all s in R f", "square_loop", "square|all|s|in"),
        ("[Aa]x=Re1", "piece_binding", "[Aa]|x|="),
        ("x += 3", "assignment", "x|+="),
        ("function F(x y) {x y}", "function", "function|F|(x y)|{x y}"),
        ("function F() {5}", "function", "function|F|()|{5}"),
        ("persistent quiet x = 3", "persistent", "persistent|quiet|x ="),
        ("find <-- quiet 2 5 check", "find", "find|<--|quiet|2 5"),
        ("echo (s t) in all wtm", "echo", "echo|(s t)|in|all"),
        ("cql(input a.pgn gamenumber 1 3)", "game_numbers", "gamenumber|1 3"),
        ("player white \"A\"", "tag_test", "player|white|\"A\""),
        ("sort min \"t\" ply", "sort", "sort|min|\"t\""),
        ("line quiet 2 4 --> check", "line", "line|quiet|2 4|-->"),
        ("path title \"a\" nestban --", "path", "path|title|\"a\"|nestban"),
        ("hhdb gbr kings \"1\"", "study", "hhdb|gbr|kings|\"1\""),
        ("/// \"a\" (1) // b\nwtm", "line_message", "///|\"a\"|(1)"),
    ] {
        assert_eq!(parts(text, rule).join("|"), expected, "{text}");
    }
}

#[test]
fn what_is_wrong_is_an_error_leaf_in_its_place() {
    for (text, rule, place) in [
        ("(wtm", "unclosed", 4),
        ("{(wtm}", "unclosed", 5),
        ("wtm) btm", "stray", 3),
        ("R /* a", "open_comment", 2),
        ("R \"a", "open_string", 2),
        ("R \\q", "bad_escape", 2),
        ("R !", "unknown", 2),
        ("h-a", "reversed_files", 0),
        ("/// 1 /// 2", "second_message", 6),
        ("cql(wtm)", "misplaced", 4),
    ] {
        let source = Source::new("test", text);
        let wrong = source.tree().nodes().find(Node::is_error).expect(text);
        assert_eq!((wrong.name().as_str(), wrong.span().start), (rule, place), "{text}");
    }
}

#[test]
fn every_query_is_whole_and_no_accepted_one_has_errors_or_filters_across_nodes() {
    let work = || {
        let (mut accepted, mut filters) = (0, 0);
        for source in queries() {
            assert_whole(&source);
            let Ok(outline) = query::outline(&source, &Options::default()) else {
                continue;
            };
            accepted += 1;
            let error = source.tree().nodes().find(Node::is_error);
            assert!(error.is_none(), "{error:?} in {}", source.name());
            filters += outline.filters.len();
            assert_nothing_crosses(&source, &outline);
        }
        assert!(
            accepted > 1_500 && filters > 10_000,
            "{accepted} queries, {filters} filters"
        );
    };
    let worker = thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(work)
        .expect("a thread");
    worker.join().expect("all is well");
}

/// Asserts that a filter and a node are never partly inside each other.
fn assert_nothing_crosses(source: &Source, outline: &Outline) {
    let nodes: Vec<_> = source.tree().nodes().filter(|node| !node.is_leaf()).collect();
    for filter in outline
        .filters
        .iter()
        .chain(&outline.statements)
        .chain(&outline.constituents)
    {
        // Only nodes that begin before the end of the filter and end after its start.
        let near = nodes.iter().take_while(|node| node.span().start < filter.end);
        for node in near.filter(|node| node.span().end > filter.start) {
            let nested = contains(*filter, node.span()) || contains(node.span(), *filter);
            assert!(
                nested,
                "{:?} crosses {} in {}",
                source.slice(*filter),
                node.name(),
                source.name()
            );
        }
    }
}

#[test]
fn mutated_queries_are_whole_and_their_leaves_are_the_tokens() {
    let queries = queries();
    let pieces = "( ) { } [ ] [Aa]x /// // /* */ ; \" \\n \\ ∀ ∊ in piece function echo path up flip 1 - = x a1 ♖ hhdb sort find quiet {2,3} {*} -- --> [x] h-a input cql o-o 1-0 ray";
    let pieces: Vec<&str> = pieces.split(' ').chain([" ", "\n", "\n\n"]).collect();
    for round in 0..1_000 {
        let mut numbers = shuffled(round);
        let mut next = || numbers.next().unwrap_or_default();
        let mut text = queries[next() % queries.len()].text().to_owned();
        let at = text.floor_char_boundary(next() % (text.len() + 1).min(600));
        let end = text.ceil_char_boundary((at + next() % 4).min(text.len()));
        text.replace_range(at..end, pieces[next() % pieces.len()]);
        let source = Source::new("test", text);
        assert_whole(&source);
        let (found, errors) = scan(&source);
        let leaves = source
            .tree()
            .leaves()
            .filter(|leaf| !["gap", "unclosed", "byte_order_mark"].contains(&leaf.name().as_str()));
        let spans: Vec<Span> = leaves.map(|leaf| leaf.span()).collect();
        assert_eq!(spans.len(), found.len() + errors.len(), "{:?}", source.text());
        assert!(found.iter().all(|token| spans.binary_search(&token.span).is_ok()));
    }
}

#[test]
fn nesting_is_counted_before_the_grammar_descends() {
    let nested = |depth: usize| Source::new("test", "(".repeat(depth) + "wtm" + &")".repeat(depth));
    let deepest = move || {
        assert!(tokens(&nested(500)).is_ok());
        let too_deep = nested(501);
        let error = tokens(&too_deep).expect_err("it is too deep");
        assert_eq!(
            (error.message.as_str(), error.span),
            ("the query is nested too deeply", Span::new(500, 501))
        );
        for depth in [20_000, 500_000] {
            assert!(tokens(&nested(depth)).is_err());
        }
        // Brackets in strings and comments do not count, and many pairs of brackets side by side are not deep.
        for text in [
            "\"(((((((((\" ".repeat(200),
            "// {{{{{{{{\n".repeat(200),
            "{ check } ".repeat(2_000),
        ] {
            let source = Source::new("test", text);
            assert!(tokens(&source).is_ok());
            assert_whole(&source);
        }
        let broken = Source::new("test", "{ ( ".repeat(2_000) + "wtm");
        let error = tokens(&broken).expect_err("it is broken");
        assert_eq!(error.message, "the query is nested too deeply");
        assert_eq!(*error.hints, ["some of the brackets are never closed"]);
        assert_whole(&broken);
        let (found, _) = scan(&broken);
        assert_eq!(found.len(), 4_002);
        assert_eq!(
            found[0].kind,
            tokens(&Source::new("test", "{wtm}")).expect("a block")[0].kind
        );
    };
    let worker = thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(deepest)
        .expect("a thread");
    worker.join().expect("all is well");
    // A deep text is also refused on a small stack, which does not overflow.
    let small = thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || tokens(&nested(500)).is_err());
    assert!(small.expect("a thread").join().is_ok());
}

fn time(work: impl Fn()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

#[test]
fn nasty_texts_take_time_in_proportion_to_their_length() {
    const LENGTH: usize = 1 << 10;
    /// Text that is eight times as long takes eight times as long to read, and 64 times if the time is quadratic.
    const FACTOR: usize = 8;
    let nasty = [
        "(",
        ")",
        "{",
        "[",
        "([{",
        "{(",
        "/*",
        "/* ",
        "///",
        "/// ",
        "/// (\n",
        "/// /* x\n",
        "\"",
        "\"\n",
        "\\",
        "[Aa]",
        "[a1,",
        "R[a1,",
        "♖",
        "♖[",
        "{1",
        "{1,",
        "1-",
        "a-",
        "x ",
        "x=",
        "find ",
        "function F(x ",
        "function F(x) {",
        "hhdb ",
        "sort min ",
        "up 1 ",
        "path title ",
        "line ",
        "echo (a ",
        "input ",
        "∀",
        "cql(",
        "x /* */ ",
        "piece /* */ x ",
    ];
    for piece in nasty {
        let text = |length: usize| piece.repeat(length / piece.len());
        let read = |text: &str| {
            let source = Source::new("test", text);
            black_box(source.tree());
            black_box(tokens(&source).is_ok());
        };
        let (short, long) = (text(LENGTH), text(FACTOR * LENGTH));
        let ratio = |_| time(|| read(&long)).as_secs_f64() / time(|| read(&short)).as_secs_f64();
        // A busy machine may be slow once, but not every time.
        let least = (0..8).map(ratio).find(|ratio| *ratio < 3.0 * FACTOR as f64);
        assert!(
            least.is_some(),
            "{piece:?}: more than three times as long for each character"
        );
    }
}

#[test]
fn tokens_of_brackets_and_words_do_not_depend_on_their_form() {
    let kinds = |text: &str| -> Vec<TokenKind> {
        let found = tokens(&Source::new("test", text)).expect("tokens");
        found.into_iter().map(|token| token.kind).collect()
    };
    // The words in a complete form, and in an incomplete one.
    for (whole, part) in [
        ("xray (R)", "xray"),
        ("up 1 R", "up"),
        ("find quiet R", "find"),
        ("echo (s t) wtm", "echo"),
    ] {
        assert_eq!(kinds(whole)[0], kinds(part)[0], "{whole}");
    }
}
