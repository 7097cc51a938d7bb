//! `hhdb …` (chapter 2, 11): words, texts in quotation marks, and awards.

use std::sync::LazyLock;

use crate::syntax::table::{Row, Table};
use crate::syntax::token::{Span, Token, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form, Part as FormPart, nearest};

use super::builder::{Builder, Built};
use crate::query::ast::hhdb::{Award, AwardKeys, AwardKind, GbrPart, StudyCond, StudyNumber, StudyText};
use crate::query::ast::node::Filter;
use crate::query::ast::{CondExpr, NumExpr, SortKey, StrExpr};

/// The words that may follow `hhdb`, by group.
static WORDS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("hhdb.txt")));

/// The parts of `gbr`.
const GBR_PARTS: [(&str, GbrPart); 4] = [
    ("material", GbrPart::Material),
    ("pieces", GbrPart::Pieces),
    ("pawns", GbrPart::Pawns),
    ("kings", GbrPart::Kings),
];

/// Returns all words that may follow `hhdb`, and texts without their quotation marks.
pub fn hhdb_words() -> impl Iterator<Item = &'static str> {
    WORDS.rows.iter().flat_map(|row| {
        let names = if row.heading == "flags" {
            row.values.as_slice()
        } else {
            &[]
        };
        row.keys().chain(names.iter().copied())
    })
}

/// Returns whether a word is in a group.
fn is_one_of(group: &str, word: &str) -> bool {
    WORDS.under(group).any(|row| row.keys().any(|known| known == word))
}

/// Returns whether this word after `hhdb` is one of those that combine to an award.
pub fn is_hhdb_award_word(word: &str) -> bool {
    is_one_of("award", word)
}

/// Returns whether this word after `hhdb` names a text that can be searched.
pub fn is_hhdb_text_word(word: &str) -> bool {
    text_named(word).is_some()
}

impl Builder {
    /// Reads `hhdb …`. The form is next.
    pub(super) fn study(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let Some(part) = form.all().get(1).copied() else {
            return Err(self.no_study_word(self.cursor.token().span, None));
        };
        let token = self.cursor.tokens[part.first].clone();
        if self.beyond.is_off()
            && let Some(word) = word_of(&token.kind).filter(|word| is_one_of("tourney", word))
        {
            return Err(self.no_study_word(token.span, Some(word)));
        }
        match (part.rule, &token.kind) {
            (Rule::study_award, _) => return self.award(form),
            (Rule::study_text | Rule::gbr, _) => return self.tag_test(form),
            (_, TokenKind::String(text)) => {
                self.cursor.read_whole(form);
                return self.study_text_or_mark(text, token.span, first);
            }
            _ => {}
        }
        let Some(word) = word_of(&token.kind) else {
            return Err(self.no_study_word(token.span, None));
        };
        let kind = match word {
            "cooked" => StudyCond::Cooked,
            "sound" => StudyCond::Sound,
            "unsound" => StudyCond::Unsound,
            "theme_tourney" => StudyCond::Flag("TT"),
            "dual" => StudyCond::Dual,
            "mainline" => self.in_variations(StudyCond::MainLine, "hhdb mainline", token.span)?,
            "variation" => self.in_variations(StudyCond::Variation, "hhdb variation", token.span)?,
            word if let Some(number) = number_named(word) => {
                self.cursor.read_whole(form);
                return self.complete(NumExpr::Study(number), first);
            }
            word => {
                let is_it = |row: &&Row| row.values.contains(&word) || row.key == word && is_bare(word);
                match WORDS.under("flags").find(is_it) {
                    Some(row) => StudyCond::Flag(row.key),
                    None => return Err(self.no_study_word(token.span, Some(word))),
                }
            }
        };
        self.cursor.read_whole(form);
        self.complete(CondExpr::Study(kind), first)
    }

    /// Makes the filter for `hhdb "…"`: a quoted text that is not a word. It is read.
    fn study_text_or_mark(&mut self, text: &[u8], span: Span, first: usize) -> Built {
        let text = String::from_utf8_lossy(text);
        if is_bare(&text) {
            let error = Diagnostic::new(span, format!("`{text}` is quoted"));
            return Err(error
                .label("only texts with other characters than letters, digits and `_` are")
                .hint(format!("write `hhdb {text}`"))
                .change(span, text));
        }
        let kind = if let Some(row) = WORDS.under("flags").find(|row| row.key == text) {
            StudyCond::Flag(row.key)
        } else if let Some((mark, searched)) = WORDS
            .under("marks")
            .find(|row| row.key == text)
            .and_then(|row| Some((row.key, *row.values.first()?)))
        {
            match mark {
                "<main>" | "<or>" => {
                    self.in_variations(StudyCond::Mark(searched), &format!("hhdb \"{mark}\""), span)?
                }
                _ => StudyCond::Mark(searched),
            }
        } else {
            return Err(self.no_study_word(span, Some(&text)));
        };
        self.complete(CondExpr::Study(kind), first)
    }

    /// Returns `kind`, or an error if variations are not searched: the filter only makes sense there.
    fn in_variations(&mut self, kind: StudyCond, what: &str, span: Span) -> Built<StudyCond> {
        if self.variations {
            return Ok(kind);
        }
        let error = Diagnostic::new(span, format!("`{what}` without variations"))
            .label("only the main line of the game is searched")
            .hint("write `variations` into the header");
        Err(self.with_variations(error))
    }

    /// Returns the text about a study that a form names.
    pub(super) fn study_text(&mut self, form: &Form) -> Built<StrExpr> {
        let word = |part: &FormPart| word_of(&self.cursor.tokens[part.first].kind);
        let part = form.part(Rule::gbr_part).and_then(|part| word(&part));
        let text = form.all().get(1).and_then(word).and_then(text_named);
        let kind = match (text, part) {
            (Some(StudyText::Gbr(_)), Some(named)) => {
                let part = GBR_PARTS.iter().find(|(part, _)| *part == named);
                StudyText::Gbr(part.map_or(GbrPart::Whole, |(_, part)| *part))
            }
            (Some(text), _) => text,
            (None, _) => return Err(self.unexpected("expected a text of `hhdb`")),
        };
        Ok(StrExpr::Study(kind))
    }

    /// Reads `sort? special? max? kind?`. Except for `sort`, they may be in any order. The form is next.
    fn award(&mut self, form: &Form) -> Built {
        let first = self.cursor.read_whole(form);
        let mut award = Award {
            kind: None,
            special: false,
            max: false,
        };
        let (mut sorts, mut named) = (false, false);
        let mut kind_word = None;
        for (place, part) in form.parts(Rule::study_award).enumerate() {
            let Token { kind, span, .. } = &self.cursor.tokens[part.first];
            match word_of(kind).unwrap_or_default() {
                "sort" if place == 0 => {
                    sorts = true;
                    continue;
                }
                "sort" => {
                    return Err(Diagnostic::new(*span, "`sort` after the words of an award")
                        .label("it could be meant for the next filter")
                        .hint(
                            "to sort by awards write `hhdb sort …`; a separate filter `sort` is written in parentheses",
                        ));
                }
                "special" => award.special = true,
                "max" => award.max = true,
                kind => {
                    award.kind = award_kind(kind);
                    if let Some(earlier) = kind_word.replace(*span) {
                        return Err(Diagnostic::new(*span, "two kinds of awards")
                            .label("one filter asks for one kind")
                            .related(earlier, "the first is here"));
                    }
                }
            }
            named = true;
        }
        let span = self.cursor.span_from(first);
        if !sorts {
            return Ok(Filter::new(NumExpr::Study(StudyNumber::Award(award)), span));
        }
        if !named {
            return Err(Diagnostic::new(span, "`hhdb sort` without an award")
                .label("expected `award`, `prize`, `hm`, `commendation` or `special`"));
        }
        if award.max {
            return Err(Diagnostic::new(span, "`hhdb sort` with `max`").label("it sorts by both ranks anyway"));
        }
        let keys = self.award_keys(span)?;
        self.complete(CondExpr::Study(StudyCond::SortByAward(award, keys)), first)
    }

    fn award_keys(&mut self, span: Span) -> Built<AwardKeys> {
        let mut key = |title: &str| {
            let key = SortKey {
                title: title.as_bytes().to_vec(),
                ascending: true,
                quiet: true,
                text: false,
            };
            self.sort_key(key, span)
        };
        Ok(AwardKeys {
            category: key("hhdb award")?,
            rank: key("hhdb award rank")?,
            max_rank: key("hhdb award max rank")?,
        })
    }

    pub(super) fn no_study_word(&self, span: Span, word: Option<&str>) -> Diagnostic {
        let error = Diagnostic::new(span, "unknown word after `hhdb`").label("no property of a study is called so");
        let is_strict = self.beyond.is_off();
        let known = hhdb_words().filter(|word| !(is_strict && is_one_of("tourney", word)));
        match word {
            Some("source") => error.hint("CQL lists `source`, but it cannot be used; `event` has award and source"),
            Some(word) => match nearest(word, known) {
                Some(close) if is_bare(close) => error.hint(format!("did you mean `{close}`?")).change(span, close),
                Some(close) => {
                    let quoted = format!("\"{close}\"");
                    error.hint(format!("did you mean `{quoted}`?")).change(span, quoted)
                }
                None => error,
            },
            None => error.hint("`(c)`, `<cook>` and other texts that are no words are quoted: `hhdb \"(c)\"`"),
        }
    }
}

/// Returns whether a text is written without quotation marks.
fn is_bare(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn word_of(kind: &TokenKind) -> Option<&str> {
    match kind {
        TokenKind::Word(word) => Some(word),
        TokenKind::Name(name) => Some(name),
        _ => None,
    }
}

/// Returns the text about a study with this name.
fn text_named(word: &str) -> Option<StudyText> {
    Some(match word {
        "composer" => StudyText::Composer,
        "gbr" => StudyText::Gbr(GbrPart::Whole),
        "diagram" => StudyText::Diagram,
        "firstcomment" => StudyText::FirstComment,
        "stipulation" => StudyText::Stipulation,
        "search" => StudyText::Search,
        "tourney_name" => StudyText::TourneyName,
        "tourney_year_part" => StudyText::TourneyYearPart,
        "distinction" => StudyText::Distinction,
        _ => return None,
    })
}

/// Returns the number about a study with this name.
fn number_named(word: &str) -> Option<StudyNumber> {
    Some(match word {
        "egdiagram" => StudyNumber::EgDiagram,
        "tourney_edition" => StudyNumber::TourneyEdition,
        "tourney_year" => StudyNumber::TourneyYear,
        "tourney_year_end" => StudyNumber::TourneyYearEnd,
        _ => return None,
    })
}

fn award_kind(word: &str) -> Option<AwardKind> {
    match word {
        "prize" => Some(AwardKind::Prize),
        "hm" => Some(AwardKind::HonourableMention),
        "commendation" => Some(AwardKind::Commendation),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_marks_have_a_second_name_and_words_have_none() {
        for row in &WORDS.rows {
            let names = match row.heading {
                "flags" | "marks" => 1,
                "words" | "award" | "tourney" => 0,
                _ => usize::MAX,
            };
            assert_eq!(row.values.len(), names, "hhdb.txt:{}", row.line);
        }
    }
}
