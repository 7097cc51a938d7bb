//! `skewer fmt`: formats queries in one style.

use std::path::{Path, PathBuf};

use diffy::create_patch_bytes;

use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, fail};
use crate::cli::outputs;
use crate::cli::outputs::print;
use crate::cli::queries::compiled;
use crate::cli::queries::files;
use crate::cli::queries::text::QueryText;
use crate::cli::signal;
use crate::limits::Interrupt;
use crate::output::replace_text;
use crate::syntax::format::Spelling;
use crate::terminal::in_a_line;

/// Format queries in one style
///
/// Writes the files in place, those only that change. A query keeps its meaning, its comments, and the line ends that its
/// author put between filters; a query with an error stays as it is.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer fmt queries/
  skewer fmt --check queries/       for continuous integration: what would change
  skewer fmt --unicode mate.cql     ♔ for K, ―― for --, ⊢ for path
  skewer fmt - < mate.cql           to standard output

Exit code: 0 done, 1 with --check when something would change, 2 some error, 130 interrupted (each file is either formatted or as it was).")]
pub(crate) struct Arguments {
    /// Query files and folders of them, - for standard input
    #[arg(required = true, value_name = "QUERY.cql | FOLDER")]
    paths: Vec<PathBuf>,

    /// Write nothing; show what would change
    #[arg(long)]
    check: bool,

    /// Write pieces, moves and operators in ASCII: K, --, path
    #[arg(long, conflicts_with = "unicode")]
    ascii: bool,

    /// Write pieces, moves and operators in Unicode: ♔, ――, ⊢
    #[arg(long)]
    unicode: bool,
}

/// Formats all queries, even if one has an error.
pub(crate) fn execute(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    let spelling = match (arguments.ascii, arguments.unicode) {
        (true, _) => Spelling::Ascii,
        (_, true) => Spelling::Unicode,
        _ => Spelling::AsWritten,
    };
    let interrupt = signal::handle(Interrupt::default());
    let mut exit = Exit::Success;
    for path in &arguments.paths {
        for query in queries(path) {
            let formatted = query.and_then(|query| Formatted::of(query, spelling, color, &interrupt));
            if interrupt.is_raised() {
                signal::say("interrupted: the other files are as they were");
                return Ok(Exit::Interrupted);
            }
            let done = formatted.and_then(|formatted| {
                if arguments.check {
                    formatted.show()
                } else {
                    formatted.write()
                }
            });
            match done {
                Ok(false) => {}
                Ok(true) if arguments.check && exit != Exit::Error => exit = Exit::NoMatch,
                Ok(true) => {}
                Err(failure) => exit = fail(&failure),
            }
        }
    }
    Ok(exit)
}

/// Returns the query files, or `None` for standard input.
fn queries(path: &Path) -> Vec<Result<Option<PathBuf>, Failure>> {
    if path == Path::new("-") {
        return vec![Ok(None)];
    }
    match files::named(path) {
        Ok(files) => files.into_iter().map(|file| Ok(Some(file))).collect(),
        Err(failure) => vec![Err(failure)],
    }
}

/// A query before and after formatting.
struct Formatted {
    /// `None` for standard input.
    path: Option<PathBuf>,
    name: String,
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Formatted {
    fn of(path: Option<PathBuf>, spelling: Spelling, color: bool, interrupt: &Interrupt) -> Result<Formatted, Failure> {
        let file = path.clone();
        let text = interrupt.wait_for(move || match file {
            Some(file) => QueryText::from_file(&file),
            None => QueryText::from_stdin(),
        });
        let text = text.map_err(Failure::new)??;
        Ok(Formatted {
            path,
            name: text.name.clone(),
            before: text.bytes.clone(),
            after: compiled::format(text, spelling, color)?,
        })
    }

    /// Writes the file if it changes. Standard input always goes to standard output. Returns whether the text changed.
    fn write(&self) -> Result<bool, Failure> {
        let changed = self.before != self.after;
        match &self.path {
            None => {
                print(&self.after)?;
            }
            Some(path) if changed => replace_text(path, &self.before, &self.after).map_err(outputs::unwritten)?,
            Some(_) => {}
        }
        Ok(changed)
    }

    /// Shows the lines that would change. Returns whether there are any.
    fn show(&self) -> Result<bool, Failure> {
        if self.before == self.after {
            return Ok(false);
        }
        // Names in the patch's own header would be quoted a second time.
        let lines = create_patch_bytes(&self.before, &self.after).to_bytes();
        let hunks = lines.splitn(3, |byte| *byte == b'\n').last().unwrap_or_default();
        let mut shown = format!("--- {}\n+++ formatted\n", in_a_line(&self.name)).into_bytes();
        shown.extend_from_slice(hunks);
        print(&shown).map(|_| true)
    }
}
