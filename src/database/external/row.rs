//! A row as a game in PGN.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write as _};

use aix_chess_compression::{Decode, Decoder, EncodedGame};
use parquet::basic::{ConvertedType, Type as Physical};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};
use shakmaty::{ByColor, Chess, Color, Position as _, san::San};

use super::{copy, values};
use crate::database::error::{damaged, in_column};
use crate::database::layout::TAGS;
use crate::database::record::other_tags;
use crate::game::{GameTable, Rules, Values, escaped, resolved, tag_of_column};
use crate::pgn::{PositionColumn, PositionRow, of_other_fen, position_columns, result_of_tag};
use crate::query::tags::TagUse;

/// The columns with the moves.
pub(super) const MOVETEXT: &str = "movetext";
pub(super) const MOVEDATA: &str = "movedata";

/// A column with information about games.
pub(super) struct Column {
    /// Its index among the columns of the file that have values.
    pub(super) leaf: usize,
    pub(super) name: String,
    role: Role,
}

/// The role of a column.
enum Role {
    Movetext,
    Movedata,
    /// The values of the tag of this name.
    Tag(String),
    /// A column of a table of positions.
    Position(PositionColumn),
    /// In a copy of a database, the names of the tags in order, the tags without columns, and the whole text of a game.
    TagOrder,
    OtherTags,
    Pgn,
    /// Lists of evaluations, one after each move, as in Aix archives.
    Evaluations,
    /// Lists of the clock of a colour after each of its moves, in seconds.
    Clocks(Color),
}

impl Column {
    /// Returns whether the column holds movetext.
    pub(super) fn is_movetext(&self) -> bool {
        matches!(self.role, Role::Movetext)
    }

    /// Returns an error of the column.
    pub(super) fn damaged(&self, error: &io::Error) -> io::Error {
        in_column(&self.name, error)
    }
}

/// The columns with information about games, in order, and the complaints about columns that should have it but do not.
pub(super) type Columns = (Vec<Column>, Vec<String>);

/// Returns the columns of a file.
///
/// # Errors
/// Returns the errors of [`columns`].
pub(super) fn columns_of_file(schema: &SchemaDescriptor) -> io::Result<Columns> {
    let all = schema.columns().iter().map(|descriptor| {
        let name = descriptor.path().parts().first().map_or("", String::as_str);
        (name, Content::of(descriptor))
    });
    columns("a Parquet file", all)
}

/// Returns the columns of a table.
///
/// # Errors
/// Returns the errors of [`columns`].
pub(super) fn columns_of_table(table: &GameTable) -> io::Result<Columns> {
    let all = table.columns().iter().map(|(name, values)| {
        let content = match values {
            Values::Numbers(_) => Content::Numbers,
            Values::Bytes { are_texts: true, .. } => Content::Text,
            Values::Bytes { .. } => Content::Bytes,
            Values::Lists { .. } => Content::NumberLists,
        };
        (name.as_str(), content)
    });
    columns("a table", all)
}

/// Returns the columns with information about games. Lists and other nested columns have none, unless their name belongs to a known tag.
///
/// # Errors
/// Returns an error if no column has moves, or if one that moves depend on has another type.
fn columns<'a>(what: &str, all: impl Iterator<Item = (&'a str, Content)>) -> io::Result<Columns> {
    let all: Vec<_> = all.collect();
    let is_copy = copy::MARKS.iter().all(|mark| all.iter().any(|(name, _)| name == mark));
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let mut of_positions = roles_of_positions(&names);
    let role = if is_copy { role_in_copy } else { role };
    let (mut columns, mut complaints) = (Vec::new(), Vec::new());
    for (leaf, (name, content)) in all.into_iter().enumerate() {
        let known = match &mut of_positions {
            Some(roles) => roles.get_mut(leaf).and_then(Option::take),
            None => {
                let of_lists = list_role(name).filter(|_| content == Content::NumberLists);
                of_lists.map(|role| (role, true)).or_else(|| role(name))
            }
        };
        let Some((role, is_known)) = known else {
            continue;
        };
        if let Role::Position(PositionColumn::OtherFen(taken)) = &role {
            complaints.push(of_other_fen(name, taken));
            continue;
        }
        let is_text = content == Content::Text;
        let is_shown = is_text || content == Content::Numbers;
        // Whether the content fits, and what moves depend on.
        let (is_fit, expected) = match &role {
            Role::Movetext => (is_text || content == Content::Bytes, Some("text is")),
            Role::Movedata | Role::Pgn => (content == Content::Bytes, Some("bytes are")),
            Role::TagOrder | Role::OtherTags => (is_text, Some("text is")),
            Role::Position(PositionColumn::Fen | PositionColumn::Moves) => (is_text, Some("text is")),
            Role::Position(PositionColumn::Tag(_)) => (is_shown || content == Content::TextLists, None),
            Role::Tag(tag) if tag == "FEN" => (is_text, Some("text is")),
            Role::Tag(tag) if tag == "Result" => (is_text, None),
            Role::Tag(_) | Role::Position(_) => (is_shown, None),
            Role::Evaluations | Role::Clocks(_) => (true, None),
        };
        if let (false, Some(expected)) = (is_fit, expected) {
            let message = format!("the column `{name}` holds {content}, where {expected} expected");
            return Err(damaged(&message));
        }
        let is_list = matches!(content, Content::Lists | Content::NumberLists | Content::TextLists);
        if is_fit || (!is_known && !is_list) {
            columns.push(Column {
                leaf,
                name: name.to_owned(),
                role,
            });
        }
        if !is_fit && is_known {
            complaints.push(format!(
                "the column `{name}` holds {content}, which are not tags: it is left out"
            ));
        }
    }
    let has_games = |column: &Column| {
        matches!(
            column.role,
            Role::Movetext | Role::Movedata | Role::Position(PositionColumn::Fen)
        )
    };
    if !columns.iter().any(has_games) {
        let message = format!(
            "{what} without games: it has no column `{MOVETEXT}` (text, as in the sets of Lichess), `{MOVEDATA}` (bytes, as in Aix \
             archives) or `FEN` or `epd` (text, positions)"
        );
        return Err(damaged(&message));
    }
    Ok((columns, complaints))
}

/// Returns the roles of columns with these names, and whether each role is certain, if they are those of a table of positions without games.
fn roles_of_positions(names: &[&str]) -> Option<Vec<Option<(Role, bool)>>> {
    if names.iter().any(|name| matches!(*name, MOVETEXT | MOVEDATA)) {
        return None;
    }
    let columns = position_columns(names.iter().copied());
    let role = |column: PositionColumn| match column {
        PositionColumn::Tag(tag) => (Role::Position(PositionColumn::Tag(tag)), false),
        known => (Role::Position(known), true),
    };
    columns
        .contains(&Some(PositionColumn::Fen))
        .then(|| columns.into_iter().map(|column| column.map(role)).collect())
}

/// The tags that decide how a game is read: its start, its variant, its result.
const TEXT_TAGS: [&str; 4] = ["Event", "FEN", "Result", "Variant"];

/// Returns which of these columns of another program's archive are read for these tags: the columns of the moves, of the tags, of those that
/// decide how a game is read, and with `commands` also the columns of evaluations and clocks.
pub(crate) fn columns_read<'a>(names: &[&'a str], tags: &TagUse, commands: bool) -> Vec<&'a str> {
    let is_tag_read = |tag: &str| TEXT_TAGS.contains(&tag) || tags.has(tag.as_bytes());
    if let Some(roles) = roles_of_positions(names) {
        let is_read = |role: &Option<(Role, bool)>| match role {
            Some((Role::Position(column), _)) => match column {
                PositionColumn::Tag(tag) => is_tag_read(tag),
                PositionColumn::Fen | PositionColumn::Moves => true,
                PositionColumn::OtherFen(_) => false,
                PositionColumn::Unread => false,
                PositionColumn::Centipawns
                | PositionColumn::Mate
                | PositionColumn::Depth
                | PositionColumn::Evaluations => commands,
            },
            _ => false,
        };
        let read = names.iter().zip(&roles).filter(|(_, role)| is_read(role));
        return read.map(|(name, _)| *name).collect();
    }
    let is_read = |name: &&&str| match role(name) {
        _ if commands && list_role(name).is_some() => true,
        None => false,
        Some((Role::Tag(tag), _)) => is_tag_read(&tag),
        Some(_) => true,
    };
    names.iter().filter(is_read).copied().collect()
}

/// Returns the role of a column of lists of numbers.
fn list_role(name: &str) -> Option<Role> {
    match name {
        "evals" => Some(Role::Evaluations),
        "clocks_white" => Some(Role::Clocks(Color::White)),
        "clocks_black" => Some(Role::Clocks(Color::Black)),
        _ => None,
    }
}

/// Returns the role of a column, and whether its name is known.
fn role(name: &str) -> Option<(Role, bool)> {
    match name {
        MOVETEXT => Some((Role::Movetext, true)),
        MOVEDATA => Some((Role::Movedata, true)),
        name => tag_of_column(name).map(|(tag, is_known)| (Role::Tag(tag), is_known)),
    }
}

/// Returns the role of a column in a copy of a database. The column of encoded moves is not used, as it has less than the text.
fn role_in_copy(name: &str) -> Option<(Role, bool)> {
    let role = match name {
        MOVETEXT => Role::Movetext,
        copy::TAG_ORDER => Role::TagOrder,
        copy::OTHER_TAGS => Role::OtherTags,
        copy::PGN => Role::Pgn,
        tag if TAGS.contains(&tag) => Role::Tag(tag.to_owned()),
        _ => return None,
    };
    Some((role, true))
}

/// The type of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Text,
    Bytes,
    /// Numbers, dates and times.
    Numbers,
    /// Booleans.
    Truths,
    /// Lists of numbers.
    NumberLists,
    /// Lists of texts.
    TextLists,
    /// Nested columns.
    Lists,
}

impl Content {
    fn of(descriptor: &ColumnDescriptor) -> Content {
        if descriptor.path().parts().len() == 3 && descriptor.max_rep_level() == 1 {
            return match (descriptor.physical_type(), descriptor.converted_type()) {
                (Physical::INT32, _) => Content::NumberLists,
                (Physical::BYTE_ARRAY, ConvertedType::UTF8) => Content::TextLists,
                _ => Content::Lists,
            };
        }
        if descriptor.path().parts().len() != 1 || descriptor.max_rep_level() != 0 {
            return Content::Lists;
        }
        match (descriptor.physical_type(), descriptor.converted_type()) {
            (_, ConvertedType::DECIMAL) => Content::Numbers,
            (Physical::BYTE_ARRAY, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => Content::Text,
            (Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY, _) => Content::Bytes,
            (Physical::BOOLEAN, _) => Content::Truths,
            _ => Content::Numbers,
        }
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Content::Text => "text",
            Content::Bytes => "bytes",
            Content::Numbers => "numbers",
            Content::Truths => "truth values",
            Content::NumberLists | Content::TextLists | Content::Lists => "lists or groups",
        })
    }
}

/// Writes a row, given by the values of its columns, as a game in PGN with its result at the end. Returns what is lost of its moves.
pub(super) fn write(
    columns: &[Column],
    values: &[Box<dyn values::Values>],
    index: usize,
    out: &mut Vec<u8>,
) -> Option<Cow<'static, str>> {
    if columns.iter().any(|column| matches!(column.role, Role::TagOrder)) {
        return write_copied(columns, values, index, out).map(Cow::Borrowed);
    }
    if columns.iter().any(|column| matches!(column.role, Role::Position(_))) {
        return write_position(columns, values, index, out).map(Cow::Owned);
    }
    let mut lost = None;
    let mut result = "*".to_owned();
    let (mut movetext, mut movedata) = (None, None);
    let mut commands = Commands::default();
    for (column, values) in columns.iter().zip(values) {
        match &column.role {
            Role::Movetext => movetext = values.bytes(index),
            Role::Movedata => movedata = values.bytes(index),
            Role::TagOrder | Role::OtherTags | Role::Pgn | Role::Position(_) => {}
            Role::Evaluations => commands.evaluations = values.numbers(index),
            Role::Clocks(color) => *commands.clocks.get_mut(*color) = values.numbers(index),
            Role::Tag(name) => {
                let Some(value) = values.shown(index) else { continue };
                write_value(name, &value, out);
                if name == "Result" {
                    result = result_of_tag(value.as_bytes(), Rules::Full).to_string();
                }
            }
        }
    }
    // Without any tag, the moves might not be recognised as a game.
    if out.is_empty() {
        write_tag("Result", movetext.and_then(result_behind).unwrap_or(&result), out);
    }
    out.push(b'\n');
    match (movetext, movedata) {
        (Some(text), _) => out.extend(
            text.trim_ascii()
                .iter()
                .map(|byte| if byte.is_ascii_control() { b' ' } else { *byte }),
        ),
        (None, Some(bytes)) => {
            if !write_moves(bytes, &commands, out) {
                lost = Some("moves that cannot be decoded: the rest of the game is left out");
            }
        }
        (None, None) => lost = Some("the row has no moves"),
    }
    if result_behind(out).is_none() {
        out.push(b' ');
        out.extend_from_slice(result.as_bytes());
    }
    out.extend_from_slice(b"\n\n");
    lost.map(Cow::Borrowed)
}

/// Writes a row of a table of positions. Returns what is left out of it.
fn write_position(
    columns: &[Column],
    values: &[Box<dyn values::Values>],
    index: usize,
    out: &mut Vec<u8>,
) -> Option<String> {
    let mut row = PositionRow::default();
    for (column, values) in columns.iter().zip(values) {
        if let Role::Position(column) = &column.role {
            row.add(column, values.shown(index).unwrap_or_default().as_bytes());
        }
    }
    row.write(out);
    row.complaint()
}

/// Returns the result that follows moves.
fn result_behind(moves: &[u8]) -> Option<&'static str> {
    let moves = moves.trim_ascii_end();
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    results.into_iter().find(|result| moves.ends_with(result.as_bytes()))
}

/// Writes a row of a copy of a database. Returns what is lost of it.
fn write_copied(
    columns: &[Column],
    values: &[Box<dyn values::Values>],
    index: usize,
    out: &mut Vec<u8>,
) -> Option<&'static str> {
    let find = |is_it: &dyn Fn(&Role) -> bool| {
        let mut all = columns.iter().zip(values);
        all.find(|(column, _)| is_it(&column.role)).map(|(_, values)| values)
    };
    let mut lost = None;
    if let Some(pgn) = find(&|role| matches!(role, Role::Pgn)).and_then(|values| values.bytes(index)) {
        copy::write_plain(pgn, out);
    } else {
        let bytes = |is_it: &dyn Fn(&Role) -> bool| find(is_it)?.bytes(index);
        let order = bytes(&|role| matches!(role, Role::TagOrder)).unwrap_or_default();
        let others = other_tags(bytes(&|role| matches!(role, Role::OtherTags)));
        let others = others.unwrap_or_else(|_| {
            lost = Some("tags that cannot be read");
            BTreeMap::new()
        });
        for name in String::from_utf8_lossy(order)
            .split(' ')
            .filter(|name| !name.is_empty())
        {
            let of_column = || find(&|role| matches!(role, Role::Tag(tag) if tag == name))?.shown(index);
            match others.get(name).map(|value| value.as_str().into()).or_else(of_column) {
                Some(value) => write_tag(name, &value, out),
                None => lost = Some("a tag without a value"),
            }
        }
        let movetext = bytes(&|role| matches!(role, Role::Movetext)).unwrap_or_default();
        // Without any tag, the moves might not be recognised as a game.
        if out.is_empty() {
            let result = movetext.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
            write_tag("Result", &String::from_utf8_lossy(result), out);
        }
        out.push(b'\n');
        copy::write_plain(movetext, out);
    }
    out.extend_from_slice(b"\n\n");
    lost
}

/// Writes a tag with a value from an archive, whether or not its maker has resolved escapes.
fn write_value(name: &str, value: &str, out: &mut Vec<u8>) {
    let meant = resolved(value.as_bytes());
    let value = escaped(&meant);
    write_tag(name, &String::from_utf8_lossy(&value), out);
}

/// Writes a tag whose value is already written as in PGN.
fn write_tag(name: &str, value: &str, out: &mut Vec<u8>) {
    let value = value.replace(['\r', '\n'], " ");
    // Writing to a vector cannot fail.
    let _ = writeln!(out, "[{name} \"{value}\"]");
}

/// The lists about the moves of a game.
#[derive(Default)]
struct Commands<'v> {
    evaluations: &'v [Option<i32>],
    clocks: ByColor<&'v [Option<i32>]>,
}

impl Commands<'_> {
    /// Writes the evaluation and clock after a move, counted from 0, as a PGN comment.
    fn write(&self, ply: usize, mover: Color, out: &mut Vec<u8>) {
        let evaluation = self.evaluations.get(ply).copied().flatten();
        let clock = self.clocks.get(mover).get(ply / 2).copied().flatten();
        if evaluation.is_none() && clock.is_none() {
            return;
        }
        out.extend_from_slice(b"{ ");
        // Writing to a vector cannot fail.
        if let Some(evaluation) = evaluation {
            let _ = write!(out, "[%eval {}] ", shown_evaluation(evaluation));
        }
        if let Some(seconds) = clock {
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            let _ = write!(out, "[%clk {hours}:{minutes:02}:{:02}] ", seconds % 60);
        }
        out.extend_from_slice(b"} ");
    }
}

/// Returns a 16-bit evaluation as in PGN. Mates are at both ends of the range, mate in one outermost, and centipawns are between them.
fn shown_evaluation(evaluation: i32) -> String {
    const MATES: i32 = 512;
    let (least, most) = (i32::from(i16::MIN), i32::from(i16::MAX));
    if evaluation > most - MATES {
        format!("#{}", most - evaluation + 1)
    } else if evaluation < least + MATES {
        format!("#-{}", evaluation - least + 1)
    } else {
        let sign = if evaluation < 0 { "-" } else { "" };
        format!("{sign}{}.{:02}", evaluation.abs() / 100, evaluation.abs() % 100)
    }
}

/// Writes encoded moves as far as they can be decoded. Returns whether this reached their end.
fn write_moves(bytes: &[u8], commands: &Commands<'_>, out: &mut Vec<u8>) -> bool {
    let mut chess = Chess::default();
    let Ok(encoded) = EncodedGame::from_bytes(bytes) else {
        return false;
    };
    let mut decoder = Decoder::new(&encoded);
    let mut ply = 0;
    while let Some(decoded) = decoder.next_move() {
        let Ok(played) = decoded else {
            return false;
        };
        if chess.turn().is_white() {
            let _ = write!(out, "{}. ", chess.fullmoves());
        }
        let _ = write!(out, "{} ", San::from_move(&chess, played));
        commands.write(ply, chess.turn(), out);
        chess.play_unchecked(played);
        ply += 1;
    }
    true
}
