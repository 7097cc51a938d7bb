//! Finds tags that occur twice in a game.
//!
//! Hardly any game has one, so a filter decides for nearly all games, at a few nanoseconds per tag, that they have none.

use std::collections::HashMap;

use crate::pgn::canonical::tags;

/// The number of bits of a hash.
const BITS: u32 = 10;

/// The tag names of a game, known by a set of their hashes.
#[derive(Default)]
pub(crate) struct TagNameFilter {
    seen: [u64; 1 << (BITS - u64::BITS.ilog2())],
    may_repeat: bool,
}

impl TagNameFilter {
    /// Forgets all names.
    pub(crate) fn clear(&mut self) {
        *self = TagNameFilter::default();
    }

    /// Adds a name.
    #[inline]
    pub(crate) fn note(&mut self, name: &[u8]) {
        let place = hash(name);
        let bit = 1 << (place % u64::BITS);
        if let Some(word) = self.seen.get_mut((place / u64::BITS) as usize) {
            self.may_repeat |= *word & bit != 0;
            *word |= bit;
        }
    }

    /// Returns whether a name may have been added twice. If not, none has.
    pub(crate) fn may_repeat(&self) -> bool {
        self.may_repeat
    }
}

/// A factor with which the hashes of some ninety usual names differ.
const SPREAD: u64 = 0xafbd_67f9_6196_99cf;

/// Returns a number of [`BITS`] bits that depends on the length of a name, its first and its last bytes.
#[inline]
fn hash(name: &[u8]) -> u32 {
    let edge = |bytes: Option<&[u8; 4]>| bytes.map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)));
    let (first, last) = match name {
        [a, .., b] if name.len() < 4 => (u64::from(*a), u64::from(*b)),
        _ => (edge(name.first_chunk()), edge(name.last_chunk())),
    };
    let key = (first << 32 | last) ^ (name.len() as u64) << 60;
    (key.wrapping_mul(SPREAD) >> (u64::BITS - BITS)) as u32
}

/// Returns the name of the first tag of a canonical game whose value differs from that of an earlier tag with the same name.
pub(crate) fn repeated_tag(game: &[u8]) -> Option<&[u8]> {
    let mut values = HashMap::new();
    tags(game)
        .find(|(name, value)| values.insert(*name, *value).is_some_and(|before| before != *value))
        .map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_usual_tags_are_told_apart() {
        let usual = "Event Site Date Round White Black Result UTCDate UTCTime WhiteElo BlackElo WhiteRatingDiff \
             BlackRatingDiff WhiteTitle BlackTitle ECO Opening TimeControl Termination Variant FEN \
             SetUp Annotator CurrentPosition Timezone ECOUrl StartTime EndDate EndTime Link Variation \
             WhiteFideId BlackFideId EventDate EventType EventCountry EventRounds Source SourceDate \
             WhiteTeam BlackTeam PlyCount FICSGamesDBGameNo WhiteRD BlackRD Time WhiteClock BlackClock \
             Tournament WhiteUSCF BlackUSCF WhiteTeamCountry BlackTeamCountry GameId StudyName \
             ChapterName ChapterURL WhiteType BlackType SubVariation NIC EventSponsor Stage Board \
             Section Mode White_Title Beauty SourceTitle SourceVersionDate SourceQuality EventCategory \
             SourceVersion Remark WhiteNA BlackNA GameURL Orientation WhiteRapid BlackRapid WhiteBlitz \
             Broadcast BroadcastName BroadcastURL ICCResult";
        let mut seen = TagNameFilter::default();
        for name in usual.split(' ') {
            seen.note(name.as_bytes());
            assert!(!seen.may_repeat(), "{name}");
        }
        seen.note(b"White");
        assert!(seen.may_repeat());
        seen.clear();
        assert!(!seen.may_repeat());
    }

    #[test]
    fn a_tag_is_repeated_if_it_has_two_values() {
        assert_eq!(repeated_tag(b"[A \"1\"]\n[B \"2\"]\n[A \"1\"]\n\n1. e4 *"), None);
        assert_eq!(
            repeated_tag(b"[A \"1\"]\n[B \"2\"]\n[B \"3\"]\n[A \"4\"]\n\n*"),
            Some(&b"B"[..])
        );
    }
}
