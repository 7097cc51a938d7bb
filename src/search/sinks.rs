//! Where the lines of a log go.

use std::collections::HashSet;
use std::io::Write;

/// Where warnings and messages go. Nobody can be told that one of them is closed.
pub(super) struct Sinks<'w> {
    warnings: &'w mut dyn Write,
    /// Messages go where warnings go if there is no place for them.
    messages: Option<&'w mut dyn Write>,
    /// Who speaks, if there are several.
    speaker: Option<Speaker>,
}

/// One of several searches of the same games.
#[derive(Default)]
struct Speaker {
    /// What stands before each of its messages.
    prefix: Vec<u8>,
    /// The warnings of those who spoke before about the same games.
    known: HashSet<Vec<u8>>,
    /// Its own warnings that they did not have.
    new: Vec<Vec<u8>>,
}

impl<'w> Sinks<'w> {
    /// All lines go to one place.
    pub(super) fn new(warnings: &'w mut dyn Write) -> Sinks<'w> {
        Sinks {
            warnings,
            messages: None,
            speaker: None,
        }
    }

    /// Messages go to a place of their own.
    pub(super) fn set_messages(&mut self, messages: &'w mut dyn Write) {
        self.messages = Some(messages);
    }

    /// Whether messages have a place of their own.
    pub(super) fn has_messages(&self) -> bool {
        self.messages.is_some()
    }

    /// The next lines come from the search with this name, which stands before its messages; its warnings are left out if
    /// another search had the same about the same games. A search without a name is alone.
    pub(super) fn begin(&mut self, name: Option<&str>) {
        let Some(name) = name else {
            self.speaker = None;
            return;
        };
        let speaker = self.speaker.get_or_insert_default();
        speaker.prefix.clear();
        speaker.prefix.extend_from_slice(name.as_bytes());
        speaker.prefix.extend_from_slice(b": ");
        speaker.known.extend(speaker.new.drain(..));
    }

    /// The next warnings are about other games than those before.
    pub(super) fn begin_games(&mut self) {
        if let Some(speaker) = &mut self.speaker {
            speaker.known.clear();
            speaker.new.clear();
        }
    }

    /// Writes lines about the input.
    pub(super) fn warn(&mut self, lines: &[u8]) {
        let Some(speaker) = &mut self.speaker else {
            let _ = self.warnings.write_all(lines);
            return;
        };
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            if !speaker.known.contains(line) {
                let _ = self.warnings.write_all(line);
                speaker.new.push(line.to_vec());
            }
        }
    }

    /// Writes complete lines that a query prints.
    pub(super) fn message(&mut self, lines: &[u8]) {
        let sink = self.messages.as_deref_mut().unwrap_or(self.warnings);
        let Some(speaker) = &self.speaker else {
            let _ = sink.write_all(lines);
            return;
        };
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let _ = sink.write_all(&[&speaker.prefix, line].concat());
        }
    }

    /// Writes what shall show at once, as it is.
    pub(super) fn write_now(&mut self, text: &[u8]) {
        let sink = self.messages.as_deref_mut().unwrap_or(self.warnings);
        let _ = sink.write_all(text);
        let _ = sink.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_searches_name_their_messages_and_share_their_warnings() {
        let mut log = Vec::new();
        let mut sinks = Sinks::new(&mut log);
        sinks.begin(Some("a"));
        sinks.warn(b"odd\nodd\n");
        sinks.message(b"found\nit\n");
        sinks.begin(Some("b"));
        sinks.warn(b"odd\neven\n");
        sinks.message(b"found\n");
        sinks.begin_games();
        sinks.begin(Some("a"));
        sinks.warn(b"odd\n");
        let expected = "odd\nodd\na: found\na: it\neven\nb: found\nodd\n";
        assert_eq!(String::from_utf8(log).unwrap(), expected);
    }

    #[test]
    fn a_search_that_is_alone_says_everything() {
        let mut log = Vec::new();
        let mut sinks = Sinks::new(&mut log);
        for _ in 0..2 {
            sinks.begin(None);
            sinks.warn(b"odd\n");
            sinks.message(b"found\n");
        }
        assert_eq!(String::from_utf8(log).unwrap(), "odd\nfound\nodd\nfound\n");
    }
}
