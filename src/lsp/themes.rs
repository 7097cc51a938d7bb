//! `theme "NAME"`: the queries that may be named there, what they find, and where their files are.

use std::path::{Path, PathBuf};

use gen_lsp_types::{CompletionItem, CompletionItemKind, Location, Position, Range, TextEdit, Uri};

use crate::library::{self, description, opening_comment};
use crate::syntax::read_text;
use crate::syntax::token::Span;
use crate::syntax::tree::{Node, Rule};

use super::document::Document;
use super::paths::{path_of, uri_of};

/// The extension of query files.
const FILE: &str = ".cql";

/// The name of a theme in a text, without quotes.
pub(super) struct Name<'d> {
    pub(super) text: &'d str,
    pub(super) span: Span,
}

/// Returns the names of themes, in the order of the text.
pub(super) fn names(document: &Document) -> impl Iterator<Item = Name<'_>> {
    let texts = document.source().tree().nodes();
    let texts = texts.filter(|node| matches!(node.rule(), Rule::string | Rule::open_string));
    texts.filter_map(move |text| name(document, text))
}

fn name<'d>(document: &'d Document, text: Node<'_>) -> Option<Name<'d>> {
    let source = document.source();
    let word = text.previous()?;
    let is_theme = source.slice(word.span()) == "theme" && document.beyond_word("theme").is_some();
    let whole = text.span();
    let end = match text.rule() {
        Rule::open_string => whole.end,
        _ => whole.end.saturating_sub(1),
    };
    let span = Span {
        start: whole.start + 1,
        end: end.max(whole.start + 1),
    };
    is_theme.then(|| Name {
        text: source.slice(span),
        span,
    })
}

/// Returns the name at a place.
pub(super) fn name_at(document: &Document, offset: u32) -> Option<Name<'_>> {
    names(document).find(|name| name.span.start <= offset && offset <= name.span.end)
}

/// Returns the queries that may be named at a place, if it is in the name of a theme: files in the folder of the query, and those of the
/// library.
pub(super) fn completion(document: &Document, offset: u32) -> Option<Vec<CompletionItem>> {
    let name = name_at(document, offset)?;
    let range = document.range(name.span);
    let files = files_beside(document).into_iter().map(|file| {
        let text = read_text(&file).unwrap_or_default();
        let label = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        item(
            label,
            CompletionItemKind::File,
            description(&String::from_utf8_lossy(&text)),
            range,
        )
    });
    let queries = library::queries().map(|query| {
        let is_alone = library::named(query.short_name()).len() == 1;
        let label = if is_alone { query.short_name() } else { query.name() };
        item(
            label.to_owned(),
            CompletionItemKind::Reference,
            query.description(),
            range,
        )
    });
    Some(files.chain(queries).collect())
}

fn item(label: String, kind: CompletionItemKind, description: String, range: Range) -> CompletionItem {
    CompletionItem {
        kind: Some(kind),
        detail: Some(description),
        text_edit: Some(TextEdit::new(range, label.clone()).into()),
        label,
        ..CompletionItem::default()
    }
}

/// Returns the other queries in the folder of a query.
fn files_beside(document: &Document) -> Vec<PathBuf> {
    let own = path_of(&Uri::from(document.source().name()));
    let Some(folder) = own.as_deref().and_then(Path::parent) else {
        return Vec::new();
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files
        .retain(|file| file.extension().is_some_and(|extension| extension == &FILE[1..]) && Some(file) != own.as_ref());
    files.sort();
    files
}

/// Returns the description of a theme: the comment at the top of its text, or why it does not exist.
pub(super) fn about(document: &Document, name: &Name<'_>) -> Option<String> {
    let lookup = document.options().themes?;
    Some(match lookup.find(name.text, None) {
        Ok(query) => {
            let lines: Vec<&str> = opening_comment(query.source.text()).map(str::trim).collect();
            format!("`{}`\n\n{}", query.source.name(), lines.join("\n").trim())
        }
        Err(error) => format!("`{}`: {}", name.text, error.reason),
    })
}

/// Returns whether a theme of this name is a file, not a query of the library.
pub(super) fn is_file(name: &str) -> bool {
    name.ends_with(FILE)
}

/// Returns the file of a theme, if it is one and exists.
pub(super) fn file(uri: &Uri, name: &str) -> Option<PathBuf> {
    let folder = path_of(uri)?;
    let file = folder.parent()?.join(name);
    (is_file(name) && file.is_file()).then_some(file)
}

/// Returns the beginning of the theme at a position, if it is a file.
pub(super) fn definition(document: &Document, uri: &Uri, position: Position) -> Option<Location> {
    let name = name_at(document, document.offset(position))?;
    let file = file(uri, name.text)?;
    Some(Location {
        uri: uri_of(&file)?,
        range: Range::default(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::lsp::document::Encoding;

    /// Returns a document, and the offset of the `¦` in it.
    fn marked(address: &str, text: &str) -> (Document, u32) {
        let offset = text.find('¦').expect("a mark") as u32;
        (
            Document::new(address, text.replace('¦', ""), 1, Encoding::Utf16),
            offset,
        )
    }

    fn labels(address: &str, text: &str) -> Option<Vec<String>> {
        let (document, offset) = marked(address, text);
        let items = completion(&document, offset)?;
        Some(items.into_iter().map(|item| item.label).collect())
    }

    #[test]
    fn queries_of_the_library_are_offered_in_the_name_of_a_theme_alone() {
        for text in [
            "cql() theme \"¦\"",
            "cql() theme \"smo¦thered-mate\" mate",
            "cql() mate theme \"smo¦",
        ] {
            let labels = labels("q.cql", text).unwrap_or_default();
            assert!(
                labels.contains(&"smothered-mate".to_owned()),
                "{text}: {}",
                labels.len()
            );
            assert!(
                labels.contains(&"motifs/perpetual-check".to_owned()),
                "sections share this name"
            );
            assert_eq!(labels.len(), library::queries().count());
        }
        for text in [
            "cql() ¦theme \"a\"",
            "cql() player \"¦\"",
            "cql() theme=\"¦\"",
            "cql() theme ¦",
        ] {
            assert_eq!(labels("q.cql", text), None, "{text}");
        }
    }

    #[test]
    fn what_is_chosen_takes_the_place_of_the_whole_name() {
        let (document, offset) = marked("q.cql", "cql() theme \"smothered¦-mates\"");
        let items = completion(&document, offset).expect("names");
        let item = items
            .iter()
            .find(|item| item.label == "smothered-mate")
            .expect("it is offered");
        let edit = TextEdit::new(document.range(Span::new(13, 28)), "smothered-mate".to_owned());
        assert_eq!(item.text_edit, Some(edit.into()));
        assert!(
            item.detail
                .as_ref()
                .is_some_and(|detail| detail.starts_with("Smothered mate"))
        );
    }

    #[test]
    fn files_beside_the_query_are_offered_shown_and_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| folder.path().join(name);
        fs::write(file("mine.cql"), "// A check that mates.\nmate").expect("it can be written");
        fs::write(file("q.cql"), "theme \"mine.cql\"").expect("it can be written");
        fs::write(file("notes.txt"), "").expect("it can be written");
        let address = uri_of(&file("q.cql")).expect("an address");
        let offered = labels(&address.0, "theme \"¦\"").unwrap_or_default();
        assert_eq!(
            offered.first().map(String::as_str),
            Some("mine.cql"),
            "the first of {}",
            offered.len()
        );
        assert!(!offered.contains(&"q.cql".to_owned()));

        let (document, offset) = marked(&address.0, "theme \"mi¦ne.cql\"");
        let name = name_at(&document, offset).expect("a name");
        let about = about(&document, &name).unwrap_or_default();
        assert!(about.ends_with("A check that mates."), "{about}");
        let place = definition(&document, &address, document.position(offset)).map(|place| place.uri);
        assert_eq!(place, uri_of(&file("mine.cql")));

        let (document, offset) = marked(&address.0, "theme \"no¦ne.cql\"");
        assert_eq!(definition(&document, &address, document.position(offset)), None);
    }

    #[test]
    fn the_comment_of_a_query_of_the_library_is_shown() {
        let (document, offset) = marked("q.cql", "cql() theme \"¦smothered-mate\"");
        let name = name_at(&document, offset).expect("a name");
        let text = about(&document, &name).unwrap_or_default();
        assert!(
            text.starts_with("`mates/smothered-mate`\n\nSmothered mate: a knight"),
            "{text}"
        );
        let (document, offset) = marked("q.cql", "cql() theme \"¦smotherd-mate\"");
        let name = name_at(&document, offset).expect("a name");
        let text = about(&document, &name).unwrap_or_default();
        assert!(text.contains("no query of the library has this name"), "{text}");
    }
}
