//! Rewrites the tags of a game, and what is between them and its moves.

use std::collections::HashMap;

use super::Rewrite;
use super::defect::Defect;
use super::tag_pair::TagPair;
use crate::game::Rules;
use crate::pgn::lexer::{NeedMore, is_control, is_space};
use crate::pgn::notation::result_of_tag;

/// The state of a tag section that is being read.
#[derive(Default)]
struct Section<'a> {
    /// The last value of each tag so far.
    values: HashMap<&'a [u8], &'a [u8]>,
    first: &'a [u8],
    last: &'a [u8],
    line_breaks: usize,
    tags: usize,
    /// Whether an empty line or a comment follows the last tag.
    gap: bool,
}

impl<'a> Rewrite<'a> {
    /// Reads tags, and comments between and after them, up to the first word of the movetext or the next game.
    pub(crate) fn read_head(&mut self) -> Result<(), NeedMore> {
        let mut section = Section::default();
        while let Some(byte) = self.text.byte(self.at)? {
            self.go_on()?;
            match byte {
                b'[' => {
                    match self.text.tag(self.at)? {
                        Some((written, quote)) => {
                            let name = self.meant_name(written);
                            if self.begins_next_game(&section, name, quote)? {
                                break;
                            }
                            if name != written {
                                self.rewriter.defect(self.at, Defect::SIGN_IN_TAG);
                            }
                            self.read_tag(&mut section, name, quote)?;
                        }
                        None if self.begins_word(&section)? => break,
                        None => self.skip_valueless_tag()?,
                    }
                    section.line_breaks = 0;
                    section.gap = false;
                }
                b'{' | b';' => {
                    self.mark_line();
                    self.read_any_comment()?;
                    section.gap = !section.first.is_empty();
                }
                b'\n' => {
                    self.at += 1;
                    section.line_breaks += 1;
                    section.gap |= section.line_breaks > 1 && !section.first.is_empty();
                }
                b'%' if self.text.at_line_start(self.at) => {
                    // The line is skipped together with its line break.
                    self.at = self.text.skip_gap(self.text.line_end(self.at)?)?;
                }
                byte if is_control(&byte) => self.skip_control(),
                byte if is_space(byte) => self.at += 1,
                _ => match self.text.blank(self.at)? {
                    0 => break,
                    length => self.at += length,
                },
            }
        }
        if section.first.is_empty() {
            self.rewriter.defect(0, Defect::NO_TAGS);
        }
        Ok(())
    }

    /// Returns the name of a tag without a sign that separates it from the value, as in `[White="Ada"]`.
    fn meant_name(&self, name: &'a [u8]) -> &'a [u8] {
        match name {
            [meant @ .., b'=' | b':'] if self.rewriter.rules == Rules::Full => meant,
            _ => name,
        }
    }

    /// Returns whether a bracket that begins no tag pair begins a word of the moves: no name follows, or it comes after the tags within a line.
    fn begins_word(&self, section: &Section<'a>) -> Result<bool, NeedMore> {
        let next = self.text.byte(self.at + 1)?;
        let is_behind_tags = section.gap && !self.text.at_line_start(self.at);
        Ok(is_behind_tags || next.is_none_or(|byte| is_space(byte) || byte == b'['))
    }

    /// Returns whether a tag begins another game although this one has no moves yet.
    ///
    /// An empty line ends a tag section only if it is followed by a tag that begins games or that the section has already. Without an empty line,
    /// the section must start over: its first tag comes again, then another tag of the section, and they belong to another game.
    fn begins_next_game(&self, section: &Section<'a>, name: &[u8], quote: usize) -> Result<bool, NeedMore> {
        if section.gap {
            return Ok(name == b"Event" || section.values.contains_key(name));
        }
        Ok(name == section.first && name != section.last && self.starts_over(section, name, quote)?)
    }

    /// Returns whether the tags from here to the next restart belong to another game: the second one occurred before, and one that
    /// identifies games has another value.
    fn starts_over(&self, section: &Section<'a>, first: &[u8], quote: usize) -> Result<bool, NeedMore> {
        let (mut name, mut quote) = (first, quote);
        let (mut tags, mut differs) = (0, false);
        loop {
            let pair = self.text.tag_pair(quote)?;
            let before = section.values.get(name);
            if tags == 1 && before.is_none() {
                return Ok(false);
            }
            tags += 1;
            if let (Some(before), Some(value)) = (before, pair.value) {
                differs |= tells_apart(name, first) && *before != self.text.slice(value);
            }
            let next = self.text.skip(pair.end, is_space)?;
            match self.text.tag(next)? {
                Some((next, _)) if next == first => break,
                Some(next) => (name, quote) = next,
                None => break,
            }
        }
        Ok(tags > 1 && differs)
    }

    /// Reads a tag pair.
    fn read_tag(&mut self, section: &mut Section<'a>, name: &'a [u8], quote: usize) -> Result<(), NeedMore> {
        let mut pair = self.text.tag_pair(quote)?;
        if self.rewriter.rules == Rules::Full && self.runs_into_moves(&pair)? {
            pair.skipped = false;
            pair.end = self.behind_value(&pair)?.unwrap_or(pair.end);
        }
        if self.text.slice(self.at..pair.end).iter().any(is_control) {
            self.rewriter.defect(self.at, Defect::CONTROL);
        }
        match pair.value {
            Some(value) => {
                let value = self.text.slice(value);
                match name {
                    b"Result" => self.rewriter.result = Some(result_of_tag(value, self.rewriter.rules)),
                    b"FEN" => {
                        let mut fields = value.split(|byte| is_space(*byte)).filter(|field| !field.is_empty());
                        self.rewriter.is_blacks_start = fields.nth(1) == Some(b"b");
                    }
                    _ => {}
                }
                let bytes = self.rewriter.tags.len() + name.len() + value.len();
                if section.tags < self.rewriter.limits.tags && bytes <= self.rewriter.limits.tag_bytes {
                    section.tags += 1;
                    let above = self.count_lines();
                    self.rewriter.tag_marks.push((self.rewriter.tags.len(), above));
                    self.rewriter.push_tag(name, value);
                    section.values.insert(name, value);
                } else {
                    self.rewriter.defect(self.at, Defect::TOO_MANY_TAGS);
                }
                if section.gap {
                    self.rewriter.defect(self.at, Defect::SPLIT_TAGS);
                }
                if value.contains(&b'\n') || value.contains(&b'\r') {
                    self.rewriter.defect(self.at, Defect::BROKEN_TAG);
                }
                if pair.skipped {
                    self.rewriter.defect(self.at, Defect::TEXT_BEHIND_TAG);
                }
                section.last = name;
            }
            None => self.rewriter.defect(self.at, Defect::UNCLOSED_TAG),
        }
        if section.first.is_empty() {
            section.first = name;
        }
        self.at = pair.end;
        Ok(())
    }

    /// Returns whether text was skipped after a tag although moves are on the line below, so that it must not be left out.
    fn runs_into_moves(&self, pair: &TagPair) -> Result<bool, NeedMore> {
        if !pair.skipped || self.text.byte(pair.end)? == Some(b'[') || self.behind_value(pair)?.is_none() {
            return Ok(false);
        }
        let below = self.text.skip(pair.end, is_space)?;
        let gap = self.text.slice(pair.end..below);
        let is_next_line = gap.iter().filter(|byte| **byte == b'\n').count() < 2 && !gap.starts_with(b"\r\r");
        Ok(is_next_line
            && !matches!(self.text.byte(below)?, None | Some(b'['))
            && self.text.terminator(below)?.is_none())
    }

    /// Returns the place after the bracket of a tag, if it follows the value.
    fn behind_value(&self, pair: &TagPair) -> Result<Option<usize>, NeedMore> {
        let Some(value) = &pair.value else {
            return Ok(None);
        };
        let bracket = self.text.skip_gap(value.end + 1)?;
        Ok((self.text.byte(bracket)? == Some(b']')).then_some(bracket + 1))
    }

    /// Skips brackets without a tag pair, and what follows them on the line unless it can be read.
    fn skip_valueless_tag(&mut self) -> Result<(), NeedMore> {
        let defect = match self.text.bracket_pair(self.at)? {
            Some((name, _)) if !name.is_empty() => Defect::BAD_TAG_NAME,
            _ => Defect::VALUELESS_TAG,
        };
        self.rewriter.defect(self.at, defect);
        self.skip_bracket(false)?;
        if !self.text.follows_tag(self.at)? {
            self.at = self.text.line_end(self.at)?;
        }
        Ok(())
    }
}

/// Returns whether two games of an event have different values of this tag. The first tag of a section counts as such a tag too.
fn tells_apart(name: &[u8], first: &[u8]) -> bool {
    name == first
        || matches!(
            name,
            b"Event" | b"Site" | b"Date" | b"Round" | b"White" | b"Black" | b"FEN"
        )
}
