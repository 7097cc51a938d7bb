//! Decodes the bytes of games.

use std::borrow::Cow;

use crate::query::SortKey;

/// Decodes bytes of a PGN. PGN was Latin-1 before it was UTF-8, so bytes that are not UTF-8 are read as Latin-1.
pub(crate) fn text(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(latin1(bytes)),
        },
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).unwrap_or_else(|error| latin1(error.as_bytes()))),
    }
}

/// Returns what `write` writes, decoded.
pub(super) fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    text(Cow::Owned(out)).into_owned()
}

/// Returns the titles of sort keys.
pub(super) fn titles(keys: &[SortKey]) -> impl Iterator<Item = String> {
    keys.iter().map(|key| text(Cow::Borrowed(&key.title)).into_owned())
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}
