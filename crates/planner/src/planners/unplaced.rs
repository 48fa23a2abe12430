//! The items that a skyline has not placed yet, and the search for the best item in a segment.
//!
//! Items are stored in order of their starts, in blocks. A tree over the blocks has the best rank
//! and the least end below each node. An item fits into a segment if it starts no earlier and ends
//! no later. The items that start in the segment are a range of blocks, and items that end too late
//! are skipped. A segment usually covers a few blocks. They are in the cache, since the previous
//! segment was nearby.
//!
//! Source: a range minimum tree with two keys, searched best first as a priority search tree is
//! (McCreight, "Priority Search Trees", 1985).

use crate::timeline::{Span, Timeline};

/// The number of items of a block.
const BLOCK: usize = 16;

/// The most blocks that are searched linearly instead of by the tree.
const NEAR: usize = 4;

/// The most nodes searched for a better item once one is found. It bounds the cost of a segment for
/// any overlaps.
const LOOKS: u32 = 256;

/// The rank and the end of an absent item.
const NONE: u32 = u32::MAX;

/// The first item of each section; the same for all orders.
pub struct FirstItems {
    first: Vec<u32>,
}

impl FirstItems {
    /// O(n).
    pub fn new(timeline: &Timeline) -> Self {
        let mut first = vec![timeline.items.len() as u32; timeline.sections as usize + 1];
        for (index, item) in timeline.items.iter().enumerate().rev() {
            first[item.hull.start as usize] = index as u32;
        }
        for section in (0..timeline.sections as usize).rev() {
            first[section] = first[section].min(first[section + 1]);
        }
        FirstItems { first }
    }
}

/// The best rank and the least end of the items below a node.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    rank: u32,
    end: u32,
}

impl Node {
    fn join(self, other: Node) -> Node {
        Node {
            rank: self.rank.min(other.rank),
            end: self.end.min(other.end),
        }
    }
}

/// The best item so far.
#[derive(Clone, Copy)]
struct BestItem {
    rank: u32,
    item: u32,
}

/// The unplaced items.
pub struct Unplaced<'a> {
    layout: &'a FirstItems,
    /// Rank and end of each item of each block; the last block may have absent items.
    ranks: Vec<[u32; BLOCK]>,
    ends: Vec<[u32; BLOCK]>,
    /// Node 1 is the root; the leaves, one for each block, are the second half.
    nodes: Vec<Node>,
    count: usize,
    stack: Vec<(u32, u32)>,
}

impl<'a> Unplaced<'a> {
    /// All items except the fixed ones. The rank of an item is its position in `order`.
    pub fn new(timeline: &Timeline, layout: &'a FirstItems, order: &[u32]) -> Self {
        let absent = Node {
            rank: NONE,
            end: NONE,
        };
        let blocks = timeline.items.len().div_ceil(BLOCK);
        let leaves = blocks.next_power_of_two();
        let mut unplaced = Unplaced {
            layout,
            ranks: vec![[NONE; BLOCK]; blocks],
            ends: vec![[NONE; BLOCK]; blocks],
            nodes: vec![absent; 2 * leaves],
            count: 0,
            stack: Vec::new(),
        };
        for (rank, &item) in (0u32..).zip(order) {
            let subject = &timeline.items[item as usize];
            if subject.fixed.is_none() {
                let (block, place) = (item as usize / BLOCK, item as usize % BLOCK);
                unplaced.ranks[block][place] = rank;
                unplaced.ends[block][place] = subject.hull.end;
                unplaced.count += 1;
            }
        }
        for block in 0..blocks {
            unplaced.nodes[leaves + block] = unplaced.block(block);
        }
        for node in (1..leaves).rev() {
            unplaced.nodes[node] = unplaced.nodes[2 * node].join(unplaced.nodes[2 * node + 1]);
        }
        unplaced
    }

    /// Whether all items are placed.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn leaves(&self) -> usize {
        self.nodes.len() / 2
    }

    fn block(&self, block: usize) -> Node {
        let least = |values: &[u32; BLOCK]| values.iter().fold(NONE, |a, &b| a.min(b));
        Node {
            rank: least(&self.ranks[block]),
            end: least(&self.ends[block]),
        }
    }

    /// Removes and returns the item of least rank among those whose live range lies within
    /// `segment`.
    pub fn take_best_within(&mut self, segment: Span) -> Option<usize> {
        let low = self.layout.first[segment.start as usize] as usize;
        let high = self.layout.first[segment.end as usize] as usize;
        if low >= high {
            return None;
        }
        let mut best = BestItem {
            rank: NONE,
            item: NONE,
        };
        let (first, last) = (low / BLOCK, (high - 1) / BLOCK);
        if last - first < NEAR {
            for block in first..=last {
                self.search_block(block, low..high, segment.end, &mut best);
            }
        } else {
            self.search_block(first, low..high, segment.end, &mut best);
            self.search_block(last, low..high, segment.end, &mut best);
            self.search_blocks(first + 1, last, segment.end, &mut best);
        }
        if best.item == NONE {
            return None;
        }
        self.remove(best.item as usize);
        Some(best.item as usize)
    }

    /// Searches the items of one block that are in `range`.
    fn search_block(
        &self,
        block: usize,
        range: std::ops::Range<usize>,
        end: u32,
        best: &mut BestItem,
    ) {
        let node = self.nodes[self.leaves() + block];
        if node.rank >= best.rank || node.end > end {
            return;
        }
        let (ranks, ends) = (&self.ranks[block], &self.ends[block]);
        let low = range.start.saturating_sub(block * BLOCK);
        let high = range.end - block * BLOCK;
        // Without branches, so that the compiler can vectorize the loop.
        let mut fitting = [NONE; BLOCK];
        for place in 0..BLOCK {
            let fits = (ends[place] <= end) & (place >= low) & (place < high);
            fitting[place] = if fits { ranks[place] } else { NONE };
        }
        let rank = fitting.iter().fold(NONE, |a, &b| a.min(b));
        if rank < best.rank
            && let Some(place) = fitting.iter().position(|&other| other == rank)
        {
            *best = BestItem {
                rank,
                item: (block * BLOCK + place) as u32,
            };
        }
    }

    /// Searches the blocks from `first` up to but not including `last`, the best node first.
    fn search_blocks(&mut self, first: usize, last: usize, end: u32, best: &mut BestItem) {
        let leaves = self.leaves();
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        let push = |stack: &mut Vec<(u32, u32)>, node: usize| {
            stack.push((self.nodes[node].rank, node as u32));
        };
        let (mut left, mut right) = (leaves + first, leaves + last);
        while left < right {
            if left % 2 == 1 {
                push(&mut stack, left);
                left += 1;
            }
            if right % 2 == 1 {
                right -= 1;
                push(&mut stack, right);
            }
            left /= 2;
            right /= 2;
        }
        stack.sort_unstable_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        let mut looks = 0;
        while let Some((rank, index)) = stack.pop() {
            let index = index as usize;
            if rank >= best.rank || self.nodes[index].end > end {
                continue;
            }
            looks += 1;
            if looks > LOOKS && best.item != NONE {
                break;
            }
            if index >= leaves {
                self.search_block(index - leaves, 0..usize::MAX, end, best);
                continue;
            }
            // The better child is pushed last, so that it is popped first.
            let (mut worse, mut better) = (2 * index, 2 * index + 1);
            if self.nodes[worse].rank < self.nodes[better].rank {
                std::mem::swap(&mut worse, &mut better);
            }
            for child in [worse, better] {
                if self.nodes[child].end <= end {
                    push(&mut stack, child);
                }
            }
        }
        self.stack = stack;
    }

    fn remove(&mut self, item: usize) {
        let (block, place) = (item / BLOCK, item % BLOCK);
        self.ranks[block][place] = NONE;
        self.ends[block][place] = NONE;
        self.count -= 1;
        let mut index = self.leaves() + block;
        let mut node = self.block(block);
        while self.nodes[index] != node {
            self.nodes[index] = node;
            if index == 1 {
                break;
            }
            node = node.join(self.nodes[index ^ 1]);
            index /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Problem};

    fn timeline(live: impl IntoIterator<Item = (u64, u64)>) -> Timeline {
        let buffers = (0..)
            .zip(live)
            .map(|(id, live)| Buffer::new(id, 1, [live]))
            .collect();
        Timeline::new(&Problem::new(buffers).expect("valid"))
    }

    #[test]
    fn the_best_that_fits_is_taken_once() {
        let timeline = timeline([(0, 9), (1, 2), (3, 6), (4, 5), (7, 8)]);
        let layout = FirstItems::new(&timeline);
        let mut unplaced = Unplaced::new(&timeline, &layout, &[0, 2, 3, 1, 4]);
        let within = |item: usize| timeline.items[item].hull;
        assert_eq!(unplaced.take_best_within(within(2)), Some(2));
        assert_eq!(unplaced.take_best_within(within(2)), Some(3));
        assert_eq!(unplaced.take_best_within(within(2)), None);
        for expected in [0, 1, 4] {
            assert!(!unplaced.is_empty());
            assert_eq!(unplaced.take_best_within(within(0)), Some(expected));
        }
        assert!(unplaced.is_empty());
    }

    #[test]
    fn the_tree_agrees_with_a_linear_search() {
        let count = 500;
        let random = |index: u64| index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let timeline = timeline((0..count).map(|index| {
            let start = random(index) % 997;
            (start, start + 1 + random(index + count) % 97)
        }));
        let layout = FirstItems::new(&timeline);
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&item| random(u64::from(item) + 7 * count));
        let mut unplaced = Unplaced::new(&timeline, &layout, &order);
        let mut left = order.clone();
        for turn in 0..2 * count {
            let start = random(turn + 9 * count) as u32 % timeline.sections;
            let length = random(turn + 11 * count) as u32 % 300;
            let end = (start + 1 + length).min(timeline.sections);
            let segment = Span { start, end };
            let fits = |&item: &u32| {
                let hull = timeline.items[item as usize].hull;
                start <= hull.start && hull.end <= end
            };
            let expected = left.iter().position(fits);
            let expected = expected.map(|position| left.remove(position) as usize);
            assert_eq!(unplaced.take_best_within(segment), expected);
        }
    }
}
