//! Rewrites games as canonical PGN.
//!
//! [`Rewriter`] understands everything that people and programs write in PGN files (chapter 02, section 3 of the language reference) and writes it in
//! the form that [`Batch`](super::canonical::Batch) describes. It also finds the end of a game, which in PGN is only known after reading it.
//!
//! Each part uses only those before it: `defect`, `letter_evidence`, `limits`, `game_boundary`, `self`, `tag_pair`, `tag_section`, `movetext`,
//! `omission`, `language_detection`.

mod defect;
mod game_boundary;
mod language_detection;
mod letter_evidence;
mod limits;
mod movetext;
mod omission;
mod tag_pair;
mod tag_section;

use std::{mem, ops::Range};

use memchr::{memchr_iter, memchr2};
use shakmaty::Outcome;
use smallvec::SmallVec;

use super::canonical::{ODD_MOVE, ODD_NAG};
use super::lexer::{NeedMore, Text, is_control, is_space};
use super::notation::{Style, is_clock};
use crate::game::{BACKSLASH, INNER_QUOTE, Rules};
use crate::limits::InterruptHandle;

pub(crate) use defect::Defect;
pub(crate) use game_boundary::{Beginning, Introduction};
pub(crate) use language_detection::LanguageDetector;
use letter_evidence::LetterEvidence;
use limits::Omission;
pub(crate) use limits::{GameLimits, LONGEST_GAME, USUAL_BUFFER};

/// The most line marks of a game. Words on later lines count as words on the last marked one.
const MOST_MARKS: usize = 1 << 20;

/// Rewrites games. It keeps its large buffers from one game to the next.
#[derive(Debug, Default)]
pub(crate) struct Rewriter {
    rules: Rules,
    limits: GameLimits,
    /// Canonical tag lines.
    tags: Vec<u8>,
    /// Canonical movetext so far.
    moves: Vec<u8>,
    /// The origin of tag lines: places among them, and the number of line ends of the source above.
    tag_marks: Vec<(usize, u64)>,
    /// The same for the movetext, at each place where another line begins.
    move_marks: Vec<(usize, u64)>,
    /// The main line and the variations that are open.
    lines: Vec<Line>,
    /// The number of moves in these lines.
    open_moves: usize,
    /// The part that is being left out because a limit is reached.
    omission: Option<Omission>,
    /// The defects found, one of each kind, with their places.
    defects: Vec<(usize, Defect)>,
    result: Option<Outcome>,
    /// A terminator inside a variation. It counts if the variation is never closed.
    inner_terminator: Option<Outcome>,
    /// Whether a brace was missing, so that braces no longer nest in this game.
    flat_comments: bool,
    /// How letters are interpreted.
    style: Style,
    /// What the letters of the last game say about their meaning.
    evidence: LetterEvidence,
    /// In a trial, the pieces that the moves of the main line should move or become: `None` without a letter, `?` if the language lacks the
    /// letter.
    tried: Vec<Option<u8>>,
    /// The number before the next move.
    number: Option<Number>,
    /// The half-move number of the first move, according to the last number with a dot: 2 for `1.`, 3 for `1...`.
    first_half_move: Option<i64>,
    /// Whether numbers of this game have dots.
    has_dots: bool,
    /// Whether Black makes the first move, according to the FEN tag.
    is_blacks_start: bool,
    /// The current word with single bytes.
    simple: Vec<u8>,
    /// Tells whether the games are still wanted.
    watch: InterruptHandle,
}

/// A number that may be that of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Number {
    value: u32,
    dots: usize,
    /// The number and its dots, as written.
    written: SmallVec<[u8; 16]>,
}

/// A line of moves: the main line or a variation.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Its start in the movetext.
    start: usize,
    moves: usize,
    /// The number of moves from the start of the game.
    plies: i64,
    /// Whether one of its words cannot be read, so that what follows is kept unchanged.
    is_cut: bool,
    /// Whether it is at a place where no variation can be.
    ignored: bool,
}

/// A game that is being read.
struct Rewrite<'a> {
    rewriter: &'a mut Rewriter,
    text: Text<'a>,
    at: usize,
    /// The number of line ends before the place `counted`.
    lines_above: u64,
    counted: usize,
    /// The number of words and signs so far.
    steps: usize,
    /// The end of the last thing that the canonical text leaves out.
    dropped_to: usize,
}

impl Rewriter {
    /// Creates a rewriter for games that follow these rules. It gives up a game that is no longer wanted.
    pub(crate) fn new(rules: Rules, watch: InterruptHandle) -> Rewriter {
        Rewriter {
            rules,
            watch,
            lines: vec![Line::default()],
            ..Rewriter::default()
        }
    }

    /// Sets the limits for each game.
    #[cfg(test)]
    pub(crate) fn within(self, limits: GameLimits) -> Rewriter {
        Rewriter { limits, ..self }
    }

    /// Appends the canonical form of the game at the start of the text. Returns the length of the game in the text. A game that is no longer wanted
    /// ends with [`NeedMore`].
    ///
    /// The text begins with a tag pair, or with a word of the movetext of a game without tags.
    pub(crate) fn rewrite(&mut self, text: Text<'_>, out: &mut Vec<u8>) -> Result<usize, NeedMore> {
        self.tags.clear();
        self.moves.clear();
        *self = Rewriter {
            limits: self.limits,
            style: self.style,
            tags: mem::take(&mut self.tags),
            moves: mem::take(&mut self.moves),
            ..Rewriter::new(self.rules, mem::take(&mut self.watch))
        };
        let mut game = Rewrite {
            rewriter: self,
            text,
            at: 0,
            lines_above: 0,
            counted: 0,
            steps: 0,
            dropped_to: 0,
        };
        game.read_head()?;
        let terminator = game.read_movetext()?;
        game.rewriter.end_numbers();
        game.rewriter.drop_omitted(game.at);
        game.read_comments_behind()?;
        let len = game.at;
        out.extend_from_slice(&self.tags);
        if !self.tags.is_empty() {
            out.push(b'\n');
        }
        if self.moves.len() > USUAL_BUFFER {
            // The text before is short, so a second buffer of this size is avoided.
            let mut moves = mem::take(&mut self.moves);
            moves.splice(0..0, out.drain(..));
            *out = moves;
        } else {
            out.extend_from_slice(&self.moves);
        }
        out.extend_from_slice(terminator.as_str().as_bytes());
        Ok(len)
    }

    /// Returns places in the canonical form of the last game, each with the number of line ends of its text above. There is one wherever that number
    /// changes.
    pub(crate) fn line_marks(&self) -> impl Iterator<Item = (usize, u64)> {
        let head = self.tags.len() + usize::from(!self.tags.is_empty());
        let of_moves = self.move_marks.iter().map(move |(at, above)| (head + at, *above));
        self.tag_marks.iter().copied().chain(of_moves)
    }

    /// Returns the defects of the last game, with their places in the text.
    pub(crate) fn defects(&self) -> &[(usize, Defect)] {
        &self.defects
    }

    fn defect(&mut self, at: usize, defect: Defect) {
        if !self.defects.iter().any(|&(_, known)| known == defect) {
            self.defects.push((at, defect));
        }
    }

    /// Reserves memory for this much more movetext. A buffer of the largest size is returned to the system as soon as it is free, and only the part
    /// that is written takes memory. Allocators keep some of the smaller ones.
    fn make_room(&mut self, more: usize) {
        if self.moves.len() + more > USUAL_BUFFER && self.moves.capacity() < LONGEST_GAME {
            self.moves.reserve(LONGEST_GAME);
        }
    }

    fn push(&mut self, word: &[u8]) {
        self.moves.extend_from_slice(word);
        self.moves.push(b' ');
    }

    fn push_move(&mut self) {
        if let Some(line) = self.lines.last_mut()
            && self.omission.is_none()
        {
            line.moves += 1;
            line.plies += 1;
            self.open_moves += 1;
        }
    }

    fn push_nag(&mut self, number: u8) {
        if number > 0 {
            self.push(format!("${number}").as_bytes());
        }
    }

    /// Writes a comment with single spaces for its white space, so that none of its lines can be taken for anything else.
    fn push_comment(&mut self, content: &[u8]) {
        self.moves.push(b'{');
        self.make_room(content.len());
        let start = self.moves.len();
        let mut gap = false;
        for &byte in content {
            if is_space(byte) || byte == 0 || (matches!(byte, ODD_MOVE | ODD_NAG) && self.moves.len() == start) {
                gap = true;
                continue;
            }
            if gap && self.moves.len() > start {
                self.moves.push(b' ');
            }
            gap = false;
            self.moves.push(match (byte, self.rules) {
                (b'{' | b'}', Rules::Cql) => b'_',
                (b'{', Rules::Full) => b'(',
                (b'}', Rules::Full) => b')',
                (byte, _) => byte,
            });
        }
        self.moves.extend_from_slice(b"} ");
    }

    fn push_tag(&mut self, name: &[u8], value: &[u8]) {
        self.tags.push(b'[');
        self.tags.extend_from_slice(name);
        self.tags.extend_from_slice(b" \"");
        self.tags.extend(value.iter().filter_map(|&byte| match byte {
            b'"' => Some(INNER_QUOTE),
            b'\\' => Some(BACKSLASH),
            b'\n' => Some(b' '),
            b'\r' => None,
            byte if is_control(&byte) => None,
            _ => Some(byte),
        }));
        self.tags.extend_from_slice(b"\"]\n");
    }

    fn open_variation(&mut self, at: usize) {
        let moved = self.lines.last().is_some_and(|line| line.moves > 0);
        if !moved {
            self.defect(at, Defect::EARLY_VARIATION);
        }
        let (plies, is_cut) = self
            .lines
            .last()
            .map_or((0, false), |line| (line.plies - 1, line.is_cut));
        self.lines.push(Line {
            start: self.moves.len(),
            moves: 0,
            plies,
            is_cut,
            ignored: !moved,
        });
        self.push(b"(");
    }

    fn close_variation(&mut self, at: usize) {
        let Some(line) = self.lines.pop_if(|line| line.start > 0 || line.ignored) else {
            return self.defect(at, Defect::UNPAIRED_PARENTHESIS);
        };
        self.open_moves -= line.moves;
        let is_kept = match self.rules {
            Rules::Cql => line.moves > 0 && !line.ignored,
            // A variation without moves may have comments.
            Rules::Full => self.is_cut() || self.moves.len() > line.start + b"( ".len(),
        };
        if is_kept {
            self.push(b")");
        } else {
            self.moves.truncate(line.start);
            let kept = self.move_marks.partition_point(|(at, _)| *at < line.start);
            self.move_marks.truncate(kept);
        }
        if !line.ignored && line.moves == 0 && !is_kept {
            self.defect(at, Defect::EMPTY_VARIATION);
        }
    }

    /// Ends a game whose terminator is missing.
    fn end_early(&mut self, at: usize) -> Outcome {
        self.end_numbers();
        self.drop_omitted(at);
        self.omission = None;
        if self.lines.len() > 1 {
            self.defect(at, Defect::UNPAIRED_PARENTHESIS);
            while self.lines.len() > 1 {
                self.close_variation(at);
            }
        }
        self.inner_terminator.unwrap_or_else(|| {
            let result = self.result.unwrap_or(Outcome::Unknown);
            let is_known = result != Outcome::Unknown;
            self.defect(
                at,
                if is_known {
                    Defect::NO_TERMINATOR
                } else {
                    Defect::NO_RESULT
                },
            );
            result
        })
    }
}

impl<'a> Rewrite<'a> {
    /// Reads the movetext up to and including its terminator, or up to where it must have been.
    fn read_movetext(&mut self) -> Result<Outcome, NeedMore> {
        while let Some(byte) = self.text.byte(self.at)? {
            self.go_on()?;
            self.rewriter.look_for_omission(self.at);
            if !is_space(byte) && self.rewriter.omission.is_none() {
                self.mark_line();
            }
            let kept = self.rewriter.moves.len();
            match byte {
                b'[' if self.text.tag(self.at)?.is_some() => break,
                b'[' if self.read_open_bracket()? => {}
                b'[' => {
                    self.rewriter.defect(self.at, Defect::BRACKET_TEXT);
                    self.skip_bracket(self.rewriter.rules == Rules::Full)?;
                }
                b'<' | b'&' if self.skip_markup()? => {}
                b'{' => {
                    self.join();
                    self.read_comment()?;
                }
                b';' => self.read_line_comment()?,
                b'%' if self.text.at_line_start(self.at) => self.at = self.text.line_end(self.at)?,
                b'(' if self.read_clock()? => {}
                b'(' | b')' if self.rewriter.passes_over(byte == b'(', self.at) => self.at += 1,
                b'(' => {
                    self.rewriter.end_numbers();
                    self.join();
                    self.rewriter.open_variation(self.at);
                    self.at += 1;
                }
                b')' => {
                    self.rewriter.end_numbers();
                    if !self.rewriter.is_in_main_line() {
                        self.join();
                    }
                    self.rewriter.close_variation(self.at);
                    self.at += 1;
                }
                b'$' => {
                    self.join();
                    self.read_nag()?;
                }
                byte if is_control(&byte) => self.skip_control(),
                b'1' if self.begins_other_game()? => break,
                byte if is_space(byte) => self.at += 1,
                _ => {
                    if let Some(terminator) = self.read_word()? {
                        return Ok(terminator);
                    }
                }
            }
            if self.rewriter.moves.len() == kept && !is_space(byte) {
                self.dropped_to = self.at;
            }
        }
        Ok(self.rewriter.end_early(self.at))
    }

    /// Continues with the next word or sign if the game is still wanted.
    fn go_on(&mut self) -> Result<(), NeedMore> {
        self.steps += 1;
        if self.rewriter.watch.is_over_at(self.steps) {
            return Err(NeedMore);
        }
        Ok(())
    }

    /// Reads the comments after the result that belong to the game.
    fn read_comments_behind(&mut self) -> Result<(), NeedMore> {
        if self.rewriter.rules == Rules::Cql {
            return Ok(());
        }
        let mut introduction = Introduction::default();
        while let Some(comment) = introduction.comment_behind_result(self.text, self.at)? {
            self.at = comment;
            self.read_any_comment()?;
        }
        Ok(())
    }

    /// Returns the number of line ends above the current place.
    fn count_lines(&mut self) -> u64 {
        let passed = self.text.slice(self.counted..self.at);
        self.lines_above += memchr_iter(b'\n', passed).count() as u64;
        self.counted = self.at;
        self.lines_above
    }

    /// Records the line of the next word of the movetext.
    fn mark_line(&mut self) {
        let above = self.count_lines();
        let marks = &mut self.rewriter.move_marks;
        if marks.len() < MOST_MARKS && marks.last().is_none_or(|(_, last)| *last != above) {
            marks.push((self.rewriter.moves.len(), above));
        }
    }

    /// Reads a time in parentheses, which servers write after moves. Returns whether there is one.
    fn read_clock(&mut self) -> Result<bool, NeedMore> {
        if self.rewriter.rules == Rules::Cql || self.rewriter.is_cut() {
            return Ok(false);
        }
        let start = self.at + 1;
        let end = self.text.skip(start, |byte| matches!(byte, b'0'..=b':' | b'.'))?;
        let time = self.text.slice(start..end);
        let is_clock = is_clock(time) && self.text.byte(end)? == Some(b')');
        if is_clock {
            self.rewriter.push_comment(time);
            self.at = end + 1;
        }
        Ok(is_clock)
    }

    /// Returns whether the first move of a game without tags is here, so that the result of this game is missing. Games without tags may be on lines
    /// of their own. In a game with tags, where lines may break anywhere, an empty line must come first.
    fn begins_other_game(&self) -> Result<bool, NeedMore> {
        let has_moved = self.rewriter.lines.last().is_some_and(|line| line.moves > 0);
        Ok(has_moved
            && self.rewriter.is_in_main_line()
            && self.rewriter.rules == Rules::Full
            && self.text.at_line_start(self.at)
            && (self.rewriter.tags.is_empty() || self.text.behind_empty_line(self.at))
            && self.text.first_move(self.at)?)
    }

    fn read_nag(&mut self) -> Result<(), NeedMore> {
        let start = self.at + 1;
        self.at = self.text.skip(start, |byte| byte.is_ascii_digit())?;
        let digits = self.text.slice(start..self.at);
        match self.rewriter.rules {
            Rules::Cql => {
                let add = |number: u8, digit: &u8| number.wrapping_mul(10).wrapping_add(digit - b'0');
                self.rewriter.push_nag(digits.iter().fold(0, add));
            }
            Rules::Full => match str::from_utf8(digits)
                .ok()
                .and_then(|digits| digits.parse::<u32>().ok())
            {
                Some(number) if number <= u32::from(u8::MAX) => self.rewriter.push(format!("${number}").as_bytes()),
                Some(number) => {
                    self.rewriter.moves.extend_from_slice(&[b'{', ODD_NAG]);
                    self.rewriter.push(format!("{number}}}").as_bytes());
                }
                None => self.rewriter.defect(start - 1, Defect::BAD_NAG),
            },
        }
        Ok(())
    }

    /// Reads a comment of either kind.
    fn read_any_comment(&mut self) -> Result<(), NeedMore> {
        match self.text.byte(self.at)? {
            Some(b'{') => self.read_comment(),
            _ => self.read_line_comment(),
        }
    }

    /// Reads a comment that ends with its line. By the rules of CQL it is dropped.
    fn read_line_comment(&mut self) -> Result<(), NeedMore> {
        let end = self.text.line_end(self.at)?;
        if self.rewriter.rules == Rules::Full {
            self.take_comment(self.at + 1..end);
        }
        self.at = end;
        Ok(())
    }

    fn read_comment(&mut self) -> Result<(), NeedMore> {
        let comment = self.text.comment(self.at, self.rewriter.flat_comments)?;
        if !comment.closed {
            self.rewriter.defect(self.at, Defect::UNCLOSED_COMMENT);
            self.rewriter.flat_comments = true;
        }
        let rest = (self.rewriter.rules == Rules::Full).then_some(self.at + 1..comment.end);
        if let Some(inner) = comment.inner.or(rest) {
            self.take_comment(inner);
        }
        self.at = comment.end;
        Ok(())
    }

    /// Takes the inside of a comment.
    fn take_comment(&mut self, inner: Range<usize>) {
        let content = self.text.slice(inner);
        if content.contains(&0) {
            self.rewriter.defect(self.at, Defect::CONTROL);
        }
        if self.rewriter.rules == Rules::Full && memchr2(b'{', b'}', content).is_some() {
            self.rewriter.defect(self.at, Defect::BRACES);
        }
        self.rewriter.push_comment(content);
    }

    /// Keeps words of unchanged text together if no space separates them. Where something between two words is left out, a space remains, so that
    /// they do not become one word.
    fn join(&mut self) {
        let follows = self.dropped_to != self.at && self.text.before(self.at).is_some_and(|byte| !is_space(byte));
        if follows && self.rewriter.is_cut() && self.rewriter.moves.ends_with(b" ") {
            self.rewriter.moves.pop();
        }
    }

    /// Skips what a web page has left in the moves. Returns whether there was anything.
    fn skip_markup(&mut self) -> Result<bool, NeedMore> {
        if self.rewriter.rules == Rules::Cql || self.rewriter.is_cut() {
            return Ok(false);
        }
        let Some(end) = self.text.markup(self.at)? else {
            return Ok(false);
        };
        self.rewriter.defect(self.at, Defect::MARKUP);
        self.at = end;
        Ok(true)
    }

    /// Reads a word that begins with a bracket, if no bracket closes it or the text is kept unchanged. Returns whether it did.
    fn read_open_bracket(&mut self) -> Result<bool, NeedMore> {
        if self.rewriter.rules == Rules::Full
            && (self.rewriter.is_cut() || self.text.byte(self.bracket_end(true)?)? != Some(b']'))
        {
            self.read_any_word()?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Skips brackets that are not a tag, such as a clock time that has lost its braces.
    fn skip_bracket(&mut self, over_lines: bool) -> Result<(), NeedMore> {
        let end = self.bracket_end(over_lines)?;
        self.at = end + usize::from(self.text.byte(end)? == Some(b']'));
        Ok(())
    }

    /// Returns the place of the bracket that closes the one here, on its line or, `over_lines`, before any other sign of PGN. Without one, returns
    /// where the search stopped.
    fn bracket_end(&self, over_lines: bool) -> Result<usize, NeedMore> {
        let is_inside = |byte| match byte {
            b']' | b'{' | b'(' => false,
            b'\n' => over_lines,
            b'[' => !over_lines,
            _ => true,
        };
        self.text.skip(self.at + 1, is_inside)
    }

    fn skip_control(&mut self) {
        self.rewriter.defect(self.at, Defect::CONTROL);
        self.at += 1;
    }
}
