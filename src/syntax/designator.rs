//! Piece designators (section 1.2.8): `R`, `[Aa]b2`, `♖♕a-h1-2`, `[a1,c3]`.

use std::cmp::Reverse;
use std::fmt;
use std::sync::LazyLock;

use shakmaty::{Bitboard, File, Rank, Square};

use crate::board::Contents;

use super::{
    diagnostic::Diagnostic,
    source::Source,
    token::{Designator, Span},
    tree::{Node, Rule},
};

impl Designator {
    /// Creates a designator for certain pieces on certain squares. Its flags agree with the text that [`Display`](fmt::Display) writes.
    pub(crate) fn of(contents: Contents, squares: Bitboard) -> Designator {
        let has_contents = contents != Contents::ANY;
        let has_all = |color: Contents| has_contents && color.is_within(contents);
        Designator {
            contents,
            has_contents,
            squares,
            has_squares: squares != Bitboard::FULL,
            any_white: has_all(Contents::WHITE),
            any_black: has_all(Contents::BLACK),
        }
    }
}

/// Writes the shortest text in ASCII: `P`, `Ra1`, `[RQ]a-h1-2`, `[a1,c3]`, `.`.
impl fmt::Display for Designator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = piece_letters(self.contents);
        match (self.contents, letters.len()) {
            (Contents::ANY, _) if self.squares == Bitboard::FULL => return f.write_str("."),
            (Contents::ANY, _) => {}
            (_, 1) => f.write_str(&letters)?,
            _ => write!(f, "[{letters}]")?,
        }
        f.write_str(&square_list(self.squares))
    }
}

/// Returns the fewest letters for contents of a square, in the order `KQRBNP_kqrbnp`, with `A` and `a` for all pieces of a colour.
pub(crate) fn piece_letters(contents: Contents) -> String {
    let mut letters = String::new();
    for (any, color, kinds) in [
        ("A", Contents::WHITE, "KQRBNP"),
        ("_", Contents::EMPTY, ""),
        ("a", Contents::BLACK, "kqrbnp"),
    ] {
        if color.is_within(contents) {
            letters.push_str(any);
        } else {
            letters.extend(
                kinds
                    .chars()
                    .filter(|letter| contents.intersects(letter_contents(*letter))),
            );
        }
    }
    letters
}

/// Returns squares as a designator lists them, in few rectangles that cover them. Returns an empty text for all squares.
pub(crate) fn square_list(squares: Bitboard) -> String {
    if squares == Bitboard::FULL {
        return String::new();
    }
    let inside = RECTANGLES.iter().filter(|(_, all)| all.is_subset(squares));
    let mut rectangles = Vec::new();
    let mut left = squares;
    // Takes the rectangles that cover the most squares, and the smallest of these.
    let gain = |covered: Bitboard, left: Bitboard| ((covered & left).count(), Reverse(covered.count()));
    while let Some((rectangle, covered)) = inside.clone().max_by_key(|(_, covered)| gain(*covered, left))
        && left.any()
    {
        left &= !*covered;
        rectangles.push(rectangle);
    }
    rectangles.sort_by_key(|rectangle| (rectangle.files, rectangle.ranks));
    let rectangles: Vec<String> = rectangles.iter().map(ToString::to_string).collect();
    match &*rectangles {
        [alone] => alone.clone(),
        several => format!("[{}]", several.join(",")),
    }
}

/// Squares on adjacent files and adjacent ranks.
struct Rectangle {
    files: &'static [File],
    ranks: &'static [Rank],
}

/// All rectangles, with their squares.
static RECTANGLES: LazyLock<Vec<(Rectangle, Bitboard)>> = LazyLock::new(|| {
    let rectangle = |files: &'static [File], ranks: &'static [Rank]| {
        let of_file = |&file| ranks.iter().map(move |&rank| Square::from_coords(file, rank));
        let squares = files.iter().flat_map(of_file).collect();
        (Rectangle { files, ranks }, squares)
    };
    adjacent(&File::ALL)
        .flat_map(|files| adjacent(&Rank::ALL).map(move |ranks| rectangle(files, ranks)))
        .collect()
});

fn adjacent<T>(all: &'static [T; 8]) -> impl Iterator<Item = &'static [T]> {
    (0..8).flat_map(move |first| (first..8).map(move |last| &all[first..=last]))
}

impl fmt::Display for Rectangle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |f: &mut fmt::Formatter<'_>, first: char, last: char| match first == last {
            true => write!(f, "{first}"),
            false => write!(f, "{first}-{last}"),
        };
        end(f, self.files[0].char(), self.files[self.files.len() - 1].char())?;
        end(f, self.ranks[0].char(), self.ranks[self.ranks.len() - 1].char())
    }
}

/// Converts a leaf of the grammar to a piece designator.
pub(super) fn designator(source: &Source, leaf: Node<'_>) -> Result<Designator, Diagnostic> {
    let mut designator = Designator::of(Contents::ANY, Bitboard::FULL);
    for part in leaf.children() {
        if part.rule() == Rule::pieces {
            set_pieces(&mut designator, source.slice(part.span()), part.span())?;
        } else {
            designator.has_squares = true;
            designator.squares = squares(source, part)?;
        }
    }
    Ok(designator)
}

fn set_pieces(designator: &mut Designator, text: &str, span: Span) -> Result<(), Diagnostic> {
    let mut contents = 0;
    let mut seen = String::new();
    let figures = text.char_indices();
    for (index, figure) in figures.filter(|(_, figure)| !matches!(figure, '[' | ']')) {
        let letters = figurine_letters(figure);
        if letters.is_some_and(|letters| letters.chars().any(|letter| seen.contains(letter))) {
            let place = span.start as usize + index;
            return Err(repeated_figurine(figure, span, Span::new(place, place)));
        }
        match letters {
            Some(letters) => seen.push_str(letters),
            None => seen.push(figure),
        }
    }
    for letter in seen.chars() {
        contents |= letter_contents(letter).0;
    }
    designator.has_contents = true;
    designator.contents = Contents(contents);
    designator.any_white = seen.contains('A');
    designator.any_black = seen.contains('a');
    Ok(())
}

fn repeated_figurine(figure: char, span: Span, repeated: Span) -> Diagnostic {
    Diagnostic::new(span, format!("the figurine {figure} is repeated"))
        .label("figurines that touch are one designator")
        .hint("put a space between them if several filters are meant")
        .fix("Put a space between them", [(repeated, " ")])
}

/// The figurines, with the ASCII letters of the same meaning.
const FIGURINES: [(char, &str); 16] = [
    ('♔', "K"),
    ('♕', "Q"),
    ('♖', "R"),
    ('♗', "B"),
    ('♘', "N"),
    ('♙', "P"),
    ('♚', "k"),
    ('♛', "q"),
    ('♜', "r"),
    ('♝', "b"),
    ('♞', "n"),
    ('♟', "p"),
    ('△', "A"),
    ('▲', "a"),
    ('◭', "Aa"),
    ('□', "_"),
];

/// Returns the ASCII letters that a figurine stands for.
fn figurine_letters(figure: char) -> Option<&'static str> {
    FIGURINES
        .iter()
        .find(|(known, _)| *known == figure)
        .map(|(_, letters)| *letters)
}

/// Returns the ASCII letters for figurines, or `None` if a character is not one.
pub(super) fn ascii_letters(figures: &str) -> Option<String> {
    figures.chars().map(figurine_letters).collect()
}

/// Returns the figurines for letters, each only once because figurines must not repeat.
pub(super) fn figurines(letters: &str) -> String {
    let both = letters.contains('A') && letters.contains('a');
    let mut figures = String::new();
    for letter in letters.chars() {
        let mut wanted = [0; 4];
        let letter = if both && letter.eq_ignore_ascii_case(&'a') {
            "Aa"
        } else {
            letter.encode_utf8(&mut wanted)
        };
        let figure = FIGURINES
            .iter()
            .find(|(_, letters)| *letters == letter)
            .map(|(figure, _)| *figure);
        figures.extend(figure.filter(|figure| !figures.contains(*figure)));
    }
    figures
}

pub(super) fn is_figurine(figure: char) -> bool {
    figurine_letters(figure).is_some()
}

pub(super) fn is_piece_letter(letter: char) -> bool {
    letter_contents(letter) != Contents(0)
}

/// Returns whether a word is a designator if no bracket follows it: `R`, `a1`, `Ra1`.
pub(super) fn is_designator_word(word: &str) -> bool {
    let square = |text: &str| matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    let mut letters = word.chars();
    let piece = letters.next().is_some_and(is_piece_letter);
    square(word) || piece && (letters.as_str().is_empty() || square(letters.as_str()))
}

/// Returns the contents that a letter of a designator stands for, or none.
pub(crate) fn letter_contents(letter: char) -> Contents {
    match letter {
        'A' => Contents::WHITE,
        'a' => Contents::BLACK,
        _ => "KQRBNP_kqrbnp"
            .find(letter)
            .map_or(Contents(0), |bit| Contents(1 << bit)),
    }
}

fn squares(source: &Source, list: Node<'_>) -> Result<Bitboard, Diagnostic> {
    let mut squares = Bitboard::EMPTY;
    for rectangle in list.children() {
        squares |= rectangle_squares(source.slice(rectangle.span()), rectangle.span())?;
    }
    Ok(squares)
}

/// Returns the squares of `b2`, `a-c2`, `b2-4` or `a-c2-4`.
fn rectangle_squares(text: &str, place: Span) -> Result<Bitboard, Diagnostic> {
    let files: Vec<File> = text.chars().filter_map(File::from_char).collect();
    let ranks: Vec<Rank> = text.chars().filter_map(Rank::from_char).collect();
    if !files.is_sorted() {
        return Err(reversed_range(text, place, "files run from a to h"));
    }
    if !ranks.is_sorted() {
        return Err(reversed_range(text, place, "ranks run from 1 to 8"));
    }
    let within = |square: &Square| {
        files.first() <= Some(&square.file())
            && Some(&square.file()) <= files.last()
            && ranks.first() <= Some(&square.rank())
            && Some(&square.rank()) <= ranks.last()
    };
    Ok(Square::ALL.into_iter().filter(within).collect())
}

/// Returns the error for a range that runs from right to left or from top to bottom.
pub(super) fn reversed_range(text: &str, place: Span, order: &str) -> Diagnostic {
    Diagnostic::new(place, "the range runs backwards")
        .label(order)
        .hint("a range begins with its smaller end, as in `a-h1-8`; to subtract numbers put spaces around the minus")
        .change(place, turned_round(text))
}

/// Returns the text with the ends of each range in ascending order.
fn turned_round(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for at in 2..characters.len() {
        if characters[at - 1] == '-' && characters[at] < characters[at - 2] {
            characters.swap(at - 2, at);
        }
    }
    characters.into_iter().collect()
}

/// Returns whether a name looks like a square that does not exist, maybe after a piece: `E4`, `a9`, `i1`, `Na12`.
pub(super) fn looks_like_square(name: &str) -> bool {
    let square = |text: &str| {
        let mut chars = text.chars();
        let file = chars
            .next()
            .is_some_and(|letter| matches!(letter, 'a'..='i' | 'A'..='I'));
        let rank = chars.as_str();
        file && matches!(rank.len(), 1 | 2) && rank.bytes().all(|byte| byte.is_ascii_digit())
    };
    square(name) || name.strip_prefix(is_piece_letter).is_some_and(square)
}
