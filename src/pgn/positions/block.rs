//! Successive rows of a source, which become games where they are needed.
//!
//! When a source is cut into blocks, only the ends of rows are found. A row without moves becomes a game directly: most lists have no other rows.
//! Other rows become PGN first.

use std::sync::Arc;

use super::table::{self, Header};
use super::{PositionRow, epd, json};
use crate::chess::{Start, Variant};
use crate::game::{Game, Rules, Warning, WarningKind};
use crate::pgn::read::{GameReader, Reading, Scope};
use crate::pgn::split::{BlockHead, ReadGame, RowBatcher, RowBlock};

/// The layout of the rows of a source.
#[derive(Clone, Default)]
pub(super) enum Layout {
    /// FENs followed by EPD operations or any text.
    #[default]
    List,
    /// JSON objects.
    Json,
    /// Values of columns.
    Table(Arc<Header>),
}

/// Successive rows of one source. Each is a game.
#[derive(Default)]
pub(crate) struct PositionBlock {
    pub(super) head: BlockHead,
    pub(super) layout: Layout,
    /// The rows, one after another.
    pub(super) bytes: Vec<u8>,
    pub(super) rows: Vec<RowPlace>,
}

/// Where a row is.
pub(super) struct RowPlace {
    /// The end of the row in the bytes of its block. It begins where the previous row ends.
    pub(super) end: usize,
    /// Its line in the source, from 1.
    pub(super) line: u64,
    pub(super) fault: Option<Fault>,
}

/// A fault that is noticed when a row is cut.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    /// The row is too long, and none of it is kept.
    TooLong,
    /// The row has an unclosed quote and is assumed to end with its line.
    OpenQuote,
}

impl RowBlock for PositionBlock {
    fn head(&self) -> &BlockHead {
        &self.head
    }

    fn write(&self, games: &mut RowBatcher) {
        let mut rows = row_reader(&self.layout, &|_| true);
        let (mut row, mut text) = (PositionRow::default(), Vec::new());
        for (index, place) in self.rows.iter().enumerate() {
            let number = self.head.number(index);
            if self.head.source.watch.is_over_at(index + 1) {
                break;
            }
            let read = self.read_row(index, rows.as_mut(), &mut row);
            if let Some(complaint) = row.complaint() {
                games.warn(WarningKind::BadColumn, place.line, number, &complaint);
            }
            if let Err(why) = read {
                games.warn(WarningKind::BadPosition, place.line, number, &left_out(&why));
                row.clear();
            }
            text.clear();
            row.write(&mut text);
            games.add(&text, number, place.line);
        }
    }

    fn games<'b>(&'b self, scope: Scope, keeps_tag: &'b dyn Fn(&[u8]) -> bool) -> Option<Box<ReadGame<'b>>> {
        let mut games = PositionGames::new(self, keeps_tag);
        Some(Box::new(move |game, wants| games.read(scope, game, wants)))
    }

    fn warnings(&self) -> &[Warning] {
        &self.head.warnings
    }
}

impl PositionBlock {
    /// Returns the text of a row, with its line end.
    fn row(&self, index: usize) -> &[u8] {
        let end = |index: usize| self.rows.get(index).map_or(0, |place| place.end);
        let start = index.checked_sub(1).map_or(0, end);
        self.bytes.get(start..end(index)).unwrap_or_default()
    }

    /// Reads a row into `row`, which then has a position. Otherwise returns the reason.
    fn read_row(&self, index: usize, reader: &mut RowReader<'_>, row: &mut PositionRow) -> Result<(), String> {
        row.clear();
        match self.rows.get(index).and_then(|place| place.fault) {
            Some(Fault::TooLong) => return Err("a line of more than 16 MB".to_owned()),
            Some(Fault::OpenQuote) => {
                row.complain("a quote is not closed: the row is taken to end with its line".to_owned());
            }
            None => {}
        }
        reader(self.row(index), row)
    }

    fn warning(&self, index: usize, kind: WarningKind, message: String) -> Warning {
        let line = self.rows.get(index).map_or(0, |place| place.line);
        self.head.source.warning(kind, line, self.head.number(index), message)
    }
}

/// Returns the message about a row that is left out.
fn left_out(why: &str) -> String {
    format!("{why}: the game is left out")
}

/// A function that reads a row, or returns the reason if it has no position.
type RowReader<'b> = dyn FnMut(&[u8], &mut PositionRow) -> Result<(), String> + 'b;

/// Returns a reader that may leave out the tags for whose names `keeps_tag` returns false.
fn row_reader<'b>(layout: &'b Layout, keeps_tag: &'b dyn Fn(&[u8]) -> bool) -> Box<RowReader<'b>> {
    match layout {
        Layout::List => Box::new(move |bytes: &[u8], row: &mut PositionRow| {
            epd::read(bytes.trim_ascii(), keeps_tag, row);
            match row.has_position() {
                true => Ok(()),
                false => Err("the line has no position".to_owned()),
            }
        }),
        Layout::Json => {
            let mut members = json::Members::default();
            Box::new(move |bytes: &[u8], row: &mut PositionRow| json::read(bytes.trim_ascii(), &mut members, row))
        }
        Layout::Table(header) => {
            let mut reader = table::Reader::new(header, keeps_tag);
            Box::new(move |bytes: &[u8], row: &mut PositionRow| reader.read(bytes, row))
        }
    }
}

/// Reads the games of a block one after another.
struct PositionGames<'b> {
    block: &'b PositionBlock,
    rows: Box<RowReader<'b>>,
    row: PositionRow,
    /// Whether only the position of a row is needed if the row is just a FEN.
    are_plain: bool,
    keeps_tag: &'b dyn Fn(&[u8]) -> bool,
    /// The index of the next row.
    next: usize,
    /// Reads the rows from text, starting with the first one that needs it.
    text: Option<GameReader<'b>>,
    /// How many of the warnings about the text have been given.
    told: usize,
}

impl<'b> PositionGames<'b> {
    /// Reads the games with the tags for whose names `keeps_tag` returns true.
    fn new(block: &'b PositionBlock, keeps_tag: &'b dyn Fn(&[u8]) -> bool) -> PositionGames<'b> {
        PositionGames {
            block,
            rows: row_reader(&block.layout, keeps_tag),
            row: PositionRow::default(),
            are_plain: matches!(block.layout, Layout::List) && !keeps_tag(b"FEN"),
            keeps_tag,
            next: 0,
            text: None,
            told: 0,
        }
    }

    /// Reads the next game, as [`GameReader::read`] does. The warnings about its row are among its warnings.
    fn read(&mut self, scope: Scope, game: &mut Game, is_wanted: &mut dyn FnMut(&Game) -> bool) -> Reading {
        let index = self.next;
        if index >= self.block.rows.len() {
            return Reading::End;
        }
        self.next += 1;
        if self.text.is_none() {
            if let Some(reading) = self.read_lone(index, scope, game, is_wanted) {
                return reading;
            }
            let reader = GameReader::at(self.block.text(), index);
            self.text = Some(reader.keeping_tags(self.keeps_tag));
        }
        let Some(reader) = &mut self.text else {
            return Reading::End;
        };
        let reading = reader.read(scope, game, is_wanted);
        let number = self.block.head.number(index);
        let left = self.block.text().warnings.get(self.told..).unwrap_or_default();
        let due = left.iter().take_while(|warning| warning.game <= number);
        self.told += due.clone().count();
        let of_row = due.filter(|warning| warning.game == number).cloned();
        game.warnings.splice(0..0, of_row);
        reading
    }

    /// Reads a game that has a single position and needs no text. Returns `None` for other games.
    fn read_lone(
        &mut self,
        index: usize,
        scope: Scope,
        game: &mut Game,
        is_wanted: &mut dyn FnMut(&Game) -> bool,
    ) -> Option<Reading> {
        let (block, row) = (self.block, &mut self.row);
        let mut spare = game.start.take();
        let plain = match self.are_plain {
            true => Start::read_plain(block.row(index).trim_ascii(), &mut spare),
            false => None,
        };
        let read = match &plain {
            Some(_) => {
                row.clear();
                Ok(())
            }
            None => block.read_row(index, self.rows.as_mut(), row),
        };
        let tells_evaluation = row.has_evaluation() && (scope.notes || scope.commands);
        if row.needs_text() || row.has_moves() || tells_evaluation {
            return None;
        }
        let start = match (plain, &read) {
            (None, Ok(())) => {
                // Faults of a FEN are reported when the text is read.
                Some(Start::read_again(row.fen(), spare).ok()?)
            }
            (plain, _) => plain,
        };
        let complaint = row.complaint();
        game.begin(Rules::Full);
        game.watch.clone_from(&block.head.source.watch);
        game.number = block.head.number(index);
        let complaint = complaint.map(|message| block.warning(index, WarningKind::BadColumn, message));
        game.warnings.extend(complaint);
        if let Err(why) = read {
            let warning = block.warning(index, WarningKind::BadPosition, left_out(&why));
            game.warnings.push(warning);
            return Some(Reading::Unreadable);
        }
        if start.as_ref().is_some_and(Start::is_chess960) {
            game.variant = Variant::Chess960;
        }
        game.start = start;
        game.result = row.result();
        for (name, value) in row.tags().filter(|(name, _)| (self.keeps_tag)(name)) {
            game.tags.push(name, value);
        }
        if !is_wanted(game) {
            return Some(Reading::Skipped);
        }
        let initial = game.initial_position();
        game.positions.push(initial);
        Some(Reading::Read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::pgn::positions::{PositionKind, PositionReader};
    use crate::pgn::split::RowSource;

    /// Returns the only block of a list or table.
    fn block(kind: PositionKind, text: &str) -> PositionBlock {
        let stream = Box::new(Cursor::new(text.to_owned().into_bytes()));
        let source = RowSource {
            name: "rows".into(),
            rules: Rules::Full,
            ..RowSource::default()
        };
        let mut reader = PositionReader::new(kind, stream, source, 0).unwrap();
        reader.read_block().unwrap().unwrap()
    }

    /// Compares the games of rows with those of their text. Returns how many were made without it.
    fn compare(block: &PositionBlock, scope: Scope) -> usize {
        let mut made = 0;
        for start in 0..block.rows.len() {
            let mut games = PositionGames::new(block, &|_| true);
            games.next = start;
            let (mut game, mut of_text) = (Game::default(), Game::default());
            let reading = games.read(scope, &mut game, &mut |_| true);
            made += usize::from(games.text.is_none());
            let expected = GameReader::at(block.text(), start).read(scope, &mut of_text, |_| true);
            assert_eq!(reading, expected, "{start}");
            let number = block.head.number(start);
            let mut warnings = block.text().warnings.clone();
            warnings.retain(|warning| warning.game == number);
            warnings.append(&mut of_text.warnings);
            assert_eq!(game.warnings, warnings, "{start}");
            if reading == Reading::Unreadable {
                continue;
            }
            assert!(game.tags.written().eq(of_text.tags.written()), "{start}");
            assert!(game.tags.iter().eq(of_text.tags.iter()), "{start}");
            assert_eq!(
                (game.number, game.result, &game.start),
                (number, of_text.result, &of_text.start)
            );
            assert_eq!((&game.positions, game.variant), (&of_text.positions, of_text.variant));
        }
        made
    }

    #[test]
    fn positions_that_stand_alone_are_what_their_text_says() {
        let table = "id,FEN,Result,Event,Date,Themes,Moves,cp,WhiteElo,Variant\n\
            1,R5k1/5ppp/8/8/8/8/8/K7 b - -,,x,1999.01.02,a \"b\" \\c,,,2800,\n\
            2,r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 17,1/2-1/2,,,\"a, \"\"b\"\"\\\",,,,\n\
            3,1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1,1-0,,,é,,,,\n\
            4,-,,,,,,,,\n\
            5,8/8/8/8/8/8/8/K6k b - - 12 90,0-1\n\
            6,8/8/8/8/8/8/8/K6k b - - 12 90,,,,,,,x,\n\
            7,8/8/8/8/8/8/8/K6k b - - 12 90,1:0,,,,,,,\n\
            8,r3k2r/8/8/8/8/8/8/R3K2R b,*,Rated Atomic game,2.3.4,,,,,\n\
            9,r3k2r/8/8/8/8/8/8/R3K2R b,*,,,,e8g8,,,\n\
            10,8/8/8/8/8/8/8/K6k b - - 12 90,,,01/02/03,,,,,\n\
            11,8/8/8/8/8/8/8/K6k b - - 12 90,,,,,,,4001,\n\
            12,8/8/8/8/8/8/8/K6k b - - 12 90,,,,,,,,Atomic\n\
            13,8/8/8/8/8/8/8/K5k b - - 12 90,,,,,,,,\n\
            14,8/8/8/8/8/8/8/K6k b - - 12 90,,,,,,12,,\n";
        let list = "R5k1/5ppp/8/8/8/8/8/K7 b - - id \"a \\\"; c0 \"x\";\n\n\
            8/8/8/8/8/8/8/K6k b - - hmvc 3; fmvn 30;\n8/8/8/8/8/8/8/K6k b\n8/8/8/8/8/8/8/K6k b - - 0 1 ; c\n\"none\"\n\
            8/8/8/8/8/8/8/K6k b - - c0 1; c0 2;\n";
        let table = block(PositionKind::Table(b','), table);
        let list = block(PositionKind::List, list);
        assert_eq!((table.rows.len(), list.rows.len()), (14, 6));
        assert_eq!(
            (compare(&table, Scope::default()), compare(&list, Scope::default())),
            (7, 5)
        );
        assert_eq!(compare(&table, Scope::ALL), 6);
    }

    #[test]
    fn tags_that_nobody_asks_for_are_left_out() {
        let block = block(
            PositionKind::Table(b','),
            "a,FEN,b,Result\n1,8/8/8/8/8/8/8/K6k b - -,2,1-0\n",
        );
        let keeps_tag = |name: &[u8]| name == b"b";
        let mut game = Game::default();
        let read = PositionGames::new(&block, &keeps_tag).read(Scope::default(), &mut game, &mut |_| true);
        assert_eq!(read, Reading::Read);
        assert_eq!(game.tags.iter().collect::<Vec<_>>(), [(&b"b"[..], &b"2"[..])]);
        assert!(game.result.winner().is_some());
    }
}
