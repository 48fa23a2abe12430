//! The items that a skyline has not placed yet, and which of them goes first into a segment.
//!
//! Items stand in order of their start, in blocks; a tree over the blocks knows the best rank and the
//! least end below each node. An item fits into a segment where it starts no earlier and ends no
//! later: the items that start there are a range of blocks, and what ends too late is passed by. A
//! segment is nearly always so short that it is a few blocks, which lie in the cache since the last
//! segment was next to it.
//!
//! Source: a range minimum tree with two keys, searched best first as a priority search tree is
//! (McCreight, "Priority Search Trees", 1985).

use crate::timeline::{Span, Timeline};

/// Items of a block.
const BLOCK: usize = 16;

/// Blocks that are looked at one after the other, not through the tree.
const NEAR: usize = 4;

/// Nodes looked at for a better item once there is one: no segment may cost more, whatever overlaps.
const LOOKS: u32 = 256;

/// The rank and the end of what is not there.
const NONE: u32 = u32::MAX;

/// The first item of each section; the same for all orders.
pub struct Layout {
    first: Vec<u32>,
}

impl Layout {
    /// O(n).
    pub fn new(timeline: &Timeline) -> Self {
        let mut first = vec![timeline.items.len() as u32; timeline.sections as usize + 1];
        for (index, item) in timeline.items.iter().enumerate().rev() {
            first[item.hull.start as usize] = index as u32;
        }
        for section in (0..timeline.sections as usize).rev() {
            first[section] = first[section].min(first[section + 1]);
        }
        Layout { first }
    }
}

/// Of the items below a node the best rank and the least end.
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
struct Best {
    rank: u32,
    item: u32,
}

/// The items not placed yet.
pub struct Waiting<'a> {
    layout: &'a Layout,
    /// Rank and end of each item of each block; the last block may have some that are not there.
    ranks: Vec<[u32; BLOCK]>,
    ends: Vec<[u32; BLOCK]>,
    /// Node 1 is the root; the leaves, one a block, are the last half.
    nodes: Vec<Node>,
    count: usize,
    stack: Vec<(u32, u32)>,
}

impl<'a> Waiting<'a> {
    /// All items but the fixed ones; their rank is their place in `order`.
    pub fn new(timeline: &Timeline, layout: &'a Layout, order: &[u32]) -> Self {
        let absent = Node {
            rank: NONE,
            end: NONE,
        };
        let blocks = timeline.items.len().div_ceil(BLOCK);
        let leaves = blocks.next_power_of_two();
        let mut waiting = Waiting {
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
                waiting.ranks[block][place] = rank;
                waiting.ends[block][place] = subject.hull.end;
                waiting.count += 1;
            }
        }
        for block in 0..blocks {
            waiting.nodes[leaves + block] = waiting.block(block);
        }
        for node in (1..leaves).rev() {
            waiting.nodes[node] = waiting.nodes[2 * node].join(waiting.nodes[2 * node + 1]);
        }
        waiting
    }

    /// Whether all are placed.
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

    /// Removes and returns the item of least rank among those that live within `segment` from
    /// start to end.
    pub fn take_best_within(&mut self, segment: Span) -> Option<usize> {
        let low = self.layout.first[segment.start as usize] as usize;
        let high = self.layout.first[segment.end as usize] as usize;
        if low >= high {
            return None;
        }
        let mut best = Best {
            rank: NONE,
            item: NONE,
        };
        let (first, last) = (low / BLOCK, (high - 1) / BLOCK);
        if last - first < NEAR {
            for block in first..=last {
                self.look_at(block, low..high, segment.end, &mut best);
            }
        } else {
            self.look_at(first, low..high, segment.end, &mut best);
            self.look_at(last, low..high, segment.end, &mut best);
            self.look_between(first + 1, last, segment.end, &mut best);
        }
        if best.item == NONE {
            return None;
        }
        self.remove(best.item as usize);
        Some(best.item as usize)
    }

    /// Looks at the items of one block that are in `range`.
    fn look_at(&self, block: usize, range: std::ops::Range<usize>, end: u32, best: &mut Best) {
        let node = self.nodes[self.leaves() + block];
        if node.rank >= best.rank || node.end > end {
            return;
        }
        let (ranks, ends) = (&self.ranks[block], &self.ends[block]);
        let low = range.start.saturating_sub(block * BLOCK);
        let high = range.end - block * BLOCK;
        // Without branches: the compiler makes vectors of it.
        let mut fitting = [NONE; BLOCK];
        for place in 0..BLOCK {
            let fits = (ends[place] <= end) & (place >= low) & (place < high);
            fitting[place] = if fits { ranks[place] } else { NONE };
        }
        let rank = fitting.iter().fold(NONE, |a, &b| a.min(b));
        if rank < best.rank
            && let Some(place) = fitting.iter().position(|&other| other == rank)
        {
            *best = Best {
                rank,
                item: (block * BLOCK + place) as u32,
            };
        }
    }

    /// Looks at the blocks from `first` up to but not including `last`, the best node first.
    fn look_between(&mut self, first: usize, last: usize, end: u32, best: &mut Best) {
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
                self.look_at(index - leaves, 0..usize::MAX, end, best);
                continue;
            }
            // The better child is looked at first: it is pushed last.
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
        let layout = Layout::new(&timeline);
        let mut waiting = Waiting::new(&timeline, &layout, &[0, 2, 3, 1, 4]);
        let within = |item: usize| timeline.items[item].hull;
        assert_eq!(waiting.take_best_within(within(2)), Some(2));
        assert_eq!(waiting.take_best_within(within(2)), Some(3));
        assert_eq!(waiting.take_best_within(within(2)), None);
        for expected in [0, 1, 4] {
            assert!(!waiting.is_empty());
            assert_eq!(waiting.take_best_within(within(0)), Some(expected));
        }
        assert!(waiting.is_empty());
    }

    #[test]
    fn the_tree_finds_what_a_look_at_all_items_finds() {
        let count = 500;
        let random = |index: u64| index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let timeline = timeline((0..count).map(|index| {
            let start = random(index) % 997;
            (start, start + 1 + random(index + count) % 97)
        }));
        let layout = Layout::new(&timeline);
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&item| random(u64::from(item) + 7 * count));
        let mut waiting = Waiting::new(&timeline, &layout, &order);
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
            assert_eq!(waiting.take_best_within(segment), expected);
        }
    }
}
