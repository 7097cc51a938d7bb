//! Conversations with the language server.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    skewer_fuzz::conversation::check(data);
});
