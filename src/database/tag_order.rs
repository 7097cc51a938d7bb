//! The order of the tags of games.

/// The names of the tags of a game in order, each with its place somewhere, such as among columns. Most games of a file have the same,
/// so they are looked up once.
#[derive(Default)]
pub(super) struct TagOrder {
    text: Vec<u8>,
    names: Vec<(Vec<u8>, Option<usize>)>,
}

impl TagOrder {
    /// Takes over the order that a row has; `place` looks names up, the same as for rows before.
    pub(super) fn set(&mut self, text: &[u8], place: impl Fn(&[u8]) -> Option<usize>) {
        if self.text == text {
            return;
        }
        self.text.clear();
        self.text.extend_from_slice(text);
        self.names = names(text).map(|name| (name.to_vec(), place(name))).collect();
    }

    /// The names and their places.
    pub(super) fn names(&self) -> impl Iterator<Item = (&[u8], Option<usize>)> {
        self.names.iter().map(|(name, place)| (&**name, *place))
    }
}

/// The names in the order that a row has.
pub(super) fn names(order: &[u8]) -> impl Iterator<Item = &[u8]> {
    order.split(|byte| *byte == b' ').filter(|name| !name.is_empty())
}
