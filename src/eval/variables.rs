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

/// The value of a variable of any type; unbound variables have none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Set(Option<Bitboard>),
    Number(Option<i32>),
    String(Option<Vec<u8>>),
    Position(Option<u32>),
    Piece(Option<u8>),
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

    /// The values of some variables.
    pub(super) fn values(&self, variables: &[Variable]) -> Vec<Value> {
        let value = |variable: &Variable| match variable {
            Variable::Set(variable) => Value::Set(self.sets[variable.index()]),
            Variable::Number(variable) => Value::Number(self.numbers[variable.index()]),
            Variable::String(variable) => Value::String(self.strings[variable.index()].clone()),
            Variable::Position(variable) => Value::Position(self.positions[variable.index()]),
            Variable::Piece(variable) => Value::Piece(self.pieces[variable.index()]),
        };
        variables.iter().map(value).collect()
    }

    /// Gives some variables values of their types.
    pub(super) fn set_values(&mut self, variables: &[Variable], values: Vec<Value>) {
        for (variable, value) in variables.iter().zip(values) {
            match (variable, value) {
                (Variable::Set(variable), Value::Set(value)) => self.sets[variable.index()] = value,
                (Variable::Number(variable), Value::Number(value)) => self.numbers[variable.index()] = value,
                (Variable::String(variable), Value::String(value)) => self.strings[variable.index()] = value,
                (Variable::Position(variable), Value::Position(value)) => self.positions[variable.index()] = value,
                (Variable::Piece(variable), Value::Piece(value)) => self.pieces[variable.index()] = value,
                _ => {}
            }
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
