//! A complete binary tree with leaves numbered from 0. Node 1 is the root, the children of node n
//! are 2n and 2n + 1, and the leaves are the second half of the nodes.

use crate::timeline::Span;

/// The nodes that make up a span of leaves, in a tree with `leaves` leaves.
pub fn nodes(leaves: usize, span: Span) -> impl Iterator<Item = usize> {
    let (mut left, mut right) = (leaves + span.start as usize, leaves + span.end as usize);
    std::iter::from_fn(move || {
        while left < right {
            if left % 2 == 1 {
                left += 1;
                return Some(left - 1);
            }
            if right % 2 == 1 {
                right -= 1;
                return Some(right);
            }
            left /= 2;
            right /= 2;
        }
        None
    })
}

/// The ancestors of a node, up to the root.
pub fn ancestors(node: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(node / 2), |&node| Some(node / 2)).take_while(|&node| node > 0)
}
