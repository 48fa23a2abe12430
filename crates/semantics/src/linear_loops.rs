//! Loops that access memrefs by indices that are linear in them: those that a structured operation or a copy stands for, and
//! nests of loops over elements.

use crate::{
    arithmetic::{Binary, Computes},
    constants::no_known_values,
    element_loops::{IndexSum, Nest},
    loops::{Bound, Dimension, Loop},
    semantics::Semantics,
};
use memplan_mlir::{
    ir::{Identity, Key, Op, Val, operands, results},
    structured_ops::{IndexedOperand, LinearIndex, LoopNest, NestedLoop},
};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

/// Most operations of a nest, and most loops: each loop in a nest that is none is looked at again.
const MOST_OPS: usize = 4096;
const MOST_LOOPS: usize = 32;
/// Most numbers that are looked at for an index.
const MOST_NUMBERS: usize = 256;
/// Factors and constants in indices are smaller: indices of elements then do not wrap around.
const LARGEST: i64 = 1 << 31;

/// An operand of an operation.
pub type Place<'c> = (Op<'c>, usize);

/// Loops, counted from 0, and the memrefs that they access.
#[derive(Clone, Debug)]
pub struct LinearLoops<'c> {
    /// The loops and the memrefs. Those of a nest of loops over elements are numbered as they come.
    pub nest: LoopNest,
    /// For each memref, where it is an operand: of `op`, or of a load or store.
    pub places: Vec<Place<'c>>,
    /// Loops that are operations; empty if `op` stands for its loops.
    pub loops: SmallVec<[LoopPlace<'c>; 4]>,
    /// Whether iterations of an operation that is a loop may run in parallel.
    pub is_concurrent: bool,
    /// About the most operations in loops that are operations, once affine maps are arithmetic.
    pub size: usize,
    /// The most numbers that are looked at for an index.
    pub numbers: usize,
}

impl<'c> LinearLoops<'c> {
    /// A memref, by its position.
    pub fn memref(&self, at: usize) -> Option<Val<'c>> {
        let (op, operand) = *self.places.get(at)?;
        operands(op).nth(operand)
    }
}

/// A loop of a nest.
#[derive(Clone, Copy, Debug)]
pub struct LoopPlace<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The number of the operand that is its upper bound, if it is one.
    pub operand: Option<usize>,
    /// The lower bound.
    pub lower: i64,
    /// The upper bound, where it is known only at run time.
    pub upper: Option<Val<'c>>,
}

impl Semantics {
    /// The loops that `op` stands for or is, if it accesses its memrefs by indices that are linear in them. Operations in the
    /// regions of a structured operation may touch other memory.
    pub fn linear_loops<'c>(&mut self, op: Op<'c>) -> Option<LinearLoops<'c>> {
        if self.info(op).is_loop() {
            return self.loops_over_elements(op);
        }
        let nest = self.loop_nest(op)?;
        let places = nest.operands.iter();
        let places = places.map(|one| (op, one.operand as usize));
        Some(LinearLoops {
            places: places.collect(),
            nest,
            loops: SmallVec::new(),
            is_concurrent: false,
            size: 0,
            numbers: 0,
        })
    }

    /// The nest of loops that `op` is, if it accesses its memrefs as a structured operation does: it counts by 1, loads before it
    /// stores, and computes with the numbers of iterations nothing but indices.
    fn loops_over_elements<'c>(&mut self, op: Op<'c>) -> Option<LinearLoops<'c>> {
        if results(op).next().is_some() {
            return None;
        }
        let nest = self.nest_of_elements(op, (MOST_OPS, MOST_LOOPS))?;
        let mut reader = Reader {
            semantics: self,
            counters: Vec::new(),
            found: LinearLoops {
                nest: LoopNest::default(),
                places: Vec::new(),
                loops: SmallVec::new(),
                is_concurrent: nest.loops.iter().any(|one| !one.in_order),
                size: size(&nest),
                numbers: 0,
            },
        };
        for one in &nest.loops {
            reader.add_loop(one)?;
        }
        if !reader.computes_indices_only(&nest) {
            return None;
        }
        reader.accesses(&nest)?;
        reader.set_parallel()?;
        Some(reader.found)
    }
}

struct Reader<'s, 'c> {
    semantics: &'s mut Semantics,
    /// The induction variables.
    counters: Vec<Val<'c>>,
    found: LinearLoops<'c>,
}

impl<'c> Reader<'_, 'c> {
    fn add_loop(&mut self, one: &Loop<'c>) -> Option<()> {
        if !one.carried.is_empty() || results(one.op).next().is_some() {
            return None;
        }
        let known = one.iterations(self.semantics, &no_known_values).ok();
        for (number, dimension) in one.dimensions.iter().enumerate() {
            if dimension.unsigned {
                return None;
            }
            let iterations = known.as_ref().map(|all| all[number]);
            let (lower, upper, extent) = match iterations {
                Some(counted) if counted.step == 1 => (counted.lower, None, Some(counted.count)),
                Some(_) => return None,
                None => self.open(dimension)?,
            };
            if lower.unsigned_abs() >= LARGEST.unsigned_abs() {
                return None;
            }
            self.counters.push(dimension.induction);
            self.found.loops.push(LoopPlace {
                op: one.op,
                operand: upper_operand(one, number),
                lower,
                upper,
            });
            self.found.nest.loops.push(NestedLoop {
                extent,
                is_parallel: false,
            });
        }
        Some(())
    }

    /// A dimension whose upper bound is known only at run time.
    fn open(&mut self, dimension: &Dimension<'c>) -> Option<(i64, Option<Val<'c>>, Option<u64>)> {
        let lower = self.number(&dimension.lower)?;
        let is_one = self.number(&dimension.step) == Some(1);
        let Bound::Value(upper) = dimension.upper else {
            return None;
        };
        match self.semantics.constant(upper) {
            Some(upper) => Some((lower, None, Some(upper.checked_sub(lower)?.max(0) as u64))),
            None => Some((lower, Some(upper), None)),
        }
        .filter(|_| is_one)
    }

    fn number(&mut self, bound: &Bound<'c>) -> Option<i64> {
        match bound {
            Bound::Constant(number) => Some(*number),
            Bound::Value(value) => self.semantics.constant(*value),
            Bound::Map { .. } => None,
        }
    }

    /// Whether nothing but indices of elements is computed with the numbers of iterations.
    fn computes_indices_only(&self, nest: &Nest<'c>) -> bool {
        let mut derived: FxHashSet<Key> = self.counters.iter().map(Identity::key).collect();
        let mut inside: FxHashSet<Key> = FxHashSet::default();
        for op in &nest.others {
            let is_derived = operands(*op).any(|value| derived.contains(&value.key()));
            for result in results(*op) {
                inside.insert(result.key());
                if is_derived {
                    derived.insert(result.key());
                }
            }
        }
        let mut bounds = self.found.loops.iter().filter_map(|one| one.upper);
        let are_outside =
            bounds.all(|bound| !derived.contains(&bound.key()) && !inside.contains(&bound.key()));
        let mut stores = nest.accesses.iter().filter(|one| one.writes);
        are_outside
            && stores.all(|store| {
                let mut stored = operands(store.op).take(store.operand);
                stored.all(|value| !derived.contains(&value.key()))
            })
    }

    /// Adds the accesses. Of a memref that is written, all have to be to the same elements: otherwise one iteration reads or
    /// overwrites what another one has written.
    fn accesses(&mut self, nest: &Nest<'c>) -> Option<()> {
        let mut written: Vec<(Val<'c>, usize)> = Vec::new();
        for (number, access) in nest.accesses.iter().enumerate() {
            if !written.is_empty() && !access.writes {
                return None;
            }
            let indices = access.indices.iter();
            let indices = indices.map(|index| self.index(index));
            let indices = indices.collect::<Option<_>>()?;
            self.found.nest.operands.push(IndexedOperand {
                operand: number as u32,
                reads: !access.writes,
                writes: access.writes,
                indices,
            });
            self.found.places.push((access.op, access.operand));
            if access.writes && !written.iter().any(|(memref, _)| *memref == access.memref) {
                written.push((access.memref, number));
            }
        }
        let operands = &self.found.nest.operands;
        let mut accesses = nest.accesses.iter().zip(operands);
        let are_same = accesses.all(|(access, operand)| {
            let mut same = written.iter().filter(|one| one.0 == access.memref);
            same.all(|(_, first)| operands[*first].indices == operand.indices)
        });
        are_same.then_some(())
    }

    fn index(&mut self, index: &IndexSum<'c>) -> Option<LinearIndex> {
        let mut terms: SmallVec<[i64; 4]> = smallvec![0; self.counters.len()];
        let mut sum = index.constant;
        let mut open: SmallVec<[(Val<'c>, i64); 4]> = index.terms.iter().copied().collect();
        let mut count = 0;
        while let Some((value, factor)) = open.pop() {
            count += 1;
            if factor.unsigned_abs() >= LARGEST.unsigned_abs() || count > MOST_NUMBERS {
                return None;
            }
            if let Some(at) = self.counters.iter().position(|one| *one == value) {
                terms[at] = terms[at].checked_add(factor)?;
                let first = self.found.loops[at].lower.checked_mul(factor)?;
                sum = sum.checked_add(first)?;
                continue;
            }
            let parts = self.parts(value)?;
            sum = sum.checked_add(parts.constant.checked_mul(factor)?)?;
            for (value, by) in parts.terms {
                open.push((value, factor.checked_mul(by)?));
            }
        }
        self.found.numbers = self.found.numbers.max(count);
        let terms = terms.into_iter().enumerate();
        let terms = terms.filter(|(_, factor)| *factor != 0);
        Some(LinearIndex {
            terms: terms.map(|(at, factor)| (at as u32, factor)).collect(),
            constant: Some(sum).filter(|sum| sum.unsigned_abs() < LARGEST.unsigned_abs())?,
        })
    }

    /// A number as a sum of others.
    fn parts(&mut self, value: Val<'c>) -> Option<IndexSum<'c>> {
        let sum = |terms, constant| IndexSum { terms, constant };
        let Some(computes) = self.semantics.computes(value) else {
            return self.semantics.linear_map(value);
        };
        Some(match computes {
            Computes::Constant(constant) => sum(smallvec![], constant),
            Computes::Binary(Binary::Add, [left, right]) => {
                sum(smallvec![(left, 1), (right, 1)], 0)
            }
            Computes::Binary(Binary::Subtract, [left, right]) => {
                sum(smallvec![(left, 1), (right, -1)], 0)
            }
            Computes::Binary(Binary::Multiply, [left, right]) => {
                let constants = [left, right].map(|value| self.semantics.constant(value));
                match constants {
                    [_, Some(by)] => sum(smallvec![(left, by)], 0),
                    [Some(by), _] => sum(smallvec![(right, by)], 0),
                    [None, None] => return None,
                }
            }
            _ => return None,
        })
    }

    /// Finds the loops whose iterations write different elements: each memref that is written has an index of its own for
    /// such a loop. `None` if nothing is written.
    fn set_parallel(&mut self) -> Option<()> {
        let LoopNest { loops, operands } = &mut self.found.nest;
        let written = || operands.iter().filter(|operand| operand.writes);
        written().next()?;
        for (number, one) in loops.iter_mut().enumerate() {
            let is_own = |index: &LinearIndex| matches!(index.terms[..], [(walks, _)] if walks == number as u32);
            one.is_parallel = written().all(|operand| operand.indices.iter().any(is_own));
        }
        Some(())
    }
}

/// About the most operations of a nest, once affine maps are arithmetic: two for each number of a map.
fn size(nest: &Nest<'_>) -> usize {
    let indices = nest.accesses.iter().flat_map(|access| &access.indices);
    let terms = indices
        .map(|index| 2 * index.terms.len() + 2)
        .sum::<usize>();
    let others = nest.others.iter().map(|op| 2 * operands(*op).count() + 2);
    nest.accesses.len() + terms + others.sum::<usize>() + 4 * nest.loops.len()
}

/// The number of the operand that is the upper bound of a dimension: the lower bounds come first, then the upper ones, then the
/// steps.
fn upper_operand(one: &Loop<'_>, number: usize) -> Option<usize> {
    let count = one.dimensions.len();
    let dimension = &one.dimensions[number];
    let bounds = [&dimension.lower, &dimension.upper, &dimension.step];
    let mut places = bounds.into_iter().zip([0, count, 2 * count]);
    let is_there = places.all(|(bound, first)| {
        let operand = operands(one.op).nth(first + number);
        matches!(bound, Bound::Value(value) if operand == Some(*value))
    });
    is_there.then_some(count + number)
}
