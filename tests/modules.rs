//! The modules of the crate depend on each other one way, as docs/architecture.md says.

use std::fs;
use std::path::Path;

/// The modules in the order of the list in docs/architecture.md.
fn order() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/architecture.md")).expect("it is there");
    let list = text
        .lines()
        .find(|line| line.starts_with("> `limits`"))
        .expect("the list");
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The modules of the crate that the code of a text names: behind `crate::`, one or several in braces.
fn named(text: &str) -> Vec<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = code.collect::<Vec<_>>().join("\n");
    let mut names = Vec::new();
    for (_, rest) in code
        .match_indices("crate::")
        .map(|(at, found)| code.split_at(at + found.len()))
    {
        let group = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let paths = group.map_or(rest, |(group, _)| group);
        let paths = paths.split(',').take(if group.is_some() { usize::MAX } else { 1 });
        names.extend(paths.map(|path| {
            let word = path
                .trim_start()
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next();
            word.unwrap_or_default().to_owned()
        }));
    }
    names
}

#[test]
fn modules_use_only_those_before_them() {
    let order = order();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = 0;
    for entry in walkdir::WalkDir::new(&source) {
        let entry = entry.expect("it can be read");
        let path = entry.path().strip_prefix(&source).expect("it is inside");
        let module = path
            .iter()
            .next()
            .map(|first| first.to_string_lossy().replace(".rs", ""));
        let Some(module) = module.filter(|_| path.extension().is_some_and(|extension| extension == "rs")) else {
            continue;
        };
        if ["lib", "main"].contains(&&*module) {
            continue;
        }
        let place = order.iter().position(|known| *known == module);
        let place = place.unwrap_or_else(|| panic!("the list has no `{module}`"));
        let text = fs::read_to_string(entry.path()).expect("it is text");
        for name in named(&text) {
            let used = order.iter().position(|known| *known == name);
            assert!(
                used.is_none_or(|used| used <= place),
                "src/{} uses `{name}`, which comes after `{module}`",
                path.display()
            );
            found += usize::from(used.is_some_and(|used| used < place));
        }
    }
    assert!(found > 300, "{found} uses were looked at");
}
