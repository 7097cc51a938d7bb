//! Options for how the text of formats looks.

use super::columns::Column;
#[cfg(feature = "cli")]
use super::screen::Screen;
use crate::query::ast::Type;
use crate::query::{Query, Reads};

/// The layout of a page for the browser. What is said of them is their help, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Layout {
    /// A list of the matches, and their games to play through
    #[default]
    List,
    /// Diagrams without hints, to print and hand out, with their solutions on the last sheet of paper
    Sheet,
}

/// The number of diagrams on a printed sheet of paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PerPage {
    /// Two in a row.
    #[default]
    Six,
    /// Three in a row.
    Nine,
    /// Three in a row.
    Twelve,
}

impl PerPage {
    /// Returns the number.
    pub fn count(self) -> u8 {
        match self {
            PerPage::Six => 6,
            PerPage::Nine => 9,
            PerPage::Twelve => 12,
        }
    }
}

/// Options for how the text of formats looks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Look {
    /// The screen, for formats that people read there.
    #[cfg(feature = "cli")]
    pub screen: Screen,
    /// Whether tables have columns for evaluations and clocks.
    pub measures: bool,
    /// Whether boards have no marks.
    pub plain: bool,
    /// If set, games in PGN begin at the matching positions.
    pub from_match: Option<FromMatch>,
    /// The index of the first of the two [values](crate::eval::report::GameReport::values) that say which side a match is of, if they are
    /// kept.
    pub(crate) side: Option<usize>,
    /// The columns that were added to those of the tables.
    pub(crate) columns: Vec<Column>,
    /// The types of the values that are kept for a match. Those of the added columns come first.
    pub(crate) kept: Vec<Type>,
    /// Whether to change cells that a spreadsheet would take for formulas, in tables that are text.
    pub quotes_formulas: bool,
    /// The layout of a page for the browser.
    pub layout: Layout,
    /// The number of diagrams per sheet when such a page is printed.
    pub per_page: PerPage,
    /// The heading of such a page, instead of the name of the query.
    pub title: Option<String>,
}

/// The length of games that begin at a matching position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FromMatch {
    /// The number of moves of each side. With `None`, the game goes on to its end.
    pub moves: Option<u16>,
}

impl FromMatch {
    /// Returns the length in plies.
    pub(super) fn plies(self) -> Option<u32> {
        self.moves.map(|moves| 2 * u32::from(moves))
    }
}

impl Look {
    /// Takes over what the tables need to know about a query.
    pub(crate) fn meet(&mut self, query: &Query) {
        self.measures = query.reads.contains(Reads::COMMANDS);
        self.kept.clone_from(&query.columns);
        self.side = query.side_values();
    }
}
