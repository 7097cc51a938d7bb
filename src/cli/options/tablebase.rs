//! `--tablebase`: the folders of endgame tablebases.

use std::path::PathBuf;
use std::sync::Arc;

use crate::tablebase::Tablebase;

/// The option that names folders of endgame tablebases.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct TablebaseFolders {
    /// A folder of Syzygy endgame tablebases, for `wdl`, `dtz` and filters built on them. Can be given several times [default: the folders
    /// in SKEWER_TABLEBASE, separated as in PATH]
    #[arg(long = "tablebase", value_name = "DIR")]
    folders: Vec<PathBuf>,
}

impl TablebaseFolders {
    /// Returns the tables, if any folder is named. Nothing is read until a query needs it.
    pub(crate) fn tablebase(&self) -> Option<Arc<Tablebase>> {
        Tablebase::in_folders(&self.folders).or_else(Tablebase::of_environment)
    }
}
