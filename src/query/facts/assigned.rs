//! Where the variables of a query get their values.

use std::collections::HashSet;

use crate::query::ast::variables::{PersistentVariable, Variable};
use crate::query::ast::visit::Child;
use crate::query::ast::{Cond, CondExpr};

/// Where the variables of a query get their values.
pub(crate) struct Scope {
    /// The variables that something other than a loop or an `echo` binds.
    pub(in crate::query) assigned: HashSet<Variable>,
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
pub(super) fn bound_by(condition: &Cond) -> Option<Variable> {
    match &condition.kind {
        CondExpr::Assign(assignment) => assignment.binds(),
        _ => None,
    }
}
