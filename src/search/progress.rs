//! What the user sees while a search runs.

use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::Totals;

/// A search that ends sooner shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(100);

/// What a search says beside its output: warnings and messages, and below them how far it has come if a user is watching.
pub struct Progress<'w> {
    log: &'w mut dyn Write,
    bar: Option<ProgressBar>,
    began: Instant,
}

impl<'w> Progress<'w> {
    /// Nothing is shown of the progress, only the lines of the log.
    pub fn hidden(log: &'w mut dyn Write) -> Progress<'w> {
        Progress {
            log,
            bar: None,
            began: Instant::now(),
        }
    }

    /// A bar for `total` bytes, a spinner when their number is not known, on standard error, where the log should go, too.
    pub fn shown(log: &'w mut dyn Write, total: Option<u64>) -> Progress<'w> {
        let bar = match total {
            Some(_) => ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden())
                .with_style(style("{bar:30} {bytes} of {total_bytes}, {msg}, {eta} left")),
            None => ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
                .with_style(style("{spinner} {bytes}, {msg}, {elapsed}")),
        };
        Progress {
            log,
            bar: Some(bar),
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

    /// Removes the progress and, if it was to be shown, says what came of the search.
    pub fn finish(mut self, totals: Totals) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            self.print(summary(totals, self.began.elapsed()).as_bytes());
        }
    }
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
