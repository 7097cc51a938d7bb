//! Reads hexadecimal digits in the file's metadata: a fixed number for each row group, without separators.

use std::io;

use super::error::damaged;

/// The digits that are left.
pub(super) struct Digits<'t>(&'t str);

impl Digits<'_> {
    /// Reads a number with this many digits.
    pub(super) fn number<N: TryFrom<u64>>(&mut self, count: usize) -> Option<N> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        N::try_from(u64::from_str_radix(digits, 16).ok()?).ok()
    }
}

/// Reads entries of this many digits each. Returns `None` if one of them cannot be read.
pub(super) fn entries<T>(text: &str, digits: usize, read: impl Fn(&mut Digits<'_>) -> Option<T>) -> Option<Vec<T>> {
    let mut all = Digits(text);
    let entries = (0..text.len() / digits).map(|_| read(&mut all));
    let entries = entries.collect::<Option<_>>()?;
    all.0.is_empty().then_some(entries)
}

/// Reads this many entries, such as one for each row group. `what` names the text in errors.
pub(super) fn of_groups<T>(
    text: &str,
    digits: usize,
    groups: usize,
    read: impl Fn(&mut Digits<'_>) -> Option<T>,
    what: &str,
) -> io::Result<Vec<T>> {
    let entries = entries(text, digits, read).filter(|entries| entries.len() == groups);
    entries.ok_or_else(|| damaged(&format!("a damaged database: {what} cannot be read")))
}
