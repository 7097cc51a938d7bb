//! A query whose parts note what they say, so that someone can see why it matches or not.
//!
//! Each part that has a text of its own is wrapped in a form that passes its value on ([`Flow::Traced`]). The query is evaluated as it is
//! written, without any shortcut, and means the same.

use std::mem;

use super::ast::facts::{self, Effects};
use super::ast::node::{Expression, Flow, Node, TraceId, node};
use super::ast::numbers::{FindCount, SetNumber};
use super::ast::versions::{Colors, Versions};
use super::ast::visit::ChildMut;
use super::ast::{Comparison, Cond, CondExpr, NumExpr, PosExpr, Set, SetExpr, StrExpr, Type};
use super::compile::planned;
use super::compiled::Query;
use super::facts::bindings::may_be_stale;
use super::parse::{self, MatchSides, Options};
use super::shortcuts::Shortcuts;
use crate::syntax::token::{Designator, Span};
use crate::syntax::{Diagnostic, Source};

/// How many parts note what they say at most.
const MOST_PARTS: usize = 10_000;

/// A query that says what its parts say.
#[derive(Debug)]
pub(crate) struct Instrumented {
    pub(crate) query: Query,
    /// The parts, each before those inside it. The first is the body.
    pub(crate) parts: Vec<TracedPart>,
    /// What it says at a position may depend on its evaluation at those before.
    pub(crate) reads_before: bool,
    /// It has more parts than can be noted.
    pub(crate) is_cut: bool,
}

/// A part of a query.
#[derive(Debug)]
pub(crate) struct TracedPart {
    /// Its text.
    pub(crate) span: Span,
    /// The part that it belongs to.
    pub(crate) parent: Option<TraceId>,
    /// The type of its value.
    pub(crate) kind: Type,
    /// What it is for the part around it.
    pub(crate) role: Role,
    /// What it is itself.
    pub(crate) form: PartForm,
}

/// What a part is for the part around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// All parts of this role have to match.
    Test,
    /// One of the parts of this role has to match.
    Alternative,
    /// It has to match once, however often it is asked.
    Body,
    /// It has to match whenever it is asked.
    Always,
    /// A copy that a transform has made: one of them has to match.
    Copy {
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
        /// What has become of the colours.
        colors: Colors,
    },
    /// The value that the condition around it asks for.
    Value,
    /// The square for which a loop goes round.
    Element,
    /// Anything else.
    Operand,
}

/// What a part is, as far as someone wants to know.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum PartForm {
    /// Several filters that all have to match.
    Conjunction,
    /// `not f`
    Negation,
    /// A comparison with a number that is written.
    Comparison {
        comparison: Comparison,
        /// Where the number stands.
        limit: Span,
        /// The number.
        number: i32,
        /// It stands on the left.
        is_left: bool,
    },
    /// A piece designator.
    Designator(Designator),
    /// Anything else.
    Other,
}

/// Compiles a query that says what its parts say.
///
/// # Errors
///
/// Those of [`compile`](super::compile).
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

/// What is around an expression.
#[derive(Clone, Copy, Default)]
struct Around {
    part: Option<TraceId>,
    /// The text of the expression around it.
    span: Option<Span>,
    /// That is a condition, which is a part.
    is_condition: bool,
    /// It is a copy, which may have the text of what is around it.
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
        // It would pass over copies that cannot match.
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

    /// Has an expression note its value, if it has a text of its own, and all that is in it.
    fn note<E: Traceable>(&mut self, expression: &mut Box<Node<E>>, around: Around, role: Role) {
        let facts = &expression.facts;
        let is_literal = facts.reads.is_empty() && facts.effects.is_empty() && !facts.has_variables();
        if is_literal && (matches!(E::TYPE, Type::Number | Type::String) || expression.kind.says_nothing()) {
            return;
        }
        // A filter beside those of options may have the text of the whole body.
        let is_filter = role == Role::Test && around.part == Some(TraceId(0));
        let is_own = around.span != Some(expression.span) || around.is_copy || is_filter;
        // What a condition asks for is evaluated, which nobody may notice.
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

    /// Has the body of a loop say for which square it is asked.
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

/// What an expression is, and what its parts are for it.
struct Shape {
    form: PartForm,
    parts: Parts,
}

#[derive(Clone, Copy)]
enum Parts {
    All(Role),
    First(Role),
    /// What is after the first repeats it.
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

/// An expression whose value can be noted.
trait Traceable: Expression {
    /// What it is, if it is no form that passes the value of a part on.
    fn own_shape(&self) -> Shape {
        Shape::OTHER
    }

    /// What it is.
    fn shape(&self) -> Shape {
        self.as_flow().map_or_else(|| self.own_shape(), Shape::of_flow)
    }

    /// Whether it is there for others, such as the definition of a function.
    fn says_nothing(&self) -> bool {
        false
    }

    /// Whether it is evaluated where only a match is asked.
    fn is_evaluated_for_a_match(&self) -> bool {
        true
    }

    /// Of a loop, the square for which it goes round, and its body.
    fn element(&mut self) -> Option<(Set, &mut Cond)> {
        None
    }
}

impl Traceable for SetExpr {
    fn own_shape(&self) -> Shape {
        match self {
            SetExpr::Squares(_) | SetExpr::Pieces(_) => Shape::of(Parts::First(Role::Body)),
            SetExpr::Designator(designator) => Shape {
                form: PartForm::Designator(*designator),
                ..Shape::OTHER
            },
            _ => Shape::OTHER,
        }
    }

    fn element(&mut self) -> Option<(Set, &mut Cond)> {
        let (element, body) = match self {
            SetExpr::Squares(squares) => (SetExpr::Variable(squares.variable), &mut squares.body),
            SetExpr::Pieces(pieces) => (SetExpr::Piece(pieces.variable), &mut pieces.body),
            _ => return None,
        };
        Some((node(element, body.span), body))
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
            CondExpr::AllSquares(_) | CondExpr::AllPieces(_) => Shape::of(Parts::First(Role::Always)),
            _ => Shape::OTHER,
        }
    }

    fn says_nothing(&self) -> bool {
        matches!(self, CondExpr::Constant(true))
    }

    fn element(&mut self) -> Option<(Set, &mut Cond)> {
        let (element, body) = match self {
            CondExpr::AllSquares(squares) => (SetExpr::Variable(squares.variable), &mut squares.body),
            CondExpr::AllPieces(pieces) => (SetExpr::Piece(pieces.variable), &mut pieces.body),
            _ => return None,
        };
        Some((node(element, body.span), body))
    }
}

/// Whether what comes later is a line that repeats what holds here, as in `stays(N F)`.
fn is_line_of(here: &Node<CondExpr>, later: &Node<CondExpr>) -> bool {
    let is_line = |condition: &CondExpr| matches!(condition, CondExpr::HasNumber(number) if matches!(number.kind, NumExpr::Line(_)));
    later.span.contains(here.span) && matches!(&later.kind, CondExpr::Or(whole, _) if is_line(&whole.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the parts, those inside another after as many dots.
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
