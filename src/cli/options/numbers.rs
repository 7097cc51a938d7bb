//! Numbers as values of options.

use std::str::FromStr;

/// Parses a number that is not zero.
pub(crate) fn positive<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| "write a whole number, 1 or more".to_owned())
}
