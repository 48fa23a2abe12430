//! The items that a skyline has not placed yet, and which of them fits best into a segment.
//!
//! An item is a point in the plane: the first section of its life, and the last. It fits where it
//! starts no earlier and ends no later than the segment, a quarter of the plane. The points are
//! leaves of a k-d tree (Bentley, "Multidimensional binary search trees used for associative
//! searching", 1975), whose nodes know the best rank below them and the box of the points that are
//! left. A quarter of the plane cuts at most O(sqrt n) boxes; those inside answer at once.

use crate::timeline::{Span, Timeline};

/// Which leaf an item has; the same for all orders.
pub struct Layout {
    leaf: Vec<u32>,
}

impl Layout {
    /// Divides the items at the median, by start and by end in turn. O(n log n).
    pub fn new(timeline: &Timeline) -> Self {
        let mut items: Vec<u32> = (0..timeline.items.len() as u32).collect();
        let leaves = items.len().next_power_of_two();
        divide(timeline, &mut items, leaves, true);
        let mut leaf = vec![0; items.len()];
        for (position, &item) in (0..).zip(&items) {
            leaf[item as usize] = position;
        }
        Layout { leaf }
    }
}

/// Sorts `items`, which have `leaves` leaves, into the left and the right half of these.
fn divide(timeline: &Timeline, items: &mut [u32], leaves: usize, by_start: bool) {
    let half = leaves / 2;
    if half == 0 || items.is_empty() {
        return;
    }
    if items.len() > half {
        items.select_nth_unstable_by_key(half, |&item| {
            let hull = timeline.items[item as usize].hull;
            (if by_start { hull.start } else { hull.end }, item)
        });
    }
    let (left, right) = items.split_at_mut(half.min(items.len()));
    divide(timeline, left, half, !by_start);
    divide(timeline, right, half, !by_start);
}

/// The best rank below a node of the tree, and the box of starts and ends.
#[derive(Clone, Copy)]
struct Node {
    rank: u32,
    starts: (u32, u32),
    ends: (u32, u32),
}

/// The rank of what is not there.
const NONE: u32 = u32::MAX;

/// A node without items.
const EMPTY: Node = Node {
    rank: NONE,
    starts: (u32::MAX, 0),
    ends: (u32::MAX, 0),
};

impl Node {
    fn join(self, other: Node) -> Node {
        let span = |a: (u32, u32), b: (u32, u32)| (a.0.min(b.0), a.1.max(b.1));
        Node {
            rank: self.rank.min(other.rank),
            starts: span(self.starts, other.starts),
            ends: span(self.ends, other.ends),
        }
    }
}

/// The items not placed yet.
pub struct Waiting<'a> {
    layout: &'a Layout,
    order: &'a [u32],
    /// Node 1 is the root; the leaves are the last half.
    nodes: Vec<Node>,
    stack: Vec<u32>,
}

impl<'a> Waiting<'a> {
    /// All items but the fixed ones; their rank is their place in `order`.
    pub fn new(timeline: &Timeline, layout: &'a Layout, order: &'a [u32]) -> Self {
        let leaves = timeline.items.len().next_power_of_two();
        let mut nodes = vec![EMPTY; 2 * leaves];
        for (rank, &item) in (0u32..).zip(order) {
            let subject = &timeline.items[item as usize];
            if subject.fixed.is_none() {
                let Span { start, end } = subject.hull;
                nodes[leaves + layout.leaf[item as usize] as usize] = Node {
                    rank,
                    starts: (start, start),
                    ends: (end, end),
                };
            }
        }
        for node in (1..leaves).rev() {
            nodes[node] = nodes[2 * node].join(nodes[2 * node + 1]);
        }
        Waiting {
            layout,
            order,
            nodes,
            stack: Vec::new(),
        }
    }

    /// Whether all are placed.
    pub fn is_empty(&self) -> bool {
        self.nodes[1].rank == NONE
    }

    /// Removes and returns the item of least rank among those that live within `segment` from
    /// start to end.
    pub fn take_best_within(&mut self, segment: Span) -> Option<usize> {
        let mut best = NONE;
        self.stack.clear();
        self.stack.push(1);
        while let Some(index) = self.stack.pop() {
            let node = self.nodes[index as usize];
            if node.rank >= best || node.ends.0 > segment.end || node.starts.1 < segment.start {
                continue;
            }
            if node.starts.0 >= segment.start && node.ends.1 <= segment.end {
                best = node.rank;
                continue;
            }
            // The better child is looked at first: it is pushed last.
            let (left, right) = (2 * index, 2 * index + 1);
            if self.nodes[left as usize].rank < self.nodes[right as usize].rank {
                self.stack.extend([right, left]);
            } else {
                self.stack.extend([left, right]);
            }
        }
        if best == NONE {
            return None;
        }
        let item = self.order[best as usize] as usize;
        self.remove(item);
        Some(item)
    }

    fn remove(&mut self, item: usize) {
        let mut node = self.nodes.len() / 2 + self.layout.leaf[item] as usize;
        self.nodes[node] = EMPTY;
        while node > 1 {
            node /= 2;
            self.nodes[node] = self.nodes[2 * node].join(self.nodes[2 * node + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Problem};

    #[test]
    fn the_best_that_fits_is_taken_once() {
        let live = [(0, 9), (1, 2), (3, 6), (4, 5), (7, 8)];
        let buffers = (0..)
            .zip(live)
            .map(|(id, live)| Buffer::new(id, 1, [live]))
            .collect();
        let timeline = Timeline::new(&Problem::new(buffers).expect("valid"));
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
}
