//! The page of results of a search.

use std::fmt::Write as _;

use serde_json::Value;

use super::*;

/// A script that records what the page copies.
const CATCH_COPIES: &str = "
    window.copied = [];
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => copied.push(text) } });";

/// A script that presses a key without going through the browser, for tests that press many.
const PRESS: &str = "
    window.press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));";

fn selected(browser: &Browser) -> String {
    let id = browser.evaluate("document.querySelector('.match[aria-selected=true]')?.id ?? 'none'");
    id.as_str().expect("an id").to_owned()
}

/// Returns how many rows are drawn, and whether the selected one is in the window.
fn rows(browser: &Browser) -> (u64, bool) {
    let state = browser.evaluate(
        "(() => {
            const row = document.querySelector('.match[aria-selected=true]')?.getBoundingClientRect();
            return [document.querySelectorAll('.match').length, Boolean(row) && row.top >= 0 && row.bottom <= innerHeight + 1];
        })()",
    );
    (state[0].as_u64().expect("a number"), state[1] == true)
}

/// Returns games that end in the same mate, each with its own players and year. Some names would break a page that does not escape them.
fn many_games(count: usize) -> String {
    let mut pgn = String::new();
    for number in 0..count {
        let white = match number {
            17 => "</script><script>window.broken = 1</script>".to_owned(),
            18 => "<b onmouseover=alert(1)>Bold & 'quoted'".to_owned(),
            _ => format!("Réti {number}"),
        };
        let year = 1900 + number % 100;
        // Writing to a string does not fail.
        let _ = write!(
            pgn,
            "[Event \"Open\"]\n[Date \"{year}.??.??\"]\n[White \"{white}\"]\n[Black \"Black\"]\n[Result \"0-1\"]\n\n\
             1. f3 e5 {{<img src=x onerror='window.broken = 2'>}} 2. g4 Qh4# 0-1\n\n"
        );
    }
    pgn
}

#[test]
fn a_list_of_1500_matches_is_filtered_and_sorted() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let games = folder.path().join("games.pgn");
    fs::write(&games, many_games(1500)).expect("there is room for the games");
    let page = page(
        folder.path(),
        "mates",
        &[
            "-e",
            "mate q attacks K comment \"<i>over</i>\"",
            &games.display().to_string(),
        ],
    );
    browser.resize(1400, 900);
    browser.open(&page);
    browser.evaluate(CATCH_COPIES);
    assert_eq!(
        text_of(&browser, "#found"),
        "1,500 positions in 1,500 games; 1,500 games searched"
    );
    assert_eq!(browser.evaluate("document.getElementById('grid').ariaRowCount"), "1501");
    assert_eq!(selected(&browser), "match-0", "the first match is selected");
    let large = "document.querySelectorAll('#large ";
    assert_eq!(browser.evaluate(&format!("{large}use.w, #large use.b').length")), 32);
    let marks = ["rect.last", "rect.sq", "g.ray"].map(|mark| browser.evaluate(&format!("{large}{mark}').length")));
    assert_eq!(marks, [json!(2), json!(2), json!(1)], "last move, squares, rays");
    assert_eq!(text_of(&browser, "#legend"), "last movesquaressees h4→e1");

    for (key, match_then) in [
        ("ArrowDown", 1),
        ("j", 2),
        ("ArrowUp", 1),
        ("End", 1499),
        ("k", 1498),
        ("Home", 0),
    ] {
        browser.press(key);
        assert_eq!(selected(&browser), format!("match-{match_then}"), "after {key}");
        let (drawn, is_seen) = rows(&browser);
        assert!((1..40).contains(&drawn), "{drawn} rows are drawn after {key}");
        assert!(is_seen, "the selected row is in the window after {key}");
    }

    filter(&browser, "reti 1321 1921");
    assert_eq!(
        text_of(&browser, "#shown"),
        "1 of 1,500",
        "accents do not matter to the filter"
    );
    assert_eq!(text_of(&browser, ".match .w-side .text"), "Réti 1321");
    browser.press("c");
    browser.press("p");
    browser.wait_for("copied.length === 2");
    let copied = browser.evaluate("copied");
    assert_eq!(
        copied[0], "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "with the counters of the game"
    );
    let pgn = copied[1].as_str().expect("text");
    assert!(pgn.contains("Réti 1321") && pgn.contains("2.g4 Qh4#"), "{pgn}");

    filter(&browser, "nobody of this name");
    assert_eq!(text_of(&browser, "#nothing"), "Nothing fits this filter.");
    let left = browser.evaluate(&format!(
        "[{large}use.w, #large use.b').length, document.querySelectorAll('.match').length, document.getElementById('moves').textContent]"
    ));
    assert_eq!(left, json!([0, 0, ""]), "the board is empty, and so are list and moves");
    browser.press("ArrowRight");
    browser.press("ArrowDown");
    browser.press("f");
    filter(&browser, "");
    assert_eq!(selected(&browser), "match-0", "the board comes back");

    let first_year = "document.querySelector('.match[aria-rowindex=\"2\"] .date').textContent";
    let sort = "[...document.querySelectorAll('#columns button')].find((button) => button.textContent.startsWith('Year')).click()";
    browser.evaluate(sort);
    assert_eq!(browser.evaluate(first_year), "1900");
    browser.evaluate(sort);
    assert_eq!(browser.evaluate(first_year), "1999");

    filter(&browser, "window.broken");
    assert_eq!(
        text_of(&browser, "#lower .text"),
        "Black",
        "the board is turned, and the name is text"
    );
    assert_eq!(
        text_of(&browser, "#upper .text"),
        "</script><script>window.broken = 1</script>"
    );
    assert!(text_of(&browser, "#moves").contains("<img src=x onerror='window.broken = 2'>"));
    assert_eq!(
        text_of(&browser, "#said"),
        "<i>over</i>",
        "comments of queries are text"
    );
    assert_eq!(browser.evaluate("typeof broken"), "undefined");
    filter(&browser, "");
    browser.evaluate("dispatchEvent(new Event('beforeprint'))");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#sheet figure').length"),
        500,
        "as many are printed"
    );
    assert_eq!(
        text_of(&browser, "#sheet .top span"),
        "1,500 positions in 1,500 games; 1,500 games searched. The first 500 of 1,500; a filter finds the others. 1 / 84"
    );
    browser.evaluate("dispatchEvent(new Event('afterprint'))");
    assert_eq!(browser.evaluate("document.getElementById('sheet').children.length"), 0);
    browser.press("/");
    assert_eq!(browser.evaluate("document.activeElement.id"), "filter");
    browser.press("Escape");
    browser.press("?");
    assert_eq!(browser.evaluate("document.getElementById('help').open"), true);
    browser.evaluate("document.getElementById('help').close()");
    for theme in ["dark", "light"] {
        browser.press("t");
        assert_eq!(browser.evaluate("document.documentElement.dataset.theme"), theme);
    }
    assert_eq!(
        browser.evaluate("performance.getEntriesByType('resource').length"),
        0,
        "nothing is loaded"
    );
    assert_eq!(browser.errors(), [""; 0]);
}

/// Visits all positions of the games that test the reader: all sorts of castling and en passant, Chess960 and other variants, null
/// moves, variations, unreadable parts.
#[test]
fn each_position_is_that_of_the_game() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn");
    let arguments = ["-e", "true", "--variations", games];
    let page = page(folder.path(), "all", &arguments);
    browser.resize(1400, 900);
    browser.open(&page);
    browser.evaluate(CATCH_COPIES);
    browser.evaluate(PRESS);
    let seen = browser.evaluate(
        "(async () => {
            const seen = [];
            const count = Number(document.getElementById('grid').ariaRowCount) - 1;
            for (let place = 0; place < count; place += 1) {
                press('c');
                seen.push([copied.at(-1), document.getElementById('move').textContent]);
                press('j');
            }
            return seen;
        })()",
    );
    let fens = skewer(&[&["search", "--quiet", "--format", "fen"], &arguments[..]].concat());
    let moves = browser.evaluate(
        "document.getElementById('data').textContent.trim().split('\\n')
            .filter((line, index) => index % 2 === 0)
            .flatMap((line) => JSON.parse(line).matches.map(([, move]) => move ? `Match after ${move}` : 'Match in the initial position'))",
    );
    let seen = seen.as_array().expect("a list");
    let moves = moves.as_array().expect("a list");
    assert!(seen.len() > 500, "{} positions", seen.len());
    assert_eq!(seen.len(), fens.lines().count());
    for ((seen, fen), played) in seen.iter().zip(fens.lines()).zip(moves) {
        // Move numbers are not compared: after a FEN tag with move 0, the page and the FEN of a position count from 1.
        let without_number = |text: &Value| {
            text.as_str()
                .expect("text")
                .replace(|sign: char| sign.is_ascii_digit(), "")
        };
        assert_eq!(seen[0], fen);
        assert_eq!(without_number(&seen[1]), without_number(played), "{fen}");
    }
    assert_eq!(browser.errors(), [""; 0]);
}

/// A piece that returns to its square, with comments of the annotator and of the query.
const SWITCHBACK: &str = "[White \"A\"]\n[Black \"B\"]\n[FEN \"2R5/8/1r6/p7/1kp5/8/1K6/8 w - - 5 75\"]\n\n\
    75. Rc7 {[%clk 0:01:00] So far.} a4 (75... Rb5 76. Rc6 $1) 76. Rc8 Rb5 {Quiet.} 77. Kc2 *\n\n";

#[test]
fn a_game_is_played_through() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let games = folder.path().join("games.pgn");
    fs::write(&games, SWITCHBACK.repeat(2)).expect("there is room for the games");
    let query = "R--_(comment \"away\" --(R--c8))";
    let page = page(
        folder.path(),
        "switchback",
        &["-e", query, &games.display().to_string()],
    );
    browser.resize(1280, 800);
    browser.open(&page);
    browser.evaluate(CATCH_COPIES);
    assert_eq!(text_of(&browser, "#move"), "Match in the initial position");
    assert_eq!(
        browser.evaluate("[...document.querySelectorAll('#moves .of-line')].map((move) => move.textContent)"),
        json!(["Rc7", "a4", "Rc8"]),
        "the line of the match"
    );
    let moves = text_of(&browser, "#moves")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert_eq!(
        moves,
        "Start 75.Rc7 So far. away 75…a4 (75…Rb5 76.Rc6!) 76.Rc8 Rb5 Quiet. 77.Kc2 *"
    );

    for (key, shown) in [
        ("ArrowRight", "After 75.Rc7"),
        ("ArrowRight", "After 75...a4"),
        ("ArrowLeft", "After 75.Rc7"),
        (">", "After 77.Kc2"),
        ("ArrowRight", "After 77.Kc2"),
        ("<", "Match in the initial position"),
        ("ArrowRight", "After 75.Rc7"),
    ] {
        browser.press(key);
        assert_eq!(text_of(&browser, "#move"), shown, "{key}");
        assert_eq!(selected(&browser), "match-0");
    }
    assert_eq!(text_of(&browser, "#said"), "away", "the comment of the query");
    assert_eq!(text_of(&browser, "#measures"), "1:00", "the clock of the comment");
    browser.press("c");
    browser.wait_for("copied.length === 1");
    assert_eq!(browser.evaluate("copied[0]"), "8/2R5/1r6/p7/1kp5/8/1K6/8 b - - 6 75");
    browser.evaluate("[...document.querySelectorAll('.san')].find((move) => move.textContent === 'Rc6').click()");
    assert_eq!(text_of(&browser, "#move"), "After 76.Rc6", "a move in a variation");
    browser.press("ArrowLeft");
    browser.press("ArrowLeft");
    assert_eq!(text_of(&browser, "#move"), "After 75.Rc7");
    browser.press("ArrowDown");
    assert_eq!(selected(&browser), "match-1", "down goes to the next match");

    browser.evaluate("document.getElementById('play').click()");
    browser.wait_for("document.getElementById('play').ariaPressed === 'false'");
    assert_eq!(
        text_of(&browser, "#move"),
        "After 76.Rc8",
        "the line is played to its end"
    );
    browser.press("f");
    assert_eq!(text_of(&browser, "#lower .text"), "B", "the board is turned");
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn several_matches_of_a_game_are_played_as_a_line() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let page = page(folder.path(), "checks", &["-e", "check", "--games", "5", CLASSICS]);
    browser.resize(1280, 800);
    browser.open(&page);
    let found = "[...document.querySelectorAll('#moves .found')].map((move) => move.textContent)";
    let found = browser.evaluate(found);
    let found = found.as_array().expect("a list");
    assert_eq!(
        (found.first(), found.last()),
        (Some(&json!("Bxb5+")), Some(&json!("Rd8#")))
    );
    assert!(text_of(&browser, "#facts").ends_with(&format!("match 1 of {} in this game", found.len())));
    // Stepping through the moves visits all matches, and the list follows.
    browser.evaluate(PRESS);
    browser.evaluate("for (let i = 0; i < 80; i += 1) press('ArrowRight')");
    assert_eq!(text_of(&browser, "#place"), format!("{0} of {0}", found.len()));
    assert_eq!(selected(&browser), format!("match-{}", found.len() - 1));
    assert_eq!(browser.errors(), [""; 0]);
}

/// A list higher than a browser can draw: more than 33 million pixels.
#[test]
fn a_list_of_any_length_scrolls_to_its_end() {
    const COPIES: usize = 400;
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let page = page(folder.path(), "long", &["-e", "true", CLASSICS]);
    let text = fs::read_to_string(&page).expect("the page is UTF-8");
    let (before, rest) = text.split_once("id=\"data\">\n").expect("the page has data");
    let (game, after) = rest.split_once("</script>").expect("the data end");
    let long = format!("{before}id=\"data\">\n{}</script>{after}", game.repeat(COPIES));
    fs::write(&page, long).expect("there is room for the page");
    browser.resize(1280, 800);
    browser.open(&page);
    let count = browser.evaluate("Number(document.getElementById('grid').ariaRowCount) - 1");
    let count = count.as_u64().expect("a number");
    assert!(count * 128 > 34_000_000, "{count} rows");
    let last = format!("match-{}", count - 1);
    for (keys, expected) in [
        (&["End"][..], last.clone()),
        (&["ArrowUp", "ArrowUp", "ArrowDown"], format!("match-{}", count - 2)),
        (&["Home"], "match-0".to_owned()),
        (&["PageDown", "PageDown"], "match-10".to_owned()),
    ] {
        keys.iter().for_each(|key| browser.press(key));
        assert_eq!(selected(&browser), expected);
        let (drawn, is_seen) = rows(&browser);
        assert!(
            drawn < 40 && is_seen,
            "{drawn} rows are drawn at {expected}, it is seen: {is_seen}"
        );
    }
    // First with the scroll bar, then with the wheel.
    browser.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    browser.wait_for(&format!("Boolean(document.getElementById({}))", json!(last)));
    browser.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)");
    let middle = format!("Number(document.querySelector('.match').ariaRowIndex) / {count}");
    browser.wait_for(&format!("Math.abs({middle} - 0.5) < 0.01"));
    let first_seen = "[...document.querySelectorAll('.match')].find((row) => row.getBoundingClientRect().bottom > 0)";
    let row = |browser: &Browser| {
        let row = browser.evaluate(&format!("Number({first_seen}.ariaRowIndex)"));
        row.as_i64().expect("a number")
    };
    let begin = row(&browser);
    browser.evaluate("scrollBy(0, 400)");
    browser.wait_for(&format!("Number({first_seen}.ariaRowIndex) !== {begin}"));
    let moved = row(&browser) - begin;
    assert!((3..=4).contains(&moved), "400 pixels are {moved} rows");
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn a_large_page_says_how_to_make_a_smaller_one() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let page = page(folder.path(), "large", &["-e", "mate", CLASSICS]);
    browser.resize(1280, 800);
    browser.open(&page);
    assert_eq!(browser.evaluate("document.getElementById('size').hidden"), true);
    let text = fs::read_to_string(&page).expect("the page is UTF-8");
    let (before, rest) = text.split_once("id=\"data\">\n").expect("the page has data");
    let (games, after) = rest.split_once("</script>").expect("the data end");
    let copies = 30_000_000 / games.len();
    fs::write(
        &page,
        format!("{before}id=\"data\">\n{}</script>{after}", games.repeat(copies)),
    )
    .expect("there is room");
    browser.open(&page);
    let note = text_of(&browser, "#size");
    assert!(
        note.starts_with("This page has 30 MB") && note.contains("Search with -n "),
        "{note}"
    );
}

/// Games with evaluations, but not at the mate that matches.
const ANALYSED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/lichess.pgn");

#[test]
fn the_curve_of_evaluations_goes_along() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let page = page(folder.path(), "analysed", &["-e", "check", "--games", "1", ANALYSED]);
    browser.resize(1280, 800);
    browser.open(&page);
    let outside = "(() => {
        const room = document.getElementById('curve').getBoundingClientRect();
        const dots = [...document.querySelectorAll('#curve .found')].map((dot) => [dot, dot.getBoundingClientRect()]);
        return dots.map(([dot, box]) => [
            box.left - 4 >= room.left && box.right + 4 <= room.right && box.top - 4 >= room.top && box.bottom + 4 <= room.bottom,
            getComputedStyle(dot).strokeLinecap, getComputedStyle(dot).vectorEffect,
        ]);
    })()";
    assert_eq!(
        browser.evaluate(outside),
        json!([[true, "round", "non-scaling-stroke"]]),
        "a whole, round dot for the mate"
    );
    let click = |share: f64| {
        browser.evaluate(&format!(
            "(() => {{
                const {{ left, width, top }} = document.querySelector('#curve svg').getBoundingClientRect();
                const event = {{ bubbles: true, clientX: left + {share} * width, clientY: top + 5 }};
                document.querySelector('#curve svg').dispatchEvent(new MouseEvent('click', event));
            }})()"
        ));
    };
    let axes = browser.evaluate("[...document.querySelectorAll('.axes span')].map((name) => name.textContent)");
    assert_eq!(axes, json!(["+5", "+2", "0", "−2", "−5", "1", "2", "3", "4"]));
    click(0.0);
    assert_eq!(text_of(&browser, "#move"), "Initial position");
    click(6.0 / 7.0);
    assert_eq!(text_of(&browser, "#move"), "After 3...Nf6");
    assert_eq!(text_of(&browser, "#measures"), "#1 · 2:56");
    click(1.0);
    assert_eq!(text_of(&browser, "#move"), "Match after 4.Qxf7#");
    filter(&browser, "nobody of this name");
    assert_eq!(
        browser.evaluate("document.getElementById('curve').checkVisibility()"),
        false
    );
    filter(&browser, "");
    assert_eq!(
        browser.evaluate("document.getElementById('curve').checkVisibility()"),
        true
    );
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn the_keyboard_goes_through_the_page_in_reading_order() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let page = page(folder.path(), "mates", &["-e", "mate", CLASSICS]);
    browser.resize(1280, 800);
    browser.open(&page);
    let focused = "document.activeElement.id || document.activeElement.innerText.replace(/[▲▼\\s]+$/, '')";
    let heads = ["As found", "Players", "Event", "Year", "Result", "Move"];
    // No move follows a mate.
    let game = [
        "before", "after", "first", "back", "play", "flip", "moves", "fen", "pgn",
    ];
    browser.press("ArrowDown");
    for expected in [&["hide", "theme", "keys", "filter", "grid"][..], &heads, &game].concat() {
        browser.press("Tab");
        assert_eq!(browser.evaluate(focused), expected);
    }
    // In a narrow window, Enter opens the selected match and Escape returns to the list.
    browser.resize(390, 844);
    browser.open(&page);
    let is_shown = "document.getElementById('game').checkVisibility()";
    for (key, expected) in [("ArrowDown", false), ("Enter", true), ("Escape", false)] {
        browser.press(key);
        browser.wait_for(&format!("{is_shown} === {expected}"));
        assert_eq!(selected(&browser), "match-1", "after {key}");
    }
    assert_eq!(browser.errors(), [""; 0]);
}

/// A query whose page has everything: all kinds of marks, comments, a sort key, long names.
const SHOWN: &str = "sort \"checks\" #(A attacks k) >= 1 comment \"the king is attacked\" flipcolor {xray (R a k)} or check or {N--_(true)}";

#[test]
fn nothing_is_cut_or_faint_at_any_width() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let results = page(folder.path(), "results", &["-e", SHOWN, CLASSICS]);
    is_whole_everywhere(&browser, &results, "list", "scrollTo(0, 0)");
    // On a phone the game covers the list.
    is_whole_everywhere(
        &browser,
        &results,
        "game",
        "document.querySelectorAll('.match')[1].click()",
    );
    let analysed = page(folder.path(), "analysed", &["-e", "check", ANALYSED]);
    let first = "document.querySelector('.match').click()";
    is_whole_everywhere(&browser, &analysed, "analysed", first);
    let none = page(folder.path(), "none", &["-e", "false", CLASSICS]);
    is_whole_everywhere(&browser, &none, "none", "0");
}

#[test]
fn paper_is_white_and_help_begins_at_its_head() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let page = page(folder.path(), "mates", &["-e", "mate", CLASSICS]);
    browser.resize(360, 740);
    browser.show(Theme::Dark);
    browser.open(&page);
    browser.press("?");
    let seen = "(() => {
        const [box, head] = ['#help', '#help h2'].map((name) => document.querySelector(name).getBoundingClientRect());
        return [head.top >= box.top, document.activeElement.closest('dialog')?.id];
    })()";
    assert_eq!(browser.evaluate(seen), json!([true, "help"]));
    browser.press("Escape");
    assert_eq!(browser.evaluate("document.getElementById('help').open"), false);
    for theme in ["", "dark"] {
        browser.evaluate(&format!("document.documentElement.dataset.theme = '{theme}'"));
        browser.show_as_printed();
        assert_eq!(
            browser.evaluate("getComputedStyle(document.body).backgroundColor"),
            "rgb(255, 255, 255)",
            "with the theme {theme:?}"
        );
    }
    browser.evaluate("dispatchEvent(new Event('beforeprint'))");
    let caption = browser.evaluate("document.querySelector('#sheet figcaption').innerText");
    assert_eq!(caption, "1 Black to move");
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn on_a_phone_the_game_lies_over_the_list() {
    let Some(browser) = Browser::start() else { return };
    let folder = folder();
    let page = page(folder.path(), "mates", &["-e", "mate", CLASSICS]);
    browser.resize(390, 844);
    browser.open(&page);
    let is_shown = "document.getElementById('game').checkVisibility()";
    assert_eq!(browser.evaluate(is_shown), false);
    browser.evaluate("document.querySelectorAll('.match')[2].click()");
    assert_eq!(browser.evaluate(is_shown), true);
    assert_eq!(text_of(&browser, "#place"), "3 of 8");
    let in_view = "(() => {
        const [box, move] = ['#moves', '#moves .here'].map((name) => document.querySelector(name).getBoundingClientRect());
        return move.top >= box.top && move.bottom <= box.bottom;
    })()";
    assert_eq!(browser.evaluate(in_view), true, "the move is among those that are seen");
    // The game that was shown stays selected in the list, whichever way leads back.
    for (way_back, place, address) in [
        ("history.back()", 2, "#3.47"),
        ("document.getElementById('close').click()", 3, "#5.33"),
        ("history.back()", 1, "#2.45"),
    ] {
        browser.evaluate(&format!("document.getElementById('match-{place}').click()"));
        assert_eq!(browser.evaluate(is_shown), true);
        browser.wait_for(&format!("location.hash === '{address}'"));
        browser.evaluate(way_back);
        browser.wait_for(&format!("!{is_shown}"));
        browser.wait_for(&format!("location.hash === '{address}'"));
        assert_eq!(selected(&browser), format!("match-{place}"), "{way_back}");
    }
    assert_eq!(browser.errors(), [""; 0]);
}
