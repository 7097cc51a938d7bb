//! The words of the language for completion: what each returns, and how it is written with its operands.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::guide::{self, markdown::Piece};
use crate::query::{Options, compiles, prelude};
use crate::syntax::Source;

/// A word with its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Form {
    /// As the guide shows it: `pin from S through T to U`.
    pub(super) shown: String,
    /// As a snippet for editors, with a placeholder for each operand.
    pub(super) snippet: String,
}

/// What a word returns, and how it is written.
pub(super) struct WordUsage {
    pub(super) is_set: bool,
    pub(super) form: Option<Form>,
}

static WORDS: LazyLock<HashMap<&'static str, WordUsage>> =
    LazyLock::new(|| guide::words().into_iter().map(|word| (word, known(word))).collect());

/// Returns what is known about a word of the language or of the prelude.
pub(super) fn word(word: &str) -> Option<&'static WordUsage> {
    WORDS.get(word)
}

/// Finds out how a word is written from the rows of the guide that begin with it, and what it returns from the compiler.
fn known(word: &str) -> WordUsage {
    let mut functions = prelude::functions().iter();
    if let Some(function) = functions.find(|function| function.name() == word) {
        let names = function.parameters();
        let places = names
            .iter()
            .zip(1..)
            .map(|(name, number)| format!("${{{number}:{name}}}"));
        let snippet = format!("{word}({})", places.collect::<Vec<_>>().join(" "));
        return WordUsage {
            is_set: is_set(&format!("{word}()")),
            form: (!names.is_empty()).then(|| Form {
                shown: format!("{word}({})", names.join(" ")),
                snippet,
            }),
        };
    }
    let rows = guide::topic(word).map(|topic| topic.rows).unwrap_or_default();
    let pieces = rows.iter().flat_map(|row| &row.syntax.0);
    let codes = pieces.filter_map(|piece| match piece {
        Piece::Code(code) => Some(code.as_str()),
        Piece::Plain(_) | Piece::Strong(_) => None,
    });
    let begins_so = |form: &&str| {
        let rest = form.strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || "_-".contains(next)))
    };
    let forms: Vec<&str> = codes.filter(begins_so).collect();
    let written = forms.iter().find_map(|form| {
        let snippet = filled(form, |number, name| format!("${{{number}:{name}}}"));
        let has_places = snippet.contains("${");
        has_places.then(|| Form {
            shown: (*form).to_owned(),
            snippet,
        })
    });
    let mut values = forms
        .iter()
        .map(|form| filled(form, |_, name| operand(name).to_owned()));
    WordUsage {
        is_set: values.any(|value| is_set(&value)),
        form: written,
    }
}

/// Returns whether a filter is a set.
fn is_set(filter: &str) -> bool {
    let source = Source::new("", format!("cql() {{{filter}}} & ."));
    compiles(&source, &Options::default())
}

/// Returns a form with each operand replaced. `make` gets the number and the name of the operand.
fn filled(form: &str, make: impl Fn(usize, &str) -> String) -> String {
    let mut text = String::new();
    let mut count = 0;
    let mut rest = form;
    let mut make = |name: &str| {
        count += 1;
        make(count, name)
    };
    while let Some(first) = rest.chars().next() {
        if let Some(inside) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
            text += &format!("\"{}\"", make(inside.0));
            rest = inside.1;
        } else if first == '…' {
            if text.trim_end().ends_with('{') {
                text += &make("f");
            } else {
                text.truncate(text.trim_end().len());
            }
            rest = &rest['…'.len_utf8()..];
        } else if first.is_alphanumeric() {
            let end = rest.find(|next: char| !next.is_alphanumeric() && next != '_');
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            text += &if is_operand(word) { make(word) } else { word.to_owned() };
            rest = behind;
        } else {
            text.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    text.trim_end().to_owned()
}

/// Returns whether a word of a form is an operand. The guide uses single letters for them.
fn is_operand(word: &str) -> bool {
    word.len() == 1 && "STULFfghcdnmistvpqxy".contains(word)
}

/// Returns an operand that one of this name may be.
fn operand(name: &str) -> &'static str {
    match name {
        "S" | "T" | "U" | "L" => ".",
        "n" | "m" | "i" => "1",
        "s" | "t" | "v" => "\"a\"",
        "p" | "q" => "currentposition",
        "x" => "y",
        "F" | "f" | "g" | "h" | "c" | "d" => "check",
        _ => "e4",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_and_values_are_read_off_the_guide() {
        for (name, is_set, snippet) in [
            ("xray", true, "xray (${1:S} ${2:T})"),
            ("pin", true, "pin from ${1:S} through ${2:T} to ${3:U}"),
            ("light", true, "light ${1:S}"),
            ("passedpawns", true, ""),
            ("makesquare", true, "makesquare (${1:F} R)"),
            ("mate", false, ""),
            ("power", false, "power ${1:S}"),
            ("player", false, "player \"${1:Mo}\""),
            ("if", false, "if ${1:f} then ${2:g} else ${3:h}"),
            ("skewer", true, "skewer(${1:slider} ${2:front} ${3:rear})"),
        ] {
            let known = word(name).expect(name);
            let written = known.form.as_ref().map_or("", |form| &form.snippet);
            assert_eq!((known.is_set, written), (is_set, snippet), "{name}");
        }
    }
}
