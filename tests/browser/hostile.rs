//! Games and queries whose texts try to break a page.
//!
//! They must stay text.

use super::*;

/// Hostile text in tags, moves and comments, and in the commands of annotators.
const GAME: &str = r#"[Event "\"'></title></style></script><script>broken = 1</script><img src=x onerror='broken = 1'>"]
[Site "javascript:broken=1"]
[Date "2020.<b>.??"]
[White "<a href=javascript:broken=1>A</a> OVERRIDE CONTROL"]
[Black "OVERRIDE &amp; {{script}} ]]> <!-- "]
[Result "<i>"]
[ECO "<u>"]

1. f3 {</script><svg onload='broken = 1'> [%csl <G"e4,G"><b>] [%cal Re2"><b>] [%clk <b>1] [%eval <b>2]} e5 $<b>
2. g4 {OVERRIDE OPEN} Qh4# {<!-- --!> <![CDATA[ OPEN CONTROL} <script>broken = 1</script> 0-1
"#;

const QUERY: &str = r#"
// <img src=x onerror='broken = 1'> `</script>` OVERRIDE
cql(quiet)
sort "<b onmouseover='broken = 1'>" ply mate
comment "</script><script>broken = 1</script> OVERRIDE"
message "<img src=x onerror='broken = 1'>"
"#;

/// A script that finds what must not be in a page: elements and attributes that only hostile text asks for, and signs that reverse
/// the order of other text.
const STRANGERS: &str = r#"
    [...document.querySelectorAll("img, a, i, u, body style, script:not([type]) ~ script:not([type])")].map(({ outerHTML }) => outerHTML)
        .concat([...document.querySelectorAll("*")].flatMap(({ attributes }) => [...attributes])
            .filter(({ name, value }) => /^on/.test(name) || /^\s*javascript:/i.test(value)).map(({ name, value }) => `${name}=${value}`))
        .concat(document.body.innerText.match(/.{0,9}\p{Bidi_Control}.{0,9}/gu) ?? [])
        .concat(typeof broken === "undefined" ? [] : ["a script has run"])"#;

#[test]
fn hostile_texts_stay_text() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        let text = text
            .replace("OVERRIDE", "\u{202e}")
            .replace("OPEN", "\u{2067}\u{202b}\u{200f}")
            .replace("CONTROL", "\u{85}\u{9b}31m\u{2028}");
        fs::write(&path, text).expect("there is room");
        path.display().to_string()
    };
    let (games, query) = (file("games.pgn", GAME), file("query.cql", QUERY));
    let title = "</title><script>broken = 1</script> {{data}}";
    for (layout, more) in [("list", &["--column", "next"][..]), ("sheet", &[])] {
        let arguments = [&[&query, &games, "--layout", layout, "--title", title], more].concat();
        let page = page(folder.path(), layout, &arguments);
        browser.open(&page);
        let shown = browser.evaluate("document.title");
        assert!(shown.as_str().is_some_and(|shown| shown.starts_with(title)), "{shown}");
        assert_eq!(browser.evaluate(STRANGERS), json!([]), "{layout}");
        browser.evaluate("dispatchEvent(new Event('beforeprint'))");
        assert_eq!(browser.evaluate(STRANGERS), json!([]), "{layout}, printed");
    }
    assert_eq!(browser.errors(), [""; 0]);
}
