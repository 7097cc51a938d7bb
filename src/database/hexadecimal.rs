//! Reads hexadecimal digits in the file's metadata: a fixed number for each row group, without separators.

use std::io;

use super::error::damaged;

/// Reads the digits of each of this many row groups. `what` names the text in errors.
pub(super) fn of_groups<T>(
    text: &str,
    digits: usize,
    groups: usize,
    read: impl Fn(&str) -> Option<T>,
    what: &str,
) -> io::Result<Vec<T>> {
    let of_group = |group: usize| read(text.get(digits * group..digits * (group + 1))?);
    let said: Option<Vec<T>> = (0..groups).map(of_group).collect();
    let said = said.filter(|_| text.len() == digits * groups);
    said.ok_or_else(|| damaged(&format!("a damaged database: {what} cannot be read")))
}
