//! Loops over elements, which run one after another: like an operation of linalg, they read elements of some memrefs
//! and write elements of others.
//!
//! If both memrefs had the same bytes, an element would be overwritten by an iteration and read by a later one only if
//! the distance of these iterations, the difference of the constants in the indices, is positive. See the dependence
//! distances of Allen and Kennedy, *Optimizing Compilers for Modern Architectures* (2001), chapter 2.

use crate::{
    arithmetic::{Binary, Computes},
    declared::is_effect_free,
    loops::{Bound, Loop},
    semantics::Semantics,
    statement::{Covers, ElementIndices, Speculation},
    types::TypeClass,
};
use memplan_mlir::{
    affine,
    ir::{Op, Origin, Val, arguments, blocks, operands, ops, origin, regions, results, type_of},
    layout::{element_count, has_identity_layout},
};
use smallvec::{SmallVec, smallvec};

/// A nest of loops that accesses memory only through loads and stores of single elements, of memrefs from outside.
#[derive(Clone, Debug)]
pub struct ElementLoop<'c> {
    /// Memrefs that it loads from.
    pub reads: SmallVec<[Val<'c>; 4]>,
    /// Memrefs that it stores to.
    pub writes: SmallVec<[Val<'c>; 2]>,
    /// Pairs of both, of the same type with the identity layout: no element of the first is read after the element at
    /// the same index of the second is written.
    pub pairs: SmallVec<[(Val<'c>, Val<'c>); 2]>,
}

/// Largest number of operations of a nest. A nest that is none is looked at again for each loop in it.
const MOST_OPS: usize = 256;
/// Largest number of sums in an index.
const DEEPEST: usize = 8;
/// Constants in indices are smaller: indices of elements then do not wrap around.
const LARGEST: i64 = 1 << 31;

/// An access to one element.
pub struct ElementAccess<'c> {
    /// The load or store.
    pub op: Op<'c>,
    /// The number of its memref operand.
    pub operand: usize,
    pub memref: Val<'c>,
    pub writes: bool,
    pub indices: SmallVec<[IndexSum<'c>; 4]>,
}

/// An index: a sum of values, each times a factor, and of a constant.
pub struct IndexSum<'c> {
    pub terms: SmallVec<[(Val<'c>, i64); 1]>,
    pub constant: i64,
}

impl<'c> IndexSum<'c> {
    /// A sum of operands.
    fn of(sum: &affine::LinearSum, operand: impl Fn(usize) -> Option<Val<'c>>) -> Option<Self> {
        let terms = sum.terms.iter();
        let terms = terms.map(|(at, factor)| Some((operand(*at)?, *factor)));
        Some(Self {
            terms: terms.collect::<Option<_>>()?,
            constant: sum.constant,
        })
    }
}

/// What a nest of loops consists of.
#[derive(Default)]
pub struct Nest<'c> {
    /// The loops, outermost first.
    pub loops: Vec<Loop<'c>>,
    /// Accesses in the body of the innermost loop, in their order.
    pub accesses: Vec<ElementAccess<'c>>,
    /// All other operations without regions, in their order.
    pub others: Vec<Op<'c>>,
}

/// An induction variable.
struct Counter<'c> {
    induction: Val<'c>,
    /// Its step, if it is known.
    step: Option<i64>,
}

impl Semantics {
    /// The nest of loops that `op` is, if it has a pair.
    pub fn element_loop<'c>(&mut self, op: Op<'c>) -> Option<ElementLoop<'c>> {
        if !self.info(op).is_loop() {
            return None;
        }
        let nest = self.nest_of_elements(op, (MOST_OPS, MOST_OPS))?;
        let counters = nest.loops.iter().map(|one| {
            let dimension = one.only_dimension().filter(|one| !one.unsigned)?;
            // A step that is not known has to be positive.
            let step = match dimension.step {
                Bound::Constant(step) => Some(step),
                Bound::Value(step) => self.constant(step),
                Bound::Map { .. } => None,
            };
            step.is_none_or(|step| step > 0).then_some(Counter {
                induction: dimension.induction,
                step,
            })
        });
        let counters: Vec<Counter<'c>> = counters.collect::<Option<_>>()?;
        let found = Distances { nest, counters }.element_loop(self);
        (!found.pairs.is_empty()).then_some(found)
    }

    /// The nest of loops that `op` is, if it accesses memory only through loads and stores of single elements, and has at most so
    /// many operations and loops.
    pub(crate) fn nest_of_elements<'c>(
        &mut self,
        op: Op<'c>,
        (operations, loops): (usize, usize),
    ) -> Option<Nest<'c>> {
        let (mut nest, mut left) = (Nest::default(), (operations, loops));
        self.add_loop(op, &mut nest, &mut left)?;
        Some(nest)
    }

    /// Adds a loop with all that is in it; `None` if the nest has anything else than accesses to elements, or has some
    /// around an inner loop.
    fn add_loop<'c>(
        &mut self,
        op: Op<'c>,
        nest: &mut Nest<'c>,
        left: &mut (usize, usize),
    ) -> Option<()> {
        let found = Loop::of(op, self)?;
        if found.dimensions.is_empty() {
            return None;
        }
        left.1 = left.1.checked_sub(found.dimensions.len())?;
        nest.loops.push(found);
        let mut bodies = regions(op).flat_map(blocks);
        let (body, None) = (bodies.next()?, bodies.next()) else {
            return None;
        };
        if self.concerns(op) || !arguments(body).all(|value| self.is_data(value)) {
            return None;
        }
        let (mut is_outer, mut accesses) = (false, 0);
        for op in ops(body) {
            left.0 = left.0.checked_sub(1)?;
            if regions(op).next().is_some() {
                if is_outer {
                    return None;
                }
                is_outer = true;
                self.add_loop(op, nest, left)?;
            } else if let Some(access) = self.element_access(op) {
                let mut others = operands(op).chain(results(op));
                if !others.all(|value| value == access.memref || self.is_data(value)) {
                    return None;
                }
                accesses += 1;
                nest.accesses.push(access);
            } else if self.concerns(op) || !(is_effect_free(op) || self.info(op).is_terminator()) {
                return None;
            } else {
                nest.others.push(op);
            }
        }
        (!is_outer || accesses == 0).then_some(())
    }

    fn is_data(&mut self, value: Val<'_>) -> bool {
        self.class(type_of(value)) == TypeClass::Data
    }

    /// The access of a load or store of one element, which does nothing else.
    fn element_access<'c>(&mut self, op: Op<'c>) -> Option<ElementAccess<'c>> {
        let table = self.table_facts(op);
        let (memref, indices, writes) = match (table.overwrites, table.loads_element) {
            (Some((memref, Covers::OneElement(indices))), _) => (memref, indices, true),
            (None, Some(indices)) => (0, indices, false),
            _ => return None,
        };
        let operand = |at: usize| operands(op).nth(at);
        let memref = memref as usize;
        let indices = match indices {
            ElementIndices::Operands(first) => {
                let indices = operands(op).skip(first as usize);
                let index = |index| IndexSum {
                    terms: smallvec![(index, 1)],
                    constant: 0,
                };
                indices.map(index).collect()
            }
            ElementIndices::Map(name) => {
                let sums = affine::linear(op, name)?.into_iter();
                let index = |sum| IndexSum::of(&sum, |at| operand(memref + 1 + at));
                sums.map(index).collect::<Option<_>>()?
            }
        };
        Some(ElementAccess {
            op,
            operand: memref,
            memref: operand(memref)?,
            writes,
            indices,
        })
    }

    /// A number that an operation computes by an affine map, if that is linear.
    pub(crate) fn linear_map<'c>(&mut self, value: Val<'c>) -> Option<IndexSum<'c>> {
        let Some(Origin::Result(op, 0)) = origin(value) else {
            return None;
        };
        let facts = self.table_facts(op);
        if !matches!(facts.speculation, Some(Speculation::Map)) || facts.least_of.is_some() {
            return None;
        }
        let mut results = affine::linear(op, "map")?.into_iter();
        let (Some(sum), None) = (results.next(), results.next()) else {
            return None;
        };
        IndexSum::of(&sum, |at| operands(op).nth(at))
    }

    /// A value as another one, which is no sum with a constant, and the constant.
    fn without_constants<'c>(&mut self, value: Val<'c>, constant: i64) -> Option<(Val<'c>, i64)> {
        let (mut value, mut sum) = (value, constant);
        for _ in 0..DEEPEST {
            let Some(Computes::Binary(binary, [left, right])) = self.computes(value) else {
                break;
            };
            let by = match (binary, self.constant(left), self.constant(right)) {
                (Binary::Add, _, Some(by)) => (left, by),
                (Binary::Add, Some(by), _) => (right, by),
                (Binary::Subtract, _, Some(by)) => (left, by.checked_neg()?),
                _ => break,
            };
            (value, sum) = (by.0, sum.checked_add(by.1)?);
        }
        (sum.unsigned_abs() < LARGEST.unsigned_abs()).then_some((value, sum))
    }
}

/// What tells the distances of iterations.
struct Distances<'c> {
    nest: Nest<'c>,
    counters: Vec<Counter<'c>>,
}

impl<'c> Distances<'c> {
    fn element_loop(&self, semantics: &mut Semantics) -> ElementLoop<'c> {
        let of = |writes: bool| {
            let mut memrefs: Vec<Val<'c>> = Vec::new();
            for access in self.nest.accesses.iter().filter(|one| one.writes == writes) {
                if !memrefs.contains(&access.memref) {
                    memrefs.push(access.memref);
                }
            }
            memrefs
        };
        let (reads, writes) = (of(false), of(true));
        let mut pairs = SmallVec::new();
        for read in reads.iter().filter(|read| !writes.contains(read)) {
            for written in writes.iter().filter(|written| !reads.contains(written)) {
                let [one, other] = [*read, *written].map(type_of);
                if one == other
                    && has_identity_layout(one)
                    && element_count(one).is_some()
                    && self.are_in_step(*read, *written, semantics)
                {
                    pairs.push((*read, *written));
                }
            }
        }
        ElementLoop {
            reads: reads.into(),
            writes: writes.into(),
            pairs,
        }
    }

    /// Whether no element of `read` would be read after it was written as an element of `written`.
    fn are_in_step(&self, read: Val<'c>, written: Val<'c>, semantics: &mut Semantics) -> bool {
        let accesses = || self.nest.accesses.iter().enumerate();
        let mut loads = Vec::new();
        for (at, load) in accesses().filter(|(_, one)| one.memref == read) {
            match self.distances(load, semantics) {
                Some(distances) => loads.push((at, distances)),
                None => return false,
            }
        }
        for (at, store) in accesses().filter(|(_, one)| one.memref == written) {
            let Some(stored) = self.distances(store, semantics) else {
                return false;
            };
            let follows = |(load, loaded): &(usize, Vec<(usize, i64)>)| {
                let is_same = |(one, other): (&(usize, i64), &(usize, i64))| one.0 == other.0;
                // Iterations from the one that writes an element to the one that reads it, of each loop.
                let mut later: Vec<(usize, i64)> = stored
                    .iter()
                    .zip(loaded)
                    .map(|(stored, loaded)| (stored.0, stored.1 - loaded.1))
                    .collect();
                later.sort_unstable();
                // No iteration has a distance that is no multiple of the step.
                let skips = |(number, by): &(usize, i64)| {
                    let step = self.counters[*number].step;
                    step.is_some_and(|step| by % step != 0)
                };
                let first = later.iter().map(|(_, by)| *by).find(|by| *by != 0);
                stored.iter().zip(loaded).all(is_same)
                    && match first {
                        Some(by) => by < 0 || later.iter().any(skips),
                        None => *load < at,
                    }
            };
            if !loads.iter().all(follows) {
                return false;
            }
        }
        true
    }

    /// For each dimension of the memref, the number of the loop whose induction variable is the index, and what is added
    /// to it. `None` unless each loop has one dimension.
    fn distances(
        &self,
        access: &ElementAccess<'c>,
        semantics: &mut Semantics,
    ) -> Option<Vec<(usize, i64)>> {
        let mut distances: Vec<(usize, i64)> = Vec::new();
        for index in &access.indices {
            let [(value, 1)] = index.terms[..] else {
                return None;
            };
            let (value, by) = semantics.without_constants(value, index.constant)?;
            let number = self
                .counters
                .iter()
                .position(|one| one.induction == value)?;
            if distances.iter().any(|one| one.0 == number) {
                return None;
            }
            distances.push((number, by));
        }
        (distances.len() == self.counters.len()).then_some(distances)
    }
}
