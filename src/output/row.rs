//! The columns of the table formats.

use std::borrow::Cow;

use serde::Serialize;
use shakmaty::Color;

use super::{GameFacts, TagName};
use crate::game::Position;

/// The names of the columns, in the order of the fields of [`Row`].
pub(super) const COLUMNS: [&str; 16] = [
    "file",
    "game",
    "positionid",
    "ply",
    "movenumber",
    "side",
    "fen",
    "white",
    "black",
    "white_elo",
    "black_elo",
    "event",
    "site",
    "date",
    "result",
    "eco",
];

/// One matching position and its game.
#[derive(Serialize)]
pub(super) struct Row<'g> {
    file: &'g str,
    game: u64,
    positionid: u32,
    ply: u16,
    movenumber: u32,
    side: &'static str,
    fen: String,
    white: Option<Cow<'g, str>>,
    black: Option<Cow<'g, str>>,
    white_elo: Option<u16>,
    black_elo: Option<u16>,
    event: Option<Cow<'g, str>>,
    site: Option<Cow<'g, str>>,
    date: Option<Cow<'g, str>>,
    result: Option<Cow<'g, str>>,
    eco: Option<Cow<'g, str>>,
}

impl<'g> Row<'g> {
    /// The columns of one position of a game.
    pub(super) fn new(game: &'g dyn GameFacts, position: &Position) -> Row<'g> {
        let tag = |name| game.tag(name).map(text);
        let mut fen = Vec::new();
        game.write_fen(position, &mut fen);
        Row {
            file: game.source(),
            game: game.number(),
            positionid: position.id,
            ply: position.ply,
            movenumber: move_number(game, position),
            side: position.turn.fold_wb("white", "black"),
            fen: text(Cow::Owned(fen)).into_owned(),
            white: tag(TagName::White),
            black: tag(TagName::Black),
            white_elo: game.rating(Color::White),
            black_elo: game.rating(Color::Black),
            event: tag(TagName::Event),
            site: tag(TagName::Site),
            date: tag(TagName::Date),
            result: tag(TagName::Result),
            eco: tag(TagName::Eco),
        }
    }
}

/// The `movenumber` of CQL: the initial position has number 1, each position with White to move after it the next.
fn move_number(game: &dyn GameFacts, position: &Position) -> u32 {
    let black_began = game.positions().first().is_some_and(|root| root.turn.is_black());
    (u32::from(position.ply) + u32::from(black_began)) / 2 + 1
}

/// Bytes of a PGN as text. PGN was Latin-1 before it was UTF-8, so what is not UTF-8 is taken for Latin-1.
pub(super) fn text(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(latin1(bytes)),
        },
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).unwrap_or_else(|error| latin1(error.as_bytes()))),
    }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}
