//! Whether a query follows pieces from square to square.

use crate::query::ast::numbers::SetNumber;
use crate::query::ast::visit::Child;
use crate::query::ast::{Assignment, Cond, CondExpr, NumExpr, SetExpr};

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
