//! `word`, `check`, `explain` and `format`: the language of queries.

use super::super::call::Call;
use super::super::text;
use super::context::ToolContext;
use super::tool::Question;
use crate::service::{Error, check, explain, format, help};

impl Question for help::Question {
    const NAME: &'static str = "word";
    const TITLE: &'static str = "Explain a word";
    const PURPOSE: &'static str = "Says what the guide knows of a filter or sign of CQL (`xray`, `->`), of a word of chess players (`fork`), or a whole \
                                   page of it by its title (`Rays, attacks and pins`). Use it before you use a filter that you do not know well.";

    fn answer(self, _: &ToolContext, _: &Call) -> Result<String, Error> {
        let answer = help::help(self)?;
        let text = without_output(&answer.markdown);
        Ok(format!("# {}\n\n{}\n", answer.title, text.trim_end()))
    }
}

impl Question for check::Question {
    const NAME: &'static str = "check";
    const TITLE: &'static str = "Check a query";
    const PURPOSE: &'static str = "Says what is wrong with a query, with advice and the query as it is when the advice is taken. Use it for every query \
                                   that you write, until nothing is wrong; it reads no games.";

    fn answer(self, _: &ToolContext, _: &Call) -> Result<String, Error> {
        let query = self.query.clone();
        let answer = check::check(self)?;
        let found = text::diagnostics(&answer.diagnostics, &query);
        if answer.ok {
            return Ok(match answer.diagnostics.as_slice() {
                [] => "This is a query, and nothing is wrong with it.\n".to_owned(),
                _ => format!("This is a query.\n{found}"),
            });
        }
        Ok(format!("This is not a query.\n{found}"))
    }
}

impl Question for explain::Question {
    const NAME: &'static str = "explain";
    const TITLE: &'static str = "Explain how a query is evaluated";
    const PURPOSE: &'static str = "Says in words how a query is evaluated: what is asked once in each game, what rules out most positions, and what costs \
                                   most. Use it when a search is slow, or to see how the operators of a query bind.";

    fn answer(self, _: &ToolContext, _: &Call) -> Result<String, Error> {
        explain::explain(self).map(|answer| answer.text)
    }
}

impl Question for format::Question {
    const NAME: &'static str = "format";
    const TITLE: &'static str = "Format a query";
    const PURPOSE: &'static str =
        "Lays a query out in the common style. Use it before you show a longer query to the user.";

    fn answer(self, _: &ToolContext, _: &Call) -> Result<String, Error> {
        format::format(self).map(|answer| answer.query)
    }
}

/// Returns a page of the guide without the output of its commands, which takes half of the space.
fn without_output(page: &str) -> String {
    let mut is_output = false;
    let kept = page.lines().filter(|line| {
        let (begins, ends) = (*line == "```text", *line == "```");
        let is_kept = !is_output && !begins;
        is_output = begins || is_output && !ends;
        is_kept
    });
    kept.fold(String::new(), |mut text, line| {
        // There is a blank line before and after an output.
        if !line.is_empty() || !text.ends_with("\n\n") {
            text.push_str(line);
            text.push('\n');
        }
        text
    })
}
