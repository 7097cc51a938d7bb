//! `lsp`: handles a message of the Language Server Protocol.

use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::Error;
use crate::limits::locked;
use crate::lsp::{Conversation, as_json};

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The client's message: `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": …}`. With `{"filters": true}` as
    /// `initializationOptions`, documents may consist of filters without a header.
    pub message: Value,
}

/// The answer.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Answer {
    /// The server's messages, in order: the response to a request, then the diagnostics of changed documents.
    pub messages: Vec<Value>,
}

/// Returns the server's messages after a message of the client.
///
/// # Errors
/// Returns an error if it is not a message.
pub fn converse(conversation: &Mutex<Conversation>, message: Value) -> Result<Vec<Value>, Error> {
    let message = serde_json::from_value(message)
        .map_err(|error| Error::new(format!("this is not a message of the protocol: {error}")))?;
    // The state after a panic is no worse than after some messages that a client may send.
    let mut conversation = locked(conversation);
    if conversation.take(message).is_some() {
        // After `exit`, a new conversation begins.
        *conversation = Conversation::default();
    }
    while conversation.diagnose() {}
    Ok(conversation.answers().into_iter().map(as_json).collect())
}
