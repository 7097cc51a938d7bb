//! Adds what a search has left out to a game that matches. If the text has only moves, the game is not read again.

use memchr::{memchr2, memchr3};

use crate::game::Game;
use crate::pgn::canonical::{Batch, movetext, tags};

impl Game {
    /// Completes the game if only tags are missing. Returns whether it is complete.
    pub(crate) fn complete(&mut self, batch: &Batch, index: usize) -> bool {
        let text = batch.games.get(index).filter(|text| !text.stripped.is_empty());
        let text = text.and_then(|text| batch.text.get(text.range.clone()));
        text.is_some_and(|text| is_of_moves_alone(movetext(text)) && self.complete_by_tags(text))
    }

    /// Does the same for a game whose text is known to have no comments, symbols or variations. `lines` are its tags in canonical text.
    pub(crate) fn complete_by_tags(&mut self, lines: &[u8]) -> bool {
        if !self.is_as_written() {
            return false;
        }
        self.tags.clear();
        for (name, value) in tags(lines) {
            self.tags.push(name, value);
        }
        true
    }

    /// Returns whether the game has been read to its end without leaving out a move.
    pub(crate) fn is_as_written(&self) -> bool {
        !self.positions.is_empty() && self.warnings.is_empty() && !self.has_variations && !self.has_own_rules()
    }
}

/// Returns whether canonical movetext has no comments, symbols or variations.
pub(crate) fn is_of_moves_alone(movetext: &[u8]) -> bool {
    memchr3(b'{', b'(', b'$', movetext).is_none() && memchr2(b'!', b'?', movetext).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::pgn::read::{GameReader, Scope};
    use crate::pgn::sample;
    use crate::pgn::write::{Additions, write_game};

    /// Returns the text of a game that was read as a whole.
    fn written(game: &Game) -> String {
        let mut out = Vec::new();
        write_game(&mut out, game, &Additions::default());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_was_seen_and_the_tags_are_all_of_a_game_without_notes() {
        let pgn = "[White \"A\"]\n[Odd \"1\"]\n[Other \"2\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White \"\u{e4}\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 7\"]\n\n7. O-O-O Ke7 *\n\n\
            [White \"comment\"]\n\n1. e4 {x} e5 *\n\n[White \"symbol\"]\n\n1. e4! e5 *\n\n[White \"number\"]\n\n1. e4 $2 e5 *\n\n\
            [White \"variation\"]\n\n1. e4 (1. d4) e5 *\n\n[White \"wrong\"]\n\n1. e4 e5 2. Ke5 Nf6 *\n\n[White \"renumbered\"]\n\n1. e4 e5 7. d4 d5 *\n\n\
            [White \"atomic\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 *\n\n[White \"tidied\"]\n\n1. e4 e7-e5 *\n";
        for rules in [Rules::Full, Rules::Cql] {
            let batch = sample::batch_by(rules, pgn);
            let mut completed = Vec::new();
            for index in 0..batch.games.len() {
                let (mut whole, mut expected) = (Game::default(), Game::default());
                GameReader::at(&batch, index)
                    .keeping_tags(&|name| name == b"White")
                    .read(Scope::default(), &mut whole, |_| true);
                GameReader::at(&batch, index).read(Scope::ALL, &mut expected, |_| true);
                if whole.complete(&batch, index) {
                    completed.push(index);
                    assert_eq!(written(&whole), written(&expected));
                    assert!(whole.tags.iter().eq(expected.tags.iter()));
                    assert_eq!(whole.positions, expected.positions);
                    assert_eq!(whole.number, expected.number);
                }
            }
            // CQL ignores move numbers and variants.
            let expected: &[usize] = match rules {
                Rules::Full => &[0, 1],
                Rules::Cql => &[0, 1, 7, 8],
            };
            assert_eq!(completed, expected, "{rules:?}");
        }
    }
}
