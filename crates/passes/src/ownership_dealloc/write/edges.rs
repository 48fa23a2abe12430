//! Tests in front of edges, and the flags that edges pass.

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
    plan::{Flag, Source},
};

impl<'c> Writer<'c, '_> {
    pub(super) fn make_tests(&mut self) -> Result<(), WriteError<'c>> {
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

    /// Whether a parameter of an edge owns what it is passed; `builder` stands at the end of the edge's
    /// code.
    pub(super) fn passed(
        &mut self,
        edge: EdgeId,
        at: usize,
        builder: &Builder<'c>,
    ) -> Result<Val<'c>, WriteError<'c>> {
        match self.plan.passed(edge, at) {
            Flag::Yes => return Ok(self.truth(true)?),
            Flag::No => return Ok(self.truth(false)?),
            Flag::Dynamic => {}
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
    pub(super) fn pass(&mut self) -> Result<(), WriteError<'c>> {
        for index in 0..self.reading.ways.len() {
            let edge = EdgeId::new(index);
            let places = self.slots.passed(&self.reading, edge);
            if places.is_empty() {
                continue;
            }
            let end = match (self.room.get(&edge), self.reading.ways[index]) {
                (Some(end), _) => *end,
                (
                    None,
                    IrEdge::Branch(op, _)
                    | IrEdge::Enter(op)
                    | IrEdge::Yield(op)
                    | IrEdge::Return(op),
                ) => self.now(op),
            };
            let way = self.reading.ways[index];
            // The same operands go to all targets of an operation that is not a branch.
            if !matches!(way, IrEdge::Branch(..)) && self.slots.is_written(&self.reading, edge) {
                continue;
            }
            let builder = Builder::before(end, end.location()).ok_or_else(BuildError::signature)?;
            let mut flags = Vec::with_capacity(places.len());
            for at in places {
                flags.push(self.passed(edge, at, &builder)?);
            }
            match way {
                IrEdge::Branch(op, successor) => {
                    let (op, successor) = match self.room.get(&edge) {
                        Some(jump) => (*jump, 0),
                        None => (self.now(op), successor),
                    };
                    if !rebuild::append_to_successor(op, successor, &flags) {
                        return Err(self.no_place(edge));
                    }
                }
                IrEdge::Enter(op) => {
                    let op = self.now(op);
                    let count = operands(op).count();
                    for (number, flag) in flags.iter().enumerate() {
                        values::set_operand(op, count - flags.len() + number, *flag);
                    }
                }
                IrEdge::Yield(op) => symbols::append_operands(self.now(op), &flags),
                IrEdge::Return(_) => {}
            }
        }
        Ok(())
    }
}
