//! Drawings of counts on an axis, each with its spread: a bar for a share, a dot for a score, a box for a measured number.

use std::fmt::Write as _;

use super::table::{Row, Table};

/// The kind of drawing for a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Panel {
    /// The share of the games that match as a bar, with its interval.
    Share,
    /// The score as a dot, with its interval.
    Score,
    /// The values of a number: a line from the least to the greatest, and a box between the quartiles with the median in it.
    Values,
}

/// The width of a panel.
pub(super) const WIDTH: f64 = 180.0;

/// The height of a row.
pub(super) const HEIGHT: f64 = 22.0;

/// A panel with the range of values that it covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) panel: Panel,
    first: f64,
    last: f64,
    /// The distance between two marks.
    step: f64,
}

impl Panel {
    /// Returns its title.
    pub(super) fn title(self) -> &'static str {
        match self {
            Panel::Share => "share",
            Panel::Score => "score",
            Panel::Values => "values",
        }
    }

    /// Returns the least and the greatest value drawn for a group, if there is anything to draw.
    fn ends(self, row: &Row) -> Option<(f64, f64)> {
        match self {
            Panel::Share => row.share().map(|share| (0.0, share.high)),
            Panel::Score => row.score().map(|_| (0.0, 1.0)),
            Panel::Values => row.values.quantile(0.0).zip(row.values.quantile(1.0)),
        }
    }

    /// Returns an axis that fits all groups of a table, or `None` if no group has anything to draw.
    pub(super) fn axis(self, table: &Table) -> Option<Axis> {
        let ends = table.rows.iter().filter_map(|row| self.ends(row));
        let (least, greatest) = ends.reduce(|(least, greatest), (low, high)| (least.min(low), greatest.max(high)))?;
        let step = step((greatest - least).max(f64::MIN_POSITIVE));
        let first = (least / step).floor() * step;
        Some(Axis {
            panel: self,
            first,
            last: ((greatest / step).ceil() * step).max(first + step),
            step,
        })
    }
}

/// Returns the axes of all panels of a table that have anything to draw.
pub(super) fn axes(table: &Table) -> impl Iterator<Item = Axis> {
    let panels = [Panel::Values, Panel::Share, Panel::Score].into_iter();
    panels.filter_map(|panel| panel.axis(table))
}

/// Returns one, two or five times a power of ten. At most four of them cover the range.
fn step(span: f64) -> f64 {
    let quarter = span / 4.0;
    let power = 10_f64.powf(quarter.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let fits = |factor: &f64| factor * power >= quarter * (1.0 - 1e-9);
    factors.into_iter().find(fits).unwrap_or(10.0) * power
}

impl Axis {
    /// Returns the marks, as positions and labels.
    pub(super) fn marks(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        let count = ((self.last - self.first) / self.step).round() as usize;
        (0..=count).map(|index| {
            let value = self.first + index as f64 * self.step;
            (self.x(value), self.label(value))
        })
    }

    /// Appends the drawing of a group, in a row that begins at the origin.
    pub(super) fn draw(&self, row: &Row, out: &mut String) {
        let middle = HEIGHT / 2.0;
        let line = |from: f64, to: f64, class: &str| {
            let (from, to) = (self.x(from), self.x(to));
            format!("<path class=\"{class}\" d=\"M{from:.1} {middle}H{to:.1}\"/>")
        };
        let rect = |from: f64, to: f64, class: &str| {
            let (x, width) = (self.x(from), self.x(to) - self.x(from));
            let (y, height) = (HEIGHT / 4.0, HEIGHT / 2.0);
            format!("<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"{height}\"/>")
        };
        match self.panel {
            Panel::Share => {
                if let Some(share) = row.share() {
                    *out += &rect(0.0, share.value, "bar");
                    *out += &line(share.low, share.high, "spread");
                }
            }
            Panel::Score => {
                if let Some(score) = row.score() {
                    let x = self.x(score.value);
                    *out += &line(score.low, score.high, "spread");
                    // Writing to a string cannot fail.
                    let _ = write!(out, "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{middle}\" r=\"4\"/>");
                }
            }
            Panel::Values => {
                let quantile = |share: f64| row.values.quantile(share);
                let quantiles = (
                    quantile(0.0),
                    quantile(0.25),
                    quantile(0.5),
                    quantile(0.75),
                    quantile(1.0),
                );
                if let (Some(least), Some(lower), Some(median), Some(upper), Some(greatest)) = quantiles {
                    *out += &line(least, greatest, "spread");
                    *out += &rect(lower, upper, "box");
                    let (x, y, height) = (self.x(median), HEIGHT / 4.0, HEIGHT / 2.0);
                    let _ = write!(out, "<path class=\"median\" d=\"M{x:.1} {y}v{height}\"/>");
                }
            }
        }
    }

    fn x(&self, value: f64) -> f64 {
        (value - self.first) / (self.last - self.first) * WIDTH
    }

    fn label(&self, value: f64) -> String {
        // Removes errors of summation.
        let rounded = |value: f64| (value * 1e6).round() / 1e6;
        match self.panel {
            Panel::Share | Panel::Score => format!("{} %", rounded(value * 100.0)),
            Panel::Values => rounded(value).to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_numbers() {
        assert_eq!(
            [1.0, 0.9, 0.03, 40.0, 81.0, 7.0].map(step),
            [0.5, 0.5, 0.01, 10.0, 50.0, 2.0]
        );
    }

    #[test]
    fn marks_stand_from_end_to_end() {
        let axis = Axis {
            panel: Panel::Share,
            first: 0.0,
            last: 0.3,
            step: 0.1,
        };
        let marks: Vec<_> = axis.marks().map(|(x, label)| (x.round(), label)).collect();
        let expected = [(0.0, "0 %"), (60.0, "10 %"), (120.0, "20 %"), (180.0, "30 %")];
        assert_eq!(marks, expected.map(|(x, label)| (x, label.to_owned())));
    }
}
