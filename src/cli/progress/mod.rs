//! What the user sees while a search runs.
//!
//! Each part uses only those before it: `tally`.

mod tally;

use std::fmt;
use std::io::Write;
use std::mem;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use crate::game::Warning;
use crate::output::Totals;
use crate::search::{Listener, Log};

use tally::Tally;

pub(crate) use tally::Warnings;

/// A search that ends sooner than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(100);

/// The log of a search: warnings and messages, and its progress if a user is watching.
pub(super) struct Progress<'w> {
    log: Log<'w>,
    tally: Tally,
    shown: Warnings,
    bar: Option<ProgressBar>,
    /// If dots are drawn for games: how many since the last line end.
    dots: Option<u32>,
    games_read: u64,
    has_summary: bool,
    /// What the query prints at its end, as long as it has not been printed.
    closing: Vec<u8>,
    began: Instant,
}

/// What a user sees of a search, besides its output and its log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Show {
    /// Nothing.
    Nothing,
    /// How much was found, at the end.
    Summary,
    /// Also the progress of the search: the part of this many bytes, or only the number of bytes if the total is not known. It is drawn on
    /// standard error below the log.
    Progress(Option<u64>),
    /// A dot among the messages for each thousand games, and `[10000]` and so on for each ten thousand.
    Dots,
}

impl<'w> Progress<'w> {
    /// Creates the log, whose lines go to `log`. This should be standard error if progress is shown.
    pub(super) fn new(log: &'w mut dyn Write, show: Show) -> Progress<'w> {
        let bar = match show {
            Show::Nothing | Show::Summary | Show::Dots => None,
            Show::Progress(total) => Some(hidden_bar(total)),
        };
        Progress {
            log: Log::new(log),
            tally: Tally::default(),
            shown: Warnings::AsTheyCome,
            bar,
            dots: (show == Show::Dots).then_some(0),
            games_read: 0,
            has_summary: matches!(show, Show::Summary | Show::Progress(_)),
            closing: Vec::new(),
            began: Instant::now(),
        }
    }

    /// Sends messages to `messages` instead of the log.
    #[must_use]
    pub(super) fn with_messages(mut self, messages: &'w mut dyn Write) -> Progress<'w> {
        self.log.set_messages(messages);
        self
    }

    /// Changes which warnings are shown. The default is each one as it comes.
    #[must_use]
    pub(super) fn with_warnings(mut self, shown: Warnings) -> Progress<'w> {
        self.shown = shown;
        self
    }

    /// Returns the number of games that the search has read, including those before the wanted ones and one after them.
    pub(super) fn games_read(&self) -> u64 {
        self.games_read
    }

    /// Shows that this many bytes have been read and this many games taken, if nothing is searched.
    pub(super) fn advance_games(&mut self, bytes: u64, games: u64) {
        self.draw_bar(bytes, format_args!("{} games", HumanCount(games)));
    }

    fn draw_bar(&self, bytes: u64, message: fmt::Arguments<'_>) {
        let Some(bar) = &self.bar else { return };
        if bar.is_hidden() && self.began.elapsed() >= PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(REDRAW);
        }
        bar.set_position(bytes);
        bar.set_message(message.to_string());
    }

    fn draw_dots(&mut self, games: u64) {
        let Some(drawn) = &mut self.dots else { return };
        let mut text = String::new();
        for thousand in self.games_read / 1000 + 1..=games / 1000 {
            if thousand % 10 == 0 {
                text += &format!("[{thousand}000]");
            } else {
                text.push('.');
            }
            *drawn += 1;
        }
        if !text.is_empty() {
            self.log.write_now(text.as_bytes());
        }
    }

    /// Prints complete lines as messages, after everything that the query has printed, but before what it prints at its end.
    pub(super) fn print_message(&mut self, lines: &[u8]) {
        end_dots(&mut self.dots, &mut self.log);
        self.log.write_now(lines);
        let closing = mem::take(&mut self.closing);
        self.log.write_now(&closing);
    }

    /// Takes warnings about games, if nothing is searched.
    pub(super) fn warn(&mut self, warnings: &[Warning]) {
        let Progress {
            log, tally, bar, shown, ..
        } = self;
        let mut warn = || log.warn(warnings, |warning| tally.shows(warning, *shown));
        match bar {
            Some(bar) => bar.suspend(warn),
            None => warn(),
        }
    }

    /// Writes the warnings that were held back, and how many games have lost something.
    fn end_warnings(&mut self) {
        let tally = mem::take(&mut self.tally);
        if self.shown.are_combined() {
            self.log.write(tally.lines().as_bytes());
        }
        if let Some(note) = tally.note(self.shown) {
            self.log.write(note.as_bytes());
        }
    }

    /// Removes the progress, and prints the summary if the user wants it.
    pub(super) fn finish(mut self, totals: Totals) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.end_warnings();
        if self.has_summary {
            self.log.write(summary(totals, self.began.elapsed()).as_bytes());
        }
    }
}

impl Listener for Progress<'_> {
    fn begin_search(&mut self, _place: usize, name: Option<&str>) {
        self.log.begin(name);
    }

    fn begin_games(&mut self) {
        self.log.forget_games();
    }

    /// Prints the warnings and messages above the progress.
    fn log(&mut self, games: &mut dyn Iterator<Item = (&[Warning], &[u8])>) {
        let Progress {
            log,
            tally,
            shown,
            dots,
            bar,
            ..
        } = self;
        let write = || {
            for (warnings, messages) in games {
                log.warn(warnings, |warning| tally.shows(warning, *shown));
                if !messages.is_empty() {
                    end_dots(dots, log);
                    log.message(messages);
                }
            }
        };
        match bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Prints the lines at once. If messages have a destination of their own, they are printed after the text of
    /// [`print_message`](Progress::print_message) about the run.
    fn close(&mut self, lines: &[u8]) {
        if self.log.has_messages() {
            self.closing = lines.to_vec();
            return;
        }
        match &self.bar {
            Some(bar) => bar.suspend(|| self.log.message(lines)),
            None => self.log.message(lines),
        }
    }

    fn advance(&mut self, bytes: u64, games: u64, totals: Totals) {
        self.draw_dots(games);
        self.games_read = self.games_read.max(games);
        self.draw_bar(bytes, format_args!("{} matches", HumanCount(totals.matches)));
    }
}

impl Drop for Progress<'_> {
    /// A run that ends without a summary also shows its warnings.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.end_warnings();
    }
}

/// Ends the line of dots that is being drawn.
fn end_dots(dots: &mut Option<u32>, log: &mut Log<'_>) {
    if dots.as_mut().is_some_and(|drawn| mem::take(drawn) > 0) {
        log.write_now(b"\n");
    }
}

/// Returns a bar, or a spinner if the total is not known, that is not drawn yet.
fn hidden_bar(total: Option<u64>) -> ProgressBar {
    let template = match total {
        Some(_) => "{bar:30} {bytes} of {total_bytes}, {msg}, {eta} left",
        None => "{spinner} {bytes}, {msg}, {elapsed}",
    };
    ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden())
        .with_style(style(template))
        // A run that fails leaves no bar above its error.
        .with_finish(ProgressFinish::AndClear)
}

fn style(template: &str) -> ProgressStyle {
    // The templates are those above. A mistake in one affects only its looks.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Returns one line: how much was searched, what was found, and how long it took.
fn summary(totals: Totals, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let per_second = totals.games as f64 / seconds.max(f64::EPSILON);
    format!(
        "{} of {} game{} match{}, {} position{}; {seconds:.2} s, {} games/s\n",
        HumanCount(totals.matches),
        HumanCount(totals.games),
        if totals.games == 1 { "" } else { "s" },
        if totals.matches == 1 { "es" } else { "" },
        HumanCount(totals.positions),
        if totals.positions == 1 { "" } else { "s" },
        HumanCount(per_second as u64),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::WarningKind;

    #[test]
    fn the_summary_has_all_counts() {
        let totals = Totals {
            games: 100_000,
            matches: 1234,
            positions: 5678,
            ..Totals::default()
        };
        assert_eq!(
            summary(totals, Duration::from_millis(2500)),
            "1,234 of 100,000 games match, 5,678 positions; 2.50 s, 40,000 games/s\n"
        );
    }

    #[test]
    fn the_summary_counts_one_as_one() {
        let totals = Totals {
            games: 397,
            matches: 1,
            positions: 1,
            ..Totals::default()
        };
        let summary = summary(totals, Duration::from_secs(1));
        assert!(summary.starts_with("1 of 397 games matches, 1 position; "), "{summary}");
    }

    #[test]
    fn dots_count_thousands_and_give_way_to_messages() {
        let (mut warnings, mut messages) = (Vec::new(), Vec::new());
        let mut progress = Progress::new(&mut warnings, Show::Dots).with_messages(&mut messages);
        for games in [999, 1000, 3500, 3500, 10_999, 20_000] {
            progress.advance(0, games, Totals::default());
        }
        let odd = [Warning {
            kind: WarningKind::NoTags,
            source: "g".into(),
            line: 1,
            game: 1,
            message: "odd".to_owned(),
        }];
        let lines: [(&[Warning], &[u8]); 2] = [(&odd, b""), (&[], b"found\n")];
        progress.log(&mut lines.into_iter());
        progress.advance(0, 21_000, Totals::default());
        progress.print_message(b"end\n");
        assert_eq!(progress.games_read(), 21_000);
        drop(progress);
        assert_eq!(warnings, b"warning: g:1: game 1: odd\n");
        let expected = ".........[10000].........[20000]\nfound\n.\nend\n";
        assert_eq!(String::from_utf8(messages).unwrap(), expected);
    }

    #[test]
    fn a_search_that_took_no_time_has_a_summary() {
        assert!(summary(Totals::default(), Duration::ZERO).contains("0 games/s"));
    }
}
