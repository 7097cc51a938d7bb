//! A template for new queries.

use crate::output::titled;

/// Returns a query file to start from, with a header, examples, and comments that explain each part. It finds what its examples say.
pub fn template(name: &str) -> String {
    let title = titled(name);
    format!(
        "\
// {title}: say here, in one sentence, what the query finds.
//
// `skewer library` shows that sentence. The lines with a question mark are examples, which `skewer test` runs: a position as
// FEN, or the moves of a game. Write some that match, and some that nearly do; `skewer board FEN` draws a position.
//? match \"6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1\"
//? no match \"6k1/5pp1/7p/8/8/8/8/3R2K1 w - - 0 1\"
//? match pgn \"1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#\" at 7
cql()

// All filters below must match at one position. `skewer help FILTER` explains one, `skewer help --list` lists them.
mate
btm

// Pieces are letters, capitals for White: here a white knight or queen attacks the black king.
[NQ] attacks k
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::lint::lint;
    use crate::query::{Options, outline};
    use crate::syntax::Source;
    use crate::syntax::format::{Spelling, format};

    #[test]
    fn the_template_is_a_query_in_the_common_style_without_warnings() {
        let source = Source::new("fork.cql", template("knight-fork"));
        assert!(source.text().starts_with("// Knight fork: say here"));
        let options = Options::default();
        assert!(lint(&source, &options).expect("it is right").is_empty());
        let outline = outline(&source, &options).expect("it is right");
        let formatted = format(&source, &outline, Spelling::AsWritten).expect("it is right");
        assert_eq!(String::from_utf8_lossy(&formatted), source.text());
    }
}
