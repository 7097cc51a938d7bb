//! Which warnings about games the commands show.

use crate::cli::progress::Warnings;

/// The option that says which warnings about games are shown.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct WarningOptions {
    /// Which warnings about games to show
    #[arg(long = "warnings", value_name = "WHICH", value_enum, default_value_t)]
    pub(crate) shown: Warnings,
}

impl WarningOptions {
    /// Returns whether no warnings are shown.
    pub(crate) fn are_none(self) -> bool {
        self.shown == Warnings::None
    }
}
