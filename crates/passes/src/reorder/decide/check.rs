//! Properties of every decision, on random blocks.
#![cfg(test)]

use super::{Decision, clusters::Clusters, decide, state::load};
use crate::reorder::graph::{Graph, Item, Node, Takeover};
use memplan_problems::random::Random;

/// A random block: each operation writes an item and reads some, with additional edges.
fn draw(random: &mut Random, nodes: usize) -> Graph {
    let mut graph = Graph {
        through: random.below(3) as u64,
        ..Graph::default()
    };
    let mut writers: Vec<u32> = Vec::new();
    for index in 0..nodes {
        let mut node = Node::default();
        if random.below(8) == 0 {
            node.inside = random.below(9) as i64 - 3;
        }
        let reads = random.below(3);
        for _ in 0..reads {
            if !writers.is_empty() {
                let item = random.below(writers.len());
                node.touches.push(item as u32);
                if writers[item] != u32::MAX {
                    node.before.push(writers[item]);
                }
            }
        }
        if random.below(6) == 0 && index > 0 {
            node.before.push(random.below(index) as u32);
        }
        let writes = random.below(8);
        if writes > 0 {
            let item = graph.items.len() as u32;
            let before = random.below(12) == 0;
            graph.items.push(Item {
                size: 1 + random.below(9) as u64,
                before,
                after: random.below(10) == 0,
            });
            let read = node.touches.first().copied();
            if let Some(from) = read.filter(|_| !before && random.below(2) == 0) {
                graph.items[item as usize].size = graph.items[from as usize].size;
                node.takeovers.push(Takeover { from, to: item });
            }
            writers.push(if before { u32::MAX } else { index as u32 });
            node.touches.push(item);
        }
        node.floats = node.touches.is_empty() && node.inside == 0 && random.below(2) == 0;
        node.frees = node.touches.is_empty() && !node.floats && random.below(2) == 0;
        node.touches.sort_unstable();
        node.touches.dedup();
        node.before.sort_unstable();
        node.before.dedup();
        graph.nodes.push(node);
    }
    graph
}

/// The load of an order, computed from scratch; checks that the order is valid.
fn count(graph: &Graph, order: &[u32]) -> u64 {
    let mut place = vec![usize::MAX; graph.nodes.len()];
    for (at, node) in order.iter().enumerate() {
        assert_eq!(
            std::mem::replace(&mut place[*node as usize], at),
            usize::MAX
        );
    }
    assert_eq!(order.len(), graph.nodes.len());
    let mut lives: Vec<(usize, usize)> = graph
        .items
        .iter()
        .map(|item| (if item.before { 0 } else { usize::MAX }, 0))
        .collect();
    for (index, node) in graph.nodes.iter().enumerate() {
        for before in &node.before {
            assert!(place[*before as usize] < place[index]);
        }
        for item in &node.touches {
            let life = &mut lives[*item as usize];
            *life = (life.0.min(place[index]), life.1.max(place[index] + 1));
        }
    }
    for (item, life) in graph.items.iter().zip(&mut lives) {
        if item.after {
            life.1 = order.len() + 1;
        }
    }
    let live = |at: usize| -> u64 {
        let items = graph.items.iter().zip(&lives);
        let items = items.filter(|(_, life)| life.0 <= at && at < life.1);
        graph.through + items.map(|(item, _)| item.size).sum::<u64>()
    };
    let at = |at: usize| {
        let Some(node) = order.get(at) else {
            return live(at);
        };
        let node = &graph.nodes[*node as usize];
        let taken = node.takeovers.first().filter(|takeover| {
            let (from, to) = (takeover.from as usize, takeover.to as usize);
            let begins = lives[to].0 == at && !graph.items[to].before;
            lives[from].1 == at + 1 && !graph.items[from].after && begins
        });
        let taken = taken.map_or(0, |takeover| graph.items[takeover.to as usize].size);
        (live(at) - taken).saturating_add_signed(node.inside)
    };
    let before = graph.items.iter().filter(|item| item.before);
    let start: u64 = before.map(|item| item.size).sum();
    (0..=order.len())
        .map(at)
        .max()
        .unwrap_or(0)
        .max(graph.through + start)
}

/// The least load of all orders.
fn least(graph: &Graph, order: &mut Vec<u32>, placed: &mut [bool]) -> u64 {
    if order.len() == graph.nodes.len() {
        return count(graph, order);
    }
    let mut best = u64::MAX;
    for index in 0..graph.nodes.len() {
        let node = &graph.nodes[index];
        if !placed[index] && node.before.iter().all(|before| placed[*before as usize]) {
            placed[index] = true;
            order.push(index as u32);
            best = best.min(least(graph, order, placed));
            order.pop();
            placed[index] = false;
        }
    }
    best
}

fn check(graph: &Graph, effort: u64) -> Decision {
    let decision = decide(graph, effort, 0);
    let given: Vec<u32> = (0..graph.nodes.len() as u32).collect();
    assert_eq!(decision.before, count(graph, &given));
    assert_eq!(decision.before, load(&Clusters::apart(graph), given));
    if let Some(order) = &decision.order {
        assert_eq!(decision.after, count(graph, order));
        assert!(decision.after < decision.before);
    } else {
        assert_eq!(decision.after, decision.before);
    }
    assert!(decision.bound <= decision.after);
    assert_eq!(decision, decide(graph, effort, 0));
    decision
}

#[test]
fn small_blocks_get_the_best_order() {
    let mut random = Random(0x5EED);
    let mut proven = 0;
    for round in 0..1500 {
        let nodes = 1 + random.below(7);
        let graph = draw(&mut random, nodes);
        let decision = check(&graph, 100_000);
        let best = least(&graph, &mut Vec::new(), &mut vec![false; graph.nodes.len()]);
        assert!(
            decision.bound <= best,
            "round {round}: {graph:?} {decision:?} {best}"
        );
        assert_eq!(
            decision.after, best,
            "round {round}: {graph:?} {decision:?}"
        );
        proven += usize::from(decision.bound == decision.after);
    }
    assert_eq!(proven, 1500);
}

#[test]
fn larger_blocks_get_no_worse_whatever_the_effort() {
    let mut random = Random(0xB10C);
    for round in 0..300 {
        let nodes = 10 + random.below(60);
        let graph = draw(&mut random, nodes);
        check(&graph, [0, 10, 1000, 100_000][round % 4]);
    }
}
