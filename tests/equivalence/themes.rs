//! A database that knows in which games themes hold gives the same answers as PGN.

use skewer::library;
use skewer::output::FormatName;

use super::random::{GAMES, LONG};
use super::ways::Games;

/// Themes of all kinds: boards, moves, lines, conditions on whole games, tags, and some that match no game.
const THEMES: [&str; 14] = [
    "mates/double-check-mate",
    "mates/mate-in-the-centre",
    "mates/smothered-mate",
    "motifs/absolute-pin",
    "motifs/discovered-check",
    "motifs/en-passant",
    "motifs/hanging-piece",
    "motifs/promotion",
    "motifs/zwischenzug",
    "games/draw-by-repetition",
    "games/ends-with-mate",
    "games/upset",
    "games/underpromotion",
    "tactics/puzzle-zugzwang",
];

#[test]
fn a_database_with_themes_finds_the_same() {
    let games = Games::with_themes([GAMES, LONG].join("\n").repeat(4).as_bytes(), &THEMES);
    let mut faults = Vec::new();
    for (number, name) in THEMES.into_iter().enumerate() {
        let other = THEMES[(number * 5 + 3) % THEMES.len()];
        let own = library::named(name)[0].text().to_owned();
        let queries = [
            format!("theme \"{name}\""),
            format!("theme \"{name}\" not theme \"{other}\""),
            format!("theme \"{name}\" or theme \"{other}\""),
            format!("{{wtm or ply>3}} {{theme \"{other}\"}} and theme \"{name}\" message(positionid)"),
            format!("message(positionid) theme \"{name}\""),
            format!("find theme \"{name}\""),
            format!("flipcolor theme \"{name}\""),
        ];
        let headers = ["cql()", "cql(variations)", "cql(matchcount 0 3)", "cql(gamenumber 2 7)"];
        let header = |query: usize| headers[(number + query) % headers.len()];
        let queries = queries.iter().enumerate();
        let queries = queries.map(|(place, query)| format!("{} {query}", header(place)));
        for (place, text) in [own].into_iter().chain(queries).enumerate() {
            let format = [FormatName::Pgn, FormatName::Ids][(number + place) % 2];
            let answers = games.answers(&text, number + place, format).expect("it compiles");
            if !answers.others.is_empty() {
                faults.push(games.fault(&text, number + place, format));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n\n{}", faults.len(), faults.join("\n"));
}
