//! Opens and writes outputs, and reports when that is not allowed or fails.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use indicatif::HumanBytes;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::options::formats::Form;
use crate::cli::pager::{Pages, Paging};
use crate::cli::signal;
use crate::eval::Folder;
use crate::limits::Interrupt;
use crate::output::{Busy, Destination, FormatName, Guard, Kind, Placed, Refused, Totals};
use crate::search::Error;
use crate::terminal::{Visible, shown};

/// Whether files are replaced that skewer did not write.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Force {
    /// Replace an existing file, whoever wrote it; without --force, skewer replaces only its own results of the same kind
    ///
    /// Files that the run reads are never replaced.
    #[arg(long)]
    pub(super) force: bool,
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        if refused.advice.is_empty() {
            Failure::new(refused.message)
        } else {
            Failure::with_help(refused.message, refused.advice)
        }
    }
}

/// Prints to standard output, whose reader may stop at any time. Control characters from queries and file names do not reach the terminal.
pub(super) fn print(text: &[u8]) -> Result<Exit, Failure> {
    let mut stdout = Visible::with_colors(io::stdout());
    printed(stdout.write_all(text).and_then(|()| stdout.flush()))
}

/// Returns the result of printing to standard output. A closed pipe is not a failure.
pub(super) fn printed(result: io::Result<()>) -> Result<Exit, Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format_args!("cannot write to standard output: {error}")))
        }
        _ => Ok(Exit::Success),
    }
}

/// Returns the path of an output, unless it is `-` for standard output.
pub(super) fn not_stdout(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| path.as_os_str() != "-")
}

/// Opens an output file, or standard output.
pub(super) fn destination(
    guard: &Guard,
    path: Option<&Path>,
    kind: Kind,
    interrupt: &Interrupt,
) -> Result<Destination, Failure> {
    match path {
        None => {
            guard.permit_stdout()?;
            Ok(Destination::stdout())
        }
        Some(path) => {
            let opened = Destination::file_until(guard.permit(path, kind)?, Busy::Refuse, interrupt);
            opened.map_err(|error| match interrupt.cause() {
                Some(cause) => Failure::ended(cause, "nothing is written"),
                None => unwritten(error),
            })
        }
    }
}

/// Opens the output of a run: a file, or standard output, which a terminal shows through the pager. If the user leaves the pager, the
/// interrupt is raised. With `colors`, formats may use colours.
pub(super) fn of_run(
    guard: &Guard,
    output: Option<&Path>,
    form: Form,
    (paging, colors): (Paging, bool),
    interrupt: &Arc<Interrupt>,
) -> Result<(Pages, Destination), Failure> {
    let (pages, plain) = match output {
        None => {
            guard.permit_stdout()?;
            let raised = Arc::clone(interrupt);
            let pages = Pages::of_terminal(paging, move || {
                raised.raise();
            });
            let plain = pages.destination(colors && form.format.has_colors());
            (pages, plain)
        }
        Some(_) => (
            Pages::default(),
            destination(guard, output, Kind::Search(form.format), interrupt)?,
        ),
    };
    let destination = match form.packing {
        Some(packing) => plain.packed(packing).map_err(unwritten)?,
        None => plain,
    };
    Ok((pages, destination))
}

/// Writes a complete text to a file, or to standard output, which a terminal shows through the pager.
pub(super) fn write_text(
    guard: &Guard,
    path: Option<&Path>,
    kind: Kind,
    paging: Paging,
    text: &str,
) -> Result<(), Failure> {
    if path.is_some() {
        return write(destination(guard, path, kind, &Interrupt::default())?, text.as_bytes());
    }
    guard.permit_stdout()?;
    page(text, paging).map(drop)
}

/// Prints a text to standard output, which a terminal shows through the pager.
pub(super) fn page(text: &str, paging: Paging) -> Result<Exit, Failure> {
    let pages = Pages::of_terminal(paging, || {});
    write(pages.destination(true), text.as_bytes())?;
    Ok(Exit::Success)
}

/// Writes a text to a new file, or to an existing one if forced, and says so unless `quiet`. Creates its folder if necessary.
pub(super) fn write_new(guard: &Guard, path: &Path, text: &str, quiet: bool) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::new(format_args!("cannot make {}: {error}", shown(folder))))?;
    }
    write(
        destination(guard, Some(path), Kind::Query, &Interrupt::default())?,
        text.as_bytes(),
    )?;
    if !quiet {
        signal::say(&format!("wrote {}", shown(path)));
    }
    Ok(())
}

/// Refuses to write a query if something exists at the path.
pub(super) fn only_new(path: &Path, advice: &str) -> Result<(), Failure> {
    match fs::symlink_metadata(path) {
        Ok(_) => Err(Failure::with_help(
            format_args!("{} is there already", shown(path)),
            advice,
        )),
        Err(_) => Ok(()),
    }
}

/// If an output of this many bytes is too large for its readers, prints advice.
pub(super) fn advise_on_size(path: Option<&Path>, format: FormatName, bytes: u64, totals: Totals) {
    if let Some(advice) = format.advice(bytes, totals.matches) {
        let place = path.map(|path| format!("{}: ", shown(path))).unwrap_or_default();
        signal::say(&format!("note: {place}{advice}"));
    }
}

/// Gives the files that a query has written their names, and returns where they are. If the search was ended early, they are only a part of
/// what was to be written.
pub(super) fn place_written(guard: &Guard, folder: Option<&Folder>, is_part: bool) -> Result<Vec<Placed>, Error> {
    let mut placed = Vec::new();
    let Some(folder) = folder else {
        return Ok(placed);
    };
    let written = folder.place_written(|path, mut content| {
        let mut destination = Destination::file(guard.permit(path, Kind::Written)?)?;
        io::copy(&mut content, &mut destination)?;
        placed.push(destination.commit_all_or_part(is_part)?);
        Ok(())
    });
    written.map(|()| placed).map_err(Error::Output)
}

/// Says what was written, and how large it is.
pub(super) fn say_written(path: &Path, content: Option<&str>) {
    // Something that is not a file, such as a device, has no size.
    if let Some(metadata) = fs::metadata(path).ok().filter(fs::Metadata::is_file) {
        let content = content.map(|content| format!("{content}, ")).unwrap_or_default();
        let size = HumanBytes(metadata.len());
        signal::say(&format!("wrote {}: {content}{size}", shown(path)));
    }
}

/// Writes a complete output. The reader of standard output may stop at any time.
pub(super) fn write(mut destination: Destination, content: &[u8]) -> Result<(), Failure> {
    let written = destination.write_all(content).and_then(|()| destination.commit());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unwritten(error)),
        _ => Ok(()),
    }
}

/// Returns the failure of an output. The error names it.
pub(super) fn unwritten(error: io::Error) -> Failure {
    Failure::new(Error::Output(error))
}
