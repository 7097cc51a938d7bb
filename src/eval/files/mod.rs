//! The folder in which queries read and write files (chapter 8, 12).
//!
//! Each part uses only those before it: `staging`, `folder`.

#[cfg(feature = "files")]
pub(crate) mod folder;
#[cfg(not(feature = "files"))]
#[path = "unavailable.rs"]
pub(crate) mod folder;
#[cfg(feature = "files")]
mod staging;
