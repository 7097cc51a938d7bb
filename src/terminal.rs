//! Text for terminals, which take control characters for commands: they come from names of files and from games, and could
//! move the cursor, rename the window or hide what was said. What the system says is left without its numbers.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

/// Whether a terminal would take it for a command. Tabs and line ends lay text out.
fn is_command(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// The text with all control characters escaped, `\x1b` for the beginning of most commands.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_command(character) {
            out.push_str(&format!("\\x{:02x}", u32::from(character)));
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// The text without the numbers that stand behind what the system says, `(os error 2)`: they tell people nothing.
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

/// A stream that escapes control characters if a terminal is at its end, and is left as it is otherwise.
pub struct Visible<W> {
    stream: W,
    escapes: bool,
    /// Text may be coloured.
    colors: bool,
    /// The last byte was the first one of a control character of two bytes, U+0080 to U+009F, or of a letter.
    pending: bool,
    /// What may become a colour: its bytes so far.
    sequence: Vec<u8>,
}

const FIRST_OF_TWO: u8 = 0xc2;
/// The byte with which commands begin.
const ESCAPE: u8 = 0x1b;
/// The longest sequence that sets a colour.
const LONGEST_COLOR: usize = 20;

impl<W: Write + IsTerminal> Visible<W> {
    /// In front of a stream.
    pub fn new(stream: W) -> Visible<W> {
        let escapes = stream.is_terminal();
        Visible {
            stream,
            escapes,
            colors: false,
            pending: false,
            sequence: Vec::new(),
        }
    }

    /// The same, but what only sets colours and weight of text is left as it is: reports have them, too.
    pub fn with_colors(stream: W) -> Visible<W> {
        Visible {
            colors: true,
            ..Visible::new(stream)
        }
    }
}

impl<W> Visible<W> {
    /// In front of a stream behind which there is a terminal that cannot be seen, such as that of a pager. What only sets colours
    /// is left if there are `colors`.
    pub fn at_terminal(stream: W, colors: bool) -> Visible<W> {
        Visible {
            stream,
            escapes: true,
            colors,
            pending: false,
            sequence: Vec::new(),
        }
    }

    fn escape(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for &byte in bytes {
            if self.colors && (byte == ESCAPE || !self.sequence.is_empty()) && !self.pending {
                self.collect(byte, &mut out);
                continue;
            }
            let is_second = std::mem::take(&mut self.pending);
            match byte {
                0x80..=0x9f if is_second => out.extend(format!("\\x{byte:02x}").bytes()),
                _ => {
                    if is_second {
                        out.push(FIRST_OF_TWO);
                    }
                    match byte {
                        FIRST_OF_TWO => self.pending = true,
                        byte if byte < 0x80 && is_command(char::from(byte)) => {
                            out.extend(format!("\\x{byte:02x}").bytes())
                        }
                        byte => out.push(byte),
                    }
                }
            }
        }
        out
    }

    /// Adds a byte to what may become a colour.
    fn collect(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.sequence.push(byte);
        let goes_on = match self.sequence.as_slice() {
            [ESCAPE] | [ESCAPE, b'['] => true,
            [ESCAPE, b'[', parameters @ ..] => {
                parameters.len() < LONGEST_COLOR && parameters.iter().all(|byte| matches!(byte, b'0'..=b'9' | b';'))
            }
            _ => false,
        };
        if goes_on {
            return;
        }
        let sequence = std::mem::take(&mut self.sequence);
        if is_color(&sequence) {
            out.extend(sequence);
        } else {
            // What is behind the first byte is text, and may begin another sequence.
            let (_, text) = sequence.split_at(1);
            out.extend(format!("\\x{ESCAPE:02x}").bytes());
            out.extend(self.escape(text));
        }
    }
}

/// Whether a sequence sets the colour or the weight of text and its background and nothing else: nothing blinks or is hidden.
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
        let escaped = self.escape(bytes);
        self.stream.write_all(&escaped).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
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
            pending: false,
            sequence: Vec::new(),
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
        ] {
            assert_eq!(visible(text), shown);
            let mut stream = Visible {
                stream: Vec::new(),
                escapes: true,
                ..of(Vec::new())
            };
            // However it is cut.
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
    fn what_goes_elsewhere_is_left_alone() {
        let mut stream = of(Vec::new());
        stream.write_all(b"\x1b[0m").unwrap();
        assert_eq!(stream.stream, b"\x1b[0m");
    }
}
