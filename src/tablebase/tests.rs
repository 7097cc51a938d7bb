//! Looks up positions in the small tables of `tests/syzygy`, and in damaged copies.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shakmaty::fen::Fen;

use super::{Cache, Endgame, Metric, Tablebase, Unknown, Unreadable};
use crate::board::Board;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syzygy")
}

fn tables(folder: &Path) -> Arc<Tablebase> {
    Tablebase::in_folders(&[folder.to_owned()]).expect("a folder")
}

fn endgame(fen: &str) -> Endgame {
    let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
    Endgame {
        board: Board::from(&setup.board),
        turn: setup.turn,
        passed: setup.ep_square,
    }
}

/// Returns a folder with copies of the named files.
fn copies(names: &[&str]) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    for name in names {
        fs::copy(folder().join(name), copy.path().join(name)).expect("it is copied");
    }
    copy
}

#[test]
fn known_endgames_have_their_values() {
    let tables = tables(&folder());
    assert_eq!(tables.most_men(), Ok(4));
    for (fen, wdl, dtz) in [
        // Bare kings need no table.
        ("8/8/8/4k3/8/8/4K3/8 w - - 0 1", 0, 0),
        // The opposition: the side to move decides. A pawn's move resets the clock.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 2, 3),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", -2, -4),
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", 0, 0),
        ("8/4k3/8/4P3/4K3/8/8/8 w - - 0 1", 0, 0),
        // A mate in one, a mate, a stalemate, a queen that is lost.
        ("7k/8/6K1/8/8/8/Q7/8 w - - 0 1", 2, 1),
        ("Q6k/8/6K1/8/8/8/8/8 b - - 0 1", -2, -1),
        ("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1", 0, 0),
        ("8/8/8/8/8/2k5/1Q6/7K b - - 0 1", 0, 0),
        // A lone bishop.
        ("8/8/8/4k3/8/8/4K3/2B5 w - - 0 1", 0, 0),
    ] {
        let endgame = endgame(fen);
        assert_eq!(tables.probe(Metric::Wdl, &endgame), Ok(wdl), "wdl of {fen}");
        assert_eq!(tables.probe(Metric::Dtz, &endgame), Ok(dtz), "dtz of {fen}");
    }
}

#[test]
fn positions_that_no_table_has_are_not_covered() {
    let tables = tables(&folder());
    for fen in [
        // Five men, no king, two kings, a check on the side that has just moved, adjacent kings, a pawn on the last rank.
        "4k3/8/8/8/8/8/PP6/RK6 w - - 0 1",
        "8/8/8/8/8/8/8/RK6 w - - 0 1",
        "kk6/8/8/8/8/8/8/RK6 w - - 0 1",
        "k7/8/8/8/8/8/8/RK6 w - - 0 1",
        "8/8/8/8/8/8/8/RKk5 w - - 0 1",
        "P3k3/8/8/8/8/8/8/1K6 w - - 0 1",
    ] {
        assert_eq!(
            tables.probe(Metric::Wdl, &endgame(fen)),
            Err(Unknown::NotCovered),
            "{fen}"
        );
    }
}

#[test]
fn a_missing_file_is_named_once() {
    let tables = tables(&folder());
    let mut cache = Cache::default();
    for fen in [
        "k7/8/8/8/8/8/1R6/KQ2r3 w - - 0 1",
        "k7/8/8/8/8/8/7r/KQ6 w - - 0 1",
        "k7/8/8/8/8/7r/8/KQ6 w - - 0 1",
        "K7/8/8/8/8/7R/8/kq6 b - - 0 1",
    ] {
        let endgame = endgame(fen);
        let has_wdl = endgame.board.occupied().count() == 4;
        assert_eq!(
            cache.probe(&tables, Metric::Wdl, &endgame).expect(fen).is_some(),
            has_wdl
        );
        assert_eq!(cache.probe(&tables, Metric::Dtz, &endgame), Ok(None), "{fen}");
    }
    assert_eq!(cache.newly_missing(), ["KQvKR.rtbz".into()]);
    assert!(cache.newly_missing().is_empty());
}

#[test]
fn a_folder_that_cannot_be_used_says_why() {
    let reason = |folder: &Path| {
        let tables = tables(folder);
        let Unreadable { path, reason } = tables.most_men().expect_err("it cannot be used").clone();
        (path, reason)
    };
    let empty = copies(&[]);
    let (path, why) = reason(empty.path());
    assert_eq!(path, empty.path());
    assert!(why.starts_with("there are no tables in this folder"), "{why}");
    let nowhere = empty.path().join("nowhere");
    assert_eq!(reason(&nowhere).0, nowhere);
    let cut = copies(&["KQvK.rtbw"]);
    let file = cut.path().join("KQvK.rtbw");
    let bytes = fs::read(&file).expect("it can be read");
    fs::write(&file, &bytes[..bytes.len() - 1]).expect("it is written");
    assert_eq!(
        reason(cut.path()),
        (file, "the file is damaged: no table is this long".to_owned())
    );
}

/// Returns the answers for about a hundred positions, with a file whose bytes are changed.
fn probe_with(name: &str, change: impl FnOnce(&mut Vec<u8>)) -> Vec<Result<i32, Unknown>> {
    let copy = copies(&[
        "KPvK.rtbw",
        "KPvK.rtbz",
        "KQvK.rtbw",
        "KRvK.rtbw",
        "KBvK.rtbw",
        "KNvK.rtbw",
    ]);
    let file = copy.path().join(name);
    let mut bytes = fs::read(&file).expect("it can be read");
    change(&mut bytes);
    fs::write(&file, bytes).expect("it is written");
    let tables = tables(copy.path());
    let mut answers = Vec::new();
    for king in (0..64).step_by(5) {
        for pawn in (8..56).step_by(7) {
            let mut endgame = endgame("4k3/8/8/8/8/8/8/8 w - - 0 1");
            for (square, role) in [(king, shakmaty::Role::King), (pawn, shakmaty::Role::Pawn)] {
                let square = shakmaty::Square::new(square);
                endgame.board.roles.get_mut(role).add(square);
                endgame.board.colors.white.add(square);
            }
            for metric in [Metric::Wdl, Metric::Dtz] {
                let answer = tables.probe(metric, &endgame);
                if let Err(Unknown::Unreadable(unreadable)) = &answer {
                    assert_eq!(unreadable.path, file, "{unreadable}");
                }
                answers.push(answer);
            }
        }
    }
    answers
}

#[test]
fn damage_is_an_error_with_the_name_of_the_file_and_no_panic() {
    let whole = probe_with("KPvK.rtbw", |_| {});
    assert!(whole.contains(&Ok(2)) && whole.contains(&Ok(0)));
    let is_damaged = |answer: &Result<i32, Unknown>| matches!(answer, Err(Unknown::Unreadable(_)));
    assert!(!whole.iter().any(is_damaged));
    for name in ["KPvK.rtbw", "KPvK.rtbz"] {
        // Sizes that tables may have, so that only a lookup finds the damage.
        for kept in [16, 80, 464, 2000, 4112] {
            let cut = probe_with(name, |bytes| bytes.truncate(kept / 64 * 64 + 16));
            assert!(cut.iter().any(is_damaged), "{name} cut to {kept} bytes");
        }
        let no_table = probe_with(name, |bytes| bytes[..4].copy_from_slice(b"text"));
        assert!(no_table.iter().any(is_damaged), "{name} with another beginning");
    }
    let mut random = fastrand::Rng::with_seed(15);
    for _ in 0..100 {
        let name = random.choice(["KPvK.rtbw", "KPvK.rtbz"]).expect("there are two");
        // Usually where the tables describe their compression.
        let among = if random.bool() { 400 } else { 4000 };
        let (place, bit) = (random.usize(4..among), random.u32(0..8));
        probe_with(name, |bytes| bytes[place] ^= 1 << bit);
    }
}
