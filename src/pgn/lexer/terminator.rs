//! The last word of a game: its result.

use shakmaty::{Color, KnownOutcome, Outcome};

/// How a game ended, as its terminator says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Terminator {
    WhiteWins,
    BlackWins,
    Draw,
    Unknown,
}

impl Terminator {
    pub(super) const ALL: [Terminator; 4] = [
        Terminator::WhiteWins,
        Terminator::BlackWins,
        Terminator::Draw,
        Terminator::Unknown,
    ];

    pub(crate) fn text(self) -> &'static [u8] {
        match self {
            Terminator::WhiteWins => b"1-0",
            Terminator::BlackWins => b"0-1",
            Terminator::Draw => b"1/2-1/2",
            Terminator::Unknown => b"*",
        }
    }

    /// Returns how the game ended.
    pub(crate) fn outcome(self) -> Outcome {
        let decisive = |winner| Outcome::Known(KnownOutcome::Decisive { winner });
        match self {
            Terminator::WhiteWins => decisive(Color::White),
            Terminator::BlackWins => decisive(Color::Black),
            Terminator::Draw => Outcome::Known(KnownOutcome::Draw),
            Terminator::Unknown => Outcome::Unknown,
        }
    }

    /// Returns a text without the terminator at its end, if there is one.
    pub(crate) fn strip(text: &[u8]) -> &[u8] {
        let text = text.trim_ascii_end();
        let length = Terminator::at_end(text).map_or(0, |terminator| terminator.text().len());
        text.get(..text.len() - length).unwrap_or_default()
    }

    /// Returns the terminator at the end of the text.
    pub(crate) fn at_end(text: &[u8]) -> Option<Terminator> {
        Self::ALL
            .into_iter()
            .find(|terminator| text.ends_with(terminator.text()))
    }
}
