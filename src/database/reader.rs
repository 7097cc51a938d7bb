//! Makes games from rows, each as far as a query needs it.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::sync::Arc;

use roaring::RoaringBitmap;

use super::block::Block;
use super::columns::{Int32Column, Int64Column, Tag, Texts};
use super::commands::CommandColumns;
use super::error::damaged;
use super::fact_filter::FactFilter;
use super::facts::{Events, Facts, Lines};
use super::layout::{self, Column, TAGS, is_number, tag_column};
use super::moves::Moves;
use super::record::{other_tags, outcome_of_code};
use super::squares::{GamesFrom, GroupSquares};
use super::tag_filter::{Fulfils, TagColumns, TagFilter};
use super::tag_order::TagOrder;
use crate::board::PieceCounts;
use crate::board::columns::{self, LANES, Lanes, Parts};
use crate::game::{Game, Replayer, Rules, Unplayable};
use crate::pgn::Scope;
use crate::query::ThemeDigest;
use crate::query::prefilter::GamePrefilter;
use crate::query::tag_tests::TagTests;
use crate::query::tags::TagUse;

/// The parts of the games that are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The parts of the moves.
    pub scope: Scope,
    /// The tags.
    pub(crate) tags: TagUse,
    /// What a game must have for any of the queries.
    pub(crate) prefilter: GamePrefilter,
    /// What it must have for each of them.
    pub(crate) prefilters: Vec<GamePrefilter>,
    /// The themes that must hold in it for each of them.
    pub(crate) themes: Vec<GamePrefilter>,
    /// What tags decide about it for each of them.
    pub(crate) tag_tests: Vec<TagTests>,
}

impl Wanted {
    /// Returns whether the tags of a block have to be looked up by their names in order.
    fn needs_order(&self, events: &Int32Column, games: usize) -> bool {
        let has_other_ratings = |game| events.events(game).has(Events::OTHER_RATINGS);
        self.tags.all
            || !self.tags.names.iter().all(|name| has_column(name))
            || (self.tags.ratings && (0..games).any(has_other_ratings))
    }

    /// Returns whether comments, or evaluations and clocks in them, are wanted.
    pub(crate) fn has_commands(&self) -> bool {
        self.scope.notes || self.scope.commands
    }

    /// Returns the columns that are read from any database, whatever its contents. Games that the columns do not describe completely, such as those
    /// of variants with rules of their own, are read from their text if the database has it.
    pub(crate) fn columns(&self) -> Vec<&'static str> {
        let mut columns: BTreeSet<usize> = BTreeSet::new();
        let always = [
            Column::Events,
            Column::Outcome,
            Column::Pgn,
            Column::Movedata,
            Column::Line,
            Column::Warnings,
        ];
        columns.extend(always.map(Column::index));
        columns.extend(tag_column(b"FEN"));
        columns.extend((0..TAGS.len()).filter(|column| self.tags.has(TAGS[*column].as_bytes())));
        let names = &self.tags.names;
        if self.tags.all || self.tags.ratings || !names.iter().all(|name| has_column(name)) {
            columns.extend([Column::TagOrder, Column::OtherTags].map(Column::index));
        }
        let facts = [Column::Plies, Column::PiecesLeast, Column::PiecesMost];
        columns.extend(facts.into_iter().filter(|fact| self.asks(*fact)).map(Column::index));
        if self.scope.variations {
            columns.insert(Column::Variations.index());
        }
        if self.has_commands() {
            columns.extend(0..TAGS.len());
            columns.extend(
                [
                    Column::TagOrder,
                    Column::OtherTags,
                    Column::Movetext,
                    Column::SourceLine,
                ]
                .map(Column::index),
            );
        }
        columns.into_iter().map(|column| layout::column(column).0).collect()
    }

    /// Returns whether a prefilter asks for a fact that has a column of its own.
    fn asks(&self, fact: Column) -> bool {
        let is_asked: fn(&GamePrefilter) -> bool = match fact {
            Column::Plies => |part| matches!(part, GamePrefilter::Plies(_)),
            Column::PiecesLeast => |part| matches!(part, GamePrefilter::AtMost(..)),
            Column::PiecesMost => |part| matches!(part, GamePrefilter::AtLeast(..)),
            _ => |_| false,
        };
        self.prefilters.iter().any(|prefilter| prefilter.asks(is_asked))
    }

    /// Returns whether the column of a tag is read if the order of tags does not count.
    fn reads_column(&self, column: usize) -> bool {
        self.tags.names(TAGS[column].as_bytes()) || (self.tags.ratings && is_number(column))
    }
}

/// Returns whether a tag has a column with its complete value.
fn has_column(tag: &[u8]) -> bool {
    tag_column(tag).is_some_and(|column| !is_number(column))
}

/// Reads games of blocks on one thread: tags first, then facts, then moves. Each column is read when the first game needs it.
pub struct Reader {
    wanted: Wanted,
    columns: Columns,
    orders: TagOrder,
    digits: Vec<u8>,
    replayer: Replayer,
    /// Tests the facts of games for each of the queries.
    fact_filter: FactFilter,
    /// Tests their tags.
    tag_filter: TagFilter,
    /// Whether any query wants kings or pawns on certain squares.
    asks_for_squares: bool,
    /// The themes that queries want.
    themes: BTreeSet<ThemeDigest>,
}

/// The columns of a block that have been read.
#[derive(Default)]
struct Columns {
    /// The wanted tags, each with its column.
    tags: Vec<(usize, Tag)>,
    /// Whether tags are looked up by their names in order, because some have no column or their order counts.
    in_order: bool,
    others: Texts,
    order: Texts,
    fen: Texts,
    pgn: Texts,
    outcome: Int32Column,
    events: Int32Column,
    /// The columns that only the facts need.
    plies: Int32Column,
    pieces_least: Int64Column,
    pieces_most: Int64Column,
    /// Where kings and pawns have been in the games of the row group, if wanted and known, and the index of the block's first game.
    squares: Option<Arc<GroupSquares>>,
    first: usize,
    /// The wanted themes that are known, each with the rows of the file in which it holds, and the row of the block's first game.
    themes: Vec<(ThemeDigest, Arc<RoaringBitmap>)>,
    first_row: u64,
    /// The number of games of the block.
    games: usize,
    moves: Moves,
    /// Moves in the other encoding, and whether they have been read.
    line: Texts,
    has_line: bool,
    variations: Texts,
    /// The commands and symbols of games, and whether they are used.
    commands: CommandColumns,
    tell_commands: bool,
}

impl Columns {
    fn events(&self, index: usize) -> Events {
        self.events.events(index)
    }

    /// Returns whether a game has variations that are wanted. Others are not read.
    fn has_variations(&self, index: usize) -> bool {
        self.variations.get(index).is_some()
    }

    /// Returns whether a game must be read from its text for a scope.
    fn need_text(&self, index: usize, scope: Scope) -> bool {
        scope.notes
            || (scope.commands && (self.has_variations(index) || !self.know_commands(self.events(index))))
            || self.pgn.get(index).is_some()
            || self.events(index).has(Events::FROM_TEXT)
    }

    /// Returns whether the commands and symbols of a game's main line are known.
    fn know_commands(&self, events: Events) -> bool {
        !events.may_have_commands() || (self.tell_commands && events.has(Events::HAS_COMMANDS))
    }

    fn stood_from(&self, index: usize) -> GamesFrom<'_> {
        GamesFrom {
            squares: self.squares.as_deref(),
            first: self.first + index,
        }
    }

    /// Returns in which of the games from an index on the themes hold.
    fn themes_from(&self, index: usize) -> Vec<(ThemeDigest, Lanes)> {
        let first = self.first_row + index as u64;
        let has = |rows: &RoaringBitmap, lane: usize| {
            let row = u32::try_from(first + lane as u64);
            row.map_or(true, |row| rows.contains(row))
        };
        let each = self.themes.iter();
        each.map(|(theme, rows)| (*theme, columns::Column::lanes_where(|lane| has(rows, lane))))
            .collect()
    }

    fn facts(&self, index: usize) -> Facts {
        let pieces =
            |pieces: &Int64Column| PieceCounts(u64::from_ne_bytes(pieces.get(index).unwrap_or(0).to_ne_bytes()));
        Facts {
            plies: u32::try_from(self.plies.get(index).unwrap_or(0)).unwrap_or(0),
            events: self.events(index),
            least: pieces(&self.pieces_least),
            most: pieces(&self.pieces_most),
        }
    }
}

impl Reader {
    /// Creates a reader that reads the wanted parts of each game.
    pub fn new(wanted: Wanted) -> Reader {
        let tags = (0..TAGS.len()).filter(|column| wanted.tags.has(TAGS[*column].as_bytes()));
        let columns = Columns {
            tags: tags.map(|column| (column, Tag::new(column))).collect(),
            moves: Moves::new(!wanted.prefilter.is_none()),
            ..Columns::default()
        };
        Reader {
            fact_filter: FactFilter::new(&wanted.prefilters, &wanted.themes),
            tag_filter: TagFilter::new(&wanted.tag_tests, &columns.tags),
            themes: wanted.themes.iter().flat_map(GamePrefilter::digests).collect(),
            asks_for_squares: wanted
                .prefilters
                .iter()
                .any(|one| one.asks(GamePrefilter::is_of_squares)),
            wanted,
            columns,
            orders: TagOrder::default(),
            digits: Vec::new(),
            replayer: Replayer::default(),
        }
    }

    /// Returns the wanted parts.
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// Starts with the games of a block.
    ///
    /// # Errors
    /// Returns an error if the block cannot be read.
    pub fn begin(&mut self, block: &Block) -> io::Result<()> {
        self.fact_filter.begin();
        self.tag_filter.begin();
        let Some(rows) = block.rows() else {
            return Ok(());
        };
        let columns = &mut self.columns;
        columns.squares = self.asks_for_squares.then(|| rows.group().squares()).flatten();
        columns.first = rows.games().start;
        let theme_rows = |theme: &ThemeDigest| rows.group().of_file()?.file.theme_rows(*theme).cloned();
        let known = self.themes.iter();
        columns.themes = known.filter_map(|theme| Some((*theme, theme_rows(theme)?))).collect();
        columns.first_row = block.first_row();
        columns.events.read(rows, Column::Events.index())?;
        columns.outcome.read(rows, Column::Outcome.index())?;
        columns.pgn.read(rows, Column::Pgn.index())?;
        columns.in_order = self.wanted.needs_order(&columns.events, block.len());
        for (column, tag) in &mut columns.tags {
            if columns.in_order || self.wanted.reads_column(*column) {
                tag.read(rows, *column)?;
            } else {
                tag.clear();
            }
        }
        if columns.in_order {
            columns.order.read(rows, Column::TagOrder.index())?;
            columns.others.read(rows, Column::OtherTags.index())?;
        }
        if self.wanted.asks(Column::Plies) {
            columns.plies.read(rows, Column::Plies.index())?;
        }
        if self.wanted.asks(Column::PiecesLeast) {
            columns.pieces_least.read(rows, Column::PiecesLeast.index())?;
        }
        if self.wanted.asks(Column::PiecesMost) {
            columns.pieces_most.read(rows, Column::PiecesMost.index())?;
        }
        let fen = tag_column(b"FEN").unwrap_or_default();
        columns.fen.read(rows, fen)?;
        if self.wanted.scope.variations {
            columns.variations.read(rows, Column::Variations.index())?;
        }
        let has_commands = |game| {
            let events = columns.events.events(game);
            events.may_have_commands() && events.has(Events::HAS_COMMANDS)
        };
        columns.tell_commands = self.wanted.scope.commands && rows.tell_commands();
        if columns.tell_commands && (0..block.len()).any(has_commands) {
            columns.commands.read(rows)?;
        }
        columns.moves.begin(columns.games);
        columns.games = block.len();
        columns.has_line = false;
        Ok(())
    }

    /// Returns whether a game of the block must be read from its text because the columns do not describe it completely.
    pub fn needs_text(&self, index: usize) -> bool {
        self.columns.need_text(index, self.wanted.scope)
    }

    /// Returns whether a game of the block cannot be read from its beginning.
    pub fn is_unreadable(&self, index: usize) -> bool {
        self.columns.events(index).has(Events::UNREADABLE)
    }

    /// Sets the number, result, start and tags of a game of the block. It has no positions then.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub fn read_head(&mut self, block: &Block, index: usize, game: &mut Game) -> io::Result<()> {
        game.begin(block.rules());
        game.watch.clone_from(block.watch());
        game.number = block.number(index);
        game.result = outcome_of_code(self.columns.outcome.get(index).unwrap_or(-1))?;
        let variant = self.columns.events(index).variant();
        game.variant = variant.ok_or_else(|| damage(block, index, "an unknown variant"))?;
        if self.columns.events(index).has(Events::SETUP) {
            let start = block.rules().start(self.columns.fen.get(index).unwrap_or_default());
            game.start = Some(start.map_err(|_| damage(block, index, "no start position"))?);
        }
        if self.columns.in_order {
            return self.read_tags_in_order(index, game);
        }
        for (column, tag) in &self.columns.tags {
            if let Some(value) = value(tag, index, &mut self.digits) {
                game.tags.push(TAGS[*column].as_bytes(), value);
            }
        }
        Ok(())
    }

    /// Returns whether a position of a game may match. A game with warnings about its moves is always read, as these must be reported.
    pub fn may_match(&mut self, block: &Block, index: usize) -> bool {
        if self.asks_nothing() {
            return true;
        }
        self.learn_of(block, index);
        self.fact_filter.allows_any(index)
    }

    /// Returns the same for each query of the reader, and for the games around this one. The lane of a game is its index modulo
    /// [`LANES`](crate::board::columns::LANES).
    pub(crate) fn each_may_match(&mut self, block: &Block, index: usize) -> &[Lanes] {
        self.learn_of(block, index);
        self.fact_filter.of_each()
    }

    /// Returns whether some query wants nothing that the file has facts about.
    fn asks_nothing(&self) -> bool {
        self.wanted.prefilter.is_none() && self.columns.themes.is_empty()
    }

    /// Finds out for which queries a game may match.
    fn learn_of(&mut self, block: &Block, index: usize) {
        let columns = &self.columns;
        // A prefilter only knows the rules of chess.
        let of_text = Events(Events::FROM_TEXT.0 | Events::UNREADABLE.0);
        let is_known = |index| {
            let is_read = columns.events(index).has(of_text)
                || block.has_warnings_in_moves(index)
                || columns.has_variations(index);
            index < block.len() && !is_read
        };
        let lines = |first: usize| {
            let usual = columns::Column::lanes_where(|lane| !columns.events(first + lane).has(Events::SETUP));
            let facts = move |lane| columns.facts(first + lane);
            Lines {
                stood: columns.stood_from(first),
                themes: columns.themes_from(first),
                ..Lines::new(usual, facts)
            }
        };
        self.fact_filter.learn(index, is_known, lines);
    }

    /// Returns how many successive games from this one on, within its lanes, can be skipped: no query may match them, and there is nothing to report.
    pub(crate) fn ruled_out_from(&mut self, block: &Block, index: usize, fulfils: &mut Fulfils<'_>) -> usize {
        let asks_nothing = self.asks_nothing();
        if asks_nothing && !self.tag_filter.asks() {
            return 0;
        }
        self.learn_of_tags(block, index, fulfils);
        let facts: &[Lanes] = match asks_nothing {
            true => &[],
            false => {
                self.learn_of(block, index);
                self.fact_filter.of_each()
            }
        };
        let by_tags = self.tag_filter.of_each().iter().enumerate();
        let to_see = by_tags.fold(0, |to_see, (query, of_tags)| {
            let is_decided = of_tags.left_alone | of_tags.unwanted | of_tags.wanted;
            to_see | !is_decided | of_tags.wanted & facts.get(query).unwrap_or(&Lanes::MAX)
        });
        let lane = index % LANES;
        let next = (to_see >> lane).trailing_zeros() as usize;
        next.min(LANES - lane).min(block.len() - index)
    }

    /// Returns which of the games around the last one that was asked about each query leaves alone, as far as their tags decide it.
    pub(crate) fn left_alone(&self) -> impl Iterator<Item = Lanes> + '_ {
        self.tag_filter.of_each().iter().map(|of_tags| of_tags.left_alone)
    }

    /// Finds out which queries want a game and its neighbours, as far as their tags decide it.
    fn learn_of_tags(&mut self, block: &Block, index: usize, fulfils: &mut Fulfils<'_>) {
        let (columns, scope) = (&self.columns, self.wanted.scope);
        let is_read = |index| index < block.len() && !columns.need_text(index, scope);
        // Whatever cannot be read has to be reported.
        let is_told = |index| {
            let events = columns.events(index);
            block.rules() == Rules::Full
                && !events.has(Events(Events::UNREADABLE.0 | Events::SETUP.0))
                && events.variant().is_some()
                && outcome_of_code(columns.outcome.get(index).unwrap_or(-1)).is_ok()
        };
        let tags = TagColumns {
            tags: &columns.tags,
            outcome: &columns.outcome,
            events: &columns.events,
        };
        self.tag_filter.learn(index, is_read, is_told, &tags, fulfils);
    }

    /// Sets the positions of a game whose head has been read, and the warnings about them.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub fn read_moves(&mut self, block: &Block, index: usize, game: &mut Game) -> io::Result<()> {
        let variations = if self.wanted.scope.variations {
            // The moves of the main line borrow the columns.
            self.columns.variations.shared(index)
        } else {
            None
        };
        let variations = variations.as_ref().map(|bytes| bytes.data()).unwrap_or_default();
        self.play(block, index, game, |replayer, game, line| {
            replayer.replay(game, line, variations)
        })?;
        if self.columns.tell_commands && self.columns.events(index).may_have_commands() {
            let said = self.columns.commands.say(index, game);
            said.ok_or_else(|| damage(block, index, "evaluations or clocks of positions that it does not have"))?;
        }
        if block.has_warnings_in_moves(index) {
            game.warnings
                .extend(block.warnings_in_moves(index, self.wanted.scope).cloned());
        }
        Ok(())
    }

    /// Returns whether the moves of the main line are all that a game has besides its head.
    pub fn tells_all_by_moves(&self, block: &Block, index: usize) -> bool {
        !(self.columns.tell_commands || block.has_warnings_in_moves(index) || self.columns.has_variations(index))
    }

    /// Lays out parts of the boards of such a game side by side without making positions. Otherwise this works like
    /// [`read_moves`](Reader::read_moves).
    ///
    /// # Errors
    /// Returns an error if the moves cannot be read.
    pub(crate) fn lay_out_moves(
        &mut self,
        block: &Block,
        index: usize,
        parts: Parts,
        game: &mut Game,
    ) -> io::Result<()> {
        self.play(block, index, game, |replayer, game, line| {
            replayer.lay_out(game, line, parts)
        })
    }

    /// Plays the moves of a game.
    fn play(
        &mut self,
        block: &Block,
        index: usize,
        game: &mut Game,
        play: impl FnOnce(&mut Replayer, &mut Game, &[u8]) -> Result<(), Unplayable>,
    ) -> io::Result<()> {
        let columns = &mut self.columns;
        let rows = block.rows().ok_or_else(|| damage(block, index, "no moves"))?;
        // Aix ends its bytes with one that names the encoding.
        let low = columns
            .moves
            .get(rows, index)?
            .and_then(|bytes| bytes.strip_suffix(&[0]));
        if low.is_none() && !columns.has_line {
            columns.line.read(rows, Column::Line.index())?;
            columns.has_line = true;
        }
        let line = low.or_else(|| columns.line.get(index));
        let line = line.ok_or_else(|| damage(block, index, "no moves"))?;
        play(&mut self.replayer, game, line).map_err(|_| damage(block, index, "moves that cannot be played"))
    }

    fn read_tags_in_order(&mut self, index: usize, game: &mut Game) -> io::Result<()> {
        let tags = &self.columns.tags;
        self.orders
            .set(self.columns.order.get(index).unwrap_or_default(), |name| {
                tags.iter().position(|(column, _)| TAGS[*column].as_bytes() == name)
            });
        let mut others = None;
        for (name, place) in self.orders.names() {
            let of_column = place.and_then(|place| value(&self.columns.tags[place].1, index, &mut self.digits));
            if let Some(value) = of_column {
                game.tags.push(name, value);
            } else if self.wanted.tags.has(name) {
                let others = match &mut others {
                    Some(others) => others,
                    None => others.insert(other_tags(self.columns.others.get(index))?),
                };
                let value = std::str::from_utf8(name).ok().and_then(|name| others.get(name));
                let value = value.ok_or_else(|| damaged("a tag without a value"))?;
                game.tags.push(name, value.as_bytes());
            }
        }
        Ok(())
    }
}

fn damage(block: &Block, index: usize, what: &str) -> io::Error {
    damaged(&format!("game {} has {what}", block.number(index)))
}

/// Returns the value of a tag of a game. `digits` is a buffer for a number.
fn value<'a>(tag: &'a Tag, index: usize, digits: &'a mut Vec<u8>) -> Option<&'a [u8]> {
    match tag {
        Tag::Text(texts) => texts.get(index),
        Tag::Number(numbers) => {
            digits.clear();
            // Writing to a vector cannot fail.
            let _ = write!(digits, "{}", numbers.get(index)?);
            Some(digits)
        }
    }
}
