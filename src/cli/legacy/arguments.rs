//! The arguments of the `cql` command: first the options, last the query file.

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::iter::Peekable;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::slice;

use super::options;
use crate::query::{CommentLevel, Options, Vocabulary, is_hhdb_award_word, is_hhdb_text_word};
use crate::syntax::Source;
use crate::syntax::table::Row;
use crate::terminal::shown;

/// What to do.
#[derive(Debug)]
pub(super) enum Command {
    /// Print the help.
    Help,
    /// Print the version.
    Version,
    /// Print the words of `hhdb`.
    HhdbWords,
    /// Search.
    Search(Box<SearchArguments>),
}

/// The arguments of a search.
#[derive(Debug, Default)]
pub(super) struct SearchArguments {
    /// The query file. Without one, every position matches.
    pub(super) query: Option<PathBuf>,
    pub(super) input: Option<PathBuf>,
    pub(super) output: Option<PathBuf>,
    /// The number of threads. The default is one for each processor.
    pub(super) threads: Option<NonZeroUsize>,
    /// The options for the compiler.
    pub(super) options: Options,
}

/// A mistake in the arguments.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Mistake {
    /// An unknown option.
    Unknown(String),
    /// Another mistake.
    Other(String),
}

impl Mistake {
    fn new(message: impl Into<String>) -> Mistake {
        Mistake::Other(message.into())
    }
}

/// Parses the arguments after the name of the command.
pub(super) fn parse(arguments: &[OsString]) -> Result<Command, Mistake> {
    if arguments.is_empty() {
        return Ok(Command::Help);
    }
    let mut words = arguments.iter().peekable();
    let mut search = SearchArguments::default();
    // CQL has only its own words.
    search.options.vocabulary = Vocabulary::Cql62;
    while let Some(word) = words.next() {
        let word_text = word.to_string_lossy();
        if !word_text.starts_with('-') {
            if let Some(more) = words.next() {
                return Err(Mistake::new(format!(
                    "`{}` after `{word_text}`: the query file is the last argument, and options come before it",
                    more.to_string_lossy()
                )));
            }
            search.query = Some(query_file(Path::new(word))?);
            break;
        }
        let Some(option) = options::named(&word_text) else {
            return Err(Mistake::Unknown(word_text.into_owned()));
        };
        match options::name(option) {
            "help" => return Ok(Command::Help),
            "version" => return Ok(Command::Version),
            "hhdb" if words.peek().is_some_and(|next| *next == "help") => return Ok(Command::HhdbWords),
            _ => search.take(option, &word_text, &mut words)?,
        }
    }
    if search.query.is_none() && search.input.is_none() {
        return Err(Mistake::new(
            "no query: name a file as the last argument, or games with `-input`",
        ));
    }
    Ok(Command::Search(Box::new(search)))
}

/// Returns the file of a query. `.cql` may be left out.
fn query_file(path: &Path) -> Result<PathBuf, Mistake> {
    match path.extension() {
        None => Ok(path.with_extension("cql")),
        Some(extension) if extension == "cql" => Ok(path.to_path_buf()),
        Some(_) => Err(Mistake::new(format!(
            "{}: the name of a query ends in `.cql`",
            shown(path)
        ))),
    }
}

impl SearchArguments {
    /// Reads the arguments of an option, which was written `as_written`, and applies it.
    fn take(&mut self, option: &Row, as_written: &str, words: &mut Words<'_>) -> Result<(), Mistake> {
        let mut arguments = Arguments {
            option,
            as_written,
            words,
        };
        let options = &mut self.options;
        match options::name(option) {
            "input" => {
                let file = arguments.file()?;
                arguments.once(&mut self.input, file)?;
            }
            "output" => {
                let file = arguments.file()?;
                if !file
                    .extension()
                    .is_some_and(|extension| extension == "pgn" || extension == "PGN")
                {
                    return Err(arguments.mistake("the name of the output ends in `.pgn`"));
                }
                arguments.once(&mut self.output, file)?;
            }
            "gamenumber" => {
                let (least, most) = arguments.range()?;
                if least < 1 || least > most {
                    return Err(arguments.mistake("expected the numbers of the first and the last game"));
                }
                options.header.games = Some((least, most));
            }
            "matchcount" => options.header.match_count = Some(arguments.range()?),
            "matchstring" => options.header.match_string = Some(arguments.bytes()?),
            name @ ("variations" | "mainline") => options.header.variations = Some(name == "variations"),
            name @ "virtualmainline" => {
                options.header.variations = Some(true);
                options.filters.push(arguments.text(name));
            }
            name @ ("silent" | "quiet") => {
                let level = match name {
                    "silent" => CommentLevel::Silent,
                    _ => CommentLevel::Quiet,
                };
                if options
                    .header
                    .comments
                    .replace(level)
                    .is_some_and(|other| other != level)
                {
                    return Err(arguments.mistake("`-silent` and `-quiet` exclude each other"));
                }
            }
            "noheader" => options.annotations.no_game_number = true,
            "nosettag" => options.annotations.no_set_tag = true,
            "noremovecomment" => options.annotations.no_remove_comment = true,
            "alwayscomment" => options.annotations.always_comment = true,
            "nouniquecomments" => options.annotations.repeat_comments = true,
            "uniquecomments" => options.annotations.repeat_comments = false,
            "player" => {
                let name = arguments.quoted()?;
                let players = [b"player white ~~ ", &*name, b" or player black ~~ ", &name].concat();
                options.selection.push(arguments.text(players));
            }
            "year" => {
                let (first, last) = arguments.range()?;
                options
                    .selection
                    .push(arguments.text(format!("year >= {first} year <= {last}")));
            }
            color @ ("white" | "black") => {
                let text = [b"player ", color.as_bytes(), b" ~~ ", &*arguments.quoted()?].concat();
                options.filters.push(arguments.text(text));
            }
            word @ ("event" | "site" | "result" | "fen") => {
                let text = [word.as_bytes(), b" ", &*arguments.quoted()?].concat();
                options.filters.push(arguments.text(text));
            }
            word @ ("wtm" | "btm") => options.filters.push(arguments.text(word)),
            "cql" => {
                let text = arguments.bytes()?;
                options.filters.push(arguments.text(text));
            }
            "assign" => options.filters.push(arguments.assignment()?),
            "hhdb" => options.filters.push(arguments.hhdb()?),
            "similarposition" => options.filters.push(arguments.similar_position()?),
            transform @ ("flip" | "flipcolor" | "flipvertical" | "fliphorizontal" | "shift" | "shiftvertical"
            | "shifthorizontal" | "rotate90" | "rotate45" | "reversecolor") => {
                options.transforms.push(arguments.text(transform));
            }
            "multithreaded" => self.threads = None,
            "singlethreaded" => self.threads = Some(NonZeroUsize::MIN),
            "threads" => {
                let number = arguments.bytes()?;
                let number = std::str::from_utf8(&number).ok().and_then(|number| number.parse().ok());
                self.threads = Some(number.ok_or_else(|| arguments.mistake("expected a number of threads"))?);
            }
            "showmatches" | "showoutput" | "nooutputstatus" => {}
            "lineincrement" => drop(arguments.next()?),
            _ => return Err(arguments.mistake("skewer does not offer this option of CQL")),
        }
        Ok(())
    }
}

/// The arguments that have not been read yet.
type Words<'a> = Peekable<slice::Iter<'a, OsString>>;

/// The arguments of one option.
struct Arguments<'o, 'a> {
    option: &'o Row,
    as_written: &'o str,
    words: &'o mut Words<'a>,
}

impl<'a> Arguments<'_, 'a> {
    fn mistake(&self, message: impl Display) -> Mistake {
        Mistake::new(format!("{}: {message}", self.as_written))
    }

    fn next(&mut self) -> Result<&'a OsStr, Mistake> {
        let missing = self.mistake(format_args!(
            "an argument is missing: -{} {}",
            options::name(self.option),
            self.option.values.first().unwrap_or(&"")
        ));
        self.words.next().map(OsString::as_os_str).ok_or(missing)
    }

    /// Takes the next argument if it fits.
    fn next_if(&mut self, fits: impl FnOnce(&str) -> bool) -> Option<&'a str> {
        self.words.next_if(|word| word.to_str().is_some_and(fits))?.to_str()
    }

    fn bytes(&mut self) -> Result<Vec<u8>, Mistake> {
        Ok(self.next()?.as_encoded_bytes().to_vec())
    }

    fn file(&mut self) -> Result<PathBuf, Mistake> {
        Ok(PathBuf::from(self.next()?))
    }

    fn once<T>(&self, slot: &mut Option<T>, value: T) -> Result<(), Mistake> {
        match slot.replace(value) {
            None => Ok(()),
            Some(_) => Err(self.mistake("given twice")),
        }
    }

    /// Reads one number or two. A single number is both ends of the range.
    fn range(&mut self) -> Result<(i32, i32), Mistake> {
        let is_number = |word: &str| word.parse::<i32>().is_ok();
        let mut number = || self.next_if(is_number).and_then(|word| word.parse().ok());
        let least = number();
        let most = number();
        let least = least.ok_or_else(|| self.mistake("expected a number"))?;
        Ok((least, most.unwrap_or(least)))
    }

    /// Reads an argument as a string of CQL.
    fn quoted(&mut self) -> Result<Vec<u8>, Mistake> {
        let text = self.bytes()?;
        self.in_quotes(&text)
    }

    fn in_quotes(&self, text: &[u8]) -> Result<Vec<u8>, Mistake> {
        if text.iter().any(|byte| matches!(byte, b'"' | b'\n')) {
            return Err(self.mistake("a text with a quotation mark or a line break; write a filter with `-cql`"));
        }
        Ok([b"\"", text, b"\""].concat())
    }

    /// Reads `NAME VALUE` as an assignment.
    fn assignment(&mut self) -> Result<Source, Mistake> {
        let name = self.bytes()?;
        let value = self.bytes()?;
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        if name.is_empty() || !name.iter().all(is_name) {
            return Err(self.mistake("expected the name of a variable and its value"));
        }
        let digits = value.strip_prefix(b"-").unwrap_or(&value);
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        let value = if is_number { value } else { self.in_quotes(&value)? };
        Ok(self.text([&name[..], b" = ", &value].concat()))
    }

    /// Reads the words of an award. For a text, reads its word, its part and the text to search for.
    fn hhdb(&mut self) -> Result<Source, Mistake> {
        let mut text = b"hhdb".to_vec();
        let mut add = |word: &[u8]| {
            text.push(b' ');
            text.extend_from_slice(word);
        };
        let word = self.bytes()?;
        let is_bare = word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        add(&if is_bare { word.clone() } else { self.in_quotes(&word)? });
        let word = String::from_utf8_lossy(&word);
        if is_hhdb_award_word(&word) {
            while let Some(word) = self.next_if(is_hhdb_award_word) {
                add(word.as_bytes());
            }
        } else if is_hhdb_text_word(&word) {
            if word == "gbr"
                && let Some(part) = self.next_if(|part| matches!(part, "material" | "pieces" | "pawns" | "kings"))
            {
                add(part.as_bytes());
            }
            add(&self.quoted()?);
        }
        Ok(self.text(text))
    }

    fn similar_position(&mut self) -> Result<Source, Mistake> {
        let mut text = b"similarposition ".to_vec();
        while let Some(word) = self.next_if(|word| matches!(word, "nosort" | "notransform")) {
            text.extend_from_slice(word.as_bytes());
            text.push(b' ');
        }
        text.extend_from_slice(&self.quoted()?);
        Ok(self.text(text))
    }

    /// Returns filters as the source for this option.
    fn text(&self, filters: impl Into<Vec<u8>>) -> Source {
        Source::new(format!("<{}>", self.as_written), filters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::CommentLevel;

    fn parsed(arguments: &[&str]) -> Result<Command, Mistake> {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        parse(&arguments)
    }

    fn search(arguments: &[&str]) -> SearchArguments {
        match parsed(arguments) {
            Ok(Command::Search(search)) => *search,
            other => panic!("{arguments:?} is no search but {other:?}"),
        }
    }

    /// Returns the filters that options stand for.
    fn filters(arguments: &[&str]) -> Vec<String> {
        let search = search(&[arguments, &["q.cql"]].concat());
        let texts = search.options.filters.iter();
        texts.map(|text| text.text().to_owned()).collect()
    }

    fn mistake(arguments: &[&str]) -> String {
        match parsed(arguments) {
            Err(Mistake::Other(message)) => message,
            other => panic!("{arguments:?} is no mistake but {other:?}"),
        }
    }

    #[test]
    fn nothing_and_help_ask_for_help() {
        assert!(matches!(parsed(&[]), Ok(Command::Help)));
        assert!(matches!(parsed(&["-help"]), Ok(Command::Help)));
        assert!(matches!(parsed(&["--VERSION"]), Ok(Command::Version)));
        assert!(matches!(parsed(&["-hhdb", "help"]), Ok(Command::HhdbWords)));
    }

    #[test]
    fn the_query_is_last_and_may_lack_its_extension() {
        assert_eq!(search(&["-silent", "a/q"]).query, Some(PathBuf::from("a/q.cql")));
        assert_eq!(search(&["q.cql"]).query, Some(PathBuf::from("q.cql")));
        assert!(search(&["-i", "a.pgn"]).query.is_none());
        assert!(mistake(&["q.txt"]).contains("ends in `.cql`"));
        assert!(mistake(&["q.cql", "-silent"]).contains("last argument"));
        assert!(mistake(&["-silent"]).contains("no query"));
        assert_eq!(
            parsed(&["-inptu", "a.pgn"]).err(),
            Some(Mistake::Unknown("-inptu".to_owned()))
        );
    }

    #[test]
    fn items_of_the_header() {
        let given = search(&[
            "--Input",
            "a.pgn",
            "-o",
            "b.pgn",
            "-g",
            "3",
            "9",
            "-matchcount",
            "-1",
            "-matchstring",
            "a \"b\"",
            "-variations",
            "-mainline",
            "-quiet",
            "-threads",
            "3",
            "q.cql",
        ]);
        assert_eq!(given.input, Some(PathBuf::from("a.pgn")));
        assert_eq!(given.output, Some(PathBuf::from("b.pgn")));
        let header = given.options.header;
        assert_eq!((header.games, header.match_count), (Some((3, 9)), Some((-1, -1))));
        assert_eq!(header.match_string.as_deref(), Some(&b"a \"b\""[..]));
        assert_eq!(
            (header.variations, header.comments),
            (Some(false), Some(CommentLevel::Quiet))
        );
        assert_eq!(given.threads, NonZeroUsize::new(3));
        assert_eq!(search(&["-threads", "3", "-m", "q"]).threads, None);
        assert_eq!(search(&["-s", "q"]).threads, NonZeroUsize::new(1));
    }

    #[test]
    fn wrong_arguments_are_mistakes() {
        for (arguments, message) in [
            (&["-input", "a.pgn", "-i", "b.pgn", "q"][..], "-i: given twice"),
            (&["-output", "a.txt", "q"], "ends in `.pgn`"),
            (&["-input"], "an argument is missing: -input FILE"),
            (&["-gamenumber", "9", "3", "q"], "first and the last game"),
            (&["-gamenumber", "0", "q"], "first and the last game"),
            (&["-gamenumber", "q"], "expected a number"),
            (&["-silent", "-quiet", "q"], "exclude each other"),
            (&["-threads", "0", "q"], "expected a number of threads"),
            (&["-event", "a\"b", "q"], "quotation mark"),
            (&["-assign", "a b", "1", "q"], "name of a variable"),
            (&["-gui", "q"], "does not offer"),
        ] {
            let found = mistake(arguments);
            assert!(found.contains(message), "{arguments:?}: {found}");
        }
        assert_eq!(
            search(&["-silent", "--silent", "q"]).options.header.comments,
            Some(CommentLevel::Silent)
        );
    }

    #[test]
    fn filters_of_options_come_in_the_order_of_the_command_line() {
        let given = filters(&[
            "-assign",
            "limit",
            "-10",
            "-wtm",
            "-white",
            "^Ad",
            "-assign",
            "name",
            "1a",
            "-cql",
            "check /// \"x\"",
            "-result",
            "1-0",
            "-similarposition",
            "notransform",
            "s.pgn",
        ]);
        assert_eq!(
            given,
            [
                "limit = -10",
                "wtm",
                "player white ~~ \"^Ad\"",
                "name = \"1a\"",
                "check /// \"x\"",
                "result \"1-0\"",
                "similarposition notransform \"s.pgn\"",
            ]
        );
        let selection = search(&["-player", "A", "-year", "1900", "q"]).options.selection;
        let texts: Vec<_> = selection.iter().map(Source::text).collect();
        assert_eq!(
            texts,
            [
                "player white ~~ \"A\" or player black ~~ \"A\"",
                "year >= 1900 year <= 1900"
            ]
        );
        assert_eq!(selection[0].name(), "<-player>");
    }

    #[test]
    fn hhdb_takes_the_words_that_belong_together() {
        for (arguments, expected) in [
            (&["-hhdb", "sort", "special", "prize"][..], "hhdb sort special prize"),
            (&["-hhdb", "U1"], "hhdb U1"),
            (&["-hhdb", "(c)"], "hhdb \"(c)\""),
            (&["-hhdb", "<cook>"], "hhdb \"<cook>\""),
            (&["-hhdb", "composer", "prize"], "hhdb composer \"prize\""),
            (&["-hhdb", "gbr", "kings", "a1"], "hhdb gbr kings \"a1\""),
            (&["-hhdb", "gbr", "0100"], "hhdb gbr \"0100\""),
        ] {
            assert_eq!(filters(arguments), [expected]);
        }
        assert!(mistake(&["-hhdb", "composer"]).contains("missing"));
    }

    #[test]
    fn transforms_keep_their_order() {
        let given = search(&["-flipcolor", "-shift", "q"]).options.transforms;
        assert_eq!(
            given.iter().map(Source::text).collect::<Vec<_>>(),
            ["flipcolor", "shift"]
        );
    }
}
