//! Values as text: `message`, `comment`, `str`; and `sort`, which keeps values for later (chapter 2, 6 and 7).
//!
//! Each part uses only those before it: `columns`, `files`, `patterns`, `self`, `tourney`, `hhdb`.

pub(crate) mod columns;
pub(crate) mod files;
pub(crate) mod hhdb;
pub(crate) mod patterns;
mod tourney;

use std::mem;

use crate::board::Color;
use crate::chess::Position;
use crate::query::ast::variables::Variable;
use crate::query::{CommentLevel, Filter, SortId, TextItem};
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::format::{display, write_set};
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::variables::dictionaries;
use crate::eval::report::{MatchValue, SortValue};
use crate::eval::state::comments;

/// `message (…)`: prints a line immediately.
pub(crate) fn message<'a>(
    quiet: bool,
    items: &'a [TextItem],
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> bool {
    let text = written(items, span, context, at);
    // As in the reference, the position is written last, so its comment comes after those made by the items.
    let mut place = Vec::new();
    if !quiet {
        display(format_args!("Game: {} ", context.game.number), &mut place);
        write_position(at, context, &mut place);
        place.extend_from_slice(b": ");
    }
    let line = [&place[..], &text, b"\n"];
    let length: usize = line.iter().map(|part| part.len()).sum();
    // For a moment, the line exists twice.
    if context.stop.is_none() && context.has_room(2 * length, span, at) {
        line.iter().for_each(|part| context.messages.extend_from_slice(part));
    }
    true
}

/// `comment (…)`: adds a comment to the current position.
pub(crate) fn comment<'a>(items: &'a [TextItem], span: Span, context: &mut Context<'a>, at: &'a Position) -> bool {
    let text = written(items, span, context, at);
    if context.query.header.comments != CommentLevel::Silent && context.has_room(text.len(), span, at) {
        context.comments.add(at.id, text);
    }
    true
}

/// Returns the text of `items`.
pub(crate) fn written<'a>(items: &'a [TextItem], span: Span, context: &mut Context<'a>, at: &'a Position) -> Vec<u8> {
    let mut out = Vec::new();
    write_items(items, span, context, at, &mut out);
    out
}

/// Appends items one after another. Stops at an item that makes the text too long.
fn write_items<'a>(items: &'a [TextItem], span: Span, context: &mut Context<'a>, at: &'a Position, out: &mut Vec<u8>) {
    for item in items {
        let before = out.len();
        context.held += before;
        match item {
            TextItem::Filter(filter) => write_filter(filter, context, at, out),
            TextItem::Dictionary(dictionary) => dictionaries::write(*dictionary, span, context, at, out),
            TextItem::Variable(variable, name) => write_variable(*variable, name, context, at, out),
        }
        context.held -= before;
        if !context.fits(out.len(), span, at) {
            return;
        }
    }
}

fn write_filter<'a>(filter: &'a Filter, context: &mut Context<'a>, at: &'a Position, out: &mut Vec<u8>) {
    match filter {
        // An imagined position cannot be found by its id.
        Filter::Position(position) => match position.eval(context, at) {
            Some(position) => write_position(position, context, out),
            None => out.extend_from_slice(b"<false>"),
        },
        filter => {
            let value = columns::value(filter, context, at);
            write_value(&value, context, out);
        }
    }
}

/// Appends a value. A missing one is written as `<false>`.
pub(crate) fn write_value(value: &MatchValue, context: &mut Context<'_>, out: &mut Vec<u8>) {
    match value {
        MatchValue::Squares(set) => write_set(*set, out),
        MatchValue::Number(number) => display(number, out),
        MatchValue::Text(text) => out.extend_from_slice(text),
        MatchValue::Position(id) => {
            if let Some(position) = context.position(*id) {
                write_position(position, context, out);
            }
        }
        MatchValue::Truth(true) => out.extend_from_slice(b"<true>"),
        MatchValue::Truth(false) | MatchValue::Unknown => out.extend_from_slice(b"<false>"),
    }
}

fn write_variable<'a>(variable: Variable, name: &str, context: &mut Context<'a>, at: &'a Position, out: &mut Vec<u8>) {
    match variable {
        variable if !context.variables.is_bound(variable) => display(format_args!("<unbound: {name}>"), out),
        Variable::Piece(variable) => {
            let piece = context.variables.pieces[variable.index()];
            let square = piece.and_then(|piece| context.identities.square(at.id, piece));
            // Nothing is written for a captured piece.
            if let Some(square) = square
                && let Some(piece) = at.board.piece_at(square)
            {
                out.push(piece.char() as u8);
                display(square, out);
            }
        }
        variable => write_value(&context.variables.value(variable), context, out),
    }
}

/// Writes `move 3(wtm)`, or `move 3(wtm)[12]` off the main line. There the position also gets a comment with its id, so that it can be found.
pub(crate) fn write_position(position: &Position, context: &mut Context<'_>, out: &mut Vec<u8>) {
    let side = match position.turn {
        Color::White => "wtm",
        Color::Black => "btm",
    };
    display(format_args!("move {}({side})", context.game.move_number(position)), out);
    if position.depth > 0 {
        display(format_args!("[{}]", position.id), out);
        if context.query.header.comments != CommentLevel::Silent {
            context
                .comments
                .add(position.id, format!("id:{}", position.id).into_bytes());
        }
    }
}

/// `sort`: passes the value on, and keeps it with its comments if it is the best of the game so far.
pub(crate) fn sorted<'a, T>(
    key: SortId,
    context: &mut Context<'a>,
    evaluate: impl FnOnce(&mut Context<'a>) -> Option<(T, SortValue)>,
) -> Option<T> {
    let mark = context.comments.mark();
    let outer = context.comments.begin_apart();
    let found = context.elsewhere(evaluate);
    context.comments.end_apart(outer);
    let comments = context.comments.split_off(mark);
    let (value, sort_value) = found?;
    if keep_best(key, sort_value, context) {
        let kept = &mut context.keys[key.0 as usize].comments;
        context.kept += comments::size(&comments);
        context.kept -= comments::size(&mem::replace(kept, comments));
    }
    Some(value)
}

/// Keeps the value of a sort key if it is the best of the game so far. Returns whether it is.
pub(crate) fn keep_best(key: SortId, value: SortValue, context: &mut Context<'_>) -> bool {
    let ascending = context.query.sort_keys[key.0 as usize].ascending;
    let kept = &mut context.keys[key.0 as usize].value;
    let better = match kept {
        None => true,
        Some(old) if ascending => value < *old,
        Some(old) => value > *old,
    };
    if better {
        context.kept += value.bytes();
        context.kept -= kept.replace(value).map_or(0, |old| old.bytes());
    }
    better
}
