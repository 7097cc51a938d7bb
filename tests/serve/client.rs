//! A server, and a client that writes requests byte by byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::schema;

/// How long a test waits for something that must happen. Machines may be busy.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// A running `skewer ui` that ends with the test.
pub(super) struct Ui {
    pub(super) child: Child,
    pub(super) port: u16,
    pub(super) token: String,
}

/// An answer of the server.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// The lines of the head after the first, in lower case.
    pub(super) fields: Vec<String>,
    pub(super) body: Vec<u8>,
}

impl Ui {
    /// Starts the server with arguments, and waits until it listens.
    pub(super) fn start(arguments: &[&str]) -> Ui {
        let mut child = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .args(["ui", "--quiet"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it says its address");
        let address = line
            .strip_prefix("http://127.0.0.1:")
            .and_then(|rest| rest.strip_suffix("/\n"));
        let (port, token) = address
            .and_then(|rest| rest.split_once('/'))
            .expect("an address in one line");
        assert_eq!(
            (token.len(), token.chars().all(|digit| digit.is_ascii_hexdigit())),
            (32, true),
            "{line}"
        );
        Ui {
            port: port.parse().expect("a number"),
            token: token.to_owned(),
            child,
        }
    }

    /// Returns the host as a browser sends it.
    pub(super) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Opens a connection. Reading and writing fail after [`PATIENCE`].
    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        stream.set_write_timeout(Some(PATIENCE)).expect("a time limit");
        stream
    }

    /// Returns the head of a question to a method, with further fields.
    pub(super) fn head(&self, method: &str, length: usize, fields: &str) -> String {
        format!(
            "POST /{}/api/{method} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{fields}\r\n",
            self.token,
            self.host()
        )
    }

    /// Sends bytes, closes the sending side, and returns all that comes back.
    pub(super) fn raw(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may refuse a request before it has read all of it.
        let _ = stream.write_all(request);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        // A reset may discard what the server sent before it closed.
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// Sends a request that asks the server to close the connection after the answer.
    pub(super) fn request(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("the server reads");
        Answer::read(stream)
    }

    /// Asks for a file of the front end, with further fields in the head.
    pub(super) fn get(&self, path: &str, fields: &str) -> Answer {
        let (token, host) = (&self.token, self.host());
        self.request(&format!(
            "GET /{token}/{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{fields}\r\n"
        ))
    }

    /// Asks a question, and asserts that the answer has the type given in `docs/openapi.json`.
    pub(super) fn post(&self, method: &str, question: &str) -> Answer {
        let head = self.head(method, question.len(), "Connection: close\r\n");
        let answer = self.request(&(head + question));
        let answers = format!("#/paths/~1api~1{method}/post/responses/200/content");
        let (place, values) = match answer.field("content-type") {
            None => return answer,
            Some("application/x-ndjson") => (answers + "/application~1x-ndjson/schema", answer.lines()),
            Some(_) if answer.status != 200 => ("#/components/schemas/Error".to_owned(), vec![answer.json()]),
            Some(_) => (answers + "/application~1json/schema", vec![answer.json()]),
        };
        for value in values {
            let fault = schema::check(&value, schema::at(&place)).err();
            assert_eq!(fault, None, "{method} {question}: {value}");
        }
        answer
    }

    /// Returns the answer to a question that is not refused.
    pub(super) fn ask(&self, method: &str, question: &Value) -> Value {
        let answer = self.post(method, &question.to_string());
        assert_eq!(answer.status, 200, "{method} {question}: {}", answer.text());
        answer.json()
    }

    /// Asks a question whose answer consists of lines. Returns a reader of them that is past the head.
    pub(super) fn begin(&self, method: &str, page: Option<&str>, question: &Value) -> BufReader<TcpStream> {
        let question = question.to_string();
        let page = page.map(|page| format!("Skewer-Page: {page}\r\n"));
        let fields = page.unwrap_or_default() + "Connection: close\r\n";
        let mut stream = self.connect();
        let head = self.head(method, question.len(), &fields);
        stream
            .write_all((head + &question).as_bytes())
            .expect("the server reads");
        BufReader::new(stream)
    }

    /// Returns the largest amount of memory that the server has used, in bytes, where the system shows it.
    pub(super) fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
    }

    /// Returns the names of the server's threads, where the system shows them.
    pub(super) fn threads(&self) -> Vec<String> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let names = tasks
            .into_iter()
            .flatten()
            .flatten()
            .map(|task| task.path().join("comm"));
        names
            .filter_map(|name| Some(std::fs::read_to_string(name).ok()?.trim().to_owned()))
            .collect()
    }
}

impl Drop for Ui {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// Reads an answer up to the end of its connection.
    pub(super) fn read(mut stream: impl Read) -> Answer {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("the server answers and closes");
        Answer::of(&bytes).unwrap_or_else(|| panic!("an answer: {:?}", String::from_utf8_lossy(&bytes)))
    }

    /// Returns the first answer in some bytes.
    pub(super) fn of(bytes: &[u8]) -> Option<Answer> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]);
        let mut lines = head.lines();
        let status = lines.next()?.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
        let fields: Vec<String> = lines.map(str::to_ascii_lowercase).collect();
        let rest = &bytes[end + 4..];
        let body = match fields.iter().any(|field| field == "transfer-encoding: chunked") {
            true => joined(rest)?,
            false => rest.to_vec(),
        };
        Some(Answer { status, fields, body })
    }

    /// Returns the value of a field of the head.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        fields.find_map(|field| field.strip_prefix(name)?.strip_prefix(": "))
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Returns the objects in an answer of lines.
    pub(super) fn lines(&self) -> Vec<Value> {
        let text = self.text();
        assert!(text.ends_with('\n'), "{text}");
        let lines = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("each line is an object"));
        lines.collect()
    }
}

/// Joins the chunks of a body. Returns `None` if its end is missing.
fn joined(mut chunks: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|window| window == b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&chunks[..end]).ok()?, 16).ok()?;
        if length == 0 {
            return Some(body);
        }
        body.extend(chunks.get(end + 2..end + 2 + length)?);
        chunks = &chunks[end + 4 + length..];
    }
}
