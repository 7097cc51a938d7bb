//! Decides whether output has colours.

use std::env;
use std::ffi::OsString;

use clap::ColorChoice;

/// Returns whether text has colours. The user's choice comes first. Otherwise it has colours if it goes to a terminal, unless the
/// environment says otherwise according to <https://no-color.org> and <https://bixense.com/clicolors>.
pub(crate) fn has_color(choice: ColorChoice, is_terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let is = |name: &str, value: &str| env::var_os(name).is_some_and(|found| found == value);
            let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
            if is_set("NO_COLOR") {
                false
            } else if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") {
                true
            } else {
                is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb")
            }
        }
    }
}

/// Returns the value of `--color` before the arguments are parsed, because clap's own help and errors follow it, too.
pub(crate) fn color_argument(arguments: &[OsString]) -> ColorChoice {
    let mut values = arguments.iter().enumerate().filter_map(|(index, argument)| {
        let argument = argument.to_str()?;
        match argument.strip_prefix("--color")? {
            "" => arguments.get(index + 1)?.to_str(),
            rest => rest.strip_prefix('='),
        }
    });
    values.find_map(|value| value.parse().ok()).unwrap_or(ColorChoice::Auto)
}
