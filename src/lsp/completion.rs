//! Completion: what may be written at a place.

use std::collections::HashSet;

use gen_lsp_types::{CompletionItem, CompletionItemKind, Documentation, InsertTextFormat, Position};

use crate::guide::{self, Everyday};
use crate::query::declarations::{Declaration, Kind};
use crate::query::hhdb_words;
use crate::syntax::{beyond_word, keywords};

use super::cursor_context::{CursorContext, cursor_context};
use super::document::Document;
use super::example_help;
use super::hover::{about_topic, kind, markdown};
use super::themes;
use super::word_forms::{self, Form};

/// Returns the words and names that may be at a position, the most suitable first. Editors select those that fit the part of the word that
/// is already written.
pub(super) fn completion(document: &Document, position: Position) -> Vec<CompletionItem> {
    let offset = document.offset(position);
    if let Some(items) = example_help::completion(document, offset).or_else(|| themes::completion(document, offset)) {
        return items;
    }
    match cursor_context(document, offset) {
        CursorContext::Start if document.filters => {
            [word("cql")].into_iter().chain(everything(document, offset)).collect()
        }
        CursorContext::Start => vec![word("cql")],
        CursorContext::Header => keywords::in_header().map(word).collect(),
        CursorContext::Study => hhdb_words().map(study_word).collect(),
        CursorContext::Behind(followers) => {
            let first = followers.iter().enumerate();
            let first = first.map(|(at, follower)| ranked(&format!("  {at:02}"), self::follower(follower)));
            let others = everything(document, offset);
            first
                .chain(others.filter(|item| !followers.contains(&item.label.as_str())))
                .collect()
        }
        CursorContext::Set => names(document, offset)
            .chain(body_words(document).filter(gives_set))
            .collect(),
        CursorContext::Body => everything(document, offset).collect(),
        CursorContext::Text => Vec::new(),
    }
}

/// Returns completions after a sign at which editors ask by themselves: `?`, a space or a quote. There are only those for examples and names
/// of themes.
pub(super) fn after_sign(document: &Document, position: Position) -> Vec<CompletionItem> {
    let offset = document.offset(position);
    let items = example_help::completion(document, offset).or_else(|| themes::completion(document, offset));
    items.unwrap_or_default()
}

/// Turns a snippet into plain text, for a client without snippets.
pub(super) fn write_out(item: &mut CompletionItem) {
    if item.insert_text_format.take() != Some(InsertTextFormat::Snippet) {
        return;
    }
    let Some(snippet) = item.insert_text.take() else { return };
    let mut parts = snippet.split("${");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, behind) = part.split_once('}').unwrap_or((part, ""));
        text += place.split_once(':').map_or(place, |(_, shown)| shown);
        text += behind;
    }
    item.insert_text = Some(text);
}

/// Returns what may be among the filters: names of the query, words of the language, everyday words.
fn everything(document: &Document, offset: u32) -> impl Iterator<Item = CompletionItem> {
    names(document, offset)
        .chain(body_words(document))
        .chain(guide::everyday_words().iter().flat_map(everyday))
}

/// Returns the words of the language, each without and with its operands.
fn body_words(document: &Document) -> impl Iterator<Item = CompletionItem> {
    let known = guide::words().into_iter().filter(|word| match keywords::place(word) {
        _ if beyond_word(word).is_some() => document.beyond_word(word).is_some(),
        Some(place) => matches!(
            place,
            keywords::WordPosition::Body | keywords::WordPosition::Between | keywords::WordPosition::Anywhere
        ),
        None => document.has_prelude(),
    });
    known.flat_map(|label| {
        let form = word_forms::word(label).and_then(|known| known.form.as_ref());
        [Some(word(label)), form.map(|form| written_out(label, form))]
            .into_iter()
            .flatten()
    })
}

fn gives_set(item: &CompletionItem) -> bool {
    let word = item.filter_text.as_ref().unwrap_or(&item.label);
    word_forms::word(word).is_some_and(|known| known.is_set)
}

/// Returns an item with its rank in the list.
fn ranked(rank: &str, item: CompletionItem) -> CompletionItem {
    CompletionItem {
        sort_text: Some(format!("{rank} {}", item.label)),
        ..item
    }
}

/// Returns an item for something that may follow the word before.
fn follower(text: &'static str) -> CompletionItem {
    let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match quoted {
        Some("…") => CompletionItem {
            label: text.to_owned(),
            kind: Some(CompletionItemKind::Snippet),
            insert_text: Some("\"${1:text}\"".to_owned()),
            insert_text_format: Some(InsertTextFormat::Snippet),
            ..CompletionItem::default()
        },
        Some(_) => CompletionItem {
            label: text.to_owned(),
            kind: Some(CompletionItemKind::Value),
            ..CompletionItem::default()
        },
        None => word(text),
    }
}

/// Returns an item for a word with placeholders for its operands.
fn written_out(label: &'static str, form: &Form) -> CompletionItem {
    CompletionItem {
        label: form.shown.clone(),
        kind: Some(CompletionItemKind::Snippet),
        filter_text: Some(label.to_owned()),
        insert_text: Some(form.snippet.clone()),
        insert_text_format: Some(InsertTextFormat::Snippet),
        ..ranked("4", word(label))
    }
}

/// Returns items for words of chess players that are not words of the language, each with a query for it.
fn everyday(everyday: &'static Everyday) -> impl Iterator<Item = CompletionItem> {
    let names = everyday.names.iter().filter(|name| word_forms::word(name).is_none());
    names.map(|name| {
        let item = CompletionItem {
            label: name.clone(),
            kind: Some(CompletionItemKind::Snippet),
            detail: Some(everyday.meaning.to_string()),
            documentation: Some(Documentation::from(markdown(format!(
                "```cql\n{}\n```",
                everyday.example
            )))),
            insert_text: Some(everyday.example.clone()),
            ..CompletionItem::default()
        };
        ranked("7", item)
    })
}

/// Returns an item for a word of the language, with a short description from the guide.
fn word(label: &'static str) -> CompletionItem {
    let topic = guide::topic(label);
    let item = CompletionItem {
        label: label.to_owned(),
        kind: Some(CompletionItemKind::Keyword),
        detail: topic.as_ref().and_then(|topic| Some(topic.summary()?.to_string())),
        documentation: topic.map(|topic| Documentation::from(markdown(about_topic(&topic)))),
        ..CompletionItem::default()
    };
    ranked("3", item)
}

fn study_word(label: &'static str) -> CompletionItem {
    // Text that is not a word is written in quotes.
    let is_word = label.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    CompletionItem {
        label: label.to_owned(),
        kind: Some(CompletionItemKind::Keyword),
        insert_text: (!is_word).then(|| format!("\"{label}\"")),
        ..CompletionItem::default()
    }
}

/// Returns items for the names that are known at a place.
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
            // Names of the query come before words of the language.
            sort_text: Some(format!(" {}", declaration.name)),
            ..CompletionItem::default()
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::document::Encoding;
    use crate::syntax::reserved_words;

    /// Returns the labels offered at the `¦`.
    fn at(text: &str) -> Vec<String> {
        let offset = text.find('¦').expect("a mark");
        let document = Document::new("q.cql", text.replace('¦', ""), 1, Encoding::Utf16);
        let items = completion(&document, document.position(offset as u32));
        items.into_iter().map(|item| item.label).collect()
    }

    #[test]
    fn filters_alone_begin_without_a_header() {
        let mut document = Document::new("q.cql", "chec".to_owned(), 1, Encoding::Utf16);
        document.filters = true;
        let items = completion(&document, document.position(4));
        let labels: Vec<_> = items.iter().map(|item| &*item.label).collect();
        assert!(labels.contains(&"check") && labels.contains(&"cql"));
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

    /// Returns the first labels in the order of their ranks.
    fn first(text: &str) -> Vec<String> {
        let offset = text.find('¦').expect("a mark");
        let document = Document::new("q.cql", text.replace('¦', ""), 1, Encoding::Utf16);
        let mut items = completion(&document, document.position(offset as u32));
        items.sort_by_key(|item| item.sort_text.clone());
        items.into_iter().map(|item| item.label).take(3).collect()
    }

    #[test]
    fn what_belongs_to_the_word_before_stands_first() {
        for (text, expected) in [
            ("cql() move ¦", ["from", "to", "capture"]),
            ("cql() move fr¦", ["from", "to", "capture"]),
            ("cql() move from R ¦", ["to", "capture", "promote"]),
            ("cql() pin from {R | Q} ¦", ["through", "to", "all"]),
            ("cql() player ¦", ["white", "black", "\"…\""]),
            ("cql() player white ¦", ["\"…\"", "abs", "all"]),
            ("cql() result ¦", ["1-0", "0-1", "1/2-1/2"]),
            ("cql() path ¦", ["focus", "singlecolor", "primary"]),
        ] {
            assert_eq!(first(text)[..2], expected[..2], "{text}");
        }
        for text in ["player \"a\" ¦", "result 1-0 ¦", "tag \"Opening\" ¦"] {
            assert_eq!(first(&format!("cql() {text}"))[0], "abs", "{text}");
        }
        assert!(!first("cql() path -- ¦").contains(&"focus".to_owned()));
    }

    #[test]
    fn only_sets_are_offered_where_a_set_stands() {
        for text in [
            "xray(¦",
            "xray(R ¦)",
            "ray up (R pa¦)",
            "R attacks ¦",
            "move from ¦",
            "skewer(¦",
            "light ¦",
            "R & ¦",
        ] {
            let text = format!("cql() {text}");
            assert!(
                offers(&text, "passedpawns") && offers(&text, "pin") && offers(&text, "light S"),
                "{text}"
            );
            assert!(
                !offers(&text, "mate") && !offers(&text, "fork") && !offers(&text, "year"),
                "{text}"
            );
        }
        for text in ["xray({¦", "(¦", "R attacks k ¦"] {
            assert!(offers(&format!("cql() {text}"), "mate"), "{text}");
        }
    }

    #[test]
    fn everyday_words_and_forms_are_written_out() {
        let document = Document::new("q.cql", "cql() ".to_owned(), 1, Encoding::Utf16);
        let items = completion(&document, document.position(6));
        let item = |label: &str| items.iter().find(|item| item.label == label).expect("it is offered");
        assert_eq!(
            item("fork").insert_text.as_deref(),
            Some("flipcolor {(N attacks k) attacks q}")
        );
        let pin = item("pin from S through T to U");
        assert_eq!(pin.filter_text.as_deref(), Some("pin"));
        assert_eq!(
            pin.insert_text.as_deref(),
            Some("pin from ${1:S} through ${2:T} to ${3:U}")
        );
        assert!(
            item("mate")
                .detail
                .as_ref()
                .is_some_and(|detail| detail.contains("checkmated")),
            "{:?}",
            item("mate")
        );
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
        let text = "cql() function Fork(m1) {m1 ¦} total=1";
        assert!(offers(text, "m1") && offers(text, "Fork") && offers(text, "total"));
        assert!(!offers("cql() function Fork(m1) {m1} total=1 ¦", "m1"));
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
