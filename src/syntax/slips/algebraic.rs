//! Moves in algebraic notation: `Qxh7+`, `e8=Q`, `e2e4`, `1.e4 e5`, `O-O`.

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{CastlingSide, Role};

use super::super::designator::is_designator_word;
use super::candidate::Candidate;
use super::text::Text;
use super::words::english;
use crate::syntax::token::Span;

const SAYS: &str =
    "a move is written with its piece, `--` or `[x]`, and where it goes; what holds after it in parentheses";
const CASTLES: &str = "castling is written with small letters: `o-o`, `o-o-o`";
const MESSAGE: &str = "this is a move in algebraic notation";
const LINE: &str = "moves that follow each other are a `path`";
const SETUP: &str = "pieces on squares are filters of their own, with spaces between them: `Ke1 Rh1`";

/// Returns corrections for a move, or a series of moves, at the error.
pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let word = text.word();
    let found = [
        numbered(text),
        word.and_then(|(span, word)| one(span, word)),
        word.and_then(|(span, word)| setup(span, word)),
    ];
    found.into_iter().flatten().collect()
}

fn one(span: Span, word: &str) -> Option<Candidate> {
    if english(word).is_some_and(|word| is_designator_word(&word)) {
        return None;
    }
    let text = moved(word, Side::Either)
        .or_else(|| coordinates(word))
        .or_else(|| taken(word))?;
    let says = if text.contains("o-o") { CASTLES } else { SAYS };
    Some(Candidate::new(span, text, says).with_message(MESSAGE))
}

/// The side whose piece moves.
#[derive(Clone, Copy)]
enum Side {
    White,
    Black,
    Either,
}

/// Returns a move in algebraic notation as a filter.
fn moved(word: &str, side: Side) -> Option<String> {
    let word = word.trim_end_matches(['!', '?', ',', ';']).trim_end_matches("e.p.");
    let word = word.replace('0', "O").replace("++", "#");
    let san = SanPlus::from_ascii(word.as_bytes());
    let san = san.or_else(|error| SanPlus::from_ascii(english(&word).ok_or(error)?.as_bytes()));
    let san = san.ok()?;
    let target = match san.suffix {
        Some(Suffix::Check) => "(check)",
        Some(Suffix::Checkmate) => "(mate)",
        None => "",
    };
    let filter = match san.san {
        San::Castle(CastlingSide::KingSide) => return Some(castled("o-o", target)),
        San::Castle(CastlingSide::QueenSide) => return Some(castled("o-o-o", target)),
        San::Normal {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        } => {
            let piece = role.upper_char();
            // A pawn that promotes has a known colour.
            let side = match (promotion, to.rank()) {
                (Some(_), shakmaty::Rank::Eighth) => Side::White,
                (Some(_), _) => Side::Black,
                _ => side,
            };
            let piece = of_side(piece, side);
            let from = match (file, rank) {
                (Some(file), Some(rank)) => format!("{}{}", file.char(), rank.char()),
                (Some(file), None) => format!("{}1-8", file.char()),
                (None, Some(rank)) => format!("a-h{}", rank.char()),
                (None, None) => String::new(),
            };
            let dash = if capture { "[x]" } else { "--" };
            let promotion = promotion.map(|role: Role| match side {
                Side::Black => format!("={}", role.char()),
                _ => format!("={}", role.upper_char()),
            });
            format!("{piece}{from}{dash}{to}{}", promotion.unwrap_or_default())
        }
        _ => return None,
    };
    Some(format!("{filter}{target}"))
}

fn castled(castling: &str, target: &str) -> String {
    if target.is_empty() {
        castling.to_owned()
    } else {
        format!("{{{castling} --{target}}}")
    }
}

fn of_side(piece: char, side: Side) -> String {
    match side {
        Side::White => piece.to_string(),
        Side::Black => piece.to_ascii_lowercase().to_string(),
        Side::Either => format!("[{piece}{}]", piece.to_ascii_lowercase()),
    }
}

/// Reads `Rxq`, `Nxe5`: the piece that takes, and what it takes.
fn taken(word: &str) -> Option<String> {
    let (piece, target) = word.split_once('x')?;
    let is_set = |text: &str| is_designator_word(text);
    (is_set(piece) && is_set(target)).then(|| format!("{piece}[x]{target}"))
}

/// Reads `e2e4`, `e2-e4`, `Ng1-f3`, `e7e8q`. The corners of a rectangle, `a1-h8`, are not a move.
fn coordinates(word: &str) -> Option<String> {
    let (piece, word) = match word.chars().next()? {
        piece @ ('K' | 'Q' | 'R' | 'B' | 'N') => (Some(piece), &word[1..]),
        _ => (None, word),
    };
    let square = |text: Option<&str>| text.and_then(|text| text.parse::<shakmaty::Square>().ok());
    let from = square(word.get(..2))?;
    let rest = &word[2..];
    let dash = if rest.starts_with(['x', ':']) { "[x]" } else { "--" };
    let rest = rest.trim_start_matches(['-', 'x', ':', '–']);
    let to = square(rest.get(..2))?;
    let promotion = match rest[2..].trim_start_matches('=').as_bytes() {
        [] => String::new(),
        [role @ (b'q' | b'r' | b'b' | b'n' | b'Q' | b'R' | b'B' | b'N')] => {
            let side = match to.rank() {
                shakmaty::Rank::Eighth => Side::White,
                _ => Side::Black,
            };
            format!("={}", of_side(char::from(*role).to_ascii_uppercase(), side))
        }
        _ => return None,
    };
    let steps = (from.file().distance(to.file()), from.rank().distance(to.rank()));
    let may_move = match piece {
        None => steps.0 == 0,
        Some('N') => matches!(steps, (1, 2) | (2, 1)),
        Some('K') => steps.0 <= 1 && steps.1 <= 1,
        Some(_) => false,
    };
    if word[2..].starts_with('-') && !may_move {
        return None;
    }
    let piece = piece.map(|piece| of_side(piece, Side::Either)).unwrap_or_default();
    Some(format!("{piece}{from}{dash}{to}{promotion}"))
}

/// Corrects `Qe4Re5`: pieces on squares, written without spaces.
fn setup(span: Span, word: &str) -> Option<Candidate> {
    let filters = separated(word)?;
    (filters != word).then(|| Candidate::new(span, filters, SETUP))
}

/// Returns the designators that a word consists of, with spaces between them.
fn separated(word: &str) -> Option<String> {
    if is_designator_word(word) {
        return Some(word.to_owned());
    }
    let bytes = word.as_bytes();
    let ends = (1..word.len()).filter(|&at| bytes[at - 1].is_ascii_digit() && bytes[at].is_ascii_alphabetic());
    ends.filter(|&at| is_designator_word(&word[..at]))
        .find_map(|at| Some(format!("{} {}", &word[..at], separated(&word[at..])?)))
}

/// Returns whether the text is what ends the moves of a game.
fn is_result(text: &str) -> bool {
    matches!(text, "*" | "1-0" | "0-1" | "1/2-1/2")
}

/// Corrects `1. e4 e5 2. Nf3`.
fn numbered(text: &Text<'_>) -> Option<Candidate> {
    let source = text.source.text();
    // The first number is part of the error, or the moves go on to a result.
    let error = text.at_error();
    let at = match text.tokens.get(error) {
        Some(end) if is_result(end.text) => 0,
        _ => error.saturating_sub(3),
    };
    let first = text.tokens[at..]
        .iter()
        .take((error + 1 - at).max(4))
        .position(|token| token.rule == crate::syntax::tree::Rule::integer)?;
    let start = text.tokens[at + first].span.start as usize;
    let line = text.rest_of_line(start as u32);
    let line = &source[line.range()];
    let mut filters = Vec::new();
    let mut length = 0;
    let mut side = Side::White;
    let mut numbers = 0;
    for word in line.split_inclusive([' ', '\t']) {
        let unnumbered = word.trim().trim_start_matches(|letter: char| letter.is_ascii_digit());
        let dots = unnumbered.len() - unnumbered.trim_start_matches(['.', '…']).len();
        let is_numbered = unnumbered.len() < word.trim().len() && dots > 0;
        if is_numbered {
            numbers += 1;
            side = if dots > 1 { Side::Black } else { Side::White };
        }
        let san = if is_numbered {
            unnumbered.trim_start_matches(['.', '…'])
        } else {
            word.trim()
        };
        if is_result(san) {
            length += word.len();
            break;
        }
        if !san.is_empty() {
            let Some(filter) = moved(san, side) else { break };
            filters.push(filter);
            side = match side {
                Side::White => Side::Black,
                _ => Side::White,
            };
        }
        length += word.len();
    }
    let span = Span::new(start, start + line[..length].trim_end().len());
    let (filter, says) = match filters.as_slice() {
        [] => return None,
        [one] => (one.clone(), SAYS),
        several => (format!("path {}", several.join(" ")), LINE),
    };
    (numbers > 0 && text.concerns(span))
        .then(|| Candidate::new(span, filter, says).with_message("these are moves in algebraic notation"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_become_filters() {
        for (word, expected) in [
            ("Qxh7+", "[Qq][x]h7(check)"),
            ("Nf3", "[Nn]--f3"),
            ("Nbd7", "[Nn]b1-8--d7"),
            ("exd5", "[Pp]e1-8[x]d5"),
            ("e8=Q#", "P--e8=Q(mate)"),
            ("bxa1=N", "pb1-8[x]a1=n"),
            ("O-O", "o-o"),
            ("0-0-0+", "{o-o-o --(check)}"),
            ("Rxe8!?", "[Rr][x]e8"),
            ("Sxf7+", "[Nn][x]f7(check)"),
        ] {
            assert_eq!(moved(word, Side::Either).as_deref(), Some(expected), "{word}");
        }
        for (word, expected) in [
            ("e2e4", "e2--e4"),
            ("e7-e8=Q", "e7--e8=Q"),
            ("Ng1-f3", "[Nn]g1--f3"),
            ("e2xd3", "e2[x]d3"),
        ] {
            assert_eq!(coordinates(word).as_deref(), Some(expected), "{word}");
        }
        assert_eq!(separated("Qe4Re5").as_deref(), Some("Qe4 Re5"));
        assert_eq!(separated("Ke1Rh7ba8").as_deref(), Some("Ke1 Rh7 ba8"));
        assert_eq!(separated("Qe4x5"), None);
        assert_eq!(taken("Rxq").as_deref(), Some("R[x]q"));
        assert_eq!(coordinates("a1-h8"), None, "a rectangle");
        for word in ["check", "", "e", "Q", "♘f3", "R>2"] {
            assert_eq!(moved(word, Side::Either).or_else(|| coordinates(word)), None, "{word}");
        }
    }
}
