//! Whether a function does something whichever way it goes.

use memplan_mlir::{
    flow,
    ir::{
        Block, Identity, Key, Op, Region, block_parent, blocks, parent_block, regions, successors,
        terminator,
    },
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashSet;

/// Does every way from the entry of `body` to where it is left pass one of these operations?
pub fn always<'c>(
    ops: impl IntoIterator<Item = Op<'c>>,
    body: Region<'c>,
    semantics: &mut Semantics,
) -> bool {
    let mut passed: FxHashSet<Key> = FxHashSet::default();
    let mut open: Vec<Block<'c>> = ops.into_iter().filter_map(parent_block).collect();
    while let Some(block) = open.pop() {
        if !passed.insert(block.key()) {
            continue;
        }
        // What all ways into the regions of an operation pass, the operation passes.
        let around = block_parent(block).filter(|op| regions(*op).all(|region| region != body));
        open.extend(
            around
                .filter(|op| is_passing(*op, &passed, semantics))
                .and_then(parent_block),
        );
    }
    is_passed(body, &passed, semantics)
}

/// Does an operation always run one of its regions, and is each that it may run first passed?
fn is_passing<'c>(op: Op<'c>, passed: &FxHashSet<Key>, semantics: &mut Semantics) -> bool {
    let Some(edges) = flow::entry_edges(op) else {
        return false;
    };
    let first = |edge: &flow::RegionEdge<'c>| regions(op).nth(edge.region?);
    !edges.is_empty()
        && edges
            .iter()
            .all(|edge| first(edge).is_some_and(|region| is_passed(region, passed, semantics)))
}

/// Is there no way through a region past the blocks that are passed?
fn is_passed<'c>(region: Region<'c>, passed: &FxHashSet<Key>, semantics: &mut Semantics) -> bool {
    let Some(entry) = blocks(region).next() else {
        return false;
    };
    let mut seen = FxHashSet::from_iter([entry.key()]);
    let mut open = vec![entry];
    while let Some(block) = open.pop() {
        if passed.contains(&block.key()) {
            continue;
        }
        let Some(last) = terminator(block) else {
            return false;
        };
        let mut leaves = !semantics.is_never_left(last);
        for next in successors(last) {
            leaves = false;
            if seen.insert(next.key()) {
                open.push(next);
            }
        }
        if leaves {
            return false;
        }
    }
    true
}
