//! Goes from a name to its declaration and its uses, and lists all names.

use std::collections::{HashMap, HashSet};

use gen_lsp_types::{
    DocumentHighlight, DocumentSymbol, Location, Position, Range, SymbolKind, TextEdit, Uri, WorkspaceEdit,
};

use crate::syntax::token::{Span, TokenKind};
use crate::syntax::{Source, scan};

use super::document::Document;
use super::hover::kind;
use crate::query::declarations::Kind;

/// Returns the name at a position.
fn name(document: &Document, position: Position) -> Option<(&str, Span)> {
    let mut tokens = document.tokens_at(document.offset(position));
    tokens.find_map(|token| Some((document.names().at(token.span)?, token.span)))
}

/// Returns where the name at a position is declared.
pub(super) fn definition(document: &Document, uri: &Uri, position: Position) -> Option<Location> {
    let (name, place) = name(document, position)?;
    let declaration = document.names().declaration(name, place)?;
    Some(Location {
        uri: uri.clone(),
        range: document.range(declaration.span),
    })
}

/// Returns all places of the name at a position.
fn places(document: &Document, position: Position) -> Vec<Range> {
    let Some((name, place)) = name(document, position) else {
        return Vec::new();
    };
    let places = document.names().same(name, place).into_iter();
    places.map(|span| document.range(span)).collect()
}

/// Returns the places of a name as locations.
pub(super) fn references(document: &Document, uri: &Uri, position: Position) -> Vec<Location> {
    let places = places(document, position).into_iter();
    places
        .map(|range| Location {
            uri: uri.clone(),
            range,
        })
        .collect()
}

/// Returns the places of a name to highlight while the cursor is on it.
pub(super) fn highlights(document: &Document, position: Position) -> Vec<DocumentHighlight> {
    let places = places(document, position).into_iter();
    places.map(|range| DocumentHighlight { range, kind: None }).collect()
}

/// Returns the range of the name that would be renamed.
pub(super) fn renamed(document: &Document, position: Position) -> Option<Range> {
    let (_, span) = name(document, position)?;
    Some(document.range(span))
}

/// Returns the changes that rename the name at a position.
///
/// # Errors
///
/// Returns why it cannot be renamed: there is no name, or the new one is not a name or is taken.
pub(super) fn rename(document: &Document, uri: &Uri, position: Position, new: &str) -> Result<WorkspaceEdit, String> {
    let (old, _) = name(document, position).ok_or("there is no variable and no function here")?;
    let (tokens, _) = scan(&Source::new("", new));
    let is_name = matches!(tokens.as_slice(), [token, _] if token.kind == TokenKind::Name(new.to_owned()));
    if !is_name {
        return Err(format!("`{new}` cannot be a name"));
    }
    let mut others = document
        .names()
        .all()
        .iter()
        .filter(|declaration| declaration.name != old);
    if others.any(|declaration| declaration.name == new) {
        return Err(format!("`{new}` has a meaning already"));
    }
    let edits = places(document, position).into_iter().map(|range| TextEdit {
        range,
        new_text: new.to_owned(),
    });
    Ok(WorkspaceEdit {
        changes: Some(HashMap::from([(uri.clone(), edits.collect())])),
        ..WorkspaceEdit::default()
    })
}

/// Returns the functions, dictionaries and variables, each at its first declaration.
#[expect(deprecated, reason = "the type has a field that is not used any more")]
pub(super) fn symbols(document: &Document) -> Vec<DocumentSymbol> {
    let mut seen = HashSet::new();
    let declarations = document.names().all().iter();
    let global = declarations.filter(|declaration| declaration.scope.is_none());
    global
        .filter(|declaration| seen.insert(declaration.name.as_str()))
        .map(|declaration| DocumentSymbol {
            name: declaration.name.clone(),
            detail: Some(kind(document, declaration).to_owned()),
            kind: match declaration.kind {
                Kind::Function => SymbolKind::Function,
                Kind::Dictionary => SymbolKind::Object,
                _ => SymbolKind::Variable,
            },
            tags: None,
            deprecated: None,
            range: document.range(declaration.whole),
            selection_range: document.range(declaration.span),
            children: None,
        })
        .collect()
}
