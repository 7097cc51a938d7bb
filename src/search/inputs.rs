//! All inputs of a search: PGN and databases, one after the other.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

#[cfg(feature = "database")]
use super::database as rows;
use super::error::RunError;
use super::games::{Batch, Games, ReadGames, VisitGames};
use super::materialization::Materialization;
use super::pgn;
use crate::chess::Position;
#[cfg(feature = "database")]
use crate::database::{self, Archive, Block, Blocks, ExternalBlock, ExternalBlocks, GroupFilter, Wanted};
#[cfg(feature = "cli")]
use crate::database::{Group, Groups};
use crate::game::{Game, Rules, Warning, WarningKind};
#[cfg(feature = "database")]
use crate::limits::Watch;
use crate::limits::{Interrupt, Memory};
use crate::output::GameFacts;
#[cfg(feature = "database")]
use crate::pgn::Language;
#[cfg(feature = "files")]
use crate::pgn::PositionBlock;
use crate::pgn::{Batches, GameReader, InputError, Part, Scope, Source};
#[cfg(feature = "database")]
use crate::query::Shortcuts;
#[cfg(feature = "database")]
use crate::query::prefilter::GamePrefilter;
use crate::query::tags::TagUse;
use crate::query::{Query, Reads};

/// Some successive games of one source.
#[derive(Default)]
pub(crate) struct InputBatch {
    content: Content,
    /// The source.
    #[cfg(feature = "database")]
    name: Arc<str>,
    part: Part,
    #[cfg(feature = "database")]
    block: Block,
    #[cfg(feature = "database")]
    external: ExternalBlock,
    #[cfg(feature = "cli")]
    group: Option<Group>,
}

/// Which of these a batch holds; the buffers of the others wait for later.
#[derive(Clone, Copy, Default)]
enum Content {
    #[default]
    Text,
    #[cfg(feature = "database")]
    Rows,
    #[cfg(feature = "database")]
    External,
    #[cfg(feature = "cli")]
    Group,
}

impl InputBatch {
    /// Games that are no rows of a database of skewer. Those of other archives become text when somebody asks for it.
    pub(super) fn text(&self) -> &crate::pgn::Batch {
        match self.content {
            #[cfg(feature = "database")]
            Content::External => self.external.text(),
            _ => self.part.text(),
        }
    }
}

#[cfg(feature = "files")]
impl InputBatch {
    /// Rows of positions, if it holds some.
    fn positions(&self) -> Option<&PositionBlock> {
        match self.content {
            Content::Text => self.part.positions(),
            #[cfg(feature = "database")]
            _ => None,
        }
    }
}

#[cfg(feature = "database")]
impl InputBatch {
    /// Why none of its games can be read, if that is so: its file is damaged where they stand.
    fn damage(&self) -> Option<&io::Error> {
        match self.content {
            Content::Rows => self.block.damage(),
            Content::External => self.external.damage(),
            _ => None,
        }
    }

    /// Nothing, or the error of a batch that cannot be read.
    pub(super) fn unread(&self) -> Result<(), RunError> {
        self.damage().map_or(Ok(()), |error| {
            Err(failed(&self.name, io::Error::new(error.kind(), error.to_string())))
        })
    }
}

#[cfg(feature = "cli")]
impl InputBatch {
    /// The row group that it holds whole, and what messages call its database.
    pub(super) fn group(&self) -> Option<(&Group, &str)> {
        let group = self.group.as_ref().filter(|_| matches!(self.content, Content::Group))?;
        Some((group, &self.name))
    }
}

impl Batch for InputBatch {
    fn len(&self) -> usize {
        match self.content {
            Content::Text => self.part.len(),
            #[cfg(feature = "database")]
            Content::Rows => self.block.len(),
            #[cfg(feature = "database")]
            Content::External => self.external.len(),
            #[cfg(feature = "cli")]
            Content::Group => self.group.as_ref().map_or(0, Group::games),
        }
    }

    /// Of PGN, or of a row group that it holds whole. Blocks of archives have few.
    fn bytes(&self) -> usize {
        match self.content {
            Content::Text => self.part.bytes(),
            #[cfg(feature = "database")]
            Content::Rows | Content::External => 0,
            #[cfg(feature = "cli")]
            Content::Group => self.group.as_ref().map_or(0, Group::weight),
        }
    }

    fn number(&self, index: usize) -> u64 {
        match self.content {
            Content::Text => self.part.number(index),
            #[cfg(feature = "database")]
            Content::Rows => self.block.number(index),
            #[cfg(feature = "database")]
            Content::External => self.external.number(index),
            // They get the numbers that are free.
            #[cfg(feature = "cli")]
            Content::Group => 0,
        }
    }

    fn warnings(&self) -> &[Warning] {
        match self.content {
            #[cfg(feature = "database")]
            Content::Rows => self.block.warnings(),
            #[cfg(feature = "cli")]
            Content::Group => self.group.as_ref().map_or(&[], Group::notices),
            #[cfg(feature = "database")]
            Content::External => &self.external.text().warnings,
            Content::Text => self.part.warnings(),
        }
    }

    fn dues(&self) -> &[u64] {
        match self.content {
            #[cfg(feature = "database")]
            Content::Rows => self.block.dues(),
            _ => &[],
        }
    }
}

/// The games of a list of sources, numbered throughout.
pub(crate) struct InputGames {
    sources: VecDeque<Source>,
    current: Option<Current>,
    /// An archive whose games come before those of the sources.
    #[cfg(feature = "cli")]
    archive: Option<Archive>,
    /// The source that is being read may turn out to have no games, which is to be said.
    empty: Option<Warning>,
    last_number: u64,
    bytes_read: u64,
    rules: Rules,
    interrupt: Arc<Interrupt>,
    #[cfg_attr(not(feature = "database"), expect(dead_code, reason = "text needs little memory"))]
    memory: Arc<Memory>,
    /// The row groups of databases that are passed over.
    #[cfg(feature = "database")]
    filter: Option<Arc<GroupFilter>>,
    /// Databases are handed out by row groups, undecoded.
    #[cfg(feature = "cli")]
    by_groups: bool,
}

/// The source that is being read.
enum Current {
    Text(Box<Batches>),
    #[cfg(feature = "database")]
    Rows(Arc<str>, Box<Blocks>),
    #[cfg(feature = "database")]
    External(Arc<str>, Box<ExternalBlocks>),
    #[cfg(feature = "cli")]
    Groups(Arc<str>, Box<Groups>),
}

impl InputGames {
    /// The games of the sources, in this order. What is a Parquet file is asked of [`Archive::of_source`].
    pub(crate) fn new(sources: impl IntoIterator<Item = Source>) -> InputGames {
        InputGames {
            sources: sources.into_iter().collect(),
            current: None,
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
            #[cfg(feature = "cli")]
            by_groups: false,
        }
    }

    /// The games of an archive that has no name.
    #[cfg(feature = "cli")]
    pub(super) fn of_archive(archive: Archive) -> InputGames {
        InputGames {
            archive: Some(archive),
            ..InputGames::new([])
        }
    }

    /// The same, where the row groups of databases are handed out as they are, to become a part of another one.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(super) fn by_groups(self) -> InputGames {
        InputGames {
            by_groups: true,
            ..self
        }
    }

    /// The same, with numbers that follow the number of a game before.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(super) fn after(self, last_number: u64) -> InputGames {
        InputGames { last_number, ..self }
    }

    /// The same, of which reading fails as soon as it is interrupted.
    #[must_use]
    pub(crate) fn until(self, interrupt: &Arc<Interrupt>) -> InputGames {
        InputGames {
            interrupt: Arc::clone(interrupt),
            ..self
        }
    }

    /// The same games, for which there is so much memory where few bytes can stand for many.
    #[must_use]
    pub(crate) fn within(self, memory: &Arc<Memory>) -> InputGames {
        InputGames {
            memory: Arc::clone(memory),
            ..self
        }
    }

    /// The same games for these queries alone, which say in which row groups of databases nothing can be found.
    #[cfg(feature = "database")]
    #[must_use]
    pub(super) fn for_queries(self, queries: &[&Query]) -> InputGames {
        InputGames {
            filter: GroupFilter::of(queries).map(Arc::new),
            ..self
        }
    }

    /// The same games, those that are no rows of a database read by these rules.
    #[must_use]
    pub(crate) fn with_rules(self, rules: Rules) -> InputGames {
        InputGames { rules, ..self }
    }
}

/// A source, opened if it is a Parquet file.
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

/// What is said of a source that has no games.
fn emptiness(source: &Source, rules: Rules) -> Option<Warning> {
    (rules == Rules::Full).then(|| Warning {
        kind: WarningKind::NoGames,
        source: Arc::clone(source.name()),
        line: 0,
        game: 0,
        message: match source.file().is_some() || source.bytes().is_some() {
            true => "the file has no games".to_owned(),
            false => "there are no games".to_owned(),
        },
    })
}

impl InputGames {
    /// Opens a source whose games come next.
    fn open(&mut self, source: Source) -> Result<Current, RunError> {
        self.empty = emptiness(&source, self.rules);
        #[cfg(feature = "database")]
        if let Some(archive) = archive(&source)? {
            let name = Arc::clone(source.name());
            return self
                .open_archive(archive, Arc::clone(&name), source.language())
                .map_err(|error| failed(&name, error));
        }
        let batches = Batches::after(self.last_number, [source])
            .with_rules(self.rules)
            .until(Arc::clone(&self.interrupt));
        Ok(Current::Text(Box::new(batches)))
    }

    /// Opens the games of a Parquet file.
    #[cfg(feature = "database")]
    fn open_archive(&mut self, archive: Archive, name: Arc<str>, language: Option<Language>) -> io::Result<Current> {
        #[cfg(feature = "cli")]
        let archive = match self.by_groups {
            true => match archive.into_groups(&name)? {
                Ok(mut groups) => {
                    if groups.games() == 0 {
                        groups.notices.extend(self.empty.take());
                    }
                    return Ok(Current::Groups(name, Box::new(groups)));
                }
                Err(archive) => archive,
            },
            false => archive,
        };
        let watch = Watch::of(&self.interrupt);
        Ok(match archive.into_games(Arc::clone(&name), self.last_number)? {
            database::Games::Database(blocks) => {
                let blocks = blocks.until(watch).passing_over(self.filter.clone());
                Current::Rows(name, Box::new(blocks))
            }
            database::Games::External(blocks) => {
                let blocks = blocks.with_rules(self.rules).in_language(language);
                Current::External(name, Box::new(blocks.until(watch).within(&self.memory)))
            }
        })
    }

    /// Refills a batch with the next games or warnings.
    fn fill(&mut self, batch: &mut InputBatch) -> Result<bool, RunError> {
        loop {
            match &mut self.current {
                None => {
                    if let Some(warning) = self.empty.take() {
                        batch.part = Part::of_warning(warning);
                        batch.content = Content::Text;
                        return Ok(true);
                    }
                    #[cfg(feature = "cli")]
                    if let Some(archive) = self.archive.take() {
                        let opened = self.open_archive(archive, Arc::default(), None);
                        self.current = Some(opened.map_err(|error| failed("", error))?);
                        continue;
                    }
                    let Some(source) = self.sources.pop_front() else {
                        return Ok(false);
                    };
                    self.current = Some(self.open(source)?);
                }
                Some(Current::Text(batches)) => match batches.next_part(&mut batch.part) {
                    Some(next) => {
                        next?;
                        batch.content = Content::Text;
                        self.bytes_read += batch.part.source_bytes() as u64;
                        self.last_number = batches.numbered();
                        return Ok(true);
                    }
                    None => self.current = None,
                },
                #[cfg(feature = "database")]
                Some(Current::Rows(name, blocks)) => {
                    let before = blocks.bytes_read();
                    if blocks
                        .next_block(&mut batch.block)
                        .map_err(|error| failed(name, error))?
                    {
                        batch.content = Content::Rows;
                        batch.name = Arc::clone(name);
                        self.bytes_read += blocks.bytes_read() - before;
                        self.last_number = blocks.last_number();
                        return Ok(true);
                    }
                    self.current = None;
                }
                #[cfg(feature = "cli")]
                Some(Current::Groups(name, groups)) => {
                    if let Some(group) = groups.next() {
                        batch.content = Content::Group;
                        batch.name = Arc::clone(name);
                        self.bytes_read += group.bytes();
                        self.last_number += group.games() as u64;
                        batch.group = Some(group);
                        return Ok(true);
                    }
                    self.current = None;
                }
                #[cfg(feature = "database")]
                Some(Current::External(name, blocks)) => {
                    let before = blocks.bytes_read();
                    if blocks
                        .next_block(&mut batch.external)
                        .map_err(|error| failed(name, error))?
                    {
                        batch.content = Content::External;
                        batch.name = Arc::clone(name);
                        self.bytes_read += blocks.bytes_read() - before;
                        self.last_number = blocks.last_number();
                        return Ok(true);
                    }
                    self.current = None;
                }
            }
        }
    }
}

impl Games for InputGames {
    type Batch = InputBatch;

    fn next(&mut self, batch: &mut InputBatch) -> Result<bool, RunError> {
        let is_filled = self.fill(batch)?;
        // A database of files without games says it of these.
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
            if let Some(games) = games_of_archive(source)? {
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

/// How many games a source has, if it is a Parquet file.
#[cfg(feature = "database")]
fn games_of_archive(source: &Source) -> Result<Option<u64>, RunError> {
    Ok(archive(source)?.map(|archive| archive.games()))
}

/// How many games a source has, if it is a Parquet file, which it cannot be here.
#[cfg(not(feature = "database"))]
fn games_of_archive(_source: &Source) -> Result<Option<u64>, RunError> {
    Ok(None)
}

/// What of the games a query has to see.
pub(super) fn scope(query: &Query) -> Scope {
    Scope {
        variations: query.header.variations,
        notes: query.reads.contains(Reads::NOTES),
        commands: query.reads.contains(Reads::COMMANDS),
    }
}

/// The tags that queries read, and those that somebody shows.
fn tags(queries: &[&Query], shown: &TagUse) -> TagUse {
    let uses = queries.iter().map(|query| query.tags());
    uses.fold(shown.clone(), TagUse::union)
}

/// What has to be read of a database for queries, which must have the same [`scope`], and for the tags that somebody shows.
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
    }
}

/// What makes readers of games, with as much of each as some queries have to see, and the tags that somebody shows: one reader
/// for each thread. The queries must have the same [`scope`].
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

/// What makes readers of games with all that is in them.
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
        match batch.content {
            #[cfg(feature = "database")]
            Content::Rows => rows::read(
                &mut self.rows,
                &batch.block,
                &mut self.materialization,
                &mut self.game,
                visitor,
            )
            .map_err(|error| failed(&batch.name, error)),
            #[cfg(feature = "database")]
            Content::External if batch.external.damage().is_some() => {
                let (block, game) = (&batch.external, &mut self.game);
                rows::leave_damaged(
                    block.len(),
                    |index| block.number(index),
                    block.complaint(),
                    game,
                    visitor,
                )
                .map_err(|error| failed(&batch.name, error))
            }
            _ => {
                let game = &mut self.game;
                let keeps_tag = |name: &[u8]| self.tags.has(name);
                let side_by_side = self.materialization.side_by_side();
                let scope = self.scope;
                #[cfg(feature = "files")]
                if let Some(positions) = batch.positions() {
                    let mut games = positions.games(&keeps_tag);
                    let read =
                        &mut |game: &mut Game, wants: &mut dyn FnMut(&Game) -> bool| games.read(scope, game, wants);
                    return pgn::read(positions.len(), read, side_by_side, game, visitor)
                        .map_err(|error| failed(positions.source(), error));
                }
                let text = batch.text();
                let mut reader = GameReader::new(text).keeping_tags(&keeps_tag);
                let read = &mut |game: &mut Game, wants: &mut dyn FnMut(&Game) -> bool| reader.read(scope, game, wants);
                pgn::read(text.games.len(), read, side_by_side, game, visitor)
                    .map_err(|error| failed(&text.source, error))
            }
        }
    }

    fn complete(batch: &InputBatch, index: usize, game: &mut Game) -> Result<bool, RunError> {
        match batch.content {
            #[cfg(feature = "database")]
            Content::Rows => rows::complete(&batch.block, index, game).map_err(|error| failed(&batch.name, error)),
            _ => Ok(game.complete(batch.text(), index)),
        }
    }

    fn read_whole(batch: &InputBatch, index: usize, spare: Option<Game>) -> Result<Game, RunError> {
        let mut game = spare.unwrap_or_default();
        #[cfg(feature = "database")]
        batch.unread()?;
        match batch.content {
            #[cfg(feature = "database")]
            Content::Rows => {
                rows::read_whole(&batch.block, index, &mut game).map_err(|error| failed(&batch.name, error))?;
            }
            _ => pgn::read_whole(batch.text(), index, &mut game),
        }
        Ok(game)
    }

    #[cfg(feature = "database")]
    fn complaint(batch: &InputBatch, index: usize, error: &RunError) -> Option<Warning> {
        match (batch.content, error) {
            (Content::Rows, RunError::Input { error, .. }) if batch.block.is_of_file() => {
                batch.block.complaint(index, 1, error)
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
        let source = match batch.content {
            #[cfg(feature = "database")]
            Content::Rows => batch.block.source_of(game.number),
            #[cfg(feature = "database")]
            Content::External => &*batch.external.text().source,
            _ => &**batch.part.source(),
        };
        pgn::Facts { source, game }
    }
}
