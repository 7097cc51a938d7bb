//! The files that a release is made from.

use std::fs;
use std::path::Path;
use std::process::Command;

use fancy_regex::Regex;

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// `packaging/repository` sets the address in all of them.
#[test]
fn all_files_name_the_same_repository() {
    let address = Regex::new(r"https://[\w.]+/[^\s/]+/skewer(?![\w-])").expect("a regular expression");
    let script = read("packaging/repository");
    let files = script
        .lines()
        .find_map(|line| line.strip_prefix("for file in ")?.strip_suffix("; do"));
    for file in files.expect("a list of files").split(' ') {
        let text = read(file);
        let named: Vec<&str> = address
            .find_iter(&text)
            .map(|found| found.expect("a match").as_str())
            .collect();
        assert!(!named.is_empty(), "{file} names no repository");
        assert!(named.iter().all(|name| *name == REPOSITORY), "{file}: {named:?}");
    }
}

#[test]
fn the_files_of_a_release_name_its_archives() {
    let dist = tempfile::tempdir().expect("a folder");
    let version = env!("CARGO_PKG_VERSION");
    let targets = [
        ("x86_64-unknown-linux-musl", "tar.gz"),
        ("aarch64-unknown-linux-musl", "tar.gz"),
        ("x86_64-apple-darwin", "tar.gz"),
        ("aarch64-apple-darwin", "tar.gz"),
        ("x86_64-pc-windows-msvc", "zip"),
    ];
    let archives = targets.map(|(target, ending)| format!("skewer-{version}-{target}.{ending}"));
    for archive in &archives {
        fs::write(dist.path().join(archive), archive).expect("it can be written");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/manifests");
    let Ok(run) = Command::new("python3").arg(script).arg(dist.path()).output() else {
        eprintln!("skipped: there is no python3");
        return;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let written = |name: &str| fs::read_to_string(dist.path().join(name)).expect("it is written");
    let (formula, manifest, sums) = (written("skewer.rb"), written("skewer.json"), written("SHA256SUMS"));
    serde_json::from_str::<serde_json::Value>(&manifest).expect("JSON");
    for archive in &archives {
        let url = format!("\"{REPOSITORY}/releases/download/v{version}/{archive}\"");
        let line = sums.lines().find(|line| line.ends_with(archive)).expect("a checksum");
        let (checksum, _) = line.split_once(' ').expect("two columns");
        let holder = if archive.ends_with(".zip") { &manifest } else { &formula };
        assert!(
            holder.contains(&url) && holder.contains(checksum),
            "{archive}: {holder}"
        );
    }
    assert!(!formula.contains('@') && !manifest.contains('@'), "{formula}{manifest}");
}

/// The program looks for its second build, for newer processors, in the place where the packaging scripts put it.
#[test]
fn the_program_for_newer_processors_has_one_name() {
    let version = env!("CARGO_PKG_VERSION");
    let name = |version: &str| format!("skewer-{version}-x86-64-v3");
    for (file, written) in [
        ("packaging/archive", "$version"),
        ("packaging/homebrew/skewer.rb.in", "#{version}"),
        ("docs/install.md", version),
    ] {
        assert!(read(file).contains(&name(written)), "{file} has no {}", name(written));
    }
    let source = read("src/cli/cpu_dispatch.rs");
    assert!(source.contains(r#"concat!("skewer-", env!("CARGO_PKG_VERSION"), "-x86-64-v3")"#));
    assert!(source.contains("\"../lib/skewer\""));
    assert!(read("Cargo.toml").contains("\"usr/lib/skewer/\""));
    assert!(read("packaging/homebrew/skewer.rb.in").contains("(lib/\"skewer\").install"));
}
