//! Checks whether the numbers of the moves agree with the side to move.
//!
//! A missing move rarely makes the moves after it illegal: the wrong side plays them, and some are legal for it. The numbers tell: `2. Nf3` is
//! not a move of Black's, `2... Nc6` not one of White's. Numbers are often wrong too, so only those that contradict the side count, and none where
//! every single move has a number of its own. If the main line skips whole moves and never returns to its count, there is only a warning.

use shakmaty::Color;

use crate::limits::InterruptHandle;
use crate::pgn::canonical::{ODD_MOVE, Token, Tokens};
use crate::pgn::lexer::without_terminator;

/// The number of words at the end of a game in which its last number is looked for.
const LAST_WORDS: usize = 12;

/// A line of moves.
#[derive(Clone, Copy)]
struct Line {
    /// The number of moves from the start of the game.
    plies: i64,
    /// The half-move number of the first move of the game, according to the last number, or `None` before any number.
    first: Option<i64>,
    /// The half-move number that the first move of the game should have.
    due: i64,
    /// Whether White makes the first move.
    is_whites: bool,
}

/// Where the numbers of the main line leave their count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Jump {
    /// The place of the number in the movetext.
    pub(crate) place: usize,
    /// The number.
    pub(crate) number: i64,
    /// The number that is due there.
    pub(crate) due: i64,
}

/// The count of the main line.
#[derive(Default)]
struct Count {
    /// The half-move number of the first move.
    first: Option<i64>,
    jump: Option<Jump>,
}

impl Count {
    /// Records a number at a place in the text, before the next move of the line. Its dots do not count.
    fn note(&mut self, number: Number, place: usize, line: &Line) {
        let said = 2 * (number.half_move / 2) + i64::from(line.is_blacks_turn()) - line.plies;
        let first = *self.first.get_or_insert(said);
        let difference = said - first;
        if difference == 0 {
            self.jump = None;
        } else if self.jump.is_none() {
            let number = number.half_move / 2;
            self.jump = Some(Jump {
                place,
                number,
                due: number - difference / 2,
            });
        }
    }
}

/// A number and its dots, as a half-move number: 2 for `1.`, 3 for `1...`.
#[derive(Clone, Copy)]
struct Number {
    half_move: i64,
    is_black: bool,
}

impl Number {
    fn new(number: i64, dots: usize) -> Number {
        let is_black = dots > 1;
        Number {
            half_move: 2 * number + i64::from(is_black),
            is_black,
        }
    }
}

/// Returns whether the last number of a game from the usual start agrees with the length of its main line. Returns `false` if a glance cannot tell.
pub(crate) fn agrees(movetext: &[u8], plies: u32) -> bool {
    let mut rest = without_terminator(movetext);
    let mut moves = 0;
    let mut dots = 0;
    for _ in 0..LAST_WORDS {
        rest = rest.trim_ascii_end();
        if rest.ends_with(b"}") {
            let Some(open) = memchr::memrchr(b'{', rest) else {
                return false;
            };
            moves += i64::from(rest.get(open + 1) == Some(&ODD_MOVE));
            rest = rest.get(..open).unwrap_or_default();
            continue;
        }
        let begin = rest
            .iter()
            .rposition(|byte| byte.is_ascii_whitespace() || matches!(byte, b'}' | b'(' | b')'))
            .map_or(0, |before| before + 1);
        let (before, word) = rest.split_at(begin);
        match Tokens::of(word).next() {
            None => return plies == 0 && moves == 0,
            Some((Token::Number { value, dots: own }, place)) => {
                moves += i64::from(place.end < word.len());
                return Number::new(i64::from(value), dots + own).half_move - 2 + moves == i64::from(plies);
            }
            Some((Token::Dot, _)) => dots += word.len(),
            Some((Token::Nag, _)) => {}
            Some(_) => moves += 1,
        }
        rest = before;
    }
    false
}

/// Finds the moves before which another one is missing, by their numbers among all moves of the text, from 1. `start` is the side that moves first in
/// the position of the FEN tag and the number of that move. Returns where the numbers of the main line leave their count for good, before the
/// first such move in it.
pub(crate) fn doubts(
    movetext: &[u8],
    start: Option<(Color, i64)>,
    watch: &InterruptHandle,
    doubts: &mut Vec<usize>,
) -> Option<Jump> {
    doubts.clear();
    let mut lines = vec![Line {
        plies: 0,
        first: start.is_none().then_some(2),
        due: start.map_or(2, |(color, number)| 2 * number + i64::from(color.is_black())),
        is_whites: start.is_none_or(|(color, _)| color.is_white()),
    }];
    let mut number: Option<(i64, usize)> = None;
    let mut met = 0;
    let mut each = EachNumbered::default();
    let mut count = Count::default();
    let (mut is_main_cut, mut place) = (false, 0);
    for (token, at) in Tokens::of(without_terminator(movetext)) {
        match token {
            Token::Word | Token::OddMove(_) => {}
            Token::Number { value, dots } => {
                number = Some((i64::from(value), dots));
                place = at.start;
                continue;
            }
            Token::Dot => {
                number = number.map(|(value, dots)| (value, dots + 1));
                continue;
            }
            Token::Open => {
                number = None;
                if let Some(line) = lines.last().copied() {
                    lines.push(Line {
                        plies: line.plies - 1,
                        ..line
                    });
                }
                continue;
            }
            Token::Close => {
                number = None;
                if lines.len() > 1 {
                    lines.pop();
                }
                continue;
            }
            // The unread rest begins with the number of its first move, unless a comment or symbol comes between.
            Token::Comment(_) | Token::Nag | Token::OddNag(_) => {
                number = None;
                continue;
            }
        }
        met += 1;
        if watch.is_over_at(met) {
            return None;
        }
        let number = number.take().map(|(number, dots)| Number::new(number, dots));
        let is_main = lines.len() == 1;
        let line = lines.last_mut()?;
        if is_main {
            each.note(number);
        }
        if let Some(number) = number {
            // The first number of a game from another position can be anything.
            let counts = is_main && !is_main_cut && (start.is_none() || line.plies > 0);
            if line.contradicts(number) {
                doubts.push(met);
                is_main_cut |= is_main;
            } else if counts {
                count.note(number, place, line);
            }
        }
        line.plies += 1;
    }
    if each.is_so() {
        doubts.clear();
        return None;
    }
    count.jump
}

/// Returns the number before the first move and its place, if there is one.
pub(crate) fn first_number(movetext: &[u8]) -> Option<(usize, i64)> {
    let mut tokens = Tokens::of(without_terminator(movetext));
    match tokens.find(|(token, _)| !matches!(token, Token::Comment(_)))? {
        (Token::Number { value: value @ 1.., .. }, place) => Some((place.start, i64::from(value))),
        _ => None,
    }
}

impl Line {
    /// Returns whether Black makes the next move.
    fn is_blacks_turn(&self) -> bool {
        self.is_whites != (self.plies % 2 == 0)
    }

    /// Returns whether a number says that the other side is to move. Later numbers are compared with it in any case.
    fn contradicts(&mut self, number: Number) -> bool {
        let said = number.half_move - self.plies;
        let is_blacks_turn = self.is_blacks_turn();
        if self.first.is_none() && number.is_black != is_blacks_turn {
            // Dots before White's move say nothing about later numbers, and Black's move may be written as `9. Nf6`.
            self.first = is_blacks_turn.then_some(said + 1);
            return false;
        }
        let difference = said - self.first.unwrap_or(said);
        // Black's move after a comment or at the start of a variation is often written as `12. Nf6`. The numbers before it may be wrong, and then
        // differ from it.
        if !number.is_black && (difference == -1 || said - self.due == -1) {
            return false;
        }
        self.first = Some(said);
        difference % 2 != 0
    }
}

/// Counts whether all moves of the main line have numbers of their own: 1, 2, 3.
#[derive(Default)]
struct EachNumbered {
    moves: i64,
    numbered: i64,
}

impl EachNumbered {
    fn note(&mut self, number: Option<Number>) {
        self.moves += 1;
        let is_next = number.is_some_and(|number| number.half_move == 2 * self.moves);
        self.numbered += i64::from(is_next);
    }

    fn is_so(&self) -> bool {
        self.moves > 2 && self.numbered == self.moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(movetext: &str) -> Vec<usize> {
        let mut found = Vec::new();
        doubts(movetext.as_bytes(), None, &InterruptHandle::default(), &mut found);
        found
    }

    #[test]
    fn a_missing_move_is_seen_by_the_numbers() {
        for (movetext, doubtful) in [
            ("1. e4 2. Nf3 *", 2),
            ("1. e4 e5 2... Nc6 *", 3),
            ("1. e4 e5 2. Nf3 3. Bb5 a6 4. Ba4 1-0", 4),
            ("1. e4 {[%clk 1:00]} 2. Nf3 {[%clk 1:00]} 1/2-1/2", 2),
            ("1. e4 e5 (1... c5 2... d6) 2. Nf3 *", 4),
            ("1. e4 e5 2. Nf3 (2... Nc6) *", 4),
            ("1... e5 *", 1),
            ("1. e4 {\u{1}e7-e5} 2. Nf3 3. Bb5 *", 4),
        ] {
            assert_eq!(found(movetext), [doubtful], "{movetext}");
        }
    }

    #[test]
    fn wrong_numbers_are_harmless_unless_they_name_the_other_side() {
        for movetext in [
            "1. e4 e5 2. Nf3 Nc6 *",
            "1. e4 1... e5 2. Nf3 2... Nc6 *",
            "1. e4 1. e5 2. Nf3 2. Nc6 *",
            "1.e4 e5 (1. c5) 2.Nf3 (2. Nc3 Nf6) 2... Nc6 *",
            "1. e4 e5 3. Nf3 Nc6 4. Bb5 *",
            "7. e4 e5 8. Nf3 (8. Nc3 Nc6) 8. ... Nc6 *",
            "1. e4 2. e5 3. Nf3 4. Nc6 *",
            "e4 e5 Nf3 *",
            "1 e4 e5 2 Nf3 Nc6 0-1",
        ] {
            assert_eq!(found(movetext), Vec::<usize>::new(), "{movetext}");
        }
    }

    #[test]
    fn numbers_that_leave_their_count_for_good_are_seen() {
        let jump = |movetext: &'static str, start: Option<Color>| {
            let start = start.map(|color| (color, 1));
            let jump = doubts(movetext.as_bytes(), start, &InterruptHandle::default(), &mut Vec::new());
            jump.map(|Jump { place, number, due }| (&movetext[place..place + 2], number, due))
        };
        for (movetext, expected) in [
            ("1. e4 e5 3. Nf3 Nc6 4. Bb5 *", ("3.", 3, 2)),
            ("1. e4 e5 2. Nf3 Nc6 2. Bb5 a6 3. Ba4 *", ("2.", 2, 3)),
            ("7. e4 e5 9. Nf3 *", ("9.", 9, 8)),
            ("1. e4 1. e5 3. Nf3 3. Nc6 *", ("3.", 3, 2)),
            (
                "1. e4 e5 (1... c5 5. Nf3) 3. Nf3 (3. Nc3) 3... Nc6 4. Bb5 2. a6 *",
                ("3.", 3, 2),
            ),
            ("1. e4 e5 3. Nf3 4. Bb5 *", ("3.", 3, 2)),
        ] {
            assert_eq!(jump(movetext, None), Some(expected), "{movetext}");
        }
        for movetext in [
            "1. e4 e5 2. Nf3 Nc6 *",
            "1. e4 e5 3. Nf3 Nc6 3. Bb5 *",
            "1. e4 2. e5 3. Nf3 4. Nc6 *",
            "12. Nf3 Nf6 13. Ng1 *",
            "1. e4 e5 (1... c5 5. Nf3) 2. Nf3 *",
            "e4 e5 Nf3 *",
            "1. e4 2. Nf3 4. Bb5 *",
        ] {
            assert_eq!(jump(movetext, None), None, "{movetext}");
        }
        for movetext in ["9. Re5 10. Rxe5+ Kd8 11. Kd2 *", "1... Kd8 1. e4 Kd7 2. e5 *"] {
            assert_eq!(jump(movetext, Some(Color::Black)), None, "{movetext}");
        }
        let behind_a_hole = jump("9... Re5 10. Rxe5+ Kd8 12. Kd2 *", Some(Color::Black));
        assert_eq!(behind_a_hole, Some(("12", 12, 11)));
    }

    #[test]
    fn a_first_move_of_black_may_have_the_number_of_white() {
        for (movetext, doubtful) in [
            ("9. Re5 10. Rxe5+ Kd8 *", &[][..]),
            ("1... 9.Re5 2. Rxe5+ Kd8 *", &[]),
            ("1. Re5 Rxe5 2. Kd8 *", &[]),
            ("9. Re5 10... Kd8 *", &[2]),
        ] {
            let mut found = Vec::new();
            doubts(
                movetext.as_bytes(),
                Some((Color::Black, 1)),
                &InterruptHandle::default(),
                &mut found,
            );
            assert_eq!(found, doubtful, "{movetext}");
        }
    }

    #[test]
    fn the_glance_at_the_end_sees_what_the_whole_text_says() {
        for (movetext, plies) in [
            ("1. e4 e5 2. Nf3 *", 3),
            ("1. e4 e5 1-0", 2),
            ("1.e4 e5 2.Nf3 Nc6 1/2-1/2", 4),
            ("1. e4 {a} 1... e5 {b} *", 2),
            ("1. e4 $1 e5 $2 *", 2),
            ("1. e4 {\u{1}0-0\u{1}O-O} *", 2),
            ("*", 0),
        ] {
            assert!(agrees(movetext.as_bytes(), plies), "{movetext}");
            assert!(!agrees(movetext.as_bytes(), plies + 1), "{movetext}");
        }
        for movetext in ["1. e4 2. Nf3 *", "1. e4 e5 (1... c5) *", "e4 e5 *"] {
            assert!(!agrees(movetext.as_bytes(), 2), "{movetext}");
        }
    }
}
