//! Measures the comments, variations and symbols of a movetext.

/// Counts the characters of comments and variations, and the symbols. Commands that programs write for programs, such as `[%clk 0:03:00]`, count as
/// one character.
pub(super) fn count(movetext: &[u8]) -> u32 {
    let mut count: u32 = 0;
    let (mut depth, mut in_comment, mut in_command) = (0_usize, false, false);
    for (place, byte) in movetext.iter().enumerate() {
        let is_counted = match byte {
            b'}' => {
                (in_comment, in_command) = (false, false);
                false
            }
            b']' if in_command => {
                in_command = false;
                true
            }
            _ if in_command => false,
            b'[' if in_comment && movetext.get(place + 1) == Some(&b'%') => {
                in_command = true;
                false
            }
            b'{' if !in_comment => {
                in_comment = true;
                false
            }
            b'(' if !in_comment => {
                depth += 1;
                false
            }
            b')' if !in_comment => {
                depth = depth.saturating_sub(1);
                false
            }
            b'$' | b'!' | b'?' => true,
            byte => (in_comment || depth > 0) && !byte.is_ascii_whitespace(),
        };
        count = count.saturating_add(is_counted.into());
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_beside_the_moves_counts() {
        for (movetext, expected) in [
            ("1. e4 e5 2. Nf3 1-0", 0),
            ("1.e4 e5! $14 *", 2),
            ("1. e4 {a b} e5 *", 2),
            ("1. e4 (1. d4) e5 *", 4),
            ("1. e4 {(} e5 2. Nf3 *", 1),
            ("1. e4 {[%clk 0:03:00]} e5 {[%eval 0.3] ok} *", 4),
        ] {
            assert_eq!(count(movetext.as_bytes()), expected, "{movetext}");
        }
    }
}
