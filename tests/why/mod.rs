//! Tests that what `skewer why` reports about a query and a position is true.
//!
//! Each report about a changed query is compared with a search for that query.

mod funnel;
mod library;
mod positions;

use std::sync::Arc;

use skewer::eval::Settings;
use skewer::game::Game;
use skewer::query::{self, Options};
use skewer::syntax::Source;
use skewer::why::{Error, Part, Subject, Why, at};

/// A query, and the options of the compiler.
pub(crate) struct Asked {
    source: Source,
    options: Options,
}

impl Asked {
    pub(crate) fn new(text: &str) -> Asked {
        Asked {
            source: Source::new("q.cql", text),
            options: Options {
                filters_only: !query::has_header(text),
                themes: skewer::library::themes(None),
                ..Options::default()
            },
        }
    }

    /// Returns the report about the query at a position.
    pub(crate) fn why(&self, game: &Game, position: u32) -> Result<Why, Error> {
        let settings = Settings {
            max_rounds: 20_000,
            ..Settings::default()
        };
        let subject = Subject {
            game,
            position,
            settings: &settings,
            interrupt: &Arc::default(),
        };
        at(&self.source, &self.options, &subject)
    }

    /// Returns the report about the query at a position, after comparing it with searches for the changed queries.
    pub(crate) fn checked(&self, game: &Game, position: u32) -> Result<Why, Error> {
        let why = self.why(game, position)?;
        let text = self.source.text();
        let context = || format!("{text}\n{}\n{why:#?}", why.position.fen);
        let matches = |text: &str| matches(text, game, position);
        assert_eq!(why.matches, matches(text), "{}", context());
        if why.whole {
            let all_match = why.parts.iter().all(|part| part.matches != Some(false));
            assert_eq!(all_match, why.matches, "the parts say something else\n{}", context());
        }
        assert!(
            !why.matches || why.parts.iter().all(|part| !part.blamed),
            "{}",
            context()
        );
        for removal in &why.removals {
            assert_eq!(utf16(text, removal.from, removal.to), removal.text, "{}", context());
            let without = replaced(text, removal.from, removal.to, "true");
            assert_eq!(removal.matches, matches(&without), "{without}\n{}", context());
        }
        if let Some(nearest) = &why.nearest {
            assert!(matches(&nearest.query), "{}", context());
            assert!(!nearest.changes.is_empty() && !why.matches, "{}", context());
            assert!(
                why.sentences
                    .iter()
                    .any(|sentence| sentence == &nearest.sentence || sentence.contains("would match")),
                "{}",
                context()
            );
        }
        Ok(why)
    }
}

/// Returns whether a search for `text` finds the position.
fn matches(text: &str, game: &Game, position: u32) -> bool {
    let query = skewer::Query::compile(text).unwrap_or_else(|error| panic!("{}", error.drawn()));
    let found = query.find_in(game).unwrap_or_else(|error| panic!("{text}: {error}"));
    found.is_some_and(|found| found.matches().iter().any(|found| found.position_id() == position))
}

/// Returns a part of a text. `from` and `to` count units of UTF-16.
fn utf16(text: &str, from: usize, to: usize) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(&units[from..to]).expect("places are between characters")
}

fn replaced(text: &str, from: usize, to: usize, insert: &str) -> String {
    let end = text.encode_utf16().count();
    utf16(text, 0, from) + insert + &utf16(text, to, end)
}

/// Returns the innermost parts that are to blame.
fn culprits(parts: &[Part]) -> Vec<&Part> {
    let blamed = parts.iter().filter(|part| part.blamed);
    let innermost = blamed.flat_map(|part| match culprits(&part.parts) {
        inside if inside.is_empty() => vec![part],
        inside => inside,
    });
    innermost.collect()
}

fn game_of_fen(fen: &str) -> Game {
    Game::of_pgn(format!("[FEN \"{fen}\"]\n\n*\n")).expect("a position is a game")
}
