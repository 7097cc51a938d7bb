//! Sets of bytes, one for each place of a pattern that matches a byte.

use std::fmt::Write;

/// A set of bytes, with one bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(super) fn of(contains: impl Fn(u8) -> bool) -> ByteSet {
        let mut set = ByteSet([0; 4]);
        for byte in 0..=u8::MAX {
            set.0[usize::from(byte / 64)] |= u64::from(contains(byte)) << (byte % 64);
        }
        set
    }

    pub(super) fn single(byte: u8) -> ByteSet {
        ByteSet::of(|other| other == byte)
    }

    pub(super) fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 != 0
    }

    /// Returns the set of `\d`, `\W` and similar escapes.
    pub(super) fn escape(letter: u8) -> Option<ByteSet> {
        let named = |byte: u8| match letter.to_ascii_lowercase() {
            b'd' => Some(byte.is_ascii_digit()),
            b'w' => Some(byte.is_ascii_alphanumeric() || byte == b'_'),
            b's' => Some(is_space(byte)),
            _ => None,
        };
        named(0)?;
        Some(ByteSet::of(|byte| {
            named(byte).is_some_and(|contained| contained != letter.is_ascii_uppercase())
        }))
    }

    /// Returns the set of `[:alpha:]` and similar classes.
    pub(super) fn posix(name: &[u8]) -> Option<ByteSet> {
        let contains: fn(u8) -> bool = match name {
            b"alnum" => |byte| byte.is_ascii_alphanumeric(),
            b"alpha" => |byte| byte.is_ascii_alphabetic(),
            b"blank" => |byte| matches!(byte, b' ' | b'\t'),
            b"cntrl" => |byte| byte.is_ascii_control(),
            b"digit" | b"d" => |byte| byte.is_ascii_digit(),
            b"graph" => |byte| byte.is_ascii_graphic(),
            b"lower" => |byte| byte.is_ascii_lowercase(),
            b"print" => |byte| byte.is_ascii_graphic() || byte == b' ',
            b"punct" => |byte| byte.is_ascii_punctuation(),
            b"space" | b"s" => is_space,
            b"upper" => |byte| byte.is_ascii_uppercase(),
            b"w" => |byte| byte.is_ascii_alphanumeric() || byte == b'_',
            b"xdigit" => |byte| byte.is_ascii_hexdigit(),
            _ => return None,
        };
        Some(ByteSet::of(contains))
    }

    /// Writes the set in the syntax of the engine.
    pub(super) fn write(&self, out: &mut String) {
        let mut ranges = self.ranges().peekable();
        match ranges.next() {
            None => out.push_str(r"[^\x00-\xFF]"),
            Some((first, last)) if first == last && ranges.peek().is_none() => write_byte(first, out),
            Some(range) => {
                out.push('[');
                for (first, last) in std::iter::once(range).chain(ranges) {
                    write_byte(first, out);
                    out.push('-');
                    write_byte(last, out);
                }
                out.push(']');
            }
        }
    }

    /// Returns the maximal ranges of neighbouring bytes: the first and the last byte.
    fn ranges(&self) -> impl Iterator<Item = (u8, u8)> {
        (0..=u8::MAX)
            .filter(|byte| self.contains(*byte) && !byte.checked_sub(1).is_some_and(|before| self.contains(before)))
            .map(|first| {
                let last = (first..=u8::MAX).take_while(|byte| self.contains(*byte)).last();
                (first, last.unwrap_or(first))
            })
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn write_byte(byte: u8, out: &mut String) {
    if byte.is_ascii_alphanumeric() {
        out.push(char::from(byte));
    } else {
        // Writing to a string cannot fail.
        let _ = write!(out, r"\x{byte:02X}");
    }
}
