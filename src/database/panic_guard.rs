//! Decoding that may panic: what [`validation`](super::validation) and [`pages`](super::pages) have not looked at ends here, at the edge of a column.

use std::io;

use parquet::errors::ParquetError;

use super::error::damaged;
use crate::limits::contained;

/// Decodes a part of a column. What it was decoding has to be dropped after an error.
///
/// # Errors
/// When the decoder fails or panics.
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
