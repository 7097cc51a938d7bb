//! Databases of ChessBase: a file of headers, accompanied by files of moves, annotations and names; also archives of such files.
//!
//! The crate `cbvault-format` reads the bytes. Moves are decoded here, because their meaning depends on the position.
//!
//! Each part uses only those before it: `archive`, `pieces`, `moves`, `notes`, `start`.

mod archive;
mod moves;
mod notes;
mod pieces;
mod start;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use cbvault_format::cbh::{Entities, GameAnnotations, GameHeader, GameMoves, RECORD_SIZE, Wide};
use cbvault_format::error::Error;
use cbvault_format::game::{GameResult, RecordKind};

use super::file::{PositionedFile, companion, damaged};
use super::game_text::start_of;
use super::line::Line;
use super::{Damage, Database, GameText, Head};
use crate::game::WarningKind;
use crate::limits::contained;
use archive::Unpacked;
use moves::Node;
use notes::Notes;
use start::Setup;

/// The most bytes of the moves of a game, and of its annotations.
const MOST_BYTES: usize = 1 << 20;
/// The bytes at the start of a game's moves that tell their kind and length.
const MOVES_HEAD: usize = 4;
/// The same for its annotations.
const NOTES_HEAD: usize = 14;

/// A database of ChessBase.
pub(super) struct ChessBase {
    headers: PositionedFile,
    moves: PositionedFile,
    notes: PositionedFile,
    entities: Entities,
    /// The places of games beyond four gigabytes.
    wide: Option<Wide>,
    records: u32,
    path: PathBuf,
    complaints: Vec<String>,
    /// The files, if they were unpacked from an archive.
    _unpacked: Option<Unpacked>,
}

impl ChessBase {
    /// Opens a database by the path of its headers.
    ///
    /// # Errors
    /// Returns an error if one of its files is missing, cannot be read or does not belong to such a database.
    pub(super) fn open(path: &Path) -> io::Result<ChessBase> {
        ChessBase::of_files(path, None)
    }

    /// Opens an archive with a database.
    ///
    /// # Errors
    /// Returns the errors of [`open`](ChessBase::open), and an error if the archive has no database, or one that is too large.
    pub(super) fn open_archive(path: &Path) -> io::Result<ChessBase> {
        let unpacked = contained(|| archive::unpack(path)).map_err(|_| damaged("it cannot be unpacked"))??;
        let headers = unpacked.headers.clone();
        ChessBase::of_files(&headers, Some(unpacked))
    }

    fn of_files(path: &Path, unpacked: Option<Unpacked>) -> io::Result<ChessBase> {
        let headers = PositionedFile::open(path)?;
        let mut first = Vec::new();
        headers
            .read(0, RECORD_SIZE, &mut first)
            .map_err(|_| damaged("it is too short for a database of ChessBase"))?;
        if first.get(3..5) != Some(&[0, RECORD_SIZE as u8]) {
            return Err(damaged(
                "it is not a database of ChessBase, whose headers have 46 bytes",
            ));
        }
        let size = RECORD_SIZE as u64;
        let records = u32::try_from(headers.length() / size - 1).map_err(|_| damaged("it has too many games"))?;
        let is_whole = headers.length().is_multiple_of(size);
        let complaint = (!is_whole).then(|| format!("the headers break off after {records} games"));
        let [moves, notes] = ["cbg", "cba"].map(|ending| companion(path, ending));
        let (moves, notes) = (moves?, notes?);
        for ending in ["cbp", "cbt", "cbc", "cbs"] {
            companion(path, ending)?;
        }
        let stem = path.with_extension("");
        let entities = contained(|| Entities::open(&stem)).map_err(|_| damaged("its names cannot be read"))?;
        let entities = entities.map_err(|error| damaged(format!("its names cannot be read: {}", shown(&error))))?;
        Ok(ChessBase {
            headers,
            moves: PositionedFile::open(&moves)?,
            notes: PositionedFile::open(&notes)?,
            entities,
            wide: contained(|| Wide::open_auto(&stem)).unwrap_or(None),
            records,
            path: path.to_owned(),
            complaints: complaint.into_iter().collect(),
            _unpacked: unpacked,
        })
    }

    /// Reads the headers of these games.
    fn read_headers(&self, records: Range<u32>, bytes: &mut Vec<u8>) -> io::Result<()> {
        let start = (u64::from(records.start) + 1) * RECORD_SIZE as u64;
        self.headers.read(start, records.len() * RECORD_SIZE, bytes)
    }

    /// Returns the places of a game's moves and of its annotations.
    fn offsets(&self, header: &GameHeader) -> Result<(u64, u64), Damage> {
        let short = (header.moves_offset(), header.annotations_offset());
        let wide = self.wide.as_ref().map(|wide| wide.offsets(header.id(), short));
        let offsets = wide.unwrap_or(Ok((u64::from(short.0), u64::from(short.1))));
        offsets.map_err(|error| Damage(shown(&error)))
    }

    /// Returns the bytes that the moves of a game take.
    fn bytes_of(&self, header: &GameHeader) -> Result<usize, Damage> {
        let mut head = Vec::new();
        let (moves, _) = self.offsets(header)?;
        self.moves.read(moves, MOVES_HEAD, &mut head).map_err(beyond)?;
        let bytes = head.iter().skip(1).fold(0, |size, byte| size << 8 | usize::from(*byte));
        match bytes {
            MOVES_HEAD..=MOST_BYTES => Ok(bytes),
            _ => Err(Damage(format!("its moves would take {bytes} bytes"))),
        }
    }

    fn write(&self, header: &GameHeader, text: &mut GameText) -> Result<(), Damage> {
        let (place, notes_place) = self.offsets(header)?;
        let mut bytes = Vec::new();
        self.moves
            .read(place, self.bytes_of(header)?, &mut bytes)
            .map_err(beyond)?;
        let game = GameMoves::parse(&self.path, &bytes).map_err(|error| Damage(shown(&error)))?;
        text.begin();
        self.write_tags(header, text);
        let setup = game
            .start_position()
            .map(|start| Setup::of(start, game.chess960_squares()));
        let setup = setup.transpose()?;
        // The moves may add to the start: in old games it has no castling rights.
        let mut line = Line::default();
        if let Some(setup) = &setup {
            line.begin_at(start_of(setup.fen(0).as_bytes())?);
        }
        let tree = moves::read(&game, &mut line)?;
        if let Some(setup) = &setup {
            if game.is_chess960() {
                text.tag(b"Variant", b"Chess960");
            }
            text.set_start(setup.fen(tree.castled).as_bytes())?;
        }
        text.end_tags();
        let mut said = Vec::new();
        let mut notes = match self.read_notes(header, notes_place, &mut said) {
            Ok(notes) => notes,
            Err(Damage(why)) => {
                text.complain(
                    WarningKind::BadComment,
                    format!("{why}: the annotations of its moves are left out"),
                );
                Notes::default()
            }
        };
        write_moves(&tree.nodes, &mut notes, text)?;
        if let Some(Damage(why)) = tree.damage {
            text.complain(
                WarningKind::CutShort,
                format!("{why}: the rest of the game is left out"),
            );
        } else if notes.go_beyond(tree.nodes.len()) {
            text.complain(
                WarningKind::BadComment,
                "it has annotations of moves that it does not have",
            );
        }
        if notes.has_others {
            text.complain(
                WarningKind::BadComment,
                "annotations that PGN cannot express are left out",
            );
        }
        text.end(result(header).as_bytes());
        Ok(())
    }

    /// Reads the annotations of the moves of a game.
    fn read_notes<'b>(&'b self, header: &GameHeader, place: u64, bytes: &'b mut Vec<u8>) -> Result<Notes<'b>, Damage> {
        if place == 0 {
            return Ok(Notes::default());
        }
        let cut = |_| Damage("its annotations would lie beyond the end of their file".to_owned());
        self.notes.read(place, NOTES_HEAD, bytes).map_err(cut)?;
        let size = bytes
            .iter()
            .skip(10)
            .fold(0, |size, byte| size << 8 | usize::from(*byte));
        if size > MOST_BYTES {
            return Err(Damage(format!("its annotations would take {size} bytes")));
        }
        self.notes.read(place, size, bytes).map_err(cut)?;
        let annotations = GameAnnotations::parse(&self.path, bytes, header.id());
        let annotations = annotations.map_err(|error| Damage(shown(&error)))?;
        Notes::of(&annotations)
    }

    /// Writes the tags of a game.
    fn write_tags(&self, header: &GameHeader, text: &mut GameText) {
        let mut is_unknown = false;
        let mut known = |name: Option<String>| {
            is_unknown |= name.is_none();
            name.map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| "?".to_owned())
        };
        let player = |number| self.entities.player(number).ok().flatten().map(|player| player.pgn());
        let event = self.entities.tournament(header.tournament()).ok().flatten();
        let (title, place) = match &event {
            Some(event) => (Some(event.title.clone()), Some(event.place.clone())),
            None => (None, None),
        };
        let round = match (header.round(), header.subround()) {
            (0, _) => "?".to_owned(),
            (round, 0) => round.to_string(),
            (round, part) => format!("{round}.{part}"),
        };
        let tags = [
            ("Event", known(title)),
            ("Site", known(place)),
            ("Date", header.played_date().pgn()),
            ("Round", round),
            ("White", known(player(header.white()))),
            ("Black", known(player(header.black()))),
            ("Result", result(header).to_owned()),
        ];
        for (name, value) in tags {
            text.tag(name.as_bytes(), value.as_bytes());
        }
        for (name, rating) in [("WhiteElo", header.white_elo()), ("BlackElo", header.black_elo())] {
            if rating > 0 {
                text.tag(name.as_bytes(), rating.to_string().as_bytes());
            }
        }
        if let Some(opening) = header.eco().pgn() {
            text.tag(b"ECO", opening.as_bytes());
        }
        let others = [
            (
                "EventDate",
                event
                    .map(|event| event.start)
                    .filter(|start| start.year() > 0)
                    .map(|start| start.pgn()),
            ),
            ("Annotator", self.entities.annotator(header.annotator()).ok().flatten()),
            ("SourceTitle", self.entities.source(header.source()).ok().flatten()),
        ];
        for (name, value) in others {
            if let Some(value) = value.filter(|value| !value.trim().is_empty()) {
                text.tag(name.as_bytes(), value.trim().as_bytes());
            }
        }
        if is_unknown {
            text.complain(
                WarningKind::BadTag,
                "it has a name that is not among the names of the database",
            );
        }
    }
}

/// Writes moves and their annotations. Variations come before the continuation of the line.
fn write_moves(nodes: &[Node], notes: &mut Notes<'_>, text: &mut GameText) -> Result<(), Damage> {
    /// What is left to write.
    enum Task {
        /// A move and those that follow it, and the alternatives to it.
        Moves(u32),
        /// A variation: a move and those that follow it, without the alternatives to the first one.
        Variation(u32),
        Close,
    }
    notes.write_behind(-1, text);
    let mut tasks = vec![];
    if !nodes.is_empty() {
        tasks.push(Task::Moves(0));
    }
    while let Some(task) = tasks.pop() {
        let (number, has_others) = match task {
            Task::Close => {
                text.close();
                continue;
            }
            Task::Moves(number) => (number, true),
            Task::Variation(number) => {
                text.open()?;
                (number, false)
            }
        };
        let Some(node) = nodes.get(number as usize) else {
            continue;
        };
        let place = i32::try_from(number).unwrap_or(i32::MAX);
        notes.write_before(place, text);
        text.play(node.step)?;
        notes.write_behind(place, text);
        tasks.extend(node.next.map(Task::Moves));
        let mut other = node.other.filter(|_| has_others);
        let first = tasks.len();
        while let Some(number) = other {
            tasks.extend([Task::Variation(number), Task::Close]);
            other = nodes.get(number as usize).and_then(|node| node.other);
        }
        // The last task is done first, so the first variation must be the last task.
        if let Some(variations) = tasks.get_mut(first..) {
            variations.reverse();
        }
    }
    Ok(())
}

/// Returns the result of a game as in PGN.
fn result(header: &GameHeader) -> &'static str {
    match header.result() {
        // PGN has no result for a game that both players have lost.
        GameResult::BothLost => "*",
        result => result.pgn(),
    }
}

fn beyond(error: io::Error) -> Damage {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Damage("its moves would lie beyond the end of their file".to_owned()),
        _ => Damage(format!("its moves cannot be read: {error}")),
    }
}

/// Returns the text of an error without the path of the file, which the caller shows.
fn shown(error: &Error) -> String {
    match error {
        Error::Corrupt { detail, .. } => detail.clone(),
        error => error.to_string(),
    }
}

impl Database for ChessBase {
    fn records(&self) -> u32 {
        self.records
    }

    fn record_bytes(&self) -> usize {
        RECORD_SIZE
    }

    fn complaints(&self) -> &[String] {
        &self.complaints
    }

    fn heads(&self, records: Range<u32>) -> io::Result<Vec<Head>> {
        let mut bytes = Vec::new();
        self.read_headers(records.clone(), &mut bytes)?;
        let (read, _) = bytes.as_chunks::<RECORD_SIZE>();
        let heads = records.zip(read).map(|(record, bytes)| {
            let header = GameHeader::from_bytes(record + 1, bytes);
            match header.kind() {
                RecordKind::Game if header.is_deleted() => Head::Deleted,
                RecordKind::Game => Head::Game {
                    // Errors are reported when the game is written.
                    bytes: self.bytes_of(&header).unwrap_or(0).max(RECORD_SIZE),
                },
                _ => Head::NoGame,
            }
        });
        Ok(heads.collect())
    }

    fn write_game(&self, record: u32, text: &mut GameText) -> Result<(), Damage> {
        let mut bytes = Vec::new();
        let read = self.read_headers(record..record.saturating_add(1), &mut bytes);
        read.map_err(|error| Damage(format!("its header cannot be read: {error}")))?;
        let bytes = bytes
            .first_chunk()
            .ok_or_else(|| Damage("it has no header".to_owned()))?;
        let header = GameHeader::from_bytes(record.saturating_add(1), bytes);
        let written = contained(|| self.write(&header, text));
        written.unwrap_or_else(|_| Err(Damage("it cannot be decoded".to_owned())))
    }
}
