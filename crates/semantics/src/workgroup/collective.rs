//! Buffers that the threads of a workgroup overwrite together.
//!
//! All threads execute an operation in uniform control: a store, or a loop or branch with stores in it. It is executed here
//! on numbers, for each thread and iteration, as far as these are known. A buffer is overwritten if each of its elements is
//! stored. Stores that may not be executed do not count.

use super::{
    Kernel,
    expression::{Expressions, Number},
};
use crate::{
    form::Form,
    loops::{Bound, Loop},
    op_elements::StoredRow,
    semantics::Semantics,
};
use memplan_mlir::{
    build::dropped_dimensions,
    ir::{Identity, Key, Op, Origin, Val, blocks, ops, origin, regions, type_of},
    layout::{element_count, has_identity_layout, rank, static_dimension},
};
use rustc_hash::FxHashMap;

/// Most expressions that are evaluated for a kernel.
const MOST_STEPS: u64 = 1 << 24;

/// Most elements of a buffer.
const MOST_ELEMENTS: i64 = 1 << 20;

/// Finds buffers that are overwritten.
pub(super) struct Collective<'a, 'c> {
    kernel: &'a Kernel<'c>,
    /// The numbers of buffers, by their values.
    buffers: &'a FxHashMap<Key, usize>,
    steps: u64,
}

/// What is executed on numbers.
enum Step {
    Store(Store),
    Loop {
        /// Lower bound, upper bound, and step.
        bounds: [Number; 3],
        induction: usize,
        body: Vec<Step>,
    },
    Choice {
        flag: Number,
        branches: [Vec<Step>; 2],
    },
}

/// A store of a box of elements, from these indices on.
struct Store {
    buffer: usize,
    indices: Vec<Number>,
    sizes: Vec<i64>,
    shape: Vec<i64>,
}

impl<'a, 'c> Collective<'a, 'c> {
    pub(super) fn new(kernel: &'a Kernel<'c>, buffers: &'a FxHashMap<Key, usize>) -> Self {
        Self {
            kernel,
            buffers,
            steps: MOST_STEPS,
        }
    }

    /// The buffers, among these, of which each element is stored when all threads execute an operation.
    pub(super) fn overwritten(
        &mut self,
        op: Op<'c>,
        among: &[usize],
        semantics: &mut Semantics,
    ) -> Vec<usize> {
        let Some(threads) = self.kernel.threads.clone() else {
            return Vec::new();
        };
        let mut compiler = Compiler {
            kernel: self.kernel,
            buffers: self.buffers,
            among,
            semantics,
            expressions: Expressions::default(),
        };
        let mut steps = Vec::new();
        compiler.op(op, &mut steps);
        let mut machine = Machine {
            iterations: vec![0; compiler.expressions.inductions()],
            expressions: compiler.expressions,
            stored: FxHashMap::default(),
            thread: Vec::new(),
            left: self.steps,
        };
        let mut count = threads.iter().map(|one| one.count);
        let count = count.try_fold(1_u64, u64::checked_mul).unwrap_or(u64::MAX);
        let mut number = 0;
        while !steps.is_empty() && number < count && machine.left > 0 {
            let mut rest = number;
            machine.thread.clear();
            for one in &threads {
                machine.thread.push(one.at(rest % one.count));
                rest /= one.count;
            }
            machine.run(&steps);
            number += 1;
        }
        self.steps = machine.left;
        let stored = machine.stored;
        let is_whole = |buffer: &usize| {
            let elements: Option<&Vec<bool>> = stored.get(buffer);
            elements.is_some_and(|elements| elements.iter().all(|is_stored| *is_stored))
        };
        among.iter().copied().filter(is_whole).collect()
    }
}

struct Compiler<'a, 'c> {
    kernel: &'a Kernel<'c>,
    buffers: &'a FxHashMap<Key, usize>,
    among: &'a [usize],
    semantics: &'a mut Semantics,
    expressions: Expressions<'c>,
}

impl<'c> Compiler<'_, 'c> {
    fn number(&mut self, value: Val<'c>) -> Number {
        self.expressions.of(value, self.kernel, self.semantics)
    }

    /// Adds what is known of an operation. Other operations store nothing for certain.
    fn op(&mut self, op: Op<'c>, steps: &mut Vec<Step>) {
        if let Some(inner) = Kernel::of(op, self.semantics) {
            steps.extend(self.threads(&inner));
            return;
        }
        match self.semantics.form(op) {
            Form::Counted => {
                if let Some(step) = self.counted(op) {
                    steps.push(step);
                }
            }
            Form::Choice if regions(op).next().is_some() => {
                let choice = self.semantics.choice(op);
                let flag = choice.filter(|choice| choice.by == crate::control::Chosen::Truth);
                if let Some(flag) = flag.and_then(|choice| choice.flag) {
                    let flag = self.number(flag);
                    let mut branches = [Vec::new(), Vec::new()];
                    for (region, steps) in regions(op).zip(&mut branches) {
                        if let Some(block) = only_block(region) {
                            ops(block).for_each(|op| self.op(op, steps));
                        }
                    }
                    steps.push(Step::Choice { flag, branches });
                }
            }
            _ if regions(op).next().is_some() => {}
            _ => {
                if let Some(row) = self.semantics.stored_row(op)
                    && let Some(store) = self.store(op, row)
                {
                    steps.push(Step::Store(store));
                }
            }
        }
    }

    /// A loop that is mapped to threads: together, they execute all of its iterations.
    fn threads(&mut self, inner: &Kernel<'c>) -> Option<Step> {
        let all = inner.threads.clone()?;
        let ids = inner.thread_ids.iter().zip(all);
        let dimensions: Vec<([Number; 3], usize)> = ids
            .map(|(id, one)| {
                let end = one.at(one.count);
                let bounds = [one.lower, end, one.step].map(|at| self.expressions.constant(at));
                (bounds, self.expressions.induction(*id))
            })
            .collect();
        let mut body = Vec::new();
        for op in ops(only_block(inner.body)?) {
            self.op(op, &mut body);
        }
        for (bounds, induction) in dimensions.into_iter().rev() {
            body = vec![Step::Loop {
                bounds,
                induction,
                body,
            }];
        }
        body.pop()
    }

    fn counted(&mut self, op: Op<'c>) -> Option<Step> {
        let found = Loop::of(op, self.semantics)?;
        let dimension = found.only_dimension().filter(|one| !one.unsigned)?.clone();
        let mut bounds = [0; 3];
        let parts = [&dimension.lower, &dimension.upper, &dimension.step];
        for (number, bound) in bounds.iter_mut().zip(parts) {
            *number = match bound {
                Bound::Constant(constant) => self.expressions.constant(*constant),
                Bound::Value(value) => self.number(*value),
                Bound::Map {
                    map,
                    operands,
                    results: None,
                    ..
                } => {
                    let of = operands.iter().map(|operand| self.number(*operand));
                    let of = of.collect();
                    self.expressions.only_of_map(op, map, of)
                }
                Bound::Map { .. } => return None,
            };
        }
        let induction = self.expressions.induction(dimension.induction);
        let mut body = Vec::new();
        for op in ops(found.body()?) {
            self.op(op, &mut body);
        }
        Some(Step::Loop {
            bounds,
            induction,
            body,
        })
    }

    fn store(&mut self, op: Op<'c>, row: StoredRow<'c>) -> Option<Store> {
        let mut indices: Vec<Number> = match row.map {
            None => row
                .indices
                .iter()
                .map(|index| self.number(*index))
                .collect(),
            Some(map) => {
                let of: Vec<Number> = row
                    .indices
                    .iter()
                    .map(|index| self.number(*index))
                    .collect();
                let results = 0..rank(type_of(row.memref))?;
                results
                    .map(|at| self.expressions.map(op, map, at, of.clone()))
                    .collect()
            }
        };
        let mut sizes = row.sizes.to_vec();
        let mut memref = row.memref;
        // Through views of parts to the buffer.
        let buffer = loop {
            if let Some(buffer) = self.buffers.get(&memref.key()) {
                break *buffer;
            }
            let Some(Origin::Result(view, 0)) = origin(memref) else {
                return None;
            };
            let slice = self.semantics.slice(view)?;
            let dropped = dropped_dimensions(view, slice.offsets.len())?;
            let (mut own, mut lengths) = (indices.into_iter(), sizes.into_iter());
            let mut outer = (Vec::new(), Vec::new());
            for (at, is_dropped) in dropped.iter().enumerate() {
                let [offset, stride] =
                    [slice.offsets[at], slice.strides[at]].map(|number| match number {
                        crate::slice::Number::Constant(number) => self.expressions.constant(number),
                        crate::slice::Number::Value(value) => self.number(value),
                    });
                let (index, size) = match is_dropped {
                    true => (offset, 1),
                    false => {
                        let (own, size) = (own.next()?, lengths.next()?);
                        let is_dense = slice.strides[at].constant() == Some(1);
                        if size != 1 && !is_dense {
                            return None;
                        }
                        let shift = self.expressions.product(own, stride);
                        (self.expressions.sum(offset, shift), size)
                    }
                };
                outer.0.push(index);
                outer.1.push(size);
            }
            (indices, sizes) = outer;
            memref = memplan_mlir::ir::operand(view, 0)?;
        };
        let form = type_of(memref);
        let is_simple = has_identity_layout(form)
            && element_count(form).is_some_and(|count| count <= MOST_ELEMENTS);
        let shape: Option<Vec<i64>> = (0..indices.len() as i64)
            .map(|at| static_dimension(form, at))
            .collect();
        (is_simple && self.among.contains(&buffer)).then_some(Store {
            buffer,
            indices,
            sizes,
            shape: shape?,
        })
    }
}

fn only_block(region: memplan_mlir::ir::Region<'_>) -> Option<memplan_mlir::ir::Block<'_>> {
    let mut all = blocks(region);
    all.next().filter(|_| all.next().is_none())
}

struct Machine<'c> {
    expressions: Expressions<'c>,
    /// For each buffer, which elements are stored.
    stored: FxHashMap<usize, Vec<bool>>,
    thread: Vec<i64>,
    iterations: Vec<i64>,
    left: u64,
}

impl Machine<'_> {
    fn run(&mut self, steps: &[Step]) {
        let mut values = Vec::new();
        self.evaluate(&mut values);
        for step in steps {
            if self.left == 0 {
                return;
            }
            match step {
                Step::Store(store) => self.store(store, &values),
                Step::Choice { flag, branches } => match values[*flag] {
                    Some(0) => self.run(&branches[1]),
                    Some(_) => self.run(&branches[0]),
                    None => {}
                },
                Step::Loop {
                    bounds,
                    induction,
                    body,
                } => {
                    if body.is_empty() {
                        continue;
                    }
                    let [Some(lower), Some(upper), Some(step)] = bounds.map(|at| values[at]) else {
                        continue;
                    };
                    let mut at = lower;
                    while step > 0 && at < upper && self.left > 0 {
                        self.iterations[*induction] = at;
                        self.run(body);
                        at = at.saturating_add(step);
                    }
                }
            }
        }
    }

    fn evaluate(&mut self, values: &mut Vec<Option<i64>>) {
        self.left = self.left.saturating_sub(1 + self.expressions.len() as u64);
        self.expressions
            .evaluate(&self.thread, &self.iterations, values);
    }

    fn store(&mut self, store: &Store, values: &[Option<i64>]) {
        let first: Option<Vec<i64>> = store.indices.iter().map(|at| values[*at]).collect();
        let Some(first) = first else {
            return;
        };
        let count: i64 = store.sizes.iter().product();
        let elements = self.stored.entry(store.buffer);
        let whole: i64 = store.shape.iter().product();
        let elements = elements.or_insert_with(|| vec![false; whole as usize]);
        self.left = self.left.saturating_sub(count.unsigned_abs());
        for number in 0..count {
            let (mut rest, mut stride, mut place) = (number, 1, 0);
            let mut is_inside = true;
            for ((first, size), length) in first.iter().zip(&store.sizes).zip(&store.shape).rev() {
                let index = first.saturating_add(rest % size);
                rest /= size;
                is_inside &= (0..*length).contains(&index);
                place += index.clamp(0, *length) * stride;
                stride *= length;
            }
            if is_inside {
                elements[place as usize] = true;
            }
        }
    }
}
