//! The tags of a game: as they stand in the file, and as queries and the output see them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use shakmaty::{Color, KnownOutcome, Outcome};

use super::batch::{BACKSLASH, INNER_QUOTE, push_rewritten};
use super::encoding::decoded;
use super::names::normalised_name;

/// The tags of one game, in the order of the file.
///
/// Reading only copies the bytes; names, dates and ratings are normalised when somebody asks for them. Where a tag
/// occurs twice, the last value counts.
#[derive(Clone, Default, Debug)]
pub struct Tags {
    text: Vec<u8>,
    spans: Vec<TagSpan>,
}

/// Where a tag stands in the text: the name from `name`, the value from `value` up to `end`. Where the file has other bytes,
/// because it is in another encoding, they follow up to `written`.
#[derive(Clone, Copy, Debug)]
struct TagSpan {
    name: usize,
    value: usize,
    end: usize,
    written: usize,
}

/// A calendar date of which any part may be unknown (0). Displayed as `yyyy.mm.dd` with `?` for what is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Date {
    /// The year, up to 2047.
    pub year: u16,
    /// The month, up to 12.
    pub month: u8,
    /// The day, up to 31.
    pub day: u8,
}

/// A code of the Encyclopaedia of Chess Openings such as `B85`, with the extension of some databases (`B85a1`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eco {
    code: [u8; 5],
    length: usize,
}

/// The strength of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The rating system, as it ends the name of the tag: `Elo`, `Rating`, `ICCF`...
    pub system: &'static str,
    /// The rating, from 1 to 4000.
    pub value: u16,
}

/// The rating systems, as they end the names of the tags.
const SYSTEMS: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "BCF"];

/// Whether a tag holds the rating of a player.
pub(crate) fn is_rating_tag(name: &[u8]) -> bool {
    let system = name.strip_prefix(b"White").or_else(|| name.strip_prefix(b"Black"));
    system.is_some_and(|system| SYSTEMS.iter().any(|known| known.as_bytes() == system))
}

/// Ratings above are taken for this one.
const HIGHEST_RATING: u32 = 4000;

/// Years above are no years.
const LAST_YEAR: u32 = 2047;

/// Tags that the output writes itself or that are dropped.
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

/// What a missing tag of the first seven says.
const UNKNOWN: &[u8] = b"?";

impl Tags {
    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.text.capacity() + self.spans.capacity() * size_of::<TagSpan>()
    }

    /// Forgets all tags.
    pub fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
    }

    /// Appends a tag. The value is canonical text, so quotation marks and backslashes are replaced in it by
    /// [`INNER_QUOTE`] and [`BACKSLASH`].
    pub fn push(&mut self, name: &[u8], value: &[u8]) {
        let name_start = self.text.len();
        self.text.extend_from_slice(name.trim_ascii());
        let value_start = self.text.len();
        self.push_unescaped(value);
        self.spans.push(TagSpan {
            name: name_start,
            value: value_start,
            end: self.text.len(),
            written: self.text.len(),
        });
    }

    /// Appends a tag like [`push`](Tags::push), but a value that is no UTF-8 counts as what it says in Windows-1252; its bytes are
    /// kept for [`written`](Tags::written).
    pub fn push_decoded(&mut self, name: &[u8], value: &[u8]) {
        let text = decoded(value);
        self.push(name, &text);
        if matches!(text, Cow::Owned(_)) {
            self.push_unescaped(value);
            if let Some(span) = self.spans.last_mut() {
                span.written = self.text.len();
            }
        }
    }

    /// Adds canonical text to that of all tags, as it is meant.
    fn push_unescaped(&mut self, canonical: &[u8]) {
        push_rewritten(&mut self.text, canonical, [INNER_QUOTE, BACKSLASH], unescaped);
    }

    /// The tags with the bytes of the file: names and values.
    pub fn written(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.spans.iter().map(|span| {
            let value = if span.written > span.end {
                self.slice(span.end, span.written)
            } else {
                self.slice(span.value, span.end)
            };
            (self.slice(span.name, span.value), value)
        })
    }

    /// The tags as they stand in the file: names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.spans
            .iter()
            .map(|span| (self.slice(span.name, span.value), self.slice(span.value, span.end)))
    }

    fn slice(&self, start: usize, end: usize) -> &[u8] {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The last value of a tag as it stands in the file.
    pub fn raw(&self, name: &[u8]) -> Option<&[u8]> {
        let has_name = |span: &&TagSpan| self.slice(span.name, span.value) == name;
        self.spans
            .iter()
            .rev()
            .find(has_name)
            .map(|span| self.slice(span.value, span.end))
    }

    /// A value that is taken as it stands; `?` when missing.
    fn verbatim(&self, name: &[u8]) -> &[u8] {
        self.raw(name).unwrap_or(UNKNOWN)
    }

    /// The event; empty means that queries find no value.
    pub fn event(&self) -> &[u8] {
        self.verbatim(b"Event")
    }

    /// The site; empty means that queries find no value.
    pub fn site(&self) -> &[u8] {
        self.verbatim(b"Site")
    }

    /// The round.
    pub fn round(&self) -> &[u8] {
        self.verbatim(b"Round")
    }

    /// The normalised name of White; empty means that queries find no value.
    pub fn white(&self) -> Cow<'_, [u8]> {
        self.player(Color::White)
    }

    /// The normalised name of Black; empty means that queries find no value.
    pub fn black(&self) -> Cow<'_, [u8]> {
        self.player(Color::Black)
    }

    /// The normalised name of a player; empty means that queries find no value.
    pub fn player(&self, color: Color) -> Cow<'_, [u8]> {
        normalised_name(self.verbatim(player_tag(color))).0
    }

    /// The date of the game.
    pub fn date(&self) -> Date {
        Date::from_tag(self.raw(b"Date").unwrap_or_default())
    }

    /// The date on which the event began.
    pub fn event_date(&self) -> Date {
        Date::from_tag(self.raw(b"EventDate").unwrap_or_default())
    }

    /// The year of the game.
    pub fn year(&self) -> Option<u16> {
        Some(self.date().year).filter(|year| *year != 0)
    }

    /// The code of the opening.
    pub fn eco(&self) -> Option<Eco> {
        Eco::from_tag(self.raw(b"ECO")?)
    }

    /// The rating of a player.
    pub fn elo(&self, color: Color) -> Option<u16> {
        self.rating(color).map(|rating| rating.value)
    }

    /// The rating of a player with its system: that at the end of the name, or the first one that is a number.
    pub fn rating(&self, color: Color) -> Option<Rating> {
        let mut rating = None;
        for (name, value) in self.iter() {
            note_rating(&mut rating, color, name, value);
        }
        rating
    }

    /// The result that the tag gives. It counts only for a game without a terminator.
    pub fn result(&self) -> Outcome {
        let value = self.raw(b"Result").unwrap_or_default();
        let decisive = |winner| KnownOutcome::Decisive { winner };
        let known = [
            (&b"1-0"[..], decisive(Color::White)),
            (b"0-1", decisive(Color::Black)),
            (b"1/2", KnownOutcome::Draw),
        ];
        let found = known.into_iter().find(|(prefix, _)| value.starts_with(prefix));
        Outcome::from_known(found.map(|(_, outcome)| outcome))
    }

    /// The value of any tag, normalised where queries see it so; no value when missing or empty, extra tags apart.
    ///
    /// `FEN` and `Result` are those of the file here; what the reading made of them is asked of the game.
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

    /// The tags that nothing else knows, as they are written back: a repeated one has its first place and its last
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

/// The byte that one of canonical text stands for.
fn unescaped(byte: u8) -> u8 {
    match byte {
        INNER_QUOTE => b'"',
        BACKSLASH => b'\\',
        byte => byte,
    }
}

/// The name of the tag with the name of a player.
fn player_tag(color: Color) -> &'static [u8] {
    color.fold_wb(b"White", b"Black")
}

/// Updates the rating of `color` by one more tag; whether the tag was a rating of that colour and is used up.
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

/// A rating unless it is 0.
fn known_rating(system: &'static str, value: u32) -> Option<Rating> {
    let value = u16::try_from(value.min(HIGHEST_RATING))
        .ok()
        .filter(|value| *value != 0)?;
    Some(Rating { system, value })
}

/// The number with which a value begins, 0 if with none; very large ones are cut off.
fn leading_integer(value: &[u8]) -> u32 {
    let digits = value.trim_ascii_start().iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0u32, |number, digit| {
        number.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
    })
}

#[cfg(feature = "database")]
impl Rating {
    /// The rating that a tag with this number gives in the system of FIDE.
    pub(crate) fn elo(number: i32) -> Option<Rating> {
        known_rating(SYSTEMS[0], u32::try_from(number).unwrap_or(0))
    }
}

impl Date {
    /// Whether any part is known.
    pub fn is_known(&self) -> bool {
        *self != Date::default()
    }

    /// Reads the leading integers before the first and the second dot and after it.
    fn from_tag(value: &[u8]) -> Date {
        let mut parts = value.splitn(3, |byte| *byte == b'.').map(leading_integer);
        let mut next = || parts.next().unwrap_or(0);
        let (year, month, day) = (next(), next(), next());
        let year = if year <= LAST_YEAR { year } else { 0 };
        let (month, day) = if month <= 12 { (month, day) } else { (0, 0) };
        let day = if day <= 31 { day } else { 0 };
        Date {
            year: u16::try_from(year).unwrap_or(0),
            month: u8::try_from(month).unwrap_or(0),
            day: u8::try_from(day).unwrap_or(0),
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year {
            0 => f.write_str("????")?,
            year => write!(f, "{year:04}")?,
        }
        for part in [self.month, self.day] {
            match part {
                0 => f.write_str(".??")?,
                part => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
    }
}

impl Eco {
    /// Reads a letter A-E, up to two digits, and at most a small letter and a digit 1-4; missing digits of the first
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

    /// The code as text.
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
        assert_eq!(tags.result(), Outcome::Unknown);
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
    fn impossible_parts_of_dates_are_unknown() {
        for (value, shown) in [
            ("1985-11-09", "1985.??.??"),
            ("2099.13.40", "????.??.??"),
            ("1999.13.01", "1999.??.??"),
            ("1999.12.32", "1999.12.??"),
            ("1850", "1850.??.??"),
            ("99999999999.1.1", "????.01.01"),
        ] {
            assert_eq!(Date::from_tag(value.as_bytes()).to_string(), shown, "{value}");
        }
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
    fn a_value_in_another_encoding_is_text_and_keeps_its_bytes() {
        let mut tags = Tags::default();
        tags.push_decoded(b"White", b"M\xfcller,K");
        tags.push_decoded(b"Black", b"Meier");
        assert_eq!(&*tags.white(), "M\u{fc}ller, K".as_bytes());
        let written: Vec<_> = tags.written().collect();
        let expected: [(&[u8], &[u8]); 2] = [(b"White", b"M\xfcller,K"), (b"Black", b"Meier")];
        assert_eq!(written, expected);
    }

    #[test]
    fn escaped_bytes_become_quotes_and_backslashes() {
        let tags = tags(&[("Event", "a \u{3}\u{2}b\u{3}\u{2}")]);
        assert_eq!(tags.event(), br#"a \"b\""#);
    }
}
