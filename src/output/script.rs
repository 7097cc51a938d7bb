//! Allows a page to run its own script and no other.

use sha2::{Digest, Sha256};

/// Returns the source expression of a content security policy that allows only a script with this text, whatever a game in the page
/// contains.
pub(super) fn source(script: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(script)))
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = bytes.chunks(3).flat_map(|group| {
        let bits = (0..3).fold(0, |bits, index| {
            bits << 8 | usize::from(group.get(index).copied().unwrap_or(0))
        });
        (0..4).map(move |index| match index <= group.len() {
            true => char::from(SIGNS[bits >> (18 - 6 * index) & 63]),
            false => '=',
        })
    });
    groups.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_the_digest_in_base64() {
        // `printf '' | openssl dgst -sha256 -binary | base64`
        assert_eq!(source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
        for (bytes, text) in [(&b""[..], ""), (b"M", "TQ=="), (b"Ma", "TWE="), (b"Man", "TWFu")] {
            assert_eq!(base64(bytes), text);
        }
    }
}
