//! Databases of other programs have the same content as their PGN.
//!
//! Damage is reported, and the rest is searched.

mod chessbase;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::pgn::{Batch, Batches, Input, Source};
use skewer::search::{Options, Printed, search_sources};
use tempfile::TempDir;

use super::compiled;

/// The endings of the files of a Scid 4 database and a Scid 5 database, beginning with the file that a search names.
const SCID_4: [&str; 3] = ["si4", "sg4", "sn4"];
const SCID_5: [&str; 3] = ["si5", "sg5", "sn5"];

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn foreign(name: &str) -> PathBuf {
    repository("tests/database/foreign").join(name)
}

/// Returns what a search in files prints, or its error.
fn searched(query: &str, paths: &[PathBuf], format: FormatName, threads: usize) -> Result<Printed, String> {
    let mut sources: Vec<Source> = Vec::new();
    for path in paths {
        sources.extend(Input::from(path.clone()).sources().map_err(|error| error.to_string())?);
    }
    let options = Options {
        quiet: false,
        threads: NonZeroUsize::new(threads).expect("a thread"),
        ..Options::quiet()
    };
    let printed = search_sources(&compiled(query), Settings::default(), sources, format, &options);
    printed.map_err(|error| error.to_string())
}

/// Returns all games with everything in them.
fn whole(paths: &[PathBuf]) -> Printed {
    searched("cql(variations silent) true", paths, FormatName::Pgn, 1).expect("they can be read")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Asserts that the games of a database are the same as in PGN, with everything in them, and that their positions are.
fn assert_same(database: &Path, pgn: &[PathBuf]) {
    let (here, there) = (whole(&[database.to_owned()]), whole(pgn));
    assert_eq!(text(&here.output), text(&there.output), "{}", database.display());
    assert_eq!(text(&here.log), "", "{}", database.display());
    let query = "cql(variations) true";
    for threads in [1, 7] {
        let fens = |paths: &[PathBuf]| searched(query, paths, FormatName::Fen, threads).expect("they can be read");
        let (here, there) = (fens(&[database.to_owned()]), fens(pgn));
        assert_eq!(text(&here.output), text(&there.output), "{}", database.display());
    }
}

#[test]
fn a_scid_database_says_the_same_as_its_pgn() {
    assert_same(&foreign("games.si4"), &[foreign("games.pgn")]);
    let examples = ["classics", "lichess", "study", "variations"];
    let examples = examples.map(|name| repository("examples").join(name).with_extension("pgn"));
    assert_same(&foreign("examples.si4"), &examples);
}

#[test]
fn games_are_numbered_through_all_inputs_and_named_by_their_place() {
    let paths = [foreign("games.pgn"), foreign("deleted.si4"), foreign("games.pgn")];
    let found =
        searched("cql(silent) player \"Composer\" initial", &paths, FormatName::Ids, 1).expect("they can be read");
    // The first game of the database has the number 6. Its fourth game has the number 8, because the second game is deleted.
    assert_eq!(text(&found.output), "4:0\n8:0\n12:0\n");
}

#[test]
fn deleted_games_are_left_out_with_a_note() {
    let found = searched("cql(silent) initial", &[foreign("deleted.si4")], FormatName::Ids, 1).expect("it can be read");
    assert_eq!(text(&found.output).lines().count(), 3);
    let name = foreign("deleted.si4");
    let note = format!(
        "warning: {}: 2 games that are marked as deleted are left out\n",
        name.display()
    );
    assert_eq!(text(&found.log), note);
}

/// A folder with the files of a database, named `games`.
struct Copy {
    folder: TempDir,
    endings: [&'static str; 3],
}

impl Copy {
    /// Copies the database of Scid 4.
    fn of_scid_4() -> Copy {
        let copy = Copy {
            folder: tempfile::tempdir().expect("a folder"),
            endings: SCID_4,
        };
        for ending in copy.endings {
            fs::copy(foreign("games").with_extension(ending), copy.path(ending)).expect("it can be copied");
        }
        copy
    }

    /// Makes a database of Scid 5 from the same games.
    fn of_scid_5() -> Copy {
        let copy = Copy {
            folder: tempfile::tempdir().expect("a folder"),
            endings: SCID_5,
        };
        let [index, games, names] =
            SCID_4.map(|ending| fs::read(foreign("games").with_extension(ending)).expect("it can be read"));
        copy.write("si5", &index_of_version_5(&index));
        copy.write("sg5", &games);
        copy.write("sn5", &names_of_version_5(&names));
        copy
    }

    fn path(&self, ending: &str) -> PathBuf {
        self.folder.path().join("games").with_extension(ending)
    }

    /// Returns the file that a search names.
    fn main(&self) -> PathBuf {
        self.path(self.endings[0])
    }

    fn read(&self, ending: &str) -> Vec<u8> {
        fs::read(self.path(ending)).expect("it can be read")
    }

    fn write(&self, ending: &str, bytes: &[u8]) {
        fs::write(self.path(ending), bytes).expect("it can be written");
    }
}

/// Converts an index of version 4 to version 5.
fn index_of_version_5(index: &[u8]) -> Vec<u8> {
    let mut written = Vec::new();
    for entry in index[182..].chunks_exact(47) {
        let number =
            |range: std::ops::Range<usize>| entry[range].iter().fold(0, |all, byte| all << 8 | u32::from(*byte));
        let (white, black) = (number(10..12), number(12..14));
        let (event, site, round) = (number(15..17), number(17..19), number(19..21));
        let dates = number(25..29);
        let date = dates & 0xf_ffff;
        let event_date = match dates >> 29 {
            0 => 0,
            distance => ((date >> 9) + distance - 4) << 9 | dates >> 20 & 0x1ff,
        };
        let elo = |range| number(range) & 0xfff;
        let words = [
            white,
            black,
            event,
            site,
            round,
            elo(29..31) << 20 | date,
            elo(31..33) << 20 | event_date,
            number(7..9),
            number(4..6) << 15,
            number(0..4),
            0,
            number(21..23) >> 12 << 16 | number(23..25),
            0,
            0,
        ];
        written.extend(words.iter().flat_map(|word: &u32| word.to_le_bytes()));
    }
    written
}

/// Converts a file of names of version 4 to version 5. There may be only a few names of each kind.
fn names_of_version_5(names: &[u8]) -> Vec<u8> {
    // An entry about the database comes first.
    let mut written = vec![4 | 5 << 3];
    written.extend_from_slice(b"type7");
    let mut rest = &names[36..];
    let mut take = |count: usize| {
        let (first, behind) = rest.split_at(count);
        rest = behind;
        first.to_vec()
    };
    for kind in 0..4 {
        let count = usize::from(names[14 + 3 * kind]);
        let mut known = vec![Vec::new(); count];
        let mut before: Vec<u8> = Vec::new();
        for index in 0..count {
            let number = usize::from(take(3)[1]);
            let length = usize::from(take(1)[0]);
            let shared = if index == 0 { 0 } else { usize::from(take(1)[0]) };
            before.truncate(shared);
            before.extend(take(length - shared));
            known[number] = before.clone();
        }
        for name in known {
            let head = name.len() << 3 | kind;
            match head {
                ..0x80 => written.push(head as u8),
                _ => written.extend([(head & 0x7f) as u8 | 0x80, (head >> 7) as u8]),
            }
            written.extend(name);
        }
    }
    written
}

#[test]
fn a_database_of_scid_5_says_the_same_as_its_pgn() {
    let copy = Copy::of_scid_5();
    assert_same(&copy.main(), &[foreign("games.pgn")]);
    let mut index = copy.read("si5");
    index[28] |= 8;
    copy.write("si5", &index);
    let log = text(&whole(&[copy.main()]).log);
    assert!(
        log.ends_with(": a game that is marked as deleted is left out\n"),
        "{log}"
    );
}

#[test]
fn a_folder_stands_for_its_databases() {
    let copy = Copy::of_scid_4();
    fs::copy(foreign("games.pgn"), copy.path("pgn")).expect("it can be copied");
    let found = searched(
        "cql(silent) initial",
        &[copy.folder.path().to_owned()],
        FormatName::Ids,
        1,
    )
    .expect("it can be read");
    assert_eq!(text(&found.output).lines().count(), 10);
}

#[test]
fn a_missing_file_is_named() {
    for copy in [Copy::of_scid_4(), Copy::of_scid_5()] {
        for ending in &copy.endings[1..] {
            let bytes = copy.read(ending);
            fs::remove_file(copy.path(ending)).expect("it can be removed");
            let error = searched("cql() true", &[copy.main()], FormatName::Count, 1).expect_err("it is missing");
            let message = format!("the file `games.{ending}`, which belongs to it, is not beside it");
            assert!(error.contains(&message), "{error}");
            // On Windows, file names are sometimes in capitals.
            fs::write(copy.path(&ending.to_uppercase()), bytes).expect("it can be written");
            assert_eq!(whole(&[copy.main()]).totals.games, 5);
        }
    }
}

#[test]
fn files_of_other_kinds_are_refused() {
    let copy = Copy::of_scid_4();
    let intact = copy.read("si4");
    let refused = |bytes: &[u8]| {
        copy.write("si4", bytes);
        searched("cql() true", &[copy.main()], FormatName::Count, 1).expect_err("it is not an index")
    };
    assert!(refused(b"Scid").contains("it is too short for an index of Scid"));
    let other = [b"[Event \"e\"]", &intact[11..]].concat();
    assert!(refused(&other).contains("it is not an index of Scid"));
    let old = [&intact[..9], &[0x2c], &intact[10..]].concat();
    assert!(refused(&old).contains("it is of an older version of Scid (300)"));
    let new = [&intact[..9], &[0x91], &intact[10..]].concat();
    assert!(refused(&new).contains("it is of a version of Scid (401) that is not known"));
}

#[test]
fn a_damaged_game_is_told_and_the_others_are_searched() {
    let copy = Copy::of_scid_4();
    let intact = copy.read("si4");
    let found = |index: &[u8]| {
        copy.write("si4", index);
        let found =
            searched("cql(silent) initial", &[copy.main()], FormatName::Ids, 1).expect("the others can be read");
        (
            text(&found.output),
            text(&found.log).replace(&*copy.main().to_string_lossy(), "games.si4"),
        )
    };
    let entry = |game: usize| 182 + 47 * (game - 1);
    // The second game begins beyond the end of the file of games.
    let mut index = intact.clone();
    index[entry(2)] = 0xff;
    let (games, log) = found(&index);
    assert_eq!(games, "1:0\n3:0\n4:0\n5:0\n");
    let message = "its moves would lie beyond the end of the file of games";
    assert_eq!(
        log,
        format!("warning: games.si4:2: game 2: the game is left out: {message}\n")
    );
    // The moves of the third game are cut off.
    let mut index = intact.clone();
    let length = index[entry(3) + 5];
    index[entry(3) + 5] = length - 6;
    let (games, log) = found(&index);
    assert_eq!(games, "1:0\n2:0\n3:0\n4:0\n5:0\n");
    assert_eq!(
        log,
        "warning: games.si4:3: game 3: its moves break off: the rest of the game and its comments are left out\n"
    );
    // The header of the index claims more games than it has.
    let mut index = intact.clone();
    index[16] = 9;
    let (games, log) = found(&index);
    assert_eq!(games, "1:0\n2:0\n3:0\n4:0\n5:0\n");
    assert_eq!(
        log,
        "warning: games.si4: the index breaks off: it says that there are 9 games and has 5\n"
    );
    // The first game has a name that does not exist.
    let mut index = intact.clone();
    index[entry(1) + 11] = 99;
    let (games, log) = found(&index);
    assert_eq!(games, "1:0\n2:0\n3:0\n4:0\n5:0\n");
    assert_eq!(
        log,
        "warning: games.si4:1: game 1: it has a name that is not among the names of the database\n"
    );
}

/// Returns whether the games of a damaged database can be read, possibly with warnings.
fn survives(path: &Path) -> bool {
    let sources = Input::from(path.to_owned()).sources().expect("it is there");
    let mut batches = Batches::new(sources);
    let mut length = 0;
    while let Some(batch) = batches.next_batch(Batch::default()) {
        let Ok(batch) = batch else { return false };
        length += batch.text.len();
        assert!(length < 64 << 10, "few bytes become many");
    }
    true
}

/// With any byte changed, or any file cut off at any place, reading gives an error or an answer.
#[test]
fn damage_anywhere_is_survived() {
    for copy in [Copy::of_scid_4(), Copy::of_scid_5()] {
        let (mut survived, mut tried) = (0, 0);
        for ending in copy.endings {
            let intact = copy.read(ending);
            let mut try_bytes = |bytes: &[u8]| {
                copy.write(ending, bytes);
                tried += 1;
                survived += u32::from(survives(&copy.main()));
            };
            for place in 0..intact.len() {
                try_bytes(&intact[..place]);
                for other in [!intact[place], intact[place] ^ 1 << (place % 8), 0] {
                    let mut damaged = intact.clone();
                    damaged[place] = other;
                    try_bytes(&damaged);
                }
            }
            copy.write(ending, &intact);
        }
        assert!(survived * 3 > tried, "only {survived} of {tried} can be read");
    }
}
