//! Moves: those played from a position, the one that led to it, and those that would be legal (chapter 6).
//!
//! Each part uses only those before it: `mates`.

pub(crate) mod mates;

use crate::board::{Bitboard, Role, Square};
use crate::chess::{MoveKind, Position};
use crate::game::Game;
use crate::moves::{Counted, MoveFilter, SpecialMove, each_piece};
use crate::query::ast::moves::{MoveSource, MoveSquares, Promotion};
use crate::query::{Comparison, Cond, Dash, LegalDash, Move, Set};

use crate::eval::context::Context;
use crate::eval::context::branch::{self, Branch};
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::text;
use crate::eval::interpreter::values::strings::Text;
use crate::eval::state::sides::{Narrowed, Sides};
use crate::eval::state::steps::steps;

/// Returns where the moves played from a position begin or arrive, or what they capture; all squares in a game with its own rules.
pub(crate) fn squares_played(squares: MoveSquares, game: &Game, at: &Position) -> Bitboard {
    if game.has_own_rules() {
        return Bitboard::FULL;
    }
    if at.last == at.id {
        return Bitboard::EMPTY;
    }
    game.children(at).fold(Bitboard::EMPTY, |found, after| {
        let both = steps(game, after).all();
        found
            | match squares {
                MoveSquares::From => both.map(|(from, _)| from).collect::<Bitboard>(),
                MoveSquares::To => both.map(|(_, to)| to).collect(),
                MoveSquares::Capture => after.arrival.captured.into_iter().collect(),
            }
    })
}

/// `from`: returns the origin of the move that led here.
pub(crate) fn origin(game: &Game, narrowed: Option<Narrowed>, at: &Position) -> Bitboard {
    moved(game, narrowed, at, |narrowed| narrowed.from, |step| step.0)
}

/// `to`: returns the destination of the move that led here.
pub(crate) fn destination(game: &Game, narrowed: Option<Narrowed>, at: &Position) -> Bitboard {
    moved(game, narrowed, at, |narrowed| narrowed.to, |step| step.1)
}

fn moved(
    game: &Game,
    narrowed: Option<Narrowed>,
    at: &Position,
    part: impl Fn(Narrowed) -> Bitboard,
    end: impl Fn((Square, Square)) -> Square,
) -> Bitboard {
    if let Some(squares) = narrowed.filter(|narrowed| narrowed.position == at.id) {
        return part(squares);
    }
    if at.arrival.kind == MoveKind::None {
        return Bitboard::EMPTY;
    }
    steps(game, at).all().map(end).collect()
}

impl Sides {
    pub(crate) fn new<'a>(
        left: &'a Option<Set>,
        right: &'a Option<Set>,
        context: &mut Context<'a>,
        at: &'a Position,
    ) -> Sides {
        let mut side = |set: &'a Option<Set>| match set {
            Some(set) => set.eval(context, at),
            None => Bitboard::FULL,
        };
        let left = side(left);
        Sides {
            left,
            right: side(right),
        }
    }
}

/// Passes the position after each move played here that fits a dash and after which the target has a value to `found`, with the squares of
/// `from` and `to` there and the value, until it returns `true`.
pub(crate) fn each_played<'a, E: Eval>(
    dash: &'a Dash,
    target: &'a E,
    context: &mut Context<'a>,
    at: &'a Position,
    found: &mut dyn FnMut(&'a Position, Narrowed, E::Value<'a>) -> bool,
) {
    if at.last == at.id {
        return;
    }
    let game = context.game;
    let sides = context.elsewhere(|context| Sides::new(&dash.left, &dash.right, context, at));
    for after in game.children(at) {
        let Some(narrowed) = sides.admit(game, dash.capture, None, after) else {
            continue;
        };
        // A set takes its value from the first move that fits, whether or not its target holds.
        let value = if promotes(&dash.promotion, after, context, at) {
            context.narrowed_to(Some(narrowed), |context| target.eval(context, after))
        } else {
            E::missing()
        };
        if !E::is_missing(&value) && found(after, narrowed, value) {
            return;
        }
    }
}

/// Returns the value of the target of a dash after the first fitting move played here.
pub(crate) fn played<'a, E: Eval>(
    dash: &'a Dash,
    target: &'a E,
    context: &mut Context<'a>,
    at: &'a Position,
) -> E::Value<'a> {
    let mark = context.comments.mark();
    let mut first = None;
    each_played(dash, target, context, at, &mut |_, _, value| {
        first = Some(value);
        true
    });
    first.unwrap_or_else(|| {
        context.comments.cut(mark);
        E::missing()
    })
}

/// Returns the value of the target of a dash if the move that led here fits.
pub(crate) fn arrived<'a, E: Eval>(
    dash: &'a Dash,
    target: &'a E,
    context: &mut Context<'a>,
    at: &'a Position,
) -> E::Value<'a> {
    let Some(before) = context.parent(at) else {
        return E::missing();
    };
    let mark = context.comments.mark();
    let sides = context.elsewhere(|context| Sides::new(&dash.left, &dash.right, context, before));
    let Some(narrowed) = sides.admit(context.game, dash.capture, None, at) else {
        context.comments.cut(mark);
        return E::missing();
    };
    let value = if promotes(&dash.promotion, at, context, before) {
        context.narrowed_to(Some(narrowed), |context| target.eval(context, at))
    } else {
        E::missing()
    };
    if E::is_missing(&value) {
        context.comments.cut(mark);
    }
    value
}

/// Returns how many of the moves played here fit a dash.
pub(crate) fn count_played<'a>(dash: &'a Dash, target: &'a Cond, context: &mut Context<'a>, at: &'a Position) -> i32 {
    let mut count = 0;
    each_played(dash, target.as_ref(), context, at, &mut |_, _, _| {
        count += 1;
        false
    });
    count
}

/// Returns whether the move that led to `after` promotes as required.
pub(crate) fn promotes<'a>(
    promotion: &'a Option<Promotion>,
    after: &Position,
    context: &mut Context<'a>,
    before: &'a Position,
) -> bool {
    let Some(promotion) = promotion else { return true };
    let Some(role) = after.arrival.promotion else {
        return false;
    };
    let letters = promotion_letters(promotion, context, before);
    becomes(promotion, letters.as_deref(), role)
}

/// Returns the letters of the pieces that pawns may become, if they are given by a string with a value.
pub(crate) fn promotion_letters<'a>(
    promotion: &'a Promotion,
    context: &mut Context<'a>,
    before: &'a Position,
) -> Option<Text<'a>> {
    match promotion {
        Promotion::Letters(letters) => context.elsewhere(|context| letters.eval(context, before)),
        Promotion::Any | Promotion::To(_) => None,
    }
}

/// Returns whether a pawn may become `role`. `letters` come from [`promotion_letters`].
pub(crate) fn becomes(promotion: &Promotion, letters: Option<&[u8]>, role: Role) -> bool {
    match promotion {
        Promotion::Any => true,
        Promotion::To(pieces) => pieces.contents.have(role),
        Promotion::Letters(_) => letters.is_some_and(|letters| {
            let letter = role.upper_char() as u8;
            letters.is_empty() || letters == b"." || letters.to_ascii_uppercase().contains(&letter)
        }),
    }
}

/// Returns the squares where legal moves arrive.
pub(crate) fn legal_squares<'a>(legal: &'a LegalDash, context: &mut Context<'a>, at: &'a Position) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    legal_moves(legal, context, at, &mut |_, arrivals| {
        found |= arrivals;
        false
    });
    found
}

/// Returns whether there is a legal move that fits.
pub(crate) fn any_legal<'a>(legal: &'a LegalDash, context: &mut Context<'a>, at: &'a Position) -> bool {
    let sides = context.elsewhere(|context| Sides::new(&legal.left, &legal.right, context, at));
    is_any_legal(legal, (sides.left, sides.right), context.game, context.branch, at)
}

/// Returns the same for a position that may be in a branch, and for moves between the given squares.
pub(crate) fn is_any_legal(
    legal: &LegalDash,
    (from, to): (Bitboard, Bitboard),
    game: &Game,
    branch: Option<&Branch<'_>>,
    at: &Position,
) -> bool {
    let arrivals = || branch::arrivals(branch, game, at);
    if legal.is_every_legal_move() {
        return crate::moves::count_legal(Counted::Moves, game, at, 0, &arrivals) > 0;
    }
    let mut any = false;
    each_piece(game, at, &legal.filter(from, to), &arrivals, &mut |_, _| {
        any = true;
        true
    });
    any
}

/// Returns the number of legal moves, counted by origin and arrival.
pub(crate) fn count_legal<'a>(legal: &'a LegalDash, context: &mut Context<'a>, at: &'a Position) -> i32 {
    let mut count = 0;
    legal_moves(legal, context, at, &mut |_, arrivals| {
        count += arrivals.count() as i32;
        false
    });
    count
}

/// Returns whether the number of all legal moves, or of the squares where they arrive, compares to a limit as stated. Counting stops beyond
/// the limit.
pub(crate) fn has_so_many(
    counted: Counted,
    (comparison, limit): (Comparison, i32),
    game: &Game,
    branch: Option<&Branch<'_>>,
    at: &Position,
) -> bool {
    let most = u32::try_from(limit).unwrap_or(0);
    let arrivals = || branch::arrivals(branch, game, at);
    let count = crate::moves::count_legal(counted, game, at, most, &arrivals);
    comparison.holds(i64::from(count), i64::from(limit))
}

/// Passes the origin and the arrivals of each piece's fitting legal moves to `found`, until it returns `true`.
pub(crate) fn legal_moves<'a>(
    legal: &'a LegalDash,
    context: &mut Context<'a>,
    at: &'a Position,
    found: &mut dyn FnMut(Square, Bitboard) -> bool,
) {
    let sides = context.elsewhere(|context| Sides::new(&legal.left, &legal.right, context, at));
    let filter = legal.filter(sides.left, sides.right);
    each_piece(context.game, at, &filter, &|| context.arrivals(at), found);
}

/// The values of the sets of a `move` filter.
struct MoveSets {
    from: Bitboard,
    to: Bitboard,
    capture: Option<Bitboard>,
    en_passant_square: Option<Bitboard>,
}

impl MoveSets {
    fn new<'a>(parameters: &'a Move, context: &mut Context<'a>, at: &'a Position) -> MoveSets {
        let mut of = |set: &'a Option<Set>| set.as_ref().map(|set| set.eval(context, at));
        let from = of(&parameters.from).unwrap_or(Bitboard::FULL);
        let to = of(&parameters.to).unwrap_or(Bitboard::FULL);
        let capture = of(&parameters.capture);
        MoveSets {
            from,
            to,
            capture,
            en_passant_square: of(&parameters.en_passant_square),
        }
    }
}

/// Returns whether a move fits.
pub(crate) fn any_move<'a>(parameters: &'a Move, context: &mut Context<'a>, at: &'a Position) -> bool {
    match parameters.source {
        MoveSource::Continuations | MoveSource::Previous => {
            let mut any = false;
            for_each_fitting(parameters, context, at, |_| any = true);
            any
        }
        MoveSource::Legal | MoveSource::Pseudolegal => generated(parameters, context, at, |_, _| ()) > 0,
    }
}

/// Returns the requested squares of all fitting moves.
pub(crate) fn move_squares<'a>(parameters: &'a Move, context: &mut Context<'a>, at: &'a Position) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    match parameters.source {
        MoveSource::Continuations | MoveSource::Previous => for_each_fitting(parameters, context, at, |after| {
            let arrival = &after.arrival;
            let square = match parameters.value {
                Some(MoveSquares::From) => Some(arrival.from),
                Some(MoveSquares::To) => Some(arrival.to),
                Some(MoveSquares::Capture) | None => arrival.captured,
            };
            found |= square.map_or(Bitboard::EMPTY, Bitboard::from);
        }),
        MoveSource::Legal | MoveSource::Pseudolegal => {
            generated(parameters, context, at, |from, arrivals| match parameters.value {
                Some(MoveSquares::From) => found.add(from),
                _ => found |= arrivals,
            });
        }
    }
    found
}

/// Returns the value of `move … legal count`.
pub(crate) fn count_move_legal<'a>(parameters: &'a Move, context: &mut Context<'a>, at: &'a Position) -> i32 {
    generated(parameters, context, at, |_, _| ())
}

/// Passes the position after each fitting move that was played to `found`.
pub(crate) fn for_each_fitting<'a>(
    parameters: &'a Move,
    context: &mut Context<'a>,
    at: &'a Position,
    mut found: impl FnMut(&Position),
) {
    let game = context.game;
    let previous = parameters.source == MoveSource::Previous;
    let before = if previous {
        context.parent(at)
    } else {
        Some(at).filter(|at| at.last > at.id)
    };
    let Some(before) = before else { return };
    let sets = context.elsewhere(|context| MoveSets::new(parameters, context, before));
    let only = match context.line_item {
        _ if previous => Some(at.id),
        // There is no move after the last position.
        Some(item) if parameters.tied && item.at == at.id => Some(item.next.unwrap_or(0)),
        _ => None,
    };
    for after in game
        .children(before)
        .filter(|after| only.is_none_or(|only| only == after.id))
    {
        if fits(parameters, &sets, after) {
            found(after);
            if let Some(comment) = &parameters.comment {
                context.elsewhere(|context| text::comment(&comment.items, comment.span, context, after));
            }
        }
    }
}

/// Returns whether the move that led to `after` meets all conditions.
fn fits(parameters: &Move, sets: &MoveSets, after: &Position) -> bool {
    let arrival = &after.arrival;
    let taken_from = |set: &Bitboard| arrival.captured.is_some_and(|captured| set.contains(captured));
    let is = |special: &SpecialMove| special.includes(arrival.kind);
    parameters.special.iter().all(is)
        && sets.from.contains(arrival.from)
        && sets.to.contains(arrival.to)
        && sets.capture.as_ref().is_none_or(taken_from)
        && sets.en_passant_square.as_ref().is_none_or(taken_from)
        && parameters
            .promote
            .is_none_or(|pieces| arrival.promotion.is_some_and(|role| pieces.contents.have(role)))
        && (!parameters.null || arrival.kind == MoveKind::Null)
        && parameters.primary.is_none_or(|primary| primary == (after.choice == 0))
}

/// Passes the origin and the arrivals of each piece with fitting legal moves to `found`. Returns the number of moves.
pub(crate) fn generated<'a>(
    parameters: &'a Move,
    context: &mut Context<'a>,
    at: &'a Position,
    mut found: impl FnMut(Square, Bitboard),
) -> i32 {
    let sets = context.elsewhere(|context| MoveSets::new(parameters, context, at));
    let special = match parameters.special[..] {
        [] => None,
        [special] => Some(special),
        // No move is of two special kinds.
        _ => return 0,
    };
    let filter = MoveFilter {
        pseudo: parameters.source == MoveSource::Pseudolegal,
        special,
        from: sets.from,
        to: sets.to,
        captured: sets.en_passant_square,
        ..MoveFilter::LEGAL
    };
    let mut count = 0;
    each_piece(
        context.game,
        at,
        &filter,
        &|| context.arrivals(at),
        &mut |from, arrivals| {
            count += arrivals.count() as i32;
            found(from, arrivals);
            false
        },
    );
    count
}
