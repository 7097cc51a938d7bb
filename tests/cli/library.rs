//! `skewer library`.

use predicates::prelude::*;

use super::*;

fn library(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = skewer();
    command.current_dir(folder.path()).arg("library").args(arguments);
    command
}

fn queries() -> Folder {
    let folder = Folder::new();
    folder.file(
        "queries/mates/smothered-mate.cql",
        "// Smothered mate: a knight mates. More.\n//? match \"6rk/5Npp/8/8/8/8/8/6K1 b\"\n//? no match \"7k/8/8/8/8/8/8/6K1 b\"\ncql() mate N->k",
    );
    folder.file("queries/any.cql", "cql() true");
    folder
}

#[test]
fn tables_list_the_queries_of_all_folders() {
    let folder = queries();
    let expected = "# Queries\n\n2 queries with 2 examples, made by skewer library.\n\n\
        | query | what it finds | examples |\n|---|---|---:|\n| [any](any.cql) |  | 0 |\n\n\
        ## Mates\n\n| query | what it finds | examples |\n|---|---|---:|\n\
        | [smothered-mate](mates/smothered-mate.cql) | Smothered mate: a knight mates. | 2 |\n";
    assert_eq!(stdout(&mut library(&folder, &["-f", "markdown"])), expected);
    let elsewhere = ["queries", "-o", "index.md"];
    library(&folder, &elsewhere).assert().code(0).stdout("").stderr("");
    let written = std::fs::read_to_string(folder.path().join("index.md")).expect("it is written");
    assert!(written.contains("(queries/mates/smothered-mate.cql)"), "{written}");
}

#[test]
fn without_a_file_there_is_a_line_for_each_query() {
    let folder = queries();
    let expected = "queries/any.cql\n\
        queries/mates/smothered-mate.cql  Smothered mate: a knight mates.\n";
    assert_eq!(stdout(&mut library(&folder, &[])), expected);
}

#[test]
fn queries_are_found_by_words_of_names_and_comments() {
    let folder = queries();
    for words in ["KNIGHT more", "smothered mates", "mate"] {
        let found = stdout(&mut library(&folder, &["--find", words]));
        assert!(
            found.starts_with("queries/mates/smothered-mate.cql  "),
            "{words}: {found}"
        );
        assert_eq!(found.lines().count(), 1, "{words}: {found}");
    }
    for words in ["knight rook", "8/8/8"] {
        library(&folder, &["--find", words]).assert().code(1).stdout("");
    }
    let table = stdout(&mut library(&folder, &["--find", "any", "-f", "markdown"]));
    assert!(table.contains("1 query with 0 examples"), "{table}");
}

#[test]
fn the_page_draws_what_the_first_example_shows() {
    let page = stdout(&mut library(&queries(), &["queries", "-f", "html"]));
    assert_eq!(page.matches("<article>").count(), 2);
    assert_eq!(page.matches("<svg viewBox").count(), 1, "one of them has an example");
    assert_eq!(page.matches("href=\"#skewer-n\"").count(), 1, "the knight");
    assert!(page.contains("Smothered mate: a knight mates.</p>"), "{page}");
}

#[test]
fn a_query_that_is_wrong_is_listed_and_reported() {
    let folder = queries();
    folder.file("queries/wrong.cql", "// Wrong.\ncql() mte");
    library(&folder, &["-f", "markdown"])
        .assert()
        .code(2)
        .stdout(predicate::str::contains("| [wrong](wrong.cql) | Wrong. | 0 |"))
        .stderr(predicate::str::contains("unknown name `mte`").and(predicate::str::contains("wrong.cql:2:7")));
    library(&folder, &["nowhere"]).assert().code(2).stdout("");
}
