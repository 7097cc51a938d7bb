//! Finds out in which form each part of a query is evaluated.

use super::explanation::{
    Explanation, Form, Hindrance, InGame, Join, Part, PathStrategy, Reading, SerialCause, Shortcut, SideEffect, reach,
    search,
};
use crate::query::ast::echo::{Echo, JoinSide};
use crate::query::ast::facts::Reads;
use crate::query::ast::moves::{Lookahead, MoveSource};
use crate::query::ast::node::{Cond, Expression, Node, Set};
use crate::query::ast::numbers::NumExpr;
use crate::query::ast::paths::{Line, Path};
use crate::query::ast::sets::SetExpr;
use crate::query::ast::versions::Versions;
use crate::query::ast::visit;
use crate::query::ast::visit::{Child, Children};
use crate::query::ast::{CondExpr, Effect, Find, Flow, Loop, PosExpr, StrExpr};
use crate::query::compiled::Query;
use crate::query::facts::bindings::Bindings;
use crate::syntax::token::Span;

/// Explains a query.
pub fn explain(query: &Query) -> Explanation {
    let in_body = |filter: &Cond| {
        let in_game = match filter.facts.is_of_game() {
            false => InGame::Varies,
            true if is_declaration(filter) => InGame::Varies,
            true => InGame::Same,
        };
        Part {
            in_game,
            ..whole(filter)
        }
    };
    let selection = query.narrowing.iter().chain(&query.selection);
    let mut explanation = Explanation {
        once_per_game: without_declarations(selection).map(whole).collect(),
        prefilter: query.prefilter.clone(),
        decided_side_by_side: query.verdict.is_some(),
        each_position: body(query).map(in_body).collect(),
        reading: Reading {
            games: query.header.games,
            results: !query.header.results.is_empty(),
            without_matches: query.header.matches(0),
            game_prefilter: query.game_prefilter.clone(),
            variations: query.header.variations,
            notes: query.reads.contains(Reads::NOTES),
            commands: query.reads.contains(Reads::COMMANDS),
            identities: query.reads.contains(Reads::IDENTITIES),
            last_game_number: query.first_reader(Reads::LAST_GAME_NUMBER),
            sort_keys: query.sort_keys.len(),
        },
        serial: serial_causes(query),
    };
    let mut bindings = Vec::new();
    collect_locals(Child::Condition(&query.body), &query.bindings, &mut bindings);
    let Explanation {
        once_per_game,
        each_position,
        ..
    } = &mut explanation;
    tell_locals(once_per_game, &bindings);
    tell_locals(each_position, &bindings);
    explanation
}

/// Collects the texts of assignments that are only used in the rest of their block, and their forms.
fn collect_locals(child: Child<'_>, bindings: &Bindings, found: &mut Vec<(Span, Form)>) {
    if let Child::Condition(condition) = &child
        && let CondExpr::Assign(assignment) = &condition.kind
    {
        if bindings.named(condition).is_some() {
            found.push((condition.span, Form::Name));
        } else if bindings.has_value(assignment.variable()) {
            found.push((condition.span, Form::Local));
        }
    }
    child.parts(&mut |part| collect_locals(part, bindings, found));
}

/// Distinguishes these assignments from those that can be observed.
fn tell_locals(parts: &mut [Part], bindings: &[(Span, Form)]) {
    for part in parts {
        if part.form == Form::SideEffect(SideEffect::Assigns)
            && let Some((_, form)) = bindings.iter().find(|(span, _)| *span == part.span)
        {
            part.form = *form;
        }
        tell_locals(&mut part.parts, bindings);
    }
}

/// Returns the filters of the body, in order. One that holds anywhere is left out if it stands for those that are asked once per game.
fn body(query: &Query) -> impl Iterator<Item = &Cond> {
    let (tests, last): (&[Cond], _) = match &query.body.kind {
        CondExpr::Flow(Flow::Block { tests, value }) => (tests.as_slice(), value),
        _ => (&[], &query.body),
    };
    let is_asked = move |last: &&Cond| query.selection.is_empty() || !is_declaration(last);
    without_declarations(tests.iter()).chain(Some(last).filter(is_asked))
}

fn without_declarations<'q>(filters: impl Iterator<Item = &'q Cond>) -> impl Iterator<Item = &'q Cond> {
    filters.filter(|filter| !is_declaration(filter))
}

/// Returns whether a filter always matches, as declarations of functions and dictionaries do.
fn is_declaration(filter: &Cond) -> bool {
    matches!(filter.kind, CondExpr::Constant(true))
}

fn serial_causes(query: &Query) -> Vec<SerialCause> {
    let variables = query.persistent.iter().map(|persistent| &persistent.name).cloned();
    let dictionaries = query.dictionaries.iter().filter(|dictionary| !dictionary.local);
    variables
        .map(SerialCause::Variable)
        .chain(dictionaries.map(|dictionary| SerialCause::Dictionary(dictionary.name.clone())))
        .chain(query.file_access.map(SerialCause::File))
        .collect()
}

/// Returns a filter of the body as a part, even if there is nothing to explain.
fn whole(condition: &Cond) -> Part {
    let mut parts = Vec::new();
    collect(Child::Condition(condition), &mut parts);
    match parts.as_mut_slice() {
        // A filter that only tests the value of its part has nothing of its own to explain.
        [part] if part.span == condition.span => parts.remove(0),
        _ => Part {
            span: condition.span,
            form: Form::Plain,
            hindrance: None,
            in_game: InGame::Varies,
            cost: condition.facts.cost,
            parts,
        },
    }
}

/// The form in which an expression is evaluated, if that is worth explaining.
type Noted = Option<(Form, Option<Hindrance>)>;

/// Collects the outermost parts of an expression that are worth explaining.
fn collect(child: Child<'_>, parts: &mut Vec<Part>) {
    match child {
        Child::Set(set) => add(set_form(set), set, parts),
        Child::Number(number) => add(number_form(&number.kind), number, parts),
        Child::String(string) => add(string_form(&string.kind), string, parts),
        Child::Position(position) => add(position_form(&position.kind), position, parts),
        Child::Condition(condition) if passes_argument(condition) => {
            condition.kind.children(&mut |part| collect(part, parts));
        }
        Child::Condition(condition) => add(condition_form(&condition.kind), condition, parts),
        other => first_copy(other, &mut |part| collect(part, parts)),
    }
}

fn add<E: Expression>(noted: Noted, expression: &Node<E>, parts: &mut Vec<Part>) {
    let Some((form, hindrance)) = noted else {
        expression.kind.children(&mut |part| collect(part, parts));
        return;
    };
    let mut inside = Vec::new();
    if form.evaluates_parts() {
        expression.kind.children(&mut |part| collect(part, &mut inside));
    }
    parts.push(Part {
        span: expression.span,
        form,
        hindrance,
        in_game: InGame::Varies,
        cost: expression.facts.cost,
        parts: inside,
    });
}

/// Passes the direct parts to `visit`. Of versions, only the first copy is passed: the others differ only in squares, directions and
/// colours.
fn first_copy(child: Child<'_>, visit: &mut dyn FnMut(Child<'_>)) {
    fn first<N: visit::Subtree>(versions: &Versions<N>, visit: &mut dyn FnMut(Child<'_>)) {
        if let Some(copy) = versions.copies.first() {
            copy.child(visit);
        }
    }
    match child {
        Child::SetVersions(versions) => first(versions, visit),
        Child::NumberVersions(versions) => first(versions, visit),
        Child::ConditionVersions(versions) => first(versions, visit),
        other => other.parts(visit),
    }
}

fn set_form(set: &Set) -> Noted {
    match &set.kind {
        SetExpr::Squares(squares) => Some(rounds(squares)),
        SetExpr::Pieces(pieces) => Some(rounds(pieces)),
        // It is the domain of a loop that goes square by square.
        SetExpr::FusedLoop(fused) if fused.domain.span == set.span => Some((Form::Narrowed, None)),
        SetExpr::FusedLoop(_) => Some((Form::Together, None)),
        SetExpr::Legal(_) => Some((Form::LegalMoves, None)),
        SetExpr::Lookahead(moves) => Some(tried(moves)),
        SetExpr::Move(parameters) => generated(parameters.source),
        SetExpr::Versions(versions) => Some(copies(versions)),
        _ => None,
    }
}

fn number_form(number: &NumExpr) -> Noted {
    match number {
        NumExpr::Find(find, _) => Some(find_form(find)),
        NumExpr::Echo(echo) => Some(echo_form(echo)),
        NumExpr::ConsecutiveMoves(_) => Some((Form::Runs, None)),
        NumExpr::CountLegal(_) => Some((Form::LegalMoves, None)),
        NumExpr::CountLookahead(moves) => Some(tried(moves)),
        NumExpr::Flow(Flow::Lookahead(..)) => Some((Form::TriedMoves, None)),
        NumExpr::CountMoveLegal(parameters) => generated(parameters.source),
        NumExpr::Sort(..) | NumExpr::SortSet(..) => Some((Form::SideEffect(SideEffect::Sorts), None)),
        NumExpr::Path(path) => Some(path_form(path)),
        NumExpr::Line(line) => Some(line_form(line)),
        NumExpr::Versions(versions) => Some(copies(versions)),
        NumExpr::CountVersions(versions, _) => Some(copies(versions)),
        _ => None,
    }
}

fn string_form(string: &StrExpr) -> Noted {
    match string {
        StrExpr::Sort(..) => Some((Form::SideEffect(SideEffect::Sorts), None)),
        StrExpr::Flow(Flow::Lookahead(..)) => Some((Form::TriedMoves, None)),
        _ => None,
    }
}

fn position_form(position: &PosExpr) -> Noted {
    match position {
        PosExpr::Find(find) => Some(find_form(find)),
        PosExpr::Path(path) => Some(path_form(path)),
        PosExpr::Line(line) => Some(line_form(line)),
        _ => None,
    }
}

fn condition_form(condition: &CondExpr) -> Noted {
    let form = match condition {
        CondExpr::Placement(designators) => Form::Placement(designators.len()),
        CondExpr::AllFused(_) => Form::Together,
        CondExpr::Mate => Form::Mate,
        CondExpr::Stalemate => Form::Stalemate,
        CondExpr::Loop(_) | CondExpr::While { .. } | CondExpr::WhileMatch { .. } => Form::Repeats,
        CondExpr::AllSquares(squares) => return Some(rounds(squares)),
        CondExpr::AllPieces(pieces) => return Some(rounds(pieces)),
        CondExpr::Move(parameters) => return generated(parameters.source),
        CondExpr::AllLookahead(_) => Form::TriedMoves,
        CondExpr::Versions(versions) => return Some(copies(versions)),
        CondExpr::Echo(echo) => return Some(echo_form(echo)),
        other => Form::SideEffect(deed(other)?),
    };
    Some((form, None))
}

fn tried(moves: &Lookahead) -> (Form, Option<Hindrance>) {
    let form = match (moves.required, &moves.target) {
        (Some(_), _) => Form::CheckingMoves,
        (None, Some(_)) => Form::TriedMoves,
        (None, None) => Form::LegalMoves,
    };
    (form, None)
}

fn generated(source: MoveSource) -> Noted {
    matches!(source, MoveSource::Legal | MoveSource::Pseudolegal).then_some((Form::LegalMoves, None))
}

fn rounds<V>(squares: &Loop<V>) -> (Form, Option<Hindrance>) {
    let hindrance = if squares.effect == Effect::None {
        Hindrance::Body
    } else {
        first_deed(&squares.body)
    };
    (Form::Rounds, Some(hindrance))
}

fn copies<N: visit::Subtree>(versions: &Versions<N>) -> (Form, Option<Hindrance>) {
    let shortcut = match &versions.guard {
        Some(guard) if versions.pure => match guard.formation {
            Some(_) => Shortcut::Formation {
                complete: guard.complete,
            },
            None => Shortcut::Pieces {
                complete: guard.complete,
            },
        },
        _ => Shortcut::None,
    };
    let form = Form::Versions {
        copies: versions.copies.len(),
        shortcut,
    };
    let hindrance = match versions.copies.first() {
        Some(copy) if !versions.pure => Some(first_deed(copy)),
        _ => None,
    };
    (form, hindrance)
}

fn find_form(find: &Find) -> (Form, Option<Hindrance>) {
    if let (Some(reach), Some(lookup)) = (reach(find.effect_if_bound), &find.lookup) {
        return (Form::LookedUp(reach, lookup.equations.len()), None);
    }
    match (reach(find.effect), find.memo) {
        (Some(reach), Some(_)) => (Form::Remembered(reach), None),
        (Some(_), None) => (Form::Tried, Some(Hindrance::State)),
        (None, _) => (Form::Tried, Some(first_deed(&find.body))),
    }
}

fn echo_form(echo: &Echo) -> (Form, Option<Hindrance>) {
    let Some(reach) = reach(echo.effect) else {
        return (Form::AllPairs, Some(search_deed(|visit| echo.children(visit))));
    };
    let count = |subject| echo.tests.iter().filter(|test| test.subject == subject).count();
    let join = Join {
        reach,
        of_source: count(JoinSide::Source),
        of_target: count(JoinSide::Target),
        of_pair: count(JoinSide::Pair) + usize::from(echo.value.is_some()),
        equations: echo.plan.equations.len(),
        spans: echo.plan.spans.len(),
    };
    (Form::Joined(join), None)
}

fn path_form(path: &Path) -> (Form, Option<Hindrance>) {
    let search = search(path.program.is_ambiguous(), path.effect);
    let hindrance = (search == PathStrategy::AllWays).then(|| search_deed(|visit| path.children(visit)));
    let any = path.any && search != PathStrategy::AllWays && path.effect != Effect::Any;
    (Form::Sequence { search, any }, hindrance)
}

fn line_form(line: &Line) -> (Form, Option<Hindrance>) {
    let search = search(line.program.is_ambiguous(), line.effect);
    let hindrance = (search == PathStrategy::AllWays).then(|| search_deed(|visit| line.children(visit)));
    (Form::Sequence { search, any: false }, hindrance)
}

/// Returns the first effect in an expression.
fn first_deed<N: visit::Subtree>(expression: &N) -> Hindrance {
    search_deed(|visit| expression.child(visit))
}

/// Returns the first effect in the parts that `show` passes, or an effect without a place if no single filter has one.
fn search_deed(show: impl FnOnce(&mut dyn FnMut(Child<'_>))) -> Hindrance {
    fn look(child: Child<'_>, found: &mut Option<Hindrance>) {
        if found.is_some() {
            return;
        }
        *found = match &child {
            Child::Condition(condition) if passes_argument(condition) => None,
            Child::Condition(condition) => {
                deed(&condition.kind).map(|deed| Hindrance::SideEffect(deed, condition.span))
            }
            Child::Number(number) => number_deed(&number.kind).map(|deed| Hindrance::SideEffect(deed, number.span)),
            Child::String(string) if matches!(string.kind, StrExpr::Sort(..)) => {
                Some(Hindrance::SideEffect(SideEffect::Sorts, string.span))
            }
            _ => None,
        };
        first_copy(child, &mut |part| look(part, found));
    }
    let mut found = None;
    show(&mut |child| look(child, &mut found));
    found.unwrap_or(Hindrance::Effect)
}

fn number_deed(number: &NumExpr) -> Option<SideEffect> {
    matches!(number, NumExpr::Sort(..) | NumExpr::SortSet(..)).then_some(SideEffect::Sorts)
}

/// Returns whether a condition assigns an argument in the call of a function. Its text is only the value, while assignments in the query
/// begin with a name.
fn passes_argument(condition: &Node<CondExpr>) -> bool {
    match &condition.kind {
        CondExpr::Assign(assignment) => assignment.value_span() == Some(condition.span),
        _ => false,
    }
}

/// Returns the effect of a condition itself, not of its parts.
fn deed(condition: &CondExpr) -> Option<SideEffect> {
    Some(match condition {
        CondExpr::Assign(_) => SideEffect::Assigns,
        CondExpr::Dictionary(..) => SideEffect::ChangesDictionary,
        CondExpr::Message { .. } => SideEffect::WritesMessage,
        CondExpr::Comment(_) => SideEffect::WritesComment,
        CondExpr::RemoveComment => SideEffect::RemovesComment,
        CondExpr::SetTag(..) => SideEffect::SetsTag,
        CondExpr::Column(..) => SideEffect::KeepsValue,
        CondExpr::WriteFile { .. } => SideEffect::WritesFile,
        CondExpr::Assert(_) | CondExpr::Abort => SideEffect::MayEndRun,
        _ => return None,
    })
}
