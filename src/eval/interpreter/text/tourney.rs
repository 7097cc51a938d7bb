//! Reads the tourney of a study from its tag `Event`.
//!
//! ```text
//! 2/3.hm  7th Olympiad for Composers  1975-1976  II  #123
//! award   edition and name            years      part diagram
//! ```

/// The years in which a tourney may have been held.
const YEARS: std::ops::RangeInclusive<i32> = 1000..=2999;

/// A tourney as named by the tag `Event`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tourney<'t> {
    /// Its number in a series: 7 for `7th` and `7.`.
    pub(crate) edition: Option<i32>,
    /// Its name without edition, years and part. May be empty.
    pub(crate) name: &'t [u8],
    /// The year, or the first of several.
    pub(crate) year: Option<i32>,
    /// The last of several years.
    pub(crate) year_end: Option<i32>,
    /// The part of the year: `II`, `1`. May be empty.
    pub(crate) part: &'t [u8],
}

impl<'t> Tourney<'t> {
    /// Reads the part of the tag `Event` that follows the award.
    pub(crate) fn parse(behind_award: &'t [u8]) -> Tourney<'t> {
        let end = memchr::memchr(b'#', behind_award).unwrap_or(behind_award.len());
        let text = behind_award[..end].trim_ascii();
        let (edition, text) = match edition(text) {
            Some((edition, rest)) => (Some(edition), rest),
            None => (None, text),
        };
        let Some((start, year)) = last_year(text) else {
            return Tourney {
                edition,
                name: text,
                ..Tourney::default()
            };
        };
        let behind = &text[start + 4..];
        let (year_end, behind) = match year_end(behind, year) {
            Some((year_end, rest)) => (Some(year_end), rest),
            None => (None, behind),
        };
        Tourney {
            edition,
            name: trimmed(&text[..start]),
            year: Some(year),
            year_end,
            part: trimmed(behind),
        }
    }
}

/// Reads a number followed by a dot or an English suffix, such as `7th`, `2nd` or `12.`. Returns it with the rest of the text.
fn edition(text: &[u8]) -> Option<(i32, &[u8])> {
    let (digits, rest) = leading_digits(text);
    let endings: [&[u8]; 5] = [b".", b"st", b"nd", b"rd", b"th"];
    let rest = endings.iter().find_map(|ending| rest.strip_prefix(*ending))?;
    let is_end = rest.first().is_none_or(|next| !next.is_ascii_alphanumeric()) || text.get(digits.len()) == Some(&b'.');
    let edition = parse(digits).filter(|edition| *edition > 0 && is_end)?;
    Some((edition, rest.trim_ascii_start()))
}

/// Returns the last four-digit number that is a single year or the first of two, with its place.
fn last_year(text: &[u8]) -> Option<(usize, i32)> {
    let mut found: Option<(usize, i32)> = None;
    let mut at = 0;
    while at < text.len() {
        let (digits, _) = leading_digits(&text[at..]);
        if digits.len() == 4
            && let Some(year) = parse(digits).filter(|year| YEARS.contains(year))
        {
            let is_second = found
                .is_some_and(|(start, first)| start + 5 == at && matches!(text[at - 1], b'-' | b'/') && year > first);
            if !is_second {
                found = Some((at, year));
            }
        }
        at += digits.len().max(1);
    }
    found
}

/// Reads a year after a dash or a slash, and returns it with the rest of the text. Two digits belong to the century of the first year, or the next
/// one.
fn year_end(behind: &[u8], first: i32) -> Option<(i32, &[u8])> {
    let [b'-' | b'/', rest @ ..] = behind else {
        return None;
    };
    let (digits, rest) = leading_digits(rest);
    let number = parse(digits)?;
    let year = match digits.len() {
        4 => number,
        2 if number >= first % 100 => first / 100 * 100 + number,
        // 1999/00
        2 => first / 100 * 100 + 100 + number,
        _ => return None,
    };
    (year > first).then_some((year, rest))
}

/// Trims white space, commas, dashes, slashes and parentheses.
fn trimmed(text: &[u8]) -> &[u8] {
    let is_around = |byte: &u8| matches!(byte, b',' | b'-' | b'/' | b'(' | b')') || byte.is_ascii_whitespace();
    let start = text.iter().position(|byte| !is_around(byte)).unwrap_or(text.len());
    let end = text
        .iter()
        .rposition(|byte| !is_around(byte))
        .map_or(start, |last| last + 1);
    &text[start..end]
}

/// Splits a text into its leading digits and the rest.
pub(crate) fn leading_digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.split_at(end)
}

/// Reads a number; `None` if there are no digits, or too many for a number of the language.
pub(crate) fn parse(digits: &[u8]) -> Option<i32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tourneys_are_read_off_the_event() {
        for (event, edition, name, year, year_end, part) in [
            (" Shakhmaty v SSSR#27", None, "Shakhmaty v SSSR", None, None, ""),
            ("Magyar Sakkvilag 1927", None, "Magyar Sakkvilag", Some(1927), None, ""),
            (
                " 7th Olympiad 1975-1976 II#1",
                Some(7),
                "Olympiad",
                Some(1975),
                Some(1976),
                "II",
            ),
            ("Szachy 1975/76", None, "Szachy", Some(1975), Some(1976), ""),
            ("Szachy 1999/00, I", None, "Szachy", Some(1999), Some(2000), "I"),
            ("Szachy 1975/2", None, "Szachy", Some(1975), None, "2"),
            ("12.WCCT (2020)", Some(12), "WCCT", Some(2020), None, ""),
            ("Kasparyan-100 MT", None, "Kasparyan-100 MT", None, None, ""),
            ("3rd-rate", Some(3), "-rate", None, None, ""),
            ("2ndary 12345", None, "2ndary 12345", None, None, ""),
            ("1001 Problems 1950", None, "1001 Problems", Some(1950), None, ""),
            ("1976-1975", None, "1976", Some(1975), None, ""),
            ("", None, "", None, None, ""),
        ] {
            let expected = Tourney {
                edition,
                name: name.as_bytes(),
                year,
                year_end,
                part: part.as_bytes(),
            };
            assert_eq!(Tourney::parse(event.as_bytes()), expected, "{event:?}");
        }
    }
}
