//! The parameters in `cql( … )`.

use shakmaty::KnownOutcome;

/// The header of a query: which games and positions are searched, and what is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The PGN file to read.
    pub input: Option<String>,
    /// The PGN file to write.
    pub output: Option<String>,
    /// Whether positions of variations are searched, too.
    pub variations: bool,
    /// Which comments are added.
    pub comments: CommentLevel,
    /// The comment on matching positions, instead of `CQL`.
    pub match_string: Option<Vec<u8>>,
    /// Results that must all hold.
    pub results: Vec<KnownOutcome>,
    /// The range of games to search, both ends included.
    pub games: Option<(i32, i32)>,
    /// How many matching positions make a game match, both ends included; at least one if not given.
    pub match_count: Option<(i32, i32)>,
    /// Whether games are also sorted by the number of matching positions.
    pub sort_match_count: bool,
}

/// Which comments a search adds to its output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommentLevel {
    /// All comments.
    #[default]
    Normal,
    /// All except the match string and most automatic comments.
    Quiet,
    /// No comments.
    Silent,
}

impl Header {
    /// Returns whether a game with this many matching positions matches.
    pub fn matches(&self, positions: usize) -> bool {
        match self.match_count {
            None => positions > 0,
            Some((least, most)) => i32::try_from(positions).is_ok_and(|positions| (least..=most).contains(&positions)),
        }
    }
}

/// Returns whether a text begins with `cql (`, after any comments.
pub fn has_header(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some(comment) = comment_length(rest) {
        rest = rest[comment..].trim_start();
    }
    rest.strip_prefix("cql")
        .is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Returns the length of the comment at the start of the text, if there is one.
fn comment_length(text: &str) -> Option<usize> {
    if let Some(comment) = text.strip_prefix("/*") {
        return comment.find("*/").map(|end| end + 4);
    }
    let is_line = text.starts_with("//") || text.starts_with(';');
    is_line.then(|| text.find('\n').unwrap_or(text.len()))
}
