//! In which games themes hold, as determined when the database was made: a bitmap of rows for each theme, after the last row group.
//!
//! The key `skewer.themes` of the file's metadata lists them in JSON: name, digest, length and CRC-32. A search skips the games that are not in the
//! bitmap of a theme that must hold. A theme that is unknown, or whose bitmap is damaged, may hold in any game.

use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use super::error::damaged;
use super::storage::Storage;
use crate::query::{NamedTheme, ThemeDigest};

/// A theme and the rows of the games in which it holds.
#[derive(Clone, Debug)]
pub(crate) struct ThemeGames {
    pub(crate) theme: NamedTheme,
    pub(crate) rows: Arc<RoaringBitmap>,
}

/// The themes of a file, the last one first.
#[derive(Default)]
pub(super) struct Themes(Vec<StoredTheme>);

struct StoredTheme {
    theme: NamedTheme,
    sum: u32,
    /// The place of its bitmap.
    place: Range<u64>,
    /// The bitmap, once it is needed, if it can be read.
    rows: OnceLock<Option<Arc<RoaringBitmap>>>,
}

/// The metadata of a theme.
#[derive(Serialize, Deserialize)]
struct Entry {
    name: String,
    digest: String,
    bytes: u64,
    crc32: u32,
}

impl Themes {
    /// Reads the list. The bitmaps end where the footer begins.
    ///
    /// # Errors
    /// Returns an error if the list is not valid.
    pub(super) fn from_text(text: &str, mut end: u64) -> io::Result<Themes> {
        let unreadable = || damaged("a damaged database: its themes cannot be read");
        let entries: Vec<Entry> = serde_json::from_str(text).map_err(|_| unreadable())?;
        let stored = entries.into_iter().rev().map(|entry| {
            let place = end.checked_sub(entry.bytes)?..end;
            end = place.start;
            Some(StoredTheme {
                theme: NamedTheme {
                    name: entry.name.into(),
                    digest: ThemeDigest::from_digits(&entry.digest)?,
                },
                sum: entry.crc32,
                place,
                rows: OnceLock::new(),
            })
        });
        stored.collect::<Option<_>>().map(Themes).ok_or_else(unreadable)
    }

    /// Returns the rows of the games in which a theme holds, if they are known.
    pub(super) fn rows(&self, digest: ThemeDigest, storage: &Storage) -> Option<&Arc<RoaringBitmap>> {
        let stored = self.0.iter().find(|stored| stored.theme.digest == digest)?;
        stored.rows(storage)
    }

    /// Returns the themes in their order, each with the rows of the games in which it holds, unless they cannot be read.
    pub(super) fn all(&self, storage: &Storage) -> Vec<(NamedTheme, Option<Arc<RoaringBitmap>>)> {
        let each = self.0.iter().rev();
        each.map(|stored| (stored.theme.clone(), stored.rows(storage).cloned()))
            .collect()
    }
}

impl StoredTheme {
    fn rows(&self, storage: &Storage) -> Option<&Arc<RoaringBitmap>> {
        let read = || {
            let bytes = storage.read(self.place.clone()).ok()?;
            let is_whole = crc32fast::hash(&bytes) == self.sum;
            let rows = is_whole.then(|| RoaringBitmap::deserialize_from(&*bytes))?;
            rows.ok().map(Arc::new)
        };
        self.rows.get_or_init(read).as_ref()
    }
}

/// Returns the bitmaps of themes, one after another, and the list of the themes.
///
/// # Errors
/// Returns an error if they cannot be written.
pub(super) fn pack(themes: &[ThemeGames]) -> io::Result<(Vec<u8>, String)> {
    let (mut all, mut entries) = (Vec::new(), Vec::new());
    for ThemeGames { theme, rows } in themes {
        let start = all.len();
        rows.serialize_into(&mut all)?;
        let bytes = &all[start..];
        entries.push(Entry {
            name: theme.name.to_string(),
            digest: theme.digest.to_string(),
            bytes: bytes.len() as u64,
            crc32: crc32fast::hash(bytes),
        });
    }
    Ok((all, serde_json::to_string(&entries)?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn theme(name: &str, rows: impl IntoIterator<Item = u32>) -> ThemeGames {
        ThemeGames {
            theme: NamedTheme {
                name: name.into(),
                digest: ThemeDigest::of(name.as_bytes(), &BTreeSet::new()),
            },
            rows: Arc::new(rows.into_iter().collect()),
        }
    }

    #[test]
    fn what_is_packed_is_read() {
        let themes = [theme("a", []), theme("b", [0, 5, 100_000]), theme("c", 0..9000)];
        let (bytes, text) = pack(&themes).unwrap();
        let end = bytes.len() as u64;
        let storage = Storage::Memory(bytes.clone().into());
        let read = Themes::from_text(&text, end).unwrap();
        for (theme, (name, rows)) in themes.iter().zip(read.all(&storage)) {
            assert_eq!((&theme.theme, Some(&theme.rows)), (&name, rows.as_ref()));
            assert_eq!(read.rows(name.digest, &storage), Some(&theme.rows));
        }
        assert_eq!(read.rows(theme("d", []).theme.digest, &storage), None);
        assert!(Themes::from_text(&text, end - 1).is_err() && Themes::from_text(&text[1..], end).is_err());
    }

    #[test]
    fn damaged_bitmaps_are_not_known() {
        let themes = [theme("a", [1, 70_000])];
        let (bytes, text) = pack(&themes).unwrap();
        for bit in 0..8 * bytes.len() {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let storage = Storage::Memory(bytes.into());
            let read = Themes::from_text(&text, storage.length()).unwrap();
            assert_eq!(read.rows(themes[0].theme.digest, &storage), None, "{bit}");
        }
    }
}
