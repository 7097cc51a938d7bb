//! Numbers of games and positions among the arguments of a command.

use std::path::Path;
use std::str::FromStr;

use crate::cli::failure::Failure;
use crate::search::Id;

/// Returns the number of a game or position that an argument is, or `None` if it is a path.
///
/// # Errors
/// Returns an error if it looks like such a number but is not valid, and no file has this name.
pub(crate) fn id_of(argument: &Path) -> Result<Option<Id>, Failure> {
    match argument.to_str().map(Id::from_str) {
        Some(Ok(id)) => Ok(Some(id)),
        Some(Err(error)) if is_nearly_an_id(argument) && !argument.exists() => Err(Failure::new(error)),
        _ => Ok(None),
    }
}

/// Returns whether an argument looks like the number of a game or position, and not like a file name.
fn is_nearly_an_id(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.starts_with(|first: char| first.is_ascii_digit() || first == ':') && !text.contains(['.', '/', '\\'])
}
