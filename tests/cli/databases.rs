//! `skewer index`, and searches in the databases that it makes.

use predicates::prelude::*;
use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::query;
use skewer::search::{Options, search_in_memory};
use skewer::syntax::Source;

use super::*;

/// Games as they occur in the wild: illegal moves, other spellings, null moves, start positions, variations, comments, bytes that
/// are not UTF-8, repeated tags, text between games, ratings in names, quotes in tags.
pub(super) const ODD: &[u8] = b"some text before\n\n[Event \"\xe9t\xe9\"]\n[White \"A (2500)\"]\n[WhiteElo \"02400\"]\n\n1. e4 {caf\xe9} e5 2. Nf9 Nc6 1-0\n\n\
[Event \"a \\\"quoted\\\" name\"]\n[White \"A\"]\n[White \"B\"]\n[BlackElo \"2700\"]\n[Annotator \"C\"]\n\n1.e2-e4 e7e5 2.-- d5 3. exd5 $1 (3.Ke2 dxe4 (3... f6)) 0-1\n\n\
[FEN \"4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1\"]\n[Date \"1999.1.2\"]\n\n1. exd6 Kd7 2. 0-0-0 Kc6 3. d7 (3. Rh6 {x}) 3... Kb7 4. d8=N+ *\n\n\
[FEN \"broken\"]\n\n1. d4\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"K\"]\n[Black \"x\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Ke2 1/2-1/2\n\n\
[White \"K\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Ke2 Nf6 5. Ke1 d6 6. O-O *\n(stray\n";

/// Makes a database from the inputs.
pub(super) fn index(folder: &Folder, inputs: &[&str]) -> PathBuf {
    let path = folder.path().join("games.parquet");
    let mut command = skewer();
    command.arg("index").args(inputs).args(["-o", text(&path), "--quiet"]);
    command.assert().code(0).stdout("").stderr("");
    path
}

/// Returns what a command prints to standard error, what it prints to standard output, and its exit code.
pub(super) fn printed(command: &mut Command) -> (String, String, Option<i32>) {
    let output = command.output().expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stderr), text(&output.stdout), output.status.code())
}

#[test]
fn a_database_gives_what_its_pgn_gives() {
    let folder = Folder::new();
    let pgn = folder.file("odd.pgn", ODD);
    let games = [text(&pgn), CLASSICS, "examples/study.pgn", "examples/variations.pgn"];
    let database = index(&folder, &games);
    let queries: [&[&str]; 16] = [
        &["true"],
        &["mate"],
        &["flipcolor {Kc1 or Kg1}"],
        &["Ke2 or kc6", "--variations"],
        &["check or stalemate", "--variations"],
        &["initial message(player white \" \" elo \" \" event \" \" tag \"Annotator\" \" \" fen)"],
        &["originalcomment ~~ \"x\" or --=N", "--variations"],
        &["elo white > 2300 or elo black > 2300"],
        &["sort ply terminal comment(year)"],
        &["R==9 or q==2 or #[Aa]<6 or castle", "--variations"],
        &["gamenumber == lastgamenumber or nullmove"],
        &["xray (R a k) wtm"],
        &["cql(matchcount 0 3) btm [qrbn] attacks [QRBN]"],
        &["R->A or #(p attacks P) > 2", "--variations"],
        &["not Q attacks k #[Aa] >= 30", "--first"],
        &["piece x in [QRB] {x attacks k and x attackedby r}"],
    ];
    for (number, query) in queries.into_iter().enumerate() {
        for (format, of_format) in ["pgn", "ids", "fen", "csv", "jsonl", "count"].into_iter().zip(0..) {
            // All combinations of a query and a format, with varying numbers of threads.
            let threads = ["1", "2", "7"][(number + of_format) % 3];
            let run = |inputs: &[&str]| {
                let mut command = search(&["-f", format, "-j", threads, "-e"]);
                command.args(query).args(inputs);
                printed(command.current_dir(env!("CARGO_MANIFEST_DIR")))
            };
            assert_eq!(
                run(&[text(&database)]),
                run(&games),
                "{query:?}, {format}, {threads} threads"
            );
        }
    }
}

/// Games that have only tags and moves, with all kinds of tags, next to games that have a little more.
#[test]
fn a_database_writes_games_without_notes_as_their_pgn_has_them() {
    let folder = Folder::new();
    let games = b"[Event \"a \\\"b\\\" \\\\c\"]\n[Odd \"1\"]\n[WhiteElo \"02400\"]\n[BlackElo \"2500\"]\n[Date \"1999.1.2\"]\n\n1. e4 e5 2. Qh5 Nc6 1/2-1/2\n\n\
        [White \"caf\xc3\xa9\"]\n[Result \"1-0\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 7\"]\n[Last \"\"]\n\n7. O-O-O Ke7 0-1\n\n\
        [White \"caf\xe9\"]\n\n1. e4 e5 *\n\n[White \"comment\"]\n\n1. e4 {x} e5 *\n\n[White \"symbols\"]\n\n1. e4! e5 $2 *\n\n\
        [White \"variation\"]\n\n1. e4 (1. d4) e5 *\n\n[White \"other spelling\"]\n\n1. e2-e4 e7-e5 *\n\n[White \"behind\"]\n\n1. e4 e5 * {x}\n\n\
        [White \"line comment\"]\n\n1. e4 ; x\n e5 *\n\n[White \"wrong\"]\n\n1. e4 e5 2. Ke5 d4 *\n\n[White \"no moves\"]\n\n*\n\n[White \"none either\"]\n\n{x} *\n";
    let pgn = folder.file("plain.pgn", games);
    let database = index(&folder, &[text(&pgn)]);
    for query in ["true", "initial comment(\"first\")", "settag(\"Odd\" \"2\")"] {
        let run = |input: &Path| printed(search(&["-f", "pgn", "-e", query]).arg(input));
        let (warnings, written, code) = run(&database);
        assert_eq!((warnings, written.clone(), code), run(&pgn), "{query}");
        assert!(written.contains("[Event \"a \\\"b\\\" \\\\c\"]"), "{written}");
    }
}

/// Long games with content that has no column in a database: variations, comments, evaluations and illegal moves. Other games are between them.
#[test]
fn a_database_gives_what_the_pgn_of_long_games_gives() {
    let folder = Folder::new();
    // More than a megabyte, most of it in comments, which are read faster than moves.
    let comment = "d".repeat(700);
    let variations =
        format!("(1. d4?! {{[%eval 0.5] {comment}}} 1... d5 (1... e6 2. -- ) 2. Ke5) (1. c4 e5) (1. h4) (x) ");
    let variations = variations.repeat(1_500);
    let knights = "Nf3 Nf6 Ng1 {[%eval -1.00] back} Ng8 $1 ".repeat(1000);
    let games = format!(
        "[White \"K\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"A\"]\n[WhiteElo \"2500\"]\n\n1. e4 {variations} e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
         [White \"B\"]\n\n{knights} e4 (d4 {{end}}) f5 Qh5+ *\n\n[White \"C\"]\n\n1. e4 (d4) d5 *\n"
    );
    let pgn = folder.file("long.pgn", games.as_bytes());
    let database = index(&folder, &[text(&pgn)]);
    let of_main_lines = [
        "cql() mate",
        "cql() check",
        "cql() initial message(player white \" \" elo \" \" ply)",
        "cql() eval < 0",
        "cql(matchcount 3 100000) Nf3 nf6 wtm",
        "cql() elo > 2400 Q attacks k",
    ];
    let of_variations = ["cql() nullmove", "cql() Pd4 pd5", "cql() originalcomment ~~ \"end\""];
    for (queries, options) in [(&of_main_lines[..], &[][..]), (&of_variations, &["--variations"])] {
        let texts = Folder::new();
        for (number, query) in queries.iter().enumerate() {
            texts.file(&format!("{number}.cql"), query);
        }
        let run = |input: &Path| {
            let results = Folder::new();
            let mut command = search(&[text(texts.path()), text(input), "-f", "fen", "--out-dir", "."]);
            let said = printed(command.args(options).current_dir(results.path()));
            let files = results.names().into_iter().map(|name| {
                let content = std::fs::read(results.path().join(&name)).expect("it was written");
                (name, content)
            });
            (said, files.collect::<Vec<_>>())
        };
        let found = run(&pgn);
        assert!(found.1.len() >= queries.len(), "{:?}", found.0);
        assert!(run(&database) == found, "{queries:?}");
    }
    let whole = |input: &Path| printed(search(&["-f", "pgn", "-e", "true"]).arg(input));
    assert!(whole(&database) == whole(&pgn), "not all of the text is there");
}

/// Makes two files with more games than a row group holds. Each game has its own number; some have comments, variations or illegal moves.
pub(super) fn many_games(folder: &Folder) -> [PathBuf; 2] {
    let game = |number: usize| {
        let moves = match number % 100 {
            7 => "1. e4 {yes} e5 2. Nf3 (2. f4) 2... Nc6 1-0",
            8 => "1. f3 e5 2. g4 Qh4# 0-1",
            9 => "1. e4 e5 2. Nf9 1-0",
            _ => "1. d4 d5 1/2-1/2",
        };
        let elo = 1000 + number % 1500;
        format!("[White \"W{number}\"]\n[WhiteElo \"{elo}\"]\n\n{moves}\n\n")
    };
    let text = |numbers: std::ops::Range<usize>| numbers.map(game).collect::<String>();
    [
        folder.file("a.pgn", text(0..1_111)),
        folder.file("b.pgn", text(1_111..2_700)),
    ]
}

#[test]
fn parts_of_row_groups_are_read_on_any_number_of_threads() {
    let folder = Folder::new();
    let files = many_games(&folder);
    let games = files.each_ref().map(|file| text(file));
    let database = index(&folder, &games);
    let queries: [(&[&str], &str); 4] = [
        (&["mate"], "pgn"),
        (&["originalcomment ~~ \"yes\"", "--variations"], "ids"),
        (&["elo white > 2400 initial"], "csv"),
        (&["sort elo white mate"], "jsonl"),
    ];
    for (query, format) in queries {
        let run = |threads, inputs: &[&str]| {
            let mut command = search(&["-f", format, "-j", threads, "-e"]);
            printed(command.args(query).args(inputs))
        };
        let expected = run("1", &games);
        assert_eq!(expected.2, Some(0), "{expected:?}");
        for threads in ["1", "2", "7"] {
            assert_eq!(
                run(threads, &[text(&database)]),
                expected,
                "{query:?}, {threads} threads"
            );
        }
    }
}

#[test]
fn databases_stand_anywhere_among_the_inputs() {
    let folder = Folder::new();
    let database = index(&folder, &[CLASSICS]);
    let again = stdout(&mut search(&[
        "-e",
        "mate",
        "-f",
        "count",
        text(&database),
        CLASSICS,
        text(folder.path()),
    ]));
    assert_eq!(again, "games: 24\npositions: 24\n");
    let last = search(&[
        "-e",
        "gamenumber==lastgamenumber initial",
        "-f",
        "ids",
        CLASSICS,
        text(&database),
    ])
    .output()
    .expect("the command runs");
    assert_eq!(last.stdout, b"36:0\n");
    let renamed = folder.path().join("games.pgn");
    std::fs::rename(database, &renamed).expect("files can be renamed");
    assert_eq!(
        stdout(&mut search(&["-e", "mate", "-f", "ids", text(&renamed)])),
        MATES,
        "the content counts"
    );
    search(&["-e", "mate", "-"])
        .write_stdin(std::fs::read(renamed).expect("the database"))
        .assert()
        .code(2)
        .stderr(predicate::str::contains("a database has to be a file"));
}

#[test]
fn a_database_and_its_warnings_are_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    let odd = folder.file("odd.pgn", ODD);
    // Several batches for each thread, and a game that is too large for a batch to be reused after it.
    let opera = "[White \"Morphy\"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 {a pin} 4. dxe5 Bxf3 (4... dxe5 5. Qxd8+) 1-0\n\n";
    let many = folder.file("many.pgn", opera.repeat(20_000));
    let long = folder.file(
        "long.pgn",
        format!("1. e4 {{{}}} e5 *\n\n", "a comment ".repeat(500_000)),
    );
    let inputs = [text(&odd), CLASSICS, text(&many), text(&long), "tests/pgn"];
    let made = ["1", "2", "7"].map(|threads| {
        let path = folder.path().join("games.parquet");
        let mut command = skewer();
        command
            .arg("index")
            .args(inputs)
            .args(["-o", text(&path), "--force", "-j", threads]);
        let (warnings, output, code) = printed(command.current_dir(env!("CARGO_MANIFEST_DIR")));
        assert_eq!((&*output, code), ("", Some(0)), "{threads} threads: {warnings}");
        (warnings, std::fs::read(&path).expect("the database"))
    });
    let [one, others @ ..] = &made;
    assert!(one.0.contains("odd.pgn"), "there are warnings: {}", one.0);
    for other in others {
        assert_eq!(one.0, other.0);
        assert!(one.1 == other.1, "the bytes are others");
    }
}

#[test]
fn an_old_file_is_replaced_only_on_demand_and_only_by_a_whole_one() {
    let folder = Folder::new();
    let old = folder.file("games.parquet", "old");
    let mut command = skewer();
    command.args(["index", CLASSICS, "-o", text(&old)]);
    command.assert().code(2).stderr(predicate::str::contains("--force"));
    let mut command = skewer();
    command.args(["index", CLASSICS, "missing.pgn", "-o", text(&old), "--force"]);
    command.assert().code(2).stderr(predicate::str::contains("missing.pgn"));
    assert_eq!(std::fs::read(&old).expect("the old file"), b"old");
    let mut command = skewer();
    command.args(["index", CLASSICS, "-o", text(&old), "--force"]);
    command.assert().code(0);
    assert_eq!(stdout(&mut search(&["-e", "mate", "-f", "ids", text(&old)])), MATES);
    assert_eq!(folder.names(), ["games.parquet"]);
}

#[test]
fn appended_games_follow_the_others() {
    let folder = Folder::new();
    let pgn = folder.file("odd.pgn", ODD);
    let database = index(&folder, &[text(&pgn)]);
    for more in [CLASSICS, text(&pgn)] {
        let mut command = skewer();
        command.args(["index", more, "-o", text(&database), "--append", "--quiet"]);
        command.assert().code(0);
    }
    let run = |inputs: &[&str]| printed(search(&["-e", "mate or initial", "-f", "pgn"]).args(inputs));
    assert_eq!(run(&[text(&database)]), run(&[text(&pgn), CLASSICS, text(&pgn)]));
    let mut command = skewer();
    command.args(["index", CLASSICS, "-o", text(&pgn), "--append"]);
    command
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cannot add to"));
    assert_eq!(std::fs::read(&pgn).expect("the file"), ODD);
}

#[test]
fn damaged_files_are_refused_and_never_a_surprise() {
    let folder = Folder::new();
    let database = index(&folder, &[CLASSICS]);
    let whole = std::fs::read(database).expect("the database");
    let cut = folder.file("cut.parquet", &whole[..whole.len() / 2]);
    search(&["-e", "mate", text(&cut)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cut.parquet: not a complete Parquet file"));
}

#[test]
fn what_is_damaged_in_a_database_is_left_out_and_told() {
    let folder = Folder::new();
    let games = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(4_000);
    let database = index(&folder, &[text(&folder.file("many.pgn", games))]);
    let mut bytes = std::fs::read(&database).expect("the database");
    // Row groups follow one another, and the first one has more than half of the games.
    let place = bytes.len() / 4;
    bytes[place] ^= 1;
    let damaged = folder.file("damaged.parquet", &bytes);
    let query = folder.file("mate.cql", "cql() mate");
    let out = folder.path().join("found");
    for options in [&["-f", "pgn"][..], &["-f", "pgn", "-q"], &["--out-dir", text(&out)]] {
        let output = search(&[&[text(&query), text(&damaged)], options].concat())
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains(" were not searched, as the database is damaged there"),
            "{said}"
        );
        assert!(
            output.stdout.len() > 100 || options[0] == "--out-dir",
            "the others are searched"
        );
    }
    skewer()
        .args(["index", text(&damaged), "-o", text(&folder.path().join("copy.parquet"))])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("damaged.parquet: "));
}

/// Returns the results of a search in a file, or its error.
fn searched(path: &Path, query: &str, format: FormatName) -> Result<Vec<u8>, String> {
    let source = Source::new("q.cql", format!("cql(variations) {query}"));
    let query = query::compile(&source, &query::Options::default()).expect("the query is right");
    let found = search_in_memory(&query, Settings::default(), path, format, &Options::quiet());
    let found = found.map_err(|error| error.to_string())?;
    match found.totals.unreadable {
        0 => Ok(found.output),
        games => Err(format!("{games} games are not searched")),
    }
}

#[test]
fn a_file_with_any_byte_changed_gives_an_error_or_a_result() {
    let folder = Folder::new();
    let pgn = folder.file("odd.pgn", ODD);
    let database = index(&folder, &[text(&pgn), CLASSICS]);
    let whole = std::fs::read(&database).expect("the database");
    let mut random = fastrand::Rng::with_seed(11);
    let mut errors = 0;
    for round in 0..600 {
        let mut bytes = whole.clone();
        // Half of the changes are in the metadata at the end of the file.
        let start = if round % 2 == 0 { 0 } else { bytes.len() * 2 / 3 };
        for _ in 0..=round % 3 {
            let place = random.usize(start..bytes.len());
            bytes[place] = random.u8(..);
        }
        let path = folder.file("changed.parquet", &bytes);
        let query = "elo white > 100 or R > 1 or tag \"Annotator\" ~~ \"C\"";
        let (query, format) = match round % 4 {
            0 => ("true", FormatName::Pgn),
            1 => (query, FormatName::Csv),
            _ => ("originalcomment or mate", FormatName::Ids),
        };
        errors += u32::from(searched(&path, query, format).is_err());
    }
    assert!(errors > 100, "{errors}");
}

/// Games of several variants, some of them unreadable.
pub(super) const VARIANTS: &str = "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n[Variant \"Atomic\"]\n\n1. Nf3 e6 2. Ne5 Nf6 3. Nxd7 1-0\n\n\
[Event \"c\"]\n[Variant \"Bughouse\"]\n\n1. e4 *\n\n[Event \"d\"]\n[Variant \"Atomic\"]\n[FEN \"8/8\"]\n\n1. e4 *\n\nstray\n\n\
[Event \"e\"]\n[Variant \"atomic\"]\n\n1. e4 Nf9 *\n";

#[test]
fn a_database_of_one_variant_has_its_games_only_with_numbers_of_their_own() {
    let folder = Folder::new();
    let pgn = folder.file("variants.pgn", VARIANTS);
    let all = index(&folder, &[text(&pgn)]);
    let atomic = folder.path().join("atomic.parquet");
    let make = |arguments: &[&str]| {
        let mut command = skewer();
        command.args(["index", text(&pgn), "-o", text(&atomic), "--variant", "Atomic"]);
        printed(command.args(arguments))
    };
    let name = text(&pgn).to_owned();
    let (warnings, _, code) = make(&["--warnings", "all"]);
    assert_eq!(code, Some(0));
    // Games have the same numbers as in a search of the PGN file.
    for line in [
        "11: game 3: the variant `Bughouse` is unknown",
        "17: game 4: the FEN tag is not a position of Atomic",
        "26: game 5: unreadable move `1...Nf9`",
        "21: game 4: this text belongs to no game",
    ] {
        assert!(warnings.contains(&format!("{name}:{line}")), "{line}\n{warnings}");
    }
    let tags = |path: &Path| {
        let found = search(&["-q", "-e", "initial", "-f", "csv", text(path)])
            .output()
            .expect("a search");
        let lines = String::from_utf8_lossy(&found.stdout).into_owned();
        lines.lines().skip(1).count()
    };
    assert_eq!((tags(&all), tags(&atomic)), (3, 2));
    let (warnings, found, _) = printed(&mut search(&["-e", "terminal", "-f", "ids", text(&atomic)]));
    assert_eq!(found, "1:5\n3:1\n");
    assert!(
        warnings.contains(&format!("{name}:26: game 3: unreadable move")),
        "{warnings}"
    );
    assert!(!warnings.contains("Bughouse"), "{warnings}");
    assert_eq!(make(&["--append", "--quiet"]).2, Some(0));
    let numbers = stdout(&mut search(&["-q", "-e", "terminal", "-f", "ids", text(&atomic)]));
    assert_eq!(numbers, "1:5\n3:1\n4:5\n6:1\n");
    let (message, _, code) =
        printed(skewer().args(["index", text(&pgn), "-o", text(&atomic), "--variant", "draughts"]));
    assert_eq!(code, Some(2));
    assert!(message.contains("there are Standard, Chess960"), "{message}");
}

#[test]
fn text_before_the_games_of_a_later_file_is_told_in_its_place() {
    let folder = Folder::new();
    let wrong = |event: &str| format!("[Event \"{event}\"]\n\n1. e4 e5 2. Ke5 *\n\n");
    let first = folder.file("first.pgn", wrong("a") + &wrong("b") + "behind a\n");
    let second = folder.file(
        "second.pgn",
        "stray\n\n".to_owned() + &wrong("c") + "more\n\n" + &wrong("d"),
    );
    let database = index(&folder, &[text(&first), text(&second)]);
    let log = |inputs: &[&str]| {
        let mut command = search(&["-e", "initial", "-f", "ids", "--warnings", "all"]);
        printed(command.args(inputs)).0
    };
    let of_games = log(&[text(&first), text(&second)]);
    assert_eq!(of_games.matches("illegal move").count(), 4, "{of_games}");
    assert_eq!(
        of_games.matches("this text belongs to no game").count(),
        3,
        "{of_games}"
    );
    assert_eq!(log(&[text(&database)]), of_games);
}

#[test]
fn a_tag_with_two_values_is_told_of_games_that_a_query_does_not_want_too() {
    let folder = Folder::new();
    let pgn = folder.file(
        "g.pgn",
        "[White \"A\"]\n[White \"B\"]\n\n1. e4 Nf9 *\n\n[White \"C\"]\n\n1. d4 *\n",
    );
    let database = index(&folder, &[text(&pgn)]);
    let of = |path: &Path| {
        printed(&mut search(&[
            "-f",
            "ids",
            "-e",
            "player white \"C\" terminal",
            text(path),
        ]))
    };
    let warning = format!(
        "warning: {}:2: game 1: the tag `White` has different values; the last one counts\n",
        text(&pgn)
    );
    assert_eq!(of(&pgn), (warning, "2:1\n".to_owned(), Some(0)));
    assert_eq!(of(&database), of(&pgn));
}

#[test]
fn files_without_games_get_the_warnings_that_their_pgn_gets() {
    let folder = Folder::new();
    let inputs = [folder.file("empty.pgn", ""), folder.file("stray.pgn", "some text\n")];
    let inputs = inputs.each_ref().map(|path| text(path));
    let database = folder.path().join("games.parquet");
    let index = [&["index"][..], &inputs, &["-o", text(&database)]].concat();
    let (said, ..) = printed(skewer().args(index));
    let of_pgn = printed(&mut search(&[&["-e", "mate", "-f", "count"][..], &inputs].concat()));
    assert_eq!(said, of_pgn.0);
    assert_eq!(
        printed(&mut search(&["-e", "mate", "-f", "count", text(&database)])),
        of_pgn
    );
}

#[test]
fn years_clocks_and_names_of_a_database_are_those_of_its_pgn() {
    let folder = Folder::new();
    let pgn = folder.file(
        "odd.pgn",
        "[White \"M\u{fc}ller\"]\n[Date \"15.10.2016\"]\n\n1. e4 {[%eval 400,20]} *\n\n\
         [White \"Mu\u{308}ller\"]\n[UTCDate \"2015.03.05\"]\n\n1. e4 *\n\n\
         [Event \"a \\\"b\\\"\"]\n[Date \"12/01/23\"]\n\n1. e4 {[%clk 1:29]} *\n\n\
         [Event \"c\"]\n[TimeControl \"5400\"]\n\n1. e4 {[%clk 1:29]} *\n",
    );
    let database = index(&folder, &[text(&pgn)]);
    let queries: [(&[&str], &str); 8] = [
        (&["initial year >= 2015"], "1:0\n2:0\n"),
        (&["initial", "--year", "2015-2015"], "2:0\n"),
        (&["initial player \"M\u{fc}ller\""], "1:0\n2:0\n"),
        (&["initial", "--player", "M\u{dc}LLER"], "1:0\n2:0\n"),
        (&["initial event == \"a \" + \\\" + \"b\" + \\\""], "3:0\n"),
        (&["eval > 300"], "1:1\n"),
        (&["clock == 53400"], "4:1\n"),
        (&["initial date ~~ \"2016\""], "1:0\n"),
    ];
    for (query, expected) in queries {
        let searched = |input: &Path| {
            let arguments = [&["-f", "ids", text(input), "-e"][..], query].concat();
            printed(&mut search(&arguments))
        };
        let of_pgn = searched(&pgn);
        assert_eq!(of_pgn.1, expected, "{query:?}: {}", of_pgn.0);
        assert_eq!(searched(&database), of_pgn, "{query:?}");
    }
}
