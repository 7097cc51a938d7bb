//! Packs row groups into bytes, on several threads at once but in order.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use super::group::{EncodedGroup, Format, GroupValues};
use crate::limits::{InterruptHandle, locked};

/// The [weight](GroupValues::weight) of waiting row groups above which no further one is taken. One with large games is packed alone.
const MOST_WEIGHT: usize = 32 << 20;

/// The weight above which a row group is heavy.
const HEAVY: usize = 6 << 20;

/// The number of threads that pack heavy row groups, as allocators keep some of the memory that each thread has freed.
const HEAVY_PACKERS: usize = 6;

/// The row groups that wait to be packed. Any thread that has time [helps](Packing::help).
#[derive(Clone)]
pub(super) struct Packing {
    waiting: Arc<Mutex<VecDeque<Arc<Job>>>>,
    /// The number of threads that help.
    helpers: Arc<AtomicUsize>,
    /// Whether this one also packs heavy row groups.
    packs_heavy: bool,
    format: Format,
    watch: InterruptHandle,
}

/// A row group to be packed.
#[derive(Default)]
struct Job {
    is_heavy: bool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
enum State {
    Waiting(Box<GroupValues>),
    #[default]
    Begun,
    Packed(io::Result<EncodedGroup>),
}

impl Packing {
    pub(super) fn new(format: Format, watch: InterruptHandle) -> Packing {
        Packing {
            waiting: Arc::default(),
            helpers: Arc::default(),
            packs_heavy: true,
            format,
            watch,
        }
    }

    /// Creates another one for one more thread.
    pub(super) fn another(&self) -> Packing {
        let number = self.helpers.fetch_add(1, Ordering::Relaxed);
        Packing {
            packs_heavy: number < HEAVY_PACKERS,
            ..self.clone()
        }
    }

    /// Packs the row group that has waited longest among those that this thread packs. Returns whether there was one.
    pub(super) fn help(&self) -> bool {
        let mut waiting = locked(&self.waiting);
        let place = waiting.iter().position(|job| self.packs_heavy || !job.is_heavy);
        let job = place.and_then(|place| waiting.remove(place));
        drop(waiting);
        job.is_some_and(|job| {
            self.pack(&job);
            true
        })
    }

    /// Packs a row group unless another thread has begun with it.
    fn pack(&self, job: &Job) {
        let mut state = locked(&job.state);
        if !matches!(*state, State::Waiting(_)) {
            return;
        }
        let State::Waiting(mut values) = mem::take(&mut *state) else {
            return;
        };
        drop(state);
        let mut outcome = Outcome(job, Some(Err(io::Error::other("a row group could not be packed"))));
        outcome.1 = Some(values.encode(&self.format, &self.watch));
    }
}

/// Sets the result of a job, even after a panic, so that no thread waits for ever.
struct Outcome<'j>(&'j Job, Option<io::Result<EncodedGroup>>);

impl Drop for Outcome<'_> {
    fn drop(&mut self) {
        if let Some(result) = self.1.take() {
            *locked(&self.0.state) = State::Packed(result);
            self.0.changed.notify_all();
        }
    }
}

/// Row groups in their order, packed or not.
pub(super) struct Queue {
    packing: Packing,
    /// The number of threads that pack.
    threads: usize,
    /// Each row group with its weight, which is 0 if it was packed when it was added.
    groups: VecDeque<(Arc<Job>, usize)>,
    /// The weight of all of them.
    weight: usize,
}

impl Queue {
    /// Creates an empty queue. With one thread every row group is packed when it is taken.
    pub(super) fn new(packing: Packing, threads: usize) -> Queue {
        Queue {
            packing,
            threads,
            groups: VecDeque::new(),
            weight: 0,
        }
    }

    /// Returns what packs its row groups.
    pub(super) fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Returns whether a row group can wait in addition to those that do.
    pub(super) fn has_room_for(&self, values: &GroupValues) -> bool {
        self.weight == 0 || self.weight + values.weight() <= MOST_WEIGHT
    }

    /// Adds a row group to be packed. One with large games is packed at once by this thread: other threads would take large pieces of memory too, and
    /// allocators keep some of them for each thread.
    pub(super) fn push(&mut self, values: GroupValues) {
        let (weight, is_large) = (values.weight(), values.has_large());
        self.weight += weight;
        let job = Arc::new(Job {
            is_heavy: weight > HEAVY,
            state: Mutex::new(State::Waiting(Box::new(values))),
            changed: Condvar::new(),
        });
        match is_large {
            true => self.packing.pack(&job),
            false => locked(&self.packing.waiting).push_back(Arc::clone(&job)),
        }
        self.groups.push_back((job, weight));
    }

    /// Adds a row group that is packed already.
    pub(super) fn push_packed(&mut self, group: EncodedGroup) {
        let job = Job {
            state: Mutex::new(State::Packed(Ok(group))),
            ..Job::default()
        };
        self.groups.push_back((Arc::new(job), 0));
    }

    /// Returns the next row group if it is packed, or if too many wait.
    pub(super) fn next(&mut self) -> Option<io::Result<EncodedGroup>> {
        let is_full = self.groups.len() / 2 >= self.threads || self.weight > MOST_WEIGHT;
        let (job, _) = self.groups.front()?;
        let is_ready = matches!(*locked(&job.state), State::Packed(_));
        (is_ready || is_full).then(|| self.take()).flatten()
    }

    /// Returns the next row group. All threads pack it together with those after it.
    pub(super) fn take_last(&mut self) -> Option<io::Result<EncodedGroup>> {
        let waiting = locked(&self.packing.waiting).len();
        if waiting > 1 && self.threads > 1 {
            thread::scope(|scope| {
                for number in 1..self.threads.min(waiting) {
                    let packing = self.packing.clone();
                    let helper = thread::Builder::new().name(format!("packer {number}"));
                    // If no thread can be started, the others do its work.
                    let _ = helper.spawn_scoped(scope, move || while packing.help() {});
                }
                while self.packing.help() {}
            });
        }
        self.take()
    }

    /// Returns the next row group. It is packed here if no thread has begun with it.
    pub(super) fn take(&mut self) -> Option<io::Result<EncodedGroup>> {
        let (job, weight) = self.groups.pop_front()?;
        self.weight -= weight;
        locked(&self.packing.waiting).retain(|waiting| !Arc::ptr_eq(waiting, &job));
        self.packing.pack(&job);
        let state = locked(&job.state);
        let state = job
            .changed
            .wait_while(state, |state| !matches!(state, State::Packed(_)));
        match mem::take(&mut *state.unwrap_or_else(PoisonError::into_inner)) {
            State::Packed(result) => Some(result),
            State::Waiting(_) | State::Begun => None,
        }
    }
}
