//! `inputs`: lists what may be searched.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::Call;
use super::context::ToolContext;
use super::tool::Question;
use crate::service::Error;

/// The list of inputs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Inputs {}

impl Question for Inputs {
    const NAME: &'static str = "inputs";
    const TITLE: &'static str = "List the games";
    const PURPOSE: &'static str = "Lists the files of games that may be searched, with their numbers. `search` takes all of them unless it is told which.";

    fn answer(self, context: &ToolContext, _: &Call) -> Result<String, Error> {
        let listed = context.inputs.list();
        if listed.is_empty() {
            return Ok("There is nothing to search: skewer was started without games. Ask the user to add files or folders to its \
                       command, as in `skewer mcp games.pgn`.\n"
                .to_owned());
        }
        Ok(listed.iter().fold(String::new(), |mut text, input| {
            // Writing to a string cannot fail.
            let _ = match input.bytes {
                Some(bytes) => writeln!(text, "{}: {} ({} kB)", input.number, input.name, bytes.div_ceil(1000)),
                None => writeln!(text, "{}: {} (no longer there)", input.number, input.name),
            };
            text
        }))
    }
}
