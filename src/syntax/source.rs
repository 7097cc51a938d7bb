//! The text of a query.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::iter;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::diagnostic::Diagnostic;
use super::forms::Parsed;
use super::token::Span;
use super::tree::{Node, Rule, SIZE_LIMIT, Tree};

/// Stands for each byte that is not part of valid UTF-8. One byte long, so that places in the decoded text and in the file
/// are the same, and, being a control character, an error wherever CQL does not allow arbitrary bytes.
pub(crate) const UNDECODABLE: char = '\u{1a}';

/// Characters are counted once for so many bytes, so that the columns of a very long line cost no more than those of others.
const STRIDE: usize = 4096;

/// The text of a query, as read from a file or the command line.
///
/// A query is a run of bytes: strings and comments may hold any, so invalid UTF-8 is kept.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    bytes: Vec<u8>,
    text: String,
    /// Where the line ends of the text are.
    line_ends: Vec<usize>,
    /// How many characters begin before each multiple of [`STRIDE`] bytes.
    characters: Vec<usize>,
    /// What the grammar makes of it, once someone asks.
    tree: OnceLock<Arc<Tree>>,
    /// The tokens and forms, or the first error, once someone asks.
    parsed: OnceLock<Result<Parsed, Diagnostic>>,
}

/// A part of the text, and the source for the bytes that the text does not show.
#[derive(Clone, Copy)]
pub(super) struct Excerpt<'a> {
    pub(super) source: &'a Source,
    pub(super) text: &'a str,
    pub(super) span: Span,
}

impl<'a> Excerpt<'a> {
    /// The text that follows.
    pub(super) fn rest(&self) -> &'a str {
        self.source.text().get(self.span.end as usize..).unwrap_or("")
    }

    /// The text as it was read.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.source.bytes().get(self.span.range()).unwrap_or(&[])
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        self.name == other.name && self.bytes == other.bytes
    }
}

impl Eq for Source {}

/// Reads the text of a query from a file, as far as it can be one.
///
/// # Errors
/// When it cannot be read, or when it is longer than a query may be.
pub fn read_text(path: &Path) -> io::Result<Vec<u8>> {
    text_of(File::open(path)?)
}

/// The same from a stream.
///
/// # Errors
/// Those of [`read_text`].
pub fn text_of(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(SIZE_LIMIT as u64).read_to_end(&mut bytes)?;
    if bytes.len() < SIZE_LIMIT {
        Ok(bytes)
    } else {
        let message = format!("it is too long for a query, which has fewer than {SIZE_LIMIT} bytes");
        Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
    }
}

/// A place in a text for people: both numbers begin with 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters. Byte order marks at the start of the text do not count.
    pub column: usize,
}

impl Source {
    /// Takes the bytes of a query and the name under which errors mention it, mostly that of its file. Whether the
    /// bytes are a query is found out by [`tokens`](super::tokens).
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Source {
        let bytes = bytes.into();
        let text = decode(&bytes);
        Source {
            name: name.into(),
            line_ends: memchr::memchr_iter(b'\n', text.as_bytes()).collect(),
            characters: counted(&text),
            tree: OnceLock::new(),
            parsed: OnceLock::new(),
            text,
            bytes,
        }
    }

    /// The name given to [`Source::new`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The original bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The decoded text. Each byte that is not part of valid UTF-8 is replaced by the control character U+001A, so that
    /// a [`Span`] is a range of this text as well as of [`Source::bytes`].
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tokens and forms of the text. It is read once, when someone asks first.
    pub fn tree(&self) -> &Arc<Tree> {
        self.tree.get_or_init(|| Arc::new(Tree::new(&self.text)))
    }

    /// The functions whose names stand nowhere else, in order, none inside another. Nobody compiles their bodies.
    pub(crate) fn uncalled_functions(&self) -> Vec<Node<'_>> {
        let mut functions = self.tree().all(Rule::function).peekable();
        if functions.peek().is_none() {
            return Vec::new();
        }
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for name in self.tree().all(Rule::name) {
            *uses.entry(self.slice(name.span())).or_default() += 1;
        }
        let mut uncalled: Vec<Node<'_>> = Vec::new();
        for function in functions {
            let name = function.child(Rule::name).map(|name| self.slice(name.span()));
            let is_outermost = uncalled.last().is_none_or(|last| last.end() <= function.index());
            if is_outermost && name.is_none_or(|name| uses.get(name) == Some(&1)) {
                uncalled.push(function);
            }
        }
        uncalled
    }

    /// The text of a span; empty if the span is not one of this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// A span with its text.
    pub(super) fn excerpt(&self, span: Span) -> Excerpt<'_> {
        Excerpt {
            source: self,
            text: self.slice(span),
            span,
        }
    }

    /// What a parser reads, see [`parse`](super::parse). The text is converted once, when someone asks first.
    pub(super) fn parsed(
        &self,
        parse: impl FnOnce(&Source) -> Result<Parsed, Diagnostic>,
    ) -> Result<Parsed, Diagnostic> {
        self.parsed.get_or_init(|| parse(self)).clone()
    }

    /// The line and the column of a byte.
    pub fn place(&self, offset: u32) -> Place {
        let marks = self.mark_len();
        let offset = self.char_start(offset as usize).max(marks);
        let line = self.lines_before(offset);
        Place {
            line: line + 1,
            column: self.characters(self.line_start(offset)..offset) + 1,
        }
    }

    /// How many lines end before a byte.
    fn lines_before(&self, offset: usize) -> usize {
        self.line_ends.partition_point(|&end| end < offset)
    }

    /// Where the line of a byte begins, after byte order marks.
    pub(super) fn line_start(&self, offset: usize) -> usize {
        match self.lines_before(offset).checked_sub(1) {
            Some(last) => self.line_ends[last] + 1,
            None => self.mark_len(),
        }
    }

    /// Where the line of a byte ends, behind its line end if it has one.
    pub(super) fn line_end(&self, offset: usize) -> usize {
        let end = self.line_ends.get(self.lines_before(offset));
        end.map_or(self.text.len(), |end| end + 1)
    }

    /// How many characters begin in a part of the text.
    pub(super) fn characters(&self, range: Range<usize>) -> usize {
        let before = |offset: usize| {
            let stride = offset / STRIDE;
            self.characters[stride] + beginnings(&self.text.as_bytes()[stride * STRIDE..offset])
        };
        before(range.end) - before(range.start)
    }

    /// The length of the byte order marks at the start.
    pub(super) fn mark_len(&self) -> usize {
        self.text.len() - self.text.trim_start_matches('\u{feff}').len()
    }

    /// The start of the character that the byte is part of, or the end of the text.
    pub(super) fn char_start(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset)
    }
}

fn counted(text: &str) -> Vec<usize> {
    let strides = text.as_bytes().chunks(STRIDE);
    let counts = strides.scan(0, |count, stride| {
        *count += beginnings(stride);
        Some(*count)
    });
    iter::once(0).chain(counts).collect()
}

/// How many characters begin in a piece of UTF-8.
fn beginnings(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| UNDECODABLE));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_keeps_places() {
        let source = Source::new("q", b"a\xffb\xe2\x99c\xe2\x99\x96".to_vec());
        assert_eq!(source.text(), "a\u{1a}b\u{1a}\u{1a}c♖");
        assert_eq!(source.text().len(), source.bytes().len());
    }

    #[test]
    fn columns_of_long_lines_are_those_of_their_characters() {
        let text = "\u{feff}a\n".to_owned() + &"♖x".repeat(3 * STRIDE) + "\n♖";
        let source = Source::new("q", &*text);
        for (offset, _) in text.char_indices().skip(1).step_by(7) {
            let line_start = text[..offset].rfind('\n').map_or(3, |end| end + 1);
            let place = source.place(offset as u32);
            assert_eq!(place.column, text[line_start..offset].chars().count() + 1, "{offset}");
            assert_eq!(source.line_start(offset), line_start);
        }
        assert_eq!(source.line_end(4), 5);
        assert_eq!(source.line_end(5), text.len() - 3);
        assert_eq!(source.line_end(text.len()), text.len());
        assert_eq!(source.characters(0..text.len()), text.chars().count());
    }

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let source = Source::new("q", "\u{feff}♖x\r\ny♖z");
        let place = |offset| (source.place(offset).line, source.place(offset).column);
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(3), (1, 1));
        assert_eq!(place(5), (1, 1), "inside a character");
        assert_eq!(place(6), (1, 2));
        assert_eq!(place(9), (2, 1));
        assert_eq!(place(13), (2, 3));
        assert_eq!(place(99), (2, 4), "beyond the end");
    }
}
