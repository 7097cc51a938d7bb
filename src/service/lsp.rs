//! `lsp`: a message of the Language Server Protocol.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::Error;
use crate::lsp::{Conversation, as_json};

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The message of the client: `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": …}`. With `{"filters": true}` as
    /// `initializationOptions`, documents may be filters alone.
    pub message: Value,
}

/// The answer.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Answer {
    /// What the server sends, in order: the response to a request, then the diagnostics of documents that have changed.
    pub messages: Vec<Value>,
}

/// What the server sends after a message of the client.
///
/// # Errors
/// When it is not a message.
pub fn converse(conversation: &Mutex<Conversation>, message: Value) -> Result<Vec<Value>, Error> {
    let message = serde_json::from_value(message)
        .map_err(|error| Error::new(format!("this is not a message of the protocol: {error}")))?;
    // What a panic has left of it is no worse than what a client may send.
    let mut conversation = conversation.lock().unwrap_or_else(PoisonError::into_inner);
    if conversation.take(message).is_some() {
        // Who comes after `exit` begins anew.
        *conversation = Conversation::default();
    }
    while conversation.diagnose() {}
    Ok(conversation.answers().into_iter().map(as_json).collect())
}
