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
    /// The bytes from `start` up to `end`, which is not among them. Texts are shorter than 10 MB; beyond 4 GB places
    /// are cut off.
    pub fn new(start: usize, end: usize) -> Span {
        let place = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Span {
            start: place(start),
            end: place(end),
        }
    }

    /// The span as a range of indexes.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether another span lies in it.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The place before it, where there is nothing.
    pub fn before(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }

    /// The place after it, where there is nothing.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    /// The smallest span that holds both.
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
    /// What may stand there; [`Contents::ANY`] when no piece is written.
    pub contents: Contents,
    /// `false` when no piece is written (`e4`, `[a1,h8]`).
    pub has_contents: bool,
    /// The squares; all 64 when none is written.
    pub squares: Bitboard,
    /// `false` when no square is written (`R`, `[Aa]`).
    pub has_squares: bool,
    /// `A` or `△` is written.
    pub any_white: bool,
    /// `a` or `▲` is written.
    pub any_black: bool,
}

/// Signs, by their ASCII spelling. A Unicode spelling gives the same sign.
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
    /// Not produced: a backslash alone is refused with advice.
    OpenBracket,
    CloseBracket,
    /// `+` at the top level of a path, where it repeats a constituent
    RepeatPlus,
    /// `*` at the top level of a path, where it repeats a constituent
    RepeatStar,
}

impl Sign {
    /// Whether it opens a pair of brackets.
    pub fn is_opening(self) -> bool {
        matches!(self, Sign::OpenParen | Sign::OpenBrace | Sign::OpenBracket)
    }

    /// Whether it closes a pair of brackets.
    pub fn is_closing(self) -> bool {
        matches!(self, Sign::CloseParen | Sign::CloseBrace | Sign::CloseBracket)
    }

    /// Whether it gives a value to the variable before it: `=`, `=?`, `+=` and its like.
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

/// What a token is.
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
    /// `{n}`, `{n,}`, `{,m}`, `{n,m}`: least and greatest count.
    Repetition(u32, u32),
    /// A reserved word in its ASCII spelling; also the words `o-o` and `o-o-o`.
    Word(&'static str),
    /// An identifier.
    Name(String),
    /// A string literal: its bytes. `\n`, `\"` and their like outside quotes are literals of one byte.
    String(Vec<u8>),
    /// `\0` … `\99`: a group of the last regular expression match.
    Group(u8),
    /// `\-0` … `\-99`: where that group starts.
    GroupIndex(u8),
    /// A piece designator.
    Designator(Designator),
    /// A dash: a move (`--`, `――`) or a capture (`[x]`, `×`), with its ties by white space.
    Dash {
        /// It is a capture.
        capture: bool,
        /// The set on its left belongs to it.
        left_tied: bool,
        /// The set on its right belongs to it.
        right_tied: bool,
    },
    /// A sign.
    Sign(Sign),
    /// `input` or `output` and a file name.
    File {
        /// `input`
        input: bool,
        /// The name without quotes.
        name: String,
    },
    /// A blank line that ends the innermost path. Each path that it ends has one, also a path that was over before.
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
    /// White space or a comment stands before it.
    pub spaced: bool,
}
