//! A position with what stands beside it, as a game in PGN.

use std::io::Write as _;

use super::PositionColumn;
use super::coordinates::Mailbox;
use crate::game::{Rules, escaped};
use crate::pgn::lexer::Terminator;

/// A row of a list or a table of positions on its way to a game. Its buffers are used again for the next row.
#[derive(Default)]
pub(crate) struct PositionRow {
    /// Tag pairs, each on its line.
    tags: Vec<u8>,
    fen: Vec<u8>,
    moves: Vec<u8>,
    /// As in a command of PGN: pawns, or `#` and the moves to a mate.
    evaluation: Option<String>,
    depth: Option<i64>,
    result: Option<Terminator>,
    /// What is left out.
    complaint: Option<String>,
}

impl PositionRow {
    /// Begins with another row.
    #[cfg(feature = "files")]
    pub(crate) fn clear(&mut self) {
        self.tags.clear();
        self.fen.clear();
        self.moves.clear();
        (self.evaluation, self.depth, self.result, self.complaint) = (None, None, None, None);
    }

    /// Adds the value of a column. An empty one says nothing.
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
        }
    }

    /// Sets the FEN. One without a visible sign is none.
    pub(crate) fn set_position(&mut self, fen: &[u8]) {
        self.fen.clear();
        self.fen.extend_from_slice(fen);
        blank_controls(&mut self.fen);
        if self.fen.trim_ascii().is_empty() {
            return self.fen.clear();
        }
        self.tags.extend_from_slice(b"[SetUp \"1\"]\n");
        self.add_tag("FEN", fen);
    }

    /// Whether it has a FEN.
    pub(crate) fn has_position(&self) -> bool {
        !self.fen.is_empty()
    }

    /// Adds a tag. That the game has a position of its own is known from the position alone.
    pub(crate) fn add_tag(&mut self, name: &str, value: &[u8]) {
        if name == "SetUp" {
            return;
        }
        if name == "Result" {
            self.result = Some(Terminator::of_tag(value, Rules::Full));
        }
        self.tags.push(b'[');
        self.tags.extend_from_slice(name.as_bytes());
        self.tags.extend_from_slice(b" \"");
        let start = self.tags.len();
        self.tags.extend_from_slice(&escaped(value));
        blank_controls(self.tags.get_mut(start..).unwrap_or_default());
        self.tags.extend_from_slice(b"\"]\n");
    }

    /// Sets the moves.
    pub(crate) fn set_moves(&mut self, moves: &[u8]) {
        self.moves.clear();
        self.moves.extend_from_slice(moves);
        blank_controls(&mut self.moves);
    }

    /// Sets the evaluation in centipawns, from White's side.
    pub(crate) fn set_centipawns(&mut self, centipawns: i64) {
        let sign = if centipawns < 0 { "-" } else { "" };
        let size = centipawns.unsigned_abs();
        self.evaluation = Some(format!("{sign}{}.{:02}", size / 100, size % 100));
    }

    /// Sets the moves to a mate, negative if Black mates.
    pub(crate) fn set_mate(&mut self, moves: i64) {
        self.evaluation = Some(format!("#{moves}"));
    }

    /// Sets how deep the engine has looked.
    pub(crate) fn set_depth(&mut self, depth: i64) {
        self.depth = Some(depth);
    }

    /// Takes a number, which some programs write with a fraction where a column has gaps.
    fn add_number(&mut self, column: &str, value: &[u8], set: impl FnOnce(&mut PositionRow, i64)) {
        const MOST: f64 = 1e9;
        let number = str::from_utf8(value).ok().and_then(|text| text.parse::<f64>().ok());
        match number.filter(|number| number.abs() <= MOST) {
            Some(number) => set(self, number.round() as i64),
            None if value.eq_ignore_ascii_case(b"nan") || value.eq_ignore_ascii_case(b"null") => {}
            None => self.leave_out(column, "no number"),
        }
    }

    /// Notes that a column is left out.
    pub(crate) fn leave_out(&mut self, column: &str, what: &str) {
        self.complain(format!("the column `{column}` holds {what}: it is left out"));
    }

    /// Notes what is wrong with the row, unless something is already.
    pub(super) fn complain(&mut self, message: String) {
        self.complaint.get_or_insert(message);
    }

    /// What is left out of the row.
    pub(crate) fn complaint(&self) -> Option<&str> {
        self.complaint.as_deref()
    }

    /// Writes the game. Without a position it is one that cannot be read, as it would begin as usual without a FEN.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.tags);
        if !self.has_position() {
            out.extend_from_slice(b"[FEN \"?\"]\n");
        }
        out.push(b'\n');
        if let Some(evaluation) = &self.evaluation {
            // Writing to a vector cannot fail.
            let _ = write!(out, "{{ [%eval {evaluation}");
            let _ = self.depth.map_or(Ok(()), |depth| write!(out, ",{depth}"));
            out.extend_from_slice(b"] } ");
        }
        if !self.moves.is_empty() {
            Mailbox::of_fen(&self.fen).write_moves(&self.moves, out);
        }
        if Terminator::at_end(&self.moves).is_none() {
            out.extend_from_slice(self.result.unwrap_or(Terminator::Unknown).text());
        }
        out.extend_from_slice(b"\n\n");
    }
}

/// What would end a line, or stand for something else in PGN, becomes a blank.
fn blank_controls(text: &mut [u8]) {
    let controls = text.iter_mut().filter(|byte| byte.is_ascii_control());
    controls.for_each(|byte| *byte = b' ');
}
