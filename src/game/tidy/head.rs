//! The tags of a game, and what stands between them and its moves.

use std::collections::HashMap;

use super::{Fault, Game};
use crate::game::scan::{NeedMore, Terminator, is_space};

/// What is known of a tag section while it is read.
#[derive(Default)]
struct Section<'a> {
    /// The last value of each tag so far.
    values: HashMap<&'a [u8], &'a [u8]>,
    first: &'a [u8],
    last: &'a [u8],
    line_breaks: usize,
    /// An empty line or a comment stands behind the last tag.
    gap: bool,
}

impl<'a> Game<'a> {
    /// Reads tags, and comments between and after them, up to the first word of the movetext or the next game.
    pub(super) fn read_head(&mut self) -> Result<(), NeedMore> {
        let mut section = Section::default();
        while let Some(byte) = self.text.byte(self.at)? {
            match byte {
                b'[' => {
                    match self.text.tag(self.at)? {
                        Some((name, quote)) => {
                            if self.begins_next_game(&section, name, quote)? {
                                break;
                            }
                            self.read_tag(&mut section, name, quote)?;
                        }
                        None => self.skip_valueless_tag()?,
                    }
                    section.line_breaks = 0;
                    section.gap = false;
                }
                b'{' => {
                    self.read_comment()?;
                    section.gap = !section.first.is_empty();
                }
                b'\n' => {
                    self.at += 1;
                    section.line_breaks += 1;
                    section.gap |= section.line_breaks > 1 && !section.first.is_empty();
                }
                b';' => {
                    self.read_line_comment()?;
                    section.gap = !section.first.is_empty();
                }
                b'%' if self.text.at_line_start(self.at) => self.at = self.text.line_end(self.at)?,
                0 => self.skip_nul(),
                byte if is_space(byte) => self.at += 1,
                _ => break,
            }
        }
        if section.first.is_empty() {
            self.tidier.fault(0, Fault::NoTags);
        }
        Ok(())
    }

    /// Whether a tag begins another game though this one has had no moves yet.
    ///
    /// An empty line alone does not end a tag section, but one and a tag that begins games or that the section has had do. Without an empty line, the tag
    /// with which the section began has to come again, and another tag of the section behind it: a tag that is there twice begins no game.
    fn begins_next_game(&self, section: &Section<'a>, name: &[u8], quote: usize) -> Result<bool, NeedMore> {
        if section.gap {
            return Ok(name == b"Event" || section.values.contains_key(name));
        }
        if name != section.first || name == section.last {
            return Ok(false);
        }
        let end = self.text.tag_pair(quote)?.end;
        let next = self.text.skip(end, is_space)?;
        let next = self.text.tag(next)?;
        Ok(next.is_some_and(|(next, _)| next != name && section.values.contains_key(next)))
    }

    /// Reads a tag pair.
    fn read_tag(&mut self, section: &mut Section<'a>, name: &'a [u8], quote: usize) -> Result<(), NeedMore> {
        let pair = self.text.tag_pair(quote)?;
        if self.text.slice(self.at..pair.end).contains(&0) {
            self.tidier.fault(self.at, Fault::Nul);
        }
        match pair.value {
            Some(value) => {
                let value = self.text.slice(value);
                if name == b"Result" {
                    self.tidier.result = Some(Terminator::of_tag(value));
                }
                self.tidier.push_tag(name, value);
                if section.values.insert(name, value).is_some_and(|before| before != value) {
                    self.tidier.fault(self.at, Fault::RepeatedTag);
                }
                if section.gap {
                    self.tidier.fault(self.at, Fault::SplitTags);
                }
                if value.contains(&b'\n') || value.contains(&b'\r') {
                    self.tidier.fault(self.at, Fault::BrokenTag);
                }
                if pair.skipped {
                    self.tidier.fault(self.at, Fault::TextBehindTag);
                }
                section.last = name;
            }
            None => self.tidier.fault(self.at, Fault::UnclosedTag),
        }
        if section.first.is_empty() {
            section.first = name;
        }
        self.at = pair.end;
        Ok(())
    }

    /// Passes over brackets that hold no tag pair, and over what follows them on the line unless that can be read.
    fn skip_valueless_tag(&mut self) -> Result<(), NeedMore> {
        self.tidier.fault(self.at, Fault::ValuelessTag);
        self.skip_bracket()?;
        if !self.text.follows_tag(self.at)? {
            self.at = self.text.line_end(self.at)?;
        }
        Ok(())
    }
}
