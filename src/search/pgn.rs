//! Games as PGN, and what output formats need to know about any game.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;
use std::path::Path;

use shakmaty::{Color, Outcome};

use super::games::{Reach, VisitGames};
use crate::board::columns::Parts;
use crate::chess::{Arrival, Position};
use crate::eval::report::GameReport;
use crate::game::{Date, Game, Rules, Shapes};
use crate::moves::write_uci;
use crate::output::{GameFacts, says_something};
use crate::pgn::{
    Additions, Batch, GameReader, ReadGame, Reading, Scope, write_continuation, write_game, write_last_move,
    write_move, write_tried_move, write_tried_san,
};
use crate::terminal::shown;

/// Shows this many games to a visitor. They are read one after another, with the boards of `side_by_side` laid out.
pub(super) fn read(
    games: usize,
    read_game: &mut ReadGame<'_>,
    side_by_side: Parts,
    game: &mut Game,
    visitor: &mut dyn VisitGames<Game>,
) -> io::Result<()> {
    let mut have_positions = |_: usize, _: &mut Game| Ok(Reach::Moves);
    for index in 0..games {
        let reach = match read_game(game, &mut |game| visitor.wants(game)) {
            Reading::Read => {
                game.fill_columns(side_by_side);
                Reach::Moves
            }
            Reading::Skipped => Reach::Head,
            Reading::Unreadable => Reach::Nothing,
            Reading::GivenUp | Reading::End => break,
        };
        if visitor.visit(index, game, reach, &mut have_positions)?.is_break() {
            break;
        }
    }
    visitor.finish(&mut have_positions)
}

/// Reads one game of a batch as a whole.
pub(super) fn read_whole(batch: &Batch, index: usize, game: &mut Game) {
    GameReader::at(batch, index).read(Scope::ALL, game, |_| true);
}

/// What output formats need to know about a game.
pub(super) struct Facts<'a> {
    /// The name of the file that it comes from.
    pub(super) source: &'a str,
    pub(super) game: &'a Game,
}

impl GameFacts for Facts<'_> {
    fn source(&self) -> &str {
        self.source
    }

    fn number(&self) -> u64 {
        self.game.number
    }

    fn tag(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        let is_respelt = matches!(name, b"White" | b"Black" | b"Date" | b"EventDate");
        let is_told_elsewhere = name == b"Date" && self.game.tags.has_date_of_utc();
        let written = self.game.tags.raw(name);
        let written = written.filter(|value| is_respelt && !is_told_elsewhere && !value.is_empty());
        match self.game.rules {
            Rules::Full => written.map(Cow::Borrowed).or_else(|| self.game.tag(name)),
            Rules::Cql => self.game.tag(name),
        }
    }

    fn value(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        self.game.tag(name)
    }

    fn outcome(&self) -> Outcome {
        self.game.result
    }

    fn rating(&self, player: Color) -> Option<u16> {
        self.game.tags.elo(player)
    }

    fn date(&self) -> Date {
        self.game.tags.date()
    }

    fn positions(&self) -> &[Position] {
        &self.game.positions
    }

    fn is_given_up(&self) -> bool {
        self.game.watch.is_over()
    }

    fn evaluation(&self, position: &Position) -> Option<i32> {
        self.game.evaluation(position)
    }

    fn clock(&self, position: &Position) -> Option<i32> {
        self.game.clock(position)
    }

    fn shapes(&self, position: &Position) -> Shapes {
        self.game.shapes(position)
    }

    fn write_fen(&self, position: &Position, out: &mut Vec<u8>) {
        out.extend_from_slice(self.game.fen(position).as_bytes());
    }

    fn write_move(&self, position: &Position, out: &mut Vec<u8>) {
        write_move(out, self.game, position);
    }

    fn write_san(&self, position: &Position, out: &mut Vec<u8>) {
        write_last_move(out, self.game, position);
    }

    fn write_tried(&self, position: &Position, tried: &Arrival, out: &mut Vec<u8>) {
        write_tried_move(out, self.game, position, tried);
    }

    fn write_tried_san(&self, position: &Position, tried: &Arrival, out: &mut Vec<u8>) {
        write_tried_san(out, self.game, position, tried);
    }

    fn write_uci(&self, position: &Position, out: &mut Vec<u8>) {
        write_uci(out, self.game, position);
    }

    fn each_tag(&self, visit: &mut dyn FnMut(&[u8], &[u8])) {
        let result: &[u8] = b"Result";
        let mut known = HashSet::new();
        let names = self.game.tags.iter().map(|(name, _)| name).chain([result]);
        for name in names.filter(|name| known.insert(*name)) {
            if let Some(value) = self.tag(name) {
                visit(name, &value);
            }
        }
    }

    fn write_pgn(&self, report: &GameReport, out: &mut Vec<u8>) {
        write_game(out, self.game, &additions(report, |_, _| true));
    }

    fn write_continuation(&self, position: &Position, plies: Option<u32>, report: &GameReport, out: &mut Vec<u8>) {
        // The line is there because it matches, so a comment need not say so.
        let number = self.game.number;
        let mut additions = additions(report, |position, comment| says_something(position, comment, number));
        let origin = format!("{} {}:{}", shown(Path::new(self.source)), self.game.number, position.id);
        additions.set_tag(ORIGIN, origin.as_bytes());
        write_continuation(out, self.game, position, plies, additions);
    }
}

/// The tag that names the file, game and position a game comes from.
const ORIGIN: &[u8] = b"Origin";

/// Returns what a query adds to a game and removes from it. Only comments for which `is_wanted` returns true are added.
fn additions(report: &GameReport, is_wanted: impl Fn(u32, &[u8]) -> bool) -> Additions<'_> {
    let mut additions = Additions::default();
    additions.repeat_comments(report.repeats_comments);
    let comments = report.comments.iter();
    for (position, text) in comments.filter(|(position, text)| is_wanted(*position, text)) {
        additions.comment(*position, text);
    }
    for position in &report.removed_comments {
        additions.remove_comment(*position);
    }
    for (name, value) in &report.tags {
        additions.set_tag(name, value);
    }
    additions
}
