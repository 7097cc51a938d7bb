//! Damage to databases of other programs.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    skewer_fuzz::foreign::check(data);
});
