//! Moves: which are legal in a position of a game, and how they are read and written.
//!
//! One generator yields the moves piece by piece (`each_piece`). They are split into single moves (`each_move`), if needed only those that
//! give check or mate, and they are counted (`count_legal`). A move of PGN needs no generator (`resolve`).
//!
//! Each part uses only those before it: `legality`, `pseudolegal`, `checks`, `generate`, `count`, `each_move`, `resolve`, `lenient_san`,
//! `variant_san`, `san`, `uci`.

mod checks;
mod count;
mod each_move;
mod generate;
mod legality;
mod lenient_san;
mod pseudolegal;
mod resolve;
mod san;
#[cfg(test)]
mod tests;
mod uci;
mod variant_san;

pub(crate) use checks::CheckOrMate;
pub use count::has_legal_move;
pub(crate) use count::{Counted, count_legal, is_mate, is_stalemate};
pub(crate) use each_move::each_move;
pub use generate::SpecialMove;
pub(crate) use generate::{MoveFilter, each_piece};
pub(crate) use lenient_san::read_move;
pub(crate) use resolve::{MoveError, MoveText, Step, resolve};
pub use san::moves_to;
pub(crate) use san::{InlineText, write_san};
pub use uci::write_uci;
pub(crate) use variant_san::play_variant_move;
