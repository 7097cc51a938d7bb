//! Code lenses: commands above a query that run it or test its examples.

use gen_lsp_types::{CodeLens, Command, Uri};
use serde_json::Value;

use crate::syntax::token::Span;
use crate::syntax::tree::Rule;
use crate::testing::expectations;

use super::document::Document;

/// The command that searches for a query.
const RUN: &str = "skewer.run";
/// The command that runs the examples of a query.
const TEST: &str = "skewer.test";

/// Returns the lenses of a document for those of these commands that the client has.
pub(super) fn code_lenses(document: &Document, uri: &Uri, commands: &[String]) -> Vec<CodeLens> {
    let header = document.source().tree().all(Rule::header).next();
    let place = header.map_or(Span::default(), |header| header.span().before());
    let lens = |title: String, command: &str| CodeLens {
        range: document.range(place),
        command: Some(Command {
            title,
            tooltip: None,
            command: command.to_owned(),
            arguments: Some(vec![Value::String(uri.0.clone())]),
        }),
        data: None,
    };
    let has = |command: &str| commands.iter().any(|known| known == command);
    let mut lenses = Vec::new();
    if has(RUN) {
        lenses.push(lens("Run".to_owned(), RUN));
    }
    let examples = expectations(document.source()).len();
    if has(TEST) && examples > 0 {
        let title = match examples {
            1 => "Test 1 example".to_owned(),
            count => format!("Test {count} examples"),
        };
        lenses.push(lens(title, TEST));
    }
    lenses
}
