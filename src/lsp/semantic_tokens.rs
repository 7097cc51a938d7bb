//! Semantic tokens: the kind of each token, and what names stand for.

use gen_lsp_types::{Range, SemanticToken, SemanticTokens, SemanticTokensLegend};

use crate::query::declarations::Kind;
use crate::syntax::annotations;
use crate::syntax::token::{Span, TokenKind};
use crate::syntax::tree::Rule;

use super::document::Document;

/// The kinds of tokens, by their names in editors.
const TYPES: [&str; 10] = [
    "keyword",
    "variable",
    "parameter",
    "function",
    "class",
    "string",
    "number",
    "enumMember",
    "operator",
    "comment",
];

/// The kinds of names.
const NAMES: [&str; 4] = ["variable", "parameter", "function", "class"];

/// Additional properties of a token, one bit each.
const MODIFIERS: [&str; 3] = ["declaration", "defaultLibrary", "documentation"];

const DECLARATION: u32 = 1;
const DEFAULT_LIBRARY: u32 = 1 << 1;
const DOCUMENTATION: u32 = 1 << 2;

/// A token to colour.
struct Coloured {
    span: Span,
    kind: &'static str,
    modifiers: u32,
}

/// Returns the meaning of the numbers in an answer.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.map(str::to_owned).into(),
        token_modifiers: MODIFIERS.map(str::to_owned).into(),
    }
}

/// Returns the tokens of a document, or of a part of it. An editor that has its own colours for words, signs and comments gets only the
/// names.
pub(super) fn semantic_tokens(document: &Document, range: Option<Range>, only_names: bool) -> SemanticTokens {
    let asked = range.map(|range| document.span(range));
    let is_asked = |coloured: &Coloured| {
        asked.is_none_or(|asked| coloured.span.start < asked.end && asked.start < coloured.span.end)
    };
    // To the editor, a word beyond CQL 6.2 is a name.
    let is_named = |coloured: &Coloured| NAMES.contains(&coloured.kind) || coloured.modifiers & DEFAULT_LIBRARY != 0;
    let is_wanted = |coloured: &Coloured| !only_names || is_named(coloured);
    let all = tokens(document).chain(comments(document)).filter(is_wanted);
    let mut coloured: Vec<Coloured> = all.filter(is_asked).collect();
    coloured.sort_by_key(|coloured| coloured.span);
    SemanticTokens {
        result_id: None,
        data: encoded(document, &coloured),
    }
}

fn tokens(document: &Document) -> impl Iterator<Item = Coloured> + '_ {
    document.tokens().iter().filter_map(|token| {
        let (kind, modifiers) = match &token.kind {
            TokenKind::Name(name) => named(document, name, token.span),
            TokenKind::Word(_) | TokenKind::Result(_) => ("keyword", 0),
            TokenKind::String(_) => ("string", 0),
            TokenKind::Integer(_) => ("number", 0),
            TokenKind::Designator(_) => ("enumMember", 0),
            TokenKind::End | TokenKind::PathEnd | TokenKind::LineMessageEnd => return None,
            _ if document
                .source()
                .slice(token.span)
                .starts_with(['(', ')', '{', '}', '[', ']', ',']) =>
            {
                return None;
            }
            _ => ("operator", 0),
        };
        let span = token.span;
        Some(Coloured { span, kind, modifiers })
    })
}

/// Returns what a name stands for.
fn named(document: &Document, name: &str, place: Span) -> (&'static str, u32) {
    match document.names().declaration(name, place) {
        Some(declaration) => {
            let kind = match declaration.kind {
                Kind::Function => "function",
                Kind::Parameter => "parameter",
                Kind::Dictionary => "class",
                Kind::Assignment | Kind::Loop | Kind::Piece | Kind::Position => "variable",
            };
            (kind, if declaration.span == place { DECLARATION } else { 0 })
        }
        None if document.beyond_word(name).is_some() => ("keyword", DEFAULT_LIBRARY),
        None if crate::query::prelude::functions()
            .iter()
            .any(|function| function.name() == name) =>
        {
            ("function", DEFAULT_LIBRARY)
        }
        None => ("variable", 0),
    }
}

/// Returns the comments. Comments for skewer are documentation.
fn comments(document: &Document) -> impl Iterator<Item = Coloured> + '_ {
    let annotations = annotations(document.source());
    let nodes = document.source().tree().nodes();
    let comments = nodes.filter(|node| matches!(node.rule(), Rule::comment | Rule::open_comment));
    comments.map(move |comment| {
        let span = comment.span();
        let index = annotations.partition_point(|annotation| annotation.start < span.start);
        let speaks = annotations
            .get(index)
            .is_some_and(|annotation| span.contains(*annotation));
        Coloured {
            span,
            kind: "comment",
            modifiers: if speaks { DOCUMENTATION } else { 0 },
        }
    })
}

/// Encodes tokens for the protocol, each by its distance from the one before. A token must not extend over a line end, or begin within the
/// one before, as a comment before the name of a file does.
fn encoded(document: &Document, coloured: &[Coloured]) -> Vec<SemanticToken> {
    let mut data = Vec::new();
    let (mut line, mut character) = (0, 0);
    let mut end = 0;
    for Coloured { span, kind, modifiers } in coloured {
        let is_inside = span.start < end;
        end = span.end.max(end);
        for part in document.split_at_lines(*span).filter(|_| !is_inside) {
            let range = document.range(part);
            let delta_line = range.start.line - line;
            if delta_line > 0 {
                character = 0;
            }
            data.push(SemanticToken {
                delta_line,
                delta_start: range.start.character - character,
                length: range.end.character - range.start.character,
                token_type: TYPES.iter().position(|known| known == kind).unwrap_or_default() as u32,
                token_modifiers_bitset: *modifiers,
            });
            (line, character) = (range.start.line, range.start.character);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::document::Encoding;

    /// Returns the tokens with their text, kind and modifiers, decoded as an editor does it.
    fn coloured(text: &str, range: Option<Range>) -> Vec<(String, &'static str, u32)> {
        let document = Document::new("q.cql", text.to_owned(), 1, Encoding::Utf16);
        let (mut line, mut character) = (0, 0);
        let tokens = semantic_tokens(&document, range, false).data.into_iter();
        let decoded = tokens.map(|token| {
            line += token.delta_line;
            character = token.delta_start + if token.delta_line == 0 { character } else { 0 };
            let position = |character| gen_lsp_types::Position { line, character };
            let (start, end) = (position(character), position(character + token.length));
            let span = document.span(Range { start, end });
            let text = document.source().slice(span).to_owned();
            (text, TYPES[token.token_type as usize], token.token_modifiers_bitset)
        });
        decoded.collect()
    }

    #[test]
    fn names_have_the_colour_of_what_they_stand_for() {
        let text = "cql() function F(m) {m & ♖} x=\"𝄞\" skewer(R) F(x) D";
        let found = coloured(text, None);
        let named: Vec<_> = found
            .iter()
            .filter(|(_, kind, _)| !["keyword", "operator"].contains(kind))
            .collect();
        let named: Vec<(&str, &str, u32)> = named
            .iter()
            .map(|(text, kind, bits)| (text.as_str(), *kind, *bits))
            .collect();
        assert_eq!(
            named,
            [
                ("F", "function", DECLARATION),
                ("m", "parameter", DECLARATION),
                ("m", "parameter", 0),
                ("♖", "enumMember", 0),
                ("x", "variable", DECLARATION),
                ("\"𝄞\"", "string", 0),
                ("skewer", "function", DEFAULT_LIBRARY),
                ("R", "enumMember", 0),
                ("F", "function", 0),
                ("x", "variable", 0),
                ("D", "variable", 0),
            ]
        );
    }

    #[test]
    fn comments_of_several_lines_are_several_tokens() {
        let text = "//? match \"8/8 w\"\r\ncql() /* a\r\n\r\nb */ mate // c";
        let comments: Vec<_> = coloured(text, None)
            .into_iter()
            .filter(|(_, kind, _)| *kind == "comment")
            .collect();
        let texts: Vec<(&str, u32)> = comments.iter().map(|(text, _, bits)| (text.as_str(), *bits)).collect();
        assert_eq!(
            texts,
            [
                ("//? match \"8/8 w\"", DOCUMENTATION),
                ("/* a", 0),
                ("b */", 0),
                ("// c", 0)
            ]
        );
    }

    #[test]
    fn no_token_is_inside_of_another() {
        let found = coloured("cql(input /* games\n */ a.pgn) mate", None);
        let texts: Vec<&str> = found.iter().map(|(text, ..)| text.as_str()).collect();
        assert_eq!(texts, ["cql", "input /* games", " */ a.pgn", "mate"]);
    }

    #[test]
    fn a_part_of_a_document_has_its_tokens() {
        let position = |line, character| gen_lsp_types::Position { line, character };
        let range = Range {
            start: position(1, 0),
            end: position(1, 4),
        };
        assert_eq!(
            coloured("cql()\nmate\ncheck", Some(range)),
            [("mate".to_owned(), "keyword", 0)]
        );
    }
}
