//! `@NAME_arena_size`: how many bytes the arena of a function takes, for callers that provide it.
//!
//! Where sizes are dynamic, it takes what they depend on: dimensions of arguments of the function, and integer arguments. It
//! computes the bytes by copies of the operations that the function itself computes them by.

use memplan_mlir::{
    build::{BuildError, Builder},
    copy::{copy_to_end, substitute},
    ir::{Identity, Key, Op, Origin, Val, operands, origin, results, type_of},
};
use memplan_semantics::{Computes, Semantics, attributes::DIMENSIONS};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many bytes an arena takes.
pub enum SizeOf<'c> {
    /// So many.
    Constant(u64),
    /// What the function computes.
    Computed(Val<'c>),
}

/// An argument of a function, or a dimension of one.
#[derive(Clone, Copy)]
struct Given<'c> {
    argument: usize,
    dimension: Option<i64>,
    value: Val<'c>,
}

/// Writes the function.
pub fn write<'c>(
    builder: &Builder<'c>,
    name: &str,
    bytes: SizeOf<'c>,
    alignment: u64,
) -> Result<(), BuildError> {
    let total = match bytes {
        SizeOf::Constant(bytes) => {
            return builder.index_function(name, &[], &[], |inside, _| {
                Ok(vec![
                    inside.index(bytes as i64)?,
                    inside.index(alignment as i64)?,
                ])
            });
        }
        SizeOf::Computed(total) => total,
    };
    let mut semantics = Semantics::default();
    let mut given: Vec<Given<'c>> = Vec::new();
    let mut ops: Vec<Op<'c>> = Vec::new();
    let mut seen: FxHashSet<Key> = FxHashSet::default();
    read(total, &mut semantics, &mut seen, &mut given, &mut ops);
    let place = |one: &Given<'c>| (one.argument, one.dimension);
    given.sort_by_key(place);
    // A dimension may be read more than once.
    let mut parameters = given.clone();
    parameters.dedup_by_key(|one| place(one));
    let types: Vec<_> = parameters.iter().map(|one| type_of(one.value)).collect();
    let numbers = parameters.iter().flat_map(|one| {
        let dimension = one.dimension.unwrap_or(-1);
        [one.argument as i64, dimension]
    });
    let numbers: Vec<i64> = numbers.collect();
    let attributes = [(DIMENSIONS, builder.integers_attribute(&numbers))];
    builder.index_function(name, &types, &attributes, |inside, arguments| {
        let mut new: FxHashMap<Key, Val<'c>> = FxHashMap::default();
        for one in &given {
            let number = parameters.partition_point(|other| place(other) < place(one));
            new.insert(one.value.key(), arguments[number]);
        }
        for op in ops {
            let copy = copy_to_end(op, inside.block()).ok_or_else(BuildError::signature)?;
            substitute(copy, &mut |value| new.get(&value.key()).copied());
            for (old, result) in results(op).zip(results(copy)) {
                new.insert(old.key(), result);
            }
        }
        let total = new.get(&total.key()).copied();
        let total = total.ok_or_else(BuildError::signature)?;
        Ok(vec![total, inside.index(alignment as i64)?])
    })
}

/// Finds what a value is computed from, and the operations in order.
fn read<'c>(
    value: Val<'c>,
    semantics: &mut Semantics,
    seen: &mut FxHashSet<Key>,
    given: &mut Vec<Given<'c>>,
    ops: &mut Vec<Op<'c>>,
) {
    let mut open = vec![(value, false)];
    while let Some((value, is_ready)) = open.pop() {
        match origin(value) {
            Some(Origin::Argument(_, argument)) if seen.insert(value.key()) => given.push(Given {
                argument,
                dimension: None,
                value,
            }),
            Some(Origin::Result(op, _)) if is_ready => ops.push(op),
            Some(Origin::Result(op, _)) if seen.insert(op.key()) => {
                if let Some(Computes::Dimension([memref, index])) = semantics.computed(op)
                    && let Some(Origin::Argument(_, argument)) = origin(memref)
                {
                    given.push(Given {
                        argument,
                        dimension: semantics.constant(index),
                        value,
                    });
                    continue;
                }
                open.push((value, true));
                open.extend(operands(op).map(|operand| (operand, false)));
            }
            _ => {}
        }
    }
}
