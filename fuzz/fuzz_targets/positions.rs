//! Lists and tables of positions.

#![no_main]

use fastrand::Rng;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|data: &[u8]| {
    skewer_fuzz::positions::check(data);
});

// Half of the inputs are made from words of such files, and libFuzzer mutates the others in its own way.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Rng::with_seed(seed.into());
    if random.bool() {
        return fuzzer_mutate(data, size, max_size);
    }
    let mutated = skewer_fuzz::mutation::POSITIONS.mutate(&data[..size], &[data[..size].to_vec()], &mut random);
    let length = mutated.len().min(max_size).min(data.len());
    data[..length].copy_from_slice(&mutated[..length]);
    length
});
