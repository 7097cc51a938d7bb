//! Counts how many bytes a search reads. Its matches do not tell: in a row of `a`, each match of `a+b|a` is one byte long, and
//! for each of them the search looks for a `b` up to the end.

use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;

use super::compiled::Pattern;

/// Counts the bytes that searches for a pattern read.
pub struct Effort {
    /// `None` for patterns whose searches backtrack.
    automaton: Option<(DFA, Cache)>,
}

impl Effort {
    /// Creates the counter for a pattern.
    pub fn of(pattern: &Pattern) -> Effort {
        let automaton = (!pattern.backtracks())
            .then(|| automaton(pattern.regex.as_str()))
            .flatten();
        Effort { automaton }
    }

    /// Returns the most bytes of a text that a search beginning at `start` reads: all that follow if the number is unknown.
    pub fn bytes(&mut self, text: &[u8], start: usize) -> usize {
        let most = text.len().saturating_sub(start);
        self.automaton
            .as_mut()
            .and_then(|(dfa, cache)| bytes_to_end(dfa, cache, text, start))
            .unwrap_or(most)
    }
}

/// Returns an automaton that reads a text until the match can no longer change.
fn automaton(translated: &str) -> Option<(DFA, Cache)> {
    let dfa = DFA::builder()
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .thompson(thompson::Config::new().utf8(false))
        .build(translated)
        .ok()?;
    let cache = dfa.create_cache();
    Some((dfa, cache))
}

fn bytes_to_end(dfa: &DFA, cache: &mut Cache, text: &[u8], start: usize) -> Option<usize> {
    let input = Input::new(text).range(start..);
    let mut state = dfa.start_state_forward(cache, &input).ok()?;
    let rest = text.get(start..)?;
    for (read, byte) in rest.iter().enumerate() {
        state = dfa.next_state(cache, state, *byte).ok()?;
        if state.is_tagged() && state.is_dead() {
            return Some(read + 1);
        }
    }
    Some(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_looks_as_far_as_something_may_change() {
        let mut text = vec![b'a'; 1000];
        let bytes = |pattern: &str, text: &[u8], start| {
            Effort::of(&Pattern::new(pattern.as_bytes()).unwrap()).bytes(text, start)
        };
        // A match is known slightly after its end.
        assert!((1..4).contains(&bytes("a", &text, 10)));
        assert_eq!(bytes("a+b|a", &text, 10), 990);
        assert_eq!(bytes("b", &text, 10), 990);
        assert_eq!(bytes("(a)\\1", &text, 10), 990, "nobody knows");
        assert_eq!(bytes("a", &text, 1000), 0);
        text[500] = b'b';
        assert!((491..494).contains(&bytes("a+b|a", &text, 10)));
        assert_eq!(
            bytes("^$|\\bb", &text, 10),
            990,
            "there is no edge of a word before the end"
        );
    }
}
