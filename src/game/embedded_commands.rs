//! Commands embedded in comments, for evaluations and clocks, and the annotation symbols that judge moves.
//!
//! ```text
//! 12. Nf3 $4 { [%eval -1.35,22] [%clk 0:03:07.5] }
//! ```
//!
//! The commands are those of the PGN supplement of Alan Cowderoy (`%clk`, `%emt`) and the one that Lichess and ChessBase have added
//! (`%eval`). A command written in another way counts as missing.

use shakmaty::Color;

use crate::chess::Position;

/// The evaluation of a position that is already mate. A mate in `n` moves has this minus `n`.
const MATE: i32 = 100_000;
/// The greatest evaluation without a mate, and the greatest number of moves to a mate.
pub(super) const MOST_CENTIPAWNS: i32 = 90_000;
const MOST_MOVES_TO_MATE: i32 = 9_999;
/// ChessBase writes a mate in `n` moves as this number of centipawns minus `n`.
const CHESSBASE_MATE: i32 = 32_767;
const CHESSBASE_LEAST_MATE: i32 = 32_000;

/// The commands and symbols read from a game, by position.
///
/// Most games have none. The buffers are reused for the next game.
#[derive(Clone, Default, Debug)]
pub struct Commands {
    /// By position. Positions beyond the end have no values.
    values: Vec<PositionValues>,
    /// Annotation symbols with their positions, in the order of the positions.
    symbols: Vec<(u32, u32)>,
    /// Positions whose clocks have two fields whose meaning is not yet decided. Until then, the clocks are read as minutes and seconds.
    pub(crate) short_clocks: Vec<u32>,
    /// The first position whose clock has two fields separated by a dot. Their meaning is unknown, so it has no value.
    pub(crate) dotted_clock: Option<u32>,
}

/// The values given by commands for one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PositionValues {
    /// Centipawns or mate, from White's side.
    pub(crate) evaluation: Option<i32>,
    /// The depth of the engine's search.
    pub(crate) depth: Option<u16>,
    /// The time left to the side that has moved, in tenths of a second.
    pub(crate) clock: Option<i32>,
    /// The time taken by the move, from `%emt`, in tenths of a second.
    pub(crate) spent: Option<i32>,
}

impl Commands {
    /// Clears everything for a new game.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.symbols.clear();
        self.short_clocks.clear();
        self.dotted_clock = None;
    }

    /// Returns whether there are clocks whose meaning is not yet decided.
    pub(crate) fn has_unclear_clocks(&self) -> bool {
        !self.short_clocks.is_empty() || self.dotted_clock.is_some()
    }

    /// Returns whether no position has a command or symbol.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.symbols.is_empty()
    }

    /// Returns the values given by commands for a position.
    pub(crate) fn values(&self, position: u32) -> PositionValues {
        self.values.get(position as usize).copied().unwrap_or_default()
    }

    /// Returns the annotation symbols of the move to a position.
    pub fn symbols(&self, position: u32) -> impl Iterator<Item = u32> {
        let start = self.symbols.partition_point(|(owner, _)| *owner < position);
        let of_it = self.symbols[start..]
            .iter()
            .take_while(move |(owner, _)| *owner == position);
        of_it.map(|(_, symbol)| *symbol)
    }

    /// Reads the commands of a comment on a position. If several give the same value, the first counts.
    pub(crate) fn read(&mut self, position: &Position, comment: &[u8]) {
        for (name, value) in commands(comment) {
            self.read_command(position, name, value);
        }
    }

    fn read_command(&mut self, position: &Position, name: &[u8], value: &[u8]) {
        match name {
            b"eval" => {
                if let Some((evaluation, depth)) = evaluation(value, position.turn) {
                    let values = self.values_mut(position.id);
                    if values.evaluation.is_none() {
                        (values.evaluation, values.depth) = (Some(evaluation), depth);
                    }
                }
            }
            b"clk" if is_dotted_clock(value) => {
                self.dotted_clock.get_or_insert(position.id);
            }
            b"clk" => {
                if let Some(tenths) = tenths(value)
                    && self.values(position.id).clock.is_none()
                {
                    self.values_mut(position.id).clock = Some(tenths);
                    if is_short_clock(value) {
                        self.short_clocks.push(position.id);
                    }
                }
            }
            b"emt" => {
                if let Some(tenths) = tenths(value) {
                    self.values_mut(position.id).spent.get_or_insert(tenths);
                }
            }
            _ => {}
        }
    }

    /// Returns the values of the first `positions` positions, to be changed.
    pub(crate) fn first_values(&mut self, positions: usize) -> &mut [PositionValues] {
        if self.values.len() < positions {
            self.values.resize(positions, PositionValues::default());
        }
        &mut self.values[..positions]
    }

    pub(crate) fn values_mut(&mut self, position: u32) -> &mut PositionValues {
        let position = position as usize;
        if self.values.len() <= position {
            self.values.resize(position + 1, PositionValues::default());
        }
        &mut self.values[position]
    }

    /// Adds an annotation symbol of a position. Must be called in the order of the positions.
    pub(crate) fn add_symbol(&mut self, position: u32, symbol: u32) {
        self.symbols.push((position, symbol));
    }

    /// Removes the values of the positions from `positions` on.
    pub(crate) fn truncate(&mut self, positions: usize) {
        self.values.truncate(positions);
        self.short_clocks.retain(|position| (*position as usize) < positions);
        self.dotted_clock.take_if(|position| *position as usize >= positions);
        self.symbols.retain(|(position, _)| (*position as usize) < positions);
    }

    /// Moves the values of each position to the number that it gets in `renumbered`.
    pub(crate) fn renumber(&mut self, renumbered: &[u32]) {
        if self.is_empty() {
            return;
        }
        let mut values = vec![PositionValues::default(); renumbered.len()];
        for (said, new) in self.values.iter().zip(renumbered) {
            if let Some(moved) = values.get_mut(*new as usize) {
                *moved = *said;
            }
        }
        self.values = values;
        for (position, _) in &mut self.symbols {
            *position = renumbered.get(*position as usize).copied().unwrap_or(*position);
        }
        self.symbols.sort_by_key(|(position, _)| *position);
    }
}

/// Returns the commands of a comment by name and value: `[%eval 0.25]` is `eval` and `0.25`. Commands without a value are left out.
pub(super) fn commands(comment: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = comment;
    let commands = std::iter::from_fn(move || {
        let start = memchr::memmem::find(rest, b"[%")?;
        let command = &rest[start + 2..];
        let end = memchr::memchr(b']', command)?;
        rest = &command[end + 1..];
        Some(&command[..end])
    });
    commands.filter_map(|command| {
        let gap = command.iter().position(u8::is_ascii_whitespace)?;
        let (name, value) = command.split_at(gap);
        Some((name, value.trim_ascii()))
    })
}

/// Reads the value of `%eval` in a position where `turn` is to move, as seen by White: pawns with up to two decimals (more are cut off), or `#` and
/// the moves to mate, then perhaps a comma and the depth. A whole number with a depth comes from ChessBase, in centipawns.
fn evaluation(text: &[u8], turn: Color) -> Option<(i32, Option<u16>)> {
    let mut parts = text.splitn(2, |byte| *byte == b',');
    let value = parts.next()?.trim_ascii();
    let depth = match parts.next() {
        None => None,
        Some(depth) => Some(u16::try_from(digits(depth.trim_ascii())?).ok()?),
    };
    let is_mate = value.starts_with(b"#");
    let (is_negative, number) = signed(value.strip_prefix(b"#").unwrap_or(value));
    let mate = |moves: i32| {
        // The side that is already mated is to move.
        let is_for_black = if moves == 0 { turn.is_white() } else { is_negative };
        if is_for_black { moves - MATE } else { MATE - moves }
    };
    let centipawns = |centipawns: i32| {
        let centipawns = centipawns.min(MOST_CENTIPAWNS);
        if is_negative { -centipawns } else { centipawns }
    };
    let evaluation = match depth {
        _ if is_mate => mate(digits(number)?.min(MOST_MOVES_TO_MATE)),
        Some(_) if !number.contains(&b'.') => match digits(number)? {
            of_mate @ CHESSBASE_LEAST_MATE..=CHESSBASE_MATE => mate(CHESSBASE_MATE - of_mate),
            number => centipawns(number),
        },
        _ => centipawns(fixed(number, 2)?),
    };
    Some((evaluation, depth))
}

/// Reads the value of `%clk` or `%emt` in tenths of a second: hours, minutes and seconds, or fewer of them, separated by colons. The
/// seconds may have decimals, which are cut off after the first.
fn tenths(text: &[u8]) -> Option<i32> {
    let mut fields = text.rsplitn(4, |byte| *byte == b':');
    let mut total = fixed(fields.next()?, 1)?;
    for unit in [600, 36_000] {
        let Some(field) = fields.next() else { break };
        total = total.checked_add(digits(field)?.checked_mul(unit)?)?;
    }
    fields.next().is_none().then_some(total)
}

/// Returns whether the value of a clock has two fields without decimals: minutes and seconds, or hours and minutes.
fn is_short_clock(text: &[u8]) -> bool {
    let mut fields = text.split(|byte| *byte == b':');
    let second = fields.nth(1).and_then(digits);
    second.is_some_and(|number| number < 60) && fields.next().is_none()
}

/// Returns whether the value of a clock has two fields separated by a dot: `1.29` may be hours and minutes, minutes and seconds, or seconds.
fn is_dotted_clock(text: &[u8]) -> bool {
    let fields = memchr::memchr(b'.', text).map(|dot| text.split_at(dot));
    fields.is_some_and(|(first, second)| digits(first).is_some() && matches!(second, [_, b'0'..=b'5', b'0'..=b'9']))
}

/// Reads an optional sign. Returns whether it is negative, and the rest.
fn signed(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// Reads a decimal number, times ten to the power of `decimals`. Further decimals are cut off. Returns `None` if it is too large.
fn fixed(text: &[u8], decimals: usize) -> Option<i32> {
    let mut parts = text.splitn(2, |byte| *byte == b'.');
    let whole = parts.next()?;
    let fraction = parts.next().unwrap_or_default();
    if !fraction.iter().all(u8::is_ascii_digit) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let mut number = if whole.is_empty() { 0 } else { digits(whole)? };
    for place in 0..decimals {
        let digit = fraction.get(place).map_or(0, |digit| i32::from(digit - b'0'));
        number = number.checked_mul(10)?.checked_add(digit)?;
    }
    Some(number)
}

/// Reads a number of up to eight digits.
fn digits(text: &[u8]) -> Option<i32> {
    let is_number = (1..=8).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| {
        text.iter()
            .fold(0, |number, digit| number * 10 + i32::from(digit - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::pgn::sample::{self, game};
    use crate::pgn::{GameReader, Scope};

    #[test]
    fn evaluations_are_pawns_or_mates_with_or_without_depth() {
        let read = |text: &str| evaluation(text.as_bytes(), Color::Black);
        for (text, expected) in [
            ("2.35", (235, None)),
            ("0.1,18", (10, Some(18))),
            ("-0.07", (-7, None)),
            ("+.5", (50, None)),
            ("3", (300, None)),
            ("12.", (1200, None)),
            ("1.239", (123, None)),
            ("#-4", (-99_996, None)),
            ("#3, 40", (99_997, Some(40))),
            ("#+12", (99_988, None)),
            ("#0", (100_000, None)),
            ("#-0", (100_000, None)),
            ("99999.0", (90_000, None)),
            ("-99999", (-90_000, None)),
            ("23,24", (23, Some(24))),
            ("-15, 15", (-15, Some(15))),
            ("0,1", (0, Some(1))),
            ("+7,0", (7, Some(0))),
            ("23.,24", (2300, Some(24))),
            ("-32747,21", (-99_980, Some(21))),
            ("31000,9", (31_000, Some(9))),
            ("32768,9", (32_768, Some(9))),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
        assert_eq!(evaluation(b"#0", Color::White), Some((-100_000, None)));
        assert_eq!(evaluation(b"-32767,0", Color::Black), Some((100_000, Some(0))));
        for text in [
            "",
            ".",
            "#",
            "#-",
            "1,",
            "1,x",
            "1.2.3",
            "1,2,3",
            "--1",
            "0x1",
            "1e3",
            "999999999",
            "1,70000",
            "1 2",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn clocks_are_hours_minutes_and_seconds() {
        for (text, expected) in [
            ("0:03:00", 1_800),
            ("1:02:03.4", 37_234),
            ("0:00:00.09", 0),
            ("75:00", 45_000),
            ("9.5", 95),
            ("100:00:00", 3_600_000),
        ] {
            assert_eq!(tenths(text.as_bytes()), Some(expected), "{text}");
        }
        for text in ["", ":", "1::2", "0:03:", "-0:01:00", "1:2:3:4", "a:b", "99999999:00:00"] {
            assert_eq!(tenths(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn commands_belong_to_the_move_before_them_also_in_variations() {
        let pgn = "{[%eval 0.2] [%clk 0:05:00]} 1. e4 {[%clk 0:03:00] good [%eval 0.3]} ({[%eval 9]} 1. d4 $6 {[%eval 0.1]}) \
                   1... e5?? {[%clk 0:02:59] [%clk 0:00:01]} {[%emt 0:00:07]} 2. Nf3 {[%eval oops] [%clk x] [%evil 3] [%eval 1} *\n";
        let game = game(pgn);
        let values = |id| game.commands.values(id);
        assert_eq!((values(0).evaluation, values(0).clock), (Some(20), Some(3_000)));
        assert_eq!((values(1).evaluation, values(1).clock), (Some(30), Some(1_800)));
        assert_eq!((values(2).clock, values(2).spent), (Some(1_790), Some(70)));
        assert_eq!(values(3), PositionValues::default());
        assert_eq!(values(4).evaluation, Some(10), "d4, without the comment in front of it");
        let symbols = |id| game.commands.symbols(id).collect::<Vec<_>>();
        assert_eq!((symbols(1), symbols(2), symbols(4)), (vec![], vec![4], vec![6]));
    }

    #[test]
    fn variations_that_are_not_wanted_leave_nothing() {
        let batch = sample::batch("1. e4 (1. d4 $4 {[%eval 0.1]} d5 $2) 1... e5 {[%eval 0.2]} *\n");
        let scope = Scope {
            variations: false,
            ..Scope::ALL
        };
        let mut game = Game::default();
        GameReader::new(&batch).read(scope, &mut game, |_| true);
        let evaluations: Vec<_> = (0..4).map(|id| game.commands.values(id).evaluation).collect();
        assert_eq!(evaluations, [None, None, Some(20), None]);
        assert_eq!((0..4).flat_map(|id| game.commands.symbols(id)).count(), 0);
    }
}
