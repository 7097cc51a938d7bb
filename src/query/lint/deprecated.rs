//! Warns of forms from older versions of CQL that have a modern equivalent (1.9 of the language reference).

use super::warning::{Lint, Warning, warning};
use crate::syntax::token::Span;
use crate::syntax::tree::{Node, Rule};
use crate::syntax::{Diagnostic, Source};

pub(super) fn check(source: &Source, warnings: &mut Vec<Warning>) {
    for node in source.tree().nodes() {
        let found = match node.rule() {
            Rule::ray => ray_attack(source, node),
            Rule::joining if source.slice(node.span()) == "attack" => Some(old(node.span(), "attack", "attacks")),
            Rule::attacked_by => Some(old(node.span(), "attacked by", "attackedby")),
            Rule::key_loop => key_loop(source, node),
            Rule::result_of_game | Rule::result_test => quoted_result(source, node),
            _ => None,
        };
        warnings.extend(found.map(|error| warning(Lint::Deprecated, error)));
    }
}

fn old(span: Span, form: &str, modern: &str) -> Diagnostic {
    Diagnostic::new(span, format!("`{form}` is an old form"))
        .label(format!("write `{modern}`"))
        .change(span, modern)
}

/// `ray attack ( … )`
fn ray_attack(source: &Source, ray: Node<'_>) -> Option<Diagnostic> {
    let word = ray.child(Rule::ATTACK).or_else(|| ray.child(Rule::ATTACKS))?;
    let arguments = ray.child(Rule::parens)?;
    let list = source.slice(arguments.span());
    let span = ray.children().next()?.span().to(word.span());
    let error = old(span, &format!("ray {}", source.slice(word.span())), "xray");
    let is_bracket = |part: &Node<'_>| matches!(part.rule(), Rule::open_paren | Rule::close_paren | Rule::gap);
    let sets: Vec<Node<'_>> = arguments.children().filter(|part| !is_bracket(part)).collect();
    let simple = sets
        .iter()
        .all(|set| matches!(set.rule(), Rule::designator | Rule::name));
    Some(if list.contains('\n') {
        error
    } else if simple && sets.len() > 2 {
        let sets: Vec<&str> = sets.iter().rev().map(|set| source.slice(set.span())).collect();
        let arrows = sets.join(" <- ");
        error
            .hint(format!("`xray {list}`, or with arrows `{arrows}`"))
            .change(span.to(arguments.span()), arrows)
    } else {
        error.hint(format!("`xray {list}`"))
    })
}

/// `string x in D f`
fn key_loop(source: &Source, head: Node<'_>) -> Option<Diagnostic> {
    let name = source.slice(head.child(Rule::name)?.span());
    let dictionary = head.next()?.span();
    let named = source.slice(dictionary);
    Some(old(
        head.span().to(dictionary),
        "string … in",
        &format!("{name}[element]{named}"),
    ))
}

/// `result "1-0"`
fn quoted_result(source: &Source, result: Node<'_>) -> Option<Diagnostic> {
    let quoted = result.child(Rule::string)?.span();
    let text = source.slice(quoted);
    let bare = text.trim_matches('"');
    Some(
        Diagnostic::new(quoted, format!("`result {text}` is an old form"))
            .label(format!("write `result {bare}`"))
            .change(quoted, bare),
    )
}
