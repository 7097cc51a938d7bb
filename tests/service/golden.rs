//! The golden cases that need no files, answered by the service. web/engine/test/golden.mjs asks the same of WebAssembly.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skewer::Games;
use skewer::service::{Error, Limits, Search};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The numbers of the positions that match.
fn ids(query: &str, games: &Path) -> Result<Vec<String>, Error> {
    let question = json!({ "query": query, "options": { "strict": true } });
    let search = Search::new(&question.to_string(), &Limits::default())?;
    let mut ids = Vec::new();
    search.run(Games::at(games), &mut |event| {
        let event: Value = serde_json::from_str(event).expect("JSON");
        if let Some(game) = event.get("game") {
            let matches = game["matches"].as_array().expect("matches");
            ids.extend(matches.iter().map(|found| format!("{}:{}", game["number"], found[0])));
        }
        ControlFlow::Continue(())
    })?;
    Ok(ids)
}

#[test]
fn golden_cases_without_files_are_answered() {
    let list = fs::read_to_string(folder().join("../service/other-answers.txt")).expect("the list");
    let others: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let (mut agreed, mut faults) = (0, Vec::new());
    let mut chapters: Vec<_> = fs::read_dir(folder())
        .expect("chapters")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    chapters.retain(|path| path.join("../pgn").is_dir() && path.is_dir() && !path.ends_with("pgn"));
    chapters.sort();
    for chapter in chapters {
        let games = if chapter.ends_with("differential") {
            chapter.clone()
        } else {
            folder().join("pgn")
        };
        let mut paths: Vec<_> = fs::read_dir(&chapter)
            .expect("cases")
            .flatten()
            .map(|entry| entry.path())
            .collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "cql"));
        paths.sort();
        for path in paths {
            let name = path.strip_prefix(folder()).expect("inside").with_extension("");
            let name = name.to_string_lossy().replace('\\', "/");
            let query = String::from_utf8_lossy(&fs::read(&path).expect("a query")).into_owned();
            let kind = query
                .trim_start_matches('\u{feff}')
                .lines()
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned();
            let expected = fs::read_to_string(path.with_extension("expected")).unwrap_or_default();
            let value = |word: &str| expected.lines().find_map(|line| line.strip_prefix(word)).map(str::trim);
            let input = query
                .split_once("input ")
                .map(|(_, rest)| rest.split([' ', ')', '\n']).next().unwrap_or_default());
            let input = games.join(input.unwrap_or_default());
            if others.contains(&&*name) || !input.is_file() {
                continue;
            }
            let found = ids(&query, &input);
            let is_right = match (&found, &*kind) {
                (found, "// reject") => found.is_err(),
                (Ok(_), "// nowrap") => true,
                (Ok(ids), _) => {
                    value("positions:").is_none_or(|count| count == ids.len().to_string()) && {
                        let recorded = expected
                            .lines()
                            .filter_map(|line| line.strip_prefix("@ "))
                            .flat_map(|line| line.split(' '));
                        recorded
                            .take_while(|id| *id != "...")
                            .eq(ids.iter().map(String::as_str).take(
                                expected
                                    .lines()
                                    .filter_map(|line| line.strip_prefix("@ "))
                                    .flat_map(|line| line.split(' '))
                                    .take_while(|id| *id != "...")
                                    .count(),
                            ))
                    }
                }
                (Err(_), _) => false,
            };
            if is_right {
                agreed += 1
            } else {
                faults.push(format!(
                    "{name} {}",
                    found.err().map(|error| error.message).unwrap_or_default()
                ))
            }
        }
    }
    assert!(faults.is_empty(), "{}\n{agreed} agree", faults.join("\n"));
    assert!(agreed > 1000, "{agreed}");
}
