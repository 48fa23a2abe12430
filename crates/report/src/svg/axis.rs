//! From positions and addresses to coordinates, and where the ticks go.

use crate::units;

/// Maps numbers to coordinates along one direction.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    from: u64,
    to: u64,
    at_from: f64,
    at_to: f64,
}

impl Scale {
    /// The scale with `from` at the coordinate `at_from` and `to` at `at_to`.
    pub fn new((from, to): (u64, u64), (at_from, at_to): (f64, f64)) -> Self {
        Self {
            from,
            to: to.max(from.saturating_add(1)),
            at_from,
            at_to,
        }
    }

    /// The coordinate of `number`.
    pub fn at(&self, number: u64) -> f64 {
        let part = (number as f64 - self.from as f64) / (self.to as f64 - self.from as f64);
        self.at_from + part * (self.at_to - self.at_from)
    }
}

/// Positions from `from` to `to` that are round as they are shown, at most about `most`, each with what is shown: position
/// 0 as `first`.
pub fn positions((from, to): (u64, u64), first: i64, most: u64) -> Vec<(u64, i128)> {
    let least = ((to - from) / most.max(1)).max(1);
    let mut power = 1u64;
    let step = loop {
        let steps = [1, 2, 5].map(|digit| power.saturating_mul(digit));
        if let Some(step) = steps.into_iter().find(|&step| step >= least) {
            break step;
        }
        power = power.saturating_mul(10);
    };
    let first = i128::from(first);
    multiples(
        (i128::from(from) + first, i128::from(to) + first),
        step.into(),
    )
    .map(|shown| ((shown - first) as u64, shown))
    .collect()
}

/// Round byte counts from 0 to `to`, at most about `most`, each with its label.
pub fn sizes(to: u64, most: u64) -> Vec<(u64, String)> {
    let step = (to / most.max(1))
        .max(1)
        .checked_next_power_of_two()
        .unwrap_or(1 << 63);
    let unit = units::unit(to);
    let label = |bytes| match bytes {
        0 => "0".to_owned(),
        bytes => units::exact_in(bytes, unit),
    };
    multiples((0, to.into()), step.into())
        .map(|bytes| (bytes as u64, label(bytes as u64)))
        .collect()
}

fn multiples((from, to): (i128, i128), step: i128) -> impl Iterator<Item = i128> {
    (-(-from).div_euclid(step)..=to.div_euclid(step)).map(move |times| times * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_may_run_backwards() {
        let scale = Scale::new((10, 20), (100.0, 0.0));
        assert_eq!(
            (scale.at(10), scale.at(15), scale.at(20)),
            (100.0, 50.0, 0.0)
        );
        assert_eq!(Scale::new((5, 5), (0.0, 10.0)).at(5), 0.0);
    }

    #[test]
    fn round_numbers() {
        let shown = |range, most| -> Vec<i128> {
            let ticks = positions(range, 0, most);
            assert!(ticks.iter().all(|&(at, shown)| i128::from(at) == shown));
            ticks.into_iter().map(|(_, shown)| shown).collect()
        };
        assert_eq!(shown((3, 27), 6), [5, 10, 15, 20, 25]);
        assert_eq!(shown((0, 2), 10), [0, 1, 2]);
        let thousands: Vec<i128> = (0..=10).map(|n| n * 1000).collect();
        assert_eq!(shown((0, 10_000), 10), thousands);
        let labels: Vec<String> = sizes(1 << 20, 4).into_iter().map(|tick| tick.1).collect();
        assert_eq!(labels, ["0", "0.25 MiB", "0.5 MiB", "0.75 MiB", "1 MiB"]);
    }

    #[test]
    fn negative_times_are_round() {
        assert_eq!(
            positions((0, 11), -7, 4),
            [(1, -6), (3, -4), (5, -2), (7, 0), (9, 2), (11, 4)]
        );
        assert_eq!(positions((2, 7), -25, 1), [(5, -20)]);
    }

    #[test]
    fn the_largest_numbers_end() {
        for first in [0, i64::MIN, i64::MAX] {
            assert!(positions((0, u64::MAX), first, 10).len() <= 11);
        }
        assert!(sizes(u64::MAX, 6).len() <= 8);
        assert_eq!(sizes(0, 6).len(), 1);
    }
}
