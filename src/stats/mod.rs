//! Counting and grouping of what queries find: how often, by year, by rating, by the next move, and how the games ended.
//!
//! [`CountingSink`] is one sink for each query of a pass. On the threads that evaluate, the games of a batch are counted into groups; the thread
//! that collects adds the groups of one batch to those of the others, so what is counted is the same for any number of threads.
//!
//! Each part uses only those before it: `interval`, `key`, `groups`, `counting`, `table`, `drawing`, `columns`,
//! `screen`, `plot`, `page`, `files`, `merging`.

mod columns;
mod counting;
mod drawing;
mod files;
mod groups;
mod interval;
mod key;
mod merging;
mod page;
mod plot;
mod screen;
mod table;

pub(crate) use counting::{Counted, Counting, CountingSink, Spoken, bases};
pub(crate) use files::{FileFormat, Look, clash, write};
pub(crate) use key::{Keys, NAMES};
pub use merging::{GroupCounts, GroupValue};
pub(crate) use merging::{Merged, group_counts};
pub(crate) use table::{Order, Table};
