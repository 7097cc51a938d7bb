//! Makes a typed query from tokens, by a descent that knows the type of everything it has read.
//!
//! Operators attach by type (1.5.2 of the language reference), so the tree depends on types, and types depend on the variables and
//! functions declared so far. The [`Builder`] therefore reads tokens, declares names and builds typed nodes in one pass. [`primary`] has
//! the rule for each form of the grammar, and [`word_table`] for each word that opens no form. [`climb`] joins operands by operators, and
//! the other files have the rules by family.
//!
//! Each part uses only those before it: `theme_lookup`, `options`, `cursor`, `operators`, `prelude`, `names`, `declarations`, `prelude_names`,
//! `symbols`, `themes`, `builder`, `effects`, `hhdb`, `tree`, `move_filters`, `variables`, `misplaced`, `slips`, `persistent`, `loops`, `compare`, `word_table`, `control`,
//! `sets`, `endgames`, `patterns`, `files`, `echo`, `unknown`, `transforms`, `sides`, `surroundings`, `text`, `dictionaries`, `numbers`, `similar`,
//! `header`, `theme`, `like_board`, `lines`, `sequences`, `expect`, `condition`, `commands`, `imagined`, `paths`, `climb`, `primary`, `assign`, `errors`, `functions`,
//! `prelude_calls`.

mod assign;
mod builder;
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
mod expect;
mod files;
mod functions;
mod header;
mod hhdb;
mod imagined;
mod like_board;
mod lines;
mod loops;
mod misplaced;
mod move_filters;
mod names;
mod numbers;
mod operators;
mod options;
mod paths;
mod patterns;
mod persistent;
pub mod prelude;
mod prelude_calls;
mod prelude_names;
mod primary;
mod sequences;
mod sets;
mod sides;
mod similar;
mod slips;
mod surroundings;
mod symbols;
mod text;
mod theme;
mod theme_lookup;
mod themes;
mod transforms;
mod tree;
mod unknown;
mod variables;
mod word_table;

use crate::syntax::format::Outline;
use crate::syntax::{Diagnostic, Source, parse};

use builder::Builder;
pub(crate) use builder::TypedQuery;

pub use hhdb::{hhdb_words, is_hhdb_award_word, is_hhdb_text_word};
pub use options::{Annotations, HeaderOptions, MatchSides, Options, Vocabulary};
pub use theme_lookup::{NamedQuery, NotFound, ThemeLookup};

/// Parses a query.
///
/// # Errors
///
/// Returns the first error, with advice.
pub(crate) fn typed(source: &Source, options: &Options) -> Result<TypedQuery, Diagnostic> {
    slips::typed(source, options).map_err(|error| slips::advised(source, options, error))
}

/// Returns whether a text compiles. It looks for no advice, so it is the fastest way to find out.
pub fn compiles(source: &Source, options: &Options) -> bool {
    slips::typed(source, options).is_ok()
}

/// The known names in the order of their declarations, each with a description: `a set variable`, `a function`.
pub(crate) type KnownNames = Vec<(String, &'static str)>;

/// Returns the query or its errors in the order in which they are met, and the names that are known even if there is an error.
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

/// Returns where the filters of a query begin and end, for [`format`](mod@crate::syntax::format). A query that searches variations may be meant
/// for an option that asks for them, so filters that need them are accepted.
///
/// # Errors
///
/// Returns the same errors as `compile`.
pub fn outline(source: &Source, options: &Options) -> Result<Outline, Diagnostic> {
    let mut options = options.clone();
    options.header.variations = Some(true);
    let options = &options;
    let outlined = || {
        let mut builder = Builder::new(parse(source)?, source, options);
        builder.outline = Some(Outline::default());
        builder.query(source, options)?;
        Ok(builder.outline.unwrap_or_default())
    };
    outlined().map_err(|error| slips::advised(source, options, error))
}
