//! How many games a thread takes at once.

use super::layout::PAGE_GAMES;

/// A file has at least so many parts for threads, if it has games for so many.
const LEAST_PARTS: u64 = 16;
/// A part has at least so many games, as long as their texts are short.
const LEAST_GAMES: u64 = 64;
/// About as much text as a part has, if that is more than one game.
const PART_BYTES: u64 = 4 << 20;

/// How many games a part has, in a row group with so many games and bytes of text: those of a page, but fewer of a small file, so
/// that there are parts for all threads, and of long texts, so that they fit into memory.
pub(super) fn part_games(file_games: u64, group_games: u64, text_bytes: u64) -> usize {
    let in_file = (file_games / LEAST_PARTS).next_power_of_two().max(LEAST_GAMES);
    let in_text = group_games.saturating_mul(PART_BYTES) / text_bytes.max(1);
    usize::try_from(in_file.min(in_text)).map_or(PAGE_GAMES, |games| games.clamp(1, PAGE_GAMES))
}
