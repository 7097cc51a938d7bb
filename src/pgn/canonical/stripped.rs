//! Stripped movetext: without comments and move numbers. Most searches read nothing else.

use memchr::{memchr, memchr_iter, memchr3};

use super::markers::{ODD_MOVE, ODD_NAG};

/// The usual length of the words between two numbers or comments.
const SHORT: usize = 16;

/// Appends movetext to `words` without move numbers (`12.`, `12...`) and with a space for each comment except a leading one. Readers need no
/// numbers, and these are a third of the words. Returns `None` if a comment is not plain: it marks a move or a symbol, contains braces, or contains
/// a control byte that marks something in canonical text.
pub(crate) fn push_words(body: &[u8], words: &mut Vec<u8>) -> Option<()> {
    let start = words.len();
    words.resize(start + body.len() + SHORT, b' ');
    let mut copy = BareCopy {
        body,
        kept: 0,
        words: words.get_mut(start..).unwrap_or_default(),
        at: 0,
    };
    let has_comments = memchr(b'{', body).is_some();
    let mut comments = 0;
    let mut place = copy.go_to(0);
    while let Some(mark) = match has_comments {
        true => next_of([b'.', b'{'], body, place),
        false => next_of([b'.'], body, place),
    } {
        if body.get(mark) == Some(&b'.') {
            copy.leave_out_number(mark);
            place = copy.kept.max(mark + 1);
            continue;
        }
        comments += 1;
        copy.end_words(mark);
        place = copy.go_to(mark + memchr(b'}', body.get(mark..)?)? + 1);
    }
    copy.end_words(body.len());
    let length = copy.at;
    words.truncate(start + length);
    // All comments are checked at once, as they are short and many.
    let are_plain =
        !has_comments || memchr_iter(b'{', body).count() == comments && memchr3(0, ODD_MOVE, ODD_NAG, body).is_none();
    are_plain.then_some(())
}

/// Returns the next place at or after `from` that has one of these bytes. It is probably near, so eight bytes are compared at a time.
#[inline(always)]
fn next_of<const N: usize>(bytes: [u8; N], text: &[u8], from: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut place = from;
    while let Some(chunk) = text.get(place..).and_then(|rest| rest.first_chunk()) {
        // The highest bit of an equal byte is set. Bits of higher bytes may be set too.
        let found = bytes.iter().fold(0, |found, byte| {
            let differing = u64::from_le_bytes(*chunk) ^ (ONES * u64::from(*byte));
            found | differing.wrapping_sub(ONES) & !differing
        });
        let found = found & (ONES << 7);
        if found != 0 {
            return Some(place + found.trailing_zeros() as usize / 8);
        }
        place += 8;
    }
    let rest = text.get(place..)?;
    let found = rest.iter().position(|byte| bytes.contains(byte));
    found.map(|at| place + at)
}

/// An unfinished copy of movetext that leaves parts out.
struct BareCopy<'a> {
    body: &'a [u8],
    /// Where the next words begin.
    kept: usize,
    words: &'a mut [u8],
    /// Where the next words go. There is room for all of them and for a few more bytes.
    at: usize,
}

impl BareCopy<'_> {
    /// Leaves out the number that ends with the dot, if there is one, and the white space after it, so that no line becomes empty.
    #[inline(always)]
    fn leave_out_number(&mut self, dot: usize) {
        let number = match self.body.get(dot.wrapping_sub(3)..dot) {
            // Nearly all have two digits or one. Control bytes in front that are not white space stay, and a game that has them is not plain.
            Some(&[..=b' ', b'1'..=b'9', b'0'..=b'9']) => dot - 2,
            Some(&[_, ..=b' ', b'1'..=b'9']) => dot - 1,
            _ => match self.number_before(dot) {
                Some(number) => number,
                None => return,
            },
        };
        self.copy_to(number);
        self.skip_gap(self.behind_dots(dot));
    }

    /// Returns the place after a dot and any dots that follow it.
    #[inline(always)]
    fn behind_dots(&self, dot: usize) -> usize {
        let mut behind = dot + 1;
        while self.body.get(behind) == Some(&b'.') {
            behind += 1;
        }
        behind
    }

    /// Continues after a comment, or at the start. Skips white space and a number, which follows most comments.
    #[inline(always)]
    fn go_to(&mut self, place: usize) -> usize {
        let word = self.skip_gap(place);
        let dot = match self.body.get(word..).and_then(|rest| rest.first_chunk()) {
            Some([b'1'..=b'9', b'0'..=b'9', b'.']) => word + 2,
            Some([b'1'..=b'9', b'.', _]) => word + 1,
            _ => return word,
        };
        self.skip_gap(self.behind_dots(dot))
    }

    /// Returns where the number begins that ends before the dot.
    #[inline(never)]
    fn number_before(&self, dot: usize) -> Option<usize> {
        let before = self.body.get(self.kept..dot)?;
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let (words, number) = before.split_at(before.len() - digits);
        let is_word = words.last().is_none_or(|byte| is_gap(*byte) || *byte == b'(');
        (is_word && matches!(number.first(), Some(b'1'..=b'9'))).then_some(dot - digits)
    }

    /// Copies the words up to a place and ends them with a space, if there are any.
    #[inline(always)]
    fn end_words(&mut self, end: usize) {
        let is_blank = end > self.kept && self.body.get(end - 1) == Some(&b' ');
        self.copy_to(end - usize::from(is_blank));
        if self.at > 0
            && let Some(byte) = self.words.get_mut(self.at)
        {
            *byte = b' ';
            self.at += 1;
        }
    }

    /// Continues at a place, after any white space there, and returns where.
    #[inline(always)]
    fn skip_gap(&mut self, place: usize) -> usize {
        self.kept = place;
        while self.body.get(self.kept).is_some_and(|byte| is_gap(*byte)) {
            self.kept += 1;
        }
        self.kept
    }

    /// Copies the words up to a place.
    #[inline(always)]
    fn copy_to(&mut self, end: usize) {
        let length = end.saturating_sub(self.kept);
        let (Some(from), Some(to)) = (self.body.get(self.kept..), self.words.get_mut(self.at..)) else {
            return;
        };
        // Copies few bytes as one piece of fixed length, with whatever follows them.
        match (from.first_chunk::<SHORT>(), to.first_chunk_mut::<SHORT>()) {
            (Some(from), Some(to)) if length <= SHORT => *to = *from,
            _ => to.iter_mut().zip(from).take(length).for_each(|(to, from)| *to = *from),
        }
        self.at += length;
    }
}

/// Returns whether the byte is common white space, which always ends a word. Other kinds are rare.
pub(crate) const fn is_gap(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns movetext without its comments and numbers.
    fn stripped(movetext: &str) -> String {
        let mut words = Vec::new();
        push_words(movetext.as_bytes(), &mut words).expect("plain comments");
        String::from_utf8(words).expect("letters")
    }

    #[test]
    fn numbers_go_with_the_white_space_behind_them() {
        for (movetext, expected) in [
            ("1.e4 e5 2.Nf3 Nc6", "e4 e5 Nf3 Nc6 "),
            ("1. e4 1... e5 2. Nf3", "e4 e5 Nf3 "),
            ("1.e4 e5\n10.\nNf3 Nc6\r\n  11.Bb5", "e4 e5\nNf3 Nc6\r\n  Bb5 "),
            ("1.e4 {a. 2. b} 1...e5 { 3. }2.Nf3{}", "e4 e5 Nf3  "),
            ("e4 12 e5 .. 1 . d4", "e4 12 e5 .. 1 . d4 "),
            ("01.e4 0.e5 e42.d4 1.2.3.d5", "01.e4 0.e5 e42.d4 d5 "),
            ("1.e4 (1.d4 (1. c4)) (1... e5 2.f4)", "e4 (d4 (c4)) (e5 f4) "),
            ("", ""),
            ("1.", ""),
            ("  123456789.", ""),
            ("{a} {b} 1. e4", "e4 "),
            (
                "e4 {a} 1... {b} 123. e5 {c} 12 {d} 7.. {e} 0. d4 {f}45.",
                "e4  e5 12  0. d4  ",
            ),
            (
                "Qa1b2c3d4e5f6g7h8xyz Qa1b2c3d4e5f6g7h8xyz 7.e4",
                "Qa1b2c3d4e5f6g7h8xyz Qa1b2c3d4e5f6g7h8xyz e4 ",
            ),
        ] {
            assert_eq!(stripped(movetext), expected, "{movetext:?}");
        }
    }

    #[test]
    fn marks_braces_and_zeros_in_comments_are_not_plain() {
        for movetext in [
            "e4 {\u{1}e5}",
            "e4 {\u{4}300}",
            "e4 {a {b} c}",
            "e4 {\0}",
            "e4 {never closed",
        ] {
            assert_eq!(push_words(movetext.as_bytes(), &mut Vec::new()), None, "{movetext:?}");
        }
    }
}
