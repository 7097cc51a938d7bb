//! The answer about a query at a position.

/// Says why a query matches at a position, or why not.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Why {
    /// The text of the query. Offsets in it are counted in UTF-16 code units, as editors do.
    pub query: String,
    /// The position.
    pub position: Place,
    /// Whether it matches.
    pub matches: bool,
    /// The answer in plain words.
    pub sentences: Vec<String>,
    /// Squares that the sentences refer to.
    pub marks: Vec<String>,
    /// Whether all values were noted. Otherwise the parts only show those for which there was room.
    pub whole: bool,
    /// The filters of the query, all of which have to match.
    pub parts: Vec<Part>,
    /// The effect of removing each failing filter by itself.
    pub removals: Vec<Removal>,
    /// The smallest change found with which the position matches.
    pub nearest: Option<Nearest>,
    /// Whether all possible changes were tried. Otherwise there were too many.
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

/// A part of a query and its value.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Part {
    /// Its text.
    pub text: String,
    /// Where it begins in the text of the query, if it is in the text.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub from: Option<usize>,
    /// Where it ends.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub to: Option<usize>,
    /// `condition`, `set`, `number`, `string` or `position`.
    pub kind: &'static str,
    /// Its value, if it was evaluated and has one.
    pub value: Option<Value>,
    /// Whether it was evaluated.
    pub asked: bool,
    /// Whether it matches, if a match is what counts.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub matches: Option<bool>,
    /// Whether the part around it fails because of it.
    pub blamed: bool,
    /// The reason in plain words, if there is one to tell.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub sentence: Option<String>,
    /// The copy of a transform, if it is one. Of several copies, the one that matches or comes nearest is shown.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub copy: Option<TransformCopy>,
    /// Set if it was evaluated more than once, or at another place. The part then shows its value in one of these rounds.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub rounds: Option<Rounds>,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// The value of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Value {
    /// The value of a condition.
    Truth(bool),
    /// The value of a number.
    Number(i32),
    /// The value of a set.
    Squares(Vec<String>),
    /// The value of a string.
    Text(String),
    /// The value of a position.
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
    /// The number of different copies.
    pub of: usize,
    /// `written`, `exchanged`, or `both` if it is its own mirror image.
    pub colors: &'static str,
}

/// How often a part was evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Rounds {
    /// `squares`, `positions`, `moves` or `tries`.
    pub of: &'static str,
    /// How often it was evaluated.
    pub asked: usize,
    /// How often it matched.
    pub matched: usize,
    /// The square, position or move of the round that is shown.
    #[cfg_attr(feature = "lsp", serde(skip_serializing_if = "Option::is_none"))]
    pub shown: Option<String>,
}

/// The effect of removing a filter.
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
    /// Whether the position would match.
    pub matches: bool,
}

/// A change of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "lsp", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Nearest {
    /// The changes, in the order of the text.
    pub changes: Vec<Change>,
    /// The changed query.
    pub query: String,
    /// The change in plain words.
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
    /// The text that is replaced.
    pub text: String,
    /// The text that replaces it. Empty if it is removed.
    pub insert: String,
}
