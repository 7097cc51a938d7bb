//! A table of the games that are left out, each with the one that stays.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use super::{Duplicates, rows};
use crate::database::decoded::Decoded;
use crate::database::file::ParquetFile;
use crate::database::layout::{Column, tag_column};
use crate::limits::InterruptHandle;

const HEADINGS: [&str; 9] = [
    "file",
    "line",
    "game",
    "white",
    "black",
    "reason",
    "kept_file",
    "kept_line",
    "kept_game",
];

/// The file of a game and its line there.
type Origin = (Arc<str>, i64);

impl Duplicates {
    /// Writes the table in the order of the games. Their numbers are those in the database with all of them.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read or the table cannot be written.
    pub(crate) fn report(&self, file: &Arc<ParquetFile>, watch: &InterruptHandle, out: impl Write) -> io::Result<()> {
        let repeats = self.in_order();
        let mut kept: Vec<u32> = repeats.iter().map(|(_, repeat)| repeat.of).collect();
        kept.sort_unstable();
        kept.dedup();
        let mut origins: HashMap<u32, Origin> = HashMap::with_capacity(kept.len());
        let mut name: Arc<str> = Arc::default();
        visit(file, &kept, &[], watch, |row, decoded, index| {
            let (source, line) = origin(decoded, index);
            if *source != *name {
                name = Arc::from(&*source);
            }
            origins.insert(row, (Arc::clone(&name), line));
            Ok(())
        })?;
        let mut table = csv::Writer::from_writer(out);
        table.write_record(HEADINGS)?;
        let left_out: Vec<u32> = repeats.iter().map(|(row, _)| *row).collect();
        let mut repeats = repeats.iter().map(|(_, repeat)| repeat);
        let players: Vec<usize> = [&b"White"[..], b"Black"].into_iter().filter_map(tag_column).collect();
        visit(file, &left_out, &players, watch, |row, decoded, index| {
            let Some((repeat, kept)) = repeats
                .next()
                .and_then(|repeat| Some((repeat, origins.get(&repeat.of)?)))
            else {
                return Ok(());
            };
            let number = |row: u32| (u64::from(row) + 1).to_string();
            let (source, line) = origin(decoded, index);
            let reason = if repeat.is_part {
                "part of a longer game"
            } else {
                "same moves"
            };
            table.write_field(source)?;
            table.write_field(line.to_string())?;
            table.write_field(number(row))?;
            for column in &players {
                table.write_field(decoded.text(*column, index).unwrap_or_default())?;
            }
            table.write_record([reason, &kept.0, &kept.1.to_string(), &number(repeat.of)])?;
            Ok(())
        })?;
        table.flush()
    }
}

/// Returns the origin of the game with this index.
fn origin(decoded: &Decoded, index: usize) -> (String, i64) {
    let source = decoded.text(Column::Source.index(), index).unwrap_or_default();
    (
        String::from_utf8_lossy(source).into_owned(),
        decoded.number(Column::SourceLine, index),
    )
}

/// Calls `show` for these games of a database, in order. It reads these columns and the columns with the origin of games.
fn visit(
    file: &Arc<ParquetFile>,
    mut wanted: &[u32],
    columns: &[usize],
    watch: &InterruptHandle,
    mut show: impl FnMut(u32, &Decoded, usize) -> io::Result<()>,
) -> io::Result<()> {
    let of_origin = [Column::Source, Column::SourceLine].map(Column::index);
    for group in 0..file.groups() {
        watch.check()?;
        let first = file.games_before(group);
        let end = first + file.group_games(group) as u64;
        let (here, later) = wanted.split_at(wanted.partition_point(|row| u64::from(*row) < end));
        wanted = later;
        if here.is_empty() {
            continue;
        }
        let decoded = Decoded::read(&rows(file, group), columns.iter().copied().chain(of_origin))?;
        for row in here {
            show(*row, &decoded, (u64::from(*row) - first) as usize)?;
        }
    }
    Ok(())
}
