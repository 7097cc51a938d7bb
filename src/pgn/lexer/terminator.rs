//! The last word of a game: its result.

use shakmaty::{Color, KnownOutcome, Outcome};

pub(crate) const WHITE_WINS: Outcome = Outcome::Known(KnownOutcome::Decisive { winner: Color::White });
pub(crate) const BLACK_WINS: Outcome = Outcome::Known(KnownOutcome::Decisive { winner: Color::Black });
pub(crate) const DRAW: Outcome = Outcome::Known(KnownOutcome::Draw);

/// The results with which a game may end.
pub(super) const RESULTS: [Outcome; 4] = [WHITE_WINS, BLACK_WINS, DRAW, Outcome::Unknown];

/// Returns the result at the end of a text.
pub(crate) fn terminator(text: &[u8]) -> Option<Outcome> {
    RESULTS
        .into_iter()
        .find(|result| text.ends_with(result.as_str().as_bytes()))
}

/// Returns a text without the result at its end, if there is one.
pub(crate) fn without_terminator(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let length = terminator(text).map_or(0, |result| result.as_str().len());
    text.get(..text.len() - length).unwrap_or_default()
}
