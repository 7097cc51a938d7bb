//! Files that queries read and write (chapter 8, 12), inside one folder that the user names.
//!
//! Queries are passed around, so a query must not reach files of the user without permission. The folder is opened once, names are
//! resolved inside it, symbolic links cannot lead out of it, and files that this run did not write are not overwritten.
//!
//! Content written by a query waits in a file without a name. At the end, whoever runs the query moves it to its place
//! ([`Folder::place_written`]), so a file is never half written, even if the process is killed.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cap_fs_ext::{MetadataExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};

use crate::eval::files::staging::{Content, Staging};
use crate::limits::{Memory, Share};
use crate::terminal::shown;

/// The size of the largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;
/// The extensions of files that queries may write. They may read these and files of games.
const WRITTEN: [&[u8]; 4] = [b".cqo", b".cql", b".CQO", b".CQL"];
const READ: [&[u8]; 2] = [b".pgn", b".PGN"];

/// A folder in which queries may read and write files.
#[derive(Debug)]
pub struct Folder {
    root: Dir,
    /// The path of the folder.
    path: PathBuf,
    /// Whether files that this run did not write may be overwritten.
    force: bool,
    /// Says which files `force` does not overwrite.
    keeps: fn(&Path) -> bool,
    /// Files that are never written.
    protected: Vec<PathBuf>,
    /// The content written so far, by the paths of the files.
    written: Mutex<Staging>,
    /// The paths of the files written by all queries of the run.
    taken: Arc<Mutex<HashSet<PathBuf>>>,
}

impl Folder {
    /// Opens a folder. With `force`, existing files may be overwritten.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened.
    pub fn open(path: &Path, force: bool) -> io::Result<Folder> {
        Ok(Folder {
            root: Dir::open_ambient_dir(path, ambient_authority())?,
            path: fs::canonicalize(path)?,
            force,
            keeps: |_| false,
            protected: Vec::new(),
            written: Mutex::default(),
            taken: Arc::default(),
        })
    }

    /// Returns the same folder for another query of the run. No query may write a file that another query has written.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be opened again.
    pub fn for_another_query(&self) -> io::Result<Folder> {
        Ok(Folder {
            root: self.root.try_clone()?,
            path: self.path.clone(),
            force: self.force,
            keeps: self.keeps,
            protected: self.protected.clone(),
            written: Mutex::default(),
            taken: Arc::clone(&self.taken),
        })
    }

    /// Passes each file that the query has written to `place`, with its final path, in the order in which they were begun.
    ///
    /// # Errors
    /// Returns the first error of `place`.
    pub fn place_written<E>(&self, mut place: impl FnMut(&Path, Content<'_>) -> Result<(), E>) -> Result<(), E> {
        locked(&self.written)
            .files()
            .try_for_each(|(path, content)| place(path, content))
    }

    /// Returns the same folder, in which `file` is never written, whether or not it exists yet.
    #[must_use]
    pub fn protect(mut self, file: &Path) -> Folder {
        self.protected.extend(resolved(file));
        self
    }

    /// Returns the same folder, in which files for which `keeps` returns `true` are not overwritten, even with `force`.
    #[must_use]
    pub fn keep(self, keeps: fn(&Path) -> bool) -> Folder {
        Folder { keeps, ..self }
    }

    /// Returns the path of the file that a header names as its input, either relative to this folder or by a path that leads into it.
    ///
    /// # Errors
    /// Returns an error if there is no such file inside the folder.
    pub fn input(&self, name: &str) -> Result<PathBuf, String> {
        let inner = self.inner(Path::new(name))?;
        self.open_file(&inner, OpenOptions::new().read(true))?;
        self.root
            .canonicalize(inner)
            .map(|inner| self.path.join(inner))
            .map_err(|error| error.to_string())
    }

    /// Returns the path of the file that a header names as its output. It need not exist.
    ///
    /// # Errors
    /// Returns an error if it would not be inside the folder.
    pub fn output(&self, name: &str) -> Result<PathBuf, String> {
        self.output_at(&self.inner(Path::new(name))?)
    }

    /// Returns the same for a path relative to this folder.
    fn output_at(&self, inner: &Path) -> Result<PathBuf, String> {
        let name = inner.file_name().ok_or("it is not a name of a file")?;
        let folder = match inner.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let place = match self.root.symlink_metadata(inner) {
            Ok(_) => self.root.canonicalize(inner),
            Err(_) => self.root.canonicalize(folder).map(|folder| folder.join(name)),
        };
        place
            .map(|inner| self.path.join(inner))
            .map_err(|error| error.to_string())
    }

    /// Returns a path of a header relative to this folder.
    fn inner(&self, path: &Path) -> Result<PathBuf, String> {
        if !path.is_absolute() {
            return Ok(path.to_path_buf());
        }
        let inner = resolved(path).and_then(|path| path.strip_prefix(&self.path).map(Path::to_path_buf).ok());
        inner.ok_or_else(|| format!("it is not in {}", shown(&self.path)))
    }

    fn read(&self, name: &Path) -> Result<Vec<u8>, String> {
        let written = locked(&self.written);
        if let Ok(place) = self.output_at(name)
            && let Some(content) = written.content(&place)
        {
            return read_all(content);
        }
        read_all(self.open_file(name, OpenOptions::new().read(true))?)
    }

    /// Appends to a file, which the first write empties.
    fn write(&self, name: &Path, content: &[u8], share: &mut Share) -> Result<(), String> {
        let place = self.output_at(name)?;
        let mut written = locked(&self.written);
        if written.content(&place).is_none() {
            self.permit(name, &place)?;
        }
        if !share.resize(written.bytes() + place.as_os_str().len()) {
            return Err("there is no memory for more of such files; `--max-memory` allows more".to_owned());
        }
        written
            .add(&self.path, place, content)
            .map_err(|error| error.to_string())
    }

    /// Claims the file at `place` for this query, if it may be written.
    fn permit(&self, name: &Path, place: &Path) -> Result<(), String> {
        if self.protected.iter().any(|protected| protected == place) {
            return Err("it is the query, an input or the output of this search".to_owned());
        }
        match self.root.symlink_metadata(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.to_string()),
            Ok(_) if (self.keeps)(place) => {
                return Err("it exists, and it may be a query of yours: remove it first".to_owned());
            }
            Ok(_) if self.force => drop(self.open_file(name, OpenOptions::new().write(true))?),
            Ok(_) => return Err("it exists, and this run did not create it; `--force` overwrites it".to_owned()),
        }
        if locked(&self.taken).insert(place.to_path_buf()) {
            Ok(())
        } else {
            Err("another query of this run writes it".to_owned())
        }
    }

    /// Opens a file. Refuses folders, devices and pipes, without waiting for their other end, and files with a second
    /// name, which may be outside.
    fn open_file(&self, name: &Path, options: &mut OpenOptions) -> Result<File, String> {
        let file = self.root.open_with(name, options.nonblock(true));
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        })?;
        let metadata = file.metadata().map_err(|error| error.to_string())?;
        if !metadata.is_file() {
            Err("it is not a regular file".to_owned())
        } else if metadata.nlink() > 1 {
            Err("it has another name, which may be outside of the folder (a hard link)".to_owned())
        } else {
            Ok(file)
        }
    }
}

/// Locks the mutex, even if it is poisoned. Its content is consistent at every moment.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a whole file, unless it is too large.
fn read_all(file: impl Read) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    file.take(LARGEST + 1)
        .read_to_end(&mut content)
        .map_err(|error| error.to_string())?;
    if content.len() as u64 > LARGEST {
        return Err(format!("it is larger than {} MB", LARGEST >> 20));
    }
    Ok(content)
}

/// The files of a query.
#[derive(Debug, Default)]
pub(crate) struct Files {
    folder: Option<Arc<Folder>>,
    /// The memory for the list of what was written where.
    share: Share,
}

impl Files {
    pub(crate) fn new(folder: Option<Arc<Folder>>, memory: &Arc<Memory>) -> Files {
        Files {
            folder,
            share: Share::of(memory),
        }
    }

    /// Returns the content of a file, or why it cannot be read.
    pub(crate) fn read(&self, name: &[u8]) -> Result<Vec<u8>, String> {
        let path = checked(name, &[&WRITTEN[..], &READ[..]].concat())?;
        self.folder()?.read(path)
    }

    /// Appends to a file, which the first write of a run empties.
    pub(crate) fn write(&mut self, name: &[u8], content: &[u8]) -> Result<(), String> {
        let path = checked(name, &WRITTEN)?;
        self.folder()?.write(path, content, &mut self.share)
    }

    fn folder(&self) -> Result<Arc<Folder>, String> {
        self.folder
            .clone()
            .ok_or_else(|| "files are allowed by `--allow-files DIR` only".to_owned())
    }
}

/// Returns the name as a path that cannot leave its folder, or why it is not allowed.
fn checked<'n>(name: &'n [u8], endings: &[&[u8]]) -> Result<&'n Path, String> {
    let text = std::str::from_utf8(name).map_err(|_| "the name is not UTF-8".to_owned())?;
    if !endings.iter().any(|ending| name.ends_with(ending)) {
        let allowed: Vec<_> = endings.iter().map(|ending| String::from_utf8_lossy(ending)).collect();
        return Err(format!("the name does not end in one of {}", allowed.join(", ")));
    }
    if text.chars().any(|sign| sign.is_control() || matches!(sign, '\\' | ':')) {
        return Err("the name has a backslash, a colon or a control character".to_owned());
    }
    if text.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err("the name is not that of a file in the folder: it has an empty part, `.` or `..`".to_owned());
    }
    Ok(Path::new(text))
}

/// Returns the canonical path of a file, so that paths can be compared; `None` if its folder does not exist.
fn resolved(file: &Path) -> Option<PathBuf> {
    fs::canonicalize(file).ok().or_else(|| {
        let folder = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        Some(fs::canonicalize(folder).ok()?.join(file.file_name()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place {
        outer: tempfile::TempDir,
    }

    fn files_in(folder: Folder) -> Files {
        Files::new(Some(Arc::new(folder)), &Arc::default())
    }

    /// Moves the written files to their places.
    fn placed(files: &Files) {
        let folder = files.folder.as_ref().unwrap();
        let placed = folder.place_written(|path, mut content| {
            let mut file = fs::File::create(path)?;
            io::copy(&mut content, &mut file).map(drop)
        });
        placed.unwrap();
    }

    impl Place {
        fn new() -> Place {
            let outer = tempfile::tempdir().unwrap();
            fs::create_dir(outer.path().join("inner")).unwrap();
            fs::write(outer.path().join("secret.cqo"), "secret").unwrap();
            Place { outer }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.outer.path().join("inner").join(name)
        }

        fn files(&self, force: bool) -> Files {
            files_in(self.folder(force))
        }

        fn folder(&self, force: bool) -> Folder {
            Folder::open(&self.path(""), force).unwrap()
        }
    }

    #[test]
    fn the_first_write_begins_the_file_and_later_ones_add_to_it() {
        let place = Place::new();
        let mut files = place.files(false);
        files.write(b"a.cqo", b"one ").unwrap();
        files.write(b"a.cqo", b"two").unwrap();
        assert_eq!(files.read(b"a.cqo").unwrap(), b"one two");
        placed(&files);
        assert_eq!(fs::read(place.path("a.cqo")).unwrap(), b"one two");
        let mut later = place.files(true);
        later.write(b"a.cqo", b"three").unwrap();
        assert_eq!(later.read(b"a.cqo").unwrap(), b"three");
    }

    #[test]
    fn nothing_is_in_its_place_before_the_end() {
        let place = Place::new();
        fs::write(place.path("a.cqo"), "old").unwrap();
        let mut files = place.files(true);
        for (name, content) in [
            ("a.cqo", "a1"),
            ("b.cqo", "b1"),
            ("a.cqo", "a2"),
            ("a.cqo", "a3"),
            ("b.cqo", "b2"),
        ] {
            files.write(name.as_bytes(), content.as_bytes()).unwrap();
        }
        files.write(b"c.cqo", b"").unwrap();
        assert_eq!(files.read(b"a.cqo").unwrap(), b"a1a2a3");
        assert_eq!(fs::read_dir(place.path("")).unwrap().count(), 1);
        assert_eq!(fs::read(place.path("a.cqo")).unwrap(), b"old");
        placed(&files);
        for (name, expected) in [("a.cqo", "a1a2a3"), ("b.cqo", "b1b2"), ("c.cqo", "")] {
            assert_eq!(fs::read(place.path(name)).unwrap(), expected.as_bytes(), "{name}");
        }
    }

    #[test]
    fn files_of_others_are_not_overwritten() {
        let place = Place::new();
        fs::write(place.path("a.cqo"), "mine").unwrap();
        let error = place.files(false).write(b"a.cqo", b"x").unwrap_err();
        assert!(error.contains("--force"), "{error}");
        assert_eq!(fs::read(place.path("a.cqo")).unwrap(), b"mine");
        let mut forced = place.files(true);
        forced.write(b"a.cqo", b"x").unwrap();
        placed(&forced);
        assert_eq!(fs::read(place.path("a.cqo")).unwrap(), b"x");
    }

    #[test]
    fn protected_files_are_not_even_overwritten_by_force() {
        let place = Place::new();
        fs::write(place.path("query.cql"), "query").unwrap();
        let folder = place
            .folder(true)
            .protect(&place.path("query.cql"))
            .protect(&place.path("output.cql"));
        let mut files = files_in(folder);
        assert!(files.write(b"query.cql", b"x").is_err());
        assert!(files.write(b"output.cql", b"x").is_err());
        assert_eq!(fs::read(place.path("query.cql")).unwrap(), b"query");
        assert!(!place.path("output.cql").exists());
    }

    #[test]
    fn names_cannot_leave_the_folder() {
        let place = Place::new();
        fs::create_dir(place.path("sub")).unwrap();
        let mut files = place.files(true);
        for name in [
            "../secret.cqo",
            "sub/../../secret.cqo",
            "/etc/hosts.cqo",
            "./a.cqo",
            "sub//a.cqo",
            "c:a.cqo",
            "sub\\a.cqo",
            "a\n.cqo",
            "a.txt",
            "a.cqo.txt",
            "a.Cqo",
            "",
        ] {
            assert!(files.read(name.as_bytes()).is_err(), "read {name:?}");
            assert!(files.write(name.as_bytes(), b"x").is_err(), "write {name:?}");
        }
        assert!(files.read(b"\xff.cqo").is_err());
        files.write(b"sub/a.CQL", b"x").unwrap();
        assert_eq!(files.read(b"sub/a.CQL").unwrap(), b"x");
    }

    #[cfg(unix)]
    #[test]
    fn links_cannot_lead_out_of_the_folder() {
        use std::os::unix::fs::symlink;
        let place = Place::new();
        symlink("../secret.cqo", place.path("link.cqo")).unwrap();
        symlink("..", place.path("up")).unwrap();
        symlink(place.outer.path(), place.path("absolute")).unwrap();
        symlink("../new.cqo", place.path("dangling.cqo")).unwrap();
        let mut files = place.files(true);
        for name in ["link.cqo", "up/secret.cqo", "absolute/secret.cqo", "dangling.cqo"] {
            assert!(files.read(name.as_bytes()).is_err(), "read {name}");
            assert!(files.write(name.as_bytes(), b"x").is_err(), "write {name}");
        }
        assert_eq!(fs::read(place.outer.path().join("secret.cqo")).unwrap(), b"secret");
        assert!(!place.outer.path().join("new.cqo").exists());
    }

    #[test]
    fn hard_links_cannot_lead_out_of_the_folder() {
        let place = Place::new();
        fs::hard_link(place.outer.path().join("secret.cqo"), place.path("link.cqo")).unwrap();
        for force in [false, true] {
            let mut files = place.files(force);
            assert!(files.read(b"link.cqo").is_err());
            assert!(files.write(b"link.cqo", b"x").is_err());
        }
        assert!(place.folder(true).input("link.cqo").is_err());
        assert_eq!(fs::read(place.outer.path().join("secret.cqo")).unwrap(), b"secret");
    }

    #[cfg(unix)]
    #[test]
    fn files_of_a_header_are_in_the_folder() {
        use std::os::unix::fs::symlink;
        let place = Place::new();
        fs::write(place.path("games.pgn"), "").unwrap();
        symlink("../secret.cqo", place.path("link.pgn")).unwrap();
        symlink("..", place.path("up")).unwrap();
        let folder = place.folder(false);
        let games = fs::canonicalize(place.path("games.pgn")).unwrap();
        assert_eq!(folder.input("games.pgn"), Ok(games.clone()));
        assert_eq!(
            folder.input(place.path("games.pgn").to_str().unwrap()),
            Ok(games.clone())
        );
        assert_eq!(folder.output("games.pgn"), Ok(games.clone()));
        assert_eq!(folder.output("new.pgn"), Ok(games.with_file_name("new.pgn")));
        let outside = place.outer.path().join("new.pgn");
        for name in [
            "../secret.cqo",
            "link.pgn",
            "up/secret.cqo",
            ".",
            "..",
            "",
            outside.to_str().unwrap(),
        ] {
            assert!(folder.input(name).is_err(), "{name}");
            assert!(folder.output(name).is_err(), "{name}");
        }
    }

    #[test]
    fn only_regular_files_of_bearable_size_are_read() {
        let place = Place::new();
        fs::create_dir(place.path("folder.cqo")).unwrap();
        let large = fs::File::create(place.path("large.pgn")).unwrap();
        large.set_len(LARGEST + 1).unwrap();
        let files = place.files(false);
        assert!(files.read(b"folder.cqo").is_err());
        assert!(files.read(b"large.pgn").unwrap_err().contains("larger"));
        large.set_len(3).unwrap();
        assert_eq!(files.read(b"large.pgn").unwrap(), [0; 3]);
    }

    #[test]
    fn games_are_never_written() {
        let place = Place::new();
        assert!(place.files(true).write(b"a.pgn", b"x").is_err());
    }

    #[test]
    fn without_a_folder_there_are_no_files() {
        let mut files = Files::default();
        assert!(files.read(b"a.cqo").unwrap_err().contains("--allow-files"));
        assert!(files.write(b"a.cqo", b"x").unwrap_err().contains("--allow-files"));
    }
}
