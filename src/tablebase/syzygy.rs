//! Folders of Syzygy tables.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use shakmaty::{Bitboard, CastlingMode, Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::{Metric as Kind, ProbeError, SyzygyError};

use super::files::{self, Files};
use super::{Endgame, MOST_MEN, Metric, Unknown, Unreadable};
use crate::limits::contained;

/// The environment variable that names folders, separated as in `PATH`.
const VARIABLE: &str = "SKEWER_TABLEBASE";

/// The extensions of table files.
const ENDINGS: [&str; 2] = ["rtbw", "rtbz"];

/// Endgame tablebases in folders, which are opened on first use. Threads share one.
#[derive(Debug)]
pub struct Tablebase {
    folders: Vec<PathBuf>,
    tables: OnceLock<Result<Tables, Unreadable>>,
}

/// The tables of all folders.
struct Tables {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    files: Arc<Files>,
    /// The names of their files.
    names: HashSet<String>,
    /// The number of men in the largest table.
    most_men: u32,
}

// A lookup that panics leaves everything unchanged.
impl std::panic::UnwindSafe for Tables {}
impl std::panic::RefUnwindSafe for Tables {}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables")
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

impl Tablebase {
    /// Returns the tables in these folders, without their subfolders; `None` if there are no folders.
    pub fn in_folders(folders: &[PathBuf]) -> Option<Arc<Tablebase>> {
        (!folders.is_empty()).then(|| {
            Arc::new(Tablebase {
                folders: folders.to_vec(),
                tables: OnceLock::new(),
            })
        })
    }

    /// Returns the tables in the folders named by the environment variable `SKEWER_TABLEBASE`, if it names any.
    pub fn of_environment() -> Option<Arc<Tablebase>> {
        let listed = std::env::var_os(VARIABLE)?;
        let folders = std::env::split_paths(&listed).filter(|folder| !folder.as_os_str().is_empty());
        let folders: Vec<PathBuf> = folders.collect();
        Tablebase::in_folders(&folders)
    }

    /// Returns the number of men in the largest table.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read or has no tables, or if the size of a file shows that it is incomplete.
    pub fn most_men(&self) -> Result<u32, &Unreadable> {
        self.tables().map(|tables| tables.most_men)
    }

    fn tables(&self) -> Result<&Tables, &Unreadable> {
        self.tables.get_or_init(|| Tables::open(&self.folders)).as_ref()
    }

    /// Returns a number of a position. The fifty-move clock counts as zero.
    pub(crate) fn probe(&self, metric: Metric, endgame: &Endgame) -> Result<i32, Unknown> {
        let tables = self.tables().map_err(|error| Unknown::Unreadable(error.clone()))?;
        tables.probe(metric, endgame)
    }
}

impl Tables {
    fn open(folders: &[PathBuf]) -> Result<Tables, Unreadable> {
        let files = Arc::new(Files::default());
        let mut opened = Tables {
            tables: shakmaty_syzygy::Tablebase::with_filesystem(Arc::<Files>::clone(&files)),
            files,
            names: HashSet::new(),
            most_men: 0,
        };
        for folder in folders {
            let before = opened.names.len();
            opened.add(folder)?;
            if opened.names.len() == before {
                return Err(Unreadable {
                    path: folder.clone(),
                    reason: "there are no tables in this folder, such as KQvK.rtbw".to_owned(),
                });
            }
        }
        opened.most_men = u32::try_from(opened.tables.max_pieces()).unwrap_or(MOST_MEN);
        Ok(opened)
    }

    /// Adds the tables of a folder. If two files have the same material, the first one counts.
    fn add(&mut self, folder: &Path) -> Result<(), Unreadable> {
        let unreadable = |path: &Path, error: io::Error| Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let of_folder = |error| unreadable(folder, error);
        for entry in fs::read_dir(folder).map_err(of_folder)? {
            let path = entry.map_err(of_folder)?.path();
            let Some(name) = name_of(&path).filter(|name| !self.names.contains(name)) else {
                continue;
            };
            match self.tables.add_file(&path) {
                Ok(()) => {
                    self.names.insert(name);
                }
                // Not the name of a material, or not a file.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Err(Unreadable {
                        path,
                        reason: "the file is damaged: no table is this long".to_owned(),
                    });
                }
                Err(error) => return Err(unreadable(&path, error)),
            }
        }
        Ok(())
    }

    fn probe(&self, metric: Metric, endgame: &Endgame) -> Result<i32, Unknown> {
        if endgame.board.occupied().count() > self.most_men as usize {
            return Err(Unknown::NotCovered);
        }
        let position = position(endgame).ok_or(Unknown::NotCovered)?;
        files::forget_last();
        let probed = contained(|| match metric {
            Metric::Wdl => self.tables.probe_wdl_after_zeroing(&position).map(i32::from),
            Metric::Dtz => self
                .tables
                .probe_dtz(&position)
                .map(|dtz| i32::from(dtz.ignore_rounding())),
        });
        let reason = match probed {
            Ok(Ok(number)) => return Ok(number),
            Ok(Err(SyzygyError::Castling | SyzygyError::TooManyPieces)) => return Err(Unknown::NotCovered),
            Ok(Err(SyzygyError::MissingTable { metric, material })) => {
                let ending = match metric {
                    Kind::Wdl => "rtbw",
                    Kind::Dtz => "rtbz",
                };
                return Err(Unknown::Missing(format!("{material}.{ending}").into()));
            }
            Ok(Err(SyzygyError::ProbeFailed { error, .. })) => match *error {
                ProbeError::Read { error } => error.to_string(),
                ProbeError::Magic { .. } => "it does not begin like a table".to_owned(),
                ProbeError::CorruptedTable { .. } => DAMAGED.to_owned(),
            },
            Err(_) => DAMAGED.to_owned(),
        };
        Err(Unknown::Unreadable(Unreadable {
            path: self.files.last().unwrap_or_default(),
            reason,
        }))
    }
}

/// The message about a damaged file.
const DAMAGED: &str = "the file is damaged";

/// Returns the name of a file if it has the extension of a table.
fn name_of(path: &Path) -> Option<String> {
    let ending = path.extension().and_then(OsStr::to_str)?;
    let name = path.file_name().and_then(OsStr::to_str)?;
    ENDINGS.contains(&ending).then(|| name.to_owned())
}

/// Returns the position in shakmaty's form, if tables have such positions: one king each, no pawns on the first and last rank, and no check
/// on the side that has just moved. It need not be reachable.
fn position(endgame: &Endgame) -> Option<Chess> {
    let board = shakmaty::Board::try_from_bitboards(endgame.board.roles, endgame.board.colors).ok()?;
    let setup = Setup {
        board,
        promoted: Bitboard::EMPTY,
        pockets: None,
        turn: endgame.turn,
        castling_rights: Bitboard::EMPTY,
        ep_square: endgame.passed,
        remaining_checks: None,
        halfmoves: 0,
        fullmoves: NonZeroU32::MIN,
    };
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}
