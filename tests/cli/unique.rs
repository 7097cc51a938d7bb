//! `skewer index --unique`: each game is in the database only once.

use super::databases::printed;
use super::*;

/// Returns a game between two players in a year.
fn game(white: &str, black: &str, year: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}.??.??\"]\n\n{moves}\n\n")
}

/// Runs `skewer index` on games. Returns its messages, the rows of the table of duplicates, and the games of the database.
fn index(folder: &Folder, games: &[String], arguments: &[&str]) -> (String, Vec<String>, Vec<String>) {
    folder.file("games.pgn", games.concat());
    let mut command = skewer();
    command
        .args(["index", "games.pgn", "-o", "all.parquet"])
        .args(arguments);
    let (said, output, code) = printed(command.current_dir(folder.path()));
    assert_eq!((&*output, code), ("", Some(0)), "{said}");
    let table = std::fs::read_to_string(folder.path().join("all.duplicates.csv")).unwrap_or_default();
    let table = table.lines().skip(1).map(str::to_owned).collect();
    (said, table, games_of(folder))
}

/// Returns the games of the database as PGN.
fn games_of(folder: &Folder) -> Vec<String> {
    let mut command = skewer();
    let command = command.args(["search", "-e", "initial", "-f", "pgn", "--quiet", "all.parquet"]);
    let (_, pgn, _) = printed(command.current_dir(folder.path()));
    pgn.split("[White ").skip(1).map(str::to_owned).collect()
}

#[test]
fn games_that_repeat_others_are_left_out_and_listed() {
    let folder = Folder::new();
    let games = [
        game(
            "Carlsen, Magnus",
            "Anand, Viswanathan",
            "2014",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2",
        ),
        game(
            "Carlsen,M",
            "V. Anand",
            "2014",
            "1.e4 e5 2.Nf3 Nc6 3.Bb5 {the Spanish} 1/2-1/2",
        ),
        game("Carlsen, Magnus", "Anand, Viswanathan", "????", "1. e4 e5 2. Nf3 *"),
        game(
            "Anand, Viswanathan",
            "Carlsen, Magnus",
            "2014",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2",
        ),
        game(
            "Carlsen, Magnus",
            "Anand, Viswanathan",
            "2013",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2",
        ),
    ];
    let (said, table, left) = index(&folder, &games, &["--unique"]);
    assert_eq!(
        said,
        "note: 2 games that repeat others are left out: all.duplicates.csv\n"
    );
    assert_eq!(
        table,
        [
            "games.pgn,1,1,\"Carlsen, Magnus\",\"Anand, Viswanathan\",same moves,games.pgn,7,2",
            "games.pgn,13,3,\"Carlsen, Magnus\",\"Anand, Viswanathan\",part of a longer game,games.pgn,7,2",
        ]
    );
    assert_eq!(left.len(), 3);
    assert!(left[0].contains("the Spanish"), "{left:?}");
}

#[test]
fn no_game_makes_way_for_one_that_says_less() {
    let folder = Folder::new();
    let games = [
        game("A", "B", "2000", "1. d4 d5 2. c4 {a gambit} *"),
        game("A", "B", "2000", "1. d4 d5 2. c4 e6 *"),
        game("A", "B", "2000", "1. d4 d5 1-0"),
        game("A", "B", "2000", "1. d4 d5 2. c4 c6 0-1"),
    ];
    // The first game stays because of its comment. The third contradicts the result of the fourth, but it is also part of the others.
    let (_, table, left) = index(&folder, &games, &["--unique"]);
    assert_eq!(table.len(), 1, "{table:?}");
    assert!(table[0].starts_with("games.pgn,13,3,"), "{table:?}");
    assert_eq!(left.len(), 3);
}

#[test]
fn games_of_unknown_players_without_moves_or_with_mistakes_stay() {
    let folder = Folder::new();
    let twice = |game: String| [game.clone(), game];
    let games: Vec<String> = [
        game("?", "?", "2000", "1. e4 e5 *"),
        game("A", "?", "2000", "1. e4 e5 *"),
        game("A", "B", "2000", "*"),
        game("A", "B", "2000", "1. e4 Ke5 *"),
        "[White \"A\"]\n[Black \"B\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n".to_owned(),
    ]
    .into_iter()
    .flat_map(twice)
    .collect();
    let (said, table, left) = index(&folder, &games, &["--unique"]);
    assert!(
        said.ends_with("note: 1 game that repeats another is left out: all.duplicates.csv\n"),
        "{said}"
    );
    assert_eq!(table.len(), 1, "{table:?}");
    assert!(table[0].contains(",10,A,B,same moves,"), "{table:?}");
    assert_eq!(left.len(), 9);
}

#[test]
fn the_table_alone_leaves_all_games() {
    let folder = Folder::new();
    let games = [game("A", "B", "2000", "1. e4 *"), game("A", "B", "2000", "1. e4 *")];
    let (said, table, left) = index(&folder, &games, &["--drop-duplicates", "all.duplicates.csv"]);
    assert_eq!(said, "note: 1 game repeats another: all.duplicates.csv\n");
    assert_eq!((table.len(), left.len()), (1, 2));
}

#[test]
fn what_is_in_the_database_stays_when_games_are_added() {
    let folder = Folder::new();
    let old = [game("A", "B", "2000", "1. e4 *"), game("A", "B", "2000", "1. e4 *")];
    index(&folder, &old, &[]);
    let new = [
        game("a", "b", "????", "1. e4 *"),
        game("A", "B", "2000", "1. e4 e5 *"),
        game("A", "B", "2000", "1. e4 e5 *"),
    ];
    let (_, table, left) = index(&folder, &new, &["--append", "--unique"]);
    let numbers: Vec<&str> = table.iter().filter_map(|line| line.split(',').nth(2)).collect();
    assert_eq!(numbers, ["3", "5"], "{table:?}");
    assert_eq!(left.len(), 3);
}

#[test]
fn row_groups_without_duplicates_are_as_they_were() {
    let folder = Folder::new();
    let player = |number: usize| format!("P{number}");
    let games: Vec<String> = (0..3000)
        .map(|number| game(&player(number % 2990), "B", "2000", "1. e4 e5 2. Nf3 *"))
        .collect();
    let (_, table, left) = index(&folder, &games, &["--unique"]);
    assert_eq!((table.len(), left.len()), (10, 2990));
    assert!(table[0].ends_with(",games.pgn,1,1"), "{}", table[0]);
}

#[test]
fn nothing_is_written_over_a_table_that_somebody_else_has_made() {
    let folder = Folder::new();
    folder.file("games.pgn", game("A", "B", "2000", "1. e4 *"));
    folder.file("all.duplicates.csv", "mine\n");
    let mut command = skewer();
    let command = command.args(["index", "games.pgn", "-o", "all.parquet", "--unique"]);
    let (said, _, code) = printed(command.current_dir(folder.path()));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("all.duplicates.csv is there already"), "{said}");
    assert!(!folder.path().join("all.parquet").exists());
}
