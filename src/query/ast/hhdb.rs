//! `hhdb …`: filters on the headers and comments of van der Heijden's database of endgame studies (chapter 2, 11).

use crate::query::ast::SortId;

/// A condition on a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StudyCond {
    /// `hhdb U1`, `hhdb unreachable`: a flag after the name of Black.
    Flag(&'static str),
    /// `hhdb "<cook>"` and the like: the comment of the position contains this.
    Mark(&'static str),
    /// `hhdb cooked`, `cql_hhdbhascook`: a comment or tag of the game contains `<cook`.
    Cooked,
    /// `hhdb dual`: a dual is flagged.
    Dual,
    /// `hhdb sound`
    Sound,
    /// `hhdb unsound`, which is not the negation of `sound`.
    Unsound,
    /// `hhdb mainline`: every variation on the way here is marked `<main>`.
    MainLine,
    /// `hhdb variation`: not every variation on the way here is marked `<main>`.
    Variation,
    /// `hhdb prize` as a condition: a special award matches, too, although it has no value.
    Award(Award),
    /// `hhdb sort prize`: sorts by the award.
    SortByAward(Award, AwardKeys),
}

/// A text about a study.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StudyText {
    Composer,
    /// The GBR code (Guy, Blandford, Roycroft) for the pieces of the study, or a part of it.
    Gbr(GbrPart),
    Diagram,
    FirstComment,
    Stipulation,
    Search,
    /// `tourney_name`: without edition, years and part.
    TourneyName,
    /// `tourney_year_part`
    TourneyYearPart,
    /// `distinction`: the award as it is written.
    Distinction,
}

/// A part of a GBR code such as `+0130.02c1d3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GbrPart {
    /// `+0130.02c1d3`
    Whole,
    /// `0130.02`
    Material,
    /// `0130`
    Pieces,
    /// `02`
    Pawns,
    /// `c1d3`
    Kings,
}

/// A number about a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StudyNumber {
    /// `hhdb tourney_edition`: the number of the tourney in a series.
    TourneyEdition,
    /// `hhdb tourney_year`
    TourneyYear,
    /// `hhdb tourney_year_end`: the last of several years.
    TourneyYearEnd,
    /// `hhdb egdiagram`: the number of the diagram in the magazine EG.
    EgDiagram,
    /// `hhdb prize` and the like: the rank of the award.
    Award(Award),
}

/// An award in a query: `[special] [max] award|prize|hm|commendation`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Award {
    /// `prize` and the like; any kind if not given.
    pub kind: Option<AwardKind>,
    /// Whether it asks for special awards.
    pub special: bool,
    /// Whether the worse of two ranks counts; no rank is the worst.
    pub max: bool,
}

/// The kinds of awards, best first.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum AwardKind {
    Prize,
    HonourableMention,
    Commendation,
}

/// The keys by which `hhdb sort` sorts, the most significant first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AwardKeys {
    /// The kind; a special award comes after the others of its kind.
    pub category: SortId,
    /// The rank.
    pub rank: SortId,
    /// The worse rank.
    pub max_rank: SortId,
}

impl StudyText {
    /// Returns whether it is in the tags only. A composer may be named in a comment.
    pub(crate) fn is_of_tags(self) -> bool {
        use StudyText::{Diagram, Distinction, Gbr, TourneyName, TourneyYearPart};
        matches!(self, Gbr(_) | Diagram | TourneyName | TourneyYearPart | Distinction)
    }
}

impl StudyNumber {
    /// Returns whether it is in the tags.
    pub(crate) fn is_of_tags(self) -> bool {
        !matches!(self, StudyNumber::EgDiagram)
    }
}
