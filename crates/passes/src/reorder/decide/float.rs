//! Operations without a need: one that only defines values is placed directly before the first operation that
//! depends on it, and a deallocation directly after the last one that it depends on.

use crate::reorder::graph::{Graph, defaults};
use smallvec::SmallVec;

/// The order with such operations moved.
pub fn float(graph: &Graph, order: &[u32]) -> Vec<u32> {
    let mut floated = Vec::with_capacity(order.len());
    let mut frees = Frees::of(graph);
    let mut placed = vec![false; order.len()];
    let floats = |node: &&u32| graph.nodes[**node as usize].floats;
    let settled = order.iter().filter(|node| !floats(node));
    let mut work: Vec<(u32, usize)> = Vec::new();
    // Values that nothing depends on come last.
    for node in settled.chain(order.iter().filter(floats)) {
        if std::mem::replace(&mut placed[*node as usize], true) {
            continue;
        }
        work.push((*node, 0));
        while let Some((node, next)) = work.last_mut() {
            match graph.nodes[*node as usize].before.get(*next) {
                Some(before) => {
                    *next += 1;
                    if !std::mem::replace(&mut placed[*before as usize], true) {
                        work.push((*before, 0));
                    }
                }
                None => {
                    let node = *node;
                    work.pop();
                    floated.push(node);
                    frees.follow(node, &mut placed, &mut floated);
                }
            }
        }
    }
    floated
}

/// Deallocations, placed after all operations that they depend on.
struct Frees {
    waiting: Vec<u32>,
    after: Vec<SmallVec<[u32; 1]>>,
}

impl Frees {
    fn of(graph: &Graph) -> Self {
        let mut after: Vec<SmallVec<[u32; 1]>> = defaults(graph.nodes.len());
        for (index, node) in graph
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.frees)
        {
            for before in &node.before {
                after[*before as usize].push(index as u32);
            }
        }
        let waiting = graph.nodes.iter().map(|node| node.before.len() as u32);
        Self {
            waiting: waiting.collect(),
            after,
        }
    }

    /// Places the deallocations that were waiting for an operation.
    fn follow(&mut self, node: u32, placed: &mut [bool], floated: &mut Vec<u32>) {
        let mut next = floated.len();
        let mut done = node;
        loop {
            for free in std::mem::take(&mut self.after[done as usize]) {
                self.waiting[free as usize] -= 1;
                if self.waiting[free as usize] == 0
                    && !std::mem::replace(&mut placed[free as usize], true)
                {
                    floated.push(free);
                }
            }
            match floated.get(next) {
                Some(free) => done = *free,
                None => break,
            }
            next += 1;
        }
    }
}
