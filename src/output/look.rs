//! How the text of formats looks.

#[cfg(feature = "cli")]
use super::screen::Screen;

/// How the text of formats looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Look {
    /// The screen for which formats write that people look at.
    #[cfg(feature = "cli")]
    pub screen: Screen,
    /// Tables have columns for what engines and clocks say.
    pub measures: bool,
    /// Tables in text have no cells that a spreadsheet takes for formulas.
    pub quotes_formulas: bool,
}
