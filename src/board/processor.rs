//! The instructions of the processor that the program finds itself on.
//!
//! A build for one kind of processor has its instructions everywhere, such as that of `.cargo/config.toml`. In a build for any x86-64, what
//! searches spend their time with is there twice: once more with AVX2 and the bit counts and scans of x86-64-v3.

/// What vectors of AVX2 are made with, if the processor has them.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn avx2() -> Option<fearless_simd::Avx2> {
    use fearless_simd::Level;

    let level = if cfg!(target_feature = "avx2") {
        Level::baseline()
    } else {
        Level::new()
    };
    level.as_avx2()
}

/// Does some work by the instructions that any processor has. It is a function of its own, so that the way with other instructions need not
/// save the registers that this one takes.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
#[inline(never)]
pub(crate) fn without_avx2<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// What a function does, by the instructions of x86-64-v3 where the processor has them. What it calls should be `#[inline(always)]`:
/// functions that are not inlined stay as they are, and so would the work as a whole.
///
/// It is a macro, as the work stands in the program twice.
#[cfg(all(feature = "simd", target_arch = "x86_64", not(target_feature = "avx2")))]
macro_rules! for_this_processor {
    ($work:expr) => {
        match crate::board::processor::avx2() {
            Some(avx2) => fearless_simd::Simd::vectorize(
                avx2,
                #[inline(always)]
                || $work,
            ),
            None => crate::board::processor::without_avx2(|| $work),
        }
    };
}

/// What a function does, as there is nothing to choose from.
#[cfg(not(all(feature = "simd", target_arch = "x86_64", not(target_feature = "avx2"))))]
macro_rules! for_this_processor {
    ($work:expr) => {
        $work
    };
}

pub(crate) use for_this_processor;
