//! What is written so in SQL, Python, JavaScript, C and other languages.

use super::{Slip, slip};

const SQL: &str = "a query is filters alone, which a position has to match; there is no `select`, `from` or `where`";
const ASSIGN: &str = "a variable is made by its first assignment: `x = 5`";
const SIGN: &str = "the two characters of a sign touch each other: `>=`";
const ENTRY: &str = "entries of a dictionary have only `=`";
const FUNCTION: &str = "a function is written `function F(x y) { f g }`; its value is that of its last filter";
const MATCH: &str = "a regular expression stands after `~~`, a text that is looked for before `in`";
const MESSAGE: &str = "`message(…)` writes to the terminal, `comment(…)` into the game";

pub(super) const SLIPS: &[Slip] = &[
    // SQL.
    slip("select MANY from MANY where", &[""], SQL),
    slip("select MANY where", &[""], SQL),
    slip("select MANY from NAME", &[""], SQL),
    slip("from games where", &[""], SQL),
    slip("find games where", &[""], SQL),
    slip("find positions where", &[""], SQL),
    slip("find all games where", &[""], SQL),
    slip("find all positions where", &[""], SQL),
    slip("games where", &[""], SQL),
    slip("positions where", &[""], SQL),
    slip("where", &[""], SQL),
    slip("order by TERM", &["sort $3"], "what matches is sorted by `sort N`"),
    slip("sort by TERM", &["sort $3"], "what matches is sorted by `sort N`"),
    slip("sortby TERM", &["sort $2"], "what matches is sorted by `sort N`"),
    slip(
        "limit NUMBER",
        &[""],
        "`skewer search --limit N` ends the search after N games",
    ),
    slip("TERM like STRING", &["$3 in $1"], MATCH),
    slip("TERM contains STRING", &["$3 in $1"], MATCH),
    slip("TERM matches STRING", &["$1~~$3"], MATCH),
    slip("TERM = ~ STRING", &["$1~~$4"], MATCH),
    slip("TERM ~ STRING", &["$1~~$3"], MATCH),
    // Comparisons.
    slip("TERM > = TERM", &["$1>=$4"], SIGN),
    slip("TERM < = TERM", &["$1<=$4"], SIGN),
    slip("TERM = = TERM", &["$1==$4"], SIGN),
    slip("TERM ! = TERM", &["$1!=$4"], SIGN),
    slip(
        "TERM COMPARE NUMBER and COMPARE NUMBER",
        &["$1$2$3 and $1$5$6"],
        "each side of `and` is a filter of its own",
    ),
    slip(
        "TERM COMPARE NUMBER or COMPARE NUMBER",
        &["($1$2$3 or $1$5$6)"],
        "each side of `or` is a filter of its own",
    ),
    slip("TERM is NUMBER", &["$1==$3"], "numbers are compared with `==`"),
    slip("TERM is not NUMBER", &["$1!=$4"], "numbers are compared with `!=`"),
    slip("TERM equals TERM", &["$1==$3"], "values are compared with `==`"),
    slip("TERM eq TERM", &["$1==$3"], "values are compared with `==`"),
    slip("TERM ne TERM", &["$1!=$3"], "values are compared with `!=`"),
    slip("TERM gt TERM", &["$1>$3"], "values are compared with `>`"),
    slip("TERM lt TERM", &["$1<$3"], "values are compared with `<`"),
    slip("TERM mod TERM", &["$1%$3"], "the remainder of a division is `a%b`"),
    slip("TERM div TERM", &["$1/$3"], "numbers are divided by `/`"),
    // Variables and functions.
    slip("let NAME =", &["$2="], ASSIGN),
    slip("var NAME =", &["$2="], ASSIGN),
    slip("const NAME =", &["$2="], ASSIGN),
    slip("set NAME =", &["$2="], ASSIGN),
    slip("int NAME =", &["$2="], ASSIGN),
    slip("string NAME =", &["$2="], ASSIGN),
    slip("position NAME =", &["$2="], ASSIGN),
    slip("square NAME =", &["$2="], ASSIGN),
    slip("NAME + +", &["$1+=1"], "a number grows by one with `x+=1`"),
    slip("NAME [ MANY ] += TERM", &["$1[$3] = $1[$3] + $6"], ENTRY),
    slip("NAME [ MANY ] -= TERM", &["$1[$3] = $1[$3] - $6"], ENTRY),
    slip("NAME [ MANY ] *= TERM", &["$1[$3] = $1[$3] * $6"], ENTRY),
    slip(
        "# NAME [ MANY ]",
        &["#($2[$4])"],
        "`#D` counts the entries of a dictionary; the size of an entry stands in parentheses",
    ),
    slip(
        "string NAME in NAME",
        &["$2[element]$4"],
        "a loop over the keys of a dictionary is `k[element]D f`",
    ),
    slip("def NAME", &["function $2"], FUNCTION),
    slip("func NAME", &["function $2"], FUNCTION),
    slip("fn NAME", &["function $2"], FUNCTION),
    slip("define NAME", &["function $2"], FUNCTION),
    slip("function NAME {", &["function $2() {"], FUNCTION),
    slip("return", &[""], FUNCTION),
    slip("print GROUP", &["message$2"], MESSAGE),
    slip("print STRING", &["message $2"], MESSAGE),
    slip("echo STRING", &["message $2"], MESSAGE),
    slip("console . log GROUP", &["message$4"], MESSAGE),
    slip("printf GROUP", &["message$2"], MESSAGE),
    slip(
        "while TERM COMPARE TERM {",
        &["while ($2$3$4) {"],
        "the test of `while` stands in parentheses",
    ),
    slip(
        "begin MANY end",
        &["{$2}"],
        "several filters are put together by braces",
    ),
];
