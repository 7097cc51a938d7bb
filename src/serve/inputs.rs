//! What may be searched.

use serde::Serialize;

use crate::pgn::Source;

/// The files that a server was started with. A request names them by number, or as this list does.
#[derive(Clone, Debug, Default)]
pub struct Inputs(Vec<Source>);

/// A file in the list.
#[derive(Serialize, Debug)]
pub(super) struct Listed<'i> {
    /// Its number, from 1.
    number: usize,
    /// Its name: as the command line has it, or below the folder that the command line has.
    name: &'i str,
    /// How many bytes it has; none if it is no longer there.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
}

impl Inputs {
    /// These files, in this order.
    pub fn new(sources: Vec<Source>) -> Inputs {
        Inputs(sources)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// All of them with their numbers.
    pub(super) fn list(&self) -> Vec<Listed<'_>> {
        let listed = self.0.iter().zip(1..).map(|(source, number)| Listed {
            number,
            name: source.name(),
            bytes: source
                .file()
                .and_then(|file| file.metadata().ok())
                .map(|file| file.len()),
        });
        listed.collect()
    }
}
