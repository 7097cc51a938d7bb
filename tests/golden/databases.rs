//! Databases made from the PGN files of the cases, each made once.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use skewer::database::Writer;
use skewer::game::Rules;
use skewer::pgn::{Batch, Batches, Input};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));
static MADE: LazyLock<Mutex<BTreeMap<PathBuf, Arc<Mutex<bool>>>>> = LazyLock::new(Mutex::default);

/// Returns the database of a PGN file.
pub(crate) fn database(pgn: &Path) -> PathBuf {
    let name = pgn.file_name().expect("a file").to_string_lossy();
    let path = FOLDER.path().join(format!("{name}.parquet"));
    let made = {
        let mut all = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(path.clone()).or_default())
    };
    let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
    if !*made {
        index(pgn, &path);
        *made = true;
    }
    path
}

fn index(pgn: &Path, path: &Path) {
    let unfinished = path.with_extension("unfinished");
    let mut writer = Writer::new(File::create(&unfinished).expect("a file")).expect("a database");
    let mut batches = Batches::new(Input::from(pgn).sources().expect("PGN")).with_rules(Rules::Cql);
    let mut recycled = Batch::default();
    while let Some(batch) = batches.next_batch(recycled) {
        recycled = batch.expect("PGN");
        writer.add(&recycled, &mut |_| {}).expect("a database");
    }
    writer.finish().expect("a database");
    fs::rename(unfinished, path).expect("a database");
}
