//! Records the refutation during a search.

use super::model::Model;
use crate::certificate::{Node, Refutation};
use crate::timeline::Timeline;

/// The most nodes: 1 GB.
const MOST_NODES: usize = 1 << 27;

/// Nodes in postorder: *at*, *raised*, branch. In reverse they are a [`Refutation`].
///
/// Subtrees that a conflict does not depend on are removed.
#[derive(Default)]
pub struct Tree {
    /// A branch on an item, or, with the highest bit set, a leaf in a section.
    nodes: Vec<u32>,
    /// Whether nodes were dropped.
    overflow: bool,
}

const LEAF: u32 = 1 << 31;

impl Tree {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.overflow = false;
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn leaf(&mut self, section: u32) {
        self.push(section | LEAF);
    }

    pub fn branch(&mut self, item: u32) {
        self.push(item);
    }

    fn push(&mut self, node: u32) {
        if self.nodes.len() < MOST_NODES {
            self.nodes.push(node);
        } else {
            self.overflow = true;
        }
    }

    /// Removes the nodes from `start` to `end`.
    pub fn cut(&mut self, start: usize, end: usize) {
        self.nodes.drain(start..end);
    }

    /// The proof; `None` if nodes were dropped.
    pub fn refutation(&self, timeline: &Timeline, model: &Model) -> Option<Refutation> {
        if self.overflow {
            return None;
        }
        let node = |&node: &u32| match node & LEAF {
            0 => Node::Branch(timeline.items[model.items[node as usize] as usize].buffer),
            _ => Node::Leaf(node & !LEAF),
        };
        Some(Refutation {
            times: timeline.times.clone(),
            nodes: self.nodes.iter().rev().map(node).collect(),
            ..Refutation::default()
        })
    }
}
