//! Regular expressions: `~~`, its groups, the loop over all matches (chapter 8, 11).

use crate::game::Position;
use crate::pattern::{Groups, Pattern};
use crate::query::{Cond, Str};
use crate::syntax::token::Span;

use super::Eval;
use super::run::Run;
use super::strings::{self, Text};

/// The groups of the last match: where each starts and its text; a group that took no part has neither.
#[derive(Clone, Debug)]
pub(super) struct LastMatch(Vec<Option<(usize, Vec<u8>)>>);

impl LastMatch {
    fn new(groups: &Groups, text: &[u8]) -> LastMatch {
        let copied = |range: &std::ops::Range<usize>| (range.start, text[range.clone()].to_vec());
        LastMatch(groups.iter().map(|group| group.as_ref().map(copied)).collect())
    }
}

/// `s ~~ "re"`: the leftmost match. A string without value leaves the last match as it was.
pub(super) fn matched<'a>(
    target: &'a Str,
    pattern: &Pattern,
    span: Span,
    run: &mut Run<'a>,
    at: &'a Position,
) -> Option<Text<'a>> {
    let text = target.eval(run, at)?;
    let Ok(found) = pattern.find_at(&text, 0) else {
        too_complex(span, run, at);
        return None;
    };
    run.last_match = found.as_ref().map(|groups| LastMatch::new(groups, &text));
    let whole = found?.swap_remove(0)?;
    Some(strings::part(text, whole))
}

/// `while (s ~~ "re") f`: f for each match. Fails only if s has no value; then the comments made for it are dropped.
pub(super) fn each<'a>(
    target: &'a Str,
    pattern: &Pattern,
    body: &'a Cond,
    span: Span,
    run: &mut Run<'a>,
    at: &'a Position,
) -> bool {
    let mark = run.comments.mark();
    let Some(text) = target.eval(run, at) else {
        run.comments.cut(mark);
        return false;
    };
    run.last_match = None;
    for groups in pattern.matches(&text) {
        let Ok(groups) = groups else {
            too_complex(span, run, at);
            return false;
        };
        run.last_match = Some(LastMatch::new(&groups, &text));
        body.eval(run, at);
        if run.is_endless(span, at) {
            return false;
        }
    }
    true
}

/// `\1`: the text of a group.
pub(super) fn group(number: u8, span: Span, run: &mut Run<'_>, at: &Position) -> Option<Vec<u8>> {
    let (_, text) = found(number, span, run, at)?;
    Some(text.clone())
}

/// `\-1`: where a group starts.
pub(super) fn group_start(number: u8, span: Span, run: &mut Run<'_>, at: &Position) -> Option<i32> {
    let (start, _) = found(number, span, run, at)?;
    i32::try_from(*start).ok()
}

/// A group of the last match, if it took part. Ends the run if there is no such group.
fn found<'r>(number: u8, span: Span, run: &'r mut Run<'_>, at: &Position) -> Option<&'r (usize, Vec<u8>)> {
    let label = match &run.last_match {
        Some(LastMatch(groups)) if groups.len() > usize::from(number) => None,
        Some(LastMatch(groups)) => Some(format!("its last group is {}", groups.len() - 1)),
        None => Some("the last search found nothing, or there was none in this game".to_owned()),
    };
    if let Some(label) = label {
        run.stop(span, format!("the last match has no group {number}"), &label, at);
        return None;
    }
    run.last_match.as_ref()?.0[usize::from(number)].as_ref()
}

fn too_complex(span: Span, run: &mut Run<'_>, at: &Position) {
    run.stop(
        span,
        "the regular expression backtracks too often",
        "look-ahead, back references and loops over matches can take very long on some strings",
        at,
    );
}
