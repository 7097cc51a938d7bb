//! Batches of work on several threads, with results in order.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::iter;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::limits::locked;

/// The stack of a thread that evaluates queries. Evaluation recurses as deeply as queries and games nest. Unused stack takes no memory.
pub const STACK_BYTES: usize = 256 << 20;

/// The most workers. More would only take memory.
const MOST_WORKERS: usize = 512;

/// Runs `work` on a thread whose stack is deep enough for any query. Without threads (WebAssembly), it runs on the calling thread.
///
/// # Errors
/// Returns an error if the thread cannot be started. Then nothing was done.
pub(crate) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK_BYTES);
        let done = thread.spawn_scoped(scope, work)?.join();
        Ok(done.unwrap_or_else(|panicked| panic::resume_unwind(panicked)))
    })
}

/// Whether the results that are still to come are no longer wanted.
///
/// Code that works long on one result can check this and return early.
#[derive(Debug, Default)]
pub(super) struct Cancelled(AtomicBool);

impl Cancelled {
    /// Returns whether the results are no longer wanted.
    pub(super) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Cancels the results.
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How a batch becomes a result, and on which threads.
///
/// `B` holds a batch together with its result. The same few are used again and again, so memory is bounded and buffers keep their size.
pub(super) struct Pipeline<Fill, MakeWorker, Collect> {
    /// Fills the next batch. Returns `false` if there is none.
    pub(super) fill: Fill,
    /// Makes the function that works on batches, once for each thread.
    pub(super) make_worker: MakeWorker,
    /// Takes the results in the order in which the batches were filled. Breaks when it has enough.
    pub(super) collect: Collect,
}

impl<Fill, MakeWorker, Collect> Pipeline<Fill, MakeWorker, Collect> {
    /// Does everything on the calling thread.
    pub(super) fn run_here<B, W>(mut self)
    where
        B: Default,
        Fill: FnMut(&mut B) -> bool,
        MakeWorker: Fn() -> W,
        W: FnMut(&mut B),
        Collect: FnMut(&mut B) -> ControlFlow<()>,
    {
        let mut work = (self.make_worker)();
        let mut batch = B::default();
        while (self.fill)(&mut batch) {
            work(&mut batch);
            if (self.collect)(&mut batch).is_break() {
                return;
            }
        }
    }

    /// Fills on one thread, works on `workers` threads and collects on the calling one. If the system has no thread for another worker, the
    /// others do its work.
    ///
    /// # Errors
    /// Returns an error if the thread that fills or the first worker cannot be started.
    pub(super) fn run_on<B, W>(self, workers: usize) -> io::Result<()>
    where
        B: Default + Send,
        Fill: FnMut(&mut B) -> bool + Send,
        MakeWorker: Fn() -> W + Sync,
        W: FnMut(&mut B),
        Collect: FnMut(&mut B) -> ControlFlow<()>,
    {
        let Pipeline {
            mut fill,
            make_worker,
            mut collect,
        } = self;
        let workers = workers.min(MOST_WORKERS);
        // Two batches keep a worker busy while it waits for its turn to be collected; two more are being filled and collected.
        let batches: Vec<Mutex<B>> = iter::repeat_with(Mutex::default).take(2 * workers + 2).collect();
        // Only one thread has the number of a batch at a time, so no thread waits for the lock.
        let batch = |number: usize| locked(&batches[number]);
        let make_worker = || -> Box<dyn FnMut(usize) + '_> {
            let mut work = make_worker();
            Box::new(move |number| work(&mut batch(number)))
        };
        run_threads(
            workers,
            batches.len(),
            Box::new(move |number| fill(&mut batch(number))),
            &make_worker,
            Box::new(move |number| collect(&mut batch(number))),
        )
    }
}

/// Does the work of [`Pipeline::run_on`] with numbers in place of batches. So the threads and their channels are compiled once and not for each
/// kind of batch.
fn run_threads<'p>(
    workers: usize,
    batches: usize,
    fill: Box<dyn FnMut(usize) -> bool + Send + 'p>,
    make_worker: &'p (dyn Fn() -> Box<dyn FnMut(usize) + 'p> + Sync + 'p),
    collect: Box<dyn FnMut(usize) -> ControlFlow<()> + 'p>,
) -> io::Result<()> {
    let cancelled = Cancelled::default();
    thread::scope(|scope| {
        // This is dropped before the other threads are joined, even if one cannot be started: they may wait for it.
        let collect = collect;
        let (free_in, free) = sync_channel(batches);
        let (filled_in, filled) = sync_channel(batches);
        let (done_in, done) = sync_channel(batches);
        for batch in 0..batches {
            // The channel has room for all of them.
            let _ = free_in.send(batch);
        }
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn_scoped(scope, || read(fill, free, filled_in))?;
        let filled = Arc::new(Mutex::new(filled));
        for number in 0..workers {
            let (filled, done_in) = (Arc::clone(&filled), done_in.clone());
            let cancelled = &cancelled;
            let worker = thread::Builder::new()
                .name(format!("worker {number}"))
                .stack_size(STACK_BYTES);
            match worker.spawn_scoped(scope, move || work(make_worker(), filled, done_in, cancelled)) {
                Err(error) if number == 0 => return Err(error),
                Err(_) => break,
                Ok(_) => {}
            }
        }
        drop((filled, done_in));
        // However it ends, dropping the channels ends the other threads.
        merge(collect, done, free_in, &cancelled);
        Ok(())
    })
}

/// A batch and its place in the order.
struct Filled {
    place: u64,
    batch: usize,
}

/// A finished batch, or the payload of a worker's panic.
type Done = Result<Filled, Box<dyn Any + Send>>;

fn read(mut fill: Box<dyn FnMut(usize) -> bool + Send + '_>, free: Receiver<usize>, filled: SyncSender<Filled>) {
    for (place, batch) in (0..).zip(free) {
        if !fill(batch) || filled.send(Filled { place, batch }).is_err() {
            return;
        }
    }
}

fn work(
    mut work: Box<dyn FnMut(usize) + '_>,
    filled: Arc<Mutex<Receiver<Filled>>>,
    done: SyncSender<Done>,
    cancelled: &Cancelled,
) {
    // One worker waits for the next batch, the others wait for the lock.
    let next = || filled.lock().ok()?.recv().ok();
    while let Some(next) = next() {
        let result = panic::catch_unwind(AssertUnwindSafe(|| work(next.batch)));
        if cancelled.get() || done.send(result.map(|()| next)).is_err() {
            return;
        }
    }
}

fn merge(
    mut collect: Box<dyn FnMut(usize) -> ControlFlow<()> + '_>,
    done: Receiver<Done>,
    free: SyncSender<usize>,
    cancelled: &Cancelled,
) {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for result in done {
        // A worker's panic continues here: its batch would never arrive.
        let filled = result.unwrap_or_else(|payload| panic::resume_unwind(payload));
        early.insert(filled.place, filled.batch);
        while let Some(batch) = early.remove(&next) {
            next += 1;
            if collect(batch).is_break() {
                cancelled.set();
                return;
            }
            // If the reader has ended, it needs no more batches.
            let _ = free.send(batch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares the numbers below `count` on `threads` threads (0: on the calling one) and collects until `enough` returns true.
    fn squares(threads: usize, count: u64, enough: impl Fn(u64) -> bool) -> Vec<u64> {
        let mut next = 0;
        let mut collected = Vec::new();
        let pipeline = Pipeline {
            fill: |batch: &mut u64| {
                *batch = next;
                next += 1;
                next <= count
            },
            make_worker: || {
                |batch: &mut u64| {
                    // Some batches take longer, so results finish out of order.
                    if batch.is_multiple_of(8) {
                        thread::yield_now();
                    }
                    *batch *= *batch;
                }
            },
            collect: |batch: &mut u64| {
                collected.push(*batch);
                if enough(*batch) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        };
        match threads {
            0 => pipeline.run_here(),
            _ => pipeline.run_on(threads).unwrap(),
        }
        collected
    }

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        let expected: Vec<u64> = (0..500).map(|n| n * n).collect();
        for threads in [0, 1, 2, 7, usize::MAX] {
            assert_eq!(squares(threads, 500, |_| false), expected, "{threads} threads");
        }
    }

    #[test]
    fn no_batch_is_collected_after_enough() {
        for threads in [0, 1, 2, 7] {
            assert_eq!(
                squares(threads, u64::MAX, |square| square >= 100).last(),
                Some(&100),
                "{threads} threads"
            );
        }
    }

    #[test]
    fn nothing_to_do_ends() {
        for threads in [0, 1, 7] {
            assert!(squares(threads, 0, |_| false).is_empty());
        }
    }

    #[test]
    fn a_panic_of_a_worker_reaches_the_caller() {
        let pipeline = Pipeline {
            fill: |_: &mut ()| true,
            make_worker: || |_: &mut ()| panic::resume_unwind(Box::new("deliberate")),
            collect: |_: &mut ()| ControlFlow::Continue(()),
        };
        let caught = panic::catch_unwind(AssertUnwindSafe(|| pipeline.run_on(3)));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"deliberate"));
    }
}
