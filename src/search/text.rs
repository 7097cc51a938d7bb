//! A sink that writes what is found in a text format.

use std::io::{self, BufReader, Write};
use std::ops::ControlFlow;

use super::batch_results::GameResult;
use super::ranking::Ranking;
use super::sink::{Recorder, Sink, SinkBatch, SinkContext};
use crate::eval::report::{Extras, GameReport, SortValue};
use crate::limits::Interrupt;
use crate::output::{Format, FormatName, FormatTraits, GameFacts, Look, SearchInfo, Spool, Totals};
use crate::query::tags::TagUse;
use crate::query::{Query, SortKey};

/// Writes the games in a format: at once, sorted at the end, or assembled at the end.
pub(crate) struct TextSink<'w> {
    out: &'w mut dyn Write,
    name: FormatName,
    look: Look,
    about: SearchInfo,
    /// Writes the frame around the games, once the search has begun.
    format: Box<dyn Format>,
    ranking: Option<Ranking>,
    /// The text that waits for the end, if the format assembles it.
    waiting: Option<Spool>,
    limit: Option<u64>,
}

impl<'w> TextSink<'w> {
    /// Creates a sink that writes a format to `out`.
    pub(crate) fn new(name: FormatName, out: &'w mut dyn Write) -> TextSink<'w> {
        TextSink {
            out,
            name,
            look: Look::default(),
            about: SearchInfo::default(),
            format: name.format(&[]),
            ranking: None,
            waiting: None,
            limit: None,
        }
    }

    /// Sets what the text says about the query.
    pub(crate) fn about(self, about: SearchInfo) -> TextSink<'w> {
        TextSink { about, ..self }
    }

    /// Sets the look of the text.
    pub(crate) fn looking(self, look: Look) -> TextSink<'w> {
        let format = self.name.format_in(&look, &[]);
        TextSink { look, format, ..self }
    }

    /// Returns where the text of games goes.
    fn body(&mut self) -> &mut dyn Write {
        match &mut self.waiting {
            Some(waiting) => waiting,
            None => self.out,
        }
    }

    fn write_end(&mut self, totals: &Totals) -> io::Result<()> {
        let mut end = Vec::new();
        self.format.end(totals, &mut end);
        self.out.write_all(&end)?;
        self.out.flush()
    }

    fn write(&mut self, text: &[u8], games: &[GameResult], keys: &mut Vec<Option<SortValue>>) -> io::Result<()> {
        let Some(ranking) = &mut self.ranking else {
            if text.is_empty() {
                return Ok(());
            }
            let body = self.body();
            body.write_all(text)?;
            // Matches show at once, even through a pipe.
            return body.flush();
        };
        let mut start = 0;
        let mut keys = keys.drain(..);
        for game in games {
            if game.matched {
                ranking.add(keys.by_ref().take(ranking.width()).collect(), game.items_end - start);
            }
            start = game.items_end;
        }
        ranking.spool(text)
    }
}

impl Recorder for Box<dyn Format> {
    type Item = u8;

    fn extras(&self) -> Extras {
        (**self).extras()
    }

    fn record(&self, game: &dyn GameFacts, report: &GameReport, text: &mut Vec<u8>) -> usize {
        self.game(game, report, text);
        0
    }
}

impl Sink for TextSink<'_> {
    type Recorder = Box<dyn Format>;

    fn meet(&mut self, query: &Query) {
        self.look.meet(query);
    }

    fn recorder(&self, keys: &[SortKey]) -> Box<dyn Format> {
        self.name.format_in(&self.look, keys)
    }

    fn is_ranked(&self, keys: &[SortKey]) -> bool {
        !self.format.traits().contains(FormatTraits::UNSORTED) && !keys.is_empty()
    }

    fn tags(&self) -> TagUse {
        match self.format.traits().contains(FormatTraits::TAGS) {
            true => TagUse::all(),
            false => TagUse::default(),
        }
    }

    fn begin(&mut self, context: &SinkContext<'_>) -> io::Result<()> {
        self.format = self.name.format_in(&self.look, context.keys);
        self.limit = context.limit;
        let is_assembled = self.format.traits().contains(FormatTraits::ASSEMBLED);
        self.waiting = is_assembled.then(|| context.room.spool());
        self.ranking = self
            .is_ranked(context.keys)
            .then(|| Ranking::new(context.keys, context.room.spool(), context.memory));
        let mut frame = Vec::new();
        self.format.begin(&self.about, &mut frame);
        self.out.write_all(&frame)
    }

    fn take(&mut self, batch: SinkBatch<'_, u8>) -> io::Result<ControlFlow<usize>> {
        let text = &batch.items[..batch.len()];
        self.write(text, batch.games, batch.keys)?;
        Ok(ControlFlow::Continue(()))
    }

    fn has_room(&mut self) -> bool {
        self.ranking.as_mut().is_none_or(Ranking::has_room)
    }

    fn finish(&mut self, totals: &Totals, interrupt: &Interrupt) -> io::Result<()> {
        if let Some(ranking) = self.ranking.take() {
            let limit = self.limit;
            ranking.write_to(self.body(), limit, interrupt)?;
        }
        if let Some(waiting) = self.waiting.take() {
            let mut games = BufReader::new(waiting);
            self.format.assemble(&mut games, self.out, interrupt)?;
        }
        self.write_end(totals)
    }

    fn break_off(&mut self, totals: &Totals) -> io::Result<()> {
        match self.format.traits().contains(FormatTraits::END_ALONE) && totals.games > 0 {
            true => self.write_end(totals),
            false => Ok(()),
        }
    }
}
