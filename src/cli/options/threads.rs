//! The number of threads that share the work.

use std::num::NonZeroUsize;
use std::thread;

use super::numbers::positive;

/// The option for the number of threads.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Threads {
    /// How many threads share the work [default: one per processor]
    #[arg(short = 'j', long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    threads: Option<NonZeroUsize>,
}

impl Threads {
    /// Returns the number of threads. The default is one for each processor.
    pub(crate) fn count(self) -> NonZeroUsize {
        let all = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(all)
    }
}
