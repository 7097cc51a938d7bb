//! Attacks, pins and lines of pieces.

use super::{Slip, slip};

const ATTACKS: &str = "`attacks` and `attackedby` stand between two sets: `R attacks k`";
const ARROW: &str = "an attack is `R -> k` or `R attacks k`";
const DEFENDS: &str = "`attacks` asks for pieces of either side, so it says protection, too";
const PIN: &str = "`pin` names its parts: `pin from R through n to k`";

pub(super) const SLIPS: &[Slip] = &[
    slip("attacks ( TERM , TERM )", &["$3 attacks $5"], ATTACKS),
    slip("attacks ( TERM TERM )", &["$3 attacks $4"], ATTACKS),
    slip("attack ( TERM , TERM )", &["$3 attacks $5"], ATTACKS),
    slip("attack ( TERM TERM )", &["$3 attacks $4"], ATTACKS),
    slip("attackedby ( TERM , TERM )", &["$3 attackedby $5"], ATTACKS),
    slip("attackedby ( TERM TERM )", &["$3 attackedby $4"], ATTACKS),
    slip("attacked ( TERM , TERM )", &["$3 attackedby $5"], ATTACKS),
    slip("attacking ( TERM , TERM )", &["$3 attacks $5"], ATTACKS),
    slip("TERM . attacks ( TERM )", &["$1 attacks $5"], ATTACKS),
    slip("TERM is attacked by TERM", &["$1 attackedby $5"], ATTACKS),
    slip("TERM is attacking TERM", &["$1 attacks $4"], ATTACKS),
    slip("TERM attacking TERM", &["$1 attacks $3"], ATTACKS),
    slip("TERM attacked TERM", &["$1 attackedby $3"], ATTACKS),
    slip("TERM hits TERM", &["$1 attacks $3"], ATTACKS),
    slip("TERM threatens TERM", &["$1 attacks $3"], ATTACKS),
    slip("TERM controls TERM", &["$1 attacks $3"], DEFENDS),
    slip("TERM covers TERM", &["$1 attacks $3"], DEFENDS),
    slip("TERM guards TERM", &["$1 attacks $3"], DEFENDS),
    slip("TERM defends TERM", &["$1 attacks $3"], DEFENDS),
    slip("TERM protects TERM", &["$1 attacks $3"], DEFENDS),
    slip("TERM is defended by TERM", &["$1 attackedby $5"], DEFENDS),
    slip("TERM defended by TERM", &["$1 attackedby $4"], DEFENDS),
    slip("TERM protected by TERM", &["$1 attackedby $4"], DEFENDS),
    slip("TERM defendedby TERM", &["$1 attackedby $3"], DEFENDS),
    slip("TERM protectedby TERM", &["$1 attackedby $3"], DEFENDS),
    slip("TERM --> TERM", &["$1 -> $3"], ARROW),
    slip("TERM <-- TERM", &["$1 <- $3"], ARROW),
    slip("TERM => TERM", &["$1 -> $3"], ARROW),
    slip("TERM = > TERM", &["$1 -> $4"], ARROW),
    slip("TERM = >= TERM", &["$1 -> $4"], ARROW),
    // Pins.
    slip("pin ( TERM , TERM , TERM )", &["pin from $3 through $5 to $7"], PIN),
    slip("pin ( TERM TERM TERM )", &["pin from $3 through $4 to $5"], PIN),
    slip(
        "pin ( TERM , TERM )",
        &["pin from $3 through $5", "pin from $3 to $5"],
        PIN,
    ),
    slip(
        "pin ( TERM TERM )",
        &["pin from $3 through $4", "pin from $3 to $4"],
        PIN,
    ),
    slip("pin ( TERM )", &["pin through $3"], PIN),
    slip("pin by TERM", &["pin from $3"], PIN),
    slip("pin of TERM", &["pin through $3"], PIN),
    slip("TERM pins TERM to TERM", &["pin from $1 through $3 to $5"], PIN),
    slip("TERM pins TERM", &["pin from $1 through $3"], PIN),
    slip("TERM is pinned by TERM", &["pin from $5 through $1"], PIN),
    slip("TERM pinned by TERM", &["pin from $4 through $1"], PIN),
    slip("TERM is pinned", &["pin through $1"], PIN),
    slip("TERM pinned", &["pin through $1"], PIN),
    slip("pinned ( TERM )", &["pin through $3"], PIN),
    slip("pinned TERM", &["pin through $2"], PIN),
    slip("pins TERM", &["pin through $2"], PIN),
    slip("through TERM", &["pin through $2"], PIN),
    slip(
        "xray WORD GROUP",
        &["ray $2$3"],
        "`xray` takes no directions; `ray up ([RQ] a k)` names the sliders itself",
    ),
    slip(
        "WORD NUMBER ~ TERM",
        &["$1 $2 {~$4}"],
        "a range touches no sign: what follows it stands in braces, `find 2 {f}`, `up 2 {~A}`",
    ),
    slip(
        "makesquare NUMBER NUMBER",
        &["makesquare($2 $3)"],
        "a file and a rank are written in parentheses: `makesquare(5 4)`",
    ),
    // Forks.
    slip(
        "fork ( TERM , TERM , TERM )",
        &["$3 attacks $5 and $3 attacks $7"],
        "a fork is a piece that attacks several others: `N attacks q and N attacks r`",
    ),
    slip(
        "fork ( TERM , TERM )",
        &["#($5 attackedby $3)>=2"],
        "a fork is a piece that attacks several others: `#([qr] attackedby N)>=2`",
    ),
    slip(
        "fork ( TERM TERM )",
        &["#($4 attackedby $3)>=2"],
        "a fork is a piece that attacks several others: `#([qr] attackedby N)>=2`",
    ),
    slip(
        "TERM forks TERM and TERM",
        &["$1 attacks $3 and $1 attacks $5"],
        "a fork is a piece that attacks several others",
    ),
    // Checks.
    slip(
        "double check",
        &["#(A attacks k)>=2", "#(a attacks K)>=2"],
        "a king in double check is attacked by two pieces",
    ),
    slip(
        "discovered check",
        &["discoveredcheck()"],
        "the prelude has `discoveredcheck(…)`; its sets stand in parentheses",
    ),
    slip(
        "discovered attack",
        &["discoveredattack()"],
        "the prelude has `discoveredattack(…)`; its sets stand in parentheses",
    ),
    slip("TERM checks TERM", &["$1 attacks $3"], ATTACKS),
    slip(
        "king is in check",
        &["check"],
        "`check` is a filter by itself: the side to move is in check",
    ),
    slip(
        "king in check",
        &["check"],
        "`check` is a filter by itself: the side to move is in check",
    ),
    slip(
        "in check",
        &["check"],
        "`check` is a filter by itself: the side to move is in check",
    ),
];
