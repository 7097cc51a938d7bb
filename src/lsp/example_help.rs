//! Completion and help in the comments for skewer, `//? …`.

use std::sync::LazyLock;

use gen_lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};

use crate::output::{Diagram, Drawing};
use crate::query::lint::Lint;
use crate::syntax::annotations;
use crate::syntax::table::{Row, Table};
use crate::syntax::token::Span;
use crate::testing::{BEGINNINGS, scene_at};

use super::document::Document;

/// The words of examples, each with an example of its use, below the meaning of the word.
static WORDS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("example_help.txt")));

/// Tags that are common in examples.
const TAGS: [&str; 8] = ["FEN", "White", "Black", "Result", "Event", "Site", "Date", "Variant"];

/// Returns what may be written at a place, if it is in a comment for skewer.
pub(super) fn completion(document: &Document, offset: u32) -> Option<Vec<CompletionItem>> {
    // Quotes in strings do not end them.
    let before = written_before(document, offset)?.replace("\\\"", "");
    let written = Written::of(&before);
    let mut items = written.next();
    // A line may continue the example above it, or begin a new one.
    let (start, _) = document.line_start(offset);
    let line = document.source().slice(Span { start, end: offset });
    let is_first = !line
        .trim_start()
        .trim_start_matches("//?")
        .trim_start()
        .contains([' ', '"']);
    if is_first && !written.in_string && !written.words.is_empty() {
        items.extend(Written::default().next());
    }
    Some(items)
}

/// Returns the text from the beginning of an example to a place in it, without comment marks, or `None` if the place is not in an example.
fn written_before(document: &Document, offset: u32) -> Option<String> {
    let mut text = String::new();
    let mut end = offset;
    loop {
        let (start, _) = document.line_start(end);
        let line = document.source().slice(Span { start, end });
        let line = line.trim_start().strip_prefix("//?")?;
        text = if text.is_empty() {
            line.to_owned()
        } else {
            format!("{line} {text}")
        };
        let first = line.split_whitespace().next().unwrap_or_default();
        let begins = BEGINNINGS.contains(&first) || first == "allow";
        let before = start.checked_sub(1).filter(|_| !begins);
        let Some(before) = before else { return Some(text) };
        let before = document.text()[..before as usize].trim_end_matches('\r').len() as u32;
        let (start, _) = document.line_start(before);
        let line = document.source().slice(Span { start, end: before });
        if !line.trim_start().starts_with("//?") {
            return Some(text);
        }
        end = before;
    }
}

/// The written part of an example.
#[derive(Default)]
struct Written<'t> {
    words: Vec<&'t str>,
    /// Whether it ends with a string.
    behind_string: bool,
    /// Whether a string is open.
    in_string: bool,
}

impl<'t> Written<'t> {
    /// Reads words and strings. The word that is being written does not count.
    fn of(text: &'t str) -> Written<'t> {
        let mut outside: Vec<&str> = text.split('"').step_by(2).collect();
        let in_string = text.matches('"').count() % 2 == 1;
        let mut behind_string = false;
        if !in_string && let Some(last) = outside.last_mut() {
            *last = last.trim_end_matches(|character: char| !character.is_whitespace());
            behind_string = text.contains('"') && last.trim_start().is_empty();
        }
        Written {
            words: outside.into_iter().flat_map(str::split_whitespace).collect(),
            behind_string,
            in_string,
        }
    }

    /// Returns what may follow.
    fn next(&self) -> Vec<CompletionItem> {
        if self.in_string {
            return Vec::new();
        }
        let has = |word: &str| self.words.contains(&word);
        match (self.words.as_slice(), self.behind_string) {
            ([], false) => vec![
                snippet("match", "match \"${1:4k3/8/8/8/8/8/8/4K3 w}\""),
                snippet("match pgn", "match pgn \"${1:1. e4 e5}\" at ${2:2}"),
                snippet("match game", "match game \"${1:games.pgn}\" ${2:1}"),
                snippet("no match", "no match \"${1:4k3/8/8/8/8/8/8/4K3 w}\""),
                snippet("no match pgn", "no match pgn \"${1:1. e4 e5}\""),
                snippet("count", "count \"${1:games.pgn}\""),
                word("allow"),
            ],
            (["allow", ..], _) => Lint::ALL.into_iter().map(lint).collect(),
            (["no"], false) => vec![word("match")],
            (["match"] | ["no", "match"], false) => vec![word("pgn"), word("game")],
            (["count"], true) => Vec::new(),
            ([.., "at"], false) if !has("no") => vec![word("exactly")],
            ([.., "with"], false) => TAGS.into_iter().map(tag).collect(),
            (_, true) if has("with") && !has("at") => TAGS.into_iter().map(tag).chain([word("at")]).collect(),
            (_, true) if has("pgn") && !has("at") => vec![word("at"), word("with")],
            ([.., number], false) if has("game") && is_number(number) && !has("at") => vec![word("at")],
            _ => Vec::new(),
        }
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn word(label: &str) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(CompletionItemKind::Keyword),
        detail: known(label).map(|row| row.heading.to_owned()),
        ..CompletionItem::default()
    }
}

fn snippet(label: &str, text: &str) -> CompletionItem {
    let first = label.split(' ').next().unwrap_or_default();
    CompletionItem {
        kind: Some(CompletionItemKind::Snippet),
        insert_text: Some(text.to_owned()),
        insert_text_format: Some(InsertTextFormat::Snippet),
        detail: known(first).map(|row| row.heading.to_owned()),
        ..word(label)
    }
}

fn tag(name: &str) -> CompletionItem {
    CompletionItem {
        kind: Some(CompletionItemKind::Property),
        ..word(name)
    }
}

fn lint(lint: Lint) -> CompletionItem {
    CompletionItem {
        detail: Some(lint.meaning().to_owned()),
        kind: Some(CompletionItemKind::EnumMember),
        ..word(lint.name())
    }
}

fn known(word: &str) -> Option<&'static Row> {
    WORDS.rows.iter().find(|row| row.key == word)
}

/// Returns help for a place in a comment for skewer, as Markdown: a board, or the meaning of a word.
pub(super) fn hover(document: &Document, offset: u32) -> Option<(String, Span)> {
    let source = document.source();
    let annotations = annotations(source);
    let annotation = annotations
        .iter()
        .find(|span| span.start <= offset && offset <= span.end)?;
    if let Some((span, scene)) = scene_at(source, offset) {
        let diagram = Diagram::of_board(&scene.board, scene.marks, Drawing::default());
        return Some((format!("```text\n{diagram}```\n{}", scene.caption), span));
    }
    let word = word_at(source.slice(*annotation), (offset - annotation.start) as usize)?;
    let span = Span::new(
        annotation.start as usize + word.0,
        annotation.start as usize + word.0 + word.1.len(),
    );
    if let Some(lint) = Lint::ALL.into_iter().find(|lint| lint.name() == word.1) {
        return Some((format!("`{lint}`: {}", lint.meaning()), span));
    }
    let Row { heading, values, .. } = known(word.1)?;
    let example = values.first()?;
    Some((format!("{heading}\n\n```cql\n//? {example}\n```"), span))
}

/// Returns the word at a place of a text, outside of strings, and its offset.
fn word_at(text: &str, at: usize) -> Option<(usize, &str)> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_');
    let before = text.get(..at)?;
    if before.matches('"').count() % 2 == 1 {
        return None;
    }
    let start = before.rfind(|character| !is_part(character)).map_or(0, |at| at + 1);
    let start = text.ceil_char_boundary(start);
    let rest = &text[start..];
    let word = &rest[..rest.find(|character| !is_part(character)).unwrap_or(rest.len())];
    (!word.is_empty()).then_some((start, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_has_a_meaning_and_an_example() {
        for row in &WORDS.rows {
            let is_whole = !row.heading.is_empty() && row.values.len() == 1;
            assert!(is_whole, "example_help.txt:{}", row.line);
        }
    }
}
