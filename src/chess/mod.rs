//! The rules of chess on one board: positions, castling, start positions, variants, and what a move does to a board.
//!
//! This room knows no games. [`game`](crate::game) knows what depends on earlier moves, and [`moves`](crate::moves) which moves are
//! legal.
//!
//! Each part uses only those before it: `castling`, `position`, `en_passant`, `king_safety`, `plain_fen`, `start`, `make_move`, `variant`,
//! `variant_position`.

mod castling;
mod en_passant;
mod king_safety;
mod make_move;
mod plain_fen;
mod position;
mod start;
mod variant;
mod variant_position;

pub(crate) use castling::home_rank;
pub use castling::{Castlers, Rights};
pub use en_passant::en_passant_square;
pub(crate) use en_passant::{en_passant_victim, is_takeable_en_passant};
pub(crate) use king_safety::{exposing, keeps_king_safe};
pub use king_safety::{in_check, leaves_king_safe};
pub(crate) use make_move::{PlayableMove, after_step, is_closed, make_move, promotes_rightly, remove_pieces};
pub use position::{Arrival, MoveKind, Position};
pub use start::{FenError, FenFault, Start};
pub(crate) use start::{castlers, is_no_position};
pub use variant::Variant;
pub(crate) use variant_position::{arrival_of, variant_fen, variant_start, variant_start_of_fen};
