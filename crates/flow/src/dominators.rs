//! Dominators.

use crate::{EntityRef, Event, Graph, Nesting, ReservedValue, depth_first};

const NONE: u32 = u32::MAX;

/// The dominators of each node: the nodes on every path from a root to it (Lengauer and Tarjan, "A fast algorithm for
/// finding dominators in a flowgraph", 1979, with simple linking: O(m log n)).
///
/// The iterative algorithm of Cooper, Harvey and Kennedy is shorter, but takes quadratic time if each node of a long
/// chain has an edge to the same exit.
#[derive(Clone, Debug)]
pub struct Dominators<N: EntityRef + ReservedValue> {
    order: Vec<N>,
    tree: Nesting<N>,
}

impl<N: EntityRef + ReservedValue> Dominators<N> {
    /// Computes the dominators of the nodes that are reachable from `root`. There are none if the graph does not
    /// contain `root`. For post-dominators, pass the reversed graph and the exit.
    pub fn of(graph: &Graph<N>, root: N) -> Self {
        let mut search = Search::of(graph, root);
        search.order.reverse();
        let immediate = search.immediate(graph);
        let Search {
            order,
            number,
            nodes,
            ..
        } = search;
        let tree = Nesting::of(order.iter().map(|node| {
            let immediate = immediate[number[node.index()] as usize];
            (*node, (*node != root).then(|| nodes[immediate as usize]))
        }));
        Self { order, tree }
    }

    /// The reachable nodes in reverse postorder: each node comes after its dominators.
    pub fn reverse_postorder(&self) -> &[N] {
        &self.order
    }

    /// Is a node reachable from the root?
    #[inline]
    pub fn is_reachable(&self, node: N) -> bool {
        self.tree.has(node)
    }

    /// The immediate dominator of a node; `None` for the root and for unreachable nodes.
    pub fn immediate(&self, node: N) -> Option<N> {
        self.tree.parent(node)
    }

    /// Is `one` on every path from the root to `other`? True if they are the same; false if one of them is
    /// unreachable.
    #[inline]
    pub fn dominates(&self, one: N, other: N) -> bool {
        self.tree.contains(one, other)
    }
}

/// A depth-first search and the values computed on its tree. Nodes are represented by their preorder numbers.
struct Search<N> {
    nodes: Vec<N>,
    /// The preorder number of each node; `NONE` if it is unreachable.
    number: Vec<u32>,
    parent: Vec<u32>,
    /// The nodes in postorder.
    order: Vec<N>,
}

impl<N: EntityRef> Search<N> {
    fn of(graph: &Graph<N>, root: N) -> Self {
        let mut search = Self {
            nodes: Vec::new(),
            number: vec![NONE; graph.len()],
            parent: Vec::new(),
            order: Vec::new(),
        };
        let roots = (root.index() < graph.len()).then_some(root);
        for event in depth_first(graph, roots) {
            match event {
                Event::Enter { node, parent } => {
                    search.number[node.index()] = search.nodes.len() as u32;
                    search.nodes.push(node);
                    let parent = parent.map_or(0, |parent| search.number[parent.index()]);
                    search.parent.push(parent);
                }
                Event::Leave { node, .. } => search.order.push(node),
                Event::Visited { .. } => {}
            }
        }
        search
    }

    /// The immediate dominator of each node; for the root, the root.
    fn immediate(&self, graph: &Graph<N>) -> Vec<u32> {
        let count = self.nodes.len() as u32;
        let incoming = graph.reversed();
        let mut forest = Forest {
            ancestor: vec![NONE; count as usize],
            label: (0..count).collect(),
            semi: (0..count).collect(),
            path: Vec::new(),
        };
        let mut immediate = vec![0; count as usize];
        // The nodes with each semidominator, as linked lists.
        let mut first = vec![NONE; count as usize];
        let mut next = vec![NONE; count as usize];
        for at in (1..count).rev() {
            for from in incoming.successors(self.nodes[at as usize]) {
                let from = self.number[from.index()];
                if from != NONE {
                    let least = forest.least(from);
                    let semi = forest.semi[least as usize];
                    forest.semi[at as usize] = forest.semi[at as usize].min(semi);
                }
            }
            let semi = forest.semi[at as usize] as usize;
            next[at as usize] = std::mem::replace(&mut first[semi], at);
            let parent = self.parent[at as usize];
            forest.ancestor[at as usize] = parent;
            let mut other = std::mem::replace(&mut first[parent as usize], NONE);
            while other != NONE {
                let least = forest.least(other);
                let is_less = forest.semi[least as usize] < forest.semi[other as usize];
                immediate[other as usize] = if is_less { least } else { parent };
                other = next[other as usize];
            }
        }
        for at in 1..count as usize {
            if immediate[at] != forest.semi[at] {
                immediate[at] = immediate[immediate[at] as usize];
            }
        }
        immediate
    }
}

/// The forest of the tree edges whose lower ends have been processed.
struct Forest {
    /// An ancestor of each node in its tree, after path compression; `NONE` for a root.
    ancestor: Vec<u32>,
    /// The node with the smallest semidominator on the path from each node to its ancestor, without the ancestor.
    label: Vec<u32>,
    /// The semidominator of each node.
    semi: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    /// The node with the smallest semidominator on the path from a node to the root of its tree. The root is excluded
    /// unless it is the node.
    fn least(&mut self, node: u32) -> u32 {
        // Path compression: the root becomes the ancestor of all nodes on the path, from the top down.
        let mut at = node;
        while self.ancestor[at as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        self.path.pop();
        while let Some(at) = self.path.pop() {
            let above = self.ancestor[at as usize];
            let (own, other) = (self.label[at as usize], self.label[above as usize]);
            if self.semi[other as usize] < self.semi[own as usize] {
                self.label[at as usize] = other;
            }
            self.ancestor[at as usize] = self.ancestor[above as usize];
        }
        self.label[node as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Node, chain, graph, nodes};

    fn immediate(count: usize, edges: &[(u32, u32)]) -> Vec<Option<u32>> {
        let edges = graph(count, edges);
        let dominators = Dominators::of(&edges, Node(0));
        let immediate = edges.nodes().map(|node| dominators.immediate(node));
        immediate.map(|node| node.map(|node| node.0)).collect()
    }

    #[test]
    fn dominators_of_branches_and_loops() {
        let edges = [
            (0, 1),
            (0, 2),
            (1, 3),
            (2, 3),
            (3, 4),
            (4, 3),
            (4, 5),
            (6, 5),
        ];
        let found = immediate(7, &edges);
        assert_eq!(
            found,
            [None, Some(0), Some(0), Some(0), Some(3), Some(4), None]
        );
    }

    /// The graph of the paper's figure 1.
    #[test]
    fn dominators_of_the_graph_of_lengauer_and_tarjan() {
        let letters = "RABCDEFGHIJKL";
        let edges = "RA RB RC AD BA BD BE CF CG DL EH FI GI GJ HE HK IK JI KI KR LH";
        let number = |letter: char| letters.find(letter).map_or(0, |at| at as u32);
        let edges: Vec<(u32, u32)> = edges
            .split(' ')
            .map(|edge| {
                let mut ends = edge.chars().map(number);
                (ends.next().unwrap_or(0), ends.next().unwrap_or(0))
            })
            .collect();
        let expected = "-RRRRRCCRRGRD";
        let expected = expected
            .chars()
            .map(|letter| letters.find(letter).map(|at| at as u32));
        assert_eq!(immediate(13, &edges), expected.collect::<Vec<_>>());
    }

    #[test]
    fn dominators_of_loops_with_two_entries() {
        let edges = [(0, 1), (0, 2), (1, 2), (2, 1), (1, 3)];
        assert_eq!(immediate(4, &edges), [None, Some(0), Some(0), Some(1)]);
    }

    #[test]
    fn unreachable_nodes_have_no_dominators() {
        let edges = graph(3, &[(0, 1), (2, 1), (2, 2)]);
        let dominators = Dominators::of(&edges, Node(0));
        assert_eq!(dominators.reverse_postorder(), nodes([0, 1]));
        assert!(dominators.dominates(Node(0), Node(1)));
        assert!(dominators.dominates(Node(1), Node(1)));
        assert!(!dominators.is_reachable(Node(2)));
        for other in [0, 1, 2].map(Node) {
            assert!(!dominators.dominates(Node(2), other));
            assert!(!dominators.dominates(other, Node(2)));
        }
    }

    #[test]
    fn dominators_of_the_empty_graph() {
        let dominators = Dominators::of(&graph(0, &[]), Node(0));
        assert!(dominators.reverse_postorder().is_empty());
        assert!(!dominators.is_reachable(Node(0)));
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        const COUNT: u32 = 100_000;
        let dominators = Dominators::of(&chain(COUNT as usize), Node(0));
        assert!((1..COUNT).all(|at| dominators.immediate(Node(at)) == Some(Node(at - 1))));
        assert!(dominators.dominates(Node(1), Node(COUNT - 1)));
        assert!(!dominators.dominates(Node(COUNT - 1), Node(1)));
    }

    #[test]
    fn many_early_exits_take_no_quadratic_time() {
        const COUNT: u32 = 100_000;
        let edges = Graph::new(COUNT as usize + 1, |node: Node| {
            let exit = (node.0 < COUNT).then_some(Node(COUNT));
            let next = (node.0 + 1 < COUNT).then(|| Node(node.0 + 1));
            exit.into_iter().chain(next)
        });
        let dominators = Dominators::of(&edges, Node(0));
        assert_eq!(dominators.immediate(Node(COUNT)), Some(Node(0)));
        assert_eq!(dominators.immediate(Node(COUNT - 1)), Some(Node(COUNT - 2)));
    }
}
