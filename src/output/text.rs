//! Bytes of games as text.

use std::borrow::Cow;

/// Bytes of a PGN as text. PGN was Latin-1 before it was UTF-8, so what is not UTF-8 is taken for Latin-1.
pub(crate) fn text(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(latin1(bytes)),
        },
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).unwrap_or_else(|error| latin1(error.as_bytes()))),
    }
}

/// What is written, as such text.
pub(super) fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    text(Cow::Owned(out)).into_owned()
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}
