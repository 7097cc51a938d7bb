//! Matches as rows of a table.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, BooleanBuilder, Date32Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder,
    UInt64Builder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use skewer::{Color, ColumnType, ColumnValue, FoundGame, QuerySide, SortKey, SortKeyValue, Square};

/// The number of columns that users do not see: the marks on the board.
pub(crate) const HIDDEN: usize = HIDDEN_NAMES.len();

/// The names of the hidden columns.
pub(crate) const HIDDEN_NAMES: [&str; 3] = ["squares", "rays", "moves"];

/// The columns that come before those that users add and those of the sort keys.
pub(crate) const NAMES: [&str; 21] = [
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
    "year",
    "result",
    "eco",
    "move",
    "uci",
    "comments",
    "query_side",
];

/// The metadata key of columns that users have added.
const ADDED: &str = "skewer.added";

/// A batch is complete when it has this many rows. Its last game may add more.
const BATCH_ROWS: usize = 8192;

/// Returns whether a user has added the column of this field.
pub(crate) fn is_added(field: &Field) -> bool {
    field.metadata().contains_key(ADDED)
}

/// Returns the columns of a table of matches. The hidden ones come last.
pub(crate) fn schema(columns: &[(&str, ColumnType)], keys: &[SortKey]) -> SchemaRef {
    let mut fields: Vec<Field> = Vec::new();
    for name in NAMES {
        let (kind, nullable) = match name {
            "game" => (DataType::Int64, false),
            "positionid" | "ply" | "movenumber" => (DataType::Int32, false),
            "white_elo" | "black_elo" | "year" => (DataType::Int32, true),
            "date" => (DataType::Date32, true),
            "comments" => (DataType::new_list(DataType::Utf8, true), false),
            "file" | "side" | "fen" => (DataType::Utf8, false),
            _ => (DataType::Utf8, true),
        };
        fields.push(Field::new(name, kind, nullable));
    }
    for (name, kind) in columns {
        let mark = HashMap::from([(ADDED.to_owned(), String::new())]);
        fields.push(Field::new(*name, type_of_column(*kind), true).with_metadata(mark));
    }
    for key in keys {
        let mut name = key.title().to_owned();
        while fields.iter().any(|field| *field.name() == name) {
            name.push('_');
        }
        let kind = match key.is_text() {
            true => DataType::Utf8,
            false => DataType::Int64,
        };
        fields.push(Field::new(name, kind, true));
    }
    let kinds = [DataType::UInt64, DataType::Binary, DataType::Binary];
    for (name, kind) in HIDDEN_NAMES.into_iter().zip(kinds) {
        fields.push(Field::new(name, kind, false));
    }
    Arc::new(Schema::new(fields))
}

/// Returns the Arrow type of a column that a user has added.
pub(crate) fn type_of_column(kind: ColumnType) -> DataType {
    match kind {
        ColumnType::Number => DataType::Int32,
        ColumnType::Truth => DataType::Boolean,
        _ => DataType::Utf8,
    }
}

/// Collects rows of results.
pub(crate) struct Rows {
    schema: SchemaRef,
    file: StringBuilder,
    game: Int64Builder,
    position_id: Int32Builder,
    ply: Int32Builder,
    move_number: Int32Builder,
    side: StringBuilder,
    fen: StringBuilder,
    /// `white` and `black`.
    players: [StringBuilder; 2],
    ratings: [Int32Builder; 2],
    /// `event` and `site`.
    place: [StringBuilder; 2],
    date: Date32Builder,
    year: Int32Builder,
    /// `result` and `eco`.
    outcome: [StringBuilder; 2],
    san: StringBuilder,
    uci: StringBuilder,
    comments: ListBuilder<StringBuilder>,
    query_side: StringBuilder,
    columns: Vec<ColumnBuilder>,
    keys: Vec<KeyBuilder>,
    squares: UInt64Builder,
    rays: BinaryBuilder,
    moves: BinaryBuilder,
}

/// Builds a column that a user has added.
pub(crate) enum ColumnBuilder {
    Numbers(Int32Builder),
    Truths(BooleanBuilder),
    Texts(StringBuilder),
}

/// Builds a column of sort keys.
pub(crate) enum KeyBuilder {
    Numbers(Int64Builder),
    Texts(StringBuilder),
}

impl Rows {
    /// Creates an empty collection for these added columns and sort keys.
    pub(crate) fn new(columns: &[(&str, ColumnType)], keys: &[SortKey]) -> Rows {
        Rows {
            schema: schema(columns, keys),
            file: StringBuilder::new(),
            game: Int64Builder::new(),
            position_id: Int32Builder::new(),
            ply: Int32Builder::new(),
            move_number: Int32Builder::new(),
            side: StringBuilder::new(),
            fen: StringBuilder::new(),
            players: Default::default(),
            ratings: Default::default(),
            place: Default::default(),
            date: Date32Builder::new(),
            year: Int32Builder::new(),
            outcome: Default::default(),
            san: StringBuilder::new(),
            uci: StringBuilder::new(),
            comments: ListBuilder::new(StringBuilder::new()),
            query_side: StringBuilder::new(),
            columns: columns.iter().map(|(_, kind)| ColumnBuilder::new(*kind)).collect(),
            keys: keys.iter().map(|key| KeyBuilder::new(key.is_text())).collect(),
            squares: UInt64Builder::new(),
            rays: BinaryBuilder::new(),
            moves: BinaryBuilder::new(),
        }
    }

    /// Returns the columns.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns whether there are enough rows for a batch.
    pub(crate) fn are_many(&self) -> bool {
        self.game.len() >= BATCH_ROWS
    }

    /// Adds a row for each match of a game.
    pub(crate) fn add(&mut self, game: &FoundGame) {
        let number = i64::try_from(game.number()).unwrap_or(i64::MAX);
        let date = game.date().to_string();
        let (year, day) = (year(&date), day(&date));
        for found in game.matches() {
            self.file.append_value(game.source());
            self.game.append_value(number);
            self.position_id.append_value(small(found.position_id()));
            self.ply.append_value(small(found.ply()));
            self.move_number.append_value(small(found.move_number()));
            self.side.append_value(found.side_to_move().fold_wb("white", "black"));
            self.fen.append_value(found.fen());
            for (column, name) in self.players.iter_mut().zip(["White", "Black"]) {
                column.append_option(known(game, name));
            }
            for (column, player) in self.ratings.iter_mut().zip([Color::White, Color::Black]) {
                column.append_option(game.rating(player).map(i32::from));
            }
            for (column, name) in self.place.iter_mut().zip(["Event", "Site"]) {
                column.append_option(known(game, name));
            }
            self.date.append_option(day);
            self.year.append_option(year);
            for (column, name) in self.outcome.iter_mut().zip(["Result", "ECO"]) {
                column.append_option(known(game, name));
            }
            self.san.append_option(found.last_move_san());
            self.uci.append_option(found.last_move_uci());
            for comment in found.remarks() {
                self.comments.values().append_value(comment);
            }
            self.comments.append(true);
            self.query_side.append_option(found.query_side().map(QuerySide::as_str));
            for (column, value) in self.columns.iter_mut().zip(found.values()) {
                column.append(value.as_ref());
            }
            for (column, (_, value)) in self.keys.iter_mut().zip(game.sort_keys()) {
                column.append(value.as_ref());
            }
            self.squares.append_value(found.squares().into());
            self.rays.append_value(pairs(found.rays()));
            self.moves.append_value(pairs(found.moves()));
        }
    }

    /// Takes the rows out.
    ///
    /// # Errors
    /// Returns an error if the columns do not fit the schema, which should never happen.
    pub(crate) fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let [white, black] = &mut self.players;
        let [white_rating, black_rating] = &mut self.ratings;
        let [event, site] = &mut self.place;
        let [result, eco] = &mut self.outcome;
        let mut columns: Vec<ArrayRef> = Vec::new();
        let before: [&mut dyn ArrayBuilder; NAMES.len()] = [
            &mut self.file,
            &mut self.game,
            &mut self.position_id,
            &mut self.ply,
            &mut self.move_number,
            &mut self.side,
            &mut self.fen,
            white,
            black,
            white_rating,
            black_rating,
            event,
            site,
            &mut self.date,
            &mut self.year,
            result,
            eco,
            &mut self.san,
            &mut self.uci,
            &mut self.comments,
            &mut self.query_side,
        ];
        columns.extend(before.map(ArrayBuilder::finish));
        columns.extend(self.columns.iter_mut().map(ColumnBuilder::finish));
        columns.extend(self.keys.iter_mut().map(KeyBuilder::finish));
        let hidden: [&mut dyn ArrayBuilder; HIDDEN] = [&mut self.squares, &mut self.rays, &mut self.moves];
        columns.extend(hidden.map(ArrayBuilder::finish));
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

impl ColumnBuilder {
    /// Creates an empty builder.
    pub(crate) fn new(kind: ColumnType) -> ColumnBuilder {
        match kind {
            ColumnType::Number => ColumnBuilder::Numbers(Int32Builder::new()),
            ColumnType::Truth => ColumnBuilder::Truths(BooleanBuilder::new()),
            _ => ColumnBuilder::Texts(StringBuilder::new()),
        }
    }

    /// Adds the value at a match, or a null.
    pub(crate) fn append(&mut self, value: Option<&ColumnValue>) {
        match (self, value) {
            (ColumnBuilder::Numbers(column), Some(ColumnValue::Number(number))) => column.append_value(*number),
            (ColumnBuilder::Numbers(column), _) => column.append_null(),
            (ColumnBuilder::Truths(column), Some(ColumnValue::Truth(holds))) => column.append_value(*holds),
            (ColumnBuilder::Truths(column), _) => column.append_null(),
            (ColumnBuilder::Texts(column), Some(ColumnValue::Text(text))) => column.append_value(text),
            (ColumnBuilder::Texts(column), _) => column.append_null(),
        }
    }

    /// Takes the values out.
    pub(crate) fn finish(&mut self) -> ArrayRef {
        match self {
            ColumnBuilder::Numbers(column) => Arc::new(column.finish()),
            ColumnBuilder::Truths(column) => Arc::new(column.finish()),
            ColumnBuilder::Texts(column) => Arc::new(column.finish()),
        }
    }
}

impl KeyBuilder {
    /// Creates an empty builder of texts or numbers.
    pub(crate) fn new(are_texts: bool) -> KeyBuilder {
        match are_texts {
            true => KeyBuilder::Texts(StringBuilder::new()),
            false => KeyBuilder::Numbers(Int64Builder::new()),
        }
    }

    /// Adds the value of a game, or a null.
    pub(crate) fn append(&mut self, value: Option<&SortKeyValue<'_>>) {
        match (self, value) {
            (KeyBuilder::Numbers(column), Some(SortKeyValue::Number(number))) => {
                column.append_value(i64::from(*number));
            }
            (KeyBuilder::Numbers(column), _) => column.append_null(),
            (KeyBuilder::Texts(column), Some(SortKeyValue::Text(text))) => column.append_value(text),
            (KeyBuilder::Texts(column), _) => column.append_null(),
        }
    }

    /// Takes the values out.
    pub(crate) fn finish(&mut self) -> ArrayRef {
        match self {
            KeyBuilder::Numbers(column) => Arc::new(column.finish()),
            KeyBuilder::Texts(column) => Arc::new(column.finish()),
        }
    }
}

/// Returns the value of a tag, unless it is unknown.
fn known<'g>(game: &'g FoundGame, name: &str) -> Option<&'g str> {
    game.tag(name).filter(|value| *value != "?")
}

/// Converts a number of a position, which is small.
fn small(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Returns pairs of squares as bytes, two for each pair.
fn pairs(pairs: &[(Square, Square)]) -> Vec<u8> {
    pairs
        .iter()
        .flat_map(|(from, to)| [u8::from(*from), u8::from(*to)])
        .collect()
}

/// Returns the year of a PGN date, if it is known.
fn year(date: &str) -> Option<i32> {
    date.split('.')
        .next()?
        .parse()
        .ok()
        .filter(|year| (0..=9999).contains(year))
}

/// Returns a complete PGN date as the number of days since 1970. Returns `None` if a part of it is unknown, or if there is no such day.
fn day(date: &str) -> Option<i32> {
    let mut parts = date.split('.').map(|part| part.parse::<i32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if parts.next().is_some() || !(1..=days).contains(&day) || !(1..=9999).contains(&year) {
        return None;
    }
    // Years are counted from March, so that the leap day is the last day of a year.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let before_year = year * 365 + year / 4 - year / 100 + year / 400;
    let before_month = (month * 153 + 2) / 5;
    const EPOCH: i32 = 719_468;
    Some(before_year + before_month + day - 1 - EPOCH)
}
