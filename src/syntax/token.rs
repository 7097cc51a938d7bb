//! The tokens of a query (chapter 1.2 of the language reference).

use shakmaty::{Bitboard, KnownOutcome};

use crate::board::Contents;

/// A range of bytes of the query text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span of the bytes from `start` up to and not including `end`. Texts are shorter than 10 MB; offsets beyond 4 GB are
    /// clamped.
    pub fn new(start: usize, end: usize) -> Span {
        let place = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Span {
            start: place(start),
            end: place(end),
        }
    }

    /// Returns the span as a range of indexes.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns whether another span is within this one.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the empty span before it.
    pub fn before(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }

    /// Returns the empty span after it.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    /// Returns the smallest span that contains both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A piece designator: squares with certain contents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Designator {
    /// What may be on the squares; [`Contents::ANY`] if no piece is written.
    pub contents: Contents,
    /// `false` if no piece is written (`e4`, `[a1,h8]`).
    pub has_contents: bool,
    /// The squares; all 64 if none is written.
    pub squares: Bitboard,
    /// `false` if no square is written (`R`, `[Aa]`).
    pub has_squares: bool,
    /// Whether `A` or `△` is written.
    pub any_white: bool,
    /// Whether `a` or `▲` is written.
    pub any_black: bool,
}

/// Signs, named by their ASCII spelling. The Unicode spelling is the same sign.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// `[element]` `∊`
    Element,
    /// `[forall]` `∀`
    ForAll,
    /// `-->`
    LineForward,
    /// `<--`
    LineBackward,
    /// `{*}`
    BraceStar,
    /// `{+}`
    BracePlus,
    /// `->` `→`
    Right,
    /// `<-` `←`
    Left,
    /// `~~`
    Match,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    PlusAssign,
    MinusAssign,
    TimesAssign,
    DivideAssign,
    RemainderAssign,
    UnionAssign,
    IntersectAssign,
    /// `[<]` `≺`
    Ancestor,
    /// `[<=]` `≼`
    AncestorOrSame,
    /// `[>]` `≻`
    Descendant,
    /// `[>=]` `≽`
    DescendantOrSame,
    /// `=?`
    AssignIfAny,
    /// `[]`
    EmptySet,
    Plus,
    Minus,
    Star,
    Slash,
    Assign,
    Greater,
    Less,
    /// `.` `▦`
    Dot,
    OpenParen,
    CloseParen,
    OpenBrace,
    CloseBrace,
    /// `|` `∪`
    Union,
    Question,
    Colon,
    Hash,
    Tilde,
    /// `&` `∩`
    Intersect,
    Percent,
    Comma,
    /// Never produced: a backslash on its own is refused with advice.
    OpenBracket,
    CloseBracket,
    /// `+` at the top level of a path, where it repeats a constituent
    RepeatPlus,
    /// `*` at the top level of a path, where it repeats a constituent
    RepeatStar,
}

impl Sign {
    /// Returns whether it opens a pair of brackets.
    pub fn is_opening(self) -> bool {
        matches!(self, Sign::OpenParen | Sign::OpenBrace | Sign::OpenBracket)
    }

    /// Returns whether it closes a pair of brackets.
    pub fn is_closing(self) -> bool {
        matches!(self, Sign::CloseParen | Sign::CloseBrace | Sign::CloseBracket)
    }

    /// Returns whether it assigns to the variable before it: `=`, `=?`, `+=` and the like.
    pub fn is_assignment(self) -> bool {
        matches!(
            self,
            Sign::Assign
                | Sign::AssignIfAny
                | Sign::PlusAssign
                | Sign::MinusAssign
                | Sign::TimesAssign
                | Sign::DivideAssign
                | Sign::RemainderAssign
                | Sign::UnionAssign
                | Sign::IntersectAssign
        )
    }
}

/// The kind of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `[Aa]` or `◭` that declares the piece variable whose name follows.
    PieceMark,
    /// `///`, which opens a message comment.
    LineMessage,
    /// The end of the line, or of the text, that closes a message comment.
    LineMessageEnd,
    /// `1-0`, `0-1` or `1/2-1/2`.
    Result(KnownOutcome),
    /// An unsigned integer.
    Integer(i32),
    /// `{n}`, `{n,}`, `{,m}`, `{n,m}`: the smallest and the largest count.
    Repetition(u32, u32),
    /// A reserved word in its ASCII spelling; also the words `o-o` and `o-o-o`.
    Word(&'static str),
    /// An identifier.
    Name(String),
    /// A string literal as bytes. Outside quotes, `
    /// `, `\"` and the like are literals of one byte.
    String(Vec<u8>),
    /// `\0` … `\99`: a group of the last regular expression match.
    Group(u8),
    /// `\-0` … `\-99`: the index where that group begins.
    GroupIndex(u8),
    /// A piece designator.
    Designator(Designator),
    /// A dash: a move (`--`, `――`) or a capture (`[x]`, `×`). White space decides which sets belong to it.
    Dash {
        /// Whether it is a capture.
        capture: bool,
        /// Whether the set on its left belongs to it.
        left_tied: bool,
        /// Whether the set on its right belongs to it.
        right_tied: bool,
    },
    /// A sign.
    Sign(Sign),
    /// `input` or `output` and a file name.
    File {
        /// Whether it is `input`.
        input: bool,
        /// The name without quotes.
        name: String,
    },
    /// A blank line that ends the innermost path. There is one for each path that it ends, also for a path that was complete before.
    PathEnd,
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its place in the text.
    pub span: Span,
    /// Whether white space or a comment is before it.
    pub spaced: bool,
}

/// Returns the index of the token that closes the bracket opened at `open`, or `None` if no bracket is opened there or nothing closes it.
pub(crate) fn closing_bracket(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let (close, _) = tokens.iter().enumerate().skip(open).find(|(_, token)| {
        match token.kind {
            TokenKind::Sign(sign) if sign.is_opening() => depth += 1,
            TokenKind::Sign(sign) if sign.is_closing() => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    (close != open).then_some(close)
}
