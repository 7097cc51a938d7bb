//! The service: each method answers what the command says, and refuses what is not a question.

mod methods;
mod mutated;
mod search;
mod stats;

use serde_json::Value;
use skewer::service::{Error, Service};

/// What a service answers.
fn ask(method: &str, question: Value) -> Result<Value, Error> {
    ask_of(&Service::default(), method, question)
}

fn ask_of(service: &Service, method: &str, question: Value) -> Result<Value, Error> {
    let answer = service.call(method, &question.to_string())?;
    Ok(serde_json::from_str(&answer).expect("an answer is JSON"))
}

/// The same where there is an answer.
fn answer(method: &str, question: Value) -> Value {
    ask(method, question.clone()).unwrap_or_else(|error| panic!("{method} {question}: {error:?}"))
}

/// The same where there is none.
fn refusal(method: &str, question: Value) -> Error {
    match ask(method, question.clone()) {
        Ok(answer) => panic!("{method} {question}: {answer}"),
        Err(error) => error,
    }
}
