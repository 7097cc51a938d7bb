//! A table of the options of the `cql` command, with names, arguments and meanings.

use crate::query::CommentLevel;

use Meaning::*;

/// An option.
pub(super) struct OptionSpec {
    /// Its names in lower case without dashes, the usual one first.
    pub(super) names: &'static [&'static str],
    /// Its arguments, as the help shows them.
    pub(super) arguments: &'static str,
    pub(super) meaning: Meaning,
    /// The description in the help, or empty if the option is not listed.
    pub(super) help: &'static str,
}

/// The meaning of an option, which also determines its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Help,
    Version,
    Input,
    Output,
    Games,
    MatchCount,
    MatchString,
    Variations(bool),
    VirtualMainLine,
    Comments(CommentLevel),
    NoGameNumber,
    NoSetTag,
    NoRemoveComment,
    AlwaysComment,
    RepeatComments(bool),
    /// Selects games by a player's name.
    Player,
    /// Selects games by year.
    Year,
    /// A filter that ends in a quoted string, the argument. This is the text before it.
    Search(&'static str),
    /// A filter of one word.
    Word(&'static str),
    /// Filters, used unchanged.
    Filters,
    Assign,
    Hhdb,
    SimilarPosition,
    Transform(&'static str),
    /// Whether to use all processors or one thread.
    ManyThreads(bool),
    Threads,
    /// Options for the display of progress, which have no effect. This many arguments are skipped.
    Ignored(usize),
    /// An option that is not supported.
    Refused,
}

const fn known(
    names: &'static [&'static str],
    arguments: &'static str,
    meaning: Meaning,
    help: &'static str,
) -> OptionSpec {
    OptionSpec {
        names,
        arguments,
        meaning,
        help,
    }
}

/// All options, in the order of the help.
pub(super) const OPTIONS: &[OptionSpec] = &[
    known(
        &["input", "i"],
        "FILE",
        Input,
        "the games to search, in place of the header's input",
    ),
    known(
        &["output", "o"],
        "FILE",
        Output,
        "where to write matching games, in place of the header's output",
    ),
    known(&["gamenumber", "g"], "A [B]", Games, "only the games A to B"),
    known(
        &["matchcount"],
        "A [B]",
        MatchCount,
        "how many positions make a game match",
    ),
    known(
        &["matchstring"],
        "TEXT",
        MatchString,
        "the comment on matching positions",
    ),
    known(&["variations"], "", Variations(true), "search variations, too"),
    known(&["mainline"], "", Variations(false), "search the main line only"),
    known(
        &["virtualmainline"],
        "",
        VirtualMainLine,
        "search variations, filter `virtualmainline`",
    ),
    known(&["silent"], "", Comments(CommentLevel::Silent), "add no comments"),
    known(&["quiet"], "", Comments(CommentLevel::Quiet), "add fewer comments"),
    known(&["noheader", "noheaders"], "", NoGameNumber, "add no `Game number N`"),
    known(
        &["player"],
        "REGEX",
        Player,
        "only games in which a player's name matches",
    ),
    known(&["year"], "A [B]", Year, "only games of the years A to B"),
    known(
        &["white"],
        "REGEX",
        Search("player white ~~ "),
        "filter `player white ~~ \"REGEX\"`",
    ),
    known(
        &["black"],
        "REGEX",
        Search("player black ~~ "),
        "filter `player black ~~ \"REGEX\"`",
    ),
    known(&["event"], "TEXT", Search("event "), "filter `event \"TEXT\"`"),
    known(&["site"], "TEXT", Search("site "), "filter `site \"TEXT\"`"),
    known(&["result"], "RESULT", Search("result "), "filter `result RESULT`"),
    known(&["fen"], "PATTERN", Search("fen "), "filter `fen \"PATTERN\"`"),
    known(&["wtm"], "", Word("wtm"), "filter `wtm`"),
    known(&["btm"], "", Word("btm"), "filter `btm`"),
    known(&["cql"], "FILTERS", Filters, "these filters; may be repeated"),
    known(
        &["assign"],
        "NAME VALUE",
        Assign,
        "filter `NAME=VALUE`, a number or a string",
    ),
    known(&["hhdb"], "WORDS", Hhdb, "filter `hhdb`; `-hhdb help` lists the words"),
    known(
        &["similarposition"],
        "[nosort] [notransform] FILE",
        SimilarPosition,
        "filter `similarposition`",
    ),
    known(
        &["flip"],
        "",
        Transform("flip"),
        "all filters under a transform, the first one outermost",
    ),
    known(&["flipcolor"], "", Transform("flipcolor"), "the same"),
    known(&["flipvertical"], "", Transform("flipvertical"), "the same"),
    known(&["fliphorizontal"], "", Transform("fliphorizontal"), "the same"),
    known(&["shift"], "", Transform("shift"), "the same"),
    known(&["shiftvertical"], "", Transform("shiftvertical"), "the same"),
    known(&["shifthorizontal"], "", Transform("shifthorizontal"), "the same"),
    known(&["rotate90"], "", Transform("rotate90"), "the same"),
    known(&["rotate45"], "", Transform("rotate45"), "the same"),
    known(&["reversecolor"], "", Transform("reversecolor"), "the same"),
    known(&["threads"], "N", Threads, "how many threads evaluate games"),
    known(&["singlethreaded", "s"], "", ManyThreads(false), "one thread"),
    known(
        &["multithreaded", "m"],
        "",
        ManyThreads(true),
        "one thread a processor (default)",
    ),
    known(&["nosettag"], "", NoSetTag, "`settag` sets nothing"),
    known(
        &["noremovecomment"],
        "",
        NoRemoveComment,
        "`removecomment` removes nothing",
    ),
    known(
        &["alwayscomment"],
        "",
        AlwaysComment,
        "comments stay when the filter around them fails",
    ),
    known(
        &["nouniquecomments"],
        "",
        RepeatComments(true),
        "write repeated comments on a position",
    ),
    known(
        &["uniquecomments"],
        "",
        RepeatComments(false),
        "write them once (default)",
    ),
    known(&["version", "v"], "", Version, "print the version"),
    known(&["help", "h"], "", Help, "print this help"),
    known(&["showmatches"], "", Ignored(0), ""),
    known(&["lineincrement"], "N", Ignored(1), ""),
    known(&["showoutput"], "", Ignored(0), ""),
    known(&["nooutputstatus"], "", Ignored(0), ""),
    known(
        &[
            "nosortcomments",
            "a",
            "u",
            "html",
            "echo",
            "utf8",
            "vi",
            "vii",
            "parse",
            "lex",
            "debug",
            "showfromstring",
            "showthread",
            "nolinearize",
            "outputbuffer",
            "gui",
            "guipgnstdin",
            "guipgnstdout",
            "colorize",
        ],
        "",
        Refused,
        "",
    ),
];

/// Returns the option that an argument names, with one dash or two, in any case.
pub(super) fn named(argument: &str) -> Option<&'static OptionSpec> {
    let name = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-'))?;
    OPTIONS
        .iter()
        .find(|known| known.names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// Returns the options as the help lists them.
pub(super) fn listed() -> String {
    let shown = OPTIONS.iter().filter(|known| !known.help.is_empty());
    shown
        .map(|known| {
            let names: Vec<String> = known.names.iter().map(|name| format!("-{name}")).collect();
            let form = format!("{} {}", names.join(" "), known.arguments);
            format!("  {:<34} {}\n", form.trim_end(), known.help)
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
        for name in OPTIONS.iter().flat_map(|known| known.names) {
            assert!(seen.insert(name), "{name}");
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }

    #[test]
    fn dashes_and_case_do_not_matter() {
        for argument in ["-input", "--input", "-INPUT", "--Input", "-i", "-I"] {
            assert_eq!(named(argument).map(|known| known.meaning), Some(Input), "{argument}");
        }
        for argument in ["input", "---input", "-inputs", "-", "--", ""] {
            assert!(named(argument).is_none(), "{argument}");
        }
    }
}
