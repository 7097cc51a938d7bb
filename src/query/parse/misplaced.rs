//! Words that cannot begin a filter where they are: what is missing after them, or where they belong.

use crate::syntax::Diagnostic;
use crate::syntax::tree::Rule;

use super::builder::Builder;

impl Builder {
    /// Returns an error for a word that opens a form but is not a part of one: what is missing. The form may also have been ended by a
    /// blank line that ends a path. The word is read.
    pub(super) fn incomplete(&mut self, word: &'static str) -> Option<Diagnostic> {
        Some(match word {
            "function" => self.no_name("as the name of the function"),
            "isbound" | "isunbound" => self.no_name("of a variable"),
            "unbind" => self.no_name("of a variable after `unbind`"),
            "persistent" => self.no_persistent(),
            "atomic" => self.no_atomic(),
            "local" => self.unexpected("expected `dictionary`"),
            "dictionary" => self.no_name("of a dictionary"),
            "string" => self.no_key_loop(),
            "cql_assertvariations" | "tag" => self.unexpected(&format!("expected a quoted string after `{word}`")),
            "result" => self.unexpected("expected `1-0`, `0-1` or `1/2-1/2`"),
            "hhdb" => self.no_study_word(self.cursor.token().span, None),
            "square" | "piece" => self.no_loop(word),
            "ray" | "xray" => self.no_line(word),
            "similarposition" => {
                while self.cursor.take_any_word(&["nosort", "notransform"]).is_some() {}
                self.unexpected("expected a quoted string with the name of a PGN file")
            }
            "echo" => {
                self.cursor.take_rule(&[Rule::QUIET]);
                self.without_parentheses(word)
            }
            "between" | "max" | "min" | "equal" | "indexof" | "settag" | "writefile" | "while" | "lca" | "distance"
            | "ancestor" | "descendant" => self.without_parentheses(word),
            "find" | "path" | "line" | "sort" | "fen" | "elo" | "player" => {
                self.unexpected(&format!("expected the rest of `{word}`"))
            }
            _ => return None,
        })
    }

    /// Returns an error for a word that cannot begin a filter.
    pub(super) fn no_rule(&self, word: &str, first: usize) -> Diagnostic {
        let error = Diagnostic::new(self.cursor.tokens[first].span, format!("`{word}` is not a filter"))
            .label("this word has a meaning only in other places");
        match word {
            "any" => [".", "[Aa]", "_"].into_iter().fold(
                error.hint("write `.` for all squares, `[Aa]` for all pieces, `_` for the empty squares"),
                |error, text| error.change(self.cursor.tokens[first].span, text),
            ),
            "focus" | "title" | "verbose" | "keepallbest" | "piecepath" => {
                error.hint("it is a parameter of `path` and comes before the first move or filter")
            }
            "quiet" | "nestban" | "firstmatch" | "lastposition" | "singlecolor" => {
                let error = error
                    .hint("as a parameter of `path` or `line` it comes directly after that word or another parameter");
                if word == "lastposition" {
                    error
                        .hint("the last position of a game is `initialposition:find terminal`")
                        .change(self.cursor.tokens[first].span, "initialposition:find terminal")
                } else {
                    error
                }
            }
            "null" => error
                .hint("it is a parameter of `move`")
                .hint("whether the last move was a null move asks `nullmove`")
                .change(self.cursor.tokens[first].span, "nullmove"),
            "capture" | "captures" | "promote" => error
                .hint("it is a parameter of `move`")
                .hint("a capture is also written `A×b`, a promotion `P--=Q`"),
            "count" => error.hint(
                "as a range it comes directly after a word that takes one: `flip count {R}`; `reversecolor` takes none",
            ),
            "through" => error.hint("it is a parameter of `pin`"),
            _ => error,
        }
    }
}
