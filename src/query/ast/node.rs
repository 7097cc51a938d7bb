//! The nodes of a typed query: an expression of one of five types, and its place in the text.

use crate::board::Bitboard;
use crate::query::ast::facts::Facts;
use crate::query::ast::variables::DictionaryId;
use crate::query::ast::visit::Children;
use crate::query::ast::{CondExpr, Dash, Imagined, Lookahead, NumExpr, PosExpr, SetExpr, StrExpr};
use crate::syntax::token::Span;

/// An expression and its place in the query.
#[derive(Clone, Debug)]
pub(crate) struct Node<K> {
    /// The expression.
    pub kind: K,
    /// Its text.
    pub span: Span,
    /// What is known about it without a position.
    pub facts: Facts,
}

/// A filter whose value is a set of squares.
pub(crate) type Set = Box<Node<SetExpr>>;
/// A filter whose value, if it has one, is a number.
pub(crate) type Num = Box<Node<NumExpr>>;
/// A filter whose value, if it has one, is a string of bytes.
pub(crate) type Str = Box<Node<StrExpr>>;
/// A filter whose value, if it has one, is a position of the game.
pub(crate) type Pos = Box<Node<PosExpr>>;
/// A filter that matches or does not match.
pub(crate) type Cond = Box<Node<CondExpr>>;

/// A filter of any type.
#[allow(missing_docs)]
#[derive(Clone, Debug)]
pub(crate) enum Filter {
    Set(Set),
    Number(Num),
    String(Str),
    Position(Pos),
    Condition(Cond),
}

/// The type of a filter (1.4.1 of the language reference).
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Set,
    Number,
    String,
    Position,
    Condition,
}

impl Type {
    /// Returns the type with its article, for messages.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Type::Set => "a set",
            Type::Number => "a number",
            Type::String => "a string",
            Type::Position => "a position",
            Type::Condition => "a condition",
        }
    }
}

impl Filter {
    /// Makes a filter of an expression and its text.
    pub(crate) fn new<E: Expression>(kind: E, span: Span) -> Filter {
        E::filter(node(kind, span))
    }

    /// Returns the type of the filter.
    pub(crate) fn kind(&self) -> Type {
        match self {
            Filter::Set(_) => Type::Set,
            Filter::Number(_) => Type::Number,
            Filter::String(_) => Type::String,
            Filter::Position(_) => Type::Position,
            Filter::Condition(_) => Type::Condition,
        }
    }

    /// Returns what is known about the filter without a position.
    pub(crate) fn facts(&self) -> &Facts {
        match self {
            Filter::Set(node) => &node.facts,
            Filter::Number(node) => &node.facts,
            Filter::String(node) => &node.facts,
            Filter::Position(node) => &node.facts,
            Filter::Condition(node) => &node.facts,
        }
    }

    /// Returns the text of the filter.
    pub(crate) fn span(&self) -> Span {
        match self {
            Filter::Set(node) => node.span,
            Filter::Number(node) => node.span,
            Filter::String(node) => node.span,
            Filter::Position(node) => node.span,
            Filter::Condition(node) => node.span,
        }
    }
}

/// The interface of the five types of expressions, so that forms that exist for each type are written once.
pub(crate) trait Expression: Children + Clone + Sized {
    /// Returns a filter that holds an expression of this type.
    fn filter(node: Box<Node<Self>>) -> Filter;
    /// Returns the expression of a filter, or else the filter itself if it has another type.
    fn of(filter: Filter) -> Result<Box<Node<Self>>, Filter>;
    /// Returns an expression that passes the value of a part on.
    fn flow(flow: Flow<Box<Node<Self>>>) -> Self;
    /// Returns the flow, if the expression passes the value of a part on.
    fn as_flow(&self) -> Option<&Flow<Box<Node<Self>>>>;
    /// The type of these expressions.
    const TYPE: Type;
    /// Returns an expression that can replace one that is moved away.
    fn placeholder() -> Self;
    /// Returns what is known about it, from the facts of its parts.
    fn facts(&self) -> Facts;
}

impl<N> Flow<N> {
    /// Splits a block into the conditions that come first and the value after them. The call of a function counts as one: it first assigns
    /// its arguments.
    pub(crate) fn as_block(&self) -> Option<(&[Cond], &N)> {
        match self {
            Flow::Block { tests, value } => Some((tests, value)),
            Flow::Call { arguments, body } => Some((arguments, body)),
            _ => None,
        }
    }
}

/// A boxed node.
pub(crate) fn node<K: Expression>(kind: K, span: Span) -> Box<Node<K>> {
    let facts = kind.facts();
    Box::new(Node { kind, span, facts })
}

macro_rules! expression {
    ($expr:ident, $variant:ident, $placeholder:expr) => {
        impl Expression for $expr {
            fn filter(node: Box<Node<Self>>) -> Filter {
                Filter::$variant(node)
            }

            fn of(filter: Filter) -> Result<Box<Node<Self>>, Filter> {
                match filter {
                    Filter::$variant(node) => Ok(node),
                    other => Err(other),
                }
            }

            fn flow(flow: Flow<Box<Node<Self>>>) -> Self {
                $expr::Flow(flow)
            }

            fn as_flow(&self) -> Option<&Flow<Box<Node<Self>>>> {
                match self {
                    $expr::Flow(flow) => Some(flow),
                    _ => None,
                }
            }

            const TYPE: Type = Type::$variant;

            fn placeholder() -> Self {
                $placeholder
            }

            fn facts(&self) -> Facts {
                $expr::facts(self)
            }
        }
    };
}

expression!(SetExpr, Set, SetExpr::Constant(Bitboard::EMPTY));
expression!(NumExpr, Number, NumExpr::Literal(0));
expression!(StrExpr, String, StrExpr::Literal(Vec::new()));
expression!(PosExpr, Position, PosExpr::Current);
expression!(CondExpr, Condition, CondExpr::Constant(false));

/// The index of a part among the parts whose values are recorded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TraceId(pub u32);

/// Forms that exist for filters of every type: they evaluate something and pass on the value of a part.
#[derive(Clone, Debug)]
pub(crate) enum Flow<N> {
    /// `(v)`, `{v}`: only the value, where a variable or `s ~~ "re"` without parentheses would mean more.
    Group(N),
    /// `{ f … v }`: the value of the last filter if all others match.
    Block {
        /// The filters before the last.
        tests: Vec<Cond>,
        /// The last filter.
        value: N,
    },
    /// `if f then v else w`
    If {
        /// The filter that decides.
        test: Cond,
        /// The value if it matches.
        yes: N,
        /// The value if it does not.
        no: N,
    },
    /// `p : v`: the value at another position.
    At {
        /// The other position.
        position: Pos,
        /// What is evaluated there.
        value: N,
    },
    /// `F(a b …)`: assigns the arguments passed by value, then evaluates the body.
    Call {
        /// One assignment for each argument.
        arguments: Vec<Cond>,
        /// The body of the function.
        body: N,
    },
    /// `notransform v`: transforms around it do not reach inside.
    Fixed(N),
    /// `D[k]`: the stored value; as a condition, whether there is one.
    Entry {
        /// D
        dictionary: DictionaryId,
        /// k, which has a value.
        key: Filter,
    },
    /// `L--R=P(T)`: the value of the target after the first move of the game that fits.
    Dash(Dash, N),
    /// `previous L--R(T)`: the same for the move that led here.
    Previous(Dash, N),
    /// `legal L--R(T)` where T is a number or a string: its value after the first move that fits and gives it one. The lookahead has no
    /// target of its own.
    Lookahead(Box<Lookahead>, N),
    /// `pass(F)`, `without(S F)`: the value at an imagined position.
    Imagined(Imagined, N),
    /// A part whose value is recorded when the evaluation is traced. It has no word of the language.
    Traced(TraceId, N),
}
