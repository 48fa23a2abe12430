//! Ancestor queries in trees.

use crate::{EntityRef, PackedOption, ReservedValue, SecondaryMap};

/// A range that is empty, and starts after all numbers.
const NOWHERE: (u32, u32) = (u32::MAX, 0);

/// One or more trees of ids, numbered in preorder: the descendants of a node have consecutive numbers.
#[derive(Clone, Debug)]
pub struct Nesting<N: EntityRef + ReservedValue> {
    parents: SecondaryMap<N, PackedOption<N>>,
    /// For each node, its number and the end of the numbers of its descendants; [`NOWHERE`] if it is in no tree.
    ranges: SecondaryMap<N, (u32, u32)>,
}

impl<N: EntityRef + ReservedValue> Nesting<N> {
    /// Takes nodes with their parents; each parent comes before its children.
    pub fn of(nodes: impl IntoIterator<Item = (N, Option<N>)>) -> Self {
        let mut parents = SecondaryMap::new();
        let mut order = Vec::new();
        // The size of the subtree of each node.
        let mut sizes: SecondaryMap<N, u32> = SecondaryMap::new();
        for (node, parent) in nodes {
            parents[node] = PackedOption::from(parent);
            sizes[node] = 1;
            order.push((node, parent));
        }
        for (node, parent) in order.iter().rev() {
            if let Some(parent) = parent {
                sizes[*parent] += sizes[*node];
            }
        }
        let mut ranges = SecondaryMap::with_default(NOWHERE);
        // The number for the next root, and for the next child of each node.
        let mut roots = 0;
        let mut next: SecondaryMap<N, u32> = SecondaryMap::new();
        for (node, parent) in order {
            let free = parent.map_or(&mut roots, |parent| &mut next[parent]);
            let start = *free;
            *free += sizes[node];
            ranges[node] = (start, start + sizes[node]);
            next[node] = start + 1;
        }
        Self { parents, ranges }
    }

    /// Is a node in a tree?
    #[inline]
    pub fn has(&self, node: N) -> bool {
        self.ranges[node] != NOWHERE
    }

    /// The parent of a node; `None` for a root.
    #[inline]
    pub fn parent(&self, node: N) -> Option<N> {
        self.parents[node].expand()
    }

    /// Is `inner` a descendant of `outer`, or the same node? False for nodes that are in no tree.
    #[inline]
    pub fn contains(&self, outer: N, inner: N) -> bool {
        let (start, end) = self.ranges[outer];
        let (number, _) = self.ranges[inner];
        start <= number && number < end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Node;

    #[test]
    fn descendants_are_contained() {
        // 0 is the parent of 2 and 1, and 2 of 4; 5 is alone; 3 is in no tree.
        let nesting = Nesting::of(
            [
                (0, None),
                (2, Some(0)),
                (5, None),
                (4, Some(2)),
                (1, Some(0)),
            ]
            .map(|(node, parent): (u32, Option<u32>)| (Node(node), parent.map(Node))),
        );
        let above: [&[u32]; 7] = [&[0], &[0, 1], &[0, 2], &[], &[0, 2, 4], &[5], &[]];
        for (inner, above) in above.into_iter().enumerate() {
            let inner = Node::new(inner);
            assert_eq!(nesting.has(inner), !above.is_empty());
            for outer in (0..7).map(Node) {
                let is_above = above.contains(&outer.0);
                assert_eq!(
                    nesting.contains(outer, inner),
                    is_above,
                    "{outer:?} {inner:?}"
                );
            }
        }
        assert_eq!(nesting.parent(Node(4)), Some(Node(2)));
        assert_eq!(nesting.parent(Node(5)), None);
    }
}
