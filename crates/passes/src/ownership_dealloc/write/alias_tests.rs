//! Writes alias tests, and the flags that edges pass.

use super::{WriteError, Writer};
use crate::ownership_dealloc::read::IrEdge;
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Val, operands},
    melior::ir::operation::OperationLike,
    rebuild, symbols, values,
};
use memplan_ownership::{
    function::EdgeId,
    plan::{Ownership, OwnershipSource},
};

impl<'c> Writer<'c, '_> {
    pub(super) fn write_tests(&mut self) -> Result<(), WriteError<'c>> {
        for index in 0..self.plan.tests.len() {
            let test = &self.plan.tests[index];
            if self.plan.ownership_of(test.value) == Ownership::Never {
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
            let found = self.free_if(&builder, owner, value, flag, &retained)?;
            // The first retained value that is the same memory owns it.
            let mut owns = Vec::with_capacity(found.len());
            let mut before: Option<Val<'c>> = None;
            for one in found {
                owns.push(match before {
                    None => one,
                    Some(before) => {
                        let truth = self.constant_flag(true)?;
                        let free = builder.exclusive_or(before, truth)?;
                        builder.and(one, free)?
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

    /// The flag for a parameter of an edge; `builder` is at the end of the edge's code.
    pub(super) fn passed_flag(
        &mut self,
        edge: EdgeId,
        at: usize,
        builder: &Builder<'c>,
    ) -> Result<Val<'c>, WriteError<'c>> {
        match self.plan.ownership_passed_by(edge, at) {
            Ownership::Always => return Ok(self.constant_flag(true)?),
            Ownership::Never => return Ok(self.constant_flag(false)?),
            Ownership::Dynamic => {}
        }
        let mut all: Option<Val<'c>> = None;
        for source in &self.plan.passed_ownership[edge.index()][at].sources {
            let one = match source {
                OwnershipSource::Moved(value)
                    if self.plan.ownership_of(*value) == Ownership::Never =>
                {
                    continue;
                }
                OwnershipSource::Moved(value) => self.flag(*value)?,
                OwnershipSource::Tested { test, slot } => match self.tests[*test].get(*slot) {
                    Some(found) => *found,
                    // The tested value never owns memory.
                    None => continue,
                },
                OwnershipSource::BlockEnd { dealloc, slot } => {
                    let found = self.block_end_results[*dealloc].get(*slot).copied();
                    found.ok_or_else(BuildError::unexpected)?
                }
            };
            all = Some(match all {
                None => one,
                Some(before) => builder.or(before, one)?,
            });
        }
        match all {
            Some(all) => Ok(all),
            None => Ok(self.constant_flag(false)?),
        }
    }

    /// Adds the flags that edges pass.
    pub(super) fn pass_flags(&mut self) -> Result<(), WriteError<'c>> {
        for index in 0..self.reading.ir_edges.len() {
            let edge = EdgeId::new(index);
            let places = self.slots.flagged_params(&self.reading, edge);
            if places.is_empty() {
                continue;
            }
            let end = match (self.edge_ends.get(&edge), self.reading.ir_edges[index]) {
                (Some(end), _) => *end,
                (
                    None,
                    IrEdge::Branch(op, _)
                    | IrEdge::Enter(op)
                    | IrEdge::Yield(op)
                    | IrEdge::Return(op),
                ) => self.current_op(op),
            };
            let ir_edge = self.reading.ir_edges[index];
            // The same operands go to all targets of an operation other than a branch.
            if !matches!(ir_edge, IrEdge::Branch(..))
                && self.slots.is_written_by_earlier_edge(&self.reading, edge)
            {
                continue;
            }
            let builder =
                Builder::before(end, end.location()).ok_or_else(BuildError::unexpected)?;
            let mut flags = Vec::with_capacity(places.len());
            for at in places {
                flags.push(self.passed_flag(edge, at, &builder)?);
            }
            match ir_edge {
                IrEdge::Branch(op, successor) => {
                    let (op, successor) = match self.edge_ends.get(&edge) {
                        Some(jump) => (*jump, 0),
                        None => (self.current_op(op), successor),
                    };
                    if !rebuild::append_to_successor(op, successor, &flags) {
                        return Err(self.no_place(edge));
                    }
                }
                IrEdge::Enter(op) => {
                    let op = self.current_op(op);
                    let count = operands(op).count();
                    for (number, flag) in flags.iter().enumerate() {
                        values::set_operand(op, count - flags.len() + number, *flag);
                    }
                }
                IrEdge::Yield(op) => symbols::append_operands(self.current_op(op), &flags),
                IrEdge::Return(_) => {}
            }
        }
        Ok(())
    }
}
