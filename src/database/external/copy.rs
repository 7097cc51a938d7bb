//! Copies of databases that other programs have written: they have the columns, but not what skewer needs to trust them. So their games are read
//! from their text, like those of other archives.

use crate::game::{BACKSLASH, INNER_QUOTE};
use crate::pgn::{movetext, push_written};

/// The columns with the text of a game.
pub(super) const TAG_ORDER: &str = "tag_order";
pub(super) const OTHER_TAGS: &str = "other_tags";
pub(super) const PGN: &str = "pgn";

/// The columns that mark a table as a copy of a database.
pub(super) const MARKS: [&str; 6] = [TAG_ORDER, OTHER_TAGS, PGN, "movetext", "outcome", "events"];

/// Writes canonical text as it may be written in a PGN file: moves and symbols that are not canonical appear unmarked, and so do quotes in tags.
pub(super) fn write_plain(canonical: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    let (tags, movetext) = canonical.split_at(canonical.len() - movetext(canonical).len());
    out.extend_from_slice(tags);
    push_written(movetext, out);
    for byte in out.get_mut(start..).unwrap_or_default() {
        match *byte {
            INNER_QUOTE => *byte = b'"',
            BACKSLASH => *byte = b'\\',
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_canonical_stands_for_itself() {
        let plain = |text: &str| {
            let mut out = Vec::new();
            write_plain(text.as_bytes(), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(
            plain("1. {\u{1}e2-e4\u{1}e4} e5 {\u{4}300} {good} 1-0"),
            "1. e2-e4 e5 $300 {good} 1-0"
        );
        assert_eq!(plain("[White \"\u{2}A\u{2} \u{3}\"]"), "[White \"\"A\" \\\"]");
        assert_eq!(plain("1. {\u{1}open"), "1. open");
    }
}
