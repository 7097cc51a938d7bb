//! The page for the browser, and what it highlights.

use serde_json::Value;

use super::*;

/// Returns the page of a search for filters in [`CLASSICS`].
fn page(filters: &str) -> String {
    stdout(&mut search(&["-e", filters, "--format", "html", CLASSICS]))
}

/// Returns the lines of the data in a page: for each game its matches, then its PGN.
fn data(page: &str) -> Vec<Value> {
    let data = page.split("id=\"data\">\n").nth(1).expect("the page has data");
    let data = data.split("</script>").next().expect("the data end");
    data.lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

/// Returns `GAME:POSITIONID squares rays moves` for each match.
fn highlights(filters: &str) -> Vec<String> {
    let lines = data(&page(filters));
    let games = lines.iter().step_by(2);
    let line = |number: &Value, cells: &Value| {
        let [squares, rays, moves] = [2, 3, 4].map(|cell| cells[cell].as_str().expect("a string").to_owned());
        format!("{number}:{} [{squares}] [{rays}] [{moves}]", cells[0])
    };
    let matches = |game: &Value| {
        let cells = game["matches"].as_array().expect("matches").clone();
        cells
            .iter()
            .map(|cells| line(&game["number"], cells))
            .collect::<Vec<_>>()
    };
    games.flat_map(matches).collect()
}

/// Returns the highlights of the first match.
fn first(filters: &str) -> String {
    highlights(filters).into_iter().next().expect("something matches")
}

#[test]
fn each_matching_position_is_there_with_its_game() {
    let page = page("mate");
    let lines = data(&page);
    assert_eq!(lines.len(), 16, "two lines for each of eight games");
    let opera = &lines[6];
    assert_eq!(opera["white"], "Morphy, Paul");
    assert_eq!(opera["event"], "Casual game");
    assert_eq!(opera["date"], "1858.??.??");
    assert_eq!(opera["result"], "1-0");
    assert_eq!(
        opera["matches"],
        serde_json::json!([[33, "17.Rd8#", "d8e8", "d8e8", "", null, null]])
    );
    assert_eq!(opera["said"], serde_json::json!([[0, "Game number 5"], [33, "CQL"]]));
    let pgn = lines[7].as_str().expect("the PGN is a string");
    assert!(
        pgn.starts_with("[Event \"Casual game\"]") && pgn.ends_with("17.Rd8# {CQL} 1-0"),
        "{pgn}"
    );
    assert!(
        page.contains("{\"games\":18,\"sort\":[],"),
        "how many games were searched"
    );
}

#[test]
fn what_ifs_show_moves_that_are_tried_and_pieces_that_are_taken_away() {
    // Before 17.Rd8#, and then what the other side threatens.
    assert_eq!(first("gamenumber==5 ply==32 legal --(mate)"), "5:32 [] [] [d1d8]");
    assert_eq!(
        first("gamenumber==5 ply==32 countmoves legal --(mate) == 1"),
        "5:32 [] [] [d1d8]"
    );
    assert_eq!(first("gamenumber==3 ply==38 pass(legal --(mate))"), "3:38 [] [] [f3g2]");
    assert_eq!(first("gamenumber==5 mate without(Kc1 true)"), "5:33 [c1d8e8] [d8e8] []");
}

/// Returns the moves of a game as the page encodes them: the FEN of the start position, unless it is the usual one, and the changes of each move.
fn moves_of(pgn: &str) -> (Option<String>, String) {
    let folder = Folder::new();
    let games = folder.file("games.pgn", pgn);
    let lines = data(&stdout(&mut search(&[
        "-e",
        "initial",
        "--format",
        "html",
        text(&games),
    ])));
    let field = |name: &str| lines[0][name].as_str().map(str::to_owned);
    (field("start"), field("moves").expect("moves"))
}

#[test]
fn a_move_is_two_letters_and_what_else_has_changed() {
    for (moves, expected) in [
        ("1. e4 e5 2. Nf3", "Mc0kGV"),
        // Castling also moves a rook and changes the castling rights.
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O", "GV-tOW2uFO92EG[FRH.]{kq -}"),
        // En passant is possible on d6, but not on e3.
        ("1. e4 a6 2. e5 d5 3. exd6", "Mcwockzj{KQkq d6}kr[j.]"),
        // A variation comes after the line that it leaves; its first move says where it begins.
        ("1. e4 (1. d4 d5) 1... e5", "Mc0k(0)Lbzj"),
        ("1. e4 -- 2. e5", "Mc88ck"),
    ] {
        assert_eq!(
            moves_of(&format!("{moves} *\n")),
            (None, expected.to_owned()),
            "{moves}"
        );
    }
    let promotion = "[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 30\"]\n\n30. e8=N+ Kf8 *\n";
    assert_eq!(
        moves_of(promotion),
        (
            Some("8/4P1k1/8/8/8/8/8/4K3 w - - 0 30".to_owned()),
            "08[8N]29".to_owned()
        )
    );
}

#[test]
fn games_and_matches_take_little_room() {
    let page = page("true");
    let lines = data(&page);
    for (game, pgn) in lines.iter().step_by(2).zip(lines.iter().skip(1).step_by(2)) {
        let [moves, pgn] = [&game["moves"], pgn].map(|text| text.as_str().expect("text").len());
        let matches = game["matches"].as_array().expect("matches");
        assert!(moves < 60 + 2 * matches.len() && moves < pgn, "{game}");
        for found in matches {
            assert!(found.to_string().len() < 40, "{found}");
        }
    }
}

/// Returns the first and the last position of the line of the first match.
fn line(filters: &str) -> Value {
    let lines = data(&page(filters));
    lines[0]["matches"][0][5].clone()
}

#[test]
fn a_match_has_the_line_that_it_speaks_of() {
    let of = |first: u32, last: u32| serde_json::json!([first, last]);
    assert_eq!(line("mate"), Value::Null);
    assert_eq!(line("--(mate)"), of(12, 13));
    assert_eq!(line("--(--(mate))"), of(11, 13), "also dashes behind dashes");
    assert_eq!(line("--(--(mate)) or --(--(--(mate)))"), of(10, 13), "the longest");
    assert_eq!(line("path --(check) --"), of(10, 12));
    assert_eq!(line("line --> check --> true --> check"), of(11, 13));
    assert_eq!(line("line <-- check <-- true <-- check"), of(11, 13));
}

#[test]
fn the_comments_of_the_query_are_there_once() {
    let lines = data(&page("mate comment \"end\" comment \"end\""));
    let said = serde_json::json!([[0, "Game number 1"], [13, "end"], [13, "CQL"]]);
    assert_eq!(lines[0]["said"], said);
}

#[test]
fn a_page_that_is_too_large_says_how_to_make_a_smaller_one() {
    let folder = Folder::new();
    // Of one word, because lines are not broken in it.
    let comment = "x".repeat(25_300);
    let games = folder.file(
        "games.pgn",
        format!("[Event \"E\"]\n\n1. e4 {{{comment}}} e5 *\n\n").repeat(800),
    );
    let note_of = |output: &str, arguments: &[&str]| {
        let mut command = search(&[&["-e", "btm", "-f", "html", "-o", output, text(&games)], arguments].concat());
        let output = command.assert().success().get_output().stderr.clone();
        String::from_utf8(output).expect("UTF-8")
    };
    let page = folder.path().join("page.html");
    let note = |arguments: &[&str]| note_of(text(&page), arguments);
    let said = note(&[]);
    assert!(
        said.contains("page.html: the page has ") && said.contains("`-n 770`"),
        "{said}"
    );
    assert_eq!(note(&["-n", "700"]), "");
    assert_eq!(note(&["--quiet"]), "");
    let printed = note_of("-", &[]);
    assert!(
        printed.starts_with("note: the page has ") && printed.contains("`-n 770`"),
        "{printed}"
    );
}

#[test]
fn the_page_loads_nothing_and_says_so() {
    let page = page("mate");
    assert!(page.contains("default-src 'none'"));
    let addresses: Vec<_> = page.match_indices("http").map(|(at, _)| &page[at..at + 10]).collect();
    assert!(
        addresses
            .iter()
            .all(|address| address.starts_with("http-equiv") || address.starts_with("https?:")),
        "{addresses:?}"
    );
    assert!(!page.contains("src=") && !page.contains("@import") && !page.contains("url("));
}

#[test]
fn query_and_command_are_text() {
    let folder = Folder::new();
    let query = folder.file(
        "a<b.cql",
        "// Mates\n// & <more>. And more.\ncql() mate // </pre><script>\n",
    );
    let page = stdout(&mut search(&[text(&query), "--format", "html", CLASSICS]));
    assert!(page.contains("<title>a&lt;b – skewer</title>"));
    assert!(page.contains("<p class=\"lead\">Mates &amp; &lt;more&gt;.</p>"));
    assert!(page.contains("cql() mate // &lt;/pre&gt;&lt;script&gt;\n"));
    assert!(page.contains("a&lt;b.cql&#39; --format html"), "the command");
    assert_eq!(
        page.matches("<script").count(),
        3,
        "data, totals and the script of the page"
    );
}

#[test]
fn filters_are_a_title_of_their_own() {
    let page = page("mate  Nf7");
    assert!(page.contains("<h1 class=\"filters\">mate Nf7</h1>"));
}

#[test]
fn what_games_hold_cannot_leave_its_place() {
    let folder = Folder::new();
    let mut pgn =
        b"[White \"</script><!--<script>\"]\n[Black \"a\\\"b & 'c' \xfc\"]\n[Event \"{{script}}\"]\n\n".to_vec();
    pgn.extend_from_slice(b"1. e4 {</script> \x01} *\n");
    let games = folder.file("odd.pgn", pgn);
    let page = stdout(&mut search(&["-e", "btm", "--format", "html", text(&games)]));
    let lines = data(&page);
    assert_eq!(lines[0]["white"], "</script><!--<script>");
    assert_eq!(lines[0]["black"], "a\"b & 'c' ü");
    assert_eq!(lines[0]["event"], "{{script}}");
    assert_eq!(page.matches("</script>").count(), 3);
    assert!(!page.contains("<!--"));
}

#[test]
fn sorted_games_have_their_values() {
    let page = page("sort \"plies\" ply mate");
    let lines = data(&page);
    assert_eq!(
        lines[0]["sort"],
        serde_json::json!([82]),
        "the longest game comes first"
    );
    assert!(page.contains("\"sort\":[\"plies\"],"));
}

#[test]
fn a_search_without_matches_is_a_page_too() {
    let mut command = search(&["-e", "false", "--format", "html", CLASSICS]);
    let page = stdout(&mut command);
    assert!(data(&page).is_empty() && page.ends_with("</html>\n"));
    command.assert().code(1);
}

#[test]
fn the_page_that_links_the_others_replaces_only_itself() {
    let folder = Folder::new();
    let queries = folder.file("q/wrong.cql", "cql() mat");
    folder.file("q/ends/my mate.cql", "cql() mate");
    let results = folder.path().join("results");
    let folder_of_queries = queries.parent().expect("a folder");
    let mut search = search(&[
        text(folder_of_queries),
        CLASSICS,
        "--out-dir",
        text(&results),
        "-f",
        "html",
    ]);
    search.assert().code(2);
    let contents = results.join("index.html");
    let page = std::fs::read_to_string(&contents).expect("it is there");
    assert!(page.contains("<h2>Ends</h2>") && page.contains("<a href=\"ends/my%20mate.html\">"));
    assert!(
        page.contains("<h3>Wrong</h3>") && page.contains("<p class=\"error\">"),
        "no link to no page"
    );
    search.assert().code(2);
    std::fs::write(&contents, "mine").expect("files can be written");
    let refused = search.assert().code(2).get_output().stderr.clone();
    assert!(String::from_utf8_lossy(&refused).contains("index.html"));
    assert_eq!(std::fs::read_to_string(&contents).expect("it is still there"), "mine");
}

#[test]
fn pages_of_many_queries_are_about_their_own() {
    let folder = Folder::new();
    folder.file("q/mates.cql", "// All mates.\ncql() mate");
    folder.file("q/pins.cql", "cql() pin");
    let results = folder.path().join("results");
    let queries = folder.path().join("q");
    search(&[
        text(&queries),
        CLASSICS,
        "--out-dir",
        text(&results),
        "--format",
        "html",
    ])
    .assert()
    .success();
    let mates = std::fs::read_to_string(results.join("mates.html")).expect("a page for each query");
    assert!(mates.contains("All mates.") && mates.contains("<h1>mates</h1>"));
    let contents = std::fs::read_to_string(results.join("index.html")).expect("a page that links the others");
    assert!(contents.contains("<h3><a href=\"mates.html\">Mates</a></h3>\n<p>All mates.</p>"));
    assert!(contents.contains("<p class=\"yields\">8 positions in 8 games</p>"));
    assert!(contents.contains("2 queries;") && contents.contains("in 18 games searched"));
    let pins = std::fs::read_to_string(results.join("pins.html")).expect("a page for each query");
    assert!(pins.contains("<h1>pins</h1>") && !pins.contains("All mates."));
    let titled = [text(&queries), CLASSICS, "--out-dir", text(&results)];
    let titled = [&titled[..], &["--format", "html", "--title", "Week <3>"]].concat();
    search(&titled).assert().success();
    for name in ["mates.html", "pins.html", "index.html"] {
        let page = std::fs::read_to_string(results.join(name)).expect("a page");
        assert!(page.contains(">Week &lt;3&gt;</h1>"), "{name}: {page}");
    }
}

#[test]
fn lines_of_sight() {
    assert_eq!(first("xray (R p k) Q==0"), "15:50 [g3g7g8] [g3g8] []");
    assert_eq!(first("R attacks k"), "3:39 [e7e8] [e7e8] []");
    assert_eq!(first("q attackedby N"), "2:11 [f3h4] [f3h4] []");
    assert_eq!(first("pin from b through N"), "7:13 [e1c3b4] [b4e1] []");
    assert_eq!(first("B -> a -> k"), "2:9 [b5d7e8] [b5e8] []");
    assert_eq!(first("check"), "1:11 [f7e8] [f7e8] []");
}

#[test]
fn only_the_copies_of_a_transform_that_hold() {
    assert_eq!(
        first("flipcolor {xray (R p k) Q==0} gamenumber==15"),
        "15:50 [g3g7g8] [g3g8] []"
    );
    assert_eq!(
        first("flipcolor {xray (r P K) q==0} gamenumber==15"),
        "15:50 [g3g7g8] [g3g8] []"
    );
}

#[test]
fn moves() {
    assert_eq!(first("--(mate)"), "1:12 [] [] [c3d5]");
    assert_eq!(first("previous Q[x]n"), first("move previous from Q capture n"));
    assert_eq!(first("path --(check) --"), "1:10 [] [] [c4f7e8e7]");
    assert_eq!(first("line --> check --> true --> check"), "1:11 [] [] [e8e7c3d5]");
}

#[test]
fn loops_show_what_they_found() {
    assert_eq!(
        first("square x in A {x attacks k x attacks q}"),
        "3:33 [h5f6e8] [f6h5f6e8] []"
    );
    assert_eq!(first("piece x in N x attacks k"), "1:13 [d5e7] [d5e7] []");
}

#[test]
fn what_is_not_there_what_is_everywhere_and_what_is_elsewhere_is_not_shown() {
    for filters in [
        "not check",
        "[Aa]",
        "Q==1",
        "find mate",
        "#(R attacks k)==0",
        "A attacks .",
    ] {
        assert_eq!(
            first(filters).split_once(' ').map(|(_, rest)| rest),
            Some("[] [] []"),
            "{filters}"
        );
    }
}

#[test]
fn highlighting_changes_nothing() {
    let counting = "persistent total += 1 message(ply) (R attacks k or {total += 10 B attacks k}) \
                    square x in R {total += 1 message(\"rook\") x attacks a}";
    let looping = "x = B while (x attacks k) x = k message(#x) x";
    let sorting = "sort \"n\" #(A attacks k) check";
    for filters in [counting, looping, sorting] {
        let found = |format| {
            let output = search(&["-e", filters, "--format", format, CLASSICS])
                .output()
                .expect("the command runs");
            (output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let ((lines, log), (page, page_log)) = (found("jsonl"), found("html"));
        let count = lines.iter().filter(|byte| **byte == b'\n').count();
        let page = String::from_utf8(page).expect("pages are UTF-8");
        let matches = data(&page)
            .iter()
            .filter_map(|line| Some(line["matches"].as_array()?.len()))
            .sum::<usize>();
        assert_eq!((matches, page_log), (count, log), "{filters}");
    }
}
