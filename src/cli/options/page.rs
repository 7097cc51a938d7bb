//! How a page for the browser looks.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::cli::failure::Failure;
use crate::output::{FormatName, Layout, Look, PerPage};

/// How a page for the browser looks on the command line.
#[derive(clap::Args, Debug)]
pub(crate) struct PageArguments {
    /// How a page for the browser is laid out [default: list]
    #[arg(long, value_enum)]
    layout: Option<Layout>,

    /// How many diagrams of a page for the browser are printed on a sheet of paper [default: 6]
    #[arg(long, value_enum, value_name = "N")]
    per_page: Option<PerPage>,

    /// What stands above a page for the browser [default: the name of the query; of a sheet `Positions`, which gives nothing away]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
}

impl PageArguments {
    /// Refuses what is said of a page where another format is written.
    ///
    /// # Errors
    /// When an option is of no use.
    pub(crate) fn check(&self, format: FormatName) -> Result<(), Failure> {
        let given = [
            ("--layout", self.layout.is_some()),
            ("--per-page", self.per_page.is_some()),
            ("--title", self.title.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) if format != FormatName::Html => Err(Failure::with_help(
                format_args!(
                    "{option} is for pages for the browser, and the format is {}",
                    format.extension()
                ),
                "`-o page.html` writes such a page",
            )),
            _ => Ok(()),
        }
    }

    /// Returns a look with what the options say.
    pub(crate) fn look(&self, look: Look) -> Look {
        Look {
            layout: self.layout.unwrap_or_default(),
            per_page: self.per_page.unwrap_or_default(),
            ..look
        }
    }
}

impl ValueEnum for Layout {
    fn value_variants<'a>() -> &'a [Layout] {
        &[Layout::List, Layout::Sheet]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Layout::List => PossibleValue::new("list").help("A list of the matches, and their games to play through"),
            Layout::Sheet => PossibleValue::new("sheet")
                .help("Diagrams without hints, to print and hand out, with their solutions on the last sheet of paper"),
        })
    }
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
