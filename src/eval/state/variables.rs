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
pub(crate) fn size(values: &[MatchValue]) -> usize {
    values.iter().map(MatchValue::bytes).sum()
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

    /// Sets a variable to a value of its type, which for a piece is its number. `Unknown` unbinds it.
    pub(crate) fn bind(&mut self, variable: Variable, value: MatchValue) {
        match (variable, value) {
            (Variable::Set(variable), MatchValue::Squares(set)) => self.sets[variable.index()] = Some(set),
            (Variable::Number(variable), MatchValue::Number(number)) => self.numbers[variable.index()] = Some(number),
            (Variable::String(variable), MatchValue::Text(string)) => {
                self.note_string(string.len());
                self.strings[variable.index()] = Some(string);
            }
            (Variable::Position(variable), MatchValue::Position(id)) => self.positions[variable.index()] = Some(id),
            (Variable::Piece(variable), MatchValue::Number(piece)) => {
                self.pieces[variable.index()] = u8::try_from(piece).ok();
            }
            (variable, _) => self.unbind(variable),
        }
    }

    /// Writes a persistent variable at the end of a run as a line: `x: 5`, `x: "text"`, `x: [a1,b2]`, `x: <unbound>`.
    pub(crate) fn write_line(&self, persistent: &PersistentVariable, out: &mut Vec<u8>) {
        format::display(format_args!("{}: ", persistent.name), out);
        match self.value(persistent.variable) {
            MatchValue::Squares(set) => format::write_set(set, out),
            MatchValue::Number(number) => format::display(number, out),
            MatchValue::Text(string) => {
                out.push(b'"');
                out.extend_from_slice(&string);
                out.push(b'"');
            }
            _ => out.extend_from_slice(b"<unbound>"),
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

    /// Returns the value of a variable.
    pub(crate) fn value(&self, variable: Variable) -> MatchValue {
        let value = match variable {
            Variable::Set(variable) => self.sets[variable.index()].map(MatchValue::Squares),
            Variable::Number(variable) => self.numbers[variable.index()].map(MatchValue::Number),
            Variable::String(variable) => self.strings[variable.index()].clone().map(MatchValue::Text),
            Variable::Position(variable) => self.positions[variable.index()].map(MatchValue::Position),
            Variable::Piece(variable) => self.pieces[variable.index()].map(|piece| MatchValue::Number(piece.into())),
        };
        value.unwrap_or_default()
    }

    /// Returns the values of the variables.
    #[inline]
    pub(crate) fn values(&self, variables: &[Variable]) -> Vec<MatchValue> {
        variables.iter().map(|variable| self.value(*variable)).collect()
    }

    /// Sets the variables to values of their types.
    #[inline]
    pub(crate) fn set_values(&mut self, variables: &[Variable], values: Vec<MatchValue>) {
        for (variable, value) in variables.iter().zip(values) {
            self.bind(*variable, value);
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
