//! The library of queries that is built into the program: themes by name.
//!
//! ```
//! use skewer::library;
//!
//! let theme = &library::named("smothered-mate")[0];
//! assert_eq!(theme.name(), "mates/smothered-mate");
//! assert!(theme.description().starts_with("Smothered mate: a knight"));
//!
//! let query = theme.compile()?;
//! assert!(query.matches_fen("6rk/5Npp/8/8/8/8/8/6K1 b - - 1 1")?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each part uses only those before it: `template`, `self`, `by_words`, `lookup`.

mod by_words;
mod lookup;
#[cfg(feature = "cli")]
mod template;

use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use flate2::read::ZlibDecoder;

#[doc(hidden)]
pub use by_words::{Found, find};
pub(crate) use lookup::near;
#[doc(hidden)]
pub use lookup::themes;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use template::template;

/// The path of the games for self-tests of the library, relative to the folder of the library or one above it.
pub const GAMES: &str = "examples/classics.pgn";

/// The names of the queries and the lengths of their texts, in the order of the names.
const LENGTHS: &[(&str, usize)] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The texts in this order, followed by the games, compressed.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library.zlib"));

/// The texts and games, which are unpacked when they are first used.
static TEXTS: LazyLock<String> = LazyLock::new(|| {
    let mut texts = String::new();
    let unpacked = ZlibDecoder::new(PACKED).read_to_string(&mut texts);
    unpacked.expect("the build packed it");
    texts
});

/// A query of the library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    name: &'static str,
    range: Range<usize>,
}

impl Query {
    /// Returns its name with its section, such as `mates/smothered-mate`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns its section, such as `mates`.
    pub fn section(&self) -> &'static str {
        self.name.rsplit_once('/').map_or("", |(section, _)| section)
    }

    /// Returns its name within the section, such as `smothered-mate`.
    pub fn short_name(&self) -> &'static str {
        self.name.rsplit_once('/').map_or(self.name, |(_, name)| name)
    }

    /// Returns its text, with the comment and the self-tests.
    pub fn text(&self) -> &'static str {
        TEXTS.get(self.range.clone()).unwrap_or_default()
    }

    /// Returns what it finds, in a sentence.
    pub fn description(&self) -> String {
        description(self.text())
    }
}

/// Returns all queries, in the order of their names.
pub fn queries() -> impl Iterator<Item = Query> {
    LENGTHS.iter().scan(0, |start, (name, length)| {
        let range = *start..*start + length;
        *start = range.end;
        Some(Query { name, range })
    })
}

/// Returns the queries with a name, which may include the section. There are several if sections share the name.
pub fn named(name: &str) -> Vec<Query> {
    queries()
        // Comparing the end is fast, and few names have it.
        .filter(|query| query.name.ends_with(name) && [query.name, query.short_name()].contains(&name))
        .collect()
}

/// Returns the query for a label of the public puzzles, such as `mateIn2` or `attackingF2F7`. Its name consists of the words of the label
/// after `puzzle`.
#[doc(hidden)]
pub fn labelled(label: &str) -> Option<Query> {
    let mut name = String::from("puzzle-");
    let mut letters_of_word = 0;
    for letter in label.chars() {
        let begins = letter.is_uppercase() || letter.is_numeric() && letters_of_word > 1;
        if begins && letters_of_word > 0 {
            name.push('-');
            letters_of_word = 0;
        }
        name.extend(letter.to_lowercase());
        letters_of_word += 1;
    }
    named(&name).pop()
}

/// Returns the queries of a section, such as `mates`, or none if there is no such section.
pub fn in_section(section: &str) -> Vec<Query> {
    queries().filter(|query| query.section() == section).collect()
}

/// Returns the games for self-tests of the library, as PGN.
pub fn games() -> &'static str {
    let start = queries().last().map_or(0, |query| query.range.end);
    TEXTS.get(start..).unwrap_or_default()
}

/// Writes queries to an existing folder, in subfolders for their sections, together with the games for their self-tests.
///
/// # Errors
/// Returns an error if a file cannot be written.
pub fn unpack(queries: &[Query], folder: &Path) -> io::Result<()> {
    let files = queries
        .iter()
        .map(|query| (format!("{}.cql", query.name), query.text()));
    for (name, text) in files.chain([(GAMES.to_owned(), games())]) {
        let path = folder.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// Returns the lines of the comment at the top, without self-tests.
pub(crate) fn opening_comment(query: &str) -> impl Iterator<Item = &str> {
    let lines = query.trim_start_matches('\u{feff}').trim_start().lines().map(str::trim);
    lines.map_while(|line| line.strip_prefix("//").filter(|text| !text.starts_with(['/', '?'])))
}

/// Returns what a query finds: the first sentence of the comment at its top, or an empty text if there is none.
pub(crate) fn description(query: &str) -> String {
    let words: Vec<&str> = opening_comment(query)
        .take_while(|text| !text.trim().is_empty())
        .flat_map(str::split_whitespace)
        .collect();
    let is_last = |index: usize| {
        let begins_another = words
            .get(index + 1)
            .is_none_or(|next| next.starts_with(char::is_uppercase));
        words[index].ends_with('.') && begins_another
    };
    let last = (0..words.len()).position(is_last);
    let length = last.map_or(words.len(), |last| last + 1);
    words[..length].join(" ")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::query::{self, Options};
    use crate::syntax::Source;
    use crate::testing::{self, Claim, Example};

    #[test]
    fn the_library_is_the_folder_of_queries() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("queries");
        let mut count = 0;
        for query in queries() {
            let file = folder.join(query.name).with_extension("cql");
            assert_eq!(
                fs::read_to_string(file).expect("it is there"),
                query.text(),
                "{}",
                query.name
            );
            count += 1;
        }
        assert!(count >= 338, "{count}");
        let games_file = Path::new(env!("CARGO_MANIFEST_DIR")).join(GAMES);
        assert_eq!(fs::read_to_string(games_file).expect("it is there"), games());
    }

    #[test]
    fn queries_of_the_library_read_nothing_but_its_games() {
        for query in queries() {
            let source = Source::new(query.name, query.text());
            let compiled = query::compile(&source, &Options::default()).expect("the library is right");
            assert!(
                compiled.file_access.is_none() && compiled.similar.is_none(),
                "{}",
                query.name
            );
            for expectation in testing::expectations(&source) {
                match expectation.expect("the library is right").claim {
                    Claim::Count(_) => panic!("{} counts in a file", query.name),
                    Claim::Match(claim) => {
                        if let Example::Game { file, .. } = claim.example {
                            assert_eq!(file.value, GAMES, "{}", query.name);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_found_with_and_without_their_section() {
        let names = |name| named(name).iter().map(Query::name).collect::<Vec<_>>();
        assert_eq!(names("smothered-mate"), ["mates/smothered-mate"]);
        assert_eq!(names("mates/smothered-mate"), ["mates/smothered-mate"]);
        assert_eq!(
            names("perpetual-check"),
            ["games/perpetual-check", "motifs/perpetual-check"]
        );
        assert!(names("mates").is_empty() && names("").is_empty());
        assert!(in_section("mates").len() > 10 && in_section("mate").is_empty());
    }

    #[test]
    fn labels_of_puzzles_name_queries() {
        for (label, name) in [
            ("fork", Some("tactics/puzzle-fork")),
            ("mateIn2", Some("tactics/puzzle-mate-in-2")),
            ("xRayAttack", Some("tactics/puzzle-x-ray-attack")),
            ("attackingF2F7", Some("tactics/puzzle-attacking-f2-f7")),
            ("crushing", None),
            ("", None),
        ] {
            assert_eq!(labelled(label).map(|query| query.name()), name, "{label}");
        }
    }
}
