//! Warns of names that nothing reads. The tree is enough to know: a name has one meaning in the whole query, and a name that is only
//! assigned to is never read. Names that begin with `_` are meant to be unused.

use std::collections::{HashMap, HashSet};

use super::warning::{Lint, Warning, warning};
use crate::syntax::token::Span;
use crate::syntax::tree::{Node, Rule};
use crate::syntax::{Diagnostic, Source};

/// How the text uses a name.
struct Uses {
    /// The places of the name.
    places: Vec<Span>,
    /// Whether it is a variable of an assignment or of a loop.
    variable: bool,
    /// Whether its value is read somewhere, or lives longer than a game.
    read: bool,
}

pub(super) fn check(source: &Source, warnings: &mut Vec<Warning>) {
    let parameters = unused_functions_and_parameters(source, warnings);
    let mut names: HashMap<&str, Uses> = HashMap::new();
    for leaf in source.tree().all(Rule::name) {
        if parameters.contains(&leaf.span()) {
            continue;
        }
        let uses = names.entry(source.slice(leaf.span())).or_insert(Uses {
            places: Vec::new(),
            variable: false,
            read: false,
        });
        uses.places.push(leaf.span());
        if is_written(source, leaf) {
            uses.variable = true;
        } else {
            uses.read = true;
        }
    }
    for asked in asked_by_text(source) {
        if let Some(uses) = names.get_mut(asked) {
            uses.read = true;
        }
    }
    let unused = names
        .into_iter()
        .filter(|(name, uses)| uses.variable && !uses.read && !name.starts_with('_'));
    warnings.extend(unused.map(|(name, uses)| {
        let message = format!("nothing reads the variable `{name}`");
        let first = uses.places.first().copied().unwrap_or_default();
        let error = Diagnostic::new(first, message);
        warning(Lint::UnusedVariable, meant(error, name, &uses.places))
    }));
}

/// Adds how to mark a name as unused on purpose.
fn meant(error: Diagnostic, name: &str, places: &[Span]) -> Diagnostic {
    let marks = places.iter().map(|place| (place.before(), "_"));
    error
        .hint(format!("`_{name}` says that this is intended"))
        .fix(format!("Rename to `_{name}`"), marks)
}

/// Returns whether a name only gets a value at its place, and the value ends with the game. A persistent variable is shown at the end.
fn is_written(source: &Source, name: Node<'_>) -> bool {
    let Some(form) = name.parent() else { return false };
    let around = form.parent().map(|around| around.rule());
    match form.rule() {
        Rule::assignment => around != Some(Rule::persistent) && !promotes(source, form),
        Rule::square_loop | Rule::piece_loop | Rule::loop_over | Rule::key_loop | Rule::piece_binding => true,
        _ => false,
    }
}

/// Returns whether an apparent assignment is a promotion, as in `--x=Q`.
fn promotes(source: &Source, assignment: Node<'_>) -> bool {
    let before = assignment.previous().map(|before| source.slice(before.span()));
    let signs = ["--", "――", "[x]", "×", "|", "∪", "&", "∩", "->", "→", "<-", "←"];
    before.is_some_and(|before| signs.contains(&before))
}

/// Returns the names in quotes after `isbound` and `isunbound`.
fn asked_by_text(source: &Source) -> impl Iterator<Item = &str> {
    let texts = source
        .tree()
        .all(Rule::bound_test)
        .filter_map(|test| test.child(Rule::string));
    texts.map(|text| source.slice(text.span()).trim_matches('"'))
}

/// Warns of unused functions and parameters. Returns the places of all names of functions and parameters.
fn unused_functions_and_parameters(source: &Source, warnings: &mut Vec<Warning>) -> HashSet<Span> {
    let mut places = HashSet::new();
    let named = places_by_name(source);
    let named = |word: &str| named.get(word).map_or(&[][..], Vec::as_slice);
    for function in source.tree().all(Rule::function) {
        let (Some(name), Some(parameters)) = (function.child(Rule::name), function.child(Rule::parameters)) else {
            continue;
        };
        // A single number looks like a repetition, which uses no names.
        let Some(body) = function
            .child(Rule::braces)
            .or_else(|| function.child(Rule::repetition))
        else {
            continue;
        };
        let body = body.span();
        let (word, name) = (source.slice(name.span()), name.span());
        let everywhere = named(word);
        let called = everywhere.iter().any(|place| *place != name && !body.contains(*place));
        places.extend(everywhere);
        if !called && !word.starts_with('_') {
            let message = format!("nothing calls the function `{word}`");
            let error = Diagnostic::new(name, message)
                .hint("its body is not even checked for errors")
                .fix(format!("Delete the function `{word}`"), [(function.span(), "")]);
            warnings.push(warning(Lint::UnusedFunction, error));
        }
        for parameter in parameters.children_of(Rule::name).map(|parameter| parameter.span()) {
            let known = source.slice(parameter);
            let uses = within(named(known), body);
            if uses.is_empty() && called && !known.starts_with('_') {
                let message = format!("`{word}` does not use its parameter `{known}`");
                let error = Diagnostic::new(parameter, message);
                warnings.push(warning(Lint::UnusedParameter, meant(error, known, &[parameter])));
            }
            places.insert(parameter);
            places.extend(uses);
        }
    }
    places
}

/// Returns the places of each name, in order.
fn places_by_name(source: &Source) -> HashMap<&str, Vec<Span>> {
    let mut places: HashMap<&str, Vec<Span>> = HashMap::new();
    for name in source.tree().all(Rule::name).map(|leaf| leaf.span()) {
        places.entry(source.slice(name)).or_default().push(name);
    }
    places
}

/// Returns the places in a span. They must be sorted.
fn within(places: &[Span], span: Span) -> &[Span] {
    let first = places.partition_point(|place| place.start < span.start);
    let end = places.partition_point(|place| place.end <= span.end);
    &places[first..end.max(first)]
}
