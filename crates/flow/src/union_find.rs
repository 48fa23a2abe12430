//! Union-find.

use crate::EntityRef;
use std::marker::PhantomData;

/// Disjoint sets of ids, each represented by its lowest member. An id that was never united with another one is alone
/// in its set.
///
/// Union by size with path halving (Tarjan and van Leeuwen, "Worst-case analysis of set union algorithms", 1984). The
/// lowest member is stored separately, so the result does not depend on the order of the unions.
#[derive(Clone, Debug)]
pub struct UnionFind<N> {
    nodes: Vec<Node>,
    ids: PhantomData<N>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    /// For a root: the number of members of its set, and the lowest one.
    size: u32,
    lowest: u32,
}

impl<N> Default for UnionFind<N> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            ids: PhantomData,
        }
    }
}

impl<N: EntityRef> UnionFind<N> {
    /// Reserves space for this number of ids.
    pub fn with_capacity(count: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(count),
            ids: PhantomData,
        }
    }

    /// The lowest member of the set of an id.
    pub fn find(&mut self, id: N) -> N {
        if id.index() >= self.nodes.len() {
            return id;
        }
        let root = self.root(id.index() as u32);
        N::new(self.nodes[root as usize].lowest as usize)
    }

    /// Unites two sets, and returns the lowest member, which now represents the set. `None` if they were the same
    /// set.
    pub fn unite(&mut self, one: N, other: N) -> Option<N> {
        self.reserve(one.index().max(other.index()));
        let one = self.root(one.index() as u32);
        let other = self.root(other.index() as u32);
        if one == other {
            return None;
        }
        let (of_one, of_other) = (self.nodes[one as usize], self.nodes[other as usize]);
        let (large, small) = if of_one.size < of_other.size {
            (other, one)
        } else {
            (one, other)
        };
        self.nodes[small as usize].parent = large;
        let node = &mut self.nodes[large as usize];
        node.size = of_one.size + of_other.size;
        node.lowest = of_one.lowest.min(of_other.lowest);
        Some(N::new(node.lowest as usize))
    }

    /// Creates the nodes up to `last`.
    fn reserve(&mut self, last: usize) {
        let known = self.nodes.len();
        self.nodes.extend((known..=last).map(|at| Node {
            parent: at as u32,
            size: 1,
            lowest: at as u32,
        }));
    }

    fn root(&mut self, mut at: u32) -> u32 {
        loop {
            let parent = self.nodes[at as usize].parent;
            if parent == at {
                return at;
            }
            let above = self.nodes[parent as usize].parent;
            self.nodes[at as usize].parent = above;
            at = above;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Node;

    #[test]
    fn the_lowest_member_represents_the_set() {
        let mut sets = UnionFind::default();
        let mut unite = |one, other| sets.unite(Node(one), Node(other)).map(|node| node.0);
        assert_eq!(unite(5, 7), Some(5));
        assert_eq!(unite(7, 3), Some(3));
        assert_eq!(unite(5, 3), None);
        assert_eq!(unite(9, 9), None);
        assert_eq!(unite(1, 9), Some(1));
        assert_eq!(unite(9, 5), Some(1));
        let lowest: Vec<u32> = (0..12).map(|at| sets.find(Node(at)).0).collect();
        assert_eq!(lowest, [0, 1, 2, 1, 4, 1, 6, 1, 8, 1, 10, 11]);
    }

    #[test]
    fn a_long_chain_is_one_set() {
        let mut sets = UnionFind::with_capacity(100_000);
        for at in (1..100_000).rev() {
            assert_eq!(sets.unite(Node(at), Node(at - 1)), Some(Node(at - 1)));
        }
        assert!((0..100_000).all(|at| sets.find(Node(at)) == Node(0)));
    }
}
