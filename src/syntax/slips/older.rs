//! Forms of older versions of CQL.

use super::{Slip, slip};

const COLON: &str = "since CQL 4 words have no colon in front";
const RANGE: &str = "a range of numbers is a comparison: `1990<=year<=2000`";

pub(super) const SLIPS: &[Slip] = &[
    slip(": piececount NUMBER NUMBER", &["$3<=#[Aa]<=$4"], RANGE),
    slip(": piececount NUMBER", &["#[Aa]==$3"], RANGE),
    slip(": powerdifference NUMBER NUMBER", &["$3<=power A-power a<=$4"], RANGE),
    slip("powerdifference NUMBER NUMBER", &["$2<=power A-power a<=$3"], RANGE),
    slip(
        "powerdifference NUMBER",
        &["power A-power a==$2"],
        "`power` adds up the pieces of a set, and numbers are subtracted",
    ),
    slip(
        ": attack PIECES PIECES",
        &["$3 attacks $4"],
        "`attacks` stands between two sets",
    ),
    slip(": result RESULT", &["result $3"], COLON),
    slip(": player STRING", &["player $3"], COLON),
    slip(": year NUMBER NUMBER", &["$3<=year<=$4"], RANGE),
    slip(": gamenumber NUMBER NUMBER", &["$3<=gamenumber<=$4"], RANGE),
    slip(": movenumber NUMBER NUMBER", &["$3<=movenumber<=$4"], RANGE),
    slip(
        ": forany NAME TERM",
        &["$3[element]$4"],
        "a loop over the squares of a set is `x[element]S f`",
    ),
    slip(
        ": piece NAME TERM",
        &["piece $3=$4"],
        "`piece x=S` gives a piece a name",
    ),
    slip(": piece TERM", &["$3"], COLON),
    slip(": WORD", &["$2"], COLON),
    slip(
        "forany NAME TERM",
        &["$2[element]$3"],
        "a loop over the squares of a set is `x[element]S f`",
    ),
    slip(
        "foreach piece NAME in TERM",
        &["[Aa]$3[element]$5"],
        "a loop over pieces is `[Aa]x[element]S f`",
    ),
    slip(
        "ray ( attack TERM TERM )",
        &["ray($4 $5)"],
        "a ray is `ray(R k)`; its last set is attacked",
    ),
    slip(
        "rayattack ( TERM TERM )",
        &["xray($3 $4)"],
        "an attack through pieces is `xray(R a k)`",
    ),
    slip(
        "PIECES attack ( TERM )",
        &["$1 attacks $4"],
        "`attacks` stands between two sets",
    ),
    slip("flip : TERM", &["flip $3"], COLON),
    slip(
        "max ( NUMBER - NUMBER )",
        &["max($3 (-$5))"],
        "an argument is as long as possible: a negative number stands in parentheses",
    ),
    slip(
        "min ( NUMBER - NUMBER )",
        &["min($3 (-$5))"],
        "an argument is as long as possible: a negative number stands in parentheses",
    ),
    slip(
        "hhdb GROUP",
        &["hhdb \"$2\""],
        "texts that are no words are quoted: `hhdb \"(c)\"`",
    ),
    slip(
        "hhdb < NAME >",
        &["hhdb \"<$3>\""],
        "texts that are no words are quoted: `hhdb \"<cook>\"`",
    ),
    slip(
        "( match MANY )",
        &["{$3}"],
        "a query begins with `cql()`, and filters stand between no parentheses",
    ),
    slip(
        "( position MANY )",
        &["{$3}"],
        "a query begins with `cql()`, and filters stand between no parentheses",
    ),
];
