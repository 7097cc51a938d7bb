//! What the annotator of a game wrote: comments and annotation symbols.

use std::ops::Range;

/// The most annotation symbols that a move keeps.
const MOST_NAGS: usize = 7;

/// The comments and annotation symbols of a game, by position.
///
/// Most positions have none, so a position only has an index into the notes there are.
#[derive(Clone, Default, Debug)]
pub struct Notes {
    text: Vec<u8>,
    notes: Vec<Note>,
    /// By position, 1 more than the index of its note; 0 for none. Positions beyond the end have none.
    places: Vec<u32>,
}

/// What is said at one position.
#[derive(Clone, Default, Debug)]
struct Note {
    comment: Option<Range<usize>>,
    lead_in: Option<Range<usize>>,
    nags: [u8; MOST_NAGS],
    nag_count: usize,
}

impl Notes {
    /// The comment on a position, `Some` also for an empty one (`{}`).
    pub fn comment(&self, position: u32) -> Option<&[u8]> {
        self.slice(self.note(position)?.comment.as_ref()?)
    }

    /// The comment in front of the variation that begins with the move to this position.
    pub fn lead_in(&self, position: u32) -> Option<&[u8]> {
        self.slice(self.note(position)?.lead_in.as_ref()?)
    }

    /// The annotation symbols (NAGs) of the move to this position.
    pub fn nags(&self, position: u32) -> &[u8] {
        self.note(position)
            .and_then(|note| note.nags.get(..note.nag_count))
            .unwrap_or_default()
    }

    /// Whether a comment contains a text, also one in a variation that was not asked for, or one that another replaced.
    pub fn mention(&self, text: &[u8]) -> bool {
        memchr::memmem::find(&self.text, text).is_some()
    }

    fn slice(&self, range: &Range<usize>) -> Option<&[u8]> {
        self.text.get(range.clone())
    }

    fn note(&self, position: u32) -> Option<&Note> {
        let place = *self.places.get(position as usize)?;
        self.notes.get(place.checked_sub(1)? as usize)
    }

    /// The note of a position, made if there is none.
    fn note_mut(&mut self, position: u32) -> Option<&mut Note> {
        let position = position as usize;
        if self.places.len() <= position {
            self.places.resize(position + 1, 0);
        }
        let place = self.places.get_mut(position)?;
        if *place == 0 {
            self.notes.push(Note::default());
            *place = u32::try_from(self.notes.len()).ok()?;
        }
        self.notes.get_mut(*place as usize - 1)
    }

    /// Forgets all notes.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.notes.clear();
        self.places.clear();
    }

    /// Forgets the notes of the positions from `positions` on.
    pub(super) fn truncate(&mut self, positions: usize) {
        self.places.truncate(positions);
    }

    /// Stores a comment's text, white space collapsed to single blanks and trimmed.
    pub(super) fn store(&mut self, comment: &[u8]) -> Range<usize> {
        let start = self.text.len();
        for word in comment.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if self.text.len() > start {
                self.text.push(b' ');
            }
            self.text.extend_from_slice(word);
        }
        let end = self.text.len();
        // Keeps what is said in two comments apart.
        self.text.push(b'\n');
        start..end
    }

    /// Sets the comment of a position; it replaces the one there.
    pub(super) fn set_comment(&mut self, position: u32, comment: &[u8]) {
        let stored = self.store(comment);
        if let Some(note) = self.note_mut(position) {
            note.comment = Some(stored);
        }
    }

    /// Sets the comment in front of a variation, stored before.
    pub(super) fn set_lead_in(&mut self, position: u32, stored: Range<usize>) {
        if let Some(note) = self.note_mut(position) {
            note.lead_in = Some(stored);
        }
    }

    /// Adds an annotation symbol; the eighth and further ones are dropped.
    pub(super) fn add_nag(&mut self, position: u32, nag: u8) {
        if let Some(note) = self.note_mut(position)
            && let Some(place) = note.nags.get_mut(note.nag_count)
        {
            *place = nag;
            note.nag_count += 1;
        }
    }

    /// Gives each position's notes to the position that it becomes by `renumbered`.
    pub(super) fn renumber(&mut self, renumbered: &[u32]) {
        let mut places = vec![0; renumbered.len()];
        for (place, new) in self.places.iter().zip(renumbered) {
            if let Some(moved) = places.get_mut(*new as usize) {
                *moved = *place;
            }
        }
        self.places = places;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_collapsed_and_the_last_comment_counts() {
        let mut notes = Notes::default();
        notes.set_comment(3, b"first");
        notes.set_comment(3, b" two\r\n\t words  ");
        notes.set_comment(5, b"");
        assert_eq!(notes.comment(3), Some(&b"two words"[..]));
        assert_eq!(notes.comment(5), Some(&b""[..]));
        assert_eq!((notes.comment(4), notes.comment(6)), (None, None));
    }

    #[test]
    fn seven_symbols_are_kept() {
        let mut notes = Notes::default();
        for nag in 1..=9 {
            notes.add_nag(1, nag);
        }
        assert_eq!(notes.nags(1), [1, 2, 3, 4, 5, 6, 7]);
        assert!(notes.nags(0).is_empty());
    }
}
