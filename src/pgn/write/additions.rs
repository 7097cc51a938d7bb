//! What a query adds to a written game and removes from it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What a query adds to a game and removes from it.
#[derive(Clone, Default, Debug)]
pub struct Additions<'a> {
    /// The added texts, each with the position that it is for.
    comments: Vec<(u32, Cow<'a, [u8]>)>,
    repeats: bool,
    removed: Vec<u32>,
    /// The tags that are set, in order, and the index of each name.
    tags: Vec<(Vec<u8>, Vec<u8>)>,
    tag_places: HashMap<Vec<u8>, usize>,
}

impl<'a> Additions<'a> {
    /// Sets whether a text is written again if its position has it already.
    pub fn repeat_comments(&mut self, repeats: bool) {
        self.repeats = repeats;
    }

    /// Adds a text to the comment of a position. An empty text adds nothing, nor does one that the position has already.
    pub fn comment(&mut self, position: u32, text: impl Into<Cow<'a, [u8]>>) {
        self.comments.push((position, text.into()));
    }

    /// Removes the comment that a position has in the file.
    pub fn remove_comment(&mut self, position: u32) {
        self.removed.push(position);
    }

    /// Sets a tag. An existing tag keeps its place, a new one comes after the others.
    pub fn set_tag(&mut self, name: &[u8], value: &[u8]) {
        match self.tag_places.get(name) {
            Some(&place) => self.tags[place].1 = value.to_vec(),
            None => {
                self.tag_places.insert(name.to_vec(), self.tags.len());
                self.tags.push((name.to_vec(), value.to_vec()));
            }
        }
    }

    /// Returns the positions that lose their comment from the file, in order.
    pub(crate) fn removed(&self) -> Vec<u32> {
        let mut removed = self.removed.clone();
        removed.sort_unstable();
        removed
    }

    /// Returns whether any tag is set.
    pub(crate) fn set_tags(&self) -> bool {
        !self.tags.is_empty()
    }

    /// Returns the value to which a tag is set.
    pub(crate) fn tag(&self, name: &[u8]) -> Option<&[u8]> {
        self.tag_places.get(name).map(|&place| &*self.tags[place].1)
    }

    /// Returns the tags that are set and that a game with these tag names does not have.
    pub(crate) fn new_tags<'s>(
        &'s self,
        names: impl Iterator<Item = &'s [u8]>,
    ) -> impl Iterator<Item = (&'s [u8], &'s [u8])> {
        let known: HashSet<&[u8]> = if self.tags.is_empty() {
            HashSet::new()
        } else {
            names.collect()
        };
        let tags = self.tags.iter().map(|(name, value)| (&**name, &**value));
        tags.filter(move |(name, _)| !known.contains(name))
    }

    /// Returns the comments by position, in the order in which they were added. Empty comments are left out, and usually
    /// repeated ones.
    pub(crate) fn sorted(&self) -> Vec<(u32, &[u8])> {
        let texts = self.comments.iter().map(|(position, text)| (*position, &**text));
        let mut sorted: Vec<(u32, &[u8])> = texts.filter(|(_, text)| !text.is_empty()).collect();
        sorted.sort_by_key(|(position, _)| *position);
        let may_repeat = !self.repeats && sorted.array_windows().any(|[(one, _), (other, _)]| one == other);
        if may_repeat {
            let mut known = HashSet::with_capacity(sorted.len());
            sorted.retain(|comment| known.insert(*comment));
        }
        sorted
    }
}
