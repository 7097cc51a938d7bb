//! Finds in which games of a database themes hold, for a database that will record it.

use std::io;

use roaring::RoaringBitmap;

use super::error::Error;
use super::inputs::InputGames;
use super::listener::NoListener;
use super::numbers::Numbers;
use super::options::Options;
use super::tasks::{Task, search_games};
use crate::database::Archive;
use crate::eval::Settings;
use crate::query::Query;

/// Finds the rows of the games that each query matches, all in one pass.
///
/// # Errors
/// Returns an error if the database cannot be read, or the evaluation of a query ends the run.
pub(crate) fn rows_of_themes(
    archive: Archive,
    queries: &[&Query],
    options: &Options,
) -> Result<Vec<RoaringBitmap>, Error> {
    let mut found = vec![RoaringBitmap::new(); queries.len()];
    let tasks = queries.iter().zip(&mut found).map(|(query, rows)| Task {
        name: None,
        query,
        games: None,
        files: None,
        sink: Numbers {
            kept: rows,
            record: |game, report, rows| {
                if report.matched {
                    rows.extend(u32::try_from(game.number() - 1));
                }
            },
        },
    });
    let games = InputGames::of_archive(archive);
    let outcomes = search_games(tasks, games, &Settings::default(), options, &mut NoListener)?;
    for outcome in outcomes {
        if outcome?.unreadable > 0 {
            return Err(Error::Output(io::Error::other(
                "games that were written cannot be read",
            )));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::database::{ThemeGames, Writer};
    use crate::output::FormatName;
    use crate::pgn::{Source, sample};
    use crate::query::{self, Shortcuts};
    use crate::search::search_sources;
    use crate::syntax;

    const PGN: &str = "1. e4 e5 *\n\n[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"B\"]\n\n1. f3 e5 2. g4 (2. a3) Qh4# 0-1\n\n";

    fn compiled(text: &str, shortcuts: Shortcuts) -> Query {
        let options = query::Options {
            shortcuts,
            ..query::Options::default()
        };
        query::compile(&syntax::Source::new("q", text), &options).expect("it compiles")
    }

    /// Returns a database that records the rows in which themes hold.
    fn database(themes: Vec<ThemeGames>) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new()).expect("a database");
        writer.add(&sample::batch(PGN), &mut |_| {}).expect("a database");
        writer.with_themes(themes).finish().expect("a database")
    }

    #[test]
    fn themes_hold_where_a_search_finds_them() {
        let queries = [
            compiled("cql() mate", Shortcuts::all()),
            compiled("cql() ply==0", Shortcuts::all()),
            compiled("cql() stalemate", Shortcuts::all()),
        ];
        let queries: Vec<&Query> = queries.iter().collect();
        let archive = Archive::from_bytes(database(Vec::new()).into()).expect("a database");
        let found = rows_of_themes(archive, &queries, &Options::quiet()).expect("it can be searched");
        assert_eq!(found, [vec![1, 2], vec![0, 1, 2], vec![]].map(RoaringBitmap::from_iter));
    }

    #[test]
    fn games_in_which_a_theme_does_not_hold_are_not_read() {
        let text = "cql() mate";
        let theme = compiled(text, Shortcuts::all()).themes.themes()[0].clone();
        // The bitmap is wrong on purpose, which shows in the results.
        let rows = Arc::new(RoaringBitmap::from_iter([2]));
        let database = database(vec![ThemeGames { theme, rows }]);
        let found = |text: &str, shortcuts| {
            let query = compiled(text, shortcuts);
            let source = Source::of_bytes("a.parquet", database.clone());
            let printed = search_sources(
                &query,
                Settings::default(),
                [source],
                FormatName::Ids,
                &Options::quiet(),
            );
            String::from_utf8(printed.expect("it can be read").output).expect("ids")
        };
        assert_eq!(found(text, Shortcuts::all()), "3:4\n");
        assert_eq!(found(text, Shortcuts::all() - Shortcuts::THEMES), "2:4\n3:4\n");
        assert_eq!(found("cql() mate // changed", Shortcuts::all()), "2:4\n3:4\n");
        assert_eq!(found("cql(variations) mate", Shortcuts::all()), "2:4\n3:4\n");
    }
}
