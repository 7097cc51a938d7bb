//! `similarposition`: positions that occur in another file, too (chapter 5, 12).

use std::path::PathBuf;

use crate::syntax::token::Span;

/// The file that every `similarposition` of a query compares with.
#[derive(Clone, Debug)]
pub struct Similar {
    /// The file as the query names it, which comments repeat.
    pub name: Vec<u8>,
    /// Where the file is.
    pub path: PathBuf,
    /// Mirrored, turned and shifted positions count, too.
    pub transformed: bool,
    /// Where the query names it first.
    pub span: Span,
}
