//! Tests that modules depend on each other in one direction: those of the crate as docs/architecture.md says, those of a room as its front page says.
//!
//! A *room* is a module that has submodules. To have their order checked, add a paragraph like this one to its front page
//! (`mod.rs`, or `room.rs` next to the folder `room/`). It lists each submodule once:
//!
//! ```text
//! //! Each part uses only those before it: `castling`, `position`, `start`,
//! //! `variant`.
//! ```
//!
//! The front page itself comes last, so the submodules may not use what it defines. If they build on it, list it as
//! `self`. Tests may use anything. A name that `pub use` re-exports counts as part of the module that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A path to a module or to something in it, from the root of the crate.
type Name = Vec<String>;

/// The words that begin the list of a room.
const LIST: &str = "Each part uses only those before it:";

/// The parts of the crate's code that decide about its order.
#[derive(Default)]
struct Crate {
    modules: BTreeSet<Name>,
    /// Names that `use` makes, and what they refer to.
    aliases: BTreeMap<Name, Name>,
    /// The submodules of each room, in the order of its list.
    rooms: BTreeMap<Name, Vec<String>>,
    uses: Vec<Use>,
}

/// A name in the code of a module.
struct Use {
    module: Name,
    name: Name,
}

/// The code of a file without comments, split into that of the program and that of its tests.
struct Code {
    program: String,
    tests: String,
}

impl Code {
    fn of(text: &str) -> Code {
        let (mut program, mut tests) = (String::new(), String::new());
        // In an inline module, `super` is the module of the file.
        let mut in_inline_module = false;
        // The indentation of the test item that the line is in, if any.
        let mut item: Option<usize> = None;
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let indentation = line.len() - line.trim_start().len();
            let is_of_tests = ["#[cfg(test)]", "#[cfg(all(test,"]
                .iter()
                .any(|cfg| line.trim().starts_with(cfg));
            if is_of_tests && item.is_none() {
                item = Some(indentation);
                continue;
            }
            in_inline_module &= !line.starts_with('}');
            let code = if item.is_some() { &mut tests } else { &mut program };
            code.push_str(&if in_inline_module {
                line.replacen("super", "self", 1)
            } else {
                line.to_owned()
            });
            code.push('\n');
            in_inline_module |= line.ends_with('{') && line.split(' ').any(|word| word == "mod") && indentation == 0;
            let ends = line.ends_with(';') || line.trim_start().starts_with('}');
            item = item.filter(|start| indentation != *start || !ends);
        }
        Code { program, tests }
    }
}

impl Crate {
    fn read(source: &Path) -> Crate {
        let mut files = BTreeMap::new();
        let mut modules_of_tests = BTreeSet::new();
        for entry in walkdir::WalkDir::new(source) {
            let entry = entry.expect("it can be read");
            let path = entry.path().strip_prefix(source).expect("it is inside");
            if path.extension().is_none_or(|extension| extension != "rs") || path == Path::new("main.rs") {
                continue;
            }
            let mut module: Name = path
                .with_extension("")
                .iter()
                .map(|part| part.to_string_lossy().into_owned())
                .collect();
            if module.last().is_some_and(|last| last == "mod") || path == Path::new("lib.rs") {
                module.pop();
            }
            let text = fs::read_to_string(entry.path()).expect("it is text");
            let code = Code::of(&text);
            modules_of_tests.extend(declared(&code.tests).map(|child| joined(&module, &[child])));
            files.insert(module, (text, code));
        }
        let mut found = Crate {
            modules: files.keys().cloned().collect(),
            ..Crate::default()
        };
        for (module, (text, code)) in &files {
            let is_test = (1..=module.len()).any(|length| modules_of_tests.contains(&module[..length]));
            if !is_test {
                found.add_code(module, &code.program);
            }
            let Some(order) = listed(text) else { continue };
            let children = declared(&code.program).chain(["self"].map(str::to_owned));
            let children: BTreeSet<String> = children.collect();
            let mut names: BTreeSet<String> = order.iter().cloned().collect();
            names.insert("self".to_owned());
            assert_eq!(names, children, "the list in the front page of `{}`", module.join("::"));
            found.rooms.insert(module.clone(), order);
        }
        found
    }

    /// Adds the names that some code uses and the aliases that it makes. A name that is only re-exported by `pub use` does not count as used.
    fn add_code(&mut self, module: &Name, code: &str) {
        let mut rest = String::new();
        for item in code.split_inclusive(';') {
            let statement = item.rfind("use ").filter(|start| is_statement(item, *start));
            let Some(start) = statement else {
                rest.push_str(item);
                continue;
            };
            let passes_on = item[..start].trim_end().ends_with(['b', ')']);
            rest.push_str(&item[..start]);
            for (name, alias) in paths(&item[start + 4..]).0 {
                let Some(name) = self.absolute(module, &name) else {
                    continue;
                };
                let alias = alias.unwrap_or_default();
                if !passes_on || words(code).filter(|word| *word == alias).count() > 1 {
                    self.add_use(module, name.clone());
                }
                self.aliases.insert(joined(module, &[alias]), name);
            }
        }
        for (colons, _) in rest.match_indices("::") {
            let head = rest[..colons].rfind(|c| !is_word(c)).map_or(0, |before| before + 1);
            if head == colons || rest[..head].ends_with("::") {
                continue;
            }
            for (name, _) in paths(&rest[head..]).0 {
                if let Some(name) = self.absolute(module, &name) {
                    self.add_use(module, name);
                }
            }
        }
    }

    fn add_use(&mut self, module: &Name, name: Name) {
        let module = module.clone();
        self.uses.push(Use { module, name });
    }

    /// Returns a path as seen from the root of the crate, or `None` if it leads out of the crate.
    fn absolute(&self, module: &Name, path: &[String]) -> Option<Name> {
        let child = joined(module, path.get(..1)?);
        match &*path[0] {
            "crate" => Some(path[1..].to_vec()),
            "self" if path.get(1).is_some_and(|next| next == "super") => self.absolute(module, &path[1..]),
            "self" => Some(joined(module, &path[1..])),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                let above = module.get(..module.len().checked_sub(up)?)?;
                Some(joined(above, &path[up..]))
            }
            _ => self.modules.contains(&child).then(|| joined(module, path)),
        }
    }

    /// Returns the module that defines the item at a path.
    fn owner(&self, name: &Name) -> Name {
        let mut name = name.clone();
        let mut length = 0;
        // An alias may refer to another alias.
        for _ in 0..50 {
            let Some(next) = name.get(..=length) else { break };
            if self.modules.contains(next) {
                length += 1;
            } else if let Some(meant) = self.aliases.get(next).filter(|meant| *meant != next) {
                name = joined(meant, &name[length + 1..]);
                length = 0;
            } else {
                break;
            }
        }
        name[..length].to_vec()
    }
}

fn joined(module: &[String], rest: &[String]) -> Name {
    [module, rest].concat()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c| !is_word(c))
}

/// Returns whether the word at `start` begins its line, after `pub` at most.
fn is_statement(code: &str, start: usize) -> bool {
    let line = code[..start].rsplit('\n').next().unwrap_or_default().trim();
    line.is_empty() || line == "pub" || (line.starts_with("pub(") && line.ends_with(')'))
}

/// Returns the modules that some code declares and that have their own files.
fn declared(code: &str) -> impl Iterator<Item = String> {
    code.lines().filter_map(|line| {
        let (before, name) = line.split_once("mod ")?;
        (before.is_empty() || before.ends_with(' '))
            .then(|| name.strip_suffix(';').map(str::to_owned))
            .flatten()
    })
}

/// Returns the list of modules in the front page of a room.
fn listed(text: &str) -> Option<Vec<String>> {
    let page = text.lines().map_while(|line| line.strip_prefix("//!"));
    let mut paragraph = page
        .skip_while(|line| !line.contains(LIST))
        .take_while(|line| !line.trim().is_empty());
    let first = paragraph.next()?.split_once(LIST)?.1.to_owned();
    let list: String = std::iter::once(first).chain(paragraph.map(str::to_owned)).collect();
    Some(list.split('`').skip(1).step_by(2).map(str::to_owned).collect())
}

/// Reads the path at the beginning of some code, or several paths if it has braces. Returns each path with its alias, if any, and
/// the length of the text that was read.
fn paths(code: &str) -> (Vec<(Name, Option<String>)>, usize) {
    let mut path = Name::new();
    let mut place = 0;
    loop {
        place += code[place..].len() - code[place..].trim_start().len();
        if code[place..].starts_with('{') {
            place += 1;
            let mut found = Vec::new();
            while !code[place..].trim_start().starts_with('}') && place < code.len() {
                let (inner, length) = paths(&code[place..]);
                place += length.max(1);
                let prefix = path.last();
                found.extend(
                    inner
                        .into_iter()
                        .map(|(name, alias)| (joined(&path, &name), alias.or(prefix.cloned()))),
                );
                place += code[place..].len() - code[place..].trim_start_matches([',', ' ', '\n']).len();
            }
            place += code[place..].find('}').map_or(0, |end| end + 1);
            return (found, place);
        }
        let word = code[place..].split(|c| !is_word(c)).next().unwrap_or_default();
        if word.is_empty() {
            break;
        }
        path.push(word.to_owned());
        place += word.len();
        if !code[place..].starts_with("::") {
            break;
        }
        place += 2;
    }
    path.pop_if(|last| last == "self");
    let mut alias = path.last().cloned();
    if let Some(renamed) = code[place..].strip_prefix(" as ") {
        let word = renamed.split(|c| !is_word(c)).next().unwrap_or_default();
        place += " as ".len() + word.len();
        alias = Some(word.to_owned());
    }
    (vec![(path, alias)], place)
}

/// Returns the modules in the order of the table in docs/architecture.md.
fn order() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/architecture.md")).expect("it is there");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let modules = rows.filter_map(|row| row.split('|').nth(1));
    modules
        .flat_map(|modules| modules.split('`').skip(1).step_by(2).map(str::to_owned))
        .collect()
}

#[test]
fn modules_use_only_those_before_them() {
    let mut found = Crate::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    found.rooms.insert(Name::new(), order());
    let mut faults = BTreeSet::new();
    let mut count = 0;
    for Use { module, name } in &found.uses {
        let owner = found.owner(name);
        let common = module.iter().zip(&owner).take_while(|(a, b)| a == b).count();
        let room = &module[..common];
        let Some(order) = found.rooms.get(room) else { continue };
        if *module == owner {
            continue;
        }
        let part = |of: &Name| of.get(common).cloned().unwrap_or_else(|| "self".to_owned());
        let place = |part: &String| order.iter().position(|known| known == part).unwrap_or(order.len());
        let (user, used) = (part(module), part(&owner));
        if place(&used) > place(&user) {
            let name = name.join("::");
            faults.insert(format!(
                "{} uses {name}: `{used}` comes after `{user}`",
                module.join("::")
            ));
        }
        count += 1;
    }
    assert!(faults.is_empty(), "{}", Vec::from_iter(faults).join("\n"));
    assert!(count > 300, "{count} uses were looked at");
}
