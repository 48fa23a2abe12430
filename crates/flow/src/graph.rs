//! Directed graphs.

use crate::EntityRef;

/// A directed graph, stored as one vector of the successors of each node in order (compressed sparse rows).
///
/// Parallel edges and edges from a node to itself are allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph<N> {
    /// The start of the successors of each node, followed by the end of the last list.
    starts: Vec<u32>,
    targets: Vec<N>,
}

impl<N: EntityRef> Graph<N> {
    /// Creates a graph of the nodes 0 to `count`, exclusive, with the given successors.
    ///
    /// # Panics
    /// If there are 2^32 edges or more, or an edge leads to a node that does not exist.
    pub fn new<I>(count: usize, mut successors: impl FnMut(N) -> I) -> Self
    where
        I: IntoIterator<Item = N>,
    {
        let mut starts = Vec::with_capacity(count + 1);
        let mut targets = Vec::new();
        starts.push(0);
        for node in (0..count).map(N::new) {
            targets.extend(successors(node));
            starts.push(position(targets.len()));
        }
        assert!(targets.iter().all(|target| target.index() < count));
        Self { starts, targets }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Does the graph have no nodes?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All nodes.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = N> + ExactSizeIterator + Clone + use<N> {
        (0..self.len()).map(N::new)
    }

    /// The successors of a node.
    #[inline]
    pub fn successors(&self, node: N) -> &[N] {
        let start = self.starts[node.index()] as usize;
        let end = self.starts[node.index() + 1] as usize;
        &self.targets[start..end]
    }

    /// The graph with all edges reversed. The predecessors of a node are sorted by node, and then by edge.
    pub fn reversed(&self) -> Self {
        let mut starts = vec![0_u32; self.starts.len()];
        for target in &self.targets {
            starts[target.index() + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut targets = vec![N::new(0); self.targets.len()];
        for node in self.nodes() {
            for target in self.successors(node) {
                let at = &mut next[target.index()];
                targets[*at as usize] = node;
                *at += 1;
            }
        }
        Self { starts, targets }
    }
}

/// A position in a vector.
///
/// # Panics
/// If it does not fit.
fn position(at: usize) -> u32 {
    u32::try_from(at).expect("more than 2^32 edges")
}

#[cfg(test)]
mod tests {
    use crate::tests::{Node, graph, nodes};

    #[test]
    fn reversing_swaps_the_ends_of_edges() {
        let edges = graph(4, &[(0, 1), (0, 2), (2, 1), (2, 1), (1, 1), (3, 0)]);
        assert_eq!(edges.successors(Node(2)), nodes([1, 1]));
        let back = edges.reversed();
        assert_eq!(back.successors(Node(1)), nodes([0, 1, 2, 2]));
        assert_eq!(back.successors(Node(0)), nodes([3]));
        assert!(back.successors(Node(3)).is_empty());
        assert_eq!(back.reversed().successors(Node(0)), nodes([1, 2]));
        assert!(graph(0, &[]).reversed().is_empty());
    }
}
