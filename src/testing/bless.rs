//! Records counts in query files.

use std::io;
use std::path::Path;

use super::expectation::Counts;
use crate::output::replace_text;
use crate::syntax::Source;
use crate::syntax::token::Span;

/// Writes numbers into a query file. Their places are in order and do not overlap. All other bytes are kept.
///
/// # Errors
/// Returns an error if the file cannot be written, or is no longer what was tested. It is then unchanged.
pub(super) fn record(path: &Path, source: &Source, numbers: &[(Span, Counts)]) -> io::Result<()> {
    replace_text(path, source.bytes(), &rewritten(source.bytes(), numbers))
}

fn rewritten(bytes: &[u8], numbers: &[(Span, Counts)]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    let mut kept = 0;
    for (span, counts) in numbers {
        let place = span.range();
        text.extend_from_slice(bytes.get(kept..place.start).unwrap_or_default());
        if place.is_empty() {
            // There is no number yet: the place is directly after the name of the file.
            text.push(b' ');
        }
        text.extend_from_slice(counts.to_string().as_bytes());
        kept = place.end;
    }
    text.extend_from_slice(bytes.get(kept..).unwrap_or_default());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::expectation::{Claim, Expectation, expectations};

    #[test]
    fn only_the_numbers_change() {
        let before = b"\xef\xbb\xbf//? count \"a\"  \r\n// \xff\n//?  count \"b\"  9  games,1 position \nmate".to_vec();
        let source = Source::new("q", before);
        let counts = |games| Counts { games, positions: 1 };
        let numbers = |source: &Source| -> Vec<(Span, Counts)> {
            let place = |(index, expectation): (usize, Result<Expectation, _>)| match expectation
                .map(|expectation| expectation.claim)
            {
                Ok(Claim::Count(count)) => (count.numbers, counts(index as u64 + 1)),
                _ => panic!("all are counts"),
            };
            expectations(source).into_iter().enumerate().map(place).collect()
        };
        let after = rewritten(source.bytes(), &numbers(&source));
        let expected: &[u8] =
            b"\xef\xbb\xbf//? count \"a\" 1 game, 1 position  \r\n// \xff\n//?  count \"b\"  2 games, 1 position \nmate";
        assert_eq!(String::from_utf8_lossy(&after), String::from_utf8_lossy(expected));
        assert_eq!(after, expected);
        let source = Source::new("q", after.clone());
        assert_eq!(rewritten(source.bytes(), &numbers(&source)), after, "once is enough");
    }
}
