//! Builds a game from the tokens of the PGN reader.
//!
//! Each part uses only those before it: `self`, `setup`, `play`.

mod play;
mod setup;

use std::ops::{ControlFlow, Range};

use pgn_reader::{Nag, RawComment, SanPlus, Skip, Visitor};
use shakmaty::san::San;

use super::repeated_tags::TagNameFilter;
use super::scope::{Reading, Scope};
use super::variant_tags;
use crate::game::{Date, Game, LeadIn, MOST_NAGS, PreorderNumbering, Rules, WarningKind, has_high_rating};
use crate::moves::{MoveError, MoveText, read_move, resolve};
use crate::pgn::canonical::{Batch, GameText, ODD_MOVE, ODD_NAG, tags};
use crate::pgn::lexer::leading_number;

use super::source_text::{MovetextCursor, written};
use super::stripped_tokens::{StrippedToken, StrippedTokens};

/// A variation that is being read, and where its parent line continues.
pub(crate) struct Frame {
    /// The index of the position after the move that the variation replaces.
    resume: u32,
    /// The number of positions before it.
    positions: usize,
    /// The preceding variation, as in `Builder::behind`.
    behind: Option<u32>,
}

/// Memory that is used while one game is read.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) frames: Vec<Frame>,
    /// A comment that the buffer of the PGN reader could not hold in one piece.
    pub(super) partial: Vec<u8>,
    /// What precedes the first move of the variation that is being read.
    pub(super) lead_in: Vec<LeadIn<Range<usize>>>,
    /// The names of the tags.
    pub(super) names: TagNameFilter,
    pub(super) numbering: PreorderNumbering,
    /// The moves that must not be played, as others before them are missing, by their numbers among all moves of the text, from 1.
    pub(super) doubts: Vec<usize>,
}

/// Builds a game from the tokens of the PGN reader.
pub(crate) struct Builder<'a> {
    batch: &'a Batch,
    text: &'a GameText,
    scope: Scope,
    game: &'a mut Game,
    keeps_tag: &'a dyn Fn(&[u8]) -> bool,
    scratch: &'a mut Scratch,
    is_wanted: &'a mut dyn FnMut(&Game) -> bool,
    /// The outcome so far.
    outcome: Reading,
    /// The current position, by its index in the order of the text.
    current: u32,
    /// Whether the current line has a move.
    started: bool,
    /// The first position of the last variation that ended since the last move of the line. If nothing of it could be read, the position that
    /// it follows.
    behind: Option<u32>,
    /// Whether the piece letters are not English.
    is_foreign: bool,
    /// Whether a move may need more than the rules of chess: a variation has begun, moves are in doubt, or the variant has rules of its own. Most
    /// games have none of these, so each move checks only this.
    careful: bool,
    /// The number of open parentheses in a skipped variation, or 0 outside of one.
    ignored: usize,
    /// Whether a part of the skipped variation was read, so that there is a frame for it.
    broken: bool,
    /// Whether any variation has been kept.
    branched: bool,
    /// The number of moves so far, read or skipped.
    moves_met: usize,
    /// Whether the tag `Date` gives no certain year.
    has_unclear_date: bool,
    /// Whether a rating is impossibly high.
    has_high_rating: bool,
    /// The number of comments, symbols and variations so far.
    steps: usize,
    /// The number of variations that have begun.
    variations_met: usize,
    /// The walk through the text, once it is needed.
    walk: Option<MovetextCursor>,
    /// The number of moves so far that must not be played.
    doubts_met: usize,
}

/// Returns whether a move has a piece letter that is neither English nor a figurine.
fn is_foreign(written: &[u8], meaning: &[u8]) -> bool {
    let number = written
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b' '))
        .count();
    let Some(piece) = meaning.first() else {
        return false;
    };
    // Moves of digits are a language too.
    let Some(letter) = written.get(number) else {
        return true;
    };
    let is_figurine = matches!(letter, 0x80..=0xbf | 0xe2);
    matches!(piece, b'K' | b'Q' | b'R' | b'B' | b'N' | b'?') && letter.to_ascii_uppercase() != *piece && !is_figurine
}

impl<'a> Builder<'a> {
    pub(crate) fn new(
        batch: &'a Batch,
        text: &'a GameText,
        scope: Scope,
        game: &'a mut Game,
        keeps_tag: &'a dyn Fn(&[u8]) -> bool,
        scratch: &'a mut Scratch,
        is_wanted: &'a mut dyn FnMut(&Game) -> bool,
    ) -> Builder<'a> {
        scratch.frames.clear();
        scratch.partial.clear();
        scratch.lead_in.clear();
        scratch.names.clear();
        Builder {
            batch,
            text,
            scope,
            game,
            keeps_tag,
            is_wanted,
            outcome: Reading::Skipped,
            current: 0,
            started: false,
            behind: None,
            is_foreign: false,
            careful: !scratch.doubts.is_empty(),
            ignored: 0,
            broken: false,
            branched: false,
            moves_met: 0,
            has_unclear_date: false,
            has_high_rating: false,
            steps: 0,
            variations_met: 0,
            walk: None,
            doubts_met: 0,
            scratch,
        }
    }

    /// Continues with the next token if the game is still wanted.
    #[inline]
    fn go_on(&mut self) -> ControlFlow<()> {
        self.steps += 1;
        self.go_on_from(self.steps)
    }

    /// Does the same at the token with this number within its kind.
    #[inline]
    fn go_on_from(&mut self, number: usize) -> ControlFlow<()> {
        if self.game.watch.is_over_at(number) {
            self.outcome = Reading::GivenUp;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Adds a warning about a line.
    pub(crate) fn warn(&mut self, kind: WarningKind, line: u64, message: String) {
        self.game
            .warnings
            .push(self.batch.warning(self.text, kind, line, message));
    }

    /// Returns the walk through the text of the game, which it starts if needed.
    fn walk(&mut self) -> &mut MovetextCursor {
        self.walk
            .get_or_insert_with(|| MovetextCursor::of(self.batch, self.text))
    }

    /// Keeps the rest of the line of moves from a place on. If no move of a variation could be read, the whole variation is kept.
    fn keep_rest(&mut self, start: usize) {
        if !self.scope.notes {
            return;
        }
        let text = &self.batch.text;
        let is_variation = !self.started && !self.scratch.frames.is_empty();
        let walk = self.walk();
        let end = walk.line_end(text);
        let start = if is_variation { walk.variation_start() } else { start };
        let mut unread = self.unread(start..end);
        // The moves before are written in English, and some of the rest might be a move in English.
        if self.is_foreign {
            if !is_variation {
                return self.note_comment(&unread);
            }
            unread = [b"{", &*unread, b"}"].concat();
        }
        let stored = self.game.notes.store(&unread);
        if !is_variation {
            self.game.notes.set_rest(self.current, stored);
        } else if let Some(frame) = self.scratch.frames.last() {
            let replaced = frame.resume;
            self.game
                .notes
                .add_unread_variation(self.last_sibling(replaced), stored);
        }
    }

    /// Returns text that could not be read. In games in another language its brackets are replaced, so that it can be a comment.
    fn unread(&self, place: Range<usize>) -> Vec<u8> {
        let unread = written(self.batch.text.get(place).unwrap_or_default());
        if !self.is_foreign {
            return unread;
        }
        let harmless = |byte: &u8| match byte {
            b'{' | b'[' => b'(',
            b'}' | b']' => b')',
            byte => *byte,
        };
        unread.iter().map(harmless).collect()
    }

    /// Returns the last position so far that has the same parent as `position`, which may be this position itself.
    fn last_sibling(&self, position: u32) -> u32 {
        let positions = self.game.positions.get(position as usize..).unwrap_or_default();
        let parent = positions.first().map(|first| first.parent);
        let last = positions.iter().rposition(|other| Some(other.parent) == parent);
        position + u32::try_from(last.unwrap_or(0)).unwrap_or(0)
    }

    /// Keeps a variation without moves, which only has what could precede a move.
    #[cold]
    fn keep_lead_in_alone(&mut self, frame: &Frame) {
        if self.batch.rules == Rules::Cql {
            return;
        }
        let mut text = Vec::new();
        for before in self.scratch.lead_in.drain(..) {
            match self.game.notes.shown(&before) {
                LeadIn::Comment(comment) => text.extend([b"{", comment, b"} "].concat()),
                LeadIn::Nag(number) => text.extend(format!("${number} ").bytes()),
                LeadIn::Variation(variation) => text.extend([b"( ", variation, b" ) "].concat()),
            }
        }
        let stored = self.game.notes.store(&text);
        let place = self.last_sibling(frame.resume);
        self.game.notes.add_unread_variation(place, stored);
    }

    /// Keeps a variation that begins where there is no move to replace.
    #[cold]
    fn keep_early_variation(&mut self) {
        if !self.scope.notes || self.batch.rules == Rules::Cql {
            return;
        }
        let (text, number) = (&self.batch.text, self.variations_met);
        let walk = self.walk();
        walk.go_to_variation(text, number);
        let place = walk.variation_start()..walk.line_end(text);
        let unread = self.unread(place);
        let stored = self.game.notes.store(&unread);
        if self.scratch.frames.is_empty() {
            self.game.notes.add_unread_variation(self.current, stored);
        } else {
            self.scratch.lead_in.push(LeadIn::Variation(stored));
        }
    }

    /// Goes back to the line that a variation branched off from.
    fn leave(&mut self, frame: &Frame) {
        self.current = frame.resume;
        self.started = true;
        let is_read = self.game.positions.len() > frame.positions;
        let variation = if is_read {
            u32::try_from(frame.positions).ok()
        } else {
            frame.behind.or(Some(frame.resume))
        };
        self.behind = variation.filter(|_| self.batch.rules == Rules::Full);
        self.scratch.lead_in.clear();
        if self.scope.variations {
            self.branched |= is_read;
        } else {
            self.game.positions.truncate(frame.positions);
            self.game.by_variant.truncate(frame.positions);
            self.game.notes.truncate(frame.positions);
            self.game.commands.truncate(frame.positions);
        }
    }

    /// Records a comment.
    fn note_comment(&mut self, comment: &[u8]) {
        if self.scope.commands
            && self.ignored == 0
            && (self.started || self.scratch.frames.is_empty())
            && let Some(here) = self.game.positions.get(self.current as usize)
        {
            self.game.commands.read(here, comment);
        }
        if !self.scope.notes || self.ignored > 0 {
            return;
        }
        if let Some(variation) = self.behind {
            self.game.notes.add_comment_behind(self.current, variation, comment);
        } else if self.started || self.scratch.frames.is_empty() {
            self.game.notes.add_comment(self.current, comment);
        } else {
            if self.batch.rules == Rules::Cql {
                self.scratch.lead_in.clear();
            }
            let stored = self.game.notes.store(comment);
            self.scratch.lead_in.push(LeadIn::Comment(stored));
        }
    }

    /// Records an annotation symbol of the last move, or one before a line of moves.
    fn note_nag(&mut self, number: u32) {
        if self.scope.commands && self.ignored == 0 {
            let is_kept = match self.batch.rules {
                Rules::Full => self.started || self.scratch.frames.is_empty(),
                Rules::Cql => {
                    self.started && number > 0 && self.game.commands.symbols(self.current).count() < MOST_NAGS
                }
            };
            if is_kept {
                self.game.commands.add_symbol(self.current, number);
            }
        }
        if !self.scope.notes || self.ignored > 0 {
            return;
        }
        match self.batch.rules {
            Rules::Cql if !self.started || number == 0 => {}
            _ if self.started || self.scratch.frames.is_empty() => self.game.notes.add_nag(self.current, number),
            _ => self.scratch.lead_in.push(LeadIn::Nag(number)),
        }
    }

    /// Returns a move in an unusual spelling as it is written, and its meaning: the first of the given ones that can be played.
    fn meaning<'w>(&mut self, word: &'w [u8]) -> (&'w [u8], Result<MoveText, MoveError>) {
        let mut parts = word.split(|byte| *byte == ODD_MOVE);
        let written = parts.next().unwrap_or_default();
        self.is_foreign |= parts.clone().next().is_some_and(|meaning| is_foreign(written, meaning));
        let mut texts = parts.map(read_move).peekable();
        if texts.peek().is_none() {
            return (written, read_move(written).ok_or(MoveError::Unreadable));
        }
        let here = self.game.positions.get(self.current as usize);
        let start = self.game.start.as_ref();
        let mut first = None;
        for text in texts.flatten() {
            if here.is_some_and(|here| resolve(here, start, text).is_ok()) {
                return (written, Ok(text));
            }
            first.get_or_insert(text);
        }
        (written, first.ok_or(MoveError::Unreadable))
    }

    /// Takes the tags of a game.
    pub(crate) fn take_tags(&mut self, game: &[u8]) {
        for (name, value) in tags(game) {
            self.take_tag(name, value);
        }
    }

    /// Takes the words of the stripped movetext of a game, after its tags.
    #[inline(always)]
    pub(crate) fn take_words(&mut self, words: StrippedTokens<'_>) -> ControlFlow<()> {
        for word in words {
            match word {
                StrippedToken::Move(san) => self.take_san(san)?,
                StrippedToken::Open => {
                    let Skip(_) = self.begin_variation(&mut ())?;
                }
                StrippedToken::Close => self.end_variation(&mut ())?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes a move in SAN.
    #[inline(always)]
    fn take_san(&mut self, san: San) -> ControlFlow<()> {
        self.go_on_from(self.moves_met)?;
        self.play(Ok(MoveText::San(san)), move || san.to_string())
    }

    /// Takes a tag if it is needed.
    #[inline]
    fn take_tag(&mut self, name: &[u8], value: &[u8]) {
        self.scratch.names.note(name);
        let is_needed = match name {
            b"FEN" | b"Result" | b"Variant" => true,
            b"Event" => variant_tags::may_name_variant(value),
            // It decides what clocks show.
            b"TimeControl" => self.scope.commands,
            b"Date" => {
                self.has_unclear_date = Date::is_unclear(value);
                false
            }
            _ => {
                self.has_high_rating |= has_high_rating(name, value);
                false
            }
        };
        if is_needed || (self.keeps_tag)(name) {
            self.game.tags.push(name, value);
        }
    }

    /// Takes a comment, or the move in an unusual spelling that it carries.
    fn take_comment(&mut self, comment: &[u8]) -> ControlFlow<()> {
        match comment.split_first() {
            Some((&ODD_MOVE, word)) => {
                let (written, text) = self.meaning(word);
                self.play(text, || String::from_utf8_lossy(written).into_owned())
            }
            Some((&ODD_NAG, digits)) => {
                self.note_nag(leading_number(digits).0);
                ControlFlow::Continue(())
            }
            _ => {
                self.note_comment(comment);
                ControlFlow::Continue(())
            }
        }
    }

    /// Decides what clocks with two fields show.
    #[cold]
    fn settle_clocks(&mut self) {
        if self.game.settle_clocks().is_some() {
            let message = "a clock of two fields shows hours and minutes or minutes and seconds, and nothing in the game tells which: such \
                           clocks count as missing";
            self.warn(WarningKind::UnclearClock, self.text.line, message.to_owned());
        }
    }

    /// Closes open variations and gives the positions their ids.
    pub(crate) fn finish(mut self) -> Reading {
        if self.outcome != Reading::Read {
            return self.outcome;
        }
        while let Some(frame) = self.scratch.frames.pop() {
            self.leave(&frame);
        }
        if self.game.commands.has_unclear_clocks() {
            self.settle_clocks();
        }
        if self.branched {
            if self.scratch.numbering.apply(self.game).is_none() {
                return Reading::GivenUp;
            }
        } else {
            let last = self.game.positions.last().map_or(0, |position| position.id);
            for position in &mut self.game.positions {
                position.last = last;
            }
        }
        Reading::Read
    }
}

impl Visitor for Builder<'_> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san_plus: SanPlus) -> ControlFlow<()> {
        self.take_san(san_plus.san)
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
        self.go_on()?;
        self.note_nag(u32::from(nag.0));
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.scratch.partial.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.go_on()?;
        if self.scratch.partial.is_empty() {
            return self.take_comment(comment.as_bytes());
        }
        let mut whole = std::mem::take(&mut self.scratch.partial);
        whole.extend_from_slice(comment.as_bytes());
        let flow = self.take_comment(&whole);
        whole.clear();
        self.scratch.partial = whole;
        flow
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        if self.go_on().is_break() {
            return ControlFlow::Break(());
        }
        self.variations_met += 1;
        self.game.has_variations = true;
        self.careful = true;
        if self.ignored > 0 {
            self.ignored += 1;
        } else if !self.started {
            self.keep_early_variation();
            self.ignored = 1;
        } else if let Some(here) = self.game.positions.get(self.current as usize) {
            let positions = self.game.positions.len();
            self.scratch.frames.push(Frame {
                resume: self.current,
                positions,
                behind: self.behind.take(),
            });
            self.current = here.parent;
            self.started = false;
        }
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        if self.ignored > 0 {
            self.ignored -= 1;
            // A variation that could not be read to its end has a frame. One that could not begin has none.
            if self.ignored > 0 || !std::mem::take(&mut self.broken) {
                return ControlFlow::Continue(());
            }
        }
        if let Some(frame) = self.scratch.frames.pop() {
            if !self.started && !self.scratch.lead_in.is_empty() {
                self.keep_lead_in_alone(&frame);
            }
            self.leave(&frame);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}
