//! Rewriting a game as canonical PGN.
//!
//! [`Tidier`] knows everything that people and programs write in PGN files (chapter 02, section 3 of the language reference)
//! and says the same in the form that [`Batch`](super::Batch) describes. It also finds out where a game ends, which in PGN
//! cannot be known without reading it.

use super::{
    batch::{BACKSLASH, INNER_QUOTE, ODD_MOVE, ODD_NAG},
    rules::Rules,
    scan::{NeedMore, Terminator, Text, is_space},
    warning::WarningKind,
    word::{Word, glyph, read_word},
};

/// Something in a game that is against the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    NoTags,
    NoTerminator,
    UnclosedTag,
    UnclosedComment,
    Nul,
    EmptyVariation,
    EarlyVariation,
    UnpairedParenthesis,
    TooLong,
}

impl Fault {
    /// What is wrong and what is done about it.
    pub(super) fn message(self) -> &'static str {
        match self {
            Fault::NoTags => "the game has no tags",
            Fault::NoTerminator => "the game does not end with 1-0, 0-1, 1/2-1/2 or *; its Result tag counts",
            Fault::UnclosedTag => "a tag without closing quote and bracket is ignored",
            Fault::UnclosedComment => "a comment has no closing brace; it is cut short",
            Fault::Nul => "NUL bytes are ignored",
            Fault::EmptyVariation => "a variation without moves is ignored",
            Fault::EarlyVariation => "a variation before the first move is not searched",
            Fault::UnpairedParenthesis => "the parentheses of the variations do not pair up",
            Fault::TooLong => "the game does not end in 64 MiB of text; the rest is ignored",
        }
    }

    /// The kind of warning that it is.
    pub(super) fn kind(self) -> WarningKind {
        match self {
            Fault::NoTags => WarningKind::NoTags,
            Fault::NoTerminator => WarningKind::NoResult,
            Fault::UnclosedTag => WarningKind::BadTag,
            Fault::UnclosedComment => WarningKind::BadComment,
            Fault::Nul => WarningKind::BadBytes,
            Fault::EarlyVariation => WarningKind::WrongVariation,
            Fault::EmptyVariation | Fault::UnpairedParenthesis => WarningKind::Parentheses,
            Fault::TooLong => WarningKind::CutShort,
        }
    }
}

/// Rewrites games; keeps its buffers from one to the next.
#[derive(Debug, Default)]
pub(super) struct Tidier {
    rules: Rules,
    /// Canonical tag lines.
    tags: Vec<u8>,
    /// Canonical movetext so far.
    moves: Vec<u8>,
    /// The main line and the variations that are open.
    lines: Vec<Line>,
    /// What was wrong, with its place: one of a kind.
    faults: Vec<(usize, Fault)>,
    longest_tag_line: usize,
    /// Where the last move number ends in the movetext, 0 if there is none.
    number_end: usize,
    result: Option<Terminator>,
    /// A terminator inside a variation. It counts if the variation is never closed.
    inner_terminator: Option<Terminator>,
    /// A brace was missing: braces of this game are no longer taken to nest.
    flat_comments: bool,
}

/// A line of moves: the main line or a variation.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Where it begins in the movetext.
    start: usize,
    moved: bool,
    /// It stands where no variation can be.
    ignored: bool,
}

/// One game being read.
struct Game<'a> {
    tidier: &'a mut Tidier,
    text: Text<'a>,
    at: usize,
}

impl Tidier {
    /// A tidier that rewrites games by these rules.
    pub(super) fn new(rules: Rules) -> Tidier {
        Tidier {
            rules,
            ..Tidier::default()
        }
    }

    /// Appends the canonical form of the game that the text begins with. Returns the length of the game in the text.
    ///
    /// The text begins with a tag pair, or with a word of the movetext of a game without tags.
    pub(super) fn tidy(&mut self, text: Text<'_>, out: &mut Vec<u8>) -> Result<usize, NeedMore> {
        self.tags.clear();
        self.moves.clear();
        self.faults.clear();
        self.lines.clear();
        self.lines.push(Line {
            start: 0,
            moved: false,
            ignored: false,
        });
        self.longest_tag_line = 0;
        self.number_end = 0;
        self.result = None;
        self.inner_terminator = None;
        self.flat_comments = false;
        let mut game = Game {
            tidier: self,
            text,
            at: 0,
        };
        game.read_head()?;
        let terminator = game.read_movetext()?;
        let len = game.at;
        out.extend_from_slice(&self.tags);
        if !self.tags.is_empty() {
            out.push(b'\n');
        }
        out.extend_from_slice(&self.moves);
        out.extend_from_slice(terminator.text());
        Ok(len)
    }

    /// The rules by which it rewrites games.
    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    /// What was wrong with the last game, with its place in the text.
    pub(super) fn faults(&self) -> &[(usize, Fault)] {
        &self.faults
    }

    /// Length of the longest tag line of the last game.
    pub(super) fn longest_tag_line(&self) -> usize {
        self.longest_tag_line
    }

    fn fault(&mut self, at: usize, fault: Fault) {
        if !self.faults.iter().any(|&(_, known)| known == fault) {
            self.faults.push((at, fault));
        }
    }

    fn push(&mut self, word: &[u8]) {
        self.moves.extend_from_slice(word);
        self.moves.push(b' ');
    }

    /// Keeps the digits of a move number, or a dot behind them; nothing depends on them, but they stay where moves cannot be
    /// read.
    fn push_number(&mut self, word: &[u8]) {
        let is_dot = word == b".";
        let follows_number = self.number_end > 0 && self.moves.len() == self.number_end;
        if self.rules == Rules::Cql || is_dot && !follows_number {
            return;
        }
        if is_dot {
            self.moves.pop();
        }
        self.push(word);
        self.number_end = self.moves.len();
    }

    fn push_move(&mut self) {
        if let Some(line) = self.lines.last_mut() {
            line.moved = true;
        }
    }

    fn push_nag(&mut self, number: u8) {
        if number > 0 {
            self.push(format!("${number}").as_bytes());
        }
    }

    /// A comment with its white space made single blanks, so that no line of it can be taken for anything else.
    fn push_comment(&mut self, content: &[u8]) {
        self.moves.push(b'{');
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
            self.moves.push(if matches!(byte, b'{' | b'}') { b'_' } else { byte });
        }
        self.moves.extend_from_slice(b"} ");
    }

    fn push_tag(&mut self, name: &[u8], value: &[u8]) {
        let start = self.tags.len();
        self.tags.push(b'[');
        self.tags.extend_from_slice(name);
        self.tags.extend_from_slice(b" \"");
        self.tags.extend(value.iter().filter_map(|&byte| match byte {
            b'"' => Some(INNER_QUOTE),
            b'\\' => Some(BACKSLASH),
            0..=3 => None,
            _ => Some(byte),
        }));
        self.tags.extend_from_slice(b"\"]");
        self.longest_tag_line = self.longest_tag_line.max(self.tags.len() - start);
        self.tags.push(b'\n');
    }

    fn open_variation(&mut self, at: usize) {
        let moved = self.lines.last().is_some_and(|line| line.moved);
        if !moved {
            self.fault(at, Fault::EarlyVariation);
        }
        self.lines.push(Line {
            start: self.moves.len(),
            moved: false,
            ignored: !moved,
        });
        self.push(b"(");
    }

    fn close_variation(&mut self, at: usize) {
        let Some(line) = self.lines.pop_if(|line| line.start > 0 || line.ignored) else {
            return self.fault(at, Fault::UnpairedParenthesis);
        };
        let is_kept = match self.rules {
            Rules::Cql => line.moved && !line.ignored,
            // What has no moves may have comments.
            Rules::Full => self.moves.len() > line.start + b"( ".len(),
        };
        if is_kept {
            self.push(b")");
        } else {
            self.moves.truncate(line.start);
        }
        if !line.ignored && !line.moved && !is_kept {
            self.fault(at, Fault::EmptyVariation);
        }
    }

    /// Ends a game whose terminator is missing.
    fn end_early(&mut self, at: usize) -> Terminator {
        if self.lines.len() > 1 {
            self.fault(at, Fault::UnpairedParenthesis);
            while self.lines.len() > 1 {
                self.close_variation(at);
            }
        }
        self.inner_terminator.unwrap_or_else(|| {
            self.fault(at, Fault::NoTerminator);
            self.result.unwrap_or(Terminator::Unknown)
        })
    }
}

impl<'a> Game<'a> {
    /// Reads tags, and comments between and after them, up to the first word of the movetext or the next game.
    fn read_head(&mut self) -> Result<(), NeedMore> {
        let mut first_name: &[u8] = b"";
        let mut line_breaks = 0;
        let mut gap = false;
        while let Some(byte) = self.text.byte(self.at)? {
            match byte {
                b'[' => {
                    if let Some((name, quote)) = self.text.tag(self.at)? {
                        // An empty line alone does not end a tag section, but one and a tag that begins games does.
                        if gap && (name == b"Event" || name == first_name) {
                            break;
                        }
                        self.read_tag(name, quote)?;
                        if first_name.is_empty() {
                            first_name = name;
                        }
                    }
                    self.at = self.text.line_end(self.at)?;
                    line_breaks = 0;
                    gap = false;
                }
                b'{' => {
                    self.read_comment()?;
                    gap = !first_name.is_empty();
                }
                b'\n' => {
                    self.at += 1;
                    line_breaks += 1;
                    gap |= line_breaks > 1 && !first_name.is_empty();
                }
                b';' => {
                    self.read_line_comment()?;
                    gap = !first_name.is_empty();
                }
                b'%' if self.text.at_line_start(self.at) => self.at = self.text.line_end(self.at)?,
                0 => self.skip_nul(),
                byte if is_space(byte) => self.at += 1,
                _ => break,
            }
        }
        if first_name.is_empty() {
            self.tidier.fault(0, Fault::NoTags);
        }
        Ok(())
    }

    /// Reads the tag pair of this line. Its value ends with the last quote.
    fn read_tag(&mut self, name: &[u8], quote: usize) -> Result<(), NeedMore> {
        let end = self.text.line_end(quote)?;
        let line = self.text.slice(quote + 1..end);
        if line.contains(&0) {
            self.tidier.fault(self.at, Fault::Nul);
        }
        let closing = memchr::memrchr(b'"', line).map(|length| line.split_at(length));
        match closing {
            Some((value, behind)) if behind.contains(&b']') => {
                if name == b"Result" {
                    self.tidier.result = Some(Terminator::of_tag(value));
                }
                self.tidier.push_tag(name, value);
            }
            _ => self.tidier.fault(self.at, Fault::UnclosedTag),
        }
        Ok(())
    }

    /// Reads the movetext up to and with its terminator, or up to where it must have been.
    fn read_movetext(&mut self) -> Result<Terminator, NeedMore> {
        while let Some(byte) = self.text.byte(self.at)? {
            match byte {
                b'[' if self.text.tag(self.at)?.is_some() => break,
                b'[' => self.skip_bracket()?,
                b'{' => self.read_comment()?,
                b';' => self.read_line_comment()?,
                b'%' if self.text.at_line_start(self.at) => self.at = self.text.line_end(self.at)?,
                b'(' => {
                    self.tidier.open_variation(self.at);
                    self.at += 1;
                }
                b')' => {
                    self.tidier.close_variation(self.at);
                    self.at += 1;
                }
                b'$' => self.read_nag()?,
                0 => self.skip_nul(),
                b'*' | b'0' | b'1' => match self.text.terminator(self.at)? {
                    Some(terminator) => {
                        self.at += terminator.text().len();
                        if self.tidier.lines.len() == 1 {
                            return Ok(terminator);
                        }
                        self.tidier.inner_terminator = Some(terminator);
                    }
                    None => self.read_word()?,
                },
                byte if is_space(byte) => self.at += 1,
                _ => self.read_word()?,
            }
        }
        Ok(self.tidier.end_early(self.at))
    }

    fn read_word(&mut self) -> Result<(), NeedMore> {
        let start = self.at;
        let (word, end) = read_word(self.text, start)?;
        self.at = end;
        match word {
            Word::Move { san, nag } => {
                self.tidier.push(san);
                self.tidier.push_move();
                self.tidier.push_nag(nag);
            }
            Word::OddMove { text, nag } => {
                self.tidier.moves.extend_from_slice(&[b'{', ODD_MOVE]);
                self.tidier.moves.extend_from_slice(text);
                self.tidier.push(b"}");
                self.tidier.push_move();
                self.tidier.push_nag(nag);
            }
            Word::Check { san, mark } => {
                self.tidier.moves.extend_from_slice(san);
                self.tidier.push(&[mark]);
                self.tidier.push_move();
            }
            Word::Glyphs(glyphs) => {
                for part in glyphs.chunks(2) {
                    // Three signs in a row are two and one.
                    self.tidier.push_nag(glyph(part).unwrap_or(0));
                }
            }
            Word::Nag(number) => self.tidier.push_nag(number),
            Word::Unknown => {
                let word = self.text.slice(start..end);
                if word == b"." || word.iter().all(u8::is_ascii_digit) {
                    self.tidier.push_number(word);
                }
            }
        }
        Ok(())
    }

    fn read_nag(&mut self) -> Result<(), NeedMore> {
        let start = self.at + 1;
        self.at = self.text.skip(start, |byte| byte.is_ascii_digit())?;
        let digits = self.text.slice(start..self.at);
        match self.tidier.rules {
            Rules::Cql => {
                let add = |number: u8, digit: &u8| number.wrapping_mul(10).wrapping_add(digit - b'0');
                self.tidier.push_nag(digits.iter().fold(0, add));
            }
            Rules::Full => match str::from_utf8(digits)
                .ok()
                .and_then(|digits| digits.parse::<u32>().ok())
            {
                Some(number) if number <= u32::from(u8::MAX) => self.tidier.push(format!("${number}").as_bytes()),
                Some(number) => {
                    self.tidier.moves.extend_from_slice(&[b'{', ODD_NAG]);
                    self.tidier.push(format!("{number}}}").as_bytes());
                }
                None => {}
            },
        }
        Ok(())
    }

    /// Reads a comment that ends with its line; by the rules of CQL it says nothing.
    fn read_line_comment(&mut self) -> Result<(), NeedMore> {
        let end = self.text.line_end(self.at)?;
        if self.tidier.rules == Rules::Full {
            let content = self.text.slice(self.at + 1..end);
            if content.contains(&0) {
                self.tidier.fault(self.at, Fault::Nul);
            }
            self.tidier.push_comment(content);
        }
        self.at = end;
        Ok(())
    }

    fn read_comment(&mut self) -> Result<(), NeedMore> {
        let comment = self.text.comment(self.at, self.tidier.flat_comments)?;
        if !comment.closed {
            self.tidier.fault(self.at, Fault::UnclosedComment);
            self.tidier.flat_comments = true;
        }
        if let Some(inner) = comment.inner {
            let content = self.text.slice(inner);
            if content.contains(&0) {
                self.tidier.fault(self.at, Fault::Nul);
            }
            self.tidier.push_comment(content);
        }
        self.at = comment.end;
        Ok(())
    }

    /// Skips brackets in the movetext that are no tag, such as a clock time that has lost its braces.
    fn skip_bracket(&mut self) -> Result<(), NeedMore> {
        let end = self
            .text
            .skip(self.at, |byte| !matches!(byte, b']' | b'\n' | b'{' | b'('))?;
        self.at = if self.text.byte(end)? == Some(b']') {
            end + 1
        } else {
            end
        };
        Ok(())
    }

    fn skip_nul(&mut self) {
        self.tidier.fault(self.at, Fault::Nul);
        self.at += 1;
    }
}
