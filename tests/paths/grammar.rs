//! Which texts are paths and lines.

use super::compile;

#[test]
fn these_are_accepted() {
    let texts = [
        "path --{1}--",
        "path check--",
        "path (--)--",
        "path -- (--)*",
        "path -- (R--) (-- check)",
        "path R|Q--a1|a2=Q check",
        "x=a1 path P--x=Q",
        "path check (-- mate)",
        "path --{1} (-- check)+",
        "path -- R-- or Q-- check",
        "path lastposition lastposition --",
        "path title \"a\" title \"b\" --",
        "path 5 2 --",
        "path -2 3 --",
        "path -- pathdebug",
        "path -- {legal --}",
        "path -- previous --e4 --",
        "path focus capture N|n --+",
        "path --(check) --(mate)",
        "path --{2} >= 2\n\nwtm",
        "if path --{2} >= 2\n\nthen wtm",
        "{path -- {path --+ >= 3\n\nwtm} --}",
        "path --{2}\n\nor check",
        "function F() { path -- check\n\nwtm } F()",
        "path -- {ply+1==2}",
        "path max {ply+1} --",
        "{line --> ply+1>2 --> ply*2>4}",
        "{line --> wtm+*}",
        "{line --> (wtm --> btm)+ --> check{2}{3}}",
        "line --> N attacks k {+} wtm",
        "line --> wtm{2} wtm",
        "{line --> wtm?} > 0",
        "atomic x=0 atomic x+=1 atomic s=\"\" atomic s+=\"a\"",
        "atomic place=currentposition atomic spot=?a1 spot|=a2",
    ];
    for text in texts {
        if let Err(error) = compile(text) {
            panic!("{text}: {}", error.message);
        }
    }
}

#[test]
fn these_are_refused_with_their_reason() {
    let texts = [
        ("path K--e4--", "tied to something that is not a set"),
        ("path ----", "tied to something that is not a set"),
        ("path -- check--", "tied to something that is not a set"),
        ("path --(check)--", "tied to something that is not a set"),
        ("path --{1}{2}", "two repetitions"),
        ("path check + --", "repeat a move or a chain"),
        ("path check? --", "follows a move or a chain"),
        ("if path -- check then x=ply+1", "arithmetic is written in braces"),
        ("path -- check (-- mate)", "a chain of a path cannot follow a target"),
        ("path -- verbose", "before the first move or filter"),
        ("path -- nestban", "directly after that word"),
        ("line --> check wtm --> mate", "each of them one filter"),
        ("path {R--} --", "a move in braces"),
        ("path -- {R--}", "a move in braces"),
        ("path -- ({R--})", "a move in braces"),
        ("path -- {ply+1}", "arithmetic cannot be a target"),
        ("path ply-1 --", "arithmetic cannot be a constituent"),
        ("path -- pathcountunfocused", "arithmetic cannot be a target"),
        ("path -- -- pathcount", "`pathcount` inside a path"),
        ("path focus A--", "expected a set"),
        ("path focus A|k--", "put a space between the pieces and the first move"),
        ("path -->1", "`-- > 1`"),
        ("path singlecolor primary --", "excludes"),
        ("path focus A singlecolor --", "excludes"),
        ("path title \"\" --", "the title is empty"),
        ("path max check --", "expected a number"),
        ("path quiet\n\n--", "blank line"),
        ("path\n\n--", "the path is empty"),
        ("path -- \n\n--{2} + 1", "unexpected"),
        ("pathdebug", "outside of a path"),
        ("line --> check**", "without any position"),
        ("line --> check{0}+", "without any position"),
        ("line --> (check*)*", "without any position"),
        ("line --> check+{2} wtm", "cannot follow `+`"),
        ("line --> (check <-- wtm)", "both directions"),
        ("line primary secondary --> check", "excludes"),
        ("line quiet quiet --> check", "twice"),
        ("x=1 line --> x", "a number variable cannot be an item"),
        ("line --> ply+1", "arithmetic cannot be an item"),
        ("line --> check * wtm", "cannot be calculated with"),
        ("atomic x", "an assignment after `atomic`"),
    ];
    for (text, reason) in texts {
        let error = compile(text).map(|_| ()).expect_err(text);
        let said = format!("{error:?}");
        assert!(said.contains(reason), "{text}: {said}");
    }
}

/// Compiles a query on a stack as large as that of the program, and returns its error.
fn refusal(text: String) -> String {
    let thread = std::thread::Builder::new().stack_size(skewer::search::STACK_BYTES);
    let read = thread.spawn(move || compile(&text).map(|_| ()).expect_err("too deep").message);
    read.expect("a thread").join().expect("no crash")
}

#[test]
fn deep_chains_and_groups_are_an_error_and_not_a_crash() {
    for (open, close) in [("path ", " --"), ("line --> ", " check")] {
        let nested = format!("{open}{}{close}{}", "(".repeat(5000), ")".repeat(5000));
        assert!(refusal(nested).contains("too deeply"), "{open}");
    }
    let nested = format!("{}--", "path -- ".repeat(5000));
    assert!(refusal(nested).contains("too deeply"));
}
