//! How games are read.

use crate::pgn::Language;

/// The option for games with piece letters of another language.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct PieceLanguage {
    /// The language of the piece letters in the games, such as `de` [default: English, unless the games show another]
    ///
    /// Has no effect on the games of a database: their letters were read when it was made.
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<Language>,
}

/// The options for the files that games are read from.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct ReadingOptions {
    #[command(flatten)]
    pub(crate) pieces: PieceLanguage,

    /// Read the inputs as lists or tables of positions, whatever their names and first lines
    ///
    /// Without this option, .epd, .fen, .csv, .tsv and .jsonl files hold positions, and so do files whose first line is a FEN, a header with a FEN
    /// column, or a JSON object with one. In folders, this option also takes tables, and no PGN.
    #[arg(long)]
    pub(crate) positions: bool,

    /// Read .zst files with windows of up to 2^WINDLOG bytes, like `zstd --long` [without a number: 31, or 2 GB; without this option: 27, or
    /// 128 MB]
    #[arg(
        long,
        value_name = "WINDLOG",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "31",
        value_parser = clap::value_parser!(u32).range(10..=31)
    )]
    pub(crate) long: Option<u32>,
}
