//! The input and output files that the header of a query names.

use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::signal;
use crate::eval::Folder;

/// Returns the file that the header names as its input, if the query may read it. It must be in the folder whose files the query may use, or
/// below the current folder or the folder of the query, which people keep and pass around together.
pub(super) fn input(name: &str, allowed: Option<&Folder>, query: Option<&Path>) -> Result<PathBuf, Failure> {
    let refused = |reason, advice| {
        let message = format_args!("cannot search `{name}`, the input that the header names: {reason}");
        Failure::with_help(message, advice)
    };
    if let Some(folder) = allowed {
        return folder.input(name).map_err(|reason| {
            refused(
                reason,
                "with --allow-files DIR the input is a file in DIR; give any other after the query",
            )
        });
    }
    let of_query = query.and_then(Path::parent).filter(|folder| *folder != Path::new(""));
    let below = |folder: &Path| {
        Folder::open(folder, false)
            .map_err(|error| error.to_string())?
            .input(name)
    };
    let here = below(Path::new("."));
    let found = match of_query {
        Some(folder) => here.or_else(|reason| below(folder).map_err(|_| reason)),
        None => here,
    };
    let advice =
        "the header may name a file below the current folder or that of the query; give any other after the query";
    found.map_err(|reason| refused(reason, advice))
}

/// Returns the file that the header names as its output, if it is in the folder whose files the query may use. Otherwise says why it is
/// ignored, unless `quiet`.
pub(super) fn output(name: &str, allowed: Option<&Folder>, quiet: bool) -> Option<PathBuf> {
    let reason = match allowed.map(|folder| folder.output(name)) {
        Some(Ok(path)) => return Some(path),
        Some(Err(reason)) => format!(": {reason}"),
        None => " without --allow-files".to_owned(),
    };
    if !quiet {
        signal::say(&format!(
            "note: the header's `output {name}` is ignored{reason}; `-o {name}` writes there, \
             and --allow-files DIR lets the query write in DIR"
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_a_header_counts_if_its_folder_is_allowed() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), false).unwrap();
        let path = output("h.pgn", Some(&folder), true);
        assert!(path.is_some_and(|path| path.is_absolute() && path.ends_with("h.pgn")));
        assert_eq!(output("h.pgn", None, true), None);
    }
}
