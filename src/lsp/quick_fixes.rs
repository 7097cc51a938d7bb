//! Advice that can be taken by a click.

use std::collections::HashMap;

use gen_lsp_types::{CodeAction, CodeActionKind, Diagnostic, Message, TextEdit, Uri, WorkspaceEdit};

use super::diagnostics::SOURCE;

/// What the advice of a misspelt word begins and ends with.
const ADVICE: (&str, &str) = ("help: did you mean `", "`?");

/// The changes that the advice of these diagnostics proposes.
pub(super) fn quick_fixes(uri: &Uri, diagnostics: Vec<Diagnostic>) -> Vec<CodeAction> {
    let ours = diagnostics
        .into_iter()
        .filter(|diagnostic| diagnostic.source.as_deref() == Some(SOURCE));
    ours.filter_map(|diagnostic| fix(uri, diagnostic)).collect()
}

fn fix(uri: &Uri, diagnostic: Diagnostic) -> Option<CodeAction> {
    let Message::String(message) = &diagnostic.message else {
        return None;
    };
    let word = message
        .lines()
        .find_map(|line| line.strip_prefix(ADVICE.0)?.strip_suffix(ADVICE.1))?
        .to_owned();
    let edit = TextEdit {
        range: diagnostic.range,
        new_text: word.clone(),
    };
    Some(CodeAction {
        title: format!("Change to `{word}`"),
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![diagnostic]),
        is_preferred: Some(true),
        edit: Some(WorkspaceEdit {
            changes: Some(HashMap::from([(uri.clone(), vec![edit])])),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    })
}
