//! Databases of other programs, each of several files.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use skewer::output::FormatName;
use skewer::query::Query;
use tempfile::TempDir;

use super::mutation::Bytes;
use super::searching::{Ran, compiled, index_file, search_database, search_file, shown};

/// The endings and contents of the files of a database, beginning with the file that a search names.
type Files = &'static [(&'static str, &'static [u8])];

/// Intact databases.
const DATABASES: [Files; 2] = [
    &[
        ("si4", include_bytes!("../../database/foreign/games.si4")),
        ("sg4", include_bytes!("../../database/foreign/games.sg4")),
        ("sn4", include_bytes!("../../database/foreign/games.sn4")),
    ],
    &[
        ("cbh", include_bytes!("../../database/foreign/built.cbh")),
        ("cbg", include_bytes!("../../database/foreign/built.cbg")),
        ("cba", include_bytes!("../../database/foreign/built.cba")),
        ("cbp", include_bytes!("../../database/foreign/built.cbp")),
        ("cbt", include_bytes!("../../database/foreign/built.cbt")),
        ("cbc", include_bytes!("../../database/foreign/built.cbc")),
        ("cbs", include_bytes!("../../database/foreign/built.cbs")),
    ],
];

static EVERYTHING: LazyLock<Query> = LazyLock::new(|| compiled("cql(variations silent) true"));

/// Damages a database as the input says, and searches it. One thread and seven, and a database of skewer made from it, must agree.
///
/// # Panics
/// If a property does not hold.
pub fn check(script: &[u8]) {
    let mut script = Bytes::new(script);
    let Some(which) = script.below(DATABASES.len()) else {
        return;
    };
    let mut files: Vec<_> = DATABASES[which]
        .iter()
        .map(|(ending, bytes)| (*ending, bytes.to_vec()))
        .collect();
    while let Some(file) = script.byte() {
        let place = usize::from(file) % files.len();
        if !script.damage(&mut files[place].1) {
            break;
        }
    }
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    for (ending, bytes) in &files {
        fs::write(path(&folder, ending), bytes).expect("the folder can be written to");
    }
    let named = path(&folder, files[0].0);
    let here = search_file(&EVERYTHING, &named, FormatName::Fen, 1);
    let there = search_file(&EVERYTHING, &named, FormatName::Fen, 7);
    assert!(here == there, "threads differ: {here:?} {there:?}");
    let (Ran::Done(positions, ..), Some(database)) = (here, index_file(&named)) else {
        return;
    };
    match search_database(&EVERYTHING, &database, FormatName::Fen) {
        Ran::Done(same, ..) => assert!(
            positions == same,
            "{}",
            shown("the database differs", &positions, &same)
        ),
        other => panic!("{other:?}"),
    }
}

fn path(folder: &TempDir, ending: &str) -> PathBuf {
    folder.path().join("games").with_extension(ending)
}
