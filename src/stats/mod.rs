//! Counting and grouping of what queries find: how often, by year, by rating, by the next move, and how the games ended.
//!
//! [`CountingSink`] is one sink for each query of a pass. On the threads that evaluate, the games of a batch are counted into groups; the thread
//! that collects adds the groups of one batch to those of the others, so what is counted is the same for any number of threads.
//!
//! Each part uses only those before it: `interval`, `key`, `groups`, `counting`, `table`, `cells`, `drawing`, `columns`,
//! `screen`, `plot`, `page`, `files`, `merging`.

mod cells;
#[cfg(feature = "cli")]
mod columns;
mod counting;
#[cfg(feature = "cli")]
mod drawing;
#[cfg(feature = "cli")]
mod files;
mod groups;
mod interval;
mod key;
#[cfg(feature = "cli")]
mod merging;
#[cfg(feature = "cli")]
mod page;
#[cfg(feature = "cli")]
mod plot;
#[cfg(feature = "cli")]
mod screen;
mod table;

pub(crate) use cells::check_names;
#[cfg(feature = "service")]
pub(crate) use cells::objects;
pub(crate) use counting::{Counted, Counting, CountingSink, Whom};
#[cfg(feature = "cli")]
pub(crate) use files::{FileFormat, Look, write};
pub(crate) use key::Keys;
#[cfg(feature = "cli")]
pub(crate) use key::NAMES;
#[cfg(feature = "cli")]
pub use merging::{GroupCounts, GroupValue};
#[cfg(feature = "cli")]
pub(crate) use merging::{Merged, group_counts};
pub(crate) use table::{Order, Table};
