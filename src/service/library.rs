//! `library`: returns queries of the built-in library.

use serde::{Deserialize, Serialize};

use super::error::Error;
use super::text::{compile, document};
use crate::library::{self, Found, Query};
use crate::testing::Picture;

/// The question: all queries, those with certain words, or one by its name.
#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Question {
    /// Only queries with these words in their names or comments, the best first.
    pub find: Option<String>,
    /// The query of this name, with or without its folder.
    pub name: Option<String>,
}

/// The answer.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum Answer {
    /// A list of queries.
    List(List),
    /// A single query.
    Text(Text),
}

/// A list of queries.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct List {
    /// The queries.
    pub entries: Vec<Entry>,
    /// Words that no query has, each with the word that was searched for instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken_for: Vec<Correction>,
    /// Whether no query has all words. The entries are then similar ones.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nearest: bool,
}

/// A query in a list.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name with its folder: `mates/smothered-mate`.
    pub name: String,
    /// The folder: `mates`.
    pub folder: String,
    /// What it finds, in a sentence.
    pub summary: String,
    /// Why no search runs it, if none does: it needs endgame tablebases or files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// A word, and the one that was searched for instead.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Correction {
    /// The word that was asked for.
    pub word: String,
    /// The word that was searched for.
    pub near: String,
}

/// A query with its text.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The query as in a list.
    #[serde(flatten)]
    pub entry: Entry,
    /// The text, with its comment and examples.
    pub query: String,
    /// A drawing as SVG of a position that it finds, from its first example that is written out in the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// Answers a question.
///
/// # Errors
/// Returns an error if both words and a name are given, or if no query has the name.
pub fn library(question: Question) -> Result<Answer, Error> {
    match (question.find, question.name) {
        (Some(_), Some(_)) => Err(Error::new("`find` and `name` exclude each other")),
        (Some(words), None) => Ok(Answer::List(found(&words))),
        (None, Some(name)) => Ok(Answer::Text(named(&name)?)),
        (None, None) => Ok(Answer::List(List {
            entries: library::queries().map(|query| Entry::of(&query)).collect(),
            taken_for: Vec::new(),
            nearest: false,
        })),
    }
}

/// Returns the queries that words find.
pub(crate) fn found(words: &str) -> List {
    let queries: Vec<Query> = library::queries().collect();
    let themes = queries.iter().map(|query| (query.name(), query.text()));
    let (places, taken_for, nearest) = match library::find(words, themes) {
        Found::All { places, taken_for } => (places, taken_for, false),
        Found::Nearest(places) => (places, Vec::new(), true),
    };
    List {
        entries: places.into_iter().map(|place| Entry::of(&queries[place])).collect(),
        taken_for: taken_for
            .into_iter()
            .map(|(word, near)| Correction { word, near })
            .collect(),
        nearest,
    }
}

/// Returns the query with a name.
///
/// # Errors
/// Returns an error if no query or several have it.
pub(crate) fn named(name: &str) -> Result<Text, Error> {
    match library::named(name).as_slice() {
        [query] => Ok(Text {
            entry: Entry::of(query),
            query: query.text().to_owned(),
            picture: picture(query),
        }),
        [] => Err(Error {
            hint: library::near(name).map(|near| format!("did you mean `{near}`?")),
            ..Error::new(format!("no query of the library has the name `{name}`"))
        }),
        several => {
            let names: Vec<_> = several.iter().map(|query| format!("`{}`", query.name())).collect();
            Err(Error {
                hint: Some(format!("there are {}", names.join(" and "))),
                ..Error::new(format!(
                    "{} queries of the library have the name `{name}`",
                    several.len()
                ))
            })
        }
    }
}

fn picture(query: &Query) -> Option<String> {
    let document = document(query.text().to_owned());
    let compiled = compile(&document).ok()?;
    let Picture { position, highlights } = Picture::of_text(document.source(), &compiled)?;
    let picture = crate::Picture::of_match(&position, &highlights);
    Some(picture.caption_of_turn().svg())
}

/// Returns why no search runs the query, if none does.
fn refused(query: &Query) -> Option<String> {
    // Compiling all of the library takes a browser seconds. A query that needs tablebases says so in its comment.
    if !query.text().contains("tablebase") {
        return None;
    }
    let error = query.compile().ok()?.refusal()?;
    let (_, diagnostic) = error.diagnostic();
    Some(diagnostic.message.clone())
}

impl Entry {
    fn of(query: &Query) -> Entry {
        Entry {
            name: query.name().to_owned(),
            folder: query.section().to_owned(),
            summary: query.description(),
            refused: refused(query),
        }
    }
}
