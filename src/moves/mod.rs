//! Moves: which are legal in a position of a game, and how they are read and written.
//!
//! There are four generators, by what is asked: all moves at once (`LegalMoves`), one after another (`each_move`), those that
//! give check or mate (`each_check`), and how many there are (`count_legal`). A move of PGN needs none of them (`resolve`).
//!
//! Each part uses only those before it: `legality`, `pseudolegal`, `legal_moves`, `mobility`, `resolve`, `generate`, `checking_moves`, `lenient_san`,
//! `variant_san`, `san`, `uci`.

mod checking_moves;
mod generate;
mod legal_moves;
mod legality;
mod lenient_san;
mod mobility;
mod pseudolegal;
mod resolve;
mod san;
mod uci;
mod variant_san;

pub(crate) use checking_moves::{Sought, each_check};
pub(crate) use generate::{Asked, each_move};
pub(crate) use legal_moves::LegalMoves;
pub use legal_moves::SpecialMove;
pub(crate) use lenient_san::read_move;
pub use mobility::has_legal_move;
pub(crate) use mobility::{Arrivals, Moves, Tally, count_legal};
pub(crate) use resolve::{MoveError, MoveText, Step, resolve};
pub use san::moves_to;
pub(crate) use san::{InlineText, write_san};
pub use uci::write_uci;
pub(crate) use variant_san::play_variant_move;
