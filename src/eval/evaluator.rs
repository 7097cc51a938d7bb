//! Evaluates a query on one game after the other.

use shakmaty::Outcome;

use crate::game::{Game, Identities};
use crate::query::{CommentLevel, Query};

use super::Eval;
use super::comments::{Comment, Comments};
use super::dictionaries::Dictionaries;
use super::folder::Files;
use super::report::{Evaluate, GameReport, SortValue, Stop};
use super::run::{LegalCache, Run, SortedValue, Stopped};
use super::settings::Settings;
use super::variables::Variables;

/// What evaluates a query on the games of one thread.
#[derive(Debug)]
pub struct Evaluator<'q> {
    query: &'q Query,
    comments: bool,
    max_rounds: u64,
    variables: Variables,
    dictionaries: Dictionaries,
    files: Files,
    identities: Identities,
    report: GameReport,
}

impl<'q> Evaluator<'q> {
    /// An evaluator of a query. Without `comments` none are collected.
    pub fn new(query: &'q Query, settings: &Settings, comments: bool) -> Evaluator<'q> {
        Evaluator {
            query,
            comments: comments && query.header.comments != CommentLevel::Silent,
            max_rounds: settings.max_rounds,
            variables: Variables::new(&query.variables, &query.persistent),
            dictionaries: Dictionaries::new(query.dictionaries.len()),
            files: Files::new(settings.files.clone()),
            identities: Identities::default(),
            report: GameReport::default(),
        }
    }

    /// Whether the header lets a game be looked at.
    fn is_evaluated(&self, game: &Game) -> bool {
        self.query
            .header
            .results
            .iter()
            .all(|result| game.result == Outcome::Known(*result))
    }

    fn evaluate_positions(&mut self, game: &Game) -> Result<(), Stop> {
        if self.query.needs.identities {
            self.identities.follow(&game.positions);
        }
        self.variables.begin_game();
        self.dictionaries.begin_game(&self.query.dictionaries);
        let mut run = Run {
            query: self.query,
            game,
            identities: &self.identities,
            variables: std::mem::take(&mut self.variables),
            dictionaries: std::mem::take(&mut self.dictionaries),
            last_match: None,
            files: std::mem::take(&mut self.files),
            comments: Comments::new(self.comments),
            messages: std::mem::take(&mut self.report.messages),
            tags: std::mem::take(&mut self.report.tags),
            removed_comments: std::mem::take(&mut self.report.removed_comments),
            keys: (0..self.query.sort_keys.len())
                .map(|_| SortedValue::default())
                .collect(),
            legal: LegalCache::default(),
            rounds: 0,
            max_rounds: self.max_rounds,
            narrowed: None,
            stop: None,
        };
        for position in &game.positions {
            run.rounds = 0;
            let mark = run.comments.mark();
            if self.query.body.eval(&mut run, position) {
                self.report.positions.push(position.id);
                run.mark_match(position.id);
            } else {
                run.comments.cut(mark);
            }
            if run.stop.is_some() {
                break;
            }
        }
        let Run {
            variables,
            dictionaries,
            files,
            mut comments,
            messages,
            tags,
            removed_comments,
            keys,
            stop,
            ..
        } = run;
        self.variables = variables;
        self.dictionaries = dictionaries;
        self.files = files;
        self.report.messages = messages;
        self.report.tags = tags;
        self.report.removed_comments = removed_comments;
        if let Some(stopped) = stop {
            return Err(self.stopped(&stopped, game));
        }
        if self.comments {
            self.report.comments = comments.take();
        }
        self.finish(keys, game);
        Ok(())
    }

    /// Adds the comments and values that the whole game has.
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
        let number: Comment = (0, format!("Game number {}", game.number).into_bytes());
        self.report.comments.insert(0, number);
    }

    /// ` TITLE: VALUE` for each key that is shown.
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

    fn stopped(&self, stopped: &Stopped, game: &Game) -> Stop {
        let mut diagnostic = stopped.diagnostic.clone();
        diagnostic.message = format!(
            "{} (game {}, positionid {})",
            diagnostic.message, game.number, stopped.position
        );
        Stop { diagnostic }
    }
}

impl Evaluate<Game> for Evaluator<'_> {
    fn wants(&mut self, game: &Game) -> bool {
        self.is_evaluated(game) || self.query.header.matches(0)
    }

    fn evaluate(&mut self, game: &Game) -> Result<&GameReport, Stop> {
        self.report.clear();
        if self.is_evaluated(game) {
            self.evaluate_positions(game)?;
        } else {
            self.report.keys.resize(self.query.sort_keys.len(), None);
        }
        self.report.matched = self.query.header.matches(self.report.positions.len());
        Ok(&self.report)
    }

    fn closing(&self, out: &mut Vec<u8>) {
        for persistent in self.query.persistent.iter().filter(|persistent| !persistent.quiet) {
            self.variables.write_line(persistent, out);
        }
    }
}

impl Run<'_> {
    /// Notes that the body matched at a position.
    fn mark_match(&mut self, position: u32) {
        if self.comments.are_wanted() && self.query.header.comments == CommentLevel::Normal {
            let text = self.query.header.match_string.as_deref().unwrap_or(b"CQL");
            self.comments.add(position, text.to_vec());
        }
    }
}
