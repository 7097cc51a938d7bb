//! Setups in JSON, their queries, and the way back from a query to a setup.

use serde_json::{Value, json};
use skewer::query::Options;
use skewer::setup::Setup;
use skewer::syntax::Source;
use skewer::syntax::format::Spelling;

use super::{compiled, query, setup, shown};

/// Returns setups that players make, including the parts of ChessBase's search mask, with their queries.
fn boards() -> Vec<(&'static str, Value, &'static str)> {
    let rook_ending = json!({"material": [
        {"pieces": "R", "least": 1, "most": 1},
        {"pieces": "P", "least": 1, "most": 1},
        {"pieces": "r", "least": 1, "most": 1},
        {"pieces": "QBNqbnp", "most": 0},
    ]});
    vec![
        ("nothing", json!({}), "true"),
        ("two pawns", json!({"squares": {"d4": "P", "d5": "p"}}), "Pd4 pd5"),
        (
            "an isolated queen's pawn",
            json!({
                "squares": {"d4": "P"},
                "anywhere": [{"pieces": "P", "zone": "c-e1-8", "least": 1, "most": 1}, {"pieces": "p", "zone": "d1-8", "most": 0}],
                "transforms": ["flipcolor"],
            }),
            "flipcolor {Pd4 Pc-e1-8 == 1 not pd1-8}",
        ),
        (
            "the Maroczy bind",
            json!({
                "squares": {"c4": "P", "e4": "P"},
                "anywhere": [{"pieces": "P", "zone": "d1-8", "most": 0}, {"pieces": "p", "zone": "c1-8", "most": 0}],
                "either": [[{"pieces": "p", "zone": "d6-7"}, {"pieces": "p", "zone": "e6-7"}]],
            }),
            "Pc4 Pe4 not Pd1-8 not pc1-8 pd-e6-7",
        ),
        (
            "king g1, a rook on the e-file, the other king in the corner",
            json!({
                "squares": {"g1": "K"},
                "anywhere": [{"pieces": "R", "zone": "e1-8"}, {"pieces": "k", "zone": "[a1,h1,a8,h8]"}],
            }),
            "Kg1 Re1-8 k[a1,a8,h1,h8]",
        ),
        (
            "rook and pawn against rook",
            rook_ending,
            "R == 1 P == 1 r == 1 not [QBNqbnp]",
        ),
        (
            "look for, or, exclude",
            json!({
                "squares": {"d5": "N", "c6": "~p", "e6": "~p"},
                "either": [[{"pieces": "B", "zone": "g2"}, {"pieces": "Q", "zone": "f3"}]],
                "transforms": ["flipcolor", "flipvertical"],
            }),
            "flipcolor flipvertical {Nd5 not pc6 not pe6 Bg2 or Qf3}",
        ),
        (
            "one of two knights",
            json!({"either": [[{"pieces": "N", "zone": "c3"}, {"pieces": "N", "zone": "f3"}]]}),
            "N[c3,f3]",
        ),
        (
            "ranges of material, and who is to move",
            json!({"material": [{"pieces": "P", "least": 2, "most": 4}, {"pieces": "Qq", "most": 1}, {"pieces": "BN", "least": 3}], "side": "b"}),
            "2 <= P <= 4\n[Qq] <= 1 [BN] >= 3 btm",
        ),
        (
            "a piece early, and one from a move on",
            json!({"squares": {"g5": "B"}, "moves": {"least": 3, "most": 9}, "transforms": ["flipcolor"]}),
            "flipcolor {Bg5 3 <= movenumber <= 9}",
        ),
        ("moves alone", json!({"moves": {"least": 20}}), "movenumber >= 20"),
        (
            "the first moves",
            json!({"squares": {"e4": "P"}, "moves": {"most": 4}}),
            "Pe4 movenumber <= 4",
        ),
        ("one move", json!({"moves": {"least": 7, "most": 7}}), "movenumber == 7"),
        (
            "bishops of opposite colours",
            json!({"anywhere": [{"pieces": "B", "zone": "light"}, {"pieces": "b", "zone": "dark"}], "material": [{"pieces": "B", "least": 1, "most": 1}]}),
            "light B\ndark b\nB == 1",
        ),
        (
            "attackers beside a king",
            json!({"anywhere": [{"pieces": "QRBN", "zone": "near k", "least": 2}, {"pieces": "a", "zone": "near k", "most": 0}]}),
            "[QRBN] & anydirection 1 k >= 2\nnot a & anydirection 1 k",
        ),
        (
            "arrows",
            json!({"arrows": [
                {"kind": "xray", "from": {"pieces": "R"}, "through": [{"pieces": "a"}], "to": {"pieces": "k"}},
                {"kind": "ray", "from": {"pieces": "K"}, "to": {"pieces": "k"}},
                {"kind": "attacks", "from": {"pieces": "N", "zone": "f7"}, "to": {"pieces": "rq"}},
                {"kind": "attacks", "from": {"pieces": ".", "zone": "d1"}, "to": {"pieces": ".", "zone": "d7"}},
            ]}),
            "xray (R a k)\nray (K k)\nNf7 -> [qr]\nd1 -> d7",
        ),
        (
            "many pawns and empty squares",
            json!({"squares": {
                "a2": "P", "b2": "P", "c2": "P", "d2": "P", "e2": "P", "f2": "P", "g2": "P", "h2": "P", "e4": "_", "e5": "Aa", "d1": "A", "d8": "Rr",
            }}),
            "Ad1 [Aa]e5 [Rr]d8 Pa-h2 == 8 _e4",
        ),
        (
            "a shifted pair",
            json!({"squares": {"d4": "P", "e5": "P", "e6": "p"}, "transforms": ["shift", "flipcolor"]}),
            "flipcolor shift {Pd4 Pe5 pe6}",
        ),
        (
            "one thing transformed",
            json!({"squares": {"a1": "R"}, "transforms": ["rotate90", "flip"]}),
            "flip Ra1",
        ),
        (
            "a number transformed",
            json!({"material": [{"pieces": "P", "least": 2, "most": 3}], "transforms": ["flipcolor"]}),
            "flipcolor {2 <= P <= 3}",
        ),
    ]
}

#[test]
fn setups_are_written_as_queries_and_read_again() {
    let mut faults = Vec::new();
    for (name, json, text) in boards() {
        let setup = setup(&json.to_string());
        if query(&setup) != text {
            faults.push(format!("{name}: {text}\n{}\n", query(&setup)));
            continue;
        }
        compiled(text);
        let source = Source::new("q.cql", format!("cql() {text}"));
        let warnings = skewer::query::lint::lint(&source, &Options::default()).expect("a query");
        assert!(warnings.is_empty(), "{name}: {}", warnings[0].diagnostic.message);
        let shown = shown(text);
        assert!(shown.whole, "{name}");
        assert_eq!(shown.setup, setup, "{name}");
        // Its JSON can be read again.
        let written = serde_json::to_value(&setup).expect("JSON");
        assert_eq!(super::setup(&written.to_string()), setup, "{name}: {written}");
        let unicode = setup.query(Spelling::Unicode);
        assert_eq!(super::shown(&unicode).setup, setup, "{name}: {unicode}");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_said_has_one_form() {
    let said = json!({
        "squares": {"e4": "nN"},
        "anywhere": [{"pieces": "P", "zone": "d4"}, {"pieces": "p", "zone": "d5", "most": 0}, {"pieces": "R"}, {"pieces": "P", "zone": "a-b2", "least": 2}],
        "material": [{"pieces": "R", "most": 2}],
    });
    let written = serde_json::to_value(setup(&said.to_string())).expect("JSON");
    assert_eq!(
        written,
        json!({
            "squares": {"a2": "P", "b2": "P", "d4": "P", "d5": "~p", "e4": "Nn"},
            "material": [{"pieces": "R", "least": 1, "most": 2}],
        })
    );
    assert_eq!(
        setup(&said.to_string()).query(Spelling::Unicode),
        "♘♞e4 ♙a2 ♙b2 ♙d4 not ♟d5\n1 ≤ ♖ ≤ 2"
    );
}

#[test]
fn queries_are_shown_as_far_as_a_board_can() {
    let mut faults = Vec::new();
    for (text, whole, shown_text) in [
        ("cql() Pd4", true, "Pd4"),
        ("cql(variations) Pd4", false, "Pd4"),
        ("Pd4 {Pe5 {wtm}}", true, "Pd4 Pe5 wtm"),
        ("Pd4 and not btm", true, "Pd4 wtm"),
        ("P[d4,e5] == 2", true, "Pd4 Pe5"),
        ("P[d4,e5]", true, "P[d4,e5]"),
        ("not (Pd4 or pd5)", true, "not Pd4 not pd5"),
        ("Pd4|pd5 3>R>=1", true, "Pd4 or pd5\n1 <= R <= 2"),
        ("3 <= P #p<5", true, "P >= 3 p <= 4"),
        ("not movenumber>9 4<movenumber Pd4", true, "Pd4\n5 <= movenumber <= 9"),
        ("10>=movenumber>=1 5<=movenumber", true, "5 <= movenumber <= 10"),
        ("P>=2 P<4 not Q not q>=2", true, "2 <= P <= 3\nnot Q q <= 1"),
        ("P & a-d1-4", true, "Pa-d1-4"),
        ("k & anydirection 1 K", true, "k & anydirection 1 K"),
        ("d4 & a", true, "ad4"),
        ("R -> a -> k q attackedby N", true, "xray (R a k)\nN -> q"),
        ("reversecolor {Pd4 wtm}", true, "pd5 btm"),
        ("flip rotate90 {Ra1 kh8}", true, "flip {Ra1 kh8}"),
        ("fen \"8/8/8/8/3P4/8/8/8\"", true, "fen \"8/8/8/8/3P4/8/8/8\""),
        (
            "fen \"......../......../......../......../...P..../......../......../........\"",
            true,
            "Pd4",
        ),
        (
            "likeboard(\"4k3/8/8/8/8/8/8/4K3 w\")",
            true,
            "fen \"4k3/8/8/8/8/8/8/4K3\"\nwtm",
        ),
        // It is a single filter, and it includes castling rights.
        ("likeboard(\"4k3/8/8/8/8/8/8/4K3 w -\")", false, "true"),
        ("{Pd4 elo>2500} mate", false, "Pd4"),
        ("flipcolor {Pd4 mate} elo>2500", false, "flipcolor Pd4"),
        (
            "theme \"fianchettoed-king\" btm",
            false,
            "flipcolor {Kg1 Bg2 Pf2 Pg3 Ph2}",
        ),
        ("R & ~a-h1 ~A & d4", true, "[_a]d4 Ra-h2-8"),
        ("k in a-h8", true, "not ka-h1-7"),
        ("Pc-e1-8 == d4", true, "Pd4 not P[c4,c-e1-3,c-e5-8,e4]"),
        ("e2 == Pe1-8", true, "Pe2 not P[e1,e3-8]"),
        // Filters that a board does not show.
        ("find Pd4", false, "true"),
        ("path -- Pd4", false, "true"),
        ("parent:Pd4", false, "true"),
        ("Pd4 or check", false, "true"),
        ("not {Pd4 Pe5}", false, "true"),
        ("Pd4 & passedpawns", false, "true"),
        ("if check Pd4 else Pd5", false, "true"),
        ("function f() {Pd4} f()", false, "true"),
        ("x = Pd4 x", false, "true"),
        ("P == p", false, "true"),
        ("P != 2", false, "true"),
        ("ray diagonal (Q k)", false, "true"),
        ("movenumber != 7", false, "true"),
        ("movenumber % 2 == 0", false, "true"),
        ("R & anydirection 2 k", false, "true"),
        ("shifthorizontal flip {Ra1 kh8}", false, "true"),
        ("rotate45 R -> k", false, "true"),
        ("flip 2 Ra1", false, "true"),
        // If a shift moves squares over the edge, two designators lose them separately, and a single one for both does not.
        ("shift (Pa4 | Ph4)", false, "true"),
        ("shift Pa-d4 & b-e4", false, "true"),
        // The second filter contradicts the first, and is left out.
        ("Pd4 pd4", false, "Pd4"),
        ("wtm btm", false, "wtm"),
        ("movenumber>5 movenumber<3", false, "movenumber >= 6"),
    ] {
        let shown = shown(text);
        let found = (shown.whole, &*query(&shown.setup));
        if found != (whole, shown_text) {
            faults.push(format!("{text}: {found:?}, not {:?}", (whole, shown_text)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_wrong_is_named() {
    for (json, message) in [
        (json!({"square": {}}), "unknown field `square`"),
        (json!({"squares": {"i9": "P"}}), "squares: `i9` is not a square"),
        (json!({"squares": {"d4": ""}}), "squares: d4: `` are not pieces"),
        (
            json!({"squares": {"d4": "~Aa_"}}),
            "squares: d4: no piece, or no square, is left",
        ),
        (json!({"squares": {"d4": "X"}}), "`X` are not pieces"),
        (
            json!({"anywhere": [{"pieces": "P"}, {"pieces": "P", "zone": "e9"}]}),
            "anywhere: entry 2: `e9` is not a zone",
        ),
        (
            json!({"anywhere": [{"pieces": "P", "least": 3, "most": 2}]}),
            "anywhere: entry 1: there can be no such number",
        ),
        (
            json!({"anywhere": [{"pieces": "P", "zone": "e2-4", "least": 4}]}),
            "there can be no such number",
        ),
        (
            json!({"squares": {"d4": "P"}, "anywhere": [{"pieces": "p", "zone": "d4"}]}),
            "nothing can stand on d4",
        ),
        (
            json!({"material": [{"pieces": "P", "zone": "e2-4"}]}),
            "material has no zone",
        ),
        (json!({"either": [[]]}), "either: entry 1"),
        (
            json!({"arrows": [{"kind": "attacks", "from": {"pieces": "R"}, "through": [{"pieces": "a"}], "to": {"pieces": "k"}}]}),
            "arrows: entry 1: an attack goes through nothing",
        ),
        (
            json!({"arrows": [{"kind": "pin", "from": {"pieces": "R"}, "to": {"pieces": "k"}}]}),
            "unknown variant `pin`",
        ),
        (json!({"side": "white"}), "unknown variant `white`"),
        (json!({"transforms": ["turn"]}), "transforms: `turn` is not a transform"),
        (
            json!({"transforms": ["shift", "shiftvertical"]}),
            "transforms: one of `shift`",
        ),
        (
            json!({"anywhere": (1..=8).flat_map(|rank| ["P", "p", "N", "n", "B", "b"].map(|pieces| json!({"pieces": pieces, "zone": format!("a-h{rank}")}))).collect::<Vec<_>>()}),
            "more than 40 places",
        ),
    ] {
        let error = serde_json::from_value::<Setup>(json.clone()).expect_err(&json.to_string());
        assert!(error.to_string().contains(message), "{json}: {error}");
    }
}

#[test]
fn the_largest_setup_compiles_under_all_transforms() {
    let squares = shakmaty::Square::ALL.map(|square| (square.to_string(), json!("QRr")));
    let rows = (1..=8).flat_map(|rank| {
        ["P", "p", "N", "n", "B"]
            .map(|pieces| json!({"pieces": pieces, "zone": format!("a-g{rank}"), "least": 1, "most": 4}))
    });
    for geometry in [&["flip"][..], &["fliphorizontal", "flipvertical"], &["rotate90"]] {
        for shift in ["shift", "shifthorizontal", "shiftvertical"] {
            let transforms: Vec<&str> = ["flipcolor", shift]
                .into_iter()
                .chain(geometry.iter().copied())
                .collect();
            let setup = setup(
                &json!({
                    "squares": squares.iter().cloned().collect::<serde_json::Map<_, _>>(),
                    "anywhere": rows.clone().collect::<Vec<_>>(),
                    "side": "w",
                    "transforms": transforms,
                })
                .to_string(),
            );
            compiled(&query(&setup));
        }
    }
}

#[test]
fn another_setup_takes_the_place_of_what_is_shown() {
    let mut faults = Vec::new();
    for (text, other, expected) in [
        ("Pd4", "Pe4", "Pe4"),
        (
            "Pd4 elo > 2500 pd5 // names\ncheck",
            "Pe4 pe5",
            "Pe4 pe5 elo > 2500 // names\ncheck",
        ),
        (
            "cql(input a.pgn)\n\ncheck // only this\n",
            "Pe4",
            "cql(input a.pgn)\n\ncheck // only this\nPe4\n",
        ),
        ("check Pd4", "true", "check "),
        ("Pd4", "true", "true"),
        (
            "flipcolor {Pd4 check}",
            "flipcolor {Pd4 pd5}",
            "flipcolor {Pd4 pd5 check}",
        ),
        ("flipcolor {Pd4 check}", "shift {Pd4 pd5}", "shift {Pd4 pd5 check}"),
        ("flipcolor {check Pd4 wtm}", "Pe4", "{check Pe4}"),
        ("flipcolor Pd4", "flipcolor {Pd4 Pe5}", "flipcolor {Pd4 Pe5}"),
        (
            "flipcolor Pd4 and check",
            "flipcolor {Pd4 Pe5}",
            "flipcolor {Pd4 Pe5} and check",
        ),
        ("Pd4 check", "flipcolor {Pe4 pe5}", "flipcolor {Pe4 pe5} check"),
        ("(flipcolor {fliphorizontal Pd4}) check", "flip Pd4", "flip {Pd4} check"),
        ("theme \"fianchettoed-king\" check", "Kg1 Bg2", "Kg1 Bg2 check"),
    ] {
        let options = Options {
            filters_only: !skewer::query::has_header(text),
            themes: skewer::library::themes(None),
            ..Options::default()
        };
        let other = shown(other).setup;
        let rewritten = shown(text).rewrite(&Source::new("q.cql", text), &options, &other, Spelling::AsWritten);
        if rewritten.as_deref() != Some(expected) {
            faults.push(format!("{text}: {rewritten:?}, not {expected:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
