//! The columns of the database file and its version. `docs/database.md` describes them for users.

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::schema::types::{ColumnPath, Type};

use crate::game::GameTable;

/// The metadata key of the version of the layout.
pub(super) const VERSION_KEY: &str = "skewer.version";
/// The metadata key of the warnings about text after the last game, if there are any.
pub(super) const REST_KEY: &str = "skewer.warnings";
/// The metadata key of the rules by which the games were read, if these are not the usual ones.
pub(super) const RULES_KEY: &str = "skewer.rules";
/// Its value for the rules of CQL.
pub(super) const CQL_RULES: &str = "cql";
/// The metadata key of the checksums of the columns.
pub(super) const CHECKSUMS_KEY: &str = "skewer.checksums";
/// The metadata key of the summaries of the row groups. Older files have none.
pub(super) const GROUPS_KEY: &str = "skewer.groups";
/// The metadata key of the places of the pages of moves.
pub(super) const PAGES_KEY: &str = "skewer.pages";
/// The metadata key of the numbers of blocks in the board filters after the row groups.
pub(super) const BOARDS_KEY: &str = "skewer.boards";
/// The metadata key of the numbers of bytes of the king and pawn squares after the row groups. Older files have none.
pub(super) const SQUARES_KEY: &str = "skewer.ranks";
/// The metadata key of the themes whose games are known.
pub(super) const THEMES_KEY: &str = "skewer.themes";
/// The metadata key of the places where the footer describes the row groups. Older files have none.
pub(super) const DIRECTORY_KEY: &str = "skewer.directory";
/// The metadata key of the checksum of the footer.
pub(super) const FOOTER_KEY: &str = "skewer.footer";
/// The version that is written.
pub(super) const VERSION: u32 = 4;
/// The version before which tags and commands were read differently: only leading numbers were years, evaluations of ChessBase were pawns, and clocks
/// with two fields were always minutes and seconds. These values are determined again for such files.
pub(super) const READ_VERSION: u32 = 4;
/// The version before which the footer has no checksum.
pub(super) const SUMMED_VERSION: u32 = 2;
/// The oldest version that is read.
pub(super) const OLDEST_VERSION: u32 = 1;
/// The name of the program that has written the file.
pub(super) const CREATOR: &str = concat!("skewer ", env!("CARGO_PKG_VERSION"));
/// The games of a row group.
pub(super) const GROUP_GAMES: usize = 2048;
/// The games of a page, which is decompressed at once.
pub(super) const PAGE_GAMES: usize = 512;
/// The games of a page of the column `movedata`, which a search for few games reads at once.
const MOVES_PAGE_GAMES: usize = 32;
/// The bytes of texts at which a row group ends.
pub(super) const GROUP_BYTES: usize = 16 << 20;

/// The type of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// UTF-8.
    Text,
    /// Bytes.
    Bytes,
    /// 32 bits.
    Small,
    /// 64 bits.
    Large,
}

/// A column that is not a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Column {
    /// The other tags, as a JSON object.
    OtherTags,
    /// The names of all tags in order, separated by spaces.
    TagOrder,
    /// The movetext, including variations and comments.
    Movetext,
    /// The main line in Aix's *Low* encoding, if it is a legal game of chess from the usual start.
    Movedata,
    /// Any other main line, in the encoding of [`push_main_line`](crate::game::push_main_line).
    Line,
    /// The positions of variations, in the encoding of [`push_main_line`](crate::game::push_main_line).
    Variations,
    /// The result: 0 for `*`, 1 for White, 2 for Black, 3 for a draw.
    Outcome,
    /// The length of the main line.
    Plies,
    /// The events of the main line.
    Events,
    /// The fewest pieces of each kind.
    PiecesLeast,
    /// The most pieces of each kind.
    PiecesMost,
    /// The name of the PGN file in messages.
    Source,
    /// The line of the PGN file on which the game begins.
    SourceLine,
    /// The warnings about the text of the game.
    Warnings,
    /// The whole text of a game that the other columns cannot reproduce byte for byte.
    Pgn,
    /// The evaluations of the positions of the main line.
    Evaluations,
    /// The search depths of the engine.
    Depths,
    /// The clocks.
    Clocks,
    /// The time taken by each move.
    MoveTimes,
    /// Annotation symbols, by the position before each.
    Symbols,
}

/// The columns of commands and annotation symbols. Databases of older versions end before them.
pub(super) const COMMANDS: [Column; 5] = [
    Column::Evaluations,
    Column::Depths,
    Column::Clocks,
    Column::MoveTimes,
    Column::Symbols,
];

/// The tags with columns of their own. All are as written in the game, except for the ratings, which are numbers.
pub(super) use crate::game::TAG_COLUMNS as TAGS;

/// The index of the column of the tag `Date`.
pub(super) const DATE: usize = 2;
/// The index of the column of the tag `UTCDate`.
pub(super) const UTC_DATE: usize = 13;

/// The other columns: name, kind, whether every game has a value.
const OTHERS: [(Column, &str, Kind, bool); 20] = [
    (Column::OtherTags, "other_tags", Kind::Text, false),
    (Column::TagOrder, "tag_order", Kind::Text, true),
    (Column::Movetext, "movetext", Kind::Text, true),
    (Column::Movedata, "movedata", Kind::Bytes, false),
    (Column::Line, "line", Kind::Bytes, false),
    (Column::Variations, "variations", Kind::Bytes, false),
    (Column::Outcome, "outcome", Kind::Small, true),
    (Column::Plies, "plies", Kind::Small, true),
    (Column::Events, "events", Kind::Small, true),
    (Column::PiecesLeast, "men_least", Kind::Large, true),
    (Column::PiecesMost, "men_most", Kind::Large, true),
    (Column::Source, "source", Kind::Text, true),
    (Column::SourceLine, "source_line", Kind::Large, true),
    (Column::Warnings, "warnings", Kind::Text, false),
    (Column::Pgn, "pgn", Kind::Bytes, false),
    (Column::Evaluations, "evals", Kind::Bytes, false),
    (Column::Depths, "eval_depths", Kind::Bytes, false),
    (Column::Clocks, "clocks", Kind::Bytes, false),
    (Column::MoveTimes, "move_times", Kind::Bytes, false),
    (Column::Symbols, "nags", Kind::Bytes, false),
];

/// The number of columns.
pub(super) const COLUMNS: usize = TAGS.len() + OTHERS.len();

/// Returns how many columns the files of a version have: the first ones of all.
pub(super) fn columns_of(version: u32) -> usize {
    if version < 3 { COLUMNS - COMMANDS.len() } else { COLUMNS }
}

impl Column {
    /// Returns its index among all columns.
    pub(super) const fn index(self) -> usize {
        TAGS.len() + self as usize
    }
}

/// Returns the index of the column of a tag, if it has one.
pub(super) fn tag_column(name: &[u8]) -> Option<usize> {
    TAGS.iter().position(|tag| tag.as_bytes() == name)
}

/// Returns whether a tag's column holds numbers.
pub(super) fn is_number(tag: usize) -> bool {
    TAGS[tag].ends_with("Elo")
}

/// Returns the name and the kind of the column with this index, and whether every game has a value.
pub(super) fn column(index: usize) -> (&'static str, Kind, bool) {
    match index.checked_sub(TAGS.len()) {
        None => {
            let kind = if is_number(index) { Kind::Small } else { Kind::Text };
            (TAGS[index], kind, false)
        }
        Some(other) => {
            let (_, name, kind, required) = OTHERS[other];
            (name, kind, required)
        }
    }
}

/// Returns whether a table has the columns of a database: those that only a database has and that every search reads.
pub(crate) fn is_database(table: &GameTable) -> bool {
    let own = [Column::Events, Column::Outcome];
    own.into_iter().all(|own| table.column(column(own.index()).0).is_some())
}

/// Returns the schema of the file.
pub(super) fn schema() -> Result<Type, ParquetError> {
    let fields = (0..COLUMNS).map(|index| {
        let (name, kind, required) = column(index);
        let (physical, logical) = match kind {
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Bytes => (Physical::BYTE_ARRAY, None),
            Kind::Small => (Physical::INT32, None),
            Kind::Large => (Physical::INT64, None),
        };
        let repetition = if required {
            Repetition::REQUIRED
        } else {
            Repetition::OPTIONAL
        };
        let field = Type::primitive_type_builder(name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()?;
        Ok(Arc::new(field))
    });
    let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
    Type::group_type_builder("games").with_fields(fields).build()
}

/// Returns how columns are written.
pub(super) fn properties() -> Result<WriterProperties, ParquetError> {
    let long = [
        Column::Movetext,
        Column::Movedata,
        Column::Line,
        Column::Variations,
        Column::Pgn,
    ];
    let long = long.into_iter().chain(COMMANDS);
    let movedata = ColumnPath::from(column(Column::Movedata.index()).0);
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_statistics_truncate_length(Some(32))
        .set_offset_index_disabled(true)
        // Pages end where the pages of the other columns do: the length of a page is checked after each batch of values.
        .set_data_page_row_count_limit(PAGE_GAMES)
        .set_column_data_page_row_count_limit(movedata.clone(), MOVES_PAGE_GAMES)
        // Compression would save a fifth, but a search for few games would spend half of its time on unpacking.
        .set_column_compression(movedata, Compression::UNCOMPRESSED)
        .set_write_batch_size(MOVES_PAGE_GAMES);
    // No two games are the same, so dictionaries and statistics of them would be a waste.
    let properties = long.fold(properties, |properties, long| {
        let path = ColumnPath::from(column(long.index()).0);
        properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_statistics_enabled(path, EnabledStatistics::None)
    });
    Ok(properties.build())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_where_their_number_says() {
        for (place, (name, ..)) in OTHERS
            .iter()
            .enumerate()
            .map(|(place, other)| (place, (other.1, other)))
        {
            assert_eq!(OTHERS[place].0.index(), TAGS.len() + place, "{name}");
        }
        let schema = schema().unwrap();
        assert_eq!(schema.get_fields().len(), COLUMNS);
        assert_eq!(schema.get_fields()[Column::Movedata.index()].name(), "movedata");
        assert_eq!(tag_column(b"Date"), Some(DATE));
        assert_eq!(tag_column(b"UTCDate"), Some(UTC_DATE));
        assert_eq!(tag_column(b"WhiteElo").map(is_number), Some(true));
    }
}
