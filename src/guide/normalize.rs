//! Normalises titles and words for comparisons.

use std::iter;

/// Returns a title or a file name in normal form.
pub(super) fn plain(title: &str) -> String {
    let stem = title.strip_suffix(".md").unwrap_or(title);
    let words: Vec<String> = stem
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// Returns the word, and the words that it may be the plural of.
pub(super) fn stems(word: &str) -> impl Iterator<Item = String> {
    let without = |ending: &str, new: &str| word.strip_suffix(ending).map(|stem| format!("{stem}{new}"));
    let others = [without("s", ""), without("es", ""), without("ies", "y")];
    iter::once(word.to_owned()).chain(others.into_iter().flatten())
}
