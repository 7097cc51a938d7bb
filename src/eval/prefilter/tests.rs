use std::iter;

use super::*;
use crate::pgn::sample;
use crate::query::{self, Options, Query};
use crate::syntax::Source;

/// Games of masters.
const GAMES: &str = include_str!("../../../tests/golden/pgn/classics.pgn");

/// Conditions of all forms. Stretches cannot decide some of them.
const QUERIES: [&str; 32] = [
    "Kg1",
    "Kg1 Q q",
    "flipcolor {Kg1 kc8}",
    "shift {Pe5 pe6}",
    "R==1 r==1",
    "[Nn]==0",
    "not q",
    "#P > #p",
    "_g7",
    "_d4 Pd3",
    "A attacks k",
    "#(A attacks k)>=2",
    "ray (R k)",
    "ray diagonal (B _ k)",
    "xray (R a k)",
    "pin through n from B to q",
    "R->A->q",
    "passedpawns & Pa-h6-7",
    "piece x in [QRB] {x attacks k and x attackedby [rn]}",
    "square all s in a-h8 {s in _ or s attackedby [Aa]}",
    "{down 1 k} & ~a",
    "Q & up 1 _",
    "flipcolor {P & up {P & up P}}",
    "doubledpawns & isolatedpawns",
    "not passedpawns",
    "#P - #p == 1",
    "P attacks p",
    "pe5 attackedby P or pd4",
    "shift {Pd4 Pe5 pe6}",
    "passedpawns & P & down 1 _",
    "piece x in passedpawns {x attackedby R or Na8}",
    "power P > power p",
];

fn games() -> Vec<Game> {
    sample::games_side_by_side(GAMES)
}

fn query(filters: &str) -> Query {
    let source = Source::new("q.cql", format!("cql() {filters}"));
    query::compile(&source, &Options::default()).unwrap()
}

/// Returns what is selected, with or without a test of stretches first, and its cost.
fn selected(query: &Query, asks_stretches: bool, game: &Game) -> (Vec<u32>, u64) {
    let mut selected = Selected::new(query.shortcuts);
    selected.fill(game.len());
    selected.asks_stretches = asks_stretches;
    selected.ask(&query.prefilter, query.verdict.as_ref(), game);
    let mut ids = Vec::new();
    selected.write_ids(&mut ids);
    (ids, selected.taken)
}

#[test]
fn stretches_leave_out_nothing_that_is_selected() {
    let games = games();
    let mut found = 0;
    for filters in QUERIES {
        let query = query(filters);
        let mut finds = false;
        for game in &games {
            let (ids, _) = selected(&query, false, game);
            finds |= !ids.is_empty();
            let (left, _) = selected(&query, true, game);
            assert_eq!(left, ids, "{filters}");
        }
        found += usize::from(finds);
    }
    assert!(found > 12, "{found} queries find something");
}

#[test]
fn what_is_asked_before_a_verdict_leaves_all_that_fulfils_it() {
    /// Only certain squares come into question.
    const WITH_SQUARES: [&str; 16] = [
        "ray diagonal (Ba-h1-4 g7)",
        "ray diagonal (B _ kg8)",
        "ray vertical (Ra-h1-2 q)",
        "ray orthogonal (Rd1 [Pp] qd8)",
        "xray (Ab1-7 a k)",
        "xray (A a ka-h8)",
        "R attacks kg8",
        "#([QRBN] attacks kf7-8)>=2",
        "Pe4-5 attacks p",
        "pd4-6 attackedby Na-h3-4",
        "Ra1 attacks R",
        "light B & a-h1-3 attacks n",
        "dark (b & a-h5-8)",
        "pin through n from Ba-h4-5 to qd8",
        "flipcolor {P & passedpawns & a-h6-7}",
        "Ke1 attacks R or kg8 attacks r",
    ];
    let games = games();
    let (mut asked, mut found) = (0, 0);
    for filters in QUERIES.into_iter().chain(WITH_SQUARES) {
        let [query, mut alone] = [query(filters), query(filters)];
        let Some(verdict) = &mut alone.verdict else {
            continue;
        };
        verdict.before = Prefilter::Open;
        let ids = |query: &Query| games.iter().map(|game| selected(query, false, game).0).collect();
        let expected: Vec<Vec<u32>> = ids(&alone);
        assert_eq!(ids(&query), expected, "{filters}");
        asked += 1;
        found += usize::from(expected.iter().any(|ids| !ids.is_empty()));
    }
    assert!(
        asked > 40 && found > 24,
        "{asked} queries are asked, {found} find something"
    );
}

#[test]
fn stretches_spare_positions() {
    let games = games();
    games.iter().for_each(|game| assert!(!game.stretches().is_empty()));
    for filters in ["flipcolor {Kg1 kc8 Q q}", "ray vertical (Q R k)"] {
        let query = query(filters);
        let taken = |asks| games.iter().map(|game| selected(&query, asks, game).1).sum::<u64>();
        let (usual, spared) = (taken(false), taken(true));
        assert!(spared < usual, "{filters}: {spared} and {usual}");
    }
}

#[test]
fn the_ids_are_the_places_of_the_bits() {
    let patterns = [
        0,
        1,
        1 << 63,
        u64::MAX,
        u64::MAX << 7,
        u64::MAX >> 9,
        0xaaaa_5555_f00f_0ff1,
    ];
    for (first, second) in patterns
        .iter()
        .flat_map(|first| patterns.map(|second| (*first, second)))
    {
        let selected = Selected {
            words: Words::from_slice(&[first, second]),
            ..Selected::default()
        };
        let mut ids = vec![7];
        selected.write_ids(&mut ids);
        let is_set = |id: &u32| [first, second][*id as usize / 64] >> (id % 64) & 1 == 1;
        let expected: Vec<u32> = iter::once(7).chain((0..128).filter(is_set)).collect();
        assert_eq!(ids, expected, "{first:x} {second:x}");
    }
}
