use std::ops::Range;

use super::*;

/// Returns the groups of the leftmost match as text; `None` without a match.
fn groups(pattern: &str, text: &[u8]) -> Option<Vec<Option<String>>> {
    let pattern = Pattern::new(pattern.as_bytes()).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    let groups = pattern.find_at(text, 0).expect("few steps")?;
    let shown = |range: Range<usize>| text[range].iter().map(|byte| char::from(*byte)).collect();
    Some(groups.into_iter().map(|group| group.map(shown)).collect())
}

/// Returns the leftmost match.
fn first(pattern: &str, text: &str) -> Option<String> {
    groups(pattern, text.as_bytes())?.swap_remove(0)
}

/// Returns all matches, each with its place.
fn all(pattern: &str, text: &str) -> Vec<String> {
    let pattern = Pattern::new(pattern.as_bytes()).expect("a pattern");
    pattern
        .matches(text.as_bytes())
        .map(|groups| groups.expect("few steps")[0].clone().expect("the whole match"))
        .map(|range| format!("{}@{}", &text[range.clone()], range.start))
        .collect()
}

/// Returns the wrong part of a malformed pattern.
fn wrong(pattern: &str) -> &str {
    match Pattern::new(pattern.as_bytes()) {
        Ok(_) => panic!("{pattern} is accepted"),
        Err(error) => &pattern[error.range],
    }
}

#[test]
fn the_leftmost_match_prefers_earlier_alternatives() {
    for (pattern, text, found) in [
        ("bc|abcd", "abcd", "abcd"),
        ("ab|abab", "abab", "ab"),
        ("a+?", "xaaa", "a"),
        ("a*", "xaaa", ""),
        (".*X", "aXbX", "aXbX"),
        (".*?X", "aXbX", "aX"),
        ("a{2,3}", "aaaa", "aaa"),
        ("a{3,}?", "aaaa", "aaa"),
        ("a{2}b", "aaab", "aab"),
        ("^a$|^aa$", "aa", "aa"),
        ("", "ab", ""),
        ("a||b", "b", ""),
        ("()", "b", ""),
    ] {
        assert_eq!(first(pattern, text).as_deref(), Some(found), "{pattern} on {text}");
    }
}

#[test]
fn quantifiers_of_quantifiers_nest() {
    assert_eq!(first("a**b", "aaab").as_deref(), Some("aaab"));
    assert_eq!(first("a++", "aaa").as_deref(), Some("aaa"));
    assert_eq!(first("(?:ab){2}{2}", "abababab").as_deref(), Some("abababab"));
    // `a??` is lazy, and the third sign repeats that.
    assert_eq!(first("a???b", "ab").as_deref(), Some("ab"));
}

#[test]
fn anchors_hold_at_the_ends_of_the_text_only() {
    assert_eq!(first("^two", "one\ntwo"), None);
    assert_eq!(first("one$", "one\ntwo"), None);
    assert_eq!(first("one$", "one\n"), None);
    assert_eq!(all("^a", "aaa"), ["a@0"]);
}

#[test]
fn a_dot_is_no_line_end() {
    assert_eq!(first("a.b", "a\nb"), None);
    assert_eq!(first("a.b", "a\rb"), None);
    assert_eq!(groups("^.{3}$", b"a\xff\x00").map(|groups| groups.len()), Some(1));
}

#[test]
fn texts_and_patterns_are_bytes() {
    assert_eq!(first("R..ti", "Réti").as_deref(), Some("RÃ©ti"));
    assert_eq!(first("R.ti", "Réti"), None);
    assert_eq!(first("é{2}", "éé"), None);
    assert_eq!(groups(r"\xe9(.)", b"\xe9\xff").unwrap()[1].as_deref(), Some("ÿ"));
    assert_eq!(
        groups(r"[\x80-\xfe]+", b"a\x80\xc3\xff").unwrap()[0]
            .as_ref()
            .unwrap()
            .chars()
            .count(),
        2
    );
    assert_eq!(first(r"\W+", "aé!"), Some("Ã©!".to_owned()));
    assert_eq!(first("hello", "Hello"), None);
    // The same if the engine has to backtrack.
    assert_eq!(
        groups(r"(?=\xe9)(.)\1", b"a\xe9\xe9").unwrap()[0].as_deref(),
        Some("éé")
    );
    assert_eq!(first(r"(?=.)[^a]\b", "aé b"), Some(" ".to_owned()));
}

#[test]
fn classes() {
    for (pattern, text, found) in [
        (r"[\w.-]+", " x9-._ ", Some("x9-._")),
        (r"b\sx", "tab\tx", Some("b\tx")),
        (r"[[:upper:]][[:digit:]]", "aB3", Some("B3")),
        (r"[\]b]+", "a]b", Some("]b")),
        (r"[^\d]", "9-", Some("-")),
        (r"[^[:alpha:]\d]+", "ab1-=2", Some("-=")),
        ("[]", "a", None),
        ("[^]", "\n", Some("\n")),
        ("[a-]+", "xa-", Some("a-")),
        ("[-a]+", "xa-", Some("a-")),
        ("[a-c-e]+", "bd-e", Some("b")),
        ("[a-c-e]+", "-e", Some("-e")),
        // A dash after a range is an ordinary byte and may itself begin a range.
        ("[a-c--9]+", "x.5-a", Some(".5-a")),
        ("[[:Alpha:]]+", "1aB2", Some("aB")),
        ("[A-z]+", "-A_z", Some("A_z")),
        ("[^a-c]", "abcd", Some("d")),
        ("[[a]+", "[a", Some("[a")),
        (r"[\b]", "\u{8}", Some("\u{8}")),
        ("a]}", "a]}", Some("a]}")),
        (r"\D\S\W", "ab-", Some("ab-")),
    ] {
        assert_eq!(first(pattern, text).as_deref(), found, "{pattern} on {text}");
    }
}

#[test]
fn escapes() {
    for (pattern, text) in [
        (r"\x22\u0022", "\"\""),
        (r"\n\t\r\f\v\0", "\n\t\r\u{c}\u{b}\0"),
        (r"\cA\cj", "\u{1}\n"),
        (r"\A\Z\e\-\/\.\{", "AZe-/.{"),
        (r"\\c", r"\c"),
    ] {
        assert_eq!(first(pattern, text).as_deref(), Some(text), "{pattern}");
    }
}

#[test]
fn what_the_engine_would_read_otherwise_is_literal() {
    for text in ["a#b c", "&&", "~~", "--", "(?<n>", "<>=!'\"%@`,;:_"] {
        let pattern: String = text
            .chars()
            .map(|sign| {
                if "(?".contains(sign) {
                    format!("\\{sign}")
                } else {
                    sign.to_string()
                }
            })
            .collect();
        assert_eq!(first(&pattern, text).as_deref(), Some(text), "{pattern}");
    }
    assert_eq!(first("[a&&b]+", "x&ab").as_deref(), Some("&ab"));
    assert_eq!(first("[a~~b]+", "x~ab").as_deref(), Some("~ab"));
}

#[test]
fn groups_take_part_or_not() {
    assert_eq!(
        groups("^(1)?(2)?(\\d)$", b"25").unwrap(),
        [Some("25".to_owned()), None, Some("2".to_owned()), Some("5".to_owned())]
    );
    assert_eq!(groups("(?:a)(b)", b"ab").unwrap().len(), 2);
    assert_eq!(groups("(?=(a))a", b"a").unwrap()[1].as_deref(), Some("a"));
}

#[test]
fn look_ahead_and_back_references() {
    for (pattern, text, found) in [
        ("foo(?=bar)", "foobaz foobar", Some("foo")),
        (r"foo(?!baz)\w+", "foobaz foobar", Some("foobar")),
        (r"(abc)\1", "abcabc", Some("abcabc")),
        (r"(a)(b)?\2c", "ac", None),
        (r"(\w)(\w)\2\1", "xabba", Some("abba")),
        (r"\ba\b", "xa a y", Some("a")),
        (r"\Ba\B", "a xay", Some("a")),
    ] {
        assert_eq!(first(pattern, text).as_deref(), found, "{pattern} on {text}");
    }
    assert_eq!(wrong(r"[\B]"), r"\B");
    // All digits belong to the number.
    assert_eq!(wrong(r"(a)\10"), r"\10");
}

#[test]
fn all_matches() {
    assert_eq!(all("x*", "axxb"), ["@0", "xx@1", "@3", "@4"]);
    assert_eq!(all("a*?", "aa"), ["@0", "a@0", "@1", "a@1", "@2"]);
    assert_eq!(all("[^,]*", "a,b,,c"), ["a@0", "@1", "b@2", "@3", "@4", "c@5", "@6"]);
    assert_eq!(all(r"\b", "foo bar"), ["@0", "@3", "@4", "@7"]);
    assert_eq!(all(r"\b\w", "foo bar"), ["f@0", "b@4"]);
    assert_eq!(all("a|", "ba"), ["@0", "a@1", "@2"]);
    assert_eq!(all("|a", "ba"), ["@0", "@1", "a@1", "@2"]);
    assert_eq!(all("(?=a)|ab", "ab"), ["@0", "ab@0"]);
    assert_eq!(all("", ""), ["@0"]);
    assert_eq!(all("a", ""), [""; 0]);
}

#[test]
fn malformed_patterns_are_refused_where_they_are_wrong() {
    for (pattern, part) in [
        ("(a", "("),
        ("a)", ")"),
        ("*a", "*"),
        ("a|+", "+"),
        ("^*", "*"),
        (r"\b+", "+"),
        ("(?=a)*", "*"),
        ("a{", "{"),
        ("a{,2}", "{,2"),
        ("{2}", "{2}"),
        ("a{2,1}", "{2,1}"),
        ("a{99999}", "{99999}"),
        (r"\p{L}", "{"),
        ("[z-a]", "z-a"),
        ("[a", "["),
        ("[[:nope:]]", "[:nope:]"),
        ("[[:alpha", "[:alpha"),
        (r"[\d-z]", r"\d-"),
        (r"[a-\d]", r"a-\d"),
        ("[[.a.]]", "[."),
        (r"\1(a)", r"\1"),
        (r"(a\1)", r"\1"),
        (r"(a)\2", r"\2"),
        ("(?<a>b)", "(?"),
        ("(?<=b)", "(?"),
        ("(?i)a", "(?"),
        (r"a\", "\\"),
        (r"\x4", r"\x4"),
        (r"\u012g", r"\u012g"),
        (r"\u0416", r"\u0416"),
        (r"\c1", r"\c1"),
    ] {
        assert_eq!(wrong(pattern), part, "{pattern}");
    }
}

#[test]
fn no_pattern_and_no_text_is_too_much() {
    // Exponential for a backtracking engine.
    assert_eq!(first("(a*)*b", &"a".repeat(100_000)), None);
    assert_eq!(first("(?:a|a)*b", &"a".repeat(10_000)), None);
    let long = "a".repeat(100_000);
    assert_eq!(first("(a|b)*", &long).map(|found| found.len()), Some(long.len()));
    let evil = Pattern::new(br"(a*)*b\1").unwrap();
    assert_eq!(evil.find_at("a".repeat(100).as_bytes(), 0), Err(TooComplex));
    assert!(Pattern::new(b"(((a{1000}){1000}){1000})").is_err());
    // Counters, not copies.
    let counting = Pattern::new(br"(b)(((a{1000}\1){1000}){1000})").unwrap();
    assert_eq!(counting.find_at(long.as_bytes(), 0), Ok(None));
    assert!(Pattern::new("(".repeat(50_000).as_bytes()).is_err());
    assert!(Pattern::new(format!("a{}", "*".repeat(50_000)).as_bytes()).is_err());
    assert!(Pattern::new(&[b'a'; 100_000]).is_err());
}
