//! Tests that random setups mean the same as their queries.
//!
//! Their JSON is compared with boards square by square.

use fastrand::Rng;
use serde_json::{Map, Value, json};
use shakmaty::{Bitboard, Color, Square};
use skewer::board::symmetry::{Symmetry, shift_with_full_lines};

use super::{Position, Positions, compiled, query, shown};

/// A condition on a board, read from the JSON of a setup.
#[derive(Clone)]
enum Test {
    Count { place: Place, least: usize, most: usize },
    Either(Vec<Place>),
    Arrow { kind: String, line: Vec<Place> },
    Side(Color),
}

#[derive(Clone)]
struct Place {
    /// Letters of pieces, with `_` for an empty square.
    pieces: String,
    zone: Zone,
}

#[derive(Clone)]
enum Zone {
    Squares(Bitboard),
    Color { light: bool },
    Near(char),
}

const ALL: &str = "KQRBNPkqrbnp_";

impl Place {
    fn read(value: &Value) -> Place {
        let text = value["pieces"].as_str().expect("pieces");
        let (denied, letters) = (text.starts_with('~'), text.trim_start_matches('~'));
        let is_listed = |letter: char| {
            let any = if letter.is_uppercase() { 'A' } else { 'a' };
            letters.contains(letter) || letters == "." || letter != '_' && letters.contains(any)
        };
        let zone = match value["zone"].as_str() {
            None => Zone::Squares(Bitboard::FULL),
            Some("light") => Zone::Color { light: true },
            Some("dark") => Zone::Color { light: false },
            Some(near) if near.starts_with("near ") => Zone::Near(near.chars().last().expect("a king")),
            Some(list) => Zone::Squares(squares(list)),
        };
        Place {
            pieces: ALL.chars().filter(|letter| is_listed(*letter) != denied).collect(),
            zone,
        }
    }

    fn on(&self, position: &Position) -> Vec<Square> {
        let in_zone = |square: &Square| match self.zone {
            Zone::Squares(squares) => squares.contains(*square),
            Zone::Color { light } => square.is_light() == light,
            Zone::Near(king) => Square::ALL
                .into_iter()
                .any(|other| position.letter(other) == king && other.distance(*square) == 1),
        };
        let fits = |square: &Square| in_zone(square) && self.pieces.contains(position.letter(*square));
        Square::ALL.into_iter().filter(fits).collect()
    }
}

/// Returns the squares of a designator such as `a-c1` or `[a1,c3-4]`.
fn squares(list: &str) -> Bitboard {
    let rectangle = |text: &str| {
        let ends = |low: char, high: char| {
            let found: Vec<char> = text.chars().filter(|c| (low..=high).contains(c)).collect();
            (found[0], found[found.len() - 1])
        };
        let (files, ranks) = (ends('a', 'h'), ends('1', '8'));
        let within = |square: &Square| {
            (files.0..=files.1).contains(&square.file().char()) && (ranks.0..=ranks.1).contains(&square.rank().char())
        };
        Square::ALL.into_iter().filter(within).collect::<Bitboard>()
    };
    list.trim_matches(['[', ']'])
        .split(',')
        .map(rectangle)
        .fold(Bitboard::EMPTY, |all, part| all | part)
}

impl Position {
    fn letter(&self, square: Square) -> char {
        self.letters[usize::from(square)]
    }

    /// Returns whether the piece on a square attacks another square, found step by step.
    fn attacks(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.board.piece_at(from) else {
            return false;
        };
        shakmaty::attacks::attacks(from, piece, self.board.occupied()).contains(to)
    }
}

impl Test {
    fn read(setup: &Value) -> Vec<Test> {
        let list = |name: &str| setup[name].as_array().cloned().unwrap_or_default();
        let mut tests = Vec::new();
        for (square, pieces) in setup["squares"].as_object().into_iter().flatten() {
            let place = Place::read(&json!({"pieces": pieces, "zone": square}));
            tests.push(Test::Count {
                place,
                least: 1,
                most: 64,
            });
        }
        for count in list("anywhere").iter().chain(&list("material")) {
            let number = |name: &str| count[name].as_u64().map(|number| number as usize);
            tests.push(Test::Count {
                place: Place::read(count),
                least: number("least").unwrap_or(usize::from(number("most").is_none())),
                most: number("most").unwrap_or(64),
            });
        }
        for group in list("either") {
            tests.push(Test::Either(
                group.as_array().expect("a group").iter().map(Place::read).collect(),
            ));
        }
        for arrow in list("arrows") {
            let through = arrow["through"].as_array().cloned().unwrap_or_default();
            let ends = [&arrow["from"]].into_iter().chain(&through).chain([&arrow["to"]]);
            tests.push(Test::Arrow {
                kind: arrow["kind"].as_str().expect("a kind").to_owned(),
                line: ends.map(Place::read).collect(),
            });
        }
        tests.extend(
            setup["side"]
                .as_str()
                .map(|side| Test::Side(if side == "w" { Color::White } else { Color::Black })),
        );
        tests
    }

    fn holds(&self, position: &Position) -> bool {
        match self {
            Test::Count { place, least, most } => (*least..=*most).contains(&place.on(position).len()),
            Test::Either(places) => places.iter().any(|place| !place.on(position).is_empty()),
            Test::Side(side) => position.turn == *side,
            Test::Arrow { kind, line } if kind == "attacks" => {
                let (from, to) = (line[0].on(position), line[1].on(position));
                from.iter().any(|from| to.iter().any(|to| position.attacks(*from, *to)))
            }
            Test::Arrow { kind, line } => {
                let places: Vec<Vec<Square>> = line.iter().map(|place| place.on(position)).collect();
                let steps = [-1, 0, 1]
                    .into_iter()
                    .flat_map(|files| [-1, 0, 1].map(|ranks| (files, ranks)));
                steps.filter(|step| *step != (0, 0)).any(|step| {
                    let slides = |square: Square| {
                        let is_straight = step.0 == 0 || step.1 == 0;
                        let sliders = if is_straight { "QRqr" } else { "QBqb" };
                        kind == "ray" || sliders.contains(position.letter(square))
                    };
                    places[0]
                        .iter()
                        .any(|first| slides(*first) && goes_on(position, *first, step, &places[1..]))
                })
            }
        }
    }

    fn places_mut(&mut self) -> Vec<&mut Place> {
        match self {
            Test::Count { place, .. } => vec![place],
            Test::Either(places) | Test::Arrow { line: places, .. } => places.iter_mut().collect(),
            Test::Side(_) => Vec::new(),
        }
    }
}

/// Returns whether the next places follow one another from a square in steps, with only empty squares between.
fn goes_on(position: &Position, from: Square, step: (i32, i32), places: &[Vec<Square>]) -> bool {
    let Some((next, rest)) = places.split_first() else {
        return true;
    };
    let mut square = from;
    loop {
        let (file, rank) = (i32::from(square.file()) + step.0, i32::from(square.rank()) + step.1);
        if !(0..8).contains(&file) || !(0..8).contains(&rank) {
            return false;
        }
        square = Square::new((rank * 8 + file) as u32);
        if next.contains(&square) && goes_on(position, square, step, rest) {
            return true;
        }
        if position.letter(square) != '_' {
            return false;
        }
    }
}

/// Returns the copies of tests that a transform makes. A copy is left out if one of its places has no square left.
fn transformed(tests: &[Test], word: &str) -> Vec<Vec<Test>> {
    let symmetries = |list: &[Symmetry]| list.iter().map(|symmetry| changed(tests, *symmetry, false)).collect();
    let shifts = |files: std::ops::RangeInclusive<i32>, ranks: std::ops::RangeInclusive<i32>| {
        let all = files.flat_map(|files| ranks.clone().map(move |ranks| (files, ranks)));
        all.filter_map(|(files, ranks)| shifted(tests, files, ranks)).collect()
    };
    use Symmetry::*;
    match word {
        "flipcolor" => vec![tests.to_vec(), changed(tests, ReflectH, true)],
        "flip" => symmetries(&Symmetry::ALL),
        "flipvertical" => symmetries(&[Identity, ReflectV]),
        "fliphorizontal" => symmetries(&[Identity, ReflectH]),
        "rotate90" => symmetries(&[Identity, Clockwise90, Rotate180, Counterclockwise90]),
        "shift" => shifts(-7..=7, -7..=7),
        "shifthorizontal" => shifts(-7..=7, 0..=0),
        _ => shifts(0..=0, -7..=7),
    }
}

fn changed(tests: &[Test], symmetry: Symmetry, exchanges_colors: bool) -> Vec<Test> {
    let swapped = |letter: char| match letter {
        _ if !exchanges_colors => letter,
        letter if letter.is_uppercase() => letter.to_ascii_lowercase(),
        letter => letter.to_ascii_uppercase(),
    };
    let mut tests = tests.to_vec();
    for test in &mut tests {
        if let (Test::Side(side), true) = (&mut *test, exchanges_colors) {
            *side = !*side;
        }
        for place in test.places_mut() {
            place.pieces = place.pieces.chars().map(swapped).collect();
            match &mut place.zone {
                Zone::Squares(squares) => {
                    *squares = squares.into_iter().map(|square| symmetry.square(square)).collect()
                }
                // All dark squares move to squares of the colour to which a1 moves.
                Zone::Color { light } => *light ^= symmetry.square(Square::A1).is_light(),
                Zone::Near(king) => *king = swapped(*king),
            }
        }
    }
    tests
}

fn shifted(tests: &[Test], files: i32, ranks: i32) -> Option<Vec<Test>> {
    let mut tests = tests.to_vec();
    for place in tests.iter_mut().flat_map(Test::places_mut) {
        match &mut place.zone {
            Zone::Squares(squares) => {
                *squares = shift_with_full_lines(*squares, files, ranks);
                if squares.is_empty() {
                    return None;
                }
            }
            Zone::Color { light } => *light ^= (files + ranks) % 2 != 0,
            Zone::Near(_) => {}
        }
    }
    Some(tests)
}

/// Returns the copies that the transforms of a setup make. The setup holds if all tests of one copy hold.
fn copies(setup: &Value) -> Vec<Vec<Test>> {
    let words = setup["transforms"].as_array().cloned().unwrap_or_default();
    words.iter().rev().fold(vec![Test::read(setup)], |copies, word| {
        let word = word.as_str().expect("a word");
        copies.iter().flat_map(|tests| transformed(tests, word)).collect()
    })
}

/// Returns a random setup that is true or nearly true of a position, so that it often matches.
fn random(rng: &mut Rng, near: &Position) -> Value {
    let pieces = |rng: &mut Rng| {
        let count = [1, 1, 1, 2, 3][rng.usize(..5)];
        let letters: String = (0..count)
            .map(|_| {
                "KQRBNPkqrbnpAaPpNn"[rng.usize(..18)..]
                    .chars()
                    .next()
                    .expect("a letter")
            })
            .collect();
        letters
    };
    let rectangle = |rng: &mut Rng| {
        let (mut files, mut ranks) = (
            [rng.char('a'..='h'), rng.char('a'..='h')],
            [rng.char('1'..='8'), rng.char('1'..='8')],
        );
        files.sort_unstable();
        ranks.sort_unstable();
        match rng.u8(..4) {
            0 => format!("{}1-8", files[0]),
            1 => format!("a-h{}", ranks[0]),
            _ => format!("{}-{}{}-{}", files[0], files[1], ranks[0], ranks[1]).replace("a-a", "a"),
        }
    };
    let zone = |rng: &mut Rng| match rng.u8(..8) {
        0 => "light".to_owned(),
        1 => "dark".to_owned(),
        2 => "near k".to_owned(),
        3 => "near K".to_owned(),
        4 => format!(
            "[{},{}]",
            rng.choice(Square::ALL).expect("a square"),
            rng.choice(Square::ALL).expect("a square")
        ),
        _ => rectangle(rng),
    };
    let mut squares = Map::new();
    for _ in 0..rng.usize(..4) {
        let square = rng.choice(Square::ALL).expect("a square");
        let mut letters = near.letter(square).to_string();
        if rng.bool() && letters != "_" {
            letters.push_str(&pieces(rng));
        } else if rng.u8(..4) == 0 {
            letters = format!("~{}", if letters == "P" { "N" } else { "P" });
        }
        squares.insert(square.to_string(), letters.into());
    }
    let list = |rng: &mut Rng, most: usize, entry: &dyn Fn(&mut Rng) -> Value| {
        let count = rng.usize(..most);
        (0..count).map(|_| entry(rng)).collect::<Vec<_>>()
    };
    let counted = |rng: &mut Rng, mut entry: Value| {
        match rng.u8(..5) {
            0 => entry["most"] = json!(rng.u32(..3)),
            1 => entry["least"] = json!(rng.u32(1..3)),
            2 => (entry["least"], entry["most"]) = (json!(1), json!(rng.u32(1..4))),
            _ => {}
        }
        entry
    };
    let place = |rng: &mut Rng| match rng.u8(..4) {
        0 => json!({"pieces": pieces(rng), "zone": zone(rng)}),
        _ => json!({"pieces": pieces(rng)}),
    };
    let anywhere = list(rng, 3, &|rng| {
        let entry = json!({"pieces": pieces(rng), "zone": zone(rng)});
        counted(rng, entry)
    });
    let material = list(rng, 3, &|rng| {
        let entry = json!({"pieces": pieces(rng)});
        counted(rng, entry)
    });
    let either = list(rng, 2, &|rng| {
        let count = rng.usize(1..4);
        (0..count)
            .map(|_| json!({"pieces": pieces(rng), "zone": zone(rng)}))
            .collect()
    });
    let arrows = list(rng, 3, &|rng| match rng.u8(..3) {
        0 => json!({"kind": "attacks", "from": place(rng), "to": place(rng)}),
        kind => {
            let through: Vec<Value> = (0..rng.usize(..2)).map(|_| place(rng)).collect();
            json!({"kind": if kind == 1 { "ray" } else { "xray" }, "from": place(rng), "through": through, "to": place(rng)})
        }
    });
    let words = [
        "flipcolor",
        "flip",
        "flipvertical",
        "fliphorizontal",
        "rotate90",
        "shift",
        "shifthorizontal",
        "shiftvertical",
    ];
    let mut transforms: Vec<&str> = (0..[0, 0, 1, 1, 2, 3][rng.usize(..6)])
        .map(|_| words[rng.usize(..8)])
        .collect();
    if let Some(shift) = transforms.iter().position(|word| word.starts_with("shift")) {
        let kept = transforms[shift];
        transforms.retain(|word| !word.starts_with("shift") || *word == kept);
    }
    let mut setup = json!({
        "squares": squares, "anywhere": anywhere, "material": material, "either": either, "arrows": arrows, "transforms": transforms,
    });
    if rng.u8(..4) == 0 {
        setup["side"] = json!(["w", "b"][rng.usize(..2)]);
    }
    setup
}

#[test]
fn random_setups_mean_the_same_as_their_queries() {
    let positions = Positions::read();
    let mut rng = Rng::with_seed(49);
    let (mut tried, mut refused, mut matching) = (0, 0, 0);
    while tried < 250 {
        let near = &positions.all[rng.usize(..positions.all.len())];
        let json = random(&mut rng, near);
        let Ok(setup) = serde_json::from_value::<skewer::setup::Setup>(json.clone()) else {
            // The setup contradicts itself.
            refused += 1;
            continue;
        };
        tried += 1;
        let text = query(&setup);
        let compiled = compiled(&text);
        // The board shows the whole query, and the query is written as before.
        let shown = shown(&text);
        assert!(
            shown.whole && shown.setup == setup,
            "{json}\n{text}\n{}",
            query(&shown.setup)
        );
        assert_eq!(query(&shown.setup), text);
        let canonical = serde_json::to_value(&setup).expect("JSON");
        assert_eq!(super::setup(&canonical.to_string()), setup);
        let found = positions.found(&compiled);
        let copies = copies(&canonical);
        let holds = |position: &&Position| copies.iter().any(|tests| tests.iter().all(|test| test.holds(position)));
        let is_found = |position: &&Position| found.contains(&position.place);
        let (matching_ones, others): (Vec<_>, Vec<_>) = positions.all.iter().partition(is_found);
        // A match needs only one of the copies, but the others need all, so few of them are checked.
        let few = (4000 / copies.len()).clamp(2, 60);
        for (expected, some) in [(true, matching_ones), (false, others)] {
            for position in some.iter().step_by(some.len() / few + 1) {
                assert_eq!(holds(position), expected, "{canonical}\n{text}\n{}", position.fen);
                matching += usize::from(expected);
            }
        }
    }
    println!("{tried} setups, {refused} refused, {matching} matches");
    assert!(
        refused < 3 * tried && matching > 500,
        "{refused} refused, {matching} matches"
    );
}
