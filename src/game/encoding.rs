//! Text in encodings other than UTF-8, and in other forms of Unicode.

use std::borrow::Cow;

#[cfg(feature = "files")]
use encoding_rs::WINDOWS_1252;
#[cfg(feature = "files")]
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Returns bytes as UTF-8. Invalid bytes are read as Windows-1252, the Latin-1 of most old databases; without `files`, as Latin-1.
pub fn decoded(bytes: &[u8]) -> Cow<'_, [u8]> {
    if str::from_utf8(bytes).is_ok() {
        return Cow::Borrowed(bytes);
    }
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        text += &from_one_byte_each(chunk.invalid());
    }
    Cow::Owned(text.into_bytes())
}

/// Returns a text in which each letter with its marks is one character if there is one (NFC); without `files`, the text unchanged.
pub fn composed(text: &[u8]) -> Cow<'_, [u8]> {
    match str::from_utf8(text) {
        Ok(text) if !text.is_ascii() => in_normal_form(text),
        _ => Cow::Borrowed(text),
    }
}

#[cfg(feature = "files")]
fn in_normal_form(text: &str) -> Cow<'_, [u8]> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text.as_bytes()),
        IsNormalized::No | IsNormalized::Maybe => Cow::Owned(text.nfc().collect::<String>().into_bytes()),
    }
}

#[cfg(not(feature = "files"))]
fn in_normal_form(text: &str) -> Cow<'_, [u8]> {
    Cow::Borrowed(text.as_bytes())
}

#[cfg(feature = "files")]
fn from_one_byte_each(bytes: &[u8]) -> Cow<'_, str> {
    WINDOWS_1252.decode_without_bom_handling(bytes).0
}

#[cfg(not(feature = "files"))]
fn from_one_byte_each(bytes: &[u8]) -> Cow<'_, str> {
    bytes.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_utf_8_is_windows_1252() {
        for (bytes, text) in [
            (&b"Muller"[..], "Muller"),
            (b"M\xfcller", "M\u{fc}ller"),
            ("\u{41c}\u{fc}".as_bytes(), "\u{41c}\u{fc}"),
            (b"\x8aibenik \xc3\xa9\xe9", "\u{160}ibenik \u{e9}\u{e9}"),
        ] {
            assert_eq!(decoded(bytes), text.as_bytes());
        }
    }
}
