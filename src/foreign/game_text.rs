//! A game that is being written as PGN: first tags, then moves, which are played on a board.

use super::Damage;
use super::line::{Line, Played, Step};
use crate::chess::{Position, Start};
use crate::game::{WarningKind, escaped};

/// Where a line continues after a variation.
#[derive(Clone, Copy)]
struct Branch {
    here: Position,
    before: Option<Position>,
}

/// A game that is being written.
#[derive(Default)]
pub(crate) struct GameText {
    text: Vec<u8>,
    line: Line,
    /// The position before the last move, where a variation starts.
    before: Option<Position>,
    branches: Vec<Branch>,
    /// Whether the next move gets its number even if Black makes it.
    numbered: bool,
    /// The places of comments whose texts come later.
    places: Vec<usize>,
    complaints: Vec<(WarningKind, String)>,
}

/// Returns the position that a FEN sets up.
///
/// # Errors
/// Returns an error if the FEN is not valid.
pub(super) fn start_of(fen: &[u8]) -> Result<Start, Damage> {
    Start::from_fen(fen).map_err(|error| Damage(format!("its start position is not valid: {}", error.fault)))
}

impl GameText {
    /// Starts a new game and drops the previous one.
    pub(super) fn begin(&mut self) {
        self.text.clear();
        self.line.begin();
        self.before = None;
        self.branches.clear();
        self.numbered = true;
        self.places.clear();
        self.complaints.clear();
    }

    /// Returns the text so far.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns what is lost of the game.
    pub(crate) fn complaints(&self) -> &[(WarningKind, String)] {
        &self.complaints
    }

    /// Records what is lost of the game.
    pub(super) fn complain(&mut self, kind: WarningKind, what: impl Into<String>) {
        self.complaints.push((kind, what.into()));
    }

    /// Adds a tag.
    pub(super) fn tag(&mut self, name: &[u8], value: &[u8]) {
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
        let is_inside = |byte: &u8| is_letter(byte) || matches!(byte, b'-' | b'+' | b'#' | b'=' | b':');
        if !name.first().is_some_and(is_letter) || !name.iter().all(is_inside) {
            let name = String::from_utf8_lossy(name).into_owned();
            let what = format!("a tag whose name PGN does not allow, `{name}`, is left out");
            return self.complain(WarningKind::BadTag, what);
        }
        self.text.push(b'[');
        self.text.extend_from_slice(name);
        self.text.extend_from_slice(b" \"");
        let start = self.text.len();
        self.text.extend_from_slice(&escaped(value));
        self.blank_controls(start);
        self.text.extend_from_slice(b"\"]\n");
    }

    /// Sets up another start position than the usual one.
    ///
    /// # Errors
    /// Returns an error if the FEN is not valid.
    pub(super) fn set_start(&mut self, fen: &[u8]) -> Result<(), Damage> {
        let start = start_of(fen)?;
        self.tag(b"FEN", fen);
        self.line.begin_at(start);
        Ok(())
    }

    /// Ends the tags. Moves follow.
    pub(super) fn end_tags(&mut self) {
        // Without any tag, the moves might not be recognised as a game.
        if self.text.is_empty() {
            self.tag(b"Event", b"?");
        }
        self.text.push(b'\n');
    }

    /// Returns the line of moves up to the current position.
    pub(super) fn line(&self) -> &Line {
        &self.line
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Returns an error if no piece can make it.
    pub(super) fn play(&mut self, step: Step) -> Result<Played, Damage> {
        let (number, is_white) = (self.line.number(), self.line.turn().is_white());
        let played = self.line.play(step)?;
        if is_white || self.numbered {
            self.text.extend_from_slice(number.to_string().as_bytes());
            self.text.extend_from_slice(if is_white { b". " } else { b"... " });
        }
        self.numbered = false;
        self.line.write(&played, &mut self.text);
        self.text.push(b' ');
        self.before = Some(played.before);
        Ok(played)
    }

    /// Adds an annotation symbol.
    pub(super) fn symbol(&mut self, number: u8) {
        self.text.push(b'$');
        self.text.extend_from_slice(number.to_string().as_bytes());
        self.text.push(b' ');
    }

    /// Adds a comment.
    pub(super) fn comment(&mut self, text: &[u8]) {
        let text = text.trim_ascii();
        if text.is_empty() {
            return;
        }
        self.text.push(b'{');
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.blank_controls(start);
        // As in all PGN that skewer writes: a brace would end the comment.
        for byte in self.text.get_mut(start..).unwrap_or_default() {
            match byte {
                b'{' => *byte = b'(',
                b'}' => *byte = b')',
                _ => {}
            }
        }
        self.text.extend_from_slice(b"} ");
        self.numbered = true;
    }

    /// Marks the place of a comment whose text comes later.
    pub(super) fn comment_later(&mut self) {
        self.places.push(self.text.len());
        self.numbered = true;
    }

    /// Adds the comments at the marked places, in order, as far as there are texts. Returns whether there are enough.
    pub(super) fn add_comments<'t>(&mut self, mut texts: impl Iterator<Item = &'t [u8]>) -> bool {
        if self.places.is_empty() {
            return true;
        }
        let whole = std::mem::take(&mut self.text);
        self.text.reserve(whole.len());
        let (mut end, mut are_all) = (0, true);
        for place in std::mem::take(&mut self.places) {
            self.text.extend_from_slice(whole.get(end..place).unwrap_or_default());
            end = place;
            match texts.next() {
                Some(text) => self.comment(text),
                None => are_all = false,
            }
        }
        self.text.extend_from_slice(whole.get(end..).unwrap_or_default());
        are_all
    }

    /// Begins a variation, which replaces the last move.
    ///
    /// # Errors
    /// Returns an error if there is no move.
    pub(super) fn open(&mut self) -> Result<(), Damage> {
        let before = self.before;
        let before = before.ok_or_else(|| Damage("it has a variation before the first move".to_owned()))?;
        self.branches.push(Branch {
            here: self.line.here(),
            before: self.before,
        });
        self.line.go_to(before);
        self.before = None;
        self.numbered = true;
        self.text.push(b'(');
        Ok(())
    }

    /// Ends a variation. Returns whether there was one.
    pub(super) fn close(&mut self) -> bool {
        let Some(Branch { here, before }) = self.branches.pop() else {
            return false;
        };
        self.line.go_to(here);
        self.before = before;
        self.numbered = true;
        self.text.extend_from_slice(b") ");
        true
    }

    /// Ends the game and all open variations.
    pub(super) fn end(&mut self, result: &[u8]) {
        while self.close() {}
        self.text.extend_from_slice(result);
        self.text.extend_from_slice(b"\n\n");
    }

    /// Replaces characters that would end a line or have another meaning in PGN by spaces.
    fn blank_controls(&mut self, start: usize) {
        let added = self.text.get_mut(start..).unwrap_or_default();
        let controls = added.iter_mut().filter(|byte| byte.is_ascii_control());
        controls.for_each(|byte| *byte = b' ');
    }
}
