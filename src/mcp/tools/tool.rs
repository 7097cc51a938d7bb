//! What a tool is.

use rmcp::model::{JsonObject, Tool as Description, ToolAnnotations};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::call::Call;
use super::desk::Desk;
use crate::service::Error;

/// A question to a tool. Its type says what it looks like.
pub(super) trait Question: DeserializeOwned + JsonSchema {
    /// What the tool is called.
    const NAME: &'static str;

    /// The same for people.
    const TITLE: &'static str;

    /// What it does, and when to use it.
    const PURPOSE: &'static str;

    /// Answers, on a thread with a deep stack.
    ///
    /// # Errors
    /// When there is no answer.
    fn answer(self, desk: &Desk, call: &Call) -> Result<String, Error>;
}

/// A tool: a kind of question.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    title: &'static str,
    purpose: &'static str,
    schema: fn() -> JsonObject,
    answer: fn(Value, &Desk, &Call) -> Result<String, Error>,
}

impl Tool {
    /// The tool for a kind of question.
    pub(super) const fn of<Q: Question>() -> Tool {
        Tool {
            name: Q::NAME,
            title: Q::TITLE,
            purpose: Q::PURPOSE,
            schema: schema::<Q>,
            answer: answer::<Q>,
        }
    }

    /// What a client is told of it.
    pub(crate) fn description(&self) -> Description {
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(true)
            .idempotent(true)
            .open_world(false);
        Description::new(self.name, self.purpose, (self.schema)())
            .with_title(self.title)
            .with_annotations(hints)
    }

    /// Answers a question.
    ///
    /// # Errors
    /// When it is none, or there is no answer.
    pub(crate) fn answer(&self, question: Value, desk: &Desk, call: &Call) -> Result<String, Error> {
        (self.answer)(question, desk, call)
    }
}

fn answer<Q: Question>(question: Value, desk: &Desk, call: &Call) -> Result<String, Error> {
    let question: Q = serde_json::from_value(question).map_err(|error| Error::new(error.to_string()))?;
    question.answer(desk, call)
}

/// What a question looks like, in JSON Schema, without references, which not every client follows.
fn schema<Q: Question>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        settings.transforms.push(Box::new(RecursiveTransform(shorten)));
    });
    let mut schema = settings.into_generator().into_root_schema_for::<Q>();
    let object = schema.ensure_object();
    // These are about the type, not the tool.
    object.remove("title");
    object.remove("description");
    // Some clients want it also where there is nothing to ask for.
    object.entry("properties").or_insert_with(|| JsonObject::new().into());
    std::mem::take(object)
}

/// Leaves out what says nothing to an assistant: sizes of numbers, and that what may be left out may also be nothing.
fn shorten(schema: &mut Schema) {
    schema.remove("format");
    let Some(Value::Object(fields)) = schema.get_mut("properties") else {
        return;
    };
    for field in fields.values_mut().filter_map(Value::as_object_mut) {
        if field.get("default") == Some(&Value::Null) {
            field.remove("default");
        }
        if let Some(Value::Array(types)) = field.get_mut("type") {
            types.retain(|name| *name != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                field.insert("type".to_owned(), only);
            }
        }
    }
}
