//! Operations along a length that is known only at run time, such as the height of an image or the number of tokens: chains
//! of them run in strips of a few rows, so that what lies between them has only these rows.
//!
//! A strip's rows are those of the frontiers, as where all sizes are known. Only where rows end, and how many strips there
//! are, is computed at run time. So nothing depends on what the sizes of different operations have to do with each other.

use super::{
    length_shapes::LengthShapes,
    longest::LongestChains,
    read::{BlockReading, Nests, read},
    unknown::{Along, WrittenUnknown},
    write::{BlockWriting, write_lengths},
};
use crate::shapes::LONG;
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    affine_map::Expression,
    build::BuildError,
    calls::function_body,
    ir::{Op, blocks, results, type_of},
    layout::dynamic_dimensions,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{Semantics, length_period};
use memplan_strips::{
    chain::{SplitBuffer, Spread},
    frontiers::Frontiers,
    program::{Program, Role},
    views::{Groups, Step},
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Rows of a strip of the result with the fewest rows.
const HEIGHT: i64 = 1;

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
            written.push(WrittenUnknown {
                location: reading.ops[spread.nodes.end - 1].location(),
                operations: spread.links.len(),
                along: Along::Rows,
            });
            write_lengths(&mut block, &spread, &frontiers, &shapes, semantics)?;
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

/// Most rows of a strip, and most strips that only fill line buffers: `memplan-verify` runs lengths of three times as many
/// strips, for each number of rows by which the last one is shorter.
const MOST_ROWS: i64 = 64;
const MOST_EARLY: i64 = 64;

/// Longest period of sizes: `memplan-verify` runs as many lengths, and more.
const LONGEST_PERIOD: i64 = 128;

/// What it takes other numbers for that the function gets, and a length for which all operations have some rows.
const OTHERS: [i64; 2] = [1009, 1024];
const LENGTH: i64 = 1 << 16;

/// Whether a chain needs more rows than are followed.
fn is_too_long(spread: &Spread) -> bool {
    let Ok(frontiers) = Frontiers::of(spread, HEIGHT, 0) else {
        return false;
    };
    let mut fronts = frontiers.nodes.iter();
    frontiers.first < -MOST_EARLY || fronts.any(|front| front.rate > MOST_ROWS)
}

/// Whether a chain needs rows more than once, or has another length, too: other chains run item by item.
fn is_new(
    program: &Program,
    spread: &Spread,
    frontiers: &Frontiers,
    shapes: &LengthShapes<'_>,
) -> bool {
    let is_length = |size: i64| shapes.expression(size).is_some();
    let fronts = frontiers.nodes.iter();
    let is_in_step = fronts
        .clone()
        .all(|front| (front.rate, front.ahead) == (1, 0))
        && !frontiers.buffers.iter().any(|front| front.is_carried());
    let between = spread.buffers.iter();
    let mut between = between.filter(|split| split.role == Role::Between);
    let has_other = between.any(|split| {
        let shape = &program.buffer(split.buffer).shape;
        let lengths = shape.iter().filter(|size| is_length(**size));
        lengths.count() > 1
    });
    !is_in_step || has_other
}

/// Whether a chain may run along a length, and has something between its operations that gets smaller.
fn fits(
    reading: &BlockReading<'_>,
    spread: &Spread,
    frontiers: &Frontiers,
    semantics: &mut Semantics,
    shapes: &LengthShapes<'_>,
) -> bool {
    let program = &reading.program;
    let is_length = |size: i64| shapes.expression(size).is_some();
    let is_along = spread.links.iter().all(|link| is_length(link.extent))
        && spread.buffers.iter().all(|split| is_length(split.rows));
    // All rows end where those of one number do that the function gets.
    let inputs = |size: i64| shapes.expression(size).map_or(0, |size| size.inputs());
    let all = spread.links.iter().map(|link| inputs(link.extent));
    let all = all.chain(spread.buffers.iter().map(|split| inputs(split.rows)));
    let along = all.fold(0, |all, one| all | one);
    let is_one = along.count_ones() == 1;
    if !is_along || !is_one || spread.accumulates {
        return false;
    }
    // `memplan-verify` runs a period of lengths.
    let mut sizes = Vec::new();
    let mut rates = Vec::new();
    for (link, front) in spread.links.iter().zip(&frontiers.nodes) {
        for (number, one) in program.node(link.node).loops.iter().enumerate() {
            let Some(size) = shapes.expression(one.extent) else {
                continue;
            };
            let known = sizes.iter().position(|known| *known == size);
            let at = known.unwrap_or(sizes.len());
            if known.is_none() {
                sizes.push(size);
            }
            if number as u32 == link.split {
                rates.push((at, front.rate));
            }
        }
    }
    let along = along.trailing_zeros();
    let period = length_period(&sizes, along, &rates);
    let is_followed = |size: &&Expression| {
        OTHERS.into_iter().all(|others| {
            let inputs = shapes.unknowns().len() as u32;
            let values = (0..inputs).map(|at| if at == along { LENGTH } else { others });
            let values: Vec<i64> = values.collect();
            size.at(&values).is_some_and(|size| size > 0)
        })
    };
    let is_long = period.is_none_or(|(period, _)| period > LONGEST_PERIOD);
    if is_long || !sizes.iter().all(is_followed) {
        return false;
    }
    let are_plain = spread.links.iter().all(|link| {
        let node = program.node(link.node);
        let op = reading.ops[link.node.index()];
        semantics.linear_loops(op).is_some()
            && node.accesses.iter().enumerate().all(|(at, access)| {
                let Some(_) = link.windows[at] else {
                    return true;
                };
                let walks = access.indices.iter();
                let mut walks = walks.filter(|index| index.coefficient(link.split) != 0);
                let is_window = walks.all(|index| {
                    let mut others = index.terms.iter().filter(|(one, _)| *one != link.split);
                    others.all(|(one, _)| !is_length(node.loops[*one as usize].extent))
                });
                let view = program.view(access);
                let mut steps = view.steps.iter();
                let shape = &program.buffer(access.buffer).shape;
                is_window
                    && steps.all(|step| has_known_groups(step, &is_length))
                    && has_own_sizes(&view.steps, shape, &inputs)
            })
    });
    let is_between = |split: &&SplitBuffer| split.role == Role::Between;
    let between = || spread.buffers.iter().zip(&frontiers.buffers);
    let bytes = |split: &SplitBuffer, rows: Option<i64>| {
        let buffer = program.buffer(split.buffer);
        let values = vec![LONG.cast_signed(); shapes.unknowns().len()];
        let sizes = buffer.shape.iter().enumerate().map(|(at, size)| {
            let known = rows.filter(|_| at as u32 == split.dimension);
            let known = known.or_else(|| shapes.expression(*size)?.at(&values));
            known.unwrap_or(*size)
        });
        sizes.fold(1_i64, i64::saturating_mul)
    };
    let whole = between().filter(|(split, _)| is_between(split));
    let (mut before, mut after) = (0_i64, 0_i64);
    for (split, front) in whole {
        before = before.saturating_add(bytes(split, None));
        after = after.saturating_add(bytes(split, Some(front.rows())));
    }
    are_plain && after < before
}

/// Whether parts have sizes that depend on the same numbers as what they are parts of: other parts may be inside of it for
/// some numbers only.
fn has_own_sizes(steps: &[Step], shape: &[i64], inputs: &dyn Fn(i64) -> u64) -> bool {
    let mut shape: Vec<u64> = shape.iter().map(|size| inputs(*size)).collect();
    for step in steps {
        match step {
            Step::Part { sizes, becomes, .. } => {
                let own: Vec<u64> = sizes.iter().map(|size| inputs(*size)).collect();
                let mut both = own.iter().zip(&shape);
                if both.any(|(own, all)| own & !all != 0) {
                    return false;
                }
                let kept = becomes.iter().zip(own).filter(|(to, _)| to.is_some());
                shape = kept.map(|(_, size)| size).collect();
            }
            Step::Transpose { order } => {
                shape = order.iter().map(|from| shape[*from as usize]).collect();
            }
            Step::Expand(groups) => {
                shape = groups.shape.iter().map(|size| inputs(*size)).collect();
            }
            Step::Collapse(groups) => {
                let size = |group: &SmallVec<[u32; 4]>| {
                    let sizes = group.iter().map(|at| inputs(groups.shape[*at as usize]));
                    sizes.fold(0, |all, one| all | one)
                };
                shape = groups.groups.iter().map(size).collect();
            }
        }
    }
    true
}

/// Whether of dimensions that are grouped, all but the outermost have sizes that are known.
fn has_known_groups(step: &Step, is_length: &dyn Fn(i64) -> bool) -> bool {
    let (Step::Expand(groups) | Step::Collapse(groups)) = step else {
        return true;
    };
    let Groups { groups, shape } = groups;
    groups.iter().all(|group| {
        let sizes = group.iter().map(|at| shape[*at as usize]);
        let mut sizes = sizes.skip_while(|size| *size == 1).skip(1);
        sizes.all(|size| !is_length(size))
    })
}
