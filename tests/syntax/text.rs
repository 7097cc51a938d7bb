//! Sections 1.1 to 1.2.6 and file names: characters, comments, literals, words.

use shakmaty::KnownOutcome;
use skewer::syntax::{
    Source, reserved_words,
    token::{Span, TokenKind},
    tokens,
};

use crate::syntax::{assert_refused, assert_spells, error_of, spell};

#[test]
fn byte_order_marks_are_dropped_and_kept_in_places() {
    let source = Source::new("test", "\u{feff}\u{feff}wtm");
    let found = tokens(&source).unwrap();
    assert_eq!(found[0].kind, TokenKind::Word("wtm"));
    assert_eq!(found[0].span, Span { start: 6, end: 9 });
    assert!(!found[0].spaced);
    assert_refused(&[("wtm \u{feff}", "\u{feff}", "U+FEFF")]);
}

#[test]
fn an_empty_query_is_refused() {
    assert!(error_of("").1.message.contains("empty"));
    assert_eq!(spell(" "), "");
}

#[test]
fn white_space_and_case() {
    assert_spells(&[
        ("\t\u{b}\u{c}\r\nwtm\rbtm", "wtm btm"),
        ("// comment \r still\nwtm", "wtm"),
        ("IF True Up", "'IF' 'True' 'Up'"),
    ]);
    assert_refused(&[
        ("wtm\u{a0}btm", "\u{a0}", "U+00A0"),
        ("wtm\0", "\0", "U+0000"),
        ("♟\u{fe0e}", "\u{fe0e}", "the look of the character"),
    ]);
}

#[test]
fn any_bytes_in_strings_and_comments() {
    let source = Source::new("test", b"// \xff\n\"a\xffb\" /* \xe2\x99 */ wtm".to_vec());
    let found = tokens(&source).unwrap();
    assert_eq!(found[0].kind, TokenKind::String(b"a\xffb".to_vec()));
    assert_eq!(found[1].kind, TokenKind::Word("wtm"));
    let (_, error) = error_of(b"wtm \xe9".to_vec());
    assert!(error.message.contains("UTF-8"), "{}", error.message);
    let (_, error) = error_of(b"cql(input \"\xe9.pgn\")".to_vec());
    assert!(error.message.contains("UTF-8"), "{}", error.message);
}

#[test]
fn tokens_need_no_white_space_between() {
    assert_spells(&[
        ("3wtm", "3 wtm"),
        ("2<3and 4<5", "2 Less 3 and 4 Less 5"),
        ("wtm3", "'wtm3'"),
        ("♖h1♘f3♗c4", "<♖h1> <♘f3> <♗c4>"),
        ("3R", "3 <R>"),
        ("R♛", "<R> <♛>"),
    ]);
}

#[test]
fn comments() {
    assert_spells(&[
        ("wtm // a \" b\nbtm", "wtm btm"),
        ("wtm ; a\nbtm", "wtm btm"),
        ("wtm//", "wtm"),
        ("//// not a message\nbtm", "btm"),
        ("///// not either\nbtm", "btm"),
        ("/*/ x */ wtm", "wtm"),
        ("/* /* */ wtm /***/ btm /**/", "wtm btm"),
        ("\"// ; /* */\"", "\"// ; /* */\""),
    ]);
    assert_refused(&[("wtm /* a\nb", "/*", "not closed"), ("/*/", "/*", "not closed")]);
}

#[test]
fn strings() {
    assert_spells(&[
        (r#""a\nb""#, r#""a\\nb""#),
        (r#""""#, r#""""#),
        (r#"\n\r\t\"\\"#, r#""\n" "\r" "\t" "\"" "\\""#),
        (r#"\"+"x"+\""#, r#""\"" Plus "x" Plus "\"""#),
        (r#""a"\n"b""#, r#""a" "\n" "b""#),
        ("\"♖\u{1a}\"", "\"♖\\u{1a}\""),
    ]);
    assert_refused(&[
        ("wtm \"a\nb", "\"", "the string is not closed"),
        (r#"message("say \"hi\"")"#, "\"", "nothing is escaped inside quotes"),
        (r"\nfoo", r"\nfoo", r"put a space after `\n`"),
        (r"\q", r"\q", "not a special character"),
        ("wtm 'a'", "'", "double quotes"),
        ("“a”", "“", "double quotes"),
        (r"A \ B", r"\", "`A & ~B`"),
    ]);
}

#[test]
fn numbers_groups_and_results() {
    assert_spells(&[
        ("007 2147483647", "7 2147483647"),
        ("- 5", "Minus 5"),
        ("1.5", "1 Dot 5"),
        (r"\0 \99 \-0 \-12 \1x", "group:0 group:99 index:0 index:12 group:1 'x'"),
        (
            "1-0 0-1 1/2-1/2 (0-1)",
            "result:1-0 result:0-1 result:1/2-1/2 OpenParen result:0-1 CloseParen",
        ),
        ("x=2-1-0", "'x' Assign 2 Minus result:1-0"),
        ("1 - 0", "1 Minus 0"),
        ("1 -0", "1 Minus 0"),
        ("11-0", "11 Minus 0"),
        ("1-01", "1 Minus 1"),
        ("1/2-1/3", "1 Slash 2 Minus 1 Slash 3"),
    ]);
    assert_eq!(
        tokens(&Source::new("test", "1/2-1/2")).unwrap()[0].kind,
        TokenKind::Result(KnownOutcome::Draw)
    );
    assert_refused(&[
        ("2147483648", "2147483648", "too large"),
        ("99999999999999999999", "99999999999999999999", "too large"),
        (r"\100", r"\100", "one or two digits"),
        (r"\-100", r"\-100", "one or two digits"),
        (r"\-x", r"\-x", "not a special character"),
    ]);
}

#[test]
fn reserved_words_are_words_and_nothing_else_is() {
    for word in reserved_words() {
        assert_eq!(spell(word), word);
        let longer = format!("{word}x");
        let expected = if word.starts_with("o-o") {
            format!("{word} 'x'")
        } else {
            format!("'{longer}'")
        };
        if !word.starts_with("input") && !word.starts_with("output") {
            assert_eq!(spell(&longer), expected);
        }
    }
    for name in "b12 a9 i1 RQ Rx kk __ _x $x x$1 o on lightsquares Ra k1 QR b1x R_ E4 A1 R3".split(' ') {
        assert_eq!(spell(name), format!("'{name}'"));
    }
    for designator in "R N B Q K P r n b q k p A a _ a1 h8 bb1 ab6 Ra1 _e4 aa7".split(' ') {
        assert_eq!(spell(designator), format!("<{designator}>"));
    }
    assert_spells(&[
        ("o-o-o o-o", "o-o-o o-o"),
        ("o-o-ox", "o-o-o 'x'"),
        ("fo-o", "'fo' Minus 'o'"),
    ]);
}

#[test]
fn file_names() {
    assert_spells(&[
        ("cql(input a.pgn)", "cql OpenParen input:a.pgn CloseParen"),
        ("input \"a b.pgn\" output /*x*/ c.pgn", "input:a b.pgn output:c.pgn"),
        ("input // where\n ../x/a.pgn,", "input:../x/a.pgn,"),
        (
            "(input) (output)",
            "OpenParen input CloseParen OpenParen output CloseParen",
        ),
        ("input \"\"", "input \"\""),
        ("inputx", "'inputx'"),
        ("input\"é.pgn\"", "input:é.pgn"),
    ]);
}
