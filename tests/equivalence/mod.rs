//! Tests that no shortcut changes an answer: a search finds the same with and without plans, simplifications and caches.
//!
//! Each query runs with all [`Shortcuts`], with none, and with all but one. Queries of the repository and random queries run on
//! many games, because the first games of a run decide how the next ones are searched. They run from PGN and from a database, alone
//! and among others.

mod glance;
mod loops;
mod minimize;
mod random;
mod recorded;
mod themes;
mod traced;
mod ways;

use std::path::{Path, PathBuf};

use skewer::eval::Settings;
use skewer::library::themes;
use skewer::output::FormatName;
use skewer::pgn::Source as Games;
use skewer::query::{self, Query, Shortcuts};
use skewer::search::{Options, search_sources};
use skewer::syntax::Source;

/// Returns the path of the games with this name. `bushy.pgn` is one game of `tree.pgn`, and `grove.pgn` is every
/// sixth one, because reading all takes longer than searching some.
fn games(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folders = ["equivalence", "golden/pgn", "pgn", "beyond/pgn"].map(|folder| tests.join(folder).join(name));
    let found = folders.into_iter().find(|file| file.exists());
    found.unwrap_or_else(|| panic!("no games are called {name}"))
}

/// Returns no shortcuts, and all shortcuts but one, for each of them.
fn switched_off() -> impl Iterator<Item = Shortcuts> {
    let without = |shortcut| Shortcuts::all() - shortcut;
    [Shortcuts::empty()]
        .into_iter()
        .chain(Shortcuts::all().iter().map(without))
}

/// Returns no shortcuts, and all shortcuts but one, which depends on `number`.
fn some_switched_off(number: usize) -> impl Iterator<Item = Shortcuts> {
    let count = switched_off().count() - 1;
    [0, 1 + number % count]
        .into_iter()
        .filter_map(|place| switched_off().nth(place))
}

/// Returns a source that is parsed once and compiled many times.
fn source(text: &str) -> Source {
    Source::new("equivalence.cql", text)
}

/// Compiles a query with these shortcuts.
fn compiled(source: &Source, shortcuts: Shortcuts) -> Option<Query> {
    let options = query::Options {
        shortcuts,
        themes: themes(None),
        ..query::Options::default()
    };
    query::compile(source, &options).ok()
}

/// What a query prints and its messages, or the error that ended it.
type Answer = Result<(String, String), String>;

/// Returns the answer of a query on games, given as a file of this name.
fn answer(query: &Query, name: &str, games: &[u8], format: FormatName) -> Answer {
    let settings = Settings {
        max_rounds: 20_000,
        ..Settings::default()
    };
    let source = Games::of_bytes(name, games.to_vec());
    let found =
        search_sources(query, settings, [source], format, &Options::quiet()).map_err(|error| error.to_string())?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok((text(found.output), text(found.log)))
}

/// Returns what a query prints, and its messages.
fn found(text: &str, format: FormatName) -> (String, String) {
    found_with(&query::Options::default(), &source(text), &[format]).remove(0)
}

/// Returns the same in several formats, with these options of the compiler.
fn found_with(options: &query::Options, source: &Source, formats: &[FormatName]) -> Vec<(String, String)> {
    let query = query::compile(source, options).unwrap_or_else(|error| panic!("{}", error.render(source, false)));
    let path = games(query.header.input.as_deref().unwrap_or_default());
    let games = std::fs::read(&path).expect("the games are there");
    let found = formats.iter().map(|format| {
        let answer = answer(&query, "games.pgn", &games, *format);
        answer.unwrap_or_else(|error| panic!("{}: {error}", source.text()))
    });
    found.collect()
}

/// Asserts that a query finds the same with all shortcuts and without some of them.
fn assert_same_answers(text: &str, formats: &[FormatName]) {
    let source = source(text);
    let expected = found_with(&query::Options::default(), &source, formats);
    for shortcuts in some_switched_off(text.len()) {
        let options = query::Options {
            shortcuts,
            ..query::Options::default()
        };
        let found = found_with(&options, &source, formats);
        assert_eq!(found, expected, "{text}\nwith {shortcuts:?}");
    }
}

/// Asserts that `before {BODY} after` finds the same, in several games.
fn assert_same(before: &str, body: &str, after: &str) {
    for header in [
        "cql(input game-tree.pgn variations)",
        "cql(input game-tree.pgn)",
        "cql(input bushy.pgn variations)",
    ] {
        assert_same_in(header, before, body, after);
    }
}

/// Asserts the same in the games of one header.
fn assert_same_in(header: &str, before: &str, body: &str, after: &str) {
    // Comments are made for PGN, but not for ids.
    let text = format!("{header}\n{before} {{{body}}} {after}");
    assert_same_answers(&text, &[FormatName::Ids, FormatName::Pgn]);
}

#[test]
fn echo_as_a_join_finds_what_all_pairs_give() {
    for body in [
        "true",
        "s<t",
        "t<=s",
        "s[<]t",
        "t[<]s",
        "s[<=]t",
        "s[>]t",
        "ancestor(s t)",
        "ancestor(∙ s)",
        "{mate s:mate s<t}",
        "{s<t sidetomove==s:sidetomove s & t == [a-h1-8]}",
        "#(s & t)==64",
        "64<=#(∙ & s)",
        "{s & t:parent == . not s==t:parent}",
        "fen==s:fen",
        "s:fen==t:fen and s<t and ply>2",
        "{#[Aa]==s:#[Aa] [QR]==s:[QR] N!=s:N}",
        "s:#[RQ]==#[rq] or t:mate",
        "{check s:check distance(s t)}",
        "t:ply==s:ply",
        "{ply==s:ply t:ply}",
        "parent==s:parent",
        "lca(s t):depth==1",
        "{if s:wtm then btm else wtm s:parent:[Aa]==parent:[Aa]}",
        "x∊[QR] {x in s:[QR] x & t:[Kk] == []}",
        "{t:ply>s:ply find quiet <-- s==currentposition}",
        "{terminal s:terminal find quiet all check == s:find quiet all check}",
        "{isbound s isbound t isunbound u terminal s:terminal}",
        "flipcolor {Ke1 s:Ke1 s:Kg1==t:Kg1}",
        "{terminal s:initial echo quiet (u v) in all {u:ply==s:ply v:ply==ply-1}}",
        "{s<t str(ply)==s:str(ply) str(s \"x\") != \"\"}",
    ] {
        for echo in ["echo (s t)", "echo quiet (s t) in all"] {
            assert_same(echo, body, "");
            assert_same(&format!("not {echo}"), body, "");
        }
    }
}

#[test]
fn a_number_of_an_echo_is_the_same_as_a_join() {
    for body in [
        "s:ply-t:ply",
        "{terminal s:terminal distance(s t)}",
        "{#[Aa]==s:#[Aa] ply>s:ply}",
        "ply==s:#[Aa]",
        "{s[<]t t:#P==s:#P}",
    ] {
        assert_same("sort \"best\" echo (s t)", body, "");
        assert_same("message(positionid \" \" echo quiet (s t)", body, ")");
    }
}

#[test]
fn an_echo_inside_a_loop_reads_its_variable() {
    assert_same(
        "x∊[RQrq] echo quiet (s t)",
        "{s<t (x & s:[RQrq]) == (x & t:[RQrq]) sidetomove==s:sidetomove}",
        "",
    );
}

#[test]
fn a_game_with_too_few_finds_is_left_out_as_if_it_was_tried() {
    for body in [
        "find all check",
        "find all check >= 3",
        "find quiet all check > 3",
        "{terminal find all check >= 2}",
        "{sort \"checks\" find all check >= 3}",
        "{sort \"checks\" (find all check) >= 3}",
        "{btm sort min \"pieces\" (find all #[Aa]<20) > 4}",
        "{find all check >= 2 message(positionid)}",
        "{(sort \"checks\" (find all check) >= 3) or mate}",
        "{(sort \"checks\" (find all check)) >= 3 or mate}",
    ] {
        assert_same("", body, "");
        // Games without a match show what they would be sorted by.
        for header in [
            "input game-tree.pgn matchcount 0 1000",
            "input grove.pgn variations matchcount 0 2",
        ] {
            for format in [FormatName::Ids, FormatName::Pgn] {
                assert_same_answers(&format!("cql({header})\n{body}"), &[format]);
            }
        }
    }
}

#[test]
fn a_remembered_find_finds_the_same() {
    for body in [
        "check",
        "{ply%3==0 wtm}",
        "#[Aa]<20",
        "terminal or secondary",
        "{(find quiet {mate}):parent:wtm}",
        "flip ♙a2-5",
        "x∊[Aa] x->K",
        "child(1)",
        "2==find quiet all secondary",
        "false",
    ] {
        for find in [
            "find",
            "find quiet",
            "find <--",
            "find all",
            "find <-- all",
            "find 1 2",
            "find <-- 0 1",
            "message(positionid \" \" find quiet count",
        ] {
            let after = if find.starts_with("message") { ")" } else { "" };
            assert_same(find, body, after);
            if after.is_empty() {
                assert_same(&format!("position (ply/2):{find}"), body, "");
                assert_same(&format!("flipcolor {find}"), body, "");
            }
        }
    }
}

#[test]
fn a_find_by_equal_values_finds_the_same() {
    for body in [
        "zobristkey==Key",
        "{wtm Key==zobristkey terminal}",
        "parent:zobristkey==Key",
        "child:zobristkey==Key",
        "{sidetomove==Here:sidetomove #(currentposition & Here)==64}",
        "#[Aa]==Men",
        "{Men==#[Aa] check}",
        "{#[Aa]==Men-1 Here:ply!=ply}",
        "parent==Here:parent",
        "{fen==Here:parent:fen ply>2}",
        "{ply==Here:ply find quiet all {#[Aa]==Men}>1}",
        "not zobristkey==Key",
    ] {
        for find in [
            "find",
            "find <--",
            "find all",
            "find <-- 2 1000",
            "message(positionid \" \" find quiet count",
            "terminal initialposition:find all",
        ] {
            let after = if find.starts_with("message") { ")" } else { "" };
            assert_same(
                &format!("Key=zobristkey Here=currentposition Men=#[Aa] {find}"),
                body,
                after,
            );
        }
    }
    // Nothing is looked up if another filter has failed before.
    assert_same("if ply==9999 Key=fen find", "ply==9998 fen==Key", "");
}

#[test]
fn only_numbers_of_an_echo_keep_comments_in_a_sort() {
    let commented = |filter: &str| {
        let query = format!("cql(input game-tree.pgn variations gamenumber 10) {filter}");
        found(&query, FormatName::Pgn).0.contains("<--")
    };
    assert!(commented("echo (s t) {mate s:mate}"));
    assert!(commented("sort \"p\" {echo (s t) {mate s:mate ply}}"));
    assert!(!commented("sort \"p\" {echo (s t) {mate s:mate} ply}"));
}

#[test]
fn many_positions_are_related_in_time() {
    // Trying every pair would take 100 million evaluations.
    let moves: Vec<String> = (0..2500)
        .map(|pair| format!("{}. Nf3 Nf6 {}. Ng1 Ng8", 2 * pair + 1, 2 * pair + 2))
        .collect();
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let path = folder.path().join("long.pgn");
    std::fs::write(&path, format!("[Event \"?\"]\n\n{} *\n", moves.join("\n"))).expect("the file can be written");
    let header = format!("cql(input {})", path.display());
    let query = "echo (s t) {s<t find quiet ♘f3 s & t == . sidetomove==s:sidetomove s:ply==t:ply-9996} \
        (find all ♘f3) >= 4999 (find <-- all ♘f3) >= 1";
    let (ids, _) = found(&format!("{header} {query}"), FormatName::Ids);
    assert_eq!(ids, "1:1\n1:2\n");
}

#[test]
fn what_a_path_has_found_is_not_remembered() {
    for body in ["pathcount<3", "pathstart:wtm", "pathcountunfocused<4"] {
        assert_same("message(path quiet --(find quiet <--", body, ")*)");
    }
}

#[test]
fn loops_answered_for_all_squares_at_once_find_what_their_rounds_find() {
    for body in [
        "x attacks k",
        "{x attacks k and x attackedby r}",
        "{k attackedby x}",
        "{[Aa] attacks x}",
        "{x attackedby [Aa] or _ attacks x}",
        "{not x attacks [Aa] dark x}",
        "{x in a-h4-5 and not (light x attacks a-h5)}",
        "{x & A->(q|r)}",
        "{[RQB] & x check}",
        "{x attacks z∊[Qq] {z attackedby [Aa]}}",
    ] {
        for looped in ["x∊[Aa]", "x∊a-h1-8", "◭x∊[_QRr]", "◭x∊[Aa]"] {
            assert_same(&format!("y={looped}"), body, "message(y)");
            assert_same(&format!("∀{looped}"), body, "");
        }
    }
}

#[test]
fn loops_over_what_their_first_tests_keep_find_what_all_rounds_find() {
    for body in [
        "not A attacks x check",
        "x attacks k and check",
        "{[Aa] attacks x} {not x attacks [Aa] #x==1 dark x}",
        "{x & a-h4-5 legal --x}",
        "{A attacks x x in a-h3-6 type x > 1}",
        "y∊[Aa] {{x attacks y}==x}",
        "y∊[Aa] {{[Qr] attacks x}==y}",
        "y∊[Aa] {y=={[RQ] attacks x} y attacks k}",
    ] {
        for looped in ["x∊[Aa]", "x∊a-h1-8", "◭x∊[_QRr]"] {
            assert_same(&format!("z={looped}"), body, "message(z)");
            assert_same(&format!("∀{looped}"), body, "");
        }
    }
    assert_same("z=y∊[Aa] x∊[QRr]", "{[Qr] attacks x}==y", "message(z)");
}

/// Tests in a loop that look from the element to other squares are evaluated the other way round, from those squares.
#[test]
fn loops_over_what_their_tests_may_keep_find_what_all_rounds_find() {
    let bodies = [
        "up x & p",
        "not [Pp] & horizontal 1 x",
        "[Aa] & vertical -2 1 x",
        "dark up 2 3 {x | K}",
        "[Qq] attacks up x",
        "{[RQ] attacks x | K} & a-h1-4",
        "{down x} attackedby [Aa]",
        "pin through x",
        "pin from x",
        "pin to x through [Pp]",
        "pin from [QRBqrb] through x to [Kkq]",
        "{pin from [QR] through x} & a-h2-7",
        "{pin from [Qq] to x} & a-h1-6",
        "ray ([RQ] [Aa] x)",
        "ray (x [Aa] [Kk])",
        "ray diagonal (A x k)",
        "xray ([RBrb] x [kKqQ])",
        "[RQBrqb] -> [Aa] -> x",
        "k <- x <- [RQB]",
        "{x -> p -> [kqr]} & a-h1-4",
        "#([Aa] attacks x) >= 2",
        "2 <= #([Nn] attacks x)",
        "#(A attacks x) > #(a attacks x)",
        "power (x attacks [qrk]) > 3",
        "#(up x & [Pp]) == 1",
        "#x >= 0",
        "#(A attacks x) < #(a attacks x)",
        "x & [Qq] or x attacks k or up x & p",
        "{x attacks k #x==1} or x & P",
        "wtm",
        "check x & [Aa]",
        "{R->a}<-.",
        "k attackedby R",
        "not k attackedby R x attacks [Aa]",
        "#(N attacks x) >= 1 x & [qrbp] up x",
        "Count=#([Aa] attacks x) Count>1",
        "Kind=type x Kind>1 Kind<5",
        "Name=str(x) Name < \"d\"",
        "Here=currentposition x attacks [Aa] Here:x attacks k",
        "Count=#x if wtm then Count>1 else Count==1",
        "y∊[Aa] {Count=#(y attacks x) Count>0 y attacks [Kk]}",
        "function F(S) {pin from S through x} F([QR]|[qr])",
        "function F(S) {A attacks S} F(x)",
        "function F(S) {S attacks x} #(F(A) | F(a)) > 1",
    ];
    for body in bodies {
        for looped in ["z=x∊[Aa]", "z=◭x∊[_QRr]"] {
            for header in loops::TREES {
                loops::assert_same_rounds(header, looped, body, "message(z)");
            }
        }
    }
}

/// Other effects of loops happen as often as in all rounds.
#[test]
fn rounds_that_can_be_told_are_all_made() {
    for (body, after) in [
        ("Count=#([Aa] attacks x) Count>1", "message(Count)"),
        ("Count=#([Aa] attacks x) Count>1", "isbound Count"),
        ("Name=str(x)", "message(Name)"),
        ("Count+=1 x attacks k", "message(Count)"),
        ("comment(x) x attacks k", ""),
        ("x attacks k comment(x)", ""),
        ("message(x) up x & p", ""),
    ] {
        assert_same("Count=0 z=x∊[Aa]", body, &format!("{after} message(z)"));
    }
}

#[test]
fn a_figure_is_found_wherever_each_of_its_pieces_is() {
    for body in [
        "{Pd4 Pe5}",
        "{Pd4 pd5 [Kk]a1}",
        "{Ra1 Kh8}",
        "{Pd4 Pe5 not Nc3}",
        "{Pa2 Pa3-4}",
    ] {
        for transform in ["shift", "shifthorizontal", "shiftvertical", "flip", "shift flipcolor"] {
            assert_same(transform, body, "");
        }
    }
}

#[test]
fn tests_for_pieces_find_the_same_one_by_one() {
    for body in [
        "{K k Q}",
        "{K check k Q R}",
        "{Kg1 or k q}",
        "K and k and Q",
        "{x=R K k x attacks k Q q}",
    ] {
        assert_same("", body, "");
        assert_same("flipcolor", body, "");
    }
}

#[test]
fn any_path_will_do_where_its_length_is_not_asked() {
    for path in [
        "path focus N --{2,}",
        "path --+ check (--)*",
        "path singlecolor (--)+ {Q}",
        "path keepallbest --{1} (check --)* --",
        "path max ply --+",
        "path nestban --+ check",
        "path 2 3 --+",
        "path firstmatch (-- check)? --",
    ] {
        for header in ["cql(input game-tree.pgn variations)", "cql(input grove.pgn)"] {
            let asked = found(&format!("{header} {{{path}}} >= 0"), FormatName::Ids);
            assert_eq!(found(&format!("{header} {path}"), FormatName::Ids), asked, "{path}");
            let read = found(&format!("{header} {path} message(pathcount)"), FormatName::Ids);
            assert_eq!(read.0, asked.0, "{path}");
        }
    }
}

#[test]
fn positions_that_the_gate_keeps_out_would_not_match() {
    for body in [
        "R==1 r==2",
        "#[QRqr] < 3 [Aa]>5",
        "Pa-h7 wtm",
        "btm ply>9 not check",
        "ray orthogonal (R [qrbnp] k) or ray diagonal (B [qrbnp] k)",
        "xray (R a k)",
        "ray up (P N)",
        "R->A->q",
        "b<-a<-Q",
        "[QRB] attacks k",
        "#(k attackedby [RQ])==1",
        "pin through n from B to q",
        "pin from [rq]",
        "x∊[QRB] {x attacks k and x attackedby [rq]}",
        "◭x∊[qr] {x->K x<-A}",
        "flipcolor {Ra1->k check}",
        "shiftvertical {Ke4 R}",
        "line --> check --> not check",
        "line <-- check <-- true",
        "line --> check --> not check --> check",
        "line --> true --> check --> [Aa]>20 --> check*",
        "line primary --> R --> {q==1} --> btm",
        "line secondary --> R --> check",
        "line singlecolor --> check --> R",
        "{line --> true --> true --> check} == 3",
        "line --> R{2} --> check",
        "path focus N --{2,}",
        "path focus capture q --",
        "line --> {R==1 or q==0} --> true",
        "terminal not mate",
        "mate or stalemate",
        "enpassant or castle",
        "--=Q",
        "--(mate)",
        "[x](check)",
        "find quiet mate",
        "path Q[x]p [x]Q",
        "path quiet [x]",
        "{path {check} --}>1",
        "[x](true)",
        "R[x]b",
        "path focus N [x]",
        "path singlecolor [x] --",
        "path quiet Q-- R--",
        "path quiet singlecolor firstmatch Q--{up 1 Q} check R--",
        "path quiet [RQ]-- check",
        "path quiet --(check) --",
        "path quiet N--[d4,e5] check --",
        "path quiet [RB]-- atomic Left=from Q--{to attacks Left}",
        "path quiet K-- atomic Left=from --Left",
        "path quiet P--=Q --",
        "flipcolor flip path quiet Q--{up 1 Q} Q--",
        "N--",
        "N--(check)",
        "[QR]--(k attackedby to)",
        "P--(--=Q)",
        "K--",
        "x∊[QR] {Place=x x--(check)}",
        "x∊[qr] {#(N attacks x)>1}",
        "◭x∊[QRB] {up x & p}",
        "{N (b or n)} not Q",
        "check message(ply) R",
    ] {
        assert_same("", body, "");
    }
}

/// Conditions that depend only on the pieces are evaluated for many positions at once.
#[test]
fn positions_asked_side_by_side_give_what_each_gives_alone() {
    for body in [
        "[QRB]a-h4",
        "~[Aa] & [d4,e4,d5,e5] == .",
        "#([Pp]a-h4 & light [Pp]) >= 5",
        "#[Aa] != 32",
        "not #(k attackedby [RQ]) < 1",
        "K attackedby [qrb] or k attackedby [QRB]",
        "(A attacks a) in (p | n)",
        "R attacks . == [RQ] attacks a",
        "_ attacks k or a1",
        "up R & p",
        "northeast B & right N",
        "passedpawns & Pa-h7",
        "isolatedpawns & doubledpawns",
        "not connectedpawns",
        "ray (R [qrbnp] k)",
        "ray (. k R)",
        "xray (. a K)",
        "#(xray ([RBQ] . [kq])) > 1",
        "B->n->[kqr] or b->N->[KQR]",
        "k<-a<-R",
        "pin",
        "pin through n from B to q",
        "pin from [QRqr] to [Kq] through P",
        "#(pin from B) > 1",
        "pin to (a-h4 | k)",
        "wtm pin through [NBnb] to [KkQq]",
        "x∊[Aa] {x attacks k and x attackedby [Pp] and not x in light .}",
        "∀x∊[NB] {x attackedby [QRK]}",
        "x∊[qrbn] {pin through x}",
        "x∊P {not p & up x}",
        "#(square x in a-h1-8 {_ attacks x or x attackedby P}) > 20",
        "∀◭x∊P {x attackedby [PK]}",
        "shift {Pd4 pd5}",
        "shift {Pd4 pd5 Ke1-8}",
        "flip {Ra1 attacks k}",
        "#(flip {Ra1-8}) > 1",
        "rotate90 {xray (R a k)}",
        "{R or q} {not b} (B attacks p or N attacks p)",
    ] {
        assert_same("", body, "");
    }
}

#[test]
fn paths_of_some_pieces_begin_where_enough_of_their_moves_are_left() {
    for body in [
        "path focus N --{2,}",
        "path focus [NB] --{3}",
        "path focus [Kk] --{4,}",
        "path focus R (check --)? -- --",
        "path focus r --* --",
        "path focus P --{2,}",
        "path focus [Aa] --{20,}",
        "path focus capture N --{2}",
        "path focus Qd1 (-- --){2,}",
        "path focus Na-h1 --{3} N",
        "path focus [rb] check --{2,}",
    ] {
        assert_same("", body, "");
    }
}

#[test]
fn squares_of_arrival_are_counted_as_far_as_is_asked() {
    for comparison in ["== 1", "< 2", "<= 3", "!= 2", "> 1", ">= 30", "== 0", "> -1"] {
        for counted in ["legal --", "countmoves legal --", "#legal --"] {
            assert_same("", &format!("{counted} {comparison}"), "");
        }
    }
}

/// An assignment needs a context, which imagined positions do not have for simple conditions.
#[test]
fn imagined_positions_answer_alone_what_they_answer_in_a_context() {
    let bodies = [
        "check",
        "mate",
        "stalemate",
        "not check wtm",
        "legalposition",
        "castle or enpassant",
        "if check legal -- == 1 else not stalemate",
        "countmoves legal -- > 20",
        "#legal -- <= 4",
        "to attacks [Kk]",
        "from | to attackedby ~[Pp]",
        "legal --",
        "legal [Kk]--",
        "pseudolegal --to",
        "legal .[x]to",
        "not legal .[x]to",
        "legal --(castle)",
        "legal --(mate)",
        "not legal --(mate)",
        "legal from--(check)",
        "legal .[x][QRqr](check)",
        "move legal enpassant",
        "check not {to attacks [Kk]}",
        "castle check",
        "{to attackedby [Aa] {check legal -- == 1}}",
        "check and not mate or castle",
    ];
    for body in bodies {
        for asked in [
            "y=legal --(",
            "y=move legal count capture . : (",
            "pass(",
            "without([Pp] ",
        ] {
            let value = if asked.starts_with('y') { ") message(y)" } else { ")" };
            assert_same(asked, body, value);
        }
        assert_same("square x in [NRn] without(x ", body, ")");
    }
    assert_same("legal [Kk]--(", "legal -- move legal all : legal --(mate)", ")");
}

/// Conditions that are evaluated before the moves of a game are read must not read its positions.
#[test]
fn other_positions_are_looked_at_where_the_moves_are_known() {
    for body in [
        "initialposition:[RQ]",
        "(initialposition:{#[Aa]>5})",
        "flip {initialposition:Ka-d1-8}",
        "initialposition",
        "position 1",
        "position 2:wtm",
        "initialposition:wtm terminal",
        "distance(initialposition position 2)==2",
        "lca(position 1 position 2):btm",
        "not position 9",
        "gamenumber>1 or initialposition:{find check}",
    ] {
        assert_same("", body, "");
    }
}

#[test]
fn values_made_of_tags_are_asked_for_once_a_game() {
    for body in [
        "Name=player white Name ~~ \"a\" check",
        "Name=lowercase player white Name=Name+\"x\" Name ~~ \"b.*x\"",
        "player white ~~ \"^(.)\" First=\\0 player black ~~ \"^(.)\" not First==\\0 message(First)",
        "player white ~~ \"(.)\" and check First=\\0 message(First)",
        "Length=#player white Length>3 Length+=1 message(Length)",
        "Length=#player white Length>300",
        "Place=event Place==\"?\" find check",
        "Year=year Year>1900 or check",
        "Count=ply Count>2 player white ~~ \"a\"",
        "Year=year isbound Year",
        "Board=a-h1-4 Board==a-h1-4 K & Board",
    ] {
        assert_same("", body, "");
        assert_same("true", body, "");
    }
    let games = "cql(input game-tree.pgn)";
    for filters in [
        "Name=player white Name ~~ \"a\"",
        "persistent Sum=0 Sum=Sum+1 Sum>3 message(Sum)",
    ] {
        let once = found(&format!("{games} {filters}"), FormatName::Pgn);
        let each = found(&format!("{games} ply>=0 {filters}"), FormatName::Pgn);
        assert_eq!(once, each, "{filters}");
    }
}

#[test]
fn what_happens_at_positions_and_in_games_is_asked_before_the_body() {
    for body in [
        "--=N",
        "--=[RB]",
        "--=Q --",
        "flipcolor {--=N}",
        "{--=N check}",
        "not --=N",
        "[x]",
        "Q[x]",
        "{wtm P[x]}",
        "path P[x] --",
        "[x](check)",
        "mate",
        "check",
        "castle",
        "o-o",
        "enpassant",
        "nullmove",
        "terminal mate",
    ] {
        assert_same("", body, "");
    }
}
