//! Strongly connected components.

use crate::{EntityRef, Event, Graph, SecondaryMap, depth_first};

crate::ids! {
    /// A strongly connected component.
    pub ComponentId,
}

/// The strongly connected components of a graph. They are numbered in reverse topological order, so every edge leads
/// to a lower number or stays inside its component: callees come before callers (Tarjan, "Depth-first search and
/// linear graph algorithms", 1972).
#[derive(Clone, Debug)]
pub struct Components<N: EntityRef> {
    of: SecondaryMap<N, ComponentId>,
    /// The start of the members of each component, followed by the end of the last one.
    starts: Vec<u32>,
    members: Vec<N>,
    is_cyclic: Vec<bool>,
}

impl<N: EntityRef> Default for Components<N> {
    /// The components of the empty graph.
    fn default() -> Self {
        Self::of(&Graph::new(0, |_| None))
    }
}

impl<N: EntityRef> Components<N> {
    /// Computes the components of a graph.
    pub fn of(graph: &Graph<N>) -> Self {
        const NONE: ComponentId = ComponentId(u32::MAX);
        let count = graph.len();
        let mut of = SecondaryMap::with_default(NONE);
        of.resize(count);
        let mut found = Self {
            of,
            starts: vec![0],
            members: Vec::with_capacity(count),
            is_cyclic: Vec::new(),
        };
        let mut numbers: SecondaryMap<N, u32> = SecondaryMap::with_capacity(count);
        let mut low: SecondaryMap<N, u32> = SecondaryMap::with_capacity(count);
        let mut entered = 0;
        let mut open: Vec<N> = Vec::new();
        // Nodes with an edge to themselves.
        let mut is_looped = vec![false; count];
        for event in depth_first(graph, graph.nodes()) {
            match event {
                Event::Enter { node, .. } => {
                    (numbers[node], low[node]) = (entered, entered);
                    entered += 1;
                    open.push(node);
                }
                Event::Visited { from, to, .. } => {
                    if found.of[to] == NONE {
                        low[from] = low[from].min(numbers[to]);
                    }
                    is_looped[from.index()] |= from == to;
                }
                Event::Leave { node, parent } => {
                    if low[node] == numbers[node] {
                        found.close(node, &mut open, &is_looped);
                    }
                    if let Some(parent) = parent {
                        low[parent] = low[parent].min(low[node]);
                    }
                }
            }
        }
        found
    }

    /// Makes a component of all open nodes from `first` on.
    fn close(&mut self, first: N, open: &mut Vec<N>, is_looped: &[bool]) {
        let from = open.iter().rposition(|node| *node == first);
        let from = from.unwrap_or_default();
        for node in &open[from..] {
            self.of[*node] = ComponentId::new(self.len());
        }
        let is_cyclic = open.len() - from > 1 || is_looped[first.index()];
        self.is_cyclic.push(is_cyclic);
        self.members.extend(open.drain(from..));
        self.starts.push(self.members.len() as u32);
    }

    /// The number of components.
    pub fn len(&self) -> usize {
        self.is_cyclic.len()
    }

    /// Is the graph empty?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All components.
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = ComponentId> + ExactSizeIterator + use<N> {
        (0..self.len()).map(ComponentId::new)
    }

    /// The component of a node.
    #[inline]
    pub fn component(&self, node: N) -> ComponentId {
        self.of[node]
    }

    /// The nodes of a component, in the order in which a depth-first search visits them.
    pub fn members(&self, component: ComponentId) -> &[N] {
        let start = self.starts[component.index()] as usize;
        let end = self.starts[component.index() + 1] as usize;
        &self.members[start..end]
    }

    /// Is a node on a cycle? An edge from a node to itself is a cycle, too.
    #[inline]
    pub fn is_cyclic(&self, node: N) -> bool {
        self.is_cyclic[self.of[node].index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Node, chain, graph, nodes};

    #[test]
    fn callees_are_numbered_before_callers_and_cycles_are_one_component() {
        // 4 is alone; 5 has an edge to itself.
        let edges = graph(6, &[(0, 1), (1, 2), (2, 1), (2, 3), (5, 5)]);
        let components = Components::of(&edges);
        let numbers: Vec<u32> = edges
            .nodes()
            .map(|node| components.component(node).0)
            .collect();
        assert_eq!(numbers, [2, 1, 1, 0, 3, 4]);
        let members = components.iter().map(|at| components.members(at));
        let expected: [&[Node]; 5] = [
            &nodes([3]),
            &nodes([1, 2]),
            &nodes([0]),
            &nodes([4]),
            &nodes([5]),
        ];
        assert!(members.eq(expected));
        let is_cyclic = edges.nodes().map(|node| components.is_cyclic(node));
        assert!(is_cyclic.eq([false, true, true, false, false, true]));
        assert!(Components::of(&graph(0, &[])).is_empty());
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges = chain(100_000);
        let components = Components::of(&edges);
        let mut numbers = edges.nodes().rev().map(|node| components.component(node));
        assert!(numbers.by_ref().eq(components.iter()));
        assert_eq!(components.len(), 100_000);
    }

    #[test]
    fn a_long_cycle_is_one_component() {
        const COUNT: usize = 100_000;
        let edges = Graph::new(COUNT, |node: Node| [Node::new((node.index() + 1) % COUNT)]);
        let components = Components::of(&edges);
        assert_eq!(components.len(), 1);
        assert!(
            components
                .members(ComponentId(0))
                .iter()
                .copied()
                .eq(edges.nodes())
        );
    }
}
