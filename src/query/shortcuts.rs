//! The ways to leave work out, each of which can be switched off.
//!
//! A shortcut never changes an answer, so a search with it and one without it must print the same. `tests/equivalence` runs queries with
//! all of them, without any, and without each alone.

use std::env;
use std::sync::OnceLock;

use bitflags::bitflags;
use bitflags::parser::from_str_strict;

bitflags! {
    /// A set of shortcuts. All are on by default, but for those that the environment variable [`VARIABLE`](Shortcuts::VARIABLE) switches off.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct Shortcuts: u32 {
        /// Row groups of a database are not read if their statistics rule them out.
        const ROW_GROUPS = 1;
        /// Moves of a row of a database are not read if the facts of the game rule it out.
        const ROW_FACTS = 1 << 1;
        /// Filters that say the same at every position of a game are asked once, before its moves are read.
        const SELECTION = 1 << 2;
        /// A game is left out if what all of its positions have together rules it out.
        const OVERVIEW = 1 << 3;
        /// Positions are left out by cheap conditions that must hold where the body does.
        const GLANCE = 1 << 4;
        /// The body is evaluated at sixteen positions at once.
        const VERDICT = 1 << 5;
        /// Eight successive positions are asked together.
        const STRETCHES = 1 << 6;
        /// Sixteen games of a run wait for each other, if there are many queries.
        const WINDOWS = 1 << 7;
        /// `find` and `echo` remember what they have found out, and look positions up.
        const MEMOS = 1 << 8;
        /// Filters are simplified: loops are asked of all squares at once or go round fewer of them, cheap tests come first.
        const SIMPLIFY = 1 << 9;
        /// What needs no context is asked of imagined positions without one.
        const CONTEXT_FREE = 1 << 10;
        /// Of moves that are tried only those are generated that give check, where nothing else can count.
        const CHECKS = 1 << 11;
        /// Moves and paths are tried no longer when the answer is certain.
        const EARLY_END = 1 << 12;
        /// Positions of a game of a database are made only when someone needs them.
        const LATE_POSITIONS = 1 << 13;
        /// Moves of games of a database are not read if themes hold in none of them, as the database knows.
        const THEMES = 1 << 14;
    }
}

impl Shortcuts {
    /// The environment variable that names the shortcuts which are off, `GLANCE | MEMOS` or `all`. It is for tests.
    pub const VARIABLE: &str = "SKEWER_WITHOUT_SHORTCUTS";

    /// The shortcuts that are on unless the caller decides otherwise.
    fn of_environment() -> Shortcuts {
        match env::var(Shortcuts::VARIABLE).as_deref() {
            Err(_) => Shortcuts::all(),
            Ok("all") => Shortcuts::empty(),
            Ok(names) => match from_str_strict(names) {
                Ok(off) => Shortcuts::all() - off,
                // A test of a shortcut that does not exist would test nothing.
                Err(_) => Shortcuts::empty(),
            },
        }
    }
}

impl Default for Shortcuts {
    fn default() -> Shortcuts {
        static DEFAULT: OnceLock<Shortcuts> = OnceLock::new();
        *DEFAULT.get_or_init(Shortcuts::of_environment)
    }
}
