//! What the evaluation may remember: after a query is built, each `find` and each `echo` learns which of its parts depend on
//! what, so that relations between positions need not be tried pair by pair.
//!
//! A filter without effects whose value depends on nothing but the game and the current position is evaluated once for each
//! position. A relation between two positions becomes a join: what it asks of the source alone and of the target alone is
//! taken out of the pairs, and targets are looked up by the values that it equates.

mod dependencies;
mod joins;

use std::collections::HashSet;

use crate::query::ast::echo::{Echo, EchoPlan, Subject};
use crate::query::ast::node::{Cond, Flow, Set, node};
use crate::query::ast::numbers::SetNumber;
use crate::query::ast::variables::{PersistentVariable, Variable};
use crate::query::ast::visit::{Child, ChildMut};
use crate::query::ast::{Assignment, CondExpr, Find, Lookup, NumExpr, PosExpr, SetExpr, StrExpr};
use crate::query::columns::CondColumn;
use crate::query::facts::bindings::Locals;
use crate::query::shortcuts::Shortcuts;
use dependencies::Reader;

/// How many memos of each kind a query needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoCounts {
    /// For `find` of what depends on nothing but the position.
    pub finds: u32,
    /// For `find` by values that are looked up.
    pub lookups: u32,
    /// For `echo`.
    pub echoes: u32,
}

/// Plans all relations of a query; without [`Shortcuts::MEMOS`] so that each is tried at all pairs of positions.
pub(crate) fn plan(body: &mut Cond, persistent: &[PersistentVariable], shortcuts: Shortcuts) -> MemoCounts {
    let scope = Scope::of(body, persistent);
    let mut reader = Reader::planning(&scope.assigned);
    reader.condition(body);
    let (mut plans, memos) = reader.into_plans();
    if !shortcuts.contains(Shortcuts::MEMOS) {
        plans.iter_mut().for_each(Plan::try_all);
    }
    follow(plans, |plans| plan_parts(ChildMut::Condition(body), plans));
    memos
}

/// What was found out about a `find` or an `echo`.
enum Plan {
    /// The memo of a `find`, if it has one, or how its positions are looked up.
    Find(Option<u32>, Option<Lookup>),
    /// What the tests of an `echo` depend on, and how its targets are found.
    Echo(Vec<Subject>, EchoPlan),
}

impl Plan {
    /// Makes it a plan by which nothing is remembered or looked up.
    fn try_all(&mut self) {
        match self {
            Plan::Find(memo, lookup) => (*memo, *lookup) = (None, None),
            Plan::Echo(subjects, plan) => {
                subjects.fill(Subject::Pair);
                plan.equations.clear();
                plan.spans.clear();
            }
        }
    }
}

/// Hands out the plans of all `find` and `echo` of an expression, in the order in which they begin.
fn follow(plans: Vec<Plan>, hand_out: impl FnOnce(&mut dyn Iterator<Item = Plan>)) {
    let mut plans = plans.into_iter();
    hand_out(&mut plans);
    debug_assert!(plans.next().is_none(), "the parts were read in their order");
}

fn plan_parts(mut child: ChildMut<'_>, plans: &mut dyn Iterator<Item = Plan>) {
    match &mut child {
        ChildMut::Number(number) => match &mut number.kind {
            NumExpr::Find(find, _) => plan_find(find, plans.next()),
            NumExpr::Echo(echo) => plan_echo(echo, plans.next()),
            _ => {}
        },
        ChildMut::Position(position) => {
            if let PosExpr::Find(find) = &mut position.kind {
                plan_find(find, plans.next());
            }
        }
        ChildMut::Condition(condition) => {
            if let CondExpr::Echo(echo) = &mut condition.kind {
                plan_echo(echo, plans.next());
            }
        }
        _ => {}
    }
    child.parts(&mut |part| plan_parts(part, plans));
}

fn plan_find(find: &mut Find, plan: Option<Plan>) {
    debug_assert!(matches!(plan, Some(Plan::Find(..))));
    if let Some(Plan::Find(memo, lookup)) = plan {
        find.memo = memo;
        find.lookup = lookup;
    }
}

fn plan_echo(echo: &mut Echo, plan: Option<Plan>) {
    debug_assert!(matches!(plan, Some(Plan::Echo(..))));
    if let Some(Plan::Echo(subjects, plan)) = plan {
        for (test, subject) in echo.tests.iter_mut().zip(subjects) {
            test.subject = subject;
        }
        echo.plan = plan;
    }
}

/// For each memo of a `find` that counts forwards what the `find` looks for, if that can be asked of many positions at once.
pub(crate) fn find_columns(body: &Cond, memos: MemoCounts, locals: &Locals) -> Vec<Option<CondColumn>> {
    fn look(child: Child<'_>, locals: &Locals, columns: &mut [Option<CondColumn>]) {
        if let Child::Number(number) = &child
            && let NumExpr::Find(find, _) = &number.kind
            && let Some(memo) = find.memo
            && !find.backward
            && let Some(column) = columns.get_mut(memo as usize)
        {
            *column = CondColumn::of(&find.body.kind, locals);
        }
        child.parts(&mut |part| look(part, locals, columns));
    }
    let mut columns = vec![None; memos.finds as usize];
    look(Child::Condition(body), locals, &mut columns);
    columns
}

/// Takes from the front of the body what says the same at every position of a game, so that it is asked once, before the moves
/// of the game are read.
pub(crate) fn game_tests(body: &mut Cond) -> Vec<Cond> {
    if let CondExpr::Flow(Flow::Block { tests, value }) = &mut body.kind {
        let count = tests.iter().position(|test| !is_of_game(test));
        let mut taken: Vec<Cond> = tests.drain(..count.unwrap_or(tests.len())).collect();
        if tests.is_empty() && is_of_game(value) {
            taken.push(value.clone());
        }
        return taken;
    }
    if is_of_game(body) {
        vec![body.clone()]
    } else {
        Vec::new()
    }
}

/// The front of the body as far as it asks of tags and of values that it has made of them, to be asked once before the moves of the game are
/// read. It stays in the body, where what follows may read these values.
pub(crate) fn game_front(body: &Cond, persistent: &[PersistentVariable]) -> Option<Cond> {
    let CondExpr::Flow(Flow::Block { tests, value }) = &body.kind else {
        return None;
    };
    let lives_on = |variable: Variable| persistent.iter().any(|persistent| persistent.variable == variable);
    let nothing = HashSet::new();
    let mut known = HashSet::new();
    // Before the first regular expression the groups are those of another position.
    let mut reads_groups = false;
    let mut front: Vec<Cond> = Vec::new();
    let mut length = 0;
    for test in tests.iter().chain([value]) {
        let mut reader = if reads_groups || is_match(test) {
            Reader::with_groups(&nothing)
        } else {
            Reader::new(&nothing)
        };
        let (variable, reading) =
            match &test.kind {
                CondExpr::Assign(
                    assignment @ (Assignment::Set(..) | Assignment::Number(..) | Assignment::String(..)),
                ) if !lives_on(assignment.variable()) => (Some(assignment.variable()), reader.parts(assignment)),
                _ => (None, reader.condition(test)),
            };
        if !reading.is_of_game_with(&known) {
            break;
        }
        front.push(test.clone());
        match variable {
            Some(variable) => {
                known.insert(variable);
            }
            None => length = front.len(),
        }
        reads_groups |= is_match(test);
    }
    front.truncate(length);
    let value = front.pop().filter(|_| reads_groups || !known.is_empty())?;
    let span = front.first().map_or(value.span, |first| first.span.to(value.span));
    Some(node(CondExpr::Flow(Flow::Block { tests: front, value }), span))
}

/// `s ~~ "re"` as a test, behind which the groups are those of its match. What it is about may not ask for groups from before.
fn is_match(test: &Cond) -> bool {
    let CondExpr::HasString(string) = &test.kind else {
        return false;
    };
    let StrExpr::Match { target, kept: true, .. } = &string.kind else {
        return false;
    };
    !Reader::new(&HashSet::new()).string(target).state
}

/// Whether a body asks which piece stands where: loops over pieces that were simplified do not.
pub(crate) fn follows_pieces(body: &Cond) -> bool {
    fn look(child: Child<'_>, found: &mut bool) {
        *found |= match &child {
            Child::Set(set) => matches!(set.kind, SetExpr::Piece(_) | SetExpr::Pieces(_)),
            Child::Number(number) => {
                matches!(
                    number.kind,
                    NumExpr::Identity(_) | NumExpr::OfSet(SetNumber::PieceId, _)
                )
            }
            Child::Condition(condition) => matches!(
                condition.kind,
                CondExpr::AllPieces(_) | CondExpr::Assign(Assignment::Piece(..))
            ),
            _ => false,
        };
        child.parts(&mut |part| look(part, found));
    }
    let mut found = false;
    look(Child::Condition(body), &mut found);
    found
}

/// Whether a condition says the same at every position of a game, whatever its moves are, and has no effect.
pub(crate) fn is_of_game(condition: &Cond) -> bool {
    Reader::new(&HashSet::new()).condition(condition).is_of_game()
}

/// Where the variables of a query get their values.
pub(crate) struct Scope {
    /// The variables that something other than a loop or an `echo` binds.
    assigned: HashSet<Variable>,
}

impl Scope {
    /// The variables of a whole query.
    pub(crate) fn of(body: &Cond, persistent: &[PersistentVariable]) -> Scope {
        let mut assigned = persistent.iter().map(|persistent| persistent.variable).collect();
        collect_assigned(Child::Condition(body), &mut assigned);
        Scope { assigned }
    }

    /// Whether a variable has a value only inside of loops over it.
    pub(crate) fn binds_in_loops_only(&self, variable: Variable) -> bool {
        !self.assigned.contains(&variable)
    }

    /// Whether a set has nothing to do with some variables, neither reads nor binds them.
    pub(crate) fn is_free_of(set: &Set, variables: &HashSet<Variable>) -> bool {
        let reading = Reader::new(variables).set(set);
        !reading.state && reading.variables.is_disjoint(variables)
    }

    /// The variables that something in a condition binds, loops and `echo` apart.
    pub(crate) fn assigned_in(condition: &Cond) -> HashSet<Variable> {
        let mut assigned = HashSet::new();
        collect_assigned(Child::Condition(condition), &mut assigned);
        assigned
    }
}

/// Collects the variables that assignments and calls bind.
fn collect_assigned(child: Child<'_>, assigned: &mut HashSet<Variable>) {
    if let Child::Condition(condition) = &child {
        assigned.extend(bound_by(condition));
    }
    child.parts(&mut |part| collect_assigned(part, assigned));
}

/// The variable that a condition binds.
fn bound_by(condition: &Cond) -> Option<Variable> {
    match &condition.kind {
        CondExpr::Assign(assignment) => assignment.binds(),
        _ => None,
    }
}
