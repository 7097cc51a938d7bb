//! `skewer help`: the section of the guide about a word of the language, or the help of a subcommand.
//!
//! Each part uses only those before it: `layout`.

pub(super) mod layout;

use std::ffi::OsString;

use clap::Command;
use clap::error::ErrorKind;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::options::formats::terminal_width;
use crate::cli::outputs;
use crate::cli::pager::Paging;
use crate::cli::queries::names;
use crate::cli::shell;
use crate::guide::{self, Row, Section, Topic};
use layout::Page;

/// Explain a word of the language, or a subcommand
///
/// Prints what the guide says about a filter, a parameter or a symbol of the language. For an everyday word, such as fork or castling, names
/// the filters that express it. For a subcommand, prints its help; for a title of the guide, prints that part of it.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer help attacks
  skewer help castling          which filters say it
  skewer help '→'
  skewer help \"the header\"
  skewer help search
  skewer help --filter check    the filter, not the subcommand
  skewer help --list            all words, one in a line

Exit code: 0 explained, 2 unknown.")]
pub(crate) struct Arguments {
    /// A word or symbol of the language, an everyday word, a title of the guide, or a subcommand
    #[arg(value_name = "TOPIC", allow_hyphen_values = true)]
    topic: Option<String>,

    /// More words of the topic
    #[arg(value_name = "WORD", hide = true)]
    more: Vec<String>,

    /// Print all words, with a line about each
    #[arg(long, conflicts_with_all = ["topic", "filter"])]
    list: bool,

    /// Explain the word of the language, not the subcommand of the same name
    #[arg(long, requires = "topic")]
    filter: bool,

    #[command(flatten)]
    paging: Paging,
}

/// Prints the help for a word, or for `program` and its subcommands. With `color`, standard output has colours.
pub(crate) fn execute(arguments: &Arguments, program: Command, color: bool) -> Result<Exit, Failure> {
    let text = if arguments.list {
        list(color)
    } else {
        let words = arguments.topic.iter().chain(&arguments.more).map(String::as_str);
        explanation(&words.collect::<Vec<_>>().join(" "), arguments.filter, program, color)?
    };
    outputs::page(&text, arguments.paging)
}

fn explanation(topic: &str, filter: bool, mut program: Command, color: bool) -> Result<String, Failure> {
    let word = guide::topic(topic);
    if !filter && let Some(mut help) = command_help(&mut program, topic, color) {
        if word.is_some() {
            help += &format!("\n`{topic}` is also a word of the language: skewer help --filter {topic}\n");
        }
        return Ok(help);
    }
    let everyday = guide::everyday(topic);
    if word.is_none() {
        let sections = guide::titled(topic);
        if !sections.is_empty() {
            return Ok(titled(&sections, color));
        }
    }
    let word = word.or_else(|| everyday.is_empty().then(|| guide::topic_of_form(topic)).flatten());
    if everyday.is_empty() && word.is_none() {
        return Err(unknown(topic, &program));
    }
    let mut page = new_page(color);
    for entry in everyday {
        page.everyday(entry);
    }
    if let Some(word) = word {
        explain(&mut page, &word);
    }
    Ok(page.finish())
}

/// Returns the help of the program or of a subcommand, as `--help` prints it.
fn command_help(program: &mut Command, name: &str, color: bool) -> Option<String> {
    program.build();
    let help = if name.is_empty() {
        program.render_help()
    } else {
        let command = program.find_subcommand_mut(name)?;
        let mut asked = command.clone();
        match asked.try_get_matches_from_mut([name, "--help"]) {
            Err(error) if error.kind() == ErrorKind::DisplayHelp => error.render(),
            _ => command.render_long_help(),
        }
    };
    let text = if color {
        help.ansi().to_string()
    } else {
        help.to_string()
    };
    Some(text)
}

fn unknown(topic: &str, program: &Command) -> Failure {
    let message = format!("there is no help on `{topic}`");
    let is_option = topic.trim_start_matches('-').starts_with(char::is_alphabetic) && topic.starts_with('-');
    if is_option {
        return Failure::with_help(
            message,
            "options are explained with their command: `skewer help search`",
        );
    }
    let commands = program.get_subcommands().map(Command::get_name);
    let find = shell::shown(["skewer", "library", "--find", topic].map(OsString::from));
    let near = || guide::did_you_mean(topic).or_else(|| crate::syntax::nearest(topic, commands));
    let advice = match names::near(topic) {
        Some((themes, true)) => format!("the library has {themes}; `{find}` says more"),
        _ => match near() {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!("`skewer help --list` has all words of the language; `{find}` looks for themes in the library")
            }
        },
    };
    Failure::with_help(message, advice)
}

/// Writes the short meaning of a word, then its section.
fn explain(page: &mut Page, topic: &Topic) {
    if !topic.rows.is_empty() {
        let title = &topic.section.title;
        let rows: Vec<_> = topic.rows.iter().map(|row| (row, elsewhere(row, title))).collect();
        page.short(&topic.word, &rows);
    }
    section(page, topic.section);
    page.source(topic.section.file);
}

/// Returns the title of a row's section, if it is not this one.
fn elsewhere<'a>(row: &'a Row, title: &str) -> Option<&'a str> {
    (row.section != title).then_some(&*row.section)
}

fn titled(sections: &[&Section], color: bool) -> String {
    let mut page = new_page(color);
    for part in sections {
        section(&mut page, part);
    }
    if let Some(first) = sections.first() {
        page.source(first.file);
    }
    page.finish()
}

fn section(page: &mut Page, section: &Section) {
    page.heading(&section.title);
    for block in &section.blocks {
        page.block(block);
    }
}

/// Returns all words by sections, each with its first row.
fn list(color: bool) -> String {
    // Other programs read lines, so each word has one line.
    let mut page = Page::new(terminal_width().unwrap_or(usize::MAX), color);
    for section in guide::sections() {
        let words = section
            .words
            .iter()
            .filter(|word| !word.starts_with(|c: char| c.is_uppercase()));
        let topics: Vec<_> = words.filter_map(|word| guide::topic(word)).collect();
        if topics.is_empty() {
            continue;
        }
        let title = if section.title == section.page {
            section.title.clone()
        } else {
            format!("{}: {}", section.page, section.title)
        };
        page.heading(&title);
        page.list(topics.iter().map(|topic| (&*topic.word, topic.summary())));
    }
    page.heading("Everyday words");
    let everyday = guide::everyday_words().iter();
    page.list(everyday.map(|word| (&*word.names[0], Some(word.summary()))));
    page.finish()
}

fn new_page(color: bool) -> Page {
    Page::new(layout::text_width(), color)
}
