//! Writes a plan into the IR. No decision is taken here.
//!
//! First edges that get code of their own are given room, and signatures grow by a flag for each
//! parameter whose ownership only the run knows. Then come tests, what is gathered at the ends of blocks
//! (`gather`), the flags that edges pass, frees, and copies of what is returned without being owned. What
//! the program freed itself goes last.

use super::{
    error::{Trouble, What},
    kinds::Freeing,
    read::{Reading, Start, Way},
    slots::Slots,
    told::MARK,
};
use memplan_mlir::{
    build::{self, BuildError, Builder},
    diagnostics::{Diagnostic, Severity},
    ir::{
        Identity, Key, Op, Type, Val, awaited, block_parent, context_of, erase, holds_memref,
        is_memref, next_in_block, operands, ops, results, type_of,
    },
    melior::ir::operation::OperationLike,
    rebuild, symbols, values,
};
use memplan_ownership::{
    Plan,
    function::{EdgeId, Kind, Step, ValueId},
    plan::{Flag, Free, Place, Source},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What went wrong.
pub enum WriteError<'c> {
    /// Something stands in the way.
    Trouble(Trouble<'c>),
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
pub struct Manner {
    /// The function returns a flag for each memref.
    pub tells: bool,
    /// A second run has to see that all has been decided, as it might come out in another way.
    pub marks: bool,
    /// It would, as what values are views of goes with them.
    pub has_bases: bool,
}

/// Writes `plan`.
pub fn write<'c>(
    function: Op<'c>,
    reading: Reading<'c>,
    plan: &Plan,
    slots: Slots,
    manner: Manner,
) -> Result<(), WriteError<'c>> {
    let mut writer = Writer {
        function,
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
        is_marked: false,
        is_changed: false,
        reading,
    };
    writer.make_room()?;
    writer.grow()?;
    writer.calls()?;
    writer.siblings()?;
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

pub(super) struct Writer<'c, 'p> {
    function: Op<'c>,
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
    /// A `bufferization.dealloc` or a call says that it has been decided who frees what.
    is_marked: bool,
    /// Something is freed or copied.
    is_changed: bool,
}

impl<'c> Writer<'c, '_> {
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
        place: Option<Place>,
        value: ValueId,
    ) -> Result<Val<'c>, BuildError> {
        let mut val = self.val(value)?;
        let here = match place {
            Some(Place::After(here, step)) => Some((here, step)),
            Some(Place::End(here)) => Some((here, Step::MAX)),
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
        while let Some(element) = awaited(type_of(val)) {
            val = builder.wait_for(val, element)?;
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
            Builder::at_start(*entry, self.function, self.function.location()).truth(value)?;
        self.truths.insert(value, made);
        Ok(made)
    }

    fn no_place(&self, edge: EdgeId) -> WriteError<'c> {
        let Trouble { op, what } = self.reading.trouble_at(edge, What::NoPlace);
        WriteError::Trouble(Trouble {
            op: self.now(op),
            what,
        })
    }

    /// Blocks on edges that get code, and empty else-branches.
    fn make_room(&mut self) -> Result<(), WriteError<'c>> {
        let places = self.plan.frees.iter().map(|free| free.place);
        let places = places.chain(self.plan.tests.iter().map(|test| test.place));
        let places = places.chain(self.plan.gathers.iter().map(|gather| gather.place));
        let mut edges: Vec<EdgeId> = places
            .filter_map(|place| match place {
                Place::Edge(edge) => Some(edge),
                _ => None,
            })
            .collect();
        edges.sort_unstable();
        edges.dedup();
        for edge in edges {
            let end = match self.reading.ways[edge.index()] {
                Way::Branch(op, successor) => rebuild::split_edge(op, successor),
                Way::Enter(op) => rebuild::add_else(op),
                Way::Yield(_) | Way::Return(_) => None,
            };
            let end = end.ok_or_else(|| self.no_place(edge))?;
            self.room.insert(edge, end);
        }
        Ok(())
    }

    /// Flags for parameters: more arguments of blocks, more operands and results of operations.
    fn grow(&mut self) -> Result<(), WriteError<'c>> {
        let i1 = context_of(self.function).integer_type(1);
        for (segment, params) in self.slots.blocks.clone() {
            let Start::Block(block) = self.reading.starts[segment.index()] else {
                continue;
            };
            for param in params {
                let location = self.function.location();
                let flag = rebuild::append_argument(block, i1, location);
                self.flags
                    .insert(param, flag.ok_or_else(BuildError::signature)?);
            }
        }
        for at in 0..self.slots.ops.len() {
            let results = self.slots.ops[at].results.clone();
            self.grow_op(at, &results, i1)?;
        }
        Ok(())
    }

    /// An operation with regions anew: flags for what it passes in, and for its results.
    fn grow_op(
        &mut self,
        at: usize,
        flagged: &[ValueId],
        i1: Type<'c>,
    ) -> Result<(), WriteError<'c>> {
        let enters = self.slots.ops[at].enters;
        let op = self.now(match self.reading.starts[self.slots.ops[at].next.index()] {
            Start::Behind(op) => op,
            Start::Block(_) | Start::Between(_) => return Err(BuildError::signature().into()),
        });
        let before = op.key();
        let placeholder = self.truth(false)?;
        let count = results(op).count();
        let next = self.slots.ops[at].next;
        // Which of its results are values.
        let params = self.reading.function.segments[next.index()].params.clone();
        let places: Vec<Option<usize>> = params
            .iter()
            .map(|param| {
                let val = self.reading.values[param.index()];
                results(op).position(|result| Some(result) == val)
            })
            .collect();
        let grown = rebuild::recreate(op, &vec![placeholder; enters], &vec![i1; flagged.len()])
            .ok_or_else(BuildError::signature)?;
        for (number, param) in flagged.iter().enumerate() {
            let flag = results(grown).nth(count + number);
            self.flags
                .insert(*param, flag.ok_or_else(BuildError::signature)?);
        }
        for (param, place) in params.iter().zip(places) {
            self.reading.values[param.index()] = place.and_then(|place| results(grown).nth(place));
        }
        self.renamed.insert(before, grown);
        Ok(())
    }

    /// Calls that say which of their memrefs are new.
    fn calls(&mut self) -> Result<(), WriteError<'c>> {
        let i1 = context_of(self.function).integer_type(1);
        for (op, values) in self.reading.told.clone() {
            let count = results(op).count();
            let before = op.key();
            let call = rebuild::recreate(op, &[], &vec![i1; values.len()])
                .ok_or_else(BuildError::signature)?;
            build::mark(call, MARK);
            self.is_marked = true;
            let memrefs = results(call).take(count);
            let memrefs = memrefs.filter(|result| is_memref(type_of(*result)));
            for ((value, val), flag) in values
                .into_iter()
                .zip(memrefs)
                .zip(results(call).skip(count))
            {
                self.reading.values[value.index()] = Some(val);
                self.flags.insert(value, flag);
            }
            self.renamed.insert(before, call);
        }
        Ok(())
    }

    /// Results of one call: which of them are memory of their own.
    fn siblings(&mut self) -> Result<(), WriteError<'c>> {
        for index in 0..self.reading.function.values.len() {
            let fact = &self.reading.function.values[index];
            let Kind::Fresh {
                owned: true,
                same_as: Some(first),
            } = fact.kind
            else {
                continue;
            };
            let value = ValueId::new(index);
            if self.plan.flag(value) != Flag::Known {
                continue;
            }
            let (segment, step) = (fact.segment, fact.step.unwrap_or(0));
            let call = self.now(self.reading.steps[segment.index()][step as usize]);
            let all: Vec<ValueId> = (first.index()..index).map(ValueId::new).collect();
            let next = match self.behind.get(&call.key()) {
                Some(next) => *next,
                None => next_in_block(call).ok_or_else(BuildError::signature)?,
            };
            self.behind.insert(call.key(), next);
            let builder =
                Builder::before(next, call.location()).ok_or_else(BuildError::signature)?;
            let (owned, one) = (self.truth(true)?, self.memref(&builder, None, value)?);
            let mut same: Option<Val<'c>> = None;
            for other in all {
                let other = self.memref(&builder, None, other)?;
                // Frees nothing: what would be freed is retained.
                let found = self.deallocs(&builder, &[other], &[owned], &[other, one])?;
                same = Some(match same {
                    None => found[1],
                    Some(before) => builder.or(before, found[1])?,
                });
            }
            if let Some(same) = same {
                let flag = builder.arith("arith.xori", same, owned)?;
                self.flags.insert(value, flag);
            }
        }
        Ok(())
    }

    /// Where code of a place goes.
    pub(super) fn builder(&self, place: Place) -> Result<Builder<'c>, WriteError<'c>> {
        let found = match place {
            Place::Start(segment) => match self.reading.starts[segment.index()] {
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
            Place::After(segment, step) => {
                let op = self.now(self.reading.steps[segment.index()][step as usize]);
                match self.behind.get(&op.key()) {
                    Some(next) => Builder::before(*next, op.location()),
                    None => Builder::after(op, op.location()),
                }
            }
            Place::End(segment) => {
                let op = self.reading.steps[segment.index()].last().copied();
                let op = self.now(op.ok_or_else(BuildError::signature)?);
                Builder::before(op, op.location())
            }
            Place::Edge(edge) => {
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
            Flag::Known => {
                let flag = self.flags.get(&value).copied();
                Ok(flag.ok_or_else(BuildError::signature)?)
            }
        }
    }

    fn make_tests(&mut self) -> Result<(), WriteError<'c>> {
        for index in 0..self.plan.tests.len() {
            let test = &self.plan.tests[index];
            if self.plan.flag(test.value) == Flag::No {
                continue;
            }
            let builder = self.builder(test.place)?;
            let (owner, place) = (test.value, Some(test.place));
            let flag = self.flag(owner)?;
            let value = self.memref(&builder, place, owner)?;
            let retained = test
                .retained
                .iter()
                .map(|value| self.memref(&builder, place, *value))
                .collect::<Result<Vec<_>, _>>()?;
            let found = self.give_back(&builder, owner, value, flag, &retained)?;
            // The first one that is the same memory owns it.
            let mut owns = Vec::with_capacity(found.len());
            let mut before: Option<Val<'c>> = None;
            for one in found {
                owns.push(match before {
                    None => one,
                    Some(before) => {
                        let truth = self.truth(true)?;
                        let free = builder.arith("arith.xori", before, truth)?;
                        builder.arith("arith.andi", one, free)?
                    }
                });
                before = Some(match before {
                    None => one,
                    Some(before) => builder.or(before, one)?,
                });
            }
            self.tests[index] = owns;
        }
        Ok(())
    }

    /// Whether a parameter of an edge owns what it is passed; `builder` stands at the end of the edge's
    /// code.
    fn passed(
        &mut self,
        edge: EdgeId,
        at: usize,
        builder: &Builder<'c>,
    ) -> Result<Val<'c>, WriteError<'c>> {
        match self.plan.passed(edge, at) {
            Flag::Yes => return Ok(self.truth(true)?),
            Flag::No => return Ok(self.truth(false)?),
            Flag::Known => {}
        }
        let mut all: Option<Val<'c>> = None;
        for source in &self.plan.passes[edge.index()][at].sources {
            let one = match source {
                Source::Moved(value) if self.plan.flag(*value) == Flag::No => continue,
                Source::Moved(value) => self.flag(*value)?,
                Source::Tested { test, slot } => match self.tests[*test].get(*slot) {
                    Some(found) => *found,
                    // Its owner never owns it.
                    None => continue,
                },
                Source::Gathered { gather, slot } => {
                    let found = self.gathered[*gather].get(*slot).copied();
                    found.ok_or_else(BuildError::signature)?
                }
            };
            all = Some(match all {
                None => one,
                Some(before) => builder.or(before, one)?,
            });
        }
        match all {
            Some(all) => Ok(all),
            None => Ok(self.truth(false)?),
        }
    }

    /// Flags that edges pass.
    fn pass(&mut self) -> Result<(), WriteError<'c>> {
        for index in 0..self.reading.ways.len() {
            let edge = EdgeId::new(index);
            let places = self.slots.passed(&self.reading, edge);
            if places.is_empty() {
                continue;
            }
            let end = match (self.room.get(&edge), self.reading.ways[index]) {
                (Some(end), _) => *end,
                (None, Way::Branch(op, _) | Way::Enter(op) | Way::Yield(op) | Way::Return(op)) => {
                    self.now(op)
                }
            };
            let way = self.reading.ways[index];
            // The same operands go to all targets of an operation that is not a branch.
            if !matches!(way, Way::Branch(..)) && self.slots.is_written(&self.reading, edge) {
                continue;
            }
            let builder = Builder::before(end, end.location()).ok_or_else(BuildError::signature)?;
            let mut flags = Vec::with_capacity(places.len());
            for at in places {
                flags.push(self.passed(edge, at, &builder)?);
            }
            match way {
                Way::Branch(op, successor) => {
                    let (op, successor) = match self.room.get(&edge) {
                        Some(jump) => (*jump, 0),
                        None => (self.now(op), successor),
                    };
                    if !rebuild::append_to_successor(op, successor, &flags) {
                        return Err(self.no_place(edge));
                    }
                }
                Way::Enter(op) => {
                    let op = self.now(op);
                    let count = operands(op).count();
                    for (number, flag) in flags.iter().enumerate() {
                        values::set_operand(op, count - flags.len() + number, *flag);
                    }
                }
                Way::Yield(op) => symbols::append_operands(self.now(op), &flags),
                Way::Return(_) => {}
            }
        }
        Ok(())
    }

    fn frees(&mut self) -> Result<(), WriteError<'c>> {
        // Behind one another in the order of the plan, also where each comes in front of those before it.
        let plan = self.plan;
        for free in &plan.frees {
            if self.is_before(free.place) {
                self.free(free)?;
            }
        }
        for free in plan.frees.iter().rev() {
            if !self.is_before(free.place) {
                self.free(free)?;
            }
        }
        Ok(())
    }

    /// Does what is put at a place come behind what was put there?
    fn is_before(&self, place: Place) -> bool {
        match place {
            Place::Start(_) => false,
            Place::End(_) | Place::Edge(_) => true,
            Place::After(segment, step) => {
                let op = self.now(self.reading.steps[segment.index()][step as usize]);
                self.behind.contains_key(&op.key())
            }
        }
    }

    fn free(&mut self, free: &Free) -> Result<(), WriteError<'c>> {
        let builder = self.builder(free.place)?;
        if self.plan.flag(free.value) == Flag::No {
            return Ok(());
        }
        let value = self.memref(&builder, Some(free.place), free.value)?;
        self.is_changed = true;
        match (self.plan.flag(free.value), self.freeing(free.value)) {
            (Flag::No, _) => {}
            (Flag::Yes, Freeing::Memref) => {
                builder.dealloc(value)?;
            }
            (Flag::Yes, Freeing::By(name)) => {
                builder.free_by(name, value)?;
            }
            (Flag::Known, _) => {
                let flag = self.flag(free.value)?;
                self.give_back(&builder, free.value, value, flag, &[])?;
            }
        }
        Ok(())
    }

    /// Gives a memref back where a flag holds, unless it is one of those retained: whether each of these owns
    /// it now.
    pub(super) fn give_back(
        &mut self,
        builder: &Builder<'c>,
        owner: ValueId,
        memref: Val<'c>,
        flag: Val<'c>,
        retained: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, WriteError<'c>> {
        let Freeing::By(name) = self.freeing(owner) else {
            return Ok(self.deallocs(builder, &[memref], &[flag], retained)?);
        };
        // `bufferization.dealloc` gives back by `memref.dealloc` alone: it is only asked.
        let mut found = Vec::new();
        let mut is_free = flag;
        if !retained.is_empty() {
            let all = [retained, &[memref]].concat();
            found = self.deallocs(builder, &[memref], &[flag], &all)?;
            found.truncate(retained.len());
            let truth = self.truth(true)?;
            for is_same in &found {
                let other = builder.arith("arith.xori", *is_same, truth)?;
                is_free = builder.arith("arith.andi", is_free, other)?;
            }
        }
        self.is_marked = true;
        let body = |inner: &Builder<'c>| inner.free_by(name, memref).map(|_| ());
        builder.if_then(is_free, body)?;
        Ok(found)
    }

    /// `bufferization.dealloc`, which says that it has been decided who frees what.
    pub(super) fn deallocs(
        &mut self,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
        conditions: &[Val<'c>],
        retained: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        self.is_marked = true;
        builder.deallocs(memrefs, conditions, retained)
    }

    /// Where flags alone say who frees what, a second run has to see that, too.
    fn mark(&mut self, manner: Manner) -> Result<(), WriteError<'c>> {
        let is_flagged = !self.slots.blocks.is_empty() || !self.slots.ops.is_empty();
        let has_to = is_flagged || manner.has_bases || manner.marks && self.is_changed;
        if !has_to || self.is_marked {
            return Ok(());
        }
        let Some(Start::Block(entry)) = self.reading.starts.first() else {
            return Ok(());
        };
        if let Some(last) = ops(*entry).last() {
            let builder = Builder::before(last, last.location());
            builder
                .ok_or_else(BuildError::signature)?
                .deallocs(&[], &[], &[])?;
        }
        Ok(())
    }

    pub(super) fn freeing(&self, value: ValueId) -> Freeing {
        self.reading
            .freeing
            .get(&value)
            .copied()
            .unwrap_or(Freeing::Memref)
    }

    /// Each return says of each memref whether the caller owns it.
    fn tell(&mut self) -> Result<(), WriteError<'c>> {
        let mut count = None;
        for index in 0..self.reading.ways.len() {
            let Way::Return(op) = self.reading.ways[index] else {
                continue;
            };
            let builder = Builder::before(op, op.location()).ok_or_else(BuildError::signature)?;
            let mut flags = (0..self.plan.passes[index].len())
                .map(|at| self.passed(EdgeId::new(index), at, &builder))
                .collect::<Result<Vec<_>, _>>()?;
            self.tell_apart(EdgeId::new(index), &mut flags, &builder)?;
            symbols::append_operands(op, &flags);
            count = Some(flags.len());
        }
        let i1 = context_of(self.function).integer_type(1);
        for _ in 0..count.unwrap_or(0) {
            if !symbols::append_result(self.function, i1) {
                return Err(BuildError::signature().into());
            }
        }
        build::mark(self.function, MARK);
        Ok(())
    }

    /// What is returned without being owned is copied.
    fn returns(&mut self) -> Result<(), WriteError<'c>> {
        for index in 0..self.reading.ways.len() {
            let Way::Return(op) = self.reading.ways[index] else {
                continue;
            };
            let edge = EdgeId::new(index);
            let from = self.reading.function.edge(edge).from;
            if !self.plan.reached[from.index()] {
                continue;
            }
            let places: Vec<usize> = operands(op)
                .enumerate()
                .filter(|(_, operand)| holds_memref(type_of(*operand)))
                .map(|(place, _)| place)
                .collect();
            // What is returned twice is copied once; another view of it by itself.
            let mut copied: SmallVec<[(Val<'c>, Val<'c>); 2]> = SmallVec::new();
            for (at, place) in places.into_iter().enumerate() {
                let builder =
                    Builder::before(op, op.location()).ok_or_else(BuildError::signature)?;
                let value = operands(op).nth(place).ok_or_else(BuildError::signature)?;
                if let Some((_, copy)) = copied.iter().find(|(from, _)| *from == value) {
                    values::set_operand(op, place, *copy);
                    continue;
                }
                // Whether it is owned is the same question for both.
                let shared = self.plan.passes[index][at].shared_with;
                let at = shared.unwrap_or(at);
                let returned = match self.plan.passed(edge, at) {
                    Flag::Yes => continue,
                    _ if awaited(type_of(value)).is_some() => {
                        return Err(WriteError::Trouble(Trouble {
                            op,
                            what: What::NotOurs,
                        }));
                    }
                    Flag::No => {
                        Diagnostic::new(
                            Severity::Warning,
                            op.location(),
                            "returns memory that the function does not own: the caller gets a copy, and \
                             does not see what is written to the original later",
                        )
                        .emit();
                        builder.clone_of(value)?
                    }
                    Flag::Known => {
                        Diagnostic::new(
                            Severity::Warning,
                            op.location(),
                            "may return memory that the function does not own: then the caller gets a copy, and \
                             does not see what is written to the original later",
                        )
                        .emit();
                        let flag = self.passed(edge, at, &builder)?;
                        builder.owned_or_clone(flag, value)?
                    }
                };
                self.is_changed = true;
                copied.push((value, returned));
                values::set_operand(op, place, returned);
            }
        }
        Ok(())
    }
}
