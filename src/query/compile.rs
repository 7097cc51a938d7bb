//! Compiles a text to a query that is ready to be evaluated: parses it, simplifies it, and decides what can be decided before games are
//! read.

use crate::game::part_of_name;
use crate::syntax::{Diagnostic, Source};

use super::algebra::BoardCond;
use super::ast::facts;
use super::ast::visit::ChildMut;
use super::compiled::Query;
use super::facts::bindings::Bindings;
use super::facts::purity::Purity;
use super::optimize::{memoize, selection, simplify};
use super::parse::{self, Options, TypedQuery};
use super::prefilter::{GamePrefilter, Prefilter, Themes, Verdict};
use super::shortcuts::Shortcuts;

/// Compiles a query.
///
/// # Errors
///
/// Returns the first error in the text or the options; [`Options::text_of`] says where it is.
pub fn compile(source: &Source, options: &Options) -> Result<Query, Diagnostic> {
    Ok(planned(parse::typed(source, options)?, options))
}

/// A compiled text. Its names are known even if it has errors: those declared before the error.
#[derive(Debug)]
pub struct Analysis {
    /// The query, or its errors in the order in which the compiler meets them, up to one after which nothing can be read.
    pub result: Result<Query, Vec<Diagnostic>>,
    /// The known names in the order of their declarations, each with a description: `a set variable`, `a function`.
    pub names: Vec<(String, &'static str)>,
}

/// Compiles a text that is still being written. See [`compile`].
pub fn analyze(source: &Source, options: &Options) -> Analysis {
    let (result, names) = parse::typed_or_errors(source, options);
    Analysis {
        result: result.map(|typed| planned(typed, options)),
        names,
    }
}

/// Simplifies a query and decides how it is evaluated.
pub(super) fn planned(typed: TypedQuery, options: &Options) -> Query {
    let TypedQuery {
        header,
        narrowing,
        mut selection,
        mut body,
        mut variables,
        persistent,
        dictionaries,
        bound_names,
        sort_keys,
        columns,
        exchanges_colors,
        file_access,
        runs,
        similar,
        asks_for_last_path,
        ambiguous: _,
        themes,
    } = typed;
    let shortcuts = options.shortcuts;
    let asks_for_names = !bound_names.is_empty();
    let keeps_comments = options.annotations.always_comment;
    let themes = if shortcuts.contains(Shortcuts::THEMES) {
        let whole = (!themes.is_transformed).then_some((&themes.whole, themes.end));
        Themes {
            places: &themes.places,
            whole,
            purity: Purity {
                bindings: &Bindings::of(&body, &persistent, asks_for_names),
                keeps_comments,
                asks_for_last_path,
            },
        }
        .of(&body, &header)
    } else {
        GamePrefilter::None
    };
    if shortcuts.contains(Shortcuts::SELECTION) {
        selection.extend(selection::game_tests(&mut body));
        selection.extend(selection::game_front(&body, &persistent));
    }
    if shortcuts.contains(Shortcuts::SIMPLIFY) {
        simplify::simplify(&mut body, &mut variables, &persistent, asks_for_names, shortcuts);
    }
    facts::refresh(ChildMut::Condition(&mut body));
    let memos = memoize::plan(&mut body, &persistent, shortcuts);
    // Filters that are remembered cost less.
    facts::refresh(ChildMut::Condition(&mut body));
    let bindings = Bindings::of(&body, &persistent, asks_for_names);
    let purity = Purity {
        bindings: &bindings,
        keeps_comments,
        asks_for_last_path,
    };
    let prefilter = Prefilter::of(&body, purity, &header);
    let game_prefilter = GamePrefilter::of(&prefilter, &header);
    let prefilter = if shortcuts.contains(Shortcuts::GLANCE) {
        prefilter.at_a_glance()
    } else {
        Prefilter::Open
    };
    let condition = BoardCond::of_body(&body, &bindings).filter(|_| shortcuts.contains(Shortcuts::VERDICT));
    let verdict = condition.map(|condition| Verdict::new(condition, &prefilter));
    let filters = narrowing.iter().chain(&selection).chain([&body]);
    Query {
        reads: filters.map(|filter| filter.facts.reads).collect(),
        narrowing,
        first_of_game: options.first_of_game,
        selection,
        game_prefilter,
        themes,
        prefilter,
        verdict,
        bindings,
        body,
        header,
        variables,
        persistent,
        dictionaries,
        file_access,
        bound_names,
        sort_keys,
        columns,
        exchanges_colors,
        by_player: options.by_player.as_deref().map(part_of_name),
        tablebase: options.tablebase.clone(),
        annotations: options.annotations,
        memos,
        runs,
        similar,
        shortcuts,
    }
}
