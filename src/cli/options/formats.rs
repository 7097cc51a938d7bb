//! The formats as values of an option.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::output::FormatName;

impl ValueEnum for FormatName {
    fn value_variants<'a>() -> &'a [FormatName] {
        FormatName::NAMED
    }

    /// They are named as the files that they make.
    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.extension()).help(self.description()))
    }
}
