//! Writes a plan into the IR. No decision is taken here.
//!
//! First edges that get code of their own are given room, and signatures grow by a flag for each
//! parameter whose ownership only the run knows. Then come tests, what is gathered at the ends of blocks
//! (`gather`), the flags that edges pass, frees, and copies of what is returned without being owned. What
//! the program freed itself goes last.

mod edges;
mod frees;
mod gather;
mod grow;
mod returns;

use crate::{
    descriptor::{Stack, StackScope, home, starts_here},
    ownership_dealloc::{
        error::{Error, ErrorKind},
        flag_slots::Slots,
        read::{Reading, Start},
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
    plan::{Flag, ProgramPoint},
};
use memplan_semantics::Allocator;
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// What went wrong.
pub enum WriteError<'c> {
    /// Something stands in the way.
    Trouble(Error<'c>),
    /// An operation could not be made.
    Build(BuildError),
}

impl From<BuildError> for WriteError<'_> {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

/// What else is written.
#[derive(Clone, Copy)]
pub struct WriteOptions {
    /// The function returns a flag for each memref.
    pub tells: bool,
    /// A second run has to see that all has been decided, as it might come out in another way.
    pub marks: bool,
    /// It would, as what values are views of goes with them.
    pub has_bases: bool,
    /// Somebody relies on strides of what has no rank.
    pub has_strict_casts: bool,
}

/// Writes `plan`.
pub fn write<'c>(
    function: Op<'c>,
    reading: Reading<'c>,
    plan: &Plan,
    slots: Slots,
    manner: WriteOptions,
    hidden: &[ValueId],
    semantics: &mut Semantics,
) -> Result<(), WriteError<'c>> {
    let mut writer = Writer {
        function,
        hidden: FxHashSet::default(),
        semantics,
        stack: Stack::default(),
        plan,
        flags: FxHashMap::default(),
        tests: vec![Vec::new(); plan.tests.len()],
        gathered: Vec::new(),
        chosen: FxHashMap::default(),
        negated: FxHashMap::default(),
        room: FxHashMap::default(),
        truths: FxHashMap::default(),
        slots,
        renamed: FxHashMap::default(),
        behind: FxHashMap::default(),
        loads: FxHashMap::default(),
        is_marked: false,
        is_changed: false,
        has_strict_casts: manner.has_strict_casts,
        reading,
    };
    writer.make_room()?;
    writer.grow()?;
    writer.calls()?;
    writer.siblings()?;
    writer.read_held()?;
    // Not before: calls and operations with regions have been made anew.
    let vals = hidden
        .iter()
        .filter_map(|value| writer.reading.values[value.index()]);
    writer.hidden = vals.map(|val| val.key()).collect();
    writer.make_tests()?;
    writer.gather()?;
    writer.pass()?;
    writer.frees()?;
    if manner.tells {
        writer.tell()?;
    } else {
        writer.returns()?;
        writer.mark(manner)?;
    }
    for op in &writer.reading.dropped {
        erase(*op);
    }
    Ok(())
}

/// The values that a plan compares or gives back, whatever their flags.
fn asked(plan: &Plan) -> FxHashSet<ValueId> {
    let tests = plan.tests.iter();
    let mut all: FxHashSet<ValueId> = tests
        .flat_map(|test| test.retained.iter().copied())
        .collect();
    for gather in &plan.gathers {
        all.extend(gather.memrefs.iter().map(|(value, _)| *value));
        all.extend(gather.retained.iter().copied());
    }
    all
}

pub(super) struct Writer<'c, 'p> {
    function: Op<'c>,
    /// Values whose data may start elsewhere than that of others of the same memory.
    hidden: FxHashSet<Key>,
    semantics: &'p mut Semantics,
    /// Where allocations of such are found.
    stack: Stack<'c>,
    pub(super) reading: Reading<'c>,
    pub(super) plan: &'p Plan,
    /// Flags that the run knows.
    flags: FxHashMap<ValueId, Val<'c>>,
    /// For each test, whether each retained value owns its memory now.
    tests: Vec<Vec<Val<'c>>>,
    /// For each gather so far, whether each retained value is owned.
    pub(super) gathered: Vec<Vec<Val<'c>>>,
    /// Whether values are owned, by either way of the branch behind the block that defines them.
    pub(super) chosen: FxHashMap<ValueId, Val<'c>>,
    /// The negated conditions of branches.
    pub(super) negated: FxHashMap<Key, Val<'c>>,
    /// For edges with code of their own: the operation that ends it.
    room: FxHashMap<EdgeId, Op<'c>>,
    pub(super) truths: FxHashMap<bool, Val<'c>>,
    slots: Slots,
    /// Operations that were made anew.
    renamed: FxHashMap<Key, Op<'c>>,
    /// What comes behind the flags of a call's results.
    behind: FxHashMap<Key, Op<'c>>,
    /// The last of the loads that segments start with.
    loads: FxHashMap<SegmentId, Op<'c>>,
    /// A `bufferization.dealloc` or a call says that it has been decided who frees what.
    is_marked: bool,
    /// Something is freed or copied.
    is_changed: bool,
    /// Somebody relies on strides of what has no rank.
    has_strict_casts: bool,
}

impl<'c> Writer<'c, '_> {
    /// Reads memrefs from memory that stand for no value of the IR, where the plan asks for them.
    fn read_held(&mut self) -> Result<(), WriteError<'c>> {
        let asked = asked(self.plan);
        for held in std::mem::take(&mut self.reading.held_in) {
            let is_asked = self.plan.flag(held.value) != Flag::No || asked.contains(&held.value);
            if !is_asked {
                continue;
            }
            let container = self.val(held.container)?;
            let element = element_memref(type_of(container)).ok_or_else(BuildError::signature)?;
            if let ProgramPoint::Start(segment) = held.place
                && let Some(read) = self.loaded_at_start(segment, container)
            {
                self.reading.memory.values[held.value.index()] = Some(read);
                continue;
            }
            if let ProgramPoint::After(segment, step) = held.place {
                // In front of what else comes there.
                let op = self.now(self.reading.steps[segment.index()][step as usize]);
                if let Entry::Vacant(behind) = self.behind.entry(op.key()) {
                    behind.insert(next_in_block(op).ok_or_else(BuildError::signature)?);
                }
            }
            let builder = self.builder(held.place)?;
            let rank = layout::rank(type_of(container)).unwrap_or(0);
            let zeros = (0..rank).map(|_| builder.index(0));
            let at = zeros.collect::<Result<Vec<_>, _>>()?;
            let read = builder.load(container, &at, element)?;
            self.reading.memory.values[held.value.index()] = Some(read);
            if let (ProgramPoint::Start(segment), Some(Origin::Result(load, _))) =
                (held.place, origin(read))
            {
                self.loads.insert(segment, load);
            }
        }
        Ok(())
    }

    /// The result of a load from `container` that a segment starts with, as an earlier run leaves it: only loads and
    /// constants precede it. Later operations of the segment's start are placed after it.
    fn loaded_at_start(&mut self, segment: SegmentId, container: Val<'c>) -> Option<Val<'c>> {
        let mut next = match self.reading.starts[segment.index()] {
            Start::Block(block) => ops(block).next(),
            Start::Behind(op) => next_in_block(self.now(op)),
            Start::Between(_) => None,
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

    /// What an operation has become.
    pub(super) fn now(&self, op: Op<'c>) -> Op<'c> {
        self.renamed.get(&op.key()).copied().unwrap_or(op)
    }

    pub(super) fn val(&self, value: ValueId) -> Result<Val<'c>, BuildError> {
        self.reading.values[value.index()].ok_or_else(BuildError::signature)
    }

    /// The memref of a value, for code at `place`; one that is still to come is waited for.
    pub(super) fn memref(
        &self,
        builder: &Builder<'c>,
        place: Option<ProgramPoint>,
        value: ValueId,
    ) -> Result<Val<'c>, BuildError> {
        let mut val = self.val(value)?;
        let here = match place {
            Some(ProgramPoint::After(here, step)) => Some((here, step)),
            Some(ProgramPoint::End(here)) => Some((here, StepIndex::MAX)),
            _ => None,
        };
        if let Some((here, step)) = here
            && let Some(come) = self.reading.awaits.get(&value)
            && let Some((.., come)) = come
                .iter()
                .find(|(segment, at, _)| *segment == here && *at <= step)
        {
            val = *come;
        }
        while let Some(element) = async_value_type(type_of(val)) {
            val = builder.await_value(val, element)?;
        }
        Ok(val)
    }

    pub(super) fn truth(&mut self, value: bool) -> Result<Val<'c>, BuildError> {
        if let Some(known) = self.truths.get(&value) {
            return Ok(*known);
        }
        let Some(Start::Block(entry)) = self.reading.starts.first() else {
            return Err(BuildError::signature());
        };
        let made =
            Builder::at_start(*entry, self.function, self.function.location()).boolean(value)?;
        self.truths.insert(value, made);
        Ok(made)
    }

    fn no_place(&self, edge: EdgeId) -> WriteError<'c> {
        let Error { op, what } = self.reading.trouble_at(edge, ErrorKind::NoPlace);
        WriteError::Trouble(Error {
            op: self.now(op),
            what,
        })
    }

    /// Where code of a place goes.
    pub(super) fn builder(&self, place: ProgramPoint) -> Result<Builder<'c>, WriteError<'c>> {
        let found = match place {
            ProgramPoint::Start(segment) if self.loads.contains_key(&segment) => {
                let load = self.loads[&segment];
                Builder::after(load, load.location())
            }
            ProgramPoint::Start(segment) => match self.reading.starts[segment.index()] {
                Start::Block(block) => {
                    let owner = block_parent(block).ok_or_else(BuildError::signature)?;
                    let location = ops(block)
                        .next()
                        .map_or(owner.location(), |op| op.location());
                    Some(Builder::at_start(block, owner, location))
                }
                Start::Behind(op) => {
                    let op = self.now(op);
                    Builder::after(op, op.location())
                }
                Start::Between(_) => None,
            },
            ProgramPoint::After(segment, step) => {
                let op = self.now(self.reading.steps[segment.index()][step as usize]);
                match self.behind.get(&op.key()) {
                    Some(next) => Builder::before(*next, op.location()),
                    None => Builder::after(op, op.location()),
                }
            }
            ProgramPoint::End(segment) => {
                let op = self.reading.steps[segment.index()].last().copied();
                let op = self.now(op.ok_or_else(BuildError::signature)?);
                Builder::before(op, op.location())
            }
            ProgramPoint::Edge(edge) => {
                let end = self.room.get(&edge).copied();
                let end = end.ok_or_else(|| self.no_place(edge))?;
                Builder::before(end, end.location())
            }
        };
        found.ok_or_else(|| BuildError::signature().into())
    }

    pub(super) fn flag(&mut self, value: ValueId) -> Result<Val<'c>, WriteError<'c>> {
        match self.plan.flag(value) {
            Flag::No => Ok(self.truth(false)?),
            Flag::Yes => Ok(self.truth(true)?),
            Flag::Dynamic => {
                let flag = self.flags.get(&value).copied();
                Ok(flag.ok_or_else(BuildError::signature)?)
            }
        }
    }

    pub(super) fn freeing(&self, value: ValueId) -> Allocator {
        self.reading
            .freeing
            .get(&value)
            .copied()
            .unwrap_or(Allocator::Memref)
    }

    /// `bufferization.dealloc`, which says that it has been decided who frees what. Where data may start elsewhere than that
    /// of others of the same memory, what starts with the allocations is asked about in place of these.
    pub(super) fn deallocs(
        &mut self,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
        conditions: &[Val<'c>],
        retained: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        self.is_marked = true;
        let mut all = memrefs.iter().chain(retained);
        if memrefs.len() + retained.len() < 2 || !all.any(|val| self.hidden.contains(&val.key())) {
            return builder.deallocs(memrefs, conditions, retained);
        }
        // Each once: what is the same value stays so.
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
        match home(self.function, builder.block(), self.semantics) {
            StackScope::Block(block, owner) => {
                let starts = self.stack.starts(block, owner, builder, &different)?;
                with(builder, &starts)
            }
            StackScope::Scope => {
                builder.scope(|inner| with(inner, &starts_here(inner, &different)?))
            }
        }
    }
}
