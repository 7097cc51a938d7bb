//! What a query needs to know of a game.

use crate::syntax::token::Span;

/// What a query needs to know of a game beside its positions; what it does not need is not computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Original comments and annotation symbols.
    pub notes: bool,
    /// Evaluations, clocks and judgements.
    pub commands: bool,
    /// Which piece stands where through the whole game.
    pub identities: bool,
    /// How many games the input has: the place in the query that asks.
    pub last_game_number: Option<Span>,
    /// Endgame tablebases: the place in the query that asks.
    pub tablebase: Option<Span>,
}
