//! A position and what is known about it, as a game in PGN.

use std::borrow::Cow;
use std::io::Write as _;

use memchr::memchr2;
use shakmaty::Outcome;

use super::PositionColumn;
use super::coordinates::write_moves;
use crate::chess::is_no_position;
use crate::game::{Date, Rules, Tags, escaped, has_high_rating, is_rating_tag};
use crate::pgn::lexer::terminator;
use crate::pgn::notation::result_of_tag;
use crate::pgn::read::may_name_variant;

/// A row of a list or a table of positions on its way to a game. Its buffers are reused for the next row.
#[derive(Default)]
pub(crate) struct PositionRow {
    tags: Tags,
    moves: Vec<u8>,
    /// The comment that is open at the end of the moves.
    open: Option<OpenComment>,
    evaluation: Option<Evaluation>,
    depth: Option<i64>,
    result: Option<Outcome>,
    /// The complaint about the row as a whole.
    complaint: Option<String>,
    /// The columns that are left out, and what is wrong with their values.
    left_out: Vec<(String, &'static str)>,
    /// Whether its game has to be read from text.
    needs_text: bool,
}

/// An evaluation from White's point of view.
#[derive(Clone, Copy)]
enum Evaluation {
    Centipawns(i64),
    /// The moves to mate, negative if Black mates.
    Mate(i64),
}

impl PositionRow {
    /// Starts another row.
    pub(crate) fn clear(&mut self) {
        // By these rules tags only keep what is written.
        self.tags.begin(Rules::Cql);
        self.moves.clear();
        self.left_out.clear();
        (self.open, self.evaluation, self.depth) = (None, None, None);
        (self.result, self.complaint, self.needs_text) = (None, None, false);
    }

    /// Adds the value of a column. An empty value adds nothing.
    pub(crate) fn add(&mut self, column: &PositionColumn, value: &[u8]) {
        let value = value.trim_ascii();
        if value.is_empty() {
            return;
        }
        match column {
            PositionColumn::Fen => self.set_position(value),
            PositionColumn::Moves => self.set_moves(value),
            PositionColumn::Centipawns => self.add_number("cp", value, PositionRow::set_centipawns),
            PositionColumn::Mate => self.add_number("mate", value, PositionRow::set_mate),
            PositionColumn::Depth => self.add_number("depth", value, PositionRow::set_depth),
            PositionColumn::Evaluations => self.leave_out("evals", "no evaluations"),
            PositionColumn::Tag(name) => self.add_tag(name, value),
            PositionColumn::OtherFen(_) => {}
            PositionColumn::Unread => {}
        }
    }

    /// Sets the FEN, unless it is blank or a placeholder.
    pub(crate) fn set_position(&mut self, fen: &[u8]) {
        let is_blank = fen.iter().all(|byte| byte.is_ascii_control() || *byte == b' ');
        if !is_blank && !is_no_position(fen) && !self.has_position() {
            self.push_tag("SetUp", b"1");
            self.push_tag("FEN", fen);
        }
    }

    /// Returns the FEN, or an empty slice if there is none.
    pub(super) fn fen(&self) -> &[u8] {
        self.tags.raw(b"FEN").unwrap_or_default()
    }

    /// Returns whether the row has a FEN.
    pub(crate) fn has_position(&self) -> bool {
        self.tags.raw(b"FEN").is_some()
    }

    /// Returns whether a tag may decide how a game is read, even if no query asks for it.
    pub(super) fn reads(name: &[u8]) -> bool {
        matches!(name, b"FEN" | b"Result" | b"Variant" | b"Event" | b"Date") || is_rating_tag(name)
    }

    /// Adds a tag. A FEN tag is left out, because there would be two of them.
    pub(crate) fn add_tag(&mut self, name: &str, value: &[u8]) {
        match name {
            "FEN" => return self.leave_out(name, "a position beside that of the row"),
            // This follows from the position.
            "SetUp" => return,
            "Result" => {
                let result = result_of_tag(value, Rules::Full);
                self.needs_text |= result.as_str().as_bytes() != value;
                self.result = Some(result);
            }
            // These may announce other rules, or need a warning.
            "Variant" => self.needs_text = true,
            "Event" => self.needs_text |= may_name_variant(value),
            "Date" => self.needs_text |= Date::is_unclear(value),
            name => self.needs_text |= has_high_rating(name.as_bytes(), value),
        }
        self.push_tag(name, value);
    }

    fn push_tag(&mut self, name: &str, value: &[u8]) {
        self.tags.push(name.as_bytes(), &without_controls(&escaped(value)));
    }

    /// Returns the names and values of the tags, as in PGN.
    pub(super) fn tags(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.tags.written()
    }

    /// Sets the moves. They may take several lines. Empty lines are left out, as they would end the game.
    pub(crate) fn set_moves(&mut self, moves: &[u8]) {
        self.moves.clear();
        let lines = moves.split(|byte| matches!(byte, b'\n' | b'\r'));
        for line in lines.map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()) {
            if !self.moves.is_empty() {
                self.moves.push(b'\n');
            }
            self.moves.extend_from_slice(&without_controls(line));
        }
        self.open = OpenComment::at_end(&self.moves);
        if let Some(OpenComment::Braces) = self.open {
            self.complain("a comment of the moves has no closing brace: it ends with them".to_owned());
        }
    }

    /// Returns whether the row has moves.
    pub(super) fn has_moves(&self) -> bool {
        !self.moves.is_empty()
    }

    /// Sets the evaluation in centipawns, from White's point of view.
    pub(crate) fn set_centipawns(&mut self, centipawns: i64) {
        self.evaluation = Some(Evaluation::Centipawns(centipawns));
    }

    /// Sets the moves to mate, negative if Black mates.
    pub(crate) fn set_mate(&mut self, moves: i64) {
        self.evaluation = Some(Evaluation::Mate(moves));
    }

    /// Sets the search depth of the engine.
    pub(crate) fn set_depth(&mut self, depth: i64) {
        self.depth = Some(depth);
    }

    /// Returns whether the row has an evaluation.
    pub(super) fn has_evaluation(&self) -> bool {
        self.evaluation.is_some()
    }

    /// Returns the result in the tag.
    pub(super) fn result(&self) -> Outcome {
        self.result.unwrap_or(Outcome::Unknown)
    }

    /// Adds a number. Some programs write it with a fraction if its column has gaps.
    fn add_number(&mut self, column: &str, value: &[u8], set: impl FnOnce(&mut PositionRow, i64)) {
        const MOST: f64 = 1e9;
        let number = str::from_utf8(value).ok().and_then(|text| text.parse::<f64>().ok());
        match number.filter(|number| number.abs() <= MOST) {
            Some(number) => set(self, number.round() as i64),
            None if value.eq_ignore_ascii_case(b"nan") || value.eq_ignore_ascii_case(b"null") => {}
            None => self.leave_out(column, "no number"),
        }
    }

    /// Records that a column is left out.
    pub(crate) fn leave_out(&mut self, column: &str, what: &'static str) {
        self.left_out.push((column.to_owned(), what));
    }

    /// Records what is wrong with the row. Only the first complaint is kept.
    pub(super) fn complain(&mut self, message: String) {
        self.complaint.get_or_insert(message);
    }

    /// Makes the game be read from text.
    pub(super) fn need_text(&mut self) {
        self.needs_text = true;
    }

    /// Returns whether the game has to be read from text in any case.
    pub(super) fn needs_text(&self) -> bool {
        self.needs_text
    }

    /// Returns what is wrong with the row as a whole and which columns are left out.
    pub(crate) fn complaint(&self) -> Option<String> {
        const MOST: usize = 8;
        if self.complaint.is_none() && self.left_out.is_empty() {
            return None;
        }
        let mut messages: Vec<String> = self.complaint.iter().cloned().collect();
        let mut told: Vec<&str> = Vec::new();
        for (_, what) in &self.left_out {
            if told.contains(what) {
                continue;
            }
            told.push(what);
            let columns = self.left_out.iter().filter(|(_, other)| other == what);
            let count = columns.clone().count();
            let names: Vec<_> = columns.take(MOST).map(|(name, _)| format!("`{name}`")).collect();
            let names = names.join(", ");
            let more = if count > MOST { " …" } else { "" };
            messages.push(match count {
                1 => format!("the column {names} holds {what}: it is left out"),
                _ => format!("the columns {names}{more} hold {what}: they are left out"),
            });
        }
        Some(messages.join("; "))
    }

    /// Writes the game. Without a position it is written as unreadable, since a game without a FEN would begin at the usual start.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        for (name, value) in self.tags() {
            for part in [b"[", name, b" \"", value, b"\"]\n"] {
                out.extend_from_slice(part);
            }
        }
        if !self.has_position() {
            out.extend_from_slice(b"[FEN \"?\"]\n");
        }
        out.push(b'\n');
        if let Some(evaluation) = self.evaluation {
            // Writing to a vector cannot fail.
            let _ = match evaluation {
                Evaluation::Centipawns(centipawns) => {
                    let sign = if centipawns < 0 { "-" } else { "" };
                    let size = centipawns.unsigned_abs();
                    write!(out, "{{ [%eval {sign}{}.{:02}", size / 100, size % 100)
                }
                Evaluation::Mate(moves) => write!(out, "{{ [%eval #{moves}"),
            };
            let _ = self.depth.map_or(Ok(()), |depth| write!(out, ",{depth}"));
            out.extend_from_slice(b"] } ");
        }
        if self.has_moves() {
            write_moves(self.fen(), &self.moves, out);
        }
        out.extend_from_slice(match self.open {
            Some(OpenComment::Braces) => b"} ",
            Some(OpenComment::Line) => b"\n",
            None => b"",
        });
        if self.open.is_some() || terminator(&self.moves).is_none() {
            out.extend_from_slice(self.result().as_str().as_bytes());
        }
        out.extend_from_slice(b"\n\n");
    }
}

/// A comment that is open at the end of a text. Anything written after the text would become part of it.
enum OpenComment {
    /// A comment in braces without its closing brace.
    Braces,
    /// A comment up to the end of the line.
    Line,
}

impl OpenComment {
    fn at_end(moves: &[u8]) -> Option<OpenComment> {
        memchr2(b'{', b';', moves)?;
        let mut open = None;
        for byte in moves {
            match (&open, byte) {
                (None, b'{') => open = Some(OpenComment::Braces),
                (None, b';') => open = Some(OpenComment::Line),
                (Some(OpenComment::Braces), b'}') | (Some(OpenComment::Line), b'\n') => open = None,
                _ => {}
            }
        }
        open
    }
}

/// Returns a text with spaces for the characters that would end a line or have another meaning in PGN.
fn without_controls(text: &[u8]) -> Cow<'_, [u8]> {
    // Hardly any text has one, which is checked for all bytes at once.
    if !text.iter().fold(false, |any, byte| any | byte.is_ascii_control()) {
        return text.into();
    }
    let blank = |byte: &u8| if byte.is_ascii_control() { b' ' } else { *byte };
    text.iter().map(blank).collect()
}
