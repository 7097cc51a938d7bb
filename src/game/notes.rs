//! The notes of a game's annotator, comments and annotation symbols, and the parts of a game that could not be read.

use std::borrow::Cow;
use std::ops::Range;

use super::encoding::decoded;
use super::rules::Rules;

/// The most annotation symbols of a move that are kept under the rules of CQL.
pub(crate) const MOST_NAGS: usize = 7;

/// The comments and annotation symbols of a game, by position.
///
/// Most positions have none, so a position only has an index into the list of notes.
#[derive(Clone, Default, Debug)]
pub struct Notes {
    rules: Rules,
    text: Vec<u8>,
    notes: Vec<Note>,
    pieces: Vec<Piece>,
    /// By position, 1 more than the index of its note; 0 for none. Positions beyond the end have none.
    places: Vec<u32>,
}

/// The note on one position: a chain of pieces.
#[derive(Clone, Copy, Debug)]
struct Note {
    first: usize,
    last: usize,
}

/// One piece of a note.
#[derive(Clone, Debug)]
struct Piece {
    said: Annotation,
    next: Option<usize>,
}

/// The content of a piece. Text is a range of the text of all notes.
#[derive(Clone, Debug)]
enum Annotation {
    Comment(Range<usize>),
    /// A comment after a variation of the position: the variation that begins with the given position, or one that could not be read.
    CommentBehind(Range<usize>, u32),
    Nag(u32),
    LeadIn(LeadIn<Range<usize>>),
    /// The rest of the position's line, which could not be read.
    Rest(Range<usize>),
    /// A variation without a readable move. It comes after the variation that begins with the position, or after
    /// the position's move if there is no such variation.
    Variation(Range<usize>),
}

/// A part of the text before the first move of a variation. `T` is a text, or where it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LeadIn<T> {
    /// A comment.
    Comment(T),
    /// An annotation symbol.
    Nag(u32),
    /// A variation that replaces no move, as written in the file.
    Variation(T),
}

impl Notes {
    /// Returns the comments on a position as one text, separated by spaces. Returns `Some` even for an empty comment (`{}`).
    ///
    /// Bytes that are not UTF-8 are read as Windows-1252, except under the rules of CQL.
    pub fn comment(&self, position: u32) -> Option<Cow<'_, [u8]>> {
        let mut comments = self.comments(position);
        let first = comments.next()?;
        let whole = match comments.next() {
            None => Cow::Borrowed(first),
            Some(second) => {
                let all = [first, second].into_iter().chain(comments);
                let said: Vec<&[u8]> = all.filter(|comment| !comment.is_empty()).collect();
                Cow::Owned(said.join(&b' '))
            }
        };
        match self.rules {
            Rules::Cql => Some(whole),
            Rules::Full => Some(match whole {
                Cow::Borrowed(bytes) => decoded(bytes),
                Cow::Owned(bytes) => Cow::Owned(decoded(&bytes).into_owned()),
            }),
        }
    }

    /// Returns roughly how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.text.capacity() + self.pieces.capacity() * size_of::<Piece>() + self.places.capacity() * size_of::<u32>()
    }

    /// Returns whether a position has a note.
    pub(crate) fn has(&self, position: u32) -> bool {
        self.places.get(position as usize).is_some_and(|place| *place > 0)
    }

    /// Returns the comments on a position as written in the file, in order. White space is collapsed.
    pub fn comments(&self, position: u32) -> impl Iterator<Item = &[u8]> {
        self.said(position).filter_map(|said| match said {
            Annotation::Comment(range) | Annotation::CommentBehind(range, _) => Some(self.slice(range)),
            _ => None,
        })
    }

    /// Returns the comments on a position that precede its variations.
    pub(crate) fn comments_at(&self, position: u32) -> impl Iterator<Item = &[u8]> {
        self.said(position).filter_map(|said| match said {
            Annotation::Comment(range) => Some(self.slice(range)),
            _ => None,
        })
    }

    /// Returns the comments on a position that come after its variations, each with the first position of that variation, or the position
    /// itself.
    pub(crate) fn comments_behind(&self, position: u32) -> impl Iterator<Item = (u32, &[u8])> {
        self.said(position).filter_map(|said| match said {
            Annotation::CommentBehind(range, variation) => Some((*variation, self.slice(range))),
            _ => None,
        })
    }

    /// Returns the comments before the variation that begins with the move to this position.
    pub fn comments_before(&self, position: u32) -> impl Iterator<Item = &[u8]> {
        self.lead_in(position).filter_map(|lead_in| match lead_in {
            LeadIn::Comment(comment) => Some(comment),
            _ => None,
        })
    }

    /// Returns the annotation symbols (NAGs) of the move to this position.
    pub fn nags(&self, position: u32) -> impl Iterator<Item = u32> {
        self.said(position).filter_map(|said| match said {
            Annotation::Nag(number) => Some(*number),
            _ => None,
        })
    }

    /// Returns the rest of the line that ends with this position, which could not be read, as written in the file.
    pub fn rest(&self, position: u32) -> Option<&[u8]> {
        self.said(position).find_map(|said| match said {
            Annotation::Rest(range) => Some(self.slice(range)),
            _ => None,
        })
    }

    /// Returns the variations without a readable move, as written in the file, without parentheses: those after the variation that begins
    /// with this position or, if there is none, after the move to it.
    pub fn unread_variations(&self, position: u32) -> impl Iterator<Item = &[u8]> {
        self.said(position).filter_map(|said| match said {
            Annotation::Variation(range) => Some(self.slice(range)),
            _ => None,
        })
    }

    /// Returns the text before the first move of the variation that begins with the move to this position.
    pub(crate) fn lead_in(&self, position: u32) -> impl Iterator<Item = LeadIn<&[u8]>> {
        self.said(position).filter_map(|said| match said {
            Annotation::LeadIn(before) => Some(self.shown(before)),
            _ => None,
        })
    }

    /// Returns a stored piece in the form for the output.
    pub(crate) fn shown(&self, before: &LeadIn<Range<usize>>) -> LeadIn<&[u8]> {
        match before {
            LeadIn::Comment(range) => LeadIn::Comment(self.slice(range)),
            LeadIn::Nag(number) => LeadIn::Nag(*number),
            LeadIn::Variation(range) => LeadIn::Variation(self.slice(range)),
        }
    }

    /// Returns whether a comment contains a text. Also finds comments in variations that were not wanted, and comments that were replaced.
    pub fn mention(&self, text: &[u8]) -> bool {
        memchr::memmem::find(&self.text, text).is_some()
    }

    fn slice(&self, range: &Range<usize>) -> &[u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Returns the pieces of the note on a position, in the order of the file.
    fn said(&self, position: u32) -> impl Iterator<Item = &Annotation> {
        let place = self.places.get(position as usize).copied().unwrap_or(0);
        let note = place.checked_sub(1).and_then(|place| self.notes.get(place as usize));
        let first = note.and_then(|note| self.pieces.get(note.first));
        let pieces = std::iter::successors(first, |piece| self.pieces.get(piece.next?));
        pieces.map(|piece| &piece.said)
    }

    /// Adds a piece to the note on a position.
    fn say(&mut self, position: u32, said: Annotation) {
        let position = position as usize;
        if self.places.len() <= position {
            self.places.resize(position + 1, 0);
        }
        let index = self.pieces.len();
        self.pieces.push(Piece { said, next: None });
        let place = self.places[position];
        match place
            .checked_sub(1)
            .and_then(|place| self.notes.get_mut(place as usize))
        {
            Some(note) => {
                self.pieces[note.last].next = Some(index);
                note.last = index;
            }
            None => {
                self.notes.push(Note {
                    first: index,
                    last: index,
                });
                // No game has more notes than an index can count.
                self.places[position] = u32::try_from(self.notes.len()).unwrap_or(0);
            }
        }
    }

    /// Returns the piece at a position for which `is_it` returns `true`.
    fn find_mut(&mut self, position: u32, is_it: impl Fn(&Annotation) -> bool) -> Option<&mut Annotation> {
        let place = self.places.get(position as usize)?.checked_sub(1)?;
        let mut next = Some(self.notes.get(place as usize)?.first);
        while let Some(index) = next {
            let piece = self.pieces.get(index)?;
            if is_it(&piece.said) {
                return self.pieces.get_mut(index).map(|piece| &mut piece.said);
            }
            next = piece.next;
        }
        None
    }

    /// Removes all notes. The next ones follow these rules.
    pub(crate) fn begin(&mut self, rules: Rules) {
        self.rules = rules;
        self.text.clear();
        self.notes.clear();
        self.pieces.clear();
        self.places.clear();
    }

    /// Removes the notes of the positions from `positions` on.
    pub(crate) fn truncate(&mut self, positions: usize) {
        self.places.truncate(positions);
    }

    /// Stores a comment's text, trimmed and with white space collapsed to single spaces.
    pub(crate) fn store(&mut self, comment: &[u8]) -> Range<usize> {
        let start = self.text.len();
        for word in comment.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if self.text.len() > start {
                self.text.push(b' ');
            }
            self.text.extend_from_slice(word);
        }
        let end = self.text.len();
        // Separates the texts of two comments.
        self.text.push(b'\n');
        start..end
    }

    /// Adds a comment on a position. Under the rules of CQL, it replaces an earlier one.
    pub(crate) fn add_comment(&mut self, position: u32, comment: &[u8]) {
        let stored = self.store(comment);
        let is_comment = |said: &Annotation| matches!(said, Annotation::Comment(_));
        match self.find_mut(position, is_comment).is_some() {
            true if self.rules == Rules::Cql => {
                if let Some(said) = self.find_mut(position, is_comment) {
                    *said = Annotation::Comment(stored);
                }
            }
            _ => self.say(position, Annotation::Comment(stored)),
        }
    }

    /// Adds a comment on a position after the variation that begins with another position.
    pub(crate) fn add_comment_behind(&mut self, position: u32, variation: u32, comment: &[u8]) {
        let stored = self.store(comment);
        self.say(position, Annotation::CommentBehind(stored, variation));
    }

    /// Adds a piece before the variation that begins with a position.
    pub(crate) fn add_lead_in(&mut self, position: u32, before: LeadIn<Range<usize>>) {
        self.say(position, Annotation::LeadIn(before));
    }

    /// Adds an annotation symbol. Under the rules of CQL, the eighth and further ones are dropped.
    pub(crate) fn add_nag(&mut self, position: u32, nag: u32) {
        if self.rules == Rules::Full || self.nags(position).count() < MOST_NAGS {
            self.say(position, Annotation::Nag(nag));
        }
    }

    /// Keeps the stored rest of a line that could not be read after a position.
    pub(crate) fn set_rest(&mut self, position: u32, stored: Range<usize>) {
        self.say(position, Annotation::Rest(stored));
    }

    /// Keeps a stored variation without a readable move, after the variation that begins with a position.
    pub(crate) fn add_unread_variation(&mut self, position: u32, stored: Range<usize>) {
        self.say(position, Annotation::Variation(stored));
    }

    /// Moves the notes of each position to the number that it gets in `renumbered`.
    pub(crate) fn renumber(&mut self, renumbered: &[u32]) {
        let mut places = vec![0; renumbered.len()];
        for (place, new) in self.places.iter().zip(renumbered) {
            if let Some(moved) = places.get_mut(*new as usize) {
                *moved = *place;
            }
        }
        self.places = places;
        for piece in &mut self.pieces {
            if let Annotation::CommentBehind(_, variation) = &mut piece.said
                && let Some(new) = renumbered.get(*variation as usize)
            {
                *variation = *new;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(rules: Rules) -> Notes {
        let mut notes = Notes::default();
        notes.begin(rules);
        notes
    }

    #[test]
    fn by_the_rules_of_cql_the_last_comment_counts() {
        let mut notes = notes(Rules::Cql);
        notes.add_comment(3, b"first");
        notes.add_comment(3, b" two\r\n\t words  ");
        notes.add_comment(5, b"");
        assert_eq!(notes.comment(3).as_deref(), Some(&b"two words"[..]));
        assert_eq!(notes.comment(5).as_deref(), Some(&b""[..]));
        assert_eq!((notes.comment(4), notes.comment(6)), (None, None));
    }

    #[test]
    fn all_comments_count() {
        let mut notes = notes(Rules::Full);
        for comment in [&b"[%clk 0:01:00]"[..], b"", b" [%emt\n0:02]", b"M\xfcller"] {
            notes.add_comment(3, comment);
        }
        let expected = "[%clk 0:01:00] [%emt 0:02] M\u{fc}ller";
        assert_eq!(notes.comment(3).as_deref(), Some(expected.as_bytes()));
        let apart: Vec<_> = notes.comments(3).collect();
        assert_eq!(apart, [&b"[%clk 0:01:00]"[..], b"", b"[%emt 0:02]", b"M\xfcller"]);
    }

    #[test]
    fn by_the_rules_of_cql_seven_symbols_are_kept() {
        for (rules, count) in [(Rules::Cql, 7), (Rules::Full, 9)] {
            let mut notes = notes(rules);
            for nag in 1..=9 {
                notes.add_nag(1, nag);
            }
            assert_eq!(notes.nags(1).collect::<Vec<_>>(), (1..=count).collect::<Vec<_>>());
            assert_eq!(notes.nags(0).count(), 0);
        }
    }
}
