//! Cuts a stream of PGN text into games.
//!
//! Each part uses only those before it: `row_source`, `self`, `rows`, `row_block`.

mod row_block;
mod row_source;
mod rows;

use std::io::{self, ErrorKind, Read};

use memchr::memchr_iter;

use super::canonical::{Batch, LineMark, recognise};
use super::lexer::{NeedMore, Text, is_control, is_space};
use super::repair::{Beginning, Defect, Introduction, LONGEST_GAME, LanguageDetector, USUAL_BUFFER};
use crate::game::{Rules, WarningKind};

pub use row_block::{BlockHead, ReadGame, RowBlock};
pub use row_source::RowSource;
pub use rows::RowBatcher;

/// The length of text above which a batch is full.
pub(crate) const BATCH: usize = 1 << 19;

/// The most games in a batch, as what is made from each takes memory besides its text.
pub(crate) const BATCH_GAMES: usize = 1 << 10;

/// The part of a source that is looked at in one go, unless a game is longer.
const WINDOW: usize = 1 << 18;

/// Cuts one source into batches of games.
///
/// Memory is bounded: besides the batch, which belongs to the caller, there is a window of 256 KiB, or of the length of the longest game if that is
/// more, up to 48 MiB.
pub struct Splitter<R> {
    window: Window<R>,
    source: RowSource,
    /// The number of the last game.
    number: u64,
    /// The number of games in earlier sources.
    numbers_before: u64,
    /// The line on which the window begins.
    line: u64,
    /// Whether only white space and comments come between the start of the line and the window. It is tracked for text between games.
    fresh_line: bool,
    /// The line of the first text since the last game that belongs to no game.
    stray: Option<u64>,
    /// The line of the first such comment.
    comment: Option<u64>,
    /// The line of the first such comment that never ends.
    unclosed: Option<u64>,
    /// Whether moves whose beginning is missing are directly above.
    in_fragment: bool,
    /// Whether only white space and comments have come since the last game.
    behind_game: bool,
    detector: LanguageDetector,
    introduction: Introduction,
}

/// A game that has been added to a batch.
pub(crate) struct Appended {
    /// Its length in the text.
    pub(crate) len: usize,
    /// Whether it was not canonical, so that the rewriter knows its defects.
    pub(crate) is_rewritten: bool,
}

/// Adds the game at the start of a text to a batch. The text begins with a tag pair, or with a word of the movetext of a game without tags.
pub(crate) fn append_game(
    text: Text<'_>,
    number: u64,
    line: u64,
    detector: &mut LanguageDetector,
    batch: &mut Batch,
) -> Result<Appended, NeedMore> {
    let (start, stripped) = (batch.text.len(), batch.stripped.len());
    let plain = if detector.doubts_english() {
        None
    } else {
        recognise(text, &mut batch.stripped)?
    };
    let len = match plain {
        Some(len) => {
            batch.text.extend_from_slice(text.slice(0..len));
            len
        }
        None => {
            let len = detector.rewrite(text, &mut batch.text)?;
            if !batch.of_rows {
                let marks = detector.rewriter().line_marks();
                batch.line_marks.extend(marks.map(|(at, below)| LineMark {
                    at: start + at,
                    line: line + below,
                }));
            }
            len
        }
    };
    batch.push_game(start, stripped, number, line);
    Ok(Appended {
        len,
        is_rewritten: plain.is_none(),
    })
}

impl<R: Read> Splitter<R> {
    /// Creates a splitter for a source. Its first game gets the number after `last_number`. Reading fails as soon as the games are no longer wanted.
    pub fn new(reader: R, source: RowSource, last_number: u64) -> Self {
        Splitter {
            window: Window::new(reader),
            detector: LanguageDetector::new(source.rules, source.language, source.watch.clone()),
            source,
            number: last_number,
            numbers_before: last_number,
            line: 1,
            fresh_line: true,
            stray: None,
            comment: None,
            unclosed: None,
            in_fragment: false,
            behind_game: false,
            introduction: Introduction::default(),
        }
    }

    /// Replaces the contents of a batch by the next games. Returns whether there were any games or warnings.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot be read further. The games before it come first, the last one as far as it could be read, then the
    /// error, once. After that the source is at its end.
    pub fn read_batch(&mut self, batch: &mut Batch) -> io::Result<bool> {
        batch.reset(&self.source.name, self.source.rules);
        batch.watch.clone_from(&self.source.watch);
        while batch.text.len() < BATCH && batch.games.len() < BATCH_GAMES {
            match self.read_game(batch) {
                Ok(true) => {}
                Ok(false) => break,
                Err(NeedMore) => match self.source.watch.check() {
                    Ok(()) => self.window.fill(),
                    Err(error) => self.window.give_up(error),
                },
            }
        }
        self.window.shrink();
        if !batch.is_empty() {
            return Ok(true);
        }
        self.window.error.take().map_or(Ok(false), Err)
    }

    /// Reads the next game. Returns whether there is one.
    fn read_game(&mut self, batch: &mut Batch) -> Result<bool, NeedMore> {
        let is_game = self.skip_to_game()?;
        if !is_game || self.source.rules == Rules::Full {
            self.warn_of_rest(batch);
        }
        if !is_game {
            return Ok(false);
        }
        let appended = append_game(
            self.window.text(),
            self.number + 1,
            self.line,
            &mut self.detector,
            batch,
        )?;
        let len = appended.len;
        self.number += 1;
        if appended.is_rewritten {
            self.warn_of_defects(len, batch);
        }
        self.consume(len);
        self.fresh_line = false;
        self.behind_game = true;
        self.in_fragment = false;
        self.stray = None;
        self.unclosed = None;
        Ok(true)
    }

    /// Skips what is between games: white space, comments, bytes that belong to no word of PGN, text. Returns whether a game follows.
    ///
    /// A game begins with a tag pair. Without tags, it begins with a move or the move number 1 at the start of a line, with the number 1 after a game
    /// on its line, or with the comments before these. Moves that begin with another number are a fragment of a game, which cannot be played.
    fn skip_to_game(&mut self) -> Result<bool, NeedMore> {
        loop {
            let text = self.window.text();
            if let Some((end, is_closed)) = text.any_comment(0, self.unclosed.is_some())? {
                if !is_closed {
                    self.unclosed.get_or_insert(self.line);
                } else if self.source.rules == Rules::Full {
                    if self.fresh_line && self.introduction.precedes_moves(text, 0)? {
                        return Ok(true);
                    }
                    self.comment.get_or_insert(self.line);
                }
                self.consume(end);
                continue;
            }
            let length = match text.byte(0)? {
                None => return Ok(false),
                Some(b'\n') => {
                    // An empty line ends a fragment.
                    self.in_fragment &= !self.fresh_line;
                    self.fresh_line = true;
                    1
                }
                Some(b'[') if text.tag(0)?.is_some() => return Ok(true),
                Some(b'%') if self.fresh_line => text.line_end(0)?,
                Some(0x80..) if text.blank(0)? > 0 => text.blank(0)?,
                Some(byte) if is_space(byte) => 1,
                Some(byte) if is_control(&byte) || byte >= 0x80 && self.source.rules == Rules::Cql => 1,
                Some(b'0'..=b'9') if self.fresh_line => {
                    let end = text.skip(0, |byte| byte.is_ascii_digit())?;
                    match text.byte(end)? {
                        Some(b'.') if self.source.rules == Rules::Cql => return Ok(true),
                        Some(byte) if is_space(byte) => end,
                        _ => {
                            let beginning = text.beginning(0)?;
                            if beginning == Beginning::Game {
                                return Ok(true);
                            }
                            self.in_fragment |= beginning == Beginning::Fragment;
                            self.skip_stray_word()
                        }
                    }
                }
                Some(b'1') if self.behind_game && self.source.rules == Rules::Full && text.first_move(0)? => {
                    return Ok(true);
                }
                Some(byte) => {
                    // A word that begins with a dash is more likely a separator than a null move.
                    let may_begin =
                        self.fresh_line && !self.in_fragment && (byte != b'-' || self.source.rules == Rules::Cql);
                    if may_begin && text.beginning(0)? == Beginning::Game {
                        return Ok(true);
                    }
                    self.skip_stray_word()
                }
            };
            self.consume(length);
        }
    }

    /// Returns the length of a word that belongs to no game. If more of it comes later, that is skipped too.
    fn skip_stray_word(&mut self) -> usize {
        self.fresh_line = false;
        self.behind_game = false;
        self.stray.get_or_insert(self.line);
        let in_word = |byte: &u8| !is_space(*byte) && !matches!(byte, b'{' | b';' | b'[');
        1 + self
            .window
            .text()
            .from(1)
            .iter()
            .take_while(|byte| in_word(byte))
            .count()
    }

    fn consume(&mut self, length: usize) {
        self.line += line_breaks(self.window.text().slice(0..length));
        self.window.consume(length);
        self.introduction.consume(length);
    }

    fn warn_of_defects(&mut self, len: usize, batch: &mut Batch) {
        let text = self.window.text();
        let cut = (self.window.is_cut() && len == text.bytes.len()).then_some((0, Defect::TOO_LONG));
        for (at, defect) in self.detector.rewriter().defects().iter().copied().chain(cut) {
            let Defect(kind, message) = defect;
            let line = self.line + line_breaks(text.slice(0..at));
            batch
                .warnings
                .push(self.source.warning(kind, line, self.number, message));
        }
    }

    /// Warns about text that belongs to no game, before the next game or at the end of the source.
    fn warn_of_rest(&mut self, batch: &mut Batch) {
        let game = if self.number > self.numbers_before {
            self.number
        } else {
            0
        };
        let rest = [
            (
                self.stray.take(),
                WarningKind::StrayText,
                "this text belongs to no game",
            ),
            (
                self.comment.take(),
                WarningKind::StrayText,
                "a comment that belongs to no game is ignored",
            ),
            (
                self.unclosed.take(),
                WarningKind::BadComment,
                "a comment has no closing brace",
            ),
        ];
        for (line, kind, message) in rest {
            if let Some(line) = line {
                batch.warnings.push(self.source.warning(kind, line, game, message));
            }
        }
    }
}

fn line_breaks(text: &[u8]) -> u64 {
    memchr_iter(b'\n', text).count() as u64
}

/// The part of a source that is in memory.
struct Window<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Whether nothing comes after the window.
    at_end: bool,
    error: Option<io::Error>,
}

impl<R> Window<R> {
    fn new(reader: R) -> Self {
        Window {
            reader,
            // The allocator provides zeroed memory: most sources are shorter, and the rest is never touched.
            buffer: vec![0; WINDOW],
            start: 0,
            end: 0,
            at_end: false,
            error: None,
        }
    }

    fn text(&self) -> Text<'_> {
        let bytes = self.buffer.get(self.start..self.end).unwrap_or_default();
        Text {
            bytes,
            complete: self.at_end || self.is_cut(),
        }
    }

    /// Returns whether the window has its largest size, so that what begins in it must end in it.
    fn is_cut(&self) -> bool {
        !self.at_end && self.end - self.start >= LONGEST_GAME
    }

    /// Drops the rest of the source because of an error.
    fn give_up(&mut self, error: io::Error) {
        self.start = self.end;
        self.at_end = true;
        self.error = Some(error);
    }

    fn consume(&mut self, length: usize) {
        self.start = self.end.min(self.start + length);
    }

    /// Releases memory that a long game has taken.
    fn shrink(&mut self) {
        let rest = self.start..self.end;
        if self.buffer.len() > USUAL_BUFFER && rest.len() < self.buffer.len() / 2 {
            self.buffer = self.buffer[rest].to_vec();
            (self.start, self.end) = (0, self.buffer.len());
        }
    }
}

impl<R: Read> Window<R> {
    /// Reads until the window is full. It grows if more than half of it is in use.
    fn fill(&mut self) {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end * 2 >= self.buffer.len() {
            let size = (self.buffer.len() * 2).clamp(WINDOW, LONGEST_GAME);
            if size > USUAL_BUFFER {
                self.buffer.reserve_exact(LONGEST_GAME - self.buffer.len());
            }
            self.buffer.resize(size, 0);
        }
        while !self.at_end && self.end < self.buffer.len() {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.at_end = true,
                Ok(length) => self.end += length,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.error = Some(error);
                    self.at_end = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
