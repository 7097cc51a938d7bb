//! What the user sees while a search runs.

use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use crate::output::Totals;

/// A search that ends sooner shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(100);

/// What a search says beside its output: warnings and messages, and how far it has come if a user is watching.
pub struct Progress<'w> {
    log: &'w mut dyn Write,
    bar: Option<ProgressBar>,
    has_summary: bool,
    began: Instant,
}

/// What a user sees of a search beside its output and its log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Show {
    /// Nothing.
    Nothing,
    /// How much was found, at the end.
    Summary,
    /// Also how far the search has come: of so many bytes, or just how many when their number is not known. Drawn on
    /// standard error below the log.
    Progress(Option<u64>),
}

impl<'w> Progress<'w> {
    /// The lines of the log go to `log`; it should be standard error if progress is shown.
    pub fn new(log: &'w mut dyn Write, show: Show) -> Progress<'w> {
        let bar = match show {
            Show::Nothing | Show::Summary => None,
            Show::Progress(total) => Some(hidden_bar(total)),
        };
        Progress {
            log,
            bar,
            has_summary: show != Show::Nothing,
            began: Instant::now(),
        }
    }

    /// The search has read this many bytes and found this much.
    pub(super) fn advance(&mut self, bytes: u64, totals: Totals) {
        let Some(bar) = &self.bar else { return };
        if bar.is_hidden() && self.began.elapsed() >= PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(REDRAW);
        }
        bar.set_position(bytes);
        bar.set_message(format!("{} matches", HumanCount(totals.matches)));
    }

    /// Prints complete lines above the progress.
    pub fn print(&mut self, lines: &[u8]) {
        // Nobody can be told that the log is closed.
        let mut write = || drop(self.log.write_all(lines));
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Removes the progress and, if the user wants to know, says what came of the search.
    pub fn finish(mut self, totals: Totals) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.has_summary {
            self.print(summary(totals, self.began.elapsed()).as_bytes());
        }
    }
}

/// A bar, or a spinner when the total is not known, that is not drawn yet.
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
    // The templates are those above; a mistake in one costs its looks only.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// One line: how much was searched, what was found, how long it took.
fn summary(totals: Totals, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let per_second = totals.games as f64 / seconds.max(f64::EPSILON);
    format!(
        "{} of {} games match, {} positions; {seconds:.2} s, {} games/s\n",
        HumanCount(totals.matches),
        HumanCount(totals.games),
        HumanCount(totals.positions),
        HumanCount(per_second as u64),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_has_all_counts() {
        let totals = Totals {
            games: 100_000,
            matches: 1234,
            positions: 5678,
        };
        assert_eq!(
            summary(totals, Duration::from_millis(2500)),
            "1,234 of 100,000 games match, 5,678 positions; 2.50 s, 40,000 games/s\n"
        );
    }

    #[test]
    fn a_search_that_took_no_time_has_a_summary() {
        assert!(summary(Totals::default(), Duration::ZERO).contains("0 games/s"));
    }
}
