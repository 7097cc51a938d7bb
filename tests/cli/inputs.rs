//! Where games come from, and how irregular games are treated.

use std::io::Write;

use predicates::prelude::*;

use super::*;

fn classics() -> Vec<u8> {
    std::fs::read(CLASSICS).expect("the examples are there")
}

fn ids(path: &Path) -> String {
    stdout(&mut search(&["-e", "mate", "--format", "ids", text(path)]))
}

#[test]
fn standard_input() {
    search(&["-e", "mate", "--format", "ids", "-"])
        .write_stdin(classics())
        .assert()
        .code(0)
        .stdout(MATES);
}

#[test]
fn packed_files() {
    let folder = Folder::new();
    let zst = folder.file(
        "games.pgn.zst",
        zstd::encode_all(&classics()[..], 1).expect("packing works"),
    );
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&classics()).expect("packing works");
    let gz = folder.file("games.pgn.gz", encoder.finish().expect("packing works"));
    assert_eq!(ids(&zst), MATES);
    assert_eq!(ids(&gz), MATES);
}

#[test]
fn a_folder_is_all_its_games_in_the_order_of_their_paths() {
    let folder = Folder::new();
    folder.file("b/more.pgn", "[White \"Third\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    folder.file(
        "a.pgn",
        "[White \"First\"]\n\n1. e4 *\n\n[White \"Second\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
    );
    folder.file("notes.txt", "no games");
    assert_eq!(ids(folder.path()), "2:4\n3:4\n");
}

#[test]
fn several_inputs_are_searched_in_the_given_order() {
    let folder = Folder::new();
    let one = folder.file("one.pgn", "[White \"?\"]\n\n1. e4 *\n");
    let command = &mut search(&["-e", "mate", "--format", "ids", "--limit", "1", text(&one), CLASSICS]);
    assert_eq!(stdout(command), "2:13\n");
}

#[test]
fn the_header_names_an_input_in_an_allowed_folder_unless_there_is_an_argument() {
    let folder = Folder::new();
    let games = folder.file("header.pgn", "[White \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    for name in ["header.pgn", text(&games)] {
        let query = folder.file("q.cql", format!("cql(input {name}) mate"));
        let allowed = |arguments: &[&str]| {
            let mut command = search(&[text(&query), "--format", "ids", "--allow-files", text(folder.path())]);
            stdout(command.args(arguments))
        };
        assert_eq!(allowed(&[]), "1:4\n");
        assert_eq!(allowed(&[CLASSICS]), MATES);
    }
    let query = folder.file("inner/q.cql", format!("cql(input {}) mate", text(&games)));
    let inner = folder.path().join("inner");
    search(&[text(&query), "--allow-files", text(&inner)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("it is not in "));
}

#[test]
fn the_header_names_an_input_below_the_current_folder_or_that_of_the_query() {
    const MATE: &str = "[White \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let folder = Folder::new();
    let games = folder.file("themes/games/mate.pgn", MATE);
    folder.file("outside.pgn", MATE);
    folder.file("other/readme.txt", "");
    let (root, themes, elsewhere) = (folder.path(), folder.path().join("themes"), folder.path().join("other"));
    for (input, current, may_be_read) in [
        ("games/mate.pgn", &*elsewhere, true),
        ("games/mate.pgn", &themes, true),
        ("themes/games/mate.pgn", root, true),
        (text(&games), &elsewhere, true),
        ("outside.pgn", root, true),
        ("outside.pgn", &themes, false),
        ("../outside.pgn", &themes, false),
        ("../outside.pgn", root, false),
        ("games/missing.pgn", root, false),
    ] {
        let query = folder.file("themes/q.cql", format!("cql(input {input}) mate"));
        let found = search(&[text(&query), "--format", "ids"]).current_dir(current).assert();
        if may_be_read {
            found.code(0).stdout("1:4\n").stderr("");
        } else {
            let advice = predicate::str::contains("below the current folder or that of the query");
            found
                .code(2)
                .stdout("")
                .stderr(advice.and(predicate::str::contains(input)));
        }
    }
    let filters = format!("cql(input {}) mate", text(&games));
    search(&["-e", &filters]).current_dir(&elsewhere).assert().code(2);
    search(&["-e", &filters]).current_dir(root).assert().code(0);
}

/// If a folder had the same game twice, a search would find it twice.
#[test]
fn results_and_databases_beside_their_games_are_left_out_of_a_folder() {
    let folder = Folder::new();
    let classics = std::fs::read_to_string(CLASSICS).expect("it is there");
    let games = folder.file("base/games.pgn", classics);
    let base = folder.path().join("base");
    let run = |arguments: &[&str]| {
        let run = search(&[arguments, &["-f", "count", text(&base)]].concat())
            .output()
            .expect("it runs");
        (
            String::from_utf8(run.stdout).expect("UTF-8"),
            String::from_utf8(run.stderr).expect("UTF-8"),
        )
    };
    let alone = run(&["-e", "mate"]);
    assert_eq!(alone.0, "games: 8\npositions: 8\n");
    for name in ["mates.pgn", "mates.parquet"] {
        search(&["-e", "mate", text(&games), "-o", text(&base.join(name))])
            .assert()
            .code(0);
    }
    let of = |input: &Path, name: &str| {
        let database = base.join(name);
        skewer()
            .args(["index", text(input), "-o", text(&database)])
            .assert()
            .code(0);
    };
    of(&games, "all.parquet");
    let (found, said) = run(&["-e", "mate"]);
    assert_eq!(found, alone.0);
    assert!(
        said.contains("note: results of searches are left out: ") && said.contains("mates.pgn"),
        "{said}"
    );
    assert!(
        said.contains("all.parquet is left out: the PGN that it was made of is there, too"),
        "{said}"
    );
    assert_eq!(run(&["-e", "mate", "-q"]), (alone.0.clone(), String::new()));
    // A database made of another file is searched, and so is a PGN file that is not marked as a result of skewer.
    let others = folder.file("others.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n");
    of(&others, "all.parquet.new");
    std::fs::rename(base.join("all.parquet.new"), base.join("others.parquet")).expect("it is there");
    std::fs::write(base.join("mates.pgn"), "1. f3 e5 2. g4 Qh4# 0-1\n").expect("it can be written");
    assert_eq!(run(&["-e", "mate", "-q"]).0, "games: 10\npositions: 10\n");
    // If a folder has only results, they are searched.
    let results = folder.path().join("results");
    std::fs::create_dir(&results).expect("it can be made");
    search(&["-e", "mate", text(&games), "-o", text(&results.join("mates.pgn"))])
        .assert()
        .code(0);
    search(&["-e", "mate", "-f", "count", text(&results)])
        .assert()
        .stdout(alone.0);
}

#[test]
fn an_empty_file_has_no_games() {
    let folder = Folder::new();
    let empty = folder.file("empty.pgn", "");
    search(&["-e", "mate", "--format", "count", text(&empty)])
        .assert()
        .code(1)
        .stdout("games: 0\npositions: 0\n");
}

#[test]
fn bad_games_are_warned_about_and_the_search_goes_on() {
    let folder = Folder::new();
    let path = folder.file(
        "bad.pgn",
        "[White \"A\"]\n\n1. e4 e5 2. Ke5 Qh4 *\n\n[White \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\
         \n[White \"C\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
    );
    let warning = format!("warning: {}:3: game 1: ", path.display());
    let arguments = ["-e", "mate", "--format", "count", text(&path)];
    let assert = search(&arguments).assert().code(0);
    assert.stderr(predicate::str::starts_with(warning));
    search(&arguments).arg("--quiet").assert().code(0).stderr("");
}

#[test]
fn the_last_game_number_counts_the_games_of_all_inputs() {
    let last = |query: &str| stdout(&mut search(&["-e", query, "--format", "ids", CLASSICS, CLASSICS]));
    assert_eq!(last("initial gamenumber==lastgamenumber"), "36:0\n");
    assert_eq!(
        last("cql(gamenumber 3 20) initial gamenumber==lastgamenumber"),
        "20:0\n"
    );
    assert_eq!(
        last("cql(gamenumber 3 99) initial gamenumber==lastgamenumber"),
        "36:0\n"
    );
}

#[test]
fn the_games_of_a_stream_cannot_be_counted_beforehand() {
    search(&["-e", "gamenumber==lastgamenumber", "-"])
        .write_stdin("1. e4 *\n")
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("input that can be read twice").and(predicate::str::contains("gamenumber==")));
}

#[test]
fn similar_positions_are_found_in_another_file() {
    let folder = Folder::new();
    // Two kings and a rook may be transformed by any symmetry. With a pawn, a board may be mirrored left to right or shifted sideways.
    let kings = "[FEN \"8/8/8/8/8/2k5/8/K6R w - - 0 1\"]\n\n1. Rh2 *\n\n";
    let pawn = "[FEN \"8/8/8/4k3/8/8/2P5/2K5 w - - 0 1\"]\n\n1. c3 *\n";
    folder.file("known.pgn", [kings, pawn].concat());
    let turned =
        "[FEN \"K7/8/2k5/8/8/8/8/7R w - - 0 1\"]\n\n1. Rh2 *\n\n[FEN \"R7/8/8/8/8/2k5/8/K7 w - - 0 1\"]\n\n*\n\n";
    let moved = "[FEN \"8/8/8/5k2/8/8/3P4/3K4 w - - 0 1\"]\n\n*\n\n[FEN \"8/8/8/4k3/8/8/6P1/6K1 w - - 0 1\"]\n\n*\n\n";
    let mirrored = "[FEN \"8/8/8/3k4/8/8/5P2/5K2 w - - 0 1\"]\n\n*\n\n[FEN \"8/8/8/3k4/8/8/5P2/5K2 b - - 0 1\"]\n\n*\n";
    let games = folder.file("games.pgn", [turned, moved, mirrored].concat());
    let run = |query: &str, format: &str| {
        let mut command = search(&["-e", query, "--format", format, text(&games)]);
        stdout(command.current_dir(folder.path()))
    };
    assert_eq!(run("similarposition nosort notransform \"known.pgn\"", "ids"), "");
    assert_eq!(
        run("similarposition nosort \"known.pgn\"", "ids"),
        "2:0\n3:0\n4:0\n5:0\n"
    );
    let pgn = run("similarposition \"known.pgn\"", "pgn");
    for expected in [
        "see known.pgn game: 1 at move: 1 wtm reflect_a1h8 CQL  submission game: 1",
        "see known.pgn game: 2 at move: 1 wtm right^1 CQL  submission game: 2",
        "see known.pgn game: 2 at move: 1 wtm reflect_v left^1 CQL  submission game: 2",
        "see known.pgn game: 2 at move: 1 wtm reflect_v CQL  submission game: 2",
    ] {
        let joined = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = expected.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(joined.contains(&expected), "{expected} is not in\n{joined}");
    }
}

#[test]
fn a_missing_file_to_compare_with_is_an_error_with_its_place() {
    search(&["-e", "mate similarposition \"missing.pgn\"", CLASSICS])
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("cannot read missing.pgn").and(predicate::str::contains("to compare with")));
}

/// A game that ends in mate.
const MATE: &str = "[Event \"e\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

/// The game [`MATE`], packed by `xz`.
const MATE_XZ: &[u8] = &[
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36, 0x02, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00,
    0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x24, 0x5b, 0x45, 0x76, 0x65, 0x6e, 0x74, 0x20, 0x22, 0x65, 0x22, 0x5d,
    0x0a, 0x0a, 0x31, 0x2e, 0x20, 0x66, 0x33, 0x20, 0x65, 0x35, 0x20, 0x32, 0x2e, 0x20, 0x67, 0x34, 0x20, 0x51, 0x68,
    0x34, 0x23, 0x20, 0x30, 0x2d, 0x31, 0x0a, 0x00, 0x00, 0x00, 0x00, 0xf8, 0x87, 0x9b, 0xb2, 0x00, 0x01, 0x39, 0x25,
    0xd6, 0xec, 0x06, 0x65, 0x90, 0x42, 0x99, 0x0d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a,
];

/// Returns a ZIP archive of these files.
fn zip<T: AsRef<[u8]>>(files: &[(&str, T)], method: zip::CompressionMethod) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for (name, content) in files {
        archive.start_file(*name, options).expect("memory can be written");
        std::io::Write::write_all(&mut archive, content.as_ref()).expect("memory can be written");
    }
    archive.finish().expect("memory can be written").into_inner()
}

/// Returns the content, packed by `gzip`.
fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, content).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

#[test]
fn bzip2_xz_and_zip_are_unpacked() {
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    std::io::Write::write_all(&mut bzip2, MATE.as_bytes()).expect("memory can be written");
    let bzip2 = bzip2.finish().expect("memory can be written");
    // Files in an archive are read in the order of their names. Files that are not PGN are skipped.
    let files = [
        ("b/two.pgn", MATE),
        ("readme.txt", "1. e4"),
        ("a/one.PGN", "1. e4 *"),
        ("empty.pgn", ""),
    ];
    let folder = Folder::new();
    folder.file("1.pgn.bz2", [&bzip2[..], &bzip2].concat());
    folder.file("2.pgn.xz", MATE_XZ);
    folder.file("3.pgn.zip", zip(&files, zip::CompressionMethod::Deflated));
    folder.file("4.pgn.zip", zip(&files, zip::CompressionMethod::Stored));
    let ids = stdout(&mut search(&["-e", "mate", text(folder.path()), "-f", "ids"]));
    assert_eq!(ids, "1:4\n2:4\n3:4\n5:4\n7:4\n");
    let zipped = text(&folder.path().join("3.pgn.zip")).to_owned();
    let output = search(&["-e", "mate", &zipped, "-f", "count"])
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("3.pgn.zip/a/one.PGN:1: game 1: the game has no tags"),
        "{said}"
    );
    let piped = stdout(search(&["-e", "mate", "-", "-f", "ids"]).write_stdin(MATE_XZ));
    assert_eq!(piped, "1:4\n");
}

#[test]
fn packed_files_without_pgn_in_their_names_are_looked_into() {
    let folder = Folder::new();
    let files = [("plain.xz", MATE_XZ), ("readme.gz", &gzip(b"no game")[..])];
    let path = folder.file("a.zip", zip(&files, zip::CompressionMethod::Deflated));
    assert_eq!(stdout(&mut search(&["-e", "mate", "-f", "ids", text(&path)])), "1:4\n");
    folder.file("b.xz", MATE_XZ);
    folder.file("notes.txt.gz", gzip(b"no game"));
    let ids = stdout(&mut search(&["-e", "mate", "-f", "ids", text(folder.path())]));
    assert_eq!(ids, "1:4\n2:4\n");
}

#[test]
fn archives_in_folders_are_read_if_names_in_them_say_so() {
    let folder = Folder::new();
    for (name, file, content) in [
        ("1.zip", "untagged.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n"),
        (
            "2.zip",
            "list.epd",
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -\n",
        ),
        ("3.zip", "readme.txt", "1. f3 e5 2. g4 Qh4# 0-1\n"),
    ] {
        folder.file(name, zip(&[(file, content)], zip::CompressionMethod::Deflated));
    }
    let ids = stdout(&mut search(&["-e", "mate", "-f", "ids", text(folder.path())]));
    assert_eq!(ids, "1:4\n2:0\n");
}

#[test]
fn tar_archives_are_not_read() {
    let folder = Folder::new();
    let mut archive = [b"game.pgn".as_slice(), &[0; 600], MATE.as_bytes()].concat();
    archive[257..262].copy_from_slice(b"ustar");
    for (name, content) in [
        ("a.tar", archive.clone()),
        ("a.tgz", gzip(&archive)),
        ("a", archive.clone()),
    ] {
        let path = folder.file(name, content);
        let output = search(&["-e", "mate", "-f", "count", text(&path)])
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{said}");
        assert!(said.contains("it is a tar archive; unpack it first"), "{said}");
    }
}

#[test]
fn games_before_a_failure_of_the_input_are_counted() {
    let folder = Folder::new();
    let whole = gzip(MATE.repeat(200).as_bytes());
    let path = folder.file("a.pgn.gz", &whole[..whole.len() - 12]);
    let output = search(&["-e", "mate", "-f", "count", text(&path)])
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let games = said
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("games: ")?.parse().ok());
    assert!(games.is_some_and(|games: u32| games > 1), "{said}");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("cannot read") && !said.contains("not searched"), "{said}");

    let mut inputs = vec![path];
    for (name, note) in [
        ("b.pgn", "= note: the input after it is not searched"),
        ("c.pgn", "= note: 2 inputs after it are not searched"),
    ] {
        inputs.push(folder.file(name, MATE));
        let failed = search(&["-e", "mate", "-f", "count"]).args(&inputs).assert().code(2);
        failed.stderr(predicate::str::contains(note));
    }
}

/// Returns what a search of a folder prints and says.
fn of_folder(folder: &Folder) -> (String, String) {
    let output = search(&["-e", "mate", "-f", "ids", text(folder.path())]).output();
    let output = output.expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).replace(text(folder.path()), "");
    let is_gap = said.contains("not read, or not to the end");
    assert_eq!(output.status.code(), Some(if is_gap { 2 } else { 0 }), "{said}");
    (String::from_utf8_lossy(&output.stdout).into_owned(), said)
}

#[test]
fn damaged_files_of_a_folder_are_named_and_the_rest_is_searched() {
    let packed = gzip(MATE.as_bytes());
    let mut damaged = zip(&[("a.pgn", MATE), ("b.pgn", MATE)], zip::CompressionMethod::Stored);
    let at = damaged
        .windows(2)
        .position(|bytes| bytes == b"f3")
        .expect("it is stored");
    damaged[at] = b'h';
    let inner = zip(&[("x.pgn", MATE)], zip::CompressionMethod::Stored);
    let nested = zip(&[("inner.zip", &inner)], zip::CompressionMethod::Stored);
    let tar = gzip(&[b"a".as_slice(), &[0; 256], b"ustar"].concat());
    for (name, content, warning) in [
        ("m.gz", &packed[..12], "warning: /m.gz: the file is cut off"),
        ("m.pgn.gz", &packed[..12], "warning: /m.pgn.gz: the file is cut off"),
        ("m.zip", &inner[..40], "warning: /m.zip: the zip archive is cut off"),
        ("m.zst", b"\x28\xb5\x2f\xfdx", "warning: /m.zst: the file is "),
        ("m.parquet", b"PAR1xxxxPAR1", "warning: /m.parquet: "),
        ("m.si4", b"x", "warning: /m.si4: "),
        (
            "m.zip",
            &damaged,
            "warning: /m.zip/a.pgn: a.pgn in the zip archive is damaged",
        ),
        (
            "m.zip",
            &nested,
            "warning: /m.zip: inner.zip in the zip archive is an archive of its own",
        ),
        (
            "m.tar.gz",
            &tar,
            "warning: /m.tar.gz: it is a tar archive; unpack it first",
        ),
        (
            "m.pgn.gz",
            &gzip(&packed),
            "warning: /m.pgn.gz: it is packed twice; unpack it once",
        ),
        (
            "m.pgn",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 9\n",
            "warning: /m.pgn: it is a pointer of Git LFS; `git lfs pull` fetches the file",
        ),
        (
            "m.7z",
            b"7z\xbc\xaf\x27\x1c\0\x04",
            "warning: /m.7z: it is a 7z archive",
        ),
        (
            "m.pgn.zip",
            &zip(&[("a.txt", "")], zip::CompressionMethod::Stored),
            "warning: /m.pgn.zip: the zip archive has no",
        ),
    ] {
        let folder = Folder::new();
        for file in ["a.pgn", "z.pgn"] {
            folder.file(file, MATE);
        }
        folder.file(name, content);
        let (ids, said) = of_folder(&folder);
        // The other file of the damaged archive is searched. The damaged one has another move now.
        let expected = if content == damaged {
            "1:4\n3:4\n4:4\n"
        } else {
            "1:4\n2:4\n"
        };
        assert_eq!(ids, expected, "{name}: {said}");
        assert!(said.starts_with(warning), "{name}: {said}");
        assert_eq!(said.matches("warning: ").count(), 1, "{said}");
    }
}

#[test]
#[cfg(unix)]
fn what_is_no_file_in_a_folder_is_named_and_the_rest_is_searched() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.file("z/game.pgn", MATE);
    let path = |name: &str| folder.path().join(name);
    // The folder contains itself, and links to what is no PGN lose nothing.
    symlink("..", path("z/loop")).expect("a link");
    symlink("nowhere", path("picture.png")).expect("a link");
    assert_eq!(of_folder(&folder), ("1:4\n".to_owned(), String::new()));

    symlink("nowhere", path("a.pgn")).expect("a link");
    symlink("nowhere", path("games-of-2024")).expect("a link");
    let made = std::process::Command::new("mkfifo").arg(path("pipe.pgn")).status();
    assert!(made.expect("there is `mkfifo`").success());
    let _socket = std::os::unix::net::UnixListener::bind(path("socket.pgn")).expect("a socket");
    let (ids, said) = of_folder(&folder);
    assert_eq!(ids, "1:4\n");
    assert_eq!(
        said,
        "warning: /a.pgn: it is a link that leads nowhere\n\
         warning: /games-of-2024: it is a link that leads nowhere\n\
         warning: /pipe.pgn: it is no regular file, which is read only if it is named\n\
         warning: /socket.pgn: it is no regular file, which is read only if it is named\n\
         note: 4 files were not read, or not to the end\n"
    );
}

#[test]
#[cfg(unix)]
fn what_cannot_be_read_in_a_folder_is_not_in_its_database() {
    let folder = Folder::new();
    folder.file("games/a.pgn", MATE);
    folder.file("games/c.pgn.gz", &gzip(MATE.as_bytes())[..12]);
    folder.file("games/d.parquet", b"PAR1xxxxPAR1");
    folder.file("games/e.pgn", MATE);
    std::os::unix::fs::symlink("nowhere", folder.path().join("games/b.pgn")).expect("a link");
    for options in [&["--threads", "1"][..], &["--threads", "2"], &["--unique"]] {
        let mut index = skewer();
        index
            .current_dir(folder.path())
            .args(["index", "games", "-o", "x.parquet", "--force"])
            .args(options);
        let indexed = index.assert().code(2);
        for said in [
            "warning: games/b.pgn: it is a link that leads nowhere\n",
            "warning: games/c.pgn.gz: the file is cut off",
            "warning: games/d.parquet: ",
            "note: 3 files were not read, or not to the end\n",
        ] {
            let said = predicate::str::contains(said);
            assert!(
                said.eval(&String::from_utf8_lossy(&indexed.get_output().stderr)),
                "{said}"
            );
        }
        let database = folder.path().join("x.parquet");
        let ids = stdout(&mut search(&["-e", "mate", "-f", "ids", text(&database)]));
        assert_eq!(ids, "1:4\n2:4\n", "{options:?}");
    }
}

#[test]
fn packed_files_in_archives_are_unpacked_and_archives_named() {
    let inner = zip(&[("x.pgn", MATE)], zip::CompressionMethod::Stored);
    let files = [
        ("a.pgn.xz", MATE_XZ),
        ("b.pgn", MATE.as_bytes()),
        ("inner.zip", &inner[..]),
    ];
    let folder = Folder::new();
    let path = folder.file("all.zip", zip(&files, zip::CompressionMethod::Deflated));
    let output = search(&["-e", "mate", "-f", "ids", text(&path)])
        .output()
        .expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1:4\n2:4\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let message = "inner.zip in the zip archive is an archive of its own; unpack it first";
    assert!(said.contains(message), "{said}");

    for name in ["inner.tgz", "inner.tar.gz", "inner.tar.zst"] {
        let files = [("b.pgn", MATE.as_bytes()), (name, &inner[..])];
        let path = folder.file("other.zip", zip(&files, zip::CompressionMethod::Deflated));
        let output = search(&["-e", "mate", "-f", "ids", text(&path)])
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains(&format!("{name} in the zip archive is an archive of its own")),
            "{said}"
        );
    }
}

#[test]
fn damaged_archives_are_errors_that_name_the_file() {
    let folder = Folder::new();
    let mut whole = zip(&[("one.pgn", MATE)], zip::CompressionMethod::Stored);
    let at = whole.windows(2).position(|bytes| bytes == b"f3").expect("it is stored");
    whole[at] = b'h';
    let packed = gzip(MATE.as_bytes());
    let flipped = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        bytes
    };
    for (name, content, message) in [
        ("flipped.zip", &whole[..], "one.pgn in the zip archive is damaged"),
        (
            "cut.zip",
            &whole[..40],
            "the zip archive is cut off: its end is missing",
        ),
        (
            "none.zip",
            &zip(&[("a.txt", "")], zip::CompressionMethod::Stored),
            "the zip archive has no .pgn file",
        ),
        ("cut.xz", &MATE_XZ[..30], "the file is cut off: "),
        ("flipped.xz", &flipped(MATE_XZ), "the file is damaged: "),
        ("cut.gz", &packed[..packed.len() - 12], "the file is cut off: "),
        ("flipped.gz", &flipped(&packed), "the file is damaged: "),
    ] {
        let path = folder.file(name, content);
        let output = search(&["-e", "mate", text(&path)]).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(name) && said.contains(message), "{name}: {said}");
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
}

#[test]
fn what_cannot_be_read_is_named_for_what_it_is() {
    let folder = Folder::new();
    for (name, content, message) in [
        (
            "games.7z",
            &b"7z\xbc\xaf\x27\x1c\0\x04"[..],
            "it is a 7z archive; unpack it first",
        ),
        (
            "games.rar",
            b"Rar!\x1a\x07\x01\0",
            "it is a RAR archive; unpack it first",
        ),
        (
            "games.SG4",
            b"x",
            "it is part of a Scid database; name its file that ends in `.si4` or `.si5`",
        ),
        (
            "games.si3",
            b"x",
            "it is part of a database of Scid 3; open it in Scid 4",
        ),
        ("games", b"Scid.si\0\0\0", "it is part of a Scid database"),
        (
            "games.CBG",
            b"\0\0",
            "it is part of a ChessBase database; name its file that ends in `.cbh`",
        ),
        ("games.cbh", b"\0\0", "it is too short for a database of ChessBase"),
        (
            "games.2cbh",
            b"\0\0",
            "it is a ChessBase database in the format of 2023 (2CBH), which only ChessBase reads; copy its games into a database",
        ),
        (
            "games.cbz",
            b"\0\0",
            "it is an archive of ChessBase with a password; unpack it",
        ),
        (
            "book.CTG",
            b"\0\0",
            "it is an opening book, which has no games; name the games that it was made of",
        ),
        (
            "games.db3",
            b"SQLite",
            "it is a database of En Croissant; export its games as PGN",
        ),
    ] {
        let path = folder.file(name, content);
        search(&["-e", "mate", text(&path)])
            .assert()
            .code(2)
            .stderr(predicates::str::contains(format!("{name}: {message}")));
    }
    let archive = zip(&[("one.pgn", MATE)], zip::CompressionMethod::Stored);
    search(&["-e", "mate", "-"])
        .write_stdin(archive)
        .assert()
        .code(2)
        .stderr(predicates::str::contains("a zip archive, which has to be a file"));
}

#[test]
fn an_input_without_games_is_said_once() {
    let folder = Folder::new();
    for (name, content) in [("empty.pgn", ""), ("notes.txt", "")] {
        let path = folder.file(name, content);
        search(&["-e", "mate", text(&path)])
            .assert()
            .code(1)
            .stderr(format!("warning: {}: the file has no games\n", path.display()));
    }
    search(&["-e", "mate", "-"])
        .write_stdin("")
        .assert()
        .code(1)
        .stderr("warning: <stdin>: there are no games\n");
}

/// The folder lists the name of a broken link, but it is no file to suggest.
#[test]
#[cfg(unix)]
fn a_link_that_leads_nowhere_is_not_proposed_for_itself() {
    let folder = Folder::new();
    for name in ["games.pgn", "theme.cql"] {
        std::os::unix::fs::symlink("nowhere", folder.path().join(name)).expect("a link");
    }
    for arguments in [["-e", "mate", "games.pgn"], ["theme.cql", CLASSICS, "-q"]] {
        search(&arguments)
            .current_dir(folder.path())
            .assert()
            .code(2)
            .stderr(predicate::str::contains("did you mean").not());
    }
}
