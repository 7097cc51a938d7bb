//! `similarposition`: positions that also occur in another file (chapter 5, 12).

use std::path::PathBuf;

use crate::syntax::token::Span;

/// The file that every `similarposition` of a query compares with.
#[derive(Clone, Debug)]
pub struct Similar {
    /// The name of the file in the query, which comments repeat.
    pub name: Vec<u8>,
    /// The path of the file.
    pub path: PathBuf,
    /// Whether mirrored, turned and shifted positions count, too.
    pub transformed: bool,
    /// Where the query first names the file.
    pub span: Span,
}
