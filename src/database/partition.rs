//! Decides how many games a thread takes at once.

use super::layout::{GROUP_GAMES, PAGE_GAMES};

/// A file has at least this many parts for threads, if it has enough games.
const LEAST_PARTS: u64 = 16;
/// In a file with more parts than this, parts are larger than a page: each part has to be handed over, and its thread starts again with each
/// column.
const MANY_PARTS: u64 = 256;
/// A part has at least this many games while their texts are short.
const LEAST_GAMES: u64 = 64;
/// The bytes of text, roughly, in a part of more than one game.
const PART_BYTES: u64 = 4 << 20;

/// Returns how many games a part has, in a row group with this many games and bytes of text. This is a page, but less in a small file, so that there
/// are parts for all threads, more in a large one, and less with long texts, so that parts fit into memory.
pub(super) fn partition_games(file_games: u64, group_games: u64, text_bytes: u64) -> usize {
    let whole = |games: u64| games.next_power_of_two().max(LEAST_GAMES);
    let in_page = whole(file_games / LEAST_PARTS).min(PAGE_GAMES as u64);
    let in_file = whole(file_games / MANY_PARTS).max(in_page);
    let in_text = group_games.saturating_mul(PART_BYTES) / text_bytes.max(1);
    usize::try_from(in_file.min(in_text)).map_or(GROUP_GAMES, |games| games.clamp(1, GROUP_GAMES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_have_parts_for_all_threads_and_large_files_large_ones() {
        for (file_games, games) in [
            (1, 64),
            (3_000, 256),
            (10_000, PAGE_GAMES),
            (130_000, PAGE_GAMES),
            (150_000, 2 * PAGE_GAMES),
            (1_000_000, GROUP_GAMES),
            (u64::MAX, GROUP_GAMES),
        ] {
            assert_eq!(partition_games(file_games, 2048, 1 << 20), games, "{file_games}");
        }
    }

    #[test]
    fn parts_of_long_texts_have_few_games() {
        assert_eq!(partition_games(1_000_000, 2048, 16 << 20), 512);
        assert_eq!(partition_games(1_000_000, 4, 64 << 20), 1);
    }
}
