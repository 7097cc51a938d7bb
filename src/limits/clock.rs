//! The clock. In WebAssembly there is none but that of the browser, which is asked where the program is built for one: with `service`.

#[cfg(not(all(target_family = "wasm", target_os = "unknown", feature = "service")))]
pub(crate) use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown", feature = "service"))]
pub(crate) use web_time::Instant;

/// Whether there is one.
pub(super) const HAS_CLOCK: bool = cfg!(any(
    not(all(target_family = "wasm", target_os = "unknown")),
    feature = "service"
));
