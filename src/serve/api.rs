//! The methods: questions as JSON, answers as JSON.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::StatusCode;
use hyper::body::Incoming;
use serde::Deserialize;
use tokio::time::timeout;

use super::inputs::Inputs;
use super::limits::{BODY_BYTES, Limits, QUESTIONS};
use super::pages::Pages;
use super::reply::{self, Reply};
use super::work::Threads;
use crate::service::Error;

/// Answers questions.
pub(super) struct Api {
    inputs: Arc<Inputs>,
    limits: Limits,
    pages: Pages,
    questions: Threads,
}

/// A question without fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl Api {
    /// Answers questions about these inputs.
    pub(super) fn new(inputs: Inputs, limits: Limits) -> Api {
        Api {
            inputs: Arc::new(inputs),
            limits,
            pages: Pages::default(),
            questions: Threads::new(QUESTIONS, limits.request_time),
        }
    }

    /// Answers the question in a body.
    pub(super) async fn answer(&self, method: &str, page: Option<String>, body: Incoming) -> Reply {
        let question = match self.read(body).await {
            Ok(question) => question,
            Err(reply) => return reply,
        };
        match method {
            "inputs" => self.inputs(&question),
            _ => self.question(method.to_owned(), page, question).await,
        }
    }

    /// The text of a body.
    async fn read(&self, body: Incoming) -> Result<String, Reply> {
        let collected = timeout(self.limits.request_time, Limited::new(body, BODY_BYTES).collect()).await;
        let Ok(collected) = collected else {
            return Err(reply::refusal(StatusCode::REQUEST_TIMEOUT));
        };
        let body: Bytes = match collected {
            Ok(collected) => collected.to_bytes(),
            Err(error) if error.is::<LengthLimitError>() => {
                return Err(reply::refusal(StatusCode::PAYLOAD_TOO_LARGE));
            }
            Err(_) => return Err(reply::refusal(StatusCode::BAD_REQUEST)),
        };
        String::from_utf8(body.into()).map_err(|_| bad(&Error::new("the question is not in UTF-8")))
    }

    /// `inputs`: what may be searched.
    fn inputs(&self, question: &str) -> Reply {
        match serde_json::from_str(question) {
            Ok(Nothing {}) => reply::answer(serde_json::json!({ "inputs": self.inputs.list() }).to_string()),
            Err(error) => bad(&Error::new(error.to_string())),
        }
    }

    /// What the service answers.
    async fn question(&self, method: String, page: Option<String>, question: String) -> Reply {
        let service = self.pages.service(page.as_deref());
        let answered = self.questions.run(move || service.call(&method, &question)).await;
        match answered {
            Ok(Ok(answer)) => reply::answer(answer),
            Ok(Err(error)) => bad(&error),
            Err(undone) => undone.into(),
        }
    }
}

/// The answer to a question that has none.
fn bad(error: &Error) -> Reply {
    reply::error(StatusCode::BAD_REQUEST, error)
}
