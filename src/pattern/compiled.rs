//! Patterns that are ready to be searched for.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use fancy_regex::{BytesMode, Regex, RegexBuilder, RegexInput};

use super::syntax::{PatternError, translated};

/// How large a compiled pattern may become, in bytes.
const LARGEST: usize = 10 << 20;
/// How many instructions the backtracking part of a compiled pattern may have.
const MOST_INSTRUCTIONS: usize = 100_000;
/// How often one search may backtrack: a fraction of a second.
const MOST_BACKTRACKS: usize = 3_000_000;

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub(super) regex: Regex,
    /// It has look-ahead or back references.
    backtracks: bool,
    /// The same without empty matches; made when an iteration first needs it.
    nonempty: OnceLock<Option<Regex>>,
}

/// A match: where each group of the pattern is, group 0 being the whole match. A group that took no part is nowhere.
pub type Groups = Vec<Option<Range<usize>>>;

/// A search that was given up because it backtracked too often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooComplex;

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// When it is malformed or too large.
    pub fn new(pattern: &[u8]) -> Result<Pattern, PatternError> {
        let translated = translated(pattern)?;
        let regex = builder(&translated).build().map_err(|_| PatternError {
            range: 0..pattern.len(),
            message: "the pattern is too large".to_owned(),
        })?;
        Ok(Pattern {
            regex,
            backtracks: backtracks(&translated),
            nonempty: OnceLock::new(),
        })
    }

    /// Whether a search may take longer than in proportion to the text.
    pub fn backtracks(&self) -> bool {
        self.backtracks
    }

    /// The leftmost match that begins at `start` or later. What stands before `start` counts for `^` and `\b`.
    ///
    /// # Errors
    /// When the search backtracks too often.
    pub fn find_at(&self, text: &[u8], start: usize) -> Result<Option<Groups>, TooComplex> {
        found(&self.regex, RegexInput::new(text).from_pos(start))
    }

    /// Whether there is a match anywhere. This takes less time than to find it.
    ///
    /// # Errors
    /// When the search backtracks too often.
    pub fn is_match(&self, text: &[u8]) -> Result<bool, TooComplex> {
        self.regex.is_match_input(RegexInput::new(text)).map_err(|_| TooComplex)
    }

    /// All matches in order.
    pub fn matches<'p, 't>(&'p self, text: &'t [u8]) -> Matches<'p, 't> {
        Matches {
            pattern: self,
            text,
            next: Next::default(),
        }
    }

    /// The next match of a search that has come so far. After an error there is none.
    pub fn next_match(&self, text: &[u8], next: &mut Next) -> Option<Result<Groups, TooComplex>> {
        let found = self.advance(text, next);
        if found.is_err() {
            *next = Next(Place::Over);
        }
        found.transpose()
    }

    fn advance(&self, text: &[u8], next: &mut Next) -> Result<Option<Groups>, TooComplex> {
        let found = match next.0 {
            Place::From(start) => self.find_at(text, start)?,
            Place::AfterEmpty(at) => match self.find_nonempty_at(text, at)? {
                None if at < text.len() => self.find_at(text, at + 1)?,
                found => found,
            },
            Place::Over => None,
        };
        next.0 = match found.as_ref().and_then(|groups| groups[0].as_ref()) {
            None => Place::Over,
            Some(whole) if whole.is_empty() => Place::AfterEmpty(whole.end),
            Some(whole) => Place::From(whole.end),
        };
        Ok(found)
    }

    /// A match that begins exactly at `start` and is not empty.
    fn find_nonempty_at(&self, text: &[u8], start: usize) -> Result<Option<Groups>, TooComplex> {
        let nonempty = self
            .nonempty
            .get_or_init(|| builder(self.regex.as_str()).find_not_empty(true).build().ok());
        match nonempty {
            Some(regex) => found(regex, RegexInput::new(text).from_pos(start).anchored(true)),
            // The pattern has no other matches than empty ones.
            None => Ok(None),
        }
    }
}

/// Whether a translated pattern has look-ahead or back references.
fn backtracks(translated: &str) -> bool {
    let mut groups = translated
        .match_indices(r"(?:\")
        .map(|(at, group)| &translated[at + group.len()..]);
    translated.contains("(?=")
        || translated.contains("(?!")
        || groups.any(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
}

fn builder(translated: &str) -> RegexBuilder {
    let mut builder = RegexBuilder::new(translated);
    builder
        .bytes_mode(BytesMode::Ascii)
        .delegate_size_limit(LARGEST)
        .max_prog_size(MOST_INSTRUCTIONS)
        .backtrack_limit(MOST_BACKTRACKS);
    builder
}

fn found(regex: &Regex, input: RegexInput<'_, [u8]>) -> Result<Option<Groups>, TooComplex> {
    let captures = regex.captures_input(input).map_err(|_| TooComplex)?;
    Ok(captures.map(|captures| captures.iter().map(|group| group.map(|group| group.range())).collect()))
}

/// The matches of a pattern in a text, one after the other.
#[derive(Clone, Debug)]
pub struct Matches<'p, 't> {
    pattern: &'p Pattern,
    text: &'t [u8],
    next: Next,
}

/// How far a search for all matches has come.
#[derive(Clone, Copy, Debug)]
pub struct Next(Place);

/// How the next match is looked for.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Anywhere from here.
    From(usize),
    /// After an empty match here: a longer one at the same place, else from the next byte.
    AfterEmpty(usize),
    Over,
}

impl Default for Next {
    fn default() -> Next {
        Next(Place::From(0))
    }
}

impl Iterator for Matches<'_, '_> {
    type Item = Result<Groups, TooComplex>;

    fn next(&mut self) -> Option<Self::Item> {
        self.pattern.next_match(self.text, &mut self.next)
    }
}

impl fmt::Display for TooComplex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the regular expression backtracks too often")
    }
}

impl std::error::Error for TooComplex {}
