//! Queries and games meet here.

pub mod report;
