//! Finds the values of an unpacked page in plain encoding without a column reader, as making one takes longer than reading a short page.

use std::ops::Range;

use super::pages;
use super::thrift::Thrift;

/// Returns the place of each row's value in the bytes of a page, which begin with its header; a row without a value has `None`. Returns `None` if
/// the page is packed, has another encoding or is malformed.
pub(super) fn places(page: &[u8], rows: usize) -> Option<Vec<Option<Range<usize>>>> {
    let start = pages::plain_body(page, rows)?;
    let levels = start + LENGTH;
    let mut next = levels.checked_add(length(page, start)?)?;
    let have_values = levels_of_one_bit(page.get(levels..next)?, rows)?;
    let place = |has_value: bool| {
        if !has_value {
            return Some(None);
        }
        let start = next + LENGTH;
        let end = start.checked_add(length(page, next)?)?;
        next = end;
        (end <= page.len()).then_some(Some(start..end))
    };
    have_values.into_iter().map(place).collect()
}

/// The number of bytes of a length.
const LENGTH: usize = 4;

/// Reads the length at an offset.
fn length(page: &[u8], at: usize) -> Option<usize> {
    let length = page.get(at..)?.first_chunk::<LENGTH>()?;
    usize::try_from(u32::from_le_bytes(*length)).ok()
}

/// Returns whether each row has a value, according to runs of equal bits and runs of packed bits.
fn levels_of_one_bit(runs: &[u8], rows: usize) -> Option<Vec<bool>> {
    let mut runs = Thrift::new(runs);
    let mut levels = Vec::with_capacity(rows);
    while levels.len() < rows {
        let head = runs.unsigned()?;
        let count = usize::try_from(head >> 1).ok()?;
        let left = rows - levels.len();
        if head & 1 == 0 {
            let level = runs.byte()? != 0;
            levels.extend((0..count.min(left)).map(|_| level));
        } else {
            for _ in 0..count.min(left.div_ceil(8)) {
                let byte = runs.byte()?;
                levels.extend((0..8).map(|bit| byte >> bit & 1 != 0));
            }
            levels.truncate(rows);
        }
        if count == 0 {
            return None;
        }
    }
    Some(levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_runs_and_bits() {
        let bits = |runs: &[u8], rows| {
            let levels = levels_of_one_bit(runs, rows)?;
            Some(levels.into_iter().map(u8::from).collect::<Vec<u8>>())
        };
        assert_eq!(bits(&[6, 1], 3), Some(vec![1, 1, 1]));
        assert_eq!(bits(&[4, 1, 3, 0b0000_0101], 6), Some(vec![1, 1, 1, 0, 1, 0]));
        assert_eq!(bits(&[200, 1, 0], 4), Some(vec![0; 4]));
        for runs in [&[][..], &[6], &[0, 1], &[1, 1], &[4, 1], &[3], &[0x80; 12]] {
            assert_eq!(bits(runs, 3), None, "{runs:?}");
        }
    }
}
