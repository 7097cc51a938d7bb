//! The tags of a game, as written in the file and as seen by queries and the output.
//!
//! Each part uses only those before it: `columns`, `date`, `escapes`, `player_name`.

mod columns;
mod date;
mod escapes;
mod player_name;

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use shakmaty::Color;

use super::encoding::{composed, decoded};
use super::rules::Rules;
use date::leading_integer;
use player_name::normalised_name;

pub(crate) use columns::{TAG_COLUMNS, tag_of_column};
pub use date::Date;
pub(crate) use escapes::escaped;
pub use escapes::{BACKSLASH, INNER_QUOTE};
pub(crate) use escapes::{push_rewritten, resolved};
pub(crate) use player_name::{has_any_case, in_any_case, part_of_name};

/// The tags of one game, in the order of the file.
///
/// Reading only copies the bytes. Names, dates and ratings are normalised on demand. If a tag occurs twice, the last value counts.
#[derive(Clone, Default, Debug)]
pub struct Tags {
    pub(crate) rules: Rules,
    text: Vec<u8>,
    spans: Vec<TagSpan>,
}

/// The place of a tag in the text: the name from `name`, the value as written in the file from `value` up to `end`. If the meaning differs
/// because of another encoding or of escapes, it follows up to `meant`.
#[derive(Clone, Copy, Debug)]
struct TagSpan {
    name: usize,
    value: usize,
    end: usize,
    meant: usize,
}

/// A code of the Encyclopaedia of Chess Openings such as `B85`, perhaps with the extension of certain databases (`B85a1`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eco {
    code: [u8; 5],
    length: usize,
}

/// The rating of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The rating system, in the form at the end of the tag's name: `Elo`, `Rating`, `ICCF`...
    pub system: &'static str,
    /// The rating, from 1 to 4000.
    pub value: u16,
}

/// The rating systems, in the form at the end of the tags' names.
const SYSTEMS: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "BCF"];

/// Returns whether a tag holds the rating of a player.
pub(crate) fn is_rating_tag(name: &[u8]) -> bool {
    let system = name.strip_prefix(b"White").or_else(|| name.strip_prefix(b"Black"));
    system.is_some_and(|system| SYSTEMS.iter().any(|known| known.as_bytes() == system))
}

/// Higher ratings are replaced by this one.
pub(crate) const HIGHEST_RATING: u32 = 4000;

/// Returns whether a tag gives a rating that is replaced by [`HIGHEST_RATING`].
pub(crate) fn has_high_rating(name: &[u8], value: &[u8]) -> bool {
    const LEAST_DIGITS: usize = 4;
    value.len() >= LEAST_DIGITS && is_rating_tag(name) && leading_integer(value) > HIGHEST_RATING
}

/// Tags that the output writes itself, or that are dropped.
const NOT_EXTRA: [&[u8]; 11] = [
    b"Event",
    b"Site",
    b"Date",
    b"Round",
    b"White",
    b"Black",
    b"Result",
    b"ECO",
    b"EventDate",
    b"FEN",
    b"ScidFlags",
];

/// The value of a missing tag of the first seven.
const UNKNOWN: &[u8] = b"?";

impl Tags {
    /// Returns roughly how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.text.capacity() + self.spans.capacity() * size_of::<TagSpan>()
    }

    /// Removes all tags.
    pub fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
    }

    /// Removes all tags. The next ones are read by these rules.
    pub(crate) fn begin(&mut self, rules: Rules) {
        self.rules = rules;
        self.clear();
    }

    /// Appends a tag. The value is canonical text, in which [`INNER_QUOTE`] and [`BACKSLASH`] replace quotation marks and
    /// backslashes.
    ///
    /// Except under the rules of CQL, escapes are resolved, a value that is not UTF-8 is read as Windows-1252, and letters with marks become one
    /// character each (NFC).
    pub fn push(&mut self, name: &[u8], value: &[u8]) {
        let name_start = self.text.len();
        self.text.extend_from_slice(name.trim_ascii());
        let value_start = self.text.len();
        push_rewritten(&mut self.text, value, [INNER_QUOTE, BACKSLASH], unescaped);
        let end = self.text.len();
        if self.rules == Rules::Full
            && let Some(meant) = meant(&self.text[value_start..])
        {
            self.text.extend_from_slice(&meant);
        }
        self.spans.push(TagSpan {
            name: name_start,
            value: value_start,
            end,
            meant: self.text.len(),
        });
    }

    /// Returns the names and values of the tags, with the bytes of the file.
    pub fn written(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.spans
            .iter()
            .map(|span| (self.slice(span.name, span.value), self.slice(span.value, span.end)))
    }

    /// Returns the names and values of the tags, with their meanings.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.spans
            .iter()
            .map(|span| (self.slice(span.name, span.value), self.value(span)))
    }

    fn value(&self, span: &TagSpan) -> &[u8] {
        if span.meant > span.end {
            self.slice(span.end, span.meant)
        } else {
            self.slice(span.value, span.end)
        }
    }

    fn slice(&self, start: usize, end: usize) -> &[u8] {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the meaning of the last value of a tag, in the spelling of the file.
    pub fn raw(&self, name: &[u8]) -> Option<&[u8]> {
        let has_name = |span: &&TagSpan| self.slice(span.name, span.value) == name;
        self.spans.iter().rev().find(has_name).map(|span| self.value(span))
    }

    /// Returns a value without changes; `?` if it is missing.
    fn verbatim(&self, name: &[u8]) -> &[u8] {
        self.raw(name).unwrap_or(UNKNOWN)
    }

    /// Returns the event. If it is empty, queries find no value.
    pub fn event(&self) -> &[u8] {
        self.verbatim(b"Event")
    }

    /// Returns the site. If it is empty, queries find no value.
    pub fn site(&self) -> &[u8] {
        self.verbatim(b"Site")
    }

    /// Returns the round.
    pub fn round(&self) -> &[u8] {
        self.verbatim(b"Round")
    }

    /// Returns the normalised name of White. If it is empty, queries find no value.
    pub fn white(&self) -> Cow<'_, [u8]> {
        self.player(Color::White)
    }

    /// Returns the normalised name of Black. If it is empty, queries find no value.
    pub fn black(&self) -> Cow<'_, [u8]> {
        self.player(Color::Black)
    }

    /// Returns the normalised name of a player. If it is empty, queries find no value.
    pub fn player(&self, color: Color) -> Cow<'_, [u8]> {
        normalised_name(self.verbatim(player_tag(color))).0
    }

    /// Returns the date of the game. If `Date` has no year, `UTCDate` counts, except under the rules of CQL.
    pub fn date(&self) -> Date {
        self.date_of(if self.has_date_of_utc() { b"UTCDate" } else { b"Date" })
    }

    /// Returns whether `UTCDate` gives the date of the game.
    pub(crate) fn has_date_of_utc(&self) -> bool {
        self.rules == Rules::Full && self.date_of(b"Date").year == 0 && self.date_of(b"UTCDate").year > 0
    }

    fn date_of(&self, name: &[u8]) -> Date {
        Date::of_tag(self.raw(name).unwrap_or_default(), self.rules)
    }

    /// Returns the date on which the event began.
    pub fn event_date(&self) -> Date {
        self.date_of(b"EventDate")
    }

    /// Returns the year of the game.
    pub fn year(&self) -> Option<u16> {
        Some(self.date().year).filter(|year| *year != 0)
    }

    /// Returns the code of the opening.
    pub fn eco(&self) -> Option<Eco> {
        Eco::from_tag(self.raw(b"ECO")?)
    }

    /// Returns the rating of a player.
    pub fn elo(&self, color: Color) -> Option<u16> {
        self.rating(color).map(|rating| rating.value)
    }

    /// Returns the rating of a player with its system: the one at the end of the name, or the first one that is a number.
    pub fn rating(&self, color: Color) -> Option<Rating> {
        let mut rating = None;
        for (name, value) in self.iter() {
            note_rating(&mut rating, color, name, value);
        }
        rating
    }

    /// Returns the value of any tag, normalised if queries see it so. Returns `None` if it is missing or empty; only extra tags may be empty.
    ///
    /// `FEN` and `Result` are those of the file here. The game has the values that reading has found.
    pub fn tag(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        let value = match name {
            b"Event" => Cow::Borrowed(self.event()),
            b"Site" => Cow::Borrowed(self.site()),
            b"White" => self.white(),
            b"Black" => self.black(),
            b"Date" => Cow::Owned(self.date().to_string().into_bytes()),
            b"EventDate" => Cow::Owned(self.event_date().to_string().into_bytes()),
            b"ECO" => Cow::Owned(self.eco()?.as_bytes().to_vec()),
            b"ScidFlags" => return None,
            _ => return self.raw(name).map(Cow::Borrowed),
        };
        Some(value).filter(|value| !value.is_empty())
    }

    /// Returns the tags that nothing else handles, as they are written back: a repeated tag has its first place and its last
    /// value.
    pub fn extras(&self) -> Vec<(&[u8], &[u8])> {
        let mut extras: Vec<(&[u8], &[u8])> = Vec::new();
        let mut places: HashMap<&[u8], usize> = HashMap::new();
        let (mut white, mut black) = (None, None);
        for (name, value) in self.iter() {
            let is_rating =
                note_rating(&mut white, Color::White, name, value) | note_rating(&mut black, Color::Black, name, value);
            if is_rating || NOT_EXTRA.contains(&name) {
                continue;
            }
            match places.entry(name) {
                Entry::Occupied(place) => extras[*place.get()].1 = value,
                Entry::Vacant(place) => {
                    place.insert(extras.len());
                    extras.push((name, value));
                }
            }
        }
        extras
    }
}

/// Returns the meaning of a value; `None` if it equals the value, as in nearly all cases.
fn meant(value: &[u8]) -> Option<Vec<u8>> {
    if value.is_ascii() {
        return match resolved(value) {
            Cow::Owned(meant) => Some(meant),
            Cow::Borrowed(_) => None,
        };
    }
    let text = decoded(value);
    let composed = composed(&text);
    match (resolved(&composed), &composed, &text) {
        (Cow::Borrowed(_), Cow::Borrowed(_), Cow::Borrowed(_)) => None,
        (meant, ..) => Some(meant.into_owned()),
    }
}

/// Returns the byte represented by a byte of canonical text.
fn unescaped(byte: u8) -> u8 {
    match byte {
        INNER_QUOTE => b'"',
        BACKSLASH => b'\\',
        byte => byte,
    }
}

/// Returns the name of the tag with the name of a player.
fn player_tag(color: Color) -> &'static [u8] {
    color.fold_wb(b"White", b"Black")
}

/// Updates the rating of `color` from one more tag. Returns whether the tag was a rating of that colour and was used.
fn note_rating(rating: &mut Option<Rating>, color: Color, name: &[u8], value: &[u8]) -> bool {
    let Some(suffix) = name.strip_prefix(player_tag(color)) else {
        return false;
    };
    if suffix.is_empty() {
        if let Some(value) = normalised_name(value).1 {
            *rating = known_rating("Elo", value).or(*rating);
        }
        return false;
    }
    match SYSTEMS.into_iter().find(|system| system.as_bytes() == suffix) {
        Some(system) if rating.is_none() => {
            *rating = known_rating(system, leading_integer(value));
            true
        }
        _ => false,
    }
}

/// Returns a rating, unless it is 0.
fn known_rating(system: &'static str, value: u32) -> Option<Rating> {
    let value = u16::try_from(value.min(HIGHEST_RATING))
        .ok()
        .filter(|value| *value != 0)?;
    Some(Rating { system, value })
}

impl Rating {
    /// Returns the rating that a tag with this number gives in the system of FIDE.
    pub(crate) fn elo(number: i32) -> Option<Rating> {
        known_rating(SYSTEMS[0], u32::try_from(number).unwrap_or(0))
    }
}

impl Eco {
    /// Reads a letter A-E, up to two digits, and optionally a small letter and a digit 1-4. Missing digits of the first
    /// two are 0.
    fn from_tag(value: &[u8]) -> Option<Eco> {
        let mut rest = value.iter().copied().peekable();
        let letter = rest
            .next()
            .map(|byte| byte.to_ascii_uppercase())
            .filter(|byte| (b'A'..=b'E').contains(byte))?;
        let mut code = [letter, b'0', b'0', 0, 0];
        let mut length = 3;
        let (digits, extension) = code.split_at_mut(3);
        for digit in digits.iter_mut().skip(1) {
            if let Some(byte) = rest.next_if(u8::is_ascii_digit) {
                *digit = byte;
            }
        }
        let accepts: [fn(&u8) -> bool; 2] = [u8::is_ascii_lowercase, |byte| (b'1'..=b'4').contains(byte)];
        for (place, accept) in extension.iter_mut().zip(accepts) {
            let Some(byte) = rest.next_if(accept) else { break };
            *place = byte;
            length += 1;
        }
        Some(Eco { code, length })
    }

    /// Returns the code as text.
    pub fn as_bytes(&self) -> &[u8] {
        self.code.get(..self.length).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(pairs: &[(&str, &str)]) -> Tags {
        let mut tags = Tags::default();
        for (name, value) in pairs {
            tags.push(name.as_bytes(), value.as_bytes());
        }
        tags
    }

    #[test]
    fn missing_tags_have_their_defaults() {
        let tags = Tags::default();
        assert_eq!(
            (tags.event(), tags.site(), tags.round()),
            (&b"?"[..], &b"?"[..], &b"?"[..])
        );
        assert_eq!((&*tags.white(), &*tags.black()), (&b"?"[..], &b"?"[..]));
        assert_eq!(tags.date().to_string(), "????.??.??");
        assert_eq!((tags.year(), tags.eco(), tags.elo(Color::White)), (None, None, None));
        assert_eq!(tags.result().to_string(), "*");
    }

    #[test]
    fn values_are_normalised_as_the_reference_shows() {
        let tags = tags(&[
            ("White", "Karpov,Anatoly"),
            ("Black", "van der Wiel,J. (2510)"),
            ("WhiteRating", "2720"),
            ("BlackElo", "2600"),
            ("ECO", "b85a1"),
            ("Date", "1985.11.9"),
            ("EventDate", "1985"),
            ("Remark", "one"),
            ("Remark", "two"),
        ]);
        assert_eq!(
            (&*tags.white(), &*tags.black()),
            (&b"Karpov, Anatoly"[..], &b"Van der Wiel, J."[..])
        );
        assert_eq!(
            tags.rating(Color::White),
            Some(Rating {
                system: "Rating",
                value: 2720
            })
        );
        assert_eq!(
            tags.rating(Color::Black),
            Some(Rating {
                system: "Elo",
                value: 2510
            })
        );
        assert_eq!(tags.eco().map(|eco| eco.as_bytes().to_vec()), Some(b"B85a1".to_vec()));
        assert_eq!(
            (tags.date().to_string(), tags.year()),
            ("1985.11.09".to_owned(), Some(1985))
        );
        assert_eq!(tags.event_date().to_string(), "1985.??.??");
        assert_eq!(tags.tag(b"Remark").as_deref(), Some(&b"two"[..]));
        assert_eq!(tags.extras(), [(&b"BlackElo"[..], &b"2600"[..]), (b"Remark", b"two")]);
    }

    #[test]
    fn a_rating_in_the_name_replaces_one_read_before() {
        let tags = tags(&[("WhiteICCF", "2400"), ("White", "Ahlgren (2500)")]);
        assert_eq!(
            tags.rating(Color::White),
            Some(Rating {
                system: "Elo",
                value: 2500
            })
        );
        assert!(tags.extras().is_empty());
    }

    #[test]
    fn ratings_are_bounded_and_zero_is_none() {
        let tags = tags(&[("WhiteElo", "9999"), ("BlackElo", "none"), ("BlackUSCF", "1800x")]);
        assert_eq!(tags.elo(Color::White), Some(4000));
        assert_eq!(
            tags.rating(Color::Black),
            Some(Rating {
                system: "USCF",
                value: 1800
            })
        );
        assert!(tags.extras().is_empty());
    }

    #[test]
    fn opening_codes_are_completed_or_refused() {
        let code = |value: &str| Eco::from_tag(value.as_bytes()).map(|eco| eco.as_bytes().to_vec());
        assert_eq!(code("e9"), Some(b"E90".to_vec()));
        assert_eq!(code("A"), Some(b"A00".to_vec()));
        assert_eq!(code("C23b"), Some(b"C23b".to_vec()));
        assert_eq!((code("Z9"), code("")), (None, None));
    }

    #[test]
    fn a_value_means_what_its_encoding_and_its_escapes_say_and_keeps_its_bytes() {
        let mut tags = Tags::default();
        let pairs: [(&[u8], &[u8], &str); 4] = [
            (b"White", b"M\xfcller,K", "M\u{fc}ller,K"),
            (b"Black", b"Meier", "Meier"),
            (
                b"Event",
                b"\x03\x02Caf\xe9\x03\x02 \x03\x03 \x03'",
                "\"Caf\u{e9}\" \\ '",
            ),
            (b"Site", b"\x02Inn\x02", "\"Inn\""),
        ];
        pairs.iter().for_each(|(name, value, _)| tags.push(name, value));
        assert!(
            tags.iter()
                .eq(pairs.iter().map(|(name, _, meant)| (*name, meant.as_bytes())))
        );
        assert_eq!(&*tags.white(), "M\u{fc}ller, K".as_bytes());
        let written: Vec<&[u8]> = tags.written().map(|(_, value)| value).collect();
        let expected: [&[u8]; 4] = [b"M\xfcller,K", b"Meier", b"\\\"Caf\xe9\\\" \\\\ \\'", b"\"Inn\""];
        assert_eq!(written, expected);
    }

    #[test]
    fn letters_with_marks_are_one_character() {
        let tags = tags(&[("White", "Mu\u{308}ller"), ("Black", "M\u{fc}ller")]);
        assert_eq!(tags.white(), tags.black());
        assert_eq!(tags.written().next(), Some((&b"White"[..], "Mu\u{308}ller".as_bytes())));
    }

    #[test]
    fn by_the_rules_of_cql_a_value_is_as_it_stands() {
        let mut tags = Tags::default();
        tags.begin(Rules::Cql);
        tags.push(b"Event", b"a \x03\x02b\x03\x02");
        assert_eq!(tags.event(), br#"a \"b\""#);
    }

    #[test]
    fn where_the_date_tells_no_year_the_other_date_counts() {
        for (date, utc, expected) in [
            ("????.??.??", "2015.03.05", "2015.03.05"),
            ("2018.01.31", "2018.02.01", "2018.01.31"),
            ("????.03.05", "?", "????.03.05"),
            ("12/01/23", "2023.12.01", "2023.12.01"),
        ] {
            let tags = tags(&[("Date", date), ("UTCDate", utc)]);
            assert_eq!(tags.date().to_string(), expected);
        }
        assert_eq!(tags(&[("UTCDate", "2015-03-05")]).year(), Some(2015));
    }

    #[test]
    fn results_are_known_in_all_spellings() {
        for (value, expected) in [
            ("1-0", "1-0"),
            ("0-1 (time)", "0-1"),
            ("0-1/2", "*"),
            ("1/2-0", "*"),
            ("1-0-0", "*"),
            ("1-00", "*"),
            ("1/22-1/2", "*"),
            ("1/2", "1/2-1/2"),
            ("½-½", "1/2-1/2"),
            ("½", "1/2-1/2"),
            ("½ : ½", "1/2-1/2"),
            ("1:0", "1-0"),
            ("1 - 0", "1-0"),
            ("0\u{2013}1", "0-1"),
            ("0.5-0.5", "1/2-1/2"),
            ("0,5:0,5", "1/2-1/2"),
            ("1/2 - 1/2", "1/2-1/2"),
            ("1.0-0.0", "1-0"),
            ("*", "*"),
            ("", "*"),
            ("10-0", "*"),
            ("1-05", "*"),
            ("?", "*"),
        ] {
            assert_eq!(tags(&[("Result", value)]).result().to_string(), expected, "{value}");
        }
    }
}
