//! Prefilters: cheap necessary conditions for a query to match a position or a game.
//!
//! [`Prefilter::of`] looks at the front of the body and takes only parts without effects. If a position fails the prefilter, the body would
//! have failed before anything else was evaluated, so it need not be tried, and nobody can tell. What must hold at a position must hold
//! somewhere in its game, so [`GamePrefilter`] is made from the same facts.
//!
//! Each part uses only those before it: `condition`, `verdict`, `geometry`, `game`, `themes`, `glance`, `extract`, `overview`.

mod condition;
mod extract;
mod game;
mod geometry;
mod glance;
mod overview;
mod themes;
mod verdict;

pub(crate) use condition::{BoardTest, Event, Prefilter};
pub(crate) use game::GamePrefilter;
pub(crate) use overview::{GameTest, Overview};
pub(crate) use themes::Themes;
pub(crate) use verdict::Verdict;
