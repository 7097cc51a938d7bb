//! The format, packing and look of an output.

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::Path;

use clap::ValueEnum;

use super::drawing::DrawingArguments;
use crate::cli::failure::Failure;
use crate::output::{FormatName, Look, Packing, Screen};
use crate::terminal::shown;

/// The format and packing of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Form<F = FormatName> {
    /// The format.
    pub(crate) format: F,
    /// How it is packed, if at all.
    pub(crate) packing: Option<Packing>,
}

/// Extensions of packed files, and how skewer packs them if it can.
const PACKED: [(&str, Option<Packing>); 7] = [
    (".gz", Some(Packing::Gzip)),
    (".zst", Some(Packing::Zstd)),
    (".bz2", None),
    (".xz", None),
    (".zip", None),
    (".7z", None),
    (".rar", None),
];

/// Returns the name of a format on the command line.
pub(crate) fn name(format: &impl ValueEnum) -> String {
    let value = format.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Returns the ending of names of files in a format.
fn ending(format: &impl ValueEnum) -> String {
    match name(format) {
        table if table == "table" => "txt".to_owned(),
        name => name,
    }
}

/// Returns the format of files whose names have this ending.
fn of_ending<F: ValueEnum + 'static>(wanted: &str) -> Option<F> {
    let wanted = match wanted {
        "htm" => "html",
        "ndjson" => "jsonl",
        other => other,
    };
    F::value_variants()
        .iter()
        .find(|format| ending(*format) == wanted)
        .cloned()
}

/// Returns the format and packing of an output: as the user says, or else by its name, or else the `usual` format.
pub(crate) fn form<F: ValueEnum + 'static>(
    asked: Option<F>,
    output: Option<&Path>,
    usual: F,
) -> Result<Form<F>, Failure> {
    let name = output.filter(|path| path.as_os_str() != "-").and_then(Path::file_name);
    let name = name.unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let mut stem = name.as_str();
    let mut packing = None;
    for (ending, packed) in PACKED {
        if let Some(rest) = name.strip_suffix(ending) {
            if packed.is_none() {
                return Err(Failure::with_help(
                    format_args!("skewer does not write {ending} files"),
                    "it packs what it writes where the name ends in .gz or .zst, such as games.pgn.zst",
                ));
            }
            (stem, packing) = (rest, packed);
        }
    }
    let named = match Path::new(stem).extension().and_then(OsStr::to_str) {
        None => None,
        Some(extension) => match of_ending(extension) {
            None if asked.is_none() => {
                let known: Vec<_> = F::value_variants()
                    .iter()
                    .map(|format| format!(".{}", ending(format)))
                    .collect();
                let help = match extension {
                    "pdf" => "write a page, such as `-o page.html`, and print it to PDF in the browser".to_owned(),
                    _ => format!(
                        "it knows {}, and .gz or .zst after them to pack the file; with -f FORMAT any name will do",
                        known.join(" ")
                    ),
                };
                return Err(Failure::with_help(
                    format_args!("skewer does not know what to write into a file that ends in .{extension}"),
                    help,
                ));
            }
            format => format,
        },
    };
    Ok(Form {
        format: asked.or(named).unwrap_or(usual),
        packing,
    })
}

/// Refuses `--quote-formulas` for formats that spreadsheets do not open as text.
pub(crate) fn only_spreadsheets(format: &impl ValueEnum) -> Result<(), Failure> {
    match &*ending(format) {
        "csv" | "tsv" => Ok(()),
        other => Err(Failure::with_help(
            format_args!("--quote-formulas is for csv and tsv, and the format is {other}"),
            "leave it out, or choose `-f csv`",
        )),
    }
}

/// Refuses a name for a database that belongs to another kind of file.
pub(crate) fn only_database(path: &Path) -> Result<(), Failure> {
    let ending = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let is_packed = PACKED.iter().any(|(packed, _)| *packed == format!(".{ending}"));
    let is_other = of_ending(&ending).is_some_and(|format: FormatName| format != FormatName::Parquet);
    if !is_packed && !is_other {
        return Ok(());
    }
    Err(Failure::with_help(
        format_args!(
            "a database is a Parquet file, and the name of {} ends in .{ending}",
            shown(path)
        ),
        format_args!("call it {}", shown(&path.with_extension("parquet"))),
    ))
}

/// Returns the look of text for people, on standard output or in a file.
pub(crate) fn look(drawing: &DrawingArguments, color: bool, is_file: bool) -> Look {
    Look {
        screen: Screen {
            width: (!is_file).then(screen_width).flatten(),
            drawing: drawing.drawing(color),
        },
        ..Look::default()
    }
}

/// Returns the width of the screen, from COLUMNS or from the terminal of standard output.
pub(crate) fn screen_width() -> Option<usize> {
    let named = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    named.filter(|columns| *columns > 0).or_else(terminal_width)
}

/// Returns the width of the terminal, if standard output is one.
pub(crate) fn terminal_width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size()?;
    io::stdout().is_terminal().then_some(usize::from(width.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_written() {
        let of =
            |name: &str| form(None, Some(Path::new(name)), FormatName::Lines).map(|form| (form.format, form.packing));
        for (name, format, packing) in [
            ("a.pgn", FormatName::Pgn, None),
            ("A.PGN.ZST", FormatName::Pgn, Some(Packing::Zstd)),
            ("a.csv.gz", FormatName::Csv, Some(Packing::Gzip)),
            ("a.tsv", FormatName::Tsv, None),
            ("a.json", FormatName::Json, None),
            ("a.ndjson", FormatName::Jsonl, None),
            ("a.jsonl", FormatName::Jsonl, None),
            ("a.htm", FormatName::Html, None),
            ("a.parquet", FormatName::Parquet, None),
            ("dir.csv/games", FormatName::Lines, None),
        ] {
            assert_eq!(of(name).unwrap(), (format, packing), "{name}");
        }
        for (name, message) in [
            (
                "a.txt",
                "skewer does not know what to write into a file that ends in .txt",
            ),
            (
                "a.cbh",
                "skewer does not know what to write into a file that ends in .cbh",
            ),
            ("a.pgn.bz2", "skewer does not write .bz2 files"),
            ("a.zip", "skewer does not write .zip files"),
        ] {
            assert_eq!(of(name).unwrap_err().message, message);
        }
        for name in ["a.pgn", "a.csv", "a.PGN.zst", "a.html"] {
            assert!(only_database(Path::new(name)).is_err(), "{name}");
        }
        for name in ["a.parquet", "a.db", "a", "a.txt"] {
            assert!(only_database(Path::new(name)).is_ok(), "{name}");
        }
        let asked = form(Some(FormatName::Fen), Some(Path::new("a.txt.gz")), FormatName::Pgn).unwrap();
        assert_eq!((asked.format, asked.packing), (FormatName::Fen, Some(Packing::Gzip)));
    }
}
