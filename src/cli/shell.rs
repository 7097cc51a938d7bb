//! Writes the command that was run as it could be typed.

use std::borrow::Cow;
use std::ffi::OsString;

/// Returns the arguments of a process as a line for a shell. The program is called by its name, whatever its folder.
pub(super) fn shown(arguments: impl IntoIterator<Item = OsString>) -> String {
    let words = arguments
        .into_iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned());
    let quoted = words.map(|word| quoted(&word).into_owned());
    std::iter::once("skewer".to_owned())
        .chain(quoted)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Quotes a word so that a POSIX shell takes it literally.
pub(super) fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        let words = [
            "/some/where/skewer",
            "search",
            "-e",
            "xray (R p k) Q==0",
            "it's",
            "",
            "a-b.pgn",
        ];
        let shown = shown(words.map(OsString::from));
        assert_eq!(shown, r"skewer search -e 'xray (R p k) Q==0' 'it'\''s' '' a-b.pgn");
    }
}
