//! The values of the variables of a query.

use crate::board::Bitboard;
use crate::query::ast::variables::{PersistentVariable, Variable, VariableCounts};

use crate::eval::format;
use crate::eval::report::MatchValue;

/// The values of all variables, by type. Unbound variables have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    pub(crate) sets: Vec<Option<Bitboard>>,
    pub(crate) numbers: Vec<Option<i32>>,
    pub(crate) strings: Vec<Option<Vec<u8>>>,
    /// The ids of positions.
    pub(crate) positions: Vec<Option<u32>>,
    /// The numbers of pieces.
    pub(crate) pieces: Vec<Option<u8>>,
    /// The variables that have no value when a game begins: all but the persistent ones.
    reset: Vec<Variable>,
    /// The total bytes of the strings, or more, since replaced strings count until the next `add_up`.
    string_bytes: usize,
}

/// Returns the bytes that values take in addition to the size of the type.
pub(crate) fn size(values: &[Value]) -> usize {
    let bytes = |value: &Value| match value {
        Value::String(Some(string)) => string.len(),
        _ => 0,
    };
    values.iter().map(bytes).sum()
}

/// The value of a variable of any type. Unbound variables have none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Set(Option<Bitboard>),
    Number(Option<i32>),
    String(Option<Vec<u8>>),
    Position(Option<u32>),
    Piece(Option<u8>),
}

impl Variables {
    /// Creates all variables. Persistent ones begin as 0, the empty text or the empty set, and others are unbound.
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
                // The builder rejects these.
                Variable::Position(_) | Variable::Piece(_) => {}
            }
        }
        variables
    }

    /// Unbinds the variables that a game begins without.
    pub(crate) fn begin_game(&mut self) {
        for index in 0..self.reset.len() {
            self.unbind(self.reset[index]);
        }
        self.add_up();
    }

    /// Sets a variable to a value of its type.
    pub(crate) fn bind(&mut self, variable: Variable, value: &MatchValue) {
        match (variable, value) {
            (Variable::Set(variable), MatchValue::Squares(set)) => self.sets[variable.index()] = Some(*set),
            (Variable::Number(variable), MatchValue::Number(number)) => self.numbers[variable.index()] = Some(*number),
            (Variable::String(variable), MatchValue::Text(string)) => {
                self.note_string(string.len());
                self.strings[variable.index()] = Some(string.clone());
            }
            (Variable::Position(variable), MatchValue::Position(id)) => self.positions[variable.index()] = Some(*id),
            _ => {}
        }
    }

    /// Writes a persistent variable at the end of a run as a line: `x: 5`, `x: "text"`, `x: [a1,b2]`, `x: <unbound>`.
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

    /// Removes the value of a variable.
    pub(crate) fn unbind(&mut self, variable: Variable) {
        match variable {
            Variable::Set(variable) => self.sets[variable.index()] = None,
            Variable::Number(variable) => self.numbers[variable.index()] = None,
            Variable::String(variable) => self.strings[variable.index()] = None,
            Variable::Position(variable) => self.positions[variable.index()] = None,
            Variable::Piece(variable) => self.pieces[variable.index()] = None,
        }
    }

    /// Returns the values of the variables.
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

    /// Sets the variables to values of their types.
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

    /// Returns the total bytes of the strings, or more.
    pub(crate) fn string_bytes(&self) -> usize {
        self.string_bytes
    }

    /// Notes that a string gets this length.
    pub(crate) fn note_string(&mut self, length: usize) {
        self.string_bytes = self.string_bytes.saturating_add(length);
    }

    /// Computes the exact bytes of the strings.
    pub(crate) fn add_up(&mut self) {
        self.string_bytes = self.strings.iter().flatten().map(Vec::len).sum();
    }

    /// Returns whether a variable has a value.
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
