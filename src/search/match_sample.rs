//! Matches drawn at random: a fixed number of all that are found is written.
//!
//! Each match has a rank that depends only on its game, its position and the seed. The matches with the lowest ranks are drawn. So the result
//! does not depend on the order, the number of threads or other queries, and no more matches are kept than are drawn.

use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::batch_results::GameResult;
use super::sample::Draw;
use super::sink::{Recorder, Sink, SinkBatch, SinkContext};
use super::text::TextSink;
use crate::eval::report::{Extras, GameReport, SortValue};
use crate::limits::{Interrupt, Share};
use crate::output::{Format, FormatTraits, GameFacts, Totals};
use crate::query::tags::TagUse;
use crate::query::{Query, SortKey};

/// Writes the text of matches drawn from all.
pub(crate) struct MatchSample<'w> {
    text: TextSink<'w>,
    draw: Draw,
    /// The highest rank that may still be drawn.
    bar: Arc<AtomicU64>,
    /// The number of sort keys of each game.
    width: usize,
    is_by_game: bool,
    /// The matches with the lowest ranks so far, by rank, game and index.
    drawn: BTreeMap<(u64, u64, usize), DrawnMatch>,
    /// The bytes that they take.
    bytes: usize,
    share: Share,
}

/// Makes the text of matches that may be drawn.
pub(crate) struct MatchRecorder {
    format: Box<dyn Format>,
    draw: Draw,
    bar: Arc<AtomicU64>,
}

/// A match that may be drawn.
pub(crate) struct DrawnMatch {
    rank: u64,
    game: u64,
    /// Its index among the matches of its game.
    place: usize,
    /// Its text. In a format by game, the text of the game with all its matches up to this rank.
    text: Vec<u8>,
    /// The sort keys of its game.
    keys: Vec<Option<SortValue>>,
}

impl<'w> MatchSample<'w> {
    /// Creates a sample of what `text` would write.
    pub(crate) fn new(text: TextSink<'w>, draw: Draw) -> MatchSample<'w> {
        MatchSample {
            text,
            draw,
            bar: Arc::new(AtomicU64::new(u64::MAX)),
            width: 0,
            is_by_game: false,
            drawn: BTreeMap::new(),
            bytes: 0,
            share: Share::default(),
        }
    }

    /// Draws a match, unless enough matches have lower ranks.
    fn consider(&mut self, found: DrawnMatch) {
        self.bytes += found.bytes();
        self.drawn.insert((found.rank, found.game, found.place), found);
        if self.drawn.len() as u64 > self.draw.count.get()
            && let Some((_, highest)) = self.drawn.pop_last()
        {
            self.bytes -= highest.bytes();
        }
        if let Some(((rank, ..), _)) = self.drawn.last_key_value()
            && self.drawn.len() as u64 == self.draw.count.get()
        {
            self.bar.store(*rank, Ordering::Relaxed);
        }
    }

    /// Returns what is drawn, in the order of the input. In a format by game, only the text with all drawn matches of a game is returned.
    fn take_drawn(&mut self) -> Vec<DrawnMatch> {
        let mut drawn: Vec<DrawnMatch> = mem::take(&mut self.drawn).into_values().collect();
        if self.is_by_game {
            // The match of the highest rank in a game comes first.
            drawn.reverse();
            drawn.sort_by_key(|found| found.game);
            drawn.dedup_by_key(|found| found.game);
        } else {
            drawn.sort_unstable_by_key(|found| (found.game, found.place));
        }
        drawn
    }
}

impl Recorder for MatchRecorder {
    type Item = DrawnMatch;

    fn extras(&self) -> Extras {
        self.format.extras()
    }

    fn record(&self, game: &dyn GameFacts, report: &GameReport, matches: &mut Vec<DrawnMatch>) -> usize {
        if !report.matched {
            return 0;
        }
        let bar = self.bar.load(Ordering::Relaxed);
        let ids = report.positions.iter().enumerate();
        let ranked = ids.map(|(place, id)| (self.draw.rank_of_match(game.number(), *id), place));
        let mut ranked: Vec<(u64, usize)> = ranked.filter(|(rank, _)| *rank <= bar).collect();
        if ranked.is_empty() {
            return 0;
        }
        ranked.sort_unstable();
        ranked.truncate(usize::try_from(self.draw.count.get()).unwrap_or(usize::MAX));
        let is_by_game = self.format.traits().contains(FormatTraits::BY_GAME);
        let mut shown = report.clone();
        let mut bytes = 0;
        for (last, (rank, place)) in ranked.iter().enumerate() {
            let first = if is_by_game { 0 } else { last };
            let places = ranked.get(first..=last).unwrap_or_default().iter();
            let mut places: Vec<usize> = places.map(|(_, place)| *place).collect();
            places.sort_unstable();
            shown.keep_matches(report, &places);
            let mut text = Vec::new();
            self.format.game(game, &shown, &mut text);
            bytes += text.len();
            matches.push(DrawnMatch {
                rank: *rank,
                game: game.number(),
                place: *place,
                text,
                keys: Vec::new(),
            });
        }
        bytes
    }
}

impl<'w> Sink for MatchSample<'w> {
    type Recorder = MatchRecorder;

    fn meet(&mut self, query: &Query) {
        self.text.meet(query);
    }

    fn recorder(&self, keys: &[SortKey]) -> MatchRecorder {
        MatchRecorder {
            format: self.text.recorder(keys),
            draw: self.draw,
            bar: Arc::clone(&self.bar),
        }
    }

    fn is_ranked(&self, keys: &[SortKey]) -> bool {
        self.text.is_ranked(keys)
    }

    fn tags(&self) -> TagUse {
        self.text.tags()
    }

    fn begin(&mut self, context: &SinkContext<'_>) -> io::Result<()> {
        self.width = context.keys.len();
        self.is_by_game = self
            .text
            .recorder(context.keys)
            .traits()
            .contains(FormatTraits::BY_GAME);
        self.share = Share::of(context.memory);
        self.text.begin(context)
    }

    fn take(&mut self, batch: SinkBatch<'_, DrawnMatch>) -> io::Result<ControlFlow<usize>> {
        let length = batch.len();
        let SinkBatch { games, items, keys } = batch;
        let (mut matches, mut keys) = (items.drain(..length), keys.drain(..));
        let mut start = 0;
        for game in games {
            let width = if game.matched { self.width } else { 0 };
            let keys: Vec<Option<SortValue>> = keys.by_ref().take(width).collect();
            for found in matches.by_ref().take(game.items_end - start) {
                let keys = keys.clone();
                self.consider(DrawnMatch { keys, ..found });
            }
            start = game.items_end;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn has_room(&mut self) -> bool {
        self.share.resize(self.bytes)
    }

    fn finish(&mut self, totals: &Totals, interrupt: &Interrupt) -> io::Result<()> {
        for DrawnMatch { mut text, mut keys, .. } in self.take_drawn() {
            let game = GameResult {
                games: 1,
                matched: true,
                items_end: text.len(),
                ..GameResult::default()
            };
            let flow = self.text.take(SinkBatch {
                games: &[game],
                items: &mut text,
                keys: &mut keys,
            })?;
            if flow.is_break() {
                break;
            }
        }
        self.text.finish(totals, interrupt)
    }

    fn break_off(&mut self, totals: &Totals) -> io::Result<()> {
        self.text.break_off(totals)
    }
}

impl DrawnMatch {
    /// Returns roughly how many bytes the match takes.
    fn bytes(&self) -> usize {
        let keys = self.keys.iter().flatten().map(SortValue::bytes).sum::<usize>() + size_of_val(&*self.keys);
        size_of::<DrawnMatch>() + self.text.capacity() + keys
    }
}
