//! A number that identifies a board, by which databases look boards up.

use super::Board;

/// A hash of the pieces on a board, without the side to move. Databases store it, so the hash of a board never changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoardKey(pub u64);

impl BoardKey {
    /// Returns the key of a board.
    ///
    /// ```
    /// use skewer::board::{Board, BoardKey};
    ///
    /// let key = |fen: &str| fen.parse::<Board>().map(|board| BoardKey::of(&board));
    /// assert_eq!(key("4k3/8/8/8/8/8/8/4K3")?, BoardKey(0xa054_cde1_3917_8b59));
    /// assert_ne!(key("4k3/8/8/8/8/8/8/4K3")?, key("4K3/8/8/8/8/8/8/4k3")?);
    /// # Ok::<(), shakmaty::fen::ParseFenError>(())
    /// ```
    #[inline]
    pub fn of(board: &Board) -> BoardKey {
        /// The first digits of π.
        const START: u64 = 0x243f_6a88_85a3_08d3;
        let roles = &board.roles;
        let words = [
            board.colors.white,
            roles.pawn,
            roles.knight,
            roles.bishop,
            roles.rook,
            roles.queen,
            roles.king,
        ];
        BoardKey(words.into_iter().fold(START, |key, word| folded(key ^ word.0)))
    }
}

/// Returns the two halves of a product, combined with exclusive or.
#[inline]
fn folded(number: u64) -> u64 {
    /// The golden ratio. The odd number added to it keeps every product from being 0.
    const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15;
    let product = (u128::from(number) + 1) * FACTOR;
    (product >> 64) as u64 ^ product as u64
}
