//! Options for what is handed out to others: boards without hints, exercises.

use crate::cli::failure::Failure;
use crate::output::{FormatName, FromMatch, Look};

/// How results look that are handed out.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct HandoutOptions {
    /// Draw boards without marks: neither the last move nor what the query speaks of; with board, do not name the next move either
    #[arg(long)]
    plain: bool,

    /// With pgn, write a game for each match: it begins there and plays N moves of each side, or all that follow [without N: all]
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = moves)]
    from_match: Option<Option<u16>>,
}

impl HandoutOptions {
    /// Returns the format where nobody names one, if the options ask for one.
    pub(crate) fn usual(self) -> Option<FormatName> {
        self.from_match.map(|_| FormatName::Pgn)
    }

    /// Returns a look with what the options say.
    ///
    /// # Errors
    /// When the format has no games.
    pub(crate) fn look(self, format: FormatName, look: Look) -> Result<Look, Failure> {
        if self.from_match.is_some() && format != FormatName::Pgn {
            return Err(Failure::with_help(
                format_args!(
                    "--from-match makes games, and there are none in the format {}",
                    format.extension()
                ),
                "`-f pgn` or a name such as `-o exercises.pgn` asks for games",
            ));
        }
        Ok(Look {
            plain: self.plain,
            from_match: self.from_match.map(|moves| FromMatch { moves }),
            ..look
        })
    }
}

/// A number of moves.
fn moves(text: &str) -> Result<u16, String> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_number);
    number.ok_or_else(|| {
        "it is no number of moves; without one, `--from-match` stands behind all queries and inputs, or before another option".to_owned()
    })
}
