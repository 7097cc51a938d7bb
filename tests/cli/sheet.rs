//! Diagrams to print and hand out.

use predicates::prelude::*;

use super::*;

/// Returns the sheet of a search with these arguments.
fn sheet(arguments: &[&str]) -> String {
    stdout(&mut search(&[&["-f", "html", "--layout", "sheet"], arguments].concat()))
}

/// Returns the diagrams of a sheet, and its solutions.
fn parts(sheet: &str) -> (Vec<&str>, Vec<&str>) {
    let (diagrams, solutions) = sheet.split_once("<h2>Solutions</h2>").expect("there are solutions");
    let solution = |line| str::strip_prefix(line, "<li>")?.strip_suffix("</li>");
    (
        diagrams.lines().filter(|line| line.starts_with("<figure>")).collect(),
        solutions.lines().filter_map(solution).collect(),
    )
}

/// Returns the solutions on the sheet of a query for these games.
fn solutions(filters: &str, pgn: &str) -> Vec<String> {
    let folder = Folder::new();
    let games = folder.file("games.pgn", pgn);
    let sheet = sheet(&["-e", filters, text(&games)]);
    let (_, solutions) = parts(&sheet);
    solutions.into_iter().map(str::to_owned).collect()
}

#[test]
fn diagrams_have_numbers_and_the_side_to_move_and_give_nothing_away() {
    let sheet = sheet(&["-e", "legal --(mate) comment \"in one\"", CLASSICS]);
    let (diagrams, solutions) = parts(&sheet);
    assert_eq!((diagrams.len(), solutions.len()), (8, 8));
    assert!(
        diagrams[3].starts_with("<figure><figcaption><b>4</b> White to move</figcaption><svg"),
        "{}",
        diagrams[3]
    );
    assert!(
        diagrams[3].ends_with("<p class=\"who\">Morphy, Paul – Duke of Brunswick and Count Isouard, 1858</p></figure>")
    );
    assert!(diagrams[7].contains("Black to move"));
    assert_eq!(solutions[3], "<b>4</b> 17.Rd8# 1-0 <span class=\"said\">in one</span>");
    let (before, _) = sheet.split_once("<h2>").expect("there are solutions");
    for hint in [
        "1-0",
        "0-1",
        "Rd8",
        "in one",
        "legal",
        "mate",
        "stroke-width=\"6\"",
        "fill-opacity",
    ] {
        assert!(!before.contains(hint), "{hint}");
    }
    assert!(before.contains("<h1 class=\"heading\">Positions</h1>"));
}

#[test]
fn a_sheet_of_paper_has_as_many_diagrams_as_asked_for() {
    for (arguments, papers) in [
        (&[][..], 14),
        (&["--per-page", "6"], 14),
        (&["--per-page", "9"], 10),
        (&["--per-page", "12"], 7),
    ] {
        let sheet = sheet(&[arguments, &["-e", "check", CLASSICS]].concat());
        let (diagrams, _) = parts(&sheet);
        assert_eq!(diagrams.len(), 83);
        assert_eq!(
            sheet.matches("<section class=\"paper\">").count(),
            papers,
            "{arguments:?}"
        );
        assert_eq!(sheet.matches("<h1").count(), 1);
        assert!(sheet.contains(&format!("<span>{papers} / {papers}</span>")));
        assert!(sheet.ends_with("</main>\n</body>\n</html>\n"));
    }
}

#[test]
fn the_solution_is_what_was_tried_or_played() {
    const MATES: &str = "[Result \"1-0\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/K2RR3 w - - 0 1\"]\n\n1. Rd8+ 1-0\n\n";
    assert_eq!(
        solutions("legal --(mate)", MATES),
        ["<b>1</b> 1.Rd8# or 1.Re8#"],
        "two moves"
    );
    assert_eq!(
        solutions("initial legal R--[d8](mate)", MATES),
        ["<b>1</b> 1.Rd8# 1-0"],
        "as it was played"
    );
    let promotes = "[FEN \"8/5P1k/8/6K1/8/8/8/8 w - - 0 30\"]\n\n30. f8=Q *\n\n";
    assert_eq!(
        solutions("legal --=r(not check)", promotes),
        ["<b>1</b> 30.f8=R"],
        "another promotion than was played"
    );
    assert_eq!(
        solutions("ply==3 pass(legal --(check))", "1. e4 e5 2. Qh5 Nc6 3. Bc4 *\n\n"),
        ["<b>1</b> 2...Nc6 3.Bc4"],
        "what is tried after a pass is not a move here"
    );
    let long = "[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O (5. d3 d6) 5... Be7 *\n\n";
    assert_eq!(
        solutions("initial", long),
        ["<b>1</b> 1.e4 e5 2.Nf3 Nc6 3.Bb5"],
        "a few moves"
    );
    assert_eq!(
        solutions("initial path quiet -- -- -- -- -- -- -- --(nf6)", long),
        ["<b>1</b> 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6"],
        "all that the match speaks of"
    );
    assert_eq!(solutions("terminal", long), ["<b>1</b> "], "nothing follows");
    assert_eq!(solutions("terminal", MATES), ["<b>1</b> 1-0"], "it is over");
}

#[test]
fn positions_without_games_have_the_moves_beside_them() {
    let folder = Folder::new();
    let table = folder.file(
        "puzzles.csv",
        "FEN,Moves\n6k1/5ppp/8/8/8/8/r7/K2R4 w - - 0 1,a1a2 g8f8 d1d8\n",
    );
    let played = sheet(&["-e", "ply==1", text(&table)]);
    assert_eq!(parts(&played).1, ["<b>1</b> 1...Kf8 2.Rd8+"]);
    assert!(parts(&played).0[0].contains("<p class=\"who\"></p>"), "nobody is known");
    let suite = folder.file("suite.epd", "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"one\";\n");
    assert_eq!(parts(&sheet(&["-e", "true", text(&suite)])).1, ["<b>1</b> Rd8#"]);
}

#[test]
fn the_title_is_that_of_the_user() {
    let title = "Mates <b> & \"more\"";
    let sheet = sheet(&["-e", "mate", CLASSICS, "--title", title]);
    let escaped = "Mates &lt;b&gt; &amp; &quot;more&quot;";
    assert!(sheet.contains(&format!("<title>{escaped}</title>")), "{sheet}");
    assert_eq!(
        sheet.matches(&format!("class=\"heading\">{escaped}</")).count(),
        2,
        "on both"
    );
    let page = stdout(&mut search(&["-e", "mate", "-f", "html", CLASSICS, "--title", title]));
    assert!(page.contains(&format!("<h1 class=\"own\">{escaped}</h1>")));
    assert!(page.contains("<summary>Query</summary><pre><code>mate\n</code></pre>"));
}

#[test]
fn a_sheet_loads_nothing_runs_nothing_and_holds_what_games_say() {
    let folder = Folder::new();
    let games = folder.file(
        "odd.pgn",
        b"[White \"</style></p><script>x()</script>\"]\n[Black \"a & 'c' \xfc\"]\n[Date \"1999.01.01<b>\"]\n[Result \"<i>\"]\n\n1. e4 *\n",
    );
    let sheet = sheet(&["-e", "true comment \"<u>\\n</li>\"", text(&games)]);
    let (_, policy) = sheet
        .split_once("content=\"default-src 'none'; style-src 'sha256-")
        .expect("a policy");
    assert!(
        policy.split('"').next().is_some_and(|rest| rest.ends_with("='")),
        "no scripts"
    );
    for outside in [
        "<script",
        "http:",
        "https:",
        "src=",
        "url(",
        "@import",
        "<b onmouse",
        "<u>",
        "<i>",
    ] {
        assert!(!sheet.contains(outside), "{outside}");
    }
    assert!(sheet.contains("&lt;/style&gt;&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt; – a &amp; &#39;c&#39; ü, 1999"));
    assert_eq!(sheet.matches("</style>").count(), 1);
    assert_eq!(parts(&sheet).1.len(), 2);
}

#[test]
fn nothing_found_is_a_sheet_too() {
    let mut command = search(&["-e", "false", "-f", "html", "--layout", "sheet", CLASSICS]);
    let sheet = stdout(&mut command);
    assert!(sheet.contains("No position matches.") && sheet.ends_with("</html>\n"));
    command.assert().code(1);
}

#[test]
fn sorted_positions_come_in_their_order() {
    let sheet = sheet(&["-e", "sort \"plies\" ply --(mate)", CLASSICS, "-n", "2"]);
    let (diagrams, solutions) = parts(&sheet);
    assert_eq!(diagrams.len(), 2);
    assert!(
        diagrams[0].contains("<b>1</b>") && solutions[0].starts_with("<b>1</b> 41...Rc2#"),
        "{solutions:?}"
    );
}

#[test]
fn a_sheet_replaces_pages_of_skewer_and_nothing_else() {
    let folder = Folder::new();
    let output = folder.path().join("sheet.html");
    for layout in ["list", "sheet", "sheet", "list"] {
        search(&["-e", "mate", CLASSICS, "-o", text(&output), "--layout", layout])
            .assert()
            .code(0);
    }
    std::fs::write(&output, "mine").expect("files can be written");
    search(&["-e", "mate", CLASSICS, "-o", text(&output), "--layout", "sheet"])
        .assert()
        .code(2);
    assert_eq!(std::fs::read_to_string(&output).expect("it is there"), "mine");
}

#[test]
fn what_is_said_of_a_page_is_refused_beside_other_formats() {
    for (option, value) in [("--layout", "sheet"), ("--per-page", "9"), ("--title", "T")] {
        let message = format!("{option} is for pages for the browser, and the format is pgn");
        search(&["-e", "mate", "no such file.pgn", "-f", "pgn", option, value])
            .assert()
            .code(2)
            .stderr(predicate::str::contains("no such file"));
        for command in [
            &["search", "-e", "mate", CLASSICS][..],
            &["show", CLASSICS, "5", "--pgn"],
        ] {
            skewer()
                .args(command)
                .args([option, value])
                .assert()
                .code(2)
                .stdout("")
                .stderr(predicate::str::contains(&*message).and(predicate::str::contains("`-o page.html`")));
        }
    }
    search(&[
        "-e",
        "mate",
        CLASSICS,
        "-f",
        "html",
        "--layout",
        "sheet",
        "--per-page",
        "7",
    ])
    .assert()
    .code(2)
    .stderr(predicate::str::contains("6, 9, 12"));
}

#[test]
fn chosen_positions_make_a_sheet() {
    let folder = Folder::new();
    let output = folder.path().join("chosen.html");
    let arguments = [
        "show",
        CLASSICS,
        "5:32",
        "16:10",
        "--layout",
        "sheet",
        "-o",
        text(&output),
    ];
    skewer().args(arguments).assert().code(0);
    let sheet = std::fs::read_to_string(&output).expect("it is there");
    let (diagrams, solutions) = parts(&sheet);
    assert_eq!(diagrams.len(), 2);
    assert_eq!(solutions[0], "<b>1</b> 17.Rd8# 1-0");
}
