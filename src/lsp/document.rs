//! An open document: its text, lines and tokens.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use gen_lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};

use crate::query::declarations::Declarations;
use crate::query::lint::{Warning, lint};
use crate::query::{Options, ThemeLookup, Vocabulary, analyze, has_header};
use crate::syntax::token::{Span, Token, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Source, beyond_word, scan};
use crate::tablebase::Tablebase;
use crate::testing::ExampleProblem;

use super::examples;
use super::paths::path_of;

/// The unit in which columns of positions are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16, which every client knows.
    #[default]
    Utf16,
}

impl Encoding {
    fn width(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
        }
    }
}

/// A problem in a text.
pub(crate) enum Problem {
    /// The text is not a query.
    Error(Diagnostic),
    /// It is a query, but probably not the intended one.
    Warning(Warning),
    /// An example fails.
    Example(ExampleProblem),
}

impl Problem {
    /// Returns the message about it.
    pub(crate) fn diagnostic(&self) -> &Diagnostic {
        match self {
            Problem::Error(diagnostic)
            | Problem::Warning(Warning { diagnostic, .. })
            | Problem::Example(ExampleProblem::Error(diagnostic) | ExampleProblem::Failure(diagnostic)) => diagnostic,
        }
    }
}

/// An open document.
pub(crate) struct Document {
    /// Its version, as counted by the client.
    pub(super) version: i32,
    /// The words that it may use without declaring them.
    pub(super) vocabulary: Vocabulary,
    /// Whether it may consist of filters without a header.
    pub(crate) filters: bool,
    encoding: Encoding,
    source: Source,
    /// The offsets where lines begin; the first is 0.
    lines: Vec<usize>,
    /// The number of UTF-16 units before each [`STRIDE`].
    units: Vec<usize>,
    scanned: OnceCell<(Vec<Token>, Vec<Diagnostic>)>,
    names: OnceCell<Declarations>,
    /// Its problems, once they have been looked for.
    problems: Option<Vec<Problem>>,
    /// The types of names, from the versions of the text that compiled.
    kinds: HashMap<String, &'static str>,
    /// The tablebases for its examples.
    pub(super) tablebase: Option<Arc<Tablebase>>,
    /// The queries that it may name.
    themes: Option<Arc<dyn ThemeLookup>>,
}

/// Returns the queries that the document at an address may name.
fn themes_beside(address: &str) -> Option<Arc<dyn ThemeLookup>> {
    let file = path_of(&Uri::from(address));
    crate::library::themes(file.as_deref().and_then(Path::parent).map(Path::to_owned))
}

impl Document {
    /// Creates a document with this text.
    pub(crate) fn new(name: &str, text: String, version: i32, encoding: Encoding) -> Document {
        Document {
            version,
            vocabulary: Vocabulary::Whole,
            filters: false,
            encoding,
            lines: line_starts(&text),
            units: units_before_strides(&text),
            source: Source::new(name, text),
            scanned: OnceCell::new(),
            names: OnceCell::new(),
            problems: None,
            kinds: HashMap::new(),
            tablebase: None,
            themes: themes_beside(name),
        }
    }

    /// Returns the text with its name.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &str {
        self.source.text()
    }

    /// Applies a change made by the client.
    pub(super) fn change(&mut self, change: TextDocumentContentChangeEvent) {
        let text = match change {
            TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                let Span { start, end } = self.span(change.range);
                let mut text = self.text().to_owned();
                text.replace_range(start as usize..end as usize, &change.text);
                text
            }
            TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => change.text,
        };
        self.lines = line_starts(&text);
        self.units = units_before_strides(&text);
        self.source = Source::new(self.source.name(), text);
        self.scanned = OnceCell::new();
        self.names = OnceCell::new();
        self.problems = None;
    }

    /// Returns the tokens that are recognised, and the errors of the rest.
    fn scanned(&self) -> &(Vec<Token>, Vec<Diagnostic>) {
        self.scanned.get_or_init(|| scan(&self.source))
    }

    /// Returns the tokens of the text, as far as it has any.
    pub(super) fn tokens(&self) -> &[Token] {
        &self.scanned().0
    }

    /// Returns whether the functions of the prelude are known in it.
    pub(super) fn has_prelude(&self) -> bool {
        self.vocabulary == Vocabulary::Whole
    }

    /// Returns the word beyond CQL 6.2 that a name stands for, if the text does not declare the name.
    pub(super) fn beyond_word(&self, name: &str) -> Option<&'static str> {
        let is_known = self.vocabulary != Vocabulary::Cql62 && !self.names().declares(name);
        beyond_word(name).filter(|_| is_known)
    }

    /// Returns the variables and functions.
    pub(super) fn names(&self) -> &Declarations {
        self.names.get_or_init(|| Declarations::of(&self.source))
    }

    /// Returns the problems of the text, if it has been examined.
    pub(crate) fn problems(&self) -> &[Problem] {
        self.problems.as_deref().unwrap_or_default()
    }

    /// Looks for the problems of the text, unless they are known.
    pub(crate) fn examine(&mut self) {
        if self.problems.is_none() {
            self.problems = Some(self.found());
        }
    }

    /// Returns as many problems as can be found at once: the errors of the compiler and, after one that it cannot get past, everything that
    /// is not a token. If there are none, the warnings. Then the examples that fail.
    fn found(&mut self) -> Vec<Problem> {
        let options = self.options();
        let analysis = analyze(&self.source, &options);
        self.kinds.extend(analysis.names);
        let (query, mut errors) = match analysis.result {
            Ok(query) => (Some(query), Vec::new()),
            Err(errors) => (None, errors),
        };
        let examples = examples::findings(&self.source, query.as_ref());
        let examples = examples.into_iter().map(Problem::Example);
        if query.is_some() {
            let warnings = lint(&self.source, &options).unwrap_or_default();
            return warnings.into_iter().map(Problem::Warning).chain(examples).collect();
        }
        let mut others = self.scanned().1.clone();
        // The compiler knows more about the places that it has reported or that its advice would change.
        let is_known = |place: Span| {
            let edits = errors
                .iter()
                .flat_map(|error| error.fixes.iter().flat_map(|fix| &fix.edits));
            let mut known = errors
                .iter()
                .map(|error| error.span)
                .chain(edits.map(|(span, _)| *span));
            known.any(|known| known.contains(place))
        };
        others.retain(|other| !is_known(other.span));
        errors.extend(others);
        errors.into_iter().map(Problem::Error).chain(examples).collect()
    }

    /// Returns the options for compiling the text.
    pub(crate) fn options(&self) -> Options {
        Options {
            filters_only: self.filters && !has_header(self.text()),
            vocabulary: self.vocabulary,
            tablebase: self.tablebase.clone(),
            themes: self.themes.clone(),
            ..Options::default()
        }
    }

    /// Returns the type of a name, such as `a set variable` or `a function`, if a version of the text compiled.
    pub(super) fn kind(&self, name: &str) -> Option<&'static str> {
        self.kinds.get(name).copied()
    }

    /// Returns the tokens at a place: the one that contains it or begins there, then the one that ends there.
    pub(super) fn tokens_at(&self, offset: u32) -> impl Iterator<Item = &Token> {
        let tokens = self.written();
        let after = tokens.partition_point(|token| token.span.end <= offset);
        let inside = tokens.get(after).filter(|token| token.span.start <= offset);
        let before = tokens[..after].last().filter(|token| token.span.end == offset);
        inside.into_iter().chain(before)
    }

    /// Returns the tokens without the end token.
    fn written(&self) -> &[Token] {
        match self.tokens().split_last() {
            Some((last, rest)) if last.kind == TokenKind::End => rest,
            _ => self.tokens(),
        }
    }

    /// Returns whether a place is inside a comment. The end of a comment that continues to the end of its line, or of the text, counts as
    /// inside, because text written there becomes part of it.
    pub(super) fn is_comment(&self, offset: u32) -> bool {
        let nodes = self.source.tree().nodes();
        let comments = nodes.filter(|node| matches!(node.rule(), Rule::comment | Rule::open_comment));
        let last = comments.take_while(|comment| comment.span().start < offset).last();
        last.is_some_and(|comment| {
            let is_closed = comment.rule() == Rule::comment && self.source.slice(comment.span()).starts_with("/*");
            let end = comment.span().end;
            offset < end || offset == end && !is_closed
        })
    }

    /// Returns the offset of a position. Positions outside of the text are moved into it.
    pub(super) fn offset(&self, position: Position) -> u32 {
        let line = position.line as usize;
        let Some(&start) = self.lines.get(line) else {
            return as_place(self.text().len());
        };
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text().len());
        let text = self.text()[start..end].trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (index, character) in text.char_indices() {
            column += self.encoding.width(character);
            if column > position.character as usize {
                return as_place(start + index);
            }
        }
        as_place(start + text.len())
    }

    /// Returns the position of an offset.
    pub(super) fn position(&self, offset: u32) -> Position {
        let offset = self.text().floor_char_boundary(offset as usize);
        let line = self.lines.partition_point(|&start| start <= offset) - 1;
        let start = self.lines[line];
        let column = match self.encoding {
            Encoding::Utf8 => offset - start,
            Encoding::Utf16 => self.units_before(offset) - self.units_before(start),
        };
        Position {
            line: as_place(line),
            character: as_place(column),
        }
    }

    /// Returns the number of UTF-16 units before a byte. It is fast even in a long line with many tokens.
    pub(crate) fn units_before(&self, offset: usize) -> usize {
        let stride = offset / STRIDE;
        self.units[stride] + units(&self.text().as_bytes()[stride * STRIDE..offset])
    }

    /// Returns the range of a span.
    pub(super) fn range(&self, span: Span) -> Range {
        Range {
            start: self.position(span.start),
            end: self.position(span.end.max(span.start)),
        }
    }

    /// Returns the span of a range. The ends of a backward range are swapped.
    pub(super) fn span(&self, range: Range) -> Span {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        Span {
            start: start.min(end),
            end: start.max(end),
        }
    }

    /// Returns the parts of a span on each of its lines, without line ends and empty parts.
    pub(super) fn split_at_lines(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        let first = self.lines.partition_point(|&start| start <= span.start as usize).max(1) - 1;
        let starts = self.lines[first..]
            .iter()
            .take_while(move |&&start| start < span.end as usize);
        let parts = starts.enumerate().filter_map(move |(index, &start)| {
            let end = self.lines.get(first + index + 1).copied().unwrap_or(self.text().len());
            let start = start.max(span.start as usize);
            let line = self.text().get(start..end.min(span.end as usize))?;
            Some(Span::new(start, start + line.trim_end_matches(['\n', '\r']).len()))
        });
        parts.filter(|part| !part.is_empty())
    }

    /// Returns the offset where the line of a place begins, and its indentation.
    pub(super) fn line_start(&self, offset: u32) -> (u32, &str) {
        let line = self.lines.partition_point(|&start| start <= offset as usize) - 1;
        let start = self.lines[line];
        let rest = &self.text()[start..];
        let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        (as_place(start), &rest[..indent])
    }

    /// Returns the lines that a span is on, without white space around them.
    pub(super) fn lines_of(&self, span: Span) -> &str {
        let line = |offset: u32| self.lines.partition_point(|&start| start <= offset as usize) - 1;
        let start = self.lines[line(span.start)];
        let end = self.lines.get(line(span.end) + 1).copied().unwrap_or(self.text().len());
        self.text().get(start..end).unwrap_or_default().trim()
    }
}

fn as_place(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// The number of bytes between two counts of units.
const STRIDE: usize = 1024;

/// Returns the number of UTF-16 units of the characters that begin in these bytes.
fn units(bytes: &[u8]) -> usize {
    let begins = |byte: &u8| byte & 0xc0 != 0x80;
    let is_pair = |byte: &u8| *byte >= 0xf0;
    let counts = bytes
        .iter()
        .map(|byte| usize::from(begins(byte)) + usize::from(is_pair(byte)));
    counts.sum()
}

fn units_before_strides(text: &str) -> Vec<usize> {
    let strides = text.as_bytes().chunks(STRIDE).scan(0, |before, stride| {
        *before += units(stride);
        Some(*before)
    });
    std::iter::once(0).chain(strides).collect()
}

/// Returns where lines begin: after each `
/// `, `\r
/// ` or `\r`, as in the protocol.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|&(index, &byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(index + 1) != Some(&b'\n'),
        _ => false,
    });
    std::iter::once(0).chain(ends.map(|(index, _)| index + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gen_lsp_types::{TextDocumentContentChangePartial, TextDocumentContentChangeWholeDocument};

    fn document(text: &str, encoding: Encoding) -> Document {
        Document::new("q.cql", text.to_owned(), 1, encoding)
    }

    fn position(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn positions_count_in_the_units_of_the_client() {
        let text = "a♖x\r\n𝄞b\rc\n";
        let wide = document(text, Encoding::Utf16);
        let bytes = document(text, Encoding::Utf8);
        for (offset, in_utf16, in_utf8) in [
            (0, (0, 0), (0, 0)),
            (1, (0, 1), (0, 1)),
            (4, (0, 2), (0, 4)),
            (7, (1, 0), (1, 0)),
            (11, (1, 2), (1, 4)),
            (13, (2, 0), (2, 0)),
            (15, (3, 0), (3, 0)),
        ] {
            assert_eq!(wide.position(offset), position(in_utf16.0, in_utf16.1), "{offset}");
            assert_eq!(bytes.position(offset), position(in_utf8.0, in_utf8.1), "{offset}");
            assert_eq!(wide.offset(position(in_utf16.0, in_utf16.1)), offset);
            assert_eq!(bytes.offset(position(in_utf8.0, in_utf8.1)), offset);
        }
    }

    #[test]
    fn positions_on_long_lines_are_those_of_short_ones() {
        let text = "1+♖+𝄞+".repeat(1000);
        let document = document(&text, Encoding::Utf16);
        let mut column = 0;
        for (offset, character) in text.char_indices() {
            assert_eq!(document.position(offset as u32), position(0, column));
            column += character.len_utf16() as u32;
        }
        assert_eq!(document.position(text.len() as u32), position(0, column));
    }

    #[test]
    fn positions_outside_of_the_text_are_brought_into_it() {
        let document = document("ab\n𝄞\n", Encoding::Utf16);
        assert_eq!(document.offset(position(0, 99)), 2);
        assert_eq!(document.offset(position(99, 0)), 8);
        assert_eq!(document.offset(position(1, 1)), 3, "inside of a pair");
        assert_eq!(document.position(4), position(1, 0), "inside of a character");
        assert_eq!(document.position(999), position(2, 0));
    }

    #[test]
    fn changes_are_made_in_turn() {
        let mut document = document("cql() R♖\nmate", Encoding::Utf16);
        let partial = |start: Position, end: Position, text: &str| {
            TextDocumentContentChangeEvent::from(TextDocumentContentChangePartial::new(
                Range { start, end },
                None,
                text.to_owned(),
            ))
        };
        document.change(partial(position(0, 6), position(1, 0), "Q\n\n"));
        assert_eq!(document.text(), "cql() Q\n\nmate");
        document.change(partial(position(9, 9), position(2, 1), "X"));
        assert_eq!(document.text(), "cql() Q\n\nmX", "backwards");
        document.change(TextDocumentContentChangeWholeDocument::new("new".to_owned()).into());
        assert_eq!(document.text(), "new");
        assert_eq!(document.position(3), position(0, 3));
    }

    #[test]
    fn two_tokens_may_be_at_a_place() {
        let document = document("cql() x=R&attacks k", Encoding::Utf8);
        let at = |offset| -> Vec<&str> {
            let tokens = document.tokens_at(offset);
            tokens.map(|token| document.source().slice(token.span)).collect()
        };
        assert_eq!(at(6), ["x"]);
        assert_eq!(at(7), ["=", "x"]);
        assert_eq!(at(12), ["attacks"]);
        assert_eq!(at(17), ["attacks"]);
        assert_eq!(at(19), ["k"], "at the end of the text");
        assert!(at(99).is_empty());
    }

    #[test]
    fn comments_are_recognised_by_where_they_begin() {
        let text = "cql() // a\nR /* b\n*/ K ; c\n\"//\" B";
        let document = document(text, Encoding::Utf8);
        let is_comment = |needle: &str| document.is_comment(text.find(needle).expect("it is there") as u32);
        assert!(is_comment(" a\n") && is_comment(" b\n") && is_comment(" c\n"));
        assert!(!is_comment("R /*") && !is_comment("K ;") && !is_comment("B") && !is_comment("\" B"));
    }
}
