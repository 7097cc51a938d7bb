//! Counts what queries find, by groups: how often, by year, by rating, by the next move, and how the games ended.
//!
//! Each query of a pass has a [`CountingSink`]. The threads that evaluate count the games of a batch into groups. The thread that collects
//! adds up the groups of the batches, so the counts are the same for any number of threads.
//!
//! Each part uses only those before it: `interval`, `key`, `groups`, `counting`, `table`, `cells`, `drawing`, `columns`,
//! `screen`, `plot`, `page`, `files`, `merging`.

mod cells;
#[cfg(feature = "cli")]
mod columns;
mod counting;
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
pub(crate) use cells::objects;
pub(crate) use counting::{Counted, Counting, CountingSink, Perspective};
#[cfg(feature = "cli")]
pub(crate) use files::{FileFormat, Look, write};
pub(crate) use key::{Keys, NAMES};
#[cfg(feature = "cli")]
pub use merging::{GroupCounts, GroupValue};
#[cfg(feature = "cli")]
pub(crate) use merging::{Merged, group_counts};
pub(crate) use table::{Order, Table, TableOptions};
