//! Dates in tags.

use std::fmt;

use crate::game::rules::Rules;

/// A calendar date of which any part may be unknown (0). Displayed as `yyyy.mm.dd`, with `?` for unknown parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Date {
    /// The year, up to 2047.
    pub year: u16,
    /// The month, up to 12.
    pub month: u8,
    /// The day, up to 31.
    pub day: u8,
}

/// Greater numbers are not years.
const LAST_YEAR: u32 = 2047;

impl Date {
    /// Returns whether any part is known.
    pub fn is_known(&self) -> bool {
        *self != Date::default()
    }

    /// Reads the value of a tag.
    pub(crate) fn of_tag(value: &[u8], rules: Rules) -> Date {
        match rules {
            Rules::Cql => Date::of_parts(value, b'.'),
            Rules::Full if has_standard_year(value) => Date::of_parts(value, b'.'),
            Rules::Full => Date::of_other_form(value),
        }
    }

    /// Returns whether the value of a tag looks like a date, but has no certain year. Nearly all games have a certain year, or no date.
    pub(crate) fn is_unclear(value: &[u8]) -> bool {
        let says_nothing = || value.starts_with(b"?") || !value.iter().any(|byte| matches!(byte, b'1'..=b'9'));
        !has_standard_year(value) && !says_nothing() && Date::of_other_form(value).year == 0
    }

    /// Reads the leading integers before the first and the second separator, and after the second.
    fn of_parts(value: &[u8], separator: u8) -> Date {
        let mut parts = value.splitn(3, |byte| *byte == separator).map(leading_integer);
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

    /// Reads a date that does not follow the standard. The year is certain if it is the only number of four digits. Month and day
    /// are only read if the year comes first, or if dots show that the day does.
    fn of_other_form(value: &[u8]) -> Date {
        let Some(year) = sole_year(value) else {
            let partial = Date::of_parts(value, b'.');
            let is_standard = value.starts_with(b"?");
            return if is_standard { partial } else { Date::default() };
        };
        let mut groups = value.split(|byte| !byte.is_ascii_digit());
        let separator = value.iter().copied().find(|byte| !byte.is_ascii_digit());
        match (leading_integer(value) == year, separator) {
            (true, Some(separator @ (b'-' | b'/'))) => Date::of_parts(value, separator),
            (false, Some(b'.')) if value.split(|byte| *byte == b'.').count() == 3 => {
                let mut next = || groups.next().map_or(0, leading_integer);
                let (day, month, last) = (next(), next(), next());
                let ordered = format!("{year}.{month}.{day}");
                Date::of_parts(if last == year { ordered.as_bytes() } else { &value[..0] }, b'.').or_year(year)
            }
            _ => Date::default().or_year(year),
        }
    }

    /// Returns the date, or only the given year if it has no year.
    fn or_year(self, year: u32) -> Date {
        match self.year {
            0 => Date {
                year: u16::try_from(year).unwrap_or(0),
                ..Date::default()
            },
            _ => self,
        }
    }
}

/// Returns whether a value begins like the standard form: `1985`, `1985.11.09`.
fn has_standard_year(value: &[u8]) -> bool {
    let (year, rest) = value.split_at(value.len().min(4));
    matches!(rest, [] | [b'.', ..]) && year_of(year).is_some()
}

/// Words that mark a date as approximate.
const ABOUT: [&[u8]; 7] = [b"c", b"ca", b"circa", b"about", b"around", b"before", b"after"];

/// Returns whether a value names a vague time instead of a day or a year: `c. 1850`, `1850/51`.
fn is_vague(value: &[u8]) -> bool {
    let mut words = value.split(|byte| !byte.is_ascii_alphabetic());
    let is_about = words.any(|word| ABOUT.iter().any(|about| word.eq_ignore_ascii_case(about)));
    let years = match value.split_first_chunk::<4>() {
        Some((first, [b'/' | b'-', second @ ..])) if second.len() == 2 => {
            year_of(first).zip(Some(leading_integer(second)))
        }
        _ => None,
    };
    let is_season = |(first, second): (u32, u32)| second > 12 || second == (first + 1) % 100;
    is_about || value.contains(&b'~') || years.is_some_and(is_season)
}

/// Returns the only year in a text: a number of four digits with no letter and no sign of doubt next to it.
fn sole_year(value: &[u8]) -> Option<u32> {
    if is_vague(value) {
        return None;
    }
    let doubts = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'?');
    let mut sole = None;
    let mut at = 0;
    for group in value.split(|byte| !byte.is_ascii_digit()) {
        let end = at + group.len();
        if group.len() == 4 {
            let before = at.checked_sub(1).and_then(|place| value.get(place));
            let year = year_of(group).filter(|_| !doubts(before) && !doubts(value.get(end)))?;
            if sole.is_some_and(|other| other != year) {
                return None;
            }
            sole = Some(year);
        }
        at = end + 1;
    }
    sole
}

/// Returns the year given by four digits.
fn year_of(digits: &[u8]) -> Option<u32> {
    let is_year = digits.len() == 4 && digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit);
    Some(leading_integer(digits)).filter(|year| is_year && *year <= LAST_YEAR)
}

/// Returns the number at the start of a value, or 0 if there is none. Very large numbers are cut off.
pub(crate) fn leading_integer(value: &[u8]) -> u32 {
    let digits = value.trim_ascii_start().iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0u32, |number, digit| {
        number.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &str, rules: Rules) -> String {
        Date::of_tag(value.as_bytes(), rules).to_string()
    }

    #[test]
    fn a_year_is_certain_or_unknown() {
        for (value, expected, is_unclear) in [
            ("1985.11.09", "1985.11.09", false),
            ("1985.11.9", "1985.11.09", false),
            ("1850", "1850.??.??", false),
            ("1985.??.??", "1985.??.??", false),
            ("1999.13.01", "1999.??.??", false),
            ("1999.12.32", "1999.12.??", false),
            ("2018.03.10 1439", "2018.03.10", false),
            ("1985-11-09", "1985.11.09", false),
            ("1985/1/2", "1985.01.02", false),
            ("2018-03-10T12:00:00", "2018.03.10", false),
            ("15.10.2016", "2016.10.15", false),
            ("10.15.2016", "2016.??.??", false),
            ("3/10/2018, 2:39:21 PM", "2018.??.??", false),
            ("Oct 15, 2016", "2016.??.??", false),
            ("Sun Jul 09 2023", "2023.??.??", false),
            ("2016\u{5e74}10\u{6708}15\u{65e5}", "2016.??.??", false),
            ("????.10.15", "????.10.15", false),
            ("????.??.??", "????.??.??", false),
            ("0000.00.00", "????.??.??", false),
            ("?", "????.??.??", false),
            ("", "????.??.??", false),
            ("unknown", "????.??.??", false),
            ("1985-11", "1985.11.??", false),
            ("12/01/23", "????.??.??", true),
            ("c. 1850", "????.??.??", true),
            ("Ca 1850", "????.??.??", true),
            ("~1850", "????.??.??", true),
            ("1850/51", "????.??.??", true),
            ("1911-12", "????.??.??", true),
            ("15.10.16", "????.??.??", true),
            ("199?.??.??", "????.??.??", true),
            ("199?", "????.??.??", true),
            ("2016?", "????.??.??", true),
            ("1850s", "????.??.??", true),
            ("0015.10.16", "????.??.??", true),
            ("1999-2000", "????.??.??", true),
            ("2099.12.01", "????.??.??", true),
            ("20161015", "????.??.??", true),
            ("99999999999.1.1", "????.??.??", true),
        ] {
            assert_eq!(shown(value, Rules::Full), expected, "{value}");
            assert_eq!(Date::is_unclear(value.as_bytes()), is_unclear, "{value}");
        }
    }

    #[test]
    fn by_the_rules_of_cql_leading_numbers_count() {
        for (value, expected) in [
            ("1985-11-09", "1985.??.??"),
            ("15.10.2016", "0015.10.??"),
            ("2099.13.40", "????.??.??"),
            ("1999.13.01", "1999.??.??"),
            ("1999.12.32", "1999.12.??"),
            ("99999999999.1.1", "????.01.01"),
        ] {
            assert_eq!(shown(value, Rules::Cql), expected, "{value}");
        }
    }
}
