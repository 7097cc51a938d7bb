//! Puts the findings of the batches together.

use std::io::{self, BufReader, Write};
use std::ops::ControlFlow;

use super::findings::{Findings, Found};
use super::progress::Progress;
use super::ranking::Ranking;
use super::spool::Spool;
use crate::eval::report::SortValue;
use crate::limits::Interrupt;
use crate::output::{Format, Totals};

/// Takes findings in the order of the input and writes them: text to the output, at once or sorted at the end, log lines to
/// the log.
pub(super) struct Collector<'a> {
    out: &'a mut dyn Write,
    ranking: Option<Ranking>,
    /// Where text waits for the end if the format binds it.
    unbound: Option<Spool>,
    limit: Option<u64>,
    totals: Totals,
}

impl<'a> Collector<'a> {
    /// At most `limit` games are written: the first ones, or with a `ranking` the best ones.
    /// With `unbound` the text waits there for a format that binds it.
    pub(super) fn new(
        out: &'a mut dyn Write,
        ranking: Option<Ranking>,
        unbound: Option<Spool>,
        limit: Option<u64>,
    ) -> Collector<'a> {
        Collector {
            out,
            ranking,
            unbound,
            limit,
            totals: Totals::default(),
        }
    }

    pub(super) fn totals(&self) -> Totals {
        self.totals
    }

    /// Takes the findings of the next batch; breaks when no more are wanted.
    pub(super) fn take(&mut self, findings: &mut Findings, progress: &mut Progress<'_>) -> io::Result<ControlFlow<()>> {
        let taken = self.count(&findings.games);
        let text_end = match findings.games.get(taken) {
            // All of them: then also what comes after the last game.
            None => findings.text.len(),
            Some(_) => taken.checked_sub(1).map_or(0, |last| findings.games[last].text_end),
        };
        if findings.has_log() {
            progress.log(findings.log(taken));
        }
        self.write(&findings.text[..text_end], &findings.games[..taken], &mut findings.keys)?;
        Ok(if self.is_full() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// Whether there is memory for what waits for the last game.
    pub(super) fn has_room(&mut self) -> bool {
        self.ranking.as_mut().is_none_or(Ranking::has_room)
    }

    /// Writes what had to wait for the last game, bound by the format, then its end.
    pub(super) fn finish(mut self, format: &dyn Format, interrupt: &Interrupt) -> io::Result<()> {
        if let Some(ranking) = self.ranking.take() {
            let limit = self.limit;
            ranking.write_to(self.sink(), limit, interrupt)?;
        }
        if let Some(unbound) = self.unbound {
            let mut games = BufReader::new(unbound.into_reader());
            format.bind(&mut games, self.out, interrupt)?;
        }
        let mut end = Vec::new();
        format.end(&self.totals, &mut end);
        self.out.write_all(&end)?;
        self.out.flush()
    }

    /// Where text goes.
    fn sink(&mut self) -> &mut dyn Write {
        match &mut self.unbound {
            Some(unbound) => unbound,
            None => self.out,
        }
    }

    /// Counts games until there are enough; how many it counted.
    fn count(&mut self, games: &[Found]) -> usize {
        for (index, game) in games.iter().enumerate() {
            if self.is_full() {
                return index;
            }
            self.totals.games += 1;
            self.totals.matches += u64::from(game.matched);
            self.totals.positions += game.positions as u64;
        }
        games.len()
    }

    /// Whether later games cannot be wanted. The best games may come last, so a ranking is never full.
    fn is_full(&self) -> bool {
        self.ranking.is_none() && self.limit.is_some_and(|limit| self.totals.matches >= limit)
    }

    fn write(&mut self, text: &[u8], games: &[Found], keys: &mut Vec<Option<SortValue>>) -> io::Result<()> {
        let Some(ranking) = &mut self.ranking else {
            match &mut self.unbound {
                Some(unbound) => unbound.write_all(text)?,
                None => self.out.write_all(text)?,
            }
            // What is found shows at once, also through a pipe.
            return if text.is_empty() { Ok(()) } else { self.sink().flush() };
        };
        let mut start = 0;
        let mut keys = keys.drain(..);
        for game in games {
            if game.matched {
                ranking.add(keys.by_ref().take(ranking.width()).collect(), game.text_end - start);
            }
            start = game.text_end;
        }
        ranking.spool(text)
    }
}
