//! The instructions of the processor on which the program runs.
//!
//! A build for one kind of processor, such as that of `.cargo/config.toml`, uses its instructions everywhere. A build for any x86-64 contains the
//! code where searches spend their time twice: the second copy uses AVX2 and the bit counts and scans of x86-64-v3.

/// Returns the token for vectors of AVX2, if the processor has them.
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

/// Calls `work` with instructions that any processor has. It is a separate function, so that the path with other instructions need not
/// save the registers that this one uses.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
#[inline(never)]
pub(crate) fn without_avx2<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Evaluates an expression, with instructions of x86-64-v3 if the processor has them. The functions that it calls should be `#[inline(always)]`:
/// functions that are not inlined are compiled only once, and so would be the whole expression.
///
/// It is a macro, so that the expression is compiled twice.
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

/// Evaluates an expression. In this build there is only one kind of instructions.
#[cfg(not(all(feature = "simd", target_arch = "x86_64", not(target_feature = "avx2"))))]
macro_rules! for_this_processor {
    ($work:expr) => {
        $work
    };
}

pub(crate) use for_this_processor;
