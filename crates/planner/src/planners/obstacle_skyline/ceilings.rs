//! The obstacles above the skyline.

use super::NONE;
use super::tree::{ancestors, nodes};
use crate::timeline::Span;

/// Bytes that are taken in some sections.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle {
    pub bottom: u64,
    pub top: u64,
    pub span: Span,
}

/// The obstacles above the skyline, numbered by rank from below.
pub struct Ceilings {
    obstacles: Vec<Obstacle>,
    leaves: usize,
    /// For each node the obstacles over all its sections but not over all sections of its parent,
    /// the lowest last.
    over: Vec<Vec<u32>>,
    /// For each node the lowest obstacle of its list.
    first: Vec<u32>,
    /// For each node the lowest obstacle over any of its sections that no ancestor lists.
    lowest: Vec<u32>,
}

impl Ceilings {
    pub fn new(sections: u32, mut obstacles: Vec<Obstacle>) -> Self {
        obstacles.sort_unstable_by_key(|obstacle| (obstacle.bottom, obstacle.span));
        let leaves = (sections as usize).next_power_of_two();
        let mut over = vec![Vec::new(); 2 * leaves];
        for (rank, obstacle) in obstacles.iter().enumerate().rev() {
            for node in nodes(leaves, obstacle.span) {
                over[node].push(rank as u32);
            }
        }
        let mut ceilings = Ceilings {
            obstacles,
            leaves,
            over,
            first: vec![NONE; 2 * leaves],
            lowest: vec![NONE; 2 * leaves],
        };
        for node in (1..2 * leaves).rev() {
            ceilings.find_lowest(node);
        }
        ceilings
    }

    /// Recomputes the lowest obstacles of a node.
    fn find_lowest(&mut self, node: usize) {
        let below = |child: usize| self.lowest.get(child).copied().unwrap_or(NONE);
        let first = self.over[node].last().copied().unwrap_or(NONE);
        self.lowest[node] = first.min(below(2 * node)).min(below(2 * node + 1));
        self.first[node] = first;
    }

    /// The lowest obstacle over any section of `span`.
    pub fn over(&self, span: Span) -> Option<Obstacle> {
        let mut rank = NONE;
        for node in nodes(self.leaves, span) {
            rank = rank.min(self.lowest[node]);
        }
        // Obstacles over an ancestor of one of these nodes are over the first section or the last.
        for section in [span.start, span.end - 1] {
            for above in ancestors(self.leaves + section as usize) {
                rank = rank.min(self.first[above]);
            }
        }
        self.obstacles.get(rank as usize).copied()
    }

    /// Removes an obstacle that is the lowest over its sections.
    pub fn remove_lowest(&mut self, obstacle: Obstacle) {
        for node in nodes(self.leaves, obstacle.span) {
            self.over[node].pop();
            for changed in std::iter::once(node).chain(ancestors(node)) {
                self.find_lowest(changed);
            }
        }
    }
}
