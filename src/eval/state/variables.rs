//! The values of the variables of a query.

use crate::board::Bitboard;
use crate::query::ast::variables::{PersistentVariable, Variable, VariableCounts};

use super::dictionaries::Datum;
use crate::eval::format;

/// The values of all variables, by type; unbound variables have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    pub(crate) sets: Vec<Option<Bitboard>>,
    pub(crate) numbers: Vec<Option<i32>>,
    pub(crate) strings: Vec<Option<Vec<u8>>>,
    /// Ids of positions.
    pub(crate) positions: Vec<Option<u32>>,
    /// Numbers of pieces.
    pub(crate) pieces: Vec<Option<u8>>,
    /// The variables that a game begins without: all but the persistent ones.
    reset: Vec<Variable>,
    /// How many bytes the strings have together, or more: what strings had that were replaced since it was added up.
    string_bytes: usize,
}

/// How many bytes some values have beside those of the type.
pub(crate) fn size(values: &[Value]) -> usize {
    let bytes = |value: &Value| match value {
        Value::String(Some(string)) => string.len(),
        _ => 0,
    };
    values.iter().map(bytes).sum()
}

/// The value of a variable of any type; unbound variables have none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Set(Option<Bitboard>),
    Number(Option<i32>),
    String(Option<Vec<u8>>),
    Position(Option<u32>),
    Piece(Option<u8>),
}

impl Variables {
    /// All variables: persistent ones with 0, no text or the empty set, others unbound.
    pub(crate) fn new(counts: &VariableCounts, persistent: &[PersistentVariable]) -> Variables {
        let lasts = |variable: &Variable| persistent.iter().any(|lasting| lasting.variable == *variable);
        let mut variables = Variables {
            reset: counts.all().filter(|variable| !lasts(variable)).collect(),
            sets: vec![None; counts.sets as usize],
            numbers: vec![None; counts.numbers as usize],
            strings: vec![None; counts.strings as usize],
            positions: vec![None; counts.positions as usize],
            pieces: vec![None; counts.pieces as usize],
            string_bytes: 0,
        };
        for lasting in persistent {
            match lasting.variable {
                Variable::Set(set) => variables.sets[set.index()] = Some(Bitboard::EMPTY),
                Variable::Number(number) => variables.numbers[number.index()] = Some(0),
                Variable::String(string) => variables.strings[string.index()] = Some(Vec::new()),
                // The builder refuses these.
                Variable::Position(_) | Variable::Piece(_) => {}
            }
        }
        variables
    }

    /// Takes the values away that end with a game.
    pub(crate) fn begin_game(&mut self) {
        for index in 0..self.reset.len() {
            self.unbind(self.reset[index]);
        }
        self.add_up();
    }

    /// Gives a variable a value of its type.
    pub(crate) fn bind(&mut self, variable: Variable, value: &Datum) {
        match (variable, value) {
            (Variable::Set(variable), Datum::Set(set)) => self.sets[variable.index()] = Some(*set),
            (Variable::Number(variable), Datum::Number(number)) => self.numbers[variable.index()] = Some(*number),
            (Variable::String(variable), Datum::String(string)) => {
                self.note_string(string.len());
                self.strings[variable.index()] = Some(string.clone());
            }
            (Variable::Position(variable), Datum::Position(id)) => self.positions[variable.index()] = Some(*id),
            _ => {}
        }
    }

    /// `x: 5`, `x: "text"`, `x: [a1,b2]`, `x: <unbound>`: a persistent variable at the end of a run, as a line.
    pub(crate) fn write_line(&self, persistent: &PersistentVariable, out: &mut Vec<u8>) {
        format::display(format_args!("{}: ", persistent.name), out);
        match persistent.variable {
            variable if !self.is_bound(variable) => out.extend_from_slice(b"<unbound>"),
            Variable::Set(set) => format::write_set(self.sets[set.index()].unwrap_or_default(), out),
            Variable::Number(number) => format::display(self.numbers[number.index()].unwrap_or_default(), out),
            Variable::String(string) => {
                out.push(b'"');
                out.extend_from_slice(self.strings[string.index()].as_deref().unwrap_or_default());
                out.push(b'"');
            }
            Variable::Position(_) | Variable::Piece(_) => {}
        }
        out.push(b'\n');
    }

    /// Takes the value of a variable away.
    pub(crate) fn unbind(&mut self, variable: Variable) {
        match variable {
            Variable::Set(variable) => self.sets[variable.index()] = None,
            Variable::Number(variable) => self.numbers[variable.index()] = None,
            Variable::String(variable) => self.strings[variable.index()] = None,
            Variable::Position(variable) => self.positions[variable.index()] = None,
            Variable::Piece(variable) => self.pieces[variable.index()] = None,
        }
    }

    /// The values of some variables.
    #[inline]
    pub(crate) fn values(&self, variables: &[Variable]) -> Vec<Value> {
        if variables.is_empty() {
            return Vec::new();
        }
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
    #[inline]
    pub(crate) fn set_values(&mut self, variables: &[Variable], values: Vec<Value>) {
        for (variable, value) in variables.iter().zip(values) {
            match (variable, value) {
                (Variable::Set(variable), Value::Set(value)) => self.sets[variable.index()] = value,
                (Variable::Number(variable), Value::Number(value)) => self.numbers[variable.index()] = value,
                (Variable::String(variable), Value::String(value)) => {
                    self.note_string(value.as_ref().map_or(0, Vec::len));
                    self.strings[variable.index()] = value;
                }
                (Variable::Position(variable), Value::Position(value)) => self.positions[variable.index()] = value,
                (Variable::Piece(variable), Value::Piece(value)) => self.pieces[variable.index()] = value,
                _ => {}
            }
        }
    }

    /// How many bytes the strings have together, or more.
    pub(crate) fn string_bytes(&self) -> usize {
        self.string_bytes
    }

    /// Notes that a string becomes this long.
    pub(crate) fn note_string(&mut self, length: usize) {
        self.string_bytes = self.string_bytes.saturating_add(length);
    }

    /// Finds out how many bytes the strings have.
    pub(crate) fn add_up(&mut self) {
        self.string_bytes = self.strings.iter().flatten().map(Vec::len).sum();
    }

    /// Whether a variable has a value.
    pub(crate) fn is_bound(&self, variable: Variable) -> bool {
        match variable {
            Variable::Set(variable) => self.sets[variable.index()].is_some(),
            Variable::Number(variable) => self.numbers[variable.index()].is_some(),
            Variable::String(variable) => self.strings[variable.index()].is_some(),
            Variable::Position(variable) => self.positions[variable.index()].is_some(),
            Variable::Piece(variable) => self.pieces[variable.index()].is_some(),
        }
    }
}
