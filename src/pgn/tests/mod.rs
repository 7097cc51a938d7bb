//! Games are read and written as the references do.

mod shakmaty;
mod writing;
