//! The meaning of the columns of a table of positions, by their names.

use crate::game::tag_of_column;

/// The names of columns of positions, in any case. If a table has both, the first one counts.
const POSITIONS: [&str; 2] = ["fen", "epd"];

/// The meaning of a column of a table of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PositionColumn {
    /// The FEN, with four to six fields.
    Fen,
    /// The moves from the position on, in coordinates or SAN.
    Moves,
    /// An evaluation in centipawns, from White's point of view.
    Centipawns,
    /// The moves to mate, negative if Black mates.
    Mate,
    /// The search depth of the engine.
    Depth,
    /// Evaluations at several depths, as a JSON array.
    Evaluations,
    /// The values of the tag of this name.
    Tag(String),
    /// A position beside that of the column of this name, which is left out.
    OtherFen(String),
    /// A column that is not read.
    Unread,
}

/// Returns whether this is the name of a column of positions.
pub(super) fn holds_positions(column: &str) -> bool {
    POSITIONS.iter().any(|name| name.eq_ignore_ascii_case(column))
}

/// Returns the message about a column with positions beside those of the column `taken`.
pub(crate) fn of_other_fen(column: &str, taken: &str) -> String {
    format!("the column `{column}` is left out: the positions are those of the column `{taken}`")
}

/// Returns the meanings of the columns with these names, or `None` for a name that cannot be that of a tag.
///
/// Engines give a line together with an evaluation, so `line` and `depth` only have these meanings if there is `cp` or `mate`.
pub(crate) fn position_columns<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<Option<PositionColumn>> {
    let place = |wanted: &str| names.clone().position(|name| name.eq_ignore_ascii_case(wanted));
    let positions = POSITIONS.into_iter().find_map(place);
    let evaluation = place("cp").or(place("mate"));
    let of_evaluation = |wanted| place(wanted).filter(|_| evaluation.is_some());
    let special = [
        (positions, PositionColumn::Fen),
        (
            place("movetext").or(place("moves")).or(of_evaluation("line")),
            PositionColumn::Moves,
        ),
        (place("cp"), PositionColumn::Centipawns),
        (place("mate"), PositionColumn::Mate),
        (of_evaluation("depth"), PositionColumn::Depth),
        (place("evals"), PositionColumn::Evaluations),
    ];
    let taken = positions.and_then(|at| names.clone().nth(at)).unwrap_or_default();
    let column = |(at, name): (usize, &str)| {
        let special = special.iter().find(|(place, _)| *place == Some(at));
        special.map_or_else(
            || match tag_of_column(name)?.0 {
                tag if holds_positions(&tag) => Some(PositionColumn::OtherFen(taken.to_owned())),
                tag => Some(PositionColumn::Tag(tag)),
            },
            |(_, column)| Some(column.clone()),
        )
    };
    names.clone().enumerate().map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(names: &str) -> Vec<Option<PositionColumn>> {
        position_columns(names.split(','))
    }

    fn tag(name: &str) -> Option<PositionColumn> {
        Some(PositionColumn::Tag(name.to_owned()))
    }

    #[test]
    fn columns_of_puzzles_are_a_fen_moves_and_tags() {
        let expected = [
            tag("PuzzleId"),
            Some(PositionColumn::Fen),
            Some(PositionColumn::Moves),
            tag("Rating"),
            tag("WhiteElo"),
            tag("Opening_Tags"),
            None,
        ];
        assert_eq!(columns("PuzzleId,FEN,Moves,Rating,white_elo,Opening Tags,#"), expected);
    }

    #[test]
    fn the_first_fen_counts() {
        let other = |taken: &str| Some(PositionColumn::OtherFen(taken.to_owned()));
        let expected = [Some(PositionColumn::Fen), other("fen"), other("fen")];
        assert_eq!(columns("fen,FEN,F_E_N"), expected);
        assert_eq!(columns("epd,Fen"), [other("Fen"), Some(PositionColumn::Fen)]);
    }

    #[test]
    fn the_openings_of_lichess_are_positions() {
        let expected = [
            tag("ECO"),
            tag("name"),
            tag("pgn"),
            tag("uci"),
            Some(PositionColumn::Fen),
        ];
        assert_eq!(columns("eco,name,pgn,uci,epd"), expected);
    }

    #[test]
    fn a_line_and_a_depth_belong_to_an_evaluation() {
        let expected = [
            Some(PositionColumn::Fen),
            Some(PositionColumn::Moves),
            Some(PositionColumn::Depth),
            tag("knodes"),
            Some(PositionColumn::Centipawns),
            Some(PositionColumn::Mate),
        ];
        assert_eq!(columns("fen,line,depth,knodes,cp,mate"), expected);
        let expected = [Some(PositionColumn::Fen), tag("line"), tag("depth")];
        assert_eq!(columns("fen,line,depth"), expected);
    }
}
