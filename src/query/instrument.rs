//! Compiles a query so that its parts record their values, to show why it matches or not.
//!
//! Each part that has its own text is wrapped in [`Flow::Traced`], which passes its value on. The query is evaluated as it is written,
//! without shortcuts, and means the same.

use std::mem;

use super::ast::facts::{self, Effects};
use super::ast::node::{Expression, Flow, Node, TraceId, node};
use super::ast::numbers::{FindCount, SetNumber};
use super::ast::variables::Variable;
use super::ast::versions::{Colors, Versions};
use super::ast::visit::ChildMut;
use super::ast::{Comparison, Cond, CondExpr, Loop, NumExpr, PosExpr, Set, SetExpr, StrExpr, Type};
use super::compile::planned;
use super::compiled::Query;
use super::facts::bindings::may_be_stale;
use super::parse::{self, MatchSides, Options};
use super::shortcuts::Shortcuts;
use crate::syntax::token::{Designator, Span};
use crate::syntax::{Diagnostic, Source};

/// The maximum number of parts whose values are recorded.
const MOST_PARTS: usize = 10_000;

/// A query whose parts record their values.
#[derive(Debug)]
pub(crate) struct Instrumented {
    pub(crate) query: Query,
    /// The parts, each before the parts inside it. The first is the body.
    pub(crate) parts: Vec<TracedPart>,
    /// Whether the value at a position may depend on the evaluation at earlier positions.
    pub(crate) reads_before: bool,
    /// Whether the query has more parts than can be recorded.
    pub(crate) is_cut: bool,
}

/// A part of a query.
#[derive(Debug)]
pub(crate) struct TracedPart {
    /// Its text.
    pub(crate) span: Span,
    /// The part that contains it.
    pub(crate) parent: Option<TraceId>,
    /// The type of its value.
    pub(crate) kind: Type,
    /// Its role in the part that contains it.
    pub(crate) role: Role,
    /// What kind of expression it is.
    pub(crate) form: PartForm,
}

/// The role of a part in the part that contains it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// All parts of this role have to match.
    Test,
    /// One of the parts of this role has to match.
    Alternative,
    /// It has to match at least once, however often it is evaluated.
    Body,
    /// It has to match each time it is evaluated.
    Always,
    /// A copy that a transform made. One of the copies has to match.
    Copy {
        /// Its number, from 1.
        number: usize,
        /// The number of copies.
        of: usize,
        /// What the transform did with the colours.
        colors: Colors,
    },
    /// The value that the condition around it tests.
    Value,
    /// The square of the current round of a loop.
    Element,
    /// Anything else.
    Operand,
}

/// The kind of a part, as far as explanations need it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum PartForm {
    /// Several filters that all have to match.
    Conjunction,
    /// `not f`
    Negation,
    /// A comparison with a number literal.
    Comparison {
        comparison: Comparison,
        /// The text of the number.
        limit: Span,
        number: i32,
        /// Whether the number is on the left.
        is_left: bool,
    },
    /// A piece designator.
    Designator(Designator),
    /// Anything else.
    Other,
}

/// Compiles a query whose parts record their values.
///
/// # Errors
///
/// Returns the same errors as [`compile`](fn@crate::query::compile).
pub(crate) fn instrumented(source: &Source, options: &Options) -> Result<Instrumented, Diagnostic> {
    let options = Options {
        columns: Vec::new(),
        sides: MatchSides::NotKept,
        by_player: None,
        first_of_game: false,
        shortcuts: Shortcuts::empty(),
        ..options.clone()
    };
    let mut typed = parse::typed(source, &options)?;
    let effects = typed.body.facts.effects;
    let reads_before = !typed.bound_names.is_empty()
        || !typed.persistent.is_empty()
        || !typed.dictionaries.is_empty()
        || effects.intersects(Effects::OTHER | Effects::GROUPS | Effects::LAST_PATH)
        || !may_be_stale(&typed.body).is_empty();
    let mut instrument = Instrument {
        parts: Vec::new(),
        is_cut: false,
    };
    instrument.note(&mut typed.body, Around::default(), Role::Test);
    facts::refresh(ChildMut::Condition(&mut typed.body));
    Ok(Instrumented {
        query: planned(typed, &options),
        parts: instrument.parts,
        reads_before,
        is_cut: instrument.is_cut,
    })
}

struct Instrument {
    parts: Vec<TracedPart>,
    is_cut: bool,
}

/// The surroundings of an expression.
#[derive(Clone, Copy, Default)]
struct Around {
    part: Option<TraceId>,
    /// The text of the enclosing expression.
    span: Option<Span>,
    /// Whether the enclosing expression is a condition that is a part.
    is_condition: bool,
    /// Whether the expression is a copy, which may have the same text as the enclosing expression.
    is_copy: bool,
}

impl Instrument {
    fn visit(&mut self, child: ChildMut<'_>, around: Around, role: Role) {
        match child {
            ChildMut::Set(set) => self.note(set, around, role),
            ChildMut::Number(number) => self.note(number, around, role),
            ChildMut::String(string) => self.note(string, around, role),
            ChildMut::Position(position) => self.note(position, around, role),
            ChildMut::Condition(condition) => self.note(condition, around, role),
            ChildMut::SetVersions(versions) => self.copies(versions, around),
            ChildMut::NumberVersions(versions) => self.copies(versions, around),
            ChildMut::ConditionVersions(versions) => self.copies(versions, around),
            ChildMut::Fixed(child) => self.visit(*child, around, role),
            _ => {}
        }
    }

    fn copies<E: Traceable>(&mut self, versions: &mut Versions<Box<Node<E>>>, around: Around) {
        // A guard would skip copies that cannot match.
        versions.guard = None;
        let of = versions.copies.len();
        let colors = &versions.colors;
        for (index, (copy, colors)) in versions.copies.iter_mut().zip(colors).enumerate() {
            let role = Role::Copy {
                number: index + 1,
                of,
                colors: *colors,
            };
            let around = Around {
                is_copy: true,
                ..around
            };
            self.note(copy, around, role);
        }
    }

    /// Makes an expression record its value if it has its own text, and does the same for everything inside it.
    fn note<E: Traceable>(&mut self, expression: &mut Box<Node<E>>, around: Around, role: Role) {
        let facts = &expression.facts;
        let is_literal = facts.reads.is_empty() && facts.effects.is_empty() && !facts.has_variables();
        if is_literal && (matches!(E::TYPE, Type::Number | Type::String) || expression.kind.says_nothing()) {
            return;
        }
        // When options add filters, the filter of the text may have the same text as the whole body.
        let is_filter = role == Role::Test && around.part == Some(TraceId(0));
        let is_own = around.span != Some(expression.span) || around.is_copy || is_filter;
        // Recording evaluates the operand of a condition, which must not have visible effects.
        let is_evaluated = facts.effects.is_empty() || expression.kind.is_evaluated_for_a_match();
        let is_value = !is_own && around.is_condition && E::TYPE != Type::Condition && is_evaluated;
        let role = if is_value { Role::Value } else { role };
        let shape = expression.kind.shape();
        let part = (is_own || is_value).then(|| {
            self.part(TracedPart {
                span: expression.span,
                parent: around.part,
                kind: E::TYPE,
                role,
                form: shape.form,
            })
        });
        let part = part.flatten();
        let inside = Around {
            part: part.or(around.part),
            span: Some(expression.span),
            is_condition: part.is_some() && E::TYPE == Type::Condition,
            is_copy: false,
        };
        let mut is_first = true;
        expression.kind.children_mut(&mut |child| {
            let role = match shape.parts {
                Parts::All(role) => role,
                Parts::First(role) | Parts::Only(role) if is_first => role,
                Parts::Only(_) => return,
                Parts::First(_) => Role::Operand,
            };
            is_first = false;
            self.visit(child, inside, role);
        });
        if let Some((element, body)) = expression.kind.element() {
            self.tell_element(element, body, inside.part);
        }
        if let Some(part) = part {
            wrap(expression, part);
        }
    }

    /// Makes the body of a loop record the square of each round.
    fn tell_element(&mut self, mut element: Set, body: &mut Cond, parent: Option<TraceId>) {
        let span = body.span;
        let part = self.part(TracedPart {
            span,
            parent,
            kind: Type::Set,
            role: Role::Element,
            form: PartForm::Other,
        });
        if let Some(part) = part {
            wrap(&mut element, part);
            let value = mem::replace(body, node(CondExpr::placeholder(), span));
            let tests = vec![node(CondExpr::NonEmpty(element), span)];
            *body = node(CondExpr::Flow(Flow::Block { tests, value }), span);
        }
    }

    fn part(&mut self, part: TracedPart) -> Option<TraceId> {
        if self.parts.len() == MOST_PARTS {
            self.is_cut = true;
            return None;
        }
        self.parts.push(part);
        Some(TraceId(self.parts.len() as u32 - 1))
    }
}

fn wrap<E: Expression>(expression: &mut Box<Node<E>>, part: TraceId) {
    let span = expression.span;
    let value = mem::replace(expression, node(E::placeholder(), span));
    *expression = node(E::flow(Flow::Traced(part, value)), span);
}

/// The form of an expression, and the roles of its parts.
struct Shape {
    form: PartForm,
    parts: Parts,
}

#[derive(Clone, Copy)]
enum Parts {
    All(Role),
    First(Role),
    /// The parts after the first only repeat it.
    Only(Role),
}

impl Shape {
    const OTHER: Shape = Shape::of(Parts::All(Role::Operand));

    const fn of(parts: Parts) -> Shape {
        Shape {
            form: PartForm::Other,
            parts,
        }
    }

    fn conjunction() -> Shape {
        Shape {
            form: PartForm::Conjunction,
            parts: Parts::All(Role::Test),
        }
    }

    fn of_flow<N>(flow: &Flow<N>) -> Shape {
        match flow {
            Flow::Block { .. } => Shape::conjunction(),
            Flow::Group(_) | Flow::Fixed(_) | Flow::Call { .. } => Shape::of(Parts::First(Role::Body)),
            _ => Shape::OTHER,
        }
    }
}

/// An expression whose value can be recorded.
trait Traceable: Expression {
    /// Returns the shape of a form that does not pass the value of a part on.
    fn own_shape(&self) -> Shape {
        Shape::OTHER
    }

    /// Returns the shape.
    fn shape(&self) -> Shape {
        self.as_flow().map_or_else(|| self.own_shape(), Shape::of_flow)
    }

    /// Returns whether the expression says nothing by itself, such as the definition of a function.
    fn says_nothing(&self) -> bool {
        false
    }

    /// Returns whether the value is computed even where only a match is asked for.
    fn is_evaluated_for_a_match(&self) -> bool {
        true
    }

    /// For a loop, returns the current square and the body.
    fn element(&mut self) -> Option<(Set, &mut Cond)> {
        None
    }
}

fn element_of(each: &mut Loop) -> Option<(Set, &mut Cond)> {
    let element = match each.variable {
        Variable::Set(variable) => SetExpr::Variable(variable),
        Variable::Piece(variable) => SetExpr::Piece(variable),
        _ => return None,
    };
    Some((node(element, each.body.span), &mut each.body))
}

impl Traceable for SetExpr {
    fn own_shape(&self) -> Shape {
        match self {
            SetExpr::Each(_) => Shape::of(Parts::First(Role::Body)),
            SetExpr::Designator(designator) => Shape {
                form: PartForm::Designator(*designator),
                ..Shape::OTHER
            },
            _ => Shape::OTHER,
        }
    }

    fn element(&mut self) -> Option<(Set, &mut Cond)> {
        match self {
            SetExpr::Each(each) => element_of(each),
            _ => None,
        }
    }
}

impl Traceable for NumExpr {
    fn own_shape(&self) -> Shape {
        match self {
            NumExpr::Find(_, FindCount::All) => Shape::of(Parts::First(Role::Body)),
            NumExpr::Compare(comparison, left, right) => {
                let limit = match (&left.kind, &right.kind) {
                    (_, NumExpr::Literal(number)) => Some((right.span, *number, false)),
                    (NumExpr::Literal(number), _) => Some((left.span, *number, true)),
                    _ => None,
                };
                let form = limit.map(|(limit, number, is_left)| PartForm::Comparison {
                    comparison: *comparison,
                    limit,
                    number,
                    is_left,
                });
                Shape {
                    form: form.unwrap_or(PartForm::Other),
                    ..Shape::OTHER
                }
            }
            _ => Shape::OTHER,
        }
    }

    fn is_evaluated_for_a_match(&self) -> bool {
        !matches!(self, NumExpr::Count(_) | NumExpr::OfSet(SetNumber::Power, _))
    }
}

impl Traceable for StrExpr {}

impl Traceable for PosExpr {
    fn own_shape(&self) -> Shape {
        match self {
            PosExpr::Find(_) => Shape::of(Parts::First(Role::Body)),
            _ => Shape::OTHER,
        }
    }
}

impl Traceable for CondExpr {
    fn own_shape(&self) -> Shape {
        match self {
            CondExpr::And(here, later) if is_line_of(here, later) => Shape::of(Parts::Only(Role::Body)),
            CondExpr::And(..) => Shape::conjunction(),
            CondExpr::Or(..) => Shape::of(Parts::All(Role::Alternative)),
            CondExpr::Not(_) => Shape {
                form: PartForm::Negation,
                ..Shape::OTHER
            },
            CondExpr::All(_) => Shape::of(Parts::First(Role::Always)),
            _ => Shape::OTHER,
        }
    }

    fn says_nothing(&self) -> bool {
        matches!(self, CondExpr::Constant(true))
    }

    fn element(&mut self) -> Option<(Set, &mut Cond)> {
        match self {
            CondExpr::All(each) => element_of(each),
            _ => None,
        }
    }
}

/// Returns whether `later` is a line that repeats the condition `here`, as in `stays(N F)`.
fn is_line_of(here: &Node<CondExpr>, later: &Node<CondExpr>) -> bool {
    let is_line = |condition: &CondExpr| matches!(condition, CondExpr::HasNumber(number) if matches!(number.kind, NumExpr::Line(_)));
    later.span.contains(here.span) && matches!(&later.kind, CondExpr::Or(whole, _) if is_line(&whole.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the texts of the parts, indented by one dot for each part around them.
    fn parts(filters: &str) -> Vec<String> {
        let text = format!("cql() {filters}");
        let source = Source::new("q", text);
        let Instrumented { parts, .. } = instrumented(&source, &Options::default()).expect("the query compiles");
        let depth = |part: &TracedPart| {
            let around = std::iter::successors(part.parent, |id| parts[id.0 as usize].parent);
            around.count()
        };
        let parts = parts
            .iter()
            .map(|part| format!("{}{}", ".".repeat(depth(part)), source.slice(part.span)));
        parts.collect()
    }

    #[test]
    fn parts_have_a_text_of_their_own() {
        assert_eq!(
            parts("btm #P>=3"),
            ["btm #P>=3", ".btm", ".#P>=3", "..#P>=3", "...#P", "....P"]
        );
        assert_eq!(
            parts("function F() {mate} F()"),
            ["function F() {mate} F()", ".F()", "..mate"]
        );
        assert_eq!(
            parts("battery(R B k)")[..3],
            ["battery(R B k)", ".battery(R B k)", "..battery(R B k)"],
            "the text of the prelude is none of the query"
        );
    }

    #[test]
    fn what_is_left_of_positions_before_is_known() {
        let reads_before = |filters: &str| {
            let source = Source::new("q", filters);
            let options = Options {
                filters_only: true,
                ..Options::default()
            };
            instrumented(&source, &options)
                .expect("the query compiles")
                .reads_before
        };
        assert!(!reads_before("x=R x attacks k"));
        assert!(reads_before("if initial x=0 x+=1 x>3"));
        assert!(reads_before("dictionary D D[1]=2"));
    }
}
