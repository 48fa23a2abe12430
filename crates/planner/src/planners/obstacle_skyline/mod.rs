//! Skyline placement around items whose offsets are given.
//!
//! Items with an offset are *obstacles*: bytes that are taken for a range of sections. The other
//! items go between and above them from the bottom up, as in `skyline`. The lowest segment takes
//! the first item, in the given order, whose live range lies within the segment and that ends below
//! the obstacles over its live range. If there is none, the segment is closed. It rises to its
//! lower neighbour or to the lowest obstacle, which then stands on it. Closed segments are searched
//! again only after they became wider, so there are few searches.
//!
//! An item that does not fit below the lowest obstacle over a segment must be live only before or
//! only after it. So the search continues in these two parts.

mod ceilings;
mod segments;
mod tree;
mod unplaced;

use super::{Plan, align_up};
use crate::timeline::{Item, Span, Timeline};
use ceilings::{Ceilings, Obstacle};
use segments::Segments;
use unplaced::Unplaced;

/// The rank of an absent obstacle or item.
const NONE: u32 = u32::MAX;

/// Places all items that have no offset in `given` and no fixed one. Of the items that fit, the
/// first in `order` goes first. Items that have an offset must not conflict.
pub fn plan(timeline: &Timeline, given: &[Option<u64>], order: &[u32]) -> Plan {
    let placed = |index: usize, item: &Item| item.fixed.or(given[index]);
    let mut offsets = Vec::with_capacity(timeline.items.len());
    let mut obstacles = Vec::new();
    for (index, item) in timeline.items.iter().enumerate() {
        let offset = placed(index, item);
        offsets.push(offset.unwrap_or(0));
        if let Some(bottom) = offset {
            let top = bottom + item.size;
            let spans = timeline.spans(item).iter();
            obstacles.extend(spans.map(|&span| Obstacle { bottom, top, span }));
        }
    }
    let mut ceilings = Ceilings::new(timeline.sections, obstacles);
    let loose = order.iter().copied().filter(|&index| {
        let index = index as usize;
        placed(index, &timeline.items[index]).is_none()
    });
    let mut unplaced = Unplaced::new(timeline, loose);
    if unplaced.is_empty() {
        return Plan::new(timeline, offsets, "around");
    }
    let mut skyline = Segments::new(timeline.sections);
    while !unplaced.is_empty() {
        let Some((span, segment)) = skyline.lowest() else {
            break;
        };
        let ceiling = ceilings.over(span);
        if let Some(obstacle) = ceiling.filter(|obstacle| obstacle.bottom <= segment.height) {
            ceilings.remove_lowest(obstacle);
            skyline.fill(span, obstacle.span, obstacle.top);
            continue;
        }
        let best = match segment.closed {
            true => None,
            false => fitting(&mut unplaced, &ceilings, span, segment.height),
        };
        match best {
            Some((index, offset)) => {
                let item = &timeline.items[index as usize];
                offsets[index as usize] = offset;
                skyline.fill(span, item.hull, offset + item.size);
            }
            None => skyline.rise(span, ceiling.map(|obstacle| obstacle.bottom)),
        }
    }
    Plan::new(timeline, offsets, "around")
}

/// Removes an item that fits at `height`, or a little above for its alignment. Returns it with its
/// offset.
fn fitting(
    unplaced: &mut Unplaced<'_>,
    ceilings: &Ceilings,
    span: Span,
    height: u64,
) -> Option<(u32, u64)> {
    let mut parts = vec![span];
    while let Some(part) = parts.pop() {
        let ceiling = ceilings.over(part);
        let top = ceiling.map_or(u64::MAX, |obstacle| obstacle.bottom);
        let found = unplaced.take_best(part, height, top);
        if found.is_some() {
            return found;
        }
        if let Some(Obstacle { span, .. }) = ceiling {
            let left = Span {
                start: part.start,
                end: span.start,
            };
            let right = Span {
                start: span.end,
                end: part.end,
            };
            parts.extend(
                [right, left]
                    .into_iter()
                    .filter(|part| part.start < part.end),
            );
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{by_size, orders};
    use super::*;
    use crate::validate::validate;
    use crate::{Buffer, Forbidden, Problem, Solution};

    fn in_program_order(timeline: &Timeline) -> Vec<u32> {
        (0..timeline.items.len() as u32).collect()
    }

    #[test]
    fn items_go_below_between_and_above_given_ones() {
        let buffers = vec![
            Buffer::new(0, 10, [(0, 4)]), // given at 8
            Buffer::new(1, 10, [(2, 6)]), // given at 30
            Buffer::new(2, 8, [(0, 9)]),
            Buffer::new(3, 12, [(1, 3)]),
            Buffer::new(4, 13, [(3, 4)]),
            Buffer::new(5, 22, [(5, 9)]),
        ];
        let timeline = Timeline::new(&Problem::new(buffers).expect("valid"));
        let position = |buffer: u32| {
            let found = timeline.items.iter().position(|item| item.buffer == buffer);
            found.expect("all are live")
        };
        let mut given = vec![None; 6];
        given[position(0)] = Some(8);
        given[position(1)] = Some(30);
        let plan = plan(&timeline, &given, &in_program_order(&timeline));
        let offsets: Vec<u64> = (0..6)
            .map(|buffer| plan.offsets[position(buffer)])
            .collect();
        assert_eq!(offsets, [8, 30, 0, 18, 40, 8]);
    }

    #[test]
    fn no_byte_is_used_twice_for_any_given_offsets() {
        let random = |index: u64| index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        for turn in 0..300u64 {
            let number = |index: u64, below: u64| random(index + 1000 * turn) % below;
            let buffers = (0..40).map(|id| {
                let start = number(id, 50);
                let end = start + 1 + number(id + 100, 20);
                let size = 1 + number(id + 200, 60);
                let again = (end + 3, end + 3 + number(id + 300, 9));
                let live = [(start, end), again];
                let spans = if turn % 3 == 0 && again.1 > again.0 {
                    2
                } else {
                    1
                };
                Buffer::new(id, size, live.into_iter().take(spans))
                    .aligned(1 << number(id + 400, 1 + turn % 5))
            });
            let mut problem = Problem::new(buffers.collect()).expect("valid");
            if turn % 4 == 0 {
                problem = problem
                    .with_forbidden(Forbidden::new(60, 90))
                    .with_forbidden(Forbidden::new(100, 130).during(10, 30));
            }
            let timeline = Timeline::new(&problem);
            let first = by_size::plan(&timeline, None);
            let given = |index: u64| number(index + 500, 4) < turn % 4;
            let given: Vec<Option<u64>> = (0u64..)
                .zip(&first.offsets)
                .map(|(index, &offset)| given(index).then_some(offset))
                .collect();
            let plan = plan(&timeline, &given, &orders::by_size(&timeline));
            let mut offsets = vec![0; problem.buffers.len()];
            for (index, item) in timeline.items.iter().enumerate() {
                if !item.reserved {
                    offsets[item.buffer as usize] = plan.offsets[index];
                }
                if let Some(offset) = given[index] {
                    assert_eq!(plan.offsets[index], offset);
                }
            }
            let solution = Solution::new(&problem, offsets);
            assert_eq!(validate(&problem, &solution), Ok(()), "turn {turn}");
        }
    }
}
