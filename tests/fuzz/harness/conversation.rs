//! Conversations between an editor and the language server.

use std::collections::BTreeMap;
use std::io::Cursor;

use serde_json::{Value, json};
use skewer::lsp::{self, Ended};

use super::mutation::Bytes;

/// The texts to open first, and pieces to type.
const TEXTS: [&str; 4] = [
    "cql(input heijden.pgn)\n\n// a ♔ and a 𝄞\npiece x in [RQ]a-h1 {\n  x attacks k\n}\n",
    "function f(x y) {\r\n  x -> y\r\n}\r\nf(R k) or flip {f(B a1)}",
    "//? match \"8/8/8/8/8/8/8/8 w\"\ncql() find {mate} sort \"plies\" ply",
    "",
];

const PIECES: [&str; 28] = [
    "",
    "{",
    "}",
    "(",
    ")",
    "\n",
    "\r\n",
    "\r",
    "♔",
    "𝄞",
    "é",
    "\u{feff}",
    "\"",
    "//",
    "/*",
    "*/",
    "x",
    "piece x in A ",
    "function g(y) {y}",
    "\u{1a}",
    "movenumbr",
    "//? match \"8/8/8/8/8/8/8/8 w\"",
    "\u{2028}",
    "f(",
    "//? no match pgn \"1. e4 (",
    "//? match game \"a.pgn\" 1 at 3",
    "//? allow x",
    "skewer(R ",
];

const REQUESTS: [&str; 17] = [
    "hover",
    "completion",
    "definition",
    "references",
    "documentHighlight",
    "prepareRename",
    "rename",
    "documentSymbol",
    "codeAction",
    "formatting",
    "foldingRange",
    "signatureHelp",
    "semanticTokens/full",
    "semanticTokens/range",
    "codeLens",
    "documentLink",
    "nonsense",
];

const URI: &str = "file:///query.cql";
const FRESH: &str = "file:///fresh.cql";

/// Holds the conversation that the input describes.
///
/// # Panics
/// If a property does not hold.
pub fn check(script: &[u8]) {
    let mut editor = Editor::new(script);
    while editor.act().is_some() {}
    let (input, asked) = editor.close();
    let mut output = Vec::new();
    let ended = lsp::serve(Cursor::new(input), &mut output).expect("streams in memory do not fail");
    assert_eq!(ended, Ended::Properly);
    let mut answers = BTreeMap::new();
    for message in messages(&output) {
        if let Some(id) = message["id"].as_u64() {
            let twice = answers.insert(id, message);
            assert!(twice.is_none(), "request {id} has two answers");
        }
    }
    let missing: Vec<_> = (0..asked).filter(|id| !answers.contains_key(id)).collect();
    assert!(missing.is_empty(), "requests without an answer: {missing:?}");
    // The last two requests before `shutdown` are for the edited text and for the same text in a fresh document.
    let [Some(edited), Some(fresh)] = [asked - 3, asked - 2].map(|id| answers.get(&id)) else {
        panic!("the last requests are not answered");
    };
    assert_eq!(
        edited["result"], fresh["result"],
        "the server has another text than the editor"
    );
}

/// Frames a message as the protocol requires.
fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Returns the messages of a stream.
fn messages(mut stream: &[u8]) -> Vec<Value> {
    let mut messages = Vec::new();
    while let Some(end) = stream.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
        let header = std::str::from_utf8(&stream[..end]).expect("headers are ASCII");
        let length = header.lines().find_map(|line| line.strip_prefix("Content-Length: "));
        let length: usize = length.expect("a length").parse().expect("a number");
        let body = &stream[end + 4..][..length];
        messages.push(serde_json::from_slice(body).expect("JSON"));
        stream = &stream[end + 4 + length..];
    }
    assert!(stream.is_empty(), "half a message is left");
    messages
}

/// An editor that follows a script.
struct Editor<'a> {
    script: Bytes<'a>,
    text: String,
    version: i32,
    /// The number of requests sent. Their ids start at 0.
    asked: u64,
    input: Vec<u8>,
}

impl<'a> Editor<'a> {
    fn new(script: &'a [u8]) -> Editor<'a> {
        let mut script = Bytes::new(script);
        let text = TEXTS[usize::from(script.byte().unwrap_or(0)) % TEXTS.len()];
        let mut editor = Editor {
            script,
            text: text.to_owned(),
            version: 1,
            asked: 0,
            input: Vec::new(),
        };
        editor.ask(
            "initialize",
            json!({"processId": null, "rootUri": null, "capabilities": {}}),
        );
        editor.notify("initialized", json!({}));
        editor.open(URI);
        editor
    }

    fn ask(&mut self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params});
        self.input.extend(frame(&message));
        self.asked += 1;
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.input
            .extend(frame(&json!({"jsonrpc": "2.0", "method": method, "params": params})));
    }

    fn open(&mut self, uri: &str) {
        let document = json!({"uri": uri, "languageId": "cql", "version": 1, "text": self.text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Types, deletes or requests something, as the next bytes of the script say. Returns `None` at the end of the script.
    fn act(&mut self) -> Option<()> {
        let what = self.script.byte()?;
        let from = self.place()?;
        if what % 2 == 0 {
            self.edit(from)?;
        } else {
            self.request(usize::from(what / 2) % REQUESTS.len(), from);
        }
        Some(())
    }

    /// Returns a place between two characters of the text, but not inside of a line end.
    fn place(&mut self) -> Option<usize> {
        let text = &self.text;
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let at = self.script.below(places.len())?;
        Some(places[at])
    }

    fn edit(&mut self, from: usize) -> Option<()> {
        let length = usize::from(self.script.byte()?) % 8;
        let piece = PIECES[usize::from(self.script.byte()?) % PIECES.len()];
        let mut ends = self.text[from..].char_indices().map(|(at, _)| from + at);
        let to = ends.nth(length).unwrap_or(self.text.len());
        if is_inside_line_end(&self.text, from) || is_inside_line_end(&self.text, to) {
            return Some(());
        }
        let range = json!({"start": position(&self.text, from), "end": position(&self.text, to)});
        self.text.replace_range(from..to, piece);
        self.version += 1;
        let document = json!({"uri": URI, "version": self.version});
        let change = json!({"range": range, "text": piece});
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [change]}),
        );
        Some(())
    }

    fn request(&mut self, which: usize, at: usize) {
        let method = REQUESTS[which];
        let mut params = json!({"textDocument": {"uri": URI}, "position": position(&self.text, at)});
        match method {
            "references" => params["context"] = json!({"includeDeclaration": true}),
            "rename" => params["newName"] = json!(if at.is_multiple_of(2) { "y" } else { "mate" }),
            "codeAction" => {
                params["range"] = json!({"start": {"line": 0, "character": 0}, "end": position(&self.text, at)});
                params["context"] = json!({"diagnostics": []});
            }
            "semanticTokens/range" => {
                params["range"] = json!({"start": {"line": 0, "character": 0}, "end": position(&self.text, at)});
            }
            "formatting" => params["options"] = json!({"tabSize": 2, "insertSpaces": true}),
            _ => {}
        }
        self.ask(&format!("textDocument/{method}"), params);
    }

    /// Ends the conversation. Returns what the editor has sent and how many requests it made.
    fn close(mut self) -> (Vec<u8>, u64) {
        self.open(FRESH);
        for uri in [URI, FRESH] {
            let options = json!({"tabSize": 2, "insertSpaces": true});
            self.ask(
                "textDocument/formatting",
                json!({"textDocument": {"uri": uri}, "options": options}),
            );
        }
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        (self.input, self.asked)
    }
}

fn is_inside_line_end(text: &str, at: usize) -> bool {
    text[..at].ends_with('\r') && text[at..].starts_with('\n')
}

/// Returns a place in the notation of the protocol: its line, and the number of UTF-16 units before it on the line.
fn position(text: &str, at: usize) -> Value {
    let before = text[..at].replace("\r\n", "\n").replace('\r', "\n");
    let line = before.matches('\n').count();
    let in_line = before.rsplit('\n').next().unwrap_or_default();
    json!({"line": line, "character": in_line.encode_utf16().count()})
}
