//! Regular expressions: `~~`, its groups, the loop over all matches (chapter 8, 11).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use crate::chess::Position;
use crate::pattern::{Effort, Groups, Next, PatientMatches, Pattern, TooComplex};
use crate::query::{Cond, Str};
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::values::strings;
use crate::eval::interpreter::values::strings::Text;
use crate::eval::state::last_match::LastMatch;

/// Shorter texts, in bytes, are searched directly. Searches in longer ones can be cancelled.
const SHORT: usize = 1024;
/// The same limit for patterns whose searches backtrack.
const SHORT_FOR_BACKTRACKING: usize = 64;
/// The longest text, in bytes, in which such patterns are searched for.
const LONGEST_FOR_BACKTRACKING: usize = 1 << 20;

/// The time between two checks for cancellation during a search.
const PATIENCE: Duration = Duration::from_millis(20);

/// `s ~~ "re"`: returns the leftmost match, whose groups are `kept` if the query needs them. A string without a value does not change
/// the last match.
pub(crate) fn matched<'a>(
    target: &'a Str,
    pattern: &'a Arc<Pattern>,
    kept: bool,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<Text<'a>> {
    let text = target.eval(context, at)?;
    if !is_quick(pattern, &text) {
        return matched_patiently(text, pattern, kept, span, context, at);
    }
    let Ok(found) = pattern.find_at(&text, 0) else {
        too_complex(span, context, at);
        return None;
    };
    let whole = found.as_ref().and_then(|groups| groups[0].clone());
    context.last_match = found.filter(|_| kept).map(|groups| LastMatch {
        text: Arc::from(&*text),
        groups,
    });
    Some(strings::part(text, whole?))
}

/// Returns whether `s ~~ "re"` has a value, for queries that need no groups.
pub(crate) fn is_matched<'a>(
    target: &'a Str,
    pattern: &'a Arc<Pattern>,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> bool {
    let Some(text) = target.eval(context, at) else {
        return false;
    };
    if !is_quick(pattern, &text) {
        return matched_patiently(text, pattern, false, span, context, at).is_some();
    }
    pattern.is_match(&text).unwrap_or_else(|TooComplex| {
        too_complex(span, context, at);
        false
    })
}

/// Returns the leftmost match in a text that may take long to search.
fn matched_patiently<'a>(
    text: Text<'a>,
    pattern: &'a Arc<Pattern>,
    kept: bool,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<Text<'a>> {
    let text: Arc<[u8]> = Arc::from(text);
    let found = context.holding(text.len(), (span, at), |context| {
        Matches::new(pattern, &text, 1).next(&text, span, context, at)
    });
    let whole = found.as_ref().and_then(|groups| groups[0].clone());
    let searched = whole.as_ref().map_or(text.len(), |whole| whole.end);
    context.count_searched(searched as u64, span, at);
    let part = whole.map(|whole| Cow::Owned(text[whole].to_vec()));
    context.last_match = found.filter(|_| kept).map(|groups| LastMatch { text, groups });
    part
}

/// `while (s ~~ "re") f`: evaluates f for each match. Fails only if s has no value. Then the comments made for it are dropped.
pub(crate) fn each<'a>(
    target: &'a Str,
    pattern: &'a Arc<Pattern>,
    body: &'a Cond,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> bool {
    let mark = context.comments.mark();
    let Some(text) = target.eval(context, at) else {
        context.comments.cut(mark);
        return false;
    };
    let text: Arc<[u8]> = Arc::from(text);
    context.last_match = None;
    let all = context.holding(text.len(), (span, at), |context| {
        let mut search = Matches::new(pattern, &text, usize::MAX);
        let mut toll = SearchCost::default();
        while let Some(groups) = search.next(&text, span, context, at) {
            toll.count(pattern, &text, &groups, span, context, at);
            let text = Arc::clone(&text);
            context.last_match = Some(LastMatch { text, groups });
            body.eval(context, at);
            if context.is_endless(span, at) {
                return None;
            }
        }
        context.stop.is_none().then_some(())
    });
    all.is_some()
}

/// Returns whether a search takes too little time to need cancellation.
fn is_quick(pattern: &Pattern, text: &[u8]) -> bool {
    let short = if pattern.backtracks() {
        SHORT_FOR_BACKTRACKING
    } else {
        SHORT
    };
    text.len() <= short
}

/// The matches of a pattern in a text.
struct Matches<'p> {
    pattern: &'p Pattern,
    /// The matches found by another thread; `None` if they are found on this one.
    elsewhere: Option<PatientMatches>,
    next: Next,
}

impl<'p> Matches<'p> {
    fn new(pattern: &'p Arc<Pattern>, text: &Arc<[u8]>, most: usize) -> Matches<'p> {
        let is_short = is_quick(pattern, text) || is_too_long(pattern, text);
        let patient = || PatientMatches::new(Arc::clone(pattern), Arc::clone(text), most).ok();
        Matches {
            pattern,
            elsewhere: if is_short { None } else { patient() },
            next: Next::default(),
        }
    }

    /// Returns the next match. Ends the run if the search fails.
    fn next(&mut self, text: &[u8], span: Span, context: &mut Context<'_>, at: &Position) -> Option<Groups> {
        if is_too_long(self.pattern, text) {
            let label = format!(
                "with look-ahead or back references up to {} KB",
                LONGEST_FOR_BACKTRACKING >> 10
            );
            context.stop(span, "the string is too long for this regular expression", &label, at);
            return None;
        }
        let found = match &mut self.elsewhere {
            None => self.pattern.next_match(text, &mut self.next),
            Some(search) => loop {
                match search.poll_next(PATIENCE) {
                    Poll::Ready(found) => break found,
                    Poll::Pending => context.look_whether_called_off(),
                }
                if context.stop.is_some() {
                    return None;
                }
            },
        };
        let found = found?;
        if found.is_err() {
            too_complex(span, context, at);
        }
        found.ok()
    }
}

/// The cost of the searches in a loop over all matches. Each may read the whole rest of the text.
#[derive(Default)]
struct SearchCost {
    /// Where the last search began.
    from: usize,
    /// The most bytes that they may have read.
    most: u64,
    /// Counts the bytes actually read, once there could be too many.
    effort: Option<Effort>,
}

impl SearchCost {
    /// Counts the search that found these groups. Ends the run if the searches cost too much.
    fn count(
        &mut self,
        pattern: &Pattern,
        text: &[u8],
        groups: &Groups,
        span: Span,
        context: &mut Context<'_>,
        at: &Position,
    ) {
        let from = self.from;
        self.from = groups[0].as_ref().map_or(from, |whole| whole.end);
        self.most = self.most.saturating_add(text.len().saturating_sub(from) as u64);
        if self.most > context.most_searched() {
            let effort = self.effort.get_or_insert_with(|| Effort::of(pattern));
            context.count_searched(effort.bytes(text, from) as u64, span, at);
        }
    }
}

fn is_too_long(pattern: &Pattern, text: &[u8]) -> bool {
    pattern.backtracks() && text.len() > LONGEST_FOR_BACKTRACKING
}

/// `\1`: returns the text of a group.
pub(crate) fn group(number: u8, span: Span, context: &mut Context<'_>, at: &Position) -> Option<Vec<u8>> {
    let place = found(number, span, context, at)?;
    if !context.has_room(place.len(), span, at) {
        return None;
    }
    Some(context.last_match.as_ref()?.text[place].to_vec())
}

/// `\-1`: returns where a group starts.
pub(crate) fn group_start(number: u8, span: Span, context: &mut Context<'_>, at: &Position) -> Option<i32> {
    i32::try_from(found(number, span, context, at)?.start).ok()
}

/// Returns the place of a group of the last match, if it took part. Ends the run if there is no such group.
fn found(number: u8, span: Span, context: &mut Context<'_>, at: &Position) -> Option<Range<usize>> {
    let label = match &context.last_match {
        Some(LastMatch { groups, .. }) if groups.len() > usize::from(number) => None,
        Some(LastMatch { groups, .. }) => Some(format!("its last group is {}", groups.len() - 1)),
        None => Some("the last search found nothing, or there was none in this game".to_owned()),
    };
    if let Some(label) = label {
        context.stop(span, format!("the last match has no group {number}"), &label, at);
        return None;
    }
    context.last_match.as_ref()?.groups[usize::from(number)].clone()
}

fn too_complex(span: Span, context: &mut Context<'_>, at: &Position) {
    context.stop(
        span,
        "the regular expression backtracks too often",
        "look-ahead, back references and loops over matches can take very long on some strings",
        at,
    );
}
