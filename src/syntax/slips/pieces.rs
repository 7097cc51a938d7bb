//! Pieces and squares in words: `white knight on f5`, `R on rank 7`, `passed pawn`.

use super::super::tree::Rule;
use super::pattern::{Piece, take};
use super::{Candidate, Slip, Text, slip};
use crate::syntax::designator::{ascii_letters, is_piece_letter};

const PAWNS: &str = "pawns of a kind are one word, a set: `passedpawns & P`";
const ON: &str =
    "the pieces of a set on the squares of another are `R & light`, those on listed squares `Ra7`, `Ra-h7`";
const SETS: &str = "`|` joins sets, `&` is what they have in common";

pub(super) const SLIPS: &[Slip] = &[
    slip("passed PIECE", &["passedpawns & $2"], PAWNS),
    slip("isolated PIECE", &["isolatedpawns & $2"], PAWNS),
    slip("doubled PIECE", &["doubledpawns & $2"], PAWNS),
    slip("connected PIECE", &["connectedpawns & $2"], PAWNS),
    slip("white passed pawns", &["passedpawns & P"], PAWNS),
    slip("black passed pawns", &["passedpawns & p"], PAWNS),
    slip("white passed pawn", &["passedpawns & P"], PAWNS),
    slip("black passed pawn", &["passedpawns & p"], PAWNS),
    slip("passed pawns", &["passedpawns"], PAWNS),
    slip("passed pawn", &["passedpawns"], PAWNS),
    slip("isolated pawns", &["isolatedpawns"], PAWNS),
    slip("isolated pawn", &["isolatedpawns"], PAWNS),
    slip("doubled pawns", &["doubledpawns"], PAWNS),
    slip("doubled pawn", &["doubledpawns"], PAWNS),
    slip("double pawns", &["doubledpawns"], PAWNS),
    slip("connected pawns", &["connectedpawns"], PAWNS),
    slip("empty square", &["_"], "the empty squares are `_`"),
    slip("empty squares", &["_"], "the empty squares are `_`"),
    slip(
        "empty SQUARE",
        &["_$2"],
        "the empty squares are `_`, an empty e4 is `_e4`",
    ),
    slip(
        "SQUARE is empty",
        &["_$1"],
        "the empty squares are `_`, an empty e4 is `_e4`",
    ),
    slip(
        "light squares",
        &["light ."],
        "`.` is the set of all squares, `light S` those of a set that are light",
    ),
    slip(
        "dark squares",
        &["dark ."],
        "`.` is the set of all squares, `dark S` those of a set that are dark",
    ),
    slip(
        "light square bishop",
        &["light [Bb]"],
        "`light S` are the light squares of a set",
    ),
    slip(
        "dark square bishop",
        &["dark [Bb]"],
        "`dark S` are the dark squares of a set",
    ),
    slip("TERM on light squares", &["light $1"], ON),
    slip("TERM on dark squares", &["dark $1"], ON),
    slip("TERM on TERM", &["$1 & $3"], ON),
    slip("TERM union TERM", &["$1 | $3"], SETS),
    slip("TERM intersect TERM", &["$1 & $3"], SETS),
    slip(
        "rank RANK",
        &["a-h$2"],
        "the squares of the seventh rank are `a-h7`; `rank S` is a number",
    ),
    slip(
        "file FILE",
        &["$21-8"],
        "the squares of the c-file are `c1-8`; `file S` is a number",
    ),
    slip(
        "FILE - file",
        &["$11-8"],
        "the squares of the c-file are `c1-8`; `file S` is a number",
    ),
];

/// The words for pieces, with the letter of White's.
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

/// Pieces in words, or on squares in words, around the error.
pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let found = text.starts().filter_map(|start| {
        let mut rest = &text.pieces[start..];
        let (letters, is_word) = pieces(&mut rest)?;
        let squares = squares(&mut rest, is_word);
        if !is_word && squares.is_none() {
            return None;
        }
        let length = text.pieces.len() - start - rest.len();
        let span = text.pieces[start].span.to(text.pieces[start + length - 1].span);
        let says = if is_word { SAYS } else { ON };
        let designator = format!("{letters}{}", squares.unwrap_or_default());
        text.concerns(span).then(|| Candidate::new(span, designator, says))
    });
    found
        .max_by_key(|candidate| candidate.span.end - candidate.span.start)
        .into_iter()
        .collect()
}

/// `white knights`, `'knight'`, `R`: the letters, and whether they were words.
fn pieces(rest: &mut &[Piece<'_>]) -> Option<(String, bool)> {
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

/// `on f5`, `on a1-8`, `on rank 7`, `on the 7th rank`, `on the c-file`.
fn squares(rest: &mut &[Piece<'_>], may_touch: bool) -> Option<String> {
    let mut ahead = *rest;
    let is_on = take(&mut ahead, &["on", "at", "in"]).is_some();
    take(&mut ahead, &["the"]);
    let texts: Vec<&str> = ahead.iter().take(4).map(|piece| piece.text).collect();
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
