//! The table of the options of the `cql` command.

use std::sync::LazyLock;

use crate::syntax::table::{Row, Table};

/// A row has the names of an option, its arguments and, if it is listed, what it does.
static OPTIONS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("options.txt")));

/// Returns the option that an argument names, with one dash or two, in any case.
pub(super) fn named(argument: &str) -> Option<&'static Row> {
    let name = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-'))?;
    let mut options = OPTIONS.rows.iter();
    options.find(|option| option.keys().any(|known| known.eq_ignore_ascii_case(name)))
}

/// Returns the usual name of an option, in lower case without dashes.
pub(super) fn name(option: &Row) -> &'static str {
    option.keys().next().unwrap_or_default()
}

/// Returns the options as the help lists them.
pub(super) fn listed() -> String {
    let listed = OPTIONS.rows.iter().filter_map(|option| match *option.values {
        [arguments, help] => Some((option, arguments, help)),
        _ => None,
    });
    listed
        .map(|(option, arguments, help)| {
            let form = format!("-{} {arguments}", option.key.replace(' ', " -"));
            format!("  {:<34} {help}\n", form.trim_end())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_in_lower_case() {
        let mut seen = BTreeSet::new();
        for name in OPTIONS.rows.iter().flat_map(Row::keys) {
            assert!(seen.insert(name), "{name}");
            assert_eq!(name, name.to_ascii_lowercase());
        }
    }

    #[test]
    fn dashes_and_case_do_not_matter() {
        for argument in ["-input", "--input", "-INPUT", "--Input", "-i", "-I"] {
            assert_eq!(named(argument).map(name), Some("input"), "{argument}");
        }
        for argument in ["input", "---input", "-inputs", "-", "--", ""] {
            assert!(named(argument).is_none(), "{argument}");
        }
    }
}
