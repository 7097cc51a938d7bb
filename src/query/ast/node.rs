//! The nodes of a typed query: a place in the text and one of five kinds of expression.

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
    /// What is known of it without a position.
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
/// A filter that matches or not.
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
    /// The type with its article, for messages.
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
    /// An expression with its text.
    pub(crate) fn new<E: Expression>(kind: E, span: Span) -> Filter {
        E::filter(node(kind, span))
    }

    /// The type of the filter.
    pub(crate) fn kind(&self) -> Type {
        match self {
            Filter::Set(_) => Type::Set,
            Filter::Number(_) => Type::Number,
            Filter::String(_) => Type::String,
            Filter::Position(_) => Type::Position,
            Filter::Condition(_) => Type::Condition,
        }
    }

    /// What is known of the filter without a position.
    pub(crate) fn facts(&self) -> &Facts {
        match self {
            Filter::Set(node) => &node.facts,
            Filter::Number(node) => &node.facts,
            Filter::String(node) => &node.facts,
            Filter::Position(node) => &node.facts,
            Filter::Condition(node) => &node.facts,
        }
    }

    /// The text of the filter.
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

/// A filter that has a value: a key, or what is stored under it.
#[allow(missing_docs)]
#[derive(Clone, Debug)]
pub(crate) enum Datum {
    Set(Set),
    Number(Num),
    String(Str),
    Position(Pos),
}

impl Datum {
    /// The filter as a datum.
    ///
    /// # Errors
    /// The filter itself if it is a condition, which has no value.
    pub(crate) fn from_filter(filter: Filter) -> Result<Datum, Filter> {
        match filter {
            Filter::Set(set) => Ok(Datum::Set(set)),
            Filter::Number(number) => Ok(Datum::Number(number)),
            Filter::String(string) => Ok(Datum::String(string)),
            Filter::Position(position) => Ok(Datum::Position(position)),
            Filter::Condition(_) => Err(filter),
        }
    }

    /// The type of the value.
    pub(crate) fn kind(&self) -> Type {
        match self {
            Datum::Set(_) => Type::Set,
            Datum::Number(_) => Type::Number,
            Datum::String(_) => Type::String,
            Datum::Position(_) => Type::Position,
        }
    }
}

/// What the five expression types have in common, so that forms that exist for each of them are built once.
pub(crate) trait Expression: Children + Clone + Sized {
    /// The filter that holds an expression of this type.
    fn filter(node: Box<Node<Self>>) -> Filter;
    /// The expression that passes the value of a part on.
    fn flow(flow: Flow<Box<Node<Self>>>) -> Self;
    /// The form, if the expression passes the value of a part on.
    fn as_flow(&self) -> Option<&Flow<Box<Node<Self>>>>;
    /// The type of such expressions.
    const TYPE: Type;
    /// An expression to stand in the place of one that is taken away.
    fn placeholder() -> Self;
    /// What is known of it, from the facts of its parts.
    fn facts(&self) -> Facts;
}

impl<N> Flow<N> {
    /// What is asked one after the other and the value after it: of a block, or of the call of a function, which first
    /// assigns its arguments.
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

/// A part of a query whose values are noted, by its place among these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TraceId(pub u32);

/// Forms that exist for filters of every type: they evaluate something and pass the value of a part on.
#[derive(Clone, Debug)]
pub(crate) enum Flow<N> {
    /// `(v)`, `{v}`: the value of a variable or of `s ~~ "re"`, where the thing itself would mean more than its value.
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
    /// `F(a b …)`: assigns the arguments that are passed by value, then evaluates the body.
    Call {
        /// One assignment an argument.
        arguments: Vec<Cond>,
        /// The body of the function.
        body: N,
    },
    /// `notransform v`: no transform around it reaches inside.
    Fixed(N),
    /// `D[k]`: the stored value; as a condition, whether there is one.
    Entry {
        /// D
        dictionary: DictionaryId,
        /// k
        key: Datum,
    },
    /// `L--R=P(T)`: the value of the target after the first move of the game that fits.
    Dash(Dash, N),
    /// `previous L--R(T)`: the same for the move that led here.
    Previous(Dash, N),
    /// `legal L--R(T)` where T is a number or a string: its value after the first move that fits and gives it one. The moves have
    /// no target of their own.
    Lookahead(Box<Lookahead>, N),
    /// `pass(F)`, `without(S F)`: the value in a position that is imagined.
    Imagined(Imagined, N),
    /// The value of a part, which is noted if someone traces the evaluation. It has no word of the language.
    Traced(TraceId, N),
}
