//! The themes whose games `skewer index` finds.

use std::fs::File;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use roaring::RoaringBitmap;

use crate::cli::failure::Failure;
use crate::cli::outputs::unwritten;
use crate::cli::queries::compiled::{self, Query};
use crate::cli::queries::names::Named;
use crate::cli::queries::text::QueryText;
use crate::cli::signal;
use crate::database::{Archive, ThemeGames};
use crate::library;
use crate::limits::Interrupt;
use crate::pgn::Source;
use crate::query::{self, NamedTheme, Reads, Shortcuts};
use crate::search::{self, rows_of_themes};
use crate::terminal::shown;

/// The name of the text that names a theme, in errors.
const OPTION: &str = "--theme";

/// What a theme may not depend on, because it is not part of a database's games.
const BEYOND_GAMES: [(Reads, &str); 3] = [
    (
        Reads::GAME_NUMBER,
        "the number of the game, which is another one among other inputs",
    ),
    (Reads::LAST_GAME_NUMBER, "how many games there are"),
    (Reads::TABLEBASE, "tablebases, which another search may not have"),
];

/// A theme, the query for it, and the rows of the first games in which it holds, if they are known.
struct Theme {
    named: NamedTheme,
    query: Query,
    known: Option<Arc<RoaringBitmap>>,
}

/// The themes of a database.
#[derive(Default)]
pub(super) struct Themes(Vec<Theme>);

impl Themes {
    /// Returns the themes with these names.
    pub(super) fn find(names: &[PathBuf], color: bool) -> Result<Themes, Failure> {
        let mut themes = Themes::default();
        for name in names {
            themes.add(Theme::named(name, color)?);
        }
        Ok(themes)
    }

    /// Adds the library themes of an existing database to which games are added.
    pub(super) fn extending(mut self, database: &Path) -> Themes {
        // If it cannot be read, adding games to it reports the error.
        let old = Archive::open(database).map(|old| old.themes());
        for (named, known) in old.unwrap_or_default() {
            if let [query] = library::named(&named.name).as_slice()
                && let Ok(theme) = Theme::of(query.name(), None, false)
            {
                self.add(theme);
            }
            if let Some(theme) = self.0.iter_mut().find(|theme| theme.named.digest == named.digest) {
                theme.known = known;
            }
        }
        self
    }

    fn add(&mut self, theme: Theme) {
        if self.0.iter().all(|known| known.named.digest != theme.named.digest) {
            self.0.push(theme);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Says which themes of the inputs, and of the existing database, are left out.
    pub(super) fn say_left_out(&self, inputs: &[Source], extended: Option<&Path>) {
        let inputs = inputs
            .iter()
            .filter_map(|source| Some((source.file()?, Archive::of_source(source).ok()??)));
        let extended = extended.and_then(|path| Some((path, Archive::open(path).ok()?)));
        for (path, archive) in inputs.chain(extended) {
            for (named, _) in archive.themes() {
                let Some(why) = self.why_left_out(&named) else {
                    continue;
                };
                signal::say(&format!(
                    "note: the theme {} of {} is left out: {why}",
                    shown(Path::new(&*named.name)),
                    shown(path)
                ));
            }
        }
    }

    /// Returns why a theme of a database is left out, or `None` if it is not.
    fn why_left_out(&self, known: &NamedTheme) -> Option<String> {
        let named = || self.0.iter().map(|theme| &theme.named);
        if named().any(|theme| theme.digest == known.digest) {
            return None;
        }
        match named().any(|theme| theme.name == known.name) {
            false => Some(format!("{OPTION} finds its games anew")),
            // The theme of another version of the library takes its place.
            true if !library::named(&known.name).is_empty() => None,
            true => Some("the one of this name has another text".to_owned()),
        }
    }

    /// Finds the games of a complete database in which the themes hold. For themes that are already known, only games after the first `old`
    /// ones are read.
    pub(super) fn games(
        &mut self,
        database: &File,
        old: u64,
        threads: NonZeroUsize,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Vec<ThemeGames>, Failure> {
        for theme in &mut self.0 {
            match i32::try_from(old + 1) {
                Ok(first) if theme.known.is_some() => theme.query.look_at_games((first, i32::MAX)),
                _ => theme.known = None,
            }
        }
        let archive = database.try_clone().and_then(Archive::of_file).map_err(unwritten)?;
        let options = search::Options {
            threads,
            interrupt: Arc::clone(interrupt),
            ..search::Options::quiet()
        };
        let queries: Vec<&query::Query> = self.0.iter().map(|theme| theme.query.compiled()).collect();
        let found = rows_of_themes(archive, &queries, &options);
        if interrupt.is_raised() {
            return Err(Failure::new("interrupted"));
        }
        let found = found.map_err(|error| Failure::new(format_args!("cannot find the games of themes: {error}")))?;
        let each = self.0.iter().zip(found);
        let all = each.map(|(theme, mut rows)| {
            if let Some(known) = &theme.known {
                rows |= &**known;
            }
            ThemeGames {
                theme: theme.named.clone(),
                rows: Arc::new(rows),
            }
        });
        Ok(all.collect())
    }
}

impl Theme {
    /// Returns the theme for a file or for a query of the library.
    fn named(name: &Path, color: bool) -> Result<Theme, Failure> {
        match Named::find(name, false)? {
            Some(Named::Library(query)) => Theme::of(query.name(), None, color),
            Some(Named::File(path)) => {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                Theme::of(&file, Some(path.parent().unwrap_or(Path::new("")).to_owned()), color)
            }
            None => Theme::of(&name.to_string_lossy(), Some(PathBuf::new()), color),
        }
    }

    /// Returns the theme that `theme "NAME"` names in a query in this folder.
    fn of(name: &str, folder: Option<PathBuf>, color: bool) -> Result<Theme, Failure> {
        let text = QueryText {
            name: OPTION.to_owned(),
            bytes: format!("theme \"{name}\"").into_bytes(),
            filters_only: true,
            folder,
        };
        let options = query::Options {
            shortcuts: Shortcuts::default() | Shortcuts::THEMES,
            ..query::Options::default()
        };
        let query = compiled::compile(text, options, color)?;
        let refuse = |why: &str| Err(Failure::new(format_args!("{OPTION} {name}: {why}")));
        for (reads, what) in BEYOND_GAMES {
            if query.compiled().reads.intersects(reads) {
                return refuse(&format!("whether it holds depends on {what}"));
            }
        }
        let named = query.compiled().themes.themes().first().map(|theme| (*theme).clone());
        match named {
            Some(named) => Ok(Theme {
                named,
                query,
                known: None,
            }),
            None => refuse("it does more than match, so a search has to read every game for it"),
        }
    }
}
