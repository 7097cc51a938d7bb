//! Tests the formats on a game made by hand.

use std::borrow::Cow;

use shakmaty::Color;

use super::*;
use crate::board::Board;
use crate::chess::{Arrival, MoveKind};
use crate::eval::report::{GameReport, SortValue};
use crate::game::Position;

/// A game without real moves: all its `positions` are the start position, with alternating sides to move.
#[derive(Default)]
pub(crate) struct FakeGame {
    pub(crate) number: u64,
    positions: Vec<Position>,
}

impl FakeGame {
    pub(crate) fn new(number: u64, first: Color, plies: u16) -> FakeGame {
        let positions = (0..=plies).map(|ply| Position {
            board: Board::from(&shakmaty::Board::default()),
            turn: if ply % 2 == 0 { first } else { !first },
            arrival: Arrival {
                kind: MoveKind::None,
                from: shakmaty::Square::E1,
                to: shakmaty::Square::E1,
                promotion: None,
                captured: None,
            },
            id: ply.into(),
            parent: ply.saturating_sub(1).into(),
            last: plies.into(),
            ply,
            depth: 0,
            choice: 0,
        });
        FakeGame {
            number,
            positions: positions.collect(),
        }
    }
}

impl GameFacts for FakeGame {
    fn source(&self) -> &str {
        "some folder/games.pgn"
    }

    fn number(&self) -> u64 {
        self.number
    }

    fn tag(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Borrowed(match name {
            b"White" => "Réti, Richard".as_bytes(),
            // Latin-1
            b"Black" => b"Gr\xfcnfeld \"Ernst\"",
            b"Event" => b"?",
            b"Site" => b"Vienna\tor so",
            b"Date" => b"1910.??.??",
            b"Result" => b"1-0",
            _ => return None,
        }))
    }

    fn value(&self, _name: &[u8]) -> Option<Cow<'_, [u8]>> {
        None
    }

    fn outcome(&self) -> shakmaty::Outcome {
        shakmaty::Outcome::Unknown
    }

    fn rating(&self, player: Color) -> Option<u16> {
        player.is_black().then_some(2500)
    }

    fn date(&self) -> crate::game::Date {
        crate::game::Date::default()
    }

    fn positions(&self) -> &[Position] {
        &self.positions
    }

    fn write_fen(&self, position: &Position, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("board {} - - 0 {}", position.turn.char(), position.id).as_bytes());
    }

    fn write_move(&self, position: &Position, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{}.--", position.id).as_bytes());
    }

    fn write_san(&self, _position: &Position, out: &mut Vec<u8>) {
        out.extend_from_slice(b"--");
    }

    fn write_tried(&self, _position: &Position, tried: &Arrival, out: &mut Vec<u8>) {
        out.extend_from_slice(tried.to.to_string().as_bytes());
    }

    fn write_tried_san(&self, position: &Position, tried: &Arrival, out: &mut Vec<u8>) {
        self.write_tried(position, tried, out);
    }

    fn write_uci(&self, _position: &Position, out: &mut Vec<u8>) {
        out.extend_from_slice(b"0000");
    }

    fn each_tag(&self, visit: &mut dyn FnMut(&[u8], &[u8])) {
        visit(b"Site", b"Vienna");
    }

    fn write_pgn(&self, report: &GameReport, out: &mut Vec<u8>) {
        let (number, positions, comments) = (self.number, self.positions.len(), report.comments.len());
        out.extend_from_slice(format!("game {number} of {positions} positions, {comments} comments\n\n\n").as_bytes());
    }

    fn write_continuation(&self, position: &Position, plies: Option<u32>, _report: &GameReport, out: &mut Vec<u8>) {
        let (number, id) = (self.number, position.id);
        out.extend_from_slice(format!("game {number} from {id}, plies: {plies:?}\n\n\n").as_bytes());
    }
}

fn report(matched: bool, positions: &[u32]) -> GameReport {
    GameReport {
        matched,
        positions: positions.to_vec(),
        ..GameReport::default()
    }
}

/// Returns everything that a format writes for two games. The second does not match, although one of its positions does.
fn written(name: FormatName) -> String {
    let format = name.format(&[]);
    let mut out = Vec::new();
    format.begin(&SearchInfo::default(), &mut out);
    format.game(&FakeGame::new(7, Color::White, 3), &report(true, &[3, 0]), &mut out);
    format.game(&FakeGame::new(8, Color::White, 3), &report(false, &[2]), &mut out);
    format.end(
        &Totals {
            games: 9,
            matches: 1,
            positions: 3,
            ..Totals::default()
        },
        &mut out,
    );
    String::from_utf8(out).unwrap()
}

#[test]
fn pgn_has_games_that_match() {
    assert_eq!(written(FormatName::Pgn), "game 7 of 4 positions, 0 comments\n\n\n");
}

#[test]
fn ids_are_in_order_of_evaluation_and_complete() {
    assert_eq!(written(FormatName::Ids), "7:3\n7:0\n8:2\n");
}

#[test]
fn fen_has_positions_of_matching_games() {
    assert_eq!(written(FormatName::Fen), "board b - - 0 3\nboard w - - 0 0\n");
}

#[test]
fn count_has_two_lines() {
    assert_eq!(written(FormatName::Count), "games: 1\npositions: 3\n");
}

/// The columns that users rely on.
const COLUMNS: [&str; 19] = [
    "file",
    "game",
    "positionid",
    "ply",
    "movenumber",
    "side",
    "fen",
    "white",
    "black",
    "white_elo",
    "black_elo",
    "event",
    "site",
    "date",
    "result",
    "eco",
    "move",
    "comment",
    "query_side",
];

#[test]
fn csv_quotes_what_needs_it_and_is_utf8() {
    let text = written(FormatName::Csv);
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    assert_eq!(*reader.headers().unwrap(), COLUMNS[..]);
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2);
    let cells = [
        "some folder/games.pgn",
        "7",
        "3",
        "3",
        "2",
        "black",
        "board b - - 0 3",
        "Réti, Richard",
        "Grünfeld \"Ernst\"",
        "",
        "2500",
        "?",
        "Vienna\tor so",
        "1910.??.??",
        "1-0",
        "",
        "--",
        "",
        "",
    ];
    assert_eq!(rows[0], cells[..]);
}

#[test]
fn texts_that_look_like_formulas_can_be_quoted() {
    let quoted = |text: &str| csv::quoted(text.into()).into_owned();
    for (text, expected) in [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        (" =1+1", "' =1+1"),
        ("\n=2+2", "'\n=2+2"),
        ("\u{a0}@x", "'\u{a0}@x"),
        ("＝1+1", "'＝1+1"),
        ("＋1", "'＋1"),
        ("－1", "'－1"),
        ("＠x", "'＠x"),
        ("'=1", "'=1"),
        ("a=1", "a=1"),
        ("", ""),
    ] {
        assert_eq!(quoted(text), expected);
    }
}

/// A page runs its own script and no other, whatever a game contains.
#[test]
fn pages_allow_their_own_script_only() {
    let index = QueryIndex {
        title: "queries".into(),
        sections: Vec::new(),
    };
    for page in [written(FormatName::Html), index.html()] {
        let element = |page: &str| {
            Some(
                page.rsplit_once("<script type=\"module\">")?
                    .1
                    .split_once("</script>")?
                    .0
                    .to_owned(),
            )
        };
        let allowed = script::source(&element(&page).unwrap());
        let policy = format!("script-src {allowed}");
        assert_eq!(page.matches(&policy).count(), 1, "{policy}");
        assert_eq!(page.matches("script-src").count(), 1);
    }
}
#[test]
fn move_numbers_begin_with_the_initial_position() {
    for (first, expected) in [
        (Color::White, ["1", "1", "2", "2"]),
        (Color::Black, ["1", "2", "2", "3"]),
    ] {
        let mut out = Vec::new();
        FormatName::Csv
            .format(&[])
            .game(&FakeGame::new(1, first, 3), &report(true, &[0, 1, 2, 3]), &mut out);
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(&out[..]);
        let numbers: Vec<_> = reader.records().map(|row| row.unwrap()[4].to_owned()).collect();
        assert_eq!(numbers, expected, "{first} begins");
    }
}

#[test]
fn json_has_the_columns_of_the_table_in_its_order() {
    let text = written(FormatName::Jsonl);
    let first = text.lines().next().unwrap();
    let places: Vec<_> = COLUMNS
        .iter()
        .map(|column| first.find(&format!("\"{column}\":")))
        .collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{first}");
    let value: serde_json::Value = serde_json::from_str(first).unwrap();
    assert_eq!(value.as_object().unwrap().len(), COLUMNS.len());
    assert_eq!(value["positionid"], 3);
    assert_eq!(value["black"], "Grünfeld \"Ernst\"");
    assert_eq!(value["white_elo"], serde_json::Value::Null);
    assert_eq!(value["black_elo"], 2500);
}

#[test]
fn json_has_sort_values_and_set_tags() {
    let key = |title: &[u8]| SortKey {
        title: title.to_vec(),
        ascending: false,
        quiet: false,
        text: false,
    };
    let format = FormatName::Jsonl.format(&[key(b"checks"), key(b"name"), key(b"none")]);
    let report = GameReport {
        keys: vec![
            Some(SortValue::Number(-4)),
            Some(SortValue::Text(b"Gr\xfcnfeld".to_vec())),
            None,
        ],
        tags: vec![(b"Theme".to_vec(), b"pin".to_vec())],
        ..report(true, &[1])
    };
    let mut out = Vec::new();
    format.game(&FakeGame::new(1, Color::White, 1), &report, &mut out);
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(
        value["sort"],
        serde_json::json!({"checks": -4, "name": "Grünfeld", "none": null})
    );
    assert_eq!(value["tags"], serde_json::json!({"Theme": "pin"}));
}

#[test]
fn a_position_that_does_not_exist_is_left_out() {
    let mut out = Vec::new();
    FormatName::Fen
        .format(&[])
        .game(&FakeGame::new(1, Color::White, 1), &report(true, &[9]), &mut out);
    assert!(out.is_empty());
}
