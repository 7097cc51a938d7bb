//! Combines many warnings to a few lines.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

use indicatif::HumanCount;

use crate::game::{Loss, Warning, WarningKind};

/// Which warnings about the input are shown. In all cases but the first, how many games have lost something is said at the end. What is said
/// of the others is their help, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum Warnings {
    /// Each of them, as it comes.
    #[value(skip)]
    AsTheyCome,
    /// Each of them
    All,
    /// The first of each kind in a file, and how many more there are
    #[default]
    First,
    /// None
    None,
}

impl Warnings {
    /// Returns whether warnings that come are shown at the end, the greatest losses first.
    pub(super) fn are_combined(self) -> bool {
        matches!(self, Warnings::First | Warnings::None)
    }
}

/// Counts warnings. Each kind and source has one line: the first warning, and how many more there are.
///
/// The memory grows with the number of kinds and sources, not with the number of warnings.
#[derive(Default)]
pub(super) struct Tally {
    /// By kind, the worst first, and by source in order of appearance.
    kinds: BTreeMap<(WarningKind, usize), Counted>,
    sources: HashMap<Arc<str>, usize>,
    /// The number of games that have lost something, and the last of them.
    losses: BTreeMap<Loss, (u64, u64)>,
}

/// Warnings of one kind about one source.
struct Counted {
    first: Warning,
    count: u64,
}

impl Tally {
    /// Counts a warning if necessary. Returns whether to show it at once.
    pub(super) fn shows(&mut self, warning: &Warning, shown: Warnings) -> bool {
        if shown != Warnings::AsTheyCome {
            self.add(warning);
        }
        !shown.are_combined()
    }

    /// Counts a warning. Warnings about the same game must follow each other.
    fn add(&mut self, warning: &Warning) {
        let next = self.sources.len();
        let source = match self.sources.get(&warning.source) {
            Some(source) => *source,
            None => *self.sources.entry(Arc::clone(&warning.source)).or_insert(next),
        };
        let counted = self.kinds.entry((warning.kind, source)).or_insert_with(|| Counted {
            first: warning.clone(),
            count: 0,
        });
        counted.count += 1;
        // One warning covers many games.
        if matches!(warning.kind, WarningKind::BadRow | WarningKind::UnreadFile) {
            return;
        }
        let (games, last) = self.losses.entry(warning.kind.loss()).or_default();
        if *games == 0 || *last != warning.game {
            *games += 1;
            *last = warning.game;
        }
    }

    /// Returns the lines, the greatest losses first.
    pub(super) fn lines(&self) -> String {
        let mut lines = String::new();
        for Counted { first, count } in self.kinds.values() {
            // Writing to a string cannot fail.
            let _ = match count - 1 {
                0 => writeln!(lines, "warning: {first}"),
                more => writeln!(lines, "warning: {first} (and {} more of this kind)", HumanCount(more)),
            };
        }
        lines
    }

    /// Returns a line that says how many games were not read, or not to their end, or `None` if all were.
    pub(super) fn note(&self, shown: Warnings) -> Option<String> {
        let games = |loss| match self.losses.get(&loss).map_or(0, |(games, _)| *games) {
            0 => None,
            1 => Some("1 game".to_owned()),
            games => Some(format!("{} games", HumanCount(games))),
        };
        let skipped = games(Loss::Game).map(|games| format!("left out: {games}"));
        let shortened = games(Loss::Moves).map(|games| format!("with moves that are not searched: {games}"));
        let parts: Vec<_> = skipped.into_iter().chain(shortened).collect();
        if parts.is_empty() {
            return None;
        }
        let is_cut = shown.are_combined() && self.kinds.values().any(|counted| counted.count > 1);
        let hint = if is_cut { " (`--warnings all` names each)" } else { "" };
        Some(format!("note: {}{hint}\n", parts.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(kind: WarningKind, source: &str, game: u64) -> Warning {
        Warning {
            kind,
            source: source.into(),
            line: 10 * game,
            game,
            message: format!("{kind:?}"),
        }
    }

    #[test]
    fn there_is_one_line_for_a_kind_and_a_source_and_what_is_lost_comes_first() {
        let mut tally = Tally::default();
        for game in 1..=3 {
            tally.add(&warning(WarningKind::NoResult, "b.pgn", game));
        }
        for _ in 0..2 {
            tally.add(&warning(WarningKind::WrongVariation, "b.pgn", 3));
        }
        tally.add(&warning(WarningKind::NoResult, "a.pgn", 4));
        tally.add(&warning(WarningKind::BadStart, "a.pgn", 5));
        tally.add(&warning(WarningKind::WrongMove, "a.pgn", 6));
        assert_eq!(
            tally.lines(),
            "warning: a.pgn:50: game 5: BadStart\n\
             warning: a.pgn:60: game 6: WrongMove\n\
             warning: b.pgn:30: game 3: WrongVariation (and 1 more of this kind)\n\
             warning: b.pgn:10: game 1: NoResult (and 2 more of this kind)\n\
             warning: a.pgn:40: game 4: NoResult\n"
        );
        let note = tally.note(Warnings::First).expect("something is lost");
        assert_eq!(
            note,
            "note: left out: 1 game; with moves that are not searched: 2 games (`--warnings all` names each)\n"
        );
    }

    #[test]
    fn where_nothing_is_lost_there_is_no_note() {
        let mut tally = Tally::default();
        tally.add(&warning(WarningKind::NoResult, "a.pgn", 1));
        assert_eq!(tally.note(Warnings::First), None);
    }
}
