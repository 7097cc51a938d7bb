//! Sets of squares (chapters 3 and 4).

use smallvec::SmallVec;

use crate::board::attacked::{attacked_among, attackers_among};
use crate::board::between::between_sets;
use crate::board::intersection::intersection_squares;
use crate::board::{Bitboard, Board, Direction, DirectionSet, Square, lines, pawns, pins};
use crate::chess::{MoveKind, Position};
use crate::query::ast::sets::{Line, PawnSet, Pin, PinPart, squares_of_color};
use crate::query::{Node, Pos, Range, Set, SetExpr};
use crate::syntax::token::{Designator, Span};

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::control::{flow, loops, transforms};
use crate::eval::interpreter::imagine;
use crate::eval::interpreter::imagine::lookahead;
use crate::eval::interpreter::moves;
use crate::eval::interpreter::moves::mates;

/// Returns the value of a set at a position.
pub(crate) fn eval<'a>(node: &'a Node<SetExpr>, context: &mut Context<'a>, at: &'a Position) -> Bitboard {
    match &node.kind {
        SetExpr::Designator(designator) => designated(designator, &at.board),
        SetExpr::Constant(set) => *set,
        SetExpr::Variable(variable) => {
            let set = context.variables.sets[variable.index()];
            context.bound(set, node.span, at).unwrap_or_default()
        }
        SetExpr::Piece(variable) => {
            let piece = context.variables.pieces[variable.index()];
            let square = context
                .bound(piece, node.span, at)
                .and_then(|piece| context.identities.square(at.id, piece));
            square.map_or(Bitboard::EMPTY, Bitboard::from)
        }
        SetExpr::Complement(set) => !set.eval(context, at),
        SetExpr::Intersection(left, right) => left.eval(context, at) & right.eval(context, at),
        SetExpr::Union(left, right) => left.eval(context, at) | right.eval(context, at),
        SetExpr::Common(left, right) => common(left, right, context, at),
        SetExpr::Attackers { attackers, targets } => {
            let attackers = attackers.eval(context, at);
            let targets = targets.eval(context, at);
            attackers_among(&at.board, attackers, targets)
        }
        SetExpr::Attacked { attackers, targets } => {
            let attackers = attackers.eval(context, at);
            let targets = targets.eval(context, at);
            attacked_among(&at.board, targets, attackers)
        }
        SetExpr::Line(line) => on_line(line, context, at),
        SetExpr::Pin(pin) => pinned(pin, context, at),
        SetExpr::Direction { directions, range, set } => direction(*directions, *range, set, node.span, context, at),
        SetExpr::SquareColor { light, set } => set.eval(context, at) & squares_of_color(*light),
        SetExpr::Between(left, right) => {
            let left = left.eval(context, at);
            let right = right.eval(context, at);
            between_sets(left, right)
        }
        SetExpr::Intersections([left, right]) => {
            let of_left = left.set.eval(context, at);
            let of_right = right.set.eval(context, at);
            intersection_squares(left.kinds, of_left, right.kinds, of_right)
        }
        SetExpr::MakeSquare(file, rank) => match file.eval(context, at) {
            None => Bitboard::EMPTY,
            Some(file) => rank
                .eval(context, at)
                .map_or(Bitboard::EMPTY, |rank| square_at(file, rank)),
        },
        SetExpr::NamedSquare(name) => {
            let square = name.eval(context, at).and_then(|name| Square::from_ascii(&name).ok());
            square.map_or(Bitboard::EMPTY, Bitboard::from)
        }
        SetExpr::Pawns(PawnSet::Passed) => pawns::passed(&at.board),
        SetExpr::Pawns(PawnSet::Isolated) => pawns::isolated(&at.board),
        SetExpr::Pawns(PawnSet::Doubled) => pawns::doubled(&at.board),
        SetExpr::Pawns(PawnSet::Connected) => pawns::connected(&at.board),
        SetExpr::Mate(theme) => mates::theme(*theme, context, at),
        SetExpr::Each(each) => loops::matching(each, false, node.span, context, at),
        SetExpr::FusedLoop(fused) => loops::fused(fused, context, at).1,
        SetExpr::Absence(absence) => imagine::absence(absence, context, at),
        SetExpr::Played(squares) => moves::squares_played(*squares, context.game, at),
        SetExpr::From => moves::origin(context.game, context.narrowed, at),
        SetExpr::To => moves::destination(context.game, context.narrowed, at),
        SetExpr::EnPassantSquare => match at.arrival.kind {
            MoveKind::EnPassant => at.arrival.captured.map_or(Bitboard::EMPTY, Bitboard::from),
            _ => Bitboard::EMPTY,
        },
        SetExpr::PromotedPieces => context.game.promoted_pieces(at),
        SetExpr::NeverMoved => context.never_moved(at),
        // An exploding rook loses its right although no move has touched it.
        SetExpr::CastlingRooks => context.rights(at).0 & at.board.roles.rook,
        SetExpr::TakeableEnPassant => context
            .game
            .takeable_en_passant(at)
            .map_or(Bitboard::EMPTY, Bitboard::from),
        SetExpr::Move(parameters) => moves::move_squares(parameters, context, at),
        SetExpr::Lookahead(moves) => lookahead::squares(moves, node.span, context, at),
        SetExpr::Legal(legal) => moves::legal_squares(legal, context, at),
        SetExpr::Versions(versions) => transforms::union(versions, context, at),
        SetExpr::Flow(form) => flow::eval(form, context, at),
    }
}

/// Returns whether a set is not empty at a position. A loop without side effects stops at its first square.
pub(crate) fn any<'a>(node: &'a Node<SetExpr>, context: &mut Context<'a>, at: &'a Position) -> bool {
    match &node.kind {
        SetExpr::Each(each) if each.effects.is_empty() => loops::matching(each, true, node.span, context, at).any(),
        SetExpr::Lookahead(moves) => lookahead::any(moves, node.span, context, at),
        SetExpr::Legal(legal) => moves::any_legal(legal, context, at),
        _ => node.eval(context, at).any(),
    }
}

/// Returns the squares of a designator.
#[inline]
pub(crate) fn designated(designator: &Designator, board: &Board) -> Bitboard {
    if designator.has_contents {
        designator.contents.on(board) & designator.squares
    } else {
        designator.squares
    }
}

/// Returns the squares with the same content in two positions.
fn common<'a>(left: &'a Pos, right: &'a Pos, context: &mut Context<'a>, at: &'a Position) -> Bitboard {
    let Some(left) = left.eval(context, at) else {
        return Bitboard::EMPTY;
    };
    let Some(right) = right.eval(context, at) else {
        return Bitboard::EMPTY;
    };
    !left.board.differing(&right.board)
}

fn on_line<'a>(line: &'a Line, context: &mut Context<'a>, at: &'a Position) -> Bitboard {
    let mut sets: SmallVec<[Bitboard; 8]> = SmallVec::new();
    for set in &line.sets {
        sets.push(set.eval(context, at));
    }
    if line.value_first {
        line_begins(line, &at.board, &sets)
    } else {
        line_ends(line, &at.board, &sets)
    }
}

/// Returns the squares where lines through the sets end: `ray`, `xray`, `<-`.
#[inline]
pub(crate) fn line_ends(line: &Line, board: &Board, sets: &[Bitboard]) -> Bitboard {
    if line.slider_first {
        lines::xray(board, sets)
    } else {
        lines::ray(board, line.directions, sets)
    }
}

/// Returns the squares where lines through the sets begin: `->`.
#[inline]
pub(crate) fn line_begins(line: &Line, board: &Board, sets: &[Bitboard]) -> Bitboard {
    if line.slider_first {
        lines::xray_origins(board, sets)
    } else {
        lines::ray_origins(board, line.directions, sets)
    }
}

fn pinned<'a>(pin: &'a Pin, context: &mut Context<'a>, at: &'a Position) -> Bitboard {
    let mut part = |set: &'a Option<Set>, default: Bitboard| match set {
        Some(set) => set.eval(context, at),
        None => default,
    };
    let from = part(&pin.from, Bitboard::FULL);
    let through = part(&pin.through, Bitboard::FULL);
    let to = part(&pin.to, at.board.roles.king);
    let pins = pins::pins(&at.board, from, through, to);
    match pin.value {
        PinPart::From => pins.from,
        PinPart::Through => pins.through,
        PinPart::To => pins.to,
    }
}

fn direction<'a>(
    directions: DirectionSet,
    range: Option<Range>,
    set: &'a Set,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Bitboard {
    let bounds = match range {
        None => Some((1, 7)),
        Some(range) => context.bounds(range, at),
    };
    let set = set.eval(context, at);
    let Some((least, most)) = bounds else {
        return Bitboard::EMPTY;
    };
    if least > most || !(-7..=7).contains(&least) || !(-7..=7).contains(&most) {
        context.stop(
            span,
            format!("{least} to {most} steps in a direction"),
            "the bounds must be ordered and lie in −7 to 7",
            at,
        );
        return Bitboard::EMPTY;
    }
    directions.iter().fold(Bitboard::EMPTY, |found, direction| {
        found | steps(set, direction, least, most)
    })
}

/// Returns the squares `least` to `most` steps from those of a set. Negative steps go backwards.
fn steps(set: Bitboard, direction: Direction, least: i32, most: i32) -> Bitboard {
    let forward = |direction: Direction, least: i32, most: i32| {
        let mut reached = direction.shift_by(set, least);
        let mut found = Bitboard::EMPTY;
        for _ in least..=most {
            found |= reached;
            reached = direction.shift(reached);
        }
        found
    };
    let ahead = forward(direction, least.max(0), most);
    let behind = forward(direction.opposite(), (-most).max(0), -least);
    ahead | behind
}

/// Returns the square of a file and a rank counted from 1, if it exists.
fn square_at(file: i32, rank: i32) -> Bitboard {
    if (1..=8).contains(&file) && (1..=8).contains(&rank) {
        Bitboard(1 << ((rank - 1) * 8 + (file - 1)))
    } else {
        Bitboard::EMPTY
    }
}
