//! Self-tests of queries: examples in their comments, which say what matches.
//!
//! ```text
//!  query file ──► text, expectation ──► example, files (games) ──► runner (search) ──► Report ──► report, junit, bless
//! ```
//!
//! ```
//! use std::num::NonZeroUsize;
//! use std::sync::Arc;
//! use skewer::eval::Settings;
//! use skewer::selftest::{self, Options};
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
//!     no_prelude: false,
//!     folders: Vec::new(),
//!     home: None,
//!     letters: None,
//!     interrupt: Arc::default(),
//!     settings: Settings::default(),
//! };
//! let report = selftest::run(&[query], &options);
//! assert_eq!(report.tally().to_string(), "1 query, 2 examples: 2 passed, 0 failed, 0 errors");
//! # Ok::<(), std::io::Error>(())
//! ```

mod bless;
mod example;
mod expectation;
mod files;
mod hit;
mod judge;
mod junit;
mod picture;
mod report;
mod runner;
mod text;

pub use expectation::{At, Claim, Count, Counts, Example, Expectation, Match, Tag, expectations};
pub use picture::{Picture, Sheet, Sheets, sheets};
pub use report::{Failure, FileReport, Outcome, Problem, Report, Scene, Tally, Test};
pub use runner::{Options, run};
pub use text::Text;
