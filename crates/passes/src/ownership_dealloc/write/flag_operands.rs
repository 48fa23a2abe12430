//! Splits edges for code, and extends blocks and operations by operands and results for flags.

use super::{WriteError, Writer};
use crate::ownership_dealloc::{
    ownership_summary::MARK,
    read::{IrEdge, SegmentStart},
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
    function::{EdgeId, ValueId, ValueKind},
    plan::{Ownership, ProgramPoint},
};
use rustc_hash::FxHashMap;

impl<'c> Writer<'c, '_> {
    /// Inserts blocks on edges with code, and empty else-branches.
    pub(super) fn split_edges(&mut self) -> Result<(), WriteError<'c>> {
        let places = self.plan.frees.iter().map(|free| free.place);
        // A value that never owns memory is not tested.
        let tests = self.plan.tests.iter();
        let tests = tests.filter(|test| self.plan.ownership_of(test.value) != Ownership::Never);
        let places = places.chain(tests.map(|test| test.place));
        let places = places.chain(
            self.plan
                .block_end_deallocs
                .iter()
                .map(|dealloc| dealloc.place),
        );
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
            if self.edge_ends.contains_key(&edge) {
                continue;
            }
            let end = match self.reading.ir_edges[edge.index()] {
                IrEdge::Branch(op, successor) => rebuild::split_edge(op, successor),
                IrEdge::Enter(op) => rebuild::add_else(op),
                IrEdge::Yield(_) | IrEdge::Return(_) => None,
            };
            let end = end.ok_or_else(|| self.no_place(edge))?;
            self.edge_ends.insert(edge, end);
        }
        Ok(())
    }

    /// Inserts blocks on all edges to a landing pad if there is code on one of them: each such block has to
    /// start as the pad did.
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
        let all = (0..self.reading.ir_edges.len()).map(EdgeId::new);
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
            let IrEdge::Branch(op, successor) = self.reading.ir_edges[edge.index()] else {
                continue;
            };
            let block = successors(op).nth(successor);
            let end = block.and_then(terminator);
            self.edge_ends
                .insert(edge, end.ok_or_else(BuildError::unexpected)?);
        }
        Ok(())
    }

    /// The landing pad operation at the start of an edge's target.
    fn landing_pad(&mut self, edge: EdgeId) -> Option<Op<'c>> {
        let IrEdge::Branch(op, successor) = self.reading.ir_edges[edge.index()] else {
            return None;
        };
        let first = ops(successors(op).nth(successor)?).next()?;
        let says = self.semantics.table_facts(first);
        says.starts_landing_pad.then_some(first)
    }

    /// Adds flags for parameters: arguments of blocks, operands and results of operations.
    pub(super) fn add_flags(&mut self) -> Result<(), WriteError<'c>> {
        let i1 = context_of(self.function).integer_type(1);
        for (segment, params) in self.slots.blocks.clone() {
            let SegmentStart::Block(block) = self.reading.starts[segment.index()] else {
                continue;
            };
            for param in params {
                let location = self.function.location();
                let flag = rebuild::append_argument(block, i1, location);
                self.flags
                    .insert(param, flag.ok_or_else(BuildError::unexpected)?);
            }
        }
        self.add_branches()?;
        for at in 0..self.slots.ops.len() {
            let results = self.slots.ops[at].results.clone();
            self.add_op_flags(at, &results, i1)?;
        }
        Ok(())
    }

    /// Adds branches for control that bypasses the regions of an operation which returns flags.
    fn add_branches(&mut self) -> Result<(), WriteError<'c>> {
        for at in 0..self.slots.ops.len() {
            let next = self.slots.ops[at].next;
            let SegmentStart::After(op) = self.reading.starts[next.index()] else {
                continue;
            };
            let is_empty = |region| blocks(region).next().is_none();
            let has_empty = regions(op).any(is_empty);
            let mut bypass = self.reading.incoming[next.index()].iter();
            // An edge with code has such a branch already.
            let bypass = bypass.find(|edge| {
                matches!(self.reading.ir_edges[edge.index()], IrEdge::Enter(_))
                    && (has_empty || self.edge_ends.contains_key(edge))
            });
            let Some(edge) = bypass.copied() else {
                continue;
            };
            if self.slots.ops[at].results.is_empty() {
                continue;
            }
            let end = match self.edge_ends.get(&edge) {
                Some(end) => *end,
                None => rebuild::add_else(op).ok_or_else(|| self.no_place(edge))?,
            };
            self.edge_ends.insert(edge, end);
            self.reading.memory.ir_edges[edge.index()] = IrEdge::Yield(end);
            self.slots.ops[at].entering_flags = 0;
        }
        Ok(())
    }

    /// Recreates an operation with operands for flags that enter its regions, and results for flags.
    fn add_op_flags(
        &mut self,
        at: usize,
        flagged: &[ValueId],
        i1: Type<'c>,
    ) -> Result<(), WriteError<'c>> {
        let enters = self.slots.ops[at].entering_flags;
        let op = self.current_op(match self.reading.starts[self.slots.ops[at].next.index()] {
            SegmentStart::After(op) => op,
            SegmentStart::Block(_) | SegmentStart::Between(_) => {
                return Err(BuildError::unexpected().into());
            }
        });
        let before = op.key();
        let placeholder = self.constant_flag(false)?;
        let count = results(op).count();
        let next = self.slots.ops[at].next;
        // The results that stand for parameters.
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
        let recreated_op =
            rebuild::recreate(op, &vec![placeholder; enters], &vec![i1; flagged.len()])
                .ok_or_else(BuildError::unexpected)?;
        let all: Vec<Val<'c>> = results(recreated_op).collect();
        for (number, param) in flagged.iter().enumerate() {
            let flag = all.get(count + number).copied();
            self.flags
                .insert(*param, flag.ok_or_else(BuildError::unexpected)?);
        }
        for (param, place) in params.iter().zip(places) {
            self.reading.memory.values[param.index()] =
                place.and_then(|place| all.get(place).copied());
        }
        self.recreated.insert(before, recreated_op);
        Ok(())
    }

    /// Recreates calls that return flags.
    pub(super) fn add_call_flags(&mut self) -> Result<(), WriteError<'c>> {
        let i1 = context_of(self.function).integer_type(1);
        for (op, values) in self.reading.flag_calls.clone() {
            let count = results(op).count();
            let before = op.key();
            let call = rebuild::recreate(op, &[], &vec![i1; values.len()])
                .ok_or_else(BuildError::unexpected)?;
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
            self.recreated.insert(before, call);
        }
        Ok(())
    }

    /// Compares the results of one call: each that aliases no earlier one owns its memory.
    pub(super) fn compare_call_results(&mut self) -> Result<(), WriteError<'c>> {
        for index in 0..self.reading.function.values.len() {
            let fact = &self.reading.function.values[index];
            let ValueKind::Fresh {
                owned: true,
                may_alias: Some(first),
            } = fact.kind
            else {
                continue;
            };
            let value = ValueId::new(index);
            if self.plan.ownership_of(value) != Ownership::Dynamic {
                continue;
            }
            let (segment, step) = (fact.segment, fact.step.unwrap_or(0));
            let call = self.current_op(self.reading.steps[segment.index()][step as usize]);
            let all: Vec<ValueId> = (first.index()..index).map(ValueId::new).collect();
            let next = match self.next_after_call.get(&call.key()) {
                Some(next) => *next,
                None => next_in_block(call).ok_or_else(BuildError::unexpected)?,
            };
            self.next_after_call.insert(call.key(), next);
            let builder =
                Builder::before(next, call.location()).ok_or_else(BuildError::unexpected)?;
            let (owned, one) = (
                self.constant_flag(true)?,
                self.memref(&builder, None, value)?,
            );
            let mut same: Option<Val<'c>> = None;
            for other in all {
                let other = self.memref(&builder, None, other)?;
                // Frees nothing: the memref is retained.
                let found = self.write_dealloc(&builder, &[other], &[owned], &[other, one])?;
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
