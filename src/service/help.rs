//! `help`: returns what the guide says about a word.

use serde::{Deserialize, Serialize};

use super::error::Error;
use crate::guide::markdown::Block;
use crate::guide::{self, Everyday, Section, Topic};

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// A word or sign of the language, an everyday word of chess players, or a title of the guide.
    pub word: String,
}

/// The answer.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The word in its ASCII spelling, the everyday word, or the title.
    pub title: String,
    /// The explanation: first a short form with syntax and meaning, then the section of the guide.
    pub markdown: String,
    /// The file of the page in `docs/guide`, or none for everyday words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// Answers a question.
///
/// # Errors
/// Returns an error if the guide does not know the word.
pub fn help(question: Question) -> Result<Answer, Error> {
    let word = question.word.trim();
    if let Some(topic) = guide::topic(word) {
        return Ok(of_topic(&topic));
    }
    if let [first, ..] = guide::titled(word).as_slice() {
        let sections = guide::titled(word);
        let text: Vec<_> = sections.iter().map(|section| of_section(section)).collect();
        return Ok(Answer {
            title: if sections.len() > 1 {
                first.page.clone()
            } else {
                first.title.clone()
            },
            markdown: text.join("\n\n"),
            page: Some(first.file.to_owned()),
        });
    }
    let everyday = guide::everyday(word);
    if !everyday.is_empty() {
        let texts: Vec<_> = everyday.iter().map(|entry| of_everyday(entry)).collect();
        return Ok(Answer {
            title: everyday[0].names[0].clone(),
            markdown: texts.join("\n\n"),
            page: None,
        });
    }
    if let Some(topic) = guide::topic_of_form(word) {
        return Ok(of_topic(&topic));
    }
    Err(Error {
        hint: guide::did_you_mean(word).map(|near| format!("did you mean `{near}`?")),
        ..Error::new(format!("the guide says nothing about `{word}`"))
    })
}

fn of_topic(topic: &Topic) -> Answer {
    let rows = topic.markdown_rows();
    let section = of_section(topic.section);
    Answer {
        title: topic.word.clone(),
        markdown: if rows.is_empty() {
            section
        } else {
            format!("{rows}\n{section}")
        },
        page: Some(topic.section.file.to_owned()),
    }
}

fn of_section(section: &Section) -> String {
    let blocks = section.blocks.iter().map(Block::to_markdown);
    std::iter::once(format!("### {}", section.title))
        .chain(blocks)
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn of_everyday(entry: &Everyday) -> String {
    format!(
        "**{}**: {}\n\n```cql\n{}\n```",
        entry.names.join(", "),
        entry.meaning.to_markdown(),
        entry.example
    )
}
