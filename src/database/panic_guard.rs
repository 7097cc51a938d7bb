//! Contains panics of decoders: what [`validation`](super::validation) and [`pages`](super::pages) do not check ends here, at the edge of a column.

use std::io;

use parquet::errors::ParquetError;

use super::error::damaged;
use crate::limits::contained;

/// Decodes a part of a column. After an error the decoder's state must be dropped.
///
/// # Errors
/// Returns an error if the decoder fails or panics.
pub(super) fn decode<T>(decoder: impl FnOnce() -> Result<T, ParquetError>) -> io::Result<T> {
    match contained(decoder) {
        Ok(decoded) => decoded.map_err(|error| match error {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => *error,
                Err(error) => damaged(&error.to_string()),
            },
            error => damaged(&error.to_string()),
        }),
        Err(_) => Err(damaged("its values cannot be decoded")),
    }
}
