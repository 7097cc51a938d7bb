//! Results in all spellings found in movetext and tags.

use shakmaty::Outcome;

use super::unicode::simplify;
use crate::game::{Rules, Tags};
use crate::pgn::lexer::{BLACK_WINS, DRAW, WHITE_WINS, is_space};

/// Results and their spellings, the longest first.
pub(crate) const RESULTS: [(&[u8], Outcome); 8] = [
    (b"1/2-1/2", DRAW),
    (b"1/2:1/2", DRAW),
    (b"1/2", DRAW),
    (b"1-0", WHITE_WINS),
    (b"1:0", WHITE_WINS),
    (b"0-1", BLACK_WINS),
    (b"0:1", BLACK_WINS),
    (b"*", Outcome::Unknown),
];

/// More spellings that occur in tags.
const RESULTS_OF_TAGS: [(&[u8], Outcome); 4] = [
    (b"0.5-0.5", DRAW),
    (b".5-.5", DRAW),
    (b"1.0-0.0", WHITE_WINS),
    (b"0.0-1.0", BLACK_WINS),
];

impl Tags {
    /// Returns the result of the tag. It only counts for a game without a terminator.
    pub fn result(&self) -> Outcome {
        let value = self.raw(b"Result").unwrap_or_default();
        result_of_tag(value, self.rules)
    }
}

/// Returns the result in the value of a `Result` tag. By the rules of CQL, only the first characters count. By the full rules any spelling is
/// accepted.
pub(crate) fn result_of_tag(value: &[u8], rules: Rules) -> Outcome {
    match (value, rules) {
        (b"1-0", _) | ([b'1', b'-', b'0', ..], Rules::Cql) => WHITE_WINS,
        (b"0-1", _) | ([b'0', b'-', b'1', ..], Rules::Cql) => BLACK_WINS,
        (b"1/2-1/2", _) | ([b'1', b'/', b'2', ..], Rules::Cql) => DRAW,
        (b"*" | b"", _) | (_, Rules::Cql) => Outcome::Unknown,
        (_, Rules::Full) => spelled_result(value).unwrap_or(Outcome::Unknown),
    }
}

/// Returns the result that the value of a tag begins with. Spaces in it do not count.
fn spelled_result(value: &[u8]) -> Option<Outcome> {
    let mut simple = Vec::with_capacity(value.len());
    simplify(value, &mut simple);
    simple.retain(|byte| !is_space(*byte));
    // Colons and commas may replace dashes and dots.
    let other = |byte: &u8| match byte {
        b':' => b'-',
        b',' => b'.',
        byte => *byte,
    };
    let simple: Vec<u8> = simple.iter().map(other).collect();
    let is_it = |(text, _): &(&[u8], Outcome)| {
        let rest = simple.strip_prefix(*text);
        rest.is_some_and(|rest| !matches!(rest.first(), Some(b'.' | b'-' | b'/' | b'0'..=b'9')))
    };
    let found = RESULTS_OF_TAGS.into_iter().chain(RESULTS).find(is_it);
    found.map(|(_, result)| result)
}
