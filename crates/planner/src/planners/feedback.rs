//! Skylines that learn: what ends too high goes earlier the next time.
//!
//! An item ranks by the time that it spends in hot sections, as in the order `by_hot_time`, times a
//! boost. After each skyline the boosts of all items that end above the goal grow. On networks a
//! few rounds leave a handful of such items, or none.
//!
//! Source: "squeaky wheel" optimization (Joslin and Clements, 1999), with skylines for its
//! construction.

use super::budget::{Budget, pass};
use super::waiting::Layout;
use super::{Plan, orders, settle, skyline};
use crate::timeline::Timeline;

/// How much more an item counts after it ended too high.
const BOOST: f64 = 8.0;

/// What an item counts that is in no hot section, before its size.
const COLD: f64 = 1e-3;

/// What a byte counts, next to a section: enough to tell items of the same time apart.
const BYTE: f64 = 1e-12;

/// Makes up to `rounds` skylines, as far as the budget goes, and keeps the best of these and of `best`.
pub fn improve(
    timeline: &Timeline,
    layout: &Layout,
    rounds: usize,
    goal: u64,
    budget: &mut Budget,
    best: &mut Plan,
) {
    let mut ranks = ranks(timeline);
    let mut order: Vec<u32> = (0..timeline.items.len() as u32).collect();
    for _ in 0..rounds {
        if !budget.affords(pass(timeline.items.len())) {
            return;
        }
        order.sort_by(|&a, &b| {
            let (left, right) = (ranks[a as usize], ranks[b as usize]);
            right.total_cmp(&left).then(a.cmp(&b))
        });
        let plan = skyline::plan(timeline, layout, &order);
        for ((item, offset), rank) in timeline.items.iter().zip(&plan.offsets).zip(&mut ranks) {
            if !item.reserved && offset + item.size > goal {
                *rank *= BOOST;
            }
        }
        best.keep(settle::settle(timeline, plan));
        if best.peak <= goal {
            return;
        }
    }
}

/// What each item counts at first.
fn ranks(timeline: &Timeline) -> Vec<f64> {
    let mut before = vec![0u64];
    for hot in orders::hot(timeline) {
        before.push(before[before.len() - 1] + hot);
    }
    let rank = |item| {
        let spans = timeline.spans(item).iter();
        let hot: u64 = spans
            .map(|span| before[span.end as usize] - before[span.start as usize])
            .sum();
        hot as f64 + COLD + item.size as f64 * BYTE
    };
    timeline.items.iter().map(rank).collect()
}
