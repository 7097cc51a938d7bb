//! Tests that the documentation is true: runs its commands and compiles its queries.
//!
//! This covers all pages below `docs/`, the pages for contributors and the front pages (`PAGES`):
//!
//! * The commands of a ```` ```sh ```` block are run by a shell in the root of the repository, or what looks like it, with the
//!   `skewer` that was just built. If a ```` ```text ```` block follows directly, it shows what they print to standard output and
//!   standard error; otherwise they print nothing. In it, a line `...` matches any number of lines, and spaces at the ends of lines
//!   do not count. Files that commands make stay for the rest of the page, and never get into the repository. `$TMPDIR` is an empty
//!   folder for each page.
//! * A ```` ```sh no-run ```` block is not run: it installs or builds something, or needs what the repository does not have.
//! * A block that begins with ```` ```cql ```` holds a query, or filters without a header, that `skewer check` accepts. If it has
//!   self-tests, they pass.
//!
//! * Each row of a table in `docs/cookbook.md` has words, filters, and what the filters find in `examples/classics.pgn`. If they
//!   find nothing there, the row has an example that they do find: a FEN, tags or moves, or several of these.
//! * The last column of the tables in `docs/guide/words.md` holds queries that `skewer check` accepts without a warning.
//!
//! Blocks of other languages are ignored.
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A fenced block of a page.
struct Block {
    /// The page and the line on which the block begins.
    place: String,
    language: String,
    lines: Vec<String>,
    /// What the commands print: the `text` block that follows, with only blank lines between.
    output: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages outside of `docs/`.
const PAGES: [&str; 6] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "tests/README.md",
    "python/README.md",
];

/// Returns the pages of the book, in order.
fn book() -> Vec<PathBuf> {
    let folder = walkdir::WalkDir::new(root().join("docs")).sort_by_file_name();
    let files = folder.into_iter().filter_map(|entry| Some(entry.ok()?.into_path()));
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

/// Returns all pages of the documentation, in order.
fn pages() -> Vec<PathBuf> {
    PAGES.iter().map(|page| root().join(page)).chain(book()).collect()
}

/// Returns the blocks in this language from all pages.
fn blocks(language: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("pages can be read");
        let name = page.strip_prefix(root()).unwrap_or(&page).display().to_string();
        let mut open: Option<Block> = None;
        let mut follows_commands = false;
        for (number, line) in text.lines().enumerate() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(""), Some(_)) => {
                    let block = open.take().expect("it is open");
                    let of_commands = blocks
                        .last_mut()
                        .filter(|_| follows_commands && block.language == "text");
                    follows_commands = of_commands.is_none() && block.language == "sh";
                    match of_commands {
                        Some(commands) => commands.output = block.lines,
                        None => blocks.push(block),
                    }
                }
                (Some(language), None) => {
                    assert!(
                        language != "console",
                        "{name}: write `sh` and `text` instead of `console`"
                    );
                    open = Some(Block {
                        place: format!("{name}:{}", number + 1),
                        language: language.to_owned(),
                        lines: Vec::new(),
                        output: Vec::new(),
                    });
                }
                (_, Some(block)) => block.lines.push(line.to_owned()),
                (None, None) => follows_commands &= line.trim().is_empty(),
            }
        }
        assert!(open.is_none(), "{name}: a block is not closed");
    }
    blocks.retain(|block| block.language == language);
    blocks
}

/// Makes a new folder with links to everything in the repository. Files that commands create there do not get into the repository.
fn copy_of_root() -> TempDir {
    let copy = tempfile::tempdir().expect("there is room for temporary files");
    for entry in fs::read_dir(root()).expect("the repository can be read") {
        let entry = entry.expect("the repository can be read");
        symlink(entry.path(), copy.path().join(entry.file_name())).expect("links can be made");
    }
    copy
}

/// Runs a command in the folder `here`. The built `skewer` comes first in the search path, and temporary files go to `files`.
fn shell(command: &str, here: &Path, files: &Path) -> Output {
    let folder = Path::new(env!("CARGO_BIN_EXE_skewer"))
        .parent()
        .expect("a file is in a folder");
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(std::iter::once(folder.to_path_buf()).chain(env::split_paths(&others)));
    Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .env("PATH", path.expect("folders of the search path have no colons"))
        .env("TMPDIR", files)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("SKEWER_TABLEBASE")
        .current_dir(here)
        .output()
        .expect("there is a shell")
}

/// Returns whether the lines are as expected. An expected line `...` matches any number of lines.
fn fits(expected: &[&str], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|skipped| fits(rest, &found[skipped..])),
        Some((line, rest)) => found
            .split_first()
            .is_some_and(|(first, others)| first.trim_end() == line.trim_end() && fits(rest, others)),
    }
}

#[test]
fn commands_print_what_the_documentation_shows() {
    let mut failures = String::new();
    let new_folders = || {
        (
            copy_of_root(),
            tempfile::tempdir().expect("there is room for temporary files"),
        )
    };
    let mut page = String::new();
    let mut folders = new_folders();
    let blocks = blocks("sh");
    assert!(!blocks.is_empty(), "no commands found");
    for block in blocks {
        let of_page = block.place.split(':').next().unwrap_or_default();
        if page != of_page {
            page = of_page.to_owned();
            folders = new_folders();
        }
        let commands = block.lines.join("\n");
        assert!(
            !commands.starts_with("$ "),
            "{}: a block without prompt signs can be copied",
            block.place
        );
        let output = shell(&commands, folders.0.path(), folders.1.path());
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut found: Vec<&str> = found.lines().collect();
        let mut expected: Vec<&str> = block.output.iter().map(String::as_str).collect();
        for lines in [&mut found, &mut expected] {
            while lines.pop_if(|line| line.trim().is_empty()).is_some() {}
        }
        if !fits(&expected, &found) {
            let _ = writeln!(failures, "{}: {commands}\n{}\n", block.place, found.join("\n"));
        }
    }
    assert!(failures.is_empty(), "these print something else:\n\n{failures}");
}

#[test]
fn queries_compile() {
    let mut failures = String::new();
    for block in blocks("cql") {
        let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .args(["check", "-e", &block.lines.join("\n")])
            .output()
            .expect("the command runs");
        if !output.status.success() {
            let _ = writeln!(
                failures,
                "{}:\n{}\n",
                block.place,
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    assert!(failures.is_empty(), "these are refused:\n\n{failures}");
}

#[test]
fn queries_pass_their_self_tests() {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let mut tested = 0;
    for block in blocks("cql") {
        let text = block.lines.join("\n");
        if text.contains("//?") {
            tested += 1;
            let query = folder.path().join("query.cql");
            fs::write(&query, text).expect("files can be written");
            let output = shell(&format!("skewer test -q {}", query.display()), root(), folder.path());
            assert!(
                output.status.success(),
                "{}:\n{}",
                block.place,
                String::from_utf8_lossy(&output.stdout)
            );
        }
    }
    assert!(tested > 0, "no query with self-tests found");
}

/// A row of the cookbook's tables.
struct Recipe {
    words: String,
    filters: String,
    /// What a search of `examples/classics.pgn` finds.
    found: String,
    /// A game that matches, if none of the classics does.
    example: Option<String>,
}

/// Returns the cells of each row in the three-column tables of a page, without the heads of the tables.
fn rows_of_three(page: &str) -> Vec<[String; 3]> {
    let text = fs::read_to_string(root().join(page)).expect("the page can be read");
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let rows = rows.map(|row| {
        let row = row.replace("\\|", "\u{0}");
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect();
        let [_, first, second, third, _] = cells.as_slice() else {
            panic!("{page}: a row of three cells: {row}");
        };
        [first, second, third].map(Clone::clone)
    });
    rows.collect()
}

fn recipes() -> Vec<Recipe> {
    let recipes = rows_of_three("docs/cookbook.md")
        .into_iter()
        .map(|[words, filters, found]| {
            let spans: Vec<&str> = found.split('`').skip(1).step_by(2).collect();
            Recipe {
                words,
                filters: filters.trim_matches('`').to_owned(),
                example: (!spans.is_empty()).then(|| example(&spans)),
                found: if spans.is_empty() {
                    found
                } else {
                    "0 games, 0 positions".to_owned()
                },
            }
        });
    recipes.collect()
}

/// Makes a PGN game from tags or the FEN of its first position, and moves.
fn example(spans: &[&str]) -> String {
    let (mut tags, mut moves) = ("[Event \"?\"]\n".to_owned(), "*");
    for span in spans {
        if span.starts_with('[') {
            tags += &format!("{}\n", span.replace("] [", "]\n["));
        } else if span.ends_with(" w") || span.ends_with(" b") {
            tags += &format!("[FEN \"{span}\"]\n");
        } else {
            moves = span;
        }
    }
    format!("{tags}\n{moves}\n\n")
}

/// Returns what each query of a folder finds in a file, in the order of the names: `N games, N positions`, or an error.
fn found_by_all(queries: &Path, games: &Path) -> Vec<String> {
    let results = tempfile::tempdir().expect("there is room for temporary files");
    let arguments = [
        queries.as_os_str(),
        games.as_os_str(),
        "-q".as_ref(),
        "-f".as_ref(),
        "ids".as_ref(),
    ];
    Command::new(env!("CARGO_BIN_EXE_skewer"))
        .arg("search")
        .args(arguments)
        .arg("--out-dir")
        .arg(results.path())
        .output()
        .expect("the command runs");
    let table = fs::read_to_string(results.path().join("summary.csv")).expect("there is a summary");
    let rows = table.lines().skip(1).map(|row| {
        let cells: Vec<&str> = row.splitn(4, ',').collect();
        let several = |number: &str, noun: &str| format!("{number} {noun}{}", if number == "1" { "" } else { "s" });
        match cells.as_slice() {
            [_, games, positions, ""] => format!("{}, {}", several(games, "game"), several(positions, "position")),
            _ => row.to_owned(),
        }
    });
    rows.collect()
}

#[test]
fn recipes_of_the_cookbook_find_what_they_say() {
    let recipes = recipes();
    assert!(
        recipes.len() >= 100,
        "only {} recipes, and the tutorial speaks of a hundred",
        recipes.len()
    );
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let queries = folder.path().join("queries");
    fs::create_dir(&queries).expect("folders can be made");
    for (number, recipe) in recipes.iter().enumerate() {
        let text = format!("cql()\n{}\n", recipe.filters);
        fs::write(queries.join(format!("{number:03}.cql")), text).expect("files can be written");
    }
    let found = found_by_all(&queries, &root().join("examples/classics.pgn"));
    assert_eq!(found.len(), recipes.len());
    let mut wrong: Vec<String> = Vec::new();
    for (recipe, found) in recipes.iter().zip(found) {
        if found != recipe.found {
            wrong.push(format!("{}: {found} in the classics", recipe.words));
        }
    }
    for recipe in &recipes {
        let Some(example) = &recipe.example else {
            continue;
        };
        let games = folder.path().join("example.pgn");
        fs::write(&games, example).expect("files can be written");
        let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .args(["search", "-q", "-f", "count", "-e", &recipe.filters])
            .arg(&games)
            .output()
            .expect("the command runs");
        if !output.status.success() {
            wrong.push(format!("{}: not in\n{example}", recipe.words));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn recipes_leave_out_what_only_looks_alike() {
    let recipes = recipes();
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let games = folder.path().join("games.pgn");
    for (words, alike) in [
        (
            "A king makes five moves in a row",
            "[FEN \"4k3/7p/8/8/8/8/P7/4K3 w - - 0 1\"]\n\n1. Kd2 h6 2. a3 h5 3. Kd3 h4 4. a4 h3 5. Ke3 h2 6. a5 Kd7 7. Kf3 Ke7 8. a6 Kd7 \
             9. Kg3 Ke7 *\n",
        ),
        ("Games won in 20 moves or fewer", "[Result \"*\"]\n\n1. e4 e5 *\n"),
        (
            "White may castle on either side now",
            "[FEN \"r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1\"]\n\n1... Kd7 *\n",
        ),
        (
            "A discovered check has just been given",
            "[FEN \"5k2/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O+ Ke7 *\n",
        ),
        (
            "A discovered check is possible",
            "[FEN \"4k3/4r3/8/8/4B3/8/4R3/4K2r w - - 0 1\"]\n\n1. Kd2 *\n",
        ),
        (
            "An exchange sacrifice: a rook takes a minor piece and is taken",
            "[FEN \"4k3/8/8/1n6/8/8/6r1/1R4RK w - - 0 1\"]\n\n1. Rxb5 Rxg1+ 2. Kxg1 *\n",
        ),
        (
            "White is a queen ahead or more, and stays so for four moves",
            "[FEN \"3qk3/8/8/8/8/8/3Q4/3RK3 w - - 0 1\"]\n\n1. Qxd8+ Kf7 2. Qd2 Kg7 3. Qd3 Kf7 *\n",
        ),
        (
            "White is the exchange up",
            "[FEN \"4k1n1/8/8/8/8/8/8/RQ2K3 w - - 0 1\"]\n\n1. Kd2 *\n",
        ),
        (
            "A piece that can be taken and that nothing protects",
            "[FEN \"4r2k/8/8/3n4/4B3/8/8/4K3 w - - 0 1\"]\n\n*\n",
        ),
    ] {
        let recipe = recipes.iter().find(|recipe| recipe.words == words).expect(words);
        fs::write(&games, alike).expect("files can be written");
        let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .args(["search", "-q", "-f", "ids", "-e", &recipe.filters])
            .arg(&games)
            .output()
            .expect("the command runs");
        assert_eq!(
            output.status.code(),
            Some(1),
            "{words}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

/// Several pages mention the number of queries in the library.
#[test]
fn pages_know_how_many_queries_the_library_has() {
    let queries = walkdir::WalkDir::new(root().join("queries")).into_iter().flatten();
    let count = queries
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "cql"))
        .count();
    let mut places = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("pages can be read");
        let words: Vec<&str> = text.split_whitespace().collect();
        for three in words.windows(3) {
            let is_number_of_queries =
                three[1].starts_with("queries") || (three[1] == "ready" && three[2].starts_with("queries"));
            // Smaller numbers are about folders of the reader.
            if let Some(number) = three[0]
                .parse::<usize>()
                .ok()
                .filter(|number| is_number_of_queries && *number > 100)
            {
                assert_eq!(number, count, "{}: queries of the library", page.display());
                places += 1;
            }
        }
        assert!(
            !text.contains("hundred queries") && !text.contains("hundred ready queries"),
            "{}",
            page.display()
        );
    }
    assert!(places >= 3, "only {places} pages say it");
}

#[test]
fn examples_of_everyday_words_compile() {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let rows = rows_of_three("docs/guide/words.md");
    assert!(!rows.is_empty(), "no words found");
    for (number, [_, _, query]) in rows.iter().enumerate() {
        let text = format!("cql()\n{}\n", query.trim_matches('`'));
        fs::write(folder.path().join(format!("{number:03}.cql")), text).expect("files can be written");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args(["check", "--deny", "warnings"])
        .arg(folder.path())
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_book_has_every_page() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("it can be read");
    for page in book() {
        let name = page.strip_prefix(root().join("docs")).expect("it is inside").display();
        let listed = summary.matches(&format!("]({name})")).count();
        let expected = usize::from(!page.ends_with("SUMMARY.md"));
        assert_eq!(listed, expected, "docs/SUMMARY.md: {name}");
    }
}

/// Returns the anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("pages can be read");
        // Code between backquotes may look like a link: `R[x][nb](a[x]R)`.
        let prose: String = text.split('`').step_by(2).collect();
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => page.clone(),
                _ => page.parent().expect("a file is in a folder").join(path),
            };
            let is_page = target.extension().is_some_and(|extension| extension == "md");
            let has_anchor =
                || fs::read_to_string(&target).is_ok_and(|text| anchors(&text).iter().any(|a| a == anchor));
            if !target.exists() || is_page && !anchor.is_empty() && !has_anchor() {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links: {broken:#?}");
}

#[test]
fn dots_stand_for_any_number_of_lines() {
    assert!(fits(&["a", "...", "d"], &["a", "b", "c", "d"]));
    assert!(fits(&["...", "b  "], &["b"]));
    assert!(!fits(&["a", "..."], &["b"]));
    assert!(!fits(&["a"], &["a", "b"]));
}
