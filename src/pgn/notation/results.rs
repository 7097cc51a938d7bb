//! Results in all spellings found in movetext and tags.

use shakmaty::Outcome;

use super::unicode::simplify;
use crate::game::{Rules, Tags};
use crate::pgn::lexer::{Terminator, is_space};

/// Results and their spellings, the longest first.
pub(crate) const RESULTS: [(&[u8], Terminator); 8] = [
    (b"1/2-1/2", Terminator::Draw),
    (b"1/2:1/2", Terminator::Draw),
    (b"1/2", Terminator::Draw),
    (b"1-0", Terminator::WhiteWins),
    (b"1:0", Terminator::WhiteWins),
    (b"0-1", Terminator::BlackWins),
    (b"0:1", Terminator::BlackWins),
    (b"*", Terminator::Unknown),
];

/// More spellings that occur in tags.
const RESULTS_OF_TAGS: [(&[u8], Terminator); 4] = [
    (b"0.5-0.5", Terminator::Draw),
    (b".5-.5", Terminator::Draw),
    (b"1.0-0.0", Terminator::WhiteWins),
    (b"0.0-1.0", Terminator::BlackWins),
];

impl Tags {
    /// Returns the result of the tag. It only counts for a game without a terminator.
    pub fn result(&self) -> Outcome {
        let value = self.raw(b"Result").unwrap_or_default();
        Terminator::of_tag(value, self.rules).outcome()
    }
}

impl Terminator {
    /// Returns the result in the value of a `Result` tag. By the rules of CQL, only the first characters count. By the full rules any spelling is
    /// accepted.
    pub(crate) fn of_tag(value: &[u8], rules: Rules) -> Terminator {
        match (value, rules) {
            (b"1-0", _) | ([b'1', b'-', b'0', ..], Rules::Cql) => Terminator::WhiteWins,
            (b"0-1", _) | ([b'0', b'-', b'1', ..], Rules::Cql) => Terminator::BlackWins,
            (b"1/2-1/2", _) | ([b'1', b'/', b'2', ..], Rules::Cql) => Terminator::Draw,
            (b"*" | b"", _) | (_, Rules::Cql) => Terminator::Unknown,
            (_, Rules::Full) => spelled_result(value).unwrap_or(Terminator::Unknown),
        }
    }
}

/// Returns the result in the value of a tag, in any spelling.
#[cfg(feature = "database")]
pub(crate) fn result_of_tag(value: &[u8]) -> Outcome {
    Terminator::of_tag(value, Rules::Full).outcome()
}

/// Returns the result that the value of a tag begins with. Spaces in it do not count.
fn spelled_result(value: &[u8]) -> Option<Terminator> {
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
    let is_it = |(text, _): &(&[u8], Terminator)| {
        let rest = simple.strip_prefix(*text);
        rest.is_some_and(|rest| !matches!(rest.first(), Some(b'.' | b'-' | b'/' | b'0'..=b'9')))
    };
    let found = RESULTS_OF_TAGS.into_iter().chain(RESULTS).find(is_it);
    found.map(|(_, result)| result)
}
