//! How many: of pieces and squares, and how often something in a path is repeated.

use super::super::token::Span;
use super::{Candidate, Slip, Text, pattern, slip};

const COUNT: &str = "the number of squares of a set S is `#S`, and a number is compared: `#S==2`";
const WORD: &str = "the size of a set S is `#S`; as a range, `count` stands after a word that takes one: `flip count {R}`; `reversecolor` takes none";
const NAMED: &str =
    "piece designators such as `n`, `a` or `e4` cannot be names; the size of a set is compared by `#n==3`";
const RANGE: &str = "a range of numbers is a comparison: `2<=#S<=3`";
const REPEAT: &str = "a repetition is written without blanks: `{3}`, `{3,200}`, `{3,}`, `{,200}`";

pub(super) const SLIPS: &[Slip] = &[
    slip(
        "NAME PIECES",
        &["$1[ %2 ]"],
        "a key of a dictionary that looks like a piece stands between blanks",
    ),
    // Repetitions.
    slip("{ NUMBER NUMBER }", &["{$2,$3}"], REPEAT),
    slip("{ NUMBER , NUMBER }", &["{$2,$4}"], REPEAT),
    slip("{ NUMBER - NUMBER }", &["{$2,$4}"], REPEAT),
    slip("{ NUMBER : NUMBER }", &["{$2,$4}"], REPEAT),
    slip("{ NUMBER DOTS NUMBER }", &["{$2,$4}"], REPEAT),
    slip("{ NUMBER to NUMBER }", &["{$2,$4}"], REPEAT),
    slip("{ NUMBER , }", &["{$2,}"], REPEAT),
    slip("{ NUMBER + }", &["{$2,}"], REPEAT),
    slip("{ , NUMBER }", &["{,$3}"], REPEAT),
    slip("{ NUMBER }", &["{$2}"], REPEAT),
    slip(
        "* ?",
        &["*"],
        "repetitions take as many as they can; there are no others",
    ),
    slip(
        "+ ?",
        &["+"],
        "repetitions take as many as they can; there are no others",
    ),
    // Sizes.
    slip("# TERM == NUMBER DOTS NUMBER", &["$4<=#$2<=$6"], RANGE),
    slip("# TERM = NUMBER DOTS NUMBER", &["$4<=#$2<=$6"], RANGE),
    slip("# TERM in NUMBER DOTS NUMBER", &["$4<=#$2<=$6"], RANGE),
    slip("# TERM NUMBER NUMBER", &["$3<=#$2<=$4"], RANGE),
    slip(
        "# TERM = NUMBER",
        &["#$2==$4"],
        "`=` assigns to a variable; to compare, write `==`",
    ),
    slip("# TERM NUMBER", &["#$2==$3"], COUNT),
    slip("PIECES REPEAT", &["#$1==%2"], COUNT),
    slip("PIECES = NUMBER", &["#$1==$3"], NAMED),
    slip("PIECES [ NUMBER ]", &["#$1==$3"], COUNT),
    slip("PIECES NUMBER NUMBER", &["$2<=#$1<=$3"], RANGE),
    slip("PIECES NUMBER", &["#$1==$2"], COUNT),
    slip("PIECES + PIECES", &["#$1+#$3"], COUNT),
    slip("exactly NUMBER TERM", &["#$3==$2"], COUNT),
    slip("at least NUMBER TERM", &["#$4>=$3"], COUNT),
    slip("at most NUMBER TERM", &["#$4<=$3"], COUNT),
    slip("more than NUMBER TERM", &["#$4>$3"], COUNT),
    slip("less than NUMBER TERM", &["#$4<$3"], COUNT),
    slip("fewer than NUMBER TERM", &["#$4<$3"], COUNT),
    slip("NUMBER PIECES", &["#$2==$1"], COUNT),
    slip("count GROUP", &["#$2"], WORD),
    slip("count PIECES", &["#$2"], WORD),
    slip("size GROUP", &["#$2"], COUNT),
    slip("length GROUP", &["#$2"], COUNT),
    slip("len GROUP", &["#$2"], COUNT),
    slip("number GROUP", &["#$2"], COUNT),
    slip("number of TERM", &["#$3"], COUNT),
    slip("piececount GROUP", &["#$2"], COUNT),
    slip("piececount NUMBER NUMBER", &["$2<=#[Aa]<=$3"], RANGE),
    slip("piececount NUMBER", &["#[Aa]==$2"], COUNT),
    slip("countsquares NUMBER NUMBER TERM", &["$2<=#$4<=$3"], RANGE),
    slip("countsquares NUMBER TERM", &["#$3==$2"], COUNT),
    slip(
        "power COMPARE NUMBER",
        &["power A$2$3", "power a$2$3"],
        "`power` adds up the pieces of a set: `power A` is White's material",
    ),
    slip(
        "material COMPARE NUMBER",
        &["power A$2$3", "power a$2$3"],
        "material is `power`, which adds up the pieces of a set",
    ),
    slip(
        "material GROUP",
        &["power $2"],
        "material is `power`, which adds up the pieces of a set",
    ),
    slip(
        "material TERM",
        &["power $2"],
        "material is `power`, which adds up the pieces of a set",
    ),
    slip(
        "power TERM NUMBER",
        &["power $2==$3"],
        "a number is compared: `power A==9`",
    ),
];

/// `R{2,3}`, `R{2,}`, `R{,3}`: a set with the bounds of its size.
pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let found = text.starts().rev().find_map(|start| {
        let found = pattern::found("PIECES BOUNDS", &text.pieces[start..])?;
        text.concerns(found.span).then_some(found)
    });
    let written = found.and_then(|found| {
        let [set, bounds]: [Span; 2] = found.elements.try_into().ok()?;
        let (least, most) = text.source.slice(bounds).trim_matches(['{', '}']).split_once(',')?;
        let set = text.source.slice(set);
        let comparison = match (least, most) {
            ("", most) => format!("#{set}<={most}"),
            (least, "") => format!("#{set}>={least}"),
            (least, most) => format!("{least}<=#{set}<={most}"),
        };
        Some(Candidate::new(found.span, comparison, RANGE))
    });
    written.into_iter().collect()
}
