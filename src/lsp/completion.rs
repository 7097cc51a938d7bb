//! What may be written at a place.

use std::collections::HashSet;

use gen_lsp_types::{CompletionItem, CompletionItemKind, Documentation, Position};

use crate::guide;
use crate::query::hhdb_words;
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{beyond_word, keywords};

use super::document::Document;
use super::examples;
use super::hover::{kind, markdown, rows};
use crate::query::declarations::{Declaration, Kind};

/// Where in a query somebody is writing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Before the header.
    Start,
    /// Inside `cql( )`.
    Header,
    /// Behind `hhdb`.
    Study,
    /// Among the filters.
    Body,
    /// In a comment or a text.
    Text,
}

/// The words and names that may stand at a position. Editors pick those that fit what is written of the word already.
pub(super) fn completion(document: &Document, position: Position) -> Vec<CompletionItem> {
    let offset = document.offset(position);
    if let Some(items) = examples::completion(document, offset) {
        return items;
    }
    match place(document, offset) {
        Place::Start => vec![word("cql")],
        Place::Header => keywords::in_header().map(word).collect(),
        Place::Study => hhdb_words().map(study_word).collect(),
        Place::Body => names(document, offset).chain(body_words(document)).collect(),
        Place::Text => Vec::new(),
    }
}

/// What is offered when a sign has been typed that editors ask after by themselves, `?` or a blank: only what follows it in an example.
pub(super) fn after_sign(document: &Document, position: Position) -> Vec<CompletionItem> {
    examples::completion(document, document.offset(position)).unwrap_or_default()
}

fn place(document: &Document, offset: u32) -> Place {
    let is_text = |token: &&Token| {
        matches!(token.kind, TokenKind::String(_)) && token.span.start < offset && offset < token.span.end
    };
    let tokens = document.tokens();
    if document.is_comment(offset) || tokens.iter().any(|token| is_text(&token)) {
        return Place::Text;
    }
    // The word that is being written does not count.
    let before = &tokens[..tokens.partition_point(|token| token.span.end < offset)];
    if before.is_empty() {
        return Place::Start;
    }
    match header_end(document) {
        Some(end) if offset < end => return Place::Header,
        _ => {}
    }
    let last_word = before
        .iter()
        .rev()
        .find(|token| !matches!(token.kind, TokenKind::Name(_)));
    match last_word.map(|token| &token.kind) {
        Some(TokenKind::Word("hhdb")) => Place::Study,
        _ => Place::Body,
    }
}

/// Where the header ends, if the text has one: behind its parenthesis, which may be missing yet.
fn header_end(document: &Document) -> Option<u32> {
    let header = document.source().tree().all(Rule::header).next()?;
    let is_closed = header.child(Rule::close_paren).is_some();
    Some(if is_closed { header.span().end } else { u32::MAX })
}

fn body_words(document: &Document) -> impl Iterator<Item = CompletionItem> {
    guide::words()
        .into_iter()
        .filter(|word| match keywords::place(word) {
            _ if beyond_word(word).is_some() => document.beyond_word(word).is_some(),
            Some(place) => matches!(
                place,
                keywords::Place::Body | keywords::Place::Between | keywords::Place::Anywhere
            ),
            None => document.has_prelude(),
        })
        .map(word)
}

/// A word of the language with what the guide says about it in short.
fn word(label: &'static str) -> CompletionItem {
    let topic = guide::topic(label);
    CompletionItem {
        label: label.to_owned(),
        kind: Some(CompletionItemKind::Keyword),
        detail: topic.as_ref().map(|topic| topic.section.title.clone()),
        documentation: topic.map(|topic| Documentation::from(markdown(rows(&topic)))),
        ..CompletionItem::default()
    }
}

fn study_word(label: &'static str) -> CompletionItem {
    // What is no word is written in quotes.
    let is_word = label.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    CompletionItem {
        label: label.to_owned(),
        kind: Some(CompletionItemKind::Keyword),
        insert_text: (!is_word).then(|| format!("\"{label}\"")),
        ..CompletionItem::default()
    }
}

/// The names that are known at a place.
fn names(document: &Document, offset: u32) -> impl Iterator<Item = CompletionItem> {
    let mut seen = HashSet::new();
    let is_known = move |declaration: &&Declaration| {
        let scope = declaration.scope;
        scope.is_none_or(|scope| scope.start <= offset && offset <= scope.end) && declaration.span.end != offset
    };
    let known = document.names().all().iter().filter(is_known);
    known
        .filter(move |declaration| seen.insert(declaration.name.as_str()))
        .map(|declaration| CompletionItem {
            label: declaration.name.clone(),
            kind: Some(match declaration.kind {
                Kind::Function => CompletionItemKind::Function,
                _ => CompletionItemKind::Variable,
            }),
            detail: Some(kind(document, declaration).to_owned()),
            // Names of the query stand before words of the language.
            sort_text: Some(format!(" {}", declaration.name)),
            ..CompletionItem::default()
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::document::Encoding;
    use crate::syntax::reserved_words;

    /// The labels offered at the `|`.
    fn at(text: &str) -> Vec<String> {
        let offset = text.find('¦').expect("a mark");
        let document = Document::new("q.cql", text.replace('¦', ""), 1, Encoding::Utf16);
        let items = completion(&document, document.position(offset as u32));
        items.into_iter().map(|item| item.label).collect()
    }

    fn offers(text: &str, word: &str) -> bool {
        at(text).iter().any(|label| label == word)
    }

    #[test]
    fn the_place_decides_about_the_words() {
        assert_eq!(at("c¦"), ["cql"]);
        let of_header: Vec<_> = keywords::in_header().collect();
        assert_eq!(of_header.len(), 10);
        assert_eq!(at("cql(in¦) mate"), of_header);
        assert_eq!(at("cql(input a.pgn ¦"), of_header);
        assert!(offers("cql() att¦", "attacks") && !offers("cql() att¦", "matchcount"));
        assert!(offers("cql() hhdb ¦", "correction") && !offers("cql() hhdb ¦", "attacks"));
        assert!(offers("cql() hhdb cor¦", "correction"));
        assert!(
            offers("cql() hhdb correction ¦", "correction"),
            "several words make an award"
        );
        assert!(at("cql() // att¦").is_empty() && at("cql() \"att¦\"").is_empty());
        assert!(offers("cql() \"a\" ¦", "attacks"));
    }

    #[test]
    fn examples_are_completed_by_what_stands_before() {
        assert_eq!(at("//? ¦")[..2], ["match", "match pgn"]);
        assert_eq!(at("//?¦")[..2], ["match", "match pgn"]);
        assert_eq!(at("//? no ¦"), ["match"]);
        assert_eq!(at("//? no match ¦"), ["pgn", "game"]);
        assert_eq!(at("//? match pgn \"1. e4\" ¦"), ["at", "with"]);
        assert_eq!(at("//? match pgn \"1. e4\" at ¦"), ["exactly"]);
        assert_eq!(at("//? match pgn \"1. e4\" with W¦")[..2], ["FEN", "White"]);
        assert!(at("//? match pgn \"1. e4\" with White \"A\" ¦").contains(&"at".to_owned()));
        let next = at("//? match pgn \"1. e4\"\r\n//? ¦\nmate");
        assert_eq!(next[..3], ["at", "with", "match"], "on the next line");
        assert_eq!(at("//? match game \"a.pgn\" 3 ¦"), ["at"]);
        assert!(at("//? allow ¦").contains(&"unused-variable".to_owned()));
        assert_eq!(at("//? match \"4k3¦"), [] as [&str; 0], "in a string");
        assert_eq!(at("//? match \"4k3\" ¦"), [] as [&str; 0]);
        assert_eq!(at("// ¦"), [] as [&str; 0], "an ordinary comment");
        let document = Document::new("q.cql", "cql() R ".to_owned(), 1, Encoding::Utf16);
        assert!(after_sign(&document, document.position(8)).is_empty());
    }

    #[test]
    fn names_are_offered_where_they_are_known() {
        let text = "cql() function Fork(man) {man ¦} total=1";
        assert!(offers(text, "man") && offers(text, "Fork") && offers(text, "total"));
        assert!(!offers("cql() function Fork(man) {man} total=1 ¦", "man"));
        assert!(!offers("cql() to¦", "to¦"), "not the word that is being written");
        assert!(!offers("cql() tot¦=1", "tot"));
    }

    #[test]
    fn every_word_is_offered_somewhere() {
        let (header, body) = (at("cql(¦)"), at("cql() ¦"));
        for word in reserved_words() {
            let known = |words: &[String]| words.iter().any(|known| known == word);
            let left_out = [
                "any",
                "arrow",
                "cql",
                "extension",
                "oldline",
                "pgn",
                "substring",
                "transform",
            ];
            let rare = ["cql_abort", "cql_hhdbhascook"];
            assert!(
                known(&header) || known(&body) || left_out.contains(&word) || rare.contains(&word),
                "{word}"
            );
        }
    }
}
