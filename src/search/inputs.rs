//! All inputs of a search: PGN and databases, one after the other.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "database")]
use super::database as rows;
use super::error::RunError;
use super::games::{Batch, Games, ReadGames, VisitGames};
use super::materialization::Materialization;
use super::pgn;
use crate::chess::Position;
#[cfg(feature = "database")]
use crate::database::{self, Archive, Block, Blocks, ExternalBlocks, ExternalGames, GroupFilter, Wanted};
#[cfg(feature = "cli")]
use crate::database::{Group, Groups};
use crate::game::{Game, Rules, Warning, WarningKind};
use crate::limits::{Interrupt, InterruptHandle, Memory};
use crate::output::GameFacts;
use crate::pgn::{Batches, InputError, Part, RowSource, Scope, Source, holds_games};
use crate::query::Shortcuts;
use crate::query::prefilter::GamePrefilter;
use crate::query::tag_tests::TagTests;
use crate::query::tags::TagUse;
use crate::query::{Query, Reads};
use crate::terminal::without_codes;

/// Successive games of one source.
pub(crate) enum InputBatch {
    /// Games that are text or become text.
    Part(Part),
    /// Rows of a skewer database, or games of another archive that cannot be read.
    #[cfg(feature = "database")]
    Block(Box<Block>),
    /// A whole row group of the database with this name.
    #[cfg(feature = "cli")]
    Group(Arc<str>, Group),
}

impl Default for InputBatch {
    fn default() -> InputBatch {
        InputBatch::Part(Part::default())
    }
}

impl InputBatch {
    /// Returns roughly how many bytes of the source the batch covers.
    fn source_bytes(&self) -> u64 {
        match self {
            InputBatch::Part(part) => part.source_bytes(),
            #[cfg(feature = "database")]
            InputBatch::Block(block) => block.source_bytes(),
            #[cfg(feature = "cli")]
            InputBatch::Group(_, group) => group.bytes(),
        }
    }
}

/// Returns the error of a block that is damaged as a whole.
#[cfg(feature = "database")]
pub(super) fn undamaged(block: &Block) -> Result<(), RunError> {
    let error = block
        .damage()
        .map(|error| io::Error::new(error.kind(), error.to_string()));
    error.map_or(Ok(()), |error| Err(failed(block.name(), error)))
}

impl Batch for InputBatch {
    fn len(&self) -> usize {
        match self {
            InputBatch::Part(part) => part.len(),
            #[cfg(feature = "database")]
            InputBatch::Block(block) => block.len(),
            #[cfg(feature = "cli")]
            InputBatch::Group(_, group) => group.games(),
        }
    }

    /// Counts the text of PGN and whole row groups. Blocks of archives have few bytes in memory.
    fn bytes(&self) -> usize {
        match self {
            InputBatch::Part(part) => part.bytes(),
            #[cfg(feature = "database")]
            InputBatch::Block(_) => 0,
            #[cfg(feature = "cli")]
            InputBatch::Group(_, group) => group.weight(),
        }
    }

    fn number(&self, index: usize) -> u64 {
        match self {
            InputBatch::Part(part) => part.number(index),
            #[cfg(feature = "database")]
            InputBatch::Block(block) => block.number(index),
            // The games get the next free numbers.
            #[cfg(feature = "cli")]
            InputBatch::Group(..) => 0,
        }
    }

    fn warnings(&self) -> &[Warning] {
        match self {
            InputBatch::Part(part) => part.warnings(),
            #[cfg(feature = "database")]
            InputBatch::Block(block) => block.warnings(),
            #[cfg(feature = "cli")]
            InputBatch::Group(_, group) => group.notices(),
        }
    }

    fn dues(&self) -> &[u64] {
        match self {
            #[cfg(feature = "database")]
            InputBatch::Block(block) => block.dues(),
            _ => &[],
        }
    }
}

/// The games of a list of sources, numbered consecutively.
pub(crate) struct InputGames {
    sources: VecDeque<Source>,
    /// The source that is being read and its name in messages.
    current: Option<(Arc<str>, Current)>,
    /// Whether it was found in a folder.
    is_in_folder: bool,
    /// An archive whose games come before those of the sources.
    #[cfg(feature = "cli")]
    archive: Option<Archive>,
    /// The warning to give if the current source turns out to have no games.
    empty: Option<Warning>,
    last_number: u64,
    bytes_read: u64,
    rules: Rules,
    interrupt: Arc<Interrupt>,
    memory: Arc<Memory>,
    /// The filter that says which row groups of databases are skipped.
    #[cfg(feature = "database")]
    filter: Option<Arc<GroupFilter>>,
    /// Whether databases are handed out by row group, undecoded.
    by_groups: bool,
}

/// Cuts a source into batches.
enum Current {
    Text(Box<Batches>),
    #[cfg(feature = "database")]
    Database(Box<Blocks>),
    #[cfg(feature = "database")]
    External(Box<ExternalBlocks>),
    #[cfg(feature = "cli")]
    Groups(Box<Groups>),
}

impl Current {
    /// Refills a batch with the next games or warnings of the source that messages call `name`. Returns whether there are any.
    #[cfg_attr(
        not(feature = "database"),
        allow(
            unused_variables,
            clippy::infallible_destructuring_match,
            reason = "texts know their name, and there are no other batches"
        )
    )]
    fn read(&mut self, name: &Arc<str>, batch: &mut InputBatch) -> Result<bool, RunError> {
        let fail = |error| failed(name, error);
        match self {
            Current::Text(batches) => {
                let mut part = match mem::take(batch) {
                    InputBatch::Part(part) => part,
                    #[cfg(feature = "database")]
                    _ => Part::default(),
                };
                let read = batches.next_part(&mut part).transpose()?;
                *batch = InputBatch::Part(part);
                Ok(read.is_some())
            }
            #[cfg(feature = "database")]
            Current::Database(blocks) => {
                let mut block = match mem::take(batch) {
                    InputBatch::Block(block) => block,
                    _ => Box::default(),
                };
                let is_filled = blocks.next_block(&mut block).map_err(fail)?;
                *batch = InputBatch::Block(block);
                Ok(is_filled)
            }
            #[cfg(feature = "database")]
            Current::External(blocks) => {
                let Some(games) = blocks.next_games().map_err(fail)? else {
                    return Ok(false);
                };
                *batch = match games {
                    ExternalGames::Rows(rows) => InputBatch::Part(Part::Rows(rows)),
                    ExternalGames::Damaged(block) => InputBatch::Block(block),
                };
                Ok(true)
            }
            #[cfg(feature = "cli")]
            Current::Groups(groups) => {
                let Some(group) = groups.next() else {
                    return Ok(false);
                };
                *batch = InputBatch::Group(Arc::clone(name), group);
                Ok(true)
            }
        }
    }
}

impl InputGames {
    /// Creates the games of the sources, in this order. [`Archive::of_source`] decides which sources are Parquet files.
    pub(crate) fn new(sources: impl IntoIterator<Item = Source>) -> InputGames {
        InputGames {
            sources: sources.into_iter().collect(),
            current: None,
            is_in_folder: false,
            #[cfg(feature = "cli")]
            archive: None,
            empty: None,
            last_number: 0,
            bytes_read: 0,
            rules: Rules::default(),
            interrupt: Arc::default(),
            memory: Arc::default(),
            #[cfg(feature = "database")]
            filter: None,
            by_groups: false,
        }
    }

    /// Creates the games of an archive that has no name.
    #[cfg(feature = "cli")]
    pub(super) fn of_archive(archive: Archive) -> InputGames {
        InputGames {
            archive: Some(archive),
            ..InputGames::new([])
        }
    }

    /// Hands out the row groups of databases undecoded, to be copied into another database.
    #[must_use]
    pub(super) fn by_groups(self) -> InputGames {
        InputGames {
            by_groups: true,
            ..self
        }
    }

    /// Numbers the games from `last_number + 1`.
    #[must_use]
    pub(super) fn after(self, last_number: u64) -> InputGames {
        InputGames { last_number, ..self }
    }

    /// Makes reading fail as soon as it is interrupted.
    #[must_use]
    pub(crate) fn until(self, interrupt: &Arc<Interrupt>) -> InputGames {
        InputGames {
            interrupt: Arc::clone(interrupt),
            ..self
        }
    }

    /// Sets the memory for inputs in which few bytes can expand to many.
    #[must_use]
    pub(crate) fn within(self, memory: &Arc<Memory>) -> InputGames {
        InputGames {
            memory: Arc::clone(memory),
            ..self
        }
    }

    /// Skips the row groups of databases in which none of these queries can match.
    #[cfg(feature = "database")]
    #[must_use]
    pub(super) fn for_queries(self, queries: &[&Query]) -> InputGames {
        InputGames {
            filter: GroupFilter::of(queries).map(Arc::new),
            ..self
        }
    }

    /// Sets the rules by which games are read. Rows of a database were read when it was made.
    #[must_use]
    pub(crate) fn with_rules(self, rules: Rules) -> InputGames {
        InputGames { rules, ..self }
    }
}

/// Opens a source if it is a Parquet file.
#[cfg(feature = "database")]
fn archive(source: &Source) -> Result<Option<Archive>, RunError> {
    Archive::of_source(source).map_err(|error| failed(source.name(), error))
}

pub(super) fn failed(name: &str, error: io::Error) -> RunError {
    RunError::Input {
        name: name.to_owned(),
        error,
    }
}

impl From<InputError> for RunError {
    fn from(InputError { source, error }: InputError) -> RunError {
        failed(&source, error)
    }
}

/// Returns the warning about a source that has no games.
fn emptiness(source: &Source, rules: Rules) -> Option<Warning> {
    let message = match source.file().is_some() || source.bytes().is_some() {
        true => "the file has no games",
        false => "there are no games",
    };
    (rules == Rules::Full).then(|| Warning::new(WarningKind::NoGames, source.name(), 0, 0, message))
}

impl InputGames {
    /// Opens the source whose games come next.
    fn open(&mut self, source: Source) -> Result<Current, RunError> {
        self.empty = emptiness(&source, self.rules);
        #[cfg(feature = "database")]
        if let Some(archive) = archive(&source)? {
            let rows = RowSource {
                name: Arc::clone(source.name()),
                rules: self.rules,
                language: source.language(),
                watch: InterruptHandle::of(&self.interrupt),
            };
            return self
                .open_archive(archive, rows)
                .map_err(|error| failed(source.name(), error));
        }
        let batches = Batches::after(self.last_number, [source])
            .with_rules(self.rules)
            .until(Arc::clone(&self.interrupt));
        Ok(Current::Text(Box::new(batches)))
    }

    /// Opens the games of a Parquet file.
    #[cfg(feature = "database")]
    fn open_archive(&mut self, archive: Archive, source: RowSource) -> io::Result<Current> {
        #[cfg(feature = "cli")]
        let archive = match self.by_groups {
            true => match archive.into_groups(&source.name)? {
                Ok(mut groups) => {
                    if groups.games() == 0 {
                        groups.notices.extend(self.empty.take());
                    }
                    return Ok(Current::Groups(Box::new(groups)));
                }
                Err(archive) => archive,
            },
            false => archive,
        };
        Ok(match archive.into_games(source, self.last_number)? {
            database::Games::Database(blocks) => Current::Database(Box::new(blocks.passing_over(self.filter.clone()))),
            database::Games::External(blocks) => Current::External(Box::new(blocks.within(&self.memory))),
        })
    }

    /// Refills a batch with the next games or warnings. Returns whether there are any.
    fn fill(&mut self, batch: &mut InputBatch) -> Result<bool, RunError> {
        loop {
            let Some((name, current)) = &mut self.current else {
                if let Some(warning) = self.empty.take() {
                    *batch = InputBatch::Part(warning.into());
                    return Ok(true);
                }
                #[cfg(feature = "cli")]
                if let Some(archive) = self.archive.take() {
                    let watch = InterruptHandle::of(&self.interrupt);
                    let rows = RowSource {
                        rules: self.rules,
                        watch,
                        ..RowSource::default()
                    };
                    let opened = self.open_archive(archive, rows).map_err(|error| failed("", error))?;
                    self.current = Some((Arc::default(), opened));
                    continue;
                }
                let Some(source) = self.sources.pop_front() else {
                    return Ok(false);
                };
                self.is_in_folder = source.is_in_folder();
                let name = Arc::clone(source.name());
                match self.open(source) {
                    Ok(opened) => self.current = Some((name, opened)),
                    Err(error) => return self.pass_over(error, batch),
                }
                continue;
            };
            match current.read(name, batch) {
                Ok(true) => {
                    self.bytes_read += batch.source_bytes();
                    // Whole row groups have no numbers of their own.
                    let last = batch.len().checked_sub(1).map_or(0, |last| batch.number(last));
                    self.last_number = last.max(self.last_number + batch.len() as u64);
                    return Ok(true);
                }
                Ok(false) => self.current = None,
                Err(error) => {
                    // An archive may have other files.
                    if !matches!(current, Current::Text(_)) {
                        self.current = None;
                    }
                    return self.pass_over(error, batch);
                }
            }
        }
    }

    /// Turns the error of a source that was found in a folder into a warning, so that the others are read.
    fn pass_over(&mut self, error: RunError, batch: &mut InputBatch) -> Result<bool, RunError> {
        let (name, why) = match error {
            RunError::Input { name, error } if self.is_in_folder && !self.interrupt.is_raised() => (name, error),
            error => return Err(error),
        };
        let kind = match why.kind() {
            io::ErrorKind::NotFound => WarningKind::NoGames,
            io::ErrorKind::Unsupported if !holds_games(Path::new(&name)) => WarningKind::NoGames,
            _ => WarningKind::UnreadFile,
        };
        self.empty = None;
        *batch = InputBatch::Part(Warning::new(kind, &name.into(), 0, 0, without_codes(&why.to_string())).into());
        Ok(true)
    }
}

impl Games for InputGames {
    type Batch = InputBatch;

    fn next(&mut self, batch: &mut InputBatch) -> Result<bool, RunError> {
        let is_filled = self.fill(batch)?;
        // A database made from files without games has warnings about these files.
        let says_it = |batch: &InputBatch| {
            batch
                .warnings()
                .iter()
                .any(|warning| warning.kind == WarningKind::NoGames)
        };
        if is_filled && (!batch.is_empty() || says_it(batch)) {
            self.empty = None;
        }
        Ok(is_filled)
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    fn last_number(&self, last_wanted: u64) -> Result<Option<u64>, RunError> {
        let mut number = self.last_number;
        for source in &self.sources {
            let games = games_of_archive(source);
            let games = if source.is_in_folder() {
                games.unwrap_or(Some(0))
            } else {
                games?
            };
            if let Some(games) = games {
                number = number.saturating_add(games);
            } else if let Some(last) = Batches::after(number, [source.clone()])
                .with_rules(self.rules)
                .until(Arc::clone(&self.interrupt))
                .last_number(last_wanted)?
            {
                number = last;
            } else {
                return Ok(None);
            }
            if number >= last_wanted {
                return Ok(Some(last_wanted));
            }
        }
        Ok(Some(number))
    }
}

/// Returns the number of games of a source if it is a Parquet file.
#[cfg(feature = "database")]
fn games_of_archive(source: &Source) -> Result<Option<u64>, RunError> {
    Ok(archive(source)?.map(|archive| archive.games()))
}

/// Returns `None`, as no source can be a Parquet file here.
#[cfg(not(feature = "database"))]
fn games_of_archive(_source: &Source) -> Result<Option<u64>, RunError> {
    Ok(None)
}

/// Returns which parts of the games a query has to see.
pub(super) fn scope(query: &Query) -> Scope {
    Scope {
        variations: query.header.variations,
        notes: query.reads.contains(Reads::NOTES),
        commands: query.reads.contains(Reads::COMMANDS),
    }
}

/// Returns the tags that the queries read together with those that are shown.
fn tags(queries: &[&Query], shown: &TagUse) -> TagUse {
    let uses = queries.iter().map(|query| query.tags());
    uses.fold(shown.clone(), TagUse::union)
}

/// Returns what has to be read from a database for these queries, which must have the same [`scope`], and for the tags that are shown.
#[cfg(feature = "database")]
pub(crate) fn wanted(queries: &[&Query], shown: &TagUse) -> Wanted {
    let of_rows = |query: &&Query| match query.shortcuts.contains(Shortcuts::ROW_FACTS) {
        true => query.game_prefilter.clone(),
        false => GamePrefilter::None,
    };
    let prefilters: Vec<_> = queries.iter().map(of_rows).collect();
    Wanted {
        scope: queries.first().map(|query| scope(query)).unwrap_or_default(),
        tags: tags(queries, shown),
        prefilter: GamePrefilter::of_any(prefilters.iter()),
        prefilters,
        themes: queries.iter().map(|query| query.themes.clone()).collect(),
        tag_tests: queries.iter().map(|query| TagTests::of(query)).collect(),
    }
}

/// Returns a function that makes one reader for each thread. Readers read as much of each game as the queries and the shown tags need. The
/// queries must have the same [`scope`].
pub(super) fn readers(queries: &[&Query], shown: &TagUse) -> impl Fn() -> InputReader + Sync + use<> {
    let scope = queries.first().map(|query| scope(query)).unwrap_or_default();
    let tags = tags(queries, shown);
    #[cfg(feature = "database")]
    let wanted = wanted(queries, shown);
    let materialization = Materialization::of(queries);
    move || InputReader {
        materialization: materialization.clone(),
        scope,
        tags: tags.clone(),
        #[cfg(feature = "database")]
        rows: database::Reader::new(wanted.clone()),
        game: Game::default(),
    }
}

/// Returns a function that makes readers of whole games.
#[cfg(feature = "cli")]
pub(super) fn whole_readers() -> impl Fn() -> InputReader + Sync {
    || InputReader {
        scope: Scope::ALL,
        tags: TagUse::all(),
        materialization: Materialization::default(),
        rows: database::Reader::new(Wanted {
            scope: Scope::ALL,
            tags: TagUse::all(),
            prefilter: GamePrefilter::None,
            prefilters: Vec::new(),
            themes: Vec::new(),
            tag_tests: Vec::new(),
        }),
        game: Game::default(),
    }
}

/// Reads games on one thread.
pub(crate) struct InputReader {
    scope: Scope,
    tags: TagUse,
    materialization: Materialization,
    #[cfg(feature = "database")]
    rows: database::Reader,
    game: Game,
}

impl ReadGames for InputReader {
    type Batch = InputBatch;
    type Game = Game;

    fn read(&mut self, batch: &InputBatch, visitor: &mut dyn VisitGames<Game>) -> Result<(), RunError> {
        match batch {
            InputBatch::Part(part) => {
                let keeps_tag = |name: &[u8]| self.tags.has(name);
                let side_by_side = self.materialization.side_by_side();
                let mut games = part.games(self.scope, &keeps_tag);
                pgn::read(part.len(), &mut *games, side_by_side, &mut self.game, visitor)
                    .map_err(|error| failed(part.source(), error))
            }
            #[cfg(feature = "database")]
            InputBatch::Block(block) => rows::read(
                &mut self.rows,
                block,
                &mut self.materialization,
                &mut self.game,
                visitor,
            )
            .map_err(|error| failed(block.name(), error)),
            #[cfg(feature = "cli")]
            InputBatch::Group(..) => Ok(()),
        }
    }

    fn complete(batch: &InputBatch, index: usize, game: &mut Game) -> Result<bool, RunError> {
        match batch {
            InputBatch::Part(part) => Ok(game.complete(part.text(), index)),
            #[cfg(feature = "database")]
            InputBatch::Block(block) => rows::complete(block, index, game).map_err(|error| failed(block.name(), error)),
            #[cfg(feature = "cli")]
            InputBatch::Group(..) => Ok(false),
        }
    }

    fn read_whole(batch: &InputBatch, index: usize, spare: Option<Game>) -> Result<Game, RunError> {
        let mut game = spare.unwrap_or_default();
        match batch {
            InputBatch::Part(part) => pgn::read_whole(part.text(), index, &mut game),
            #[cfg(feature = "database")]
            InputBatch::Block(block) => {
                undamaged(block)?;
                rows::read_whole(block, index, &mut game).map_err(|error| failed(block.name(), error))?;
            }
            #[cfg(feature = "cli")]
            InputBatch::Group(..) => {}
        }
        Ok(game)
    }

    #[cfg(feature = "database")]
    fn complaint(batch: &InputBatch, index: usize, error: &RunError) -> Option<Warning> {
        match (batch, error) {
            (InputBatch::Block(block), RunError::Input { error, .. }) if block.is_of_file() => {
                block.complaint(index, 1, error)
            }
            _ => None,
        }
    }

    fn is_large(game: &Game) -> bool {
        const LARGE: usize = 1 << 20;
        // Positions may still have to be made.
        let positions = game.len() * size_of::<Position>();
        game.bytes().max(positions) > LARGE
    }

    fn is_lone(game: &Game) -> bool {
        game.len() == 1
    }

    fn has_positions(game: &Game) -> bool {
        !game.positions.is_empty()
    }

    fn has_variations(game: &Game) -> bool {
        game.has_variations
    }

    fn warnings(game: &Game) -> &[Warning] {
        &game.warnings
    }

    fn facts<'a>(batch: &'a InputBatch, game: &'a Game) -> impl GameFacts + 'a {
        let source = match batch {
            InputBatch::Part(part) => part.source(),
            #[cfg(feature = "database")]
            InputBatch::Block(block) => block.source_of(game.number),
            #[cfg(feature = "cli")]
            InputBatch::Group(name, _) => name,
        };
        pgn::Facts { source, game }
    }
}
