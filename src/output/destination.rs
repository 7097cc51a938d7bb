//! Where the output goes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use super::unfinished::Unfinished;

const BUFFER_BYTES: usize = 1 << 16;

/// Where the output of a run goes.
///
/// A file is written under another name in the same folder and gets its own name at the end, so it is the old or the new
/// one, never half of it. Dropped without [`commit`](Destination::commit), nothing is left of it; a process that ends
/// without dropping it calls [`remove_unfinished`](super::remove_unfinished).
pub struct Destination {
    sink: Sink,
}

enum Sink {
    Stdout(BufWriter<Stdout>),
    /// Something that cannot be replaced by another file: a device, a pipe.
    Device(BufWriter<File>),
    File {
        writer: BufWriter<File>,
        unfinished: Unfinished,
        target: PathBuf,
    },
}

impl Destination {
    /// Standard output.
    pub fn stdout() -> Destination {
        Destination {
            sink: Sink::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout())),
        }
    }

    /// A file, whether or not it exists.
    ///
    /// # Errors
    /// When its folder does not exist or cannot be written to, or when it is a folder itself.
    pub fn file(path: &Path) -> io::Result<Destination> {
        let existing = fs::metadata(path).ok();
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            let device = File::options().write(true).open(path)?;
            return Ok(Destination {
                sink: Sink::Device(BufWriter::with_capacity(BUFFER_BYTES, device)),
            });
        }
        // A link stays a link; what it points at is replaced.
        let target = if existing.is_some() {
            fs::canonicalize(path)?
        } else {
            path.to_path_buf()
        };
        let (file, unfinished) = beside(&target, existing.map(|existing| existing.permissions()))?;
        let writer = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Destination {
            sink: Sink::File {
                writer,
                unfinished,
                target,
            },
        })
    }

    /// Whether it is standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self.sink, Sink::Stdout(_))
    }

    /// Writes out what is left and gives a file its name.
    ///
    /// # Errors
    /// When something could not be written; a file is then as it was before the run.
    pub fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        match self.sink {
            Sink::File { unfinished, target, .. } => unfinished.rename(&target),
            Sink::Stdout(_) | Sink::Device(_) => Ok(()),
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Stdout(writer) => writer.write(bytes),
            Sink::Device(writer) | Sink::File { writer, .. } => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(writer) => writer.flush(),
            Sink::Device(writer) | Sink::File { writer, .. } => writer.flush(),
        }
    }
}

/// A new file in the folder of `target` with the permissions of the old one, or else those of any new file.
fn beside(target: &Path, permissions: Option<fs::Permissions>) -> io::Result<(File, Unfinished)> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let (file, unfinished) = Unfinished::create(folder).map_err(|error| match error.kind() {
        // The name of the temporary file, which the error has, means nothing to the user.
        io::ErrorKind::NotFound => {
            let message = format!("there is no folder {}", folder.display());
            io::Error::new(io::ErrorKind::NotFound, message)
        }
        kind => io::Error::from(kind),
    })?;
    if let Some(permissions) = permissions {
        // Mending the permissions is a courtesy: where it is not allowed, the output is still worth having.
        let _ = file.set_permissions(permissions);
    }
    Ok((file, unfinished))
}
