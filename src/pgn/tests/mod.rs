//! Checks that games are read and written as the references do.

mod shakmaty;
mod writing;
