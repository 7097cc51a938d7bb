//! Messages over a pair of streams, one line of JSON each.
//!
//! rmcp has a similar transport, but it silently drops lines that are not messages or are too long, and accepts any number of questions at
//! once.

use std::collections::HashSet;
use std::future::{Future, ready};
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::limits::locked;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::{Notify, mpsc};

/// The length of the longest message that is read. A query has less than 1 MB.
const LONGEST: usize = 4 << 20;

/// The largest number of unanswered questions. An assistant asks a few at once.
const QUESTIONS: usize = 64;

/// The number of messages that may wait to be handled.
const AHEAD: usize = 16;

/// What was read.
#[derive(PartialEq, Debug)]
enum Incoming {
    /// A line.
    Line(Vec<u8>),
    /// A line that is too long.
    TooLong,
}

/// Messages over a pair of streams.
pub(super) struct Lines<W> {
    incoming: mpsc::Receiver<Incoming>,
    output: Arc<Mutex<W>>,
    /// Notified when nobody reads the output any more.
    is_closed: Arc<Notify>,
    unanswered: HashSet<RequestId>,
    /// Whether there has been a request, which must begin a conversation.
    has_begun: bool,
}

impl<W: Write> Lines<W> {
    /// Creates the transport for these streams. A thread of its own reads the input, and ends with it.
    ///
    /// # Errors
    /// Returns an error if that thread cannot be started.
    pub(super) fn new(input: impl BufRead + Send + 'static, output: W) -> io::Result<Lines<W>> {
        let (sender, incoming) = mpsc::channel(AHEAD);
        thread::Builder::new().name("input".to_owned()).spawn(move || {
            let mut input = input;
            // An input that can no longer be read counts as ended.
            while let Ok(Some(line)) = read(&mut input) {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        })?;
        Ok(Lines {
            incoming,
            output: Arc::new(Mutex::new(output)),
            is_closed: Arc::default(),
            unanswered: HashSet::new(),
            has_begun: false,
        })
    }

    /// Returns the message of a line, if it is one to pass on. A line that is not a message is answered with an error.
    fn admit(&mut self, incoming: Incoming) -> Option<ClientJsonRpcMessage> {
        let line = match incoming {
            Incoming::Line(line) if line.trim_ascii().is_empty() => return None,
            Incoming::Line(line) => line,
            Incoming::TooLong => {
                let message = format!("a message has at most {} MB", LONGEST >> 20);
                return self.refuse(ErrorData::invalid_request(message, None), None);
            }
        };
        let value: Value = match serde_json::from_slice(&line) {
            Ok(value) => value,
            Err(error) => return self.refuse(ErrorData::parse_error(error.to_string(), None), None),
        };
        let id = value.get("id").cloned();
        let is_request = value.get("method").is_some() && id.is_some();
        let is_notification = value.get("method").is_some() && id.is_none();
        match serde_json::from_value(value) {
            Ok(ClientJsonRpcMessage::Request(request)) => {
                let refused = if self.unanswered.contains(&request.id) {
                    "a question with this id is not answered yet"
                } else if self.unanswered.len() >= QUESTIONS {
                    "too many questions at once"
                } else {
                    self.unanswered.insert(request.id.clone());
                    self.has_begun = true;
                    return Some(ClientJsonRpcMessage::Request(request));
                };
                self.refuse(ErrorData::invalid_request(refused, None), Some(request.id))
            }
            Ok(message) => {
                if let ClientJsonRpcMessage::Notification(notification) = &message
                    && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // It will have no answer.
                    self.unanswered.remove(id);
                }
                self.has_begun.then_some(message)
            }
            // Notifications are never answered.
            Err(_) if is_notification => None,
            Err(_) => {
                let id = id.filter(|_| is_request).and_then(|id| serde_json::from_value(id).ok());
                self.refuse(
                    ErrorData::invalid_request("this is not a message of the protocol", None),
                    id,
                )
            }
        }
    }

    fn refuse(&mut self, error: ErrorData, id: Option<RequestId>) -> Option<ClientJsonRpcMessage> {
        // If nobody reads the output, the next wait for a message notices that.
        let _ = self.write(&ServerJsonRpcMessage::error(error, id));
        None
    }

    /// Writes a message. Nothing else is done until someone reads it, so that answers do not pile up.
    fn write(&self, message: &ServerJsonRpcMessage) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut output = locked(&self.output);
        let written = output.write_all(&line).and_then(|()| output.flush());
        if written.is_err() {
            self.is_closed.notify_one();
        }
        written
    }
}

impl<W: Write + Send> Transport<RoleServer> for Lines<W> {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        match &message {
            ServerJsonRpcMessage::Response(response) => drop(self.unanswered.remove(&response.id)),
            ServerJsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.unanswered.remove(id);
                }
            }
            _ => {}
        }
        ready(self.write(&message))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let incoming = tokio::select! {
                incoming = self.incoming.recv() => incoming?,
                () = self.is_closed.notified() => return None,
            };
            if let Some(message) = self.admit(incoming) {
                return Some(message);
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = io::Result<()>> + Send {
        ready(Ok(()))
    }
}

/// Reads the next line. Returns `None` at the end of the stream. A line that is too long is discarded.
fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut line = Vec::new();
    input.take(LONGEST as u64 + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let is_whole = line.pop_if(|last| *last == b'\n').is_some();
    if is_whole || line.len() <= LONGEST {
        return Ok(Some(Incoming::Line(line)));
    }
    drop(line);
    input.skip_until(b'\n')?;
    Ok(Some(Incoming::TooLong))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_too_long_are_left_out() {
        let long = "x".repeat(LONGEST + 1);
        let text = format!("a\n\n{long}\nb\n{long}");
        let mut input = text.as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = read(&mut input).expect("memory can be read") {
            lines.push(line);
        }
        let line = |text: &str| Incoming::Line(text.as_bytes().to_vec());
        assert_eq!(
            lines,
            [line("a"), line(""), Incoming::TooLong, line("b"), Incoming::TooLong]
        );
    }

    #[test]
    fn questions_are_refused_when_there_are_too_many() {
        let mut lines = Lines::new(io::empty(), Vec::new()).expect("a thread");
        let ask = |lines: &mut Lines<Vec<u8>>, id: usize| {
            let line = format!(r#"{{"jsonrpc": "2.0", "id": {id}, "method": "ping"}}"#);
            lines.admit(Incoming::Line(line.into_bytes())).is_some()
        };
        assert!((0..QUESTIONS).all(|id| ask(&mut lines, id)));
        assert!(!ask(&mut lines, 0) && !ask(&mut lines, QUESTIONS));
        let cancel = r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}"#;
        assert!(lines.admit(Incoming::Line(cancel.into())).is_some());
        assert!(ask(&mut lines, QUESTIONS) && !ask(&mut lines, QUESTIONS + 1));
        let output = lines.output.lock().expect("nobody has it");
        let refusals = String::from_utf8_lossy(&output);
        assert_eq!(refusals.lines().count(), 3);
        assert!(refusals.lines().all(|line| line.contains("-32600")), "{refusals}");
    }
}
