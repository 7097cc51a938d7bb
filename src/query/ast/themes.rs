//! Identifies themes outside of the query that names them.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// A digest of the text of a query, the digests of the themes that it names, and the version of skewer, because the meaning of a filter may
/// change from version to version. It has 128 bits, so no two texts that people write have the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ThemeDigest(u128);

impl ThemeDigest {
    /// Returns the digest of a text and of the themes that it names. The text means the same in each vocabulary that knows its words.
    pub(crate) fn of(text: &[u8], themes: &BTreeSet<ThemeDigest>) -> ThemeDigest {
        // FNV-1a, with the constants of its authors for 128 bits.
        const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        const PRIME: u128 = (1 << 88) + 0x13b;
        let version = env!("CARGO_PKG_VERSION").as_bytes();
        let length = (text.len() as u64).to_le_bytes();
        let own = [version, &[0], &length, text].into_iter().flatten().copied();
        let bytes = own.chain(themes.iter().flat_map(|theme| theme.0.to_le_bytes()));
        ThemeDigest(bytes.fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME)))
    }

    /// Reads hexadecimal digits.
    pub(crate) fn from_digits(digits: &str) -> Option<ThemeDigest> {
        u128::from_str_radix(digits, 16).ok().map(ThemeDigest)
    }
}

/// Writes hexadecimal digits.
impl fmt::Display for ThemeDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

/// Writes only the name of the type, so that two queries that mean the same print the same, whatever their texts.
impl fmt::Debug for ThemeDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ThemeDigest")
    }
}

/// A query that was found by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedTheme {
    pub(crate) name: Arc<str>,
    pub(crate) digest: ThemeDigest,
}
