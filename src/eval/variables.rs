//! The values of the variables of a query.

use crate::board::Bitboard;
use crate::query::variables::{Variable, VariableCounts};

/// The values of all variables, by type; unbound variables have none.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    pub(super) sets: Vec<Option<Bitboard>>,
    pub(super) numbers: Vec<Option<i32>>,
    pub(super) strings: Vec<Option<Vec<u8>>>,
    /// Ids of positions.
    pub(super) positions: Vec<Option<u32>>,
    /// Numbers of men.
    pub(super) pieces: Vec<Option<u8>>,
}

impl Variables {
    /// All variables, unbound.
    pub(super) fn new(counts: &VariableCounts) -> Variables {
        Variables {
            sets: vec![None; counts.sets as usize],
            numbers: vec![None; counts.numbers as usize],
            strings: vec![None; counts.strings as usize],
            positions: vec![None; counts.positions as usize],
            pieces: vec![None; counts.pieces as usize],
        }
    }

    /// Takes all values away.
    pub(super) fn clear(&mut self) {
        self.sets.fill(None);
        self.numbers.fill(None);
        self.strings.iter_mut().for_each(|string| *string = None);
        self.positions.fill(None);
        self.pieces.fill(None);
    }

    /// Takes the value of a variable away.
    pub(super) fn unbind(&mut self, variable: Variable) {
        match variable {
            Variable::Set(variable) => self.sets[variable.index()] = None,
            Variable::Number(variable) => self.numbers[variable.index()] = None,
            Variable::String(variable) => self.strings[variable.index()] = None,
            Variable::Position(variable) => self.positions[variable.index()] = None,
            Variable::Piece(variable) => self.pieces[variable.index()] = None,
        }
    }

    /// Whether a variable has a value.
    pub(super) fn is_bound(&self, variable: Variable) -> bool {
        match variable {
            Variable::Set(variable) => self.sets[variable.index()].is_some(),
            Variable::Number(variable) => self.numbers[variable.index()].is_some(),
            Variable::String(variable) => self.strings[variable.index()].is_some(),
            Variable::Position(variable) => self.positions[variable.index()].is_some(),
            Variable::Piece(variable) => self.pieces[variable.index()].is_some(),
        }
    }
}
