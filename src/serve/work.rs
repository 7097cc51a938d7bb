//! A limited number of threads on which questions are answered.

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;

use super::lines::Failure;
use crate::service::Error;

/// Threads for one kind of work.
pub(super) struct Threads {
    free: Arc<Semaphore>,
    /// How long to wait for a thread.
    patience: Duration,
}

/// The reason why work was not done.
#[derive(Debug)]
pub(super) enum WorkError {
    /// All threads were busy.
    Busy,
    /// The work has panicked.
    Panicked,
}

impl Threads {
    /// Creates this many threads.
    pub(super) fn new(count: usize, patience: Duration) -> Threads {
        Threads {
            free: Arc::new(Semaphore::new(count)),
            patience,
        }
    }

    /// Begins work when a thread is free. The work continues even if nobody waits for its result.
    ///
    /// # Errors
    /// Returns an error if no thread became free in time.
    pub(super) async fn begin<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<JoinHandle<T>, WorkError> {
        let permit: OwnedSemaphorePermit = match timeout(self.patience, Arc::clone(&self.free).acquire_owned()).await {
            Ok(Ok(permit)) => permit,
            _ => return Err(WorkError::Busy),
        };
        Ok(spawn_blocking(move || {
            // It is released when the work has ended or panicked.
            let _permit = permit;
            work()
        }))
    }

    /// Does work and returns its result.
    ///
    /// # Errors
    /// Returns an error if no thread became free in time, or if the work panicked.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        self.begin(work).await?.await.map_err(|_| WorkError::Panicked)
    }
}

impl From<WorkError> for Failure {
    fn from(error: WorkError) -> Failure {
        let (status, message) = match error {
            WorkError::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                "too much is going on at once: ask again later",
            ),
            WorkError::Panicked => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "this question ran into a fault in skewer",
            ),
        };
        (status, Error::new(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a test on one thread, as the server does.
    fn block_on<T>(test: impl Future<Output = T>) -> T {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_time().build().expect("a runtime").block_on(test)
    }

    #[test]
    fn work_that_panics_leaves_its_thread_to_others() {
        let threads = Threads::new(1, Duration::from_secs(600));
        block_on(async {
            for _ in 0..3 {
                let error = threads.run(|| panic!("on purpose")).await;
                assert!(matches!(error, Err::<(), _>(WorkError::Panicked)), "{error:?}");
            }
            assert_eq!(threads.run(|| 1).await.ok(), Some(1));
        });
    }

    #[test]
    fn too_much_work_is_refused() {
        let threads = Threads::new(1, Duration::from_millis(20));
        let (end, ended) = std::sync::mpsc::channel::<()>();
        block_on(async {
            let first = threads.begin(move || ended.recv().is_err()).await.expect("a thread");
            let error = threads.run(|| 1).await;
            assert!(matches!(error, Err(WorkError::Busy)), "{error:?}");
            drop(end);
            assert!(first.await.expect("it ends"));
            assert_eq!(threads.run(|| 2).await.ok(), Some(2));
        });
    }
}
