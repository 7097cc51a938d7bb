//! Tests that an editor offers each change that a message advises.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::lsp::{Client, URI};
use super::mistakes;

/// Returns the text after the changes of a code action, whose positions count bytes.
fn applied(text: &str, action: &Value) -> String {
    let starts: Vec<usize> = [0]
        .into_iter()
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let place = |position: &Value| {
        let number = |name: &str| usize::try_from(position[name].as_u64().expect("a number")).expect("a place");
        starts[number("line")] + number("character")
    };
    let edits = action["edit"]["changes"][URI].as_array().expect("changes");
    let mut edits: Vec<_> = edits
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().expect("a text");
            (place(&range["start"])..place(&range["end"]), new)
        })
        .collect();
    edits.sort_by_key(|(range, _)| range.start);
    let mut changed = text.to_owned();
    for (range, new) in edits.into_iter().rev() {
        changed.replace_range(range, new);
    }
    changed
}

/// An editor with a document that changes.
struct Editor {
    client: Client,
    version: i32,
}

impl Editor {
    fn diagnostics(&mut self, text: &str) -> Vec<Value> {
        self.version += 1;
        let found = match self.version {
            1 => self.client.open(text),
            version => self.client.change(version, json!([{ "text": text }])),
        };
        found["diagnostics"].as_array().expect("a list").clone()
    }

    /// Returns the changes that are offered for a diagnostic, except those that only allow the warning.
    fn fixes(&mut self, diagnostic: &Value) -> Vec<Value> {
        let asked = json!({
            "textDocument": { "uri": URI },
            "range": diagnostic["range"],
            "context": { "diagnostics": [diagnostic] },
        });
        let actions = self.client.request("textDocument/codeAction", asked)["result"].take();
        let mut actions = actions.as_array().expect("a list").clone();
        actions.retain(|action| {
            let is_allowance = action["title"]
                .as_str()
                .is_some_and(|title| title.starts_with("Allow "));
            !is_allowance && action["diagnostics"][0] == *diagnostic
        });
        actions
    }
}

/// Returns the queries of newcomers and from the table of slips, each in a file with a header.
fn queries() -> Vec<String> {
    let slips = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax/slips.txt");
    let slips = fs::read_to_string(slips).expect("it is there");
    // The slips are many and have a test of their own, so this takes some of each kind.
    let slips = slips.lines().filter_map(|line| line.strip_prefix("? ")).step_by(9);
    let queries = mistakes::queries().into_iter().chain(slips.map(str::to_owned));
    queries
        .map(|query| match query.contains("cql(") {
            true => query,
            false => format!("cql()\n{query}"),
        })
        .collect()
}

#[test]
fn what_a_message_says_to_write_is_a_change_that_ends_it() {
    let (client, _) = Client::connect(&json!({ "general": { "positionEncodings": ["utf-8"] } }));
    let mut editor = Editor { client, version: 0 };
    let mut advised = 0;
    for text in queries() {
        let found = editor.diagnostics(&text);
        let fixes: Vec<_> = found.iter().map(|diagnostic| editor.fixes(diagnostic)).collect();
        let changed: Vec<_> = fixes
            .iter()
            .map(|fixes| fixes.iter().map(|fix| applied(&text, fix)).collect::<Vec<_>>())
            .collect();
        let after: Vec<Vec<_>> = changed
            .iter()
            .map(|texts| texts.iter().map(|text| editor.diagnostics(text)).collect())
            .collect();
        for (index, diagnostic) in found.iter().enumerate() {
            let message = diagnostic["message"].as_str().expect("a text");
            let is_gone = |left: &Vec<Value>| {
                let same = |other: &&Value| other["message"] == diagnostic["message"];
                left.iter().filter(same).count() < found.iter().filter(same).count()
            };
            for (fix, left) in changed[index].iter().zip(&after[index]) {
                assert!(is_gone(left), "{text}: {message}\nstays in\n{fix}");
            }
            let advice = message.lines().filter_map(|line| line.strip_prefix("help: "));
            if advice.into_iter().any(|advice| advice.contains('`')) {
                advised += 1;
                // The closing quotation mark has no change of its own: it is fixed together with the opening one.
                assert!(after.iter().flatten().any(is_gone), "{text}: no change for: {message}");
            }
        }
    }
    assert!(advised > 60, "{advised} messages with advice");
    editor.client.shut_down();
}
