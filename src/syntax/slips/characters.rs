//! Text that is not a token of CQL, with corrections.

use std::sync::LazyLock;

use super::super::{
    designator::{is_figurine, reversed_range},
    diagnostic::Diagnostic,
    source::Excerpt,
    table::Table,
    token::Span,
    tree::Rule,
};
use crate::terminal::changes_direction;

/// Returns the error for text that matches one of the grammar's rules for errors.
pub(crate) fn refuse(rule: Rule, excerpt: Excerpt<'_>) -> Diagnostic {
    match rule {
        Rule::open_comment => {
            let start = excerpt.span.start as usize;
            Diagnostic::new(Span::new(start, start + 2), "the comment is not closed")
                .label("it begins here")
                .hint("`*/` closes a comment; comments do not nest")
                .fix(
                    "Close the comment at the end of the text",
                    [(excerpt.span.after(), " */")],
                )
        }
        Rule::open_string => open_string(excerpt),
        Rule::bad_escape => bad_escape(excerpt),
        Rule::reversed_files => reversed_range(excerpt.text, excerpt.span, "files run from a to h"),
        _ => unknown(excerpt),
    }
}

fn open_string(excerpt: Excerpt<'_>) -> Diagnostic {
    let start = excerpt.span.start as usize;
    let error = Diagnostic::new(Span::new(start, start + 1), "the string is not closed")
        .label("it begins here and ends at the latest with its line")
        .fix(
            "Close the string at the end of its line",
            [(excerpt.span.after(), "\"")],
        );
    let line_before = excerpt.source.text()[..start].rsplit('\n').next().unwrap_or("");
    if line_before.contains("\\\"") || excerpt.text.contains("\\\"") {
        error.hint(
            r#"nothing is escaped inside quotes: write a quotation mark as `\"` outside, as in `"say " \" "hi" \"`"#,
        )
    } else {
        error.hint(r#"a line end in a string is written outside the quotes, as in `"one" \n "two"`"#)
    }
}

fn bad_escape(excerpt: Excerpt<'_>) -> Diagnostic {
    let after = excerpt.text.trim_start_matches(['\\', '-']);
    if after.is_empty() {
        return Diagnostic::new(excerpt.span, format!("`{}` means nothing here", excerpt.text))
            .hint("the difference of two sets is written `A & ~B`")
            .hint(r#"outside quotes, `\n`, `\t`, `\r`, `\"` and `\\` are strings of one character"#);
    }
    if after.starts_with(|first: char| first.is_ascii_digit()) {
        return Diagnostic::new(excerpt.span, "no such group of a regular expression")
            .hint(r"groups have one or two digits, `\0` to `\99`, and so have their places, `\-0` to `\-99`");
    }
    let error = Diagnostic::new(excerpt.span, format!("`{}` is not a special character", excerpt.text));
    match [r"\n", r"\t", r"\r"]
        .into_iter()
        .find(|&special| excerpt.text.starts_with(special))
    {
        Some(special) => {
            let place = excerpt.span.start as usize + special.len();
            error.hint(format!("put a space after `{special}`")).fix(
                format!("Put a space after `{special}`"),
                [(Span::new(place, place), " ")],
            )
        }
        None => error.hint(r#"the special characters are `\n`, `\t`, `\r`, `\"` and `\\`"#),
    }
}

fn unknown(excerpt: Excerpt<'_>) -> Diagnostic {
    let character = excerpt.text.chars().next().unwrap_or_default();
    if is_figurine(character) {
        return figurine(character, excerpt);
    }
    let mut error = unreadable(character, excerpt);
    let start = excerpt.span.start as usize;
    let place = Span::new(start, start + character.len_utf8());
    if let Some(sign) = meant("signs", character) {
        let code = match sign.chars().next().map(u32::from) {
            Some(code @ 0x80..) => format!(" (U+{code:04X})"),
            _ => String::new(),
        };
        error = error.label(format!("not `{sign}`{code}")).change(place, sign);
    }
    if let Some(latin) = meant("letters", character) {
        error = error
            .label(format!("not the Latin letter `{latin}`, though it looks like it"))
            .change(place, latin);
    }
    if let Some((_, instead, advice)) = FOREIGN.iter().find(|(foreign, ..)| foreign.contains(character)) {
        error = advice.iter().fold(error, |error, advice| error.hint(*advice));
        error = instead.iter().fold(error, |error, text| error.change(place, *text));
    }
    if QUOTES.contains(character) {
        error = quoted(error, excerpt);
    }
    if is_invisible(character) {
        error = error.fix("Delete it", [(place, "")]);
    }
    error
}

/// Adds advice to an error about other quotation marks. Changes both marks if the quoted text ends on its line.
fn quoted(error: Diagnostic, excerpt: Excerpt<'_>) -> Diagnostic {
    let error = error.hint("strings are written between straight double quotes: `\"text\"`");
    let line = excerpt.rest().lines().next().unwrap_or("");
    let Some((at, mark)) = line
        .char_indices()
        .find(|(_, letter)| *letter == '"' || QUOTES.contains(*letter))
    else {
        return error;
    };
    let close = excerpt.span.end as usize + at;
    let close = Span::new(close, close + mark.len_utf8());
    let title = format!("Write `\"{}\"`", &line[..at]);
    error.fix(title, [(excerpt.span, "\""), (close, "\"")])
}

/// Returns the error for a character that is not one of CQL, by its kind.
fn unreadable(character: char, excerpt: Excerpt<'_>) -> Diagnostic {
    let code = u32::from(character);
    let byte = excerpt.source.bytes().get(excerpt.span.start as usize);
    match byte.filter(|byte| character.is_ascii() && !byte.is_ascii()) {
        Some(byte) => Diagnostic::new(excerpt.span, "the text is not valid UTF-8")
            .label(format!("byte {byte:02X}"))
            .hint("only strings and comments may hold other encodings; save the query as UTF-8"),
        None if character.is_ascii_graphic() => {
            Diagnostic::new(excerpt.span, format!("`{character}` is not a character of CQL"))
        }
        None if character.is_control() || character.is_whitespace() || is_invisible(character) => {
            let message = format!("an invisible character (U+{code:04X}) that CQL does not know");
            Diagnostic::new(excerpt.span, message).hint("white space is spaces, tabs and line ends")
        }
        None => {
            let message = format!("`{character}` (U+{code:04X}) is not a character of CQL");
            Diagnostic::new(excerpt.span, message)
        }
    }
}

/// Returns the error for a figurine. It is a piece designator if nothing is attached to its right.
fn figurine(figure: char, excerpt: Excerpt<'_>) -> Diagnostic {
    let rest = excerpt.rest().trim_start_matches(is_figurine);
    let next = rest
        .split(|after: char| !after.is_ascii_alphanumeric())
        .next()
        .unwrap_or("");
    if rest.starts_with('[') {
        return Diagnostic::new(excerpt.span, "the bracket after the figurine is not a list of squares").hint(format!(
            "squares are listed without spaces: `{figure}[a1,h1-8]`; other brackets need a space before them"
        ));
    }
    let error = Diagnostic::new(excerpt.span, "figurines and letters do not mix in one designator");
    if next.len() > 1 {
        let place = excerpt.source.text().len() - rest.len();
        error
            .label(format!("put a space before `{next}`"))
            .fix(format!("Put a space before `{next}`"), [(Span::new(place, place), " ")])
    } else {
        error.hint("write all pieces as figurines or all as letters: `♖♛` or `[Rq]`")
    }
}

fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ad}')
        || changes_direction(character)
}

/// Characters of CQL, each with characters that look like it.
static LOOKALIKES: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("characters.txt")));

/// Returns the character of CQL, a sign or a letter, that another character looks like.
fn meant(kind: &str, character: char) -> Option<&'static str> {
    let row = LOOKALIKES.under(kind).find(|row| row.key.contains(character))?;
    row.values.first().copied()
}

/// Quotation marks that are not those of CQL.
const QUOTES: &str = "'`‘’‚“”„«»‹›";

/// Signs of logic, sets and typography that CQL does not have, with their replacements and lines of advice.
const FOREIGN: [(&str, &[&str], &[&str]); 13] = [
    (
        "!",
        &["not "],
        &["negation is the word `not`", "`!=` is one symbol, without a space"],
    ),
    (
        "^",
        &[],
        &["CQL has no power or exclusive or; the signs for sets are `|`, `&` and `~`"],
    ),
    (
        "∈",
        &[" in "],
        &[
            "a loop over squares is written with the small sign: `s∊R` or `s[element]R`",
            "to ask whether a set is part of another write `in`",
        ],
    ),
    ("⊂⊆", &[" in "], &["to ask whether a set is part of another write `in`"]),
    (
        "⊃⊇",
        &[],
        &["to ask whether a set is part of another write `in`, the smaller set first"],
    ),
    ("∅⌀", &["[]"], &["the empty set is `[]`"]),
    (
        "¬",
        &["not ", "~"],
        &["negation is the word `not`, the complement of a set `~`"],
    ),
    ("∧", &[" and "], &["conditions are joined with the word `and`"]),
    ("∨", &[" or "], &["conditions are joined with the word `or`"]),
    ("∖", &[" & ~"], &["the difference of two sets is written `A & ~B`"]),
    (
        "∃",
        &[""],
        &["`s∊R` followed by a filter asks whether it holds for some square: nothing comes before it"],
    ),
    (
        "–—―",
        &["--", "-"],
        &[
            "a move is written `--`, or `――` with two of U+2015",
            "the minus sign is `-`",
        ],
    ),
    (
        "\u{fe0e}\u{fe0f}",
        &[],
        &["it chooses the look of the character before it; delete it"],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lookalike_stands_for_one_character() {
        for row in &LOOKALIKES.rows {
            let is_one = row.values.len() == 1 && row.values[0].chars().count() == 1;
            let is_known = matches!(row.heading, "signs" | "letters");
            assert!(is_one && is_known && !row.key.is_ascii(), "characters.txt:{}", row.line);
        }
        assert_eq!((meant("signs", '−'), meant("letters", 'а')), (Some("-"), Some("a")));
    }
}
