//! Options for results that are given to others: boards without hints, exercises, pages.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::cli::failure::Failure;
use crate::output::{FormatName, FromMatch, Layout, Look, PerPage};

/// How results look that are handed out.
#[derive(clap::Args, Debug)]
pub(crate) struct HandoutOptions {
    /// Draw boards without marks for the last move and for what the query mentions; the format `board` also leaves out the next move
    #[arg(long)]
    plain: bool,

    /// With pgn, write a game for each match: it starts at the match and plays N moves of each side [without N: all that follow]
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = moves)]
    from_match: Option<Option<u16>>,

    /// The layout of an HTML page [default: list]
    #[arg(long, value_enum)]
    layout: Option<Layout>,

    /// How many diagrams to print on a sheet of paper [default: 6]
    #[arg(long, value_enum, value_name = "N")]
    per_page: Option<PerPage>,

    /// The heading of an HTML page [default: the name of the query; for a sheet `Positions`, which gives nothing away]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

impl HandoutOptions {
    /// Returns the default format, if the options imply one.
    pub(crate) fn usual(&self) -> Option<FormatName> {
        self.from_match.map(|_| FormatName::Pgn)
    }

    /// Returns the look with these options applied.
    ///
    /// # Errors
    /// Returns an error if an option has no effect in the format.
    pub(crate) fn look(&self, format: FormatName, look: Look) -> Result<Look, Failure> {
        let given = [
            ("--layout", self.layout.is_some()),
            ("--per-page", self.per_page.is_some()),
            ("--title", self.title.is_some()),
        ];
        let given = given.into_iter().find(|(_, is_given)| *is_given);
        if let Some((option, _)) = given.filter(|_| format != FormatName::Html) {
            return Err(Failure::with_help(
                format_args!(
                    "{option} is for pages for the browser, and the format is {}",
                    format.extension()
                ),
                "`-o page.html` writes such a page",
            ));
        }
        if self.plain && !format.draws_boards() {
            return Err(Failure::with_help(
                format_args!(
                    "--plain is about marks on boards, and the format {} draws none",
                    format.extension()
                ),
                "`-f board`, `-f svg` and `-f html` draw boards",
            ));
        }
        if self.layout == Some(Layout::Sheet) && !look.columns.is_empty() {
            return Err(Failure::with_help(
                "--column is for tables, and a sheet has only diagrams",
                "leave out `--layout sheet`: the list of a page shows added columns",
            ));
        }
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
            layout: self.layout.unwrap_or_default(),
            per_page: self.per_page.unwrap_or_default(),
            title: self.title.clone(),
            ..look
        })
    }
}

/// Parses a number of moves.
fn moves(text: &str) -> Result<u16, String> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_number);
    number.ok_or_else(|| {
        "it is not a number of moves; without a number, put `--from-match` after all queries and inputs, or before another option".to_owned()
    })
}

impl ValueEnum for PerPage {
    fn value_variants<'a>() -> &'a [PerPage] {
        &[PerPage::Six, PerPage::Nine, PerPage::Twelve]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            PerPage::Six => "6",
            PerPage::Nine => "9",
            PerPage::Twelve => "12",
        }))
    }
}
