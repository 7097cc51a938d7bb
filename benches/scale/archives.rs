//! Writes the games of a database as other programs publish them: an archive like those of Lichess (`movetext`), and Aix archives
//! in all three encodings (`movedata`), so that their costs can be compared.
//!
//! Games from other start positions are left out of all of them.
//!
//! ```sh
//! cargo run --release --example archives -- games.parquet FOLDER
//! ```

use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aix_chess_compression::{CompressionLevel, Decode as _, Decoder, Encode as _, EncodedGame, Encoder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::parser::parse_message_type;

/// The number of games in a row group.
const GROUP_GAMES: usize = 10_000;

/// The parts of a game that all archives have.
struct Game {
    texts: [Option<ByteArray>; 4],
    ratings: [Option<i32>; 2],
    movetext: ByteArray,
    movedata: Vec<u8>,
}

/// The columns of tags.
const TEXTS: [&str; 4] = ["Date", "White", "Black", "Result"];
const RATINGS: [&str; 2] = ["WhiteElo", "BlackElo"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(database), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: archives DATABASE FOLDER".into());
    };
    let games = read(&database)?;
    write(&folder.join("lichess.parquet"), "movetext (STRING)", &games, |game| {
        Ok(game.movetext.clone())
    })?;
    for (name, level) in [
        ("low", CompressionLevel::Low),
        ("medium", CompressionLevel::Medium),
        ("high", CompressionLevel::High),
    ] {
        let path = folder.join(format!("aix-{name}.parquet"));
        write(&path, "movedata", &games, |game| encoded(&game.movedata, level))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Game>, Box<dyn Error>> {
    let reader = SerializedFileReader::new(File::open(path)?)?;
    let mut games = Vec::new();
    for row in reader.get_row_iter(None)? {
        let row = row?;
        let value = |name: &str| {
            row.get_column_iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value)
        };
        let text = |name: &str| match value(name) {
            Some(Field::Str(text)) => Some(ByteArray::from(text.as_str())),
            _ => None,
        };
        let rating = |name: &str| match value(name) {
            Some(Field::Int(rating)) => Some(*rating),
            _ => None,
        };
        let (Some(Field::Bytes(movedata)), Some(movetext)) = (value("movedata"), text("movetext")) else {
            continue;
        };
        games.push(Game {
            texts: TEXTS.map(text),
            ratings: RATINGS.map(rating),
            movetext,
            movedata: movedata.data().to_vec(),
        });
    }
    Ok(games)
}

/// Returns the moves in another encoding.
fn encoded(movedata: &[u8], level: CompressionLevel) -> Result<ByteArray, Box<dyn Error>> {
    let game = EncodedGame::from_bytes(movedata).map_err(|_| "moves that cannot be read")?;
    let mut decoder = Decoder::new(&game);
    let mut encoder = Encoder::new(level);
    while let Some(played) = decoder.next_move() {
        let played = played.map_err(|_| "moves that cannot be decoded")?;
        encoder
            .encode_move(played)
            .map_err(|_| "a move that cannot be encoded")?;
    }
    Ok(ByteArray::from(encoder.finish().into_bytes()))
}

fn write(
    path: &Path,
    moves: &str,
    games: &[Game],
    of_game: impl Fn(&Game) -> Result<ByteArray, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let tags = TEXTS.map(|name| format!("optional binary {name} (STRING);")).concat();
    let ratings = RATINGS.map(|name| format!("optional int32 {name};")).concat();
    let schema = parse_message_type(&format!(
        "message games {{ {tags} {ratings} required binary {moves}; }}"
    ))?;
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
    let properties = Arc::new(properties.build());
    let mut writer = SerializedFileWriter::new(File::create(path)?, Arc::new(schema), properties)?;
    for games in games.chunks(GROUP_GAMES) {
        let mut group = writer.next_row_group()?;
        let mut column: usize = 0;
        while let Some(mut cells) = group.next_column()? {
            if let Some(rating) = column.checked_sub(TEXTS.len()).filter(|rating| *rating < RATINGS.len()) {
                let levels: Vec<i16> = games.iter().map(|game| game.ratings[rating].is_some().into()).collect();
                let values: Vec<i32> = games.iter().filter_map(|game| game.ratings[rating]).collect();
                cells.typed::<Int32Type>().write_batch(&values, Some(&levels), None)?;
            } else if column < TEXTS.len() {
                let levels: Vec<i16> = games.iter().map(|game| game.texts[column].is_some().into()).collect();
                let values: Vec<ByteArray> = games.iter().filter_map(|game| game.texts[column].clone()).collect();
                cells
                    .typed::<ByteArrayType>()
                    .write_batch(&values, Some(&levels), None)?;
            } else {
                let values: Vec<ByteArray> = games.iter().map(&of_game).collect::<Result<_, _>>()?;
                cells.typed::<ByteArrayType>().write_batch(&values, None, None)?;
            }
            cells.close()?;
            column += 1;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}
