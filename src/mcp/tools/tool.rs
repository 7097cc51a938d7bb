//! The interface of tools.

use rmcp::model::{JsonObject, Tool as Description, ToolAnnotations};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::call::Call;
use super::context::ToolContext;
use crate::service::Error;

/// A question to a tool. The schema comes from its type.
pub(super) trait Question: DeserializeOwned + JsonSchema {
    /// The name of the tool.
    const NAME: &'static str;

    /// The name for people.
    const TITLE: &'static str;

    /// What the tool does, and when to use it.
    const PURPOSE: &'static str;

    /// Answers the question, on a thread with a deep stack.
    ///
    /// # Errors
    /// Returns an error if there is no answer.
    fn answer(self, context: &ToolContext, call: &Call) -> Result<String, Error>;
}

/// A tool for a kind of question.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    title: &'static str,
    purpose: &'static str,
    schema: fn() -> JsonObject,
    answer: fn(Value, &ToolContext, &Call) -> Result<String, Error>,
}

impl Tool {
    /// Creates the tool for a kind of question.
    pub(super) const fn of<Q: Question>() -> Tool {
        Tool {
            name: Q::NAME,
            title: Q::TITLE,
            purpose: Q::PURPOSE,
            schema: schema::<Q>,
            answer: answer::<Q>,
        }
    }

    /// Returns the description of the tool for a client.
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
    /// Returns an error if the question is malformed or has no answer.
    pub(crate) fn answer(&self, question: Value, context: &ToolContext, call: &Call) -> Result<String, Error> {
        (self.answer)(question, context, call)
    }
}

fn answer<Q: Question>(question: Value, context: &ToolContext, call: &Call) -> Result<String, Error> {
    let question: Q = serde_json::from_value(question).map_err(|error| Error::new(error.to_string()))?;
    question.answer(context, call)
}

/// Returns the JSON Schema of a question. It has no references, because not every client follows them.
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
    // Some clients require it even if there are no properties.
    object.entry("properties").or_insert_with(|| JsonObject::new().into());
    std::mem::take(object)
}

/// Leaves out what is useless to an assistant: sizes of numbers, and that an optional value may also be null.
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
