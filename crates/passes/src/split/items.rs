//! Operations on a number of items that is known only at run time, such as a batch: chains of them run item by item, so that
//! the memory between them has a static size. Strips may then split what is done for one item.
//!
//! Only the plain case is taken: each operation of a chain does for each item the same, on that item of each operand.

use super::{
    item_shapes::{ITEMS, ItemShapes},
    longest::LongestChains,
    read::{BlockReading, MemrefShapes as _, Nests, read},
    unknown::{Along, WrittenUnknown},
    write::{BlockWriting, write_items},
};
use crate::coalescing::PackingOptions;
use memplan_lifetimes::{Analysis, Callees};
use memplan_mlir::{
    build::BuildError,
    calls::function_body,
    ir::{Op, blocks, ops, regions, results, type_of},
    layout::dynamic_dimensions,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::Semantics;
use memplan_strips::{
    chain::{Spread, Window},
    frontiers::Frontiers,
    program::{Program, Role},
    views::RowMap,
};

/// Most numbers of items of a function.
const NUMBERS: usize = 4;

/// Runs chains of an analysed function item by item, which are numbered from `from` on. Returns the analysis, too, if there
/// are none.
pub fn split_items<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    how: &PackingOptions,
    analysis: Analysis<'c>,
    from: u64,
) -> Result<(Vec<WrittenUnknown<'c>>, Option<Analysis<'c>>), BuildError> {
    let mut written = Vec::new();
    let mut known = Some(analysis);
    for number in 0..NUMBERS {
        let before = written.len();
        let analysis = known.take();
        let analysis = analysis.unwrap_or_else(|| how.analyse(function, semantics, callees));
        let Some(mut shapes) = shapes_of(&analysis, semantics, number) else {
            known = Some(analysis);
            break;
        };
        let body: Vec<_> = function_body(function)
            .into_iter()
            .flat_map(blocks)
            .collect();
        for reading in read(&analysis, semantics, &body, Nests::None, &mut shapes) {
            let mut block = BlockWriting::of(&reading);
            for (spread, frontiers) in chains(&reading, semantics, &mut shapes) {
                let chain = from + written.len() as u64;
                written.push(WrittenUnknown {
                    location: reading.ops[spread.nodes.end - 1].location(),
                    operations: spread.links.len(),
                    along: Along::Items,
                });
                write_items(&mut block, &spread, &frontiers, chain, semantics)?;
            }
        }
        // Writing invalidates the analysis.
        known = (written.len() == before).then_some(analysis);
    }
    Ok((written, known))
}

/// The shapes with one number of items: the first one of the allocations that come after `skip` others.
fn shapes_of(
    analysis: &Analysis<'_>,
    semantics: &mut Semantics,
    skip: usize,
) -> Option<ItemShapes> {
    let mut found: Vec<ItemShapes> = Vec::new();
    for plannable in &analysis.plannable {
        let allocation = analysis.handles.buffers[plannable.buffer.index()];
        let memref = results(allocation).next()?;
        let [dimension] = dynamic_dimensions(type_of(memref))[..] else {
            continue;
        };
        if found
            .iter_mut()
            .any(|known| known.shape(memref, semantics).is_some())
        {
            continue;
        }
        found.extend(ItemShapes::of(memref, dimension, semantics));
        if found.len() > skip {
            return found.pop();
        }
    }
    None
}

/// The chains of a block, the last one first.
fn chains(
    reading: &BlockReading<'_>,
    semantics: &mut Semantics,
    shapes: &mut ItemShapes,
) -> Vec<(Spread, Frontiers)> {
    let program = &reading.program;
    let mut found = Vec::new();
    let mut longest = LongestChains::of(program);
    let mut end = program.nodes.len();
    while end > 0 {
        let chain = seed_loop(program, end - 1).and_then(|split| {
            longest.before((end, split), &|_| false, &mut |spread| {
                let frontiers = Frontiers::of(spread, 1, 0).ok()?;
                is_plain(reading, spread, &frontiers, semantics, shapes).then_some(frontiers)
            })
        });
        end = chain
            .as_ref()
            .map_or(end - 1, |(spread, _)| spread.nodes.start);
        found.extend(chain);
    }
    found
}

/// The loop over items of an operation that writes.
fn seed_loop(program: &Program, at: usize) -> Option<u32> {
    let node = &program.nodes[at];
    let mut loops = node.loops.iter();
    let split = loops.position(|one| one.extent == ITEMS && one.is_parallel)?;
    let writes = node.accesses.iter().any(|access| access.writes);
    writes.then_some(split as u32)
}

/// Whether each operation does for each item the same, and nothing of an item is needed for another one.
fn is_plain(
    reading: &BlockReading<'_>,
    spread: &Spread,
    frontiers: &Frontiers,
    semantics: &mut Semantics,
    shapes: &mut ItemShapes,
) -> bool {
    let program = &reading.program;
    let fronts = frontiers.nodes.iter();
    let made = frontiers.buffers.iter().map(|front| &front.made);
    let in_step = fronts
        .chain(made)
        .all(|front| (front.rate, front.ahead, front.limit) == (1, 0, ITEMS));
    let are_apart = !frontiers.buffers.iter().any(|front| front.is_carried());
    let mut roles = spread.buffers.iter().map(|split| split.role);
    let is_useful = roles.any(|role| role == Role::Between);
    let have_one_size = spread.buffers.iter().all(|split| {
        let shape = &program.buffer(split.buffer).shape;
        let items = shape.iter().enumerate();
        let mut items = items.filter(|(_, size)| **size == ITEMS);
        items.next().map(|(at, _)| at as u32) == Some(split.dimension) && items.next().is_none()
    });
    if !in_step || !are_apart || !is_useful || !have_one_size || spread.accumulates {
        return false;
    }
    let mut links = spread.links.iter();
    links.all(|link| {
        let (node, op) = (program.node(link.node), reading.ops[link.node.index()]);
        let loops = node.loops.iter().enumerate();
        let mut dynamic = loops.filter(|(_, one)| one.extent == ITEMS);
        let is_only = dynamic.next().map(|(at, _)| at as u32) == Some(link.split)
            && dynamic.next().is_none()
            && node.loops[link.split as usize].is_parallel;
        let given = semantics.linear_loops(op);
        is_only
            && node.whole.is_empty()
            && !uses_number(op, link.split, semantics)
            && node.accesses.iter().enumerate().all(|(at, access)| {
                let operand = given.as_ref().and_then(|given| given.memref(at));
                let shape = operand.and_then(|operand| shapes.shape(operand, semantics));
                let Some(shape) = shape else {
                    return false;
                };
                let items = shape.iter().filter(|size| **size == ITEMS).count();
                let is_between = link.places[at]
                    .is_some_and(|place| spread.buffers[place as usize].role == Role::Between);
                let is_direct = is_between
                    || program.view(access).steps.is_empty()
                    || !program.buffer(access.buffer).is_written_in(&spread.nodes);
                match &link.windows[at] {
                    Some(window) => items == 1 && is_direct && is_item(window, &shape),
                    None => items == 0 && !access.writes,
                }
            })
    })
}

/// Whether an iteration touches the item of its number.
fn is_item(window: &Window, operand: &[i64]) -> bool {
    let is_same = window.map == RowMap::SAME;
    window.is_row() && is_same && operand[window.operand_dimension as usize] == ITEMS
}

/// Whether an operation computes with the number of an item.
fn uses_number(op: Op<'_>, split: u32, semantics: &mut Semantics) -> bool {
    let mut open: Vec<_> = regions(op).flat_map(blocks).collect();
    while let Some(block) = open.pop() {
        for nested in ops(block) {
            if semantics.loop_index(nested) == Some(split) {
                return true;
            }
            open.extend(regions(nested).flat_map(blocks));
        }
    }
    false
}
