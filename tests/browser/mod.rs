//! The pages, tested in a real browser.
//!
//! Chromium opens them without a window. The tests press keys, type into the filter and scroll, as a reader would. Where Chromium
//! is not installed, they print that they are skipped. `SCREENSHOTS=FOLDER cargo test --test tests browser::` keeps pictures of all
//! pages at five widths, in light and dark. Look at them after you have changed a page.

mod driver;
mod hostile;
mod pages;
mod results;
mod sheet;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use driver::{Browser, Theme};

/// A script that finds faults in the layout of any page.
const LAYOUT: &str = include_str!("layout.js");

/// Sizes of windows, from a phone to a wide screen.
const WINDOWS: [(u32, u32); 5] = [(360, 740), (768, 1024), (1024, 700), (1280, 800), (1920, 1080)];

const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics.pgn");

/// Makes a folder for the pages of a test.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is room for temporary files")
}

/// Runs `skewer` and returns what it prints.
fn skewer(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args(arguments)
        .output()
        .expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() < Some(2), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Writes the page of a search and returns its path.
fn page(folder: &Path, name: &str, arguments: &[&str]) -> PathBuf {
    let page = folder.join(format!("{name}.html"));
    let text = skewer(&[&["search", "--quiet", "--format", "html"], arguments].concat());
    fs::write(&page, text).expect("there is room for the page");
    page
}

/// Opens a page at all widths, runs the script `prepare`, and checks the layout in light and dark.
fn is_whole_everywhere(browser: &Browser, page: &Path, name: &str, prepare: &str) {
    for (width, height) in WINDOWS {
        // Laying out the open page once more takes seconds if it is large.
        browser.leave();
        browser.resize(width, height);
        browser.open(page);
        browser.evaluate(prepare);
        for (theme, theme_name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            browser.show(theme);
            browser.screenshot(&format!("{name}-{width}-{theme_name}"));
            let complaints = browser.evaluate(LAYOUT);
            assert_eq!(complaints, json!([]), "{name}, {width} wide, {theme_name}");
        }
    }
    assert_eq!(browser.errors(), [""; 0], "{name}");
}

/// Returns the text of an element.
fn text_of(browser: &Browser, selector: &str) -> String {
    let text = browser.evaluate(&format!("document.querySelector({}).textContent", json!(selector)));
    text.as_str().expect("text").trim().to_owned()
}

/// Types a text into the filter.
fn filter(browser: &Browser, text: &str) {
    browser.evaluate(&format!(
        "(() => {{ const box = document.getElementById('filter'); box.value = {}; box.dispatchEvent(new Event('input')); }})()",
        json!(text)
    ));
}
