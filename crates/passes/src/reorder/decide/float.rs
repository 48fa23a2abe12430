//! Operations that need nothing and only make values go right in front of the first that must come behind them.

use crate::reorder::graph::Graph;

/// The same order, but for what floats.
pub fn float(graph: &Graph, order: &[u32]) -> Vec<u32> {
    let mut floated = Vec::with_capacity(order.len());
    let mut placed = vec![false; order.len()];
    let settled = order
        .iter()
        .filter(|node| !graph.nodes[**node as usize].floats);
    let rest = order
        .iter()
        .filter(|node| graph.nodes[**node as usize].floats);
    let mut work: Vec<(u32, usize)> = Vec::new();
    // What floats and nothing needs comes last.
    for node in settled.chain(rest) {
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
                    floated.push(*node);
                    work.pop();
                }
            }
        }
    }
    floated
}
