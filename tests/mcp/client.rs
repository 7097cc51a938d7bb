//! A client of `skewer mcp`.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// An assistant with its own server.
pub(super) struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: i64,
}

impl Client {
    /// Starts the server, before any message.
    pub(super) fn start(arguments: &[&str]) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .arg("mcp")
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env_remove("SKEWER_TABLEBASE")
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

    /// Starts the server and sends `initialize`.
    pub(super) fn connect(arguments: &[&str]) -> Client {
        let mut client = Client::start(arguments);
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = client.request("initialize", params);
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{answer}");
        client.notify("notifications/initialized", json!({}));
        client
    }

    /// Sends a line unchanged.
    pub(super) fn say(&mut self, line: impl AsRef<[u8]>) {
        let line = [line.as_ref(), b"\n"].concat();
        self.input.write_all(&line).expect("the server listens");
        self.input.flush().expect("the server listens");
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.say(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// Sends a request without waiting for the answer. Returns its id.
    pub(super) fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        let id = self.requests;
        self.say(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    /// Returns the next message.
    pub(super) fn receive(&mut self) -> Value {
        let mut line = String::new();
        let read = self.output.read_line(&mut line).expect("the server speaks");
        assert!(read > 0, "the server is gone");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Returns the answer to a request. Notifications may come before it, but no other answer.
    pub(super) fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            assert!(message.get("method").is_some(), "not an answer to {id}: {message}");
        }
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// Returns the answer of a tool: a text, and whether it is an error.
    pub(super) fn ask(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("{tool}: {answer}")).to_owned();
        (text, result["isError"] == true)
    }

    /// Returns the answer of a tool, and panics on an error.
    pub(super) fn text(&mut self, tool: &str, arguments: Value) -> String {
        let (text, is_error) = self.ask(tool, arguments);
        assert!(!is_error, "{tool}: {text}");
        text
    }

    /// Returns the most memory that the server has used, in bytes, where the system shows it.
    pub(super) fn most_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace()
            .nth(1)?
            .parse::<u64>()
            .ok()
            .map(|kilobytes| kilobytes << 10)
    }

    /// Ends the conversation. Returns the exit code of the server, its last messages, and what it wrote to standard error.
    pub(super) fn leave(mut self) -> (Option<i32>, String, String) {
        drop(self.input);
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("it is text");
        let output = self.child.wait_with_output().expect("the server ends");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), rest, errors)
    }

    /// Ends the conversation, and asserts that nothing more was written.
    pub(super) fn part(self) {
        assert_eq!(self.leave(), (Some(0), String::new(), String::new()));
    }
}
