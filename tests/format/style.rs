//! The style of formatted queries.

use super::{Spelling, formatted};

/// Returns the body of a query as it is formatted.
fn body_as(filters: &str, spelling: Spelling) -> String {
    let text = format!("cql()\n\n{filters}\n");
    let formatted = formatted(text.as_bytes(), spelling).unwrap_or_else(|error| panic!("{filters}:\n{error}"));
    let formatted = String::from_utf8(formatted).expect("the query is UTF-8");
    formatted
        .strip_prefix("cql()\n\n")
        .expect("the header")
        .trim_end_matches('\n')
        .to_owned()
}

fn body(filters: &str) -> String {
    body_as(filters, Spelling::AsWritten)
}

/// Asserts that the filters are formatted like this, and that formatting once more changes nothing.
fn assert_style(filters: &str, expected: &str) {
    assert_eq!(body(filters), expected, "{filters}");
    assert_eq!(body(expected), expected, "once more");
}

#[test]
fn each_filter_has_a_line() {
    assert_style("#A>3 check R attacks k", "#A > 3\ncheck\nR attacks k");
    assert_style("{\n#A>3 check }", "{\n  #A > 3\n  check\n}");
    assert_style("x=1 y=2", "x = 1\ny = 2");
}

#[test]
fn small_filters_may_stay_on_a_line() {
    assert_style("Kg1   Rf1 wtm\nPf2", "Kg1 Rf1 wtm\nPf2");
    assert_style("R==1 r==1 not Pc2 check", "R == 1 r == 1 not Pc2 check");
    assert_style("Kg1 Rf1 not A attacks k wtm", "Kg1 Rf1\nnot A attacks k\nwtm");
}

#[test]
fn a_block_without_line_ends_stays_on_its_line() {
    assert_style("{wtm A>3}", "{wtm A > 3}");
    assert_style("not{to->k}", "not {to -> k}");
    assert_style("{wtm\nA>3}", "{\n  wtm\n  A > 3\n}");
    assert_style("{5 }>4", "{ 5 } > 4");
    assert_style("message(\"a\"\n\"b\")", "message(\n  \"a\"\n  \"b\"\n)");
}

#[test]
fn operators_have_blanks() {
    assert_style("#(A|a)+1>=3*2", "#(A | a) + 1 >= 3 * 2");
    assert_style("~A&(b->k)", "~A & (b -> k)");
    assert_style("x=5 x+=-1 x- -1>x- 1", "x = 5\nx += -1\nx - -1 > x - 1");
    assert_style("parent : wtm", "parent:wtm");
    assert_style("\"a\"~~\"b\"", "\"a\" ~~ \"b\"");
    assert_style("s=\"abc\" s[1:2]==s[ 0 ]", "s = \"abc\"\ns[1:2] == s[0]");
    assert_style("x ∊ A x attacks k", "x∊A x attacks k");
}

#[test]
fn what_touches_a_move_keeps_touching_it() {
    for filters in [
        "--",
        "N--c3",
        "{N --c3}",
        "{N-- c3}",
        "{N -- c3}",
        "A--[qr](check)",
        "--(check)",
        "path -- {check}",
        "--=Q",
        "--c8 =Q",
        "{N-- --}",
        "N|B--a|q(check)",
        "path -- --{2} (-- check)+ --?",
        "R[x]a",
        "path focus R -- [x]a",
    ] {
        assert_style(filters, filters);
    }
    assert_style("x=--(to)", "x = --(to)");
    assert_style("{--(to)}&A", "{--(to)} & A");
}

#[test]
fn blank_lines_are_kept_once() {
    assert_style("wtm\n\n\n\nA", "wtm\n\nA");
    assert_style("{\n\nwtm\n\ncheck\n\n}", "{\n  wtm\n\n  check\n}");
    // Here the blank line ends the path.
    assert_style("path\n--\n\ncheck", "path\n  --\n\ncheck");
    assert_style("{ path --\n\ncheck }", "{\n  path --\n\n  check\n}");
}

#[test]
fn comments_keep_their_places() {
    assert_style(
        "// first\nwtm// beside\n  // before\nA /* in */ > 3 ; old",
        "// first\nwtm // beside\n// before\nA /* in */ > 3 ; old",
    );
    assert_style(
        "{ // of the block\nA\n// last\n}",
        "{ // of the block\n  A\n  // last\n}",
    );
    assert_style("{ /* a\n  b */ A }", "{\n  /* a\n  b */\n  A\n}");
    assert_style("wtm   \t\n\n/* end */", "wtm\n\n/* end */");
}

#[test]
fn a_message_comment_ends_with_its_line() {
    assert_style("{ wtm /// \"here \" ply+1\n}", "{\n  wtm\n  /// \"here \" ply + 1\n}");
}

#[test]
fn comments_may_be_longer_than_a_line() {
    let long = "words ".repeat(20).trim_end().to_owned();
    let filters = format!("R attacks k or N attacks k // {long}");
    assert_style(&filters, &filters);
    let filters = format!("if wtm\n  /// \"{long}\" ply\ncheck");
    assert_style(&filters, &filters);
}

#[test]
fn continued_lines_are_indented() {
    assert_style("flipcolor\npin from R", "flipcolor\n  pin from R");
    assert_style("flipcolor\n{\nwtm}", "flipcolor {\n  wtm\n}");
    assert_style("wtm\nor check\nor mate", "wtm\nor check\nor mate");
    assert_style("A -> k or\n check", "A -> k\nor check");
    assert_style("{A\nwtm}\nor\n{wtm}", "{\n  A\n  wtm\n} or {wtm}");
    assert_style("{wtm}\nor\n{check}", "{wtm}\nor {check}");
    assert_style("find wtm\nor check", "find wtm\n  or check");
    assert_style("flipcolor\n{wtm}", "flipcolor\n  {wtm}");
    assert_style("square x in A\n{x\nwtm}", "square x in A {\n  x\n  wtm\n}");
    assert_style("square x in A\n{x\nwtm} == 2", "square x in A {\n  x\n  wtm\n} == 2");
    assert_style("path\n--\n{wtm\nA}\n--", "path\n  --\n  {\n    wtm\n    A\n  }\n  --");
    assert_style("{\nwtm\n}\nor\n{\ncheck\n}", "{\n  wtm\n} or {\n  check\n}");
    assert_style(
        "if wtm\nif check A\nelse\nB\nelse a",
        "if wtm\n  if check A\n  else\n    B\nelse a",
    );
    assert_style("x = if wtm\n1 else 2", "x = if wtm\n  1 else 2");
    assert_style("x = if wtm 1\nelse 2", "x = if wtm 1\n  else 2");
    assert_style(
        "if wtm then {\nA } else if check\nB\nelse\nQ",
        "if wtm then {\n  A\n} else if check\n  B\nelse\n  Q",
    );
}

#[test]
fn long_lines_are_broken_where_operators_bind_least() {
    assert_style(
        "R attacks k and wtm and check or N attacks k and btm and check or Q attacks [qr] and not stalemate",
        "R attacks k and wtm and check\nor N attacks k and btm and check\nor Q attacks [qr] and not stalemate",
    );
    assert_style(
        "flipcolor { R attacks k and wtm and not check and Q attacks q Ka1 message(\"a rook looks at the king\") }",
        "flipcolor {\n  R attacks k and wtm and not check and Q attacks q\n  Ka1\n  \
         message(\"a rook looks at the king\")\n}",
    );
    assert_style(
        "#(R attacks [kqrbn]) + #(N attacks [kqrbn]) + #(B attacks [kqrbn]) + #(Q attacks [kqrbn]) >= 2",
        "#(R attacks [kqrbn]) + #(N attacks [kqrbn]) + #(B attacks [kqrbn])\n  + #(Q attacks [kqrbn]) >= 2",
    );
    let pattern = format!("x ~~ \"{}\"", "long ".repeat(20));
    assert_style(&format!("x = event\n{pattern}"), &format!("x = event\n{pattern}"));
    assert_style(
        "message(\"the first item of many\" \"the second item of many\" \"the third item of many\" ply movenumber)",
        "message(\n  \"the first item of many\" \"the second item of many\" \"the third item of many\" ply\n  \
         movenumber\n)",
    );
}

#[test]
fn the_header_is_one_line_before_a_blank_one() {
    let header = |text: &str| {
        let formatted = formatted(text.as_bytes(), Spelling::AsWritten).expect("it is a query");
        String::from_utf8(formatted).expect("the query is UTF-8")
    };
    assert_eq!(
        header("\u{feff}cql (\n  input   a.pgn\n variations ) mate"),
        "cql(input a.pgn variations)\n\nmate\n"
    );
    assert_eq!(
        header("// mates\n\n\ncql(quiet) // no comments\nmate"),
        "// mates\n\ncql(quiet) // no comments\n\nmate\n"
    );
    assert_eq!(
        header("cql(quiet // no comments\n)\nmate"),
        "cql(\n  quiet // no comments\n)\n\nmate\n"
    );
    assert_eq!(header("cql() // a\r\nmate\r\nwtm"), "cql() // a\r\n\r\nmate\r\nwtm\r\n");
}

#[test]
fn spellings_are_converted() {
    let both = [
        ("K [RQ]a1", "♔ ♖♕a1"),
        ("[Aa]", "◭"),
        ("[AaR]", "◭♖"),
        ("_", "□"),
        ("A <= 3", "△ ≤ 3"),
        ("R -> k", "♖ → ♚"),
        ("N--c3", "♘――c3"),
        ("A[x]q", "△×♛"),
        ("x[element]A x", "x∊△ x"),
        ("[forall][Aa]x[element]R x", "∀◭x∊♖ x"),
        ("x = A\nx &= R | B", "x = △\nx ∩= ♖ ∪ ♗"),
        ("flipcolor R", "⬓ ♖"),
        ("path --\n\n.", "⊢ ――\n\n▦"),
        ("currentposition [<] parent", "∙ ≺ parent"),
        ("--=Q", "――=♕"),
        ("\"♖ R\" in \"--\"", "\"♖ R\" in \"--\""),
        ("a1 // K ♔", "a1 // K ♔"),
    ];
    for (ascii, unicode) in both {
        assert_eq!(body_as(ascii, Spelling::Unicode), unicode, "{ascii}");
        assert_eq!(body_as(unicode, Spelling::Ascii), ascii, "{unicode}");
    }
    assert_eq!(body_as("[RR] [aRA] curpos", Spelling::Unicode), "♖ ◭♖ curpos");
    assert_eq!(body_as("[R] R", Spelling::Ascii), "[R] R");
}

#[test]
fn functions_that_nothing_calls_keep_their_lines() {
    assert_style(
        "function F (x) {\nx\n wtm   or\n  check }",
        "function F(x) {\n  x\n  wtm\n  or check\n}",
    );
}
