//! The tags that have columns of their own in tables of games, and the names of such columns.

/// The tags with columns of their own in a database, in the order of the columns.
pub(crate) const TAG_COLUMNS: [&str; 22] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteTitle",
    "BlackTitle",
    "WhiteElo",
    "BlackElo",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "UTCDate",
    "UTCTime",
    "EventDate",
    "ECO",
    "Opening",
    "Variation",
    "TimeControl",
    "Termination",
    "FEN",
];

/// Other known tags.
const MORE_TAGS: [&str; 3] = ["Annotator", "SetUp", "PlyCount"];

/// Returns the name of the tag that a column holds, and whether it is known: `white_elo` is `WhiteElo`. A space in another name becomes
/// `_`. Returns `None` if it cannot be the name of a tag.
pub(crate) fn tag_of_column(column: &str) -> Option<(String, bool)> {
    let plain = |name: &str| name.replace(['_', ' '], "").to_ascii_lowercase();
    let known = TAG_COLUMNS
        .into_iter()
        .chain(MORE_TAGS)
        .find(|tag| plain(tag) == plain(column));
    if let Some(known) = known {
        return Some((known.to_owned(), true));
    }
    let name = column.replace(' ', "_");
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then_some((name, false))
}
