//! The tests that all copies of a transform make first.

use crate::board::{Bitboard, Contents};
use crate::query::ast::node::{Cond, Flow, Num, Pos, Set, Str};
use crate::query::ast::versions::{Formation, Guard};
use crate::query::ast::visit::Children;
use crate::query::ast::{CondExpr, SetExpr};
use crate::syntax::token::Designator;

/// An expression that can be copied by a transform.
pub(crate) trait Guarded: Children + Clone {
    /// Collects the designators that must not be empty for the expression to match, up to the first other test. Returns whether there is no
    /// other test.
    fn first_designators<'e>(&'e self, _designators: &mut Vec<&'e Designator>) -> bool {
        false
    }
}

impl Guarded for Num {}

impl Guarded for Str {}

impl Guarded for Pos {}

impl Guarded for Set {
    fn first_designators<'e>(&'e self, designators: &mut Vec<&'e Designator>) -> bool {
        match &self.kind {
            SetExpr::Designator(designator) if designator.has_contents => {
                designators.push(designator);
                true
            }
            _ => false,
        }
    }
}

impl Guarded for Cond {
    fn first_designators<'e>(&'e self, designators: &mut Vec<&'e Designator>) -> bool {
        match &self.kind {
            CondExpr::NonEmpty(set) => set.first_designators(designators),
            CondExpr::And(first, second) => {
                first.first_designators(designators) && second.first_designators(designators)
            }
            CondExpr::Flow(Flow::Block { tests, value }) => tests
                .iter()
                .chain([value])
                .all(|test| test.first_designators(designators)),
            _ => false,
        }
    }
}

impl Formation {
    /// Returns the formation of copies that each test `pieces` pieces on `squares`, or `None` if the copies differ by more than a shift.
    fn of(squares: &[Bitboard], pieces: usize) -> Option<Formation> {
        let mut formations = squares.chunks_exact(pieces).map(|copy| {
            let first = copy.first()?.single_square()?;
            let offset = |pieces: &Bitboard| Some(pieces.single_square()? as i8 - first as i8);
            Some((first, copy.iter().map(offset).collect::<Option<Vec<i8>>>()?))
        });
        let (first, offsets) = formations.next()??;
        let mut anchors = Bitboard::from(first);
        for formation in formations {
            let (anchor, moved) = formation?;
            anchors.add(anchor);
            if moved != offsets {
                return None;
            }
        }
        Some(Formation { anchors, offsets })
    }
}

impl Guard {
    /// Returns the tests with which all copies begin, if there are any and enough copies to make them worthwhile.
    pub(super) fn of<N: Guarded>(copies: &[N]) -> Option<Guard> {
        const FEW: usize = 2;
        let mut model = Vec::new();
        let complete = copies
            .first()
            .filter(|_| copies.len() > FEW)?
            .first_designators(&mut model);
        let contents: Vec<Contents> = model.iter().map(|designator| designator.contents).collect();
        let mut squares = Vec::with_capacity(contents.len() * copies.len());
        for copy in copies {
            let mut tests = Vec::new();
            copy.first_designators(&mut tests);
            if !tests
                .iter()
                .map(|designator| designator.contents)
                .eq(contents.iter().copied())
            {
                return None;
            }
            squares.extend(tests.iter().map(|designator| designator.squares));
        }
        (!contents.is_empty()).then(|| Guard {
            formation: Formation::of(&squares, contents.len()),
            contents,
            squares,
            complete,
        })
    }
}
