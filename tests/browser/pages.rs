//! The index of the library.

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
