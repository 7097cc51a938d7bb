//! The builder, which makes a typed query from the tree of a text.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use crate::pattern::Pattern;
use crate::syntax::format::Outline;
use crate::syntax::token::{Span, Token, TokenKind};
use crate::syntax::{BeyondWords, DEEPEST, Diagnostic, Parsed, Source, nested_too_deeply};
use crate::tablebase::Tablebase;

use super::cursor::Cursor;
use super::names::Asked;
use super::options::Options;
use super::prelude_names::PreludeNames;
use super::symbols::Symbols;
use super::themes::{AskedThemes, Themes};
use crate::query::ast::dictionaries::Dictionary;
use crate::query::ast::node::{Cond, Expression, Filter, Flow, Pos, node};
use crate::query::ast::similar::Similar;
use crate::query::ast::variables::{PersistentVariable, VariableCounts};
use crate::query::ast::{BoundName, CondExpr, Dash, Header, Imagined, Lookahead, NamedTheme, Node, SortKey, Type};

/// The result of a rule.
pub(super) type Built<T = Filter> = Result<T, Diagnostic>;

/// The maximum number of operators of a query. A chain of operators is a tree as deep as it is long, and traversals of trees recurse.
const MOST_OPERATORS: u32 = 20_000;

/// A query with the type of each filter, before it is simplified or planned.
pub(crate) struct TypedQuery {
    /// The parameters in `cql( … )`, as changed by options.
    pub header: Header,
    /// Filters that a game must match to be considered; see [`Options::narrowing`].
    pub narrowing: Vec<Cond>,
    /// Filters that a game must match to be evaluated; see [`Options::selection`].
    pub selection: Vec<Cond>,
    /// The filters of the body as one condition.
    pub body: Cond,
    /// How many variables there are.
    pub variables: VariableCounts,
    /// The variables that live through the run.
    pub persistent: Vec<PersistentVariable>,
    /// The dictionaries.
    pub dictionaries: Vec<Dictionary>,
    /// The names that `isbound` asks about.
    pub bound_names: Vec<BoundName>,
    /// The keys of `sort`.
    pub sort_keys: Vec<SortKey>,
    /// The types of the values that are kept for each match.
    pub columns: Vec<Type>,
    /// Whether the query exchanges colours: the last two columns then say for which side it matched.
    pub exchanges_colors: bool,
    /// The first `readfile` or `writefile`.
    pub file_access: Option<Span>,
    /// The number of `consecutivemoves`.
    pub runs: u32,
    /// The file that `similarposition` compares with.
    pub similar: Option<Similar>,
    /// Whether a filter outside of paths reads the last path that matched.
    pub asks_for_last_path: bool,
    /// Repetitions of parts that are themselves repetitions: the same moves match in several ways.
    pub ambiguous: Vec<Span>,
    /// The themes that the query names, and itself as a theme.
    pub themes: AskedThemes,
}

/// The state of the construction of a query.
pub(super) struct Builder {
    /// The place in the text.
    pub(super) cursor: Cursor,
    /// The names declared so far.
    pub(super) symbols: Symbols,
    pub(super) limits: Limits,
    /// What encloses the place.
    pub(super) nesting: Nesting,
    /// The parts of the query other than its filters.
    pub(super) found: Found,
    /// The tablebases that the query may use.
    pub(super) tablebase: Option<Arc<Tablebase>>,
    /// The queries that `theme` names.
    pub(super) themes: Themes,
    /// The places of filters, if they are wanted.
    pub(super) outline: Option<Outline>,
    /// Repetitions of parts that are themselves repetitions.
    pub(super) ambiguous: Vec<Span>,
    /// Whether moves of variations are searched.
    pub(super) variations: bool,
    /// The names that are words beyond CQL 6.2.
    pub(super) beyond: BeyondWords,
    /// Whether a filter outside of paths reads the last path that matched.
    pub(super) asks_for_last_path: bool,
    /// Whether the query reads groups of a regular expression.
    pub(super) asks_for_groups: bool,
    /// The last arrow that ended a chain of arrows because it points the other way.
    pub(super) turned_arrow: Option<Span>,
}

/// Counts of what a query may only have a limited number of.
#[derive(Default)]
pub(super) struct Limits {
    pub(super) depth: usize,
    /// The number of operators that have joined operands.
    pub(super) operators: u32,
    /// The number of tokens from function bodies and themes.
    pub(super) expanded_tokens: usize,
    /// The number of parts of filters that transforms have copied.
    pub(super) copied_parts: usize,
}

/// What encloses a place in the query.
#[derive(Default)]
pub(super) struct Nesting {
    /// The number of enclosing paths.
    pub(super) paths: u32,
    /// The number of enclosing lines.
    pub(super) lines: u32,
    /// The number of enclosing `sort` filters.
    pub(super) sorts: u32,
    /// In an item of a forward line, the number of filters that refer to the move to the next position.
    pub(super) line_moves: Option<u32>,
}

/// The parts of the query other than its filters.
#[derive(Default)]
pub(super) struct Found {
    pub(super) sort_keys: Vec<SortKey>,
    /// The types of the values that are kept for each match.
    pub(super) columns: Vec<Type>,
    /// Whether the query exchanges colours: the last two columns then say for which side it matched.
    pub(super) exchanges_colors: bool,
    /// The places of the `sort` words without a title.
    pub(super) sort_words: Vec<Span>,
    /// The first `readfile` or `writefile`.
    pub(super) file_access: Option<Span>,
    pub(super) similar: Option<Similar>,
    /// The number of `similarposition` built so far.
    pub(super) similars: u32,
    /// The number of `consecutivemoves` built so far.
    pub(super) runs: u32,
    /// The number of `echo` built so far.
    pub(super) echoes: u32,
    /// The names that `isbound` asks about, those of themes included.
    pub(super) asked: Vec<Asked>,
    /// The patterns compiled so far, by text.
    pub(super) patterns: HashMap<Vec<u8>, Arc<Pattern>>,
}

/// A place to return to if an attempt to read something fails.
pub(super) struct Mark {
    pub(super) at: usize,
    pub(super) names: usize,
    pub(super) persistent: usize,
    pub(super) dictionaries: usize,
    pub(super) operators: u32,
}

impl Builder {
    /// Creates a builder for the parsed text of a query.
    pub(super) fn new(text: Parsed, source: &Source, options: &Options) -> Builder {
        let beyond = options.beyond_words(source);
        let text = beyond.named(source, text);
        Builder {
            asks_for_last_path: ask_for_last_path(&text.tokens),
            asks_for_groups: ask_for_groups(&text.tokens),
            cursor: Cursor::new(text),
            symbols: Symbols::default(),
            limits: Limits::default(),
            nesting: Nesting::default(),
            found: Found::default(),
            tablebase: None,
            themes: Themes::new(options),
            outline: None,
            ambiguous: Vec::new(),
            variations: false,
            beyond,
            turned_arrow: None,
        }
    }

    /// Reads the whole text.
    pub(super) fn query(&mut self, source: &Source, options: &Options) -> Built<TypedQuery> {
        self.symbols.prelude = PreludeNames::new(source, options);
        self.tablebase.clone_from(&options.tablebase);
        let mut header = if options.filters_only {
            Default::default()
        } else {
            self.header()?
        };
        options.header.apply(&mut header);
        self.variations = header.variations;
        let mut digest = self.themes.digest(source);
        let (narrowing, mut selection, body) = self.surrounded(source, options, |builder| {
            builder.themes.named.clear();
            let filters = builder.filters("after the header")?;
            digest = builder.themes.digest(source);
            builder.expect_end()?;
            Ok(filters)
        })?;
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
        let asked = mem::take(&mut self.found.asked).into_iter();
        Ok(TypedQuery {
            header,
            narrowing,
            selection,
            body,
            bound_names: asked.map(|asked| self.symbols.names.bound(asked)).collect(),
            variables: mem::take(&mut self.symbols.counts),
            persistent: mem::take(&mut self.symbols.persistent),
            dictionaries: dictionaries.map(|declared| declared.dictionary).collect(),
            sort_keys: mem::take(&mut self.found.sort_keys),
            columns: mem::take(&mut self.found.columns),
            exchanges_colors: self.found.exchanges_colors,
            file_access: self.found.file_access,
            runs: self.found.runs,
            similar: self.found.similar.take(),
            asks_for_last_path: self.asks_for_last_path || self.themes.asks_for_last_path,
            ambiguous: mem::take(&mut self.ambiguous),
            themes: AskedThemes {
                whole: NamedTheme {
                    name: source.name().into(),
                    digest,
                },
                places: mem::take(&mut self.themes.places),
                end: u32::try_from(source.bytes().len()).unwrap_or(u32::MAX),
                is_transformed: !options.transforms.is_empty(),
            },
        })
    }

    /// Returns whether only CQL 6.2 is known.
    pub(super) fn is_strict(&self) -> bool {
        self.beyond.is_off()
    }

    /// Returns the index of a name among those that `isbound` asks about.
    pub(super) fn ask(&mut self, asked: Asked) -> u32 {
        self.found.asked.push(asked);
        self.found.asked.len() as u32 - 1
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            at: self.cursor.at,
            names: self.symbols.names.len(),
            persistent: self.symbols.persistent.len(),
            dictionaries: self.symbols.dictionaries.len(),
            operators: self.limits.operators,
        }
    }

    pub(super) fn reset(&mut self, mark: Mark) {
        self.cursor.at = mark.at;
        self.symbols.names.truncate(mark.names);
        self.symbols.persistent.truncate(mark.persistent);
        self.symbols.dictionaries.truncate(mark.dictionaries);
        self.limits.operators = mark.operators;
    }

    /// Counts an operator. It is next.
    pub(super) fn count_operator(&mut self) -> Built<()> {
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
    pub(super) fn nested<T>(&mut self, rule: impl FnOnce(&mut Builder) -> Built<T>) -> Built<T> {
        if self.limits.depth == DEEPEST {
            return Err(nested_too_deeply(self.cursor.token().span));
        }
        self.limits.depth += 1;
        let result = rule(self);
        self.limits.depth -= 1;
        result
    }

    /// Reads one or more filters, up to a token that cannot begin a filter.
    pub(super) fn filters(&mut self, place: &str) -> Built<Vec<Filter>> {
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

    /// Records a statement from the token at `first` to here.
    pub(super) fn outline_statement(&mut self, first: usize) {
        let span = self.cursor.span_from(first);
        if let Some(outline) = &mut self.outline {
            outline.statements.push(span);
        }
    }

    /// Records a constituent of a path from the token at `first` to here.
    pub(super) fn outline_constituent(&mut self, first: usize) {
        let span = self.cursor.span_from(first);
        if let Some(outline) = &mut self.outline {
            outline.constituents.push(span);
        }
    }

    /// Reads a filter that must be next. `place` describes where, for the error.
    pub(super) fn filter_expected(&mut self, place: &str) -> Built {
        if self.cursor.begins_filter() {
            self.filter()
        } else {
            Err(self.unexpected(&format!("expected a filter {place}")))
        }
    }

    /// Joins filters that must all match. The value is that of the last.
    pub(super) fn block(&mut self, filters: Vec<Filter>, span: Span) -> Built {
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
        Ok(last.with_flow(span, Wrapper::Block(tests)))
    }

    /// Joins filters that must all match into a condition.
    pub(super) fn block_condition(&mut self, filters: Vec<Filter>) -> Built<Cond> {
        let span = filters.iter().map(Filter::span).reduce(Span::to).unwrap_or_default();
        let block = self.block(filters, span)?;
        self.condition(block)
    }

    /// Returns a filter that extends from the token at `first` to here.
    pub(super) fn complete(&self, kind: impl Expression, first: usize) -> Built {
        Ok(Filter::new(kind, self.cursor.span_from(first)))
    }
}

/// Returns whether a filter among these tokens reads a group of a regular expression.
pub(super) fn ask_for_groups(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .any(|token| matches!(token.kind, TokenKind::Group(_) | TokenKind::GroupIndex(_)))
}

/// Returns whether a filter among these tokens reads the last path that matched.
pub(super) fn ask_for_last_path(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        matches!(
            token.kind,
            TokenKind::Word("pathcount" | "pathcountunfocused" | "pathstart" | "pathlastposition")
        )
    })
}

/// Returns an error for a filter of a wrong type.
pub(super) fn of_wrong_type(filter: &Filter, expected: &str) -> Diagnostic {
    let found = filter.kind().described();
    Diagnostic::new(filter.span(), format!("{expected}, found {found}")).label(format!("this is {found}"))
}

/// A form that can enclose a filter of any type and keeps its type.
pub(super) enum Wrapper {
    Group,
    Fixed,
    Block(Vec<Cond>),
    Call(Vec<Cond>),
    At(Pos),
    Dash(Dash),
    Previous(Dash),
    Lookahead(Box<Lookahead>),
    Imagined(Imagined),
}

impl Wrapper {
    fn around<N>(self, value: N) -> Flow<N> {
        match self {
            Wrapper::Group => Flow::Group(value),
            Wrapper::Fixed => Flow::Fixed(value),
            Wrapper::Block(tests) => Flow::Block { tests, value },
            Wrapper::Call(arguments) => Flow::Call { arguments, body: value },
            Wrapper::At(position) => Flow::At { position, value },
            Wrapper::Dash(dash) => Flow::Dash(dash, value),
            Wrapper::Previous(dash) => Flow::Previous(dash, value),
            Wrapper::Lookahead(moves) => Flow::Lookahead(moves, value),
            Wrapper::Imagined(imagined) => Flow::Imagined(imagined, value),
        }
    }
}

impl Filter {
    /// Encloses the filter in a form that passes its value on.
    pub(super) fn with_flow(self, span: Span, form: Wrapper) -> Filter {
        fn around<E: Expression>(value: Box<Node<E>>, span: Span, form: Wrapper) -> Filter {
            Filter::new(E::flow(form.around(value)), span)
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
