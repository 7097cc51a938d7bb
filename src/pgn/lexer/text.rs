//! Looks ahead in PGN text that may continue: tags, comments, terminators.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memchr2_iter};
use shakmaty::Outcome;

use super::terminator::RESULTS;

/// A comment that closes later than this after a tag section inside it is assumed to lack its closing brace.
const UNCLOSED: usize = 1 << 12;

/// The longest HTML tag that is recognised.
const MARKUP: usize = 255;

/// The HTML entities that are blanks.
const BLANKS: [&[u8]; 6] = [b"&nbsp;", b"&#160;", b"&#xa0;", b"&#xA0;", b"&ensp;", b"&thinsp;"];

/// The longest name of a tag that is recognised.
const TAG_NAME: usize = 255;

/// The error that a question cannot be answered before there is more text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NeedMore;

/// A piece of a source that begins at the start of a game or of the text between games.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) bytes: &'a [u8],
    /// Whether no text follows.
    pub(crate) complete: bool,
}

/// A comment in braces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Comment {
    /// The inside of the braces, or `None` if the comment never ends.
    pub(crate) inner: Option<Range<usize>>,
    /// Where the text continues.
    pub(crate) end: usize,
    /// Whether every brace has its partner.
    pub(crate) closed: bool,
}

/// Returns whether the byte is white space in PGN.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The longest blank or quote in bytes.
const LONGEST_SIGN: usize = 3;

/// Returns the length of the blank at the start of the text, or 0. Blanks are ASCII blanks, no-break spaces in UTF-8 or Windows text, and in
/// UTF-8 line ends of Unicode, ideographic spaces, and spaces of any width or none.
fn blank_length(text: &[u8]) -> usize {
    match text {
        // A control byte that is left out separates nothing.
        [byte, ..] if is_control(byte) => 1,
        [b' ' | b'\t' | 0x0b | 0x0c | 0xa0, ..] => 1,
        [0xc2, 0x85 | 0xa0, ..] => 2,
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8f | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f..=0xa0, ..]
        | [0xe3, 0x80, 0x80, ..]
        | [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// Returns the length of the quote at the start of the text, or 0. It is the PGN quote, or what a word processor or a web page has made of it,
/// in UTF-8 or Windows text.
fn quote_length(text: &[u8]) -> usize {
    match text {
        [b'"' | 0x84 | 0x93 | 0x94, ..] => 1,
        [0xc2, 0xab | 0xbb, ..] => 2,
        [0xe2, 0x80, 0x9c..=0x9f, ..] | [0xef, 0xbc, 0x82, ..] => 3,
        _ => 0,
    }
}

/// Returns the length of the UTF-8 character at the start of the text, or 1 for any other byte.
fn character_length(text: &[u8]) -> usize {
    let chunk = text.get(..text.len().min(4)).unwrap_or_default();
    let valid = chunk.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    valid.chars().next().map_or(1, char::len_utf8)
}

/// Returns whether the byte means nothing in any text. Some of these bytes have a meaning in canonical text. Ctrl-Z ends the files of DOS.
pub(crate) const fn is_control(byte: &u8) -> bool {
    matches!(*byte, 0..=8 | 0x1a)
}

/// Returns whether the byte may be in the name of a tag.
pub(crate) const fn is_tag_name(byte: u8) -> bool {
    byte > b' ' && byte != 0x7f && !matches!(byte, b'"' | b'[' | b']' | b'{' | b'}')
}

/// Returns whether the byte may start the name of a tag.
const fn begins_tag_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

impl<'a> Text<'a> {
    /// Returns the byte at this place, or `None` at the end of the source.
    pub(crate) fn byte(self, at: usize) -> Result<Option<u8>, NeedMore> {
        match self.bytes.get(at) {
            Some(&byte) => Ok(Some(byte)),
            None => self.end_of(None),
        }
    }

    /// Returns the byte before this place, or `None` at the start of the text.
    pub(crate) fn before(self, at: usize) -> Option<u8> {
        self.bytes.get(at.checked_sub(1)?).copied()
    }

    /// Returns whether a line begins at this place.
    pub(crate) fn at_line_start(self, at: usize) -> bool {
        matches!(self.before(at), None | Some(b'\n' | b'\r'))
    }

    /// Returns the bytes from this place on.
    pub(crate) fn from(self, at: usize) -> &'a [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    /// Returns the bytes in this range.
    pub(crate) fn slice(self, range: Range<usize>) -> &'a [u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// Returns the first place from `at` on whose byte is not of the given kind, or the end of the source.
    pub(crate) fn skip(self, at: usize, kind: impl Fn(u8) -> bool) -> Result<usize, NeedMore> {
        match self.from(at).iter().position(|&byte| !kind(byte)) {
            Some(length) => Ok(at + length),
            None => self.end_of(self.bytes.len()),
        }
    }

    /// Returns the end of the line, before its line break. Windows, Unix and old Macintosh line breaks are known.
    pub(crate) fn line_end(self, at: usize) -> Result<usize, NeedMore> {
        match memchr2(b'\n', b'\r', self.from(at)) {
            Some(length) => Ok(at + length),
            None => self.end_of(self.bytes.len()),
        }
    }

    /// Returns the length of the blank at this place, of any kind, or 0. A line break is not a blank.
    pub(crate) fn blank(self, at: usize) -> Result<usize, NeedMore> {
        self.sign(at, blank_length)
    }

    /// Returns the length of the quote at this place, plain or typographic, or 0.
    pub(crate) fn quote(self, at: usize) -> Result<usize, NeedMore> {
        self.sign(at, quote_length)
    }

    /// Returns the length of the blank or quote at this place. `length` measures it at the start of a complete text.
    fn sign(self, at: usize, length: impl Fn(&[u8]) -> usize) -> Result<usize, NeedMore> {
        let here = self.from(at);
        match here.first() {
            Some(0x80..) if here.len() < LONGEST_SIGN => self.end_of(length(here)),
            Some(_) => Ok(length(here)),
            None => self.end_of(0),
        }
    }

    /// Returns the first place from `at` on that has no blank.
    pub(crate) fn skip_blanks(self, mut at: usize) -> Result<usize, NeedMore> {
        loop {
            match self.blank(at)? {
                0 => return Ok(at),
                length => at += length,
            }
        }
    }

    /// Returns the place after blanks and at most one line break, which may separate the parts of a tag pair.
    pub(crate) fn skip_gap(self, at: usize) -> Result<usize, NeedMore> {
        let at = self.skip_blanks(at)?;
        let length = match self.byte(at)? {
            Some(b'\r') if self.byte(at + 1)? == Some(b'\n') => 2,
            Some(b'\r' | b'\n') => 1,
            _ => return Ok(at),
        };
        self.skip_blanks(at + length)
    }

    /// Returns the end of the tag name that begins at this place, or `None` if it is too long.
    fn tag_name_end(self, start: usize) -> Result<Option<usize>, NeedMore> {
        let mut end = start;
        while end - start <= TAG_NAME {
            match self.byte(end)? {
                Some(byte) if byte.is_ascii() && is_tag_name(byte) => end += 1,
                Some(0x80..) if self.blank(end)? == 0 => end += character_length(self.from(end)),
                _ => return Ok(Some(end)),
            }
        }
        Ok(None)
    }

    /// Returns the name of the tag pair that begins at this place (`[Name "`) and the place of the quote, or of the last byte of a typographic one.
    pub(crate) fn tag(self, at: usize) -> Result<Option<(&'a [u8], usize)>, NeedMore> {
        let pair = self.bracket_pair(at)?;
        Ok(pair.filter(|(name, _)| name.first().copied().is_some_and(begins_tag_name)))
    }

    /// Does the same for any bytes, or none, in place of a name.
    pub(crate) fn bracket_pair(self, at: usize) -> Result<Option<(&'a [u8], usize)>, NeedMore> {
        if self.bytes.get(at) != Some(&b'[') {
            return Ok(None);
        }
        let start = self.skip_gap(at + 1)?;
        let Some(end) = self.tag_name_end(start)? else {
            return Ok(None);
        };
        let quote = self.skip_gap(end)?;
        let length = self.quote(quote)?;
        Ok((length > 0).then(|| (self.slice(start..end), quote + length - 1)))
    }

    /// Returns the end of what a web page has left at this place: an HTML tag or an entity that is a blank.
    pub(crate) fn markup(self, at: usize) -> Result<Option<usize>, NeedMore> {
        match self.byte(at)? {
            Some(b'<') => {
                let slash = usize::from(self.byte(at + 1)? == Some(b'/'));
                if !self
                    .byte(at + 1 + slash)?
                    .is_some_and(|byte| byte.is_ascii_alphabetic())
                {
                    return Ok(None);
                }
                let is_inside = |byte| !matches!(byte, b'>' | b'<' | b'{' | b'}' | b'\n');
                let end = self.skip(at + 1, is_inside)?;
                Ok((self.byte(end)? == Some(b'>') && end - at <= MARKUP).then_some(end + 1))
            }
            Some(b'&') => {
                for blank in BLANKS {
                    let here = self.from(at);
                    if here.starts_with(blank) {
                        return Ok(Some(at + blank.len()));
                    }
                    if blank.starts_with(here) && !self.complete {
                        return Err(NeedMore);
                    }
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Returns whether there is an empty line directly before this place.
    pub(crate) fn behind_empty_line(self, at: usize) -> bool {
        let before = self.slice(0..at);
        let gap = before.len() - before.trim_ascii_end().len();
        memchr_iter(b'\n', self.slice(at - gap..at)).count() > 1
    }

    /// Returns the terminator at this place if it is a word of its own.
    pub(crate) fn terminator(self, at: usize) -> Result<Option<Outcome>, NeedMore> {
        if self
            .before(at)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        {
            return Ok(None);
        }
        for result in RESULTS {
            let word = result.as_str().as_bytes();
            let here = self.from(at);
            if here.starts_with(word) {
                let ends = self
                    .byte(at + word.len())?
                    .is_none_or(|byte| is_space(byte) || is_control(&byte) || byte >= 0x80);
                return Ok(ends.then_some(result));
            }
            if word.starts_with(here) && !self.complete {
                return Err(NeedMore);
            }
        }
        Ok(None)
    }

    /// Reads the comment whose opening brace is at this place. Braces nest, unless `flat`.
    ///
    /// A comment without an end would swallow the rest of the source. So if tag pairs at the start of a line follow in it and it does not close soon
    /// after, or if it never closes, its first closing brace before these ends it, whatever the nesting. If there is none, the comment ends at the
    /// tag pairs without content. The first closing brace also ends it if tag pairs follow that are in the comment only because of nesting.
    pub(crate) fn comment(self, open: usize, flat: bool) -> Result<Comment, NeedMore> {
        let partner = |limit: usize| {
            let within = self.slice(open..limit.min(self.bytes.len()));
            let length = if flat { memchr(b'}', within) } else { partner(within) }?;
            let end = open + length;
            let first = open + memchr(b'}', within)?;
            let inside = Text {
                bytes: self.slice(0..end),
                complete: true,
            };
            if first < end && inside.tag_line(first).is_some() {
                return None;
            }
            Some(Comment {
                inner: Some(open + 1..end),
                end: end + 1,
                closed: true,
            })
        };
        if let Some(comment) = partner(open + UNCLOSED) {
            return Ok(comment);
        }
        let limit = match self.tag_line(open) {
            Some(tag) => match partner(tag + UNCLOSED) {
                Some(comment) => return Ok(comment),
                None if !self.complete && self.bytes.len() < tag + UNCLOSED => return Err(NeedMore),
                None => tag,
            },
            None => match partner(self.bytes.len()) {
                Some(comment) => return Ok(comment),
                None => self.end_of(self.bytes.len())?,
            },
        };
        Ok(match memchr(b'}', self.slice(open..limit)) {
            Some(length) => Comment {
                inner: Some(open + 1..open + length),
                end: open + length + 1,
                closed: false,
            },
            None => Comment {
                inner: None,
                end: limit,
                closed: false,
            },
        })
    }

    /// Returns the end of the comment of either kind that begins at this place and whether it is closed, or `None` if there is none.
    pub(crate) fn any_comment(self, at: usize, flat: bool) -> Result<Option<(usize, bool)>, NeedMore> {
        Ok(match self.byte(at)? {
            Some(b'{') => {
                let comment = self.comment(at, flat)?;
                Some((comment.end, comment.closed))
            }
            Some(b';') => Some((self.line_end(at)?, true)),
            _ => None,
        })
    }

    /// Returns the first tag pair at the start of a line. One that the end of the text cuts off is not seen.
    fn tag_line(self, from: usize) -> Option<usize> {
        memchr_iter(b'[', self.from(from))
            .map(|offset| from + offset)
            .find(|&at| self.at_line_start(at) && matches!(self.tag(at), Ok(Some(_))))
    }

    pub(crate) fn end_of<T>(self, value: T) -> Result<T, NeedMore> {
        if self.complete { Ok(value) } else { Err(NeedMore) }
    }
}

/// Returns the closing brace that belongs to the opening one at the start.
fn partner(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    memchr2_iter(b'{', b'}', text).find(|&at| {
        match text.get(at) {
            Some(b'{') => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        depth == 0
    })
}
