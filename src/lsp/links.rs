//! Links to the files that a query names.

use std::path::Path;

use gen_lsp_types::{DocumentLink, Uri};

use crate::syntax::token::Span;
use crate::syntax::tree::Rule;
use crate::testing::{Expectation, expectations, nearest_file};

use super::document::Document;
use super::paths::{path_of, uri_of};
use super::themes;

/// Returns links to those files that a document names and that exist.
pub(super) fn document_links(document: &Document, uri: &Uri) -> Vec<DocumentLink> {
    let Some(query) = path_of(uri) else {
        return Vec::new();
    };
    let named = in_header(document).chain(in_examples(document));
    let files = named.filter_map(|(span, name)| Some((span, nearest_file(&query, &name)?)));
    let themes = themes::names(document).filter_map(|name| Some((name.span, themes::file(uri, name.text)?)));
    files
        .chain(themes)
        .filter_map(|(span, target)| link(document, span, &target))
        .collect()
}

fn link(document: &Document, span: Span, target: &Path) -> Option<DocumentLink> {
    let target = Some(target).filter(|path| path.is_file())?;
    Some(DocumentLink {
        range: document.range(span),
        tooltip: Some(target.display().to_string()),
        target: Some(uri_of(target)?),
        data: None,
    })
}

/// Returns the files in `input games.pgn` and `similarposition`.
fn in_header(document: &Document) -> impl Iterator<Item = (Span, String)> + '_ {
    let source = document.source();
    let names = source.tree().nodes();
    let names = names.filter(|node| matches!(node.rule(), Rule::quoted_name | Rule::bare_name));
    let files = names.filter_map(|name| {
        let text = source.slice(name.span());
        let bare = text.trim_matches('"');
        let start = name.span().start as usize + (text.len() - text.trim_start_matches('"').len());
        (!bare.is_empty()).then(|| Span::new(start, start + bare.len()))
    });
    let similar = source.tree().all(Rule::string).filter(|text| {
        let word = text.previous().map(|word| source.slice(word.span()));
        matches!(word, Some("similarposition" | "nosort" | "notransform"))
    });
    let similar = similar.map(|text| {
        let span = text.span();
        Span {
            start: span.start + 1,
            end: span.end.saturating_sub(1).max(span.start + 1),
        }
    });
    files.chain(similar).map(|span| (span, source.slice(span).to_owned()))
}

/// Returns the files in `//? match game "games.pgn" 3` and `//? count "games.pgn"`.
fn in_examples(document: &Document) -> impl Iterator<Item = (Span, String)> {
    let expectations = expectations(document.source()).into_iter().flatten();
    let files = expectations.filter_map(Expectation::into_file);
    files.map(|file| (file.place(0..file.value.len()), file.value))
}
