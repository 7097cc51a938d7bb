//! The rows of the tables in the guide, as short descriptions.

use super::markdown::{Block, Piece, Text};
use super::tokens::kind_of_token;
use crate::syntax::token::TokenKind;
use crate::syntax::{Source, keywords, scan};

/// A row of a table: syntax and its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The heading above the table.
    pub section: String,
    /// The syntax.
    pub syntax: Text,
    /// Whether it is about several words of the language.
    pub is_shared: bool,
    /// The meaning. If there are several columns, they are separated by semicolons.
    pub meaning: Text,
}

/// A row, with the words and signs in the code of its first column.
#[derive(Debug)]
pub(super) struct IndexedRow {
    row: Row,
    words: Vec<&'static str>,
}

/// Returns the rows of all tables in a section.
pub(super) fn of(title: &str, blocks: &[Block]) -> Vec<IndexedRow> {
    let tables = blocks.iter().filter_map(|block| match block {
        Block::Table { rows, .. } => Some(rows),
        _ => None,
    });
    let rows = tables.flatten().filter_map(|cells| cells.split_first());
    let rows = rows.map(|(syntax, meanings)| {
        let words = words(syntax);
        let row = Row {
            section: title.to_owned(),
            syntax: syntax.clone(),
            is_shared: words.iter().any(|word| *word != words[0]),
            meaning: joined(meanings),
        };
        IndexedRow { row, words }
    });
    rows.collect()
}

impl IndexedRow {
    /// Returns the row, if it names the word.
    pub(super) fn naming(&self, word: &str) -> Option<Row> {
        self.words.contains(&word).then(|| self.row.clone())
    }
}

/// Returns the words and signs of the language in the code of a text.
pub(super) fn words(cell: &Text) -> Vec<&'static str> {
    let codes = cell.0.iter().filter_map(|piece| match piece {
        Piece::Code(code) => Some(Source::new("", code.as_str())),
        Piece::Plain(_) | Piece::Strong(_) => None,
    });
    codes
        .flat_map(|code| scan(&code).0)
        .filter_map(|token| word(&token.kind))
        .collect()
}

/// Returns the word of a token. Designators, numbers and strings have none, because they occur as examples in many rows.
fn word(token: &TokenKind) -> Option<&'static str> {
    match token {
        TokenKind::Designator(_) | TokenKind::Integer(_) | TokenKind::String(_) => None,
        TokenKind::Name(name) => keywords::explained_name(name),
        kind => kind_of_token(kind),
    }
}

fn joined(cells: &[Text]) -> Text {
    let mut text = Text::default();
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            text.0.push(Piece::Plain("; ".to_owned()));
        }
        text.0.extend(cell.0.iter().cloned());
    }
    text
}
