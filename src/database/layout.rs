//! The columns of the database file and its version; `docs/database.md` says the same to users.

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::schema::types::{ColumnPath, Type};

use crate::game::GameTable;

/// The key of the file's metadata that holds the version of the layout.
pub(super) const VERSION_KEY: &str = "skewer.version";
/// The key of the file's metadata that holds warnings about text after the last game, if there are any.
pub(super) const REST_KEY: &str = "skewer.warnings";
/// The key of the file's metadata that says by which rules the games were read, if that are not the usual ones.
pub(super) const RULES_KEY: &str = "skewer.rules";
/// Its value for the rules of CQL.
pub(super) const CQL_RULES: &str = "cql";
/// The key of the file's metadata that holds the checksums of the columns.
pub(super) const CHECKSUMS_KEY: &str = "skewer.checksums";
/// The key of the file's metadata that holds what is known of each row group. Older files have none.
pub(super) const GROUPS_KEY: &str = "skewer.groups";
/// The key of the file's metadata that says where the pages of the moves are.
pub(super) const PAGES_KEY: &str = "skewer.pages";
/// The key of the file's metadata that says how many blocks the filter of boards after each row group has.
pub(super) const BOARDS_KEY: &str = "skewer.boards";
/// The key of the file's metadata that says how many bytes the squares of kings and pawns behind each row group have. Older files have none.
pub(super) const SQUARES_KEY: &str = "skewer.ranks";
/// The key of the file's metadata that lists the themes whose games are known.
pub(super) const THEMES_KEY: &str = "skewer.themes";
/// The key of the file's metadata that says where the footer describes each row group. Older files have none.
pub(super) const DIRECTORY_KEY: &str = "skewer.directory";
/// The key of the file's metadata that holds the checksum of the footer.
pub(super) const FOOTER_KEY: &str = "skewer.footer";
/// The version that is written.
pub(super) const VERSION: u32 = 4;
/// The version before which tags and commands were read in another way: only leading numbers were years, evaluations of ChessBase were
/// pawns, and clocks of two fields were always minutes and seconds. So what such files say of that is found out anew.
pub(super) const READ_VERSION: u32 = 4;
/// The version before which the footer has no checksum.
pub(super) const SUMMED_VERSION: u32 = 2;
/// The oldest version that is read.
pub(super) const OLDEST_VERSION: u32 = 1;
/// The name of the program that has written the file.
pub(super) const CREATOR: &str = concat!("skewer ", env!("CARGO_PKG_VERSION"));
/// Games of a row group.
pub(super) const GROUP_GAMES: usize = 2048;
/// Games of a page, which is what is decompressed at once.
pub(super) const PAGE_GAMES: usize = 512;
/// Games of a page of the column `movedata`, which is what a search for few games reads at once.
const MOVES_PAGE_GAMES: usize = 32;
/// A row group ends when the texts of its games have this many bytes.
pub(super) const GROUP_BYTES: usize = 16 << 20;

/// What the values of a column are.
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
    /// The names of all tags in order, with spaces between.
    TagOrder,
    /// The movetext, variations and comments included.
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
    /// What happens in the main line.
    Events,
    /// The least pieces.
    PiecesLeast,
    /// The most pieces.
    PiecesMost,
    /// The PGN file, as messages name it.
    Source,
    /// The line of the PGN file where the game begins.
    SourceLine,
    /// What was wrong with the text of the game.
    Warnings,
    /// The whole text of a game that the other columns cannot give back byte for byte.
    Pgn,
    /// The evaluations of the positions of the main line.
    Evaluations,
    /// How deep the engine has looked.
    Depths,
    /// The clocks.
    Clocks,
    /// What the moves have taken.
    MoveTimes,
    /// Annotation symbols, by the position before each.
    Symbols,
}

/// The columns of what commands and annotation symbols say of positions. Databases of older versions end before them.
pub(super) const COMMANDS: [Column; 5] = [
    Column::Evaluations,
    Column::Depths,
    Column::Clocks,
    Column::MoveTimes,
    Column::Symbols,
];

/// The tags with columns of their own, all as they stand in the game but the ratings, which are numbers.
pub(super) use crate::game::TAG_COLUMNS as TAGS;

/// The place of the column of the tag `Date`.
pub(super) const DATE: usize = 2;
/// The place of the column of the tag `UTCDate`.
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

/// How many columns there are.
pub(super) const COLUMNS: usize = TAGS.len() + OTHERS.len();

/// How many columns the files of a version have: the first of all.
pub(super) fn columns_of(version: u32) -> usize {
    if version < 3 { COLUMNS - COMMANDS.len() } else { COLUMNS }
}

impl Column {
    /// Its place among all columns.
    pub(super) const fn index(self) -> usize {
        TAGS.len() + self as usize
    }
}

/// The place of the column of a tag, if it has one.
pub(super) fn tag_column(name: &[u8]) -> Option<usize> {
    TAGS.iter().position(|tag| tag.as_bytes() == name)
}

/// Whether a tag's column holds numbers.
pub(super) fn is_number(tag: usize) -> bool {
    TAGS[tag].ends_with("Elo")
}

/// Name, kind and whether every game has a value, of a column by its place.
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

/// Whether the columns of a table are those of a database: it has the ones that only a database has and that every search reads.
pub(crate) fn is_database(table: &GameTable) -> bool {
    let own = [Column::Events, Column::Outcome];
    own.into_iter().all(|own| table.column(column(own.index()).0).is_some())
}

/// The schema of the file.
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

/// How columns are written.
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
        // Pages end where those of the other columns do: lengths of pages are looked at after each batch of values.
        .set_data_page_row_count_limit(PAGE_GAMES)
        .set_column_data_page_row_count_limit(movedata.clone(), MOVES_PAGE_GAMES)
        // Packed it would be a fifth smaller, and a search for few games would spend half of its time on unpacking.
        .set_column_compression(movedata, Compression::UNCOMPRESSED)
        .set_write_batch_size(MOVES_PAGE_GAMES);
    // No two games are the same, so a dictionary of them is a waste, and so are their least and greatest.
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
