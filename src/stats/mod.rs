//! Counting and grouping of what queries find: how often, by year, by rating, by the next move, and how the games ended.
//!
//! [`CountingSink`] is one sink for each query of a pass. On the threads that evaluate, the games of a batch are counted into groups; the thread
//! that collects adds the groups of one batch to those of the others, so what is counted is the same for any number of threads.
//!
//! Each part uses only those before it: `interval`, `key`, `groups`, `counting`, `table`, `drawing`, `columns`,
//! `screen`, `plot`, `page`, `files`.

mod columns;
mod counting;
mod drawing;
mod files;
mod groups;
mod interval;
mod key;
mod page;
mod plot;
mod screen;
mod table;

pub(crate) use counting::{Counted, Counting, CountingSink, Spoken};
pub(crate) use files::{FileFormat, Look, is_column, write};
pub(crate) use key::{Key, Keys, NAMES, NamedKey};
pub(crate) use table::{Order, Table};
