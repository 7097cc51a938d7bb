//! Names of players, as far as their spellings agree: `Carlsen, Magnus`, `Carlsen,M.`, `CARLSEN M`, `Magnus Carlsen`.

use unicode_normalization::UnicodeNormalization as _;

/// A player.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Player {
    /// The last name in small letters and digits, without accents and spaces.
    pub(super) last_name: String,
    /// A number for the initial of the first name, or 0 if there is none. Letters of other alphabets may share a number.
    pub(super) initial: u8,
}

impl Player {
    /// Returns the player with this name, or `None` if the name says nothing.
    pub(super) fn of(name: &[u8]) -> Option<Player> {
        let name: String = String::from_utf8_lossy(name).nfd().collect::<String>().to_lowercase();
        let (last, first) = match name.split_once(',') {
            Some((last, first)) => (words(last).concat(), words(first).into_iter().next()),
            None => match words(&name).as_slice() {
                [] => return None,
                [only] => (only.clone(), None),
                [last @ .., first] if first.chars().count() == 1 => (last.concat(), Some(first.clone())),
                [first, .., last] => (last.clone(), Some(first.clone())),
            },
        };
        let initial = first.and_then(|first| first.chars().next());
        let initial = initial.map_or(0, |letter| (letter as u32 % 255) as u8 + 1);
        (!last.is_empty()).then_some(Player {
            last_name: last,
            initial,
        })
    }
}

/// Returns the words of a name, without the signs between letters.
fn words(name: &str) -> Vec<String> {
    let words = name.split(|letter: char| letter.is_whitespace() || matches!(letter, '.' | ','));
    let letters = |word: &str| word.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let words = words.map(letters);
    words.filter(|word: &String| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str) -> Option<Player> {
        Player::of(name.as_bytes())
    }

    #[test]
    fn spellings_of_a_name_are_the_same_player() {
        for names in [
            &[
                "Carlsen, Magnus",
                "Carlsen,M",
                "CARLSEN M.",
                "Magnus Carlsen",
                "carlsen, m",
            ][..],
            &["Vachier-Lagrave, Maxime", "Vachier Lagrave,M", "VachierLagrave, M."],
            &["Réti, Richard", "Reti,R", "Re\u{301}ti R"],
            &["Álvarez, Élodie", "Alvarez,E"],
            &["Ананд, В", "АНАНД, Вишванатан"],
            &["DrNykterstein", "drnykterstein"],
        ] {
            let first = player(names[0]);
            assert!(first.is_some());
            names.iter().for_each(|name| assert_eq!(player(name), first, "{name}"));
        }
    }

    #[test]
    fn other_names_are_other_players() {
        for (one, other) in [
            ("Polgar, Judit", "Polgar, Sofia"),
            ("Stockfish 15", "Stockfish 16"),
            ("user_12", "user_13"),
            ("Engine A", "Engine B"),
            ("Carlsen, Magnus", "Karlsson, Magnus"),
        ] {
            assert_ne!(player(one), player(other), "{one}, {other}");
        }
        for unknown in ["", "?", " ", ", ", "-"] {
            assert_eq!(player(unknown), None, "{unknown}");
        }
        assert_eq!(player("Morphy").map(|player| player.initial), Some(0));
    }
}
