//! `skewer index`: makes a database of games.
//!
//! Each part uses only those before it: `themes`.

mod themes;

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::HumanCount;
use themes::Themes;

use crate::chess::Variant;
use crate::cli::commands::completions::of_queries;
use crate::cli::commands::search::tell_of_gaps;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::inputs::Inputs;
use crate::cli::options::formats;
use crate::cli::options::narrowing::variant;
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::threads::Threads;
use crate::cli::options::warnings::WarningOptions;
use crate::cli::outputs::{self, say_written, unwritten};
use crate::cli::progress::{Progress, Show};
use crate::cli::queries::files::only_games;
use crate::cli::signal;
use crate::database::{Unique, Writer};
use crate::game::WarningKind;
use crate::limits::{Interrupt, InterruptHandle};
use crate::output::{Busy, Destination, Guard, Kind, Role, Totals};
use crate::search::{self, Indexed};
use crate::terminal::{Visible, shown};

/// Make a database of games, which is searched many times faster than PGN
///
/// Inputs are PGN files and positions (.epd, .fen, .csv, .tsv, .jsonl; also compressed: .zst, .gz, .bz2, .xz, .zip), folders of such files, - for
/// standard input, Scid's and ChessBase's databases (.si4, .si5, .cbh, .cbv), and other databases of skewer, which are merged. The database
/// is a Parquet file with one row per game, which DuckDB, Polars and others can read, too.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer index games.pgn.zst -o games.parquet           one file
  skewer index 2024/ 2025/ -o games.parquet --force     two folders, in place of an older database
  skewer index new.pgn -o games.parquet --append        more games; their numbers go on
  skewer index old.parquet new.parquet -o all.parquet   two databases in one
  skewer index all.pgn -o atomic.parquet --variant atomic   the games of a variant, numbered anew
  skewer index a.pgn b.pgn -o one.parquet --unique   each game once; one.duplicates.csv lists what was left out
  skewer index a.pgn -o a.parquet --theme greek-gift    searches for greek gifts read no other games
  skewer search -e 'mate Nf7' games.parquet             search it

Exit code: 0 the database is complete, 2 error, 130 interrupted (in both cases an older file stays as it was). If only files found in a
folder cannot be read, they are named, the database has the other games, and the exit code is 2.")]
pub(crate) struct Arguments {
    /// Games; with --append and no input, upgrades a database made by an older version
    #[arg(value_name = "INPUT", required_unless_present = "append")]
    inputs: Vec<PathBuf>,

    /// The database
    #[arg(short, long, value_name = "DB.parquet")]
    output: PathBuf,

    /// Replace an existing file
    #[arg(long, conflicts_with = "append")]
    force: bool,

    /// Add the games to an existing database
    ///
    /// Waits while another skewer writes it.
    #[arg(long)]
    append: bool,

    /// Take only games of this variant, such as standard, chess960, atomic
    #[arg(long, value_name = "NAME", value_parser = variant)]
    variant: Option<Variant>,

    /// Leave out games that repeat another or are part of one, and list them in a table
    ///
    /// Two games are the same if they have the same players, however their names are spelled, and the same moves, unless their years differ.
    /// The one with more comments and variations is kept. With --append, only new games are left out. The table is DB.duplicates.csv unless
    /// --drop-duplicates names another.
    #[arg(long)]
    unique: bool,

    /// Write the table of the games that --unique leaves out; without --unique, only list them
    #[arg(long, value_name = "REPORT.csv")]
    drop_duplicates: Option<PathBuf>,

    /// Record in which games a theme matches, so that searches for it read no others
    ///
    /// A query of the library, or a file. Searches for it, and for queries in which `theme "NAME"` must hold, read only these games. With
    /// --append, library themes that the database already has are looked for in the new games, too. Can be given several times.
    #[arg(long, value_name = "NAME", add = of_queries())]
    theme: Vec<PathBuf>,

    #[command(flatten)]
    reading: ReadingOptions,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    warnings: WarningOptions,

    /// No warnings
    #[arg(short, long)]
    quiet: bool,
}

pub(crate) fn execute(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    let output = &arguments.output;
    check_output(arguments)?;
    only_games(&arguments.inputs)?;
    let inputs = Inputs::find(&arguments.inputs, arguments.reading)?;
    if !arguments.quiet {
        inputs.say_left_out();
    }
    let themes = Themes::find(&arguments.theme, color)?;
    let mut guard = Guard::new(arguments.force || arguments.append);
    inputs.protect(&mut guard);
    let report = report_path(arguments);
    let mut report_guard = Guard::new(arguments.force);
    inputs.protect(&mut report_guard);
    if let Some(report) = &report {
        report_guard.permit(report, Kind::Duplicates)?;
    }
    let permit = guard.permit(output, Kind::Database)?;
    let interrupt = signal::handle(Interrupt::default());
    let busy = match arguments.append {
        true => Busy::Wait(&interrupt),
        false => Busy::Refuse,
    };
    let destination = match Destination::file_until(permit, busy, &interrupt) {
        Err(_) if interrupt.is_raised() => return Ok(unchanged(output)),
        destination => destination.map_err(unwritten)?,
    };
    let extended = Some(output.as_path()).filter(|output| arguments.append && output.exists());
    let themes = match extended {
        Some(old) => themes.extending(old),
        None => themes,
    };
    if !arguments.quiet {
        themes.say_left_out(inputs.sources(), extended);
    }
    let mut run = Run {
        arguments,
        themes,
        report,
        report_guard,
        unread_files: 0,
        interrupt,
    };
    match run.written(inputs, destination) {
        Err(_) if run.interrupt.is_raised() => Ok(unchanged(output)),
        written => written,
    }
}

/// A run whose output may be written.
struct Run<'a> {
    arguments: &'a Arguments,
    themes: Themes,
    /// The file that lists duplicate games, if it was asked for.
    report: Option<PathBuf>,
    report_guard: Guard,
    /// Files found in folders that could not be read, or not to their end.
    unread_files: u64,
    interrupt: Arc<Interrupt>,
}

impl Run<'_> {
    /// Writes the database. Returns an error if the run was interrupted.
    fn written(&mut self, inputs: Inputs, destination: Destination) -> Result<Exit, Failure> {
        let output = &self.arguments.output;
        let old = match (self.arguments.unique, self.themes.is_empty()) {
            (false, true) => {
                let (old, writer) = self.writer(destination)?;
                let writer = self.with_games(inputs, writer)?;
                self.commit(writer)?;
                old
            }
            (true, true) => {
                let (old, unique) = self.unique(inputs)?;
                let writer = unique.write(destination).map_err(unwritten)?;
                // The list is written before any game is left out.
                self.report(&unique)?;
                self.commit(writer)?;
                old
            }
            (true, false) => {
                let (old, unique) = self.unique(inputs)?;
                let left = finished(unique.write(scratch(output)?).map_err(unwritten)?)?;
                self.report(&unique)?;
                self.commit_with_themes(left, old, destination)?;
                old
            }
            (false, false) => {
                let (old, all) = self.all_games(inputs)?;
                self.commit_with_themes(all, old, destination)?;
                old
            }
        };
        if let Some(report) = self.report.as_ref().filter(|_| !self.arguments.unique) {
            self.report_guard.protect(Role::Compared, output);
            let listed = Unique::open(output, old, self.watch()).map_err(Failure::new);
            match listed.and_then(|unique| self.report(&unique)) {
                // The database is complete.
                Err(_) if self.interrupt.is_raised() => return Ok(unchanged(report)),
                listed => listed?,
            }
        }
        let read = Totals {
            unread_files: self.unread_files,
            ..Totals::default()
        };
        Ok(match tell_of_gaps(iter::once(read)) {
            true => Exit::Error,
            false => Exit::Success,
        })
    }

    /// Writes all games to a database without a name. Returns it, and the number of games that there were before.
    fn all_games(&mut self, inputs: Inputs) -> Result<(u64, File), Failure> {
        let (old, writer) = self.writer(scratch(&self.arguments.output)?)?;
        Ok((old, finished(self.with_games(inputs, writer)?)?))
    }

    /// Finds the duplicates among all games. Returns them, and the number of games that there were before.
    fn unique(&mut self, inputs: Inputs) -> Result<(u64, Unique), Failure> {
        let (old, all) = self.all_games(inputs)?;
        Ok((old, Unique::of_file(all, old, self.watch()).map_err(unwritten)?))
    }

    /// Commits a copy of a database, to which it adds the games of each theme. These may already be known for the first `old` games.
    fn commit_with_themes(&mut self, all: File, old: u64, destination: Destination) -> Result<(), Failure> {
        let threads = self.arguments.threads.count();
        let games = self.themes.games(&all, old, threads, &self.interrupt)?;
        let writer = Writer::append_to(all, self.watch(), destination).map_err(unwritten)?;
        self.commit(writer.with_themes(games))
    }

    /// Lists the duplicate games.
    fn report(&self, unique: &Unique) -> Result<(), Failure> {
        let Some(path) = &self.report else { return Ok(()) };
        let mut report = outputs::destination(&self.report_guard, Some(path), Kind::Duplicates, &self.interrupt)?;
        unique
            .report(&mut report)
            .and_then(|()| report.commit())
            .map_err(unwritten)?;
        let what = match (unique.duplicates(), self.arguments.unique) {
            (1, true) => "game that repeats another is left out",
            (1, false) => "game repeats another",
            (_, true) => "games that repeat others are left out",
            (_, false) => "games repeat others",
        };
        if !self.arguments.quiet {
            signal::say(&format!(
                "note: {} {what}: {}",
                HumanCount(unique.duplicates() as u64),
                shown(path)
            ));
        }
        Ok(())
    }

    fn watch(&self) -> InterruptHandle {
        InterruptHandle::of(&self.interrupt)
    }

    /// Returns a writer that begins with the games of the existing database, if games are appended, and their number.
    fn writer<W: Write + Send>(&self, out: W) -> Result<(u64, Writer<W>), Failure> {
        let output = &self.arguments.output;
        let writer = if self.arguments.append && output.exists() {
            let cannot = |error| Failure::new(format_args!("cannot add to {}: {error}", shown(output)));
            Writer::append(output, self.watch(), out).map_err(cannot)?
        } else {
            Writer::until(self.watch(), out).map_err(unwritten)?
        };
        Ok((writer.games(), writer.of_variant(self.arguments.variant)))
    }

    /// Returns the writer after it has written all games of the inputs. Returns an error if the run was interrupted.
    fn with_games<W: Write + Send>(&mut self, inputs: Inputs, writer: Writer<W>) -> Result<Writer<W>, Failure> {
        let mut log = Visible::new(io::stderr());
        let Arguments { quiet, warnings, .. } = self.arguments;
        let show = match io::stderr().is_terminal() && !quiet {
            true => Show::Progress(inputs.bytes()),
            false => Show::Nothing,
        };
        let mut progress = Progress::new(&mut log, show).with_warnings(warnings.shown);
        let unread_files = &mut self.unread_files;
        let mut observe = |indexed: Indexed<'_>| {
            let kinds = indexed.warnings.iter().map(|warning| warning.kind);
            *unread_files += kinds.filter(|kind| *kind == WarningKind::UnreadFile).count() as u64;
            if !(*quiet || warnings.are_none()) {
                progress.warn(indexed.warnings);
            }
            progress.advance_games(indexed.bytes, indexed.games);
        };
        let threads = self.arguments.threads.count();
        let indexed = search::index(inputs.into_sources(), writer, threads, &self.interrupt, &mut observe);
        indexed
            .map_err(Failure::new)?
            .ok_or_else(|| Failure::new("interrupted"))
    }

    /// Commits the database.
    fn commit(&self, writer: Writer<Destination>) -> Result<(), Failure> {
        let games = writer.games();
        writer.finish().and_then(Destination::commit).map_err(unwritten)?;
        if !self.arguments.quiet && io::stderr().is_terminal() {
            let games = format!("{} game{}", HumanCount(games), if games == 1 { "" } else { "s" });
            say_written(&self.arguments.output, Some(&games));
        }
        Ok(())
    }
}

/// Says that the output has no new games.
fn unchanged(output: &Path) -> Exit {
    let state = match output.exists() {
        true => "is as it was",
        false => "is not written",
    };
    signal::say(&format!("interrupted: {} {state}", shown(output)));
    Exit::Interrupted
}

/// Returns the path of the list of duplicate games, if it was asked for.
fn report_path(arguments: &Arguments) -> Option<PathBuf> {
    let beside = || {
        arguments
            .unique
            .then(|| arguments.output.with_extension("duplicates.csv"))
    };
    arguments.drop_duplicates.clone().or_else(beside)
}

/// Creates an unnamed file for all games, in the folder of the database that will contain all or some of them.
fn scratch(output: &Path) -> Result<BufWriter<File>, Failure> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let file = tempfile::tempfile_in(folder.unwrap_or(Path::new(".")));
    file.map(BufWriter::new).map_err(unwritten)
}

/// Returns the finished database of an unnamed file.
fn finished(writer: Writer<BufWriter<File>>) -> Result<File, Failure> {
    let written = writer.finish().map_err(unwritten)?;
    written.into_inner().map_err(|error| unwritten(error.into_error()))
}

/// Refuses an output if writing it would lose something.
fn check_output(arguments: &Arguments) -> Result<(), Failure> {
    let output = arguments.output.as_path();
    if output.as_os_str() == "-" {
        return Err(Failure::new(
            "a database has to be a file, it cannot be written to standard output",
        ));
    }
    if !(arguments.append && output.exists()) {
        formats::only_database(output)?;
    }
    if output.exists() && !arguments.force && !arguments.append {
        let message = format_args!(
            "{} is there already: --append adds games to it, --force replaces it",
            shown(output)
        );
        return Err(Failure::new(message));
    }
    Ok(())
}
