//! What a search finds.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use crate::board::{Bitboard, Color, Square};
use crate::eval::report::{Extras, GameReport, Highlights, SortValue};
use crate::game::Date;
use crate::output::{Column, ColumnValue, GameFacts, QuerySide, column_values, decoded_text, matched, remarks};
use crate::query::SortKey;
use crate::search::Recorder;

use super::options::Options;
use super::query::Query;
use super::sort_key::SortKeyValue;

/// A game that matches, and its matching positions.
///
/// It owns its contents, so it can be kept, sent and compared. Text from the PGN that is not UTF-8 is read as Latin-1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundGame {
    source: String,
    number: u64,
    tags: Vec<(String, String)>,
    ratings: [Option<u16>; 2],
    date: Date,
    titles: Arc<[String]>,
    keys: Vec<Option<SortValue>>,
    comments: Vec<(u32, String)>,
    matches: Vec<Match>,
    pgn: Option<Vec<u8>>,
}

/// A position that matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    id: u32,
    ply: u16,
    move_number: u32,
    side: Color,
    fen: String,
    last_move: Option<LastMove>,
    comments: Vec<String>,
    remarks: Vec<String>,
    query_side: Option<QuerySide>,
    values: Vec<Option<ColumnValue>>,
    highlights: Highlights,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct LastMove {
    san: String,
    uci: String,
}

impl FoundGame {
    /// Returns the path of the file that the game comes from, or the name that was given to games in memory.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the number of the game in the whole input, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the value of a tag, such as `White`, `Date` or `ECO`, or `None` if the game has no such tag. `Result` is always known. Names
    /// of players, dates and openings are normalised, as queries see them, and tags that the query set with `settag` have their new values.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// Returns all tags in the order of the game, each name once.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Returns the rating of a player.
    pub fn rating(&self, player: Color) -> Option<u16> {
        let [white, black] = self.ratings;
        player.fold_wb(white, black)
    }

    /// Returns the date of the game as far as it is certain, as the filters `date` and `year` see it. It needs the tag `Date` to be kept.
    pub fn date(&self) -> Date {
        self.date
    }

    /// Returns the title of each `sort` of the query and the game's value for it, or `None` where it has no value. Games come in the order
    /// of the input; use these values to sort them.
    pub fn sort_keys(&self) -> impl Iterator<Item = (&str, Option<SortKeyValue<'_>>)> {
        let titles = self.titles.iter().map(|title| &**title);
        titles.zip(self.keys.iter().map(|key| key.as_ref().map(SortKeyValue::of)))
    }

    /// Returns the positions that match, in the order of evaluation.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// Returns the query's comments on all positions of the game, each with its [`positionid`](Match::position_id). Positions that do not
    /// match may have comments, too.
    pub fn comments(&self) -> impl Iterator<Item = (u32, &str)> {
        self.comments.iter().map(|(id, text)| (*id, &**text))
    }

    /// Returns the game as PGN with the query's additions, if [`Options::pgn`] asks for it.
    pub fn pgn(&self) -> Option<&[u8]> {
        self.pgn.as_deref()
    }
}

impl Match {
    /// Returns the `positionid` of CQL. The initial position has 0; the main line is numbered first, then the variations.
    pub fn position_id(&self) -> u32 {
        self.id
    }

    /// Returns the number of half moves from the initial position to this one.
    pub fn ply(&self) -> u32 {
        self.ply.into()
    }

    /// Returns the number of the next move, counted from 1 at the initial position: the `movenumber` of CQL.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// Returns the position as FEN, with all six fields.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// Returns the move that led here in standard algebraic notation, such as `Nf3`, `exd8=Q+` or `O-O`. It is `--` for a null move, and
    /// `None` at the initial position.
    pub fn last_move_san(&self) -> Option<&str> {
        self.last_move.as_ref().map(|last| &*last.san)
    }

    /// Returns the move that led here in the notation of the Universal Chess Interface, such as `g1f3`, `e7d8q` or `e1g1`. It is `0000` for
    /// a null move. In Chess960, castling is written as the king taking its own rook.
    pub fn last_move_uci(&self) -> Option<&str> {
        self.last_move.as_ref().map(|last| &*last.uci)
    }

    /// Returns the query's comments on the position, in order, if [`Options::comments`] asks for them.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// Returns the comments that say something about the position, as the command's tables show them, if [`Options::remarks`] asks for them.
    /// The marker of matching positions and comments on the whole game are left out.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Returns the side that the query matches for: White for the query as written, Black for a copy with exchanged colours. It is known for
    /// queries with a transform that exchanges colours, such as `flipcolor`, around filters that must match.
    ///
    /// ```
    /// use skewer::{Games, Query, QuerySide};
    ///
    /// let query = Query::compile("flipcolor {btm Q attacks k}")?;
    /// let game = query.search(Games::of_bytes("fool.pgn", "1. f3 e5 2. g4 Qh4# 0-1"))?.next().unwrap()?;
    /// assert_eq!(game.matches()[0].query_side(), Some(QuerySide::Black));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn query_side(&self) -> Option<QuerySide> {
        self.query_side
    }

    /// Returns the values of the [columns](super::QueryOptions::columns) that were asked for, in their order, each `None` where it is not
    /// known.
    pub fn values(&self) -> &[Option<ColumnValue>] {
        &self.values
    }

    /// Returns the squares of the position that made the match, as far as they are known, if [`Options::squares`] asks for them.
    pub fn squares(&self) -> Bitboard {
        self.highlights.squares
    }

    /// Returns the lines of sight that made the match, each from the piece that looks to the square it looks at. They are known under the
    /// same conditions as [`squares`](Match::squares).
    pub fn rays(&self) -> &[(Square, Square)] {
        &self.highlights.rays
    }

    /// Returns the moves that made the match, as pairs of squares (from, to). They are known under the same conditions as
    /// [`squares`](Match::squares).
    pub fn moves(&self) -> &[(Square, Square)] {
        &self.highlights.moves
    }
}

/// Makes a [`FoundGame`] of each game that matches, on the threads that evaluate.
pub(super) struct Keep {
    pub(super) titles: Arc<[String]>,
    columns: Arc<[Column]>,
    /// The index of the first of the two values that say which side a match is of.
    side: Option<usize>,
    comments: bool,
    remarks: bool,
    squares: bool,
    pgn: bool,
}

impl Keep {
    /// Creates the recorder of a query with these sort keys.
    pub(super) fn new(keys: &[SortKey], query: &Query, options: &Options) -> Keep {
        let titles = keys.iter().map(|key| text(&key.title));
        Keep {
            titles: titles.collect(),
            columns: Arc::clone(query.asked_columns()),
            side: query.compiled().side_values(),
            comments: options.comments,
            remarks: options.remarks,
            squares: options.squares,
            pgn: options.pgn,
        }
    }
}

impl Recorder for Keep {
    type Item = FoundGame;

    fn extras(&self) -> Extras {
        let mut extras = Column::extras(&self.columns);
        extras.set(Extras::COMMENTS, self.comments || self.pgn);
        extras.set(Extras::REMARKS, self.remarks);
        extras.set(Extras::HIGHLIGHTS, self.squares);
        extras
    }

    fn record(&self, game: &dyn GameFacts, report: &GameReport, games: &mut Vec<FoundGame>) -> usize {
        if !report.matched {
            return 0;
        }
        let comments = match self.comments || self.pgn {
            true => comments(report),
            false => Vec::new(),
        };
        let matches = matched(game, report).map(|found| {
            let position = found.position;
            let own = comments.iter().filter(|(at, _)| *at == position.id);
            let remarks = self
                .remarks
                .then(|| remarks(game, report, position).map(text).collect());
            Match {
                id: position.id,
                ply: position.ply,
                move_number: game.move_number(position),
                side: position.turn,
                fen: written(|out| game.write_fen(position, out)),
                last_move: (position.id != 0).then(|| LastMove {
                    san: written(|out| game.write_san(position, out)),
                    uci: written(|out| game.write_uci(position, out)),
                }),
                comments: own.map(|(_, text)| text.clone()).collect(),
                remarks: remarks.unwrap_or_default(),
                query_side: found.query_side(self.side),
                values: column_values(&self.columns, game, found).collect(),
                highlights: found.highlights.clone(),
            }
        });
        let pgn = self.pgn.then(|| {
            let mut pgn = Vec::new();
            game.write_pgn(report, &mut pgn);
            pgn
        });
        let game = FoundGame {
            source: game.source().to_owned(),
            number: game.number(),
            tags: tags(game, report),
            ratings: [Color::White, Color::Black].map(|player| game.rating(player)),
            date: game.date(),
            titles: Arc::clone(&self.titles),
            keys: report.keys.clone(),
            matches: matches.collect(),
            comments,
            pgn,
        };
        let bytes = game.bytes();
        games.push(game);
        bytes
    }
}

impl FoundGame {
    /// Returns about how many bytes the game takes on the heap.
    fn bytes(&self) -> usize {
        let tags: usize = self.tags.iter().map(|(name, value)| name.len() + value.len()).sum();
        let comments: usize = self.comments.iter().map(|(_, text)| text.len()).sum();
        let matches: usize = self.matches.iter().map(Match::bytes).sum();
        let pgn = self.pgn.as_ref().map_or(0, Vec::len);
        let keys = size_of_val(&*self.keys) + self.keys.iter().flatten().map(SortValue::bytes).sum::<usize>();
        tags + size_of_val(&*self.tags) + comments + size_of_val(&*self.comments) + matches + keys + pgn
    }
}

impl Match {
    fn bytes(&self) -> usize {
        let last_move = self.last_move.as_ref();
        let texts = self.fen.len() + last_move.map_or(0, |last| last.san.len() + last.uci.len());
        let comments = self.comments.iter().chain(&self.remarks);
        let comments: usize = comments.map(|text| size_of::<String>() + text.len()).sum();
        let values = self.values.iter().map(|value| match value {
            Some(ColumnValue::Text(text)) => text.len(),
            _ => 0,
        });
        let values = size_of_val(&*self.values) + values.sum::<usize>();
        size_of::<Match>() + texts + comments + values + self.highlights.bytes()
    }
}

/// Returns the text that a function writes.
fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    text(&out)
}

/// Returns the query's comments as the PGN output has them: without empty ones, and without repetitions unless the query asks for them.
fn comments(report: &GameReport) -> Vec<(u32, String)> {
    let mut known = HashSet::new();
    let said = report.comments.iter().filter(|(_, text)| !text.is_empty());
    let new = said.filter(|comment| report.repeats_comments || known.insert(*comment));
    new.map(|(id, comment)| (*id, text(comment))).collect()
}

/// Returns the tags of a game, with those that the query sets.
fn tags(game: &dyn GameFacts, report: &GameReport) -> Vec<(String, String)> {
    let mut tags: Vec<(String, String)> = Vec::new();
    game.each_tag(&mut |name, value| tags.push((text(name), text(value))));
    for (name, value) in &report.tags {
        let name = text(name);
        match tags.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = text(value),
            None => tags.push((name, text(value))),
        }
    }
    tags
}

fn text(bytes: &[u8]) -> String {
    decoded_text(Cow::Borrowed(bytes)).into_owned()
}
