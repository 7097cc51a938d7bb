//! Work shared by several threads that need not keep any order.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::STACK_BYTES;

/// Calls `work` with each item and its index, on several threads with stacks for deep recursion. Returns the results in order.
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
            // If no further thread can be started, the others do its work.
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
