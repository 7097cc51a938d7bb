//! The spellings of moves, numbers, symbols and results in movetext, and what they mean.
//!
//! A word is cut from the left into moves, numbers, symbols and results, which are often written without spaces between them: `12.Nf3!`, `e51-0`.
//! Only certain things may follow a move. Otherwise the whole word is not a move. All bytes of the word are ASCII or have been made single bytes
//! by [`simplify`](super::unicode::simplify).

use shakmaty::Outcome;

use super::language::{Language, Letters};
use super::results::RESULTS;
use super::unicode::SYMBOL;
use crate::pgn::lexer::{evaluation_of, glyph, is_space, leading_number};

/// How letters are interpreted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Style {
    /// The language of the piece letters.
    pub(crate) language: Language,
    /// Letters whose meaning cannot be determined.
    pub(crate) refused: Letters,
    /// Whether pieces have small letters, so that `bxc3` may be a bishop's move.
    pub(crate) small_letters: bool,
    /// Whether moves are four digits, two for each square, as in correspondence chess.
    pub(crate) numeric: bool,
    /// Whether this only tests how well the language explains a game. Then letters that it does not have may mean any piece.
    pub(crate) is_trial: bool,
}

impl Style {
    /// Creates the style of a language.
    pub(crate) fn of(language: Language) -> Style {
        Style {
            language,
            ..Style::default()
        }
    }

    /// Returns the English letter of the piece that a letter stands for, if that is known.
    fn english(&self, letter: u8) -> Option<u8> {
        let meaning = self.language.english(letter);
        meaning.filter(|_| !self.refused.contains(letter))
    }

    /// Creates the style of a language that is tested on a game.
    pub(crate) fn trying(language: Language) -> Style {
        Style {
            is_trial: true,
            ..Style::of(language)
        }
    }
}

/// A part of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MovetextPart {
    Move(Spelled),
    /// The number of an annotation symbol.
    Nag(u8),
    /// The number of a move.
    Number(u32),
    /// This many dots, with or without a move number.
    Dots(usize),
    Result(Outcome),
    /// A remark on the preceding move, such as `e.p.` or `mate`.
    Remark,
    /// A clock time.
    Clock,
    /// Something else, up to the end of the word.
    Unknown,
}

/// A move in any spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spelled {
    san: [u8; 8],
    len: u8,
    /// The sign of check or mate, if there is one.
    pub(crate) mark: Option<u8>,
    /// Whether the move is written exactly as [`san`](Spelled::san), apart from signs of check.
    pub(crate) is_standard: bool,
    /// Its letters for pieces.
    pub(crate) letters: Letters,
    /// Whether the letter of the piece is small.
    pub(crate) is_small: bool,
    /// Whether the piece letters mean nothing in this style.
    pub(crate) is_refused: bool,
    /// Whether a pawn's move could be a bishop's with a small letter.
    pub(crate) may_be_bishop: bool,
}

impl Spelled {
    /// Returns the move in SAN or in long algebraic notation with English letters.
    pub(crate) fn san(&self) -> &[u8] {
        self.san.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// Returns the index of the letter of the piece that moves or that a pawn becomes.
    fn letter_place(&self) -> usize {
        let sign = self.san().iter().position(|byte| *byte == b'=');
        sign.map_or(0, |sign| sign + 1)
    }

    /// Returns the letter of the piece that moves or that a pawn becomes.
    pub(crate) fn piece(&self) -> Option<u8> {
        let letter = self.san().get(self.letter_place()).copied();
        letter.filter(|letter| !matches!(letter, b'a'..=b'h' | b'O' | b'-' | b'@'))
    }

    /// Returns the possible meanings of a move whose letter means nothing: those of all pieces, the likeliest first.
    pub(crate) fn guesses(&self) -> impl Iterator<Item = Vec<u8>> {
        b"NBRQK".iter().map(|piece| {
            let mut guess = self.san().to_vec();
            if let Some(letter) = guess.get_mut(self.letter_place()) {
                *letter = *piece;
            }
            guess
        })
    }

    fn new(san: &[u8], is_standard: bool) -> Spelled {
        let mut spelled = Spelled {
            san: [0; 8],
            len: 0,
            mark: None,
            is_standard,
            letters: Letters::default(),
            is_small: false,
            is_refused: false,
            may_be_bishop: false,
        };
        san.iter().for_each(|byte| spelled.push(*byte));
        spelled
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.san.get_mut(usize::from(self.len)) {
            *place = byte;
            self.len += 1;
        }
    }
}

/// Remarks that may follow a move, the longest first, with the sign of check that each means.
const REMARKS: [(&[u8], Option<u8>); 18] = [
    (b"dbl.ch.", Some(b'+')),
    (b"dis.ch.", Some(b'+')),
    (b"dbl.ch", Some(b'+')),
    (b"dis.ch", Some(b'+')),
    (b"dblch", Some(b'+')),
    (b"disch", Some(b'+')),
    (b"check", Some(b'+')),
    (b"ch.", Some(b'+')),
    (b"ch", Some(b'+')),
    (b"mate", Some(b'#')),
    (b"matt", Some(b'#')),
    (b"mat", Some(b'#')),
    (b"mt", Some(b'#')),
    (b"e.p.", None),
    (b"e.p", None),
    (b"ep", None),
    (b"+", Some(b'+')),
    (b"#", Some(b'#')),
];

/// Spellings of castling, the longest first.
const CASTLING: [(&[u8], &[u8]); 6] = [
    (b"O-O-O", b"O-O-O"),
    (b"O-O", b"O-O"),
    (b"o-o-o", b"O-O-O"),
    (b"o-o", b"O-O"),
    (b"0-0-0", b"O-O-O"),
    (b"0-0", b"O-O"),
];

/// Spellings of a null move.
const NULL_MOVES: [&[u8]; 9] = [
    b"--", b"<>", b"0000", b"@@@@", b"Z0", b"null", b"NULL", b"pass", b"PASS",
];

/// Reads the first part of a word that is not empty. Returns it with its length.
pub(crate) fn read_part(word: &[u8], style: &Style) -> (MovetextPart, usize) {
    let run = |accepts: fn(u8) -> bool| word.iter().position(|byte| !accepts(*byte)).unwrap_or(word.len());
    if let Some((result, length)) = result(word) {
        return (MovetextPart::Result(result), length);
    }
    if let Some(length) = null_move(word) {
        return (MovetextPart::Move(Spelled::new(b"--", word.starts_with(b"--"))), length);
    }
    match word {
        [b'.' | b',', ..] => {
            let length = run(|byte| matches!(byte, b'.' | b','));
            let dots = word.iter().take(length).filter(|byte| **byte == b'.').count();
            (MovetextPart::Dots(dots), length)
        }
        [b'!' | b'?', ..] => {
            let length = run(|byte| matches!(byte, b'!' | b'?')).min(2);
            let number = word.get(..length).and_then(glyph);
            (MovetextPart::Nag(number.unwrap_or(0)), length)
        }
        [SYMBOL, number, ..] => (MovetextPart::Nag(*number), 2),
        b"N" | b"TN" => (MovetextPart::Nag(146), word.len()),
        b"D" => (MovetextPart::Nag(201), 1),
        word if is_clock(word) => (MovetextPart::Clock, word.len()),
        [b'0'..=b'9', ..] => match castling(word) {
            Some(found) => found,
            None => number(word),
        },
        [byte, ..] if is_space(*byte) => (MovetextPart::Dots(0), 1),
        _ => evaluation(word)
            .map(|(number, length)| (MovetextPart::Nag(number), length))
            .or_else(|| castling(word))
            .or_else(|| remark(word))
            .or_else(|| drop(word))
            .or_else(|| board_move(word, style))
            .unwrap_or((MovetextPart::Unknown, word.len())),
    }
}

/// Returns whether the word is a time, with or without hours: `0:05`, `1:30:54`, `0:04:59.9`.
pub(crate) fn is_clock(word: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    let whole = match memchr::memrchr(b'.', word).map(|dot| word.split_at(dot)) {
        Some((whole, fraction)) if digits(fraction.get(1..).unwrap_or_default()) => whole,
        _ => word,
    };
    let mut parts = whole.split(|byte| *byte == b':');
    let first = parts.next().unwrap_or_default();
    matches!(first.len(), 1 | 2)
        && digits(first)
        && matches!(parts.clone().count(), 1 | 2)
        && parts.all(|part| matches!(part, [b'0'..=b'5', b'0'..=b'9']))
}

/// Returns whether only ends of sentences are left of a word.
fn is_over(rest: &[u8]) -> bool {
    rest.iter().all(|byte| matches!(byte, b'.' | b',') || is_space(*byte))
}

fn result(word: &[u8]) -> Option<(Outcome, usize)> {
    let (text, result) = RESULTS
        .into_iter()
        .find(|(text, _)| word.strip_prefix(*text).is_some_and(is_over))?;
    Some((result, text.len()))
}

fn null_move(word: &[u8]) -> Option<usize> {
    let text = NULL_MOVES.into_iter().find(|text| {
        word.strip_prefix(*text)
            .is_some_and(|rest| may_follow(rest) || rest.starts_with(b"+"))
    })?;
    Some(text.len())
}

/// Reads a number that is followed by a move, dots or nothing.
fn number(word: &[u8]) -> (MovetextPart, usize) {
    let (value, digits) = leading_number(word);
    let (number, rest) = word.split_at(digits);
    match rest {
        [] | [b'.' | b',', ..] => {}
        [byte, ..] if byte.is_ascii_alphabetic() || is_space(*byte) || (0x80..0xa0).contains(byte) => {}
        [b'!' | b'?' | b'+' | b'#' | SYMBOL, ..] if numeric_move(number).is_some() => {}
        _ => return (MovetextPart::Unknown, word.len()),
    }
    (MovetextPart::Number(value), digits)
}

/// Reads a move in the numeric notation of correspondence chess: `5254` goes from e2 to e4, and a fifth digit names what a pawn becomes.
pub(crate) fn numeric_move(digits: &[u8]) -> Option<Spelled> {
    let (squares, promotion) = digits.split_first_chunk::<4>()?;
    if !squares.iter().all(|digit| matches!(digit, b'1'..=b'8')) || squares[..2] == squares[2..] {
        return None;
    }
    let [from_file, from_rank, to_file, to_rank] = *squares;
    let file = |digit| b'a' + (digit - b'1');
    let mut spelled = Spelled::new(&[file(from_file), from_rank, file(to_file), to_rank], false);
    match promotion {
        [] => {}
        [piece @ b'1'..=b'4'] => {
            spelled.push(b'=');
            spelled.push(b"QRBN"[usize::from(piece - b'1')]);
        }
        _ => return None,
    }
    Some(spelled)
}

/// Reads an evaluation, unless what follows could be part of it.
fn evaluation(word: &[u8]) -> Option<(u8, usize)> {
    (1..=3).rev().find_map(|length| {
        let (text, rest) = word.split_at_checked(length)?;
        let number = match text {
            b"+--" => 18,
            text => evaluation_of(text)?,
        };
        let is_whole = is_over(rest) || matches!(rest, [b'!' | b'?' | SYMBOL, ..]) || result(rest).is_some();
        is_whole.then_some((number, length))
    })
}

/// Reads a separate remark.
fn remark(word: &[u8]) -> Option<(MovetextPart, usize)> {
    let mut rest = word;
    while let Some((text, _)) = REMARKS.into_iter().find(|(text, _)| rest.starts_with(text)) {
        rest = rest.get(text.len()..).unwrap_or_default();
        // `match` is not `mat`.
        if rest.first().is_some_and(u8::is_ascii_alphabetic) {
            return None;
        }
    }
    let length = word.len() - rest.len();
    (length > 0 && may_follow(rest)).then_some((MovetextPart::Remark, length))
}

fn castling(word: &[u8]) -> Option<(MovetextPart, usize)> {
    CASTLING.into_iter().find_map(|(text, san)| {
        let (mark, rest) = endings(word.strip_prefix(text)?)?;
        let mut spelled = Spelled::new(san, text == san);
        spelled.mark = mark;
        Some((MovetextPart::Move(spelled), word.len() - rest.len()))
    })
}

/// Reads the drop of a piece or a pawn: `N@f3`, `@e4`.
fn drop(word: &[u8]) -> Option<(MovetextPart, usize)> {
    let length = match word {
        [b'@', b'a'..=b'h', b'1'..=b'8', ..] => 3,
        [b'P' | b'N' | b'B' | b'R' | b'Q', b'@', b'a'..=b'h', b'1'..=b'8', ..] => 4,
        _ => return None,
    };
    let (san, behind) = word.split_at(length);
    let (mark, rest) = endings(behind)?;
    let mut spelled = Spelled::new(san, false);
    spelled.mark = mark;
    Some((MovetextPart::Move(spelled), word.len() - rest.len()))
}

/// Removes the remarks after a move. Returns `None` if the rest cannot follow a move.
fn endings(mut rest: &[u8]) -> Option<(Option<u8>, &[u8])> {
    let mut mark = None;
    loop {
        if evaluation(rest).is_some() {
            return Some((mark, rest));
        }
        let found = REMARKS
            .into_iter()
            .find_map(|(text, sign)| Some((sign, rest.strip_prefix(text)?)));
        let found = found.or(match rest {
            // A sign of mate. Elsewhere it means a capture, so it only counts at the end of a word.
            [b'X' | b'x', behind @ ..] if may_follow(behind) => Some((Some(b'#'), behind)),
            _ => None,
        });
        let Some((sign, behind)) = found else {
            return may_follow(rest).then_some((mark, rest));
        };
        // Mate is stronger than check, wherever it is said.
        if mark != Some(b'#') {
            mark = sign.or(mark);
        }
        rest = behind;
    }
}

/// Returns whether a move may end before the rest of a word.
fn may_follow(rest: &[u8]) -> bool {
    match rest {
        [] | [b'!' | b'?' | b'.' | b',' | SYMBOL, ..] => true,
        [byte, ..] if is_space(*byte) => true,
        _ => evaluation(rest).is_some() || result(rest).is_some(),
    }
}

/// The squares of a move, as a word gives them.
#[derive(Clone, Copy)]
struct Squares {
    from_file: Option<u8>,
    from_rank: Option<u8>,
    capture: bool,
    to_file: u8,
    /// `None` in `ed`.
    to_rank: Option<u8>,
    len: usize,
}

/// Which parts of the square of origin a move names: file and rank.
const FORMS: [(bool, bool); 4] = [(true, true), (true, false), (false, true), (false, false)];

impl Squares {
    fn read(word: &[u8], file: bool, rank: bool, to_rank: bool) -> Option<Squares> {
        let mut rest = word;
        let mut take = |accepts: fn(u8) -> bool| {
            let (byte, behind) = rest.split_first().filter(|(byte, _)| accepts(**byte))?;
            rest = behind;
            Some(*byte)
        };
        let is_file = |byte| matches!(byte, b'a'..=b'h');
        let is_rank = |byte| matches!(byte, b'1'..=b'8');
        let from_file = if file { Some(take(is_file)?) } else { None };
        let from_rank = if rank { Some(take(is_rank)?) } else { None };
        let mut capture = false;
        while let Some(sign) = take(|byte| matches!(byte, b'x' | b'X' | b':' | b'-')) {
            capture |= sign != b'-';
        }
        let to_file = take(is_file)?;
        let to_rank = if to_rank { Some(take(is_rank)?) } else { None };
        Some(Squares {
            from_file,
            from_rank,
            capture,
            to_file,
            to_rank,
            len: word.len() - rest.len(),
        })
    }

    /// Returns whether this can be a pawn's capture. A capture on the pawn's own file is a slip for a step, as in SAN.
    fn is_pawn_capture(&self) -> bool {
        let distance = self.from_file.map(|from| from.abs_diff(self.to_file));
        distance == Some(1) || distance == Some(0) && self.capture && self.to_rank.is_some()
    }
}

/// Reads a move of a piece or a pawn.
fn board_move(word: &[u8], style: &Style) -> Option<(MovetextPart, usize)> {
    let (&first, rest) = word.split_first()?;
    let capital = first.to_ascii_uppercase();
    match first {
        b'A'..=b'Z' | 0x80..=0x9f => piece_move(word, first, rest, style, false),
        // Files have small letters too, but only `b` is also the letter of an English piece.
        b'a'..=b'h' => pawn_move(word, style).or_else(|| {
            let bishop = || piece_move(word, capital, rest, style, true).filter(|(part, _)| !is_refused(part));
            (first == b'b').then(bishop).flatten()
        }),
        b'i'..=b'z' => piece_move(word, capital, rest, style, true),
        _ => None,
    }
}

fn is_refused(part: &MovetextPart) -> bool {
    matches!(part, MovetextPart::Move(spelled) if spelled.is_refused)
}

fn piece_move(word: &[u8], letter: u8, rest: &[u8], style: &Style, is_small: bool) -> Option<(MovetextPart, usize)> {
    if !Language::is_letter(letter) {
        return None;
    }
    FORMS.into_iter().find_map(|(file, rank)| {
        let squares = Squares::read(rest, file, rank, true)?;
        let behind = rest.get(squares.len..)?;
        let mut letters = Letters::default();
        letters.add(letter);
        let meaning = style.english(letter);
        if meaning == Some(b'P')
            && let Some((MovetextPart::Move(mut pawn), length)) = pawn_move(rest, style)
        {
            pawn.is_standard = false;
            pawn.letters.add(letter);
            return Some((MovetextPart::Move(pawn), length + 1));
        }
        // A pawn cannot go from the b-file to d2, but a Dutch knight can.
        let meaning = meaning.filter(|meaning| *meaning != b'P');
        let (mark, left) = endings(behind)?;
        let mut spelled = Spelled::new(&[meaning.unwrap_or(letter)], false);
        write_squares(&mut spelled, squares);
        spelled.mark = mark;
        spelled.is_refused = meaning.is_none();
        spelled.letters = letters;
        spelled.is_small = is_small;
        let written = word.get(..squares.len + 1)?;
        spelled.is_standard = !spelled.is_refused && written == spelled.san();
        Some((MovetextPart::Move(spelled), word.len() - left.len()))
    })
}

fn pawn_move(word: &[u8], style: &Style) -> Option<(MovetextPart, usize)> {
    let forms = [
        (true, true, true),
        (true, false, true),
        (false, false, true),
        (true, false, false),
    ];
    forms.into_iter().find_map(|(file, rank, to_rank)| {
        let squares = Squares::read(word, file, rank, to_rank)?;
        // A single file is only named for captures.
        if file && !rank && !squares.is_pawn_capture() {
            return None;
        }
        let behind = word.get(squares.len..)?;
        let mut spelled = Spelled::new(b"", false);
        write_squares(&mut spelled, squares);
        let promoted = promotion(behind, squares, style);
        let (mark, left) = match promoted {
            Some((letter, meaning, left)) => {
                spelled.push(b'=');
                spelled.push(meaning.unwrap_or(b'?'));
                spelled.is_refused = meaning.is_none();
                if letter.is_ascii_uppercase() || letter >= 0x80 {
                    spelled.letters.add(letter);
                }
                endings(left)?
            }
            None => endings(behind)?,
        };
        spelled.mark = mark;
        let is_short = squares.from_rank.is_none() && squares.to_rank.is_some();
        spelled.is_standard = is_short
            && squares.capture == squares.from_file.is_some()
            && !spelled.is_refused
            && word.starts_with(spelled.san());
        spelled.may_be_bishop =
            word.first() == Some(&b'b') && is_short && squares.from_file.is_some() && promoted.is_none();
        Some((MovetextPart::Move(spelled), word.len() - left.len()))
    })
}

/// Writes squares as SAN does, where SAN can express them.
fn write_squares(spelled: &mut Spelled, squares: Squares) {
    squares.from_file.iter().for_each(|file| spelled.push(*file));
    squares.from_rank.iter().for_each(|rank| spelled.push(*rank));
    let is_pawn_of_file = spelled.len == 1 && squares.from_file.is_some() && squares.from_rank.is_none();
    if squares.capture || is_pawn_of_file {
        spelled.push(b'x');
    }
    spelled.push(squares.to_file);
    squares.to_rank.iter().for_each(|rank| spelled.push(*rank));
}

/// Reads what a pawn becomes. Returns the letter as written, the English letter and the rest. Spellings are `=Q`, `Q`, `(Q)`, `/Q`, also with small
/// letters.
fn promotion<'a>(behind: &'a [u8], squares: Squares, style: &Style) -> Option<(u8, Option<u8>, &'a [u8])> {
    if !matches!(squares.to_rank, None | Some(b'1' | b'8')) {
        return None;
    }
    let signs = behind
        .iter()
        .take_while(|byte| matches!(byte, b'=' | b'/' | b'(' | b':'))
        .count();
    let (&letter, rest) = behind.get(signs..)?.split_first()?;
    let rest = rest.strip_prefix(b")").unwrap_or(rest);
    let meaning = match letter {
        b'q' | b'r' | b'b' | b'n' => Some(letter.to_ascii_uppercase()),
        b'A'..=b'Z' | 0x80..0xa0 => style.english(letter).filter(|meaning| *meaning != b'P'),
        _ => return None,
    };
    endings(rest)?;
    Some((letter, meaning, rest))
}
