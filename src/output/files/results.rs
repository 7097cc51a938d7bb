//! The results of many queries, which wait in one file until all of them are known.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::destination::Destination;
use super::guard::Permit;
use super::new_file::named;
use super::spool::{Spool, SpooledFile, locked};

/// How much of all results together waits in memory before it is written.
const BUFFER_BYTES: usize = 32 << 20;
/// The least and the most of one result.
const LEAST_BUFFER: usize = 1 << 12;
const MOST_BUFFER: usize = 1 << 16;

/// The results of many queries in one folder. However many there are, one file is open.
pub struct Results {
    spool: Arc<Mutex<Spool>>,
    buffer_bytes: usize,
}

impl Results {
    /// Room for this many results in a folder, which may have to be made. No other run can write results there meanwhile.
    ///
    /// # Errors
    /// When the folder cannot be written to, or when another run writes results into it.
    pub fn new(folder: &Path, count: usize) -> io::Result<Results> {
        let spool = fs::create_dir_all(folder).and_then(|()| Spool::create(folder));
        Ok(Results {
            spool: Arc::new(Mutex::new(spool.map_err(|error| named(folder, error))?)),
            buffer_bytes: (BUFFER_BYTES / count.max(1)).clamp(LEAST_BUFFER, MOST_BUFFER),
        })
    }

    /// Where one of the results goes.
    pub fn result(&self, permit: Permit) -> Destination {
        Destination::spooled(SpooledFile::new(Arc::clone(&self.spool), self.buffer_bytes, permit))
    }

    /// Makes the names of the results that are committed last through a loss of power, where the system can: once for each folder.
    pub fn sync_folders(&self) {
        locked(&self.spool).sync_folders();
    }
}
