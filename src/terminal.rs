//! Text for terminals, which interpret control characters as commands. These come from file names and games, and could
//! move the cursor, rename the window or hide output. Others reverse the order of the text after them. Error numbers are removed from messages
//! of the system.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::path::Path;

/// Returns whether a terminal would interpret the character as a command. Tabs and line ends only lay out text.
fn is_command(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t')) || changes_direction(character)
}

/// Returns whether the character sets the direction of the text around it, so that it can reverse the order of what follows: Unicode's
/// `Bidi_Control`.
pub(crate) fn changes_direction(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the text with all control characters escaped. Most commands begin with `\x1b`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_command(character) {
            match u32::from(character) {
                code @ ..=0xff => out.push_str(&format!("\\x{code:02x}")),
                _ => out.extend(character.escape_unicode()),
            }
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Returns the text without error numbers after messages of the system, `(os error 2)`. They tell people nothing.
pub fn without_codes(text: &str) -> Cow<'_, str> {
    const CODE: &str = " (os error ";
    let mut parts = text.split(CODE);
    let first = parts.next().unwrap_or_default();
    if first.len() == text.len() {
        return Cow::Borrowed(text);
    }
    let without = parts.fold(first.to_owned(), |mut out, part| {
        let rest = part.trim_start_matches(|sign: char| sign.is_ascii_digit());
        match rest.strip_prefix(')') {
            Some(rest) if rest.len() + 1 < part.len() => out + rest,
            _ => {
                out.push_str(CODE);
                out + part
            }
        }
    });
    Cow::Owned(without)
}

/// Returns the text as part of a line, with line ends and tabs escaped, too. File names may contain them, and text after a line end would look like
/// another line of the program.
pub fn in_a_line(text: &str) -> Cow<'_, str> {
    match visible(text) {
        text if text.contains(['\n', '\t']) => Cow::Owned(text.replace('\n', "\\n").replace('\t', "\\t")),
        text => text,
    }
}

/// Returns the name of a file as messages show it.
pub fn shown(path: &Path) -> String {
    in_a_line(&path.to_string_lossy()).into_owned()
}

/// A stream that escapes control characters if it ends at a terminal, and passes everything through otherwise. Among bytes that are not text, also
/// escapes those that certain terminals interpret as control characters.
pub struct Visible<W> {
    stream: W,
    escapes: bool,
    /// Whether text may be coloured.
    colors: bool,
    /// An incomplete character, or the beginning of a possible colour.
    begun: Vec<u8>,
}

/// The byte with which commands begin.
const ESCAPE: u8 = 0x1b;
/// The longest sequence that sets a colour, without its first two bytes.
const LONGEST_COLOR: usize = 20;

impl<W: Write + IsTerminal> Visible<W> {
    /// Wraps a stream.
    pub fn new(stream: W) -> Visible<W> {
        let escapes = stream.is_terminal();
        Visible {
            stream,
            escapes,
            colors: false,
            begun: Vec::new(),
        }
    }

    /// Does the same, but passes sequences through that only set the colour and weight of text, since reports contain them.
    pub fn with_colors(stream: W) -> Visible<W> {
        Visible {
            colors: true,
            ..Visible::new(stream)
        }
    }
}

impl<W> Visible<W> {
    /// Wraps a stream that ends at a terminal that cannot be detected, such as a pager's. With `colors`, sequences that only set colours
    /// are passed through.
    pub fn at_terminal(stream: W, colors: bool) -> Visible<W> {
        Visible {
            stream,
            escapes: true,
            colors,
            begun: Vec::new(),
        }
    }

    fn escaped(&self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            let mut text = chunk.valid();
            while let Some(at) = text.find(is_command) {
                let (before, command) = text.split_at(at);
                out.extend_from_slice(before.as_bytes());
                let length = match color(command.as_bytes()).filter(|_| self.colors) {
                    Some(color) => {
                        out.extend_from_slice(color);
                        color.len()
                    }
                    None => {
                        let first = command.chars().next().unwrap_or_default();
                        out.extend_from_slice(visible(first.encode_utf8(&mut [0; 4])).as_bytes());
                        first.len_utf8()
                    }
                };
                text = &command[length..];
            }
            out.extend_from_slice(text.as_bytes());
            for &byte in chunk.invalid() {
                match byte {
                    0x80..=0x9f => out.extend_from_slice(format!("\\x{byte:02x}").as_bytes()),
                    _ => out.push(byte),
                }
            }
        }
        out
    }

    /// Returns the number of bytes at the end that are only the beginning of a character, or of a possible colour.
    fn unfinished(&self, bytes: &[u8]) -> usize {
        let is_begun = |tail: &[u8]| match tail {
            [ESCAPE] | [ESCAPE, b'['] => self.colors,
            [ESCAPE, b'[', parameters @ ..] => {
                self.colors && parameters.len() < LONGEST_COLOR && parameters.iter().all(is_parameter)
            }
            _ => str::from_utf8(tail).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none()),
        };
        let longest = bytes.len().min(LONGEST_COLOR + 1);
        (1..=longest)
            .rev()
            .find(|length| is_begun(&bytes[bytes.len() - length..]))
            .unwrap_or(0)
    }
}

fn is_parameter(byte: &u8) -> bool {
    matches!(byte, b'0'..=b'9' | b';')
}

/// Returns the colour at the start of a text.
fn color(text: &[u8]) -> Option<&[u8]> {
    let parameters = text.strip_prefix(b"\x1b[")?;
    let length = parameters.iter().take_while(|byte| is_parameter(byte)).count();
    text.get(..length + 3).filter(|sequence| is_color(sequence))
}

/// Returns whether a sequence only sets the colour or weight of text or its background, so that nothing blinks or is hidden.
fn is_color(sequence: &[u8]) -> bool {
    let Some(parameters) = sequence.strip_prefix(b"\x1b[").and_then(|rest| rest.strip_suffix(b"m")) else {
        return false;
    };
    let mut numbers = parameters.split(|byte| *byte == b';');
    while let Some(number) = numbers.next() {
        let is_known = match number {
            b"" | [b'0'..=b'4'] | b"22" => true,
            // One of 256 colours, or one of 16 million.
            b"38" | b"48" => match numbers.next() {
                Some(b"5") => numbers.next().is_some(),
                Some(b"2") => numbers.by_ref().take(3).count() == 3,
                _ => false,
            },
            number => matches!(number, [b'3' | b'4' | b'9', b'0'..=b'9'] | [b'1', b'0', b'0'..=b'7']),
        };
        if !is_known {
            return false;
        }
    }
    true
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.escapes {
            return self.stream.write(bytes);
        }
        let mut text = mem::take(&mut self.begun);
        text.extend_from_slice(bytes);
        self.begun = text.split_off(text.len() - self.unfinished(&text));
        let escaped = self.escaped(&text);
        self.stream.write_all(&escaped).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let begun = mem::take(&mut self.begun);
        let escaped = self.escaped(&begun);
        self.stream.write_all(&escaped)?;
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(stream: Vec<u8>) -> Visible<Vec<u8>> {
        Visible {
            stream,
            escapes: false,
            colors: false,
            begun: Vec::new(),
        }
    }

    #[test]
    fn reports_keep_their_colors_and_nothing_else() {
        for (text, shown) in [
            (
                "\u{1b}[1m\u{1b}[91merror\u{1b}[0m: x",
                "\u{1b}[1m\u{1b}[91merror\u{1b}[0m: x",
            ),
            (
                "\u{1b}[1;31m\u{1b}[38;5;12ma\u{1b}[m",
                "\u{1b}[1;31m\u{1b}[38;5;12ma\u{1b}[m",
            ),
            ("\u{1b}[8mhidden\u{1b}[0m", "\\x1b[8mhidden\u{1b}[0m"),
            ("\u{1b}]0;title\u{7}\u{1b}[2J", "\\x1b]0;title\\x07\\x1b[2J"),
            (
                "\u{1b}\u{1b}[1mé\u{9b}1m\u{1b}[\u{7}",
                "\\x1b\u{1b}[1mé\\x9b1m\\x1b[\\x07",
            ),
        ] {
            let mut stream = Visible {
                escapes: true,
                colors: true,
                ..of(Vec::new())
            };
            for byte in text.as_bytes() {
                stream.write_all(&[*byte]).unwrap();
            }
            assert_eq!(String::from_utf8(stream.stream).unwrap(), shown);
        }
    }

    #[test]
    fn commands_are_shown_and_text_stays() {
        for (text, shown) in [
            ("\u{1b}]0;pwned\u{7}", "\\x1b]0;pwned\\x07"),
            ("a\tb\n", "a\tb\n"),
            ("a\rb\u{7f}", "a\\x0db\\x7f"),
            ("Réti ♞ \u{9b}31m £", "Réti ♞ \\x9b31m £"),
            ("a\u{202e}b\u{2069} \u{200f}ש", "a\\u{202e}b\\u{2069} \\u{200f}ש"),
        ] {
            assert_eq!(visible(text), shown);
            let mut stream = Visible {
                stream: Vec::new(),
                escapes: true,
                ..of(Vec::new())
            };
            // However it is split.
            for byte in text.as_bytes() {
                stream.write_all(&[*byte]).unwrap();
            }
            assert_eq!(String::from_utf8(stream.stream).unwrap(), shown);
        }
    }

    #[test]
    fn what_the_system_says_has_no_numbers() {
        for (text, shown) in [
            ("a.pgn: No such file (os error 2)", "a.pgn: No such file"),
            ("a (os error 2): b (os error 13)!", "a: b!"),
            ("a (os error ) (os error 2", "a (os error ) (os error 2"),
            ("plain", "plain"),
        ] {
            assert_eq!(without_codes(text), shown);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_no_commands_either() {
        for (bytes, shown) in [
            (&b"\x9b31mred"[..], &b"\\x9b31mred"[..]),
            (b"caf\xe9 \xe9\x9b31m", b"caf\xe9 \xe9\\x9b31m"),
            (b"\xe0\x9b1m \xf0\x9f\x9b1", b"\xe0\\x9b1m \xf0\\x9f\\x9b1"),
            ("Ā ♛ 𝄛 \u{9b}".as_bytes(), "Ā ♛ 𝄛 \\x9b".as_bytes()),
            (b"\xc2", b"\xc2"),
        ] {
            for size in 1..=bytes.len() {
                let mut stream = Visible {
                    escapes: true,
                    ..of(Vec::new())
                };
                for part in bytes.chunks(size) {
                    stream.write_all(part).unwrap();
                }
                stream.flush().unwrap();
                assert_eq!(stream.stream, shown, "{bytes:x?} in parts of {size}");
            }
        }
    }

    #[test]
    fn names_of_files_stay_in_their_line() {
        for (name, said) in [
            ("Réti ♞.pgn", "Réti ♞.pgn"),
            ("a\n\u{1b}[31mb\t\u{9b}.pgn", "a\\n\\x1b[31mb\\t\\x9b.pgn"),
        ] {
            assert_eq!(shown(Path::new(name)), said);
        }
    }

    #[test]
    fn what_goes_elsewhere_is_left_alone() {
        let mut stream = of(Vec::new());
        stream.write_all(b"\x1b[0m").unwrap();
        assert_eq!(stream.stream, b"\x1b[0m");
    }
}
