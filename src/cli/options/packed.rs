//! How packed inputs are read.

/// The option for inputs that were packed with large windows.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Packed {
    /// Read .zst files with windows of up to 2^WINDLOG bytes, as `zstd --long` does [without a number: 31, which is 2 GB;
    /// without the option: 27, 128 MB]
    #[arg(
        long,
        value_name = "WINDLOG",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "31",
        value_parser = clap::value_parser!(u32).range(10..=31)
    )]
    pub(crate) long: Option<u32>,
}
