//! Properties of every text: places are in order, errors can be shown, golden queries have tokens.

use std::{fs, path::Path};

use skewer::syntax::{
    Diagnostic, Source,
    token::{Span, Token, TokenKind},
    tokens,
};

use crate::syntax::error_of;

#[test]
fn errors_are_rendered_with_place_text_and_advice() {
    let (source, error) = error_of("\u{feff}cql(input a.pgn)\r\n\t{ check }\r\n\t}");
    assert_eq!(
        error.render(&source, false),
        "error: `}` closes nothing\n --> test:3:2\n  |\n3 |     }\n  |     ^\n  |\n  = help: leave it out, or open it before"
    );
    let (source, error) = error_of("{ (\nwtm }");
    let expected = "\
error: `}` does not match `(`
 --> test:2:5
  |
1 | { (
  |   - `(` was opened here
2 | wtm }
  |     ^
  |
  = help: `(` is closed by `)`";
    assert_eq!(error.render(&source, false), expected);
    assert!(error.render(&source, true).contains("\u{1b}["));
}

#[test]
fn rendering_survives_any_span() {
    let texts: [&[u8]; 5] = [
        b"",
        b"\n",
        b"\xef\xbb\xbfR\xff\t\xe2\x99\x96\r\n\r\nx\r",
        b"a\n\nb\n",
        b"\xe2\x99\x96",
    ];
    for bytes in texts {
        let source = Source::new("test", bytes.to_vec());
        let limit = bytes.len() as u32 + 3;
        for start in 0..limit {
            for end in 0..limit {
                let span = Span { start, end };
                let error = Diagnostic::new(span, "m")
                    .label("l")
                    .related(Span { start: end, end }, "r");
                assert!(error.render(&source, false).starts_with("error: m\n --> test:"));
                assert!(error.render_warning(&source, true).contains("warning"));
            }
        }
    }
}

fn assert_well_placed(source: &Source, tokens: &[Token]) {
    let mut end = 0;
    for token in tokens {
        assert!(end <= token.span.start, "{token:?} in {:?}", source.text());
        assert!(token.span.start <= token.span.end, "{token:?} in {:?}", source.text());
        assert!(token.kind == TokenKind::PathEnd || token.spaced || token.span.start == end || end == 0);
        if token.kind != TokenKind::PathEnd {
            end = token.span.end.max(end);
        }
    }
    assert!(end as usize <= source.bytes().len());
    assert_eq!(tokens.iter().filter(|token| token.kind == TokenKind::End).count(), 1);
}

/// Returns the numbers of a linear congruential generator, so the tests see the same texts each time.
pub(crate) fn shuffled(seed: u64) -> impl Iterator<Item = usize> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    })
}

#[test]
fn any_mixture_gives_ordered_tokens_or_an_error() {
    let parts: Vec<&str> = "R a1 [ ] ( ) { } path -- [x] \" /// // /* */ ; \\ \\n \\1 12 , - + * [Aa] ♖ ∊ ∈ x _ input {2,3} o-o 1-0 h-a ~~ \u{feff} é legal | &"
        .split(' ')
        .chain([" ", "\n", "\n\n", "\r\n", "\t", "\u{1a}"])
        .collect();
    let mut accepted = 0;
    for seed in 0..3000 {
        let mut numbers = shuffled(seed);
        let length = 1 + numbers.next().unwrap_or(0) % 12;
        let text: String = numbers.take(length).map(|number| parts[number % parts.len()]).collect();
        let source = Source::new("test", text);
        match tokens(&source) {
            Ok(tokens) => {
                accepted += 1;
                assert_well_placed(&source, &tokens);
            }
            Err(error) => {
                assert!(error.span.start <= error.span.end && error.span.end as usize <= source.bytes().len());
                assert!(!error.render(&source, false).is_empty());
            }
        }
    }
    assert!(accepted > 100, "only {accepted} texts were accepted");
}

#[test]
fn golden_queries_have_tokens() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let Ok(chapters) = fs::read_dir(&golden) else {
        eprintln!("skipped: there is no {}", golden.display());
        return;
    };
    let folders = chapters
        .map(|chapter| chapter.unwrap().path())
        .filter(|path| path.is_dir());
    let files = folders
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|file| file.unwrap().path());
    let mut seen = 0;
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "cql")) {
        let source = Source::new(file.display().to_string(), fs::read(&file).unwrap());
        match tokens(&source) {
            Ok(tokens) => assert_well_placed(&source, &tokens),
            Err(error) => assert!(
                source.text().starts_with("// reject"),
                "{}",
                error.render(&source, false)
            ),
        }
        seen += 1;
    }
    assert!(seen > 0, "no queries in {}", golden.display());
}
