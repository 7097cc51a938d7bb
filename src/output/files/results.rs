//! The results of many queries, which wait in one file until all of them are known.

use std::fs;
use std::io;
use std::mem;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::destination::Destination;
use super::guard::Permit;
use super::new_file::named;
use super::spool::{Shared, SpooledFile};
use super::unfinished::{Busy, Unfinished, sync_folder};
use crate::limits::locked;
use crate::output::spool::SpoolSpace;

/// The output name from which the temporary name is made.
const NAME: &str = "results";

/// The number of bytes to buffer for all results together.
const ALL_BUFFERS: usize = 32 << 20;
/// The smallest and the largest buffer of one result.
const LEAST_BUFFER: usize = 1 << 12;
const MOST_BUFFER: usize = 1 << 16;

/// The results of many queries in one folder. However many there are, only one file is open.
pub struct Results {
    shared: Arc<Shared>,
    space: SpoolSpace,
}

impl Results {
    /// Creates space for this many results in a folder, which is created if necessary. No other run can write results there meanwhile.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written to, or if another run is writing results into it.
    pub fn new(folder: &Path, count: usize) -> io::Result<Results> {
        let created = fs::create_dir_all(folder).and_then(|()| Unfinished::create(folder, NAME.as_ref(), Busy::Refuse));
        let (file, unfinished) = created.map_err(|error| named(folder, error))?;
        let buffer_bytes = (ALL_BUFFERS / count.max(1)).clamp(LEAST_BUFFER, MOST_BUFFER);
        Ok(Results {
            shared: Arc::new(Shared {
                _unfinished: unfinished,
                unsynced: Mutex::default(),
            }),
            space: SpoolSpace::new(file, buffer_bytes, |error| error),
        })
    }

    /// Returns the destination of one of the results.
    pub fn result(&self, permit: Permit) -> Destination {
        Destination::spooled(SpooledFile {
            shared: Arc::clone(&self.shared),
            text: self.space.spool(),
            permit,
        })
    }

    /// Makes the names of the most recently committed results survive a loss of power, where the system can. Each folder is synced once.
    pub fn sync_folders(&self) {
        mem::take(&mut *locked(&self.shared.unsynced))
            .iter()
            .for_each(|folder| sync_folder(folder));
    }
}
