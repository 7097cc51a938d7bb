//! Databases of ChessBase.
//!
//! No program that writes them was at hand, so these are built from games in PGN by the description of the format.

use std::fs;
use std::path::PathBuf;

use cbvault_format::archive::Mode;
use cbvault_format::archive::blocks::{block, lz_literals};
use cbvault_format::tables::MODE_0;
use skewer::Square;
use skewer::game::{Game, MoveKind, Position};
use skewer::output::FormatName;
use tempfile::TempDir;

use super::{assert_same, foreign, searched, survives, text, whole};

/// The endings of the files of a database, beginning with the file that a search names.
const FILES: [&str; 7] = ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs"];

/// Games that the format can express: it has all their tags, and no comment comes before a variation continues.
const GAMES: &str = r#"[Event "Лига"]
[Site "Москва"]
[Date "2019.03.01"]
[Round "2.1"]
[White "Ананд, В"]
[Black "Müller, Jürgen"]
[Result "1-0"]
[WhiteElo "2770"]
[BlackElo "2450"]
[ECO "C65"]
[Annotator "O'Brien \"Max\""]

{Before the first move.} 1. e4 $1 {King's pawn} e5 2. Nf3 (2. f4 {The gambit} exf4 (2... d5 $5 3. exd5 e4 (3... exf4 4. Nf3) 4. d3) 3. Nf3 g5 $6) (2. Bc4) 2... Nc6 $2 $146 3. Bb5 Nf6 4. O-O Nxe4 (4... Bc5 {is solid}) 5. d4 Nd6 6. Bxc6 dxc6 7. dxe5 Nf5 8. Qxd8+ {An ending.} 1-0

[Event "Promotions"]
[Site "?"]
[Date "1900.??.??"]
[Round "?"]
[White "Queen, A"]
[Black "Knight, B"]
[Result "1/2-1/2"]

1. a4 b5 2. axb5 a6 3. bxa6 Nc6 4. a7 Nb8 5. axb8=Q Bb7 6. Qxa8 g5 7. Qxb7 g4 8. h3 gxh3 9. Qe4 hxg2 10. Rxh7 gxf1=N 11. Rxh8 Ng3 12. Rxg8 Nxe4 13. b4 f5 14. b5 f4 15. b6 f3 16. bxc7 fxe2 17. cxd8=R+ Kf7 18. Rgxf8+ 1/2-1/2

[Event "Castling and en passant"]
[Site "Berlin GER"]
[Date "????.??.??"]
[Round "1"]
[White "White"]
[Black "Black"]
[Result "0-1"]

1. d4 Nf6 2. Nc3 d5 3. Bg5 Bf5 4. Qd2 Nc6 5. O-O-O Qd7 6. f3 O-O-O 7. e4 dxe4 8. d5 Ne5 9. Qd4 c5 10. dxc6 Qxd4 11. cxb7+ Kb8 12. Rxd4 Rxd4 13. g4 Bg6 14. -- h6 15. Bxf6 exf6 0-1

[Event "Study"]
[Site "?"]
[Date "2001.01.31"]
[Round "?"]
[White "Composer"]
[Black "?"]
[Result "*"]
[FEN "4k2r/1P1q1q2/3q4/8/pP6/Q1B2N1b/2Q4P/R3K2R b KQk b3 0 17"]

17... axb3 {En passant} 18. b8=Q+ (18. b8=N Qxb4 (18... b2 19. Qaxb2 Q6e7+) 19. Kf2) 18... Ke7 19. Kf2 *
"#;

/// Returns the games. Text that Windows-1252 cannot express is in UTF-8, as in newer versions of ChessBase.
fn games() -> Vec<Game> {
    let starts = GAMES.match_indices("[Event").map(|(start, _)| start);
    starts
        .map(|start| Game::of_pgn(&GAMES[start..]).expect("a game"))
        .collect()
}

/// Returns the number of a square, counted file by file.
fn number(square: Square) -> u16 {
    let square = square as u16;
    square % 8 * 8 + square / 8
}

/// Returns the moves of a game, each given by its squares.
fn stream(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut moves = 0u8;
    let mut code = |value: u8, moves: u8| {
        let byte = MODE_0
            .iter()
            .position(|meaning| *meaning == value)
            .expect("the table has all");
        bytes.push((byte as u8).wrapping_add(moves));
    };
    for position in game.positions.iter().skip(1) {
        if game.next_sibling(position).is_some() {
            code(254, moves);
        }
        let word = word(position);
        code(235, moves);
        code((word >> 8) as u8, moves);
        code(word as u8, moves);
        moves = moves.wrapping_add(1);
        if position.last == position.id {
            code(255, moves);
        }
    }
    if game.positions.len() == 1 {
        code(255, moves);
    }
    bytes
}

/// Returns a move as 16 bits.
fn word(position: &Position) -> u16 {
    let arrival = &position.arrival;
    if arrival.kind == MoveKind::Null {
        return 0;
    }
    let promotion = match arrival.promotion.map(|role| role.char()) {
        Some('r') => 1,
        Some('b') => 2,
        Some('n') => 3,
        _ => 0,
    };
    number(arrival.from) | number(arrival.to) << 6 | promotion << 12
}

/// Returns the start position of a game that has a FEN tag.
fn start(game: &Game) -> Option<Vec<u8>> {
    let start = game.start.as_ref()?;
    let mut bits = Vec::new();
    for number in 0..64u32 {
        let square = Square::new(number % 8 * 8 + number / 8);
        let Some(piece) = start.board.piece_at(square) else {
            bits.push(0);
            continue;
        };
        let role = "?kqnbrp".find(piece.role.char()).expect("a piece") as u8;
        bits.extend([
            1,
            u8::from(piece.color.is_black()),
            role >> 2 & 1,
            role >> 1 & 1,
            role & 1,
        ]);
    }
    bits.resize(192, 0);
    let right = |square: Square, bit: u8| if start.rights.0.contains(square) { bit } else { 0 };
    let rights = right(Square::A1, 1) | right(Square::H1, 2) | right(Square::A8, 4) | right(Square::H8, 8);
    let passed = start.en_passant.map_or(0, |square| square as u8 % 8 + 1);
    let mut bytes = vec![
        1,
        u8::from(start.turn.is_black()) << 4 | passed,
        rights,
        start.move_number as u8,
    ];
    bytes.extend(
        bits.chunks(8)
            .map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit)),
    );
    Some(bytes)
}

/// Returns the annotations of the game with this number, if it has any.
fn annotations(game: &Game, id: u32) -> Option<Vec<u8>> {
    let mut items = Vec::new();
    let mut count = 0u32;
    let mut add = |position: i32, kind: u8, data: &[u8]| {
        items.extend_from_slice(&position.to_be_bytes()[1..]);
        items.push(kind);
        items.extend_from_slice(&(data.len() as u16 + 6).to_be_bytes());
        items.extend_from_slice(data);
        count += 1;
    };
    for position in &game.positions {
        let place = position.id as i32 - 1;
        for comment in game.notes.comments_before(position.id) {
            add(place, 0x82, &[&[0, 42], comment].concat());
        }
        let nags: Vec<u8> = game.notes.nags(position.id).map(|nag| nag as u8).collect();
        for nags in nags.chunks(3) {
            add(place, 0x03, nags);
        }
        for comment in game.notes.comments(position.id) {
            add(place, 0x02, &[&[0, 42], comment].concat());
        }
    }
    (count > 0).then(|| {
        let size = items.len() as u32 + 14;
        [
            &id.to_be_bytes()[1..],
            &[1, 0, 0x0e, 0x0e],
            &(count + 1).to_be_bytes()[1..],
            &size.to_be_bytes(),
            &items,
        ]
        .concat()
    })
}

/// Returns a file of names. Each name is split into fields of fixed length, padded to `size` bytes.
fn names(names: &[Vec<String>], fields: &[usize], size: usize) -> Vec<u8> {
    let mut bytes = vec![0; 28];
    bytes[8..12].copy_from_slice(&1_234_567_890i32.to_le_bytes());
    bytes[12..16].copy_from_slice(&(size as i32).to_le_bytes());
    for texts in names {
        let mut record = vec![0; 9];
        for (text, field) in texts.iter().zip(fields) {
            let mut bytes = text.as_bytes().to_vec();
            bytes.resize(*field, 0);
            record.extend(bytes);
        }
        record.resize(9 + size, 0);
        bytes.extend(record);
    }
    bytes
}

/// Returns the files of a database of these games.
fn database(games: &[Game]) -> [Vec<u8>; 7] {
    let mut header = vec![0; 46];
    header[4] = 46;
    let (mut moves, mut notes) = (vec![0; 26], vec![0; 26]);
    let (mut players, mut events, mut annotators) = (Vec::new(), Vec::new(), vec![vec![String::new()]]);
    for (index, game) in games.iter().enumerate() {
        let tag = |name: &str| text(&game.tag(name.as_bytes()).unwrap_or_default());
        let unless_unknown = |value: String| if value == "?" { String::new() } else { value };
        let mut record = vec![0; 46];
        let mut put = |place: usize, count: usize, value: u32| {
            record[place..place + count].copy_from_slice(&value.to_be_bytes()[4 - count..]);
        };
        put(0, 1, 1);
        put(1, 4, moves.len() as u32);
        for (place, name) in [(9, "White"), (12, "Black")] {
            put(place, 3, players.len() as u32);
            let raw = text(game.tags.raw(name.as_bytes()).unwrap_or_default());
            let mut parts: Vec<String> = raw.splitn(2, ", ").map(str::to_owned).collect();
            parts[0] = unless_unknown(parts[0].clone());
            players.push(parts);
        }
        put(15, 3, events.len() as u32);
        events.push(vec![unless_unknown(tag("Event")), unless_unknown(tag("Site"))]);
        if !tag("Annotator").is_empty() {
            put(18, 3, annotators.len() as u32);
            annotators.push(vec![tag("Annotator")]);
        }
        let raw_date = text(game.tags.raw(b"Date").unwrap_or_default());
        let date = raw_date.split('.').map(|part| part.parse().unwrap_or(0));
        let date = date
            .zip([9, 5, 0])
            .fold(0u32, |date, (part, shift)| date | part << shift);
        put(24, 3, date);
        put(
            27,
            1,
            ["0-1", "1/2-1/2", "1-0", "*"]
                .iter()
                .position(|result| *result == game.result.to_string())
                .expect("a result") as u32,
        );
        let round = tag("Round");
        for (place, part) in [29, 30].into_iter().zip(round.split('.')) {
            put(place, 1, part.parse().unwrap_or(0));
        }
        put(31, 2, tag("WhiteElo").parse().unwrap_or(0));
        put(33, 2, tag("BlackElo").parse().unwrap_or(0));
        if let Some((letter, code)) = tag("ECO").split_at_checked(1) {
            let letter = u32::from(letter.as_bytes()[0] - b'A');
            put(35, 2, (letter * 100 + code.parse::<u32>().expect("a number") + 1) * 128);
        }
        if let Some(said) = annotations(game, index as u32 + 1) {
            put(5, 4, notes.len() as u32);
            notes.extend(said);
        }
        let setup = start(game);
        let body = [setup.clone().unwrap_or_default(), stream(game)].concat();
        moves.push(if setup.is_some() { 0x40 } else { 0 });
        moves.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes()[1..]);
        moves.extend(body);
        header.extend(record);
    }
    [
        header,
        moves,
        notes,
        names(&players, &[30, 20], 50),
        names(&events, &[40, 30], 0x4a + 20),
        names(&annotators, &[45], 53),
        names(&[vec![String::new()]], &[25], 60),
    ]
}

/// A folder with the files of a database, named `games`.
struct Built {
    folder: TempDir,
    files: [Vec<u8>; 7],
}

impl Built {
    fn new() -> Built {
        let built = Built {
            folder: tempfile::tempdir().expect("a folder"),
            files: database(&games()),
        };
        for (ending, bytes) in FILES.iter().zip(&built.files) {
            built.write(ending, bytes);
        }
        built
    }

    fn path(&self, ending: &str) -> PathBuf {
        self.folder.path().join("games").with_extension(ending)
    }

    fn write(&self, ending: &str, bytes: &[u8]) {
        fs::write(self.path(ending), bytes).expect("it can be written");
    }

    /// Writes the games as PGN next to the database and returns the path.
    fn pgn(&self) -> PathBuf {
        let path = self.path("pgn");
        fs::write(&path, GAMES).expect("it can be written");
        path
    }

    /// Returns the ids of the games that are read from the database, and the messages.
    fn found(&self) -> (String, String) {
        let found =
            searched("cql(silent) initial", &[self.path("cbh")], FormatName::Ids, 1).expect("the others can be read");
        (
            text(&found.output),
            text(&found.log).replace(&*self.path("cbh").to_string_lossy(), "games.cbh"),
        )
    }
}

/// The fuzzer damages a stored copy. `SKEWER_BLESS=1` writes it.
#[test]
fn the_copy_for_the_fuzzer_is_what_is_built() {
    let built = Built::new();
    for (ending, bytes) in FILES.iter().zip(&built.files) {
        let path = foreign("built").with_extension(ending);
        if std::env::var_os("SKEWER_BLESS").is_some() {
            fs::write(&path, bytes).expect("it can be written");
        }
        assert!(fs::read(&path).is_ok_and(|kept| kept == *bytes), "{}", path.display());
    }
}

#[test]
fn a_chessbase_database_says_the_same_as_its_pgn() {
    let built = Built::new();
    assert_same(&built.path("cbh"), &[built.pgn()]);
}

/// Most moves take one byte, which gives the piece and its step.
#[test]
fn moves_of_one_byte_are_read() {
    // These codes follow the description of the format: pawn e, two squares; second knight, (-1, 2); second bishop, four squares
    // down a diagonal that leaves the board at its lower edge and continues at the upper edge; castling.
    let codes = [
        (128, "e4"),
        (128, "e5"),
        (105, "Nf3"),
        (101, "Nc6"),
        (91, "Bb5"),
        (111, "a6"),
        (9, "O-O"),
        (236, ""),
        (105 + 3, "Nf6"),
        (255, ""),
    ];
    let mut game = Game::of_pgn("[White \"A\"]\n\n1. e4 *").expect("a game");
    game.positions.truncate(1);
    let mut files = database(&[game]);
    let mut moves = 0u8;
    let mut bytes = Vec::new();
    for (code, san) in codes {
        let byte = MODE_0
            .iter()
            .position(|meaning| *meaning == code)
            .expect("the table has all");
        bytes.push((byte as u8).wrapping_add(moves));
        moves += u8::from(!san.is_empty());
    }
    files[1] = [vec![0; 26], vec![0, 0, 0, bytes.len() as u8 + 4], bytes].concat();
    let built = Built::new();
    for (ending, bytes) in FILES.iter().zip(&files) {
        built.write(ending, bytes);
    }
    let printed = whole(&[built.path("cbh")]);
    let moves = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O Nf6 *";
    let output = text(&printed.output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(output.contains(moves), "{output}\n{}", text(&printed.log));
}

#[test]
fn deleted_games_and_texts_are_left_out() {
    let built = Built::new();
    let mut headers = built.files[0].clone();
    headers[46] |= 0x80;
    headers[46 * 3] |= 2;
    built.write("cbh", &headers);
    let note = "warning: games.cbh: a game that is marked as deleted is left out\n";
    assert_eq!(built.found(), ("1:0\n2:0\n".to_owned(), note.to_owned()));
}

#[test]
fn a_missing_file_is_named() {
    let built = Built::new();
    for ending in &FILES[1..] {
        let intact = fs::read(built.path(ending)).expect("it is there");
        fs::remove_file(built.path(ending)).expect("it can be removed");
        let error = searched("cql() true", &[built.path("cbh")], FormatName::Count, 1).expect_err("it is missing");
        let message = format!("the file `games.{ending}`, which belongs to it, is not beside it");
        assert!(error.contains(&message), "{error}");
        built.write(ending, &intact);
    }
}

#[test]
fn a_damaged_game_is_told_and_the_others_are_searched() {
    let built = Built::new();
    let mut headers = built.files[0].clone();
    headers[46 * 2 + 1] = 0xff;
    built.write("cbh", &headers);
    let message = "the game is left out: its moves would lie beyond the end of their file";
    assert_eq!(
        built.found(),
        (
            "1:0\n3:0\n4:0\n".to_owned(),
            format!("warning: games.cbh:2: game 2: {message}\n")
        )
    );
    built.write("cbh", &built.files[0]);
    let mut moves = built.files[1].clone();
    moves[26] = 7;
    built.write("cbg", &moves);
    let message = "the game is left out: its moves are encoded in an unknown way (7)";
    assert_eq!(
        built.found(),
        (
            "2:0\n3:0\n4:0\n".to_owned(),
            format!("warning: games.cbh:1: game 1: {message}\n")
        )
    );
}

/// Encodes bytes as Huffman codes of eight bits each, after a table of the codes.
fn huffman_block(bytes: &[u8]) -> Vec<u8> {
    let mut halves = Vec::new();
    for byte in 0..=u8::MAX {
        halves.extend([8, byte >> 4, byte & 0xf]);
    }
    let table = halves.chunks(2).map(|pair| pair[0] << 4 | pair[1]);
    let length = (bytes.len() as u16).to_be_bytes();
    length.into_iter().chain(table).chain(bytes.iter().copied()).collect()
}

/// Returns an archive of files, with blocks that are packed in each of the four ways.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let table = 8 + 173 * files.len();
    let mut out = vec![8, 0, files.len() as u8, 0, 0xad, 0, 3, 0];
    let mut pool: Vec<u8> = Vec::new();
    for (name, bytes) in files {
        let mut stream = Vec::new();
        for (index, part) in bytes.chunks(100).enumerate() {
            stream.extend(match index % 4 {
                0 => block(Mode::HUFFMAN_LZ, &huffman_block(&lz_literals(part))),
                1 => block(Mode::LZ, &lz_literals(part)),
                2 => block(Mode::HUFFMAN, &huffman_block(part)),
                _ => block(Mode::STORED, part),
            });
        }
        let mut record = name.as_bytes().to_vec();
        record.resize(128, 0);
        let numbers = [(table + pool.len()) as u32, stream.len() as u32, bytes.len() as u32];
        record.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        record.extend([0; 9]);
        record.extend(numbers[0].to_le_bytes());
        record.extend([0; 4]);
        record.extend(numbers[1..].iter().flat_map(|number| u64::from(*number).to_le_bytes()));
        out.extend(record);
        pool.extend(stream);
    }
    out.extend(pool);
    out
}

fn archive_of(built: &Built) -> Vec<u8> {
    let names = FILES.map(|ending| format!("Games.{ending}"));
    let files: Vec<_> = names
        .iter()
        .map(String::as_str)
        .zip(built.files.iter().map(Vec::as_slice))
        .collect();
    archive(&files)
}

#[test]
fn an_archive_says_the_same_as_its_pgn() {
    let built = Built::new();
    built.write("cbv", &archive_of(&built));
    for ending in FILES {
        fs::remove_file(built.path(ending)).expect("it can be removed");
    }
    assert_same(&built.path("cbv"), &[built.pgn()]);
}

#[test]
fn an_archive_without_a_database_is_refused() {
    let built = Built::new();
    built.write("cbv", &archive(&[("notes.txt", b"nothing")]));
    let error = searched("cql() true", &[built.path("cbv")], FormatName::Count, 1).expect_err("it has no database");
    assert!(
        error.contains("the archive has no database with the ending .cbh"),
        "{error}"
    );
    built.write(
        "cbv",
        &archive(&[("a.cbh", &built.files[0]), ("b.cbh", &built.files[0])]),
    );
    let error = searched("cql() true", &[built.path("cbv")], FormatName::Count, 1).expect_err("it has two");
    assert!(
        error.contains("the archive has several databases; unpack it in ChessBase"),
        "{error}"
    );
    for damaged in [&b""[..], b"no archive", &[0xff; 5_000]] {
        built.write("cbv", damaged);
        let error = searched("cql() true", &[built.path("cbv")], FormatName::Count, 1).expect_err("it is damaged");
        assert!(
            error.contains("it is damaged, or was not packed by ChessBase"),
            "{error}"
        );
    }
}

/// With any byte changed, or any file cut off at any place, reading gives an error or an answer.
#[test]
fn damage_anywhere_is_survived() {
    let built = Built::new();
    let (mut survived, mut tried) = (0, 0);
    let mut try_bytes = |ending: &str, named: &str, bytes: &[u8]| {
        built.write(ending, bytes);
        tried += 1;
        survived += u32::from(survives(&built.path(named)));
    };
    for (ending, intact) in FILES.iter().zip(&built.files) {
        for place in 0..intact.len() {
            try_bytes(ending, "cbh", &intact[..place]);
            let mut damaged = intact.clone();
            damaged[place] ^= 1 << (place % 8);
            try_bytes(ending, "cbh", &damaged);
            damaged[place] = !intact[place];
            try_bytes(ending, "cbh", &damaged);
        }
        built.write(ending, intact);
    }
    let intact = archive_of(&built);
    for place in (0..intact.len()).step_by(7) {
        try_bytes("cbv", "cbv", &intact[..place]);
        let mut damaged = intact.clone();
        damaged[place] ^= 1 << (place % 8);
        try_bytes("cbv", "cbv", &damaged);
    }
    assert!(survived * 3 > tried, "only {survived} of {tried} can be read");
}
