//! Finds how many games and positions each filter of a query leaves. It makes queries with more and more of the filters, and without each
//! of them, for a search with all of these queries in one pass.

use super::edits::{Edit, NOTHING, changed};
use super::position::utf16;
use super::words::{counted, listed, quoted};
use crate::output::Totals;
use crate::query::instrument::{Instrumented, PartForm, Role, instrumented};
use crate::query::{Options, Query, compile};
use crate::search::on_deep_stack;
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source};

/// The most filters that are listed separately.
const MOST_STEPS: usize = 48;

/// The queries of a funnel.
pub struct Funnel {
    text: String,
    steps: Vec<Planned>,
    queries: Vec<Query>,
    /// Whether there are too many filters to list all of them separately.
    is_cut: bool,
}

/// A step, with the indices of its queries.
struct Planned {
    step: Step,
    with: Option<usize>,
    without: Option<usize>,
}

/// Numbers of matching games and positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
pub struct Counts {
    /// Games that match.
    pub games: u64,
    /// Matching positions in these games.
    pub positions: u64,
}

/// A filter, and the counts with and without it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Step {
    /// Where it begins in the text of the query.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Its text. If its inner filters are steps of their own, only the text before them.
    pub text: String,
    /// Its depth of nesting among the steps.
    pub depth: usize,
    /// The matches with this filter and all before it.
    pub with: Option<Counts>,
    /// The matches with all filters except this one, if the rest is a query.
    pub without: Option<Counts>,
}

/// The counts for each filter of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FunnelReport {
    /// The text of the query.
    pub query: String,
    /// The number of games searched.
    pub games: u64,
    /// The matches without any filter, limited only by the header and the options.
    pub start: Counts,
    /// The filters, in the order of the text.
    pub steps: Vec<Step>,
    /// The matches with all filters.
    pub found: Counts,
    /// Whether all filters are listed separately. Otherwise there are too many.
    pub whole: bool,
    /// The result in plain words.
    pub sentences: Vec<String>,
}

impl Funnel {
    /// Creates the funnel of a query.
    ///
    /// # Errors
    /// Returns an error if the query is wrong.
    pub fn new(source: &Source, options: &Options) -> Result<Funnel, Diagnostic> {
        let plan = || planned(source, options);
        on_deep_stack(plan).unwrap_or_else(|_| plan())
    }

    /// Returns the queries to search with, in one pass.
    pub fn queries(&self) -> impl Iterator<Item = &Query> {
        self.queries.iter()
    }

    /// Returns the report. `totals` are what the queries have found, in order.
    pub fn report(&self, totals: &[Totals]) -> FunnelReport {
        let games = totals.first().map_or(0, |totals| totals.games - totals.left_alone);
        let count = |query: Option<usize>| {
            let totals = totals.get(query?)?;
            Some(Counts {
                games: totals.matches,
                positions: totals.positions,
            })
        };
        let steps = self.steps.iter().map(|planned| Step {
            with: count(planned.with),
            without: count(planned.without),
            ..planned.step.clone()
        });
        let steps: Vec<Step> = steps.collect();
        let (start, found) = (count(Some(0)).unwrap_or_default(), count(Some(1)).unwrap_or_default());
        FunnelReport {
            query: self.text.clone(),
            games,
            start,
            sentences: sentences(games, start, &steps, found),
            steps,
            found,
            whole: !self.is_cut,
        }
    }
}

/// A filter that can be left out.
struct Filter {
    span: Span,
    /// The text before its inner filters, if these are steps of their own.
    head: Span,
    depth: usize,
}

fn planned(source: &Source, options: &Options) -> Result<Funnel, Diagnostic> {
    let whole = compile(source, options)?;
    let instrumented = instrumented(source, options)?;
    let mut filters = Vec::new();
    let mut is_cut = false;
    collect(&instrumented, source, 0, 0, &mut filters);
    if filters.len() > MOST_STEPS {
        filters.retain(|filter| filter.depth == 0);
        is_cut = true;
    }
    filters.truncate(MOST_STEPS);
    let without = |left_out: &dyn Fn(usize) -> bool| {
        let filters = filters.iter().enumerate().filter(|(index, _)| left_out(*index));
        let edits: Vec<Edit> = filters.map(|(_, filter)| Edit::removal(filter.span)).collect();
        let text = changed(source, &edits, NOTHING)?;
        compile(&Source::new(source.name(), text), options).ok()
    };
    // Two queries always exist: the one without any filter, and the query itself.
    let mut queries = vec![without(&|_| true).unwrap_or_else(|| whole.clone()), whole];
    let mut steps = Vec::new();
    for (index, filter) in filters.iter().enumerate() {
        let is_last = index + 1 == filters.len();
        let mut add = |query: Option<Query>| {
            query.map(|query| {
                queries.push(query);
                queries.len() - 1
            })
        };
        let with = match is_last {
            true => Some(1),
            false => add(without(&|other| other > index)),
        };
        let alone = match filters.len() {
            1 => Some(0),
            _ => add(without(&|other| other == index)),
        };
        steps.push(Planned {
            step: Step {
                from: utf16(source, filter.span.start),
                to: utf16(source, filter.span.end),
                text: head_text(source.slice(filter.head)),
                depth: filter.depth,
                with: None,
                without: None,
            },
            with,
            without: alone,
        });
    }
    Ok(Funnel {
        text: source.text().to_owned(),
        steps,
        queries,
        is_cut,
    })
}

/// Returns the text of a filter, or the text before its inner filters with its parenthesis closed: `stays(8 …)`.
fn head_text(text: &str) -> String {
    let text = text.trim_end();
    let is_open = text.matches('(').count() > text.matches(')').count();
    format!("{text}{}", if is_open { " …)" } else { "" })
}

/// Collects the filters that all have to match, in the order of the text.
fn collect(query: &Instrumented, source: &Source, part: usize, depth: usize, filters: &mut Vec<Filter>) {
    let parts = &query.parts;
    let Some(known) = parts.get(part) else { return };
    let span = known.span;
    if span.end as usize > source.bytes().len() {
        return;
    }
    let mut inside = Vec::new();
    needed(query, part, &mut inside);
    // Text elsewhere, such as the body of a function, also belongs to other parts.
    inside.retain(|inside| span.contains(parts[*inside].span));
    let is_conjunction = known.form == PartForm::Conjunction;
    let has_many = inside.iter().any(|inside| parts[*inside].form == PartForm::Conjunction);
    // The parts of a theme have the place of its name.
    let is_one = !parts
        .iter()
        .any(|other| other.span != span && span.contains(other.span));
    if is_one || (!is_conjunction && !has_many) {
        filters.push(Filter {
            span,
            head: span,
            depth,
        });
        return;
    }
    let is_of_copies = inside
        .iter()
        .any(|inside| matches!(parts[*inside].role, Role::Copy { .. }));
    let mut depth = depth;
    if !is_conjunction && !is_of_copies {
        let start = inside
            .iter()
            .map(|inside| parts[*inside].span.start)
            .min()
            .unwrap_or(span.end);
        filters.push(Filter {
            span,
            head: Span {
                start: span.start,
                end: start,
            },
            depth,
        });
        depth += 1;
    }
    for inside in inside {
        collect(query, source, inside, depth, filters);
    }
}

/// Collects the inner parts that have to match for a part to match. Copies of a transform have the same text, so only the first is collected.
fn needed(query: &Instrumented, part: usize, found: &mut Vec<usize>) {
    let children = query
        .parts
        .iter()
        .enumerate()
        .filter(|(_, child)| child.parent.is_some_and(|parent| parent.0 as usize == part));
    for (index, child) in children {
        match child.role {
            Role::Value => needed(query, index, found),
            Role::Test | Role::Body | Role::Copy { number: 1, .. } => found.push(index),
            _ => {}
        }
    }
}

fn sentences(games: u64, start: Counts, steps: &[Step], found: Counts) -> Vec<String> {
    let mut sentences = Vec::new();
    let told = |counts: Counts| match counts.games {
        0 => "no game".to_owned(),
        games => counted(games as usize, "game"),
    };
    if found.games > 0 {
        sentences.push(format!(
            "{} of {} match, at {}.",
            found.games,
            counted(games as usize, "game"),
            counted(found.positions as usize, "position")
        ));
    } else if start.games == 0 {
        sentences.push("No game is left before the first filter is asked: by the header, by the options, or because there is none.".to_owned());
        return sentences;
    } else {
        let mut before = start;
        for step in steps {
            let Some(with) = step.with else { continue };
            if with.games == 0 {
                sentences.push(format!("{} leaves nothing of {}.", quoted(&step.text), told(before)));
                break;
            }
            before = with;
        }
    }
    let more = |step: &&Step| step.without.is_some_and(|without| without.games > found.games);
    let mut most: Vec<&Step> = steps.iter().filter(more).collect();
    most.sort_by_key(|step| std::cmp::Reverse(step.without));
    let most: Vec<String> = most
        .iter()
        .take(3)
        .filter_map(|step| Some(format!("{} without {}", told(step.without?), quoted(&step.text))))
        .collect();
    if !most.is_empty() {
        sentences.push(format!("There would be {}.", listed(&most)));
    } else if found.games == 0 && steps.len() > 1 {
        sentences.push("No filter is to blame alone: without any one of them there is still nothing.".to_owned());
    }
    sentences
}
