//! What evaluating an expression once costs, by a simple model. It is an estimate to compare parts of queries by, not a
//! measurement, and decides nothing: what is tried first is decided in `query::facts::cost`, by costs of its own for the few filters
//! that may change places, and before loops and sequences have the forms that are weighed here.
//!
//! The unit is the test of one designator. A filter costs one and what its parts cost; those that look at rays, moves or
//! texts cost what the constants below say. Every part counts as if it were reached, and:
//!
//! * a loop over squares costs its body once for each square of its domain; where pieces are asked for, for [`PIECES`];
//! * copies of a transform cost what they cost one by one; where their pieces are compared first, the pieces once and a copy in
//!   [`COPIES_LEFT`];
//! * what is remembered position by position is evaluated once at a position; otherwise `find` tries half of the
//!   [`POSITIONS`] of a game;
//! * `echo` asks the source once and the target once a game at each position; pairs with all positions of a game, or
//!   with [`FEW`] if values are looked up;
//! * `path` and `line` take their steps once, [`LENGTH`] times if some repeat without a fixed number, and [`WAYS`] times as
//!   often if all ways are tried.

use super::explanation::{Ways, reach, search};
use crate::board::Contents;
use crate::query::ast::echo::{Echo, JoinSide};
use crate::query::ast::moves::{Lookahead, MoveSource};
use crate::query::ast::node::{Flow, Set};
use crate::query::ast::numbers::{Fact, NumExpr};
use crate::query::ast::paths::{Line, Path};
use crate::query::ast::program::{Program, Step};
use crate::query::ast::sets::SetExpr;
use crate::query::ast::versions::Versions;
use crate::query::ast::visit::{Child, Children, Subtree};
use crate::query::ast::{CondExpr, Effect, Find, Loop, PosExpr, StrExpr};

/// The positions of a game.
const POSITIONS: f64 = 80.0;
/// The pieces that a designator finds.
const PIECES: f64 = 8.0;
/// One in so many copies has to be evaluated after its pieces have been compared.
const COPIES_LEFT: f64 = 16.0;
/// A small number of rounds, ways or positions.
const FEW: f64 = 2.0;
/// The moves of a sequence that may be of any length.
const LENGTH: f64 = 10.0;
/// The ways through a sequence of moves that fits in many.
const WAYS: f64 = 16.0;
/// The rounds of `loop` and `while`.
const ROUNDS: f64 = 8.0;

/// Attacks of pieces on pieces.
const ATTACKS: f64 = 4.0;
/// Rays between two sets.
const RAY: f64 = 4.0;
/// Pins.
const PINS: f64 = 8.0;
/// Where lines cross.
const CROSSINGS: f64 = 4.0;
/// Pawn structure.
const PAWNS: f64 = 4.0;
/// The played move or moves.
const PLAYED_MOVES: f64 = 4.0;
/// All legal moves.
const LEGAL_MOVES: f64 = 60.0;
/// Moves that are tried, of which there are about so many.
const TRIALS: f64 = 30.0;
/// The moves that can give check.
const CHECKING_MOVES: f64 = 12.0;
/// Check, and a mate where there is check now and then.
const CHECK: f64 = 4.0;
/// A tag.
const TAG: f64 = 2.0;
/// A look into tablebases, mostly one for each capture.
const TABLEBASE: f64 = 40.0;
/// A search for a regular expression.
const PATTERN: f64 = 20.0;
/// Putting a text together.
const TEXT: f64 = 20.0;

/// The cost of evaluating an expression once.
pub(super) fn of<N: Subtree>(expression: &N) -> f64 {
    let mut sum = 0.0;
    expression.child(&mut |child| sum += cost(child));
    sum
}

fn cost(child: Child<'_>) -> f64 {
    match child {
        Child::Set(set) => match &set.kind {
            SetExpr::Squares(squares) => over(squares),
            SetExpr::Pieces(pieces) => over(pieces),
            SetExpr::Versions(versions) => copies(versions),
            kind => own_of_set(kind) + parts(|visit| kind.children(visit)),
        },
        Child::Number(number) => match &number.kind {
            NumExpr::Find(find, _) => found(find),
            NumExpr::Echo(echo) => paired(echo),
            NumExpr::Path(path) => by_path(path),
            NumExpr::Line(line) => by_line(line),
            NumExpr::Versions(versions) => copies(versions),
            NumExpr::CountVersions(versions, _) => copies(versions),
            kind => own_of_number(kind) + parts(|visit| kind.children(visit)),
        },
        Child::String(string) => own_of_string(&string.kind) + parts(|visit| string.kind.children(visit)),
        Child::Position(position) => match &position.kind {
            PosExpr::Find(find) => found(find),
            PosExpr::Path(path) => by_path(path),
            PosExpr::Line(line) => by_line(line),
            PosExpr::Flow(flow) => own_of_flow(flow) + parts(|visit| position.kind.children(visit)),
            kind => 1.0 + parts(|visit| kind.children(visit)),
        },
        Child::Condition(condition) => match &condition.kind {
            CondExpr::AllSquares(squares) => over(squares),
            CondExpr::AllPieces(pieces) => over(pieces),
            CondExpr::Echo(echo) => paired(echo),
            CondExpr::Versions(versions) => copies(versions),
            CondExpr::Loop(_) | CondExpr::While { .. } | CondExpr::WhileMatch { .. } => {
                ROUNDS * parts(|visit| condition.kind.children(visit))
            }
            kind => own_of_condition(kind) + parts(|visit| kind.children(visit)),
        },
        other => parts(|visit| other.parts(visit)),
    }
}

/// The cost of moves that are tried, without the first look at their target, which is one of their parts.
fn tried(moves: &Lookahead) -> f64 {
    match moves.required {
        Some(_) => CHECKING_MOVES,
        None => LEGAL_MOVES + after_each(moves),
    }
}

/// The cost of playing moves and asking their target again after each of them.
fn after_each(moves: &Lookahead) -> f64 {
    let target = moves.target.as_ref();
    target.map_or(0.0, |target| TRIALS * (1.0 + of(target)))
}

/// The sum of the costs of the parts that `show` shows.
fn parts(show: impl FnOnce(&mut dyn FnMut(Child<'_>))) -> f64 {
    let mut sum = 0.0;
    show(&mut |part| sum += cost(part));
    sum
}

fn over<V>(squares: &Loop<V>) -> f64 {
    of(&squares.domain) + rounds(&squares.domain) * (1.0 + of(&squares.body))
}

/// How often a loop over a domain goes round.
fn rounds(domain: &Set) -> f64 {
    match &domain.kind {
        SetExpr::Designator(designator) => {
            let squares = f64::from(designator.squares.count() as u32);
            let empty = designator.contents.intersects(Contents::EMPTY);
            if empty { squares } else { squares.min(PIECES) }
        }
        SetExpr::Constant(squares) => f64::from(squares.count() as u32),
        _ => PIECES,
    }
}

fn copies<N: Subtree>(versions: &Versions<N>) -> f64 {
    let all: f64 = versions.copies.iter().map(of).sum();
    match &versions.guard {
        Some(guard) if versions.pure => {
            let pieces = guard.contents.len() as f64;
            let compared = if guard.figure.is_some() {
                pieces
            } else {
                pieces + versions.copies.len() as f64 / FEW
            };
            compared + if guard.complete { 0.0 } else { all / COPIES_LEFT }
        }
        _ => all,
    }
}

fn found(find: &Find) -> f64 {
    let body = of(&find.body);
    if find.memo.is_some() && reach(find.effect).is_some() {
        1.0 + body
    } else if find.lookup.is_some() && reach(find.effect_if_bound).is_some() {
        1.0 + FEW * body
    } else {
        1.0 + POSITIONS / FEW * body
    }
}

fn paired(echo: &Echo) -> f64 {
    let pairs = if echo.effect == Effect::Any || echo.plan.equations.is_empty() {
        POSITIONS
    } else {
        FEW
    };
    let mut sum = pairs;
    for test in &echo.tests {
        let times = match test.subject {
            JoinSide::Source | JoinSide::Target if echo.effect != Effect::Any => 1.0,
            _ => pairs,
        };
        sum += times * of(&test.condition);
    }
    sum + echo.value.as_ref().map_or(0.0, |value| pairs * of(value))
}

fn by_path(path: &Path) -> f64 {
    let steps = PLAYED_MOVES * path.program.steps().count() as f64 + parts(|visit| path.children(visit));
    1.0 + rounds_of(&path.program, path.effect) * steps
}

fn by_line(line: &Line) -> f64 {
    1.0 + rounds_of(&line.program, line.effect) * parts(|visit| line.children(visit))
}

/// How often the steps of a program are taken.
fn rounds_of<S: Step>(program: &Program<S>, effect: Effect) -> f64 {
    let length = if program.has_rounds() { LENGTH } else { 1.0 };
    match search(program.is_ambiguous(), effect) {
        Ways::OneWay | Ways::Memoised(_) => length,
        Ways::AllWays => WAYS * length,
    }
}

fn own_of_flow<N>(flow: &Flow<N>) -> f64 {
    match flow {
        Flow::Group(_) | Flow::Block { .. } | Flow::Call { .. } | Flow::Fixed(_) => 0.0,
        Flow::If { .. } | Flow::At { .. } => 1.0,
        Flow::Entry { .. } => TEXT,
        Flow::Dash(..) | Flow::Previous(..) => PLAYED_MOVES,
        Flow::Lookahead(..) => LEGAL_MOVES + TRIALS,
        Flow::Imagined(..) => CHECK,
    }
}

fn of_moves(source: MoveSource) -> f64 {
    match source {
        MoveSource::Continuations | MoveSource::Previous => PLAYED_MOVES,
        MoveSource::Legal | MoveSource::Pseudolegal => LEGAL_MOVES,
    }
}

fn own_of_set(set: &SetExpr) -> f64 {
    match set {
        SetExpr::Flow(flow) => own_of_flow(flow),
        SetExpr::Attackers { .. } | SetExpr::Attacked { .. } => ATTACKS,
        SetExpr::Line(line) => RAY * line.sets.len().saturating_sub(1).max(1) as f64,
        SetExpr::Intersections(_) => CROSSINGS,
        SetExpr::Pin(_) => PINS,
        SetExpr::Pawns(_) => PAWNS,
        SetExpr::Mate(_) | SetExpr::Absence(_) => CHECK,
        SetExpr::PromotedPieces | SetExpr::Played(_) => PLAYED_MOVES,
        SetExpr::Move(parameters) => of_moves(parameters.source),
        SetExpr::Legal(_) => LEGAL_MOVES,
        SetExpr::Lookahead(moves) => tried(moves),
        _ => 1.0,
    }
}

fn own_of_number(number: &NumExpr) -> f64 {
    match number {
        NumExpr::Flow(flow) => own_of_flow(flow),
        NumExpr::Literal(_) => 0.0,
        NumExpr::Rating(_) | NumExpr::BestRating | NumExpr::Year | NumExpr::TimeControl(_) => TAG,
        NumExpr::Fact(Fact::HalfmoveClock) => PLAYED_MOVES,
        NumExpr::Endgame { .. } => TABLEBASE,
        NumExpr::CountLegal(_) => LEGAL_MOVES,
        NumExpr::CountLookahead(moves) => tried(moves),
        NumExpr::CountMoveLegal(parameters) => of_moves(parameters.source),
        NumExpr::CountMoves(..) => PLAYED_MOVES,
        _ => 1.0,
    }
}

fn own_of_string(string: &StrExpr) -> f64 {
    match string {
        StrExpr::Flow(flow) => own_of_flow(flow),
        StrExpr::Literal(_) => 0.0,
        StrExpr::Match { .. } => PATTERN,
        StrExpr::Text(_)
        | StrExpr::Fen
        | StrExpr::CurrentFen
        | StrExpr::ZobristKey
        | StrExpr::Replace(..)
        | StrExpr::ReadFile(_) => TEXT,
        StrExpr::Player(_) | StrExpr::Players | StrExpr::GameTag(_) | StrExpr::Tag(_) | StrExpr::PlayerTag(_) => TAG,
        _ => 1.0,
    }
}

fn own_of_condition(condition: &CondExpr) -> f64 {
    match condition {
        CondExpr::Flow(flow) => own_of_flow(flow),
        CondExpr::Constant(_)
        | CondExpr::NonEmpty(_)
        | CondExpr::HasNumber(_)
        | CondExpr::HasString(_)
        | CondExpr::HasPosition(_)
        | CondExpr::Not(_)
        | CondExpr::And(..)
        | CondExpr::Or(..) => 0.0,
        CondExpr::Placement(designators) => designators.len() as f64,
        CondExpr::Check | CondExpr::Mate | CondExpr::LegalPosition => CHECK,
        CondExpr::Move(parameters) => of_moves(parameters.source),
        CondExpr::AllLookahead(moves) => LEGAL_MOVES + after_each(moves),
        CondExpr::Message { .. } | CondExpr::Comment(_) | CondExpr::SetTag(..) | CondExpr::WriteFile { .. } => TEXT,
        CondExpr::Dictionary(..) => TEXT,
        _ => 1.0,
    }
}
