//! Options that limit a search to certain games, as filters of the language that are evaluated before moves are read.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::Bound;
use std::path::PathBuf;

use clap::ArgGroup;

use super::numbers::positive;
use crate::cli::failure::Failure;
use crate::cli::shell::quoted;
use crate::game::Variant;
use crate::search::Draw;
use crate::syntax::Source;
use crate::terminal::shown;

/// How names are compared.
pub(crate) const NAMES: &str = "case matters, and names are spelled as in the file with a space after each comma, such as `Carlsen, Magnus` or `Carlsen, M`";

/// Which games are searched, whatever the query says.
///
/// Each option stands for the filter of the same name, so it means what it means there, except that capitals do not matter; all of them
/// must hold.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which games", group = ArgGroup::new("drawn").multiple(true))]
pub(crate) struct Narrowing {
    /// Only games of this player; part of the name is enough
    #[arg(long, value_name = "NAME", value_parser = quotable)]
    player: Vec<String>,

    /// Only matches for this player: as White where the query holds as written, as Black where it holds with colours reversed by `flipcolor`
    #[arg(long, value_name = "NAME", value_parser = quotable)]
    by_player: Option<String>,

    /// Only games in which this player is White
    #[arg(long, value_name = "NAME", value_parser = quotable)]
    white: Vec<String>,

    /// Only games in which this player is Black
    #[arg(long, value_name = "NAME", value_parser = quotable)]
    black: Vec<String>,

    /// Only games from this event; part of its name is enough
    #[arg(long, value_name = "TEXT", value_parser = quotable)]
    event: Vec<String>,

    /// Only games from this place; part of its name is enough
    #[arg(long, value_name = "TEXT", value_parser = quotable)]
    site: Vec<String>,

    /// Only games with this opening code; part of it is enough, such as B9
    #[arg(long, value_name = "CODE", value_parser = eco)]
    eco: Vec<String>,

    /// Only games with this result
    #[arg(long, value_name = "RESULT", value_parser = ["1-0", "0-1", "1/2-1/2"], allow_hyphen_values = true)]
    result: Option<String>,

    /// Only games from these years: 1990-1999, 1990-, -1999 or 1990; leaves out games without a year
    #[arg(long, value_name = "A-B", value_parser = span, allow_hyphen_values = true)]
    year: Option<NumberSpan>,

    /// Only games whose higher rating is in this range: 2500-2700, 2500- or -2700; leaves out games without ratings
    #[arg(long, value_name = "A-B", value_parser = open_span, allow_hyphen_values = true)]
    elo: Option<NumberSpan>,

    /// Only games with these numbers, counted across all inputs: 100-200, 100-, -200 or 100
    #[arg(long, value_name = "A-B", value_parser = span, allow_hyphen_values = true)]
    games: Option<NumberSpan>,

    /// Only the games added to a database after its first N, such as games.parquet@100000; you need not name it as an input as well
    #[arg(long, value_name = "DB.parquet@N", value_parser = since, conflicts_with = "games")]
    since: Option<Since>,

    /// Only the first matching position of each game
    #[arg(long)]
    pub(crate) first: bool,

    /// Only N games, drawn at random from those that the options above leave
    ///
    /// Reads the inputs twice: once for the tags of their games, and once to search.
    #[arg(long, value_name = "N", group = "drawn", value_parser = positive::<NonZeroU64>)]
    sample: Option<NonZeroU64>,

    /// The seed for random draws: the same seed draws the same games or matches
    #[arg(long, value_name = "S", default_value_t = 0, requires = "drawn")]
    seed: u64,
}

/// A range of numbers, including both ends. Either end may be open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct NumberSpan {
    first: Option<i32>,
    last: Option<i32>,
}

impl fmt::Display for NumberSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: Option<i32>| number.map(|number| number.to_string()).unwrap_or_default();
        match (self.first, self.last) {
            (first, last) if first == last => f.write_str(&number(first)),
            (first, last) => write!(f, "{}-{}", number(first), number(last)),
        }
    }
}

impl NumberSpan {
    fn bounds(self) -> (Bound<i32>, Bound<i32>) {
        let bound = |number: Option<i32>| number.map_or(Bound::Unbounded, Bound::Included);
        (bound(self.first), bound(self.last))
    }
}

/// The games of a database after its first `games`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Since {
    database: PathBuf,
    games: i32,
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.database.display(), self.games)
    }
}

/// How an option narrows a search to games with a text.
type Narrow = fn(crate::Narrowing, String) -> crate::Narrowing;

impl Narrowing {
    /// Returns the options that are texts, with their values.
    fn texts(&self) -> [(&'static str, &[String], Narrow); 8] {
        [
            ("player", &self.player, crate::Narrowing::player),
            ("white", &self.white, crate::Narrowing::white),
            ("black", &self.black, crate::Narrowing::black),
            ("event", &self.event, crate::Narrowing::event),
            ("site", &self.site, crate::Narrowing::site),
            ("eco", &self.eco, crate::Narrowing::eco),
            ("by-player", self.by_player.as_slice(), crate::Narrowing::player),
            ("result", self.result.as_slice(), crate::Narrowing::result),
        ]
    }

    /// Returns what the options ask of games.
    fn of_games(&self) -> crate::Narrowing {
        let texts = self.texts().into_iter();
        let mut narrowing = texts.fold(crate::Narrowing::new(), |narrowing, (_, values, narrow)| {
            values.iter().cloned().fold(narrowing, narrow)
        });
        if let Some(years) = self.year {
            narrowing = narrowing.years(years.bounds());
        }
        if let Some(ratings) = self.elo {
            narrowing = narrowing.elo(ratings.bounds());
        }
        if let Some(numbers) = self.games {
            narrowing = narrowing.games(numbers.bounds());
        }
        if let Some(since) = &self.since {
            narrowing = narrowing.games((Bound::Excluded(since.games), Bound::Unbounded));
        }
        narrowing
    }

    /// Returns the filters of the options, each named after its option.
    pub(crate) fn filters(&self) -> Vec<Source> {
        self.of_games().filters(|option| format!("<--{option}>"))
    }

    /// Returns the inputs to search, if these are named. With `--since`, its database is the only input.
    ///
    /// # Errors
    /// Returns an error if another input is named.
    pub(crate) fn inputs(&self, named: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
        let Some(Since { database, .. }) = &self.since else {
            return Ok(named);
        };
        match named.iter().find(|path| *path != database) {
            Some(other) => Err(Failure::with_help(
                format_args!(
                    "--since is about {}, and {} is named, too",
                    shown(database),
                    shown(other)
                ),
                "search them one after the other",
            )),
            None => Ok(vec![database.clone()]),
        }
    }

    /// Returns the player whose side matches must be of, if there is one.
    pub(crate) fn by_player(&self) -> Option<&str> {
        self.by_player.as_deref()
    }

    /// Returns the draw, if only a sample is searched.
    pub(crate) fn draw(&self) -> Option<Draw> {
        self.sample.map(|count| self.draw_of(count))
    }

    /// Returns a draw of this many games or matches.
    pub(crate) fn draw_of(&self, count: NonZeroU64) -> Draw {
        Draw { count, seed: self.seed }
    }

    /// Returns the options that leave out games, as they were written, and what may be wrong with them. Returns `None` if there are none.
    pub(crate) fn said(&self) -> Option<String> {
        let texts = self.texts().into_iter();
        let texts = texts.flat_map(|(option, values, _)| values.iter().map(move |value| (option, quoted(value))));
        let mut said: Vec<String> = texts.map(|(option, value)| format!("--{option} {value}")).collect();
        let numbers = [("year", self.year), ("elo", self.elo), ("games", self.games)].into_iter();
        said.extend(numbers.filter_map(|(option, numbers)| Some(format!("--{option} {}", numbers?))));
        said.extend(
            self.since
                .as_ref()
                .map(|since| format!("--since {}", quoted(&since.to_string()))),
        );
        let advice = match self.any_player() {
            Some(_) => "; write names as in the file, such as `Carlsen, Magnus` or `Carlsen,M`",
            None => "",
        };
        (!said.is_empty()).then(|| said.join(" ") + advice)
    }

    /// Returns the player whose games are searched, with either colour.
    pub(crate) fn player_of_any_color(&self) -> Option<&str> {
        self.player.first().map(String::as_str)
    }

    /// Returns the player whose games are searched, with either or a certain colour.
    pub(crate) fn any_player(&self) -> Option<&str> {
        let players = self
            .player
            .iter()
            .chain(&self.white)
            .chain(&self.black)
            .chain(&self.by_player);
        players.map(String::as_str).next()
    }

    /// Returns the first and the last number of the games to search.
    pub(crate) fn games(&self) -> Option<(i32, i32)> {
        self.of_games().numbers()
    }
}

/// Parses the name of a variant. The error for an unknown one lists all variants.
pub(crate) fn variant(name: &str) -> Result<Variant, String> {
    let known = || Variant::ALL.map(|variant| variant.to_string()).join(", ");
    Variant::of_name(name.as_bytes()).ok_or_else(|| format!("there are {}", known()))
}

/// Checks that a text can be put in quotation marks, where nothing can be escaped.
fn quotable(text: &str) -> Result<String, String> {
    match text.find(['"', '\\', '\n']) {
        Some(_) => {
            Err("the filter takes no quotation marks, backslashes and line breaks; leave out that part".to_owned())
        }
        None if text.trim().is_empty() => Err("write a name, or a part of it".to_owned()),
        None => Ok(text.to_owned()),
    }
}

/// Parses an opening code or the beginning of one.
fn eco(text: &str) -> Result<String, String> {
    if text.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        return Err(format!(
            "a code begins with a capital letter: {}",
            text.to_ascii_uppercase()
        ));
    }
    if text.len() > 1 && text.chars().all(char::is_alphabetic) {
        return Err(format!(
            "a code, such as B90; names of openings are in a tag: `-e 'tag \"Opening\" ~~ \"{text}\"'`"
        ));
    }
    if text.contains('-') {
        return Err("one code, or the beginning of several: B90, B9 for B90 to B99".to_owned());
    }
    quotable(text)
}

/// Parses `A-B`, `A-`, `-B`, or one number.
fn span(text: &str) -> Result<NumberSpan, String> {
    let number = |text: &str| match text.trim() {
        "" => Ok(None),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => match digits.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!("`{digits}` is too large")),
        },
        other => Err(format!("`{other}` is not a number; write A-B, A- or -B")),
    };
    let span = match text.split_once('-') {
        Some((first, last)) => NumberSpan {
            first: number(first)?,
            last: number(last)?,
        },
        None => NumberSpan {
            first: number(text)?,
            last: number(text)?,
        },
    };
    match (span.first, span.last) {
        (None, None) => Err("write A-B, A- or -B".to_owned()),
        (Some(first), Some(last)) if first > last => Err(format!("{first} is greater than {last}")),
        _ => Ok(span),
    }
}

/// Parses `DB@N`.
fn since(text: &str) -> Result<Since, String> {
    let (database, games) = text
        .rsplit_once('@')
        .filter(|(database, _)| !database.is_empty())
        .ok_or("write the database and how many games it had, such as games.parquet@100000")?;
    let games = games.parse().ok().filter(|games| *games >= 0);
    Ok(Since {
        database: database.into(),
        games: games.ok_or("how many games it had is a number, such as in games.parquet@100000")?,
    })
}

/// Parses a range that is not a single number, because hardly anybody wants exactly one rating.
fn open_span(text: &str) -> Result<NumberSpan, String> {
    let span = span(text)?;
    if !text.contains('-') {
        return Err(format!(
            "write {text}- for {text} and more, -{text} for {text} and less"
        ));
    }
    Ok(span)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::query::{self, Options};

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        narrowing: Narrowing,
    }

    fn filters(arguments: &[&str]) -> Vec<String> {
        let all = ["search"].iter().chain(arguments);
        let command = Command::try_parse_from(all).expect("the options are right");
        let filters = command.narrowing.filters();
        for filter in &filters {
            let options = Options {
                filters_only: true,
                ..Options::default()
            };
            query::compile(filter, &options).expect("it is a filter");
        }
        filters.iter().map(|filter| filter.text().to_owned()).collect()
    }

    #[test]
    fn options_stand_for_the_filters_of_their_names() {
        for (arguments, expected) in [
            (&["--player", "Tal"][..], "player \"Tal\""),
            (&["--white", "Tal"], "player white \"Tal\""),
            (&["--black", "Tal"], "player black \"Tal\""),
            (&["--event", "Cup"], "event \"Cup\""),
            (&["--site", "Riga"], "site \"Riga\""),
            (&["--eco", "B9"], "eco \"B9\""),
            (&["--result", "1/2-1/2"], "result 1/2-1/2"),
            (&["--year", "1990-1999"], "year>=1990 year<=1999"),
            (&["--year", "1990"], "year>=1990 year<=1990"),
            (&["--elo", "2500-"], "elo>=2500"),
            (&["--elo", "-2500"], "elo<=2500"),
        ] {
            assert_eq!(filters(arguments), [expected]);
        }
        assert_eq!(filters(&["--player", "Tal", "--player", "Botvinnik"]).len(), 2);
    }

    #[test]
    fn options_are_said_as_they_were_written() {
        let said = |arguments: &[&str]| {
            let all = ["search"].iter().chain(arguments);
            let command = Command::try_parse_from(all).expect("the options are right");
            command.narrowing.said()
        };
        let text =
            said(&["--player", "Magnus Carlsen", "--year", "1990-", "--elo", "-2500"]).expect("there are options");
        assert!(
            text.starts_with("--player 'Magnus Carlsen' --year 1990- --elo -2500; write names as in the file"),
            "{text}"
        );
        assert_eq!(
            said(&["--year", "1990", "--result", "1-0"]).as_deref(),
            Some("--result 1-0 --year 1990")
        );
        assert_eq!(said(&["--first", "--sample", "3"]), None);
    }

    #[test]
    fn codes_of_openings_are_written_as_in_games() {
        assert!(eco("b90").unwrap_err().ends_with("B90"));
        assert!(eco("B90-B99").unwrap_err().contains("B9 for B90 to B99"));
        assert!(
            eco("Sicilian")
                .unwrap_err()
                .contains("`-e 'tag \"Opening\" ~~ \"Sicilian\"'`")
        );
        assert_eq!(eco("B9").as_deref(), Ok("B9"));
    }

    #[test]
    fn spans_that_say_nothing_are_refused() {
        for text in ["", "-", "1999-1990", "a-b", "1-2-3", "99999999999"] {
            assert!(span(text).is_err(), "{text}");
        }
        assert!(quotable("a \"b\"").is_err());
        assert!(quotable("\\").is_err());
        assert!(quotable(" ").is_err());
        assert!(open_span("2500").unwrap_err().contains("2500-"));
        assert!(open_span("2500+").unwrap_err().contains("is not a number"));
    }
}
