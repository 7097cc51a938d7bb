//! The destination of an output.

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

/// The destination of an output.
///
/// A file is written under another name in the same folder and renamed at the end. So it is always either the old file or the complete new
/// one, even if the process is killed or the power fails. If the destination is dropped without [`commit`](Destination::commit), nothing of
/// it remains. A process that ends without dropping it calls [`remove_unfinished`](super::remove_unfinished).
///
/// Errors name the file.
pub struct Destination {
    sink: Sink,
    bytes: u64,
}

enum Sink {
    /// Standard output, or something that shows the output to the user.
    Stream(BufWriter<Box<dyn Write + Send>>),
    /// A device or pipe, which cannot be replaced by another file.
    Device(BufWriter<File>, PathBuf),
    File(Box<NewFile>),
    /// A result that becomes a file when all results are known.
    Spooled(Box<SpooledFile>),
    /// Packed data on its way to another destination.
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

    /// Creates a destination for standard output.
    pub fn stdout() -> Destination {
        Destination::stream(Visible::new(io::stdout()))
    }

    /// Creates a destination for standard output that lets colours pass to a terminal.
    pub fn colored_stdout() -> Destination {
        Destination::stream(Visible::with_colors(io::stdout()))
    }

    /// Creates a destination for a stream that shows the output to the user instead of standard output.
    pub fn stream(stream: impl Write + Send + 'static) -> Destination {
        Destination::new(Sink::Stream(BufWriter::with_capacity(BUFFER_BYTES, Box::new(stream))))
    }

    /// Creates a file that may be written.
    ///
    /// # Errors
    /// Returns an error if the folder does not exist or cannot be written to, or if another run is writing the file.
    pub fn file(permit: Permit) -> io::Result<Destination> {
        Destination::file_until(permit, Busy::Refuse, &Interrupt::default())
    }

    /// Creates a file that may be written; `busy` says what to do while another run writes it. A pipe waits until someone reads it.
    ///
    /// # Errors
    /// Returns the same errors as [`file`](Destination::file), and an error if the run is interrupted first.
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

    /// Packs everything that is written.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub fn packed(self, packing: Packing) -> io::Result<Destination> {
        let sink = match packing {
            Packing::Gzip => Sink::Gzip(Box::new(GzEncoder::new(self, Compression::default()))),
            Packing::Zstd => Sink::Zstd(Box::new(zstd::Encoder::new(self, zstd::DEFAULT_COMPRESSION_LEVEL)?)),
        };
        Ok(Destination::new(sink))
    }

    /// Finishes the packing, and returns the destination of the packed data.
    fn unpacked(self) -> io::Result<Destination> {
        match self.sink {
            Sink::Gzip(encoder) => encoder.finish(),
            Sink::Zstd(encoder) => encoder.finish(),
            _ => Ok(self),
        }
    }

    /// Creates the destination of a result that waits with others; see [`Results`](super::Results).
    pub(super) fn spooled(file: SpooledFile) -> Destination {
        Destination::new(Sink::Spooled(Box::new(file)))
    }

    /// Returns the number of bytes written so far, before packing.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes the remaining data and gives a file its name.
    ///
    /// # Errors
    /// Returns an error if something could not be written, or if someone else has written the file since it was permitted. The file is then
    /// unchanged.
    pub fn commit(self) -> io::Result<()> {
        self.commit_all_or_part(false).map(drop)
    }

    /// Commits like [`commit`](Destination::commit). If the output `is_part` of what was to be written, an existing file is kept, and the
    /// part gets a name of its own.
    ///
    /// # Errors
    /// Returns the same errors as [`commit`](Destination::commit).
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
            // Flushing packed data often would make it large.
            Sink::Gzip(_) | Sink::Zstd(_) => Ok(()),
        }
    }
}

fn unprinted(error: io::Error) -> io::Error {
    named(Path::new("standard output"), error)
}

/// Replaces the text of a file if it is still `before`.
///
/// # Errors
/// Returns an error if the text is different or the file cannot be written. The file is then unchanged.
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
