//! The items that are not placed yet.

use super::tree::nodes;
use super::{NONE, align_up};
use crate::timeline::{Span, Timeline};

/// The items that are not placed yet, in a tree over their starts.
pub struct Unplaced<'a> {
    timeline: &'a Timeline,
    /// The items by rank.
    order: Vec<u32>,
    /// The first item that starts in each section or after it.
    first: Vec<u32>,
    leaves: usize,
    nodes: Vec<Node>,
    stack: Vec<u32>,
}

/// The best rank, the least end and the least size of the items below a node.
#[derive(Clone, Copy)]
struct Node {
    rank: u32,
    end: u32,
    size: u64,
}

/// A node without items.
const EMPTY: Node = Node {
    rank: NONE,
    end: NONE,
    size: u64::MAX,
};

impl Node {
    fn join(self, other: Node) -> Node {
        Node {
            rank: self.rank.min(other.rank),
            end: self.end.min(other.end),
            size: self.size.min(other.size),
        }
    }
}

impl<'a> Unplaced<'a> {
    pub fn new(timeline: &'a Timeline, order: impl Iterator<Item = u32>) -> Self {
        let order: Vec<u32> = order.collect();
        let leaves = timeline.items.len().next_power_of_two();
        let mut nodes = vec![EMPTY; 2 * leaves];
        for (rank, &index) in (0u32..).zip(&order) {
            let item = &timeline.items[index as usize];
            nodes[leaves + index as usize] = Node {
                rank,
                end: item.hull.end,
                size: item.size,
            };
        }
        for node in (1..leaves).rev() {
            nodes[node] = nodes[2 * node].join(nodes[2 * node + 1]);
        }
        let mut first = vec![timeline.items.len() as u32; timeline.sections as usize + 1];
        for (index, item) in timeline.items.iter().enumerate().rev() {
            first[item.hull.start as usize] = index as u32;
        }
        for section in (0..timeline.sections as usize).rev() {
            first[section] = first[section].min(first[section + 1]);
        }
        Unplaced {
            timeline,
            order,
            first,
            leaves,
            nodes,
            stack: Vec::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.nodes[1].rank == NONE
    }

    /// Removes the item of least rank among those that live within `span` and fit between `height`
    /// and `top`. Returns it and its offset.
    pub fn take_best(&mut self, span: Span, height: u64, top: u64) -> Option<(u32, u64)> {
        let room = top - height;
        let mut best = NONE;
        let mut offset = 0;
        let range = Span {
            start: self.first[span.start as usize],
            end: self.first[span.end as usize],
        };
        let mut stack = std::mem::take(&mut self.stack);
        stack.extend(nodes(self.leaves, range).map(|node| node as u32));
        while let Some(node) = stack.pop() {
            let Node { rank, end, size } = self.nodes[node as usize];
            if rank >= best || end > span.end || size > room {
                continue;
            }
            if node as usize >= self.leaves {
                let item = &self.timeline.items[self.order[rank as usize] as usize];
                let aligned = align_up(height, item.alignment);
                if aligned <= top && item.size <= top - aligned {
                    (best, offset) = (rank, aligned);
                }
                continue;
            }
            // The better child is pushed last, so that it is popped first.
            let children = [2 * node, 2 * node + 1];
            let ranks = children.map(|child| self.nodes[child as usize].rank);
            let swap = usize::from(ranks[0] < ranks[1]);
            stack.extend([children[swap], children[1 - swap]]);
        }
        self.stack = stack;
        let &index = self.order.get(best as usize)?;
        self.remove(index);
        Some((index, offset))
    }

    fn remove(&mut self, index: u32) {
        let mut node = self.leaves + index as usize;
        self.nodes[node] = EMPTY;
        while node > 1 {
            node /= 2;
            self.nodes[node] = self.nodes[2 * node].join(self.nodes[2 * node + 1]);
        }
    }
}
