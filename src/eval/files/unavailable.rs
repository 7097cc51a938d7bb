//! A stand-in for the folder in builds of skewer without `files`.

use std::sync::Arc;

use crate::limits::Memory;

/// The folder of queries, which cannot exist in this build.
#[derive(Clone, Copy, Debug)]
pub enum Folder {}

/// The files of a run: none.
#[derive(Debug, Default)]
pub(crate) struct Files {}

const NO_FILES: &str = "skewer was built without `files`";

impl Files {
    pub(crate) fn new(_folder: Option<Arc<Folder>>, _memory: &Arc<Memory>) -> Files {
        Files {}
    }

    pub(crate) fn read(&self, _name: &[u8]) -> Result<Vec<u8>, String> {
        Err(NO_FILES.to_owned())
    }

    pub(crate) fn write(&mut self, _name: &[u8], _content: &[u8]) -> Result<(), String> {
        Err(NO_FILES.to_owned())
    }
}
