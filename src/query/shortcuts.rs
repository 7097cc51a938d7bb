//! Shortcuts: ways to save work, each of which can be switched off.
//!
//! A shortcut never changes an answer: a search prints the same with it and without it. `tests/equivalence` runs queries with all
//! shortcuts, without any, and without each one.

use std::env;
use std::sync::OnceLock;

use bitflags::bitflags;
use bitflags::parser::from_str_strict;

bitflags! {
    /// A set of shortcuts. All are on by default, except those that the environment variable [`VARIABLE`](Shortcuts::VARIABLE) switches
    /// off.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct Shortcuts: u32 {
        /// Skips row groups of a database that their statistics rule out.
        const ROW_GROUPS = 1;
        /// Skips the moves of a row of a database if the facts of the game rule it out.
        const ROW_FACTS = 1 << 1;
        /// Evaluates filters that have the same value at every position of a game once, before the moves are read.
        const SELECTION = 1 << 2;
        /// Skips positions that fail cheap conditions, which must hold where the body does.
        const GLANCE = 1 << 3;
        /// Evaluates the body at sixteen positions at once.
        const VERDICT = 1 << 4;
        /// Tests eight successive positions together.
        const STRETCHES = 1 << 5;
        /// Tests sixteen games with a single position each together.
        const WINDOWS = 1 << 6;
        /// Lets `find` and `echo` remember what they found, and look positions up.
        const MEMOS = 1 << 7;
        /// Simplifies filters: loops test all squares at once or run over fewer of them, and cheap tests come first.
        const SIMPLIFY = 1 << 8;
        /// Evaluates context-free filters at imagined positions without making a context.
        const CONTEXT_FREE = 1 << 9;
        /// When moves are tried, generates only moves that give check if no others can count.
        const CHECKS = 1 << 10;
        /// Stops trying moves and paths as soon as the answer is certain.
        const EARLY_END = 1 << 11;
        /// Makes the positions of a game of a database only when they are needed.
        const LATE_POSITIONS = 1 << 12;
        /// Skips the moves of games of a database in which required themes are known not to hold.
        const THEMES = 1 << 13;
        /// Makes no game of a row of a database if the values of its tags rule it out.
        const ROW_TAGS = 1 << 14;
    }
}

impl Shortcuts {
    /// The environment variable that names the shortcuts to switch off, such as `GLANCE | MEMOS`, or `all`. It is for tests.
    pub const VARIABLE: &str = "SKEWER_WITHOUT_SHORTCUTS";

    /// Returns the shortcuts that are on by default.
    fn of_environment() -> Shortcuts {
        match env::var(Shortcuts::VARIABLE).as_deref() {
            Err(_) => Shortcuts::all(),
            Ok("all") => Shortcuts::empty(),
            Ok(names) => match from_str_strict(names) {
                Ok(off) => Shortcuts::all() - off,
                // An unknown name switches all shortcuts off: a test of a shortcut that does not exist would test nothing.
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
