//! The inputs that may be searched.

use serde::{Deserialize, Serialize};

use super::error::Error;
use crate::Games;
use crate::pgn::Source;

/// The files that a program was started with. A question names them by number, or by their names in this list.
#[derive(Clone, Debug, Default)]
pub struct Inputs(Vec<Source>);

/// A file in the list.
#[derive(Serialize, Debug)]
pub(crate) struct Listed<'i> {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// Its name as on the command line, or relative to the folder on the command line.
    pub(crate) name: &'i str,
    /// Its size in bytes, or none if it no longer exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
}

/// How a question names an input.
#[derive(Deserialize, Clone, Debug)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Named {
    /// By its number.
    Number(usize),
    /// By its name.
    Name(String),
}

impl Inputs {
    /// Creates the list of these files, in this order.
    pub fn new(sources: Vec<Source>) -> Inputs {
        Inputs(sources)
    }

    /// Returns the number of inputs.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns all inputs with their numbers.
    pub(crate) fn list(&self) -> Vec<Listed<'_>> {
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

    /// Returns the games of the named inputs in order, or of all inputs if none is named.
    ///
    /// # Errors
    /// Returns an error if a named input is not in the list, or if the list is empty.
    pub(crate) fn games(&self, named: Option<&[Named]>) -> Result<Games, Error> {
        self.sources(named).map(Games::of_sources)
    }

    /// Returns the named inputs as files.
    ///
    /// # Errors
    /// Returns the same errors as [`games`](Inputs::games).
    pub(crate) fn sources(&self, named: Option<&[Named]>) -> Result<Vec<Source>, Error> {
        let sources: Vec<Source> = match named {
            None => self.0.clone(),
            Some(named) => named.iter().map(|named| self.source(named)).collect::<Result<_, _>>()?,
        };
        if sources.is_empty() {
            return Err(Error {
                hint: Some("skewer has to be started with games".to_owned()),
                ..Error::new("there is nothing to search")
            });
        }
        Ok(sources)
    }

    fn source(&self, named: &Named) -> Result<Source, Error> {
        let (source, shown) = match named {
            Named::Number(number) => (
                number.checked_sub(1).and_then(|index| self.0.get(index)),
                number.to_string(),
            ),
            Named::Name(name) => (
                self.0.iter().find(|source| **source.name() == *name),
                format!("`{name}`"),
            ),
        };
        let missing = || Error {
            hint: Some("`inputs` lists them".to_owned()),
            ..Error::new(format!("there is no input {shown}"))
        };
        source.cloned().ok_or_else(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_found_in_the_list_alone() {
        let inputs = Inputs::new(["a/b.pgn", "c.pgn"].map(|name| Source::of_bytes(name, "")).into());
        let named = |named: &str| {
            let named: Vec<Named> = serde_json::from_str(named).expect("a list");
            inputs.games(Some(&named)).map(|_| ()).map_err(|error| error.message)
        };
        for fine in ["[1]", "[2, 1, 1]", r#"["c.pgn", 1, "a/b.pgn"]"#] {
            assert_eq!(named(fine), Ok(()), "{fine}");
        }
        for (wrong, message) in [
            ("[0]", "there is no input 0"),
            ("[1, 3]", "there is no input 3"),
            (r#"["b.pgn"]"#, "there is no input `b.pgn`"),
            (r#"["a/../c.pgn"]"#, "there is no input `a/../c.pgn`"),
            (r#"["/etc/passwd"]"#, "there is no input `/etc/passwd`"),
            ("[]", "there is nothing to search"),
        ] {
            assert_eq!(named(wrong), Err(message.to_owned()), "{wrong}");
        }
        assert!(serde_json::from_str::<Vec<Named>>("[-1]").is_err());
        assert!(Inputs::default().games(None).is_err());
    }
}
