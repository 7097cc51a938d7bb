//! The clock. WebAssembly has only the clock of the browser, which is used in builds with `service`.

#[cfg(not(all(target_family = "wasm", target_os = "unknown", feature = "service")))]
pub(crate) use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown", feature = "service"))]
pub(crate) use web_time::Instant;

/// Whether there is a clock.
pub(super) const HAS_CLOCK: bool = cfg!(any(
    not(all(target_family = "wasm", target_os = "unknown")),
    feature = "service"
));
