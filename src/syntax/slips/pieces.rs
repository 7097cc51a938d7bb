//! Pieces and squares in words: `white knight on f5`, `R on rank 7`.

use super::super::tree::Rule;
use super::candidate::Candidate;
use super::pattern::{LooseToken, take};
use super::text::{Text, advice};
use crate::syntax::designator::{ascii_letters, is_piece_letter};

/// The English words for pieces, with the letters of White's pieces.
const KINDS: [(&str, char); 6] = [
    ("king", 'K'),
    ("queen", 'Q'),
    ("rook", 'R'),
    ("bishop", 'B'),
    ("knight", 'N'),
    ("pawn", 'P'),
];

const SAYS: &str =
    "pieces are letters, capitals for White: `N` a white knight, `n` a black one, `[Nn]` either, `A` and `a` any piece";

/// Returns corrections for pieces in words, or on squares in words, around the error.
pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let found = text.starts().filter_map(|start| {
        let mut rest = &text.tokens[start..];
        let (letters, is_word) = pieces(&mut rest)?;
        let squares = squares(&mut rest, is_word);
        if !is_word && squares.is_none() {
            return None;
        }
        let length = text.tokens.len() - start - rest.len();
        let span = text.tokens[start].span.to(text.tokens[start + length - 1].span);
        let says = if is_word { SAYS } else { advice("on-squares") };
        let designator = format!("{letters}{}", squares.unwrap_or_default());
        text.concerns(span).then(|| Candidate::new(span, designator, says))
    });
    found
        .max_by_key(|candidate| candidate.span.end - candidate.span.start)
        .into_iter()
        .collect()
}

/// Reads `white knights`, `'knight'` or `R`. Returns the letters, and whether they were words.
fn pieces(rest: &mut &[LooseToken<'_>]) -> Option<(String, bool)> {
    let side = take(rest, &["white", "black", "whites", "blacks", "any", "a", "the"]);
    let quote = take(rest, &["'", "‘", "`"]).is_some();
    let (first, behind) = rest.split_first()?;
    let word = first.text.to_ascii_lowercase();
    let singular = word.strip_suffix('s').unwrap_or(&word);
    let is_white = side.map(|side| side.to_ascii_lowercase().starts_with("white"));
    let is_black = side.map(|side| side.to_ascii_lowercase().starts_with("black"));
    let of_side = |white: char| match (is_white, is_black) {
        (Some(true), _) => white.to_string(),
        (_, Some(true)) => white.to_ascii_lowercase().to_string(),
        _ => format!("[{white}{}]", white.to_ascii_lowercase()),
    };
    if first.rule == Rule::designator && side.is_none() {
        let letters = first.text.trim_matches(['[', ']']);
        let letters = ascii_letters(letters).unwrap_or_else(|| letters.to_owned());
        *rest = behind;
        if quote {
            take(rest, &["'", "’", "`"])?;
        }
        return letters
            .chars()
            .all(is_piece_letter)
            .then(|| (first.text.to_owned(), quote));
    }
    let kind = KINDS
        .iter()
        .find(|(known, _)| *known == singular)
        .map(|(_, letter)| *letter);
    let kind = kind.or((singular == "piece" || singular == "man" || word == "men").then_some('A'));
    *rest = behind;
    let letters = of_side(kind?);
    if quote {
        take(rest, &["'", "’", "`"])?;
    }
    Some((letters, true))
}

/// Reads `on f5`, `on a1-8`, `on rank 7`, `on the 7th rank` or `on the c-file`.
fn squares(rest: &mut &[LooseToken<'_>], may_touch: bool) -> Option<String> {
    let mut ahead = *rest;
    let is_on = take(&mut ahead, &["on", "at", "in"]).is_some();
    take(&mut ahead, &["the"]);
    let texts: Vec<&str> = ahead.iter().take(4).map(|token| token.text).collect();
    let is_rank = |text: &str| matches!(text.as_bytes(), [b'1'..=b'8']);
    let is_file = |text: &str| matches!(text.as_bytes(), [b'a'..=b'h']);
    let (squares, length) = match texts.as_slice() {
        ["rank", rank, ..] if is_rank(rank) => (format!("a-h{rank}"), 2),
        [rank, "st" | "nd" | "rd" | "th", "rank", ..] if is_rank(rank) => (format!("a-h{rank}"), 3),
        [rank, "rank", ..] if is_rank(rank) => (format!("a-h{rank}"), 2),
        ["file", file, ..] if is_on && is_file(file) => (format!("{file}1-8"), 2),
        [file, "-", "file", ..] if is_file(file) => (format!("{file}1-8"), 3),
        [squares, ..] if is_on || may_touch => {
            let first = ahead.first().filter(|first| first.rule == Rule::designator)?;
            let has_squares = first.text.contains(|digit: char| digit.is_ascii_digit());
            let is_plain =
                squares.starts_with(|letter: char| letter == '[' || is_file(letter.encode_utf8(&mut [0; 4])));
            if !has_squares || !is_plain {
                return None;
            }
            (squares.to_string(), 1)
        }
        _ => return None,
    };
    *rest = &ahead[length..];
    Some(squares)
}
