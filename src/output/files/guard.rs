//! Decides which files a run may write.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use file_id::{FileId, get_file_id};

use crate::terminal::shown;

use super::mark::{self, Kind, Origin};

/// What a run uses a file for that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It contains a query.
    Query,
    /// Its games are searched.
    Input,
    /// `similarposition` or a self-test compares with it.
    Compared,
    /// Standard input is redirected from it.
    Stdin,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Query => "a query of this run",
            Role::Input => "an input of this run",
            Role::Compared => "compared with in this run",
            Role::Stdin => "the standard input of this run",
        })
    }
}

/// Decides which files a run may write.
///
/// A file that the run reads is never replaced. Two paths are the same file if they have the same device and inode, so this includes
/// symbolic and hard links. Without `force`, other existing files are replaced only if they are empty, or if they are results of the same
/// kind, unchanged since skewer wrote them.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    force: bool,
    read: Arc<HashMap<FileId, Role>>,
}

/// Permission to write an output, with what existed there when it was given.
#[derive(Clone, Debug)]
pub struct Permit {
    /// The path that the user gave.
    pub(super) path: PathBuf,
    /// The file itself, after following links.
    pub(super) target: PathBuf,
    pub(super) place: Place,
    pub(super) kind: Option<Kind>,
    pub(super) guard: Guard,
}

/// What exists at the path of an output.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Nothing,
    File(Existing),
    /// A device or pipe, which cannot be replaced by another file.
    Device,
}

/// A file that will be replaced.
#[derive(Clone, Debug)]
pub(super) struct Existing {
    pub(super) permissions: Permissions,
    pub(super) length: u64,
    modified: Option<SystemTime>,
    id: Option<FileId>,
}

impl Existing {
    fn new(path: &Path, metadata: &Metadata) -> Existing {
        Existing {
            permissions: metadata.permissions(),
            length: metadata.len(),
            modified: metadata.modified().ok(),
            id: get_file_id(path).ok(),
        }
    }

    /// Returns whether the file at a path is this one, and nobody has written to it since.
    pub(super) fn is_still(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| {
            let now = Existing::new(path, &metadata);
            (now.length, now.modified, now.id) == (self.length, self.modified, self.id)
        })
    }
}

/// Why an output may not be written.
#[derive(Debug)]
pub struct Refused {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub advice: String,
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> io::Error {
        io::Error::other(refused.message)
    }
}

impl Refused {
    fn new(message: impl fmt::Display, advice: &str) -> Refused {
        Refused {
            message: message.to_string(),
            advice: advice.to_owned(),
        }
    }

    fn unwritable(path: &Path, error: impl fmt::Display) -> Refused {
        Refused::new(format_args!("cannot write {}: {error}", shown(path)), "")
    }
}

impl Guard {
    /// Creates a guard. With `force`, files that skewer did not write are replaced, too. The file behind a redirected standard input is
    /// protected.
    pub fn new(force: bool) -> Guard {
        let mut guard = Guard {
            force,
            read: Arc::default(),
        };
        // Without such a path, a redirection cannot be traced to its file.
        let stdin = Path::new("/dev/stdin");
        if stdin.is_file() {
            guard.protect(Role::Stdin, stdin);
        }
        guard
    }

    /// Protects a file that the run reads from being written. A path where nothing exists needs no protection.
    pub fn protect(&mut self, role: Role, path: &Path) {
        if let Ok(id) = get_file_id(path) {
            Arc::make_mut(&mut self.read).entry(id).or_insert(role);
        }
    }

    /// Checks that standard output does not go into a file that the run reads, which would never end.
    ///
    /// # Errors
    /// Returns an error if it does.
    pub fn permit_stdout(&self) -> Result<(), Refused> {
        // Without such a path, a redirection cannot be traced to its file.
        match get_file_id("/dev/stdout").ok().and_then(|id| self.read.get(&id)) {
            Some(role) if Path::new("/dev/stdout").is_file() => Err(Refused::new(
                format_args!("standard output goes to a file that is {role}"),
                "write to another file",
            )),
            _ => Ok(()),
        }
    }

    /// Permits writing an output of this kind to a path.
    ///
    /// # Errors
    /// Returns an error if the output may not be written there, or if that cannot be determined.
    pub fn permit(&self, path: &Path, kind: Kind) -> Result<Permit, Refused> {
        let permit = Permit::of(path, Some(kind), self.clone())?;
        self.permit_replacing(&permit, kind)?;
        Ok(permit)
    }

    fn permit_replacing(&self, permit: &Permit, kind: Kind) -> Result<(), Refused> {
        let name = shown(&permit.path);
        if let Some(role) = get_file_id(&permit.target).ok().and_then(|id| self.read.get(&id)) {
            return Err(Refused::new(
                format_args!("{name} is {role}, which is never overwritten"),
                "name another output",
            ));
        }
        match &permit.place {
            Place::File(existing) if existing.length > 0 && !self.force => {
                let origin = mark::origin(&permit.target, kind);
                let reason = match origin.map_err(|error| Refused::unwritable(&permit.path, error))? {
                    Origin::SameKind => return Ok(()),
                    Origin::OtherKind => "is a result of skewer of another kind",
                    Origin::Changed => "has been changed since skewer wrote it",
                    Origin::Unknown => "is there already, and nothing says that skewer wrote it",
                };
                Err(Refused::new(
                    format_args!("{name} {reason}"),
                    "name another output, or replace the file with `--force`",
                ))
            }
            _ => Ok(()),
        }
    }
}

impl Permit {
    /// Finds out what exists at a path, without asking whether it may be replaced.
    fn of(path: &Path, kind: Option<Kind>, guard: Guard) -> Result<Permit, Refused> {
        let refuse = |error: &dyn fmt::Display| Refused::unwritable(path, error);
        let permit = |target, place| Permit {
            path: path.to_path_buf(),
            target,
            place,
            kind,
            guard,
        };
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {
                // A link stays a link. The file that it points at is replaced.
                let target = fs::canonicalize(path).map_err(|error| refuse(&error))?;
                let existing = Existing::new(&target, &metadata);
                Ok(permit(target, Place::File(existing)))
            }
            Ok(metadata) if metadata.is_dir() => Err(refuse(&"it is a folder")),
            Ok(metadata) if is_block_device(&metadata) => Err(refuse(&"it is a block device")),
            Ok(_) => Ok(permit(path.to_path_buf(), Place::Device)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(refuse(&error)),
            Err(_) if fs::symlink_metadata(path).is_ok() => Err(refuse(&"it is a link that leads nowhere")),
            Err(_) if path.file_name().is_none() => Err(refuse(&"it is not the name of a file")),
            Err(_) => Ok(permit(path.to_path_buf(), Place::Nothing)),
        }
    }

    /// Permits a file that the run reads and writes in place.
    pub(super) fn in_place(path: &Path) -> Result<Permit, Refused> {
        Permit::of(path, None, Guard::default())
    }

    /// Creates the permit again, for what exists there now.
    pub(super) fn renewed(self) -> Result<Permit, Refused> {
        Permit::of(&self.path, self.kind, self.guard)
    }

    /// Returns whether it replaces a file that is not empty.
    pub fn replaces(&self) -> bool {
        matches!(&self.place, Place::File(existing) if existing.length > 0)
    }

    /// Permits another path for this output: `NAME.partial.EXT` in the same folder, with a number appended if that may not be written
    /// either.
    pub(super) fn beside(&self, kind: Kind) -> Result<Permit, Refused> {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let extension = self
            .path
            .extension()
            .map(|extension| extension.to_string_lossy().into_owned());
        let numbered = |number: u32| {
            let number = if number == 1 {
                String::new()
            } else {
                format!("-{number}")
            };
            let mut name = format!("{stem}.partial{number}");
            if let Some(extension) = &extension {
                name = format!("{name}.{extension}");
            }
            self.path.with_file_name(name)
        };
        let guard = Guard {
            force: false,
            read: Arc::clone(&self.guard.read),
        };
        let mut free = (1..100).filter_map(|number| guard.permit(&numbered(number), kind).ok());
        free.next()
            .ok_or_else(|| Refused::unwritable(&self.path, "no name beside it is free"))
    }
}

#[cfg(unix)]
fn is_block_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_block_device(_: &Metadata) -> bool {
    false
}
