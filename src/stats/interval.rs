//! Shares with their confidence intervals.

/// A share between 0 and 1 with its 95 % Wilson interval, which lies between 0 and 1 and is not empty even if the share is 0 or 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Share {
    /// The share itself.
    pub(crate) value: f64,
    /// The lower end of the interval.
    pub(crate) low: f64,
    /// The upper end.
    pub(crate) high: f64,
}

/// 95 % of a normal distribution lie within this many standard deviations of the mean.
const Z: f64 = 1.959_963_984_540_054;

impl Share {
    /// Returns the share of successes among the trials. A success may count half. Returns `None` if there are no trials.
    pub(crate) fn of(successes: f64, trials: u64) -> Option<Share> {
        if trials == 0 {
            return None;
        }
        let has_all = successes >= trials as f64;
        let trials = trials as f64;
        let value = successes / trials;
        let spread = Z * Z / trials;
        let center = (value + spread / 2.0) / (1.0 + spread);
        let half = Z / (1.0 + spread)
            * (value * (1.0 - value) / trials + spread / (4.0 * trials))
                .max(0.0)
                .sqrt();
        Some(Share {
            value,
            // Without rounding errors at 0 and 1.
            low: if successes > 0.0 { center - half } else { 0.0 },
            high: if has_all { 1.0 } else { center + half },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(successes: f64, trials: u64) -> Option<[f64; 3]> {
        let round = |share: f64| (share * 10_000.0).round() / 10_000.0;
        Share::of(successes, trials).map(|share| [share.value, share.low, share.high].map(round))
    }

    /// The ends of the intervals are those in published tables of Wilson's interval.
    #[test]
    fn intervals_are_those_of_wilson() {
        assert_eq!(rounded(5.0, 10), Some([0.5, 0.2366, 0.7634]));
        assert_eq!(rounded(0.0, 10), Some([0.0, 0.0, 0.2775]));
        assert_eq!(rounded(10.0, 10), Some([1.0, 0.7225, 1.0]));
        assert_eq!(rounded(81.0, 263), Some([0.308, 0.2553, 0.3662]));
        assert_eq!(rounded(0.0, 0), None);
    }
}
