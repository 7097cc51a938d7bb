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

/// Replaces each byte that is not part of valid UTF-8. It is one byte long, so that offsets in the decoded text and in the file are the
/// same. As a control character, it is an error wherever CQL does not allow arbitrary bytes.
pub(crate) const UNDECODABLE: char = '\u{1a}';

/// Characters are counted once for every this many bytes, so that columns in a very long line are not slower to compute.
const STRIDE: usize = 4096;

/// The text of a query, from a file or the command line.
///
/// A query is a sequence of bytes. Strings and comments may contain any, so invalid UTF-8 is kept.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    bytes: Vec<u8>,
    text: String,
    /// The offsets of the line ends.
    line_ends: Vec<usize>,
    /// How many characters begin before each multiple of [`STRIDE`] bytes.
    characters: Vec<usize>,
    /// The tree of the grammar, once it is needed.
    tree: OnceLock<Arc<Tree>>,
    /// The tokens and forms, or the first error, once they are needed.
    parsed: OnceLock<Result<Parsed, Diagnostic>>,
}

/// A part of the text, with its source for the bytes that the text does not show.
#[derive(Clone, Copy)]
pub(super) struct Excerpt<'a> {
    pub(super) source: &'a Source,
    pub(super) text: &'a str,
    pub(super) span: Span,
}

impl<'a> Excerpt<'a> {
    /// Returns the text after it.
    pub(super) fn rest(&self) -> &'a str {
        self.source.text().get(self.span.end as usize..).unwrap_or("")
    }

    /// Returns its bytes as they were read.
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

/// Reads the text of a query from a file.
///
/// # Errors
/// Returns an error if the file cannot be read, or if it is longer than a query may be.
pub fn read_text(path: &Path) -> io::Result<Vec<u8>> {
    text_of(File::open(path)?)
}

/// Reads the text of a query from a stream.
///
/// # Errors
/// Returns the same errors as [`read_text`].
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

/// A place in a text for people. Both numbers begin with 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters. Byte order marks at the start of the text do not count.
    pub column: usize,
}

impl Source {
    /// Creates a source from the bytes of a query. Errors mention the name, which is usually a file name. The bytes are not checked here but
    /// by [`tokens`](super::tokens).
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

    /// Returns the name given to [`Source::new`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the original bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the decoded text. Each byte that is not part of valid UTF-8 is replaced by the control character U+001A, so that a [`Span`]
    /// is a range of this text as well as of [`Source::bytes`].
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the tree of the text. It is built when it is first needed.
    pub fn tree(&self) -> &Arc<Tree> {
        self.tree.get_or_init(|| Arc::new(Tree::new(&self.text)))
    }

    /// Returns the functions whose names occur nowhere else, in order and without those inside another. Their bodies are never compiled.
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

    /// Returns the text of a span, which is empty if the span is not within this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Returns a span with its text.
    pub(super) fn excerpt(&self, span: Span) -> Excerpt<'_> {
        Excerpt {
            source: self,
            text: self.slice(span),
            span,
        }
    }

    /// Returns the tokens and forms of the text; see [`parse`](super::parse). They are computed when they are first needed.
    pub(super) fn parsed(
        &self,
        parse: impl FnOnce(&Source) -> Result<Parsed, Diagnostic>,
    ) -> Result<Parsed, Diagnostic> {
        self.parsed.get_or_init(|| parse(self)).clone()
    }

    /// Returns the line and the column of a byte.
    pub fn place(&self, offset: u32) -> Place {
        let marks = self.mark_len();
        let offset = self.char_start(offset as usize).max(marks);
        let line = self.lines_before(offset);
        Place {
            line: line + 1,
            column: self.characters(self.line_start(offset)..offset) + 1,
        }
    }

    /// Returns how many lines end before a byte.
    fn lines_before(&self, offset: usize) -> usize {
        self.line_ends.partition_point(|&end| end < offset)
    }

    /// Returns the offset where the line of a byte begins, after byte order marks.
    pub(super) fn line_start(&self, offset: usize) -> usize {
        match self.lines_before(offset).checked_sub(1) {
            Some(last) => self.line_ends[last] + 1,
            None => self.mark_len(),
        }
    }

    /// Returns the offset where the line of a byte ends, after its line end if it has one.
    pub(super) fn line_end(&self, offset: usize) -> usize {
        let end = self.line_ends.get(self.lines_before(offset));
        end.map_or(self.text.len(), |end| end + 1)
    }

    /// Returns how many characters begin in a part of the text.
    pub(super) fn characters(&self, range: Range<usize>) -> usize {
        let before = |offset: usize| {
            let stride = offset / STRIDE;
            self.characters[stride] + beginnings(&self.text.as_bytes()[stride * STRIDE..offset])
        };
        before(range.end) - before(range.start)
    }

    /// Returns the length of the byte order marks at the beginning.
    pub(super) fn mark_len(&self) -> usize {
        self.text.len() - self.text.trim_start_matches('\u{feff}').len()
    }

    /// Returns the offset of the character that the byte is part of, or the end of the text.
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

/// Returns how many characters begin in a piece of UTF-8.
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
