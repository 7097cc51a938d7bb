//! Checks how many numbers a list of differences has before a decoder allocates memory for them.

use super::thrift::Thrift;

/// The most numbers of a block.
const MOST_BLOCK: u64 = 1 << 16;

/// Returns whether the list of differences at the start of these bytes has at most `most` numbers.
pub(super) fn is_list(bytes: &[u8], most: u64) -> bool {
    Header::read(&mut Thrift::new(bytes), most).is_some()
}

/// Does the same for the two lists of texts that share prefixes: the lengths of the prefixes and of the rests.
pub(super) fn are_lists_of_prefixes(bytes: &[u8], most: u64) -> bool {
    let mut reader = Thrift::new(bytes);
    pass_list(&mut reader, most)
        .and_then(|()| Header::read(&mut reader, most))
        .is_some()
}

struct Header {
    /// The numbers of each part of a block with a width of its own, and the parts of a block.
    part: u64,
    parts: u64,
    count: u64,
}

impl Header {
    fn read(reader: &mut Thrift<'_>, most: u64) -> Option<Header> {
        let (block, parts, count) = (reader.unsigned()?, reader.unsigned()?, reader.unsigned()?);
        reader.integer()?;
        let is_possible =
            block <= MOST_BLOCK && parts > 0 && block > 0 && block.is_multiple_of(parts * 8) && count <= most;
        is_possible.then(|| Header {
            part: block / parts,
            parts,
            count,
        })
    }
}

/// Skips a list.
fn pass_list(reader: &mut Thrift<'_>, most: u64) -> Option<()> {
    let Header { part, parts, count } = Header::read(reader, most)?;
    // The first number is in the header.
    let mut left = count.saturating_sub(1);
    while left > 0 {
        reader.integer()?;
        let widths: Option<Vec<u8>> = (0..parts).map(|_| reader.byte()).collect();
        for width in widths? {
            if left == 0 {
                break;
            }
            reader.pass(usize::try_from(part / 8 * u64::from(width)).ok()?)?;
            left = left.saturating_sub(part);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_compared_with_what_can_be() {
        // Blocks of 128 numbers in 4 parts; three numbers, two of them in a part of one bit each; then a list of 200.
        let lists = [
            &[0x80, 1, 4, 3, 0, 0, 1, 0, 0, 0, 9, 9, 9, 9][..],
            &[0x80, 1, 4, 0xc8, 1, 0],
        ]
        .concat();
        assert!(is_list(&lists, 3));
        assert!(!is_list(&lists, 2));
        assert!(are_lists_of_prefixes(&lists, 200));
        assert!(!are_lists_of_prefixes(&lists, 199));
        assert!(!is_list(&[0x80, 1, 0, 3, 0], 3), "no parts");
    }
}
