//! Where the lines of a log go.

use std::collections::HashSet;
use std::io::Write;

use super::tally::Tally;
use crate::game::Warning;

/// Where warnings and messages go. Nobody can be told that one of them is closed.
pub(super) struct Sinks<'w> {
    warnings: &'w mut dyn Write,
    /// Messages go where warnings go if there is no place for them.
    messages: Option<&'w mut dyn Write>,
    /// Who speaks, if there are several.
    speaker: Option<Speaker>,
    tally: Tally,
    shown: Warnings,
}

/// Which warnings about the input are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Warnings {
    /// Each of them, where it comes up.
    AsTheyCome,
    /// The same, and at the end how many games have lost something.
    All,
    /// The first one of a kind and a source, with the number of the others: at the end, the greatest losses first, then how many
    /// games have lost something.
    First,
}

/// One of several searches of the same games.
#[derive(Default)]
struct Speaker {
    /// What stands before each of its messages.
    prefix: Vec<u8>,
    /// The warnings of those who spoke before about the same games.
    known: HashSet<Warning>,
    /// Its own warnings that they did not have.
    new: Vec<Warning>,
}

impl<'w> Sinks<'w> {
    /// All lines go to one place.
    pub(super) fn new(warnings: &'w mut dyn Write) -> Sinks<'w> {
        Sinks {
            warnings,
            messages: None,
            speaker: None,
            tally: Tally::default(),
            shown: Warnings::AsTheyCome,
        }
    }

    /// Which warnings are written.
    pub(super) fn set_warnings(&mut self, shown: Warnings) {
        self.shown = shown;
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

    /// Takes warnings about the input.
    pub(super) fn warn(&mut self, warnings: &[Warning]) {
        for warning in warnings {
            if let Some(speaker) = &mut self.speaker {
                if speaker.known.contains(warning) {
                    continue;
                }
                speaker.new.push(warning.clone());
            }
            match self.shown {
                Warnings::AsTheyCome => {}
                Warnings::All | Warnings::First => self.tally.add(warning),
            }
            if self.shown != Warnings::First {
                let _ = writeln!(self.warnings, "warning: {warning}");
            }
        }
    }

    /// Writes what has been held back, and how many games have lost something.
    pub(super) fn end_warnings(&mut self) {
        let tally = std::mem::take(&mut self.tally);
        if self.shown == Warnings::First {
            let _ = self.warnings.write_all(tally.lines().as_bytes());
        }
        if let Some(note) = tally.note(self.shown) {
            let _ = self.warnings.write_all(note.as_bytes());
        }
    }

    /// Writes complete lines where warnings go.
    pub(super) fn write(&mut self, lines: &[u8]) {
        let _ = self.warnings.write_all(lines);
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
    use crate::game::WarningKind;

    fn warnings(messages: &[&str]) -> Vec<Warning> {
        let warning = |message: &&str| Warning {
            kind: WarningKind::NoTags,
            source: "g".into(),
            line: 1,
            game: 1,
            message: (*message).to_owned(),
        };
        messages.iter().map(warning).collect()
    }

    fn shown(log: Vec<u8>) -> String {
        String::from_utf8(log).unwrap().replace("warning: g:1: game 1: ", "")
    }

    #[test]
    fn several_searches_name_their_messages_and_share_their_warnings() {
        let mut log = Vec::new();
        let mut sinks = Sinks::new(&mut log);
        sinks.begin(Some("a"));
        sinks.warn(&warnings(&["odd", "odd"]));
        sinks.message(b"found\nit\n");
        sinks.begin(Some("b"));
        sinks.warn(&warnings(&["odd", "even"]));
        sinks.message(b"found\n");
        sinks.begin_games();
        sinks.begin(Some("a"));
        sinks.warn(&warnings(&["odd"]));
        let expected = "odd\nodd\na: found\na: it\neven\nb: found\nodd\n";
        assert_eq!(shown(log), expected);
    }

    #[test]
    fn a_search_that_is_alone_says_everything() {
        let mut log = Vec::new();
        let mut sinks = Sinks::new(&mut log);
        for _ in 0..2 {
            sinks.begin(None);
            sinks.warn(&warnings(&["odd"]));
            sinks.message(b"found\n");
        }
        assert_eq!(shown(log), "odd\nfound\nodd\nfound\n");
    }
}
