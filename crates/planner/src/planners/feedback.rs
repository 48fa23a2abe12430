//! Skylines that learn: sections in which one was highest weigh more in the order of the next.
//!
//! The order is that of the time spent in heavy sections. At first only the sections whose load is
//! nearly the largest have weight; a section under the peak of a skyline gains some, so that what
//! is live there is placed earlier, and deeper, the next time. Each skyline starts from nothing and
//! may be worse than the one before.
//!
//! Source: squeaky-wheel optimization (Joslin and Clements, "Squeaky Wheel Optimization", 1999).

use super::waiting::Layout;
use super::{Plan, orders, skyline};
use crate::timeline::Timeline;

/// Makes up to `rounds` skylines and keeps the best of these and of `best`.
pub fn improve(
    timeline: &Timeline,
    layout: &Layout,
    rounds: usize,
    lower_bound: u64,
    best: &mut Plan,
) {
    let mut weights = orders::hot(timeline);
    for _ in 0..rounds {
        let plan = skyline::plan(timeline, layout, &orders::by_weight(timeline, &weights));
        let at_peak = |index: usize| plan.offsets[index] + timeline.items[index].size == plan.peak;
        let highest = timeline.sums(|index, _| u64::from(at_peak(index)));
        for (weight, peaks) in weights.iter_mut().zip(highest) {
            *weight += peaks;
        }
        best.keep(plan);
        if best.peak <= lower_bound {
            return;
        }
    }
}
