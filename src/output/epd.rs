//! Matching positions as lines of EPD, with what to play there.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::caption::{event_and_year, players, row_name};
use super::facts::{GameFacts, Matched, matched, next_position};
use super::format::{Format, FormatTraits};
use super::text::{text, written};
use crate::chess::{MoveKind, Position};
use crate::eval::report::{Extras, GameReport, Highlights};
use crate::pgn::is_epd_opcode;

/// The four fields of EPD for each matching position, with operations: `bm`, the moves that were tried or the move that was played; `c0`,
/// the players; `fmvn` and `hmvc`, the counters of the FEN; `id`, the position and its game, or the name that the row of a list or table
/// has. A position that came with operations keeps them.
pub(super) struct Epd;

/// The operations of a position, in the order of EPD.
type Operations = BTreeMap<String, Operand>;

/// The operand of an operation.
enum Operand {
    /// Moves and numbers, without quotes.
    Plain(String),
    /// Text in quotes.
    Quoted(String),
}

impl Format for Epd {
    fn extras(&self) -> Extras {
        Extras::TRIED
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::TAGS
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        for Matched {
            position, highlights, ..
        } in matched(game, report)
        {
            let fen = written(|out| game.write_fen(position, out));
            let mut fields = fen.rsplitn(3, ' ');
            let counters = [("fmvn", fields.next()), ("hmvc", fields.next())];
            out.extend_from_slice(fields.next().unwrap_or_default().as_bytes());

            let mut operations = match position.id {
                0 => own_operations(game),
                _ => Operations::new(),
            };
            for (opcode, counter) in counters {
                let counter = counter.unwrap_or_default().to_owned();
                operations.insert(opcode.to_owned(), Operand::Plain(counter));
            }
            let place = match row_name(game) {
                Some(name) if position.id == 0 => name,
                Some(name) => format!("{name}:{}", position.id),
                None => format!("{}:{}", game.number(), position.id),
            };
            operations.entry("id".to_owned()).or_insert(Operand::Quoted(place));
            if let Some(caption) = caption(game) {
                operations.entry("c0".to_owned()).or_insert(Operand::Quoted(caption));
            }
            add_best_moves(game, position, highlights, &mut operations);
            for (opcode, operand) in operations {
                out.extend_from_slice(format!(" {opcode} {};", operand.written()).as_bytes());
            }
            out.push(b'\n');
        }
    }
}

/// Adds the moves that were tried, or else the move that was played, unless the position came with its own `bm`.
fn add_best_moves(game: &dyn GameFacts, position: &Position, highlights: &Highlights, operations: &mut Operations) {
    let tried = highlights.tried.iter();
    let tried: Vec<_> = tried
        .map(|arrival| written(|san| game.write_tried_san(position, arrival, san)))
        .collect();
    let moves = match tried.is_empty() {
        _ if operations.contains_key("bm") => return,
        false => tried.join(" "),
        true if highlights.may_have_tried_more => return,
        true => match next_position(game, position).filter(|next| next.arrival.kind != MoveKind::Null) {
            Some(next) => written(|san| game.write_san(next, san)),
            None => return,
        },
    };
    operations.insert("bm".to_owned(), Operand::Plain(moves));
}

/// Returns the operations that came with the initial position, which are tags of the game, without its counters.
fn own_operations(game: &dyn GameFacts) -> Operations {
    let mut operations = Operations::new();
    game.each_tag(&mut |name, value| {
        if !is_epd_opcode(name) {
            return;
        }
        let value = text(Cow::Borrowed(value)).into_owned();
        let is_text = matches!(
            name,
            b"id" | b"eco" | b"nic" | b"sv" | b"variation" | [b'c' | b'v', b'0'..=b'9']
        );
        let operand = match is_text || value.contains([';', '"']) {
            true => Operand::Quoted(value),
            false => Operand::Plain(value),
        };
        operations.insert(String::from_utf8_lossy(name).into_owned(), operand);
    });
    operations
}

/// Returns the players and the event, as far as they are known.
fn caption(game: &dyn GameFacts) -> Option<String> {
    let event = Some(event_and_year(game)).filter(|event| !event.is_empty());
    let known: Vec<_> = players(game, " - ").into_iter().chain(event).collect();
    (!known.is_empty()).then(|| known.join(", "))
}

impl Operand {
    /// Returns the operand as it is written in a line. In quotes, backslashes and quotes are escaped by a backslash, as in PGN.
    fn written(&self) -> String {
        let without_controls = |text: &str| text.replace(|sign: char| sign.is_control(), " ");
        match self {
            Operand::Plain(text) => without_controls(text),
            Operand::Quoted(text) => {
                let text = without_controls(text).replace('\\', "\\\\").replace('"', "\\\"");
                format!("\"{text}\"")
            }
        }
    }
}
