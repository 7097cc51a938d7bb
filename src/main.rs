//! The `skewer` command.

use std::process::ExitCode;

/// That of musl is slow, most of all with several threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    skewer::cli::hand_over(std::env::args_os());
    ExitCode::from(skewer::cli::run(std::env::args_os()))
}
