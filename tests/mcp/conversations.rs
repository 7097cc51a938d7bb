//! Recorded conversations.
//!
//! In the files of `conversations/`, a line `> TOOL ARGUMENTS` is a question to a tool, and a line `> {…}` is a message that is
//! sent unchanged. The answer of the server is indented below. A tool answers with a text, which begins with `error:` if it is an
//! error; other messages are answered with JSON.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::CLASSICS;
use super::client::Client;
use crate::recorded::recorded;

#[test]
fn conversations_go_as_they_are_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/conversations");
    let files = fs::read_dir(folder)
        .expect("they are there")
        .map(|entry| entry.expect("a file").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).expect("it is text");
        let today = today(&text);
        let recorded = recorded(&file, &today);
        assert_eq!(today, recorded, "{}", file.display());
    }
}

/// Returns the conversation with the answers that the server gives today.
fn today(text: &str) -> String {
    let questions: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let introduces_itself = questions.iter().any(|question| question.starts_with('{'));
    let mut client = match introduces_itself {
        true => Client::start(&[CLASSICS]),
        false => Client::connect(&[CLASSICS]),
    };
    let mut conversation = String::new();
    // The text above the first question describes the conversation.
    let head = text.lines().take_while(|line| !line.starts_with("> "));
    head.for_each(|line| conversation.extend([line, "\n"]));
    for question in questions {
        conversation.extend(["> ", question, "\n"]);
        let answer = match question.split_once(' ') {
            Some((tool, arguments)) if !question.starts_with('{') => {
                let arguments = serde_json::from_str(arguments).unwrap_or_else(|error| panic!("{question}: {error}"));
                let (text, is_error) = client.ask(tool, arguments);
                if is_error { format!("error: {text}") } else { text }
            }
            _ if question.contains("\"notifications/") => {
                client.say(question);
                continue;
            }
            _ => {
                client.say(question);
                serde_json::to_string_pretty(&lasting(client.receive())).expect("it is JSON")
            }
        };
        for line in answer.lines() {
            let indent = if line.is_empty() { "" } else { "  " };
            conversation.extend([indent, line, "\n"]);
        }
        conversation.push('\n');
    }
    client.part();
    conversation.truncate(conversation.trim_end().len());
    conversation.push('\n');
    conversation
}

/// Returns a message without the parts that change with each version.
fn lasting(mut message: Value) -> Value {
    let result = &mut message["result"];
    if result.get("instructions").is_some() {
        result["instructions"] = "…".into();
    }
    for pointer in [
        "/serverInfo/version",
        "/_meta/io.modelcontextprotocol~1serverInfo/version",
    ] {
        if let Some(version) = result.pointer_mut(pointer) {
            *version = "…".into();
        }
    }
    if message["result"].is_null() {
        message.as_object_mut().expect("an object").remove("result");
    }
    message
}
