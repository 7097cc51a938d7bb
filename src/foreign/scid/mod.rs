//! Databases of Scid, versions 4 and 5: an index with an entry for each game, names, and games.
//!
//! Written from public descriptions of the format: <https://github.com/asdfjkl/si4spec>, <https://scidvspc.sourceforge.net/doc/Formats.htm>
//! and the documentation of the crate `scid_parse`.
//!
//! Each part uses only those before it: `index`, `names`, `piece_list`, `game`.

mod game;
mod index;
mod names;
mod piece_list;

use std::io;
use std::ops::Range;
use std::path::Path;

use super::file::{PositionedFile, companion, damaged};
use super::{Damage, Database, GameText, Head};
use crate::game::WarningKind;
pub(super) use index::Version;
use index::{Entry, Layout};
use names::{Kind, Names};

/// A database of Scid.
pub(super) struct Scid {
    layout: Layout,
    index: PositionedFile,
    games: PositionedFile,
    names: Names,
    complaints: Vec<String>,
}

impl Scid {
    /// Opens a database by the path of its index.
    ///
    /// # Errors
    /// Returns an error if one of its three files is missing, cannot be read or does not belong to such a database.
    pub(super) fn open(path: &Path, version: Version) -> io::Result<Scid> {
        let index = PositionedFile::open(path)?;
        let (layout, complaint) = Layout::of(&index, version)?;
        let (games, names) = match version {
            Version::Four => ("sg4", "sn4"),
            Version::Five => ("sg5", "sn5"),
        };
        let names = companion(path, names)?;
        let games = companion(path, games)?;
        let read = match version {
            Version::Four => Names::read_4(&names),
            Version::Five => Names::read_5(&names),
        };
        let in_names = |error: io::Error| {
            let name = names.file_name().unwrap_or_default().to_string_lossy();
            io::Error::new(error.kind(), format!("its names cannot be read from `{name}`: {error}"))
        };
        Ok(Scid {
            layout,
            index,
            games: PositionedFile::open(&games)?,
            names: read.map_err(in_names)?,
            complaints: complaint.into_iter().collect(),
        })
    }

    /// Reads the entries of these games.
    fn entries(&self, records: Range<u32>, bytes: &mut Vec<u8>) -> io::Result<()> {
        let (start, size) = self.layout.place(records.start);
        self.index.read(start, size * records.len(), bytes)
    }

    fn entry(&self, record: u32) -> Result<Entry, Damage> {
        let mut bytes = Vec::new();
        let read = self.entries(record..record.saturating_add(1), &mut bytes);
        read.map_err(|error| Damage(format!("its entry in the index cannot be read: {error}")))?;
        Ok(self.layout.entry(&bytes))
    }

    /// Writes the tags from the index.
    fn write_tags(&self, entry: &Entry, text: &mut GameText) {
        let mut is_unknown = false;
        let mut name = |kind: Kind, number: u32| {
            let name = self.names.get(kind, number);
            is_unknown |= name.is_none();
            name.unwrap_or(b"?")
        };
        let tags = [
            ("Event", name(Kind::Event, entry.event)),
            ("Site", name(Kind::Site, entry.site)),
            ("Date", entry.date.shown().as_bytes()),
            ("Round", name(Kind::Round, entry.round)),
            ("White", name(Kind::Player, entry.white.name)),
            ("Black", name(Kind::Player, entry.black.name)),
            ("Result", entry.result().as_bytes()),
        ]
        .map(|(name, value)| (name, value.to_vec()));
        for (name, value) in tags.iter().filter(|(_, value)| !value.is_empty()) {
            text.tag(name.as_bytes(), value);
        }
        if is_unknown {
            text.complain(
                WarningKind::BadTag,
                "it has a name that is not among the names of the database",
            );
        }
        for (color, player) in [("White", entry.white), ("Black", entry.black)] {
            if player.rating > 0 {
                let kind = player.rating_kind();
                text.tag(
                    format!("{color}{kind}").as_bytes(),
                    player.rating.to_string().as_bytes(),
                );
            }
        }
        if let Some(opening) = entry.opening() {
            text.tag(b"ECO", opening.as_bytes());
        }
    }
}

impl Database for Scid {
    fn records(&self) -> u32 {
        self.layout.games
    }

    fn record_bytes(&self) -> usize {
        self.layout.place(0).1
    }

    fn complaints(&self) -> &[String] {
        &self.complaints
    }

    fn heads(&self, records: Range<u32>) -> io::Result<Vec<Head>> {
        let mut bytes = Vec::new();
        self.entries(records.clone(), &mut bytes)?;
        let entries = bytes
            .chunks_exact(self.record_bytes())
            .map(|bytes| self.layout.entry(bytes));
        let heads: Vec<Head> = entries
            .map(|entry| match entry.is_deleted {
                true => Head::Deleted,
                false => Head::Game { bytes: entry.length },
            })
            .collect();
        match heads.len() == records.len() {
            true => Ok(heads),
            false => Err(damaged("its index has fewer games than it says")),
        }
    }

    fn write_game(&self, record: u32, text: &mut GameText) -> Result<(), Damage> {
        let entry = self.entry(record)?;
        let mut bytes = Vec::new();
        let read = self.games.read(entry.offset, entry.length, &mut bytes);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                Damage("its moves would lie beyond the end of the file of games".to_owned())
            }
            _ => Damage(format!("its moves cannot be read: {error}")),
        })?;
        text.begin();
        self.write_tags(&entry, text);
        game::write(&bytes, &entry, text)
    }
}
