//! Sections 1.2.1, 1.2.3 and 1.2.12: message comments, brackets and paths.

use skewer::syntax::{Source, tokens};

use crate::syntax::{assert_refused, assert_spells, error_of};

#[test]
fn message_comments() {
    assert_spells(&[
        ("/// \"a\" ply\nwtm", "/// \"a\" ply end-of-message wtm"),
        ("{ /// \"a\"\n}", "OpenBrace /// \"a\" end-of-message CloseBrace"),
        ("/// \"a\"", "/// \"a\" end-of-message"),
        ("/// \"a\" // note\nwtm", "/// \"a\" end-of-message wtm"),
        ("/// \"a\" ; note\nwtm", "/// \"a\" end-of-message wtm"),
        ("/// \"a\" /* b\n */ wtm", "/// \"a\" end-of-message wtm"),
        (
            "/// (1 /* b */)\n/// 2\n",
            "/// OpenParen 1 CloseParen end-of-message /// 2 end-of-message",
        ),
        (
            "path -- /// path --\n\nwtm",
            "path dash /// path dash end-of-message end-of-path wtm",
        ),
    ]);
    assert_refused(&[
        ("/// 1 /// 2", "///", "two message comments on one line"),
        ("/// (\n)", "(", "not closed on its line"),
        ("/// {1", "{", "not closed on its line"),
        ("{ /// 1 }\n}", "}", "put `}` on the next line"),
    ]);
}

#[test]
fn blank_lines_end_paths() {
    assert_spells(&[
        ("path -- --\nwtm", "path dash dash wtm"),
        ("path -- --\n\nwtm", "path dash dash end-of-path wtm"),
        ("path -- --\r\n \t\r\nwtm", "path dash dash end-of-path wtm"),
        ("path -- --\n// c\nwtm", "path dash dash wtm"),
        ("path --\n// c\n\nwtm", "path dash end-of-path wtm"),
        ("path -- // c\n\nwtm", "path dash end-of-path wtm"),
        ("path -- ; c\n\nwtm", "path dash end-of-path wtm"),
        ("path -- /* \n\n */ wtm", "path dash wtm"),
        ("path -- \n/* */\nwtm", "path dash wtm"),
        ("path --\n\n\n\nwtm\n\nbtm", "path dash end-of-path wtm btm"),
        (
            "path (--\n\n--)\n\nwtm",
            "path OpenParen dash dash CloseParen end-of-path wtm",
        ),
        ("{path --\n\nwtm}", "OpenBrace path dash end-of-path wtm CloseBrace"),
        (
            "path -- path --\n\nwtm",
            "path dash path dash end-of-path end-of-path wtm",
        ),
        (
            "path {path --\n\nwtm}\n\nbtm",
            "path OpenBrace path dash end-of-path wtm CloseBrace end-of-path btm",
        ),
        ("{path --} wtm\n\nbtm", "OpenBrace path dash CloseBrace wtm btm"),
        ("⊢ --\n\nwtm", "path dash end-of-path wtm"),
        ("wtm\n\nbtm", "wtm btm"),
        ("path --\n\n", "path dash end-of-path"),
    ]);
    assert_refused(&[
        ("path\n\n--", "path", "the path is empty"),
        ("(⊢ // c\n\n--)", "⊢", "the path is empty"),
    ]);
}

#[test]
fn repetition_signs_at_the_top_level_of_paths() {
    assert_spells(&[
        ("path --+ --*", "path dash RepeatPlus dash RepeatStar"),
        ("path (--)+", "path OpenParen dash CloseParen RepeatPlus"),
        (
            "path max (ply+1) --",
            "path max OpenParen ply RepeatPlus 1 CloseParen dash",
        ),
        ("path max {ply+1} --", "path max OpenBrace ply Plus 1 CloseBrace dash"),
        ("path -- s[1+2]", "path dash 's' OpenBracket 1 Plus 2 CloseBracket"),
        ("path {*} {+}", "path BraceStar BracePlus"),
        (
            "path {path --+}*",
            "path OpenBrace path dash RepeatPlus CloseBrace RepeatStar",
        ),
        ("path --\n\n1+2", "path dash end-of-path 1 Plus 2"),
        ("(path --)+ 1*2", "OpenParen path dash CloseParen Plus 1 Star 2"),
        (
            "path x+=1 /// 1+2\n",
            "path 'x' PlusAssign 1 /// 1 RepeatPlus 2 end-of-message",
        ),
        ("1+2*3", "1 Plus 2 Star 3"),
        (
            "path {legal --} -- pseudolegal --",
            "path OpenBrace legal dash CloseBrace dash pseudolegal dash",
        ),
        ("path --\n\nlegal --", "path dash end-of-path legal dash"),
    ]);
    assert_refused(&[
        ("path legal -- --", "legal", "put braces around the filter"),
        (
            "path -- (countmoves legal -- > 1)",
            "countmoves",
            "put braces around the filter",
        ),
    ]);
}

#[test]
fn brackets_nest() {
    let refused = [
        ("(wtm", "(", None),
        ("{(wtm}", "}", Some("(")),
        ("wtm)", ")", None),
        ("([)]", ")", Some("[")),
        ("{ { }", "{", None),
        ("path (--}", "}", Some("(")),
    ];
    for (text, underlined, opened) in refused {
        let (source, error) = error_of(text);
        assert_eq!(source.slice(error.span), underlined, "{text}");
        assert_eq!(
            error.related.first().map(|(span, _)| source.slice(*span)),
            opened,
            "{text}"
        );
    }
    assert!(tokens(&Source::new("test", "[".repeat(20_000))).is_err());
}
