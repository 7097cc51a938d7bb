//! Regular expressions as queries write them: ECMAScript syntax on bytes (chapter 8, 11.4 of the language reference).
//!
//! ```text
//!  pattern ──► syntax (checks, places of errors) ──► engine ──► Pattern::find_at, Pattern::matches
//! ```
//!
//! The engine runs in linear time unless a pattern has look-ahead or back references; then it backtracks, up to a limit.

mod byte_set;
mod syntax;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use fancy_regex::{BytesMode, Regex, RegexBuilder, RegexInput};

/// How large a compiled pattern may become, in bytes.
const LARGEST: usize = 10 << 20;
/// How many instructions the backtracking part of a compiled pattern may have.
const MOST_INSTRUCTIONS: usize = 100_000;
/// How often one search may backtrack: less than a second.
const MOST_BACKTRACKS: usize = 10_000_000;

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
    /// The same without empty matches; made when an iteration first needs it.
    nonempty: OnceLock<Option<Regex>>,
}

/// Why a pattern is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternError {
    /// The bytes of the pattern that are wrong.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
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
        let translated = syntax::translated(pattern)?;
        let regex = builder(&translated).build().map_err(|_| PatternError {
            range: 0..pattern.len(),
            message: "the pattern is too large".to_owned(),
        })?;
        Ok(Pattern {
            regex,
            nonempty: OnceLock::new(),
        })
    }

    /// The leftmost match that begins at `start` or later. What stands before `start` counts for `^` and `\b`.
    ///
    /// # Errors
    /// When the search backtracks too often.
    pub fn find_at(&self, text: &[u8], start: usize) -> Result<Option<Groups>, TooComplex> {
        found(&self.regex, RegexInput::new(text).from_pos(start))
    }

    /// All matches in order.
    pub fn matches<'p, 't>(&'p self, text: &'t [u8]) -> Matches<'p, 't> {
        Matches {
            pattern: self,
            text,
            next: Next::From(0),
        }
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

/// How the next match is looked for.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// Anywhere from here.
    From(usize),
    /// After an empty match here: a longer one at the same place, else from the next byte.
    AfterEmpty(usize),
    Over,
}

impl Matches<'_, '_> {
    fn advance(&mut self) -> Result<Option<Groups>, TooComplex> {
        let found = match self.next {
            Next::From(start) => self.pattern.find_at(self.text, start)?,
            Next::AfterEmpty(at) => match self.pattern.find_nonempty_at(self.text, at)? {
                None if at < self.text.len() => self.pattern.find_at(self.text, at + 1)?,
                found => found,
            },
            Next::Over => None,
        };
        self.next = match found.as_ref().and_then(|groups| groups[0].as_ref()) {
            None => Next::Over,
            Some(whole) if whole.is_empty() => Next::AfterEmpty(whole.end),
            Some(whole) => Next::From(whole.end),
        };
        Ok(found)
    }
}

impl Iterator for Matches<'_, '_> {
    type Item = Result<Groups, TooComplex>;

    fn next(&mut self) -> Option<Self::Item> {
        let result = self.advance();
        if result.is_err() {
            self.next = Next::Over;
        }
        result.transpose()
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PatternError {}

impl fmt::Display for TooComplex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the regular expression backtracks too often")
    }
}

impl std::error::Error for TooComplex {}
