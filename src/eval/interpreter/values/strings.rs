//! Strings of bytes (chapter 8) and texts of games (chapter 2, 4).

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use crate::chess::Position;
use crate::query::ast::strings::StringSlice;
use crate::query::ast::variables::StrVar;
use crate::query::{Comparison, Node, Num, Set, Str, StrExpr};
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::control::flow;
use crate::eval::interpreter::text;
use crate::eval::interpreter::text::{files, hhdb, patterns};
use crate::eval::interpreter::values::numbers;
use crate::eval::report::SortValue;

/// The bytes of a string, borrowed if they already exist somewhere.
pub(crate) type Text<'a> = Cow<'a, [u8]>;

/// Returns the value of a string at a position.
pub(crate) fn eval<'a>(node: &'a Node<StrExpr>, context: &mut Context<'a>, at: &'a Position) -> Option<Text<'a>> {
    match &node.kind {
        StrExpr::Literal(bytes) => Some(Cow::Borrowed(bytes)),
        StrExpr::Variable(variable) => {
            let length = context.string_length(*variable, node.span, at)?;
            if !context.has_room(length, node.span, at) {
                return None;
            }
            context.variables.strings[variable.index()].clone().map(Cow::Owned)
        }
        StrExpr::Concat(left, right) => {
            let mut joined = left.eval(context, at)?.into_owned();
            let more = context.holding(joined.len(), (node.span, at), |context| right.eval(context, at))?;
            if !context.fits(joined.len().saturating_add(more.len()), node.span, at) {
                return None;
            }
            joined.extend_from_slice(&more);
            Some(Cow::Owned(joined))
        }
        StrExpr::Compare(comparison, left, right) => compare(*comparison, left, right, node.span, context, at),
        StrExpr::Part(string, place) => {
            let mark = context.comments.mark();
            let string = string.eval(context, at)?;
            let length = string.len();
            let range = context.holding(length, (node.span, at), |context| range(place, length, context, at));
            if range.is_none() {
                context.comments.cut(mark);
            }
            Some(part(string, range?))
        }
        StrExpr::Match { target, pattern, kept } => patterns::matched(target, pattern, *kept, node.span, context, at),
        StrExpr::Group(number) => patterns::group(*number, node.span, context, at).map(Cow::Owned),
        StrExpr::Max(strings) => numbers::extreme(strings, |new, old| new > old, |text| text.len(), context, at),
        StrExpr::Min(strings) => numbers::extreme(strings, |new, old| new < old, |text| text.len(), context, at),
        StrExpr::Uppercase(string) => Some(Cow::Owned(string.eval(context, at)?.to_ascii_uppercase())),
        StrExpr::Lowercase(string) => Some(Cow::Owned(string.eval(context, at)?.to_ascii_lowercase())),
        StrExpr::Character(number) => {
            let code = u8::try_from(number.eval(context, at)?).ok().filter(|code| *code > 0)?;
            Some(Cow::Owned(vec![code]))
        }
        StrExpr::Text(items) => Some(Cow::Owned(text::written(items, node.span, context, at))),
        StrExpr::PieceName { colored, set } => piece_name(*colored, set, context, at),
        StrExpr::Player(color) | StrExpr::PlayerTag(color) => existing(context.game.tags.player(*color)),
        StrExpr::Players => {
            let white = existing(context.game.tags.white())?;
            let black = existing(context.game.tags.black())?;
            // As in the reference, the names are joined by a backslash and an n.
            Some(Cow::Owned([&white, &b"\\n"[..], &black].concat()))
        }
        StrExpr::Tag(name) => context.game.tag(name),
        StrExpr::OriginalComment => context.game.notes.comment(at.id).and_then(existing),
        StrExpr::Study(text) => hhdb::string(*text, context.game),
        StrExpr::Fen => Some(Cow::Owned(context.game.fen_of_cql(at).into_bytes())),
        StrExpr::CurrentFen => Some(Cow::Owned(context.game.fen(at).into_bytes())),
        StrExpr::ZobristKey => {
            let key = context.game.polyglot_key(at);
            let digit = |place: usize| b"0123456789abcdef"[(key >> (60 - 4 * place) & 15) as usize];
            let digits: [u8; 16] = std::array::from_fn(digit);
            Some(Cow::Owned(digits.to_vec()))
        }
        StrExpr::Replace(string, part, replacement) => replaced(string, part, replacement, node.span, context, at),
        StrExpr::CurrentTransform(names) => Some(Cow::Owned(format!("<{}>", names.join(" ")).into_bytes())),
        StrExpr::ReadFile(name) => files::read(name, node.span, context, at),
        StrExpr::Sort(key, string) => text::sorted(*key, context, |context| {
            let string = string.eval(context, at)?;
            let value = SortValue::Text(string.to_vec());
            Some((string, value))
        }),
        StrExpr::Flow(form) => flow::eval(form, context, at),
    }
}

/// Returns a string in which each occurrence of a part is replaced, from left to right. The replacements are not searched again.
fn replaced<'a>(
    string: &'a Str,
    part: &'a Str,
    replacement: &'a Str,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<Text<'a>> {
    let string = string.eval(context, at)?;
    let (part, replacement) = context.holding(string.len(), (span, at), |context| {
        Some((part.eval(context, at)?, replacement.eval(context, at)?))
    })?;
    let count = match part.len() {
        0 => 0,
        _ => memmem::find_iter(&string, &part).count(),
    };
    if count == 0 {
        return Some(string);
    }
    let length = (string.len() - count * part.len()).saturating_add(count.saturating_mul(replacement.len()));
    if !context.fits(length, span, at) {
        return None;
    }
    let mut whole = Vec::with_capacity(length);
    let mut rest = 0;
    for place in memmem::find_iter(&string, &part) {
        whole.extend_from_slice(&string[rest..place]);
        whole.extend_from_slice(&replacement);
        rest = place + part.len();
    }
    whole.extend_from_slice(&string[rest..]);
    Some(Cow::Owned(whole))
}

/// Returns a text of the game unless it is empty.
pub(crate) fn existing(text: Text<'_>) -> Option<Text<'_>> {
    Some(text).filter(|text| !text.is_empty())
}

fn compare<'a>(
    comparison: Comparison,
    left: &'a Str,
    right: &'a Str,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<Text<'a>> {
    context.undone(|context| {
        let left = left.eval(context, at)?;
        // The string of a variable is compared in place.
        if let StrExpr::Variable(variable) = &right.kind
            && let Some(right) = &context.variables.strings[variable.index()]
        {
            return comparison.holds(&*left, &**right).then_some(left);
        }
        let right = context.holding(left.len(), (span, at), |context| right.eval(context, at))?;
        comparison.holds(&left, &right).then_some(left)
    })
}

/// Converts an index. A negative one counts from the end.
fn from_end(index: i32, length: usize) -> i64 {
    let index = i64::from(index);
    if index < 0 { index + length as i64 } else { index }
}

/// Returns the place of a part in a string of this length; `None` for a single byte outside the string. The bounds of longer parts are clamped.
pub(crate) fn range<'a>(
    part: &'a StringSlice,
    length: usize,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<Range<usize>> {
    let (start, end) = match part {
        StringSlice::Byte(index) => {
            let index = from_end(index.eval(context, at)?, length);
            let index = usize::try_from(index).ok().filter(|index| *index < length)?;
            return Some(index..index + 1);
        }
        StringSlice::Bytes(start, end) => (start, end),
    };
    let mut bound = |number: Option<&'a Num>, default: usize| match number {
        None => Some(default),
        Some(number) => Some(from_end(number.eval(context, at)?, length).clamp(0, length as i64) as usize),
    };
    let start = bound(start.as_ref(), 0)?;
    let end = bound(end.as_ref(), length)?.max(start);
    Some(start..end)
}

/// Returns a part of a string.
pub(crate) fn part(string: Text<'_>, range: Range<usize>) -> Text<'_> {
    match string {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[range]),
        Cow::Owned(bytes) => Cow::Owned(bytes[range].to_vec()),
    }
}

/// `x[n] = s`, `x[n:m] = s`. Returns `None` if there is no such part or no value. Then the comments made for it are dropped.
pub(crate) fn splice<'a>(
    variable: StrVar,
    part: &'a StringSlice,
    value: &'a Str,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<()> {
    context.undone(|context| spliced(variable, part, value, span, context, at))
}

fn spliced<'a>(
    variable: StrVar,
    part: &'a StringSlice,
    value: &'a Str,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<()> {
    let length = context.string_length(variable, span, at)?;
    let range = range(part, length, context, at)?;
    let value = value.eval(context, at)?;
    if !context.bears(length.saturating_add(value.len()), span, at) {
        return None;
    }
    // The value may have changed the variable, so the old bounds are clamped, too.
    let string = context.variables.strings[variable.index()].get_or_insert_default();
    let end = range.end.min(string.len());
    string.splice(range.start.min(end)..end, value.iter().copied());
    Some(())
}

/// Returns the letter of the piece on a single square; `_` for an empty square.
fn piece_name<'a>(colored: bool, set: &'a Set, context: &mut Context<'a>, at: &'a Position) -> Option<Text<'a>> {
    let square = set.eval(context, at).single_square()?;
    let letter = match at.board.piece_at(square) {
        None => '_',
        Some(piece) if colored => piece.char(),
        Some(piece) => piece.role.upper_char(),
    };
    Some(Cow::Owned(vec![letter as u8]))
}
