//! All inputs of a search: PGN and databases, one after the other.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::path::Path;
use std::sync::Arc;

use super::run::{Batch, Games, ReadGames, VisitGames};
use super::{Error, database as rows, pgn};
use crate::board::columns::Parts;
use crate::database::{self, Archive, Block, Blocks, ForeignBlock, ForeignBlocks, Wanted};
use crate::game::{self, Batches, Game, InputError, Rules, Scope, Source, Warning, WarningKind};
use crate::limits::{Interrupt, Memory, Watch};
use crate::output::GameFacts;
use crate::query::Query;
use crate::query::bounds::Bound;
use crate::query::tags::TagUse;

/// Some successive games of one source.
#[derive(Default)]
pub struct InputBatch {
    content: Content,
    /// The source.
    name: Arc<str>,
    text: game::Batch,
    block: Block,
    foreign: ForeignBlock,
}

/// Which of the three a batch holds; the buffers of the others wait for later.
#[derive(Clone, Copy, Default)]
enum Content {
    #[default]
    Text,
    Rows,
    Foreign,
}

impl InputBatch {
    /// Games that are no rows of a database of skewer. Those of other archives become text when somebody asks for it.
    fn text(&self) -> &game::Batch {
        match self.content {
            Content::Foreign => self.foreign.text(),
            Content::Text | Content::Rows => &self.text,
        }
    }
}

impl Batch for InputBatch {
    fn len(&self) -> usize {
        match self.content {
            Content::Text => self.text.games.len(),
            Content::Rows => self.block.len(),
            Content::Foreign => self.foreign.len(),
        }
    }

    fn number(&self, index: usize) -> u64 {
        match self.content {
            Content::Text => self.text.games.get(index).map_or(0, |game| game.number),
            Content::Rows => self.block.number(index),
            Content::Foreign => self.foreign.number(index),
        }
    }

    fn warnings(&self) -> &[Warning] {
        match self.content {
            Content::Text | Content::Foreign => &self.text().warnings,
            Content::Rows => self.block.warnings(),
        }
    }
}

/// The games of a list of sources, numbered throughout.
pub struct InputGames {
    sources: VecDeque<Source>,
    current: Option<Current>,
    /// The source that is being read may turn out to have no games, which is to be said.
    empty: Option<Warning>,
    last_number: u64,
    bytes_read: u64,
    rules: Rules,
    interrupt: Arc<Interrupt>,
    memory: Arc<Memory>,
}

/// The source that is being read.
enum Current {
    Text(Box<Batches>),
    Rows(Arc<str>, Box<Blocks>),
    Foreign(Arc<str>, Box<ForeignBlocks>),
}

impl InputGames {
    /// The games of the sources, in this order. What is a Parquet file is asked of [`Archive::of_source`].
    pub fn new(sources: impl IntoIterator<Item = Source>) -> InputGames {
        InputGames {
            sources: sources.into_iter().collect(),
            current: None,
            empty: None,
            last_number: 0,
            bytes_read: 0,
            rules: Rules::default(),
            interrupt: Arc::default(),
            memory: Arc::default(),
        }
    }

    /// The same, of which reading fails as soon as it is interrupted.
    #[must_use]
    pub fn until(self, interrupt: &Arc<Interrupt>) -> InputGames {
        InputGames {
            interrupt: Arc::clone(interrupt),
            ..self
        }
    }

    /// The same games, for which there is so much memory where few bytes can stand for many.
    #[must_use]
    pub fn within(self, memory: &Arc<Memory>) -> InputGames {
        InputGames {
            memory: Arc::clone(memory),
            ..self
        }
    }

    /// The same games, those that are no rows of a database read by these rules.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> InputGames {
        InputGames { rules, ..self }
    }
}

/// A source, opened if it is a Parquet file.
fn archive(source: &Source) -> Result<Option<Archive>, Error> {
    Archive::of_source(source).map_err(|error| failed(source.name(), error))
}

/// Opens a source whose games come after others.
fn open(
    source: Source,
    last_number: u64,
    rules: Rules,
    interrupt: &Arc<Interrupt>,
    memory: &Arc<Memory>,
) -> Result<Current, Error> {
    let Some(archive) = archive(&source)? else {
        let batches = Batches::after(last_number, [source])
            .with_rules(rules)
            .until(Arc::clone(interrupt));
        return Ok(Current::Text(Box::new(batches)));
    };
    let name = Arc::clone(source.name());
    let language = source.language();
    let games = archive.into_games(Arc::clone(&name), last_number);
    Ok(match games.map_err(|error| failed(&name, error))? {
        database::Games::Database(blocks) => Current::Rows(name, Box::new(blocks.until(Watch::of(interrupt)))),
        database::Games::Foreign(blocks) => {
            let blocks = blocks.with_rules(rules).in_language(language);
            Current::Foreign(name, Box::new(blocks.until(Watch::of(interrupt)).within(memory)))
        }
    })
}

/// The games of a source that is not a database of skewer, as text.
pub struct Texts {
    games: Current,
    /// It may turn out to have no games, which is to be said.
    empty: Option<Warning>,
}

/// The games of a source that is not a database of skewer, as text, with numbers that follow the number of a game before.
/// Reading fails as soon as it is interrupted.
///
/// # Errors
/// When it cannot be opened, or is a database.
pub fn text_of(source: Source, last_number: u64, interrupt: &Arc<Interrupt>) -> Result<Texts, Error> {
    let name = Arc::clone(source.name());
    let empty = emptiness(&source, Rules::default());
    match open(source, last_number, Rules::default(), interrupt, &Arc::default())? {
        Current::Rows(..) => Err(failed(
            &name,
            io::Error::new(io::ErrorKind::InvalidInput, "it is a database already"),
        )),
        games => Ok(Texts { games, empty }),
    }
}

impl Texts {
    /// The next games, `None` after the last ones. The buffers of a batch that is no longer needed are used again.
    ///
    /// # Errors
    /// When the source cannot be read to its end.
    pub fn next_batch(&mut self, recycled: game::Batch) -> Option<Result<game::Batch, Error>> {
        let next = match &mut self.games {
            Current::Text(batches) => batches.next_batch(recycled).map(|batch| batch.map_err(Error::from)),
            Current::Foreign(name, blocks) => {
                let mut block = ForeignBlock::default();
                match blocks.next_block(&mut block) {
                    Ok(true) => Some(Ok(block.into_text())),
                    Ok(false) => None,
                    Err(error) => Some(Err(failed(name, error))),
                }
            }
            Current::Rows(..) => None,
        };
        match next {
            None => self.empty.take().map(|warning| Ok(only(warning))),
            Some(next) => {
                let has_games = next.as_ref().map_or(true, |batch| !batch.games.is_empty());
                self.empty.take_if(|_| has_games);
                Some(next)
            }
        }
    }
}

/// A batch without games.
fn only(warning: Warning) -> game::Batch {
    game::Batch {
        warnings: vec![warning],
        ..game::Batch::default()
    }
}

fn failed(name: &str, error: io::Error) -> Error {
    Error::Input {
        name: name.to_owned(),
        error,
    }
}

impl From<InputError> for Error {
    fn from(InputError { source, error }: InputError) -> Error {
        failed(&source, error)
    }
}

/// What is said of a source that should have games and has none, by the name that its content is known by.
fn emptiness(source: &Source, rules: Rules) -> Option<Warning> {
    let is_expected = rules == Rules::Full && game::holds_games(Path::new(&**source.name()));
    is_expected.then(|| Warning {
        kind: WarningKind::NoGames,
        source: Arc::clone(source.name()),
        line: 0,
        game: 0,
        message: "the file has no games".to_owned(),
    })
}

impl InputGames {
    /// Refills a batch with the next games or warnings.
    fn fill(&mut self, batch: &mut InputBatch) -> Result<bool, Error> {
        loop {
            match &mut self.current {
                None => {
                    if let Some(warning) = self.empty.take() {
                        batch.text = only(warning);
                        batch.content = Content::Text;
                        return Ok(true);
                    }
                    let Some(source) = self.sources.pop_front() else {
                        return Ok(false);
                    };
                    self.empty = emptiness(&source, self.rules);
                    self.current = Some(open(
                        source,
                        self.last_number,
                        self.rules,
                        &self.interrupt,
                        &self.memory,
                    )?);
                }
                Some(Current::Text(batches)) => match batches.next_batch(mem::take(&mut batch.text)) {
                    Some(next) => {
                        batch.text = next?;
                        batch.content = Content::Text;
                        self.bytes_read += batch.text.text.len() as u64;
                        self.last_number = batch.text.games.last().map_or(self.last_number, |last| last.number);
                        return Ok(true);
                    }
                    None => self.current = None,
                },
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
                Some(Current::Foreign(name, blocks)) => {
                    let before = blocks.bytes_read();
                    if blocks
                        .next_block(&mut batch.foreign)
                        .map_err(|error| failed(name, error))?
                    {
                        batch.content = Content::Foreign;
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

    fn next(&mut self, batch: &mut InputBatch) -> Result<bool, Error> {
        let is_filled = self.fill(batch)?;
        if is_filled && !batch.is_empty() {
            self.empty = None;
        }
        Ok(is_filled)
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    fn last_number(&self, last_wanted: u64) -> Result<Option<u64>, Error> {
        let mut number = self.last_number;
        for source in &self.sources {
            if let Some(archive) = archive(source)? {
                number = number.saturating_add(archive.games());
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

/// What of the games a query has to see.
pub(super) fn scope(query: &Query) -> Scope {
    Scope {
        variations: query.header.variations,
        notes: query.needs.notes,
    }
}

/// What queries of one scope have to see of the games; all tags if somebody shows them.
fn wanted(queries: &[&Query], shows_tags: bool) -> Wanted {
    let tags = if shows_tags {
        TagUse::all()
    } else {
        let uses = queries.iter().map(|query| TagUse::of(query));
        uses.fold(TagUse::default(), TagUse::union)
    };
    Wanted {
        scope: queries.first().map(|query| scope(query)).unwrap_or_default(),
        tags,
        bound: Bound::of_any(queries),
    }
}

/// What makes readers of games, with as much of each as some queries have to see, and all tags if somebody shows them: one reader
/// for each thread. The queries must have the same [`scope`].
pub(super) fn readers(queries: &[&Query], shows_tags: bool) -> impl Fn() -> InputReader + Sync + use<> {
    let wanted = wanted(queries, shows_tags);
    let side_by_side = queries.iter().map(|query| query.gate.parts()).collect();
    move || InputReader {
        side_by_side,
        scope: wanted.scope,
        tags: wanted.tags.clone(),
        rows: database::Reader::new(wanted.clone()),
        game: Game::default(),
    }
}

/// Reads games on one thread.
pub struct InputReader {
    scope: Scope,
    tags: TagUse,
    /// What of the boards is put side by side.
    side_by_side: Parts,
    rows: database::Reader,
    game: Game,
}

impl ReadGames for InputReader {
    type Batch = InputBatch;
    type Game = Game;

    fn read(&mut self, batch: &InputBatch, visitor: &mut dyn VisitGames<Game>) -> Result<(), Error> {
        match batch.content {
            Content::Text | Content::Foreign => {
                let game = &mut self.game;
                pgn::read(batch.text(), self.scope, &self.tags, self.side_by_side, game, visitor);
                Ok(())
            }
            Content::Rows => rows::read(&mut self.rows, &batch.block, self.side_by_side, &mut self.game, visitor)
                .map_err(|error| failed(&batch.name, error)),
        }
    }

    fn read_whole(batch: &InputBatch, index: usize) -> Result<Game, Error> {
        match batch.content {
            Content::Text | Content::Foreign => Ok(pgn::read_whole(batch.text(), index)),
            Content::Rows => rows::read_whole(&batch.block, index).map_err(|error| failed(&batch.name, error)),
        }
    }

    fn has_variations(game: &Game) -> bool {
        game.has_variations
    }

    fn warnings(game: &Game) -> &[Warning] {
        &game.warnings
    }

    fn facts<'a>(batch: &'a InputBatch, game: &'a Game) -> impl GameFacts + 'a {
        let source = match batch.content {
            Content::Text | Content::Foreign => &*batch.text().source,
            Content::Rows => batch.block.source_of(game.number),
        };
        pgn::Facts { source, game }
    }
}
