//! The letters for pieces in other languages.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The letter of the Russian, Ukrainian and Bulgarian knight, `К`, in a word whose letters have all been made single bytes.
pub(crate) const CYRILLIC_KA: u8 = 0x80;
/// `Кр`, the king.
pub(crate) const CYRILLIC_KING: u8 = 0x81;
/// `Ф`.
pub(crate) const CYRILLIC_EF: u8 = 0x82;
/// `Л`.
pub(crate) const CYRILLIC_EL: u8 = 0x83;
/// `С`.
pub(crate) const CYRILLIC_ES: u8 = 0x84;
/// `Т`.
pub(crate) const CYRILLIC_TE: u8 = 0x85;
/// `Ц`.
pub(crate) const CYRILLIC_TSE: u8 = 0x86;
/// `Д`.
pub(crate) const CYRILLIC_DE: u8 = 0x87;

/// A figurine of a king. Those of the queen, rook, bishop, knight and pawn follow.
pub(crate) const FIGURINE_KING: u8 = 0x90;
/// A figurine of a pawn.
pub(crate) const FIGURINE_PAWN: u8 = 0x95;

/// A language of piece letters. Languages with the same letters are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Language(u8);

/// The letters of the king, queen, rook, bishop and knight.
struct Row {
    codes: &'static [&'static str],
    letters: [u8; 5],
}

const fn row(codes: &'static [&'static str], letters: [u8; 5]) -> Row {
    Row { codes, letters }
}

/// The known languages. English comes first.
const TABLE: [Row; 16] = [
    row(&["en"], *b"KQRBN"),
    row(&["de", "da", "nb", "no", "sv", "sl", "hr"], *b"KDTLS"),
    row(&["nl"], *b"KDTLP"),
    row(&["fi"], *b"KDTLR"),
    row(&["fr"], *b"RDTFC"),
    row(&["es", "it", "ca"], *b"RDTAC"),
    row(&["pt"], *b"RDTBC"),
    row(&["ro"], *b"RDTNC"),
    row(&["pl"], *b"KHWGS"),
    row(&["cs", "sk"], *b"KDVSJ"),
    row(&["hu"], *b"KVBFH"),
    row(&["et"], *b"KLVOR"),
    row(&["is"], *b"KDHBR"),
    row(
        &["ru"],
        [CYRILLIC_KING, CYRILLIC_EF, CYRILLIC_EL, CYRILLIC_ES, CYRILLIC_KA],
    ),
    row(
        &["uk"],
        [CYRILLIC_KING, CYRILLIC_EF, CYRILLIC_TE, CYRILLIC_ES, CYRILLIC_KA],
    ),
    row(&["bg"], [CYRILLIC_TSE, CYRILLIC_DE, CYRILLIC_TE, b'O', CYRILLIC_KA]),
];

const ENGLISH_LETTERS: [u8; 5] = TABLE[0].letters;

impl Language {
    /// English, the language of the standard.
    pub const ENGLISH: Language = Language(0);

    /// Returns the language with an ISO 639 code, such as `de`.
    fn of_code(code: &str) -> Option<Language> {
        let place = TABLE.iter().position(|row| row.codes.contains(&code))?;
        u8::try_from(place).ok().map(Language)
    }

    /// Returns all known codes.
    fn codes() -> impl Iterator<Item = &'static str> {
        TABLE.iter().flat_map(|row| row.codes.iter().copied())
    }

    fn all() -> impl Iterator<Item = Language> {
        (0..TABLE.len() as u8).map(Language)
    }

    fn letters(self) -> [u8; 5] {
        TABLE
            .get(usize::from(self.0))
            .map_or(ENGLISH_LETTERS, |row| row.letters)
    }

    /// Returns the English letter of the piece that a letter or a figurine stands for. `P` is the English pawn.
    pub(crate) fn english(self, letter: u8) -> Option<u8> {
        if let FIGURINE_KING..=FIGURINE_PAWN = letter {
            return b"KQRBNP".get(usize::from(letter - FIGURINE_KING)).copied();
        }
        if letter == b'P' && self == Language::ENGLISH {
            return Some(b'P');
        }
        let place = self.letters().into_iter().position(|own| own == letter)?;
        ENGLISH_LETTERS.get(place).copied()
    }

    /// Returns whether a letter stands for a piece in any language.
    pub(crate) fn is_letter(letter: u8) -> bool {
        Language::all().any(|language| language.english(letter).is_some())
    }

    /// Returns whether all these letters stand for pieces.
    fn has(self, letters: Letters) -> bool {
        letters.iter().all(|letter| self.english(letter).is_some())
    }

    /// Returns how many of these letters stand for pieces.
    pub(crate) fn count_known(self, letters: Letters) -> usize {
        letters.iter().filter(|letter| self.english(*letter).is_some()).count()
    }

    /// Returns whether one of these letters stands for one piece in English and another in this language.
    pub(crate) fn contradicts_english(self, letters: Letters) -> bool {
        letters.iter().any(|letter| {
            let meanings = self.english(letter).zip(Language::ENGLISH.english(letter));
            meanings.is_some_and(|(meaning, english)| meaning != english)
        })
    }

    /// Returns whether these letters mean the same in both languages.
    pub(crate) fn agrees(self, other: Language, letters: Letters) -> bool {
        letters
            .iter()
            .all(|letter| self.english(letter) == other.english(letter))
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Language, UnknownLanguage> {
        Language::of_code(&code.to_ascii_lowercase()).ok_or(UnknownLanguage)
    }
}

/// The error for a code of no language, or of one whose piece letters are unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownLanguage;

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<_> = Language::codes().collect();
        write!(f, "the letters of pieces are known for {}", codes.join(", "))
    }
}

impl Error for UnknownLanguage {}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes = TABLE.get(usize::from(self.0)).map_or(&[][..], |row| row.codes);
        f.write_str(&codes.join("/"))
    }
}

/// A set of letters that stand for pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Letters(u64);

impl Letters {
    /// Returns whether the set is empty.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a letter: a Latin capital, or one of the bytes for Cyrillic letters.
    pub(crate) fn add(&mut self, letter: u8) {
        self.0 |= Letters::bit(letter);
    }

    /// Adds the letters of another set.
    pub(crate) fn add_all(&mut self, others: Letters) {
        self.0 |= others.0;
    }

    /// Returns whether a letter is in the set.
    pub(crate) fn contains(self, letter: u8) -> bool {
        self.0 & Letters::bit(letter) != 0
    }

    fn bit(letter: u8) -> u64 {
        match letter {
            b'A'..=b'Z' => 1 << (letter - b'A'),
            0x80..=0x8f => 1 << (letter - 0x80 + 32),
            _ => 0,
        }
    }

    fn iter(self) -> impl Iterator<Item = u8> {
        (b'A'..=b'Z')
            .chain(0x80..=0x8f)
            .filter(move |letter| self.contains(*letter))
    }
}

/// A set of languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Languages(u32);

impl Languages {
    /// Returns the set of all known languages.
    pub(crate) fn all() -> Languages {
        Language::all().collect()
    }

    /// Returns the languages in which all these letters stand for pieces.
    pub(crate) fn with(letters: Letters) -> Languages {
        Language::all().filter(|language| language.has(letters)).collect()
    }

    /// Returns whether the set is empty.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether a language is in the set.
    pub(crate) fn contains(self, language: Language) -> bool {
        self.0 >> language.0 & 1 == 1
    }

    /// Returns the languages that are in both sets.
    pub(crate) fn and(self, others: Languages) -> Languages {
        Languages(self.0 & others.0)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Language> {
        Language::all().filter(move |language| self.contains(*language))
    }

    /// Returns the languages in which these letters mean the same as in `language`.
    pub(crate) fn agreeing(self, language: Language, letters: Letters) -> Languages {
        self.iter().filter(|other| other.agrees(language, letters)).collect()
    }

    /// Returns one language of each group in which these letters mean the same.
    pub(crate) fn distinct(self, letters: Letters) -> Vec<Language> {
        let mut distinct: Vec<Language> = Vec::new();
        for language in self.iter() {
            if !distinct.iter().any(|known| known.agrees(language, letters)) {
                distinct.push(language);
            }
        }
        distinct
    }

    /// Returns the letters that do not mean the same in all languages of the set.
    pub(crate) fn disputed(self, letters: Letters) -> Letters {
        let mut disputed = Letters::default();
        let first = self.iter().next();
        for letter in letters.iter() {
            if self
                .iter()
                .any(|language| Some(language.english(letter)) != first.map(|first| first.english(letter)))
            {
                disputed.add(letter);
            }
        }
        disputed
    }

    /// Returns whether an English letter means another piece in one of the languages.
    pub(crate) fn contradict_english(self) -> bool {
        let mut letters = Letters::default();
        ENGLISH_LETTERS.iter().for_each(|letter| letters.add(*letter));
        self.iter().any(|language| language.contradicts_english(letters))
    }
}

impl FromIterator<Language> for Languages {
    fn from_iter<I: IntoIterator<Item = Language>>(languages: I) -> Languages {
        Languages(languages.into_iter().fold(0, |set, language| set | 1 << language.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &[u8]) -> Letters {
        let mut letters = Letters::default();
        text.iter().for_each(|letter| letters.add(*letter));
        letters
    }

    fn shown(languages: Vec<Language>) -> String {
        let shown: Vec<_> = languages.iter().map(Language::to_string).collect();
        shown.join(" ")
    }

    #[test]
    fn all_letters_of_a_language_tell_it() {
        for language in Language::all() {
            let letters = letters(&language.letters());
            assert_eq!(Languages::with(letters).distinct(letters), [language], "{language}");
        }
    }

    #[test]
    fn few_letters_leave_a_choice() {
        let distinct = |text: &[u8]| shown(Languages::with(letters(text)).distinct(letters(text)));
        assert_eq!(distinct(b"TDL"), "de/da/nb/no/sv/sl/hr");
        assert_eq!(distinct(b"CDTR"), "fr");
        assert_eq!(distinct(b"S"), "de/da/nb/no/sv/sl/hr cs/sk");
        assert_eq!(distinct(b"P"), "en nl");
        assert_eq!(distinct(b"PL"), "nl");
        assert_eq!(distinct(b"RDTL"), "fi");
        assert_eq!(distinct(b"XY"), "");
    }

    #[test]
    fn letters_of_one_meaning_are_not_disputed() {
        let set = letters(b"SD");
        assert_eq!(Languages::with(set).disputed(set), letters(b"S"));
        assert!(Languages::with(letters(b"HB")).contradict_english());
        assert!(!Languages::with(letters(b"DTLS")).contradict_english());
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        assert_eq!(Language::of_code("en"), Some(Language::ENGLISH));
        assert_eq!(Language::of_code("de"), Language::of_code("sv"));
        assert_eq!(Language::of_code("xx"), None);
        assert!(Language::codes().count() > 20);
    }
}
