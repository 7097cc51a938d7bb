//! Sets of squares as regular expressions write them: `[a-h]6-8`, `R[a-c]8`, `[RN][ac][1-3]`.

use super::candidate::Candidate;
use super::text::Text;
use crate::syntax::designator::{is_figurine, is_piece_letter};
use crate::syntax::token::Span;

const SAYS: &str = "pieces are listed in brackets, squares are files, then ranks: `[RN]a-c7-8`, `[a1,c3]`";

/// Returns a correction for a designator around the error that has brackets in the wrong places.
pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let source = text.source.text();
    let starts = text.starts().rev().take(9);
    let found = starts.filter_map(|at| {
        let start = text.tokens[at].span.start as usize;
        let glued = source[..start].ends_with(|last: char| last.is_ascii_alphanumeric() || last == ']');
        let (designator, length) = read(&source[start..])?;
        let span = Span::new(start, start + length);
        let changes = source[span.range()] != designator;
        (!glued && changes && text.concerns(span)).then(|| Candidate::new(span, designator, SAYS))
    });
    // The longest one that contains the error.
    found
        .max_by_key(|candidate| candidate.span.end - candidate.span.start)
        .into_iter()
        .collect()
}

/// Reads pieces, files and ranks. Returns the designator that was meant, and the length of the text in bytes.
fn read(text: &str) -> Option<(String, usize)> {
    let mut rest = text;
    let pieces = pieces(&mut rest);
    let files = part(&mut rest, |letter| matches!(letter, 'a'..='h'))?;
    let ranks = part(&mut rest, |digit| matches!(digit, '1'..='8'))?;
    if rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '[') {
        return None;
    }
    let mut squares: Vec<String> = Vec::new();
    for file in &files {
        squares.extend(ranks.iter().map(|rank| format!("{file}{rank}")));
    }
    let squares = match squares.as_slice() {
        [one] => one.clone(),
        several => format!("[{}]", several.join(",")),
    };
    Some((format!("{pieces}{squares}"), text.len() - rest.len()))
}

/// Reads the pieces before squares: `R`, `[RN]`, `(R|N)` or nothing.
fn pieces<'t>(rest: &mut &'t str) -> String {
    let text: &'t str = rest;
    let is_piece = |letter: char| is_piece_letter(letter) || is_figurine(letter);
    let (open, close) = match text.chars().next() {
        Some('[') => ('[', ']'),
        Some('(') => ('(', ')'),
        Some(letter) if is_piece(letter) => {
            let length = letter.len_utf8();
            // `a` and `b` are also files, unless another file follows.
            if !text[length..].starts_with(|next: char| next == '[' || matches!(next, 'a'..='h'))
                || text.starts_with("a-")
            {
                return String::new();
            }
            if matches!(letter, 'a' | 'b')
                && text[1..].starts_with('[')
                && !text[2..].starts_with(|next: char| next.is_ascii_lowercase())
            {
                return String::new();
            }
            *rest = &text[length..];
            return letter.to_string();
        }
        _ => return String::new(),
    };
    let Some(end) = text.find(close) else {
        return String::new();
    };
    let inside = text[open.len_utf8()..end].replace(['|', ',', ' '], "");
    let follows = text[end + 1..].starts_with(|next: char| next == '[' || matches!(next, 'a'..='h'));
    if inside.is_empty() || !follows || !inside.chars().all(is_piece) {
        return String::new();
    }
    *rest = &text[end + 1..];
    format!("[{inside}]")
}

/// Reads ranges and single letters or digits: `a`, `a-c`, `[a-c]`, `[ac]`, `[a,c]`, `(a|c)`.
fn part<'t>(rest: &mut &'t str, is_one: impl Fn(char) -> bool) -> Option<Vec<String>> {
    let text: &'t str = rest;
    let bracketed = [('[', ']'), ('(', ')')]
        .into_iter()
        .find(|(open, _)| text.starts_with(*open));
    let (inside, length) = match bracketed {
        Some((_, close)) => {
            let end = text.find(close)?;
            (&text[1..end], end + 1)
        }
        None => {
            let mut letters = text.chars();
            let first = letters.next().filter(|first| is_one(*first))?;
            let is_range =
                letters.next() == Some('-') && letters.next().is_some_and(|last| is_one(last) && last > first);
            let length = if is_range { 3 } else { 1 };
            (&text[..length], length)
        }
    };
    *rest = &text[length..];
    let mut parts = Vec::new();
    let letters: Vec<char> = inside
        .chars()
        .filter(|letter| !matches!(letter, ',' | '|' | ' '))
        .collect();
    let mut at = 0;
    while let Some(&first) = letters.get(at) {
        let last = letters.get(at + 2).filter(|_| letters.get(at + 1) == Some(&'-'));
        let last = last.copied().filter(|last| is_one(*last) && first < *last);
        if !is_one(first) {
            return None;
        }
        match last {
            Some(last) => parts.push(format!("{first}-{last}")),
            None => parts.push(first.to_string()),
        }
        at += if last.is_some() { 3 } else { 1 };
    }
    (!parts.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_squares_are_read_as_they_are_meant() {
        for (text, expected) in [
            ("[a-h]6-8", "a-h6-8"),
            ("k[a-c]8 check", "ka-c8"),
            ("R[a-c][7-8]", "Ra-c7-8"),
            ("[ac]8", "[a8,c8]"),
            ("[RN][a-c]3", "[RN]a-c3"),
            ("[R|N]a[1,2]", "[RN][a1,a2]"),
            ("a[1-3]", "a1-3"),
            ("[a-c,h]8", "[a-c8,h8]"),
        ] {
            assert_eq!(read(text).map(|(read, _)| read).as_deref(), Some(expected), "{text}");
        }
        for text in ["R", "[RN]", "[check]8", "a-h", "x[1]", ""] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
