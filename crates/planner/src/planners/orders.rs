//! Placement orders of items. Sorts are stable: equals stay in program order.

use super::Plan;
use crate::timeline::{Item, Span, Timeline};
use std::cmp::Reverse;

/// A section with at least this part of the load, in percent, is hot.
const HOT: u128 = 97;

/// By decreasing size.
pub fn by_size(timeline: &Timeline) -> Vec<u32> {
    sorted(timeline, |item| Reverse(item.size))
}

/// By decreasing size times time. Time is counted in sections, so that time without a start has no
/// weight.
pub fn by_area(timeline: &Timeline) -> Vec<u32> {
    sorted(timeline, |item| {
        Reverse(u128::from(item.size) * u128::from(time(timeline, item)))
    })
}

/// By decreasing bytes of the items that conflict with the item, including its own, then by size.
/// An item that conflicts again after a hole counts again.
pub fn by_conflicts(timeline: &Timeline) -> Vec<u32> {
    // A span conflicts with all spans that start before it ends, except those that end before it
    // starts.
    let mut starting = vec![0u128; timeline.sections as usize + 1];
    let mut ending = starting.clone();
    for item in &timeline.items {
        for span in timeline.spans(item) {
            starting[span.start as usize + 1] += u128::from(item.size);
            ending[span.end as usize] += u128::from(item.size);
        }
    }
    for section in 1..starting.len() {
        starting[section] += starting[section - 1];
        ending[section] += ending[section - 1];
    }
    sorted(timeline, |item| {
        let spans = timeline.spans(item);
        let met = |span: &Span| starting[span.end as usize] - ending[span.start as usize];
        let again = u128::from(item.size) * (spans.len() as u128 - 1);
        Reverse((spans.iter().map(met).sum::<u128>() - again, item.size))
    })
}

/// By decreasing time, then by size.
pub fn by_time(timeline: &Timeline) -> Vec<u32> {
    sorted(timeline, |item| Reverse((time(timeline, item), item.size)))
}

/// By decreasing time in the sections whose load is nearly the largest, then by size: items that
/// determine the peak go first.
pub fn by_hot_time(timeline: &Timeline) -> Vec<u32> {
    by_weight(timeline, &hot(timeline))
}

/// For each section 1 if its load is nearly the largest, else 0.
pub fn hot(timeline: &Timeline) -> Vec<u64> {
    let loads = timeline.sums(|_, item| item.size);
    let most = u128::from(loads.iter().copied().max().unwrap_or(0));
    loads
        .into_iter()
        .map(|load| u64::from(u128::from(load) * 100 >= most * HOT))
        .collect()
}

/// The weight of the fullest section.
const FULL: u64 = 1 << 32;

/// By decreasing time in sections, weighted by how full they are, then by size.
pub fn by_heat(timeline: &Timeline, squarings: u32) -> Vec<u32> {
    by_weight(timeline, &heat(timeline, squarings))
}

/// The load of each section relative to the largest, squared `squarings` times: fuller sections
/// weigh more.
fn heat(timeline: &Timeline, squarings: u32) -> Vec<u64> {
    let loads = timeline.sums(|_, item| item.size);
    let most = u128::from(loads.iter().copied().max().unwrap_or(0).max(1));
    let full = u128::from(FULL);
    let part = |load: u64| {
        let part = u128::from(load) * full / most;
        (0..squarings).fold(part, |part, _| part * part / full) as u64
    };
    loads.into_iter().map(part).collect()
}

/// By decreasing sum of the weights of the item's sections, then by size.
pub fn by_weight(timeline: &Timeline, weights: &[u64]) -> Vec<u32> {
    let mut before = vec![0u64];
    for weight in weights {
        before.push(before[before.len() - 1] + weight);
    }
    sorted(timeline, |item| {
        let spans = timeline.spans(item).iter();
        let weight: u64 = spans
            .map(|span| before[span.end as usize] - before[span.start as usize])
            .sum();
        Reverse((weight, item.size))
    })
}

/// Forward in time: by the item's first section, then the largest first.
pub fn forward(timeline: &Timeline) -> Vec<u32> {
    sorted(timeline, |item| (item.hull.start, Reverse(item.size)))
}

/// Backward in time: by the item's last section, then the largest first.
pub fn backward(timeline: &Timeline) -> Vec<u32> {
    sorted(timeline, |item| Reverse((item.hull.end, item.size)))
}

/// From bottom to top of `plan`. Placed in this order, no item lies higher than in `plan`.
pub fn by_offset(plan: &Plan) -> Vec<u32> {
    let mut order: Vec<u32> = (0..plan.offsets.len() as u32).collect();
    order.sort_by_key(|&item| plan.offsets[item as usize]);
    order
}

/// The number of sections in which the item is live.
fn time(timeline: &Timeline, item: &Item) -> u64 {
    timeline
        .spans(item)
        .iter()
        .map(|span| u64::from(span.end - span.start))
        .sum()
}

fn sorted<K: Ord>(timeline: &Timeline, key: impl Fn(&Item) -> K) -> Vec<u32> {
    let mut order: Vec<u32> = (0..timeline.items.len() as u32).collect();
    order.sort_by_cached_key(|&item| key(&timeline.items[item as usize]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Problem};

    #[test]
    fn conflicts_count_bytes() {
        let buffers = vec![
            Buffer::new(0, 50, [(0, 2)]),
            Buffer::new(1, 10, [(1, 4)]),
            Buffer::new(2, 30, [(2, 4), (5, 6)]),
            Buffer::new(3, 30, [(5, 6)]),
        ];
        let timeline = Timeline::new(&Problem::new(buffers).expect("valid"));
        // 60, 90, 70 and 60 bytes.
        assert_eq!(by_conflicts(&timeline), [1, 2, 0, 3]);
    }
}
