//! Variables: one flat namespace, each with one type in the whole query.

/// A variable of any type.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Variable {
    Set(SetVar),
    Number(NumVar),
    String(StrVar),
    Position(PosVar),
    Piece(PieceVar),
}

macro_rules! handle {
    ($name:ident, $holds:literal) => {
        #[doc = concat!("A variable that holds ", $holds, ": its place among the variables of that type.")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(crate) struct $name(pub u32);

        impl $name {
            /// Returns the number as an index.
            #[inline]
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

handle!(SetVar, "a set of squares");
handle!(NumVar, "a number");
handle!(StrVar, "a string");
handle!(PosVar, "a position");
handle!(PieceVar, "a piece of the initial position, followed through its moves");

/// The number of a dictionary among the dictionaries of the query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DictionaryId(pub u32);

impl DictionaryId {
    /// Returns the number as an index.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Variable {
    /// Returns what the variable holds, for messages.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Variable::Set(_) => "a set variable",
            Variable::Number(_) => "a number variable",
            Variable::String(_) => "a string variable",
            Variable::Position(_) => "a position variable",
            Variable::Piece(_) => "a piece variable",
        }
    }
}

/// A variable that lives through the whole run: a set, a number or a string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PersistentVariable {
    /// The variable.
    pub variable: Variable,
    /// Its name.
    pub name: String,
    /// Whether its value is not printed at the end of the run.
    pub quiet: bool,
}

/// How many variables of each type a query has.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariableCounts {
    /// Set variables.
    pub sets: u32,
    /// Number variables.
    pub numbers: u32,
    /// String variables.
    pub strings: u32,
    /// Position variables.
    pub positions: u32,
    /// Piece variables.
    pub pieces: u32,
}

impl VariableCounts {
    /// Returns whether a variable is one of those that are counted.
    pub(crate) fn has(&self, variable: Variable) -> bool {
        match variable {
            Variable::Set(SetVar(place)) => place < self.sets,
            Variable::Number(NumVar(place)) => place < self.numbers,
            Variable::String(StrVar(place)) => place < self.strings,
            Variable::Position(PosVar(place)) => place < self.positions,
            Variable::Piece(PieceVar(place)) => place < self.pieces,
        }
    }

    /// Returns all variables.
    pub(crate) fn all(&self) -> impl Iterator<Item = Variable> {
        (0..self.sets)
            .map(|place| Variable::Set(SetVar(place)))
            .chain((0..self.numbers).map(|place| Variable::Number(NumVar(place))))
            .chain((0..self.strings).map(|place| Variable::String(StrVar(place))))
            .chain((0..self.positions).map(|place| Variable::Position(PosVar(place))))
            .chain((0..self.pieces).map(|place| Variable::Piece(PieceVar(place))))
    }
}

/// A name that `isbound` asks about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BoundName {
    /// A variable, which may have a value.
    Variable(Variable),
    /// A dictionary, which is always bound.
    Always,
    /// A function, or a name that nothing declares: never bound.
    Never,
}
