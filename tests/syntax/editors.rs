//! Tests of the files for editors: they colour every word, every sign and every kind of token of the language.

use std::fs;
use std::path::Path;

use fancy_regex::Regex;
use serde_json::Value;
use skewer::syntax::{reserved_words, signs_with_spellings};

fn file(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode").join(name);
    let text = fs::read_to_string(&path).expect("the file is there");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A pattern of the grammar: its regular expression, and its scope or the scopes of its groups.
struct Pattern {
    regex: Regex,
    scope: String,
}

/// Returns the patterns of the grammar, in order.
fn patterns() -> Vec<Pattern> {
    let grammar = file("syntaxes/cql.tmLanguage.json");
    assert_eq!(grammar["scopeName"], "source.cql");
    let mut patterns = Vec::new();
    collect(&grammar, &grammar["patterns"], &mut patterns);
    assert!(patterns.len() > 10, "the grammar is not understood");
    patterns
}

fn collect(grammar: &Value, list: &Value, patterns: &mut Vec<Pattern>) {
    for item in list.as_array().expect("patterns are a list") {
        if let Some(name) = item["include"].as_str() {
            let rule = &grammar["repository"][name.trim_start_matches('#')];
            assert!(rule.is_object(), "{name} is not in the repository");
            match rule.get("patterns") {
                Some(list) => collect(grammar, list, patterns),
                None => patterns.push(pattern(rule)),
            }
        } else {
            patterns.push(pattern(item));
        }
    }
}

fn pattern(rule: &Value) -> Pattern {
    let text = rule["match"]
        .as_str()
        .or(rule["begin"].as_str())
        .expect("a rule matches something");
    let scope = rule["name"].as_str().map(str::to_owned);
    let groups = || {
        let groups = rule["captures"].as_object().expect("a scope, or scopes of groups");
        groups
            .values()
            .filter_map(|group| group["name"].as_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    Pattern {
        regex: Regex::new(text).unwrap_or_else(|error| panic!("{text}: {error}")),
        scope: scope.unwrap_or_else(groups),
    }
}

/// Returns the coloured parts of a line, with their scopes.
fn colours(patterns: &[Pattern], line: &str) -> Vec<(String, String)> {
    let mut colours = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let found = patterns.iter().filter_map(|pattern| {
            let found = pattern.regex.find_from_pos(line, at).expect("patterns are simple")?;
            Some((found.start(), found.end(), &pattern.scope))
        });
        // The first match wins. If several begin at the same place, the first pattern does.
        let Some((start, end, scope)) = found.min_by_key(|(start, ..)| *start) else {
            break;
        };
        colours.push((line[start..end].to_owned(), scope.clone()));
        at = end.max(start + 1);
    }
    colours
}

#[test]
fn every_reserved_word_has_a_colour_of_its_own() {
    let patterns = patterns();
    for word in reserved_words() {
        for (before, after) in [("", ""), (" ", " "), ("(", ")")] {
            let found = colours(&patterns, &format!("{before}{word}{after}"));
            let part = found.iter().find(|(text, _)| text.contains(word));
            let (text, scope) = part.unwrap_or_else(|| panic!("`{word}` has no colour: {found:?}"));
            assert_eq!(text, word);
            assert!(!scope.starts_with("variable"), "`{word}` looks like a name");
        }
        let longer = format!("{word}s1");
        let found = colours(&patterns, &longer);
        assert!(!word.contains('-') || !found.is_empty());
        if !word.contains('-') && !reserved_words().any(|known| known == longer) {
            assert_eq!(found[0], (longer, "variable.other.cql".to_owned()));
        }
    }
}

#[test]
fn every_sign_has_a_colour() {
    let patterns = patterns();
    for (ascii, unicode) in signs_with_spellings() {
        if ["(", ")", "{", "}", "[", "]", ",", "/"].contains(&ascii) {
            continue;
        }
        for spelling in std::iter::once(ascii).chain(unicode) {
            let found = colours(&patterns, &format!("x {spelling} y"));
            let [_, (text, scope), _] = found.as_slice() else {
                panic!("`{spelling}`: {found:?}")
            };
            assert_eq!(text, spelling);
            assert!(scope.starts_with("keyword.operator"), "`{spelling}`: {scope}");
        }
    }
}

#[test]
fn tokens_of_all_kinds_have_the_colour_of_their_kind() {
    let patterns = patterns();
    for (token, scope) in [
        ("// R", "comment"),
        ("//? match", "comment.line.documentation"),
        ("//// R", "comment"),
        ("; R", "comment"),
        ("///", "keyword.other.message"),
        ("\"R mate\"", "string"),
        ("\\n", "constant.character.escape"),
        ("\\-12", "constant.character.escape"),
        ("1-0", "constant.language"),
        ("1/2-1/2", "constant.language"),
        ("12", "constant.numeric"),
        ("R", "constant.other.designator"),
        ("[Aa]a-h1", "constant.other.designator"),
        ("a-c1-2", "constant.other.designator"),
        ("bb6", "constant.other.designator"),
        ("[a1,h8]", "constant.other.designator"),
        ("♖e4", "constant.other.designator"),
        ("△", "constant.other.designator"),
        ("--", "keyword.operator.move"),
        ("――", "keyword.operator.move"),
        ("[x]", "keyword.operator.move"),
        ("{2,}", "keyword.operator"),
        ("x1", "variable"),
        ("Rook", "variable"),
        ("$x", "variable"),
    ] {
        let found = colours(&patterns, token);
        let [(text, found)] = found.as_slice() else {
            panic!("`{token}`: {found:?}")
        };
        assert_eq!(text, token);
        assert!(found.starts_with(scope), "`{token}`: {found}");
    }
    let function = colours(&patterns, "function Fork");
    assert_eq!(function[0].1, "keyword.control.cql entity.name.function.cql");
    let input = colours(&patterns, "input games.pgn");
    assert_eq!(input[0].1, "keyword.other.header.cql string.unquoted.file.cql");
    let mark = colours(&patterns, "[Aa]man");
    assert_eq!(mark[0], ("[Aa]".to_owned(), "storage.modifier.piece.cql".to_owned()));
}

#[test]
fn the_extension_names_files_that_exist() {
    let package = file("package.json");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode");
    let contributes = &package["contributes"];
    for name in [
        &contributes["languages"][0]["configuration"],
        &contributes["grammars"][0]["path"],
    ] {
        let name = name.as_str().expect("a file name");
        assert!(folder.join(name).is_file(), "{name}");
    }
    let build = package["scripts"]["build"].as_str().expect("a command");
    let built = package["main"].as_str().expect("a file name").trim_start_matches("./");
    assert!(
        build.contains(" src/extension.js ") && build.contains(&format!("--outfile={built}")),
        "{build}"
    );
    assert!(folder.join("src/extension.js").is_file());
    file("language-configuration.json");
    assert_eq!(
        package["version"],
        env!("CARGO_PKG_VERSION"),
        "the extension goes with the program"
    );
    assert_eq!(
        contributes["languages"][0]["id"],
        contributes["grammars"][0]["language"]
    );
}
