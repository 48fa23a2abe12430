//! Depth-first search.

use crate::{EntityRef, EntitySet, Graph, SecondaryMap};
use std::{convert::Infallible, ops::ControlFlow};

/// What a depth-first search comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<N> {
    /// A node that is new.
    Enter {
        /// The node.
        node: N,
        /// Its parent in the tree of the search; `None` for a root.
        parent: Option<N>,
    },
    /// An edge to a node that is known.
    Known {
        /// From here.
        from: N,
        /// Its number among the edges from there.
        number: usize,
        /// To here.
        to: N,
        /// `to` was entered and not left: the edge closes a cycle.
        is_back_edge: bool,
    },
    /// All edges from a node have been followed.
    Leave {
        /// The node.
        node: N,
        /// Its parent in the tree of the search.
        parent: Option<N>,
    },
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Searches a graph from one root after another; edges in their order.
///
/// # Errors
/// What `visit` breaks with.
pub fn depth_first<N: EntityRef, B>(
    graph: &Graph<N>,
    roots: impl IntoIterator<Item = N>,
    mut visit: impl FnMut(Event<N>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut marks = SecondaryMap::with_default(Mark::New);
    marks.resize(graph.len());
    let mut path: Vec<(N, usize)> = Vec::new();
    for root in roots {
        if marks[root] != Mark::New {
            continue;
        }
        let (node, parent) = (root, None);
        visit(Event::Enter { node, parent })?;
        marks[root] = Mark::Open;
        path.push((root, 0));
        while let Some((from, next)) = path.last_mut() {
            let (from, number) = (*from, *next);
            *next += 1;
            let Some(to) = graph.successors(from).get(number).copied() else {
                marks[from] = Mark::Done;
                path.pop();
                let (node, parent) = (from, path.last().map(|(parent, _)| *parent));
                visit(Event::Leave { node, parent })?;
                continue;
            };
            if marks[to] == Mark::New {
                let (node, parent) = (to, Some(from));
                visit(Event::Enter { node, parent })?;
                marks[to] = Mark::Open;
                path.push((to, 0));
            } else {
                let is_back_edge = marks[to] == Mark::Open;
                visit(Event::Known {
                    from,
                    number,
                    to,
                    is_back_edge,
                })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The nodes that some of `roots` lead to, these among them, in reverse postorder: each before those
/// that it leads to, but for back edges.
pub fn reverse_postorder<N: EntityRef>(
    graph: &Graph<N>,
    roots: impl IntoIterator<Item = N>,
) -> Vec<N> {
    let mut order = Vec::new();
    let ControlFlow::Continue(()) = depth_first::<N, Infallible>(graph, roots, |event| {
        if let Event::Leave { node, .. } = event {
            order.push(node);
        }
        ControlFlow::Continue(())
    });
    order.reverse();
    order
}

/// The nodes that some of `roots` lead to, these among them.
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

/// The nodes that at least one edge from `start` leads to, on paths on which no node but the first and
/// the last is one of those that `stops` names. `start` itself only if it is on a cycle.
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
        let found = depth_first(&edges, [Node(0)], |event| {
            match event {
                Event::Known {
                    from,
                    number,
                    is_back_edge: true,
                    ..
                } => back.push((from, number)),
                Event::Known { from, to, .. } => others.push((from, to)),
                Event::Leave {
                    node: Node(0),
                    parent: None,
                } => return ControlFlow::Break("left"),
                _ => {}
            }
            ControlFlow::Continue(())
        });
        assert_eq!(back, [(Node(2), 0), (Node(3), 0)]);
        assert_eq!(others, [(Node(0), Node(3))]);
        assert_eq!(found, ControlFlow::Break("left"));
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
