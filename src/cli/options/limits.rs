//! `--timeout` and `--max-memory`: limits of a run.

use std::sync::Arc;
use std::time::Duration;

use crate::limits::{Interrupt, Memory};

/// What the command line says about time and memory.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Stop after this time with exit code 124; a search writes what it has found by then: 90, 90s, 1.5m, 2h [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<Duration>,

    /// The most memory that all queries together may use for strings, comments, sort keys and the like: 500M, 4G [default: 2G]
    ///
    /// Memory for the games and for reading ahead does not depend on the query and is not counted.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_memory: Option<usize>,
}

impl Limits {
    /// Returns an interrupt that is raised when the time is up. The time begins now.
    pub(crate) fn interrupt(self) -> Interrupt {
        self.timeout.map_or_else(Interrupt::default, Interrupt::after)
    }

    /// Returns the memory of a run.
    pub(crate) fn memory(self) -> Arc<Memory> {
        Arc::new(self.max_memory.map_or_else(Memory::default, Memory::new))
    }
}

/// Splits a text into a number and the unit after it.
fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let split = text
        .find(|sign: char| !sign.is_ascii_digit() && sign != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().ok()?;
    Some((number, unit.trim_start()))
}

/// Parses a time in seconds, or with the unit `ms`, `s`, `m` or `h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let seconds = number_and_unit(text).and_then(|(number, unit)| match unit {
        "ms" => Some(number / 1000.0),
        "" | "s" => Some(number),
        "m" | "min" => Some(number * 60.0),
        "h" => Some(number * 3600.0),
        _ => None,
    });
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a time is a number of seconds, or has a unit: 500ms, 90s, 1.5m, 2h".to_owned())
}

/// Parses a size in bytes, or with the unit `K`, `M`, `G` or `T`.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let size = number_and_unit(text).and_then(|(number, unit)| {
        let shift = match unit.trim_end_matches(['B', 'b']).trim_end_matches('i') {
            "" => 0,
            "K" | "k" => 10,
            "M" | "m" => 20,
            "G" | "g" => 30,
            "T" | "t" => 40,
            _ => return None,
        };
        Some(number * f64::from(1u32 << (shift / 2)) * f64::from(1u32 << (shift / 2)))
    });
    size.map(|size| size as usize)
        .ok_or_else(|| "a size is a number of bytes, or has a unit: 800K, 500M, 1.5G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_have_units() {
        for (text, milliseconds) in [
            ("90", 90_000),
            ("1.5m", 90_000),
            ("250ms", 250),
            ("2h", 7_200_000),
            ("0", 0),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for (text, size) in [
            ("10", 10),
            ("1K", 1024),
            ("1.5M", 3 << 19),
            ("2GiB", 2 << 30),
            ("3 GB", 3 << 30),
        ] {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for wrong in ["", "x", "-1", "1d", "1.2.3", "s", "M", "1e9999s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
