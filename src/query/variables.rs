//! Variables: one flat name space, each with one type for the whole query.

/// What a variable holds.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variable {
    Set(SetVar),
    Number(NumVar),
    String(StrVar),
    Position(PosVar),
    Piece(PieceVar),
}

macro_rules! handle {
    ($name:ident, $holds:literal) => {
        #[doc = concat!("A variable that holds ", $holds, ": its place among the variables of that type.")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The place as an index.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

handle!(SetVar, "a set of squares");
handle!(NumVar, "a number");
handle!(StrVar, "a string");
handle!(PosVar, "a position");
handle!(PieceVar, "a man of the initial position, followed through its moves");

impl Variable {
    /// What the variable holds, for messages.
    pub fn described(self) -> &'static str {
        match self {
            Variable::Set(_) => "a set variable",
            Variable::Number(_) => "a number variable",
            Variable::String(_) => "a string variable",
            Variable::Position(_) => "a position variable",
            Variable::Piece(_) => "a piece variable",
        }
    }
}

/// How many variables of each type a query has.
#[derive(Clone, Debug, Default)]
pub struct VariableCounts {
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
