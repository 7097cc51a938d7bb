//! How the text of formats looks.

use super::columns::Column;
#[cfg(feature = "cli")]
use super::screen::Screen;
use crate::query::ast::Type;
use crate::query::{Query, Reads};

/// How a page for the browser is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Layout {
    /// A list of the matches, and the game of one of them to play through.
    #[default]
    List,
    /// Diagrams to print, with their solutions on the last sheet of paper.
    Sheet,
}

/// How many diagrams a printed sheet of paper has.
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

/// How the text of formats looks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Look {
    /// The screen for which formats write that people look at.
    #[cfg(feature = "cli")]
    pub screen: Screen,
    /// Tables have columns for what engines and clocks say.
    pub measures: bool,
    /// Boards have no marks.
    pub plain: bool,
    /// Games in PGN begin at the matching positions.
    pub from_match: Option<FromMatch>,
    /// The place of the first of the two [values](crate::eval::report::GameReport::values) that say of which side a match is, if they are kept.
    pub(crate) side: Option<usize>,
    /// The columns that tables have beside their own.
    pub(crate) columns: Vec<Column>,
    /// What the values are that are kept of a match, those of these columns first.
    pub(crate) kept: Vec<Type>,
    /// Tables in text have no cells that a spreadsheet takes for formulas.
    pub quotes_formulas: bool,
    /// How a page for the browser is laid out.
    pub layout: Layout,
    /// How many diagrams of such a page are printed on a sheet of paper.
    pub per_page: PerPage,
    /// What stands above such a page in place of the name of the query.
    pub title: Option<String>,
}

/// How far a game goes that begins at a matching position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FromMatch {
    /// This many moves of each side; to the end without a number.
    pub moves: Option<u16>,
}

impl FromMatch {
    /// The same in plies.
    pub(super) fn plies(self) -> Option<u32> {
        self.moves.map(|moves| 2 * u32::from(moves))
    }
}

impl Look {
    /// Learns what the tables of a query have.
    pub(crate) fn meet(&mut self, query: &Query) {
        self.measures = query.reads.contains(Reads::COMMANDS);
        self.kept.clone_from(&query.columns);
        self.side = query.side_values();
    }
}
