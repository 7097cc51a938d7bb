//! The service of skewer for JavaScript. All texts are JSON; docs/serve.md says which.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use js_sys::Function;
use send_wrapper::SendWrapper;
use skewer::Games;
use skewer::service::{self, Funnel, Limits, Pass, Search, Service, Stats};
use wasm_bindgen::prelude::*;

/// What queries may take: a tab has little more.
const MEMORY: usize = 512 << 20;

static SERVICE: LazyLock<Service> = LazyLock::new(Service::default);

/// Runs once, when the page has loaded the engine.
#[wasm_bindgen(start)]
fn start() {
    // What is thrown says what went wrong. The engine has to be loaded anew then.
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Answers a question. A question without an answer has an error: `{"error": …}`.
#[wasm_bindgen]
pub fn call(method: &str, question: &str) -> String {
    SERVICE.call(method, question).unwrap_or_else(|error| error.to_json())
}

/// Takes a message of the Language Server Protocol; the messages of the server.
#[wasm_bindgen]
pub fn lsp(message: &str) -> Result<Vec<String>, JsError> {
    SERVICE.converse(message).map_err(|error| JsError::new(&error.message))
}

/// Searches games, those of a file of this name, and hands each event to `emit`. The search ends when that returns `false`. The last event is
/// `{"done": …}`, or `{"error": …}`.
#[wasm_bindgen]
pub fn search(question: &str, name: &str, bytes: Vec<u8>, emit: Function) {
    run::<Search>(question, name, bytes, emit);
}

/// Counts what queries find in games, group by group, and hands each event to `emit`, as `search` does.
#[wasm_bindgen]
pub fn stats(question: &str, name: &str, bytes: Vec<u8>, emit: Function) {
    run::<Stats>(question, name, bytes, emit);
}

/// Counts what each filter of a query leaves of games, and hands each event to `emit`, as `search` does.
#[wasm_bindgen]
pub fn funnel(question: &str, name: &str, bytes: Vec<u8>, emit: Function) {
    run::<Funnel>(question, name, bytes, emit);
}

/// One of the games as the page of results knows it: `{"game": …}`, or `{"error": …}`.
#[wasm_bindgen]
pub fn show(question: &str, name: &str, bytes: Vec<u8>) -> String {
    let shown = service::show(question, Games::of_bytes(name, bytes), &limits());
    shown.unwrap_or_else(|error| error.to_json())
}

fn limits() -> Limits {
    Limits {
        memory: MEMORY,
        ..Limits::default()
    }
}

/// Runs a pass; an error is its last event.
fn run<P: Pass>(question: &str, name: &str, bytes: Vec<u8>, emit: Function) {
    let emit = SendWrapper::new(emit);
    let mut say = |event: &str| match emit.call1(&JsValue::NULL, &event.into()) {
        Ok(answer) if answer.as_bool() != Some(false) => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let pass = P::new(question, &limits());
    if let Err(error) = pass.and_then(|pass| pass.run(Games::of_bytes(name, bytes), &mut say)) {
        let _ = say(&error.to_json());
    }
}
