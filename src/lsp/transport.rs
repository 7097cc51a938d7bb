//! Reads and writes messages over a pair of streams: a header with the length, then JSON.
//!
//! `lsp-server` reads messages, too, but stops at the first one that is not JSON and accepts any length.

use std::io::{self, BufRead, Read, Write};

use lsp_server::{ErrorCode, Message};
use serde_json::json;

/// The length of the longest message that is read. A query has less than 10 MB.
const LONGEST: usize = 64 << 20;
/// The length of the longest line in a header.
const LONGEST_HEADER_LINE: u64 = 4096;

/// What was read.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A message.
    Message(Message),
    /// A body that is not a message, and why.
    Malformed(String),
}

/// Reads the next message. Returns `None` at the end of the stream.
///
/// # Errors
///
/// Returns an error if the header cannot be understood. Nobody knows then where the next message begins, so reading has to end.
pub(super) fn read(input: &mut dyn BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = read_header(input)? else {
        return Ok(None);
    };
    if length > LONGEST {
        let skipped = io::copy(&mut input.take(length as u64), &mut io::sink())?;
        return Ok((skipped == length as u64).then(|| Incoming::Malformed(format!("{length} bytes are too many"))));
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Malformed(error.to_string()),
    }))
}

/// Reads the header of the next message and returns the length in it.
fn read_header(input: &mut dyn BufRead) -> io::Result<Option<usize>> {
    let mut length = None;
    let mut first = true;
    loop {
        let mut line = Vec::new();
        input.take(LONGEST_HEADER_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && first {
            return Ok(None);
        }
        first = false;
        let line = line
            .strip_suffix(b"\n")
            .ok_or_else(|| invalid("a header line is not ended"))?;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return length
                .map(Some)
                .ok_or_else(|| invalid("a header without Content-Length"));
        }
        let line = str::from_utf8(line).map_err(|_| invalid("a header that is not text"))?;
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| invalid("a header line without a colon"))?;
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            length = Some(
                value
                    .trim()
                    .parse()
                    .map_err(|_| invalid("a length that is not a number"))?,
            );
        }
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Writes a message.
pub(super) fn write(output: &mut dyn Write, message: Message) -> io::Result<()> {
    message.write(&mut &mut *output)
}

/// Returns a message as a JSON value, marked as one of the protocol.
pub(crate) fn as_json(message: Message) -> serde_json::Value {
    // The parts of a message are JSON values.
    let mut value = serde_json::to_value(message).unwrap_or_default();
    value["jsonrpc"] = "2.0".into();
    value
}

/// Answers a body that is not a message. What it asks for is not known.
pub(super) fn write_malformed(output: &mut dyn Write, why: &str) -> io::Result<()> {
    let error = json!({ "code": ErrorCode::ParseError as i32, "message": why });
    let answer = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
    write!(output, "Content-Length: {}\r\n\r\n{answer}", answer.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Vec<Result<String, String>> {
        let mut input = text.as_bytes();
        let mut found = Vec::new();
        loop {
            match read(&mut input) {
                Ok(Some(Incoming::Message(Message::Notification(message)))) => found.push(Ok(message.method)),
                Ok(Some(Incoming::Message(message))) => found.push(Ok(format!("{message:?}"))),
                Ok(Some(Incoming::Malformed(why))) => found.push(Err(why)),
                Ok(None) => return found,
                Err(error) => {
                    found.push(Err(error.to_string()));
                    return found;
                }
            }
        }
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn messages_follow_one_another() {
        let text = framed(r#"{"method":"a"}"#) + "content-length:14\r\nContent-Type: x\r\n\r\n" + r#"{"method":"b"}"#;
        assert_eq!(read_all(&text), [Ok("a".to_owned()), Ok("b".to_owned())]);
    }

    #[test]
    fn after_a_malformed_body_the_next_is_read() {
        let text = framed("{nonsense") + &framed("[1,2]") + &framed(r#"{"method":"b"}"#);
        let found = read_all(&text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].is_err() && found[1].is_err());
        assert_eq!(found[2], Ok("b".to_owned()));
    }

    #[test]
    fn a_header_that_is_none_ends_the_stream() {
        for text in [
            "hello\r\n\r\n{}",
            "Content-Type: x\r\n\r\n{}",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: 5",
            "Content-Length: 99\r\n\r\n{}",
            "Content-Length: 99999999999999999999999\r\n\r\n{}",
        ] {
            let found = read_all(text);
            assert!(matches!(found.as_slice(), [Err(_)]), "{text:?}: {found:?}");
        }
    }

    #[test]
    fn lengths_beyond_reason_take_no_memory() {
        assert!(read_all("Content-Length: 999999999999\r\n\r\n{}").is_empty());
        let long = "x".repeat(LONGEST_HEADER_LINE as usize + 10);
        assert!(matches!(read_all(&long).as_slice(), [Err(_)]));
    }
}
