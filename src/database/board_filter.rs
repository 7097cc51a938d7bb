//! The boards that occur in a row group: a Bloom filter of their keys. For each board, a search reads one block.
//!
//! The bits of a key are all in one block, as in the split block Bloom filters of Parquet, so that one read of the file is enough. Each block ends
//! with a checksum, and a damaged one rules nothing out. With eleven bits per key, about one in 160 absent boards seems to be there.

use bytes::Bytes;

use crate::board::BoardKey;

/// The bytes of a block.
pub(super) const BLOCK: usize = 64;
/// The bytes of its checksum, after the bits.
const SUM: usize = 4;
/// The bits of a block that keys set: the greatest prime number that fits, so that the bits of a key differ.
const BITS: u64 = 479;
/// The keys of a block, which gives eleven bits to each.
const KEYS: usize = 42;
/// The digits of the number of blocks of a row group.
pub(super) const DIGITS: usize = 8;
/// The number of bits that a key sets.
const PROBES: u64 = 8;

/// The blocks of a row group. There are none if nothing is known about its boards.
#[derive(Clone, Default)]
pub(super) struct BoardFilter {
    pub(super) bytes: Bytes,
}

impl BoardFilter {
    /// Makes the filter of these keys, which may be repeated.
    pub(super) fn of(mut keys: Vec<BoardKey>) -> BoardFilter {
        keys.sort_unstable();
        keys.dedup();
        let count = keys.len().div_ceil(KEYS);
        let mut blocks = vec![[0; BLOCK]; count];
        for key in keys {
            if let Some(block) = blocks.get_mut(place(key, count)) {
                bits(key).for_each(|(byte, bit)| block[byte] |= bit);
            }
        }
        for block in &mut blocks {
            let (bits, sum) = block.split_at_mut(BLOCK - SUM);
            sum.copy_from_slice(&crc32fast::hash(bits).to_le_bytes());
        }
        BoardFilter {
            bytes: blocks.into_flattened().into(),
        }
    }

    /// Returns the number of blocks.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() / BLOCK
    }
}

/// Returns numbers of blocks as hexadecimal digits without separators.
pub(super) fn lengths_to_text(blocks: &[usize]) -> String {
    blocks.iter().map(|blocks| format!("{blocks:0DIGITS$x}")).collect()
}

/// Returns the index of a key's block among this many, which must not be 0.
pub(super) fn place(key: BoardKey, blocks: usize) -> usize {
    ((u128::from(key.0) * blocks as u128) >> 64) as usize
}

/// Returns whether a board with this key may occur, according to its block.
pub(super) fn may_have(block: &[u8], key: BoardKey) -> bool {
    let Some((bits_of_block, sum)) = block.split_last_chunk::<SUM>() else {
        return true;
    };
    let is_whole = block.len() == BLOCK && crc32fast::hash(bits_of_block) == u32::from_le_bytes(*sum);
    !is_whole || bits(key).all(|(byte, bit)| bits_of_block[byte] & bit != 0)
}

/// Returns the bytes and bits of a key in its block.
fn bits(key: BoardKey) -> impl Iterator<Item = (usize, u8)> {
    // The high bits choose the block, so they are mixed into the low ones here.
    let mixed = (key.0 ^ (key.0 >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let (start, step) = (mixed >> 32, 1 + (mixed & 0xffff_ffff) % (BITS - 1));
    (0..PROBES).map(move |probe| {
        let bit = (start + probe * step) % BITS;
        ((bit / 8) as usize, 1 << (bit % 8))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_have_any(filter: &BoardFilter, key: u64) -> bool {
        let key = BoardKey(key);
        let place = place(key, filter.len());
        may_have(&filter.bytes[place * BLOCK..][..BLOCK], key)
    }

    #[test]
    fn keys_are_found_and_few_others() {
        let mut random = fastrand::Rng::with_seed(7);
        for count in [1, 41, 42, 43, 5_000, 150_000] {
            let keys: Vec<u64> = std::iter::repeat_with(|| random.u64(..)).take(count).collect();
            let filter = BoardFilter::of(keys.iter().chain(&keys).copied().map(BoardKey).collect());
            assert_eq!(filter.len(), count.div_ceil(KEYS));
            assert!(keys.iter().all(|key| may_have_any(&filter, *key)));
            let others = 20_000;
            let found = (0..others).filter(|_| may_have_any(&filter, random.u64(..))).count();
            assert!(found < others / 100, "{found} of {others} beside {count}");
        }
    }

    #[test]
    fn damaged_blocks_rule_nothing_out() {
        let filter = BoardFilter::of(vec![BoardKey(5)]);
        assert!(!may_have(&filter.bytes, BoardKey(6)));
        for bit in 0..8 * BLOCK {
            let mut block = filter.bytes.to_vec();
            block[bit / 8] ^= 1 << (bit % 8);
            assert!(may_have(&block, BoardKey(5)) && may_have(&block, BoardKey(6)), "{bit}");
        }
        assert!(may_have(&[], BoardKey(6)) && may_have(&filter.bytes[1..], BoardKey(6)));
    }
}
