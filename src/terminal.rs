//! Text for terminals, which take control characters for commands: they come from names of files and from games, and could
//! move the cursor, rename the window or hide what was said.

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

/// A stream that escapes control characters if a terminal is at its end, and is left as it is otherwise.
pub struct Visible<W> {
    stream: W,
    escapes: bool,
    /// The last byte was the first one of a control character of two bytes, U+0080 to U+009F, or of a letter.
    pending: bool,
}

const FIRST_OF_TWO: u8 = 0xc2;

impl<W: Write + IsTerminal> Visible<W> {
    /// In front of a stream.
    pub fn new(stream: W) -> Visible<W> {
        let escapes = stream.is_terminal();
        Visible {
            stream,
            escapes,
            pending: false,
        }
    }
}

impl<W> Visible<W> {
    fn escape(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for &byte in bytes {
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
                pending: false,
            };
            // However it is cut.
            for byte in text.as_bytes() {
                stream.write_all(&[*byte]).unwrap();
            }
            assert_eq!(String::from_utf8(stream.stream).unwrap(), shown);
        }
    }

    #[test]
    fn what_goes_elsewhere_is_left_alone() {
        let mut stream = Visible {
            stream: Vec::new(),
            escapes: false,
            pending: false,
        };
        stream.write_all(b"\x1b[0m").unwrap();
        assert_eq!(stream.stream, b"\x1b[0m");
    }
}
