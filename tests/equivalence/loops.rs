//! Loops that need not visit all squares: they name sets, follow a move that is played, or take pieces away.

use skewer::output::FormatName;
use skewer::query::Shortcuts;

use super::{answer, assert_same_answers, compiled, source, switched_off};

/// Asserts that `loop {BODY} after` finds the same, including highlights and counts.
pub(super) fn assert_same_rounds(header: &str, looped: &str, body: &str, after: &str) {
    let text = format!("{header}\n{looped} {{{body}}} {after}");
    assert_same_answers(
        &text,
        &[FormatName::Ids, FormatName::Pgn, FormatName::Count, FormatName::Html],
    );
}

pub(super) const TREES: [&str; 2] = ["cql(input game-tree.pgn variations)", "cql(input bushy.pgn variations)"];

#[test]
fn loops_that_name_sets_find_what_all_rounds_find() {
    for body in [
        "Home=x Home--",
        "Home=x x--",
        "Home=x x--(Place=to not Home attacks Place)",
        "Duty=[Aa] attackedby x Duty [Aa]--x",
        "[Aa][x]x(Taken=to not [Aa] attacks Taken)",
        "Both=x Both|=k #Both>1 x|k--",
        "path quiet singlecolor firstmatch x--{2,4}",
        "path quiet firstmatch x|K-- --",
        "path focus x quiet x--",
        "path quiet lastposition x-- -- ",
        "Home=x path quiet singlecolor firstmatch (x-- {not to & Home} atomic Home|=to){2,3}",
        "move from x",
        "move to x",
        "move from x to [Aa]",
        "{from attacks x} x|to--",
        "Near=king attacks x Near",
        "Line=x|K {x--} or {k attacks Line}",
        "Other=y∊[RrBb] {Place=x {x|y}--Place} Other",
        "y∊[RrQq] {Place=y Home=x not Place & Home x|y--}",
        "x-- not previous x--",
        "x--=Q",
    ] {
        let body = body.replace("king", "[Kk]");
        for header in TREES {
            for looped in ["x∊[Aa]", "◭x∊[_QRrKk]"] {
                assert_same_rounds(header, looped, &body, "");
                assert_same_rounds(header, &format!("z={looped}"), &body, "message(z)");
                assert_same_rounds(header, &format!("∀{looped}"), &body, "");
            }
        }
    }
}

#[test]
fn values_that_outlast_a_round_are_those_of_all_rounds() {
    for (looped, body, after) in [
        ("x∊[RrQq]", "Place=x x--", "message(Place)"),
        ("x∊[RrQq]", "Place=x x--", "isbound Place"),
        ("Place=K", "Place=R R", "Place attacks k message(Place)"),
        ("Place=K x∊[RrQq]", "Place=x x--", "message(Place)"),
        ("Place=K x∊[RrQq]", "Place|=x x attacks [Aa]", "#Place>1 message(Place)"),
        ("#(y∊[RrQq] {y attacks [Aa]}) x∊[RrQq]", "y=x x--", "true"),
        ("persistent Place=K x∊[RrQq]", "Place=x x--", "true"),
        ("Sum=0 x∊[RrQq]", "Sum+=1 x--", "message(Sum)"),
        ("x∊[Aa]", "Moved=0 x-- Moved=1", "Moved==1"),
        ("x∊[Aa]", "Place=x x--", "comment(Place)"),
    ] {
        for header in TREES {
            assert_same_rounds(header, looped, body, after);
        }
    }
}

#[test]
fn pieces_that_shield_a_king_are_found_on_random_boards() {
    let mut random = fastrand::Rng::with_seed(29);
    let mut games = String::new();
    for _ in 0..150 {
        let mut board = shakmaty::Board::empty();
        for piece in "KkRrQqBbNnPpRBQbrq".chars().take(random.usize(2..19)) {
            let piece = shakmaty::Piece::from_char(piece).expect("a letter");
            board.set_piece_at(shakmaty::Square::new(random.u32(0..64)), piece);
        }
        let turn = if random.bool() { 'w' } else { 'b' };
        games += &format!("[FEN \"{board} {turn} - - 0 1\"]\n[SetUp \"1\"]\n\n*\n\n");
    }
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let path = folder.path().join("boards.pgn");
    std::fs::write(&path, games).expect("the file can be written");
    let header = format!("cql(input {})", path.display());
    for body in [
        "not without(x check)",
        "without(x check)",
        "without(x not check) x attacks [Aa]",
        "without((x) check) #x==1",
        "without(x|[Pp] check)",
        "not without([Qq]|x not legalposition)",
        "x attacks [Aa] not (without(x legalposition))",
        "legalposition without(x not legalposition)",
        "Shield=x without(Shield check)",
        "not without(x check) y∊[qrbnp] {not without(y check) without(x|y check)}",
    ] {
        for looped in ["x∊[Aa]", "x∊a-h1-8", "◭x∊[_QRrKk]"] {
            assert_same_rounds(&header, looped, body, "");
            assert_same_rounds(&header, &format!("z={looped}"), body, "message(z)");
        }
    }
}

#[test]
fn nothing_is_imagined_in_variants() {
    let game = "[Variant \"Atomic\"]\n\n1. e4 e5 *\n\n";
    for shortcuts in switched_off().chain([Shortcuts::all()]) {
        let search = |text: &str| {
            let query = compiled(&source(text), shortcuts).expect("it compiles");
            answer(&query, "atomic.pgn", game.as_bytes(), FormatName::Ids)
        };
        assert!(search("cql() square x in R without(x check)").is_err());
        assert!(search("cql() square x in R {x attacks [Aa] not without(x check)}").is_err());
        assert!(search("cql() square x in [] without(x check)").is_ok());
    }
}
