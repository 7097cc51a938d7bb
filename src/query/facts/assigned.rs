//! Which variables of a query are assigned to.

use std::collections::HashSet;

use crate::query::ast::variables::{PersistentVariable, Variable};
use crate::query::ast::visit::Child;
use crate::query::ast::{Cond, CondExpr};

/// The variables that something other than a loop or an `echo` gives a value.
pub(crate) struct Assigned {
    pub(crate) variables: HashSet<Variable>,
}

impl Assigned {
    /// Collects those of a whole query.
    pub(crate) fn of(body: &Cond, persistent: &[PersistentVariable]) -> Assigned {
        let mut assigned = persistent.iter().map(|persistent| persistent.variable).collect();
        collect_assigned(Child::Condition(body), &mut assigned);
        Assigned { variables: assigned }
    }

    /// Whether only loops over a variable give it a value.
    pub(crate) fn binds_in_loops_only(&self, variable: Variable) -> bool {
        !self.variables.contains(&variable)
    }

    /// Returns the variables that a condition assigns to.
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
