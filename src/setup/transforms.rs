//! Puts the transforms of a setup in order, without those that add nothing.

use crate::query::Group;

/// The order in which transforms are written.
const ORDER: [Group; 8] = [
    Group::FlipColor,
    Group::Flip,
    Group::FlipVertical,
    Group::FlipHorizontal,
    Group::Rotate90,
    Group::Shift,
    Group::ShiftHorizontal,
    Group::ShiftVertical,
];

/// Returns whether a transform moves pieces over the board, some of them beyond its edge.
pub(super) fn is_shift(group: Group) -> bool {
    matches!(group, Group::Shift | Group::ShiftHorizontal | Group::ShiftVertical)
}

/// Returns the transforms in their order, outermost first, or `None` if a setup cannot have them.
///
/// Symmetries of the board form groups: none is needed twice, and `flip` includes all. It does not matter whether a symmetry is inside or
/// outside a shift, unless it turns files into ranks and the shift goes along only one of them. `reversecolor` makes one copy, and the
/// other transforms start from that copy, so it needs no word.
pub(super) fn canonical(groups: &[Group]) -> Option<Vec<Group>> {
    let first_shift = groups.iter().position(|group| is_shift(*group));
    let inside = &groups[first_shift.unwrap_or(groups.len())..];
    let has = |group| groups.contains(&group);
    let turns = |group: &Group| matches!(group, Group::Flip | Group::Rotate90);
    let is_directed = matches!(inside.first(), Some(Group::ShiftHorizontal | Group::ShiftVertical));
    let several = inside.iter().skip(1).any(|group| is_shift(*group));
    if has(Group::Rotate45) || several || is_directed && inside.iter().any(turns) {
        return None;
    }
    let mirrors = has(Group::FlipVertical) || has(Group::FlipHorizontal);
    let all = has(Group::Flip) || has(Group::Rotate90) && mirrors;
    let kept = ORDER.into_iter().filter(|group| match group {
        Group::Flip => all,
        Group::FlipVertical | Group::FlipHorizontal | Group::Rotate90 => !all && has(*group),
        other => has(*other),
    });
    Some(kept.collect())
}
