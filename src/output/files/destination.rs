//! Where the output goes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::limits::Interrupt;
use crate::terminal::Visible;

use super::guard::{Permit, Place};
use super::new_file::{BUFFER_BYTES, NewFile, Placed, named};
use super::spool::SpooledFile;
use super::unfinished::{Busy, folder_of, sync_folder};

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
    /// Standard output, or what shows it to the user.
    Stream(BufWriter<Box<dyn Write + Send>>),
    /// Something that cannot be replaced by another file: a device, a pipe.
    Device(BufWriter<File>, PathBuf),
    File(Box<NewFile>),
    /// A result that becomes a file when all of them are known.
    Spooled(Box<SpooledFile>),
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

impl Destination {
    fn new(sink: Sink) -> Destination {
        Destination { sink, bytes: 0 }
    }

    /// Standard output.
    pub fn stdout() -> Destination {
        Destination::stream(Visible::new(io::stdout()))
    }

    /// Standard output whose text may have colours also where it is a terminal.
    pub fn colored_stdout() -> Destination {
        Destination::stream(Visible::with_colors(io::stdout()))
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

    /// The same, with a say about what happens while another run writes it. A pipe is waited for until someone reads it.
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
    pub(super) fn spooled(file: SpooledFile) -> Destination {
        Destination::new(Sink::Spooled(Box::new(file)))
    }

    /// How many bytes have been written so far, before they are packed.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes out what is left and gives a file its name.
    ///
    /// # Errors
    /// When something could not be written, or when someone else has written the file since it was permitted; the file is
    /// then as it was.
    pub fn commit(self) -> io::Result<()> {
        self.commit_all_or_part(false).map(drop)
    }

    /// The same. If it is a part of what was to be written, a file that is there stays, and the part gets a name beside it.
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
            Sink::Spooled(file) => file.place(is_part),
            Sink::Stream(_) | Sink::Device(..) | Sink::Gzip(_) | Sink::Zstd(_) => Ok(Placed::There),
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.sink {
            Sink::Stream(writer) => writer.write(bytes).map_err(unprinted),
            Sink::Device(writer, path) => writer.write(bytes).map_err(|error| named(path, error)),
            Sink::File(file) => file.write(bytes),
            Sink::Spooled(file) => file.write(bytes),
            Sink::Gzip(encoder) => encoder.write(bytes),
            Sink::Zstd(encoder) => encoder.write(bytes),
        }?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stream(writer) => writer.flush().map_err(unprinted),
            Sink::Device(writer, path) => writer.flush().map_err(|error| named(path, error)),
            Sink::File(file) => file.flush(),
            Sink::Spooled(file) => file.flush(),
            // What is packed in small pieces becomes large.
            Sink::Gzip(_) | Sink::Zstd(_) => Ok(()),
        }
    }
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
        return Err(named(
            path,
            io::Error::other("another program has changed it meanwhile"),
        ));
    }
    let mut file = Destination::file(permit)?;
    file.write_all(after)?;
    file.commit()
}
