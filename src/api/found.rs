//! What a search finds.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use crate::board::{Bitboard, Color, Square};
use crate::chess::Position;
use crate::eval::report::{Extras, GameReport, Highlights, SortValue};
use crate::game::Date;
use crate::output::{Column, ColumnValue, GameFacts, QuerySide, column_values, decoded_text, matched, remarks};
use crate::query::SortKey;
use crate::search::Recorder;

use super::options::Options;
use super::query::Query;
use super::sort_key::SortKeyValue;

/// A game that matches, with the positions in it that do.
///
/// It owns all that it says, so it may be kept, sent and compared. Texts of the PGN are text here: what is not UTF-8 counts as
/// Latin-1.
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
    /// Where the game comes from: the path of the file, or the name that the games in memory were given.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The number of the game in the whole input, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The value of a tag, such as `White`, `Date` or `ECO`; `None` if the game has no such tag. The result is known of each
    /// game. Names of players, dates and openings are in the normal form in which queries see them, and what the query set with
    /// `settag` counts.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// All tags in the order of the game, each name once.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The rating of a player.
    pub fn rating(&self, player: Color) -> Option<u16> {
        let [white, black] = self.ratings;
        player.fold_wb(white, black)
    }

    /// The date of the game, as far as it is certain: what `date` and `year` are in queries, if the tag `Date` is kept.
    pub fn date(&self) -> Date {
        self.date
    }

    /// The title of each `sort` of the query and the value that the game has for it, `None` where it has none. Games come in the
    /// order of the input; whoever wants them sorted does that by these.
    pub fn sort_keys(&self) -> impl Iterator<Item = (&str, Option<SortKeyValue<'_>>)> {
        let titles = self.titles.iter().map(|title| &**title);
        titles.zip(self.keys.iter().map(|key| key.as_ref().map(SortKeyValue::of)))
    }

    /// The positions that match, in the order of evaluation.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// What the query says of all positions of the game, with their [`positionid`](Match::position_id): also of those that do not match
    /// themselves.
    pub fn comments(&self) -> impl Iterator<Item = (u32, &str)> {
        self.comments.iter().map(|(id, text)| (*id, &**text))
    }

    /// The game as PGN with what the query has added, if [`Options::pgn`] asks for it.
    pub fn pgn(&self) -> Option<&[u8]> {
        self.pgn.as_deref()
    }
}

impl Match {
    /// The `positionid` of CQL: the initial position has 0, the main line comes first, then the variations.
    pub fn position_id(&self) -> u32 {
        self.id
    }

    /// How many half moves lead here from the initial position.
    pub fn ply(&self) -> u32 {
        self.ply.into()
    }

    /// The number of the move to be made, counted from 1 at the initial position: the `movenumber` of CQL.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The position as FEN, all six fields.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// The move that led here, in standard algebraic notation: `Nf3`, `exd8=Q+`, `O-O`; `--` for a null move, `None` for the initial
    /// position.
    pub fn last_move_san(&self) -> Option<&str> {
        self.last_move.as_ref().map(|last| &*last.san)
    }

    /// The same in the notation of the Universal Chess Interface: `g1f3`, `e7d8q`, `e1g1`; `0000` for a null move. In Chess960 the
    /// castling king takes its rook.
    pub fn last_move_uci(&self) -> Option<&str> {
        self.last_move.as_ref().map(|last| &*last.uci)
    }

    /// What the query says of the position, in order, if [`Options::comments`] asks for it.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// The comments that say something of the position, as the tables of the command have them: without the marker of positions that
    /// match and without what is said of the whole game; if [`Options::remarks`] asks for them.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The side of which the query holds here: of White as it is written, or of Black in a copy with exchanged colours. Known of queries with a
    /// transform that exchanges colours, such as `flipcolor`, around filters that must match.
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

    /// What stands in the [columns](super::QueryOptions::columns) that the query was asked for, in their order, where it is known.
    pub fn values(&self) -> &[Option<ColumnValue>] {
        &self.values
    }

    /// The squares of the position that made the match, as far as they are known and [`Options::squares`] asks for them.
    pub fn squares(&self) -> Bitboard {
        self.highlights.squares
    }

    /// The lines of sight that made the match, each from the piece that looks to what it looks at; known as
    /// [`squares`](Match::squares) are.
    pub fn rays(&self) -> &[(Square, Square)] {
        &self.highlights.rays
    }

    /// The moves that made the match, from where to where; known as [`squares`](Match::squares) are.
    pub fn moves(&self) -> &[(Square, Square)] {
        &self.highlights.moves
    }
}

/// Makes found games of games, on the threads that evaluate.
pub(super) struct Keep {
    pub(super) titles: Arc<[String]>,
    columns: Arc<[Column]>,
    /// The place of the first of the two values that say of which side a match is.
    side: Option<usize>,
    comments: bool,
    remarks: bool,
    squares: bool,
    pgn: bool,
}

impl Keep {
    /// What of games is kept for a query with these sort keys.
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
                remarks: remarks.unwrap_or_default(),
                query_side: found.query_side(self.side),
                values: column_values(&self.columns, game, found).collect(),
                highlights: found.highlights.clone(),
                comments: own.map(|(_, text)| text.clone()).collect(),
                ..plain(game, position)
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
    /// About how many bytes it has elsewhere.
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

/// A position with what does not depend on the query.
fn plain(game: &dyn GameFacts, position: &Position) -> Match {
    let written = |write: &dyn Fn(&mut Vec<u8>)| {
        let mut out = Vec::new();
        write(&mut out);
        text(&out)
    };
    Match {
        id: position.id,
        ply: position.ply,
        move_number: game.move_number(position),
        side: position.turn,
        fen: written(&|out| game.write_fen(position, out)),
        last_move: (position.id != 0).then(|| LastMove {
            san: written(&|out| game.write_san(position, out)),
            uci: written(&|out| game.write_uci(position, out)),
        }),
        comments: Vec::new(),
        remarks: Vec::new(),
        query_side: None,
        values: Vec::new(),
        highlights: Highlights::default(),
    }
}

/// What the query says of positions, as the PGN output says it: nothing that is empty, and nothing twice unless that is asked for.
fn comments(report: &GameReport) -> Vec<(u32, String)> {
    let mut known = HashSet::new();
    let said = report.comments.iter().filter(|(_, text)| !text.is_empty());
    let new = said.filter(|comment| report.repeats_comments || known.insert(*comment));
    new.map(|(id, comment)| (*id, text(comment))).collect()
}

/// The tags of a game with those that the query sets.
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
