//! Filters whose value, if they have one, is a string of bytes.

use crate::board::Color;

use crate::query::ast::hhdb::StudyText;
use std::sync::Arc;

use crate::pattern::Pattern;

use crate::query::ast::node::{Flow, Num, Set, Str};
use crate::query::ast::variables::StrVar;
use crate::query::ast::versions::TransformName;
use crate::query::ast::{Comparison, SortId, TextItem};

/// A filter whose value, if it has one, is a string of bytes.
#[derive(Clone, Debug)]
pub(crate) enum StrExpr {
    /// `"abc"`, `\n`
    Literal(Vec<u8>),
    /// `x`
    Variable(StrVar),
    /// `s + t`
    Concat(Str, Str),
    /// `s < t` and the like: the left string if the comparison holds.
    Compare(Comparison, Str, Str),
    /// `s[n]`, `s[n:m]`
    Part(Str, StringSlice),
    /// `s ~~ "re"`: the leftmost match.
    Match {
        /// s
        target: Str,
        /// The pattern.
        pattern: Arc<Pattern>,
        /// Whether the query reads groups, so that the match is remembered.
        kept: bool,
    },
    /// `\1`: a group of the last match.
    Group(u8),
    /// `max (s t …)`
    Max(Vec<Str>),
    /// `min (s t …)`
    Min(Vec<Str>),
    /// `uppercase s`
    Uppercase(Str),
    /// `lowercase s`
    Lowercase(Str),
    /// `ascii n`
    Character(Num),
    /// `str (f g …)`
    Text(Vec<TextItem>),
    /// `typename S`, `piecename S`
    PieceName {
        /// Whether black pieces are in lower case.
        colored: bool,
        /// S
        set: Set,
    },
    /// `player white`
    Player(Color),
    /// `player`
    Players,
    /// `event`, `tag "Event"` and the like: the tag of this name.
    Tag(Vec<u8>),
    /// `tag "White"`, `tag "Black"`; exchanging colours exchanges them.
    PlayerTag(Color),
    /// `originalcomment`
    OriginalComment,
    /// `hhdb composer` and the like
    Study(StudyText),
    /// `fen`
    Fen,
    /// `currentfen`: all six fields.
    CurrentFen,
    /// `zobristkey`
    ZobristKey,
    /// `replace (s t u)`: s with each t replaced by u.
    Replace(Str, Str, Str),
    /// `currenttransform`: the transforms around this place, outermost first.
    CurrentTransform(Vec<TransformName>),
    /// `readfile s`
    ReadFile(Str),
    /// `sort "title" s`
    Sort(SortId, Str),
    /// A form that passes the value of a part on.
    Flow(Flow<Str>),
}

/// A part of a string, as given in brackets.
#[derive(Clone, Debug)]
pub(crate) enum StringSlice {
    /// `[n]`: one byte.
    Byte(Num),
    /// `[n:m]`: from n up to m, without m.
    Bytes(Option<Num>, Option<Num>),
}
