//! Numbers (chapter 3, 10).

use crate::board::{Bitboard, Board, Square, material};
use crate::chess::Position;
use crate::query::ast::numbers::{Fact, Measure, SetNumber, TimePart};
use crate::query::{Comparison, Node, Num, NumExpr, Pos, Set, Str};

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::control::{flow, transforms};
use crate::eval::interpreter::imagine::lookahead;
use crate::eval::interpreter::paths::{line, path, properties};
use crate::eval::interpreter::text::{hhdb, patterns};
use crate::eval::interpreter::tree::{consecutive, echo, find, similar};
use crate::eval::interpreter::values::endgames;
use crate::eval::interpreter::{moves, text};
use crate::eval::lineage;
use crate::eval::report::SortValue;
use crate::eval::state::comments;
use crate::eval::state::comments::Comment;

/// Returns the value of a number at a position.
pub(crate) fn eval<'a>(node: &'a Node<NumExpr>, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
    match &node.kind {
        NumExpr::Literal(number) => Some(*number),
        NumExpr::Variable(variable) => context.number_variable(*variable, node.span, at),
        NumExpr::Negate(number) => Some(number.eval(context, at)?.wrapping_neg()),
        NumExpr::Arithmetic(operation, left, right) => {
            let left = left.eval(context, at)?;
            operation.apply(left, right.eval(context, at)?)
        }
        NumExpr::Compare(comparison, left, right) => compare(*comparison, left, right, context, at),
        NumExpr::Abs(number) => Some(number.eval(context, at)?.wrapping_abs()),
        NumExpr::Sqrt(number) => number.eval(context, at)?.checked_isqrt(),
        NumExpr::Max(numbers) => extreme(numbers, |new, old| new > old, |_| 0, context, at),
        NumExpr::Min(numbers) => extreme(numbers, |new, old| new < old, |_| 0, context, at),
        NumExpr::Count(set) => Some(size(set, context, at)),
        NumExpr::OfSet(number, set) => of_set(*number, set, context, at),
        NumExpr::Identity(variable) => {
            let piece = context.variables.pieces[variable.index()];
            context.bound(piece, node.span, at).map(i32::from)
        }
        NumExpr::Length(string) => string.eval(context, at).map(|string| bounded(string.len())),
        NumExpr::Entries(dictionary) => i32::try_from(context.dictionaries.len(*dictionary)).ok(),
        NumExpr::GroupStart(number) => patterns::group_start(*number, node.span, context, at),
        NumExpr::Parse(string) => parse(&string.eval(context, at)?),
        NumExpr::Code(string) => match *string.eval(context, at)? {
            [byte] if byte > 0 => Some(i32::from(byte)),
            _ => None,
        },
        NumExpr::IndexOf(part, whole) => index_of(part, whole, context, at),
        NumExpr::Fact(fact) => Some(of_position(*fact, context, at)),
        NumExpr::Endgame { metric, most_men } => endgames::number(*metric, *most_men, node.span, context, at),
        NumExpr::Color(color) => Some(color.fold_wb(1, -1)),
        NumExpr::Rating(color) => context.game.tags.elo(*color).map(i32::from),
        NumExpr::BestRating => {
            let tags = &context.game.tags;
            tags.elo(shakmaty::Color::White)
                .max(tags.elo(shakmaty::Color::Black))
                .map(i32::from)
        }
        NumExpr::Study(number) => hhdb::number(*number, context.game),
        NumExpr::Year => context.game.tags.year().map(i32::from),
        NumExpr::Evaluation(color) => {
            let evaluation = context.game.evaluation(at)?;
            Some(color.fold_wb(evaluation, -evaluation))
        }
        NumExpr::Measure(Measure::EvalDepth) => context.game.evaluation_depth(at).map(i32::from),
        NumExpr::Measure(Measure::Clock) => context.game.clock(at),
        NumExpr::Measure(Measure::Elapsed) => context.game.elapsed(at),
        NumExpr::TimeControl(part) => {
            let control = context.game.time_control()?;
            Some(match part {
                TimePart::Base => control.base,
                TimePart::Increment => control.increment,
            })
        }
        NumExpr::Distance(left, right) => distance(left, right, context, at),
        NumExpr::Find(search, count) => find::count(search, count, context, at),
        NumExpr::Echo(echo) => echo::greatest(echo, context, at),
        NumExpr::ConsecutiveMoves(filter) => consecutive::length(filter, context, at),
        NumExpr::Similar(key) => {
            let number = similar::lowest_game(context, at)?;
            text::keep_best(*key, SortValue::Number(number), context);
            // As in the reference, the value is the lowest number found so far in the game.
            match context.keys[key.0 as usize].value {
                Some(SortValue::Number(lowest)) => Some(lowest),
                _ => Some(number),
            }
        }
        NumExpr::CountMoves(dash, target) => Some(moves::count_played(dash, target, context, at)),
        NumExpr::CountLookahead(moves) => Some(lookahead::count(moves, node.span, context, at)),
        NumExpr::CountLegal(legal) => Some(moves::count_legal(legal, context, at)),
        NumExpr::CountMoveLegal(parameters) => Some(moves::count_move_legal(parameters, context, at)),
        NumExpr::Sort(key, number) => text::sorted(*key, context, |context| {
            let number = number.eval(context, at)?;
            Some((number, SortValue::Number(number)))
        }),
        NumExpr::SortSet(key, set) => text::sorted(*key, context, |context| {
            let number = size(set, context, at);
            Some((number, SortValue::Number(number)))
        }),
        NumExpr::Path(path) => path::number(path, context, at),
        NumExpr::Line(line) => line::number(line, context, at),
        NumExpr::PathCount { .. } => properties::count(context),
        NumExpr::PathCountUnfocused => properties::count_unfocused(context, at),
        NumExpr::Versions(versions) => transforms::greatest(versions, context, at),
        NumExpr::CountVersions(versions, range) => transforms::count(versions, *range, context, at),
        NumExpr::Flow(form) => flow::eval(form, context, at),
    }
}

/// Returns the left number if the comparison holds. Otherwise drops the comments made for it.
#[inline]
pub(crate) fn compare<'a>(
    comparison: Comparison,
    left: &'a Num,
    right: &'a Num,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<i32> {
    context.undone(|context| {
        let left = left.eval(context, at)?;
        let right = right.eval(context, at)?;
        comparison.holds(left, right).then_some(left)
    })
}

/// Returns the number of squares in a set.
#[inline]
pub(crate) fn size<'a>(set: &'a Set, context: &mut Context<'a>, at: &'a Position) -> i32 {
    set.eval(context, at).count() as i32
}

/// Returns a length as a number of the language.
pub(crate) fn bounded(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

/// Returns the best of the values that exist. Only the comments of parts with the best value, or with no value, are kept.
pub(crate) fn extreme<'a, E, T>(
    parts: &'a [Box<E>],
    better: impl Fn(&T, &T) -> bool,
    bytes: impl Fn(&T) -> usize,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<T>
where
    E: Eval<Value<'a> = Option<T>>,
    T: PartialEq,
{
    let mark = context.comments.mark();
    let mut best = None;
    let mut kept: Vec<(bool, Vec<Comment>)> = Vec::new();
    let mut kept_bytes = 0;
    for part in parts {
        let held = best.as_ref().map_or(0, &bytes) + kept_bytes;
        context.held += held;
        let value = part.eval(context, at);
        context.held -= held;
        let made = context.comments.split_off(mark);
        let has_value = value.is_some();
        match (&best, value) {
            (Some(old), Some(value)) if value != *old && !better(&value, old) => continue,
            (Some(old), Some(value)) if value == *old => {}
            (_, Some(value)) => {
                best = Some(value);
                kept.retain(|(has_value, _)| !has_value);
                kept_bytes = kept.iter().map(|(_, made)| comments::size(made)).sum();
            }
            (_, None) => {}
        }
        if !made.is_empty() {
            kept_bytes += comments::size(&made);
            kept.push((has_value, made));
        }
    }
    context.comments.extend(kept.into_iter().flat_map(|(_, made)| made));
    best
}

fn of_set<'a>(number: SetNumber, set: &'a Set, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
    let set = set.eval(context, at);
    if number == SetNumber::Power {
        return Some(power(&at.board, set));
    }
    let square = set.single_square()?;
    match number {
        SetNumber::Rank => Some(square.rank() as i32 + 1),
        SetNumber::File => Some(square.file() as i32 + 1),
        SetNumber::Type => Some(color_type(&at.board, square).abs()),
        SetNumber::ColorType => Some(color_type(&at.board, square)),
        SetNumber::PieceId => context.identities.piece(at.id, square).map(i32::from),
        SetNumber::Power => None,
    }
}

/// Returns the value of the material on the squares of a set.
fn power(board: &Board, set: Bitboard) -> i32 {
    let worth = |(value, pieces): (i32, Bitboard)| value * (pieces & set).count() as i32;
    material(&board.roles).into_iter().map(worth).sum()
}

/// Returns the kind of a piece from 1 for a pawn to 6 for a king, negative for Black; 0 for an empty square.
fn color_type(board: &Board, square: Square) -> i32 {
    match board.piece_at(square) {
        Some(piece) => piece.color.fold_wb(1, -1) * piece.role as i32,
        None => 0,
    }
}

/// Reads an optional minus sign followed only by digits.
fn parse(string: &[u8]) -> Option<i32> {
    let digits = string.strip_prefix(b"-").unwrap_or(string);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(string).ok()?.parse().ok()
}

fn index_of<'a>(part: &'a Str, whole: &'a Str, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
    let part = part.eval(context, at)?;
    let whole = whole.eval(context, at)?;
    memchr::memmem::find(&whole, &part).map(bounded)
}

fn of_position(fact: Fact, context: &Context<'_>, at: &Position) -> i32 {
    match fact {
        Fact::Ply => i32::from(at.ply),
        Fact::MoveNumber => context.game.move_number(at) as i32,
        Fact::PositionId => at.id as i32,
        Fact::Depth => i32::from(at.depth),
        Fact::GameNumber => context.game.number as i32,
        Fact::LastGameNumber => context.prepared.last_game_number,
        Fact::SideToMove => at.turn.fold_wb(1, -1),
        Fact::HalfmoveClock => i32::try_from(context.game.halfmove_clock(at)).unwrap_or(i32::MAX),
    }
}

fn distance<'a>(left: &'a Pos, right: &'a Pos, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
    let left = left.eval(context, at)?;
    let right = right.eval(context, at)?;
    let ancestor = lineage::common_ancestor(left, right, context.game)?;
    Some(i32::from(left.ply) + i32::from(right.ply) - 2 * i32::from(ancestor.ply))
}
