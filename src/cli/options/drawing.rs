//! Options for drawing boards.

use std::env;

use crate::output::{Drawing, PieceStyle};

/// How boards are drawn on the command line.
#[derive(clap::Args, Debug)]
pub(crate) struct DrawingArguments {
    /// Draw boards with letters, even where the terminal has chess symbols
    #[arg(long)]
    ascii: bool,

    /// Draw boards from Black's side
    #[arg(long)]
    pub(crate) flip: bool,
}

impl DrawingArguments {
    /// Returns how to draw boards: with symbols if the locale has them.
    pub(crate) fn drawing(&self, color: bool) -> Drawing {
        let pieces = if self.ascii || !locale_has_unicode(|name| env::var(name).ok()) {
            PieceStyle::Letters
        } else {
            PieceStyle::Symbols
        };
        Drawing {
            pieces,
            color,
            flip: self.flip,
        }
    }
}

/// Returns whether the locale uses UTF-8, according to the first of its variables that is set. Windows has no such variables and prints
/// Unicode.
fn locale_has_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let locale = names.into_iter().filter_map(variable).find(|value| !value.is_empty());
    match locale {
        Some(locale) => {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        }
        None => cfg!(windows),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_of_the_locale_counts() {
        let has_unicode = |set: &[(&str, &str)]| {
            let value = |name: &str| {
                let found = set.iter().find(|(variable, _)| *variable == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            locale_has_unicode(value)
        };
        assert!(has_unicode(&[("LANG", "en_GB.UTF-8")]));
        assert!(has_unicode(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!has_unicode(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
        assert_eq!(has_unicode(&[]), cfg!(windows));
    }
}
