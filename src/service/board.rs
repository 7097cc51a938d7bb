//! `board`: draws a position.

use serde::{Deserialize, Serialize};

use super::error::Error;
use super::position::{self, square};
use crate::Picture;
use crate::board::{Bitboard, Square};

/// The question.
#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The position. It may be impossible. Castling rights and the fields after them may be missing.
    pub fen: String,
    /// Whether Black sees it.
    #[serde(default)]
    pub flip: bool,
    /// Squares to highlight: `["e4"]`.
    #[serde(default)]
    pub squares: Vec<String>,
    /// Lines of sight (from, to): `[["a1", "a8"]]`.
    #[serde(default)]
    pub rays: Vec<(String, String)>,
    /// Moves (from, to).
    #[serde(default)]
    pub moves: Vec<(String, String)>,
    /// The move that led to the position (from, to).
    #[serde(default)]
    pub last_move: Option<(String, String)>,
    /// Up to two lines below the board, of which the first is emphasised. Without them, the side to move is written there.
    #[serde(default)]
    pub caption: Vec<String>,
}

/// The answer.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The drawing as an SVG document.
    pub svg: String,
}

/// Answers a question.
///
/// # Errors
/// Returns an error if the FEN or a square is invalid, or if the caption has more than two lines.
pub fn board(question: Question) -> Result<Answer, Error> {
    let start = position::start(&question.fen)?;
    let squares = question
        .squares
        .iter()
        .map(|name| square(name))
        .collect::<Result<Bitboard, _>>()?;
    let mut picture = Picture::of_board(&start.board, start.turn)
        .squares(squares)
        .rays(pairs(&question.rays)?)
        .moves(pairs(&question.moves)?);
    if question.flip {
        picture = picture.flipped();
    }
    if let Some(last) = &question.last_move {
        let (from, to) = pair(last)?;
        picture = picture.last_move(from, to);
    }
    picture = match question.caption.as_slice() {
        [] => picture.caption_of_turn(),
        [first] => picture.caption(first, ""),
        [first, second] => picture.caption(first, second),
        lines => {
            return Err(Error::new(format!(
                "a caption has two lines at most, not {}",
                lines.len()
            )));
        }
    };
    Ok(Answer { svg: picture.svg() })
}

fn pair((from, to): &(String, String)) -> Result<(Square, Square), Error> {
    Ok((square(from)?, square(to)?))
}

fn pairs(pairs: &[(String, String)]) -> Result<Vec<(Square, Square)>, Error> {
    pairs.iter().map(pair).collect()
}
