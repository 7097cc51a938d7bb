//! Diagrams on paper: a sheet to hand out, and the printed page of a search.

use super::*;

/// The two common paper sizes, in inches.
const PAPERS: [(&str, f64, f64); 2] = [("A4", 8.27, 11.69), ("Letter", 8.5, 11.0)];

/// Returns complaints about the sheets of a printed page. `width` and `height` are the size of the paper within its margins, in
/// pixels. A diagram must be inside its sheet with the whole board, and a sheet must not be higher than a page.
fn complaints(browser: &Browser, width: f64, height: f64) -> serde_json::Value {
    browser.evaluate(&format!(
        "(() => {{
            const complaints = [];
            const lies = (inner, outer) =>
                inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
            for (const paper of document.querySelectorAll('.paper:not(.solutions)')) {{
                const box = paper.getBoundingClientRect();
                if (box.height > {height} || box.width > {width} + 1) complaints.push(`paper of ${{box.width}} x ${{box.height}}`);
                const cells = [...paper.querySelectorAll('figure')].map((figure) => [figure, figure.getBoundingClientRect()]);
                for (const [figure, cell] of cells) {{
                    if (!lies(cell, box)) complaints.push('a diagram beside its paper');
                    for (const part of figure.children) {{
                        if (!lies(part.getBoundingClientRect(), cell)) complaints.push(`${{part.tagName}} beside its diagram: ${{figure.textContent}}`);
                    }}
                }}
            }}
            return complaints;
        }})()"
    ))
}

/// Prints the open page on both paper sizes, and asserts that it takes this many pages and that nothing is cut off.
fn prints(browser: &Browser, pages: usize, name: &str) {
    for (paper, width, height) in PAPERS {
        // Pixels, within margins of 12 mm.
        let (width, height) = (width * 96.0, height * 96.0);
        let margins = 2.0 * 12.0 / 25.4 * 96.0;
        browser.show_as_printed();
        browser.resize((width - margins) as u32, 1000);
        browser.evaluate("dispatchEvent(new Event('beforeprint'))");
        assert_eq!(
            complaints(browser, width - margins, height - margins),
            json!([]),
            "{name} on {paper}"
        );
        browser.evaluate("dispatchEvent(new Event('afterprint'))");
        browser.show(Theme::Light);
        let pdf = browser.pdf(width / 96.0, height / 96.0, &format!("{name}-{paper}"));
        assert_eq!(pages_of(&pdf), pages, "{name} on {paper}");
    }
}

/// Returns how many pages a document has.
fn pages_of(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    let pages = text.match_indices("/Type /Page");
    pages
        .filter(|(at, found)| !text[at + found.len()..].starts_with('s'))
        .count()
}

/// Returns games with very long names.
fn long_names(count: usize) -> String {
    let name = "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine the Elder of Philadelphia";
    let game = format!(
        "[White \"{name}\"]\n[Black \"{name}\"]\n[Date \"1914.??.??\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
    );
    game.repeat(count)
}

#[test]
fn a_sheet_prints_without_a_cut_diagram() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let games = folder.path().join("games.pgn");
    fs::write(&games, long_names(25)).expect("there is room for the games");
    let games = games.display().to_string();
    let title = "A title that is so long that it cannot stand in a line of the page and has to be broken, and then some more of it";
    for (per_page, papers) in [("6", 5), ("9", 3), ("12", 3)] {
        let arguments = [
            "-e",
            "legal --(mate)",
            &games,
            "--layout",
            "sheet",
            "--per-page",
            per_page,
            "--title",
            title,
        ];
        let sheet = page(folder.path(), &format!("sheet-{per_page}"), &arguments);
        browser.open(&sheet);
        prints(&browser, papers + 1, &format!("sheet-{per_page}"));
    }
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn many_solutions_go_on_over_pages() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let sheet = page(folder.path(), "checks", &["-e", "check", CLASSICS, "--layout", "sheet"]);
    browser.open(&sheet);
    // 14 pages of diagrams, and 83 solutions in two columns.
    prints(&browser, 16, "checks");
}

#[test]
fn a_sheet_is_whole_at_any_width() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let sheet = page(
        folder.path(),
        "sheet",
        &["-e", "legal --(mate)", CLASSICS, "--layout", "sheet"],
    );
    is_whole_everywhere(&browser, &sheet, "sheet", "0");
}

/// Returns the texts of the elements that a selector finds.
fn texts(browser: &Browser, selector: &str) -> Vec<String> {
    let texts = browser.evaluate(&format!(
        "[...document.querySelectorAll({})].map((element) => element.textContent)",
        json!(selector)
    ));
    let texts = texts.as_array().expect("a list").iter();
    texts.map(|text| text.as_str().expect("text").to_owned()).collect()
}

#[test]
fn the_page_of_a_search_is_printed_as_diagrams() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let query = "legal --(mate) comment \"in one\"";
    let page = page(folder.path(), "mates", &["-e", query, CLASSICS, "--per-page", "6"]);
    browser.open(&page);
    prints(&browser, 2, "page-shown");
    browser.evaluate("dispatchEvent(new Event('beforeprint'))");
    assert_eq!(texts(&browser, "#sheet .how")[3], "16...Nxb8 · 17.Rd8# 1-0");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#sheet g.mv').length > 0"),
        true
    );
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#sheet .solutions').length"),
        0
    );
    assert_eq!(texts(&browser, "#sheet .heading"), [query, query]);
    browser.evaluate("dispatchEvent(new Event('afterprint'))");
    browser.press("h");
    prints(&browser, 3, "page-hidden");
    browser.evaluate("dispatchEvent(new Event('beforeprint'))");
    assert_eq!(texts(&browser, "#sheet .how").concat(), "");
    assert_eq!(
        texts(&browser, "#sheet .heading"),
        ["Positions", "Positions"],
        "the query gives it away"
    );
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#sheet :is(.mv, .ray, .sq, .last, .shape)').length"),
        0
    );
    let solutions = texts(&browser, "#sheet li");
    assert_eq!((solutions.len(), &*solutions[3]), (8, "4 17.Rd8# 1-0 in one"));
    assert_eq!(browser.errors(), [""; 0]);
}

/// The page takes the solutions from the moves that were played in its games, and the sheet from its positions.
#[test]
fn the_solutions_of_a_page_are_those_of_a_sheet() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let variations = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn");
    for (name, query, games) in [
        ("checks", "check", CLASSICS),
        ("ends", "terminal", CLASSICS),
        ("lines", "path -- -- -- -- -- -- -- check", CLASSICS),
        ("tries", "legal --(mate) comment \"one\"", CLASSICS),
        ("variations", "variation", variations),
    ] {
        let arguments = ["-e", query, games, "--variations"];
        let list = page(folder.path(), name, &arguments);
        let sheet = page(
            folder.path(),
            &format!("{name}-sheet"),
            &[&arguments[..], &["--layout", "sheet"]].concat(),
        );
        browser.open(&sheet);
        let expected: Vec<_> = texts(&browser, "li").into_iter().take(500).collect();
        browser.open(&list);
        browser.press("h");
        browser.evaluate("dispatchEvent(new Event('beforeprint'))");
        let printed = texts(&browser, "#sheet li");
        assert!(printed.len() > 5, "{name}");
        let differing: Vec<_> = printed
            .iter()
            .zip(&expected)
            .filter(|(one, other)| one != other)
            .collect();
        assert_eq!((printed.len(), differing), (expected.len(), Vec::new()), "{name}");
    }
    assert_eq!(browser.errors(), [""; 0]);
}

/// A script that returns the visible parts of the page, and how many marks it shows.
const SEEN: &str = "(() => {
    const text = document.querySelector('main').innerText;
    const marks = document.querySelectorAll('main svg :is(.mv, .ray, .sq, .shape, .last)').length;
    return [text, marks];
})()";

#[test]
fn a_key_hides_the_solutions_and_shows_them_again() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let games = folder.path().join("games.pgn");
    let game = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 {[%csl Rf7] weak} 3. Qh5 Nf6 $4 4. Qxf7# 1-0\n\n";
    fs::write(&games, game.repeat(2)).expect("there is room for the games");
    let query = "legal --(mate) comment \"at once\"";
    let page = page(folder.path(), "quiz", &["-e", query, &games.display().to_string()]);
    browser.resize(1280, 800);
    browser.open(&page);
    let hints = ["at once", "Qxf7#", "1–0", "weak"];
    let seen = |browser: &Browser| {
        let seen = browser.evaluate(SEEN);
        let text = seen[0].as_str().expect("text").to_owned();
        (
            hints.map(|hint| text.contains(hint)),
            seen[1].as_u64().expect("a number"),
        )
    };
    let (shown, marks) = seen(&browser);
    assert_eq!(shown, [true; 4]);
    assert!(marks > 0);
    browser.press("h");
    assert_eq!(browser.evaluate("document.getElementById('hide').ariaPressed"), "true");
    let (hidden, marks) = seen(&browser);
    assert_eq!((hidden, marks), ([false; 4], 0));
    assert_eq!(text_of(&browser, "#move"), "White to move");
    assert_eq!(
        texts(&browser, "#moves .san"),
        ["Start", "e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6"],
        "the moves to the match"
    );
    // To give up, a reader goes on to the next move.
    browser.press("ArrowRight");
    assert_eq!(text_of(&browser, "#move"), "After 4.Qxf7#");
    assert_eq!(texts(&browser, "#moves .san").last().map(String::as_str), Some("Qxf7#"));
    browser.press("ArrowDown");
    let (hidden, marks) = seen(&browser);
    assert_eq!((hidden, marks), ([false; 4], 0), "the next match");
    is_whole_everywhere(&browser, &page, "quiz", "document.getElementById('hide').click()");
    browser.resize(1280, 800);
    browser.open(&page);
    assert_eq!(seen(&browser).0, [true; 4], "nothing remembers it");
    browser.evaluate("document.getElementById('hide').click(); document.getElementById('hide').click()");
    assert_eq!(seen(&browser).0, [true; 4], "shown again");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#large rect.shape.red').length"),
        0,
        "the comment stands at another position"
    );
    browser.press("ArrowLeft");
    browser.press("ArrowLeft");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#large rect.shape.red').length"),
        1
    );
    assert_eq!(text_of(&browser, "#legend"), "last movedrawn in the game");
    assert_eq!(browser.evaluate("localStorage.length"), 0);
    assert_eq!(browser.errors(), [""; 0]);
}
