//! Liveness.

use crate::{EntityRef, Graph, SecondaryMap};

/// A node in which a value is live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Live<N> {
    /// The node.
    pub node: N,
    /// Whether the value is live at the start of the node.
    pub at_start: bool,
    /// Whether the value is live at the end of the node.
    pub at_end: bool,
}

/// Computes where values are live, one value at a time, by a search from each use back to the definition (Boissinot
/// et al., "Computing liveness sets for SSA-form programs", 2011: "use-by-use path exploration").
///
/// The work for a value is proportional to the number of its uses, of the nodes in which it is live, and of the edges
/// into these nodes. A bit set per node would need space for all values in all nodes, although most values are live
/// in few nodes.
#[derive(Clone, Debug)]
pub struct Liveness<'g, N: EntityRef> {
    predecessors: &'g Graph<N>,
    /// For each node, the number of the last value that is live in it, and the position in `nodes`.
    positions: SecondaryMap<N, (u32, u32)>,
    /// The number of the current value, starting at 1.
    value: u32,
    definition: N,
    nodes: Vec<Live<N>>,
    open: Vec<N>,
}

impl<'g, N: EntityRef> Liveness<'g, N> {
    /// Takes the predecessors of each node: the [reversed](Graph::reversed) graph.
    pub fn new(predecessors: &'g Graph<N>) -> Self {
        let mut positions = SecondaryMap::new();
        positions.resize(predecessors.len());
        Self {
            predecessors,
            positions,
            value: 0,
            definition: N::new(0),
            nodes: Vec::new(),
            open: Vec::new(),
        }
    }

    /// Starts the next value, which is defined in this node. Its uses follow.
    pub fn define(&mut self, node: N) {
        self.value += 1;
        self.definition = node;
        self.nodes.clear();
    }

    /// Records a use of the value in this node. If the value is defined in the same node, the use comes after the
    /// definition.
    pub fn used_in(&mut self, node: N) {
        self.at(node);
        if node != self.definition {
            self.used_at_start(node);
        }
    }

    /// Records a use of the value at the end of this node.
    pub fn used_at_end(&mut self, node: N) {
        self.at(node).at_end = true;
        if node != self.definition {
            self.used_at_start(node);
        }
    }

    /// Records a use of the value at the start of this node. The value is live on all paths from its definition to
    /// the start of the node. That holds even if the definition is in the node itself and a path leads back to its
    /// start.
    pub fn used_at_start(&mut self, node: N) {
        self.open.push(node);
        while let Some(node) = self.open.pop() {
            if std::mem::replace(&mut self.at(node).at_start, true) {
                continue;
            }
            for from in self.predecessors.successors(node) {
                self.at(*from).at_end = true;
                if *from != self.definition {
                    self.open.push(*from);
                }
            }
        }
    }

    /// The nodes in which the value is live or used, in no particular order.
    pub fn nodes(&self) -> &[Live<N>] {
        &self.nodes
    }

    /// The position of a node in [`Self::nodes`]; `None` if the value is not live there.
    pub fn position(&self, node: N) -> Option<usize> {
        let (value, position) = self.positions[node];
        (value == self.value).then_some(position as usize)
    }

    fn at(&mut self, node: N) -> &mut Live<N> {
        let position = &mut self.positions[node];
        if position.0 != self.value {
            *position = (self.value, self.nodes.len() as u32);
            self.nodes.push(Live {
                node,
                at_start: false,
                at_end: false,
            });
        }
        &mut self.nodes[position.1 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Node, chain, graph};

    fn live(liveness: &Liveness<'_, Node>) -> Vec<(u32, bool, bool)> {
        let nodes = liveness.nodes().iter();
        let mut nodes: Vec<_> = nodes
            .map(|live| (live.node.0, live.at_start, live.at_end))
            .collect();
        nodes.sort_unstable();
        nodes
    }

    #[test]
    fn a_value_is_live_around_the_loop_that_uses_it() {
        // 0 -> 1 <-> 2, 1 -> 3, 0 -> 4
        let edges = graph(5, &[(0, 1), (1, 2), (2, 1), (1, 3), (0, 4)]).reversed();
        let mut liveness = Liveness::new(&edges);
        liveness.define(Node(0));
        liveness.used_in(Node(2));
        let expected = [(0, false, true), (1, true, true), (2, true, true)];
        assert_eq!(live(&liveness), expected);
        assert_eq!(liveness.position(Node(3)), None);
        liveness.define(Node(1));
        liveness.used_in(Node(1));
        assert_eq!(live(&liveness), [(1, false, false)]);
        liveness.used_at_end(Node(2));
        assert_eq!(live(&liveness), [(1, false, true), (2, true, true)]);
        liveness.define(Node(1));
        liveness.used_at_start(Node(1));
        let expected = [(0, true, true), (1, true, true), (2, true, true)];
        assert_eq!(live(&liveness), expected);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        const COUNT: u32 = 100_000;
        let edges = chain(COUNT as usize).reversed();
        let mut liveness = Liveness::new(&edges);
        liveness.define(Node(0));
        liveness.used_in(Node(COUNT - 1));
        assert_eq!(liveness.nodes().len(), COUNT as usize);
        liveness.used_in(Node(COUNT / 2));
        assert_eq!(liveness.nodes().len(), COUNT as usize);
    }
}
