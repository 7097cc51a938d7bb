//! The columns for people, to be laid out on a screen, on a page or next to a drawing.

use indicatif::HumanCount;
use unicode_width::UnicodeWidthStr;

use super::drawing::Panel;
use super::groups::{Distribution, KeyValue};
use super::interval::Share;
use super::table::{KeyColumn, Row, Table, shown};
use crate::terminal::in_a_line;

/// The alignment of texts in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

/// A column.
pub(super) struct Column {
    pub(super) title: String,
    /// The alignment of its texts.
    pub(super) side: Side,
    /// How soon it is left out if there is no space. The columns with the greatest rank go first.
    pub(super) rank: u8,
    /// A text for each row.
    pub(super) texts: Vec<String>,
    /// A drawing that a page shows instead of the texts.
    pub(super) panel: Option<Panel>,
}

impl Column {
    /// Returns its width in columns of a terminal.
    pub(super) fn width(&self) -> usize {
        let texts = self.texts.iter().chain([&self.title]);
        texts.map(|text| text.width()).max().unwrap_or(0)
    }
}

/// The rank of a column that is never left out.
pub(super) const ALWAYS: u8 = 0;

/// The rank of a column that is a drawing and has no text.
pub(super) const DRAWN: u8 = u8::MAX;

/// The length of the bar for the greatest share.
const BAR: usize = 12;

/// The width at which names are cut.
const LONGEST: usize = 40;

/// Returns the columns of the keys.
pub(super) fn keys(table: &Table) -> impl Iterator<Item = Column> {
    let columns = table.columns.iter().enumerate();
    columns.map(|(place, column)| of_key(table, place, column))
}

/// Returns all columns.
pub(super) fn columns(table: &Table) -> Vec<Column> {
    let of_rows = |title: &str, side: Side, rank: u8, text: &dyn Fn(&Row) -> String| Column {
        title: title.to_owned(),
        side,
        rank,
        texts: table.rows.iter().map(text).collect(),
        panel: None,
    };
    let drawn = |panel: Panel| Column {
        panel: Some(panel),
        ..of_rows("", Side::Left, DRAWN, &|_| String::new())
    };
    let greatest = table.rows.iter().filter_map(|row| row.share().map(|share| share.value));
    let greatest = greatest.fold(0.0, f64::max);
    let share = |row: &Row| row.share().map_or(0.0, |share| share.value);
    let number = |number: u64| HumanCount(number).to_string();
    let counts = [
        of_rows(table.base, Side::Right, ALWAYS, &|row| number(row.base)),
        of_rows("games", Side::Right, ALWAYS, &|row| number(row.tally.games)),
    ];
    let outcomes = [
        of_rows("share", Side::Right, 1, &|row| percent(row.share())),
        of_rows("95 %", Side::Left, 6, &|row| ends(row.share())),
        Column {
            panel: Some(Panel::Share),
            ..of_rows("", Side::Left, 3, &|row| bar(share(row) / greatest))
        },
        of_rows("positions", Side::Right, 7, &|row| number(row.tally.positions)),
        of_rows("+", Side::Right, 5, &|row| number(row.tally.wins)),
        of_rows("=", Side::Right, 5, &|row| number(row.tally.draws)),
        of_rows("-", Side::Right, 5, &|row| number(row.tally.losses)),
        of_rows("score", Side::Right, 2, &|row| percent(row.score())),
        of_rows("95 %", Side::Left, 4, &|row| ends(row.score())),
        drawn(Panel::Score),
        of_rows("rating", Side::Right, 8, &|row| {
            row.rating().map_or_else(String::new, |rating| format!("{rating:.0}"))
        }),
        of_rows("years", Side::Left, 9, &|row| match row.years() {
            None => String::new(),
            Some((first, last)) => spanned(first.into(), last.into()),
        }),
    ];
    let number = |number: Option<f64>| number.map_or_else(String::new, decimal);
    let of_values = [
        of_rows("mean", Side::Right, 2, &|row| number(row.values.mean())),
        of_rows("min", Side::Right, 6, &|row| number(row.values.quantile(0.0))),
        of_rows("25 %", Side::Right, 5, &|row| number(row.values.quantile(0.25))),
        of_rows("median", Side::Right, ALWAYS, &|row| number(row.values.quantile(0.5))),
        of_rows("75 %", Side::Right, 5, &|row| number(row.values.quantile(0.75))),
        of_rows("max", Side::Right, 6, &|row| number(row.values.quantile(1.0))),
        drawn(Panel::Values),
    ];
    let of_values = of_values.into_iter().filter(|_| table.is_measured);
    let histogram = table.has_histograms.then(|| histograms(table)).flatten();
    // The measured value was asked for, so it comes first.
    keys(table)
        .chain(counts)
        .chain(of_values)
        .chain(histogram)
        .chain(outcomes)
        .collect()
}

/// Returns a small chart of the values of each row. All charts extend from the smallest to the greatest value of the table.
fn histograms(table: &Table) -> Option<Column> {
    let values = || {
        table
            .rows
            .iter()
            .flat_map(|row| row.values.counts.keys().copied().map(i64::from))
    };
    let (first, last) = (values().min()?, values().max()?);
    Some(Column {
        title: format!("{first} to {last}"),
        side: Side::Left,
        rank: ALWAYS,
        texts: table.rows.iter().map(|row| chart(&row.values, first, last)).collect(),
        panel: None,
    })
}

/// Returns a chart of the values from `first` to `last`. Each column of it stands for a range of values, and its height for their number.
fn chart(values: &Distribution, first: i64, last: i64) -> String {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const MOST: i64 = 24;
    let span = last - first + 1;
    let mut columns = vec![0; usize::try_from(span.min(MOST)).unwrap_or(1)];
    for (value, count) in &values.counts {
        let place = (i64::from(*value) - first) * span.min(MOST) / span;
        if let Some(column) = usize::try_from(place).ok().and_then(|place| columns.get_mut(place)) {
            *column += count;
        }
    }
    let highest = columns.iter().copied().max().unwrap_or(0).max(1);
    let sign = |count: u64| match count {
        0 => ' ',
        // The highest column has the last sign, and any other nonzero one at least the first.
        count => HEIGHTS[usize::try_from((count * 8).div_ceil(highest)).unwrap_or(1).clamp(1, 8) - 1],
    };
    columns.into_iter().map(sign).collect()
}

/// Returns a number, without decimals if it is whole.
fn decimal(number: f64) -> String {
    match number.fract() == 0.0 {
        true => format!("{number:.0}"),
        false => format!("{number:.1}"),
    }
}

/// Returns the column of a key. Numbers are aligned to the right, everything else to the left.
fn of_key(table: &Table, place: usize, column: &KeyColumn) -> Column {
    let values = || table.rows.iter().filter_map(|row| row.keys.get(place));
    let has_numbers = values().any(|value| matches!(value, KeyValue::Number(_)));
    let text = |value: &KeyValue| match value {
        KeyValue::Number(number) => spanned(*number, number + i64::from(column.step) - 1),
        other => shown(other).map_or_else(|| "?".to_owned(), |text| cut(&in_a_line(&text))),
    };
    Column {
        title: in_a_line(&column.name).into_owned(),
        side: if has_numbers { Side::Right } else { Side::Left },
        rank: ALWAYS,
        texts: values().map(text).collect(),
        panel: None,
    }
}

/// Returns `1990`, or `1990-1999`.
fn spanned(first: i64, last: i64) -> String {
    match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    }
}

/// Returns a text, cut if it is too long.
fn cut(text: &str) -> String {
    if text.width() <= LONGEST {
        return text.to_owned();
    }
    let mut width = 1;
    let kept = text.chars().take_while(|sign| {
        width += sign.to_string().width();
        width <= LONGEST
    });
    kept.chain(['…']).collect()
}

/// Returns `12.3 %`. Small shares have more digits.
pub(super) fn percent(share: Option<Share>) -> String {
    share.map_or_else(String::new, |share| format!("{} %", hundredths(share.value)))
}

/// Returns `11.0-13.7`, the ends of an interval in percent.
fn ends(share: Option<Share>) -> String {
    share.map_or_else(String::new, |share| {
        format!("{}-{}", hundredths(share.low), hundredths(share.high))
    })
}

fn hundredths(value: f64) -> String {
    let percent = value * 100.0;
    match percent {
        0.0 => "0".to_owned(),
        ..0.095 => format!("{percent:.3}"),
        ..0.95 => format!("{percent:.2}"),
        _ => format!("{percent:.1}"),
    }
}

/// Returns a bar for a share, which is relative to the greatest one.
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = if share.is_finite() {
        (share * (BAR * 8) as f64).round() as usize
    } else {
        0
    };
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_bars_are_easy_to_read() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(|number| HumanCount(number).to_string()),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(
            [0.0, 0.000_123, 0.005, 0.123_4, 1.0].map(hundredths),
            ["0", "0.012", "0.50", "12.3", "100.0"]
        );
        assert_eq!(bar(1.0).width(), BAR);
        assert_eq!(bar(0.5), "██████");
        assert_eq!(bar(f64::NAN), "");
        assert_eq!(cut(&"a".repeat(50)).width(), LONGEST);
    }
}
