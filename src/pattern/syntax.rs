//! The syntax of patterns: reads ECMAScript as implemented by `std::regex` of libstdc++, and writes the syntax of the engine.
//!
//! Syntax that both share is also rewritten, so that nothing of the engine's own syntax can be reached: bytes and classes
//! become ranges of bytes, and `^` and `$` become the very start and end.

use std::fmt;
use std::ops::Range;

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
    /// A class, as in brackets of the engine.
    Class(String),
}

/// Returns the bytes of the class with this name, `alpha` in `[:alpha:]`, as in brackets of the engine.
fn class(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"alnum" => "0-9A-Za-z",
        b"alpha" => "A-Za-z",
        b"blank" => r"\x09\x20",
        b"cntrl" => r"\x00-\x1F\x7F",
        b"digit" | b"d" => "0-9",
        b"graph" => r"\x21-\x7E",
        b"lower" => "a-z",
        b"print" => r"\x20-\x7E",
        b"punct" => r"\x21-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E",
        b"space" | b"s" => r"\x09-\x0D\x20",
        b"upper" => "A-Z",
        b"w" => r"0-9A-Z\x5Fa-z",
        b"xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
}

/// Returns a byte as the engine writes it, in brackets or outside.
fn byte(byte: u8) -> String {
    match byte.is_ascii_alphanumeric() {
        true => char::from(byte).to_string(),
        false => format!(r"\x{byte:02X}"),
    }
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

    fn term(&mut self, first: u8) -> Result<(), PatternError> {
        match first {
            b'|' => self.assertion("|"),
            b'^' => self.assertion(r"\A"),
            b'$' => self.assertion(r"\z"),
            b'(' => return self.open_group(),
            b')' => return self.close_group(),
            b'*' | b'+' | b'?' | b'{' => return self.quantifier(first),
            b'[' => {
                let brackets = self.brackets()?;
                self.atom(&brackets);
            }
            b'.' => self.atom(r"[^\x0A\x0D]"),
            b'\\' => return self.escape(),
            single => self.atom(&byte(single)),
        }
        Ok(())
    }

    /// Writes a part that cannot be repeated.
    fn assertion(&mut self, text: &str) {
        self.out.push_str(text);
        self.atom = None;
    }

    /// Writes a part that can be repeated.
    fn atom(&mut self, text: &str) {
        let start = self.out.len();
        self.out.push_str(text);
        self.end_atom(start);
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
                let text = match self.escaped(at)? {
                    Member::Byte(single) => byte(single),
                    Member::Class(class) => format!("[{class}]"),
                };
                self.atom(&text);
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
        // In a group of its own, no following digit can become part of the number.
        self.atom(&format!(r"(?:\{number})"));
        Ok(())
    }

    /// Reads an escape after its backslash, in brackets or outside.
    fn escaped(&mut self, at: usize) -> Result<Member, PatternError> {
        let Some(byte) = self.next() else {
            return Err(self.error(at, r"a backslash itself is written `\\`"));
        };
        if let b'd' | b'w' | b's' | b'D' | b'W' | b'S' = byte
            && let Some(bytes) = class(&[byte.to_ascii_lowercase()])
        {
            return Ok(Member::Class(match byte.is_ascii_uppercase() {
                true => format!("[^{bytes}]"),
                false => bytes.to_owned(),
            }));
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
    fn brackets(&mut self) -> Result<String, PatternError> {
        let opened = self.at - 1;
        let negated = self.take(b"^");
        let mut members = String::new();
        loop {
            let at = self.at;
            match self.member(opened)? {
                None => break,
                Some(Member::Class(class)) => {
                    members.push_str(&class);
                    if self.begins_range() {
                        self.at += 1;
                        return Err(self.error(at, r"a class cannot begin a range; a dash for itself is written `\-`"));
                    }
                }
                Some(Member::Byte(first)) if self.begins_range() => {
                    self.at += 1;
                    match self.member(opened)? {
                        Some(Member::Byte(last)) if first <= last => {
                            members.extend([&*byte(first), "-", &*byte(last)]);
                        }
                        Some(Member::Byte(_)) => return Err(self.error(at, "the range runs backwards")),
                        _ => {
                            return Err(
                                self.error(at, r"a class cannot end a range; a dash for itself is written `\-`")
                            );
                        }
                    }
                }
                Some(Member::Byte(single)) => members.push_str(&byte(single)),
            }
        }
        Ok(match (members.is_empty(), negated) {
            (true, false) => r"[^\x00-\xFF]".to_owned(),
            (true, true) => r"[\x00-\xFF]".to_owned(),
            (false, false) => format!("[{members}]"),
            (false, true) => format!("[^{members}]"),
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
    fn posix(&mut self, at: usize) -> Result<String, PatternError> {
        let rest = &self.pattern[self.at..];
        let length = memchr::memmem::find(rest, b":]");
        let name = &rest[..length.unwrap_or(rest.len())];
        self.at += name.len() + if length.is_some() { 2 } else { 0 };
        let class = length.and_then(|_| class(&name.to_ascii_lowercase()));
        class.map_or_else(
            || Err(self.error(at, "there is no such class of characters")),
            |class| Ok(class.to_owned()),
        )
    }
}
