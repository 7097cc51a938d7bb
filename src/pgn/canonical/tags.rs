//! The tags of a canonical game, one on each line.

use memchr::memchr;

/// Returns the lines of the tags of a canonical game, with their line breaks.
pub(crate) fn tag_lines(game: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = game;
    std::iter::from_fn(move || {
        if rest.first() != Some(&b'[') {
            return None;
        }
        let (line, behind) = rest.split_at(memchr(b'\n', rest).map_or(rest.len(), |length| length + 1));
        rest = behind;
        Some(line)
    })
}

/// Returns the names and values of the tags of a canonical game.
pub(crate) fn tags(game: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    tag_lines(game).filter_map(|line| {
        let gap = line.iter().position(|byte| *byte == b' ')?;
        let value = line.get(gap + 2..)?.trim_ascii_end().strip_suffix(b"\"]")?;
        Some((line.get(1..gap)?, value))
    })
}

/// Returns the text of a canonical game after its tags.
pub(crate) fn movetext(game: &[u8]) -> &[u8] {
    let tags: usize = tag_lines(game).map(<[u8]>::len).sum();
    game.get(tags..).unwrap_or_default()
}
