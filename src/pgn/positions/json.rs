//! Positions as JSON objects, one per line.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::columns::holds_positions;
use super::{PositionColumn, PositionRow, position_columns};

/// An object with its keys and values as text.
struct Object<'l>(Vec<(Cow<'l, str>, &'l RawValue)>);

impl<'l> Deserialize<'l> for Object<'l> {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Object<'l>, D::Error> {
        struct Members;
        impl<'l> Visitor<'l> for Members {
            type Value = Object<'l>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'l>>(self, mut map: M) -> Result<Object<'l>, M::Error> {
                let mut members = Vec::new();
                while let Some(Key(key)) = map.next_key()? {
                    members.push((key, map.next_value()?));
                }
                Ok(Object(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A string that is borrowed if it has no escapes.
#[derive(Deserialize)]
struct Key<'l>(#[serde(borrow)] Cow<'l, str>);

/// A value that can be written in a tag.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value<'l> {
    #[serde(borrow)]
    Text(Cow<'l, str>),
    Number(serde_json::Number),
    Truth(bool),
    List(Vec<Value<'l>>),
    Nothing(()),
}

/// An engine's evaluation of a position at one depth.
#[derive(Deserialize)]
struct Evaluation<'l> {
    depth: Option<i64>,
    #[serde(borrow, default)]
    pvs: Vec<Line<'l>>,
}

/// A line of the engine and the evaluation at its end.
#[derive(Deserialize)]
struct Line<'l> {
    cp: Option<i64>,
    mate: Option<i64>,
    #[serde(borrow)]
    line: Option<Cow<'l, str>>,
}

impl Line<'_> {
    /// Returns whether the line has any contents.
    fn says_something(&self) -> bool {
        self.cp.is_some() || self.mate.is_some() || self.line.is_some()
    }
}

/// The meanings of the members of objects. Most objects of a file have the same members.
#[derive(Default)]
pub(super) struct Members {
    names: Vec<String>,
    columns: Vec<Option<PositionColumn>>,
}

/// Returns whether a line is an object with a position.
pub(super) fn is_position(line: &[u8]) -> bool {
    let object = serde_json::from_slice::<Object>(line);
    object.is_ok_and(|Object(members)| members.iter().any(|(name, _)| holds_positions(name)))
}

/// Reads a line that is not empty. Returns the reason if it is not an object with a position.
pub(super) fn read(line: &[u8], known: &mut Members, row: &mut PositionRow) -> Result<(), String> {
    let Object(members) = serde_json::from_slice(line)
        .map_err(|error| format!("not an object of JSON, as column {} shows", error.column()))?;
    let names = members.iter().map(|(name, _)| &**name);
    if !names.clone().eq(known.names.iter().map(String::as_str)) {
        known.columns = position_columns(names.clone());
        known.names = names.map(str::to_owned).collect();
    }
    for ((name, value), column) in members.iter().zip(&known.columns) {
        match column {
            None => row.leave_out(name, "what does not have the name of a tag"),
            Some(PositionColumn::OtherFen(_)) => row.leave_out(name, "a position beside that of the row"),
            Some(PositionColumn::Evaluations) => read_evaluations(value, row),
            Some(column) => match shown(value) {
                Some(text) => row.add(column, text.as_bytes()),
                None => row.leave_out(name, "what is not a tag"),
            },
        }
    }
    match row.has_position() {
        true => Ok(()),
        false => Err("the object has no position".to_owned()),
    }
}

/// Takes the deepest evaluation that has a line, and the first of its lines.
fn read_evaluations(value: &RawValue, row: &mut PositionRow) {
    let Ok(evaluations) = serde_json::from_str::<Vec<Evaluation>>(value.get()) else {
        return row.leave_out("evals", "no evaluations");
    };
    // Of several with the same depth, the first counts.
    let with_lines = evaluations.iter().rev().filter_map(|evaluation| {
        let line = evaluation.pvs.iter().find(|line| line.says_something())?;
        Some((evaluation.depth, line))
    });
    let Some((depth, best)) = with_lines.max_by_key(|(depth, _)| *depth) else {
        return;
    };
    match (best.cp, best.mate) {
        (_, Some(moves)) => row.set_mate(moves),
        (Some(centipawns), None) => row.set_centipawns(centipawns),
        (None, None) => {}
    }
    if let Some(depth) = depth {
        row.set_depth(depth);
    }
    if let Some(line) = &best.line {
        row.set_moves(line.as_bytes());
    }
}

/// Returns a value as it is written in a tag, with spaces between the elements of a list, or `None` if it cannot be written there.
fn shown<'l>(value: &'l RawValue) -> Option<Cow<'l, str>> {
    shown_value(serde_json::from_str::<Value<'l>>(value.get()).ok()?)
}

fn shown_value(value: Value<'_>) -> Option<Cow<'_, str>> {
    Some(match value {
        Value::Text(text) => text,
        Value::Number(number) => number.to_string().into(),
        Value::Truth(truth) => truth.to_string().into(),
        Value::Nothing(()) => "".into(),
        Value::List(list) => {
            let words: Option<Vec<_>> = list.into_iter().map(shown_value).collect();
            words?.join(" ").into()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(line: &str) -> Result<String, String> {
        let mut row = PositionRow::default();
        read(line.as_bytes(), &mut Members::default(), &mut row)?;
        let mut out = Vec::new();
        row.write(&mut out);
        Ok(String::from_utf8(out).unwrap().trim_end().to_owned())
    }

    #[test]
    fn the_deepest_evaluation_counts() {
        let line = r#"{"fen":"4k3/8/8/8/8/8/8/4K2R w K -","evals":[{"pvs":[{"cp":12,"line":"h1h8"}],"knodes":1,"depth":20},
            {"pvs":[{"cp":-311,"line":"e1g1 e8e7"},{"cp":5,"line":"h1h2"}],"depth":30},{"pvs":[{"mate":3,"line":"h1h3"}],"depth":30}]}"#;
        let expected = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"]\n\n{ [%eval -3.11,30] } O-O Ke7 *";
        assert_eq!(game(line).as_deref(), Ok(expected));
        let line = r#"{"fen":"4k3/8/8/8/8/8/8/4K2R w K -","evals":[{"pvs":[{"mate":-3}],"depth":30}]}"#;
        let expected = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"]\n\n{ [%eval #-3,30] } *";
        assert_eq!(game(line).as_deref(), Ok(expected));
        // An evaluation without lines says nothing.
        let line = r#"{"fen":"4k3/8/8/8/8/8/8/4K2R w K -","evals":[{"pvs":[],"depth":40},{"pvs":[{}],"depth":35},{"depth":50},
            {"pvs":[{},{"mate":-3}],"depth":30},{"pvs":[{"cp":7}],"depth":20}]}"#;
        assert_eq!(game(line).as_deref(), Ok(expected));
    }

    #[test]
    fn members_are_tags() {
        let line = r#"{"id":7,"FEN":"4k3/8/8/8/8/8/8/4K2R w K -","Themes":["fork","pin"],"Event":"\u00e9 \"x\"","x":null,"y":true}"#;
        let expected = "[id \"7\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"]\n[Themes \"fork pin\"]\n[Event \"é \\\"x\\\"\"]\n[y \"true\"]\n\n*";
        assert_eq!(game(line).as_deref(), Ok(expected));
    }

    #[test]
    fn what_is_no_object_with_a_position_is_refused() {
        assert_eq!(game(r#"{"id":7}"#), Err("the object has no position".to_owned()));
        assert_eq!(
            game(r#"{"fen":"#),
            Err("not an object of JSON, as column 7 shows".to_owned())
        );
        assert!(game("[1]").is_err());
        assert!(game("\u{0}").is_err());
    }

    #[test]
    fn a_member_that_is_no_tag_is_left_out() {
        let mut row = PositionRow::default();
        let line = br#"{"fen":"4k3/8/8/8/8/8/8/4K2R w K -","x":{"y":1}}"#;
        read(line, &mut Members::default(), &mut row).unwrap();
        assert_eq!(
            row.complaint().as_deref(),
            Some("the column `x` holds what is not a tag: it is left out")
        );
        let mut row = PositionRow::default();
        let line = br##"{"fen":"4k3/8/8/8/8/8/8/4K2R w K -","x":{"y":1},"cp":"much","#":1,"z":[{}],"FEN":"other"}"##;
        read(line, &mut Members::default(), &mut row).unwrap();
        assert_eq!(
            row.complaint().as_deref(),
            Some(
                "the columns `x`, `z` hold what is not a tag: they are left out; the column `cp` holds no number: it is left out; \
                 the column `#` holds what does not have the name of a tag: it is left out; the column `FEN` holds a position beside that of the \
                 row: it is left out"
            )
        );
    }
}
