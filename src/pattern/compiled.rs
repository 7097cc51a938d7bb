//! Compiled patterns.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use fancy_regex::{BytesMode, Regex, RegexBuilder, RegexInput};

use super::syntax::{PatternError, translated};

/// The largest size of a compiled pattern, in bytes.
const LARGEST: usize = 10 << 20;
/// The most instructions in the backtracking part of a compiled pattern.
const MOST_INSTRUCTIONS: usize = 100_000;
/// The most backtracks of one search, which take a fraction of a second.
const MOST_BACKTRACKS: usize = 3_000_000;

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub(super) regex: Regex,
    /// Whether it has look-ahead or back references.
    backtracks: bool,
    /// The same pattern without empty matches. Made when an iteration first needs it.
    nonempty: OnceLock<Option<Regex>>,
}

/// A match: the place of each group of the pattern. Group 0 is the whole match. A group that took no part is `None`.
pub type Groups = Vec<Option<Range<usize>>>;

/// A search that was given up because it backtracked too often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooComplex;

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Returns an error if it is malformed or too large.
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

    /// Returns whether the time of a search may grow faster than the length of the text.
    pub fn backtracks(&self) -> bool {
        self.backtracks
    }

    /// Returns the leftmost match that begins at `start` or later. Bytes before `start` count for `^` and `\b`.
    ///
    /// # Errors
    /// Returns an error if the search backtracks too often.
    pub fn find_at(&self, text: &[u8], start: usize) -> Result<Option<Groups>, TooComplex> {
        found(&self.regex, RegexInput::new(text).from_pos(start))
    }

    /// Returns whether there is a match anywhere. This is faster than finding it.
    ///
    /// # Errors
    /// Returns an error if the search backtracks too often.
    pub fn is_match(&self, text: &[u8]) -> Result<bool, TooComplex> {
        self.regex.is_match_input(RegexInput::new(text)).map_err(|_| TooComplex)
    }

    /// Returns all matches in order.
    pub fn matches<'p, 't>(&'p self, text: &'t [u8]) -> Matches<'p, 't> {
        Matches {
            pattern: self,
            text,
            next: Next::default(),
        }
    }

    /// Returns the next match of a search that has reached `next`. Returns `None` after an error.
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

    /// Returns a match that begins exactly at `start` and is not empty.
    fn find_nonempty_at(&self, text: &[u8], start: usize) -> Result<Option<Groups>, TooComplex> {
        let nonempty = self
            .nonempty
            .get_or_init(|| builder(self.regex.as_str()).find_not_empty(true).build().ok());
        match nonempty {
            Some(regex) => found(regex, RegexInput::new(text).from_pos(start).anchored(true)),
            // The pattern has only empty matches.
            None => Ok(None),
        }
    }
}

/// Returns whether a translated pattern has look-ahead or back references.
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

/// An iterator over the matches of a pattern in a text.
#[derive(Clone, Debug)]
pub struct Matches<'p, 't> {
    pattern: &'p Pattern,
    text: &'t [u8],
    next: Next,
}

/// The progress of a search for all matches.
#[derive(Clone, Copy, Debug)]
pub struct Next(Place);

/// Where to search for the next match.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// From here on.
    From(usize),
    /// After an empty match here: for a longer match at the same place, otherwise from the next byte on.
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
