//! Operations along a length that is known only at run time, such as the height of an image or the number of tokens: chains
//! of them run in strips of a few rows, so that what lies between them has only these rows.
//!
//! A strip's rows are those of the frontiers, as where all sizes are known. Only where rows end, and how many strips there
//! are, is computed at run time. So nothing depends on what the sizes of different operations have to do with each other.

use super::{
    length_limits::{HEIGHT, fits, is_new, is_too_long},
    length_shapes::LengthShapes,
    longest::LongestChains,
    read::{BlockReading, Nests, read},
    unknown::{Along, WrittenUnknown},
    write::{BlockWriting, write_lengths},
};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    build::BuildError,
    calls::function_body,
    ir::{Op, blocks, results, type_of},
    layout::dynamic_dimensions,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::Semantics;
use memplan_strips::{chain::Spread, frontiers::Frontiers, program::Program};
use rustc_hash::FxHashSet;

/// Runs chains of an analysed function along lengths. Returns the analysis, too, if there are none.
pub fn split_lengths<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    analysis: Analysis<'c>,
) -> Result<(Vec<WrittenUnknown<'c>>, Option<Analysis<'c>>), BuildError> {
    if !has_lengths(&analysis) {
        return Ok((Vec::new(), Some(analysis)));
    }
    let mut written = Vec::new();
    let body: Vec<_> = function_body(function)
        .into_iter()
        .flat_map(blocks)
        .collect();
    let mut shapes = LengthShapes::of(function);
    for reading in read(&analysis, semantics, &body, Nests::None, &mut shapes) {
        let mut block = BlockWriting::of(&reading);
        for (spread, frontiers) in chains(&reading, semantics, &shapes) {
            let chain = written.len() as u64;
            written.push(WrittenUnknown {
                location: reading.ops[spread.nodes.end - 1].location(),
                operations: spread.links.len(),
                along: Along::Rows,
            });
            write_lengths(&mut block, &spread, &frontiers, &shapes, chain, semantics)?;
        }
    }
    // Writing invalidates the analysis.
    let known = written.is_empty().then_some(analysis);
    Ok((written, known))
}

/// Whether any allocation has a size that is known only at run time.
fn has_lengths(analysis: &Analysis<'_>) -> bool {
    analysis.plannable.iter().any(|plannable| {
        let allocation = analysis.handles.buffers[plannable.buffer.index()];
        let memref = results(allocation).next();
        memref.is_some_and(|memref| !dynamic_dimensions(type_of(memref)).is_empty())
    })
}

/// The chains of a block, the last one first.
fn chains(
    reading: &BlockReading<'_>,
    semantics: &mut Semantics,
    shapes: &LengthShapes<'_>,
) -> Vec<(Spread, Frontiers)> {
    let program = &reading.program;
    let mut found = Vec::new();
    let mut longest = LongestChains::of(program);
    // Operations with loops whose chains run item by item.
    let mut plain: FxHashSet<(usize, u32)> = FxHashSet::default();
    let mut end = program.nodes.len();
    while end > 0 {
        let splits = seed_loops(program, end - 1, shapes).into_iter();
        let chain = splits.into_iter().find_map(|split| {
            if plain.contains(&(end - 1, split)) {
                return None;
            }
            longest.before((end, split), &is_too_long, &mut |spread| {
                let mut frontiers = Frontiers::of(spread, HEIGHT, 0).ok()?;
                if !is_new(program, spread, &frontiers, shapes) {
                    let links = spread.links.iter();
                    plain.extend(links.map(|link| (link.node.index(), link.split)));
                    return None;
                }
                let fits = fits(reading, spread, &frontiers, semantics, shapes);
                fits.then(|| {
                    frontiers.have_all_rows(spread);
                    frontiers
                })
            })
        });
        end = chain
            .as_ref()
            .map_or(end - 1, |(spread, _)| spread.nodes.start);
        found.extend(chain);
    }
    found
}

/// The parallel loops along lengths of an operation that writes.
fn seed_loops(program: &Program, at: usize, shapes: &LengthShapes<'_>) -> Vec<u32> {
    let node = &program.nodes[at];
    if !node.accesses.iter().any(|access| access.writes) {
        return Vec::new();
    }
    let loops = node.loops.iter().enumerate();
    let along = loops
        .filter(|(_, one)| one.is_parallel && shapes.expression(one.extent).is_some())
        .map(|(at, _)| at as u32);
    along.collect()
}
