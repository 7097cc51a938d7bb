//! The bytes of a game: more tags, the start position, moves with their variations and symbols, and comments after them.

use shakmaty::{CastlingSide, Color, Rank, Role, Square};

use super::index::{Day, Entry};
use super::piece_list::PieceList;
use crate::foreign::line::Step;
use crate::foreign::{Damage, GameText};
use crate::game::WarningKind;

/// The byte that ends the tags.
const NO_TAG: u8 = 0;
/// The longest name of a tag. Greater numbers are those of usual tags.
const LONGEST_NAME: u8 = 240;
/// The usual tags, whose numbers begin with 241.
const USUAL_TAGS: [&str; 10] = [
    "WhiteCountry",
    "BlackCountry",
    "Annotator",
    "PlyCount",
    "EventDate",
    "Opening",
    "Variation",
    "Setup",
    "Source",
    "SetUp",
];
/// The date of the event, encoded as in the index.
const EVENT_DATE: u8 = 255;

/// The codes that are not moves. The first piece is the king, and none of its moves has such a number.
const SYMBOL: u8 = 11;
const COMMENT: u8 = 12;
const OPEN: u8 = 13;
const CLOSE: u8 = 14;
const END: u8 = 15;

/// The bytes that have not been read yet.
struct Rest<'b>(&'b [u8]);

impl<'b> Rest<'b> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first)
    }

    /// Reads bytes that are preceded by their number.
    fn counted(&mut self) -> Option<&'b [u8]> {
        let count = self.byte()?;
        self.bytes(usize::from(count))
    }

    /// Reads the bytes before the next zero.
    fn text(&mut self) -> Option<&'b [u8]> {
        let end = memchr::memchr(0, self.0)?;
        let text = self.bytes(end)?;
        self.byte()?;
        Some(text)
    }
}

/// Writes a game after the tags from the index.
///
/// # Errors
/// Returns an error if not even its moves can be found.
pub(super) fn write(bytes: &[u8], entry: &Entry, text: &mut GameText) -> Result<(), Damage> {
    let broken_off = || Damage("it breaks off before its moves".to_owned());
    let mut rest = Rest(bytes);
    write_tags(&mut rest, entry, text).ok_or_else(broken_off)?;
    let flags = rest.byte().ok_or_else(broken_off)?;
    let mut list = match flags & 1 {
        0 => {
            text.end_tags();
            PieceList::usual(text.line().board())
        }
        _ => {
            text.set_start(rest.text().ok_or_else(broken_off)?)?;
            text.end_tags();
            PieceList::of_setup(text.line().board())
        }
    }
    .ok_or_else(|| Damage("a side has more than sixteen pieces".to_owned()))?;
    match write_moves(&mut rest, &mut list, text) {
        Ok(()) => {
            if !text.add_comments(std::iter::from_fn(|| rest.text())) {
                text.complain(
                    WarningKind::BadComment,
                    "it breaks off, so some of its comments are lost",
                );
            }
        }
        Err(Damage(why)) => text.complain(
            WarningKind::CutShort,
            format!("{why}: the rest of the game and its comments are left out"),
        ),
    }
    text.end(entry.result().as_bytes());
    Ok(())
}

/// Writes the tags that the index does not have. Returns `None` if they break off.
fn write_tags(rest: &mut Rest<'_>, entry: &Entry, text: &mut GameText) -> Option<()> {
    let mut has_event_date = false;
    loop {
        match rest.byte()? {
            NO_TAG => break,
            EVENT_DATE => {
                let date = rest.bytes(3)?.iter().rev();
                let date = date.fold(0, |number, byte| number << 8 | u32::from(*byte));
                text.tag(b"EventDate", Day(date).shown().as_bytes());
                has_event_date = true;
            }
            number @ ..=LONGEST_NAME => {
                let name = rest.bytes(usize::from(number))?;
                has_event_date |= name == b"EventDate";
                text.tag(name, rest.counted()?);
            }
            number => {
                let name = USUAL_TAGS.get(usize::from(number - LONGEST_NAME - 1))?;
                has_event_date |= *name == "EventDate";
                text.tag(name.as_bytes(), rest.counted()?);
            }
        }
    }
    if !has_event_date && entry.event_date != Day(0) {
        text.tag(b"EventDate", entry.event_date.shown().as_bytes());
    }
    Some(())
}

/// Writes moves, variations and symbols, and marks the places of comments.
///
/// # Errors
/// Returns an error if there is anything else. What precedes it is written.
fn write_moves(rest: &mut Rest<'_>, list: &mut PieceList, text: &mut GameText) -> Result<(), Damage> {
    let broken_off = || Damage("its moves break off".to_owned());
    // The lists before the last move, and those of the lines that continue after a variation.
    let mut before = *list;
    let mut branches = Vec::new();
    loop {
        match rest.byte().ok_or_else(broken_off)? {
            SYMBOL => text.symbol(rest.byte().ok_or_else(broken_off)?),
            COMMENT => text.comment_later(),
            OPEN => {
                text.open()?;
                branches.push((*list, before));
                *list = before;
            }
            CLOSE => {
                let (line, earlier) = branches
                    .pop()
                    .ok_or_else(|| Damage("a variation ends that has not begun".to_owned()))?;
                text.close();
                (*list, before) = (line, earlier);
            }
            END if branches.is_empty() => return Ok(()),
            END => return Err(Damage("a variation does not end".to_owned())),
            code => {
                before = *list;
                play(code, rest, list, text)?;
            }
        }
    }
}

/// Plays the move for a byte, and for the next byte if the first is not enough.
fn play(code: u8, rest: &mut Rest<'_>, list: &mut PieceList, text: &mut GameText) -> Result<(), Damage> {
    let unknown = || Damage("it has a move of a piece that is not there, or beyond the board".to_owned());
    let color = text.line().turn();
    let from = list.square(color, usize::from(code >> 4)).ok_or_else(unknown)?;
    let role = text.line().board().role_at(from).ok_or_else(unknown)?;
    let step = step(role, color, from, code & 0xf, rest).ok_or_else(unknown)?;
    let arrival = text.play(step)?.after.arrival;
    if let Some(captured) = arrival.captured {
        list.take(!color, captured);
    }
    match text.line().rook_of(color, &arrival) {
        Some(rook) => list.castle(color, (arrival.from, arrival.to), rook),
        None if arrival.from != arrival.to => list.go(color, arrival.from, arrival.to),
        None => {}
    }
    Ok(())
}

/// Returns the move of a piece for a number from 0 to 15, or `None` if there is no such move.
fn step(role: Role, color: Color, from: Square, number: u8, rest: &mut Rest<'_>) -> Option<Step> {
    let to = |offset: i32| Square::try_from(from as i32 + offset).ok();
    let on_line = |number: u8| {
        let place = u32::from(number & 7);
        Some(match number {
            8.. => Square::from_coords(from.file(), Rank::new(place)),
            _ => Square::from_coords(shakmaty::File::new(place), from.rank()),
        })
    };
    let mut promotion = None;
    let to = match role {
        Role::King => {
            const STEPS: [i32; 9] = [0, -9, -8, -7, -1, 1, 7, 8, 9];
            match number {
                0 => return Some(Step::Null),
                9 => return Some(Step::Castle(CastlingSide::QueenSide)),
                10 => return Some(Step::Castle(CastlingSide::KingSide)),
                number => to(*STEPS.get(usize::from(number))?),
            }
        }
        Role::Knight => {
            const STEPS: [i32; 8] = [-17, -15, -10, -6, 6, 10, 15, 17];
            to(*STEPS.get(usize::from(number.checked_sub(1)?))?)
        }
        Role::Bishop => {
            let files = i32::from(number & 7) - from.file() as i32;
            to(files * if number < 8 { 9 } else { -7 })
        }
        Role::Rook => on_line(number),
        // A queen whose target would be its own square moves diagonally, to the square in the next byte.
        Role::Queen if u32::from(number) == from.file() as u32 => {
            let square = rest.byte()?.checked_sub(64)?;
            Square::try_from(u32::from(square)).ok()
        }
        Role::Queen => on_line(number),
        Role::Pawn => {
            const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
            let steps = match number {
                15 => 16,
                number => 7 + i32::from(number % 3),
            };
            if (3..15).contains(&number) {
                promotion = PROMOTIONS.get(usize::from(number / 3 - 1)).copied();
            }
            to(color.fold_wb(steps, -steps))
        }
    };
    Some(Step::Piece {
        from,
        to: to?,
        promotion,
    })
}
