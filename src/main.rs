//! The `skewer` command.

fn main() {}
