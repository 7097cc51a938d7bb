//! The tag `TimeControl` (PGN standard, 9.6.1).

/// The first period of a time control, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// The time of a side at the start of the period.
    pub base: i32,
    /// The time added for each move, which may be 0.
    pub increment: i32,
}

impl TimeControl {
    /// Reads the first period of a time control: `300`, `180+2`, `40/7200:3600`, `40/5400+30:900+30`, `*60` (a sand glass). Returns
    /// `None` for `-`, `?` and any other text.
    pub fn parse(text: &[u8]) -> Option<TimeControl> {
        let text = std::str::from_utf8(text).ok()?.trim();
        let first = text.split(':').next()?;
        let period = first.strip_prefix('*').unwrap_or(first);
        let time = match period.split_once('/') {
            Some((moves, time)) => {
                number(moves)?;
                time
            }
            // A period for all moves is the last one.
            None if text.contains(':') => return None,
            None => period,
        };
        let (base, increment) = match time.split_once('+') {
            Some((base, increment)) => (number(base)?, number(increment)?),
            None => (number(time)?, 0),
        };
        Some(TimeControl { base, increment })
    }
}

/// Reads a number that consists only of digits.
fn number(text: &str) -> Option<i32> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_period_counts() {
        let read = |text: &str| TimeControl::parse(text.as_bytes()).map(|control| (control.base, control.increment));
        for (text, expected) in [
            ("180+2", (180, 2)),
            ("300", (300, 0)),
            ("40/7200:3600", (7_200, 0)),
            ("40/5400+30:900+30", (5_400, 30)),
            ("*60", (60, 0)),
            ("1/86400", (86_400, 0)),
            (" 0+1 ", (0, 1)),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
        for text in [
            "-",
            "?",
            "",
            "180+",
            "+2",
            "3 min",
            "40/",
            "/300",
            "-5",
            "1.5+1",
            "1:30:00",
            "99999999999",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
