//! Regular expressions as queries write them: ECMAScript syntax on bytes (chapter 8, 11.4 of the language reference).
//!
//! ```text
//!  pattern ──► syntax (checks, places of errors) ──► engine ──► Pattern::find_at, Pattern::matches
//! ```
//!
//! The engine runs in linear time, unless a pattern has look-ahead or back references. Then it backtracks, up to a limit.
//!
//! Each part uses only those before it: `syntax`, `compiled`, `effort`, `patient`.

mod compiled;
mod effort;
mod patient;
mod syntax;
#[cfg(test)]
mod tests;

pub use compiled::{Groups, Matches, Next, Pattern, TooComplex};
pub use effort::Effort;
pub use patient::PatientMatches;
pub use syntax::PatternError;
