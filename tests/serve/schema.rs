//! The types in `docs/openapi.json`, and a check that a value has a type.
//!
//! JSON Schema has good validators, but they bring some thirty crates each. The file uses only a dozen keywords, and any other is a fault here.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Map, Value};

/// The file `docs/openapi.json`.
pub(super) static OPENAPI: LazyLock<Value> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.json");
    let text = fs::read_to_string(path).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
});

/// Keywords that do not restrict a value.
const WORDS_FOR_PEOPLE: [&str; 1] = ["description"];

/// Returns the part of the file at a place such as `#/components/schemas/Error`.
pub(super) fn at(place: &str) -> &'static Value {
    let pointer = place.strip_prefix('#').expect("a place in the file itself");
    OPENAPI.pointer(pointer).unwrap_or_else(|| panic!("{place} is missing"))
}

/// Checks that a value is of a type.
///
/// # Errors
/// Returns the first fault, and where in the value it is.
pub(super) fn check(value: &Value, schema: &Value) -> Result<(), String> {
    let Value::Object(words) = schema else {
        return match schema {
            Value::Bool(true) => Ok(()),
            Value::Bool(false) => Err(format!("{value} may not be there")),
            _ => panic!("{schema} is not a schema"),
        };
    };
    for (word, given) in words {
        check_word(value, word, given, words)?;
    }
    Ok(())
}

fn check_word(value: &Value, word: &str, given: &Value, words: &Map<String, Value>) -> Result<(), String> {
    let fault = |is_fine: bool| match is_fine {
        true => Ok(()),
        false => Err(format!("{value} is not as {word} {given} says")),
    };
    match word {
        "$ref" => check(value, at(given.as_str().expect("a place"))),
        "type" => fault(match given {
            Value::Array(types) => types.iter().any(|name| is_of_type(value, name)),
            name => is_of_type(value, name),
        }),
        "enum" => fault(list(given).contains(value)),
        "anyOf" => {
            let faults: Result<(), Vec<String>> = list(given)
                .iter()
                .try_fold(Vec::new(), |mut faults, schema| match check(value, schema) {
                    Ok(()) => Err(()),
                    Err(fault) => {
                        faults.push(fault);
                        Ok(faults)
                    }
                })
                .map_or(Ok(()), Err);
            faults.map_err(|faults| faults.join("; "))
        }
        "minimum" => fault(
            value
                .as_f64()
                .is_none_or(|number| number >= given.as_f64().expect("a number")),
        ),
        "maxLength" => fault(value.as_str().is_none_or(|text| text.len() <= size(given))),
        "minItems" => fault(value.as_array().is_none_or(|items| items.len() >= size(given))),
        "required" => {
            let missing = |name: &&Value| value.get(name.as_str().expect("a name")).is_none();
            match list(given).iter().find(missing).filter(|_| value.is_object()) {
                None => Ok(()),
                Some(name) => Err(format!("{value} lacks {name}")),
            }
        }
        "properties" => {
            let fields = value.as_object().into_iter().flatten();
            fields
                .filter_map(|(name, field)| Some((name, field, given.get(name)?)))
                .try_for_each(|(name, field, schema)| check(field, schema).map_err(|fault| format!("{name}: {fault}")))
        }
        "additionalProperties" => {
            let known = words.get("properties");
            let fields = value.as_object().into_iter().flatten();
            fields
                .filter(|(name, _)| known.and_then(|known| known.get(name)).is_none())
                .try_for_each(|(name, field)| check(field, given).map_err(|fault| format!("{name}: {fault}")))
        }
        "prefixItems" => items(value)
            .zip(list(given))
            .try_for_each(|(item, schema)| check(item, schema)),
        "items" => {
            let before = words.get("prefixItems").map_or(0, |before| list(before).len());
            items(value).skip(before).try_for_each(|item| check(item, given))
        }
        _ if WORDS_FOR_PEOPLE.contains(&word) => Ok(()),
        _ => panic!("the word {word} is not known here"),
    }
}

fn is_of_type(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("a name") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("{other} is not a type"),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn size(value: &Value) -> usize {
    value.as_u64().and_then(|size| size.try_into().ok()).expect("a size")
}

#[test]
fn what_is_not_of_a_type_is_found() {
    use serde_json::json;
    let schema = json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {
            "a": { "type": "integer", "minimum": 1 },
            "b": { "type": "array", "prefixItems": [{ "type": "string" }], "items": { "type": ["number", "null"] }, "minItems": 1 },
            "c": { "anyOf": [{ "enum": ["x"] }, { "type": "boolean" }] },
            "d": { "$ref": "#/components/schemas/Nothing" },
        },
    });
    for fine in [
        json!({ "a": 1 }),
        json!({ "a": 2, "b": ["x", 1, null], "c": "x", "d": {} }),
        json!({ "a": 1, "c": true }),
    ] {
        assert_eq!(check(&fine, &schema), Ok(()), "{fine}");
    }
    for wrong in [
        json!(1),
        json!({}),
        json!({ "a": 0 }),
        json!({ "a": 1.5 }),
        json!({ "a": 1, "x": 1 }),
        json!({ "a": 1, "b": [] }),
        json!({ "a": 1, "b": [1] }),
        json!({ "a": 1, "b": ["x", "y"] }),
        json!({ "a": 1, "c": "y" }),
        json!({ "a": 1, "d": { "x": 1 } }),
    ] {
        assert!(check(&wrong, &schema).is_err(), "{wrong}");
    }
}
