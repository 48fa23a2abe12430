//! What stands over the skyline.

use super::NONE;
use super::tree::{ancestors, nodes};
use crate::timeline::Span;

/// Bytes that are taken for some sections.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle {
    pub bottom: u64,
    pub top: u64,
    pub span: Span,
}

/// The obstacles that the skyline has not reached. Obstacles are known by their rank from below.
pub struct Ceilings {
    obstacles: Vec<Obstacle>,
    leaves: usize,
    /// The obstacles over all sections of a node but not of its parent, the lowest last.
    over: Vec<Vec<u32>>,
    /// The lowest of these.
    first: Vec<u32>,
    /// The lowest obstacle over any section of a node that its ancestors do not list.
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

    /// Looks again at what is listed at a node.
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
        // What is above one of these nodes is above the first section or the last.
        for section in [span.start, span.end - 1] {
            for above in ancestors(self.leaves + section as usize) {
                rank = rank.min(self.first[above]);
            }
        }
        self.obstacles.get(rank as usize).copied()
    }

    /// Forgets an obstacle, one of the lowest there are.
    pub fn remove_lowest(&mut self, obstacle: Obstacle) {
        for node in nodes(self.leaves, obstacle.span) {
            self.over[node].pop();
            for changed in std::iter::once(node).chain(ancestors(node)) {
                self.find_lowest(changed);
            }
        }
    }
}
