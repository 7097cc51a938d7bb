//! What ends a search early, wherever it is.

use std::time::{Duration, Instant};

use crate::eval::Settings;
use crate::limits::Cause;
use crate::output::FormatName;
use crate::query;
use crate::search::{Options, Printed, search_sources};
use crate::syntax::Source;

use super::*;

/// Two games, so that there is one after the first.
const GAMES: &str = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"B\"]\n\n1. e4 e5 *\n";

/// A search that is given up after a minute at most.
struct Trial {
    settings: Settings,
    options: Options,
    format: FormatName,
}

impl Trial {
    fn new(format: FormatName) -> Trial {
        Trial {
            settings: Settings::default(),
            options: Options {
                interrupt: Arc::new(Interrupt::after(Duration::from_secs(60))),
                ..Options::quiet()
            },
            format,
        }
    }

    /// Allows few rounds, so that endless loops are reported soon.
    fn with_few_rounds(mut self) -> Trial {
        self.settings.max_rounds = 1000;
        self
    }

    /// Limits the time.
    fn within(mut self, timeout: Duration) -> Trial {
        self.options.interrupt = Arc::new(Interrupt::after(timeout));
        self
    }

    /// Limits the memory.
    fn with_memory(mut self, bytes: usize) -> Trial {
        self.settings.memory = Arc::new(Memory::new(bytes));
        self
    }

    fn run(&self, text: &str) -> Result<Printed, Error> {
        let query = query::compile(&Source::new("q", text), &query::Options::default()).expect("it compiles");
        let games = crate::pgn::Source::of_bytes("games.pgn", GAMES.as_bytes());
        search_sources(&query, self.settings.clone(), [games], self.format, &self.options)
    }

    /// Returns why a search with this query fails.
    fn error(&self, text: &str) -> String {
        match self.run(text) {
            Ok(printed) => panic!("{text}: found {:?}", printed.totals),
            Err(error) => error.to_string(),
        }
    }
}

/// Constants that are the same at every position of a game, so that they are evaluated once for each game.
const HANGS: &str = "square ia in a-h1-8 square ib in a-h1-8 square ic in a-h1-8 square id in a-h1-8 \
                     square ie in a-h1-8 {#(ia|ib|ic|id|ie)>70}";

/// A string and a pattern that backtrack again and again.
const BACKTRACKS: &str = r#""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" ~~ "(a*)*\1b""#;

#[test]
fn what_is_asked_once_a_game_has_limits() {
    for format in [FormatName::Count, FormatName::Html, FormatName::Pgn] {
        let error = Trial::new(format).with_few_rounds().error(&format!("cql() {HANGS}"));
        assert!(error.contains("does not end"), "{format:?}: {error}");
        assert!(error.contains("game 1"), "{format:?}: {error}");
    }
}

#[test]
fn what_is_asked_once_a_game_hides_no_error() {
    for query in ["cql(matchcount 0) ", "cql() zz=1 "] {
        let error = Trial::new(FormatName::Ids).error(&format!("{query}{BACKTRACKS}"));
        assert!(error.contains("backtracks too often"), "{query}: {error}");
    }
}

#[test]
fn a_deadline_ends_what_is_asked_once_a_game() {
    for threads in [1, 3] {
        let mut trial = Trial::new(FormatName::Ids).within(Duration::from_millis(30));
        trial.settings.max_rounds = u64::MAX;
        trial.options.threads = NonZeroUsize::new(threads).unwrap();
        let began = Instant::now();
        let found = trial.run(&format!("cql() {HANGS}")).expect("it is not an error");
        assert!(began.elapsed() < Duration::from_secs(30));
        assert_eq!(found.totals.games, 0);
        assert!(trial.options.interrupt.was_acknowledged());
        assert_eq!(trial.options.interrupt.cause(), Some(Cause::Deadline));
    }
}

#[test]
fn a_deadline_ends_the_search_at_one_position() {
    let endless = "cql() num=0 loop {num+=1 num%=7 true}";
    let mut trial = Trial::new(FormatName::Ids).within(Duration::from_millis(30));
    trial.settings.max_rounds = u64::MAX;
    let found = trial.run(endless).expect("it is not an error");
    assert_eq!(found.totals.matches, 0);
    assert!(trial.options.interrupt.was_acknowledged());
}

#[test]
fn all_that_a_query_can_make_grow_has_one_budget() {
    let long = "ss=\"0123456789abcdef0123456789abcdef\" nn=0 while (nn<11) {nn+=1 ss+=ss}";
    let many = |what: &str| (0..40).map(|n| what.replace('#', &n.to_string())).collect::<String>();
    for (what, query, kilobytes) in [
        ("variables", format!("{long} {}", many(" ss#=ss")), 1024),
        (
            "sums",
            format!("{long} uu={}", many("ss+(") + "ss" + &")".repeat(40)),
            1024,
        ),
        (
            "greatest strings",
            format!("{long} uu=max(ss ss+ss+ss+ss ss+ss+ss+ss+ss+ss)"),
            512,
        ),
        ("tags", format!("{long} {}", many(" settag(\"T#\" ss)")), 1024),
        ("sort keys", format!("{long} {}", many(" sort \"k#\" ss")), 1024),
        ("messages", format!("{long} {}", many(" message(ss)")), 1024),
        ("comments", format!("{long} {}", many(" comment(ss)")), 1024),
        (
            "dictionary",
            format!("dictionary D {long} {}", many(" D[\"#\"]=ss")),
            1024,
        ),
        (
            "text of a dictionary",
            format!("dictionary D {long} {} uu=str(D)", many(" D[\"#\"]=\"0\"+ss[0:50000]")),
            3072,
        ),
    ] {
        let error = Trial::new(FormatName::Pgn)
            .with_memory(kilobytes << 10)
            .error(&format!("cql() {query}"));
        assert!(error.contains("too much memory"), "{what}: {error}");
        let enough = Trial::new(FormatName::Pgn).with_memory(1 << 30);
        assert!(enough.run(&format!("cql() {query}")).is_ok(), "{what}");
    }
}

#[test]
fn what_waits_for_the_last_game_has_the_same_budget() {
    let keys =
        "cql() ss=\"0123456789abcdef0123456789abcdef\" nn=0 while (nn<13) {nn+=1 ss+=ss} initial sort quiet \"k\" ss";
    let trial = Trial::new(FormatName::Pgn);
    trial.run(keys).expect("there is memory for both games");
    let mut few = Trial::new(FormatName::Pgn).with_memory(1200 << 10);
    few.options.limit = None;
    let error = few.error(keys);
    assert!(error.contains("too much memory"), "{error}");
}

/// A string of `a` of 2 MB.
const LONG: &str = "cql() ss=\"aaaaaaaaaaaaaaaa\" nn=0 while (nn<17) {nn+=1 ss+=ss}";

#[test]
fn a_deadline_ends_a_search_for_a_regular_expression() {
    for search in [
        // Each match looks at the rest of the string.
        "while (ss ~~ \"a+b|a\") true",
        // So does each attempt at a look-ahead.
        "tt=ss[0:1000000] tt ~~ \"(?:(?=.*b)a)+b\"",
    ] {
        let trial = Trial::new(FormatName::Ids).within(Duration::from_millis(300));
        let began = Instant::now();
        let found = trial.run(&format!("{LONG} {search}")).expect("it is not an error");
        assert!(began.elapsed() < Duration::from_secs(30), "{search}");
        assert_eq!(found.totals.matches, 0, "{search}");
        assert!(trial.options.interrupt.was_acknowledged(), "{search}");
    }
}

/// Returns a game that is too long for a short deadline: its moves, each followed by `behind`.
fn long_game(behind: &str) -> crate::pgn::Source {
    let pgn = format!(
        "[White \"A\"]\n\n{} *\n",
        format!("Nf3 {behind} Nf6 {behind} Ng1 Ng8 ").repeat(50_000)
    );
    crate::pgn::Source::of_bytes("long.pgn", pgn.into_bytes())
}

#[test]
fn a_deadline_ends_the_reading_of_one_game() {
    for behind in ["", "{comment}", "junk", "(Nh3 Nh6)", "$7"] {
        let query = query::compile(&Source::new("q", "cql() true"), &query::Options::default()).expect("it compiles");
        for threads in [1, 3] {
            let mut trial = Trial::new(FormatName::Pgn).within(Duration::from_millis(1));
            trial.options.threads = NonZeroUsize::new(threads).unwrap();
            let found = search_sources(
                &query,
                Settings::default(),
                [long_game(behind)],
                trial.format,
                &trial.options,
            );
            let totals = found.expect("it is not an error").totals;
            assert_eq!((totals.matches, totals.positions), (0, 0), "{behind}");
            assert!(trial.options.interrupt.was_acknowledged(), "{behind}");
        }
    }
}

#[test]
fn what_looks_at_a_string_again_and_again_ends_by_itself() {
    let loop_over = |pattern: &str| {
        format!(
            "cql() ss=\"{}\" nn=0 while (ss ~~ \"{pattern}\") nn+=1 nn>0",
            "a".repeat(2_000)
        )
    };
    let error = Trial::new(FormatName::Ids).with_few_rounds().error(&loop_over("a+b|a"));
    assert!(error.contains("regular expression takes too long"), "{error}");
    let linear = Trial::new(FormatName::Ids).with_few_rounds().run(&loop_over("aaaa"));
    assert_eq!(linear.expect("it looks at each byte once").totals.matches, 2);
}

#[test]
fn what_backtracks_is_not_looked_for_in_a_very_long_string() {
    let error = Trial::new(FormatName::Ids).error(&format!("{LONG} ss ~~ \"(.)\\1b\""));
    assert!(error.contains("too long for this regular expression"), "{error}");
}

#[test]
fn groups_of_a_long_string_are_what_they_are_in_a_short_one() {
    let found = |text: &str, length: &str| {
        let query = format!(
            "cql() initial ss=\"{text}\" uu=\"\" while (ss ~~ \"(a)|(b)c\") {{if \\-2>=0 then uu+=\\2 else uu+=\"-\"}} message quiet (uu) #uu=={length}"
        );
        let printed = Trial::new(FormatName::Ids).run(&query).expect("it is searched");
        assert_eq!(printed.totals.positions, 2, "{query}");
        printed.log
    };
    let short = "abcba".repeat(3);
    let long = "abcba".repeat(900);
    assert_eq!(
        found(&short, "9"),
        [b"-b-".repeat(3), b"-b-".repeat(3)]
            .map(|line| [line, b"\n".to_vec()].concat())
            .concat()
    );
    assert_eq!(found(&long, "2700").len(), 2 * 2701);
}
