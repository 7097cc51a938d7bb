//! Texts whose white space is changed at random where it has no meaning.

use fastrand::Rng;
use skewer::syntax::format::{Outline, format};
use skewer::syntax::token::{Token, TokenKind};
use skewer::syntax::tokens;

use super::{QUERIES, Spelling, formatted, source};

/// Returns the text with other white space: any number of spaces where there is one, at line ends and before lines, and more blank
/// lines where there is one. Strings and comments are not changed.
fn blanks_changed(text: &str, random: &mut Rng) -> String {
    let tokens = tokens(&source(text.as_bytes())).expect("it is a query");
    let mut changed = String::new();
    let mut end = 0;
    for token in &tokens {
        let (start, next) = (token.span.start as usize, token.span.end as usize);
        if start < end {
            continue;
        }
        let gap = &text[end..start];
        if gap.contains(['/', ';']) {
            changed.push_str(gap);
        } else {
            changed.push_str(&gap_changed(gap, random));
        }
        changed.push_str(&text[start..next]);
        end = next;
    }
    changed + &text[end..]
}

fn gap_changed(gap: &str, random: &mut Rng) -> String {
    let blanks = |random: &mut Rng, least| -> String {
        let count = random.usize(least..4);
        (0..count).map(|_| if random.bool() { ' ' } else { '\t' }).collect()
    };
    let lines = gap.matches('\n').count();
    match lines {
        0 if gap.is_empty() => String::new(),
        0 => blanks(random, 1),
        1 => format!("{}\n{}", blanks(random, 0), blanks(random, 0)),
        _ => {
            (0..lines + random.usize(0..3))
                .map(|_| blanks(random, 0) + "\n")
                .collect::<String>()
                + &blanks(random, 0)
        }
    }
}

#[test]
fn blanks_do_not_matter() {
    let mut random = Rng::with_seed(5);
    let mut tried = 0;
    for (path, text) in QUERIES.iter().skip(1).step_by(4) {
        let formatted =
            |text: &[u8]| formatted(text, Spelling::AsWritten).map(|text| String::from_utf8_lossy(&text).into_owned());
        let Ok(once) = formatted(text) else { continue };
        // Only texts with one kind of line ends and valid UTF-8.
        if once.contains(['\r', '\u{fffd}']) {
            continue;
        }
        let changed = blanks_changed(&once, &mut random);
        assert_eq!(
            formatted(changed.as_bytes()).as_ref(),
            Ok(&once),
            "{}:\n{changed}",
            path.display()
        );
        tried += 1;
    }
    assert!(tried > 300, "only {tried} tried");
}

/// Spaces around operators and inside of brackets, in all combinations.
#[test]
fn blanks_around_operators_do_not_matter() {
    let parts = [
        "#(", "A", "|", "a", ")", "+", "1", ">=", "3", "and", "{", "R", "->", "k", "&", "~", "Q", "}", "!=", "B",
    ];
    let words = |part: &str| part.ends_with(|last: char| last.is_ascii_alphanumeric());
    let expected = "#(A | a) + 1 >= 3 and {R -> k & ~Q} != B\n";
    let mut random = Rng::with_seed(6);
    for _ in 0..200 {
        let mut text = "cql()\n\n".to_owned();
        for pair in parts.windows(2) {
            text.push_str(pair[0]);
            if words(pair[0]) && words(pair[1]) || random.bool() {
                text.push_str(if random.bool() { " " } else { "  " });
            }
        }
        text.push_str(parts[parts.len() - 1]);
        let result = formatted(text.as_bytes(), Spelling::AsWritten).expect("it is a query");
        assert_eq!(
            String::from_utf8_lossy(&result),
            format!("cql()\n\n{expected}"),
            "{text}"
        );
    }
}

/// Texts that are no queries are laid out without an outline. Nothing panics, and the tokens stay the same.
#[test]
fn any_row_of_tokens_can_be_laid_out() {
    let mut random = Rng::with_seed(7);
    for text in ["", " ", "\n\n", "// only a comment", "cql", "cql(", "-", "function"] {
        let _ = format(&source(text.as_bytes()), &Outline::default(), Spelling::AsWritten);
    }
    let mut tried = 0;
    for (_, text) in QUERIES.iter().step_by(4) {
        let broken = without_some_words(&String::from_utf8_lossy(text), &mut random);
        let broken = source(broken.as_bytes());
        let Ok(before) = tokens(&broken) else { continue };
        let spelling = [Spelling::AsWritten, Spelling::Ascii, Spelling::Unicode][random.usize(..3)];
        let result = format(&broken, &Outline::default(), spelling);
        let after = result.unwrap_or_else(|error| panic!("{}", error.render(&broken, false)));
        let after = tokens(&source(&after)).expect("it has tokens");
        let written = |tokens: &[Token]| -> Vec<TokenKind> {
            let kinds = tokens.iter().map(|token| token.kind.clone());
            kinds.filter(|kind| *kind != TokenKind::PathEnd).collect()
        };
        assert_eq!(written(&before), written(&after), "{}", broken.text());
        tried += 1;
    }
    assert!(tried > 100, "only {tried} tried");
}

fn without_some_words(text: &str, random: &mut Rng) -> String {
    let lines = text.lines().map(|line| {
        let words = line
            .split(' ')
            .filter(|word| word.contains(['"', '/', ';', '*']) || random.u8(..) > 12);
        words.collect::<Vec<&str>>().join(" ")
    });
    lines.collect::<Vec<String>>().join("\n")
}
