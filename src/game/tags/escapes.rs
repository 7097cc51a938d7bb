//! Escapes in the values of tags, where `\"` is a quotation mark and `\\` a backslash, and the bytes for these two in canonical PGN.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

/// Represents `"` inside a tag value.
pub const INNER_QUOTE: u8 = 0x02;
/// Represents `\` inside a tag value.
pub const BACKSLASH: u8 = 0x03;

/// Resolves the escapes of a value. `\'`, which certain servers write, is an apostrophe. Any other backslash represents itself.
pub(crate) fn resolved(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut text = Vec::with_capacity(value.len());
    let mut rest = value;
    while let Some(length) = memchr(b'\\', rest) {
        let (before, escape) = rest.split_at(length);
        text.extend_from_slice(before);
        let (byte, length) = match escape {
            [_, byte @ (b'"' | b'\\' | b'\''), ..] => (*byte, 2),
            _ => (b'\\', 1),
        };
        text.push(byte);
        rest = escape.get(length..).unwrap_or_default();
    }
    text.extend_from_slice(rest);
    Cow::Owned(text)
}

/// Returns a value in the form that it has between quotes.
pub(crate) fn escaped(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr2(b'"', b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let escape = |byte: &u8| {
        let backslash = matches!(byte, b'"' | b'\\').then_some(b'\\');
        backslash.into_iter().chain([*byte])
    };
    Cow::Owned(value.iter().flat_map(escape).collect())
}

/// Appends a text in which two bytes are replaced as `written` says. Few texts contain them, which is quick to see.
pub(crate) fn push_rewritten(out: &mut Vec<u8>, text: &[u8], rewritten: [u8; 2], written: impl Fn(u8) -> u8) {
    let start = out.len();
    out.extend_from_slice(text);
    if memchr2(rewritten[0], rewritten[1], text).is_some() {
        let added = out.get_mut(start..).unwrap_or_default();
        added.iter_mut().for_each(|byte| *byte = written(*byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_signs_and_other_backslashes_for_themselves() {
        for (written, meant) in [
            (r"plain", r"plain"),
            (r#"The \"Closed\" System"#, r#"The "Closed" System"#),
            (r"Let\'s Play!", r"Let's Play!"),
            (r"C:\\chess", r"C:\chess"),
            (r"C:\chess", r"C:\chess"),
            (r#"\\\"#, r"\\"),
            (r#"\\\""#, r#"\""#),
            ("end\\", "end\\"),
        ] {
            let value = resolved(written.as_bytes());
            assert_eq!(&*value, meant.as_bytes(), "{written}");
            let again = escaped(&value).into_owned();
            assert_eq!(resolved(&again), value, "{written}");
        }
    }
}
