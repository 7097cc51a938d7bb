//! How the queries that `theme` names are known outside of the query that asks for them.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

/// Stands for the text of a query, those of the themes that it names, and the skewer that reads them: what a filter means may change from
/// version to version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ThemeDigest([u8; 32]);

impl ThemeDigest {
    /// That of a text, which is read in a `vocabulary` and names some themes.
    pub(crate) fn of(text: &[u8], vocabulary: u8, themes: &BTreeSet<ThemeDigest>) -> ThemeDigest {
        let mut digest = Sha256::new();
        digest.update(env!("CARGO_PKG_VERSION"));
        digest.update([0, vocabulary]);
        digest.update((text.len() as u64).to_le_bytes());
        digest.update(text);
        themes.iter().for_each(|theme| digest.update(theme.0));
        ThemeDigest(digest.finalize().into())
    }

    /// Reads hexadecimal digits.
    #[cfg(feature = "database")]
    pub(crate) fn from_digits(digits: &str) -> Option<ThemeDigest> {
        let (pairs, []) = digits.as_bytes().as_chunks::<2>() else {
            return None;
        };
        let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Vec<u8> = pairs.iter().map(byte).collect::<Option<_>>()?;
        bytes.try_into().ok().map(ThemeDigest)
    }
}

/// Hexadecimal digits.
impl fmt::Display for ThemeDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for ThemeDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// A query that was asked for by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedTheme {
    #[cfg_attr(
        not(any(feature = "database", feature = "service")),
        allow(dead_code, reason = "databases and plans tell it")
    )]
    pub(crate) name: Arc<str>,
    pub(crate) digest: ThemeDigest,
}
