//! The order of the tags of games.

/// The names of the tags of a game in order, each with its index in some list, such as that of the columns. Most games of a file have the same names,
/// so these are looked up only once.
#[derive(Default)]
pub(super) struct TagOrder {
    text: Vec<u8>,
    names: Vec<(Vec<u8>, Option<usize>)>,
}

impl TagOrder {
    /// Takes over the order of a row. `place` looks up names and must be the same for all rows.
    pub(super) fn set(&mut self, text: &[u8], place: impl Fn(&[u8]) -> Option<usize>) {
        if self.text == text {
            return;
        }
        self.text.clear();
        self.text.extend_from_slice(text);
        self.names = names(text).map(|name| (name.to_vec(), place(name))).collect();
    }

    /// Returns the names and their indices.
    pub(super) fn names(&self) -> impl Iterator<Item = (&[u8], Option<usize>)> {
        self.names.iter().map(|(name, place)| (&**name, *place))
    }
}

/// Returns the names in the order of a row.
pub(super) fn names(order: &[u8]) -> impl Iterator<Item = &[u8]> {
    order.split(|byte| *byte == b' ').filter(|name| !name.is_empty())
}
