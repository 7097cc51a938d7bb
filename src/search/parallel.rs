//! Work that several threads share, where there is no order to keep up with.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::STACK_BYTES;

/// Calls a function for each item and its number, on several threads with stacks for deep recursion; the results in order.
pub(crate) fn in_parallel<'t, T: Sync, R: Send>(
    items: &'t [T],
    threads: NonZeroUsize,
    work: impl Fn(usize, &'t T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let work_on = || {
        while let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(index)
        {
            let result = work(index, item);
            if let Ok(mut results) = results.lock() {
                results.push((index, result));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(items.len()) {
            // Where there is no further thread, the others do its work.
            let _ = thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, work_on);
        }
        work_on();
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
