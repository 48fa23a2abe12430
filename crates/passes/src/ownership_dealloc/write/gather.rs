//! Writes what a plan gathers at the ends of blocks: one `bufferization.dealloc` for each gather.

use super::{WriteError, Writer};
use crate::ownership_dealloc::read::IrEdge;
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Identity, Op, Val, operands},
};
use memplan_ownership::{
    function::{EdgeId, ValueId},
    plan::Owned,
};
use memplan_semantics::Allocator;

/// What may have to be given back.
struct Owner<'c> {
    value: ValueId,
    memref: Val<'c>,
    /// Whether it is owned.
    flag: Val<'c>,
}

impl<'c> Writer<'c, '_> {
    /// Writes the gathers, each behind those that it asks.
    pub(super) fn gather(&mut self) -> Result<(), WriteError<'c>> {
        let plan = self.plan;
        for gather in &plan.gathers {
            let builder = self.builder(gather.place)?;
            let taken = match gather.taken {
                Some(edge) => Some(self.taken(edge, &builder)?),
                None => None,
            };
            let mut memrefs = Vec::with_capacity(gather.memrefs.len());
            for (value, owned) in &gather.memrefs {
                let owned = match owned {
                    Owned::Flag => self.flag(*value)?,
                    Owned::Found(found) => self.found(*value, found)?,
                };
                let owned = match taken {
                    Some(taken) => self.both(owned, taken, &builder)?,
                    None => owned,
                };
                memrefs.push(Owner {
                    value: *value,
                    memref: self.memref(&builder, Some(gather.place), *value)?,
                    flag: owned,
                });
            }
            let retained = gather.retained.iter();
            let retained = retained
                .map(|value| self.memref(&builder, Some(gather.place), *value))
                .collect::<Result<Vec<_>, _>>()?;
            let found = self.give_back_all(&builder, memrefs, &retained)?;
            self.gathered.push(found);
        }
        Ok(())
    }

    /// One operation for all that `memref.dealloc` gives back, or that is kept in any case; what another
    /// operation gives back comes by itself. Whether each retained memref is owned.
    fn give_back_all(
        &mut self,
        builder: &Builder<'c>,
        memrefs: Vec<Owner<'c>>,
        retained: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, WriteError<'c>> {
        let never = self.truths.get(&false).copied();
        let (usual, mut others): (Vec<_>, Vec<_>) = memrefs.into_iter().partition(|owner| {
            self.freeing(owner.value) == Allocator::Memref
                || retained.contains(&owner.memref)
                || Some(owner.flag) == never
        });
        let memrefs: Vec<Val<'c>> = usual.iter().map(|owner| owner.memref).collect();
        let flags: Vec<Val<'c>> = usual.iter().map(|owner| owner.flag).collect();
        let mut found = self.deallocs(builder, &memrefs, &flags, retained)?;
        // What is the same as a later one is left to that.
        others.reverse();
        while let Some(Owner {
            value,
            memref,
            flag,
        }) = others.pop()
        {
            let later = others.iter().map(|owner| owner.memref);
            let kept: Vec<Val<'c>> = retained.iter().copied().chain(later).collect();
            let same = self.give_back(builder, value, memref, flag, &kept)?;
            let flags = others.iter_mut().map(|owner| &mut owner.flag);
            for (flag, same) in found.iter_mut().chain(flags).zip(same) {
                *flag = builder.or(*flag, same)?;
            }
        }
        Ok(found)
    }

    /// Both of a flag and a condition that only the run knows.
    fn both(
        &mut self,
        flag: Val<'c>,
        condition: Val<'c>,
        builder: &Builder<'c>,
    ) -> Result<Val<'c>, WriteError<'c>> {
        if flag == self.truth(true)? {
            Ok(condition)
        } else if flag == self.truth(false)? {
            Ok(flag)
        } else {
            Ok(builder.and(flag, condition)?)
        }
    }

    /// Whether control leaves by an edge of a conditional branch.
    fn taken(&mut self, edge: EdgeId, builder: &Builder<'c>) -> Result<Val<'c>, WriteError<'c>> {
        let (op, successor) = self.branch(edge)?;
        let condition = condition(op)?;
        // In front of the gathers of both ways.
        let not = match self.negated.get(&op.key()) {
            Some(not) => *not,
            None => {
                let truth = self.truth(true)?;
                let not = builder.exclusive_or(truth, condition)?;
                self.negated.insert(op.key(), not);
                not
            }
        };
        Ok(if successor == 0 { condition } else { not })
    }

    /// Whether gathers have found that a value is owned.
    fn found(
        &mut self,
        value: ValueId,
        found: &[(usize, usize)],
    ) -> Result<Val<'c>, WriteError<'c>> {
        let result = |(gather, slot): (usize, usize)| {
            let found: &Vec<Val<'c>> = &self.gathered[gather];
            found.get(slot).copied().ok_or_else(BuildError::signature)
        };
        let (one, other) = match *found {
            [] => return Ok(self.truth(false)?),
            [one] => return Ok(result(one)?),
            // By the two ways of a conditional branch, in their order.
            [one, other, ..] => (one, other),
        };
        if let Some(known) = self.chosen.get(&value) {
            return Ok(*known);
        }
        let (yes, no) = (result(one)?, result(other)?);
        let gather = &self.plan.gathers[one.0];
        let edge = gather.taken.ok_or_else(BuildError::signature)?;
        let (op, _) = self.branch(edge)?;
        let chosen = self
            .builder(gather.place)?
            .select(condition(op)?, yes, no)?;
        self.chosen.insert(value, chosen);
        Ok(chosen)
    }

    /// Of memrefs that are returned and are the same memory, the first one says that the caller owns it.
    pub(super) fn tell_apart(
        &mut self,
        edge: EdgeId,
        flags: &mut [Val<'c>],
        builder: &Builder<'c>,
    ) -> Result<(), WriteError<'c>> {
        let asked: Vec<(usize, ValueId)> = (0..flags.len())
            .filter(|at| !self.plan.passes[edge.index()][*at].sources.is_empty())
            .filter_map(|at| Some((at, self.reading.function.edge(edge).passed[at]?)))
            .collect();
        if self.plan.gathers.is_empty() {
            return Ok(());
        }
        for (number, (at, value)) in asked.iter().enumerate() {
            let own = self.memref(builder, None, *value)?;
            for (before, other) in &asked[..number] {
                // Frees nothing: what would be freed is retained.
                let other = self.memref(builder, None, *other)?;
                let same = self.deallocs(builder, &[other], &[flags[*before]], &[other, own])?;
                let truth = self.truth(true)?;
                let is_apart = builder.exclusive_or(same[1], truth)?;
                flags[*at] = builder.and(flags[*at], is_apart)?;
            }
        }
        Ok(())
    }

    /// The branch that an edge is of, and which of its ways it is.
    fn branch(&self, edge: EdgeId) -> Result<(Op<'c>, usize), BuildError> {
        match self.reading.ways[edge.index()] {
            IrEdge::Branch(op, successor) => Ok((self.now(op), successor)),
            IrEdge::Enter(_) | IrEdge::Yield(_) | IrEdge::Return(_) => Err(BuildError::signature()),
        }
    }
}

/// The condition of a conditional branch.
fn condition(op: Op<'_>) -> Result<Val<'_>, BuildError> {
    operands(op).next().ok_or_else(BuildError::signature)
}
