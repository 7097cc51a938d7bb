//! The parameters of a call while it is being written.

use gen_lsp_types::{
    Documentation, ParameterInformation, ParameterInformationLabel, Position, SignatureHelp, SignatureInformation,
};

use crate::guide;
use crate::query::declarations::Kind;
use crate::query::prelude;
use crate::syntax::token::{Span, TokenKind};
use crate::syntax::tree::{Node, Rule};

use super::document::Document;
use super::hover::markdown;

/// Returns the parameters of the call around a position, and which of them is written there.
pub(super) fn signature_help(document: &Document, position: Position) -> Option<SignatureHelp> {
    let offset = document.offset(position);
    if document.is_comment(offset) {
        return None;
    }
    let calls = document.source().tree().around(offset).into_iter().rev();
    let mut calls = calls.filter_map(|node| Call::of(document, node, offset));
    calls.find_map(|call| call.help(document))
}

/// A word or a name with parentheses after it.
struct Call<'d> {
    word: &'d str,
    place: Span,
    /// The number of arguments before the position.
    before: usize,
}

impl<'d> Call<'d> {
    /// Returns the call that a node is, if the position is in its parentheses.
    fn of(document: &'d Document, node: Node<'d>, offset: u32) -> Option<Call<'d>> {
        let open = node.child(Rule::open_paren)?;
        let is_inside = open.span().end <= offset
            && node
                .child(Rule::close_paren)
                .is_none_or(|close| offset <= close.span().start);
        if !is_inside {
            return None;
        }
        let word = open.previous().or_else(|| node.previous())?;
        let is_word = |node: &Node<'_>| {
            document
                .source()
                .slice(node.span())
                .starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '$')
        };
        let word = Some(word).filter(is_word)?;
        let inside = Span {
            start: open.span().end,
            end: offset,
        };
        Some(Call {
            word: document.source().slice(word.span()),
            place: word.span(),
            before: arguments(document, inside),
        })
    }

    fn help(&self, document: &Document) -> Option<SignatureHelp> {
        let declared = document.names().declaration(self.word, self.place);
        let signature = match declared {
            Some(declaration) if declaration.kind == Kind::Function => {
                let inside = |span: Span| declaration.whole.contains(span);
                let parameters = document.names().all().iter();
                let parameters = parameters.filter(|known| known.kind == Kind::Parameter && inside(known.span));
                signature(self.word, parameters.map(|known| known.name.as_str()), None)
            }
            Some(_) => return None,
            None => match prelude::functions()
                .iter()
                .find(|function| function.name() == self.word)
            {
                Some(function) => {
                    let parameters = function.parameters().iter().map(String::as_str);
                    signature(self.word, parameters, Some(function.documentation().to_owned()))
                }
                None => of_language(self.word)?,
            },
        };
        let parameters = signature.parameters.as_ref().map_or(0, Vec::len);
        let active = u32::try_from(self.before).ok().filter(|_| self.before < parameters);
        Some(SignatureHelp {
            signatures: vec![signature],
            active_signature: Some(0),
            active_parameter: active.map(Into::into),
        })
    }
}

/// Returns the number of arguments that end before the end of a place. Arguments are operands that no operator joins.
fn arguments(document: &Document, inside: Span) -> usize {
    let tokens = document.tokens().iter();
    let tokens = tokens.filter(|token| inside.contains(token.span) && token.kind != TokenKind::End);
    let (mut count, mut depth, mut joined, mut end) = (0_usize, 0_usize, true, inside.start);
    for token in tokens {
        let text = document.source().slice(token.span);
        match text {
            ")" | "}" | "]" => {
                depth = depth.saturating_sub(1);
                joined = false;
            }
            _ if depth > 0 => depth += usize::from(matches!(text, "(" | "{" | "[")),
            "(" | "{" | "[" => {
                // Directly after a word or a name, they belong to it.
                count += usize::from(joined || token.spaced);
                depth += 1;
            }
            "and" | "or" | "in" | "attacks" | "attackedby" | "not" => joined = true,
            _ if matches!(token.kind, TokenKind::Sign(_) | TokenKind::Dash { .. }) && !is_operand(text) => {
                joined = true
            }
            _ => {
                count += usize::from(!joined || count == 0);
                joined = false;
            }
        }
        end = token.span.end;
    }
    // An argument that is being written directly before the position has not ended.
    let is_written = end == inside.end && count > 0;
    count - usize::from(is_written || joined && count > 0)
}

/// Returns whether a sign is a value.
fn is_operand(text: &str) -> bool {
    matches!(text, "." | "∙" | "[]" | "▦")
}

/// Returns the signature of a word of the language, from the first row of the guide that shows it with parentheses.
fn of_language(word: &str) -> Option<SignatureInformation> {
    let topic = guide::topic(word)?;
    let shown = topic.rows.iter().map(|row| row.syntax.to_string());
    let mut forms = shown.flat_map(|syntax| syntax.split(", ").map(str::to_owned).collect::<Vec<_>>());
    let form = forms.find(|form| {
        let rest = form.strip_prefix(word).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with('(') && rest.ends_with(')'))
    })?;
    let inside = form.split_once('(')?.1.trim_end_matches(')');
    let parameters: Vec<&str> = inside.split_whitespace().collect();
    Some(SignatureInformation {
        documentation: Some(Documentation::from(markdown(topic.markdown_rows()))),
        ..signature(word, parameters.into_iter(), None)
    })
}

fn signature<'a>(
    word: &str,
    parameters: impl Iterator<Item = &'a str>,
    documentation: Option<String>,
) -> SignatureInformation {
    let names: Vec<&str> = parameters.collect();
    let parameters = names.iter().map(|name| ParameterInformation {
        label: ParameterInformationLabel::from((*name).to_owned()),
        documentation: None,
    });
    SignatureInformation {
        label: format!("{word}({})", names.join(" ")),
        documentation: documentation.map(|text| Documentation::from(markdown(format!("```text\n{text}\n```")))),
        parameters: Some(parameters.collect()),
        active_parameter: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::document::Encoding;

    /// Returns the signature at the `¦`, and the index of the parameter that is written there.
    fn help(text: &str) -> Option<(String, Option<u32>)> {
        let offset = text.find('¦').expect("a mark");
        let document = Document::new("q.cql", text.replace('¦', ""), 1, Encoding::Utf16);
        let help = signature_help(&document, document.position(offset as u32))?;
        let label = help.signatures.into_iter().next().map(|signature| signature.label);
        let active = serde_json::to_value(help.active_parameter).expect("JSON");
        Some((label?, active.as_u64().map(|active| active as u32)))
    }

    #[test]
    fn calls_show_what_they_take() {
        let text = |call: &str| format!("cql() function Fork(attacker targets) {{attacker}} {call}");
        let fork = |active| Some(("Fork(attacker targets)".to_owned(), active));
        assert_eq!(help(&text("Fork(¦)")), fork(Some(0)));
        assert_eq!(help(&text("Fork(¦")), fork(Some(0)), "it is not closed");
        assert_eq!(help(&text("Fork(N¦")), fork(Some(0)));
        assert_eq!(help(&text("Fork(N ¦")), fork(Some(1)));
        assert_eq!(help(&text("Fork(N | ¦R k)")), fork(Some(0)), "an operator joins");
        assert_eq!(help(&text("Fork(N [qr]¦)")), fork(Some(1)));
        assert_eq!(help(&text("Fork(N k ¦)")), fork(None), "there is no third");
        assert_eq!(help(&text("Fork((N) ¦)")), fork(Some(1)));
        assert_eq!(help(&text("xray(Fork(N ¦")), fork(Some(1)), "the inner call");
        assert_eq!(help(&text("Fork(N) ¦")), None, "behind the call");
    }

    #[test]
    fn words_and_the_prelude_show_what_they_take() {
        let (label, active) = help("cql() skewer(R ¦)").expect("a function of the prelude");
        assert!(label.starts_with("skewer(") && active == Some(1), "{label} {active:?}");
        let (label, _) = help("cql() xray(¦").expect("a word");
        assert_eq!(label, "xray(S T …)");
        assert_eq!(help("cql() (R ¦)"), None);
        assert_eq!(help("cql() // xray(¦"), None);
        assert_eq!(help("cql() x=5 x(¦"), None);
        assert_eq!(help("¦"), None);
    }
}
