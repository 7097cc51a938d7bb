//! Evaluates a query on one game after another.

use std::slice;

use shakmaty::{Color, Outcome};

use crate::board::columns::Lanes;
use crate::game::{Game, Identities, Warning, WarningKind, has_any_case};
use crate::limits::Share;
use crate::query::TagCondition;
use crate::query::prefilter::{Prefilter, Verdict};
use crate::query::{CommentLevel, Cond, Query, Reads};
use crate::tablebase;

use crate::eval::context::{Budget, Context, EvalError, SortedValue, Stopped};
use crate::eval::files::folder::Files;
use crate::eval::highlight::Sketch;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::tree::consecutive;
use crate::eval::prefilter::Selected;
use crate::eval::prefilter::lone::Batch;
use crate::eval::prepared::Prepared;
use crate::eval::report::{CalledOff, Evaluate, Extras, GameReport, MatchValue, Relevance, SortValue, Stop};
use crate::eval::settings::Settings;
use crate::eval::state::comments::{Comment, Comments};
use crate::eval::state::dictionaries::Dictionaries;
use crate::eval::state::memo::Memos;
use crate::eval::state::paths::PathState;
use crate::eval::state::variables::Variables;

/// A query that has used fewer bytes for a game than this keeps them for the next game.
const MOST_KEPT: usize = 1 << 20;

/// Evaluates a query on the games of one thread.
#[derive(Debug)]
pub struct Evaluator<'q> {
    query: &'q Query,
    prepared: &'q Prepared,
    comments: bool,
    highlights: bool,
    tried: bool,
    max_rounds: u64,
    share: Share,
    variables: Variables,
    memos: Memos,
    dictionaries: Dictionaries,
    files: Files,
    identities: Identities,
    paths: PathState,
    selected: Selected,
    /// The ids of the positions at which the body is evaluated.
    ids: Vec<u32>,
    /// Neither the header nor the options exclude any game.
    wants_all: bool,
    /// The positions of the next game have been selected.
    has_selected: bool,
    /// Only the ids of positions are reported.
    ids_alone: bool,
    endgames: tablebase::Cache,
    report: GameReport,
}

impl<'q> Evaluator<'q> {
    /// Creates an evaluator of a query that reports the extras that are wanted.
    pub fn new(query: &'q Query, prepared: &'q Prepared, settings: &Settings, extras: Extras) -> Evaluator<'q> {
        Evaluator {
            query,
            prepared,
            comments: extras.intersects(Extras::COMMENTS | Extras::REMARKS)
                && query.header.comments != CommentLevel::Silent,
            highlights: extras.contains(Extras::HIGHLIGHTS),
            tried: extras.contains(Extras::TRIED),
            max_rounds: settings.max_rounds,
            share: Share::of(&settings.memory),
            variables: Variables::new(&query.variables, &query.persistent),
            memos: Memos::new(query),
            dictionaries: Dictionaries::new(query.dictionaries.len()),
            files: Files::new(settings.files.clone(), &settings.memory),
            identities: Identities::default(),
            paths: PathState::default(),
            selected: Selected::new(query.shortcuts),
            ids: Vec::new(),
            wants_all: query.narrowing.is_empty() && query.selection.is_empty() && query.header.results.is_empty(),
            has_selected: false,
            ids_alone: extras.contains(Extras::IDS_ALONE) && query.columns.is_empty(),
            endgames: tablebase::Cache::default(),
            report: GameReport::default(),
        }
    }

    /// Returns how a game is to be handled according to the header and the options; `None` if the search was cancelled. No position of an
    /// unwanted game matches.
    fn look(&mut self, game: &Game, called_off: &CalledOff<'_>) -> Result<Option<Relevance>, Stop> {
        let query = self.query;
        let is_searched = self.fulfils(&query.narrowing, game, called_off)?;
        if is_searched != Some(true) {
            return Ok(is_searched.map(|_| Relevance::LeftAlone));
        }
        let results = &query.header.results;
        if !results.iter().all(|result| game.result == Outcome::Known(*result)) {
            return Ok(Some(Relevance::Unwanted));
        }
        let is_selected = self.fulfils(&query.selection, game, called_off)?;
        Ok(is_selected.map(|is_selected| match is_selected {
            true => Relevance::Wanted,
            false => Relevance::Unwanted,
        }))
    }

    /// Returns whether a game passes all tests, which have the same value in a whole game; `None` if the search was cancelled.
    fn fulfils(&mut self, tests: &[Cond], game: &Game, called_off: &CalledOff<'_>) -> Result<Option<bool>, Stop> {
        if tests.is_empty() {
            return Ok(Some(true));
        }
        let initial = game.initial_position();
        self.variables.begin_game();
        let variables = std::mem::take(&mut self.variables);
        let budget = self.budget(called_off);
        let mut context = Context::new(self.query, self.prepared, game, &self.identities, variables, budget);
        let is_selected = context.begin_position(&initial)
            && tests
                .iter()
                .all(|test| test.eval(&mut context, &initial) && context.stop.is_none());
        self.variables = context.variables;
        self.share = context.budget.share;
        let stop = context.stop;
        self.give_back();
        match stop {
            Some(Stopped::Error(error)) => Err(stopped(&error, game)),
            Some(Stopped::CalledOff) => Ok(None),
            None => Ok(Some(is_selected)),
        }
    }

    /// Takes the limits for the evaluation of a game.
    fn budget<'a>(&mut self, called_off: &'a CalledOff<'a>) -> Budget<'a> {
        Budget {
            max_rounds: self.max_rounds,
            called_off,
            share: std::mem::take(&mut self.share),
        }
    }

    /// Evaluates a game that passes the header and the options.
    fn evaluate_game(&mut self, game: &Game, called_off: &CalledOff<'_>) -> Result<(), Stop> {
        if !std::mem::take(&mut self.has_selected) {
            self.select(game);
        }
        if self.selected.is_empty() {
            self.finish_without_values(game);
            return Ok(());
        }
        let are_settled = self.verdict(game).is_some() && self.query.columns.is_empty();
        if are_settled && !self.comments && !self.sketches() {
            self.selected.write_ids(&mut self.report.positions);
            if self.query.first_of_game {
                self.report.positions.truncate(1);
            }
            self.finish_without_values(game);
            return Ok(());
        }
        let mut ids = std::mem::take(&mut self.ids);
        ids.clear();
        self.selected.write_ids(&mut ids);
        let result = self.evaluate_positions(game, &ids, called_off);
        self.ids = ids;
        result
    }

    /// Selects the positions at which the body is evaluated, or, if there is a verdict, those at which it matches.
    fn select(&mut self, game: &Game) {
        // The prefilter relies on the rules of chess.
        let prefilter = match game.has_own_rules() {
            true => &Prefilter::Open,
            false => &self.query.prefilter,
        };
        self.selected.select(prefilter, self.verdict(game), game);
    }

    /// Returns the verdict if it can decide where the body matches in this game, whose boards must be in columns.
    fn verdict(&self, game: &Game) -> Option<&'q Verdict> {
        let verdict = self.query.verdict.as_ref()?;
        (!game.has_own_rules() && game.has_all_columns()).then_some(verdict)
    }

    /// Evaluates the body at the positions `ids` of a game.
    fn evaluate_positions(&mut self, game: &Game, ids: &[u32], called_off: &CalledOff<'_>) -> Result<(), Stop> {
        if self.query.reads.contains(Reads::IDENTITIES) {
            self.identities.follow(game);
        }
        self.forget_game();
        let variables = std::mem::take(&mut self.variables);
        let budget = self.budget(called_off);
        let mut context = Context {
            comments: Comments::new(
                self.comments,
                !self.query.annotations.always_comment,
                self.query.annotations.repeat_comments,
            ),
            messages: std::mem::take(&mut self.report.messages),
            tags: std::mem::take(&mut self.report.tags),
            removed_comments: std::mem::take(&mut self.report.removed_comments),
            paths: std::mem::take(&mut self.paths),
            memos: std::mem::take(&mut self.memos),
            dictionaries: std::mem::take(&mut self.dictionaries),
            files: std::mem::take(&mut self.files),
            endgames: std::mem::take(&mut self.endgames),
            ..Context::new(self.query, self.prepared, game, &self.identities, variables, budget)
        };
        context.begin_game();
        let mut sketch = self.sketches().then(|| Sketch::new(&context, self.tried));
        for position in ids.iter().filter_map(|id| game.positions.get(*id as usize)) {
            if !context.begin_position(position) {
                break;
            }
            let mark = context.comments.mark();
            let matches = self.query.body.eval(&mut context, position) && context.is_by_player();
            if matches && context.stop.is_none() {
                self.report.positions.push(position.id);
                self.report
                    .values
                    .extend(context.columns.iter_mut().map(std::mem::take));
                context.mark_match(position.id);
                if let Some(sketch) = &mut sketch {
                    let found = sketch.highlights(&mut context, position);
                    self.report.highlights.push(match self.highlights {
                        true => found,
                        false => found.without_marks(),
                    });
                }
            } else {
                context.comments.cut(mark);
            }
            context.has_room(0, self.query.body.span, position);
            if context.stop.is_some() || (matches && self.query.first_of_game) {
                break;
            }
        }
        let run_comments = consecutive::comments(&context);
        self.share = context.budget.share;
        self.variables = context.variables;
        self.paths = context.paths;
        self.memos = context.memos;
        self.dictionaries = context.dictionaries;
        self.files = context.files;
        self.endgames = context.endgames;
        let missing = self.endgames.newly_missing().iter();
        self.report.warnings.extend(missing.map(|table| missing_table(table)));
        self.report.messages = context.messages;
        self.report.tags = context.tags;
        self.report.removed_comments = context.removed_comments;
        match context.stop {
            Some(Stopped::Error(error)) => {
                self.report = GameReport::default();
                self.give_back();
                return Err(stopped(&error, game));
            }
            Some(Stopped::CalledOff) => self.report.called_off = true,
            None => {}
        }
        if self.comments {
            self.report.comments = context.comments.take();
            self.report.comments.extend(run_comments);
        }
        self.finish(context.keys, game);
        self.give_back();
        Ok(())
    }

    /// Returns whether a sketch is needed: of why a position matches, or of the moves tried there.
    fn sketches(&self) -> bool {
        self.highlights || self.tried
    }

    /// Clears the state that only the previous game needed.
    fn forget_game(&mut self) {
        self.variables.begin_game();
        self.dictionaries.begin_game(&self.query.dictionaries);
        self.paths.clear();
        self.memos.clear();
    }

    /// Returns memory that only this game needed, if it is much. Other queries of the run may need it before the next game.
    fn give_back(&mut self) {
        if !self.share.covers(MOST_KEPT) {
            return;
        }
        self.forget_game();
        let values = self.variables.string_bytes() + self.dictionaries.bytes() + self.paths.bytes();
        self.share.resize(values + self.report.bytes());
    }

    /// Finishes a game in which no position was evaluated.
    fn finish_without_values(&mut self, game: &Game) {
        let keys = self.query.sort_keys.iter().map(|_| SortedValue::default()).collect();
        self.finish(keys, game);
    }

    /// Adds the comments and values of the whole game.
    fn finish(&mut self, keys: Vec<SortedValue>, game: &Game) {
        let header = &self.query.header;
        for key in keys {
            self.report.comments.extend(key.comments);
            self.report.keys.push(key.value);
        }
        if header.sort_match_count
            && let Some(last) = self.report.keys.last_mut()
        {
            let count = i32::try_from(self.report.positions.len()).unwrap_or(i32::MAX);
            *last = Some(SortValue::Number(count));
        }
        if !self.comments {
            self.report.comments.clear();
            return;
        }
        let sort_text = self.sort_text();
        if !sort_text.is_empty() {
            self.report.comments.push((0, sort_text));
        }
        if !self.query.annotations.no_game_number {
            let number: Comment = (0, format!("Game number {}", game.number).into_bytes());
            self.report.comments.insert(0, number);
        }
    }

    /// Returns ` TITLE: VALUE` for each key that is shown.
    fn sort_text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for (key, value) in self.query.sort_keys.iter().zip(&self.report.keys) {
            if key.quiet {
                continue;
            }
            text.push(b' ');
            text.extend_from_slice(&key.title);
            text.extend_from_slice(b": ");
            match value {
                Some(SortValue::Number(number)) => text.extend_from_slice(number.to_string().as_bytes()),
                Some(SortValue::Text(string)) => text.extend_from_slice(string),
                None => text.extend_from_slice(b"none"),
            }
        }
        text
    }
}

/// Returns the warning about a file that is in none of the tablebase folders.
fn missing_table(name: &str) -> Warning {
    let message = "this tablebase is missing, so `wdl` or `dtz` has no value where it is needed";
    Warning::new(WarningKind::MissingTable, &name.into(), 0, 0, message)
}

pub(super) fn stopped(error: &EvalError, game: &Game) -> Stop {
    let mut diagnostic = error.diagnostic.clone();
    diagnostic.message = format!(
        "{} (game {}, positionid {})",
        diagnostic.message, game.number, error.position
    );
    Stop { diagnostic }
}

impl Evaluate<Game> for Evaluator<'_> {
    type Batch = Batch;

    #[inline]
    fn wants(&mut self, game: &Game, called_off: &CalledOff<'_>) -> Result<Relevance, Stop> {
        self.has_selected = false;
        if self.wants_all {
            return Ok(Relevance::Wanted);
        }
        let relevance = self.look(game, called_off)?;
        Ok(match relevance.unwrap_or(Relevance::Unwanted) {
            Relevance::Unwanted if relevance.is_some() && self.query.header.matches(0) => Relevance::Wanted,
            relevance => relevance,
        })
    }

    fn passes(&mut self, condition: &TagCondition, game: &Game) -> Option<bool> {
        self.fulfils(slice::from_ref(&condition.condition), game, &|| false)
            .ok()
            .flatten()
    }

    fn wants_all(&self) -> bool {
        self.wants_all
    }

    fn needs_positions(&mut self, game: &Game) -> bool {
        if !self.has_selected {
            self.select(game);
        }
        let is_settled = self.verdict(game).is_some();
        // Without its positions, less is known of a game, but everything that a verdict needs is. No position has to be selected again.
        self.has_selected = is_settled || self.selected.is_empty();
        if self.ids_alone {
            !(is_settled || self.selected.is_empty())
        } else {
            !self.selected.is_empty() || self.query.header.matches(0)
        }
    }

    fn rules_out(&mut self, game: &Game) -> bool {
        self.has_selected = !self.query.header.matches(0);
        if !self.has_selected {
            return false;
        }
        self.select(game);
        self.selected.is_empty()
    }

    fn possible<'g>(&self, places: Lanes, game: impl Fn(usize) -> Option<&'g Game>, batch: &Batch) -> Lanes {
        if places == 0 || self.query.header.matches(0) {
            return places;
        }
        // This rules most of them out, for a sixteenth of what each would cost by itself.
        batch.boards(game).map_or(places, |boards| {
            let left = boards.fulfilling(&self.query.prefilter, places);
            let verdict = self.query.verdict.as_ref();
            verdict.map_or(left, |verdict| boards.holding(&verdict.body.condition, left))
        })
    }

    fn evaluate(&mut self, game: &Game, called_off: &CalledOff<'_>) -> Result<&GameReport, Stop> {
        self.report.clear();
        self.report.repeats_comments = self.query.annotations.repeat_comments;
        match self.look(game, called_off)? {
            Some(Relevance::Wanted) => self.evaluate_game(game, called_off)?,
            Some(Relevance::Unwanted) => self.finish_without_values(game),
            Some(Relevance::LeftAlone) => {
                self.finish_without_values(game);
                self.report.matched = false;
                return Ok(&self.report);
            }
            None => self.report.called_off = true,
        }
        let counts = !self.report.called_off || self.query.header.match_count.is_none();
        self.report.matched = counts && self.query.header.matches(self.report.positions.len());
        Ok(&self.report)
    }

    fn closing(&self, out: &mut Vec<u8>) {
        for persistent in self.query.persistent.iter().filter(|persistent| !persistent.quiet) {
            self.variables.write_line(persistent, out);
        }
    }
}

impl Context<'_> {
    /// Returns whether the match belongs to the side of the player whose matches are wanted.
    fn is_by_player(&self) -> bool {
        let Some(name) = &self.query.by_player else {
            return true;
        };
        let Some(sides) = self.columns.last_chunk::<2>() else {
            return false;
        };
        let mut sides = Color::ALL.into_iter().zip(sides);
        sides.any(|(color, holds)| {
            *holds == MatchValue::Truth(true) && has_any_case(&self.game.tags.player(color), name)
        })
    }

    /// Notes that the body matched at a position.
    fn mark_match(&mut self, position: u32) {
        if self.comments.are_wanted() && self.query.header.comments == CommentLevel::Normal {
            let text = self.query.header.match_string.as_deref().unwrap_or(b"CQL");
            self.comments.add(position, text.to_vec());
        }
    }
}
