//! Lines of a list of positions: a FEN and what follows it.
//!
//! ```text
//! r1b2rk1/pp3ppp/2n1p3/8/8/2P5/P4PPP/R1B1K2R w KQ - bm Rb1; id "ENDING.07";
//! 4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66
//! 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1, stalemate
//! ```
//!
//! The FEN is followed by EPD operations, each of which is a tag, or by any text, which becomes the tag `c0`, EPD's name of the first comment.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use smallvec::SmallVec;

use super::PositionRow;

/// The fields of a FEN without its counters, as in EPD.
const EPD_FIELDS: usize = 4;
/// The fields of a whole FEN.
const FEN_FIELDS: usize = 6;

/// The EPD operations that all programs know.
const OPERATIONS: [&str; 27] = [
    "acd",
    "acn",
    "acs",
    "am",
    "bm",
    "ce",
    "dm",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "id",
    "nic",
    "noop",
    "pm",
    "pv",
    "rc",
    "resign",
    "sm",
    "sv",
    "tcgs",
    "tcri",
    "tcsi",
    "variation",
];

/// Returns whether a line begins with a position.
pub(super) fn is_position(line: &[u8]) -> bool {
    let (fen, _) = split(line);
    crate::chess::Start::from_fen(fen).is_ok()
}

/// Reads a line that is not empty. Keeps the operations for whose opcodes `keeps_tag` returns true, and those that a row needs.
pub(super) fn read(line: &[u8], keeps_tag: &dyn Fn(&[u8]) -> bool, row: &mut PositionRow) {
    let (fen, rest) = split(line);
    if rest.trim_ascii().is_empty() {
        return row.set_position(fen);
    }
    let Some(operations) = operations(rest) else {
        row.set_position(fen);
        let comment = rest.trim_ascii_start().strip_prefix(b";").or(rest.strip_prefix(b","));
        let comment = comment.unwrap_or(rest).trim_ascii();
        if !comment.is_empty() {
            row.add_tag("c0", comment);
        }
        return;
    };
    let counter = |name: &[u8]| {
        let mut all = operations.iter().filter(|(opcode, _)| *opcode == name);
        all.next().map(|(_, operands)| &**operands)
    };
    let fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    match (counter(b"hmvc"), counter(b"fmvn"), fields.count()) {
        (None, None, _) | (.., 5..) => row.set_position(fen),
        (clock, number, _) => {
            let fen = [fen, clock.unwrap_or(b"0"), number.unwrap_or(b"1")].join(&b' ');
            row.set_position(&fen);
        }
    }
    for (index, (opcode, operands)) in operations.iter().enumerate() {
        let before = operations.get(..index).unwrap_or_default();
        if before.iter().any(|(other, _)| other == opcode) {
            // The text is needed to warn that only one of them counts.
            row.need_text();
        }
        if keeps_tag(opcode) || PositionRow::reads(opcode) {
            row.add_tag(str::from_utf8(opcode).unwrap_or_default(), operands);
        }
    }
}

/// Splits a line into its FEN and the rest. The counters, which EPD does not have, are numbers.
fn split(line: &[u8]) -> (&[u8], &[u8]) {
    // The board is most of the line and is found by its end only.
    let board = memchr2(b' ', b'\t', line).unwrap_or(0);
    let begins_with_board = line.first().is_some_and(|byte| !is_separator(*byte));
    let (mut end, known) = if begins_with_board {
        (board, usize::from(board > 0))
    } else {
        (0, 0)
    };
    for field in known..FEN_FIELDS {
        let rest = line.get(end..).unwrap_or_default();
        let start = end + rest.len() - rest.trim_ascii_start().len();
        let word = line.get(start..).unwrap_or_default();
        let length = word.iter().take_while(|byte| !is_separator(**byte)).count();
        let word = word.get(..length).unwrap_or_default();
        if word.is_empty() || (field >= EPD_FIELDS && !word.iter().all(u8::is_ascii_digit)) {
            break;
        }
        end = start + length;
    }
    line.split_at_checked(end).unwrap_or((line, &[]))
}

fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b';' | b',' | b'"')
}

/// An operation: its opcode and its operands, without the quotes around strings.
type Operation<'l> = (&'l [u8], Cow<'l, [u8]>);

/// Operations of a line. Few lines have more than eight.
type Operations<'l> = SmallVec<[Operation<'l>; 8]>;

/// Returns the operations of a text, or `None` for other text. Operations begin with a well-known one, or each ends with a semicolon.
fn operations(text: &[u8]) -> Option<Operations<'_>> {
    let text = text.trim_ascii();
    let has_escapes = memchr(b'\\', text).is_some() && has_escapes(text);
    let (begins_with_sign, has_end) = (text.starts_with(b";"), text.ends_with(b";"));
    let mut operations = Operations::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut quotes = Quotes::new(has_escapes);
        let is_end = |byte: &u8| !quotes.pass(*byte) && *byte == b';';
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        let (operation, behind) = rest.split_at(end);
        rest = behind.get(1..).unwrap_or_default().trim_ascii_start();
        let operation = operation.trim_ascii();
        if operation.is_empty() {
            continue;
        }
        let length = operation.iter().position(u8::is_ascii_whitespace);
        let (opcode, operands) = operation.split_at(length.unwrap_or(operation.len()));
        if !is_opcode(opcode) {
            return None;
        }
        operations.push((opcode, without_quotes(operands.trim_ascii(), has_escapes)));
    }
    let (first, _) = operations.first()?;
    (is_known(first) || (has_end && !begins_with_sign)).then_some(operations)
}

/// Returns whether a word can be an opcode.
fn is_opcode(word: &[u8]) -> bool {
    word.first().is_some_and(u8::is_ascii_alphabetic)
        && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Returns whether a word is an opcode that all programs know, or `D1` to `D9` of move generator tests.
pub(crate) fn is_known(word: &[u8]) -> bool {
    matches!(word, [b'c' | b'v' | b'D', b'0'..=b'9']) || OPERATIONS.iter().any(|known| known.as_bytes() == word)
}

/// Returns operands without the quotes around strings and without the backslashes that escape characters in them.
fn without_quotes(operands: &[u8], has_escapes: bool) -> Cow<'_, [u8]> {
    if memchr(b'"', operands).is_none() {
        return operands.into();
    }
    let mut quotes = Quotes::new(has_escapes);
    let mut text = Vec::with_capacity(operands.len());
    for (index, byte) in operands.iter().enumerate() {
        let was_escaped = quotes.is_escaped;
        quotes.pass(*byte);
        let next = operands.get(index + 1);
        let is_escape = quotes.is_escaped && matches!(next, Some(b'"' | b'\\'));
        if is_escape || (*byte == b'"' && !was_escaped) {
            continue;
        }
        text.push(*byte);
    }
    text.into()
}

/// Returns whether backslashes in strings escape characters, as in PGN. If that would leave a string open, they are ordinary characters.
fn has_escapes(operations: &[u8]) -> bool {
    let mut quotes = Quotes::new(true);
    !operations.iter().fold(false, |_, byte| quotes.pass(*byte))
}

/// Tracks where quoted strings begin and end.
struct Quotes {
    has_escapes: bool,
    is_open: bool,
    /// Whether the next character is escaped.
    is_escaped: bool,
}

impl Quotes {
    fn new(has_escapes: bool) -> Quotes {
        Quotes {
            has_escapes,
            is_open: false,
            is_escaped: false,
        }
    }

    /// Passes a byte. Returns whether a string is open after it.
    fn pass(&mut self, byte: u8) -> bool {
        let was_escaped = std::mem::take(&mut self.is_escaped);
        match byte {
            b'\\' if self.has_escapes && self.is_open && !was_escaped => self.is_escaped = true,
            b'"' if !was_escaped => self.is_open = !self.is_open,
            _ => {}
        }
        self.is_open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(line: &str) -> String {
        let mut row = PositionRow::default();
        read(line.as_bytes(), &|_| true, &mut row);
        let mut out = Vec::new();
        row.write(&mut out);
        String::from_utf8(out).unwrap().trim_end().to_owned()
    }

    #[test]
    fn operations_are_tags() {
        assert_eq!(
            game(r#"4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; id "a; b"; c0 "x""#),
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"]\n[bm \"O-O Rh8+\"]\n[id \"a; b\"]\n[c0 \"x\"]\n\n*"
        );
        assert_eq!(
            game("4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66"),
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[D1 \"15\"]\n[D2 \"66\"]\n\n*"
        );
        assert_eq!(
            game("4k3/8/8/8/8/8/8/4K2R w K - my_score 3;"),
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"]\n[my_score \"3\"]\n\n*"
        );
        for (line, id) in [
            (
                r#"4k3/8/8/8/8/8/8/4K2R w K - id "a \"b\"; \\c \d"; dm 1;"#,
                r#"a \"b\"; \\c \\d"#,
            ),
            (r#"4k3/8/8/8/8/8/8/4K2R w K - id "C:\"; dm 1;"#, r"C:\\"),
        ] {
            let expected =
                format!("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"]\n[id \"{id}\"]\n[dm \"1\"]\n\n*");
            assert_eq!(game(line), expected);
        }
    }

    #[test]
    fn counters_of_epd_are_those_of_the_fen() {
        assert_eq!(
            game("4k3/8/8/8/8/8/8/4K2R w K - fmvn 30; hmvc 5;"),
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 5 30\"]\n[fmvn \"30\"]\n[hmvc \"5\"]\n\n*"
        );
    }

    #[test]
    fn any_other_text_behind_a_fen_is_a_comment() {
        for separator in [" ", ", ", "; ", ";", " ; "] {
            assert_eq!(
                game(&format!("4k3/8/8/8/8/8/8/4K2R w K - 0 1{separator}a draw; or not")),
                "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[c0 \"a draw; or not\"]\n\n*",
                "{separator:?}"
            );
        }
        assert_eq!(
            game("4k3/8/8/8/8/8/8/4K2R w"),
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w\"]\n\n*"
        );
    }

    #[test]
    fn lines_begin_with_a_position_or_not() {
        assert!(is_position(b"4k3/8/8/8/8/8/8/4K2R w K - bm O-O;"));
        assert!(is_position(b"4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        assert!(!is_position(b"1. e4 e5"));
        assert!(!is_position(b"4k3/8/8/8/8/8/4K2R w K - 0 1"));
        assert!(!is_position(b""));
    }
}
