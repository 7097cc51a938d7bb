//! Player names in a uniform spelling.

use std::borrow::Cow;

/// Returns the name in its normal spelling, and the rating in parentheses at its end.
///
/// Exactly one space follows each comma, leading spaces and trailing spaces, tabs and dots are removed, and a Dutch prefix
/// at the start is spelt `Van`, `Van der`, `Van den`, `Van de`.
pub(crate) fn normalised_name(name: &[u8]) -> (Cow<'_, [u8]>, Option<u32>) {
    if is_normal(name) {
        return (Cow::Borrowed(name), None);
    }
    let mut normal = Vec::with_capacity(name.len() + 2);
    let mut after_comma = true;
    for byte in name {
        if after_comma && *byte == b' ' {
            continue;
        }
        normal.push(*byte);
        after_comma = *byte == b',';
        if after_comma {
            normal.push(b' ');
        }
    }
    while normal.pop_if(|byte| matches!(byte, b' ' | b'\t' | b'.')).is_some() {}
    set_letter(&mut normal, b"van ", 0, b'V');
    for prefix in [&b"Van Der "[..], b"Van Den ", b"Van De "] {
        set_letter(&mut normal, prefix, 4, b'd');
    }
    let rating = trailing_rating(&normal);
    if rating.is_some() {
        normal.truncate(normal.len() - RATING_LENGTH);
    }
    (Cow::Owned(normal), rating)
}

/// The length of ` (2510)`.
const RATING_LENGTH: usize = 7;

/// Returns whether a name needs no changes, as with nearly all names in nearly all files.
fn is_normal(name: &[u8]) -> bool {
    let after_commas = memchr::memchr_iter(b',', name).all(|comma| match name.get(comma + 1..) {
        Some([b' ', next, ..]) => *next != b' ',
        Some([]) => true,
        _ => false,
    });
    let first = name.first().is_none_or(|byte| !matches!(byte, b' ' | b'v' | b'V'));
    let last = name
        .last()
        .is_none_or(|byte| !matches!(byte, b' ' | b'\t' | b'.' | b')'));
    after_commas && first && last
}

/// Writes `letter` at `place` if the name begins with `prefix`.
fn set_letter(name: &mut [u8], prefix: &[u8], place: usize, letter: u8) {
    if name.starts_with(prefix)
        && let Some(byte) = name.get_mut(place)
    {
        *byte = letter;
    }
}

/// Returns the number in ` (dddd)` at the end.
fn trailing_rating(name: &[u8]) -> Option<u32> {
    let digits = name.strip_suffix(b")")?.last_chunk::<6>()?.strip_prefix(b" (")?;
    digits
        .iter()
        .all(u8::is_ascii_digit)
        .then(|| digits.iter().fold(0, |n, digit| n * 10 + u32::from(digit - b'0')))
}

/// Returns a text in the form in which [`has_any_case`] searches for it.
pub(crate) fn in_any_case(text: &[u8]) -> Vec<u8> {
    match str::from_utf8(text) {
        Ok(text) if !text.is_ascii() => text.to_lowercase().into_bytes(),
        _ => text.to_ascii_lowercase(),
    }
}

/// Returns a part of a name in the form in which [`has_any_case`] searches for it in [normalised names](normalised_name): `Carlsen,M` is `carlsen,
/// m`.
pub(crate) fn part_of_name(text: &[u8]) -> Vec<u8> {
    let (name, _) = normalised_name(text);
    in_any_case(if name.is_empty() { text } else { &name })
}

/// Returns whether a text contains another in any case. `part` comes from [`in_any_case`].
pub(crate) fn has_any_case(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(&in_any_case(text), part).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_as_it_stands_in_the_file() {
        for name in [
            "Carlsen,M",
            "Carlsen, M.",
            "Carlsen,  Magnus",
            "carlsen",
            "arlsen,",
            ".",
        ] {
            let (normal, _) = normalised_name(b"Carlsen,Magnus A.B");
            assert!(has_any_case(&normal, &part_of_name(name.as_bytes())), "{name}");
        }
    }

    #[test]
    fn names_get_one_spelling() {
        for (name, normal, rating) in [
            ("Carlsen, M", "Carlsen, M", None),
            ("Carlsen,M.", "Carlsen, M", None),
            ("Carlsen,   Magnus", "Carlsen, Magnus", None),
            ("  Carlsen", "Carlsen", None),
            ("Carlsen, . \t", "Carlsen,", None),
            ("...", "", None),
            ("", "", None),
            ("van der Wiel,J. (2510)", "Van der Wiel, J.", Some(2510)),
            ("van Den Berg", "Van den Berg", None),
            ("Van De Velde", "Van de Velde", None),
            ("Vander", "Vander", None),
            ("Alpha (25100)", "Alpha (25100)", None),
            ("Alpha(2510)", "Alpha(2510)", None),
            (" (2510)", "(2510)", None),
        ] {
            let (found, found_rating) = normalised_name(name.as_bytes());
            assert_eq!(String::from_utf8_lossy(&found), normal, "{name:?}");
            assert_eq!(found_rating, rating, "{name:?}");
        }
    }
}
