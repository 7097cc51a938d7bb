//! Random conditions that depend on the board of one position, so that many positions can be evaluated at once.

use super::queries::Writer;

/// How deep parts are nested.
const DEEPEST: u32 = 4;

impl Writer {
    /// Returns a whole query: a header, and one or more filters.
    pub(super) fn question(&mut self) -> String {
        let header = self.pick(&["", "", "variations"]);
        let filters: Vec<String> = (0..self.below(3) + 1).map(|_| self.asked(0)).collect();
        format!("cql({header})\n{{{}}}\n", filters.join(" "))
    }

    fn asked(&mut self, depth: u32) -> String {
        let next = depth + 1;
        let kinds = if depth < DEEPEST { 17 } else { 8 };
        match self.below(kinds) {
            0..4 => {
                let sign = self.pick(&["<", ">", "==", "!=", "<=", ">="]);
                format!("({} {sign} {})", self.amount(next), self.amount(next))
            }
            4 => format!("({} == {})", self.squares(next), self.squares(next)),
            5 => format!("({} in {})", self.squares(next), self.squares(next)),
            6 => format!("{{{}}}", self.squares(next)),
            7 => self.pick(&["wtm", "btm", "check", "true"]).to_owned(),
            8 | 9 => format!("not {}", self.asked(next)),
            10 => format!("({} and {})", self.asked(next), self.asked(next)),
            11 => format!("({} or {})", self.asked(next), self.asked(next)),
            12 => format!(
                "(if {} then {} else {})",
                self.asked(next),
                self.asked(next),
                self.asked(next)
            ),
            13 => {
                let transform = self.pick(&[
                    "flipcolor",
                    "flip",
                    "flipvertical",
                    "fliphorizontal",
                    "shift",
                    "rotate90",
                ]);
                format!("{transform} {{{}}}", self.asked(next))
            }
            // The same condition for both sides, each when it is to move.
            14 | 15 => {
                let turn = self.pick(&["wtm", "btm"]);
                format!("flipcolor {{{turn} {} {}}}", self.asked(next), self.asked(next))
            }
            _ => {
                let domain = self.squares(next);
                let word = self.pick(&["square all", "square"]);
                self.with(|writer, name| format!("({word} {name} in {domain} {{{}}})", writer.asked(next)))
            }
        }
    }

    fn amount(&mut self, depth: u32) -> String {
        let next = depth + 1;
        let kinds = if depth < DEEPEST { 9 } else { 7 };
        match self.below(kinds) {
            0 | 1 => self
                .pick(&["0", "1", "2", "3", "5", "8", "9", "14", "20", "39", "64"])
                .to_owned(),
            2..5 => format!("{{power {}}}", self.squares(next)),
            5 => format!("{{#{}}}", self.squares(next)),
            6 => format!("{{type {}}}", self.squares(next)),
            7 => format!(
                "{{{} {} {}}}",
                self.amount(next),
                self.pick(&["+", "-", "*"]),
                self.amount(next)
            ),
            _ => format!(
                "{{if {} then {} else {}}}",
                self.asked(next),
                self.amount(next),
                self.amount(next)
            ),
        }
    }

    fn squares(&mut self, depth: u32) -> String {
        let next = depth + 1;
        let kinds = if depth < DEEPEST { 16 } else { 5 };
        match self.below(kinds) {
            0 if let Some(name) = self.known_set() => name,
            0..2 => self.designator().to_owned(),
            2 | 3 => self
                .pick(&[
                    "P",
                    "p",
                    "[Pp]",
                    "Pa-h4-5",
                    "passedpawns",
                    "isolatedpawns",
                    "doubledpawns",
                ])
                .to_owned(),
            4 => self
                .pick(&["e4", "a-h1", "a-d1-8", "[d4,e4,d5,e5]", "a-h8", ".", "g1", "f7"])
                .to_owned(),
            5 | 6 => format!("{{{} | {}}}", self.squares(next), self.squares(next)),
            7 => format!("{{{} & {}}}", self.squares(next), self.squares(next)),
            8 => format!("{{~{}}}", self.squares(next)),
            9 | 10 => {
                let sign = self.pick(&["attacks", "attackedby"]);
                format!("{{{} {sign} {}}}", self.squares(next), self.squares(next))
            }
            11 | 12 => {
                let word = self.pick(&[
                    "up 1",
                    "down",
                    "left 1 2",
                    "horizontal 0 1",
                    "diagonal",
                    "light",
                    "dark",
                ]);
                format!("{{{word} {}}}", self.squares(next))
            }
            13 => {
                let word = self.pick(&["ray", "xray", "ray diagonal", "ray up"]);
                format!(
                    "{word}({} {} {})",
                    self.squares(next),
                    self.squares(next),
                    self.squares(next)
                )
            }
            14 => format!("{{pin from {} through {}}}", self.squares(next), self.squares(next)),
            _ => {
                let domain = self.squares(next);
                let word = self.pick(&["square", "piece"]);
                self.with(|writer, name| format!("({word} {name} in {domain} {{{}}})", writer.asked(next)))
            }
        }
    }
}
