//! The service: each method gives the same answers as the command, and refuses what is not a question.

mod methods;
mod mutated;
mod search;
mod stats;

use serde_json::Value;
use skewer::service::{Error, Service};

/// Returns the answer of a service, or its refusal.
fn ask(method: &str, question: Value) -> Result<Value, Error> {
    ask_of(&Service::default(), method, question)
}

fn ask_of(service: &Service, method: &str, question: Value) -> Result<Value, Error> {
    let answer = service.call(method, &question.to_string())?;
    Ok(serde_json::from_str(&answer).expect("an answer is JSON"))
}

/// Returns the answer, and panics on a refusal.
fn answer(method: &str, question: Value) -> Value {
    ask(method, question.clone()).unwrap_or_else(|error| panic!("{method} {question}: {error:?}"))
}

/// Returns the refusal, and panics on an answer.
fn refusal(method: &str, question: Value) -> Error {
    match ask(method, question.clone()) {
        Ok(answer) => panic!("{method} {question}: {answer}"),
        Err(error) => error,
    }
}
