//! The index page of the library, and the index page of a search for many queries.

use super::*;

#[test]
fn the_library_is_whole_at_any_width() {
    let Some(browser) = Browser::start() else { return };
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("queries/index.html");
    is_whole_everywhere(&browser, &page, "library", "0");
    let count = browser.evaluate("document.querySelectorAll('article').length");
    filter(&browser, "smothered");
    let shown = browser.evaluate("document.querySelectorAll('article:not([hidden])').length");
    assert!(
        shown.as_u64() > Some(0) && shown.as_u64() < count.as_u64(),
        "{shown} of {count}"
    );
}

#[test]
fn the_index_of_results_leads_to_their_pages() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let queries = folder.path().join("themes");
    let results = folder.path().join("results");
    for (name, text) in [
        ("mates.cql", "// The game ends in mate.\ncql() mate"),
        ("many-queens.cql", "// Nine queens.\ncql() Q==9"),
        (
            "ends/rook's ending.cql",
            "// Rooks <and> pawns.\ncql() R==1 r==1 [QBNqbn]==0",
        ),
        ("ends/wrong.cql", "cql() mat"),
    ] {
        let path = queries.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders can be made");
        fs::write(path, text).expect("files can be written");
    }
    let [queries, results_text] = [&queries, &results].map(|path| path.display().to_string());
    let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args(["search", "-f", "html", &queries, CLASSICS, "--out-dir", &results_text])
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(2), "a query is wrong");
    let index = results.join("index.html");
    browser.open(&index);
    let drawn = "[...document.querySelectorAll('article')].map((card) => [card.querySelector('h3').textContent, card.querySelectorAll('svg').length])";
    assert_eq!(
        browser.evaluate(drawn),
        json!([["Mates", 1], ["Wrong", 0], ["Many queens", 0], ["Rook's ending", 0]]),
        "those that have found something come first, those that have found nothing last"
    );
    is_whole_everywhere(&browser, &index, "results-index", "0");
    for (query, heading) in [("mates", "mates"), ("ending", "rook's ending")] {
        browser.open(&index);
        filter(&browser, query);
        browser.evaluate("document.querySelector('article:not([hidden]) a').click()");
        browser.wait_for(&format!(
            "document.querySelector('h1')?.textContent === {}",
            json!(heading)
        ));
    }
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn a_table_of_counts_is_whole_at_any_width() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let page = folder.path().join("counts.html");
    let arguments = [
        "stats",
        "-e",
        "check",
        CLASSICS,
        "--by",
        "year:50,result",
        "--value",
        "ply",
        "-f",
        "html",
    ];
    fs::write(&page, skewer(&arguments)).expect("there is room for the page");
    is_whole_everywhere(&browser, &page, "counts", "0");
}
