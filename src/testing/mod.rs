//! Self-tests of queries: examples in their comments that say what matches.
//!
//! ```text
//!  query file ──► text, expectation ──► example, files (games) ──► runner (search) ──► Report ──► report, junit, bless
//! ```
//!
//! ```
//! use std::num::NonZeroUsize;
//! use std::sync::Arc;
//! use skewer::eval::Settings;
//! use skewer::testing::{self, Options};
//!
//! let folder = tempfile::tempdir()?;
//! let query = folder.path().join("mates.cql");
//! std::fs::write(&query, r#"
//!     //? match pgn "1. f3 e5 2. g4 Qh4#" at 4
//!     //? no match "4k3/8/8/8/8/8/8/4K3 w"
//!     cql() mate
//! "#)?;
//! let options = Options {
//!     threads: NonZeroUsize::MIN,
//!     bless: false,
//!     vocabulary: Default::default(),
//!     folders: Vec::new(),
//!     home: None,
//!     letters: None,
//!     tablebase: None,
//!     interrupt: Arc::default(),
//!     settings: Settings::default(),
//! };
//! let report = testing::run(&[query], &options);
//! assert_eq!(report.tally().to_string(), "1 query, 2 examples: 2 passed, 0 failed, 0 errors");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Each part uses only those before it: `text`, `expectation`, `bless`, `example`, `failure`, `places`, `files`, `report`, `json`,
//! `judge`, `junit`, `trial`, `picture`, `runner`, `sheets`.

#[cfg(feature = "cli")]
mod bless;
mod example;
mod expectation;
mod failure;
mod files;
mod json;
mod judge;
#[cfg(feature = "cli")]
mod junit;
mod picture;
mod places;
mod report;
#[cfg(feature = "cli")]
mod runner;
#[cfg(feature = "cli")]
mod sheets;
mod text;
mod trial;

pub use expectation::{At, Claim, Count, Counts, Example, Expectation, Match, Tag, expectations};
pub use failure::{Failure, MarkedBoard};
pub use picture::Picture;
pub use places::{nearest_file, no_such_file};
pub use report::{FileReport, Outcome, Problem, Report, Tally, Test};
#[cfg(feature = "cli")]
pub use runner::{Options, run};
#[cfg(feature = "cli")]
pub use sheets::{Sheet, Sheets, sheets};
pub use text::{BEGINNINGS, Text};
pub use trial::{ExampleProblem, scene_at, try_examples};
