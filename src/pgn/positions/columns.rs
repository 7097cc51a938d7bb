//! What the columns of a table of positions are for, by their names.

use crate::game::tag_of_column;

/// What a column of a table of positions holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PositionColumn {
    /// The FEN, of four to six fields.
    Fen,
    /// Moves from the position on, in coordinates or SAN.
    Moves,
    /// An evaluation in centipawns, from White's side.
    Centipawns,
    /// The moves to a mate, negative if Black mates.
    Mate,
    /// How deep the engine has looked.
    Depth,
    /// Evaluations of several depths, as an array of JSON.
    Evaluations,
    /// The values of the tag of this name.
    Tag(String),
    /// Another FEN than that of the row, which is left out.
    OtherFen,
    /// Something that nobody asks for.
    #[cfg(feature = "files")]
    Unread,
}

/// What is said of a column with another FEN.
pub(crate) fn of_other_fen(column: &str) -> String {
    format!("the column `{column}` is left out: the positions are those of the first column called `FEN` or `fen`")
}

/// What the columns with these names are for; none for a name that cannot be that of a tag.
///
/// Engines give a line together with an evaluation, so `line` and `depth` count as that only where there is `cp` or `mate`.
pub(crate) fn position_columns<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<Option<PositionColumn>> {
    let place = |wanted: &str| names.clone().position(|name| name.eq_ignore_ascii_case(wanted));
    let evaluation = place("cp").or(place("mate"));
    let of_evaluation = |wanted| place(wanted).filter(|_| evaluation.is_some());
    let special = [
        (place("fen"), PositionColumn::Fen),
        (
            place("movetext").or(place("moves")).or(of_evaluation("line")),
            PositionColumn::Moves,
        ),
        (place("cp"), PositionColumn::Centipawns),
        (place("mate"), PositionColumn::Mate),
        (of_evaluation("depth"), PositionColumn::Depth),
        (place("evals"), PositionColumn::Evaluations),
    ];
    let column = |(at, name): (usize, &str)| {
        let special = special.iter().find(|(place, _)| *place == Some(at));
        special.map_or_else(
            || match tag_of_column(name)?.0 {
                tag if tag == "FEN" => Some(PositionColumn::OtherFen),
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
        let expected = [
            Some(PositionColumn::Fen),
            Some(PositionColumn::OtherFen),
            Some(PositionColumn::OtherFen),
        ];
        assert_eq!(columns("fen,FEN,F_E_N"), expected);
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
