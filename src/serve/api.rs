//! Answers the methods of the server, with questions and answers as JSON.

use std::ops::ControlFlow;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::StatusCode;
use hyper::body::Incoming;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::limits::{BODY_BYTES, Limits, QUESTIONS, SEARCHES};
use super::lines::{self, Failure, Lines};
use super::pages::Pages;
use super::reply::{self, Reply};
use super::work::{Threads, WorkError};
use crate::Games;
use crate::search::on_deep_stack;
use crate::service::{self, Error, Funnel, Inputs, Named, Pass, Search, Stats, parse, show};

/// The methods that the service alone does not have.
pub const METHODS: [&str; 5] = ["funnel", "inputs", "search", "show", "stats"];

/// Answers questions.
pub(super) struct Api {
    inputs: Arc<Inputs>,
    limits: Limits,
    pages: Pages,
    questions: Threads,
    searches: Threads,
}

/// Begins a pass over games from its question.
type BeginPass = fn(&str, &service::Limits) -> Result<Box<dyn Pass>, Error>;

/// The field of a question that names inputs. Only the server knows it; the service gets games.
const INPUTS: &str = "inputs";

/// A question without fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl Api {
    /// Creates the API for these inputs.
    pub(super) fn new(inputs: Inputs, limits: Limits) -> Api {
        Api {
            inputs: Arc::new(inputs),
            limits,
            pages: Pages::default(),
            questions: Threads::new(QUESTIONS, limits.request_time),
            searches: Threads::new(SEARCHES, limits.request_time),
        }
    }

    /// Answers the question in a body.
    pub(super) async fn answer(&self, method: &str, page: Option<String>, body: Incoming) -> Reply {
        let question = match self.read(body).await {
            Ok(question) => question,
            Err(status) => return reply::refusal(status),
        };
        let page = page.as_deref();
        let answered = match method {
            "funnel" => self.stream(page, question, begin::<Funnel>).await.map(reply::lines),
            "inputs" => self.list_inputs(question).await.map(reply::answer),
            "search" => self.stream(page, question, begin::<Search>).await.map(reply::lines),
            "show" => self.show(question).await.map(reply::answer),
            "stats" => self.stream(page, question, begin::<Stats>).await.map(reply::lines),
            _ => self.question(method, page, question).await.map(reply::answer),
        };
        answered.unwrap_or_else(|failure| reply::error(&failure))
    }

    /// Reads the text of a body.
    ///
    /// # Errors
    /// Returns the status of a refusal.
    async fn read(&self, body: Incoming) -> Result<String, StatusCode> {
        let collected = timeout(self.limits.request_time, Limited::new(body, BODY_BYTES).collect()).await;
        let body: Bytes = match collected {
            Ok(Ok(collected)) => collected.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(StatusCode::PAYLOAD_TOO_LARGE),
            Ok(Err(_)) => return Err(StatusCode::BAD_REQUEST),
            Err(_) => return Err(StatusCode::REQUEST_TIMEOUT),
        };
        String::from_utf8(body.into()).map_err(|_| StatusCode::BAD_REQUEST)
    }

    /// Answers `inputs` with what may be searched.
    async fn list_inputs(&self, question: String) -> Result<String, Failure> {
        let inputs = Arc::clone(&self.inputs);
        let listed = self.questions.run(move || {
            let Nothing {} = parse(&question).map_err(bad)?;
            Ok(serde_json::json!({ "inputs": inputs.list() }).to_string())
        });
        listed.await?
    }

    /// Lets the service answer.
    async fn question(&self, method: &str, page: Option<&str>, question: String) -> Result<String, Failure> {
        let service = self.pages.service(page);
        let method = method.to_owned();
        let answered = self.questions.run(move || service.call(&method, &question)).await?;
        answered.map_err(bad)
    }

    /// Answers `show` with one game of the inputs.
    async fn show(&self, question: String) -> Result<String, Failure> {
        let (inputs, limits) = (Arc::clone(&self.inputs), self.limits.search);
        let shown = self.questions.run(move || {
            let (question, games) = question_and_games(&question, &inputs)?;
            show(&question, games, &limits).map_err(bad)
        });
        shown.await?
    }

    /// Answers `search`, `stats` and `funnel` line by line. This ends the previous pass of the same page.
    async fn stream(&self, page: Option<&str>, question: String, begin: BeginPass) -> Result<Lines, Failure> {
        let (inputs, limits) = (Arc::clone(&self.inputs), self.limits.search);
        let compiled = self.questions.run(move || {
            let (question, games) = question_and_games(&question, &inputs)?;
            // Queries nest, and so do the calls that compile them.
            let pass = on_deep_stack(|| begin(&question, &limits)).map_err(|_| WorkError::Busy)?;
            Ok::<_, Failure>((pass.map_err(bad)?, games))
        });
        let (pass, games) = compiled.await??;
        self.pages.begin_search(page, pass.interrupt());
        let (sender, lines) = lines::channel(pass.interrupt());
        let failing = sender.clone();
        let searching = self.searches.begin(move || {
            pass.run(games, &mut |line| match sender.send(line) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })
        });
        let searching = searching.await?;
        tokio::spawn(async move {
            match searching.await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => failing.fail(bad(error)).await,
                Err(_) => failing.fail(WorkError::Panicked.into()).await,
            }
        });
        lines.begun().await
    }
}

/// Returns a question without the inputs that it names, and their games.
fn question_and_games(question: &str, inputs: &Inputs) -> Result<(String, Games), Failure> {
    let mut fields: Map<String, Value> = parse(question).map_err(bad)?;
    let named = fields.remove(INPUTS).map(serde_json::from_value::<Vec<Named>>);
    let named = named.transpose().map_err(|_| {
        bad(Error::new(
            "`inputs` is a list of numbers and names of inputs: [1, \"games.pgn\"]",
        ))
    })?;
    let games = inputs.games(named.as_deref()).map_err(bad)?;
    Ok((Value::Object(fields).to_string(), games))
}

/// Begins a pass of this kind.
fn begin<P: Pass + 'static>(question: &str, limits: &service::Limits) -> Result<Box<dyn Pass>, Error> {
    Ok(Box::new(P::new(question, limits)?))
}

/// Returns the failure for a question that has no answer.
fn bad(error: Error) -> Failure {
    (StatusCode::BAD_REQUEST, error)
}
