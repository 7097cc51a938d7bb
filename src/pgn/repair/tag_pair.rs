//! Finds the end of a tag pair.
//!
//! The value of a tag may contain any character, including quotes and brackets, and other tags or moves may follow on the line. So a quote ends the
//! value if it is followed by a bracket and something that may follow a tag: the end of the line, another tag, movetext. Without such a quote,
//! the last quote of the line with a bracket after it is the end.

use std::ops::Range;

use memchr::memchr3_iter;

use crate::pgn::lexer::{NeedMore, Text, is_control, is_space, terminator};

/// The largest distance from the start of a tag to its quote.
const LOOK_BACK: usize = 512;

/// A tag pair, as far as it can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TagPair {
    /// The value without its quotes, or `None` if the tag never ends.
    pub(crate) value: Option<Range<usize>>,
    /// Where the text continues.
    pub(crate) end: usize,
    /// Whether text after the tag is skipped.
    pub(crate) skipped: bool,
}

impl TagPair {
    /// Creates a tag pair that is written correctly.
    fn closed(value: Range<usize>, end: usize) -> TagPair {
        TagPair {
            value: Some(value),
            end,
            skipped: false,
        }
    }

    /// Creates a tag pair followed by skipped text, or one without a value.
    fn with_rest(value: Option<Range<usize>>, end: usize) -> TagPair {
        TagPair {
            skipped: value.is_some(),
            value,
            end,
        }
    }
}

impl Text<'_> {
    /// Reads the tag pair whose value begins with the quote at `open`.
    ///
    /// A tag without its closing quote and bracket ends at the end of the line, or before another tag that follows a tag or a game on the same line.
    pub(crate) fn tag_pair(self, open: usize) -> Result<TagPair, NeedMore> {
        if self.bytes.get(open) != Some(&b'"') {
            return self.typographic_pair(open);
        }
        let mut last = None;
        let mut line_end = None;
        for offset in memchr3_iter(b'"', b'\n', b'\r', self.from(open + 1)) {
            let at = open + 1 + offset;
            if self.bytes.get(at) != Some(&b'"') {
                line_end = Some(at);
                break;
            }
            let bracket = self.skip_gap(at + 1)?;
            if self.byte(bracket)? == Some(b']') {
                if self.follows_tag(bracket + 1)? {
                    return Ok(TagPair::closed(open + 1..at, bracket + 1));
                }
                last = Some(at);
            } else if let Some((begin, separated)) = self.other_tag(open, at)?
                && (separated || last.is_some())
            {
                return Ok(TagPair::with_rest(last.map(|quote| open + 1..quote), begin));
            }
        }
        let end = match line_end {
            Some(end) => end,
            None => self.end_of(self.bytes.len())?,
        };
        let last = last.or_else(|| self.loose_end(open, end));
        if last.is_none()
            && let Some(pair) = self.broken_pair(open, end)?
        {
            return Ok(pair);
        }
        Ok(TagPair::with_rest(last.map(|quote| open + 1..quote), end))
    }

    /// Reads the tag pair whose value begins with the typographic quote that ends at `open`. Any quote on its line may end it.
    fn typographic_pair(self, open: usize) -> Result<TagPair, NeedMore> {
        let line_end = self.line_end(open + 1)?;
        for at in open + 1..line_end {
            let length = self.quote(at)?;
            if length == 0 {
                continue;
            }
            let bracket = self.skip_blanks(at + length)?;
            if self.byte(bracket)? == Some(b']') && self.follows_tag(bracket + 1)? {
                return Ok(TagPair::closed(open + 1..at, bracket + 1));
            }
        }
        Ok(TagPair::with_rest(None, line_end))
    }

    /// Returns whether what is here may follow a tag on its line: nothing, another tag, movetext.
    pub(crate) fn follows_tag(self, at: usize) -> Result<bool, NeedMore> {
        let at = self.skip_blanks(at)?;
        Ok(match self.byte(at)? {
            None | Some(b'\n' | b'\r' | b'{' | b';' | b'$') => true,
            Some(b'[') => self.tag(at)?.is_some(),
            Some(b'*' | b'0'..=b'9') if self.terminator(at)?.is_some() => true,
            Some(b'0'..=b'9') => {
                let end = self.skip(at, |byte| byte.is_ascii_digit())?;
                // A dot, or the first byte of an ellipsis.
                if matches!(self.byte(end)?, Some(b'.' | 0xe2)) {
                    return self.numbers_move(end);
                }
                let begin = self.skip(end, is_space)?;
                begin > end && self.begins_move(begin)?
            }
            Some(_) => self.begins_move(at)?,
        })
    }

    /// Returns the start of the tag whose value begins with the quote at `quote`, and whether it follows a bracket or a terminator, so that no
    /// earlier tag can include it.
    fn other_tag(self, open: usize, quote: usize) -> Result<Option<(usize, bool)>, NeedMore> {
        let first = (open + 1).max(quote.saturating_sub(LOOK_BACK));
        let within = self.slice(first..quote);
        let Some(offset) = memchr::memrchr(b'[', within) else {
            return Ok(None);
        };
        let begin = first + offset;
        if self.tag(begin)?.is_none_or(|(_, place)| place != quote) {
            return Ok(None);
        }
        let mut before = within.get(..offset).unwrap_or_default();
        while let [rest @ .., last] = before
            && (is_space(*last) || is_control(last))
        {
            before = rest;
        }
        let separated = before.ends_with(b"]") || terminator(before).is_some();
        Ok(Some((begin, separated)))
    }

    /// Reads the tag pair whose value continues on the next line and ends with it.
    fn broken_pair(self, open: usize, line_end: usize) -> Result<Option<TagPair>, NeedMore> {
        if self.slice(open + 1..line_end).contains(&b'"') {
            return Ok(None);
        }
        let begin = line_end
            + match self.from(line_end) {
                [b'\r', b'\n', ..] => 2,
                _ => 1,
            };
        if begin >= self.bytes.len() {
            return self.end_of(None);
        }
        let end = self.line_end(begin)?;
        let quote = memchr::memchr(b'"', self.slice(begin..end)).map(|length| begin + length);
        Ok(quote
            .filter(|quote| self.slice(*quote + 1..end).trim_ascii() == b"]")
            .filter(|_| !self.slice(begin..end).starts_with(b"["))
            .map(|quote| TagPair::closed(open + 1..quote, end)))
    }

    /// Returns the last quote of a line, if there is a bracket somewhere after it.
    fn loose_end(self, open: usize, end: usize) -> Option<usize> {
        let line = self.slice(open + 1..end);
        let quote = memchr::memrchr(b'"', line)?;
        line.get(quote..)?.contains(&b']').then_some(open + 1 + quote)
    }
}
