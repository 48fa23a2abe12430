//! Room for code on edges, and for flags: more arguments of blocks, more operands and results of operations.

use super::{WriteError, Writer};
use crate::ownership_dealloc::{
    ownership_summary::MARK,
    read::{IrEdge, Start},
};
use memplan_mlir::{
    build,
    build::{BuildError, Builder},
    ir::{
        Identity, Key, Op, Type, Val, blocks, context_of, is_memref, next_in_block, ops, regions,
        results, successors, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
    rebuild,
};
use memplan_ownership::{
    function::{EdgeId, Kind, ValueId},
    plan::{Flag, ProgramPoint},
};
use rustc_hash::FxHashMap;

impl<'c> Writer<'c, '_> {
    /// Blocks on edges that get code, and empty else-branches.
    pub(super) fn make_room(&mut self) -> Result<(), WriteError<'c>> {
        let places = self.plan.frees.iter().map(|free| free.place);
        // What never owns memory is not tested.
        let tests = self.plan.tests.iter();
        let tests = tests.filter(|test| self.plan.flag(test.value) != Flag::No);
        let places = places.chain(tests.map(|test| test.place));
        let places = places.chain(self.plan.gathers.iter().map(|gather| gather.place));
        let mut edges: Vec<EdgeId> = places
            .filter_map(|place| match place {
                ProgramPoint::Edge(edge) => Some(edge),
                _ => None,
            })
            .collect();
        edges.sort_unstable();
        edges.dedup();
        self.split_landing_pads(&edges)?;
        for edge in edges {
            if self.room.contains_key(&edge) {
                continue;
            }
            let end = match self.reading.ways[edge.index()] {
                IrEdge::Branch(op, successor) => rebuild::split_edge(op, successor),
                IrEdge::Enter(op) => rebuild::add_else(op),
                IrEdge::Yield(_) | IrEdge::Return(_) => None,
            };
            let end = end.ok_or_else(|| self.no_place(edge))?;
            self.room.insert(edge, end);
        }
        Ok(())
    }

    /// Blocks on all edges to a landing pad if one gets code: each has to start as the pad did.
    fn split_landing_pads(&mut self, edges: &[EdgeId]) -> Result<(), WriteError<'c>> {
        let mut pads: FxHashMap<Key, EdgeId> = FxHashMap::default();
        for edge in edges {
            if let Some(pad) = self.landing_pad(*edge) {
                pads.entry(pad.key()).or_insert(*edge);
            }
        }
        if pads.is_empty() {
            return Ok(());
        }
        let all = (0..self.reading.ways.len()).map(EdgeId::new);
        let all: Vec<(EdgeId, Op<'c>)> = all
            .filter_map(|edge| Some((edge, self.landing_pad(edge)?)))
            .filter(|(_, pad)| pads.contains_key(&pad.key()))
            .collect();
        for (edge, pad) in &all {
            if pads.get(&pad.key()) == Some(edge) && !rebuild::split_landing_pad(*pad) {
                return Err(self.no_place(*edge));
            }
        }
        for (edge, _) in all {
            let IrEdge::Branch(op, successor) = self.reading.ways[edge.index()] else {
                continue;
            };
            let block = successors(op).nth(successor);
            let end = block.and_then(terminator);
            self.room
                .insert(edge, end.ok_or_else(BuildError::signature)?);
        }
        Ok(())
    }

    /// What the block that an edge goes to has to start with.
    fn landing_pad(&mut self, edge: EdgeId) -> Option<Op<'c>> {
        let IrEdge::Branch(op, successor) = self.reading.ways[edge.index()] else {
            return None;
        };
        let first = ops(successors(op).nth(successor)?).next()?;
        let says = self.semantics.table_facts(first);
        says.starts_landing_pad.then_some(first)
    }

    /// Flags for parameters: more arguments of blocks, more operands and results of operations.
    pub(super) fn grow(&mut self) -> Result<(), WriteError<'c>> {
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
        self.add_branches()?;
        for at in 0..self.slots.ops.len() {
            let results = self.slots.ops[at].results.clone();
            self.grow_op(at, &results, i1)?;
        }
        Ok(())
    }

    /// Branches for control that goes past an operation which gives flags.
    fn add_branches(&mut self) -> Result<(), WriteError<'c>> {
        for at in 0..self.slots.ops.len() {
            let next = self.slots.ops[at].next;
            let Start::Behind(op) = self.reading.starts[next.index()] else {
                continue;
            };
            let is_empty = |region| blocks(region).next().is_none();
            let has_empty = regions(op).any(is_empty);
            let mut past = self.reading.incoming[next.index()].iter();
            // Where code stands on the edge, there is one by now.
            let past = past.find(|edge| {
                matches!(self.reading.ways[edge.index()], IrEdge::Enter(_))
                    && (has_empty || self.room.contains_key(edge))
            });
            let Some(edge) = past.copied() else { continue };
            if self.slots.ops[at].results.is_empty() {
                continue;
            }
            let end = match self.room.get(&edge) {
                Some(end) => *end,
                None => rebuild::add_else(op).ok_or_else(|| self.no_place(edge))?,
            };
            self.room.insert(edge, end);
            self.reading.memory.ways[edge.index()] = IrEdge::Yield(end);
            self.slots.ops[at].enters = 0;
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
        let numbers = results(op).enumerate();
        let numbers: FxHashMap<Key, usize> = numbers
            .map(|(number, result)| (result.key(), number))
            .collect();
        let places: Vec<Option<usize>> = params
            .iter()
            .map(|param| {
                let val = self.reading.values[param.index()]?;
                numbers.get(&val.key()).copied()
            })
            .collect();
        let grown = rebuild::recreate(op, &vec![placeholder; enters], &vec![i1; flagged.len()])
            .ok_or_else(BuildError::signature)?;
        let all: Vec<Val<'c>> = results(grown).collect();
        for (number, param) in flagged.iter().enumerate() {
            let flag = all.get(count + number).copied();
            self.flags
                .insert(*param, flag.ok_or_else(BuildError::signature)?);
        }
        for (param, place) in params.iter().zip(places) {
            self.reading.memory.values[param.index()] =
                place.and_then(|place| all.get(place).copied());
        }
        self.renamed.insert(before, grown);
        Ok(())
    }

    /// Calls that say which of their memrefs are new.
    pub(super) fn calls(&mut self) -> Result<(), WriteError<'c>> {
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
                self.reading.memory.values[value.index()] = Some(val);
                self.flags.insert(value, flag);
            }
            self.renamed.insert(before, call);
        }
        Ok(())
    }

    /// Results of one call: which of them are memory of their own.
    pub(super) fn siblings(&mut self) -> Result<(), WriteError<'c>> {
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
            if self.plan.flag(value) != Flag::Dynamic {
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
                let flag = builder.exclusive_or(same, owned)?;
                self.flags.insert(value, flag);
            }
        }
        Ok(())
    }
}
