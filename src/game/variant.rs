//! Which chess is played: what the `Variant` tag says.

use std::fmt;

/// A kind of chess that skewer knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// Chess, from the usual start or any other position.
    #[default]
    Standard,
    /// Chess from one of 960 starts, also known as Fischer random and freestyle.
    Chess960,
}

/// The names of variants as tags have them, in small letters and without anything that is neither letter nor digit.
const NAMES: [(Variant, &[&str]); 2] = [
    (
        Variant::Standard,
        &[
            "",
            "chess",
            "classical",
            "fromposition",
            "illegal",
            "normal",
            "normalchess",
            "orthodox",
            "regular",
            "setup",
            "standard",
            "standardchess",
        ],
    ),
    (
        Variant::Chess960,
        &[
            "960",
            "chess960",
            "chess9lx",
            "fischerandom",
            "fischerandomchess",
            "fischerrandom",
            "fischerrandomchess",
            "frc",
            "freestyle",
            "freestylechess",
            "wildfr",
        ],
    ),
];

impl Variant {
    /// The variant that a name means; case, blanks, hyphens and other signs do not count. None if it is unknown.
    pub fn of_name(name: &[u8]) -> Option<Variant> {
        let is_same = |known: &&str| {
            let letters = name
                .iter()
                .filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
            known.bytes().eq(letters.map(u8::to_ascii_lowercase))
        };
        let of = |(variant, names): &(Variant, &[&str])| names.iter().any(is_same).then_some(*variant);
        NAMES.iter().find_map(of)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Variant::Standard => "Standard",
            Variant::Chess960 => "Chess960",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_servers_write() {
        for name in [
            "",
            "?",
            "-",
            "Standard",
            "From Position",
            "fromPosition",
            "chess",
            "NORMAL",
        ] {
            assert_eq!(Variant::of_name(name.as_bytes()), Some(Variant::Standard), "{name}");
        }
        for name in [
            "Chess960",
            "Chess 960",
            "chess-960",
            "Fischerandom",
            "Fischer Random",
            "fischer-random chess",
            "Freestyle",
            "wild/fr",
        ] {
            assert_eq!(Variant::of_name(name.as_bytes()), Some(Variant::Chess960), "{name}");
        }
        for name in ["Bughouse", "Chess9600", "wild/5", "Shatranj", "Échecs"] {
            assert_eq!(Variant::of_name(name.as_bytes()), None, "{name}");
        }
    }
}
