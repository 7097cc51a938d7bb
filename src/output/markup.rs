//! Text in HTML and XML.

use std::borrow::Cow;

use crate::terminal::changes_direction;

/// Appends a text as the content of an element or attribute. Characters that XML cannot hold become spaces, and so do those that change the
/// direction of the text after them.
pub(super) fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            character if character.is_control() || changes_direction(character) => out.push(' '),
            character => out.push(character),
        }
    }
}

/// Escapes the text for HTML. Parts between backticks become code.
pub(super) fn escaped_with_code(text: &str) -> String {
    let parts: Vec<_> = text.split('`').map(escaped).collect();
    if parts.len() % 2 == 0 {
        return escaped(text);
    }
    let mut html = String::new();
    for (index, part) in parts.iter().enumerate() {
        match index % 2 {
            0 => html.push_str(part),
            _ => html.extend(["<code>", part, "</code>"]),
        }
    }
    html
}

/// Returns the template with a value for each `{{name}}`. Values are not expanded.
pub(crate) fn filled<'v>(template: &str, value: impl Fn(&str) -> Cow<'v, str>) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        page.push_str(before);
        page.push_str(&value(name));
        rest = after;
    }
    page + rest
}

/// Returns the escaped text.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    out
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_backticks_hold_code() {
        let html = escaped_with_code("brilliant: `!!` or `<$3>` & more");
        assert_eq!(html, "brilliant: <code>!!</code> or <code>&lt;$3&gt;</code> &amp; more");
        assert_eq!(escaped_with_code("plain"), "plain");
        assert_eq!(
            escaped_with_code("a ` alone & `two` more"),
            "a ` alone &amp; `two` more"
        );
    }
}
