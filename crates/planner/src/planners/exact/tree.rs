//! The refutation that a search leaves behind, as it grows.

use super::model::Model;
use crate::certificate::{Node, Refutation};
use crate::timeline::Timeline;

/// More nodes than this are not kept: 1 GB.
const MOST_NODES: usize = 1 << 27;

/// Nodes in postorder: *at*, *raised*, branch. Read backwards they are a [`Refutation`].
///
/// What a search drops, because a conflict does not depend on it, is cut out again.
#[derive(Default)]
pub struct Tree {
    /// A branch on an item, or with the highest bit a leaf in a section.
    nodes: Vec<u32>,
    /// Nodes were lost.
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

    /// Takes out the nodes from `start` to `end`.
    pub fn cut(&mut self, start: usize, end: usize) {
        self.nodes.drain(start..end);
    }

    /// The proof, for a tree that is whole.
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
