//! Finds games that a database has more than once: of the same players, with the same moves or with the first moves of a longer game.
//!
//! Little is kept for each game: a hash of its players, one of its moves, and what distinguishes it from another game with the same moves. Two games
//! of the same players are one if neither their years nor their first names contradict each other. If one is part of a longer game, the results
//! must agree too. A game is never dropped for one that has fewer comments and variations. Games are left alone if their players are unknown, if
//! they have no moves, or if their text had defects.
//!
//! Each part uses only those before it: `annotations`, `player`, `self`, `report`.

mod annotations;
mod player;
mod report;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::decoded::Decoded;
use super::facts::Events;
use super::file::ParquetFile;
use super::layout::{Column, DATE, UTC_DATE, tag_column};
use super::rows::{RowGroup, Rows};
use crate::game::{Rules, Tags};
use crate::limits::InterruptHandle;
use player::Player;

/// The games of a database that repeat others.
pub(super) struct Duplicates {
    /// The repeats by the row of the game that is left out, counted from 0.
    repeats: HashMap<u32, Repeat>,
}

/// Why a game is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Repeat {
    /// The row of the game that stays.
    of: u32,
    /// Whether the game that stays is longer.
    is_part: bool,
}

/// What is kept for a game. Games of the same players with the same moves are adjacent, in the order of their rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Entry {
    /// A hash of the last names of the players, the variant, and the start of the game.
    players: u32,
    row: u32,
    line: u64,
    /// The amount of annotation, and below it the number of tags.
    worth: u32,
    /// The year, and in the lowest two bits the result. 0 means unknown.
    circumstances: u16,
    /// The initials of the first names, 0 if unknown.
    initials: [u8; 2],
}

/// The bits of the worth of a game that count its tags.
const TAG_BITS: u32 = 5;
/// The latest year. Later ones would leave no bits for the result.
const MOST_YEAR: u16 = u16::MAX >> 2;

impl Entry {
    /// Returns the key by which entries are sorted.
    fn place(&self) -> (u32, u64, u32) {
        (self.players, self.line, self.row)
    }

    fn annotations(&self) -> u32 {
        self.worth >> TAG_BITS
    }

    /// Returns whether this may be the same game as `other`, which has the same players and moves.
    fn may_be(&self, other: &Entry) -> bool {
        let [white, black] = [0, 1].map(|side| agree(self.initials[side], other.initials[side]));
        white && black && agree(self.circumstances >> 2, other.circumstances >> 2)
    }

    /// Returns whether this may be the beginning of `other`, which has the same players.
    fn may_begin(&self, other: &Entry) -> bool {
        self.may_be(other) && agree(self.circumstances & 3, other.circumstances & 3)
    }
}

/// Returns whether two values do not contradict each other.
fn agree<T: Default + PartialEq>(one: T, other: T) -> bool {
    one == T::default() || other == T::default() || one == other
}

impl Duplicates {
    /// Finds the duplicates of a database. Games before `fixed` are not left out, only games that repeat them.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read or has too many games, or if the result is no longer wanted.
    pub(super) fn find(file: &Arc<ParquetFile>, fixed: u64, watch: &InterruptHandle) -> io::Result<Duplicates> {
        let mut games = Games {
            entries: entries(file, watch)?,
            fixed: u32::try_from(fixed).map_err(io::Error::other)?,
            repeats: HashMap::new(),
        };
        games.entries.sort_unstable_by_key(Entry::place);
        games.find_equal();
        games.find_parts(file, watch)?;
        Ok(Duplicates { repeats: games.repeats })
    }

    /// Returns the number of duplicates.
    pub(super) fn len(&self) -> usize {
        self.repeats.len()
    }

    /// Returns whether the game of a row is left out.
    pub(super) fn have(&self, row: u64) -> bool {
        u32::try_from(row).is_ok_and(|row| self.repeats.contains_key(&row))
    }

    /// Returns the rows of the games that are left out, in order. Each comes with the game that stays and whether that one is longer.
    fn in_order(&self) -> Vec<(u32, Repeat)> {
        let stays = |mut repeat: Repeat| {
            while let Some(next) = self.repeats.get(&repeat.of) {
                repeat.of = next.of;
                repeat.is_part |= next.is_part;
            }
            repeat
        };
        let mut all: Vec<(u32, Repeat)> = self
            .repeats
            .iter()
            .map(|(row, repeat)| (*row, stays(*repeat)))
            .collect();
        all.sort_unstable_by_key(|(row, _)| *row);
        all
    }
}

/// The games of a database during the search for duplicates.
struct Games {
    entries: Vec<Entry>,
    fixed: u32,
    repeats: HashMap<u32, Repeat>,
}

impl Games {
    /// Finds games with the same moves.
    fn find_equal(&mut self) {
        let mut same: Vec<Entry> = Vec::new();
        for games in self.entries.chunk_by(|a, b| (a.players, a.line) == (b.players, b.line)) {
            if games.len() == 1 {
                continue;
            }
            same.clear();
            same.extend_from_slice(games);
            // The sort is stable, so the first of equal games stays.
            same.sort_by_key(|game| (game.row >= self.fixed, u32::MAX - game.worth));
            let mut stay: Vec<Entry> = Vec::new();
            for game in &same {
                let is_repeated = |other: &&Entry| game.may_be(other) && game.annotations() <= other.annotations();
                match stay.iter().find(is_repeated) {
                    Some(other) if game.row >= self.fixed => {
                        let (of, is_part) = (other.row, false);
                        self.repeats.insert(game.row, Repeat { of, is_part });
                    }
                    _ => stay.push(*game),
                }
            }
        }
    }

    /// Finds games that are part of longer ones, whose moves are read again.
    fn find_parts(&mut self, file: &Arc<ParquetFile>, watch: &InterruptHandle) -> io::Result<()> {
        let games = usize::try_from(file.games()).unwrap_or(usize::MAX);
        let mut may_have_parts = vec![false; games];
        for games in self.entries.chunk_by(|a, b| a.players == b.players) {
            if games.first().map(|game| game.line) != games.last().map(|game| game.line) {
                games.iter().for_each(|game| may_have_parts[game.row as usize] = true);
            }
        }
        for group in 0..file.groups() {
            watch.check()?;
            let first = file.games_before(group) as usize;
            let asked = &may_have_parts[first..first + file.group_games(group)];
            if !asked.contains(&true) {
                continue;
            }
            let rows = rows(file, group);
            let decoded = Decoded::read(
                &rows,
                MOVE_COLUMNS
                    .map(Column::index)
                    .into_iter()
                    .chain(PLAYER_TAGS.iter().filter_map(|tag| tag_column(tag))),
            )?;
            for (index, _) in asked.iter().enumerate().filter(|(_, is_asked)| **is_asked) {
                if let Some(longer) = Line::of(&decoded, index) {
                    self.find_parts_of(&longer, (first + index) as u32);
                }
            }
        }
        Ok(())
    }

    /// Finds the games that are part of the game of a row.
    fn find_parts_of(&mut self, longer: &Line<'_>, row: u32) {
        let players = self.players(longer.players);
        let of_players = &self.entries[players];
        let hashes: Vec<u64> = longer.hashes().collect();
        let Some((whole, parts)) = hashes.split_last() else {
            return;
        };
        let Ok(place) = of_players.binary_search_by_key(&(*whole, row), |game| (game.line, game.row)) else {
            return;
        };
        let longer = of_players[place];
        if self.repeats.contains_key(&row) {
            return;
        }
        for part in parts {
            let first = of_players.partition_point(|game| game.line < *part);
            for game in of_players[first..].iter().take_while(|game| game.line == *part) {
                let is_part = game.may_begin(&longer) && game.annotations() <= longer.annotations();
                if is_part && game.row >= self.fixed {
                    self.repeats.entry(game.row).or_insert(Repeat { of: row, is_part });
                }
            }
        }
    }

    /// Returns the range of the entries with these players.
    fn players(&self, players: u32) -> Range<usize> {
        let start = self.entries.partition_point(|game| game.players < players);
        let count = self.entries[start..].partition_point(|game| game.players == players);
        start..start + count
    }
}

/// The tags that identify the players and the start of a game.
const PLAYER_TAGS: [&[u8]; 3] = [b"White", b"Black", b"FEN"];
/// The columns of the moves.
const MOVE_COLUMNS: [Column; 4] = [Column::Events, Column::Movedata, Column::Line, Column::Warnings];

/// The moves of a game that is compared with others.
struct Line<'d> {
    /// A hash of the last names of the players, the variant, and the start of the game.
    players: u32,
    initials: [u8; 2],
    moves: &'d [[u8; 2]],
}

impl Line<'_> {
    /// Returns the line of the game with this index, or `None` if the game is not compared.
    fn of(decoded: &Decoded, index: usize) -> Option<Line<'_>> {
        let events = decoded.events(index);
        let is_told = !events.has(Events::UNREADABLE) && !events.has(Events::FROM_TEXT);
        let moves = decoded.main_line(index).filter(|moves| is_told && !moves.is_empty())?;
        if decoded.text(Column::Warnings.index(), index).is_some() {
            return None;
        }
        let player = |tag| Player::of(decoded.text(tag_column(tag)?, index)?);
        let (white, black) = (player(b"White")?, player(b"Black")?);
        let mut hasher = DefaultHasher::new();
        (
            &white.last_name,
            &black.last_name,
            events.variant().map(|variant| variant.to_string()),
        )
            .hash(&mut hasher);
        // The counters after these fields do not count.
        const PLACEMENT_TO_EN_PASSANT: usize = 4;
        let fen = decoded.fen(index).unwrap_or_default().split(|byte| *byte == b' ');
        fen.take(PLACEMENT_TO_EN_PASSANT)
            .for_each(|field| field.hash(&mut hasher));
        Some(Line {
            players: hasher.finish() as u32,
            initials: [white.initial, black.initial],
            moves: moves.as_chunks().0,
        })
    }

    /// Returns hashes of the first move, of the first two moves, and so on.
    fn hashes(&self) -> impl Iterator<Item = u64> {
        let mut hasher = DefaultHasher::new();
        self.moves.iter().map(move |played| {
            hasher.write(played);
            hasher.finish()
        })
    }
}

/// Returns the entries of all games of a database that are compared with others.
fn entries(file: &Arc<ParquetFile>, watch: &InterruptHandle) -> io::Result<Vec<Entry>> {
    let tags = PLAYER_TAGS
        .iter()
        .filter_map(|tag| tag_column(tag))
        .chain([DATE, UTC_DATE]);
    let columns = MOVE_COLUMNS
        .into_iter()
        .chain([Column::Outcome, Column::Movetext, Column::TagOrder]);
    let columns: Vec<usize> = tags.chain(columns.map(Column::index)).collect();
    let rules = file.rules()?;
    let mut entries = Vec::with_capacity(usize::try_from(file.games()).unwrap_or(0));
    for group in 0..file.groups() {
        watch.check()?;
        let rows = rows(file, group);
        let decoded = Decoded::read(&rows, columns.iter().copied())?;
        for (index, row) in (0..rows.len()).zip(file.games_before(group)..) {
            let Some(line) = Line::of(&decoded, index) else {
                continue;
            };
            let Some(hash) = line.hashes().last() else { continue };
            entries.push(Entry {
                players: line.players,
                row: u32::try_from(row).map_err(io::Error::other)?,
                line: hash,
                worth: worth(&decoded, index),
                circumstances: year(&decoded, index, rules) << 2 | decoded.number(Column::Outcome, index) as u16 & 3,
                initials: line.initials,
            });
        }
    }
    Ok(entries)
}

fn rows(file: &Arc<ParquetFile>, group: usize) -> Rows {
    Rows::new(&Arc::new(RowGroup::new(file, group)), 0..file.group_games(group))
}

/// Returns how much a game says besides its moves.
fn worth(decoded: &Decoded, index: usize) -> u32 {
    let annotations = match decoded.events(index).has(Events::MOVES_ALONE) {
        true => 0,
        false => annotations::count(decoded.text(Column::Movetext.index(), index).unwrap_or_default()),
    };
    let order = decoded.text(Column::TagOrder.index(), index).unwrap_or_default();
    let tags = order.split(|byte| *byte == b' ').count().min((1 << TAG_BITS) - 1);
    annotations.min(u32::MAX >> TAG_BITS) << TAG_BITS | tags as u32
}

/// Returns the year of a game, or 0 if it is unknown.
fn year(decoded: &Decoded, index: usize, rules: Rules) -> u16 {
    let mut tags = Tags::default();
    tags.begin(rules);
    for (name, column) in [(&b"Date"[..], DATE), (b"UTCDate", UTC_DATE)] {
        if let Some(date) = decoded.text(column, index) {
            tags.push(name, date);
        }
    }
    tags.year().unwrap_or(0).min(MOST_YEAR)
}
