//! `skewer lsp`: conversations with a client, over the streams of the built command.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::fuzz::{random, rounds};

pub(super) const URI: &str = "file:///queries/test.cql";

/// An editor that talks to the server.
pub(super) struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: i64,
}

impl Client {
    /// Starts the server, before any message.
    fn start() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        Client {
            input: child.stdin.take().expect("it has an input"),
            output: BufReader::new(child.stdout.take().expect("it has an output")),
            child,
            requests: 0,
        }
    }

    /// Starts the server with these capabilities of the client. Returns the client and the capabilities of the server.
    pub(super) fn connect(capabilities: &Value) -> (Client, Value) {
        Client::connect_with(json!({ "processId": null, "rootUri": null, "capabilities": capabilities }))
    }

    /// Starts the server with these parameters of `initialize`. Returns the client and the capabilities of the server.
    fn connect_with(params: Value) -> (Client, Value) {
        let mut client = Client::start();
        let answer = client.request("initialize", params);
        client.notify("initialized", json!({}));
        (client, answer["result"]["capabilities"].clone())
    }

    fn send_raw(&mut self, body: &str) {
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server listens");
        self.input.flush().expect("the server listens");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send_raw(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// Sends a request without waiting for the answer.
    fn begin(&mut self, method: &str, params: Value) {
        self.requests += 1;
        let id = self.requests;
        self.send_raw(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
    }

    /// Returns the answer to a request. Notifications that come before it are dropped.
    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        self.begin(method, params);
        let id = self.requests;
        loop {
            let message = self.receive();
            if message["id"] == json!(id) {
                return message;
            }
            assert!(message.get("method").is_some(), "not an answer to {method}: {message}");
        }
    }

    /// Returns the answer to a request about a place in the document.
    fn ask(&mut self, method: &str, line: u32, character: u32) -> Value {
        let at = json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
        let answer = self.request(&format!("textDocument/{method}"), at);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("the server speaks");
            assert!(read > 0, "the server is gone");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().expect("a length"),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output
            .read_exact(&mut body)
            .expect("the body is as long as it says");
        serde_json::from_slice(&body).expect("it is JSON")
    }

    /// Returns the next diagnostics.
    fn diagnostics(&mut self) -> Value {
        loop {
            let message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics" {
                return message["params"].clone();
            }
        }
    }

    pub(super) fn open(&mut self, text: &str) -> Value {
        let item = json!({ "uri": URI, "languageId": "cql", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
        self.diagnostics()
    }

    pub(super) fn change(&mut self, version: i32, changes: Value) -> Value {
        let document = json!({ "uri": URI, "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
        self.diagnostics()
    }

    /// Ends the conversation with `shutdown` and `exit`, as the protocol demands.
    pub(super) fn shut_down(mut self) {
        let answer = self.request("shutdown", Value::Null);
        assert_eq!(answer["result"], Value::Null);
        self.notify("exit", Value::Null);
        let code = self.child.wait().expect("the server ends").code();
        assert_eq!(code, Some(0));
    }

    /// Closes the connection. Returns the exit code of the server and what it wrote to standard error.
    fn leave(self) -> (Option<i32>, String) {
        drop(self.input);
        let output = self.child.wait_with_output().expect("the server ends");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    }
}

/// Returns an editor that has a folder open and offers the commands of the extension.
fn extension(folder: &Path) -> (Client, Value) {
    Client::connect_with(json!({
        "processId": null,
        "capabilities": {},
        "workspaceFolders": [{ "uri": uri(folder), "name": "queries" }],
        "initializationOptions": { "commands": ["skewer.run", "skewer.test"] },
    }))
}

/// Returns the address of a file whose path needs no escapes.
fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn position(line: u32, character: u32) -> Value {
    json!({ "line": line, "character": character })
}

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    json!({ "start": position(start.0, start.1), "end": position(end.0, end.1) })
}

fn labels(items: &Value) -> Vec<&str> {
    let items = items.as_array().expect("a list");
    items.iter().filter_map(|item| item["label"].as_str()).collect()
}

#[test]
fn a_query_is_written() {
    let (mut client, capabilities) = Client::connect(&json!({}));
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    assert_eq!(capabilities["textDocumentSync"]["change"], 2);
    for capability in ["hoverProvider", "definitionProvider", "documentFormattingProvider"] {
        assert_eq!(capabilities[capability], true, "{capability}");
    }

    // Line 1 has characters of several widths: 𝄞 is two units.
    let text = "cql(input games.pgn)\n// 𝄞 forks\nfunction Fork(man) { man attcks [qr] }\nx=N Fork(x) ♖ & x";
    let found = client.open(text);
    assert_eq!(found["uri"], URI);
    assert_eq!(found["version"], 1);
    let error = &found["diagnostics"][0];
    assert_eq!(error["range"], range((2, 25), (2, 31)));
    assert_eq!((&error["severity"], &error["source"]), (&json!(1), &json!("skewer")));
    assert!(error["code"].is_string(), "{error}");
    let message = error["message"].as_str().expect("a text");
    assert!(message.starts_with("unknown name `attcks`"), "{message}");
    assert!(message.ends_with("help: did you mean `attacks`?"), "{message}");
    let call = &error["relatedInformation"][0];
    assert_eq!(call["location"], json!({ "uri": URI, "range": range((3, 4), (3, 8)) }));

    let found = client.change(2, json!([{ "range": range((2, 28), (2, 28)), "text": "a" }]));
    assert_eq!(found["version"], 2);
    assert_eq!(found["diagnostics"], json!([]));

    let hover = client.ask("hover", 2, 27);
    assert_eq!(hover["range"], range((2, 25), (2, 32)));
    assert_eq!(hover["contents"]["kind"], "markdown");
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(
        shown.contains("`S attacks T`") && shown.contains("[Rays, attacks and pins](http"),
        "{shown}"
    );
    let shown = client.ask("hover", 3, 0);
    assert!(
        shown["contents"]["value"]
            .as_str()
            .expect("a text")
            .starts_with("`x`: a set variable")
    );
    assert_eq!(client.ask("hover", 1, 4), Value::Null, "a comment");

    let place = client.ask("definition", 3, 5);
    assert_eq!(place, json!({ "uri": URI, "range": range((2, 9), (2, 13)) }));
    let parameter = client.ask("definition", 2, 22);
    assert_eq!(parameter["range"], range((2, 14), (2, 17)));
    assert_eq!(
        client.ask("definition", 3, 17)["range"],
        range((3, 0), (3, 1)),
        "behind ♖"
    );
    assert_eq!(client.ask("definition", 0, 1), Value::Null);

    let items = client.ask("completion", 3, 0);
    assert!(labels(&items).contains(&"Fork") && labels(&items).contains(&"attackedby"));
    let item = items
        .as_array()
        .expect("a list")
        .iter()
        .find(|item| item["label"] == "xray")
        .expect("a word");
    assert!(
        item["documentation"]["value"]
            .as_str()
            .expect("a text")
            .contains("xray (S T …)"),
        "{item}"
    );
    assert!(labels(&client.ask("completion", 0, 4)).contains(&"matchcount"));

    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    let names: Vec<_> = symbols["result"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|symbol| &symbol["name"])
        .collect();
    assert_eq!(names, ["Fork", "x"]);
    client.shut_down();
}

#[test]
fn names_are_found_and_changed_together() {
    let (mut client, _) = Client::connect(&json!({}));
    client.open("cql() x=1\nfunction F(x) {x>2}\nx>1 F(x)");
    let places = |found: &Value| -> Vec<Value> {
        let all = found.as_array().expect("a list");
        all.iter().map(|place| place["range"]["start"].clone()).collect()
    };
    let found = client.ask("documentHighlight", 0, 6);
    assert_eq!(places(&found), [position(0, 6), position(2, 0), position(2, 6)]);
    let context = json!({ "textDocument": { "uri": URI }, "position": position(1, 15), "context": { "includeDeclaration": true } });
    let found = client.request("textDocument/references", context);
    assert_eq!(places(&found["result"]), [position(1, 11), position(1, 15)]);

    assert_eq!(client.ask("prepareRename", 2, 1), range((2, 0), (2, 1)));
    assert_eq!(client.ask("prepareRename", 1, 2), Value::Null, "a word of the language");
    let rename = |name: &str| json!({ "textDocument": { "uri": URI }, "position": position(2, 0), "newName": name });
    let edits = client.request("textDocument/rename", rename("total"));
    let edits = edits["result"]["changes"][URI].as_array().expect("edits").clone();
    assert_eq!(edits.len(), 3);
    assert_eq!(edits[0], json!({ "range": range((0, 6), (0, 7)), "newText": "total" }));
    for refused in ["R", "mate", "a b", "", "F", "é"] {
        let answer = client.request("textDocument/rename", rename(refused));
        assert!(answer["error"]["message"].is_string(), "{refused}: {answer}");
    }
    client.shut_down();
}

#[test]
fn forms_are_folded_and_selected() {
    let (mut client, capabilities) = Client::connect(&json!({}));
    assert_eq!(capabilities["foldingRangeProvider"], true);
    assert_eq!(capabilities["selectionRangeProvider"], true);
    client.open("cql()\nflip {\n  xray(R a k)\n");
    let document = json!({ "uri": URI });
    let found = client.request("textDocument/foldingRange", json!({ "textDocument": document }));
    assert_eq!(
        found["result"],
        json!([{ "startLine": 1, "endLine": 2 }]),
        "also where a bracket is missing"
    );
    let positions = json!([position(2, 7), position(0, 0)]);
    let found = client.request(
        "textDocument/selectionRange",
        json!({ "textDocument": document, "positions": positions }),
    );
    let grown = &found["result"][0];
    assert_eq!(grown["range"], range((2, 7), (2, 8)));
    assert_eq!(
        grown["parent"]["parent"]["parent"]["range"],
        range((2, 2), (2, 13)),
        "the whole `xray`"
    );
    assert_eq!(found["result"].as_array().map(Vec::len), Some(2));
    client.shut_down();
}

#[test]
fn bytes_are_counted_for_clients_that_want_it() {
    let (mut client, capabilities) =
        Client::connect(&json!({ "general": { "positionEncodings": ["utf-32", "utf-8", "utf-16"] } }));
    assert_eq!(capabilities["positionEncoding"], "utf-8");
    let found = client.open("cql() ♖ & chekc");
    assert_eq!(found["diagnostics"][0]["range"], range((0, 12), (0, 17)));
    client.shut_down();
}

#[test]
fn advice_can_be_taken() {
    let (mut client, _) = Client::connect(&json!({}));
    let found = client.open("cql() R attcks k");
    let ask = |diagnostics: &Value| {
        let context = json!({ "diagnostics": diagnostics });
        json!({ "textDocument": { "uri": URI }, "range": range((0, 8), (0, 8)), "context": context })
    };
    let actions = client.request("textDocument/codeAction", ask(&found["diagnostics"]))["result"].clone();
    let edit = json!([{ "range": range((0, 8), (0, 14)), "newText": "attacks" }]);
    assert_eq!(actions[0]["edit"]["changes"][URI], edit, "{actions}");
    assert_eq!(actions[0]["kind"], "quickfix");
    let found = client.change(2, json!([{ "text": "cql() R &" }]));
    let actions = client.request("textDocument/codeAction", ask(&found["diagnostics"]));
    assert_eq!(actions["result"], json!([]), "no advice of this kind");
    client.shut_down();
}

#[test]
fn all_unknown_names_are_shown_with_their_changes() {
    let (mut client, _) = Client::connect(&json!({}));
    let found = client.open("cql() R attcks k\nchekc {");
    let messages: Vec<_> = found["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|error| {
            error["message"]
                .as_str()
                .and_then(|message| message.lines().next())
                .expect("a text")
        })
        .collect();
    assert_eq!(
        messages,
        ["unknown name `attcks`", "unknown name `chekc`", "`{` is never closed"]
    );
    let everything =
        json!({ "textDocument": { "uri": URI }, "range": range((0, 0), (2, 0)), "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", everything.clone())["result"].clone();
    let titles: Vec<_> = actions
        .as_array()
        .expect("a list")
        .iter()
        .map(|action| &action["title"])
        .collect();
    assert_eq!(
        titles,
        ["Put `}` at the end", "Change to `attacks`", "Change to `check`"]
    );

    client.change(2, json!([{ "text": "cql()\n  x=5\n  mate" }]));
    let actions = client.request("textDocument/codeAction", everything.clone())["result"].clone();
    assert_eq!(actions[0]["title"], "Rename to `_x`");
    assert_eq!(actions[0]["diagnostics"][0]["code"], "unused-variable");
    let allow = json!([{ "range": range((1, 0), (1, 0)), "newText": "  //? allow unused-variable\n" }]);
    assert_eq!(actions[1]["edit"]["changes"][URI], allow);

    let mut other = everything;
    other["context"]["only"] = json!(["refactor"]);
    assert_eq!(client.request("textDocument/codeAction", other)["result"], json!([]));
    client.shut_down();
}

#[test]
fn examples_are_tried_while_they_are_written() {
    let (mut client, _) = Client::connect(&json!({}));
    let text = "//? match \"4k3/8/8/8/8/8/8/4K3 w\"\n//? match pgn \"1. e4 e5 2. Ke3\"\n//? no match game \"a.pgn\" 1\ncql() mate";
    let found = client.open(text)["diagnostics"].clone();
    let told = |index: usize| {
        (
            found[index]["severity"].clone(),
            found[index]["range"]["start"].clone(),
            found[index]["message"].clone(),
        )
    };
    assert_eq!(
        told(0),
        (
            json!(2),
            position(0, 4),
            json!("the position does not match\nexpected to match")
        )
    );
    let (severity, place, message) = told(1);
    assert_eq!((severity, place), (json!(1), position(1, 27)));
    assert!(
        message.as_str().expect("a text").starts_with("`Ke3` cannot be played"),
        "{message}"
    );
    assert_eq!(told(2).1, position(2, 18), "there is no such file");
    assert_eq!(found[0]["code"], "example");

    let board = client.ask("hover", 0, 14);
    assert!(
        board["contents"]["value"]
            .as_str()
            .expect("a text")
            .contains("8  . . . . k . . ."),
        "{board}"
    );
    let items = client.ask("completion", 1, 4);
    assert!(labels(&items).contains(&"no match"), "{items}");
    client.shut_down();
}

#[test]
fn a_query_that_never_ends_does_not_stop_the_server() {
    let (mut client, _) = Client::connect(&json!({}));
    let begun = std::time::Instant::now();
    let example = "//? match \"4k3/8/8/8/8/8/8/4K3 w\"\n".repeat(50);
    client.open(&format!(
        "{example}cql() x=0 loop {{ x=x+0 x>=0 }} square a in . square b in . square c in . square d in . {{x>1}}"
    ));
    client.ask("hover", 0, 14);
    client.shut_down();
    assert!(begun.elapsed().as_secs() < 120, "{:?}", begun.elapsed());
}

#[test]
fn calls_show_what_they_take() {
    let (mut client, capabilities) = Client::connect(&json!({}));
    assert!(capabilities["signatureHelpProvider"]["triggerCharacters"].is_array());
    client.open("cql() function Fork(attacker targets) {attacker}\nFork(N \nxray(");
    let help = client.ask("signatureHelp", 1, 7);
    assert_eq!(help["signatures"][0]["label"], "Fork(attacker targets)");
    assert_eq!(help["activeParameter"], 1);
    assert_eq!(client.ask("signatureHelp", 1, 2), Value::Null);
    assert_eq!(
        client.ask("signatureHelp", 2, 5)["signatures"][0]["label"],
        "xray(S T …)"
    );
    client.shut_down();
}

#[test]
fn tokens_are_coloured_by_meaning() {
    let (mut client, capabilities) = Client::connect(&json!({}));
    let legend = capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
        .as_array()
        .expect("a list")
        .clone();
    client.open("cql() x=R\n// 𝄞\nx");
    let whole = client.request(
        "textDocument/semanticTokens/full",
        json!({ "textDocument": { "uri": URI } }),
    );
    let data: Vec<u64> = whole["result"]["data"]
        .as_array()
        .expect("numbers")
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    let tokens: Vec<_> = data
        .chunks(5)
        .map(|token| (token[0], token[1], token[2], legend[token[3] as usize].clone()))
        .collect();
    let expected = [
        (0, 0, 3, "keyword"),
        (0, 6, 1, "variable"),
        (0, 1, 1, "operator"),
        (0, 1, 1, "enumMember"),
        (1, 0, 5, "comment"),
        (1, 0, 1, "variable"),
    ];
    assert_eq!(
        tokens,
        expected.map(|(line, start, length, kind)| (line, start, length, json!(kind)))
    );
    let part = json!({ "textDocument": { "uri": URI }, "range": range((2, 0), (2, 1)) });
    let part = client.request("textDocument/semanticTokens/range", part);
    assert_eq!(part["result"]["data"].as_array().map(Vec::len), Some(5));
    client.shut_down();

    let (mut client, _) = Client::connect(
        &json!({ "textDocument": { "semanticTokens": { "requests": {}, "tokenTypes": [], "tokenModifiers": [], "formats": [], "augmentsSyntaxTokens": true } } }),
    );
    client.open("cql() x=R\n// 𝄞\nx");
    let names = client.request(
        "textDocument/semanticTokens/full",
        json!({ "textDocument": { "uri": URI } }),
    );
    assert_eq!(
        names["result"]["data"],
        json!([0, 6, 1, 1, 1, 2, 0, 1, 1, 0]),
        "the names alone"
    );
    client.shut_down();
}

#[test]
fn lenses_are_for_clients_with_their_commands() {
    let (mut client, capabilities) = Client::connect(&json!({}));
    assert_eq!(capabilities["codeLensProvider"], Value::Null);
    client.open("cql() mate");
    let document = json!({ "textDocument": { "uri": URI } });
    assert_eq!(
        client.request("textDocument/codeLens", document.clone())["result"],
        json!([])
    );
    client.shut_down();

    let (mut client, capabilities) = extension(Path::new("/nowhere"));
    assert!(capabilities["codeLensProvider"].is_object());
    client.open("//? match \"8/8 w\"\n// mates\ncql() mate");
    let lenses = client.request("textDocument/codeLens", document.clone())["result"].clone();
    let told: Vec<_> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .map(|lens| (lens["range"]["start"].clone(), lens["command"].clone()))
        .collect();
    let command = |title: &str, command: &str| json!({ "title": title, "command": command, "arguments": [URI] });
    assert_eq!(
        told,
        [
            (position(2, 0), command("Run", "skewer.run")),
            (position(2, 0), command("Test 1 example", "skewer.test"))
        ]
    );
    client.change(2, json!([{ "text": "mate" }]));
    let lenses = client.request("textDocument/codeLens", document)["result"].clone();
    assert_eq!(lenses.as_array().map(Vec::len), Some(1), "no examples: {lenses}");
    client.shut_down();
}

#[test]
#[cfg(unix)]
fn files_are_linked_and_symbols_found_in_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a path");
    fs::create_dir(path.join("queries")).expect("a folder");
    fs::write(path.join("games.pgn"), "1. e4 *\n").expect("a file");
    fs::write(path.join("queries/forks.cql"), "cql() function Fork(x) {x} Fork(R)").expect("a file");
    let (mut client, capabilities) = extension(&path);
    assert_eq!(capabilities["workspaceSymbolProvider"], true);

    let query = uri(&path.join("queries/pins.cql"));
    let text =
        "//? match game \"games.pgn\" 1\n//? count \"none.pgn\"\ncql(input games.pgn) function Pin() {mate} Pin()";
    let item = json!({ "uri": query, "languageId": "cql", "version": 1, "text": text });
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let found = client.diagnostics()["diagnostics"].clone();
    assert_eq!(found.as_array().map(Vec::len), Some(1), "one file is missing: {found}");
    let links =
        client.request("textDocument/documentLink", json!({ "textDocument": { "uri": query } }))["result"].clone();
    let games = uri(&path.join("games.pgn"));
    let places: Vec<_> = links
        .as_array()
        .expect("a list")
        .iter()
        .map(|link| (&link["target"], &link["range"]))
        .collect();
    assert_eq!(places.len(), 2, "{links}");
    assert!(places.iter().all(|(target, _)| **target == json!(games)), "{links}");
    assert!(
        places.iter().any(|(_, place)| **place == range((0, 16), (0, 25))),
        "{links}"
    );

    let names = |client: &mut Client, asked: &str| -> Vec<String> {
        let found = client.request("workspace/symbol", json!({ "query": asked }))["result"].clone();
        let symbols = found.as_array().expect("a list").iter();
        symbols
            .map(|symbol| symbol["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    assert_eq!(names(&mut client, ""), ["forks", "Fork", "pins", "Pin"]);
    assert_eq!(names(&mut client, "fk"), ["forks", "Fork"]);
    let gone = json!({ "event": { "added": [], "removed": [{ "uri": uri(&path), "name": "queries" }] } });
    client.notify("workspace/didChangeWorkspaceFolders", gone);
    assert_eq!(names(&mut client, ""), ["pins", "Pin"], "what is open is left");
    client.shut_down();
}

#[test]
#[cfg(unix)]
fn themes_follow_files_that_are_renamed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a path");
    fs::write(path.join("closed.cql"), "cql() theme \"parts/mate.cql\"").expect("a file");
    let (mut client, capabilities) = extension(&path);
    let announced = capabilities["workspace"]["fileOperations"]["willRename"]["filters"].as_array();
    assert_eq!(announced.map(Vec::len), Some(2), "{capabilities}");
    let open = uri(&path.join("open.cql"));
    let text = "cql() not theme \"parts/mate.cql\" theme \"smothered-mate\"";
    let item = json!({ "uri": open, "languageId": "cql", "version": 1, "text": text });
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    client.diagnostics();

    let mut renamed = |old: &str, new: &str| {
        let file = json!({ "oldUri": uri(&path.join(old)), "newUri": uri(&path.join(new)) });
        client.request("workspace/willRenameFiles", json!({ "files": [file] }))["result"].clone()
    };
    let edit = |range: Value| json!([{ "range": range, "newText": "parts/mates.cql" }]);
    assert_eq!(
        renamed("parts/mate.cql", "parts/mates.cql")["changes"],
        json!({
            open: edit(range((0, 17), (0, 31))),
            uri(&path.join("closed.cql")): edit(range((0, 13), (0, 27))),
        })
    );
    assert_eq!(renamed("parts/other.cql", "other.cql"), Value::Null);
    client.shut_down();
}

#[test]
fn a_document_is_laid_out() {
    let (mut client, _) = Client::connect(&json!({}));
    client.open("cql(  input a.pgn )   mate");
    let options = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = client.request("textDocument/formatting", options.clone());
    let edits = edits["result"].as_array().expect("edits").clone();
    assert_eq!(edits.len(), 1, "{edits:?}");
    assert_eq!(edits[0]["range"], range((0, 0), (0, 26)));
    let text = edits[0]["newText"].as_str().expect("a text");
    assert!(text.starts_with("cql(input a.pgn)\n"), "{text}");

    client.change(2, json!([{ "text": text }]));
    let edits = client.request("textDocument/formatting", options.clone());
    assert_eq!(edits["result"], json!([]), "it is as it should be");
    // The query may be meant for a search with `--variations`.
    client.change(3, json!([{ "text": "cql()  hhdb mainline" }]));
    let edits = client.request("textDocument/formatting", options.clone());
    assert_eq!(edits["result"][0]["newText"], "cql()\n\nhhdb mainline\n");
    client.change(4, json!([{ "text": "cql()\n R attcks k" }]));
    client.begin("textDocument/formatting", options);
    let said = client.receive();
    assert_eq!(said["method"], "window/showMessage");
    let why = "the query is not formatted, as it has an error in line 2: unknown name `attcks`";
    assert_eq!(said["params"], json!({ "type": 2, "message": why }));
    assert_eq!(
        client.receive()["result"],
        json!([]),
        "a text with errors is left alone"
    );
    client.shut_down();
}

#[test]
fn closing_a_document_takes_its_errors_away() {
    let (mut client, _) = Client::connect(&json!({}));
    assert_eq!(
        client.open("cql() chekc")["diagnostics"].as_array().map(Vec::len),
        Some(1)
    );
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(client.diagnostics()["diagnostics"], json!([]));
    let hover = json!({ "textDocument": { "uri": URI }, "position": position(0, 0) });
    let answer = client.request("textDocument/hover", hover);
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    client.shut_down();
}

#[test]
fn what_cannot_be_understood_is_answered_and_left() {
    let (mut client, _) = Client::connect(&json!({}));
    client.send_raw("{ no json");
    assert_eq!(client.receive()["error"]["code"], -32700);
    client.send_raw(r#"{"jsonrpc":"2.0"}"#);
    assert_eq!(client.receive()["error"]["code"], -32700);
    for params in [
        json!(null),
        json!([]),
        json!({ "textDocument": 5 }),
        json!({ "position": { "line": -1 } }),
    ] {
        let answer = client.request("textDocument/hover", params);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    assert_eq!(
        client.request("textDocument/unheardOf", json!({}))["error"]["code"],
        -32601
    );
    client.notify("textDocument/didOpen", json!({ "textDocument": "no document" }));
    client.notify("textDocument/didChange", json!({}));
    client.notify("$/cancelRequest", json!({ "id": 1 }));
    client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": [] }));
    for method in [
        "textDocument/signatureHelp",
        "textDocument/semanticTokens/full",
        "textDocument/semanticTokens/range",
        "textDocument/codeLens",
        "textDocument/documentLink",
        "textDocument/codeAction",
        "workspace/symbol",
        "workspace/willRenameFiles",
    ] {
        for params in [
            json!(null),
            json!([1]),
            json!({ "textDocument": { "uri": 5 }, "query": {} }),
        ] {
            let answer = client.request(method, params);
            assert_eq!(answer["error"]["code"], -32602, "{method}: {answer}");
        }
    }
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    client.open("cql() mate");
    let nowhere = client.change(
        2,
        json!([{ "range": range((900, 1), (7, 4_000_000_000)), "text": " R" }]),
    );
    assert_eq!(nowhere["diagnostics"], json!([]));
    assert_eq!(
        client.ask("hover", u32::MAX, u32::MAX)["range"],
        range((0, 11), (0, 12)),
        "the last word"
    );
    client.shut_down();
}

#[test]
fn the_order_of_a_conversation_is_kept() {
    let mut client = Client::start();
    let answer = client.request("textDocument/hover", json!({}));
    assert_eq!(answer["error"]["code"], -32002, "{answer}");
    client.request(
        "initialize",
        json!({ "processId": null, "rootUri": null, "capabilities": {} }),
    );
    assert!(client.request("initialize", json!({}))["error"].is_object());
    client.request("shutdown", Value::Null);
    assert_eq!(client.request("textDocument/hover", json!({}))["error"]["code"], -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.child.wait().expect("the server ends").code(), Some(0));

    let (mut client, _) = Client::connect(&json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.leave().0, Some(2), "without `shutdown`");
}

#[test]
fn a_client_that_is_gone_ends_the_server() {
    let (client, _) = Client::connect(&json!({}));
    let (code, error) = client.leave();
    assert_eq!(code, Some(2));
    assert!(error.starts_with("error: the client went away"), "{error}");

    let mut client = Client::start();
    client
        .input
        .write_all(b"GET / HTTP/1.1\r\n\r\n")
        .expect("the server listens");
    let (code, error) = client.leave();
    assert_eq!(code, Some(2));
    assert!(error.contains("the conversation with the client failed"), "{error}");
}

#[test]
fn long_documents_are_served() {
    let (mut client, _) = Client::connect(&json!({}));
    let mut text = "cql() //? allow unused-variable\n".to_owned();
    for line in 0..5000 {
        text += &format!("x{line}=R // line {line}\n");
    }
    let found = client.open(&(text.clone() + "chekc"));
    assert_eq!(found["diagnostics"][0]["range"], range((5001, 0), (5001, 5)));
    let found = client.change(2, json!([{ "range": range((5001, 0), (5001, 5)), "text": "x4999" }]));
    assert_eq!(found["diagnostics"], json!([]));
    assert_eq!(client.ask("definition", 5001, 2)["range"], range((5000, 0), (5000, 5)));
    assert!(labels(&client.ask("completion", 5001, 0)).contains(&"x4999"));
    client.shut_down();
}

#[test]
fn no_text_ends_the_server() {
    let (mut client, _) = Client::connect(&json!({}));
    client.open("");
    let piece = [
        "cql",
        "(",
        ")",
        "{",
        "}",
        "\"",
        "function ",
        "F",
        "(x)",
        "x=",
        "∊",
        "♖",
        "𝄞",
        "/*",
        "//",
        "\r",
        "\n",
        "\n\n",
        "path ",
        "--",
        "///",
        "hhdb ",
        "[",
        "]",
        "echo ",
        "1-0",
        "\\1",
        "\u{0}",
        "square ",
        "é",
        "//? match \"8/8/",
        "//? match pgn \"1. e4 (e5) ",
        "//? no match game \"a\" 1 at ",
        "//? count \"\\\"",
        "//? allow x,",
        " with FEN \"",
        "skewer(",
        "input a.pgn ",
        "similarposition \"/\"",
    ];
    let mut random = random();
    for (_, version) in (0..rounds(75)).zip(2..) {
        let text: String = (0..random.usize(1..60))
            .map(|_| piece[random.usize(..piece.len())])
            .collect();
        let start = (random.u32(0..4), random.u32(0..40));
        let end = (random.u32(0..4), random.u32(0..40));
        client.change(
            version,
            json!([{ "text": "cql() " }, { "range": range((0, 6), (0, 6)), "text": text },
            { "range": range(start, end), "text": "♗" }]),
        );
        for method in [
            "hover",
            "completion",
            "definition",
            "documentHighlight",
            "prepareRename",
            "signatureHelp",
            "semanticTokens/full",
            "codeLens",
            "documentLink",
            "documentSymbol",
            "foldingRange",
        ] {
            client.ask(method, random.u32(0..4), random.u32(0..40));
        }
        let everything =
            json!({ "textDocument": { "uri": URI }, "range": range((0, 0), (9, 9)), "context": { "diagnostics": [] } });
        for method in ["codeAction", "semanticTokens/range"] {
            let answer = client.request(&format!("textDocument/{method}"), everything.clone());
            assert!(answer.get("error").is_none(), "{answer}");
        }
    }
    client.shut_down();
}
