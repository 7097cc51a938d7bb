//! `skewer index --theme`: the database knows which games match a theme, so they need not be read.

use super::databases::printed;
use super::*;

const MATE: &str = "[White \"A\"]\n[Black \"X\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
const SMOTHERED: &str =
    "[White \"B\"]\n[Black \"X\"]\n\n1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nd7 5. Qe2 Ngf6 6. Nd6# 1-0\n\n";
const NONE: &str = "[White \"C\"]\n[Black \"X\"]\n\n1. e4 e5 *\n\n";

/// Runs skewer in a folder. Returns its messages, its output and its exit code.
fn run(folder: &Folder, arguments: &[&str]) -> (String, String, Option<i32>) {
    printed(skewer().args(arguments).current_dir(folder.path()))
}

/// Runs skewer in a folder, asserts success without output, and returns its messages.
fn said(folder: &Folder, arguments: &[&str]) -> String {
    let (said, output, code) = run(folder, arguments);
    assert_eq!((&*output, code), ("", Some(0)), "{arguments:?}: {said}");
    said
}

/// Returns what `skewer explain` reports about a database.
fn known(folder: &Folder, query: &[&str], database: &str) -> Vec<String> {
    let arguments = [&["explain"], query, &["--database", database]].concat();
    let (said, output, code) = run(folder, &arguments);
    assert_eq!(code, Some(0), "{said}");
    let lines = output.split("In the database:\n").nth(1).unwrap_or_default().lines();
    lines.map(|line| line.trim().to_owned()).collect()
}

/// Returns a folder with games and a query of the user.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("own.cql", "cql() theme \"smothered-mate\" or terminal check");
    folder.file("games.pgn", [MATE, NONE, SMOTHERED, NONE].concat());
    folder.file("more.pgn", [NONE, SMOTHERED].concat());
    folder
}

#[test]
fn a_database_knows_the_games_of_its_themes() {
    let folder = folder();
    let index = ["index", "games.pgn", "-o", "all.parquet"];
    assert_eq!(
        said(
            &folder,
            &[&index[..], &["--theme", "smothered-mate", "--theme", "own.cql"]].concat()
        ),
        ""
    );
    let smothered = "mates/smothered-mate: holds in 1 of 4 games; no others are read";
    assert_eq!(known(&folder, &["smothered-mate"], "all.parquet"), [smothered]);
    let both = known(
        &folder,
        &["-e", "theme \"smothered-mate\" not theme \"mate-in-two\""],
        "all.parquet",
    );
    assert_eq!(both, [smothered]);
    let own = known(&folder, &["own.cql"], "all.parquet");
    assert_eq!(own, ["own.cql: holds in 2 of 4 games; no others are read"]);
    for query in [
        &["smothered-mate"][..],
        &["own.cql"],
        &["-e", "theme \"smothered-mate\""],
        &["-e", "theme \"own.cql\" not theme \"smothered-mate\""],
        &["-e", "not theme \"own.cql\""],
        &["smothered-mate", "--variations"],
    ] {
        let search = |input| run(&folder, &[&["search"], query, &[input, "-f", "ids"]].concat());
        assert_eq!(search("all.parquet"), search("games.pgn"), "{query:?}");
    }
    folder.file("own.cql", "cql() check");
    let changed = "own.cql: was indexed with another text or by another skewer, so it rules out no game";
    assert_eq!(known(&folder, &["own.cql"], "all.parquet"), [changed]);
    let (_, ids, _) = run(&folder, &["search", "own.cql", "all.parquet", "-f", "ids"]);
    assert_eq!(ids, "1:4\n3:11\n");
}

#[test]
fn themes_are_kept_for_new_games_or_left_out_aloud() {
    let folder = folder();
    let themes = ["--theme", "smothered-mate", "--theme", "own.cql"];
    said(
        &folder,
        &[&["index", "games.pgn", "-o", "all.parquet"][..], &themes].concat(),
    );
    let append = ["index", "more.pgn", "-o", "all.parquet", "--append"];
    let lost = "note: the theme own.cql of all.parquet is left out: --theme finds its games anew\n";
    assert_eq!(said(&folder, &append), lost);
    assert_eq!(
        known(&folder, &["smothered-mate"], "all.parquet"),
        ["mates/smothered-mate: holds in 2 of 6 games; no others are read"]
    );
    assert_eq!(
        known(&folder, &["own.cql"], "all.parquet"),
        ["no theme rules out a game"]
    );
    assert_eq!(
        said(
            &folder,
            &["index", "-o", "all.parquet", "--append", "--theme", "own.cql"]
        ),
        ""
    );
    let own = "own.cql: holds in 3 of 6 games; no others are read";
    assert_eq!(known(&folder, &["own.cql"], "all.parquet"), [own]);

    let merge = ["index", "more.pgn", "all.parquet", "-o", "merged.parquet"];
    let lost_too = "note: the theme mates/smothered-mate of all.parquet is left out: --theme finds its games anew\n";
    assert_eq!(said(&folder, &merge), format!("{lost}{lost_too}"));
    said(&folder, &[&merge[..], &themes, &["--force"]].concat());
    assert_eq!(
        known(&folder, &["own.cql"], "merged.parquet"),
        ["own.cql: holds in 4 of 8 games; no others are read"]
    );
    said(
        &folder,
        &[&merge[..], &themes, &["--force", "--unique", "--quiet"]].concat(),
    );
    assert_eq!(
        known(&folder, &["own.cql"], "merged.parquet"),
        ["own.cql: holds in 2 of 3 games; no others are read"]
    );
    let (_, ids, _) = run(&folder, &["search", "own.cql", "merged.parquet", "-f", "count"]);
    assert_eq!(ids, "games: 2\npositions: 2\n");
}

/// Files in two folders may have the same name.
#[test]
fn themes_of_one_name_are_told_apart() {
    let folder = folder();
    folder.file("other/own.cql", "cql() mate wtm");
    let [own, other] = [["--theme", "own.cql"], ["--theme", "other/own.cql"]];
    let index = ["index", "games.pgn", "-o", "all.parquet"];
    assert_eq!(said(&folder, &[&index[..], &own, &other].concat()), "");
    let held = |query: &str| known(&folder, &[query], "all.parquet").join("\n");
    assert_eq!(held("own.cql"), "own.cql: holds in 2 of 4 games; no others are read");
    assert_eq!(
        held("other/own.cql"),
        "other/own.cql: holds in 1 of 4 games; no others are read"
    );
    let append = ["index", "more.pgn", "-o", "all.parquet", "--append"];
    assert_eq!(
        said(&folder, &[&append[..], &other].concat()),
        "note: the theme own.cql of all.parquet is left out: the one of this name has another text\n"
    );
    let unknown = "was indexed with another text or by another skewer, so it rules out no game";
    assert_eq!(held("own.cql"), format!("own.cql: {unknown}"));
    folder.file("other/own.cql", "cql() stalemate");
    assert_eq!(held("other/own.cql"), format!("other/own.cql: {unknown}"));
}

#[test]
fn themes_that_no_bitmap_can_hold_are_refused() {
    let folder = folder();
    for (text, why) in [
        ("cql(gamenumber 1 3) mate", "depends on the number of the game"),
        ("cql() mate gamenumber == lastgamenumber", "depends on"),
        ("cql() wdl == 2", "depends on tablebases"),
        ("cql(variations) mate", "it searches variations"),
        ("cql() persistent x=1 mate", "a persistent variable keeps its value"),
        ("cql() assert mate", "it does more than match"),
        ("cql() mate and", "cannot be a theme"),
    ] {
        folder.file("own.cql", text);
        let (said, _, code) = run(
            &folder,
            &["index", "games.pgn", "-o", "all.parquet", "--theme", "own.cql"],
        );
        assert_eq!(code, Some(2), "{text}");
        assert!(said.contains(why), "{text}: {said}");
        assert!(!folder.path().join("all.parquet").exists());
    }
    let (said, _, code) = run(
        &folder,
        &["index", "games.pgn", "-o", "all.parquet", "--theme", "smotherd-mate"],
    );
    assert!(
        code == Some(2) && said.contains("did you mean `smothered-mate`?"),
        "{said}"
    );
}
