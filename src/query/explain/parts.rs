//! Says in words how each part of a query is evaluated, and why it has no faster form.

use serde::Serialize;

use super::quotes::{Quotes, counted};
use crate::query::ast::echo::{Echo, JoinSide};
use crate::query::ast::facts::Effects;
use crate::query::ast::moves::{Lookahead, MoveSource};
use crate::query::ast::node::{Cond, Expression, Node, Set};
use crate::query::ast::numbers::NumExpr;
use crate::query::ast::sets::SetExpr;
use crate::query::ast::versions::Versions;
use crate::query::ast::visit::{Child, Children};
use crate::query::ast::{Assignment, CondExpr, Find, Flow, Loop, PosExpr, StrExpr};
use crate::query::facts::bindings::Bindings;
use crate::syntax::token::Span;

/// A part of the query and what happens to it.
#[derive(Serialize, Clone, Debug)]
pub struct ExplainedPart {
    #[serde(skip)]
    span: Span,
    line: usize,
    column: usize,
    pub(super) text: String,
    pub(super) cost: f64,
    pub(super) words: Vec<String>,
    pub(super) parts: Vec<ExplainedPart>,
}

/// How an expression is evaluated, if that is worth explaining.
type Noted = Option<Evaluation>;

struct Evaluation {
    words: Vec<String>,
    /// Whether its parts are evaluated separately.
    evaluates_parts: bool,
}

impl<W: Into<String>> From<W> for Evaluation {
    fn from(words: W) -> Evaluation {
        Evaluation {
            words: vec![words.into()],
            evaluates_parts: true,
        }
    }
}

impl Evaluation {
    /// Adds the reason why there is no faster form.
    fn because(mut self, reason: impl Into<String>) -> Evaluation {
        self.words.push(reason.into());
        self
    }
}

const LEGAL_MOVES: &str = "all legal moves of the position are generated";
const TRIED_MOVES: &str = "all legal moves of the position are generated, and those that fit are tried one by one";
const SORTS: &str = "keeps a value to sort by";

/// Explains the parts of a query.
pub(super) struct Explainer<'q> {
    pub(super) quotes: &'q Quotes<'q>,
    pub(super) bindings: &'q Bindings,
}

impl Explainer<'_> {
    /// Returns a filter of the body as a part, even if there is nothing to explain.
    pub(super) fn whole(&self, condition: &Cond) -> ExplainedPart {
        let mut parts = Vec::new();
        self.collect(Child::Condition(condition), &mut parts);
        match parts.as_mut_slice() {
            // A filter that only tests the value of its part has nothing of its own to explain.
            [part] if part.span == condition.span => parts.remove(0),
            _ => self.part(condition, Vec::new(), parts),
        }
    }

    fn part<E>(&self, expression: &Node<E>, words: Vec<String>, parts: Vec<ExplainedPart>) -> ExplainedPart {
        let span = expression.span;
        let (line, column) = self.quotes.place(span);
        ExplainedPart {
            span,
            line,
            column,
            text: self.quotes.quote(span),
            cost: expression.facts.cost,
            words,
            parts,
        }
    }

    /// Collects the outermost parts of an expression that are worth explaining.
    fn collect(&self, child: Child<'_>, parts: &mut Vec<ExplainedPart>) {
        match child {
            Child::Set(set) => self.add(self.set(set), set, parts),
            Child::Number(number) => self.add(self.number(&number.kind), number, parts),
            Child::String(string) => self.add(string_form(&string.kind), string, parts),
            Child::Position(position) => self.add(self.position(&position.kind), position, parts),
            Child::Condition(condition) if passes_argument(condition) => {
                condition.kind.children(&mut |part| self.collect(part, parts));
            }
            Child::Condition(condition) => self.add(self.condition(condition), condition, parts),
            other => first_copy(other, &mut |part| self.collect(part, parts)),
        }
    }

    fn add<E: Expression>(&self, noted: Noted, expression: &Node<E>, parts: &mut Vec<ExplainedPart>) {
        let Some(noted) = noted else {
            expression.kind.children(&mut |part| self.collect(part, parts));
            return;
        };
        let mut inside = Vec::new();
        if noted.evaluates_parts {
            expression.kind.children(&mut |part| self.collect(part, &mut inside));
        }
        parts.push(self.part(expression, noted.words, inside));
    }

    fn set(&self, set: &Set) -> Noted {
        match &set.kind {
            SetExpr::Each(each) => Some(self.rounds(each)),
            // It is the domain of a loop that goes square by square.
            SetExpr::FusedLoop(fused) if fused.domain.span == set.span => {
                Some("only those for which the tests of the loop can hold".into())
            }
            SetExpr::FusedLoop(_) => Some(fused()),
            SetExpr::Legal(_) => Some(LEGAL_MOVES.into()),
            SetExpr::Lookahead(moves) => Some(tried(moves)),
            SetExpr::Move(parameters) => generated(parameters.source),
            SetExpr::Versions(versions) => Some(self.copies(versions)),
            _ => None,
        }
    }

    fn number(&self, number: &NumExpr) -> Noted {
        Some(match number {
            NumExpr::Find(find, _) => self.find(find),
            NumExpr::Echo(echo) => self.echo(echo),
            NumExpr::ConsecutiveMoves(_) => "the common runs of moves are found once per game".into(),
            NumExpr::CountLegal(_) => LEGAL_MOVES.into(),
            NumExpr::CountLookahead(moves) => tried(moves),
            NumExpr::Flow(Flow::Lookahead(..)) => TRIED_MOVES.into(),
            NumExpr::CountMoveLegal(parameters) => return generated(parameters.source),
            NumExpr::Sort(..) | NumExpr::SortSet(..) => with_effect(SORTS),
            NumExpr::Path(path) => self.sequence(&**path, path.program.is_ambiguous(), path.effects, path.any),
            NumExpr::Line(line) => self.sequence(&**line, line.program.is_ambiguous(), line.effects, false),
            NumExpr::Versions(versions) => self.copies(versions),
            NumExpr::CountVersions(versions, _) => self.copies(versions),
            _ => return None,
        })
    }

    fn position(&self, position: &PosExpr) -> Noted {
        Some(match position {
            PosExpr::Find(find) => self.find(find),
            PosExpr::Path(path) => self.sequence(&**path, path.program.is_ambiguous(), path.effects, path.any),
            PosExpr::Line(line) => self.sequence(&**line, line.program.is_ambiguous(), line.effects, false),
            _ => return None,
        })
    }

    fn condition(&self, condition: &Cond) -> Noted {
        Some(match &condition.kind {
            CondExpr::Placement(designators) => {
                format!("one test for {}", counted(designators.len(), "designator")).into()
            }
            CondExpr::AllFused(_) => fused(),
            CondExpr::Mate => "legal moves are only looked for where there is check".into(),
            CondExpr::Stalemate => "only looked at where the game or a variation ends".into(),
            CondExpr::Loop(_) | CondExpr::While { .. } | CondExpr::WhileMatch { .. } => {
                "repeats until it fails; how often is not known beforehand".into()
            }
            CondExpr::All(each) => self.rounds(each),
            CondExpr::Move(parameters) => return generated(parameters.source),
            CondExpr::AllLookahead(_) => TRIED_MOVES.into(),
            CondExpr::Versions(versions) => self.copies(versions),
            CondExpr::Echo(echo) => self.echo(echo),
            CondExpr::Assign(_) if self.bindings.named(condition).is_some() => {
                "a name for a set, which is read as the set wherever many positions are asked at once".into()
            }
            CondExpr::Assign(assignment) if self.bindings.has_value(assignment.variable()) => {
                "a value that only the rest of its block reads, so positions where that fails may be skipped".into()
            }
            other => with_effect(deed(other)?),
        })
    }

    fn rounds(&self, each: &Loop) -> Evaluation {
        let reason = if each.effects.is_empty() {
            "what its body asks cannot be answered for all squares at once".to_owned()
        } else {
            self.first_deed(&each.body)
        };
        Evaluation::from("a loop over its squares, one after the other").because(reason)
    }

    fn copies<N: Children>(&self, versions: &Versions<N>) -> Evaluation {
        let guard = versions.guard.as_ref().filter(|_| versions.pure);
        let how = match guard {
            None => "evaluated one after the other",
            Some(guard) if guard.formation.is_some() => {
                "all ask for the same pattern of pieces, looked for everywhere at once"
            }
            Some(_) => "all ask first for the same pieces on other squares, looked up once for all",
        };
        let rest = match guard {
            None => "",
            Some(guard) if guard.complete => "; no copy is evaluated",
            Some(_) => "; only copies whose pieces stand there are evaluated",
        };
        let copies = counted(versions.copies.len(), "copy");
        let evaluation = Evaluation {
            evaluates_parts: !guard.is_some_and(|guard| guard.complete),
            ..format!("{copies}: {how}{rest}").into()
        };
        match versions.copies.first() {
            Some(copy) if !versions.pure => evaluation.because(self.first_deed(copy)),
            _ => evaluation,
        }
    }

    fn find(&self, find: &Find) -> Evaluation {
        if let (Some(limit), Some(lookup)) = (limit(find.effects_if_bound), &find.lookup) {
            let values = counted(lookup.equations.len(), "equal value");
            return format!("positions are looked up by {values}{limit}").into();
        }
        let tried = || Evaluation::from("its filter is tried at position after position each time");
        match (limit(find.effects), find.memo) {
            (Some(limit), Some(_)) => {
                format!("its filter is evaluated once at each position of a game and remembered{limit}").into()
            }
            (Some(_), None) => {
                tried().because("cannot be remembered: its filter depends on more than the position, as on a variable")
            }
            (None, _) => tried().because(self.first_deed(&find.body)),
        }
    }

    fn echo(&self, echo: &Echo) -> Evaluation {
        let Some(limit) = limit(echo.effects) else {
            return Evaluation::from("all pairs of positions are tried").because(self.first_deed(echo));
        };
        let count = |subject| echo.tests.iter().filter(|test| test.subject == subject).count();
        let asked = [
            (count(JoinSide::Source), "of the source once"),
            (count(JoinSide::Target), "of each target once per game"),
            (count(JoinSide::Pair) + usize::from(echo.value.is_some()), "of pairs"),
        ];
        let asked: Vec<String> = asked
            .into_iter()
            .filter(|(filters, _)| *filters > 0)
            .map(|(filters, whom)| format!("{} asked {whom}", counted(filters, "filter")))
            .collect();
        let mut words = format!("a join{limit}: {}", asked.join(", "));
        let equations = echo.plan.equations.len();
        if equations > 0 {
            words += &format!("; targets are looked up by {}", counted(equations, "equal value"));
        }
        words += match echo.plan.spans.len() {
            0 => "",
            1 => "; one condition says where they lie",
            _ => "; several conditions say where they lie",
        };
        words.into()
    }

    /// Explains a `path` or `line`. `any` says that only its existence is asked for.
    fn sequence(&self, sequence: &impl Children, is_ambiguous: bool, effects: Effects, any: bool) -> Evaluation {
        let words = match limit(effects) {
            _ if !is_ambiguous => "a sequence of moves fits in one way at most: searched move by move".to_owned(),
            Some(limit) => {
                format!("sequences of moves fit in many ways: each state is entered once at a position{limit}")
            }
            None => {
                return Evaluation::from("sequences of moves fit in many ways: all are tried")
                    .because(self.first_deed(sequence));
            }
        };
        let end = if any && (effects.may_be_repeated() || effects.only_assigns()) {
            "; where the output has no comments the first ends the search"
        } else {
            ""
        };
        (words + end).into()
    }

    /// Names the first effect in an expression, or says what there may be if no single filter has one.
    fn first_deed(&self, expression: &impl Children) -> String {
        fn look(child: Child<'_>, found: &mut Option<(Span, &'static str)>) {
            if found.is_some() {
                return;
            }
            *found = match &child {
                Child::Condition(condition) if passes_argument(condition) => None,
                Child::Condition(condition) => deed(&condition.kind).map(|deed| (condition.span, deed)),
                Child::Number(number) if matches!(number.kind, NumExpr::Sort(..) | NumExpr::SortSet(..)) => {
                    Some((number.span, SORTS))
                }
                Child::String(string) if matches!(string.kind, StrExpr::Sort(..)) => Some((string.span, SORTS)),
                _ => None,
            };
            first_copy(child, &mut |part| look(part, found));
        }
        let mut found = None;
        expression.children(&mut |child| look(child, &mut found));
        match found {
            Some((span, deed)) => format!("cannot be shortened: `{}` {deed}", self.quotes.quote(span)),
            None => "cannot be shortened: something inside writes comments, may end the run, or reads what changes"
                .to_owned(),
        }
    }
}

/// Passes the direct parts to `visit`. Of versions, only the first copy is passed: the others differ only in squares, directions and
/// colours.
fn first_copy(child: Child<'_>, visit: &mut dyn FnMut(Child<'_>)) {
    fn first<N: Children>(versions: &Versions<N>, visit: &mut dyn FnMut(Child<'_>)) {
        if let Some(copy) = versions.copies.first() {
            copy.children(visit);
        }
    }
    match child {
        Child::SetVersions(versions) => first(versions, visit),
        Child::NumberVersions(versions) => first(versions, visit),
        Child::ConditionVersions(versions) => first(versions, visit),
        other => other.parts(visit),
    }
}

fn string_form(string: &StrExpr) -> Noted {
    match string {
        StrExpr::Sort(..) => Some(with_effect(SORTS)),
        StrExpr::Flow(Flow::Lookahead(..)) => Some(TRIED_MOVES.into()),
        _ => None,
    }
}

fn fused() -> Evaluation {
    "a loop that is answered for all its squares at once".into()
}

fn with_effect(deed: &str) -> Evaluation {
    format!("{deed}, so it is evaluated wherever it is reached").into()
}

fn tried(moves: &Lookahead) -> Evaluation {
    match (moves.required, &moves.target) {
        (Some(_), _) => "only moves that can give check are looked at; no list of legal moves is made",
        (None, Some(_)) => TRIED_MOVES,
        (None, None) => LEGAL_MOVES,
    }
    .into()
}

fn generated(source: MoveSource) -> Noted {
    matches!(source, MoveSource::Legal | MoveSource::Pseudolegal).then(|| LEGAL_MOVES.into())
}

/// Says when a filter with these effects may be evaluated more or less often than it is written. `None` if never.
fn limit(effects: Effects) -> Option<&'static str> {
    match effects {
        Effects::COMMENT => Some(", where the output has no comments"),
        effects => effects.is_empty().then_some(""),
    }
}

/// Returns whether a condition assigns an argument in the call of a function. Its text is only the value, while assignments in the query
/// begin with a name.
fn passes_argument(condition: &Node<CondExpr>) -> bool {
    let value = match &condition.kind {
        CondExpr::Assign(Assignment::Set(_, value)) => value.span,
        CondExpr::Assign(Assignment::Number(_, value)) => value.span,
        CondExpr::Assign(Assignment::String(_, value)) => value.span,
        CondExpr::Assign(Assignment::Position(_, value)) => value.span,
        _ => return false,
    };
    value == condition.span
}

/// Names the effect of a condition itself, not of its parts.
fn deed(condition: &CondExpr) -> Option<&'static str> {
    Some(match condition {
        CondExpr::Assign(_) => "sets a variable",
        CondExpr::Dictionary(..) => "works on a dictionary",
        CondExpr::Message { .. } => "writes a message",
        CondExpr::Comment(_) => "writes a comment",
        CondExpr::RemoveComment => "removes comments",
        CondExpr::SetTag(..) => "sets a tag",
        CondExpr::Column(..) => "keeps a value",
        CondExpr::WriteFile { .. } => "writes a file",
        CondExpr::Assert(_) | CondExpr::Abort => "may end the run",
        _ => return None,
    })
}
