//! The results of many queries, which wait in one file until all of them are known.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::destination::Destination;
use super::guard::Permit;
use super::new_file::named;
use super::spool::{Spool, SpooledFile, locked};

/// The number of bytes to buffer for all results together.
const BUFFER_BYTES: usize = 32 << 20;
/// The smallest and the largest buffer of one result.
const LEAST_BUFFER: usize = 1 << 12;
const MOST_BUFFER: usize = 1 << 16;

/// The results of many queries in one folder. However many there are, only one file is open.
pub struct Results {
    spool: Arc<Mutex<Spool>>,
    buffer_bytes: usize,
}

impl Results {
    /// Creates space for this many results in a folder, which is created if necessary. No other run can write results there meanwhile.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written to, or if another run is writing results into it.
    pub fn new(folder: &Path, count: usize) -> io::Result<Results> {
        let spool = fs::create_dir_all(folder).and_then(|()| Spool::create(folder));
        Ok(Results {
            spool: Arc::new(Mutex::new(spool.map_err(|error| named(folder, error))?)),
            buffer_bytes: (BUFFER_BYTES / count.max(1)).clamp(LEAST_BUFFER, MOST_BUFFER),
        })
    }

    /// Returns the destination of one of the results.
    pub fn result(&self, permit: Permit) -> Destination {
        Destination::spooled(SpooledFile::new(Arc::clone(&self.spool), self.buffer_bytes, permit))
    }

    /// Makes the names of the most recently committed results survive a loss of power, where the system can. Each folder is synced once.
    pub fn sync_folders(&self) {
        locked(&self.spool).sync_folders();
    }
}
