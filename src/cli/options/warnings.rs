//! Which warnings about games the commands show.

use clap::ValueEnum;

use crate::cli::progress::Warnings;

/// What `--warnings` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Wanted {
    /// Each of them
    All,
    /// The first of each kind in a file, and how many more there are
    #[default]
    First,
    /// None
    None,
}

/// The option that says which warnings about games are shown.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct WarningOptions {
    /// Which warnings about games to show
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    warnings: Wanted,
}

impl WarningOptions {
    /// Returns whether no warnings are shown.
    pub(crate) fn are_none(self) -> bool {
        self.warnings == Wanted::None
    }

    /// Returns which warnings are shown, if any are.
    pub(crate) fn shown(self) -> Warnings {
        match self.warnings {
            Wanted::All => Warnings::All,
            Wanted::First | Wanted::None => Warnings::First,
        }
    }
}
