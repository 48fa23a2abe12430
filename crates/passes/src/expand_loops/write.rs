//! Writes loops out.

use crate::bounded::{
    MOVE,
    constants::nothing,
    loops::{self, Turns, is_counted},
};
use memplan_mlir::{
    build::{BuildError, Builder},
    copy::{copy_before, substitute},
    ir::{
        Block, Identity, Key, Op, Region, Val, blocks, erase, is_unused, operands, ops,
        parent_block, regions, replace_all_uses, results, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
    names::Names,
};
use rustc_hash::FxHashMap;

/// Writes out all loops of a body that have constant turns; returns how many it wrote out.
///
/// Inner loops come first, so that each operation is copied once for each loop around it and the work is
/// linear in the result. What is constant only in a turn of a loop around is written out in its copies.
pub fn expand(body: Region<'_>, names: &mut Names) -> Result<u64, BuildError> {
    let mut count = 0;
    for block in blocks(body) {
        for op in ops(block) {
            if regions(op).next().is_some() {
                one(op, names, &mut count)?;
            }
        }
    }
    Ok(count)
}

/// An operation and what it holds. Counts up, and returns what its results are where it is gone.
fn one<'c>(
    op: Op<'c>,
    names: &mut Names,
    count: &mut u64,
) -> Result<Option<Vec<Val<'c>>>, BuildError> {
    let is_loop = is_counted(names.info(op).known) && !op.has_attribute(MOVE);
    let turns = is_loop.then(|| loops::turns(op, names, &nothing));
    let turns = turns.and_then(Result::ok);
    // What never turns goes as it is, however large it would become.
    if turns.is_none_or(|turns| turns.count > 0) {
        for region in regions(op) {
            *count += expand(region, names)?;
        }
    }
    match turns {
        Some(turns) => unroll(op, turns, names, count),
        None => Ok(None),
    }
}

/// What a turn hands to the next one.
#[derive(Clone, Copy)]
enum Handed<'c> {
    /// What it was handed at this place.
    On(usize),
    /// Something else.
    New(Val<'c>),
}

/// What is carried after so many turns that hand on the same and do nothing else, by squaring.
fn after<'c>(mut turns: u64, mut hand: Vec<Handed<'c>>, mut carried: Vec<Val<'c>>) -> Vec<Val<'c>> {
    while turns > 0 {
        if turns & 1 == 1 {
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
        turns >>= 1;
    }
    carried
}

fn has_loops(block: Block<'_>, names: &mut Names) -> bool {
    ops(block).any(|op| {
        let mut inner = regions(op).flat_map(blocks);
        is_counted(names.info(op).known) || inner.any(|inner| has_loops(inner, names))
    })
}

fn unroll<'c>(
    op: Op<'c>,
    turns: Turns,
    names: &mut Names,
    count: &mut u64,
) -> Result<Option<Vec<Val<'c>>>, BuildError> {
    let (Some(parts), Some(block)) = (loops::parts(op), parent_block(op)) else {
        return Ok(None);
    };
    let Some(end) = terminator(parts.body) else {
        return Ok(None);
    };
    *count += 1;
    let inner: Vec<Op<'c>> = ops(parts.body)
        .take_while(|inner| inner.key() != end.key())
        .collect();
    let handed_on: Vec<Val<'c>> = operands(end).collect();
    let is_nested = has_loops(parts.body, names);
    let mut carried = parts.starts;
    let mut first = 0;
    if inner.is_empty() {
        // A turn writes nothing: what it carries comes from at most so many turns before.
        first = turns.count.saturating_sub(carried.len() as u64 + 1);
        let places = parts.carried.iter().enumerate();
        let places: FxHashMap<Key, usize> = places.map(|(at, one)| (one.key(), at)).collect();
        let from = handed_on
            .iter()
            .map(|value| match places.get(&value.key()) {
                Some(at) => Handed::On(*at),
                None => Handed::New(*value),
            });
        carried = after(first, from.collect(), carried);
    }
    let mut map: FxHashMap<Key, Val<'c>> = FxHashMap::default();
    for turn in first..turns.count {
        map.clear();
        for (argument, value) in parts.carried.iter().zip(&carried) {
            map.insert(argument.key(), *value);
        }
        if !is_unused(parts.induction)
            && let Some(builder) = Builder::before(op, op.location())
        {
            let number = builder.constant(turns.at(turn), type_of(parts.induction))?;
            map.insert(parts.induction.key(), number);
        }
        for original in &inner {
            let Some(copy) = copy_before(*original, block, op) else {
                continue;
            };
            substitute(copy, &mut |value| map.get(&value.key()).copied());
            let mut given: Vec<Val<'c>> = results(copy).collect();
            if is_nested && regions(copy).next().is_some() {
                // Its bounds may be constant now.
                given = one(copy, names, count)?.unwrap_or(given);
            }
            for (from, to) in results(*original).zip(given) {
                map.insert(from.key(), to);
            }
        }
        // All at once: values that change places do.
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
