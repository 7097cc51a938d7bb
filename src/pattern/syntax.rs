//! The syntax of patterns: reads ECMAScript as implemented by `std::regex` of libstdc++, and writes the syntax of the engine.
//!
//! Syntax that both share is also rewritten, so that nothing of the engine's own syntax can be reached: a place that
//! matches one byte becomes a set of bytes, and `^` and `$` become the very start and end.

use std::fmt;
use std::ops::Range;

use super::byte_set::ByteSet;

/// The greatest depth of nested groups and repetitions.
const DEEPEST: usize = 100;
/// The length of the longest pattern, in bytes.
const LONGEST: usize = 1 << 16;

/// Why a pattern is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternError {
    /// The bytes of the pattern that are wrong.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
}

/// Translates the pattern into the syntax of the engine.
pub(super) fn translated(pattern: &[u8]) -> Result<String, PatternError> {
    if pattern.len() > LONGEST {
        return Err(error(0..pattern.len(), "the pattern is too long"));
    }
    let mut translator = Translator {
        pattern,
        at: 0,
        out: String::new(),
        atom: None,
        open: Vec::new(),
        groups: 0,
    };
    while let Some(byte) = translator.next() {
        translator.term(byte)?;
    }
    match translator.open.last() {
        Some(group) => Err(error(group.at..group.at + 1, "this `(` is never closed")),
        None => Ok(translator.out),
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PatternError {}

fn error(range: Range<usize>, message: impl Into<String>) -> PatternError {
    PatternError {
        range,
        message: message.into(),
    }
}

struct Translator<'p> {
    pattern: &'p [u8],
    at: usize,
    out: String,
    /// The part that a quantifier would repeat.
    atom: Option<Atom>,
    /// The enclosing groups.
    open: Vec<Open>,
    /// The number of capturing groups that have begun.
    groups: usize,
}

/// A part that can be repeated.
#[derive(Clone, Copy)]
struct Atom {
    /// Where it begins in the output.
    start: usize,
    /// The number of quantifiers that it already has.
    quantifiers: usize,
}

/// A group that is not closed yet.
struct Open {
    /// The index of its parenthesis.
    at: usize,
    /// Where it begins in the output.
    start: usize,
    kind: GroupKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupKind {
    /// The number of the group.
    Capturing(usize),
    Plain,
    LookAhead,
}

/// A member of a bracket expression.
enum Member {
    Byte(u8),
    Class(ByteSet),
}

impl Translator<'_> {
    fn peek(&self) -> Option<u8> {
        self.pattern.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn take(&mut self, text: &[u8]) -> bool {
        let found = self.pattern[self.at..].starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Returns an error about the bytes from `start` up to the current one.
    fn error(&self, start: usize, message: impl Into<String>) -> PatternError {
        error(start..self.at.max(start), message)
    }

    fn term(&mut self, byte: u8) -> Result<(), PatternError> {
        match byte {
            b'|' => self.assertion("|"),
            b'^' => self.assertion(r"\A"),
            b'$' => self.assertion(r"\z"),
            b'(' => return self.open_group(),
            b')' => return self.close_group(),
            b'*' | b'+' | b'?' | b'{' => return self.quantifier(byte),
            b'[' => {
                let set = self.brackets()?;
                self.set(&set);
            }
            b'.' => self.set(&ByteSet::of(|byte| !matches!(byte, b'\n' | b'\r'))),
            b'\\' => return self.escape(),
            byte => self.set(&ByteSet::single(byte)),
        }
        Ok(())
    }

    /// Writes a part that cannot be repeated.
    fn assertion(&mut self, text: &str) {
        self.out.push_str(text);
        self.atom = None;
    }

    fn set(&mut self, set: &ByteSet) {
        let start = self.begin_atom();
        set.write(&mut self.out);
        self.end_atom(start);
    }

    fn begin_atom(&self) -> usize {
        self.out.len()
    }

    fn end_atom(&mut self, start: usize) {
        self.atom = Some(Atom { start, quantifiers: 0 });
    }

    fn open_group(&mut self) -> Result<(), PatternError> {
        let (at, start) = (self.at - 1, self.out.len());
        let kind = if !self.take(b"?") {
            self.groups += 1;
            self.out.push('(');
            GroupKind::Capturing(self.groups)
        } else if self.take(b":") {
            self.out.push_str("(?:");
            GroupKind::Plain
        } else if self.take(b"=") {
            self.out.push_str("(?=");
            GroupKind::LookAhead
        } else if self.take(b"!") {
            self.out.push_str("(?!");
            GroupKind::LookAhead
        } else {
            return Err(self.error(at, "after `(?` only `:`, `=` and `!` have a meaning"));
        };
        if self.open.len() == DEEPEST {
            return Err(self.error(at, "the groups of the pattern nest too deeply"));
        }
        self.open.push(Open { at, start, kind });
        self.atom = None;
        Ok(())
    }

    fn close_group(&mut self) -> Result<(), PatternError> {
        let Some(group) = self.open.pop() else {
            return Err(self.error(self.at - 1, "there is no `(` for this `)`"));
        };
        self.out.push(')');
        match group.kind {
            GroupKind::LookAhead => self.atom = None,
            GroupKind::Capturing(_) | GroupKind::Plain => self.end_atom(group.start),
        }
        Ok(())
    }

    /// Reads `*`, `+`, `?`, `{n}`, `{n,}` or `{n,m}`, each with `?` if lazy. The first byte has been read.
    fn quantifier(&mut self, first: u8) -> Result<(), PatternError> {
        let at = self.at - 1;
        let count = match first {
            b'{' => self.count(at)?,
            sign => char::from(sign).to_string(),
        };
        let Some(atom) = self.atom else {
            return Err(self.error(at, "there is nothing to repeat"));
        };
        if atom.quantifiers + self.open.len() >= DEEPEST {
            return Err(self.error(at, "the repetitions of the pattern nest too deeply"));
        }
        if atom.quantifiers > 0 {
            self.out.insert_str(atom.start, "(?:");
            self.out.push(')');
        }
        self.out.push_str(&count);
        if self.take(b"?") {
            self.out.push('?');
        }
        self.atom = Some(Atom {
            quantifiers: atom.quantifiers + 1,
            ..atom
        });
        Ok(())
    }

    /// Reads the count in braces that begin at a place. Returns it with the braces.
    fn count(&mut self, at: usize) -> Result<String, PatternError> {
        let least = self.number();
        let comma = self.take(b",");
        let most = if comma { self.number() } else { None };
        if least.is_none() || !self.take(b"}") {
            return Err(self.error(
                at,
                r"`{` begins a count like `{2}`, `{2,}` or `{2,3}`; the sign itself is `\{`",
            ));
        }
        let least = least.unwrap_or_default();
        if most.is_some_and(|most| most < least) {
            return Err(self.error(at, "the greatest count is smaller than the least"));
        }
        if least.max(most.unwrap_or_default()) > LONGEST as u32 {
            return Err(self.error(at, "the count is too large"));
        }
        Ok(match (comma, most) {
            (false, _) => format!("{{{least}}}"),
            (true, None) => format!("{{{least},}}"),
            (true, Some(most)) => format!("{{{least},{most}}}"),
        })
    }

    /// Reads a decimal number. A number that is too large becomes the greatest one.
    fn number(&mut self) -> Option<u32> {
        let mut number = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            self.at += 1;
            let before: u32 = number.unwrap_or_default();
            number = Some(before.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
        }
        number
    }

    /// Reads an escape. The backslash has been read.
    fn escape(&mut self) -> Result<(), PatternError> {
        let at = self.at - 1;
        match self.peek() {
            Some(b'b') => self.word_boundary(r"\b"),
            Some(b'B') => self.word_boundary(r"\B"),
            Some(b'1'..=b'9') => return self.back_reference(at),
            _ => {
                let set = match self.escaped(at)? {
                    Member::Byte(byte) => ByteSet::single(byte),
                    Member::Class(set) => set,
                };
                self.set(&set);
            }
        }
        Ok(())
    }

    fn word_boundary(&mut self, text: &str) {
        self.at += 1;
        self.assertion(text);
    }

    fn back_reference(&mut self, at: usize) -> Result<(), PatternError> {
        let number = self.number().unwrap_or_default() as usize;
        if number > self.groups {
            return Err(self.error(at, format!("there is no group {number} before this place")));
        }
        if self.open.iter().any(|group| group.kind == GroupKind::Capturing(number)) {
            return Err(self.error(at, format!("group {number} is not closed yet")));
        }
        let start = self.begin_atom();
        // In a group of its own, no following digit can become part of the number.
        self.out.push_str(&format!(r"(?:\{number})"));
        self.end_atom(start);
        Ok(())
    }

    /// Reads an escape after its backslash, in brackets or outside.
    fn escaped(&mut self, at: usize) -> Result<Member, PatternError> {
        let Some(byte) = self.next() else {
            return Err(self.error(at, r"a backslash itself is written `\\`"));
        };
        if let Some(set) = ByteSet::escape(byte) {
            return Ok(Member::Class(set));
        }
        Ok(Member::Byte(match byte {
            b'0' => 0,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'c' => match self.next() {
                Some(letter) if letter.is_ascii_alphabetic() => letter % 32,
                _ => return Err(self.error(at, r"`\c` is followed by a letter")),
            },
            b'x' => self.hexadecimal(at, 2)?,
            b'u' => self.hexadecimal(at, 4)?,
            other => other,
        }))
    }

    fn hexadecimal(&mut self, at: usize, digits: usize) -> Result<u8, PatternError> {
        let end = (self.at + digits).min(self.pattern.len());
        let written = &self.pattern[self.at..end];
        self.at = end;
        let value = std::str::from_utf8(written)
            .ok()
            .filter(|text| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|text| u32::from_str_radix(text, 16).ok());
        let Some(value) = value else {
            return Err(self.error(at, format!("expected {digits} hexadecimal digits")));
        };
        u8::try_from(value).map_err(|_| {
            self.error(
                at,
                "strings consist of bytes, and no byte has this value; write the character itself",
            )
        })
    }

    /// Reads a bracket expression. The opening bracket has been read.
    fn brackets(&mut self) -> Result<ByteSet, PatternError> {
        let opened = self.at - 1;
        let negated = self.take(b"^");
        let mut members = ByteSet::of(|_| false);
        let mut add = |first: u8, last: u8| {
            members = ByteSet::of(|byte| members.contains(byte) || (first..=last).contains(&byte));
        };
        loop {
            let at = self.at;
            match self.member(opened)? {
                None => break,
                Some(Member::Class(set)) => {
                    for byte in (0..=u8::MAX).filter(|byte| set.contains(*byte)) {
                        add(byte, byte);
                    }
                    if self.begins_range() {
                        self.at += 1;
                        return Err(self.error(at, r"a class cannot begin a range; a dash for itself is written `\-`"));
                    }
                }
                Some(Member::Byte(first)) if self.begins_range() => {
                    self.at += 1;
                    match self.member(opened)? {
                        Some(Member::Byte(last)) if first <= last => add(first, last),
                        Some(Member::Byte(_)) => return Err(self.error(at, "the range runs backwards")),
                        _ => {
                            return Err(
                                self.error(at, r"a class cannot end a range; a dash for itself is written `\-`")
                            );
                        }
                    }
                }
                Some(Member::Byte(byte)) => add(byte, byte),
            }
        }
        Ok(if negated {
            ByteSet::of(|byte| !members.contains(byte))
        } else {
            members
        })
    }

    /// Returns whether a dash follows that is not last in its brackets.
    fn begins_range(&self) -> bool {
        self.peek() == Some(b'-') && self.pattern.get(self.at + 1) != Some(&b']')
    }

    /// Reads the next member of a bracket expression; `None` at its end.
    fn member(&mut self, opened: usize) -> Result<Option<Member>, PatternError> {
        let at = self.at;
        Ok(Some(match self.next() {
            None => return Err(error(opened..opened + 1, "this `[` is never closed")),
            Some(b']') => return Ok(None),
            Some(b'[') if self.take(b":") => Member::Class(self.posix(at)?),
            Some(b'[') if matches!(self.peek(), Some(b'.' | b'=')) => {
                self.at += 1;
                return Err(self.error(at, r"collating elements are not supported; the bracket itself is `\[`"));
            }
            Some(b'\\') => match self.peek() {
                Some(b'b') => {
                    self.at += 1;
                    Member::Byte(0x08)
                }
                Some(b'1'..=b'9') => {
                    self.at += 1;
                    return Err(self.error(at, "a back reference cannot be used in brackets"));
                }
                Some(b'B') => {
                    self.at += 1;
                    return Err(self.error(at, r"`\B` cannot be used in brackets"));
                }
                _ => self.escaped(at)?,
            },
            Some(byte) => Member::Byte(byte),
        }))
    }

    /// Reads a class. Its `[:` has been read.
    fn posix(&mut self, at: usize) -> Result<ByteSet, PatternError> {
        let rest = &self.pattern[self.at..];
        let length = memchr::memmem::find(rest, b":]");
        let name = &rest[..length.unwrap_or(rest.len())];
        self.at += name.len() + if length.is_some() { 2 } else { 0 };
        let class = length.and_then(|_| ByteSet::posix(&name.to_ascii_lowercase()));
        class.ok_or_else(|| self.error(at, "there is no such class of characters"))
    }
}
