//! Tokens to typed query: a descent that knows the type of everything it has read.
//!
//! Operators attach by type (1.5.2 of the language reference), so the tree depends on types, and types on the variables and
//! functions declared so far. The [`Builder`] therefore reads tokens, declares names and builds typed nodes in one pass:
//! Of each form of the grammar [`primary`] finds the rule
//! that makes a node of it, and of each word that stands by itself; [`climb`] joins operands by operators; the other files hold
//! the rules by family.

mod assign;
mod blank_lines;
mod climb;
mod compare;
mod condition;
mod control;
mod cursor;
mod dictionaries;
mod echo;
mod effects;
mod files;
mod functions;
mod header;
mod hhdb;
mod lines;
mod loops;
mod moves;
mod names;
mod numbers;
mod options;
mod paths;
mod patterns;
mod persistent;
mod prelude;
mod primary;
mod sets;
mod similar;
mod text;
mod transforms;
mod tree;
mod unknown;

use std::collections::HashMap;
use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use crate::pattern::Pattern;
use crate::syntax::Diagnostic;
use crate::syntax::format::Outline;
use crate::syntax::token::{Span, Token, TokenKind};
use crate::syntax::{DEEPEST, Forms, Source, nested_too_deeply, parse};

use super::node::{Cond, Expression, Filter, Flow, node};
use super::prefilter::Prefilter;
use super::similar::Similar;
use super::variables::{PersistentVariable, Variable, VariableCounts};
use super::{CondExpr, Needs, Options, Query, SortKey, plan, simplify};

use blank_lines::BlankLines;
use dictionaries::Declared;
use functions::Function;
use names::Names;
use prelude::PreludeNames;

pub use hhdb::{hhdb_words, is_hhdb_award_word, is_hhdb_text_word};
pub use unknown::undeclared_names;

/// The result of a rule.
type Built<T = Filter> = Result<T, Diagnostic>;

/// How many operators a query may have. A chain of them is a tree as deep as it is long, and what walks over trees recurses.
const MOST_OPERATORS: u32 = 20_000;

/// Compiles a query.
///
/// # Errors
///
/// The first error in the text or the options; [`Options::text_of`] says where it is.
pub fn compile(source: &Source, options: &Options) -> Result<Query, Diagnostic> {
    Builder::new(parse(source)?.into()).query(source, options)
}

/// A compiled text, and what is known of its names even if it has an error: those that stand before it.
#[derive(Debug)]
pub struct Analysis {
    /// The query, or the first error.
    pub result: Result<Query, Diagnostic>,
    /// The names that are known, in the order of their declarations, each with what it is: `a set variable`, `a function`.
    pub names: Vec<(String, &'static str)>,
}

/// Compiles a text that is being written, see [`compile`].
pub fn analyze(source: &Source, options: &Options) -> Analysis {
    match parse(source) {
        Ok(parsed) => {
            let mut builder = Builder::new(parsed.into());
            Analysis {
                result: builder.query(source, options),
                names: builder.names.described(),
            }
        }
        Err(error) => Analysis {
            result: Err(error),
            names: Vec::new(),
        },
    }
}

/// Where the filters of a query begin and end, for [`format`](mod@crate::syntax::format).
///
/// # Errors
///
/// As those of [`compile`].
pub fn outline(source: &Source, options: &Options) -> Result<Outline, Diagnostic> {
    let mut builder = Builder::new(parse(source)?.into());
    builder.outline = Some(Outline::default());
    builder.query(source, options)?;
    Ok(builder.outline.unwrap_or_default())
}

/// What [`lint`](super::lint) looks at: the body before it is simplified, the compiled query, and repetitions that can fit
/// the same moves in several ways.
pub(super) fn inspected(source: &Source, options: &Options) -> Built<(Cond, Query, Vec<Span>)> {
    let mut builder = Builder::new(parse(source)?.into());
    builder.keeps_body = true;
    let query = builder.query(source, options)?;
    let written = builder.written.unwrap_or_else(|| query.body.clone());
    Ok((written, query, builder.ambiguous))
}

/// What is read: tokens, and the forms that they make.
#[derive(Clone)]
struct Text {
    tokens: Rc<[Token]>,
    forms: Forms,
}

impl From<(Vec<Token>, Forms)> for Text {
    fn from((tokens, forms): (Vec<Token>, Forms)) -> Text {
        Text {
            tokens: tokens.into(),
            forms,
        }
    }
}

/// A query in the making: a place in the tokens and all that was declared before it.
struct Builder {
    tokens: Rc<[Token]>,
    /// The forms of the grammar that the tokens make.
    forms: Forms,
    at: usize,
    names: Names,
    counts: VariableCounts,
    persistent: Vec<PersistentVariable>,
    dictionaries: Vec<Declared>,
    functions: Vec<Function>,
    prelude: PreludeNames,
    /// The patterns compiled so far, by their text.
    patterns: HashMap<Vec<u8>, Arc<Pattern>>,
    first_file_access: Option<Span>,
    /// The functions whose bodies are being read, outermost first.
    expanding: Vec<usize>,
    /// The hidden variables of arguments of the calls around this place; they have values there.
    passed: Vec<Variable>,
    /// How many tokens of function bodies were read.
    expanded_tokens: usize,
    /// How many parts of filters transforms have copied.
    copied_parts: usize,
    /// How many constructs were built that have side effects, may end the run, or read what changes while a game is evaluated.
    effects: u32,
    /// How many of them do nothing but stop the run.
    stops: u32,
    /// How many of them do nothing but write comments.
    comments: u32,
    /// How many `sort` are around this place.
    sorts: u32,
    /// How many `echo` were built.
    echoes: u32,
    /// How many `consecutivemoves` were built.
    runs: u32,
    similar: Option<Similar>,
    /// How many `similarposition` were built.
    similars: u32,
    depth: usize,
    /// How many operators have joined operands.
    operators: u32,
    variations: bool,
    /// The last arrow at which a chain of arrows ended because it points the other way.
    turned_arrow: Option<Span>,
    /// The loop variables around this place.
    looping: Vec<Variable>,
    /// Which blank lines end paths.
    blank_lines: BlankLines,
    /// How many paths are around this place.
    paths: u32,
    /// The atomic variables.
    atomic: Vec<Variable>,
    /// Some filter outside of paths asks for the last path that matched.
    asks_for_last_path: bool,
    /// The query asks for groups of regular expression matches somewhere.
    asks_for_groups: bool,
    /// How many lines are around this place.
    lines: u32,
    /// In an item of a forward line: how many filters speak of the move to the next position.
    line_moves: Option<u32>,
    /// The places of `sort` words without a title.
    sort_words: Vec<Span>,
    sort_keys: Vec<SortKey>,
    needs: Needs,
    /// Where filters begin and end, if somebody asks.
    outline: Option<Outline>,
    /// Somebody asks for the body as it is written.
    keeps_body: bool,
    /// The body as it is written, once it is read.
    written: Option<Cond>,
    /// Repetitions of what is a repetition itself: the same moves fit in several ways.
    ambiguous: Vec<Span>,
}

/// A place to come back to when a reading turns out not to fit.
struct Mark {
    at: usize,
    names: usize,
    persistent: usize,
    dictionaries: usize,
    effects: u32,
    operators: u32,
    stops: u32,
    comments: u32,
}

impl Builder {
    fn new(text: Text) -> Builder {
        let Text { tokens, forms } = text;
        let blank_lines = BlankLines::of(&tokens);
        let asks_for_last_path = ask_for_last_path(&tokens);
        let asks_for_groups = ask_for_groups(&tokens);
        Builder {
            tokens,
            forms,
            at: 0,
            names: Names::default(),
            counts: VariableCounts::default(),
            persistent: Vec::new(),
            dictionaries: Vec::new(),
            functions: Vec::new(),
            prelude: PreludeNames::default(),
            patterns: HashMap::new(),
            first_file_access: None,
            expanding: Vec::new(),
            passed: Vec::new(),
            expanded_tokens: 0,
            copied_parts: 0,
            effects: 0,
            stops: 0,
            comments: 0,
            sorts: 0,
            echoes: 0,
            runs: 0,
            similar: None,
            similars: 0,
            depth: 0,
            operators: 0,
            variations: false,
            turned_arrow: None,
            looping: Vec::new(),
            blank_lines,
            paths: 0,
            atomic: Vec::new(),
            asks_for_last_path,
            asks_for_groups,
            lines: 0,
            line_moves: None,
            sort_words: Vec::new(),
            sort_keys: Vec::new(),
            needs: Needs::default(),
            outline: None,
            keeps_body: false,
            written: None,
            ambiguous: Vec::new(),
        }
    }

    /// The whole text.
    fn query(&mut self, source: &Source, options: &Options) -> Built<Query> {
        self.prelude = PreludeNames::new(source, options);
        let mut header = if options.filters_only {
            Default::default()
        } else {
            self.header()?
        };
        options.header.apply(&mut header);
        self.variations = header.variations;
        let mut surroundings = self.surroundings(source, options)?;
        let narrowing = mem::take(&mut surroundings.narrowing);
        let filters = self.filters("after the header")?;
        self.expect_end()?;
        let (mut selection, mut body) = self.surrounded(surroundings, filters)?;
        self.written = self.keeps_body.then(|| body.clone());
        let end = self.span_from(self.at);
        selection.extend(options.variant.map(|variant| node(CondExpr::Variant(variant), end)));
        selection.extend(plan::game_tests(&mut body));
        if header.sort_match_count {
            self.sort_keys.push(SortKey {
                title: b"matchcount".to_vec(),
                ascending: false,
                quiet: false,
                text: false,
            });
        }
        simplify::simplify(&mut body, &mut self.counts, &self.persistent);
        self.needs.identities &= !self.persistent.is_empty() || plan::follows_pieces(&body);
        let memos = plan::plan(&mut body, &self.persistent);
        let dictionaries = mem::take(&mut self.dictionaries).into_iter();
        Ok(Query {
            header,
            narrowing,
            first_of_game: options.first_of_game,
            selection,
            prefilter: Prefilter::of(&body).at_a_glance(),
            body,
            variables: mem::take(&mut self.counts),
            persistent: mem::take(&mut self.persistent),
            dictionaries: dictionaries.map(|declared| declared.dictionary).collect(),
            file_access: self.first_file_access,
            bound_names: self.names.resolve_bound(),
            sort_keys: mem::take(&mut self.sort_keys),
            needs: self.needs,
            annotations: options.annotations,
            memos,
            runs: self.runs,
            similar: self.similar.take(),
        })
    }

    fn mark(&self) -> Mark {
        Mark {
            at: self.at,
            names: self.names.len(),
            persistent: self.persistent.len(),
            dictionaries: self.dictionaries.len(),
            effects: self.effects,
            operators: self.operators,
            stops: self.stops,
            comments: self.comments,
        }
    }

    fn reset(&mut self, mark: Mark) {
        self.at = mark.at;
        self.names.truncate(mark.names);
        self.persistent.truncate(mark.persistent);
        self.dictionaries.truncate(mark.dictionaries);
        self.effects = mark.effects;
        self.operators = mark.operators;
        self.stops = mark.stops;
        self.comments = mark.comments;
    }

    /// Counts an operator, which is next.
    fn count_operator(&mut self) -> Built<()> {
        if self.operators == MOST_OPERATORS {
            return Err(Diagnostic::new(self.token().span, "the query has too many operators")
                .label(format!("the first after {MOST_OPERATORS} others")));
        }
        self.operators += 1;
        Ok(())
    }

    /// Runs a rule one level deeper.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Builder) -> Built<T>) -> Built<T> {
        if self.depth == DEEPEST {
            return Err(nested_too_deeply(self.token().span));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// One or more filters, up to what cannot begin a filter.
    fn filters(&mut self, place: &str) -> Built<Vec<Filter>> {
        let mut first = self.at;
        let mut filters = vec![self.filter_expected(place)?];
        self.outline_statement(first);
        while self.begins_filter() {
            first = self.at;
            filters.push(self.filter()?);
            self.outline_statement(first);
        }
        Ok(filters)
    }

    /// Notes that a statement stands between the token at `first` and here.
    fn outline_statement(&mut self, first: usize) {
        let span = self.span_from(first);
        if let Some(outline) = &mut self.outline {
            outline.statements.push(span);
        }
    }

    /// Notes that a constituent of a path stands between the token at `first` and here.
    fn outline_constituent(&mut self, first: usize) {
        let span = self.span_from(first);
        if let Some(outline) = &mut self.outline {
            outline.constituents.push(span);
        }
    }

    /// A filter where one must stand.
    fn filter_expected(&mut self, place: &str) -> Built {
        if self.begins_filter() {
            self.filter()
        } else {
            Err(self.unexpected(&format!("expected a filter {place}")))
        }
    }

    /// The value of filters of which all must match: that of the last.
    fn block(&mut self, filters: Vec<Filter>, span: Span) -> Built {
        let mut filters = filters;
        let Some(last) = filters.pop() else {
            return Err(Diagnostic::new(span, "a filter is missing"));
        };
        if filters.is_empty() {
            return Ok(last);
        }
        let tests = filters
            .into_iter()
            .map(|filter| self.condition(filter))
            .collect::<Built<Vec<Cond>>>()?;
        Ok(last.with_flow(span, Tests(tests)))
    }

    /// Filters of which all must match, as a condition.
    fn block_condition(&mut self, filters: Vec<Filter>) -> Built<Cond> {
        let span = filters.iter().map(Filter::span).reduce(Span::to).unwrap_or_default();
        let block = self.block(filters, span)?;
        self.condition(block)
    }

    fn condition_node(&self, kind: CondExpr, span: Span) -> Filter {
        Filter::Condition(node(kind, span))
    }

    /// From the start of the token at `first` to the end of the last token read.
    fn span_from(&self, first: usize) -> Span {
        let last = self.at.saturating_sub(1).max(first);
        self.tokens[first].span.to(self.tokens[last].span)
    }

    fn token(&self) -> &Token {
        self.peek(0)
    }

    fn peek(&self, ahead: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + ahead).min(last)]
    }

    fn is_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }
}

/// Whether a filter among these tokens asks for a group of a regular expression match.
fn ask_for_groups(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .any(|token| matches!(token.kind, TokenKind::Group(_) | TokenKind::GroupIndex(_)))
}

/// Whether a filter among these tokens asks for the last path that matched.
fn ask_for_last_path(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        matches!(
            token.kind,
            TokenKind::Word("pathcount" | "pathcountunfocused" | "pathstart" | "pathlastposition")
        )
    })
}

/// A form that can be put around a filter of any type and keeps its type.
trait Wrap {
    fn wrap<N>(self, value: N) -> Flow<N>;
}

/// `{ tests value }`
struct Tests(Vec<Cond>);

impl Wrap for Tests {
    fn wrap<N>(self, value: N) -> Flow<N> {
        Flow::Block { tests: self.0, value }
    }
}

impl Filter {
    /// The filter inside a form that passes its value on.
    fn with_flow(self, span: Span, form: impl Wrap) -> Filter {
        fn around<E: Expression>(value: Box<super::Node<E>>, span: Span, form: impl Wrap) -> Filter {
            E::filter(node(E::flow(form.wrap(value)), span))
        }
        match self {
            Filter::Set(value) => around(value, span, form),
            Filter::Number(value) => around(value, span, form),
            Filter::String(value) => around(value, span, form),
            Filter::Position(value) => around(value, span, form),
            Filter::Condition(value) => around(value, span, form),
        }
    }
}
