//! Depth-first search.

use crate::{EntityRef, EntitySet, Graph, SecondaryMap};

/// An event of a depth-first search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<N> {
    /// The search enters a new node.
    Enter {
        /// The node.
        node: N,
        /// Its parent in the search tree; `None` for a root.
        parent: Option<N>,
    },
    /// An edge to a node that was entered before.
    Visited {
        /// The source.
        from: N,
        /// The number of the edge among the edges of the source.
        number: usize,
        /// The target.
        to: N,
        /// `to` was entered and not left yet, so the edge closes a cycle.
        is_back_edge: bool,
    },
    /// The search leaves a node: all its edges have been followed.
    Leave {
        /// The node.
        node: N,
        /// Its parent in the search tree.
        parent: Option<N>,
    },
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Searches a graph depth-first from one root after another, in the order of the edges.
pub fn depth_first<N: EntityRef, R: IntoIterator<Item = N>>(
    graph: &Graph<N>,
    roots: R,
) -> DepthFirst<'_, N, R::IntoIter> {
    let mut marks = SecondaryMap::with_default(Mark::New);
    marks.resize(graph.len());
    DepthFirst {
        graph,
        roots: roots.into_iter(),
        marks,
        path: Vec::new(),
    }
}

/// The events of a depth-first search.
#[derive(Clone)]
pub struct DepthFirst<'g, N: EntityRef, R> {
    graph: &'g Graph<N>,
    roots: R,
    marks: SecondaryMap<N, Mark>,
    /// The open nodes, each with the number of its next edge.
    path: Vec<(N, usize)>,
}

impl<N: EntityRef, R: Iterator<Item = N>> Iterator for DepthFirst<'_, N, R> {
    type Item = Event<N>;

    fn next(&mut self) -> Option<Event<N>> {
        let Some((from, next)) = self.path.last_mut() else {
            let marks = &self.marks;
            let root = self.roots.find(|root| marks[*root] == Mark::New)?;
            return Some(self.enter(root, None));
        };
        let (from, number) = (*from, *next);
        *next += 1;
        let Some(to) = self.graph.successors(from).get(number).copied() else {
            self.marks[from] = Mark::Done;
            self.path.pop();
            return Some(Event::Leave {
                node: from,
                parent: self.path.last().map(|(parent, _)| *parent),
            });
        };
        Some(match self.marks[to] {
            Mark::New => self.enter(to, Some(from)),
            mark => Event::Visited {
                from,
                number,
                to,
                is_back_edge: mark == Mark::Open,
            },
        })
    }
}

impl<N: EntityRef, R> DepthFirst<'_, N, R> {
    fn enter(&mut self, node: N, parent: Option<N>) -> Event<N> {
        self.marks[node] = Mark::Open;
        self.path.push((node, 0));
        Event::Enter { node, parent }
    }
}

/// The nodes that are reachable from `roots`, including these, in reverse postorder: each node comes before its
/// successors, except along back edges.
pub fn reverse_postorder<N: EntityRef>(
    graph: &Graph<N>,
    roots: impl IntoIterator<Item = N>,
) -> Vec<N> {
    let events = depth_first(graph, roots);
    let mut order: Vec<N> = events
        .filter_map(|event| match event {
            Event::Leave { node, .. } => Some(node),
            Event::Enter { .. } | Event::Visited { .. } => None,
        })
        .collect();
    order.reverse();
    order
}

/// The nodes that are reachable from `roots`, including these.
pub fn reachable<N: EntityRef>(
    graph: &Graph<N>,
    roots: impl IntoIterator<Item = N>,
) -> EntitySet<N> {
    let mut reached = EntitySet::with_capacity(graph.len());
    let mut open: Vec<N> = roots.into_iter().collect();
    while let Some(node) = open.pop() {
        if reached.insert(node) {
            open.extend_from_slice(graph.successors(node));
        }
    }
    reached
}

/// The nodes that are reachable from `start` along at least one edge, on paths whose inner nodes are not in `stops`.
/// `start` itself is included only if it is on a cycle.
pub fn reached_from<N: EntityRef>(
    graph: &Graph<N>,
    start: N,
    stops: impl Fn(N) -> bool,
) -> EntitySet<N> {
    let mut reached = EntitySet::new();
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for to in graph.successors(node) {
            if reached.insert(*to) && !stops(*to) {
                open.push(*to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Node, chain, graph, nodes};

    #[test]
    fn edges_are_followed_in_their_order() {
        let edges = graph(6, &[(0, 2), (0, 1), (1, 3), (2, 3), (3, 0), (4, 5)]);
        assert_eq!(reverse_postorder(&edges, [Node(0)]), nodes([0, 1, 2, 3]));
        let order = reverse_postorder(&edges, edges.nodes());
        assert_eq!(order, nodes([4, 5, 0, 1, 2, 3]));
        let reached = reachable(&edges, [Node(1), Node(5)]);
        assert_eq!(
            reached.iter().collect::<Vec<Node>>(),
            nodes([0, 1, 2, 3, 5])
        );
        assert!(reverse_postorder(&graph(0, &[]), []).is_empty());
    }

    #[test]
    fn an_edge_to_an_open_node_is_a_back_edge() {
        let edges = graph(4, &[(0, 1), (0, 3), (1, 2), (2, 1), (2, 3), (3, 3)]);
        let mut back = Vec::new();
        let mut others = Vec::new();
        for event in depth_first(&edges, [Node(0)]) {
            match event {
                Event::Visited {
                    from,
                    number,
                    is_back_edge: true,
                    ..
                } => back.push((from, number)),
                Event::Visited { from, to, .. } => others.push((from, to)),
                Event::Enter { .. } | Event::Leave { .. } => {}
            }
        }
        assert_eq!(back, [(Node(2), 0), (Node(3), 0)]);
        assert_eq!(others, [(Node(0), Node(3))]);
    }

    #[test]
    fn each_node_is_entered_and_left() {
        let edges = graph(3, &[(0, 1), (2, 0)]);
        let (enter, leave) = (
            |node: u32, parent: Option<u32>| Event::Enter {
                node: Node(node),
                parent: parent.map(Node),
            },
            |node: u32, parent: Option<u32>| Event::Leave {
                node: Node(node),
                parent: parent.map(Node),
            },
        );
        let expected = [
            enter(0, None),
            enter(1, Some(0)),
            leave(1, Some(0)),
            leave(0, None),
        ];
        assert!(depth_first(&edges, [Node(0), Node(1)]).eq(expected));
    }

    #[test]
    fn stops_are_reached_and_not_passed() {
        let edges = graph(5, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 0), (4, 0)]);
        let reached = |start, stop| {
            let reached = reached_from(&edges, Node(start), |node| Node(stop) == node);
            reached.iter().map(|node| node.0).collect::<Vec<u32>>()
        };
        assert_eq!(reached(0, 4), [0, 1, 2, 3]);
        assert_eq!(reached(0, 2), [1, 2]);
        assert_eq!(reached(2, 2), [0, 1, 2, 3]);
        assert_eq!(reached(2, 1), [0, 1, 3]);
        assert_eq!(reached(4, 0), [0]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges = chain(100_000);
        let order = reverse_postorder(&edges, [Node(0)]);
        assert!(order.iter().copied().eq(edges.nodes()));
        assert!(reachable(&edges, [Node(0)]).contains(Node(99_999)));
        assert!(!reachable(&edges, [Node(1)]).contains(Node(0)));
    }
}
