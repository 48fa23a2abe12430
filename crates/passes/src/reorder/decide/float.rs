//! Operations that need nothing: what only makes values goes right in front of the first that must come behind it, and
//! what gives memory back right behind the last that must come in front.

use crate::reorder::graph::{Graph, defaults};
use smallvec::SmallVec;

/// The same order, but for what floats or gives memory back.
pub fn float(graph: &Graph, order: &[u32]) -> Vec<u32> {
    let mut floated = Vec::with_capacity(order.len());
    let mut frees = Frees::of(graph);
    let mut placed = vec![false; order.len()];
    let floats = |node: &&u32| graph.nodes[**node as usize].floats;
    let settled = order.iter().filter(|node| !floats(node));
    let mut work: Vec<(u32, usize)> = Vec::new();
    // What floats and nothing needs comes last.
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

/// What gives memory back, behind each operation that it has to wait for.
struct Frees {
    waiting: Vec<u32>,
    behind: Vec<SmallVec<[u32; 1]>>,
}

impl Frees {
    fn of(graph: &Graph) -> Self {
        let mut behind: Vec<SmallVec<[u32; 1]>> = defaults(graph.nodes.len());
        for (index, node) in graph
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.frees)
        {
            for before in &node.before {
                behind[*before as usize].push(index as u32);
            }
        }
        let waiting = graph.nodes.iter().map(|node| node.before.len() as u32);
        Self {
            waiting: waiting.collect(),
            behind,
        }
    }

    /// Places what an operation was the last for.
    fn follow(&mut self, node: u32, placed: &mut [bool], floated: &mut Vec<u32>) {
        let mut next = floated.len();
        let mut done = node;
        loop {
            for free in std::mem::take(&mut self.behind[done as usize]) {
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
