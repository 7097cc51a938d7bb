//! What a query says of itself, in the comment at its top.

/// The lines of the comment at the top, without self-tests.
pub fn opening_comment(query: &str) -> impl Iterator<Item = &str> {
    let lines = query.trim_start_matches('\u{feff}').trim_start().lines().map(str::trim);
    lines.map_while(|line| line.strip_prefix("//").filter(|text| !text.starts_with(['/', '?'])))
}

/// The first sentence of the comment at the top.
pub fn description(query: &str) -> String {
    let words: Vec<&str> = opening_comment(query)
        .take_while(|text| !text.trim().is_empty())
        .flat_map(str::split_whitespace)
        .collect();
    let is_last = |index: usize| {
        let begins_another = words
            .get(index + 1)
            .is_none_or(|next| next.starts_with(char::is_uppercase));
        words[index].ends_with('.') && begins_another
    };
    let length = (0..words.len())
        .find(|index| is_last(*index))
        .map_or(words.len(), |last| last + 1);
    words[..length].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_describes_a_query() {
        for (query, sentence) in [
            (
                "// A mate, e.g. on h8,\n//  by a rook. More.\ncql() mate",
                "A mate, e.g. on h8, by a rook.",
            ),
            ("\u{feff}\n// No full stop\n//? match \"…\"\ncql() mate", "No full stop"),
            ("// One\n//\n// Two.\ncql() mate", "One"),
            ("/// \"a comment\"\n", ""),
            ("cql() mate // Mates.", ""),
            ("", ""),
        ] {
            assert_eq!(description(query), sentence, "{query}");
        }
    }
}
