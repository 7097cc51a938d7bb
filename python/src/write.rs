//! Writes results as texts, for which the games are read once more.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use skewer::output::{Busy, Destination, FormatName, Guard, Kind, Refused, Role};
use skewer::{Games, Interrupt, Options, Query, TextFormat};

use crate::error::{Error, of_search};
use crate::games::GivenGames;
use crate::run::in_background;

/// What to write, and for which games.
pub(crate) struct Text {
    pub(crate) query: Query,
    pub(crate) games: Games,
    pub(crate) format: TextFormat,
    /// The numbers of the games that match.
    pub(crate) numbers: Arc<BTreeSet<u64>>,
    /// How many games the user wants, if there is a limit.
    pub(crate) limit: Option<u64>,
}

impl Text {
    /// Writes the text to `out`.
    fn write(self, interrupt: &Arc<Interrupt>, out: &mut (dyn Write + Send)) -> Result<(), skewer::Error> {
        let mut options = Options::default();
        options.interrupt = Some(Arc::clone(interrupt));
        options.limit = self.limit;
        // What a serial query finds in a game may depend on earlier games that do not match.
        options.games = Some(self.numbers).filter(|_| !self.query.is_serial());
        self.query.write(self.games, self.format, &options, out).map(drop)
    }

    /// Returns the text. Text that is not UTF-8 is read as Latin-1.
    pub(crate) fn text(self, py: Python<'_>) -> PyResult<String> {
        let interrupt = Arc::new(Interrupt::default());
        let raised = Arc::clone(&interrupt);
        let written = in_background(
            py,
            &interrupt,
            || Ok(()),
            move || {
                let mut text = Vec::new();
                self.write(&raised, &mut text).map(|()| text)
            },
        )?;
        let text = finished(written)?.map_err(of_search)?;
        Ok(String::from_utf8(text)
            .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect()))
    }

    /// Writes the text to a file, completely or not at all.
    pub(crate) fn save(self, py: Python<'_>, path: PathBuf, force: bool, given: &GivenGames) -> PyResult<()> {
        let interrupt = Arc::new(Interrupt::default());
        let raised = Arc::clone(&interrupt);
        let mut guard = Guard::new(force);
        for input in given.paths() {
            guard.protect(Role::Input, input);
        }
        let kind = Kind::Search(match self.format {
            TextFormat::Html => FormatName::Html,
            _ => FormatName::Pgn,
        });
        let written = in_background(
            py,
            &interrupt,
            || Ok(()),
            move || {
                let permit = guard.permit(&path, kind).map_err(Unwritten::Refused)?;
                let mut file = Destination::file_until(permit, Busy::Refuse, &raised).map_err(Unwritten::File)?;
                self.write(&raised, &mut file).map_err(Unwritten::Search)?;
                match raised.is_raised() {
                    true => Ok(()),
                    false => file.commit().map_err(Unwritten::File),
                }
            },
        )?;
        finished(written)?.map_err(Unwritten::into_exception)
    }
}

/// The reason why a file was not written.
enum Unwritten {
    Refused(Refused),
    File(io::Error),
    Search(skewer::Error),
}

impl Unwritten {
    fn into_exception(self) -> PyErr {
        match self {
            Unwritten::Refused(refused) if refused.advice.is_empty() => Error::new_err(refused.message),
            Unwritten::Refused(refused) => {
                // The advice is written for the command line.
                Error::new_err(format!(
                    "{} ({})",
                    refused.message,
                    refused.advice.replace("--force", "`force=True`")
                ))
            }
            Unwritten::File(error) => Error::new_err(error.to_string()),
            Unwritten::Search(error) => of_search(error),
        }
    }
}

/// Returns the result of work in the background, or the error that interrupted it.
fn finished<T>((done, stopped): (Option<T>, Option<PyErr>)) -> PyResult<T> {
    match (done, stopped) {
        (_, Some(stopped)) => Err(stopped),
        (Some(done), None) => Ok(done),
        (None, None) => Err(Error::new_err("nothing was written")),
    }
}
