//! A stand-in for the folder where skewer is built without `files`.

use std::sync::Arc;

use crate::limits::Memory;

/// There is no folder in which queries may read and write files.
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
