//! The lines that searches write besides their results.

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

use super::listener::Listener;
use crate::game::{Warning, WarningKind};
use crate::terminal::in_a_line;

/// Where warnings and messages go. Write errors are ignored: there is nobody to tell.
pub(crate) struct Log<'w> {
    warnings: &'w mut dyn Write,
    /// Where messages go, if not where warnings go.
    messages: Option<&'w mut dyn Write>,
    /// The search whose lines are written, if there are several.
    current: Option<NamedSearch>,
    /// The tablebases that were already reported as missing.
    missing_tables: HashSet<Arc<str>>,
}

/// One of several searches of the same games.
#[derive(Default)]
struct NamedSearch {
    /// The prefix of each of its messages.
    prefix: Vec<u8>,
    /// The warnings that earlier searches gave about the same games.
    known: HashSet<Warning>,
    /// Its own warnings that were not known yet.
    new: Vec<Warning>,
}

impl<'w> Log<'w> {
    /// Creates a log in which warnings and messages go to one place.
    pub(crate) fn new(warnings: &'w mut dyn Write) -> Log<'w> {
        Log {
            warnings,
            messages: None,
            current: None,
            missing_tables: HashSet::new(),
        }
    }

    /// Sends messages to a place of their own.
    pub(crate) fn set_messages(&mut self, messages: &'w mut dyn Write) {
        self.messages = Some(messages);
    }

    /// Returns whether messages have a place of their own.
    pub(crate) fn has_messages(&self) -> bool {
        self.messages.is_some()
    }

    /// Starts the lines of the search with this name, which prefixes its messages. A warning is left out if another search gave the same one about
    /// the same games. `None` is for the only search of a run.
    pub(crate) fn begin(&mut self, name: Option<&str>) {
        let Some(name) = name else {
            self.current = None;
            return;
        };
        let current = self.current.get_or_insert_default();
        current.prefix.clear();
        current.prefix.extend_from_slice(in_a_line(name).as_bytes());
        current.prefix.extend_from_slice(b": ");
        current.known.extend(current.new.drain(..));
    }

    /// Announces that the next warnings are about other games.
    pub(crate) fn forget_games(&mut self) {
        if let Some(current) = &mut self.current {
            current.known.clear();
            current.new.clear();
        }
    }

    /// Takes warnings about the input and writes those for which `is_shown` returns true. It is called in order for each that is not known yet.
    pub(crate) fn warn(&mut self, warnings: &[Warning], mut is_shown: impl FnMut(&Warning) -> bool) {
        for warning in warnings {
            // Each thread and each query reports a missing table again.
            let is_table = warning.kind == WarningKind::MissingTable;
            if is_table && !self.missing_tables.insert(Arc::clone(&warning.source)) {
                continue;
            }
            if let Some(current) = &mut self.current {
                if current.known.contains(warning) {
                    continue;
                }
                current.new.push(warning.clone());
            }
            if is_shown(warning) {
                let _ = writeln!(self.warnings, "warning: {warning}");
            }
        }
    }

    /// Writes complete lines where warnings go.
    pub(crate) fn write(&mut self, lines: &[u8]) {
        let _ = self.warnings.write_all(lines);
    }

    /// Writes complete lines that a query prints.
    pub(crate) fn message(&mut self, lines: &[u8]) {
        let sink = self.messages.as_deref_mut().unwrap_or(self.warnings);
        let Some(current) = &self.current else {
            let _ = sink.write_all(lines);
            return;
        };
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let _ = sink.write_all(&[&current.prefix, line].concat());
        }
    }

    /// Writes text unchanged and flushes it.
    pub(crate) fn write_now(&mut self, text: &[u8]) {
        let sink = self.messages.as_deref_mut().unwrap_or(self.warnings);
        let _ = sink.write_all(text);
        let _ = sink.flush();
    }
}

impl Listener for Log<'_> {
    fn begin_search(&mut self, _place: usize, name: Option<&str>) {
        self.begin(name);
    }

    fn begin_games(&mut self) {
        self.forget_games();
    }

    fn log(&mut self, games: &mut dyn Iterator<Item = (&[Warning], &[u8])>) {
        for (warnings, lines) in games {
            self.warn(warnings, |_| true);
            self.message(lines);
        }
    }

    fn close(&mut self, lines: &[u8]) {
        self.message(lines);
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
        let mut lines = Log::new(&mut log);
        lines.begin(Some("a"));
        lines.warn(&warnings(&["odd", "odd"]), |_| true);
        lines.message(b"found\nit\n");
        lines.begin(Some("b"));
        lines.warn(&warnings(&["odd", "even"]), |_| true);
        lines.message(b"found\n");
        lines.forget_games();
        lines.begin(Some("a"));
        lines.warn(&warnings(&["odd"]), |_| true);
        let expected = "odd\nodd\na: found\na: it\neven\nb: found\nodd\n";
        assert_eq!(shown(log), expected);
    }

    #[test]
    fn a_search_that_is_alone_says_everything() {
        let mut log = Vec::new();
        let mut lines = Log::new(&mut log);
        for _ in 0..2 {
            lines.begin(None);
            lines.warn(&warnings(&["odd"]), |_| true);
            lines.message(b"found\n");
        }
        assert_eq!(shown(log), "odd\nfound\nodd\nfound\n");
    }
}
