//! Decides which results are parts of one block, and where.

use crate::new_buffers;
use memplan_lifetimes::{Analysis, program::BufferId};
use memplan_mlir::{
    calls::function_body,
    ir::{Block, Identity, Op, blocks, operands, ops, parent, parent_block, type_of},
    layout::{MAX_BYTES, memory_space},
};

/// A block, of which results are parts.
pub struct ResultBlock<'c> {
    /// The operation before which it is allocated.
    pub before: Op<'c>,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub alignment: u64,
    /// The results, in their order: the first one is freed for all of them.
    pub parts: Vec<ResultPart<'c>>,
}

/// A result.
pub struct ResultPart<'c> {
    /// Its number.
    pub number: usize,
    /// The allocation of its buffer.
    pub alloc: Op<'c>,
    /// Bytes before it in the block.
    pub offset: u64,
}

/// The blocks of a function, one for each memory space with several results. Parts start at multiples of `alignment`.
pub fn decide<'c>(
    function: Op<'c>,
    analysis: &Analysis<'c>,
    alignment: u64,
) -> Vec<ResultBlock<'c>> {
    let program = &analysis.program;
    let Some(entry) = function_body(function).and_then(|body| blocks(body).next()) else {
        return Vec::new();
    };
    let mut numbers: Vec<u32> = program.returned.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut spaces: Vec<(String, Vec<(u32, BufferId)>)> = Vec::new();
    for number in numbers {
        let buffer = new_buffers::of_result(analysis, number).filter(|buffer| {
            let alloc = analysis.handles.buffers[buffer.index()];
            new_buffers::is_only_returned(analysis, *buffer)
                && operands(alloc).next().is_none()
                && program.buffers[buffer.index()].dynamic.is_none()
                && parent(alloc).is_some_and(|around| around.key() == function.key())
        });
        let Some(buffer) = buffer else {
            continue;
        };
        let value = program.buffers[buffer.index()].value;
        let space = memory_space(type_of(analysis.handles.values[value.index()]));
        match spaces.iter_mut().find(|(other, _)| *other == space) {
            Some((_, all)) => all.push((number, buffer)),
            None => spaces.push((space, vec![(number, buffer)])),
        }
    }
    let several = spaces.into_iter().filter(|(_, all)| all.len() > 1);
    several
        .filter_map(|(_, all)| block(analysis, entry, &all, alignment))
        .collect()
}

fn block<'c>(
    analysis: &Analysis<'c>,
    entry: Block<'c>,
    results: &[(u32, BufferId)],
    least: u64,
) -> Option<ResultBlock<'c>> {
    let (mut size, mut alignment) = (0_u64, 1);
    let mut parts = Vec::new();
    for (number, buffer) in results {
        let fact = &analysis.program.buffers[buffer.index()];
        let own = fact.alignment.max(least);
        let offset = size.checked_next_multiple_of(own)?;
        size = offset.checked_add(fact.size)?;
        alignment = own.max(alignment);
        parts.push(ResultPart {
            number: *number as usize,
            alloc: analysis.handles.buffers[buffer.index()],
            offset,
        });
    }
    if size > MAX_BYTES {
        return None;
    }
    // What is in another block of the function is after all of the first one.
    let in_entry = results.iter().filter(|(_, buffer)| {
        let block = parent_block(analysis.handles.buffers[buffer.index()]);
        block.is_some_and(|block| block.key() == entry.key())
    });
    let first =
        in_entry.min_by_key(|(_, buffer)| analysis.program.buffers[buffer.index()].position);
    let first = first.map(|(_, buffer)| analysis.handles.buffers[buffer.index()]);
    Some(ResultBlock {
        before: first.or_else(|| ops(entry).last())?,
        size,
        alignment,
        parts,
    })
}
