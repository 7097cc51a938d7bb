//! Turns a game in PGN into the values of its row.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use aix_chess_compression::{CompressionLevel, Encode, Encoder};
use shakmaty::{Chess, Color, KnownOutcome, Outcome, Position as _, uci::UciMove};

use super::commands;
use super::error::damaged;
use super::facts::{Events, Facts};
use super::layout::{COLUMNS, Column, TAGS, is_number, tag_column};
use super::squares::VisitedSquares;
use super::tag_order::names;
use crate::board::BoardKey;
use crate::chess::MoveKind;
use crate::game::{
    BACKSLASH, Game, INNER_QUOTE, Rating, Rules, decoded, push_main_line, push_rewritten, push_variations,
};
use crate::pgn::{Batch, GameText, is_of_moves_alone, movetext, tag_lines};

/// Longer movetext that is not UTF-8 is only stored in the column with the original text: storing both would take too much memory.
const MOST_DECODED: usize = 16 << 20;

/// The place of a value in the bytes of the values of a batch.
pub(super) type Place = Range<usize>;

/// The value of a row in a column. Texts and bytes may be in some other place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value<T> {
    Bytes(T),
    Small(i32),
    Large(i64),
}

/// A row, except for its warnings and its source. Texts and bytes are stored in those of the batch, so that a game needs no memory of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    /// The values by column.
    pub(super) values: [Option<Value<Place>>; COLUMNS],
    pub(super) facts: Facts,
    /// The keys of the boards of the main line in little-endian order.
    pub(super) boards: Place,
    /// Where its kings and pawns have been.
    pub(super) ever: VisitedSquares,
}

impl Record {
    /// Returns the row of a game that has been read as a whole, or that cannot be read from its beginning. Its texts and bytes are appended to
    /// `values`. The row is incomplete if the game is no longer wanted. A game that `is_long` has not been read as a whole, and only its text has its
    /// moves.
    pub(super) fn of(batch: &Batch, text: &GameText, game: &Game, is_long: bool, values: &mut Vec<u8>) -> Record {
        let bytes = batch.text.get(text.range.clone()).unwrap_or_default();
        let (tags, movetext) = parts(bytes);
        let is_text = std::str::from_utf8(movetext).is_ok();
        let mut record = Record::of_facts(Facts::of(game));
        let shown = match is_text {
            true => added(values, movetext),
            false if movetext.len() > MOST_DECODED => added(values, b""),
            false => added(values, String::from_utf8_lossy(&decoded(movetext)).as_bytes()),
        };
        record.set_text(Column::Movetext, shown);
        record.set(Column::Outcome, Value::Small(outcome_code(game.result)));
        record.set(Column::SourceLine, Value::Large(text.line.cast_signed()));
        if is_long {
            let unknown = Events(Events::KNOWS_COMMANDS.0 | Events::HAS_COMMANDS.0);
            record.facts.events.remove(unknown);
        } else if record.facts.events.may_have_commands() {
            for (column, list) in commands::lists(game, record.facts.plies as usize + 1) {
                record.set_text(column, added(values, &list));
            }
        }
        let has_all_tags = record.set_tags(game, tags, values);
        if !record.has_all_ratings(game) {
            record.facts.events.add(Events::OTHER_RATINGS);
        }
        if game.positions.is_empty() {
            record.facts.events.add(Events::UNREADABLE);
        } else if is_long || game.has_own_rules() {
            record.facts.events.add(Events::FROM_TEXT);
        } else {
            record.set_moves(game, values);
            record.set_boards(game, values);
        }
        if !(is_text && has_all_tags) {
            record.set_text(Column::Pgn, added(values, bytes));
        } else if !is_long && game.is_as_written() && is_of_moves_alone(movetext) {
            record.facts.events.add(Events::MOVES_ALONE);
        }
        let Facts {
            plies,
            events,
            least,
            most,
        } = record.facts;
        record.set(Column::Plies, Value::Small(i32::try_from(plies).unwrap_or(i32::MAX)));
        record.set(Column::Events, Value::Small(events.0.cast_signed()));
        record.set(Column::PiecesLeast, Value::Large(least.0.cast_signed()));
        record.set(Column::PiecesMost, Value::Large(most.0.cast_signed()));
        record
    }

    fn of_facts(facts: Facts) -> Record {
        Record {
            values: [const { None }; COLUMNS],
            facts,
            boards: 0..0,
            ever: VisitedSquares::default(),
        }
    }

    fn set(&mut self, column: Column, value: Value<Place>) {
        self.values[column.index()] = Some(value);
    }

    fn set_text(&mut self, column: Column, text: Place) {
        self.set(column, Value::Bytes(text));
    }

    /// Returns the place of a text, if there is one.
    pub(super) fn text(&self, column: usize) -> Option<&Place> {
        match &self.values[column] {
            Some(Value::Bytes(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the number of bytes of its texts.
    pub(super) fn bytes(&self) -> usize {
        let texts = [Column::OtherTags, Column::Movetext, Column::Pgn].map(Column::index);
        let lengths = (0..TAGS.len())
            .chain(texts)
            .map(|column| self.text(column).map_or(0, Place::len));
        lengths.sum()
    }

    /// Sets the tags. Returns whether their lines in canonical PGN can be written from the values of the row.
    fn set_tags(&mut self, game: &Game, tags: &[u8], values: &mut Vec<u8>) -> bool {
        // Checking all lines at once saves checking each tag.
        let are_text = str::from_utf8(tags).is_ok();
        let text = |bytes| if are_text { Cow::Borrowed(bytes) } else { as_text(bytes) };
        // The value as between the quotes: escapes are for readers of the row.
        let value_text = |bytes| match game.rules {
            Rules::Full if !are_text => decoded(bytes),
            _ => text(bytes),
        };
        let mut others = BTreeMap::new();
        for (name, value) in game.tags.written() {
            let (name, value) = (text(name), value_text(value));
            let set = match tag_column(&name) {
                Some(column) if is_number(column) => plain_number(&value).map(|number| (column, Value::Small(number))),
                Some(column) => Some((column, Value::Bytes(added(values, &value)))),
                None => None,
            };
            match set {
                Some((column, value)) => self.values[column] = Some(value),
                None => drop(others.insert(owned(&name), owned(&value))),
            }
        }
        let start = values.len();
        for (name, _) in game.tags.iter() {
            if values.len() > start {
                values.push(b' ');
            }
            values.extend_from_slice(&text(name));
        }
        self.set_text(Column::TagOrder, start..values.len());
        // A map of strings is always valid JSON.
        if !others.is_empty() {
            let json = serde_json::to_string(&others).unwrap_or_default();
            self.set_text(Column::OtherTags, added(values, json.as_bytes()));
        }
        let order = self.text(Column::TagOrder.index()).cloned().unwrap_or_default();
        let order = names(&values[order]).map(|name| (name, tag_column(name)));
        let column = |column: usize| match self.values[column].as_ref()? {
            Value::Bytes(text) => values.get(text.clone()).map(Cow::Borrowed),
            Value::Small(number) => Some(Cow::Owned(number.to_string().into_bytes())),
            Value::Large(_) => None,
        };
        let mut written = Vec::with_capacity(tags.len());
        let is_written = write_tags(order, &others, column, &mut written).is_ok();
        let lines = |tags| tag_lines(tags).map(<[u8]>::trim_ascii_end);
        is_written && lines(tags).eq(lines(&written))
    }

    /// Returns whether the ratings of a game are those in the two columns of numbers.
    fn has_all_ratings(&self, game: &Game) -> bool {
        Color::ALL.into_iter().all(|color| {
            let column = tag_column(color.fold_wb(b"WhiteElo", b"BlackElo"));
            let plain = match column.and_then(|column| self.values[column].as_ref()) {
                Some(Value::Small(number)) => Rating::elo(*number),
                _ => None,
            };
            plain == game.tags.rating(color)
        })
    }

    fn set_moves(&mut self, game: &Game, values: &mut Vec<u8>) {
        let start = values.len();
        if game.start.is_none() && push_aix_low(game, self.facts.events, values) {
            self.set_text(Column::Movedata, start..values.len());
        } else {
            push_main_line(game, values);
            self.set_text(Column::Line, start..values.len());
        }
        let start = values.len();
        push_variations(game, values);
        if values.len() > start {
            self.set_text(Column::Variations, start..values.len());
        }
    }

    fn set_boards(&mut self, game: &Game, values: &mut Vec<u8>) {
        let start = values.len();
        for position in game.main_line() {
            values.extend_from_slice(&BoardKey::of(&position.board).0.to_le_bytes());
        }
        self.boards = start..values.len();
        self.ever = VisitedSquares::of(game.main_line());
    }
}

/// Reads the column of the tags without columns of their own.
pub(super) fn other_tags(json: Option<&[u8]>) -> io::Result<BTreeMap<String, String>> {
    json.map_or(Ok(BTreeMap::new()), |json| {
        serde_json::from_slice(json).map_err(|_| damaged("tags that cannot be read"))
    })
}

/// Writes tags as canonical PGN, in order, each with the index of its column. `column` returns the value of a tag's column.
pub(super) fn write_tags<'n, 'v>(
    order: impl Iterator<Item = (&'n [u8], Option<usize>)>,
    others: &BTreeMap<String, String>,
    column: impl Fn(usize) -> Option<Cow<'v, [u8]>>,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    for (name, place) in order {
        let other = str::from_utf8(name).ok().and_then(|name| others.get(name));
        let value = match other {
            Some(value) => Some(Cow::Borrowed(value.as_bytes())),
            None => place.and_then(&column),
        };
        let value = value.ok_or_else(|| damaged("a tag without a value"))?;
        write_tag(name, &value, out);
    }
    Ok(())
}

/// Returns bytes as UTF-8. Invalid bytes are replaced.
fn as_text(bytes: &[u8]) -> Cow<'_, [u8]> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Returns bytes that are UTF-8 as a string.
fn owned(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// Appends a value to those of a batch.
fn added(values: &mut Vec<u8>, value: &[u8]) -> Place {
    let start = values.len();
    values.extend_from_slice(value);
    start..values.len()
}

/// Returns a byte of a tag value as it is written in canonical PGN.
fn escaped(byte: u8) -> u8 {
    match byte {
        b'"' => INNER_QUOTE,
        b'\\' => BACKSLASH,
        byte => byte,
    }
}

/// Writes a tag as canonical PGN.
fn write_tag(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name);
    out.extend_from_slice(b" \"");
    push_rewritten(out, value, [b'"', b'\\'], escaped);
    out.extend_from_slice(b"\"]\n");
}

/// Parses a number whose text can be restored from its value.
fn plain_number(value: &[u8]) -> Option<i32> {
    let value = str::from_utf8(value).ok()?;
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_plain = value == "0" || digits.starts_with(|first| matches!(first, '1'..='9'));
    value.parse().ok().filter(|_| is_plain)
}

/// Splits a canonical game into the lines of its tags and its movetext without white space around it.
fn parts(text: &[u8]) -> (&[u8], &[u8]) {
    let (tags, movetext) = text.split_at(text.len() - movetext(text).len());
    (tags, movetext.trim_ascii())
}

/// The last byte of a main line in Aix's *Low* encoding, which is its level.
const LOW: u8 = 0;

/// Appends the main line of a game from the usual start in Aix's *Low* encoding, unless a move is illegal. Returns whether it did.
fn push_aix_low(game: &Game, events: Events, moves: &mut Vec<u8>) -> bool {
    match game.rules {
        // All moves except null moves are legal, which the full rules ensure.
        Rules::Full if events.has(Events::NULL_MOVE) => false,
        Rules::Full => {
            push_main_line(game, moves);
            moves.push(LOW);
            true
        }
        Rules::Cql => aix_low_if_legal(game).is_some_and(|low| {
            moves.extend_from_slice(&low);
            true
        }),
    }
}

/// Returns the main line in Aix's *Low* encoding, unless a move is illegal: the rules of CQL let a king castle that has moved.
fn aix_low_if_legal(game: &Game) -> Option<Vec<u8>> {
    let mut chess = Chess::default();
    let mut encoder = Encoder::new(CompressionLevel::Low);
    let line = game.positions.iter().skip(1).take_while(|position| position.depth == 0);
    for (ply, arrival) in line.map(|position| &position.arrival).enumerate() {
        if game.watch.is_over_at(ply) {
            return None;
        }
        if arrival.kind == MoveKind::Null {
            return None;
        }
        let uci = UciMove::Normal {
            from: arrival.from,
            to: arrival.to,
            promotion: arrival.promotion,
        };
        let played = uci.to_move(&chess).ok()?;
        encoder.encode_move(played).ok()?;
        chess.play_unchecked(played);
    }
    Some(encoder.finish().into_bytes())
}

/// Returns the code of a result in the column `outcome`.
pub(super) fn outcome_code(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Unknown => 0,
        Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => 1,
        Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => 2,
        Outcome::Known(KnownOutcome::Draw) => 3,
    }
}

/// Returns the result for a code of the column `outcome`.
pub(super) fn outcome_of_code(code: i32) -> io::Result<Outcome> {
    let decisive = |winner| Outcome::Known(KnownOutcome::Decisive { winner });
    match code {
        0 => Ok(Outcome::Unknown),
        1 => Ok(decisive(Color::White)),
        2 => Ok(decisive(Color::Black)),
        3 => Ok(Outcome::Known(KnownOutcome::Draw)),
        _ => Err(damaged("an unknown result")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameReader, Reading, Scope, sample};

    /// Returns how many games of a text have a legal main line from the usual start on which both encoders agree.
    fn compared(pgn: &str) -> usize {
        let batch = sample::batch(pgn);
        let (mut reader, mut game, mut legal) = (GameReader::new(&batch), Game::default(), 0);
        while reader.read(Scope::ALL, &mut game, |_| true) != Reading::End {
            if game.start.is_none() && !game.positions.is_empty() && !game.has_own_rules() {
                let expected = aix_low_if_legal(&game);
                let mut low = Vec::new();
                let is_legal = push_aix_low(&game, Facts::of(&game).events, &mut low);
                assert_eq!(is_legal.then_some(low), expected, "game {} of {pgn}", game.number);
                legal += usize::from(expected.is_some());
            }
        }
        legal
    }

    /// Returns whether the columns have all tags of the only game of a text.
    fn tells_tags(pgn: &str) -> bool {
        let batch = sample::batch(pgn);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        let (tags, _) = parts(&batch.text[batch.games[0].range.clone()]);
        Record::of_facts(Facts::default()).set_tags(&game, tags, &mut Vec::new())
    }

    #[test]
    fn columns_tell_all_tags_but_those_of_which_one_hides_another() {
        for (tags, are_told) in [
            ("", true),
            ("[White \"A\"]\n[WhiteElo \"2000\"]\n[Mood \"fine\"]\n", true),
            ("[White \"A\"] \n[WhiteElo \"02000\"]\r\n[Black \"\"]\n", true),
            (r#"[White "A \"b\" \\ c"]"#, true),
            ("[White \"Ä\"]\n[Straße \"ß\"]\n", true),
            ("[White \"A\"]\n[White \"A\"]\n", true),
            ("[White \"A\"]\n[White \"B\"]\n", false),
            ("[Mood \"A\"]\n[Mood \"B\"]\n", false),
            ("[WhiteElo \"2000\"]\n[WhiteElo \"?\"]\n", false),
            ("[WhiteElo \"?\"]\n[WhiteElo \"2000\"]\n", false),
        ] {
            assert_eq!(tells_tags(&format!("{tags}\n1. e4 *\n\n")), are_told, "{tags}");
        }
    }

    #[test]
    fn moves_are_encoded_as_shakmaty_and_aix_do() {
        let games = [
            include_str!("../../examples/classics.pgn"),
            "1. e4 a6 2. e5 d5 3. exd6 Nf6 4. dxe7 Ng8 5. exf8=N Kxf8 6. Nf3 Ke8 7. Be2 Ke7 8. O-O Kd6 *\n\n",
            "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=R Nf6 6. Nc3 e6 7. Rxd8+ Nxd8 8. d3 Be7 9. Bg5 O-O 10. Qd2 *\n\n",
            "1. d4 d5 2. Bf4 Bf5 3. Nc3 Nc6 4. Qd2 Qd7 5. O-O-O O-O-O 6. -- e6 *\n\n",
            "1. h4 g5 2. hxg5 h6 3. gxh6 Nf6 4. h7 Ng8 5. hxg8=B Rxh1 6. Bxf7+ Kxf7 *\n\n",
        ];
        assert_eq!(
            games.map(compared).map(|legal| legal > 0),
            [true, true, true, false, true]
        );
    }

    /// The full rules do not play such moves, which end the game for both: castling without the right, out of check, or through check.
    #[test]
    fn no_illegal_move_is_encoded() {
        for moves in [
            "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. Kf1 Kf8 5. Ke1 Ke8 6. O-O O-O",
            "1. e4 e5 2. f4 Qh4+ 3. O-O",
            "1. e4 b6 2. Nf3 Ba6 3. g3 d6 4. Bh3 e6 5. d3 Qd7 6. Be3 c5 7. d4 h6 8. O-O c4 9. Kxf1",
            "1. e4 e5 2. Ke2 Qg5 3. Kd3 Qd8 4. Ke2 Qh4 5. Nf3 Qf2+ 6. Ke3",
        ] {
            assert_eq!(compared(&format!("{moves} *\n\n")), 1, "{moves}");
        }
    }
}
