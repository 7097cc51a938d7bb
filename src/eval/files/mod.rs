//! The folder in which queries read and write files (chapter 8, 12).

#[cfg(feature = "files")]
pub(crate) mod folder;
#[cfg(not(feature = "files"))]
#[path = "no_folder.rs"]
pub(crate) mod folder;
#[cfg(feature = "files")]
mod staging;
