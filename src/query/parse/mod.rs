//! Tokens to typed query: a descent that knows the type of everything it has read.
//!
//! Operators attach by type (1.5.2 of the language reference), so the tree depends on types, and types on the variables and
//! functions declared so far. The [`Builder`] therefore reads tokens, declares names and builds typed nodes in one pass:
//! [`primary`] has the rule for each form of the grammar, [`words`] that for each word that opens no form; [`climb`] joins
//! operands by operators; the other files hold the rules by family.

mod assign;
mod climb;
mod commands;
mod compare;
mod condition;
mod control;
mod cursor;
pub mod declarations;
mod dictionaries;
mod echo;
mod effects;
mod endgames;
mod errors;
mod files;
mod functions;
mod header;
mod hhdb;
mod lines;
mod loops;
mod misplaced;
mod moves;
mod names;
mod numbers;
mod options;
mod paths;
mod patterns;
mod persistent;
pub mod prelude;
mod prelude_calls;
mod primary;
mod sets;
mod similar;
mod slips;
mod surroundings;
mod text;
mod transforms;
mod tree;
mod unknown;
mod what_if;
mod words;

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use crate::pattern::Pattern;
use crate::syntax::Diagnostic;
use crate::syntax::format::Outline;
use crate::syntax::token::{Span, Token, TokenKind};
use crate::syntax::{BeyondWords, DEEPEST, Parsed, Source, nested_too_deeply, parse};
use crate::tablebase::Tablebase;

use crate::query::ast::dictionaries::Dictionary;
use crate::query::ast::node::{Cond, Expression, Filter, Flow, node};
use crate::query::ast::similar::Similar;
use crate::query::ast::variables::{PersistentVariable, Variable, VariableCounts};
use crate::query::ast::{BoundName, CondExpr, Header, Needs, NumExpr, SortKey};
use cursor::Cursor;
use dictionaries::Declared;
use effects::Effects;
use functions::Function;
use names::Names;
use prelude_calls::PreludeNames;

pub use hhdb::{hhdb_words, is_hhdb_award_word, is_hhdb_text_word};
pub use options::{Annotations, HeaderOptions, Options, Vocabulary};
pub use unknown::undeclared_names;

/// The result of a rule.
type Built<T = Filter> = Result<T, Diagnostic>;

/// How many operators a query may have. A chain of them is a tree as deep as it is long, and what walks over trees recurses.
const MOST_OPERATORS: u32 = 20_000;

/// A query with the type of each filter, before anything is simplified or planned.
pub(crate) struct TypedQuery {
    /// What stands in `cql( … )`, and what the options put in its place.
    pub header: Header,
    /// Filters that a game must match to be looked at, see [`Options::narrowing`].
    pub narrowing: Vec<Cond>,
    /// Filters that a game must match to be evaluated, see [`Options::selection`].
    pub selection: Vec<Cond>,
    /// The filters of the body as one condition.
    pub body: Cond,
    /// How many variables there are.
    pub variables: VariableCounts,
    /// The variables that live through the run.
    pub persistent: Vec<PersistentVariable>,
    /// The dictionaries.
    pub dictionaries: Vec<Dictionary>,
    /// What the names are that `isbound` asks for.
    pub bound_names: Vec<BoundName>,
    /// The keys of `sort`.
    pub sort_keys: Vec<SortKey>,
    /// The first `readfile` or `writefile`.
    pub file_access: Option<Span>,
    /// What the evaluation needs beside the positions.
    pub needs: Needs,
    /// How many `consecutivemoves` there are.
    pub runs: u32,
    /// The file that `similarposition` compares with.
    pub similar: Option<Similar>,
    /// Some filter outside of paths asks for the last path that matched.
    pub asks_for_last_path: bool,
    /// Repetitions of what is a repetition itself: the same moves fit in several ways.
    pub ambiguous: Vec<Span>,
}

/// Parses a query.
///
/// # Errors
///
/// The first error, with advice.
pub(crate) fn typed(source: &Source, options: &Options) -> Result<TypedQuery, Diagnostic> {
    slips::typed(source, options).map_err(|error| slips::advised(source, options, error))
}

/// Whether a text compiles. Nobody looks for advice, so it is the quickest way to know.
pub fn compiles(source: &Source, options: &Options) -> bool {
    slips::typed(source, options).is_ok()
}

/// The names that are known, in the order of their declarations, each with what it is: `a set variable`, `a function`.
pub(crate) type KnownNames = Vec<(String, &'static str)>;

/// The query or its errors in the order in which they are met, and the names that are known even if there is an error.
pub(crate) fn typed_or_errors(source: &Source, options: &Options) -> (Result<TypedQuery, Vec<Diagnostic>>, KnownNames) {
    let (result, names) = match parse(source) {
        Ok(parsed) => {
            let mut builder = Builder::new(parsed, source, options);
            (builder.query(source, options), builder.symbols.names.described())
        }
        Err(error) => (Err(error), Vec::new()),
    };
    let all = |error| errors::errors(source, options, slips::advised(source, options, error));
    (result.map_err(all), names)
}

/// Where the filters of a query begin and end, for [`format`](mod@crate::syntax::format).
///
/// # Errors
///
/// As those of [`compile`](crate::query::compile).
pub fn outline(source: &Source, options: &Options) -> Result<Outline, Diagnostic> {
    let outlined = || {
        let mut builder = Builder::new(parse(source)?, source, options);
        builder.outline = Some(Outline::default());
        builder.query(source, options)?;
        Ok(builder.outline.unwrap_or_default())
    };
    outlined().map_err(|error| slips::advised(source, options, error))
}

/// A query in the making.
struct Builder {
    /// The place in the text.
    cursor: Cursor,
    /// What was declared before it.
    symbols: Symbols,
    /// What was built before it and does more than give a value.
    effects: Effects,
    limits: Limits,
    /// What is around the place.
    place: Place,
    /// The parts of the query beside its filters.
    found: Found,
    /// The tablebases that it may ask.
    tablebase: Option<Arc<Tablebase>>,
    /// Where filters begin and end, if somebody asks.
    outline: Option<Outline>,
    /// Repetitions of what is a repetition itself.
    ambiguous: Vec<Span>,
    /// Moves of variations are searched.
    variations: bool,
    /// Which names are words beyond CQL 6.2.
    beyond: BeyondWords,
    /// Some filter outside of paths asks for the last path that matched.
    asks_for_last_path: bool,
    /// The query asks for groups of regular expression matches somewhere.
    asks_for_groups: bool,
    /// The last arrow at which a chain of arrows ended because it points the other way.
    turned_arrow: Option<Span>,
}

/// What is declared.
#[derive(Default)]
struct Symbols {
    names: Names,
    counts: VariableCounts,
    persistent: Vec<PersistentVariable>,
    dictionaries: Vec<Declared>,
    functions: Vec<Function>,
    prelude: PreludeNames,
    /// The atomic variables.
    atomic: Vec<Variable>,
    /// The functions whose bodies are being read, outermost first.
    expanding: Vec<usize>,
    /// The hidden variables of arguments of the calls around this place; they have values there.
    passed: Vec<Variable>,
    /// The loop variables around this place.
    looping: Vec<Variable>,
}

/// What a query may not have too much of.
#[derive(Default)]
struct Limits {
    depth: usize,
    /// How many operators have joined operands.
    operators: u32,
    /// How many tokens of function bodies were read.
    expanded_tokens: usize,
    /// How many parts of filters transforms have copied.
    copied_parts: usize,
}

/// What is around a place of the query.
#[derive(Default)]
struct Place {
    /// How many paths.
    paths: u32,
    /// How many lines.
    lines: u32,
    /// How many `sort`.
    sorts: u32,
    /// In an item of a forward line: how many filters speak of the move to the next position.
    line_moves: Option<u32>,
}

/// The parts of the query beside its filters.
#[derive(Default)]
struct Found {
    needs: Needs,
    sort_keys: Vec<SortKey>,
    /// The places of `sort` words without a title.
    sort_words: Vec<Span>,
    /// The first `readfile` or `writefile`.
    file_access: Option<Span>,
    similar: Option<Similar>,
    /// How many `similarposition` were built.
    similars: u32,
    /// How many `consecutivemoves` were built.
    runs: u32,
    /// How many `echo` were built.
    echoes: u32,
    /// The patterns compiled so far, by their text.
    patterns: HashMap<Vec<u8>, Arc<Pattern>>,
}

/// A place to come back to when a reading turns out not to fit.
struct Mark {
    at: usize,
    names: usize,
    persistent: usize,
    dictionaries: usize,
    effects: Effects,
    operators: u32,
}

impl Builder {
    /// For the text of a query, as it is parsed.
    fn new(text: Parsed, source: &Source, options: &Options) -> Builder {
        let beyond = options.beyond_words(source);
        let text = beyond.named(source, text);
        Builder {
            asks_for_last_path: ask_for_last_path(&text.tokens),
            asks_for_groups: ask_for_groups(&text.tokens),
            cursor: Cursor::new(text),
            symbols: Symbols::default(),
            effects: Effects::default(),
            limits: Limits::default(),
            place: Place::default(),
            found: Found::default(),
            tablebase: None,
            outline: None,
            ambiguous: Vec::new(),
            variations: false,
            beyond,
            turned_arrow: None,
        }
    }

    /// The whole text.
    fn query(&mut self, source: &Source, options: &Options) -> Built<TypedQuery> {
        self.symbols.prelude = PreludeNames::new(source, options);
        self.tablebase.clone_from(&options.tablebase);
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
        let (mut selection, body) = self.surrounded(surroundings, filters)?;
        let end = self.cursor.span_from(self.cursor.at);
        selection.extend(options.variant.map(|variant| node(CondExpr::Variant(variant), end)));
        if header.sort_match_count {
            self.found.sort_keys.push(SortKey {
                title: b"matchcount".to_vec(),
                ascending: false,
                quiet: false,
                text: false,
            });
        }
        let dictionaries = mem::take(&mut self.symbols.dictionaries).into_iter();
        Ok(TypedQuery {
            header,
            narrowing,
            selection,
            body,
            bound_names: self.symbols.names.resolve_bound(),
            variables: mem::take(&mut self.symbols.counts),
            persistent: mem::take(&mut self.symbols.persistent),
            dictionaries: dictionaries.map(|declared| declared.dictionary).collect(),
            sort_keys: mem::take(&mut self.found.sort_keys),
            file_access: self.found.file_access,
            needs: self.found.needs,
            runs: self.found.runs,
            similar: self.found.similar.take(),
            asks_for_last_path: self.asks_for_last_path,
            ambiguous: mem::take(&mut self.ambiguous),
        })
    }

    /// Whether nothing but CQL 6.2 is to be known.
    fn is_strict(&self) -> bool {
        self.beyond.is_off()
    }

    fn mark(&self) -> Mark {
        Mark {
            at: self.cursor.at,
            names: self.symbols.names.len(),
            persistent: self.symbols.persistent.len(),
            dictionaries: self.symbols.dictionaries.len(),
            effects: self.effects,
            operators: self.limits.operators,
        }
    }

    fn reset(&mut self, mark: Mark) {
        self.cursor.at = mark.at;
        self.symbols.names.truncate(mark.names);
        self.symbols.persistent.truncate(mark.persistent);
        self.symbols.dictionaries.truncate(mark.dictionaries);
        self.effects = mark.effects;
        self.limits.operators = mark.operators;
    }

    /// Counts an operator, which is next.
    fn count_operator(&mut self) -> Built<()> {
        if self.limits.operators == MOST_OPERATORS {
            return Err(
                Diagnostic::new(self.cursor.token().span, "the query has too many operators")
                    .label(format!("the first after {MOST_OPERATORS} others")),
            );
        }
        self.limits.operators += 1;
        Ok(())
    }

    /// Runs a rule one level deeper.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Builder) -> Built<T>) -> Built<T> {
        if self.limits.depth == DEEPEST {
            return Err(nested_too_deeply(self.cursor.token().span));
        }
        self.limits.depth += 1;
        let result = rule(self);
        self.limits.depth -= 1;
        result
    }

    /// One or more filters, up to what cannot begin a filter.
    fn filters(&mut self, place: &str) -> Built<Vec<Filter>> {
        let mut first = self.cursor.at;
        let mut filters = vec![self.filter_expected(place)?];
        self.outline_statement(first);
        while self.cursor.begins_filter() {
            first = self.cursor.at;
            filters.push(self.filter()?);
            self.outline_statement(first);
        }
        Ok(filters)
    }

    /// Notes that a statement stands between the token at `first` and here.
    fn outline_statement(&mut self, first: usize) {
        let span = self.cursor.span_from(first);
        if let Some(outline) = &mut self.outline {
            outline.statements.push(span);
        }
    }

    /// Notes that a constituent of a path stands between the token at `first` and here.
    fn outline_constituent(&mut self, first: usize) {
        let span = self.cursor.span_from(first);
        if let Some(outline) = &mut self.outline {
            outline.constituents.push(span);
        }
    }

    /// A filter where one must stand.
    fn filter_expected(&mut self, place: &str) -> Built {
        if self.cursor.begins_filter() {
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

    /// A condition from the token at `first` to here.
    fn condition_word(&self, kind: CondExpr, first: usize) -> Built {
        Ok(self.condition_node(kind, self.cursor.span_from(first)))
    }

    /// A number from the token at `first` to here.
    fn number_word(&self, kind: NumExpr, first: usize) -> Built {
        Ok(Filter::Number(node(kind, self.cursor.span_from(first))))
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
        fn around<E: Expression>(value: Box<super::ast::Node<E>>, span: Span, form: impl Wrap) -> Filter {
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
