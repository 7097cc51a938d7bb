//! The text of a query, from a file or the command line.

use std::io;
use std::path::{Path, PathBuf};

pub(crate) use crate::library::description;

use crate::cli::failure::Failure;
use crate::cli::queries::files;
use crate::library::themes;
use crate::query;
use crate::syntax::{Source, read_text, text_of};
use crate::terminal::shown;

/// The name of texts from `-e` in errors.
pub(crate) const ARGUMENT_NAME: &str = "<-e>";

/// What the command line says about the language of queries.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Language {
    /// Leave out the ready-made functions, such as `skewer(…)`, `battery(…)` and `intersection(…)`
    #[arg(long)]
    no_prelude: bool,

    /// Allow only CQL 6.2: neither the words beyond it (`skewer help beyond`) nor the functions of the prelude
    #[arg(long)]
    strict: bool,
}

impl Language {
    /// Returns the options for the compiler.
    pub(crate) fn options(self) -> query::Options {
        query::Options {
            vocabulary: self.vocabulary(),
            ..query::Options::default()
        }
    }

    /// Returns the words that queries may use.
    pub(crate) fn vocabulary(self) -> query::Vocabulary {
        query::Vocabulary::without(self.no_prelude, self.strict)
    }
}

/// The path that stands for standard input.
pub(crate) const STDIN_PATH: &str = "-";

/// The name of text from standard input in errors.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// The text of a query, and what is known about it before it is parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct QueryText {
    /// Its name in errors.
    pub(crate) name: String,
    /// The text; CQL allows any bytes in strings and comments.
    pub(crate) bytes: Vec<u8>,
    /// Whether the text has no header and consists of filters.
    pub(crate) filters_only: bool,
    /// The folder in which `theme` looks for files. Queries of the library have none.
    pub(crate) folder: Option<PathBuf>,
}

impl QueryText {
    /// Returns the source for the compiler, and the options completed for the text.
    pub(crate) fn source(self, options: query::Options) -> (Source, query::Options) {
        let QueryText {
            name,
            bytes,
            filters_only,
            folder,
        } = self;
        let options = query::Options {
            filters_only,
            themes: themes(folder),
            ..options
        };
        (Source::new(name, bytes), options)
    }

    /// Reads a query file.
    pub(crate) fn from_file(path: &Path) -> Result<QueryText, Failure> {
        let name = path.display().to_string();
        match read_text(path) {
            Ok(bytes) => Ok(QueryText {
                name,
                bytes,
                filters_only: false,
                folder: path.parent().map(Path::to_owned),
            }),
            Err(_) if path.is_dir() => Err(Failure::new(format_args!("{} is a folder, not a query", shown(path)))),
            Err(error) => {
                let message = format!("cannot read the query {}: {error}", shown(path));
                Err(match files::near(path) {
                    Some(close) => Failure::with_help(message, format_args!("did you mean {}?", shown(&close))),
                    None => Failure::new(message),
                })
            }
        }
    }

    /// Returns filters to add to another query. A text with a header is refused.
    pub(crate) fn into_filters(self) -> Result<Source, Failure> {
        if self.filters_only {
            return Ok(Source::new(self.name, self.bytes));
        }
        Err(Failure::with_help(
            "there are two queries: a whole one, with a header, after -e cannot be added to another",
            "give -e filters only, without `cql( … )`",
        ))
    }

    /// Reads filters or a whole query from standard input.
    pub(crate) fn from_stdin() -> Result<QueryText, Failure> {
        match text_of(io::stdin().lock()) {
            Ok(bytes) => Ok(QueryText {
                name: STDIN_NAME.to_owned(),
                filters_only: !query::has_header(&String::from_utf8_lossy(&bytes)),
                bytes,
                folder: Some(PathBuf::new()),
            }),
            Err(error) => Err(Failure::new(format_args!("cannot read standard input: {error}"))),
        }
    }

    /// Creates the text of a whole query that has no file.
    pub(crate) fn named(name: &str, text: &str) -> QueryText {
        QueryText {
            name: name.to_owned(),
            bytes: text.as_bytes().to_vec(),
            filters_only: false,
            folder: None,
        }
    }

    /// Creates the text from the value of `-e`: filters, or a whole query.
    pub(crate) fn from_argument(text: &str) -> QueryText {
        QueryText {
            name: ARGUMENT_NAME.to_owned(),
            bytes: text.as_bytes().to_vec(),
            filters_only: !query::has_header(text),
            folder: Some(PathBuf::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_may_have_a_header() {
        for (text, filters_only) in [
            ("xray (R a k)", true),
            ("", true),
            ("cqlx (1)", true),
            ("cql", true),
            ("cql(gamenumber 1) mate", false),
            (" \n cql (\n) mate", false),
            ("// a\n; b\n/* c */ cql() mate", false),
            ("// cql()\nmate", true),
            ("/* cql()", true),
        ] {
            assert_eq!(QueryText::from_argument(text).filters_only, filters_only, "{text:?}");
        }
    }

    #[test]
    fn the_first_sentence_describes_a_query() {
        for (query, sentence) in [
            (
                "// A mate, e.g. on h8,\n//  by a rook. More.\ncql() mate",
                "A mate, e.g. on h8, by a rook.",
            ),
            ("\u{feff}\n// No full stop\n//? match \"…\"\ncql() mate", "No full stop"),
            ("// One\n//\n// Two.\ncql() mate", "One"),
            ("/// \"a comment\"\n", ""),
            ("cql() mate // Mates.", ""),
            ("", ""),
        ] {
            assert_eq!(description(query), sentence, "{query}");
        }
    }
}
