//! What there is to say about a query at a position.

/// Why a query matches at a position, or why not.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Why {
    /// The text of the query. Places in it are counted in UTF-16 code units, as editors do.
    pub query: String,
    /// The position.
    pub position: Place,
    /// Whether it matches.
    pub matches: bool,
    /// What there is to say, in plain words.
    pub sentences: Vec<String>,
    /// Squares that they refer to.
    pub marks: Vec<String>,
    /// Everything was noted that was asked; otherwise the parts show as much as there was room for.
    pub whole: bool,
    /// The filters of the query, all of which have to match.
    pub parts: Vec<Part>,
    /// What if one of the filters that fail were not there, each by itself.
    pub removals: Vec<Removal>,
    /// The smallest change that was found under which the position matches.
    pub nearest: Option<Nearest>,
    /// All changes were tried that come into question; otherwise there were too many.
    pub all_tried: bool,
}

/// A position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Place {
    /// The number of the game.
    pub game: u64,
    /// The `positionid`.
    pub id: u32,
    /// The position.
    pub fen: String,
    /// The move that led there, with its number.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub last_move: Option<String>,
}

/// A part of a query and what it says.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Part {
    /// Its text.
    pub text: String,
    /// Where it begins in the text of the query, if it stands there.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub from: Option<usize>,
    /// Where it ends.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub to: Option<usize>,
    /// `condition`, `set`, `number`, `string` or `position`.
    pub kind: &'static str,
    /// What it says, if it was asked and has a value.
    pub value: Option<Value>,
    /// Whether it was asked.
    pub asked: bool,
    /// Whether it matches where a match is asked.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub matches: Option<bool>,
    /// Whether what is around it fails because of it.
    pub blamed: bool,
    /// The same in plain words, where there is something to say.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub sentence: Option<String>,
    /// Which copy of a transform it is. Of several, the one that matches is shown, or the one that comes nearest.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub copy: Option<TransformCopy>,
    /// It was asked more than once, or elsewhere; what it says is what it says in one of these rounds.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub rounds: Option<Rounds>,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A value of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Value {
    /// Of a condition.
    Truth(bool),
    /// Of a number.
    Number(i32),
    /// Of a set.
    Squares(Vec<String>),
    /// Of a string.
    Text(String),
    /// Of a position.
    Position {
        /// The `positionid`.
        id: u32,
        /// The move that led there, with its number.
        last_move: Option<String>,
    },
}

/// A copy of a transform.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TransformCopy {
    /// Its number, from 1.
    pub number: usize,
    /// How many different copies there are.
    pub of: usize,
    /// `written`, `exchanged`, or `both` if it is its own mirror image.
    pub colors: &'static str,
}

/// How often a part was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Rounds {
    /// `squares`, `positions`, `moves` or `tries`.
    pub of: &'static str,
    /// How often it was asked.
    pub asked: usize,
    /// How often it matched.
    pub matched: usize,
    /// The square, position or move of the round that is shown.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub shown: Option<String>,
}

/// What if a filter were not there.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Removal {
    /// Where it begins in the text of the query.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Its text.
    pub text: String,
    /// The position would match.
    pub matches: bool,
}

/// A change of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Nearest {
    /// What is changed, in the order of the text.
    pub changes: Vec<Change>,
    /// The changed query.
    pub query: String,
    /// The same in plain words.
    pub sentence: String,
}

/// A change of the text of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Change {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What stands there.
    pub text: String,
    /// What stands there instead; nothing if it is taken away.
    pub insert: String,
}
