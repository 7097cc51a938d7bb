//! Unpacks compressed files and archives.

use std::io::{self, Cursor, Read};
use std::iter;

use crate::pgn::lexer::Text;
#[cfg(feature = "files")]
use crate::pgn::positions::PositionKind;

use super::file_kinds::{Content, MAGIC, TAR_HEADER, is_tar, not_a_stream, not_read};
#[cfg(feature = "files")]
use super::file_kinds::{holds_list, holds_pgn};

/// The number of bytes in which the first tag of a text is looked for.
const LONG_TAG: u64 = 1 << 10;

/// The first bytes of a file that Git LFS keeps elsewhere.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Bytes to read from anywhere. The box makes the code that unpacks compile only once.
type Stream = Box<dyn Read + Send>;

/// A text of a source: all of it, or a file of an archive with its name.
pub(crate) struct UnpackedText {
    pub(crate) name: Option<String>,
    pub(crate) stream: Stream,
}

/// The texts of a source, in order. Each is opened when it is needed.
pub(crate) type UnpackedTexts = Box<dyn Iterator<Item = io::Result<UnpackedText>> + Send>;

/// Returns the texts of a stream, unpacked if it is packed. A zip archive has to be opened again with `reopen`, if that is possible. Frames of zstd
/// may have windows of up to 2 to the power of `zstd_window` bytes.
///
/// # Errors
/// Returns an error if the stream is something unsupported, or its first bytes cannot be read.
pub(crate) fn unpacked(mut stream: Stream, reopen: Option<Reopen>, zstd_window: u32) -> io::Result<UnpackedTexts> {
    let mut magic = Vec::with_capacity(MAGIC);
    stream.by_ref().take(MAGIC as u64).read_to_end(&mut magic)?;
    let content = Content::of(&magic);
    let whole = Box::new(Cursor::new(magic).chain(stream));
    let unpacked = match content {
        Content::Text => return text(whole),
        Content::Database => Err(not_a_stream()),
        Content::Foreign(what) => Err(not_read(what)),
        Content::Zip => match reopen {
            Some(reopen) => return unpack::zip(reopen, zstd_window),
            None => Err(not_read(
                "a zip archive, which has to be a file, as it is read from its end",
            )),
        },
        Content::Gzip | Content::Zstd | Content::Bzip2 | Content::Xz => unpack::stream(content, whole, zstd_window),
    };
    text(unpacked?)
}

/// Returns a stream of plain text.
///
/// # Errors
/// Returns an error if it is something else, such as a tar archive, or its first bytes cannot be read.
fn text(mut stream: Stream) -> io::Result<UnpackedTexts> {
    let mut beginning = Vec::with_capacity(1);
    stream.by_ref().take(1).read_to_end(&mut beginning)?;
    // Most texts begin with a tag, archives with a file name. Reading more could block at a stream.
    if beginning.first().is_some_and(|byte| *byte != b'[') {
        stream
            .by_ref()
            .take(TAR_HEADER as u64 - 1)
            .read_to_end(&mut beginning)?;
        if is_tar(&beginning) {
            return Err(not_read("a tar archive; unpack it first"));
        }
        match Content::of(&beginning) {
            Content::Text if beginning.starts_with(LFS_POINTER) => {
                return Err(not_read("a pointer of Git LFS; `git lfs pull` fetches the file"));
            }
            Content::Text => {}
            Content::Foreign(what) => return Err(not_read(what)),
            Content::Database => return Err(not_a_stream()),
            _ => return Err(not_read("packed twice; unpack it once")),
        }
    }
    let part = UnpackedText {
        name: None,
        stream: Box::new(Cursor::new(beginning).chain(stream)),
    };
    Ok(Box::new(iter::once(Ok(part))))
}

/// Returns whether these texts are games or lists of positions, by their names in an archive, or else because the first begins with a tag
/// as PGN does.
///
/// # Errors
/// Returns an error if this cannot be told, because a text cannot be read.
#[cfg(feature = "files")]
pub(super) fn have_games(texts: UnpackedTexts) -> io::Result<bool> {
    let (mut first, mut error) = (None, None);
    for text in texts {
        match text {
            Ok(text) => {
                let name = text.name.as_deref();
                if name.is_some_and(|name| holds_pgn(name) || holds_list(name)) {
                    return Ok(true);
                }
                first.get_or_insert(text.stream);
            }
            Err(unread) => error = error.or(Some(unread)),
        }
    }
    match first.map_or(Ok(false), begins_with_tag) {
        Ok(false) => error.map_or(Ok(false), Err),
        begins => begins,
    }
}

fn begins_with_tag(stream: Stream) -> io::Result<bool> {
    let mut beginning = Vec::new();
    stream.take(LONG_TAG).read_to_end(&mut beginning)?;
    let beginning = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&beginning);
    let text = Text {
        bytes: beginning.trim_ascii_start(),
        complete: true,
    };
    Ok(matches!(text.tag(0), Ok(Some(_))))
}

/// Returns whether a table has positions, by its header.
///
/// # Errors
/// Returns an error if the header cannot be read.
#[cfg(feature = "files")]
pub(super) fn has_positions(mut texts: UnpackedTexts) -> io::Result<bool> {
    let Some(table) = texts.next() else { return Ok(false) };
    // Only the header decides, whatever the name.
    let (kind, _) = PositionKind::of("", false, table?.stream)?;
    Ok(kind.is_some())
}

/// Opens a source again, to read it from any place.
pub(crate) type Reopen = Box<dyn Fn() -> io::Result<Box<dyn ReadSeek>> + Send>;

/// A stream that can be read from any place.
pub(crate) trait ReadSeek: Read + io::Seek + Send {}

impl<R: Read + io::Seek + Send> ReadSeek for R {}

#[cfg(feature = "files")]
mod unpack {
    use std::collections::VecDeque;
    use std::io::{self, BufReader, Read, SeekFrom};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use bzip2::read::MultiBzDecoder;
    use crc32fast::Hasher;
    use flate2::read::{DeflateDecoder, MultiGzDecoder};
    use lzma_rust2::XzReader;
    use zip::result::ZipError;
    use zip::{CompressionMethod, ZipArchive};

    use super::super::file_kinds::{Content, has_packed_name, holds_list, holds_pgn, holds_positions, is_archive};
    use super::{ReadSeek, Reopen, Stream, UnpackedText, UnpackedTexts, has_positions, have_games, unpacked};
    use crate::terminal::in_a_line;

    /// The most memory, in KiB, that a file packed by xz may need.
    const XZ_MEMORY: u32 = 512 << 10;

    /// Returns the unpacked stream.
    pub(crate) fn stream(content: Content, packed: Stream, window: u32) -> io::Result<Stream> {
        let has_failed = Arc::default();
        let packed = Packed {
            stream: packed,
            has_failed: Arc::clone(&has_failed),
        };
        let decoder: Stream = match content {
            Content::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Content::Bzip2 => Box::new(MultiBzDecoder::new(packed)),
            Content::Xz => Box::new(XzReader::new_mem_limit(BufReader::new(packed), true, XZ_MEMORY)),
            Content::Zstd => {
                let mut decoder = zstd::Decoder::new(packed)?;
                decoder.window_log_max(window)?;
                Box::new(decoder)
            }
            _ => return Ok(packed.stream),
        };
        Ok(Box::new(Unpacked { decoder, has_failed }))
    }

    /// A packed stream, and whether reading it has failed.
    struct Packed {
        stream: Stream,
        has_failed: Arc<AtomicBool>,
    }

    impl Read for Packed {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.stream.read(buffer);
            read.inspect_err(|_| self.has_failed.store(true, Ordering::Relaxed))
        }
    }

    /// An unpacked stream, whose errors say what is wrong with the file. Those of the decoders are for programmers.
    struct Unpacked {
        decoder: Stream,
        has_failed: Arc<AtomicBool>,
    }

    impl Read for Unpacked {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.decoder
                .read(buffer)
                .map_err(|error| match self.has_failed.load(Ordering::Relaxed) {
                    true => error,
                    false => undecodable(error),
                })
        }
    }

    fn undecodable(error: io::Error) -> io::Error {
        // The binding of zstd only gives the message of the error.
        if error.to_string().contains("requires too much memory") {
            let message = "it was packed with a larger window than is allowed: `--long` allows up to 2 GB, which takes as much memory";
            return io::Error::new(io::ErrorKind::OutOfMemory, message);
        }
        let what = match error.kind() {
            io::ErrorKind::UnexpectedEof => "cut off",
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => "damaged",
            _ => return error,
        };
        io::Error::new(error.kind(), format!("the file is {what}: {error}"))
    }

    /// Returns the files with games and positions of an archive, packed or not, in order of their names. If one of the files cannot be read, such as
    /// an archive, an error follows at the end.
    pub(crate) fn zip(reopen: Reopen, zstd_window: u32) -> io::Result<UnpackedTexts> {
        let mut archive = ZipArchive::new(reopen()?).map_err(|error| match error {
            // Its directory is at its end.
            ZipError::InvalidArchive(why) if why.contains("EOCD") => io::Error::new(
                io::ErrorKind::InvalidData,
                "the zip archive is cut off: its end is missing",
            ),
            error => damaged(error),
        })?;
        let (mut files, mut unread) = (Vec::new(), None);
        for index in 0..archive.len() {
            match Entry::of_games(&mut archive, index, &reopen, zstd_window) {
                Ok(entry) => files.extend(entry),
                Err(error) => unread = unread.or(Some(error)),
            }
        }
        if files.is_empty() {
            return Err(unread.unwrap_or_else(|| {
                io::Error::new(
                    io::ErrorKind::NotFound,
                    "the zip archive has no .pgn file and no positions",
                )
            }));
        }
        files.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Box::new(Entries {
            reopen,
            left: files.into(),
            unread,
            zstd_window,
        }))
    }

    fn damaged(error: impl Into<io::Error>) -> io::Error {
        let error = error.into();
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("the zip archive is damaged: {error}"),
        )
    }

    fn unreadable(name: &str, why: &str) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, in_archive(name, why))
    }

    fn in_archive(name: &str, why: &str) -> String {
        format!("{} in the zip archive is {why}", in_a_line(name))
    }

    /// A file in an archive.
    #[derive(Clone)]
    struct Entry {
        name: String,
        /// Where its bytes begin in the archive, and how many there are.
        start: u64,
        length: u64,
        /// Whether they are packed, which is always by deflate.
        is_packed: bool,
        /// The checksum of the unpacked bytes.
        checksum: u32,
    }

    /// The files of an archive.
    struct Entries {
        reopen: Reopen,
        left: VecDeque<Entry>,
        /// Why another file of the archive is not read.
        unread: Option<io::Error>,
        zstd_window: u32,
    }

    /// The file that is being read.
    struct Current {
        entry: Entry,
        stream: Stream,
        checksum: Hasher,
    }

    impl Entry {
        /// Returns a file of an archive if it has games or positions.
        fn of_games(
            archive: &mut ZipArchive<Box<dyn ReadSeek>>,
            index: usize,
            reopen: &Reopen,
            zstd_window: u32,
        ) -> io::Result<Option<Entry>> {
            let file = archive.by_index_raw(index).map_err(damaged)?;
            let name = file.name().map_err(damaged)?.into_owned();
            if is_archive(&name) {
                let why = "an archive of its own; unpack it first";
                return Err(io::Error::new(io::ErrorKind::Unsupported, in_archive(&name, why)));
            }
            let is_named = holds_pgn(&name) || holds_list(&name);
            let may_have_positions = holds_positions(&name);
            if !is_named && (file.encrypted() || !(has_packed_name(&name) || may_have_positions)) {
                return Ok(None);
            }
            let is_packed = match file.compression() {
                _ if file.encrypted() => return Err(unreadable(&name, "encrypted")),
                CompressionMethod::Stored => false,
                CompressionMethod::Deflated => true,
                _ => return Err(unreadable(&name, "packed in a way that is not read")),
            };
            let start = file.data_start().ok_or_else(|| unreadable(&name, "damaged"))?;
            let (length, checksum) = (file.compressed_size(), file.crc32());
            let entry = Entry {
                name,
                start,
                length,
                is_packed,
                checksum,
            };
            if is_named {
                return Ok(Some(entry));
            }
            let texts = entry.clone().texts(reopen, zstd_window);
            let is_taken = texts.and_then(|texts| match may_have_positions {
                true => has_positions(texts),
                false => have_games(texts),
            });
            match is_taken {
                Ok(is_taken) => Ok(is_taken.then_some(entry)),
                Err(error) => Err(entry.not_read(&error)),
            }
        }

        fn not_read(&self, error: &io::Error) -> io::Error {
            unreadable(&self.name, &format!("not read: {error}"))
        }

        fn open(self, reopen: &Reopen) -> io::Result<Current> {
            let mut archive = reopen()?;
            archive.seek(SeekFrom::Start(self.start))?;
            let bytes = archive.take(self.length);
            Ok(Current {
                stream: match self.is_packed {
                    true => Box::new(DeflateDecoder::new(bytes)),
                    false => Box::new(bytes),
                },
                entry: self,
                checksum: Hasher::new(),
            })
        }

        /// Returns its text, which may be packed once more.
        fn texts(self, reopen: &Reopen, zstd_window: u32) -> io::Result<UnpackedTexts> {
            unpacked(Box::new(self.open(reopen)?), None, zstd_window)
        }
    }

    impl Iterator for Entries {
        type Item = io::Result<UnpackedText>;

        fn next(&mut self) -> Option<io::Result<UnpackedText>> {
            let Some(entry) = self.left.pop_front() else {
                return self.unread.take().map(Err);
            };
            match entry.clone().texts(&self.reopen, self.zstd_window) {
                // A stream has one text.
                Ok(mut parts) => Some(parts.next()?.map(|UnpackedText { stream, .. }| UnpackedText {
                    name: Some(entry.name),
                    stream,
                })),
                Err(error) => Some(Err(entry.not_read(&error))),
            }
        }
    }

    impl Read for Current {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.stream.read(buffer)?;
            self.checksum.update(buffer.get(..length).unwrap_or_default());
            let is_end = length == 0 && !buffer.is_empty();
            if is_end && self.checksum.clone().finalize() != self.entry.checksum {
                return Err(unreadable(&self.entry.name, "damaged"));
            }
            Ok(length)
        }
    }
}

#[cfg(not(feature = "files"))]
mod unpack {
    use std::io;

    use super::{Content, Reopen, Stream, UnpackedTexts};

    fn refused<T>() -> io::Result<T> {
        let message = "it is packed, and skewer was built without `files`";
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }

    pub(crate) fn stream(_: Content, _: Stream, _: u32) -> io::Result<Stream> {
        refused()
    }

    pub(crate) fn zip(_: Reopen, _: u32) -> io::Result<UnpackedTexts> {
        refused()
    }
}
