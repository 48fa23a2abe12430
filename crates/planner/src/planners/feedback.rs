//! Feedback skylines: an item that ends too high is placed earlier in the next skyline.
//!
//! The rank of an item is the time that it is live in hot sections, as in the order `by_hot_time`,
//! times a boost. After each skyline the boosts of all items that end above the goal grow. On
//! networks a few rounds leave a handful of such items, or none.
//!
//! Source: "squeaky wheel" optimization (Joslin and Clements, 1999), with skylines for its
//! construction.

use super::budget::{Budget, pass};
use super::unplaced::FirstItems;
use super::{Plan, compaction, orders, skyline};
use crate::timeline::Timeline;

/// The boost of an item that ended too high.
const BOOST: f64 = 8.0;

/// The rank of an item that is live in no hot section, before its size.
const COLD: f64 = 1e-3;

/// The rank of a byte relative to a section: enough to order items of the same time.
const BYTE: f64 = 1e-12;

/// Builds up to `rounds` skylines within the budget, and keeps the best of these and `best`.
pub fn improve(
    timeline: &Timeline,
    layout: &FirstItems,
    rounds: usize,
    goal: u64,
    budget: &mut Budget<'_>,
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
        best.keep_better(compaction::compact(timeline, plan));
        if best.peak <= goal {
            return;
        }
    }
}

/// The initial rank of each item.
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
