//! Any bytes as a Parquet file.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    skewer_fuzz::database::check_bytes(data);
});
