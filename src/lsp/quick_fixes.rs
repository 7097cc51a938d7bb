//! Quick fixes: the changes that a message proposes, and the comment that allows what a warning is about.

use std::collections::HashMap;

use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, Diagnostic as Shown, TextEdit, Uri, WorkspaceEdit};

use crate::query::lint::Lint;
use crate::syntax::Fix;
use crate::syntax::token::Span;

use super::diagnostics::{place, shown};
use super::document::{Document, Problem};

/// Returns the changes proposed for a part of a document. There are none if the client wants actions of another kind.
pub(super) fn quick_fixes(document: &mut Document, params: &CodeActionParams) -> Vec<CodeAction> {
    let is_wanted = |kinds: &Vec<CodeActionKind>| kinds.contains(&CodeActionKind::QuickFix);
    if !params.context.only.as_ref().is_none_or(is_wanted) {
        return Vec::new();
    }
    document.examine();
    let document = &*document;
    let uri = &params.text_document.uri;
    let asked = document.span(params.range);
    let touches = |problem: &&Problem| {
        let place = place(document.text(), problem.diagnostic());
        place.start <= asked.end && asked.start <= place.end
    };
    let touched = document.problems().iter().filter(touches);
    touched.flat_map(|problem| fixes(document, uri, problem)).collect()
}

/// Returns the changes for one problem, the best first.
fn fixes(document: &Document, uri: &Uri, problem: &Problem) -> Vec<CodeAction> {
    let shown = shown(document, uri, problem);
    let proposed = &problem.diagnostic().fixes;
    let is_only = proposed.len() == 1;
    let allowed = match problem {
        Problem::Warning(warning) => Some((allowance(document, warning.lint, warning.diagnostic.span), false)),
        _ => None,
    };
    let proposed = proposed.iter().cloned().map(|fix| (fix, is_only)).chain(allowed);
    proposed
        .map(|(fix, is_preferred)| action(document, uri, &shown, fix, is_preferred))
        .collect()
}

fn action(document: &Document, uri: &Uri, shown: &Shown, fix: Fix, is_preferred: bool) -> CodeAction {
    let edits = fix.edits.into_iter().map(|(span, new_text)| TextEdit {
        range: document.range(span),
        new_text,
    });
    CodeAction {
        title: fix.title,
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![shown.clone()]),
        is_preferred: Some(is_preferred),
        edit: Some(WorkspaceEdit {
            changes: Some(HashMap::from([(uri.clone(), edits.collect())])),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    }
}

/// Returns the change that adds a comment to allow what a warning is about, on a line of its own above it.
pub(crate) fn allowance(document: &Document, lint: Lint, span: Span) -> Fix {
    let (line, indent) = document.line_start(span.start);
    Fix {
        title: format!("Allow `{lint}` in this query"),
        edits: vec![(Span { start: line, end: line }, format!("{indent}//? allow {lint}\n"))],
    }
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{CodeActionContext, TextDocumentIdentifier};

    use super::*;
    use crate::lsp::document::Encoding;

    /// Returns the text after each change for the first problem of a text, with the titles of the changes.
    fn fixed(text: &str) -> Vec<(String, String)> {
        let mut document = Document::new("q.cql", text.to_owned(), 1, Encoding::Utf16);
        document.examine();
        let uri = Uri::from("file:///q.cql");
        let Some(first) = document.problems().first() else {
            return Vec::new();
        };
        let place = place(document.text(), first.diagnostic());
        let params = CodeActionParams {
            text_document: TextDocumentIdentifier { uri: uri.clone() },
            range: document.range(place),
            context: CodeActionContext::default(),
            work_done_progress_params: Default::default(),
            partial_result_params: Default::default(),
        };
        let actions = quick_fixes(&mut document, &params).into_iter();
        actions
            .map(|action| (action.title.clone(), applied(&document, action)))
            .collect()
    }

    fn applied(document: &Document, action: CodeAction) -> String {
        let changes = action.edit.and_then(|edit| edit.changes).expect("changes");
        let mut edits: Vec<_> = changes
            .into_values()
            .flatten()
            .map(|edit| (document.span(edit.range), edit.new_text))
            .collect();
        edits.sort_by_key(|(span, _)| *span);
        let mut text = document.text().to_owned();
        for (span, new) in edits.into_iter().rev() {
            text.replace_range(span.range(), &new);
        }
        text
    }

    /// Texts with a problem, and the text after the first change, which is a query without errors.
    const FIRST: [(&str, &str); 66] = [
        ("cql() R attcks k", "cql() R attacks k"),
        ("cql() x=R X", "cql() x=R x"),
        ("cql() QR", "cql() [QR]"),
        ("cql() lightsquares & R", "cql() light . & R"),
        ("check", "cql()\ncheck"),
        ("cql(input a.pgn,) check", "cql(input a.pgn) check"),
        ("cql() -- {2}{3,1}", "cql() -- {2}{1,3}"),
        ("cql() path -- {,}", "cql() path -- {*}"),
        ("cql() Rc-a2", "cql() Ra-c2"),
        ("cql() Ra3-1", "cql() Ra1-3"),
        ("cql() Ra1-h2", "cql() Ra-h1-2"),
        ("cql() [R,N]", "cql() [RN]"),
        ("cql() [a1 h1]", "cql() [a1,h1]"),
        ("cql() R & [ ]", "cql() R & []"),
        ("cql() ♖♖", "cql() ♖ ♖"),
        ("cql() check /* a", "cql() check /* a */"),
        ("cql() player \"a\" \\nb", "cql() player \"a\" \\n b"),
        ("cql() s∈R s", "cql() s∊R s"),
        ("cql() !check", "cql() not check"),
        ("cql() ¬check", "cql() not check"),
        ("cql() R ∧ k", "cql() R ∩ k"),
        ("cql() player “a”", "cql() player \"a\""),
        ("cql() chec\u{200b}k", "cql() check"),
        ("cql() ply−1 > 2", "cql() ply-1 > 2"),
        ("cql() ply<-1", "cql() ply< -1"),
        ("cql() 1--1 > 2", "cql() 1- -1 > 2"),
        ("cql() ~~R", "cql() ~ ~R"),
        ("cql() check && mate", "cql() check  and  mate"),
        ("cql() check || mate", "cql() check  or  mate"),
        ("cql() ply=>2", "cql() ply>=2"),
        ("cql() ply===2", "cql() ply==2"),
        ("cql() --(check) (mate)", "cql() --(check) {mate}"),
        ("cql() -- (mate)", "cql() -- {mate}"),
        ("cql() --check", "cql() --(check)"),
        ("cql() R - N", "cql() R & ~ N"),
        ("cql() #(R or N) > 2", "cql() #(R | N) > 2"),
        ("cql() R > N", "cql() #R > N"),
        ("cql() x=check x", "cql() x=(if check 1 else 0) x"),
        (
            "cql() function F(x) {x} F(check)",
            "cql() function F(x) {x} F((if check 1 else 0))",
        ),
        ("cql() (check mate)", "cql() {check mate}"),
        ("cql() 5 check", "cql()  check"),
        ("cql() ply=5", "cql() ply==5"),
        ("cql() {check, mate}", "cql() {check mate}"),
        ("cql() player \"a.*b\"", "cql() player ~~ \"a.*b\""),
        ("cql() sort min(ply 3)", "cql() sort {min(ply 3)}"),
        ("cql() sort \"\" ply", "cql() sort  ply"),
        ("cql() sort ply and check", "cql() (sort ply) and check"),
        ("cql() hhdb \"cook\"", "cql() hhdb cook"),
        ("cql() hhdb corection", "cql() hhdb correction"),
        ("cql() square s ∊ R s", "cql() square s  in  R s"),
        ("cql() any", "cql() ."),
        ("cql() null", "cql() nullmove"),
        ("cql() path check {--}", "cql() path check --"),
        ("cql() path\n\n-- check", "cql() path\n-- check"),
        (
            "cql() cql_assertvariations \"a\" check",
            "cql(variations) cql_assertvariations \"a\" check",
        ),
        ("cql() x=5 mate", "cql() _x=5 mate"),
        ("cql() function F(x) {mate} F(R)", "cql() function F(_x) {mate} F(R)"),
        ("cql() function F() {mate} mate", "cql()  mate"),
        ("cql() R attack k", "cql() R attacks k"),
        ("cql() result \"1-0\"", "cql() result 1-0"),
        ("cql() #R", "cql() R"),
        ("cql() R & N", "cql() R | N"),
        ("cql() find 5 2 check", "cql() find 2 5 check"),
        ("cql() path (--+)+", "cql() path (--+)"),
        ("//? mach \"8/8 w\"\ncql() mate", "//? match \"8/8 w\"\ncql() mate"),
        (
            "//? allow unused-varable\ncql() mate",
            "//? allow unused-variable\ncql() mate",
        ),
    ];

    #[test]
    fn advice_is_taken_by_the_first_change() {
        let wrong: Vec<_> = FIRST
            .into_iter()
            .filter_map(|(text, expected)| {
                let fixed = fixed(text).into_iter().next().map(|(_, text)| text);
                (fixed.as_deref() != Some(expected)).then_some((text, fixed))
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_warning_can_be_allowed() {
        let text = "cql()\n  x=5\n  mate";
        let allowed = fixed(text).pop().expect("a change");
        assert_eq!(allowed.0, "Allow `unused-variable` in this query");
        assert_eq!(allowed.1, "cql()\n  //? allow unused-variable\n  x=5\n  mate");
        let mut document = Document::new("q.cql", allowed.1, 1, Encoding::Utf16);
        document.examine();
        assert!(document.problems().is_empty());
    }
}
