//! Where the output goes.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::limits::Interrupt;
use crate::terminal::{Visible, shown};

use super::guard::{Existing, Permit, Place};
use super::mark::{self, Checksum};
use super::results::Waiting;
use super::unfinished::{Unfinished, folder_of, sync_folder};

pub use super::unfinished::Busy;

const BUFFER_BYTES: usize = 1 << 16;

/// Where the output of a run goes.
///
/// A file is written under another name in the same folder and gets its own name at the end, so it is the old or the new
/// one, never half of it, whenever the process is killed or the power fails. Dropped without [`commit`](Destination::commit),
/// nothing is left of it; a process that ends without dropping it calls [`remove_unfinished`](super::remove_unfinished).
///
/// Errors name the file.
pub struct Destination {
    sink: Sink,
    bytes: u64,
}

enum Sink {
    Stdout(BufWriter<Visible<Stdout>>),
    /// What shows it to the user.
    Stream(BufWriter<Box<dyn Write + Send>>),
    /// Something that cannot be replaced by another file: a device, a pipe.
    Device(BufWriter<File>, PathBuf),
    File(Box<NewFile>),
    /// A result that becomes a file when all of them are known.
    Waiting(Box<Waiting>),
    /// What is packed on its way to another of them.
    Gzip(Box<GzEncoder<Destination>>),
    Zstd(Box<zstd::Encoder<'static, Destination>>),
}

/// How an output is packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// As `gzip` does.
    Gzip,
    /// As `zstd` does.
    Zstd,
}

/// Where an output has ended up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placed {
    /// Where it was to go.
    There,
    /// Here, as there was a file already, which is left as it was.
    Beside {
        /// The file that is as it was.
        kept: PathBuf,
        /// The file that was written.
        written: PathBuf,
    },
}

impl Destination {
    fn new(sink: Sink) -> Destination {
        Destination { sink, bytes: 0 }
    }

    /// Standard output.
    pub fn stdout() -> Destination {
        Destination::new(Sink::Stdout(BufWriter::with_capacity(
            BUFFER_BYTES,
            Visible::new(io::stdout()),
        )))
    }

    /// Standard output whose text may have colours also where it is a terminal.
    pub fn colored_stdout() -> Destination {
        Destination::new(Sink::Stdout(BufWriter::with_capacity(
            BUFFER_BYTES,
            Visible::with_colors(io::stdout()),
        )))
    }

    /// Something that shows it to the user in place of standard output.
    pub fn stream(stream: impl Write + Send + 'static) -> Destination {
        Destination::new(Sink::Stream(BufWriter::with_capacity(BUFFER_BYTES, Box::new(stream))))
    }

    /// A file that may be written.
    ///
    /// # Errors
    /// When its folder does not exist or cannot be written to, or when another run is writing it.
    pub fn file(permit: Permit) -> io::Result<Destination> {
        Destination::file_until(permit, Busy::Refuse, &Interrupt::default())
    }

    /// The same, with a say about what happens while another run writes it. A pipe is waited for until somebody reads it.
    ///
    /// # Errors
    /// Those of [`file`](Destination::file), or when the run shall end first.
    pub fn file_until(permit: Permit, busy: Busy<'_>, interrupt: &Interrupt) -> io::Result<Destination> {
        let sink = match permit.place {
            Place::Device => {
                let path = permit.path.clone();
                let opened = path.clone();
                let device = interrupt.wait_for(move || File::options().write(true).open(opened));
                let device = device.flatten().map_err(|error| named(&path, error))?;
                Sink::Device(BufWriter::with_capacity(BUFFER_BYTES, device), path)
            }
            Place::File(_) | Place::Nothing => Sink::File(Box::new(NewFile::create(permit, busy)?)),
        };
        Ok(Destination::new(sink))
    }

    /// The same, packed.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn packed(self, packing: Packing) -> io::Result<Destination> {
        let sink = match packing {
            Packing::Gzip => Sink::Gzip(Box::new(GzEncoder::new(self, Compression::default()))),
            Packing::Zstd => Sink::Zstd(Box::new(zstd::Encoder::new(self, zstd::DEFAULT_COMPRESSION_LEVEL)?)),
        };
        Ok(Destination::new(sink))
    }

    /// The same with all that is packed written.
    fn unpacked(self) -> io::Result<Destination> {
        match self.sink {
            Sink::Gzip(encoder) => encoder.finish(),
            Sink::Zstd(encoder) => encoder.finish(),
            _ => Ok(self),
        }
    }

    /// A result that waits with others; see [`Results`](super::Results).
    pub(super) fn waiting(waiting: Waiting) -> Destination {
        Destination::new(Sink::Waiting(Box::new(waiting)))
    }

    /// How many bytes have been written so far, before they are packed.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it is standard output, or what shows it.
    pub fn is_stdout(&self) -> bool {
        matches!(self.sink, Sink::Stdout(_) | Sink::Stream(_))
    }

    /// Writes out what is left and gives a file its name.
    ///
    /// # Errors
    /// When something could not be written, or when somebody else has written the file since it was permitted; the file is
    /// then as it was.
    pub fn commit(self) -> io::Result<()> {
        self.commit_all_or_part(false).map(drop)
    }

    /// The same for a part of what was to be written: a file that is there stays, and the part gets a name beside it.
    ///
    /// # Errors
    /// Those of [`commit`](Destination::commit).
    pub fn commit_part(self) -> io::Result<Placed> {
        self.commit_all_or_part(true)
    }

    /// [`commit`](Destination::commit) or [`commit_part`](Destination::commit_part).
    ///
    /// # Errors
    /// Those of [`commit`](Destination::commit).
    pub fn commit_all_or_part(self, is_part: bool) -> io::Result<Placed> {
        let mut whole = self.unpacked()?;
        whole.flush()?;
        match whole.sink {
            Sink::File(file) => {
                let (path, placed) = file.place(is_part)?;
                sync_folder(folder_of(&path));
                Ok(placed)
            }
            Sink::Waiting(waiting) => waiting.place(is_part),
            Sink::Stdout(_) | Sink::Stream(_) | Sink::Device(..) | Sink::Gzip(_) | Sink::Zstd(_) => Ok(Placed::There),
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.sink {
            Sink::Stdout(writer) => writer.write(bytes).map_err(unprinted),
            Sink::Stream(writer) => writer.write(bytes).map_err(unprinted),
            Sink::Device(writer, path) => writer.write(bytes).map_err(|error| named(path, error)),
            Sink::File(file) => file.write(bytes),
            Sink::Waiting(waiting) => waiting.write(bytes),
            Sink::Gzip(encoder) => encoder.write(bytes),
            Sink::Zstd(encoder) => encoder.write(bytes),
        }?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(writer) => writer.flush().map_err(unprinted),
            Sink::Stream(writer) => writer.flush().map_err(unprinted),
            Sink::Device(writer, path) => writer.flush().map_err(|error| named(path, error)),
            Sink::File(file) => file.flush(),
            Sink::Waiting(waiting) => waiting.flush(),
            // What is packed in small pieces becomes large.
            Sink::Gzip(_) | Sink::Zstd(_) => Ok(()),
        }
    }
}

/// A file under its temporary name.
pub(super) struct NewFile {
    // Removed, if it is, before the lock on it goes.
    unfinished: Unfinished,
    writer: BufWriter<File>,
    checksum: Checksum,
    permit: Permit,
}

impl NewFile {
    /// A new file beside what it is to replace, with the permissions of the old one, or else those of any new file.
    pub(super) fn create(mut permit: Permit, busy: Busy<'_>) -> io::Result<NewFile> {
        let folder = folder_of(&permit.target);
        let name = permit.target.file_name().unwrap_or_default();
        let (file, unfinished) = Unfinished::create(folder, name, busy).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                let message = format!("there is no folder {}", shown(folder));
                named(&permit.path, io::Error::new(io::ErrorKind::NotFound, message))
            } else {
                named(&permit.path, error)
            }
        })?;
        if matches!(busy, Busy::Wait(_)) {
            // The run that was waited for has changed it.
            permit = permit.renewed()?;
        }
        if let Place::File(Existing { permissions, .. }) = &permit.place {
            // Keeping the permissions is a courtesy: where it is not allowed, the output is still worth having.
            let _ = file.set_permissions(permissions.clone());
        }
        Ok(NewFile {
            unfinished,
            writer: BufWriter::with_capacity(BUFFER_BYTES, file),
            checksum: Checksum::default(),
            permit,
        })
    }

    /// Gives the file its name; a part of what was to be written gets one beside a file that is there. Where it stands now;
    /// [`sync_folder`] is left to do.
    pub(super) fn place(mut self, is_part: bool) -> io::Result<(PathBuf, Placed)> {
        let mut placed = Placed::There;
        if let Some(kind) = self.permit.kind.filter(|_| is_part && self.permit.replaces()) {
            let beside = self.permit.beside(kind)?;
            placed = Placed::Beside {
                kept: self.permit.path.clone(),
                written: beside.path.clone(),
            };
            self.permit = beside;
        }
        let NewFile {
            unfinished,
            writer,
            checksum,
            permit,
        } = self;
        let fail = |error| named(&permit.path, error);
        let file = writer.into_inner().map_err(|error| fail(error.into_error()))?;
        if let Some(kind) = permit.kind {
            mark::set(&file, unfinished.path(), kind, checksum);
        }
        file.sync_all().map_err(fail)?;
        let replaces = match &permit.place {
            Place::File(existing) if existing.is_still(&permit.target) => true,
            Place::File(_) => return Err(fail(io::Error::other("somebody else has changed it meanwhile"))),
            Place::Nothing | Place::Device => false,
        };
        unfinished
            .rename(&permit.target, replaces)
            .map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => fail(io::Error::other("somebody else has made it meanwhile")),
                _ => fail(error),
            })?;
        Ok((permit.target, placed))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self
            .writer
            .write(bytes)
            .map_err(|error| named(&self.permit.path, error))?;
        self.checksum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| named(&self.permit.path, error))
    }
}

/// An error with the file that it is about.
#[derive(Debug)]
struct Named {
    name: String,
    error: io::Error,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.error)
    }
}

impl std::error::Error for Named {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The error, which keeps its kind, with the file that it is about.
pub(super) fn named(path: &Path, error: io::Error) -> io::Error {
    let name = shown(path);
    io::Error::new(error.kind(), Named { name, error })
}

fn unprinted(error: io::Error) -> io::Error {
    named(Path::new("standard output"), error)
}

/// Replaces the text of a file, unless it is no longer what it was before.
///
/// # Errors
/// When it is something else, or cannot be written; it is then as it was.
pub fn replace_text(path: &Path, before: &[u8], after: &[u8]) -> io::Result<()> {
    let permit = Permit::in_place(path)?;
    if !matches!(permit.place, Place::File(_)) {
        return Err(named(path, io::Error::other("it is not a file")));
    }
    if fs::read(path).map_err(|error| named(path, error))? != before {
        return Err(named(path, io::Error::other("somebody else has changed it meanwhile")));
    }
    let mut file = Destination::file(permit)?;
    file.write_all(after)?;
    file.commit()
}
