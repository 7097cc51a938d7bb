//! Dictionaries: ordered tables that outlive positions, and also games unless they are local (chapter 8, 10).

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::eval::report::MatchValue;
use crate::query::ast::dictionaries::Dictionary;
use crate::query::ast::variables::DictionaryId;

/// The bytes that an entry takes in addition to its strings.
pub(crate) const ENTRY_BYTES: usize = 64;

/// The entries of all dictionaries of a query. All keys of a dictionary are of one kind, and loops visit them in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionaries {
    entries: Vec<BTreeMap<MatchValue, MatchValue>>,
    /// Roughly the bytes that they take.
    bytes: usize,
}

impl Dictionaries {
    /// Creates `count` empty dictionaries.
    pub(crate) fn new(count: usize) -> Dictionaries {
        Dictionaries {
            entries: vec![BTreeMap::new(); count],
            bytes: 0,
        }
    }

    /// Returns roughly how many bytes all entries take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Empties the local dictionaries.
    pub(crate) fn begin_game(&mut self, declared: &[Dictionary]) {
        for (index, dictionary) in declared.iter().enumerate() {
            if dictionary.local {
                self.clear(DictionaryId(index as u32));
            }
        }
    }

    pub(crate) fn len(&self, dictionary: DictionaryId) -> usize {
        self.entries[dictionary.index()].len()
    }

    pub(crate) fn get(&self, dictionary: DictionaryId, key: &MatchValue) -> Option<&MatchValue> {
        self.entries[dictionary.index()].get(key)
    }

    /// Adds or replaces an entry.
    pub(crate) fn store(&mut self, dictionary: DictionaryId, key: MatchValue, value: MatchValue) {
        self.bytes += ENTRY_BYTES + key.bytes() + value.bytes();
        let key_bytes = key.bytes();
        if let Some(replaced) = self.entries[dictionary.index()].insert(key, value) {
            self.bytes -= ENTRY_BYTES + key_bytes + replaced.bytes();
        }
    }

    pub(crate) fn remove(&mut self, dictionary: DictionaryId, key: &MatchValue) {
        if let Some((key, value)) = self.entries[dictionary.index()].remove_entry(key) {
            self.bytes -= ENTRY_BYTES + key.bytes() + value.bytes();
        }
    }

    pub(crate) fn clear(&mut self, dictionary: DictionaryId) {
        for (key, value) in std::mem::take(&mut self.entries[dictionary.index()]) {
            self.bytes -= ENTRY_BYTES + key.bytes() + value.bytes();
        }
    }

    /// Returns the first entry, or the first one after a key, which may have been removed.
    pub(crate) fn next(
        &self,
        dictionary: DictionaryId,
        after: Option<&MatchValue>,
    ) -> Option<(&MatchValue, &MatchValue)> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.entries[dictionary.index()].range((start, Bound::Unbounded)).next()
    }

    /// Takes the entries out, to be put back later.
    pub(crate) fn take(&mut self, dictionary: DictionaryId) -> BTreeMap<MatchValue, MatchValue> {
        std::mem::take(&mut self.entries[dictionary.index()])
    }

    /// Puts back the entries that were taken out.
    pub(crate) fn put_back(&mut self, dictionary: DictionaryId, entries: BTreeMap<MatchValue, MatchValue>) {
        self.entries[dictionary.index()] = entries;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const D: DictionaryId = DictionaryId(0);

    #[test]
    fn entries_are_counted_by_their_bytes() {
        let mut dictionaries = Dictionaries::new(1);
        let string = |text: &str| MatchValue::Text(text.as_bytes().to_vec());
        dictionaries.store(D, string("key"), string("long value"));
        dictionaries.store(D, string("key"), string("short"));
        dictionaries.store(D, string("other"), string(""));
        assert_eq!(dictionaries.bytes, 2 * ENTRY_BYTES + "keyshortother".len());
        dictionaries.remove(D, &string("key"));
        dictionaries.remove(D, &string("none"));
        assert_eq!(dictionaries.bytes, ENTRY_BYTES + "other".len());
        dictionaries.clear(D);
        assert_eq!(dictionaries.bytes, 0);
    }

    #[test]
    fn the_next_entry_comes_after_a_key_that_may_be_gone() {
        let mut dictionaries = Dictionaries::new(1);
        for number in [5, -1, 3] {
            dictionaries.store(D, MatchValue::Number(number), MatchValue::Number(0));
        }
        let next = |dictionaries: &Dictionaries, after: Option<i32>| {
            let after = after.map(MatchValue::Number);
            dictionaries.next(D, after.as_ref()).map(|(key, _)| key.clone())
        };
        assert_eq!(next(&dictionaries, None), Some(MatchValue::Number(-1)));
        dictionaries.remove(D, &MatchValue::Number(3));
        assert_eq!(next(&dictionaries, Some(3)), Some(MatchValue::Number(5)));
        assert_eq!(next(&dictionaries, Some(5)), None);
    }
}
