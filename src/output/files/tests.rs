//! Tests which files may be written, and how they appear.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::output::FormatName;

const KIND: Kind = Kind::Search(FormatName::Pgn);

/// A folder for the files of a test.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file as another program would.
    fn file(&self, name: &str, content: &str) -> PathBuf {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    /// Writes a file as a result of skewer.
    fn result(&self, name: &str, content: &str) -> PathBuf {
        write(&self.path(name), content, &Guard::default(), KIND).unwrap();
        self.path(name)
    }

    /// Returns the names in the folder, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn write(path: &Path, content: &str, guard: &Guard, kind: Kind) -> Result<(), String> {
    let permit = guard.permit(path, kind).map_err(|refused| refused.message)?;
    let mut destination = Destination::file(permit).map_err(|error| error.to_string())?;
    destination.write_all(content.as_bytes()).unwrap();
    destination.commit().map_err(|error| error.to_string())
}

fn permitted(path: &Path) -> Permit {
    Guard::default().permit(path, KIND).unwrap()
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let place = Place::new();
    let path = place.path("out.pgn");
    let mut destination = Destination::file(permitted(&path)).unwrap();
    destination.write_all(b"games").unwrap();
    assert_eq!(place.names(), [".skewer-out.pgn.tmp"]);
    destination.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"games");
    assert_eq!(place.names(), ["out.pgn"]);
}

#[test]
fn what_is_not_committed_changes_nothing() {
    let place = Place::new();
    let path = place.result("out.pgn", "old");
    let mut destination = Destination::file(permitted(&path)).unwrap();
    destination.write_all(b"half of something new").unwrap();
    drop(destination);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(place.names(), ["out.pgn"]);
}

#[test]
fn a_file_in_a_missing_folder_is_refused_at_once() {
    let place = Place::new();
    let error = Destination::file(permitted(&place.path("missing/out.pgn"))).map(drop);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("missing/out.pgn: there is no folder "), "{error}");
    assert!(Guard::new(true).permit(&place.path(""), KIND).is_err());
}

#[test]
fn only_its_own_results_are_replaced_unasked() {
    let place = Place::new();
    let path = place.result("out.pgn", "first");
    let again = |content| write(&path, content, &Guard::default(), KIND);
    assert_eq!(again("second"), Ok(()));
    let refused = write(&path, "x", &Guard::default(), Kind::Search(FormatName::Fen)).unwrap_err();
    assert!(refused.ends_with("is a result of skewer of another kind"), "{refused}");
    fs::write(&path, "second, with a remark").unwrap();
    let refused = again("x").unwrap_err();
    assert!(refused.ends_with("has been changed since skewer wrote it"), "{refused}");
    fs::write(&path, "second").unwrap();
    assert_eq!(again("third"), Ok(()), "the content counts");
    let foreign = place.file("foreign.pgn", "games");
    let refused = write(&foreign, "x", &Guard::default(), KIND).unwrap_err();
    assert!(refused.contains("nothing says that skewer wrote it"), "{refused}");
    assert_eq!(fs::read(&foreign).unwrap(), b"games");
    assert_eq!(write(&foreign, "x", &Guard::new(true), KIND), Ok(()));
    let empty = place.file("empty.pgn", "");
    assert_eq!(write(&empty, "x", &Guard::default(), KIND), Ok(()));
}

#[test]
fn pages_name_their_maker() {
    let place = Place::new();
    let page = "<!DOCTYPE html>\n<meta name=\"generator\" content=\"skewer 0.1.0\">";
    let path = place.file("page.html", page);
    let guard = Guard::default();
    assert!(guard.permit(&path, Kind::LibraryPage).is_err());
    assert!(guard.permit(&path, Kind::Search(FormatName::Html)).is_ok());
}

#[cfg(unix)]
#[test]
fn what_is_read_is_never_written_under_any_name() {
    use std::os::unix::fs::symlink;

    let place = Place::new();
    let input = place.file("games.pgn", "");
    symlink("games.pgn", place.path("link.pgn")).unwrap();
    fs::hard_link(&input, place.path("hard.pgn")).unwrap();
    let mut guard = Guard::new(true);
    guard.protect(Role::Input, &place.path("link.pgn"));
    for name in ["games.pgn", "link.pgn", "hard.pgn", "../", "./games.pgn"] {
        assert!(guard.permit(&place.path(name), KIND).is_err(), "{name}");
    }
    let refused = guard.permit(&place.path("hard.pgn"), KIND).unwrap_err();
    assert!(refused.message.contains("an input of this run"), "{}", refused.message);
    assert!(guard.permit(&place.path("other.pgn"), KIND).is_ok());
}

#[test]
fn what_somebody_else_writes_meanwhile_stays() {
    let place = Place::new();
    for old in [None, Some("old")] {
        let path = place.path("out.pgn");
        if let Some(old) = old {
            place.result("out.pgn", old);
        }
        let mut destination = Destination::file(permitted(&path)).unwrap();
        destination.write_all(b"new").unwrap();
        fs::write(&path, "of somebody else").unwrap();
        let error = destination.commit().unwrap_err().to_string();
        assert!(error.contains("another program"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"of somebody else");
        assert_eq!(place.names(), ["out.pgn"]);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_part_goes_beside_what_is_there() {
    let place = Place::new();
    let part = |content: &str| {
        let mut destination = Destination::file(permitted(&place.path("out.pgn"))).unwrap();
        destination.write_all(content.as_bytes()).unwrap();
        destination.commit_all_or_part(true).unwrap()
    };
    assert_eq!(part("of nothing"), Placed::There);
    let beside = |name| Placed::Beside {
        kept: place.path("out.pgn"),
        written: place.path(name),
    };
    assert_eq!(part("more"), beside("out.partial.pgn"));
    assert_eq!(part("still more"), beside("out.partial.pgn"));
    place.file("out.partial.pgn", "of somebody else");
    assert_eq!(part("most"), beside("out.partial-2.pgn"));
    assert_eq!(fs::read(place.path("out.pgn")).unwrap(), b"of nothing");
    assert_eq!(fs::read(place.path("out.partial-2.pgn")).unwrap(), b"most");
}

#[test]
fn results_wait_in_one_file() {
    let place = Place::new();
    let folder = place.path("results");
    let results = Results::new(&folder, 1000).unwrap();
    assert!(Results::new(&folder, 1).is_err(), "another run may not write there");
    let mut waiting: Vec<_> = (0..3)
        .map(|number| results.result(permitted(&folder.join(format!("sub/{number}.pgn")))))
        .collect();
    for round in 0..2000 {
        for (number, result) in waiting.iter_mut().enumerate() {
            writeln!(result, "{number} {round}").unwrap();
        }
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    for result in waiting {
        result.commit().unwrap();
    }
    drop(results);
    for number in 0..3 {
        let expected: String = (0..2000).map(|round| format!("{number} {round}\n")).collect();
        let path = folder.join(format!("sub/{number}.pgn"));
        assert_eq!(fs::read_to_string(path).unwrap(), expected);
    }
    assert_eq!(
        fs::read_dir(&folder).unwrap().count(),
        1,
        "the folder of the results alone"
    );
}

#[test]
fn a_text_is_replaced_if_it_is_what_it_was() {
    let place = Place::new();
    let path = place.file("q.cql", "before");
    replace_text(&path, b"before", b"after").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"after");
    assert!(replace_text(&path, b"before", b"x").is_err());
    assert_eq!(fs::read(&path).unwrap(), b"after");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let place = Place::new();
    let (path, link) = (place.result("out.pgn", "old"), place.path("link.pgn"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    write(&link, "new", &Guard::default(), KIND).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    symlink("nowhere", place.path("dangling.pgn")).unwrap();
    assert!(Guard::new(true).permit(&place.path("dangling.pgn"), KIND).is_err());
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_not_replaced() {
    write("/dev/null".as_ref(), "games", &Guard::default(), KIND).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let full = Path::new("/dev/full");
    if full.exists() {
        let mut destination = Destination::file(permitted(full)).unwrap();
        let written = destination.write_all(b"games").and_then(|()| destination.commit());
        let error = written.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
        assert!(error.to_string().starts_with("/dev/full: "), "{error}");
    }
}
