//! Recognises games that are canonical already.
//!
//! Nearly all games of nearly all files are written in a small part of PGN that every tokeniser reads alike. This module decides quickly whether a
//! game is. Everything else is left to `pgn::repair`, which is slower but complete. So the only question here is: is it certain that the text
//! means what it seems to mean?
//!
//! Tags are checked by a finite automaton, words of the movetext by two that run side by side: one for coordinates, one for what surrounds them.
//! A word is good if both accept it. Each automaton has few enough states for a row of its transition table to fit into one `u64`. So a step is
//! a table lookup, which does not depend on the state, and a shift ("shift-based DFA", described by Per Vognsen).

use std::sync::LazyLock;

use memchr::{memchr, memmem, memrchr2};
use shakmaty::Outcome;

use super::stripped::{is_gap, push_words};
use crate::board::processor::for_this_processor;
use crate::pgn::lexer::{NeedMore, Text, is_control, is_space, is_tag_name, leading_number, terminator};

/// The longest game that is recognised. The limit keeps a missing empty line from making us read half a file ahead.
const LIMIT: usize = 1 << 20;

/// The tag that begins the headers of nearly all files, on a line below the first.
const SECOND_EVENT: &[u8] = b"\n[Event ";

/// Built once, because it is used for each game.
static SECOND_EVENT_FINDER: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(SECOND_EVENT));

/// Returns the length of the canonical game at the start of the text, including the terminator, or `None` if the game must be rewritten. Appends
/// its movetext without comments and move numbers to `stripped`.
pub(crate) fn recognise(text: Text<'_>, stripped: &mut Vec<u8>) -> Result<Option<usize>, NeedMore> {
    let Some(tags) = tag_section(text)? else {
        return Ok(None);
    };
    if may_start_over(text.slice(0..tags.tags)) {
        return Ok(None);
    }
    let Some(end) = movetext_end(text, tags.end)? else {
        return Ok(None);
    };
    let movetext = text.slice(tags.end..end).trim_ascii_end();
    let Some(result) = terminator(movetext) else {
        return Ok(None);
    };
    let body = &movetext[..movetext.len() - result.as_str().len()];
    let separate = body
        .last()
        .is_none_or(|&byte| is_space(byte) || matches!(byte, b')' | b'}'));
    let is_plain = separate && push_stripped(body, result, stripped);
    Ok(is_plain.then_some(tags.end + movetext.len()))
}

/// Appends movetext without comments and numbers to `stripped` if it is plain. Returns whether it is.
fn push_stripped(body: &[u8], result: Outcome, stripped: &mut Vec<u8>) -> bool {
    let start = stripped.len();
    let is_plain = push_words(body, stripped).is_some() && stripped.get(start..).is_some_and(is_plain_movetext);
    if is_plain {
        stripped.extend_from_slice(result.as_str().as_bytes());
        stripped.extend_from_slice(b"\n\n");
    } else {
        stripped.truncate(start);
    }
    is_plain
}

/// Returns whether the first tag of a header occurs again in it. Then there may be two headers.
fn may_start_over(header: &[u8]) -> bool {
    if header.starts_with(SECOND_EVENT.trim_ascii_start()) {
        return SECOND_EVENT_FINDER.find(header).is_some();
    }
    let name = memchr(b' ', header).and_then(|end| header.get(..=end));
    name.is_some_and(|name| memmem::find(header, &[b"\n", name].concat()).is_some())
}

struct TagSection {
    /// The length of the tags.
    tags: usize,
    /// The start of the movetext.
    end: usize,
}

/// Finds the tag pairs, one per line, and the empty lines after them.
fn tag_section(text: Text<'_>) -> Result<Option<TagSection>, NeedMore> {
    let length = tags_length(text.bytes);
    let mut end = length.unwrap_or(text.bytes.len());
    if length.is_none() && !text.complete && end <= LIMIT {
        return Err(NeedMore);
    }
    loop {
        match text.byte(end)? {
            Some(b'\n') => end += 1,
            Some(b'\r') if text.byte(end + 1)? == Some(b'\n') => end += 2,
            // More tags after an empty line, or a line that is not plain.
            Some(b'[') => return Ok(None),
            _ => return Ok(length.filter(|&length| length > 0).map(|tags| TagSection { tags, end })),
        }
    }
}

/// Returns the length of the lines that are plain tags, or `None` if the text ends before another line begins. A value is plain if no byte in it
/// has a second meaning: quotes and backslashes would be read as ends and escapes, control bytes as their replacements or left out, and a lone
/// carriage return is the line break of old files.
fn tags_length(text: &[u8]) -> Option<usize> {
    // Newer processors have an instruction that shifts by any register.
    for_this_processor!(tags_length_by_steps(text))
}

#[inline(always)]
fn tags_length_by_steps(text: &[u8]) -> Option<usize> {
    let step = |state: u64, byte: u8| TAGS[usize::from(byte)].wrapping_shr(state as u32);
    let mut state = tags::LINE * WIDTH;
    let at = run(text, &mut state, step, |state| state & MASK != DEAD);
    // If the automaton stops within a line, the tag is not plain. The caller then finds its `[` at place 0.
    let is_line = state & MASK == tags::LINE * WIDTH;
    (at < text.len()).then_some(if is_line { at } else { 0 })
}

/// Runs an automaton until the text is no longer good. Returns the number of bytes read.
#[inline(always)]
fn run<S: Copy>(text: &[u8], state: &mut S, step: impl Fn(S, u8) -> S, is_alive: impl Fn(S) -> bool) -> usize {
    let (blocks, _) = text.as_chunks::<BLOCK>();
    let mut read = 0;
    for block in blocks {
        let after = block.iter().fold(*state, |state, &byte| step(state, byte));
        if !is_alive(after) {
            break;
        }
        *state = after;
        read += BLOCK;
    }
    for &byte in text.get(read..).unwrap_or_default() {
        let after = step(*state, byte);
        if !is_alive(after) {
            break;
        }
        *state = after;
        read += 1;
    }
    read
}

/// Returns where a tokeniser sees the end of the movetext: before an empty line or a line that begins with a bracket, or at the end of the source.
/// Inside a comment only lines with tags count.
fn movetext_end(text: Text<'_>, start: usize) -> Result<Option<usize>, NeedMore> {
    let mut at = start;
    let mut comment_end = start;
    while let Some(length) = memchr(b'\n', text.from(at)) {
        let line_break = at + length;
        if line_break > LIMIT {
            return Ok(None);
        }
        let is_end = match text.byte(line_break + 1)? {
            None | Some(b'\n' | b'[') => true,
            Some(b'\r') => text.byte(line_break + 2)? == Some(b'\n'),
            _ => false,
        };
        if is_end {
            if line_break >= comment_end && is_in_comment(text.slice(start..line_break)) {
                comment_end = memchr(b'}', text.from(line_break)).map_or(usize::MAX, |length| line_break + length);
            }
            if line_break >= comment_end || text.tag(line_break + 1)?.is_some() {
                return Ok(Some(line_break));
            }
        }
        at = line_break + 1;
    }
    if text.bytes.len() > LIMIT {
        Ok(None)
    } else if text.complete {
        Ok(Some(text.bytes.len()))
    } else {
        Err(NeedMore)
    }
}

/// Returns whether a comment is open at the end of a text. Nested braces may give a wrong answer, but comments that have them are not plain.
fn is_in_comment(text: &[u8]) -> bool {
    memrchr2(b'{', b'}', text).is_some_and(|brace| text.get(brace) == Some(&b'{'))
}

/// Returns whether movetext without its terminator and without comments is plain.
pub(crate) fn is_plain_movetext(body: &[u8]) -> bool {
    // These automata also shift by registers.
    for_this_processor!(is_plain_by_steps(body))
}

#[inline(always)]
fn is_plain_by_steps(body: &[u8]) -> bool {
    let mut words = WordStates::START;
    let mut lines = Lines::default();
    let mut rest = body;
    loop {
        let length = run(rest, &mut words, WordStates::step, WordStates::is_alive);
        let (good, behind) = rest.split_at(length);
        lines.read(good);
        let Some((&stop, behind)) = behind.split_first() else {
            return words.may_end() && lines.depth == 0;
        };
        if !words.may_end() {
            return false;
        }
        words = WordStates::START;
        let skipped = match stop {
            b'$' => nag_length(behind),
            b'(' => lines.open().then_some(0),
            b')' => lines.close().then_some(0),
            _ => None,
        };
        match skipped.and_then(|length| behind.get(length..)) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
}

/// Returns the length of the number of an annotation symbol if it is from 1 to 255 and ends like a word.
fn nag_length(text: &[u8]) -> Option<usize> {
    let (value, digits) = leading_number(text);
    let ends = text
        .get(digits)
        .is_none_or(|&byte| is_space(byte) || matches!(byte, b'(' | b')' | b'{'));
    (digits < 4 && (1..=255).contains(&value) && ends).then_some(digits)
}

/// The open lines of moves, and which of them have a move already. Bit `depth` belongs to the innermost one.
#[derive(Default)]
struct Lines {
    depth: u32,
    moved: u64,
}

impl Lines {
    /// Records whether these words contain a move. All letters of good words belong to moves.
    fn read(&mut self, words: &[u8]) {
        if words.iter().any(u8::is_ascii_alphabetic) {
            self.moved |= 1 << self.depth;
        }
    }

    fn has_moved(&self) -> bool {
        self.moved >> self.depth & 1 == 1
    }

    /// Begins a variation if there is a move that it replaces. Very deep ones are left to `pgn::repair`.
    fn open(&mut self) -> bool {
        let good = self.has_moved() && self.depth < 63;
        if good {
            self.depth += 1;
            self.moved &= !(1 << self.depth);
        }
        good
    }

    /// Ends a variation if there is one and it has a move.
    fn close(&mut self) -> bool {
        let good = self.has_moved() && self.depth > 0;
        if good {
            self.depth -= 1;
        }
        good
    }
}

/// The states of the two automata for words, as shift widths.
#[derive(Clone, Copy)]
struct WordStates {
    coordinates: u64,
    surroundings: u64,
}

/// The number of bytes after which automata check whether they have stopped.
const BLOCK: usize = 8;

/// Bits per state.
const WIDTH: u64 = 6;
const MASK: u64 = (1 << WIDTH) - 1;

static COORDINATES: [u64; 256] = rows(Automaton::Coordinates);
static SURROUNDINGS: [u64; 256] = rows(Automaton::Surroundings);
static TAGS: [u64; 256] = rows(Automaton::Tags);

#[derive(Clone, Copy)]
enum Automaton {
    Coordinates,
    Surroundings,
    Tags,
}

impl WordStates {
    /// Between words.
    const START: WordStates = WordStates {
        coordinates: coordinates::START * WIDTH,
        surroundings: surroundings::START * WIDTH,
    };

    #[inline(always)]
    fn step(self, byte: u8) -> WordStates {
        let row = usize::from(byte);
        WordStates {
            coordinates: COORDINATES[row].wrapping_shr(self.coordinates as u32),
            surroundings: SURROUNDINGS[row].wrapping_shr(self.surroundings as u32),
        }
    }

    #[inline(always)]
    fn is_alive(self) -> bool {
        self.coordinates & MASK != 0 && self.surroundings & MASK != 0
    }

    /// Returns whether a word may end here, or none has begun.
    fn may_end(self) -> bool {
        self.step(b' ').is_alive()
    }
}

/// Returns the transition table of an automaton: for each byte the next states, [`WIDTH`] bits each, at the offset of the current state.
const fn rows(automaton: Automaton) -> [u64; 256] {
    let mut rows = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut state = 1;
        while state < 10 {
            let next = match automaton {
                Automaton::Coordinates => coordinates::next(state, byte as u8),
                Automaton::Surroundings => surroundings::next(state, byte as u8),
                Automaton::Tags => tags::next(state, byte as u8),
            };
            rows[byte] |= (next * WIDTH) << (state * WIDTH);
            state += 1;
        }
        byte += 1;
    }
    rows
}

/// State 0 of all automata: the text is not plain.
const DEAD: u64 = 0;

/// The squares and pieces that a move names, and the parts of castling. To save states, castling shares those of piece moves: the other automaton
/// makes sure that no word mixes them.
mod coordinates {
    use super::{DEAD, is_gap};

    pub(crate) const START: u64 = 1;
    /// `N`, or `O`.
    const PIECE: u64 = 2;
    /// `Nb`, or `O-`.
    const PIECE_FILE: u64 = 3;
    /// `Nx`, `ex`, or `O-O-`.
    const WANTS_FILE: u64 = 4;
    /// `Nbd`, `exd`.
    const WANTS_RANK: u64 = 5;
    /// `Nf3`, `exd5`, or `O-O`: a move that may be complete.
    const SQUARE: u64 = 6;
    /// `e`.
    const PAWN_FILE: u64 = 7;
    /// What this automaton does not check: numbers, annotation symbols, what follows the square, `O-O-O`.
    const REST: u64 = 8;
    /// `N1`.
    const PIECE_RANK: u64 = 9;

    pub(crate) const fn next(state: u64, byte: u8) -> u64 {
        match (state, byte) {
            (START, b'.') | (REST, b'.') => START,
            (START | SQUARE | REST, byte) if is_gap(byte) => START,
            (START, b'K' | b'Q' | b'R' | b'B' | b'N' | b'O') => PIECE,
            (START, b'a'..=b'h') => PAWN_FILE,
            (START, b'0'..=b'9' | b'!' | b'?') => REST,
            (PIECE, b'a'..=b'h' | b'-') => PIECE_FILE,
            (PIECE, b'1'..=b'8') => PIECE_RANK,
            (PIECE | PIECE_RANK, b'x') => WANTS_FILE,
            (PIECE_RANK, b'a'..=b'h') => WANTS_RANK,
            (PIECE_FILE, b'1'..=b'8' | b'O') => SQUARE,
            (PIECE_FILE, b'a'..=b'h') => WANTS_RANK,
            (PIECE_FILE, b'x') => WANTS_FILE,
            (WANTS_FILE, b'a'..=b'h') => WANTS_RANK,
            (WANTS_FILE, b'O') => REST,
            (WANTS_RANK, b'1'..=b'8') => SQUARE,
            (PAWN_FILE, b'1'..=b'8') => SQUARE,
            (PAWN_FILE, b'x') => WANTS_FILE,
            (SQUARE, b'-') => WANTS_FILE,
            (SQUARE, b'+' | b'#' | b'!' | b'?' | b'=') => REST,
            (REST, b'0'..=b'9' | b'+' | b'#' | b'!' | b'?' | b'Q' | b'R' | b'B' | b'N') => REST,
            _ => DEAD,
        }
    }
}

/// The kinds of words, and what may follow the squares of a move.
mod surroundings {
    use super::{DEAD, is_gap};

    pub(crate) const START: u64 = 1;
    /// The squares of a move.
    const MOVE: u64 = 2;
    /// `e8=`.
    const PROMOTION: u64 = 3;
    /// `e8=Q`.
    const PROMOTED: u64 = 4;
    /// `Nf3+`.
    const CHECK: u64 = 5;
    /// `Nf3!`, `!?`.
    const GLYPH: u64 = 6;
    /// `12`.
    const NUMBER: u64 = 7;
    /// `O`, `O-O` and so on.
    const CASTLING: u64 = 8;

    pub(crate) const fn next(state: u64, byte: u8) -> u64 {
        match (state, byte) {
            (START | NUMBER, b'.') => START,
            // A number without a dot may be anything.
            (START | MOVE | PROMOTED | CHECK | GLYPH | CASTLING, byte) if is_gap(byte) => START,
            (START, b'K' | b'Q' | b'R' | b'B' | b'N' | b'a'..=b'h') => MOVE,
            (START, b'O') | (CASTLING, b'O' | b'-') => CASTLING,
            // A word that begins with a zero may be castling or a null move.
            (START, b'1'..=b'9') | (NUMBER, b'0'..=b'9') => NUMBER,
            (MOVE, b'a'..=b'h' | b'1'..=b'8' | b'x') => MOVE,
            (MOVE, b'=') => PROMOTION,
            (PROMOTION, b'Q' | b'R' | b'B' | b'N') => PROMOTED,
            (MOVE | PROMOTED | CASTLING, b'+' | b'#') => CHECK,
            (START | MOVE | PROMOTED | CASTLING | CHECK | GLYPH, b'!' | b'?') => GLYPH,
            _ => DEAD,
        }
    }
}

/// Lines of the form `[Name "value"]`.
mod tags {
    use super::{DEAD, is_control, is_tag_name};

    /// At the start of a line.
    pub(crate) const LINE: u64 = 1;
    const BRACKET: u64 = 2;
    const NAME: u64 = 3;
    const SPACE: u64 = 4;
    const VALUE: u64 = 5;
    const QUOTE: u64 = 6;
    const CLOSED: u64 = 7;
    const RETURN: u64 = 8;

    pub(crate) const fn next(state: u64, byte: u8) -> u64 {
        match (state, byte) {
            (LINE, b'[') => BRACKET,
            (BRACKET, b'A'..=b'Z' | b'a'..=b'z') => NAME,
            // These may come between the name and the value.
            (NAME, b'=' | b':') => DEAD,
            (NAME, byte) if byte.is_ascii() && is_tag_name(byte) => NAME,
            (NAME, b' ') => SPACE,
            (SPACE, b'"') => VALUE,
            (VALUE, b'"') => QUOTE,
            (VALUE, b'\\' | b'\r' | b'\n') => DEAD,
            (VALUE, byte) if is_control(&byte) => DEAD,
            (VALUE, _) => VALUE,
            (QUOTE, b']') => CLOSED,
            (CLOSED, b'\r') => RETURN,
            (CLOSED | RETURN, b'\n') => LINE,
            _ => DEAD,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(movetext: &str) -> bool {
        let game = format!("[White \"\"]\n\n{movetext} *");
        let text = Text {
            bytes: game.as_bytes(),
            complete: true,
        };
        recognise(text, &mut Vec::new()).is_ok_and(|plain| plain.is_some())
    }

    #[test]
    fn words_of_plain_movetext() {
        for word in [
            "1.", "1...", "e4", "1.e4", "1...e5", "exd5", "e8=Q", "exd8=N+", "Nf3", "Nxf3", "Nbd2", "N1d2", "Nbxd2",
            "N1xd2", "Qh4#", "O-O", "O-O-O", "O-O+", "O-O-O#", "e4!", "Nf3+!?", "!!", "e4??", "$1", "e4$146", "{}",
            "e4{a}",
        ] {
            assert!(accepts(word), "{word}");
        }
    }

    #[test]
    fn lines_of_comments_may_be_empty_or_begin_with_a_bracket() {
        for movetext in ["e4 {\n[%clk 0:01]\n\nwhy} e5", "e4 {\r\n\r\n} e5 {a\n[b}", "{\n\n} e4"] {
            assert!(accepts(movetext), "{movetext}");
        }
        for movetext in [
            "e4 {\n[Event \"a\"]\n} e5",
            "e4 {\n\n",
            "e4 {\n\n[b",
            "e4 {a}\n\n{b} e5",
        ] {
            assert!(!accepts(movetext), "{movetext}");
        }
    }

    #[test]
    fn words_that_need_tidying() {
        for word in [
            "12",
            "N",
            "Nf",
            "Nf9",
            "Nx",
            "e",
            "ed",
            "ed5",
            "ex",
            "e9",
            "e4e5",
            "e2e4",
            "e2-e4",
            "Bf1:b5",
            "Pe4",
            "e8Q",
            "e8=",
            "e8=q",
            "e8=K",
            "e8=QQ",
            "e4++",
            "e4!+",
            "e4+-",
            "O",
            "O-",
            "OO",
            "O-O-",
            "O-O-O-O",
            "O-O=Q",
            "O-Oe4",
            "NO-O",
            "N-f3",
            "e4-",
            "Ox",
            "o-o",
            "0-0",
            "0",
            "0000",
            "--",
            "Z0",
            "null",
            "1-0",
            "*",
            "1e4",
            "e4.",
            "e4*",
            "=",
            "+-",
            "$",
            "$0",
            "$256",
            "$1a",
            "$1000",
            "{",
            "}",
            "{{}}",
            "{\u{1}e4}",
            "{\0}",
            "(",
            ")",
            "()",
            "(1.e4)",
            "e4(d4",
            "e4 (1.)",
            "e4 ({a})",
            ";",
            "%",
            "[",
            "é",
            "\0",
            "x",
            "xyz",
            "nf3",
            "e.p.",
        ] {
            assert!(!accepts(word), "{word}");
        }
    }

    #[test]
    fn without_numbers_as_much_is_plain_as_with_them() {
        let mut random = fastrand::Rng::with_seed(3);
        let pieces = [
            "e4", "Nf3", "x", "O-O", "0", "1", "12.", ".", "...", " ", " ", "\n", "!", "$1", "(", ")", "=Q", "e8",
        ];
        let mut plain = 0;
        for _ in 0..20_000 {
            let movetext: String = (0..8).map(|_| pieces[random.usize(..pieces.len())]).collect();
            let mut stripped = Vec::new();
            push_words(movetext.as_bytes(), &mut stripped).expect("no comments");
            let is_plain = is_plain_movetext(movetext.as_bytes());
            assert_eq!(is_plain, is_plain_movetext(&stripped), "{movetext:?}");
            let stripped = String::from_utf8_lossy(&stripped);
            assert!(movetext.contains("\n\n") || !stripped.contains("\n\n"), "{movetext:?}");
            plain += usize::from(is_plain);
        }
        assert!(plain > 100, "{plain}");
    }

    #[test]
    fn variations_replace_moves() {
        assert!(accepts("e4 (d4 d5 (d6)) (c4) e5"));
        assert!(!accepts("e4 (d4) )"));
        assert!(!accepts("e4 ((d4))"));
        let deep = "e4 (".repeat(70) + "e4" + &")".repeat(70);
        assert!(!accepts(&deep));
    }

    #[test]
    fn pgn_reader_agrees_on_every_short_word() {
        use pgn_reader::shakmaty::san::SanPlus;
        // Every word of up to five of these bytes: a good one without leading digits is a SAN that ends where the word ends.
        let alphabet = b"NOeb5x-=Q+9";
        let mut word = Vec::new();
        let mut good = 0;
        for length in 1..=5u32 {
            for mut number in 0..alphabet.len().pow(length) {
                word.clear();
                for _ in 0..length {
                    word.push(alphabet[number % alphabet.len()]);
                    number /= alphabet.len();
                }
                if is_plain_movetext(&word) && !word.iter().all(u8::is_ascii_digit) {
                    good += 1;
                    assert!(SanPlus::from_ascii(&word).is_ok(), "{}", String::from_utf8_lossy(&word));
                }
            }
        }
        assert!(good > 50, "{good}");
    }
}
