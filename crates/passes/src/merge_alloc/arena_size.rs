//! How the size of an arena is computed from what its function receives, so that others can compute it, too.

use memplan_mlir::{
    build::{BuildError, Builder},
    copy::substitute,
    ir::{Identity, Key, Op, Origin, Type, Val, operands, origin, results, type_of},
};
use memplan_semantics::{Computes, Semantics};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a size depends on: an integer argument of a function, or a dimension of an argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Input {
    /// Index of the argument.
    pub argument: usize,
    /// The dimension.
    pub dimension: Option<i64>,
}

/// A size with the operations that compute it.
#[derive(Clone)]
pub struct ArenaSize<'c> {
    total: Val<'c>,
    /// Values that are inputs, sorted by these. An input may be read more than once.
    given: Vec<(Input, Val<'c>)>,
    /// In order.
    ops: Vec<Op<'c>>,
}

impl<'c> ArenaSize<'c> {
    /// The size that a function computes as `total`.
    pub fn of(total: Val<'c>) -> Self {
        let mut size = Self {
            total,
            given: Vec::new(),
            ops: Vec::new(),
        };
        size.read(&mut Semantics::default());
        size.given.sort_by_key(|(input, _)| *input);
        size
    }

    /// Finds what the size is computed from, and the operations.
    fn read(&mut self, semantics: &mut Semantics) {
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        let mut open = vec![(self.total, false)];
        while let Some((value, is_ready)) = open.pop() {
            match origin(value) {
                Some(Origin::Argument(_, argument)) if seen.insert(value.key()) => {
                    let dimension = None;
                    let input = Input {
                        argument,
                        dimension,
                    };
                    self.given.push((input, value));
                }
                Some(Origin::Result(op, _)) if is_ready => self.ops.push(op),
                Some(Origin::Result(op, _)) if seen.insert(op.key()) => {
                    if let Some(Computes::Dimension([memref, index])) = semantics.computed(op)
                        && let Some(Origin::Argument(_, argument)) = origin(memref)
                    {
                        let dimension = semantics.constant(index);
                        let input = Input {
                            argument,
                            dimension,
                        };
                        self.given.push((input, value));
                        continue;
                    }
                    open.push((value, true));
                    open.extend(operands(op).map(|operand| (operand, false)));
                }
                _ => {}
            }
        }
    }

    /// What it depends on with the types of these, in order and without duplicates.
    pub fn inputs(&self) -> Vec<(Input, Type<'c>)> {
        let mut inputs: Vec<(Input, Type<'c>)> = self
            .given
            .iter()
            .map(|(input, value)| (*input, type_of(*value)))
            .collect();
        inputs.dedup_by_key(|(input, _)| *input);
        inputs
    }

    /// The operations that compute it.
    pub fn ops(&self) -> impl Iterator<Item = Op<'c>> {
        self.ops.iter().copied()
    }

    /// Computes the size from other values of the [inputs](Self::inputs), by copies of the operations.
    pub fn write(&self, builder: &Builder<'c>, inputs: &[Val<'c>]) -> Result<Val<'c>, BuildError> {
        let mut new: FxHashMap<Key, Val<'c>> = FxHashMap::default();
        let same = self
            .given
            .chunk_by(|(one, _), (other, _)| one == other)
            .zip(inputs);
        for (values, input) in same {
            new.extend(values.iter().map(|(_, value)| (value.key(), *input)));
        }
        for op in &self.ops {
            let copy = builder.copied(*op).ok_or_else(BuildError::unexpected)?;
            substitute(copy, &mut |value| new.get(&value.key()).copied());
            for (old, result) in results(*op).zip(results(copy)) {
                new.insert(old.key(), result);
            }
        }
        let total = new.get(&self.total.key()).copied();
        total.ok_or_else(BuildError::unexpected)
    }
}
