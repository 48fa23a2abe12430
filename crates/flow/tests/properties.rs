//! Compares the algorithms on random graphs with petgraph's and with the definitions.

use memplan_flow::{
    Components, Dominators, Event, Graph, Liveness, Nesting, UnionFind, depth_first, ids,
    reachable, reached_from, reverse_postorder,
};
use petgraph::{
    algo::{dominators::simple_fast, kosaraju_scc},
    graph::{DiGraph, NodeIndex},
    unionfind,
    visit::Dfs,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

ids! {
    /// A node.
    pub Node,
}

/// The number of nodes and the edges between them. The graphs are sparse, because a dense graph is usually one cycle.
fn edges() -> impl Strategy<Value = (usize, Vec<(usize, usize)>)> {
    (1..40_usize).prop_flat_map(|count| {
        let edges = proptest::collection::vec((0..count, 0..count), 0..2 * count + 2);
        (Just(count), edges)
    })
}

fn graph(count: usize, edges: &[(usize, usize)]) -> Graph<Node> {
    let mut targets = vec![Vec::new(); count];
    for (from, to) in edges {
        targets[*from].push(Node::new(*to));
    }
    Graph::new(count, |node: Node| targets[node.index()].clone())
}

fn other(count: usize, edges: &[(usize, usize)]) -> DiGraph<(), ()> {
    let mut graph = DiGraph::new();
    for _ in 0..count {
        graph.add_node(());
    }
    for (from, to) in edges {
        graph.add_edge(NodeIndex::new(*from), NodeIndex::new(*to), ());
    }
    graph
}

fn theirs(node: Node) -> NodeIndex {
    NodeIndex::new(node.index())
}

fn ours(node: NodeIndex) -> Node {
    Node::new(node.index())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn reversed_twice_a_graph_has_the_same_edges((count, edges) in edges()) {
        let graph = graph(count, &edges);
        let back = graph.reversed();
        let mut pairs: Vec<(usize, usize)> = back
            .nodes()
            .flat_map(|to| back.successors(to).iter().map(move |from| (from.index(), to.index())))
            .collect();
        let mut expected = edges;
        pairs.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(pairs, expected);
    }

    #[test]
    fn dominators((count, edges) in edges()) {
        let found = Dominators::of(&graph(count, &edges), Node::new(0));
        let expected = simple_fast(&other(count, &edges), NodeIndex::new(0));
        for node in (0..count).map(Node::new) {
            let immediate = expected.immediate_dominator(theirs(node)).map(ours);
            prop_assert_eq!(found.immediate(node), immediate);
            let all: Option<BTreeSet<Node>> = expected
                .dominators(theirs(node))
                .map(|all| all.map(ours).collect());
            prop_assert_eq!(found.is_reachable(node), all.is_some());
            let all = all.unwrap_or_default();
            for one in (0..count).map(Node::new) {
                prop_assert_eq!(found.dominates(one, node), all.contains(&one));
            }
        }
        let order = reverse_postorder(&graph(count, &edges), [Node::new(0)]);
        prop_assert_eq!(found.reverse_postorder(), order);
    }

    #[test]
    fn post_dominators((count, edges) in edges()) {
        let last = count - 1;
        let found = Dominators::of(&graph(count, &edges).reversed(), Node::new(last));
        let back: Vec<(usize, usize)> = edges.iter().map(|(from, to)| (*to, *from)).collect();
        let expected = simple_fast(&other(count, &back), NodeIndex::new(last));
        for node in (0..count).map(Node::new) {
            let immediate = expected.immediate_dominator(theirs(node)).map(ours);
            prop_assert_eq!(found.immediate(node), immediate);
        }
    }

    #[test]
    fn components((count, edges) in edges()) {
        let graph = graph(count, &edges);
        let found = Components::of(&graph);
        let sorted = |mut all: Vec<Vec<usize>>| {
            all.iter_mut().for_each(|members| members.sort_unstable());
            all.sort_unstable();
            all
        };
        let members = found.iter().map(|component| {
            let members = found.members(component).iter();
            members.map(|node| node.index()).collect()
        });
        let expected = kosaraju_scc(&other(count, &edges)).into_iter();
        let expected = expected.map(|all| all.into_iter().map(NodeIndex::index).collect());
        prop_assert_eq!(sorted(members.collect()), sorted(expected.collect()));
        for node in graph.nodes() {
            prop_assert!(found.members(found.component(node)).contains(&node));
            for to in graph.successors(node) {
                prop_assert!(found.component(*to) <= found.component(node));
            }
            let comes_back = reached_from(&graph, node, |_| false).contains(node);
            prop_assert_eq!(found.is_cyclic(node), comes_back);
        }
    }

    #[test]
    fn union_find((count, edges) in edges()) {
        let mut found = UnionFind::with_capacity(count);
        let mut expected = unionfind::UnionFind::<usize>::new(count);
        for (one, other) in edges {
            let united = found.unite(Node::new(one), Node::new(other));
            prop_assert_eq!(united.is_some(), expected.union(one, other));
            if let Some(united) = united {
                prop_assert_eq!(found.find(Node::new(one)), united);
            }
        }
        for node in 0..count {
            let lowest = (0..count).find(|other| expected.equiv(node, *other));
            prop_assert_eq!(Some(found.find(Node::new(node)).index()), lowest);
        }
    }

    #[test]
    fn depth_first_search((count, edges) in edges(), root in 0..40_usize) {
        let graph = graph(count, &edges);
        let root = Node::new(root % count);
        let order = reverse_postorder(&graph, [root]);
        let expected = other(count, &edges);
        let mut search = Dfs::new(&expected, theirs(root));
        let reached = std::iter::from_fn(|| search.next(&expected));
        let reached: BTreeSet<Node> = reached.map(ours).collect();
        prop_assert_eq!(&order.iter().copied().collect::<BTreeSet<Node>>(), &reached);
        prop_assert_eq!(order.len(), reached.len());
        prop_assert!(reachable(&graph, [root]).iter().eq(reached.iter().copied()));
        let mut back = BTreeSet::new();
        for event in depth_first(&graph, [root]) {
            if let Event::Visited { from, to, is_back_edge: true, .. } = event {
                back.insert((from, to));
            }
        }
        let position = |node: Node| order.iter().position(|other| *other == node);
        for from in &order {
            for to in graph.successors(*from) {
                let is_back_edge = position(*to) <= position(*from);
                prop_assert_eq!(is_back_edge, back.contains(&(*from, *to)));
            }
        }
    }

    #[test]
    fn reachability_between_stops((count, edges) in edges(), start in 0..40_usize, stop in 0..40_usize) {
        let (start, stop) = (start % count, stop % count);
        let found = reached_from(&graph(count, &edges), Node::new(start), |node| node.index() == stop);
        // By definition: iterates over all edges until there are no new nodes.
        let mut reached = vec![false; count];
        for _ in 0..=count {
            for (from, to) in &edges {
                reached[*to] |= *from == start || (reached[*from] && *from != stop);
            }
        }
        for (node, is_reached) in reached.into_iter().enumerate() {
            prop_assert_eq!(found.contains(Node::new(node)), is_reached);
        }
    }

    #[test]
    fn nesting(parents in proptest::collection::vec(proptest::option::of(0..1000_usize), 0..40)) {
        let parent = |node: usize| match (parents[node], node) {
            (Some(parent), 1..) => Some(parent % node),
            _ => None,
        };
        let nodes = (0..parents.len()).map(|node| (Node::new(node), parent(node).map(Node::new)));
        let nesting = Nesting::of(nodes);
        for inner in 0..parents.len() {
            let above: BTreeSet<usize> = std::iter::successors(Some(inner), |at| parent(*at)).collect();
            for outer in 0..parents.len() {
                let contains = nesting.contains(Node::new(outer), Node::new(inner));
                prop_assert_eq!(contains, above.contains(&outer));
            }
        }
    }

    /// Compares with the least fixed point of the dataflow equations.
    #[test]
    fn liveness(
        (count, edges) in edges(),
        values in proptest::collection::vec((0..40_usize, proptest::collection::vec((0..40_usize, 0..3_u8), 0..4)), 1..4),
    ) {
        let back = graph(count, &edges).reversed();
        let mut liveness = Liveness::new(&back);
        for (definition, uses) in values {
            let definition = definition % count;
            let uses: Vec<(usize, u8)> = uses.iter().map(|(node, kind)| (node % count, *kind)).collect();
            liveness.define(Node::new(definition));
            for (node, kind) in &uses {
                let node = Node::new(*node);
                match kind {
                    0 => liveness.used_in(node),
                    1 => liveness.used_at_end(node),
                    _ => liveness.used_at_start(node),
                }
            }
            let is_used = |node: usize, kinds: &[u8]| {
                uses.iter().any(|(at, kind)| *at == node && kinds.contains(kind))
            };
            let mut at_start = vec![false; count];
            let mut at_end: Vec<bool> = (0..count).map(|node| is_used(node, &[1])).collect();
            let mut changed = true;
            while changed {
                changed = false;
                for node in 0..count {
                    let end = at_end[node]
                        || edges.iter().any(|(from, to)| *from == node && at_start[*to]);
                    let start = is_used(node, &[2])
                        || node != definition && (end || is_used(node, &[0, 1]));
                    changed |= (start, end) != (at_start[node], at_end[node]);
                    (at_start[node], at_end[node]) = (start, end);
                }
            }
            for node in 0..count {
                let position = liveness.position(Node::new(node));
                let found = position.map(|position| liveness.nodes()[position]);
                let is_live = at_start[node] || at_end[node] || is_used(node, &[0]);
                prop_assert_eq!(found.is_some(), is_live);
                if let Some(found) = found {
                    prop_assert_eq!(found.node, Node::new(node));
                    prop_assert_eq!((found.at_start, found.at_end), (at_start[node], at_end[node]));
                }
            }
        }
    }
}
