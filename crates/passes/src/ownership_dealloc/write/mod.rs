//! Writes a plan into the IR. No decision is taken here.
//!
//! First, edges with code are split, and signatures are extended by the flags of parameters whose ownership
//! is decided at run time. Then come tests, deallocs at the ends of blocks (`block_end_deallocs`), flags that
//! edges pass, frees, and copies of results that are not owned. Deallocations of the program that the plan
//! replaces are erased last.

mod alias_tests;
mod block_end_deallocs;
mod flag_operands;
mod frees;
mod returns;

use crate::{
    descriptor::{Stack, StackScope, allocation_starts_here, stack_scope_of},
    ownership_dealloc::{
        error::{Error, ErrorKind},
        flag_slots::FlagSlots,
        read::{Reading, SegmentStart},
    },
};
use memplan_mlir::{
    build::{BuildError, Builder, stack_tables::element_access},
    constants::constant,
    ir::{
        Identity, Key, Op, Origin, Val, async_value_type, block_parent, element_memref, erase,
        next_in_block, ops, origin, results, type_of,
    },
    layout,
    melior::ir::operation::OperationLike,
};
use memplan_ownership::{
    Plan,
    function::{EdgeId, SegmentId, StepIndex, ValueId},
    plan::{Ownership, ProgramPoint},
};
use memplan_semantics::Allocator;
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// The reason why a plan cannot be written.
pub enum WriteError<'c> {
    /// The IR does not support it.
    Unsupported(Error<'c>),
    /// An operation cannot be built.
    Build(BuildError),
}

impl From<BuildError> for WriteError<'_> {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

/// Options of the writer.
#[derive(Clone, Copy)]
pub struct WriteOptions {
    /// The function returns a flag for each memref.
    pub returns_flags: bool,
    /// Changes are marked as done, since a second run might decide differently.
    pub marks_changes: bool,
    /// Bases are forwarded; a second run would decide differently.
    pub has_bases: bool,
    /// Some cast relies on the strides of an unranked memref.
    pub has_strict_casts: bool,
}

/// Writes `plan`.
pub fn write<'c>(
    function: Op<'c>,
    reading: Reading<'c>,
    plan: &Plan,
    slots: FlagSlots,
    options: WriteOptions,
    shifted: &[ValueId],
    semantics: &mut Semantics,
) -> Result<(), WriteError<'c>> {
    let mut writer = Writer {
        function,
        shifted: FxHashSet::default(),
        semantics,
        stack: Stack::default(),
        plan,
        flags: FxHashMap::default(),
        tests: vec![Vec::new(); plan.tests.len()],
        block_end_results: Vec::new(),
        selected_flags: FxHashMap::default(),
        negated: FxHashMap::default(),
        edge_ends: FxHashMap::default(),
        truths: FxHashMap::default(),
        slots,
        recreated: FxHashMap::default(),
        next_after_call: FxHashMap::default(),
        loads: FxHashMap::default(),
        is_marked: false,
        is_changed: false,
        has_strict_casts: options.has_strict_casts,
        reading,
    };
    writer.split_edges()?;
    writer.add_flags()?;
    writer.add_call_flags()?;
    writer.compare_call_results()?;
    writer.load_promoted()?;
    // Only now: calls and operations with regions have been recreated.
    let vals = shifted
        .iter()
        .filter_map(|value| writer.reading.values[value.index()]);
    writer.shifted = vals.map(|val| val.key()).collect();
    writer.write_tests()?;
    writer.write_block_end_deallocs()?;
    writer.pass_flags()?;
    writer.write_frees()?;
    if options.returns_flags {
        writer.return_flags()?;
    } else {
        writer.copy_unowned_returns()?;
        writer.mark_as_deallocated(options)?;
    }
    for op in &writer.reading.dropped {
        erase(*op);
    }
    Ok(())
}

/// The values that a plan compares or frees, whatever their ownership.
fn compared_values(plan: &Plan) -> FxHashSet<ValueId> {
    let tests = plan.tests.iter();
    let mut all: FxHashSet<ValueId> = tests
        .flat_map(|test| test.retained.iter().copied())
        .collect();
    for dealloc in &plan.block_end_deallocs {
        all.extend(dealloc.memrefs.iter().map(|(value, _)| *value));
        all.extend(dealloc.retained.iter().copied());
    }
    all
}

pub(super) struct Writer<'c, 'p> {
    function: Op<'c>,
    /// Values whose data may start elsewhere than that of an alias.
    shifted: FxHashSet<Key>,
    semantics: &'p mut Semantics,
    /// The stack memory in which allocations of shifted values are identified.
    stack: Stack<'c>,
    pub(super) reading: Reading<'c>,
    pub(super) plan: &'p Plan,
    /// Ownership flags that are decided at run time.
    flags: FxHashMap<ValueId, Val<'c>>,
    /// For each test, the flag of each retained value.
    tests: Vec<Vec<Val<'c>>>,
    /// For each block-end dealloc so far, the flag of each retained value.
    pub(super) block_end_results: Vec<Vec<Val<'c>>>,
    /// Flags of values after a conditional branch, selected between the deallocs of its edges.
    pub(super) selected_flags: FxHashMap<ValueId, Val<'c>>,
    /// The negated conditions of branches.
    pub(super) negated: FxHashMap<Key, Val<'c>>,
    /// For edges with code of their own, the operation before which it is placed.
    edge_ends: FxHashMap<EdgeId, Op<'c>>,
    pub(super) truths: FxHashMap<bool, Val<'c>>,
    slots: FlagSlots,
    /// Recreated operations, by the original one.
    recreated: FxHashMap<Key, Op<'c>>,
    /// For calls, the operation after the code that computes the flags of their results.
    next_after_call: FxHashMap<Key, Op<'c>>,
    /// For segments that start with loads, the last of these.
    loads: FxHashMap<SegmentId, Op<'c>>,
    /// A `bufferization.dealloc` or a call marks the function as deallocated.
    is_marked: bool,
    /// Something is freed or copied.
    is_changed: bool,
    /// Some cast relies on the strides of an unranked memref.
    has_strict_casts: bool,
}

impl<'c> Writer<'c, '_> {
    /// Loads promoted memrefs that stand for no value of the IR, if the plan uses them.
    fn load_promoted(&mut self) -> Result<(), WriteError<'c>> {
        let compared = compared_values(self.plan);
        for stored in std::mem::take(&mut self.reading.values_in_memory) {
            let is_compared = self.plan.ownership_of(stored.value) != Ownership::Never
                || compared.contains(&stored.value);
            if !is_compared {
                continue;
            }
            let container = self.ir_value(stored.container)?;
            let element = element_memref(type_of(container)).ok_or_else(BuildError::unexpected)?;
            if let ProgramPoint::Start(segment) = stored.place
                && let Some(read) = self.loaded_at_start(segment, container)
            {
                self.reading.memory.values[stored.value.index()] = Some(read);
                continue;
            }
            if let ProgramPoint::After(segment, step) = stored.place {
                // Before other code at this place.
                let op = self.current_op(self.reading.steps[segment.index()][step as usize]);
                if let Entry::Vacant(entry) = self.next_after_call.entry(op.key()) {
                    entry.insert(next_in_block(op).ok_or_else(BuildError::unexpected)?);
                }
            }
            let builder = self.builder(stored.place)?;
            let rank = layout::rank(type_of(container)).unwrap_or(0);
            let zeros = (0..rank).map(|_| builder.index(0));
            let at = zeros.collect::<Result<Vec<_>, _>>()?;
            let read = builder.load(container, &at, element)?;
            self.reading.memory.values[stored.value.index()] = Some(read);
            if let (ProgramPoint::Start(segment), Some(Origin::Result(load, _))) =
                (stored.place, origin(read))
            {
                self.loads.insert(segment, load);
            }
        }
        Ok(())
    }

    /// The result of a load from `container` at the start of a segment, as an earlier run leaves it: only
    /// loads and constants precede it. Later code at the segment's start is placed after it.
    fn loaded_at_start(&mut self, segment: SegmentId, container: Val<'c>) -> Option<Val<'c>> {
        let mut next = match self.reading.starts[segment.index()] {
            SegmentStart::Block(block) => ops(block).next(),
            SegmentStart::After(op) => next_in_block(self.current_op(op)),
            SegmentStart::Between(_) => None,
        };
        let mut is_after_last = !self.loads.contains_key(&segment);
        while let Some(op) = next {
            let result = results(op).next()?;
            match element_access(op) {
                Some(access) if access.stored.is_some() => return None,
                Some(access) if access.memory.key() == container.key() => {
                    if is_after_last {
                        self.loads.insert(segment, op);
                    }
                    return Some(result);
                }
                Some(_) => {}
                None if constant(result).is_some() => {}
                None => return None,
            }
            is_after_last |= self
                .loads
                .get(&segment)
                .is_some_and(|load| load.key() == op.key());
            next = next_in_block(op);
        }
        None
    }

    /// The current form of an operation.
    pub(super) fn current_op(&self, op: Op<'c>) -> Op<'c> {
        self.recreated.get(&op.key()).copied().unwrap_or(op)
    }

    pub(super) fn ir_value(&self, value: ValueId) -> Result<Val<'c>, BuildError> {
        self.reading.values[value.index()].ok_or_else(BuildError::unexpected)
    }

    /// The memref of a value, for code at `place`. An `!async.value` is awaited.
    pub(super) fn memref(
        &self,
        builder: &Builder<'c>,
        place: Option<ProgramPoint>,
        value: ValueId,
    ) -> Result<Val<'c>, BuildError> {
        let mut val = self.ir_value(value)?;
        let here = match place {
            Some(ProgramPoint::After(here, step)) => Some((here, step)),
            Some(ProgramPoint::End(here)) => Some((here, StepIndex::MAX)),
            _ => None,
        };
        if let Some((here, step)) = here
            && let Some(awaits) = self.reading.awaits.get(&value)
            && let Some((.., awaits)) = awaits
                .iter()
                .find(|(segment, at, _)| *segment == here && *at <= step)
        {
            val = *awaits;
        }
        while let Some(element) = async_value_type(type_of(val)) {
            val = builder.await_value(val, element)?;
        }
        Ok(val)
    }

    pub(super) fn constant_flag(&mut self, value: bool) -> Result<Val<'c>, BuildError> {
        if let Some(known) = self.truths.get(&value) {
            return Ok(*known);
        }
        let Some(SegmentStart::Block(entry)) = self.reading.starts.first() else {
            return Err(BuildError::unexpected());
        };
        let constant =
            Builder::at_start(*entry, self.function, self.function.location()).boolean(value)?;
        self.truths.insert(value, constant);
        Ok(constant)
    }

    fn no_place(&self, edge: EdgeId) -> WriteError<'c> {
        let Error { op, kind } = self.reading.error_at(edge, ErrorKind::NoPlace);
        WriteError::Unsupported(Error {
            op: self.current_op(op),
            kind,
        })
    }

    /// A builder at a place.
    pub(super) fn builder(&self, place: ProgramPoint) -> Result<Builder<'c>, WriteError<'c>> {
        let found = match place {
            ProgramPoint::Start(segment) if self.loads.contains_key(&segment) => {
                let load = self.loads[&segment];
                Builder::after(load, load.location())
            }
            ProgramPoint::Start(segment) => match self.reading.starts[segment.index()] {
                SegmentStart::Block(block) => {
                    let owner = block_parent(block).ok_or_else(BuildError::unexpected)?;
                    let location = ops(block)
                        .next()
                        .map_or(owner.location(), |op| op.location());
                    Some(Builder::at_start(block, owner, location))
                }
                SegmentStart::After(op) => {
                    let op = self.current_op(op);
                    Builder::after(op, op.location())
                }
                SegmentStart::Between(_) => None,
            },
            ProgramPoint::After(segment, step) => {
                let op = self.current_op(self.reading.steps[segment.index()][step as usize]);
                match self.next_after_call.get(&op.key()) {
                    Some(next) => Builder::before(*next, op.location()),
                    None => Builder::after(op, op.location()),
                }
            }
            ProgramPoint::End(segment) => {
                let op = self.reading.steps[segment.index()].last().copied();
                let op = self.current_op(op.ok_or_else(BuildError::unexpected)?);
                Builder::before(op, op.location())
            }
            ProgramPoint::Edge(edge) => {
                let end = self.edge_ends.get(&edge).copied();
                let end = end.ok_or_else(|| self.no_place(edge))?;
                Builder::before(end, end.location())
            }
        };
        found.ok_or_else(|| BuildError::unexpected().into())
    }

    pub(super) fn flag(&mut self, value: ValueId) -> Result<Val<'c>, WriteError<'c>> {
        match self.plan.ownership_of(value) {
            Ownership::Never => Ok(self.constant_flag(false)?),
            Ownership::Always => Ok(self.constant_flag(true)?),
            Ownership::Dynamic => {
                let flag = self.flags.get(&value).copied();
                Ok(flag.ok_or_else(BuildError::unexpected)?)
            }
        }
    }

    pub(super) fn allocator(&self, value: ValueId) -> Allocator {
        self.reading
            .allocators
            .get(&value)
            .copied()
            .unwrap_or(Allocator::Memref)
    }

    /// Writes a `bufferization.dealloc`, which also marks the function as deallocated. Shifted operands are
    /// replaced by memrefs that start where their allocations do.
    pub(super) fn write_dealloc(
        &mut self,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
        conditions: &[Val<'c>],
        retained: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        self.is_marked = true;
        let mut all = memrefs.iter().chain(retained);
        if memrefs.len() + retained.len() < 2 || !all.any(|val| self.shifted.contains(&val.key())) {
            return builder.deallocs(memrefs, conditions, retained);
        }
        // Each operand is replaced once, so equal operands stay equal.
        let mut places: FxHashMap<Key, usize> = FxHashMap::default();
        let mut different = Vec::new();
        for val in memrefs.iter().chain(retained) {
            places.entry(val.key()).or_insert_with(|| {
                different.push(*val);
                different.len() - 1
            });
        }
        let with = |builder: &Builder<'c>, starts: &[Val<'c>]| {
            let of = |vals: &[Val<'c>]| -> Vec<Val<'c>> {
                vals.iter().map(|val| starts[places[&val.key()]]).collect()
            };
            builder.deallocs(&of(memrefs), conditions, &of(retained))
        };
        match stack_scope_of(self.function, builder.block(), self.semantics) {
            StackScope::Block(block, owner) => {
                let starts = self
                    .stack
                    .allocation_starts(block, owner, builder, &different)?;
                with(builder, &starts)
            }
            StackScope::AllocaScope => {
                builder.scope(|inner| with(inner, &allocation_starts_here(inner, &different)?))
            }
        }
    }
}
