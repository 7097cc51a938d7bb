//! In which language the letters for pieces are.

use crate::pgn::Language;

/// The option for games with letters of another language.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Letters {
    /// The language of the piece letters in the games, such as `de` [default: English, or what the games tell]
    ///
    /// It does not change the games of a database: their letters were read when it was made.
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<Language>,
}
