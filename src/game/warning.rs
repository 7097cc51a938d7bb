//! What went wrong in an input file without stopping the run.

use std::fmt;
use std::sync::Arc;

/// A defect of a PGN file, with its place. Reading goes on after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The name of the file.
    pub source: Arc<str>,
    /// The line of the defect, from 1.
    pub line: u64,
    /// The number of the game, from 1; 0 for text before the first game.
    pub game: u64,
    /// What is wrong and what was done about it.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.source, self.line)?;
        if self.game > 0 {
            write!(f, "game {}: ", self.game)?;
        }
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_its_place() {
        let warning = Warning {
            source: "games.pgn".into(),
            line: 123,
            game: 7,
            message: "no such move".to_owned(),
        };
        assert_eq!(warning.to_string(), "games.pgn:123: game 7: no such move");
    }
}
