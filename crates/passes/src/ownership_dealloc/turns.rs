//! What the end of a loop's body hands on, whatever turn it is.

use memplan_mlir::{
    flow::{self, RegionEdge},
    ir::{
        Block, Op, Val, arguments, block_parent, blocks, operands, parent_block, regions, results,
        type_of,
    },
};
use smallvec::SmallVec;

/// As [`flow::terminator_edges`], of a loop as if it had any number of turns: where that is known to be one or none,
/// `affine.for` says that its body goes on to one place or to none, but what it hands on still has to fit the arguments
/// of the body and the results.
pub fn terminator_edges<'c>(end: Op<'c>) -> Option<Vec<RegionEdge<'c>>> {
    let mut edges = flow::terminator_edges(end)?;
    if operands(end).next().is_some()
        && let Some(block) = parent_block(end)
        && let Some(around) = block_parent(block)
        && let Some(body) = regions(around).next()
        && regions(around).nth(1).is_none()
        && let Some(entry) = blocks(body).next()
        && flow::is_loop_body(around, body)
    {
        complete(&mut edges, end, entry, around);
    }
    Some(edges)
}

fn complete<'c>(edges: &mut Vec<RegionEdge<'c>>, end: Op<'c>, entry: Block<'c>, around: Op<'c>) {
    let handed: SmallVec<[Val<'c>; 4]> = operands(end).collect();
    let first = arguments(entry).count().checked_sub(handed.len());
    let carried = first.map(|first| arguments(entry).skip(first).collect());
    let behind = Some(results(around).collect());
    for (region, to) in [(Some(0), carried), (None, behind)] {
        let to: SmallVec<[Val<'c>; 4]> = to.unwrap_or_default();
        let mut pairs = handed.iter().zip(&to);
        let fits =
            to.len() == handed.len() && pairs.all(|(one, other)| type_of(*one) == type_of(*other));
        if fits && edges.iter().all(|edge| edge.region != region) {
            let values = handed.iter().copied().zip(to).collect();
            edges.push(RegionEdge { region, values });
        }
    }
}
