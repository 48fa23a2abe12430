//! Expands loops.

use crate::bounded::MOVE;
use memplan_mlir::{
    build::{BuildError, Builder},
    copy::{copy_before, substitute},
    ir::{
        Block, Identity, Key, Op, Region, Val, blocks, erase, is_unused, ops, parent_block,
        regions, replace_all_uses, results, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{Form, Loop, Semantics, constants::no_known_values, loops::Iterations};
use rustc_hash::FxHashMap;

/// Expands all loops of a body that have constant trip counts; returns their number.
///
/// Inner loops come first, so that each operation is copied once for each enclosing loop, and the work is
/// linear in the result. A loop whose bounds are constant only within an iteration of an outer loop is
/// expanded in the copies.
pub fn expand(body: Region<'_>, semantics: &mut Semantics) -> Result<u64, BuildError> {
    let mut count = 0;
    for block in blocks(body) {
        for op in ops(block) {
            if regions(op).next().is_some() {
                one(op, semantics, &mut count)?;
            }
        }
    }
    Ok(count)
}

/// Expands an operation and its regions. Increments the count, and returns the new results if the operation
/// was removed.
fn one<'c>(
    op: Op<'c>,
    semantics: &mut Semantics,
    count: &mut u64,
) -> Result<Option<Vec<Val<'c>>>, BuildError> {
    let is_loop = semantics.form(op) == Form::Counted && !op.has_attribute(MOVE);
    let found = is_loop.then(|| Loop::of(op, semantics)).flatten();
    let iterations = found.and_then(|found| found.counted(semantics, &no_known_values).ok());
    // A loop without iterations is removed, whatever its size.
    if iterations.is_none_or(|iterations| iterations.count > 0) {
        for region in regions(op) {
            *count += expand(region, semantics)?;
        }
    }
    // Its loop-carried values may have changed.
    let found = iterations.and_then(|iterations| Some((Loop::of(op, semantics)?, iterations)));
    match found {
        Some((found, iterations)) => unroll(&found, iterations, semantics, count),
        None => Ok(None),
    }
}

/// A value that an iteration passes to the next one.
#[derive(Clone, Copy)]
enum Handed<'c> {
    /// The loop-carried value of this index.
    On(usize),
    /// Another value.
    New(Val<'c>),
}

/// Loop-carried values after this many iterations that only permute values, by repeated squaring.
fn after<'c>(
    mut iterations: u64,
    mut hand: Vec<Handed<'c>>,
    mut carried: Vec<Val<'c>>,
) -> Vec<Val<'c>> {
    while iterations > 0 {
        if iterations & 1 == 1 {
            let now = hand.iter().map(|handed| match handed {
                Handed::On(at) => carried[*at],
                Handed::New(value) => *value,
            });
            carried = now.collect();
        }
        let twice = hand.iter().map(|handed| match handed {
            Handed::On(at) => hand[*at],
            new @ Handed::New(_) => *new,
        });
        hand = twice.collect();
        iterations >>= 1;
    }
    carried
}

fn has_loops(block: Block<'_>, semantics: &mut Semantics) -> bool {
    ops(block).any(|op| {
        let mut inner = regions(op).flat_map(blocks);
        semantics.form(op) == Form::Counted || inner.any(|inner| has_loops(inner, semantics))
    })
}

fn unroll<'c>(
    found: &Loop<'c>,
    iterations: Iterations,
    semantics: &mut Semantics,
    count: &mut u64,
) -> Result<Option<Vec<Val<'c>>>, BuildError> {
    let op = found.op;
    let only = found.only_dimension().map(|only| only.induction);
    let (Some(induction), Some(body)) = (only, found.body()) else {
        return Ok(None);
    };
    let (Some(end), Some(block)) = (terminator(body), parent_block(op)) else {
        return Ok(None);
    };
    if found.carried.len() != results(op).count() {
        return Ok(None);
    }
    *count += 1;
    let inner: Vec<Op<'c>> = ops(body)
        .take_while(|inner| inner.key() != end.key())
        .collect();
    let handed_on: Vec<Val<'c>> = found.carried.iter().map(|one| one.yielded).collect();
    let is_nested = has_loops(body, semantics);
    let mut carried: Vec<Val<'c>> = found.carried.iter().map(|one| one.start).collect();
    let mut first = 0;
    if inner.is_empty() {
        // The body is empty, so a loop-carried value comes from at most this many iterations before.
        first = iterations.count.saturating_sub(carried.len() as u64 + 1);
        let places = found.carried.iter().map(|one| one.argument.key());
        let places: FxHashMap<Key, usize> = places.zip(0..).collect();
        let from = handed_on
            .iter()
            .map(|value| match places.get(&value.key()) {
                Some(at) => Handed::On(*at),
                None => Handed::New(*value),
            });
        carried = after(first, from.collect(), carried);
    }
    let mut map: FxHashMap<Key, Val<'c>> = FxHashMap::default();
    for iteration in first..iterations.count {
        map.clear();
        for (one, value) in found.carried.iter().zip(&carried) {
            map.insert(one.argument.key(), *value);
        }
        if !is_unused(induction)
            && let Some(builder) = Builder::before(op, op.location())
        {
            let number = builder.constant(iterations.at(iteration), type_of(induction))?;
            map.insert(induction.key(), number);
        }
        for original in &inner {
            let Some(copy) = copy_before(*original, block, op) else {
                continue;
            };
            substitute(copy, &mut |value| map.get(&value.key()).copied());
            let mut given: Vec<Val<'c>> = results(copy).collect();
            if is_nested && regions(copy).next().is_some() {
                // Its bounds may be constant now.
                given = one(copy, semantics, count)?.unwrap_or(given);
            }
            for (from, to) in results(*original).zip(given) {
                map.insert(from.key(), to);
            }
        }
        // All at once, as values may be swapped.
        carried = handed_on
            .iter()
            .map(|value| map.get(&value.key()).copied().unwrap_or(*value))
            .collect();
    }
    for (result, value) in results(op).zip(&carried) {
        replace_all_uses(result, *value);
    }
    erase(op);
    Ok(Some(carried))
}
