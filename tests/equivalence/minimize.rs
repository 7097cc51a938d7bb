//! Makes a query that shows a fault smaller.

use std::ops::Range;

/// Removes words, signs, and brackets with or without their content from a text, as long as `fails` still holds. Returns the rest.
pub(super) fn minimized(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut tokens = tokens(text);
    loop {
        let count = tokens.len();
        for removed in removals(&tokens) {
            let kept = |place: &usize| !removed.iter().any(|range| range.contains(place));
            let smaller: Vec<&str> = (0..tokens.len()).filter(kept).map(|place| tokens[place]).collect();
            if smaller.len() < tokens.len() && fails(&smaller.concat()) {
                tokens = smaller;
                break;
            }
        }
        if tokens.len() == count {
            return tokens.concat();
        }
    }
}

/// Returns words and signs, each with the spaces after it.
fn tokens(text: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let mut before = ' ';
    for (start, letter) in text.char_indices() {
        let continues = letter.is_whitespace() || (letter.is_alphanumeric() && before.is_alphanumeric());
        if start == 0 || !continues {
            starts.push(start);
        }
        before = letter;
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

/// Returns what may be removed, largest parts first: parts of all sizes, and pairs of brackets, which are two parts.
fn removals(tokens: &[&str]) -> Vec<[Range<usize>; 2]> {
    let part = |start: usize, end: usize| [start..end, end..end];
    let halves = std::iter::successors(Some(tokens.len() / 2), |size| Some(size / 2));
    let sizes = halves.take_while(|size| *size > 0);
    let parts = sizes.flat_map(|size| {
        (0..tokens.len())
            .step_by(size)
            .map(move |start| part(start, start + size))
    });
    let mut open = Vec::new();
    let mut brackets = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        match token.trim_end() {
            "(" | "{" | "[" => open.push(place),
            ")" | "}" | "]" => {
                if let Some(start) = open.pop() {
                    brackets.push(part(start, place + 1));
                    brackets.push([start..start + 1, place..place + 1]);
                }
            }
            _ => {}
        }
    }
    brackets.sort_by_key(|ranges| std::cmp::Reverse(ranges[0].len()));
    parts.chain(brackets).collect()
}

#[test]
fn what_does_not_matter_is_taken_out() {
    let text = "cql(variations) {check (power g1 == 0) or {not x1 in [QR]a-h4}}";
    let smallest = minimized(text, |text| {
        let pairs = [('(', ')'), ('{', '}')];
        let count = |sign| text.matches(sign).count();
        text.contains("power g1") && pairs.iter().all(|(open, close)| count(*open) == count(*close))
    });
    assert_eq!(smallest.trim(), "power g1");
}
