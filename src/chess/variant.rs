//! The kind of chess played, from the `Variant` tag.

use std::fmt;

/// A kind of chess that skewer knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Variant {
    /// Chess, from the usual start or any other position.
    #[default]
    Standard,
    /// Chess from one of 960 starts, also known as Fischer random and freestyle.
    Chess960,
    /// Captured pieces can be dropped on the board by the other side.
    Crazyhouse,
    /// A capturing piece explodes, with all pieces around it except pawns.
    Atomic,
    /// Whoever can capture must, and losing all pieces wins. For replaying, suicide and giveaway are the same.
    Antichess,
    /// The third check wins.
    ThreeCheck,
    /// A king in the middle wins.
    KingOfTheHill,
    /// Pawns against pieces.
    Horde,
    /// The first king on the eighth rank wins, and nobody may give check.
    RacingKings,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 9] = [
        Variant::Standard,
        Variant::Chess960,
        Variant::Crazyhouse,
        Variant::Atomic,
        Variant::Antichess,
        Variant::ThreeCheck,
        Variant::KingOfTheHill,
        Variant::Horde,
        Variant::RacingKings,
    ];

    /// Returns its names in tags, the usual one first, in small letters, and with only letters and digits.
    fn names(self) -> &'static [&'static str] {
        match self {
            Variant::Standard => &[
                "standard",
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
                "standardchess",
            ],
            Variant::Chess960 => &[
                "chess960",
                "960",
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
            Variant::Crazyhouse => &["crazyhouse", "crazyhousechess", "house", "zh"],
            Variant::Atomic => &["atomic", "atom", "atomicchess"],
            Variant::Antichess => &[
                "antichess",
                "anti",
                "giveaway",
                "giveawaychess",
                "suicide",
                "suicidechess",
            ],
            Variant::ThreeCheck => &["threecheck", "3check", "threecheckchess", "threechecks"],
            Variant::KingOfTheHill => &["kingofthehill", "koth"],
            Variant::Horde => &["horde", "hordechess"],
            Variant::RacingKings => &["racingkings", "race", "racing"],
        }
    }

    /// Returns the variant with a name; `None` if it is unknown. Case, spaces, hyphens and other signs do not count.
    pub fn of_name(name: &[u8]) -> Option<Variant> {
        let letters = || {
            name.iter()
                .filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        };
        let is_same = |known: &&str| known.bytes().eq(letters().map(u8::to_ascii_lowercase));
        Variant::ALL
            .into_iter()
            .find(|variant| variant.names().iter().any(is_same))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Variant::Standard => "Standard",
            Variant::Chess960 => "Chess960",
            Variant::Crazyhouse => "Crazyhouse",
            Variant::Atomic => "Atomic",
            Variant::Antichess => "Antichess",
            Variant::ThreeCheck => "Three-check",
            Variant::KingOfTheHill => "King of the Hill",
            Variant::Horde => "Horde",
            Variant::RacingKings => "Racing Kings",
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
        for variant in Variant::ALL {
            assert_eq!(Variant::of_name(variant.to_string().as_bytes()), Some(variant));
        }
        for name in ["Bughouse", "Losers", "Chess9600", "wild/5", "Shatranj", "Échecs"] {
            assert_eq!(Variant::of_name(name.as_bytes()), None, "{name}");
        }
    }
}
