//! Random filters of all families.

use fastrand::Rng;

/// How deep filters are nested.
const DEEPEST: u32 = 4;

/// Writes random queries.
pub(super) struct Writer {
    rng: Rng,
    /// The number of variables.
    names: u32,
    /// The set variables that have a value here.
    sets: Vec<String>,
    /// The position variables that have a value here.
    positions: Vec<String>,
    /// Whether filters write comments, and whether they print.
    comments: bool,
    messages: bool,
    /// Whether `pathcount` and similar filters may be used.
    in_path: bool,
}

impl Writer {
    pub(super) fn new(seed: u64) -> Writer {
        let mut rng = Rng::with_seed(seed);
        Writer {
            comments: rng.bool(),
            messages: rng.u8(..4) == 0,
            rng,
            names: 0,
            sets: Vec::new(),
            positions: Vec::new(),
            in_path: false,
        }
    }

    /// Returns a whole query: a header, and one or more filters.
    pub(super) fn query(&mut self) -> String {
        let header = self.pick(&[
            "",
            "variations",
            "variations",
            "variations",
            "variations silent",
            "quiet",
        ]);
        let filters: Vec<String> = (0..self.rng.u32(1..4)).map(|_| self.condition(0)).collect();
        format!("cql({header})\n{{{}}}\n", filters.join(" "))
    }

    pub(super) fn pick(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.rng.usize(..texts.len())]
    }

    pub(super) fn below(&mut self, limit: u32) -> u32 {
        self.rng.u32(..limit)
    }

    /// Returns one of the set variables that have a value here.
    pub(super) fn known_set(&mut self) -> Option<String> {
        let known = self.sets.len();
        (known > 0).then(|| self.sets[self.rng.usize(..known)].clone())
    }

    /// Returns what `write` writes for a new variable that has a value there.
    pub(super) fn with(&mut self, write: impl FnOnce(&mut Writer, &str) -> String) -> String {
        let name = self.name();
        self.sets.push(name.clone());
        let text = write(self, &name);
        self.sets.pop();
        text
    }

    /// Returns a filter after another filter.
    fn block(&self, text: &str) -> String {
        format!("{{true {text}}}")
    }

    /// Returns a filter, with or without another filter before it.
    fn maybe_block(&mut self, text: String) -> String {
        if self.rng.bool() {
            self.block(&text)
        } else {
            format!("{{ {text} }}")
        }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    /// Returns filters inside of others, where a variable has a value.
    fn with_set(&mut self, name: &str, depth: u32) -> String {
        self.sets.push(name.to_owned());
        let body = self.condition(depth);
        self.sets.pop();
        self.block(&body)
    }

    fn range(&mut self) -> String {
        match self.rng.u8(..6) {
            0 => "count".to_owned(),
            1 => self.rng.u8(..4).to_string(),
            _ => {
                let least = self.rng.u8(..3);
                format!("{least} {}", least + self.rng.u8(..4))
            }
        }
    }

    /// Returns a filter of any type, as a condition.
    fn condition(&mut self, depth: u32) -> String {
        if depth >= DEEPEST {
            return self.plain_condition();
        }
        let next = depth + 1;
        match self.rng.u8(..37) {
            0..4 => self.plain_condition(),
            4 => format!("not {}", self.block_of_condition(next)),
            5 => format!(
                "({} and {})",
                self.block_of_condition(next),
                self.block_of_condition(next)
            ),
            6 => format!(
                "({} or {})",
                self.block_of_condition(next),
                self.block_of_condition(next)
            ),
            7 => {
                let filters: Vec<String> = (0..self.rng.u32(1..4)).map(|_| self.condition(next)).collect();
                self.block(&filters.join(" "))
            }
            8 => {
                let (test, yes) = (self.block_of_condition(next), self.block_of_condition(next));
                if self.rng.bool() {
                    format!("(if {test} then {yes})")
                } else {
                    format!("(if {test} then {yes} else {})", self.block_of_condition(next))
                }
            }
            9..13 => self.set(next),
            13 => format!(
                "({} {} {})",
                self.set(next),
                self.pick(&["in", "==", "!="]),
                self.set(next)
            ),
            14..17 => {
                let sign = self.pick(&["<", ">", "==", "!=", "<=", ">="]);
                let left = self.number(next);
                format!("({left} {sign} {})", self.number(next))
            }
            17 => {
                let (name, domain) = (self.name(), self.set(next));
                let word = self.pick(&["square all", "square", "piece all", "piece"]);
                format!("({word} {name} in {domain} {})", self.with_set(&name, next))
            }
            18 => {
                let words = self.pick(&["find", "find quiet", "find <--", "find quiet <--"]);
                format!("({words} {})", self.block_of_condition(next))
            }
            19..21 => format!("({})", self.dash(next)),
            21 => format!("({} {})", self.pick(&["previous", "currentmove"]), self.dash(next)),
            22 => format!("({})", self.moves(next)),
            23..25 => format!("{{{}}}", self.path(next)),
            25 if self.rng.bool() => {
                let word = self.pick(&["stays(1 ", "stays(3 ", "inarow(2 ", "inarow(2 move from [QRBNP] "]);
                format!("{word}{})", self.block_of_condition(next))
            }
            25 => format!("{{{}}}", self.line(next)),
            26..28 => {
                let word = self.transform();
                format!("({word} {})", self.block_of_condition(next))
            }
            28 => {
                let word = self.transform();
                let range = self.range();
                format!("({word} {range} {})", self.block_of_condition(next))
            }
            29 => self.echo(next),
            30 => format!("{}:{}", self.position(next), self.block_of_condition(next)),
            31 => format!(
                "(while ({} ~~ \"[e-h1-4]\") {})",
                self.string(next),
                self.block_of_condition(next)
            ),
            32 if self.messages => format!("message({} {})", self.number(next), self.set(next)),
            33 => format!("(legal {}--{})", self.set(next), self.set(next)),
            34..36 => {
                let (name, value) = (self.name(), self.set(next));
                let sign = self.pick(&["=", "=", "=?"]);
                let reading = self.with_set(&name, next);
                format!("{{{name}{sign}{value} {reading}}}")
            }
            _ => self.comment(next),
        }
    }

    fn block_of_condition(&mut self, depth: u32) -> String {
        let condition = self.condition(depth);
        self.maybe_block(condition)
    }

    fn plain_condition(&mut self) -> String {
        let words = [
            "check",
            "check",
            "mate",
            "stalemate",
            "wtm",
            "btm",
            "initial",
            "terminal",
            "mainline",
            "variation",
            "primary",
            "secondary",
            "virtualmainline",
            "castle",
            "o-o",
            "enpassant",
            "nullmove",
            "true",
            "false",
            "originalcomment",
            "originalcomment \"$2\"",
            "event \"pro\"",
            "result 1-0",
            "parent",
            "child",
            "try",
        ];
        match self.rng.u8(..3) {
            0 => self.designator().to_owned(),
            1 => self.comment(DEEPEST),
            _ => self.pick(&words).to_owned(),
        }
    }

    fn comment(&mut self, depth: u32) -> String {
        if !self.comments {
            return self.pick(&["check", "wtm", "R", "true"]).to_owned();
        }
        let letter = self.pick(&["a", "b", "c"]);
        match self.rng.u8(..4) {
            0 if depth < DEEPEST => format!("comment(\"{letter}\" {})", self.number(depth + 1)),
            1 => "comment(positionid)".to_owned(),
            _ => format!("comment(\"{letter}\")"),
        }
    }

    pub(super) fn designator(&mut self) -> &'static str {
        self.pick(&[
            "A", "a", "K", "k", "Q", "R", "r", "N", "n", "P", "p", "[QR]", "[Aa]", "[qrbn]", ".", "_", "Ka1-8", "Re1",
            "Pa-h4", "[Aa]e4", "a-d1-8", "e1-8", "h1", "[Pp]", "B",
        ])
    }

    fn set(&mut self, depth: u32) -> String {
        if depth >= DEEPEST {
            let known = self.known_set().filter(|_| self.rng.bool());
            return known.unwrap_or_else(|| self.designator().to_owned());
        }
        let next = depth + 1;
        match self.rng.u8(..25) {
            0..5 => self.designator().to_owned(),
            5..7 => self.set(DEEPEST),
            7 => format!("~{}", self.block_of_set(next)),
            8..10 => {
                let sign = self.pick(&["&", "|", "->", "<-", " attacks ", " attackedby "]);
                format!("({}{sign}{})", self.block_of_set(next), self.block_of_set(next))
            }
            10 => {
                let sign = self.pick(&["->", "<-"]);
                let sets: Vec<String> = (0..3).map(|_| self.block_of_set(next)).collect();
                format!("({})", sets.join(sign))
            }
            11 => {
                let word = self.pick(&[
                    "up",
                    "down 1",
                    "left 1 2",
                    "horizontal 0 1",
                    "vertical -2 1",
                    "anydirection 2 3",
                    "diagonal",
                    "orthogonal",
                    "light",
                    "dark",
                    "northeast",
                ]);
                format!("({word} {})", self.block_of_set(next))
            }
            12 => {
                let word = self.pick(&["ray", "xray", "ray diagonal", "ray orthogonal"]);
                format!(
                    "{word}({} {} {})",
                    self.block_of_set(next),
                    self.set(next),
                    self.set(next)
                )
            }
            13 => format!(
                "(pin from {} through {} to {})",
                self.block_of_set(next),
                self.set(next),
                self.set(next)
            ),
            14 => format!("between({} {})", self.block_of_set(next), self.set(next)),
            15..17 => {
                let (name, domain) = (self.name(), self.set(next));
                let word = self.pick(&["square", "piece"]);
                format!("({word} {name} in {domain} {})", self.with_set(&name, next))
            }
            17 => self
                .pick(&[
                    "from",
                    "to",
                    "enpassantsquare",
                    "passedpawns",
                    "nevermoved",
                    "firstmove",
                ])
                .to_owned(),
            18 => format!("({} {})", self.transform(), self.block_of_set(next)),
            19 => {
                let value = self.set(next);
                let promotion = self.promotion();
                let value = self.maybe_block(value);
                format!(
                    "{{{}--{}{promotion}({value})}}",
                    self.block_of_set(next),
                    self.block_of_set(next)
                )
            }
            20 => {
                let (test, yes) = (self.block_of_condition(next), self.block_of_set(next));
                format!("(if {test} then {yes} else {})", self.block_of_set(next))
            }
            21 => format!("{}:{}", self.position(next), self.block_of_set(next)),
            22 => format!("{{{} {}}}", self.condition(next), self.set(next)),
            23 => {
                let (name, value) = (self.name(), self.set(next));
                self.sets.push(name.clone());
                let reading = self.set(next);
                self.sets.pop();
                format!("{{{name}={value} {reading}}}")
            }
            _ => {
                let word = self.pick(&["legal", "pseudolegal"]);
                format!("({word} {}--{})", self.block_of_set(next), self.block_of_set(next))
            }
        }
    }

    fn block_of_set(&mut self, depth: u32) -> String {
        let set = self.set(depth);
        self.maybe_block(set)
    }

    fn number(&mut self, depth: u32) -> String {
        if depth >= DEEPEST {
            let number = self.rng.u8(..6);
            return match self.rng.u8(..3) {
                0 => format!("#{}", self.designator()),
                1 => format!("{{ {number} }}"),
                _ if self.in_path && self.rng.bool() => "{true pathcount}".to_owned(),
                _ => self
                    .pick(&["ply", "{true positionid}", "depth", "movenumber"])
                    .to_owned(),
            };
        }
        let next = depth + 1;
        match self.rng.u8(..18) {
            0..3 => self.number(DEEPEST),
            3..5 => format!("{{#{}}}", self.block_of_set(next)),
            5 => format!(
                "{{{} {}}}",
                self.pick(&["power", "power", "rank", "file", "type", "pieceid"]),
                self.block_of_set(next)
            ),
            6 => {
                let sign = self.pick(&["+", "-", "*", "/", "%"]);
                format!("{{{} {sign} {}}}", self.number(next), self.number(next))
            }
            7 => {
                let word = self.pick(&["max", "min"]);
                let numbers: Vec<String> = (0..self.rng.u32(2..4)).map(|_| self.block_of_number(next)).collect();
                format!("{{{word}({})}}", numbers.join(" "))
            }
            8 => format!("{{countmoves {}}}", self.dash(next)),
            9 => {
                let words = self.pick(&[
                    "find all",
                    "find quiet all",
                    "find <-- all",
                    "find count",
                    "find quiet 1 3",
                ]);
                format!("{{{words} {}}}", self.block_of_condition(next))
            }
            10..12 => format!("{{{}}}", self.path(next)),
            12 => format!("{{{}}}", self.line(next)),
            13 => {
                let (test, yes) = (self.block_of_condition(next), self.block_of_number(next));
                format!("{{if {test} then {yes} else {}}}", self.block_of_number(next))
            }
            14 => format!("{{{} {}}}", self.transform(), self.block_of_number(next)),
            15 => format!("{{{}:{}}}", self.position(next), self.block_of_number(next)),
            16 => format!("{{{} {}}}", self.condition(next), self.number(next)),
            _ => format!("{{sort \"t{}\" {}}}", self.rng.u8(..2), self.block_of_number(next)),
        }
    }

    fn block_of_number(&mut self, depth: u32) -> String {
        let number = self.number(depth);
        self.maybe_block(number)
    }

    fn string(&mut self, depth: u32) -> String {
        let next = depth + 1;
        match self.rng.u8(..7) {
            _ if depth >= DEEPEST => "\"a1e4\"".to_owned(),
            0 => format!("{{typename {}}}", self.block_of_set(next)),
            1 => format!("{{str({} {})}}", self.set(next), self.number(next)),
            2 => format!("{{{}[{}:]}}", self.string(next), self.number(next)),
            3 => format!("{{{} \"e2h8\"}}", self.condition(next)),
            4 => format!("{{max({} {})}}", self.string(next), self.string(next)),
            5 => format!("{{{} ~~ \"[a-f].\"}}", self.string(next)),
            _ => "{true fen}".to_owned(),
        }
    }

    fn position(&mut self, depth: u32) -> String {
        match self.rng.u8(..7) {
            0 if !self.positions.is_empty() => self.positions[self.rng.usize(..self.positions.len())].clone(),
            1 => "child".to_owned(),
            2 => "child(1)".to_owned(),
            3 => "initialposition".to_owned(),
            4 => format!("(position {})", self.rng.u8(..9)),
            5 if depth < DEEPEST => format!("(find quiet {})", self.block_of_condition(depth + 1)),
            _ => "parent".to_owned(),
        }
    }

    fn transform(&mut self) -> &'static str {
        self.pick(&[
            "flip",
            "flipcolor",
            "flipcolor",
            "flipvertical",
            "fliphorizontal",
            "rotate90",
            "shift",
            "shifthorizontal",
            "shiftvertical",
            "reversecolor",
            "notransform",
        ])
    }

    fn promotion(&mut self) -> &'static str {
        self.pick(&["", "", "", "", "=Q", "=[nq]", "=.", "=\"QR\""])
    }

    /// Returns a move with its sides and target.
    fn dash(&mut self, depth: u32) -> String {
        let sign = self.pick(&["--", "--", "[x]"]);
        let left = if self.rng.bool() {
            self.block_of_set(depth)
        } else {
            String::new()
        };
        let right = if self.rng.bool() {
            self.block_of_set(depth)
        } else {
            String::new()
        };
        let promotion = self.promotion();
        let target = match self.rng.u8(..3) {
            0 => String::new(),
            _ => format!("({})", self.block_of_condition(depth)),
        };
        format!("{left}{sign}{right}{promotion}{target}")
    }

    fn moves(&mut self, depth: u32) -> String {
        let mut text = "move".to_owned();
        if self.rng.bool() {
            text += &format!(" from {}", self.block_of_set(depth));
        }
        if self.rng.bool() {
            text += &format!(" to {}", self.block_of_set(depth));
        }
        text += self.pick(&[
            "",
            "",
            " capture a",
            " promote Q",
            " previous",
            " legal",
            " primary",
            " secondary",
            " castle",
        ]);
        text
    }

    /// Returns a `path`, which ends at the braces around it.
    fn path(&mut self, depth: u32) -> String {
        let outer = std::mem::replace(&mut self.in_path, true);
        let known = self.sets.len();
        let mut text = "path".to_owned();
        if self.rng.u8(..5) == 0 {
            text += &format!(" {}", self.range());
        }
        match self.rng.u8(..6) {
            0 => text += &format!(" focus {}", self.block_of_set(depth)),
            1 => text += &format!(" focus capture {}", self.block_of_set(depth)),
            2 => text += " singlecolor",
            3 => text += " primary",
            _ => {}
        }
        for word in ["firstmatch", "nestban", "quiet", "keepallbest", "verbose"] {
            if self.rng.u8(..6) == 0 {
                text += &format!(" {word}");
            }
        }
        if self.rng.u8(..5) == 0 {
            text += &format!(" max {}", self.block_of_number(depth));
        }
        for _ in 0..self.rng.u32(1..4) {
            text += " ";
            text += &self.constituent(depth);
            if self.rng.u8(..4) == 0 {
                let (name, value) = (self.name(), self.set(depth));
                let sign = self.pick(&["=", "=", "=?"]);
                let atomic = self.pick(&["", "", "atomic "]);
                text += &format!(" {{true {atomic}{name}{sign}{value}}}");
                self.sets.push(name);
            }
        }
        self.in_path = outer;
        self.sets.truncate(known);
        text
    }

    fn constituent(&mut self, depth: u32) -> String {
        match self.rng.u8(..6) {
            0 => self.block_of_condition(depth),
            1 => {
                let parts: Vec<String> = (0..self.rng.u32(1..3)).map(|_| self.path_move(depth)).collect();
                format!("({}){}", parts.join(" "), self.repetition())
            }
            _ => self.path_move(depth) + self.repetition(),
        }
    }

    fn path_move(&mut self, depth: u32) -> String {
        let sign = self.pick(&["--", "--", "--", "[x]"]);
        let left = if self.rng.u8(..3) == 0 {
            self.block_of_set(depth)
        } else {
            String::new()
        };
        let right = if self.rng.u8(..3) == 0 {
            self.block_of_set(depth)
        } else {
            String::new()
        };
        let target = if self.rng.bool() {
            String::new()
        } else {
            format!(" {}", self.block_of_condition(depth))
        };
        format!("{left}{sign}{right}{target}")
    }

    fn repetition(&mut self) -> &'static str {
        self.pick(&["", "", "*", "+", "?", "{1,2}", "{2}", "{,2}"])
    }

    fn line(&mut self, depth: u32) -> String {
        let arrow = self.pick(&["-->", "-->", "<--"]);
        let mut text = "line".to_owned();
        let words: &[&str] = if arrow == "-->" {
            &["", "", "primary", "secondary", "nestban"]
        } else {
            &[""]
        };
        for word in [
            words[self.rng.usize(..words.len())],
            ["", "", "singlecolor", "firstmatch", "quiet"][self.rng.usize(..5)],
        ] {
            text += " ";
            text += word;
        }
        for _ in 0..self.rng.u32(1..4) {
            let item = self.condition(depth);
            text += &format!(
                " {arrow} {}{}",
                self.block(&item),
                self.pick(&["", "", "*", "+", "?", "{1,2}"])
            );
        }
        text
    }

    fn echo(&mut self, depth: u32) -> String {
        let (source, target) = (self.name(), self.name());
        self.positions.extend([source.clone(), target.clone()]);
        let relation = self.pick(&["<", "[<]", ">", "[<=]", "=="]);
        let words = self.pick(&["echo", "echo quiet"]);
        let filters = match self.rng.u8(..4) {
            0 => format!("{source}{relation}{target}"),
            1 => format!("#({source} & {target}) > 55 {}", self.condition(depth + 1)),
            2 => format!("{source}:ply=={target}:ply {}", self.condition(depth + 1)),
            _ => self.condition(depth + 1),
        };
        self.positions.truncate(self.positions.len() - 2);
        format!("({words} ({source} {target}) {})", self.block(&filters))
    }
}
