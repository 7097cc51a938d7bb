//! Where games come from: files, folders, standard input.

use std::{
    collections::VecDeque,
    error, fmt,
    fs::File,
    io::{self, Read},
    mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

#[cfg(feature = "files")]
use walkdir::WalkDir;

use super::file_kinds::{PARQUET, is_foreign_database, not_a_stream, refuse_foreign};
#[cfg(feature = "files")]
use super::file_kinds::{has_packed_name, holds_games, holds_list, holds_positions, is_archive, unpacked_name};
use super::interruptible::{BackgroundReader, Interruptible};
#[cfg(feature = "files")]
use super::packed::have_games;
use super::packed::{ReadSeek, Reopen, UnpackedText, UnpackedTexts, unpacked};
use super::part::Part;
use super::utf16::utf_8;
use crate::game::{GameTable, Rules};
use crate::limits::{Interrupt, InterruptHandle};
use crate::pgn::canonical::Batch;
#[cfg(any(feature = "scid", feature = "chessbase"))]
use crate::pgn::foreign::ForeignReader;
use crate::pgn::notation::Language;
#[cfg(feature = "files")]
use crate::pgn::positions::{PositionKind, PositionReader};
use crate::pgn::split::{RowSource, Splitter};
use crate::terminal::in_a_line;

/// The name of standard input in messages.
const STDIN: &str = "<stdin>";

/// The largest default window of a zstd frame, as a power of two: 128 MB, as for `zstd`.
const ZSTD_WINDOW: u32 = 27;

/// Something that games are read from, as named by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Standard input, `-`.
    Stdin,
    /// A file, or a folder with files in it.
    Path(PathBuf),
}

impl<P: Into<PathBuf>> From<P> for Input {
    fn from(path: P) -> Self {
        let path = path.into();
        if path.as_os_str() == "-" {
            Input::Stdin
        } else {
            Input::Path(path)
        }
    }
}

/// One stream of PGN text or positions (a file, standard input or bytes in memory), or a database.
#[derive(Clone, Debug)]
pub struct Source {
    origin: Origin,
    name: Arc<str>,
    language: Option<Language>,
    /// Whether it is a list or table of positions, whatever its name is. Only builds with `files` read these.
    has_positions: bool,
    /// Whether it was found in a folder, not named.
    is_in_folder: bool,
    /// The largest window of a zstd frame, as a power of two.
    zstd_window: u32,
    /// The selected row groups of a Parquet file, if not all are selected.
    groups: Option<Range<usize>>,
}

/// Where the bytes of a source are.
#[derive(Clone, Debug)]
enum Origin {
    Stdin,
    File(PathBuf),
    Memory(Shared),
    Reader(OneTimeStream),
    Table(GameTable),
    /// Something in a folder that cannot be read, for this reason.
    Unread(Arc<str>),
}

/// Shared bytes.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A stream that can be read once.
#[derive(Clone)]
struct OneTimeStream(Arc<Mutex<Option<Box<dyn Read + Send>>>>);

impl OneTimeStream {
    fn take(&self) -> io::Result<Box<dyn Read + Send>> {
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reader
            .take()
            .ok_or_else(|| io::Error::other("it is a stream, which can be read once only"))
    }
}

impl fmt::Debug for OneTimeStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OneTimeStream")
    }
}

/// The error of an input that cannot be read, or not to its end.
#[derive(Debug)]
pub struct InputError {
    /// The name of the file, folder or stream in messages.
    pub source: Arc<str>,
    /// What is wrong.
    pub error: io::Error,
}

impl InputError {
    /// Returns a function that says which source an error is about.
    fn of(source: &Arc<str>) -> impl Fn(io::Error) -> InputError + use<> {
        let source = Arc::clone(source);
        move |error| InputError {
            source: Arc::clone(&source),
            error,
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", in_a_line(&self.source), self.error)
    }
}

impl error::Error for InputError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.error)
    }
}

impl Input {
    /// Returns the sources of an input, for a folder all files in it and in its subfolders, ordered by path. Their names must end in `.pgn` or in
    /// `.parquet`, or belong to lists of positions (`.epd`, `.fen`) or to supported databases of other programs, in any case. PGN and lists may be
    /// packed (`.gz`, `.zst`, `.bz2`, `.xz` or `.zip`). Packed files with other names count if they begin with a tag or contain such files. Tables of
    /// positions must be named, as their endings are common. What cannot be read in a folder, such as a link that leads nowhere, is a source whose
    /// reading fails; see [`Source::is_in_folder`].
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such file or folder, if the folder cannot be read, or if it has no such file.
    pub fn sources(&self) -> Result<Vec<Source>, InputError> {
        self.sources_of(Folder::Games)
    }

    /// Returns the sources of an input that is read as positions, whatever its name is. For a folder, these are all lists and tables of positions in
    /// it and in its subfolders.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`sources`](Input::sources).
    pub fn positions(&self) -> Result<Vec<Source>, InputError> {
        let sources = self.sources_of(Folder::Positions)?;
        Ok(sources.into_iter().map(Source::with_positions).collect())
    }

    fn sources_of(&self, wanted: Folder) -> Result<Vec<Source>, InputError> {
        match self {
            Input::Stdin => Ok(vec![Source::new(Origin::Stdin, STDIN.into())]),
            Input::Path(path) => {
                let fail = InputError::of(&name_of(path));
                if !path.metadata().map_err(&fail)?.is_dir() {
                    return Ok(vec![Source::of_file(path.clone())]);
                }
                let files = files_of_folder(path, wanted)?;
                if files.is_empty() {
                    let message = match wanted {
                        Folder::Games => {
                            "the folder has no .pgn file, packed or not, no list of positions and no database; name tables one by one"
                        }
                        Folder::Positions => {
                            "the folder has no file of positions: .epd, .fen, .csv, .tsv, .jsonl, .parquet"
                        }
                    };
                    return Err(fail(io::Error::new(io::ErrorKind::NotFound, message)));
                }
                Ok(files)
            }
        }
    }
}

/// Which files of a folder are wanted.
#[derive(Clone, Copy)]
enum Folder {
    Games,
    Positions,
}

#[cfg(not(feature = "files"))]
fn files_of_folder(folder: &Path, _wanted: Folder) -> Result<Vec<Source>, InputError> {
    let message = "it is a folder, and skewer was built without `files`";
    let error = io::Error::new(io::ErrorKind::Unsupported, message);
    Err(InputError::of(&name_of(folder))(error))
}

#[cfg(feature = "files")]
fn files_of_folder(folder: &Path, wanted: Folder) -> Result<Vec<Source>, InputError> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        let source = match entry {
            Ok(entry) if entry.file_type().is_dir() => None,
            Ok(entry) if entry.file_type().is_file() => {
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_named = wanted.is_named(entry.path());
                let source = Source::of_file(entry.into_path());
                (is_named || wanted.may_be_in(&name) && source.may_have_games()).then_some(source)
            }
            // Reading a pipe may take forever.
            Ok(entry) => wanted
                .is_named(entry.path())
                .then(|| Source::unread(entry.path(), "it is no regular file, which is read only if it is named")),
            // The link leads to a folder above it, whose files are found there.
            Err(error) if error.loop_ancestor().is_some() => None,
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                let depth = error.depth();
                let error = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
                if depth == 0 {
                    return Err(InputError::of(&name_of(&path))(error));
                }
                // A link that leads nowhere may have led to a folder.
                let may_be_folder = path.is_dir() || path.extension().is_none();
                (may_be_folder || wanted.is_named(&path)).then(|| match path.is_symlink() && !path.exists() {
                    true => Source::unread(&path, "it is a link that leads nowhere"),
                    false => Source::unread(&path, &error.to_string()),
                })
            }
        };
        files.extend(source.map(|source| Source {
            is_in_folder: true,
            ..source
        }));
    }
    Ok(files)
}

#[cfg(feature = "files")]
impl Folder {
    /// Returns whether a file is wanted by its name.
    fn is_named(self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_table = || holds_positions(&name) && !holds_list(&name);
        match self {
            Folder::Games => holds_games(path) && !is_table(),
            Folder::Positions => holds_positions(&name) || name.to_ascii_lowercase().ends_with(PARQUET),
        }
    }

    /// Returns whether the content of a file with this name decides whether it is wanted.
    fn may_be_in(self, name: &str) -> bool {
        match self {
            Folder::Games => !holds_positions(name) && (has_packed_name(name) || is_archive(name)),
            Folder::Positions => false,
        }
    }
}

fn name_of(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}

impl Source {
    fn of_file(path: PathBuf) -> Self {
        let name = name_of(&path);
        Source::new(Origin::File(path), name)
    }

    fn unread(path: &Path, why: &str) -> Self {
        Source::new(Origin::Unread(why.into()), name_of(path))
    }

    fn new(origin: Origin, name: Arc<str>) -> Self {
        Source {
            origin,
            name,
            language: None,
            has_positions: false,
            is_in_folder: false,
            zstd_window: ZSTD_WINDOW,
            groups: None,
        }
    }

    /// Creates a source from the bytes of a file with this name: PGN, packed or not, or a database.
    pub fn of_bytes(name: impl Into<Arc<str>>, bytes: impl Into<Vec<u8>>) -> Self {
        Source::new(Origin::Memory(Shared(Arc::new(bytes.into()))), name.into())
    }

    /// Creates a source from a stream of PGN, packed or not. It can be read only once. Opening it again is an error.
    pub fn of_reader(name: impl Into<Arc<str>>, reader: impl Read + Send + 'static) -> Self {
        let once = OneTimeStream(Arc::new(Mutex::new(Some(Box::new(reader)))));
        Source::new(Origin::Reader(once), name.into())
    }

    /// Creates a source from rows in memory.
    pub fn of_table(name: impl Into<Arc<str>>, table: GameTable) -> Self {
        Source::new(Origin::Table(table), name.into())
    }

    /// Creates a source from row groups of a Parquet file, by index. Its games keep their numbers.
    pub fn of_row_groups(path: PathBuf, groups: Range<usize>) -> Self {
        Source {
            groups: Some(groups),
            ..Source::of_file(path)
        }
    }

    /// Returns the selected row groups, if not all are selected.
    pub fn row_groups(&self) -> Option<Range<usize>> {
        self.groups.clone()
    }

    /// Returns the rows, if the source is a table.
    pub fn table(&self) -> Option<&GameTable> {
        match &self.origin {
            Origin::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Allows windows of up to 2 to the power of `window` bytes in zstd frames. Unpacking them takes as much memory.
    #[must_use]
    pub fn with_zstd_window(self, window: u32) -> Self {
        Source {
            zstd_window: window,
            ..self
        }
    }

    /// Sets the language of the piece letters. With `None` it is detected from the games.
    #[must_use]
    pub fn in_language(self, language: Option<Language>) -> Self {
        Source { language, ..self }
    }

    /// Returns the language of the piece letters, if it was set.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Returns the name of the source in messages.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns whether the source can be opened repeatedly, with the same text each time.
    pub fn is_lasting(&self) -> bool {
        self.is_in_folder || self.file().is_some() || self.bytes().is_some()
    }

    /// Returns whether the source was found in a folder. If it cannot be read, the others are.
    pub fn is_in_folder(&self) -> bool {
        self.is_in_folder
    }

    /// Returns whether a packed file has games, or may have some that cannot be read.
    #[cfg(feature = "files")]
    fn may_have_games(&self) -> bool {
        let found = self
            .open(&Arc::default())
            .map_err(|failed| failed.error)
            .and_then(have_games);
        found.unwrap_or_else(|error| error.kind() != io::ErrorKind::NotFound)
    }

    /// Returns whether this is the name of a Parquet file.
    pub fn is_named_parquet(&self) -> bool {
        self.name.to_ascii_lowercase().ends_with(PARQUET)
    }

    /// Returns the path, if the source is a regular file.
    pub fn file(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(path) => path.is_file().then_some(path),
            _ => None,
        }
    }

    /// Returns the path, if its name belongs to a supported database of another program.
    fn foreign_database(&self) -> Option<&Path> {
        self.file().filter(|path| is_foreign_database(path))
    }

    /// Returns the bytes, if the source is in memory.
    pub fn bytes(&self) -> Option<&Shared> {
        match &self.origin {
            Origin::Memory(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns how many bytes will be read from it. Returns `None` for a stream and for a packed file, whose unpacked length is unknown.
    pub fn plain_length(&self) -> Option<u64> {
        let extension = Path::new(&**self.name()).extension()?;
        let is_plain = extension == "pgn" || extension == "parquet";
        match &self.origin {
            Origin::Memory(bytes) if is_plain => Some(bytes.as_ref().len() as u64),
            Origin::File(path) if is_plain => path.metadata().ok().map(|metadata| metadata.len()),
            _ => None,
        }
    }

    /// Marks the source as a list or table of positions, whatever its name is.
    #[must_use]
    pub fn with_positions(self) -> Self {
        Source {
            has_positions: true,
            ..self
        }
    }

    /// Opens its text, or the texts of the files in an archive. Reading fails as soon as it is interrupted. Text that is packed with gzip, zstd,
    /// bzip2, xz or zip, as its first bytes tell, is unpacked, and UTF-16 becomes UTF-8.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot be opened or its first bytes cannot be read.
    fn open(&self, interrupt: &Arc<Interrupt>) -> Result<UnpackedTexts, InputError> {
        let slow = |stream: io::Result<BackgroundReader>| {
            stream.and_then(|stream| unpacked(Box::new(stream), None, self.zstd_window))
        };
        let opened = match &self.origin {
            Origin::Stdin => slow(BackgroundReader::open(|| Ok(io::stdin()), Arc::clone(interrupt))),
            Origin::Reader(once) => {
                let once = once.clone();
                slow(BackgroundReader::open(move || once.take(), Arc::clone(interrupt)))
            }
            Origin::Table(_) => Err(not_a_stream()),
            Origin::Unread(why) => Err(io::Error::other(&**why)),
            _ if self.is_named_parquet() || self.groups.is_some() => Err(not_a_stream()),
            Origin::File(path) if path.is_file() => refuse_foreign(path).and_then(|()| {
                let path = path.clone();
                self.open_again_and_again(move || File::open(&path), interrupt)
            }),
            Origin::File(path) => {
                let path = path.clone();
                slow(BackgroundReader::open(move || File::open(path), Arc::clone(interrupt)))
            }
            Origin::Memory(bytes) => {
                let bytes = bytes.clone();
                self.open_again_and_again(move || Ok(io::Cursor::new(bytes.clone())), interrupt)
            }
        };
        let in_utf_8 = |part: io::Result<UnpackedText>| {
            let UnpackedText { name, stream } = part?;
            let stream = utf_8(stream)?;
            Ok(UnpackedText { name, stream })
        };
        opened
            .map(|parts| Box::new(parts.map(in_utf_8)) as UnpackedTexts)
            .map_err(InputError::of(&self.name))
    }

    /// Opens the text of a source that can be opened repeatedly and read from any place.
    fn open_again_and_again<R: ReadSeek + 'static>(
        &self,
        open: impl Fn() -> io::Result<R> + Send + 'static,
        interrupt: &Arc<Interrupt>,
    ) -> io::Result<UnpackedTexts> {
        let stream = Interruptible::new(open()?, Arc::clone(interrupt));
        let reopen: Reopen = Box::new(move || Ok(Box::new(open()?)));
        unpacked(Box::new(stream), Some(reopen), self.zstd_window)
    }
}

/// All games of a list of sources, batch by batch, numbered consecutively.
pub struct Batches {
    sources: VecDeque<Source>,
    /// The source that is being read, and its remaining texts.
    parts: Option<(Source, UnpackedTexts)>,
    /// The text that is being read, and its name in messages.
    current: Option<(Arc<str>, Current)>,
    last_number: u64,
    rules: Rules,
    interrupt: Arc<Interrupt>,
}

/// The text that is being read.
enum Current {
    Games(Box<Splitter<Box<dyn Read + Send>>>),
    #[cfg(feature = "files")]
    Positions(Box<PositionReader>),
    #[cfg(any(feature = "scid", feature = "chessbase"))]
    Foreign(Box<ForeignReader>),
}

impl Current {
    /// Refills a part with the next games. Returns whether there were any games or warnings.
    fn read(&mut self, part: &mut Part) -> io::Result<bool> {
        match self {
            Current::Games(splitter) => {
                let mut batch = match mem::take(part) {
                    Part::Text(batch) => batch,
                    Part::Rows(_) => Batch::default(),
                };
                let read = splitter.read_batch(&mut batch);
                *part = Part::Text(batch);
                read
            }
            #[cfg(feature = "files")]
            Current::Positions(reader) => Ok(part.take_rows(reader.read_block()?)),
            #[cfg(any(feature = "scid", feature = "chessbase"))]
            Current::Foreign(reader) => Ok(part.take_rows(reader.read_block()?)),
        }
    }
}

impl Batches {
    /// Creates the games of the sources, in this order.
    pub fn new(sources: impl IntoIterator<Item = Source>) -> Self {
        Batches::after(0, sources)
    }

    /// Creates the games of the sources, numbered from `last_number + 1`.
    pub fn after(last_number: u64, sources: impl IntoIterator<Item = Source>) -> Self {
        Batches {
            sources: sources.into_iter().collect(),
            parts: None,
            current: None,
            last_number,
            rules: Rules::default(),
            interrupt: Arc::default(),
        }
    }

    /// Makes reading fail as soon as it is interrupted.
    #[must_use]
    pub fn until(self, interrupt: Arc<Interrupt>) -> Self {
        Batches { interrupt, ..self }
    }

    /// Sets the rules by which the games are read.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Self {
        Batches { rules, ..self }
    }

    /// Counts the games in a pass over sources that have not been read from, and returns the number of the last one, but at most `most`. Sources in
    /// folders that cannot be read are passed over. Returns `None` if a source can be read only once.
    ///
    /// # Errors
    ///
    /// Returns an error if a source cannot be opened or read to its end.
    pub fn last_number(&self, most: u64) -> Result<Option<u64>, InputError> {
        if !self.sources.iter().all(Source::is_lasting) {
            return Ok(None);
        }
        let mut counting = Batches::after(self.last_number, self.sources.iter().cloned())
            .with_rules(self.rules)
            .until(Arc::clone(&self.interrupt));
        let mut part = Part::default();
        while counting.last_number < most {
            match counting.next_part(&mut part) {
                Some(Err(error)) if !self.sources.iter().all(Source::is_in_folder) => return Err(error),
                Some(_) => {}
                None => break,
            }
        }
        Ok(Some(counting.last_number.min(most)))
    }

    /// Starts to read a text of a source. By the rules of CQL, positions are not games.
    ///
    /// # Errors
    ///
    /// Returns an error if its first bytes cannot be read, or it is a table without positions.
    fn begin(&self, source: &Source, name: Arc<str>, stream: Box<dyn Read + Send>) -> io::Result<Current> {
        #[cfg(feature = "files")]
        let stream = match self.rules {
            Rules::Cql => stream,
            Rules::Full => {
                let (kind, stream) = PositionKind::of(unpacked_name(&name), source.has_positions, stream)?;
                if let Some(kind) = kind {
                    let rows = self.described(name, None);
                    let reader = PositionReader::new(kind, stream, rows, self.last_number)?;
                    return Ok(Current::Positions(Box::new(reader)));
                }
                stream
            }
        };
        let text = self.described(name, source.language);
        Ok(Current::Games(Box::new(Splitter::new(stream, text, self.last_number))))
    }

    /// Returns the description of a source.
    fn described(&self, name: Arc<str>, language: Option<Language>) -> RowSource {
        RowSource {
            name,
            rules: self.rules,
            language,
            watch: InterruptHandle::of(&self.interrupt),
        }
    }

    /// Returns the next batch, or `None` after the last one. It reuses the buffers of a batch that is no longer needed.
    ///
    /// # Errors
    ///
    /// Returns an error if a source cannot be opened or read to its end. The next call continues with the next text of an archive or the next source.
    pub fn next_batch(&mut self, recycled: Batch) -> Option<Result<Batch, InputError>> {
        let mut part = Part::Text(recycled);
        let read = self.next_part(&mut part)?;
        Some(read.map(|()| part.into_text()))
    }

    /// Refills a part with the next games. Returns `None` after the last ones.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`next_batch`](Batches::next_batch).
    pub(crate) fn next_part(&mut self, part: &mut Part) -> Option<Result<(), InputError>> {
        loop {
            if let Some((name, current)) = &mut self.current {
                let read = current.read(part).map_err(InputError::of(name));
                if let Ok(true) = read {
                    self.last_number = part.last_number().unwrap_or(self.last_number);
                    return Some(Ok(()));
                }
                self.current = None;
                if let Err(error) = read {
                    return Some(Err(error));
                }
            }
            match self.begin_next() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Begins the next text of an archive, or opens the next source. Returns whether there is one.
    fn begin_next(&mut self) -> Result<bool, InputError> {
        let Some((source, texts)) = &mut self.parts else {
            let Some(source) = self.sources.pop_front() else {
                return Ok(false);
            };
            #[cfg(any(feature = "scid", feature = "chessbase"))]
            if let Some(path) = source.foreign_database() {
                let name = Arc::clone(source.name());
                let rows = self.described(Arc::clone(&name), Some(Language::ENGLISH));
                let reader = ForeignReader::open(path, rows, self.last_number).map_err(InputError::of(&name))?;
                self.current = Some((name, Current::Foreign(Box::new(reader))));
                return Ok(true);
            }
            let texts = source.open(&self.interrupt)?;
            self.parts = Some((source, texts));
            return Ok(true);
        };
        let Some(text) = texts.next() else {
            self.parts = None;
            return Ok(true);
        };
        let UnpackedText { name, stream } = text.map_err(InputError::of(&source.name))?;
        let name = match name {
            Some(name) => format!("{}/{name}", source.name).into(),
            None => Arc::clone(&source.name),
        };
        let source = source.clone();
        let current = self.begin(&source, Arc::clone(&name), stream);
        self.current = Some((Arc::clone(&name), current.map_err(InputError::of(&name))?));
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use flate2::{Compression, write::GzEncoder};
    use tempfile::TempDir;

    use super::*;

    const GAME: &[u8] = b"[Event \"e\"]\n\n1. e4 e5 *\n\n";

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        zstd::encode_all(text, 1).unwrap()
    }

    fn folder(files: &[(&str, &[u8])]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        folder
    }

    /// Returns the numbers of the games with the ends of their sources' names, and the errors.
    fn read(sources: Vec<Source>) -> (Vec<(u64, String)>, Vec<InputError>) {
        let mut batches = Batches::new(sources);
        let (mut games, mut errors) = (Vec::new(), Vec::new());
        let mut recycled = Batch::default();
        while let Some(next) = batches.next_batch(std::mem::take(&mut recycled)) {
            match next {
                Ok(batch) => {
                    let name = batch.source.rsplit(['/', '\\']).next().unwrap_or_default();
                    games.extend(batch.games.iter().map(|game| (game.number, name.to_owned())));
                    recycled = batch;
                }
                Err(error) => errors.push(error),
            }
        }
        (games, errors)
    }

    #[test]
    fn a_dash_is_standard_input() {
        assert_eq!(Input::from("-"), Input::Stdin);
        assert_eq!(Input::from("./-"), Input::Path("./-".into()));
        assert_eq!(Input::Stdin.sources().unwrap()[0].name().as_ref(), "<stdin>");
    }

    #[test]
    fn a_folder_is_its_pgn_files_in_order_of_path() {
        let folder = folder(&[
            ("b.pgn", GAME),
            ("a/z.PGN.GZ", &gzip(GAME)),
            ("a/y.pgn.zst", &zstd(GAME)),
            ("c.Pgn", GAME),
            ("pgn", GAME),
            ("d.pgn.txt", GAME),
            ("e.zst", &zstd(GAME)),
            ("f.zst", b"no game"),
        ]);
        let (games, errors) = read(Input::from(folder.path()).sources().unwrap());
        assert!(errors.is_empty());
        let expected = [
            (1, "y.pgn.zst"),
            (2, "z.PGN.GZ"),
            (3, "b.pgn"),
            (4, "c.Pgn"),
            (5, "e.zst"),
        ];
        assert_eq!(games, expected.map(|(number, name)| (number, name.to_owned())));
    }

    #[test]
    fn inputs_that_cannot_be_read_are_named() {
        let folder = folder(&[("empty/readme.txt", b"")]);
        for name in ["missing.pgn", "empty"] {
            let path = folder.path().join(name);
            let error = Input::from(path.clone()).sources().unwrap_err();
            assert_eq!(error.error.kind(), io::ErrorKind::NotFound);
            assert!(error.to_string().starts_with(&*path.to_string_lossy()), "{error}");
        }
    }

    #[test]
    fn the_content_tells_the_compression() {
        let two = [GAME, GAME].concat();
        let members = [gzip(GAME), gzip(GAME)].concat();
        let skippable = [
            &[0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7],
            zstd(GAME).as_slice(),
            &zstd(GAME),
        ]
        .concat();
        for content in [two.as_slice(), &members, &skippable] {
            let folder = folder(&[("games", content)]);
            let (games, errors) = read(Input::from(folder.path().join("games")).sources().unwrap());
            assert_eq!((games.len(), errors.len()), (2, 0));
        }
        for content in [b"".as_slice(), b"\n", b"[A]"] {
            let folder = folder(&[("games", content)]);
            let (games, errors) = read(Input::from(folder.path().join("games")).sources().unwrap());
            assert_eq!((games.len(), errors.len()), (0, 0));
        }
    }

    #[test]
    fn a_broken_archive_does_not_end_the_search() {
        let whole = gzip(&GAME.repeat(100));
        let folder = folder(&[("a.pgn.gz", &whole[..whole.len() - 20]), ("b.pgn", GAME)]);
        let (games, errors) = read(Input::from(folder.path()).sources().unwrap());
        let [error] = errors.as_slice() else {
            panic!("{errors:?}")
        };
        assert!(error.source.ends_with("a.pgn.gz"));
        let (last, before) = games.split_last().unwrap();
        assert_eq!(last.1, "b.pgn");
        assert_eq!(last.0, before.len() as u64 + 1);
    }
}
