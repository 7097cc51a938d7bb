//! Regular expressions: `~~`, its groups, the loop over all matches (chapter 8, 11).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use crate::game::Position;
use crate::pattern::{Effort, Groups, Next, PatientMatches, Pattern};
use crate::query::{Cond, Str};
use crate::syntax::token::Span;

use crate::eval::Eval;
use crate::eval::context::Run;
use crate::eval::values::strings::{self, Text};

/// The groups of the last match in the text that was searched; a group that took no part is nowhere.
#[derive(Clone, Debug)]
pub(crate) struct LastMatch {
    text: Arc<[u8]>,
    groups: Groups,
}

impl LastMatch {
    /// How many bytes its text has.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }
}

/// Texts of fewer bytes are searched at once; for longer ones nobody has to wait.
const SHORT: usize = 1024;
/// The same for patterns whose searches backtrack.
const SHORT_FOR_BACKTRACKING: usize = 64;
/// The longest text in which such patterns are looked for.
const LONGEST_FOR_BACKTRACKING: usize = 1 << 20;

/// How long a search lets wait before somebody asks whether the run is called off.
const PATIENCE: Duration = Duration::from_millis(20);

/// `s ~~ "re"`: the leftmost match, which is `kept` if the query asks for groups. A string without value leaves the last match
/// as it was.
pub(crate) fn matched<'a>(
    target: &'a Str,
    pattern: &'a Arc<Pattern>,
    kept: bool,
    span: Span,
    run: &mut Run<'a>,
    at: &'a Position,
) -> Option<Text<'a>> {
    let text = target.eval(run, at)?;
    if is_quick(pattern, &text) {
        let Ok(found) = pattern.find_at(&text, 0) else {
            too_complex(span, run, at);
            return None;
        };
        let whole = found.as_ref().and_then(|groups| groups[0].clone());
        run.last_match = found.filter(|_| kept).map(|groups| LastMatch {
            text: Arc::from(&*text),
            groups,
        });
        return Some(strings::part(text, whole?));
    }
    let text: Arc<[u8]> = Arc::from(text);
    let found = run.holding(text.len(), (span, at), |run| {
        Search::new(pattern, &text, 1).next(&text, span, run, at)
    });
    let whole = found.as_ref().and_then(|groups| groups[0].clone());
    let searched = whole.as_ref().map_or(text.len(), |whole| whole.end);
    run.count_searched(searched as u64, span, at);
    let part = whole.map(|whole| Cow::Owned(text[whole].to_vec()));
    run.last_match = found.filter(|_| kept).map(|groups| LastMatch { text, groups });
    part
}

/// `while (s ~~ "re") f`: f for each match. Fails only if s has no value; then the comments made for it are dropped.
pub(crate) fn each<'a>(
    target: &'a Str,
    pattern: &'a Arc<Pattern>,
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
    let text: Arc<[u8]> = Arc::from(text);
    run.last_match = None;
    let all = run.holding(text.len(), (span, at), |run| {
        let mut search = Search::new(pattern, &text, usize::MAX);
        let mut toll = Toll::default();
        while let Some(groups) = search.next(&text, span, run, at) {
            toll.count(pattern, &text, &groups, span, run, at);
            let text = Arc::clone(&text);
            run.last_match = Some(LastMatch { text, groups });
            body.eval(run, at);
            if run.is_endless(span, at) {
                return None;
            }
        }
        run.stop.is_none().then_some(())
    });
    all.is_some()
}

/// Whether a search is over before anybody could wait for it.
fn is_quick(pattern: &Pattern, text: &[u8]) -> bool {
    let short = if pattern.backtracks() {
        SHORT_FOR_BACKTRACKING
    } else {
        SHORT
    };
    text.len() <= short
}

/// The matches of a pattern in a text.
struct Search<'p> {
    pattern: &'p Pattern,
    /// Those that another thread finds; if there is none, they are found here.
    elsewhere: Option<PatientMatches>,
    next: Next,
}

impl<'p> Search<'p> {
    fn new(pattern: &'p Arc<Pattern>, text: &Arc<[u8]>, most: usize) -> Search<'p> {
        let is_short = is_quick(pattern, text) || is_too_long(pattern, text);
        let patient = || PatientMatches::new(Arc::clone(pattern), Arc::clone(text), most).ok();
        Search {
            pattern,
            elsewhere: if is_short { None } else { patient() },
            next: Next::default(),
        }
    }

    /// The next match. Ends the run if it cannot be found.
    fn next(&mut self, text: &[u8], span: Span, run: &mut Run<'_>, at: &Position) -> Option<Groups> {
        if is_too_long(self.pattern, text) {
            let label = format!(
                "with look-ahead or back references up to {} KB",
                LONGEST_FOR_BACKTRACKING >> 10
            );
            run.stop(span, "the string is too long for this regular expression", &label, at);
            return None;
        }
        let found = match &mut self.elsewhere {
            None => self.pattern.next_match(text, &mut self.next),
            Some(search) => loop {
                match search.poll_next(PATIENCE) {
                    Poll::Ready(found) => break found,
                    Poll::Pending => run.look_whether_called_off(),
                }
                if run.stop.is_some() {
                    return None;
                }
            },
        };
        let found = found?;
        if found.is_err() {
            too_complex(span, run, at);
        }
        found.ok()
    }
}

/// What the searches of a loop over all matches cost. Each may look at all that is left of the text.
#[derive(Default)]
struct Toll {
    /// Where the last search began.
    from: usize,
    /// How many bytes they may have looked at.
    most: u64,
    /// Counts how many it were, once it could have been too many.
    effort: Option<Effort>,
}

impl Toll {
    /// Counts the search that has found these groups. Ends the run if the searches cost too much.
    fn count(&mut self, pattern: &Pattern, text: &[u8], groups: &Groups, span: Span, run: &mut Run<'_>, at: &Position) {
        let from = self.from;
        self.from = groups[0].as_ref().map_or(from, |whole| whole.end);
        self.most = self.most.saturating_add(text.len().saturating_sub(from) as u64);
        if self.most > run.most_searched() {
            let effort = self.effort.get_or_insert_with(|| Effort::of(pattern));
            run.count_searched(effort.bytes(text, from) as u64, span, at);
        }
    }
}

fn is_too_long(pattern: &Pattern, text: &[u8]) -> bool {
    pattern.backtracks() && text.len() > LONGEST_FOR_BACKTRACKING
}

/// `\1`: the text of a group.
pub(crate) fn group(number: u8, span: Span, run: &mut Run<'_>, at: &Position) -> Option<Vec<u8>> {
    let place = found(number, span, run, at)?;
    if !run.has_room(place.len(), span, at) {
        return None;
    }
    Some(run.last_match.as_ref()?.text[place].to_vec())
}

/// `\-1`: where a group starts.
pub(crate) fn group_start(number: u8, span: Span, run: &mut Run<'_>, at: &Position) -> Option<i32> {
    i32::try_from(found(number, span, run, at)?.start).ok()
}

/// Where a group of the last match is, if it took part. Ends the run if there is no such group.
fn found(number: u8, span: Span, run: &mut Run<'_>, at: &Position) -> Option<Range<usize>> {
    let label = match &run.last_match {
        Some(LastMatch { groups, .. }) if groups.len() > usize::from(number) => None,
        Some(LastMatch { groups, .. }) => Some(format!("its last group is {}", groups.len() - 1)),
        None => Some("the last search found nothing, or there was none in this game".to_owned()),
    };
    if let Some(label) = label {
        run.stop(span, format!("the last match has no group {number}"), &label, at);
        return None;
    }
    run.last_match.as_ref()?.groups[usize::from(number)].clone()
}

fn too_complex(span: Span, run: &mut Run<'_>, at: &Position) {
    run.stop(
        span,
        "the regular expression backtracks too often",
        "look-ahead, back references and loops over matches can take very long on some strings",
        at,
    );
}
