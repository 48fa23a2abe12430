//! Writes the deallocs at the ends of blocks: one `bufferization.dealloc` for each.

use super::{WriteError, Writer};
use crate::ownership_dealloc::read::IrEdge;
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Identity, Op, Val, operands},
};
use memplan_ownership::{
    function::{EdgeId, ValueId},
    plan::OwnedIf,
};
use memplan_semantics::Allocator;

/// A memref that may have to be freed.
struct OwnedMemref<'c> {
    value: ValueId,
    memref: Val<'c>,
    /// Whether it is owned.
    flag: Val<'c>,
}

impl<'c> Writer<'c, '_> {
    /// Writes the deallocs. Each comes after those whose results it uses.
    pub(super) fn write_block_end_deallocs(&mut self) -> Result<(), WriteError<'c>> {
        let plan = self.plan;
        for dealloc in &plan.block_end_deallocs {
            let builder = self.builder(dealloc.place)?;
            let edge_taken = match dealloc.only_on {
                Some(edge) => Some(self.edge_condition(edge, &builder)?),
                None => None,
            };
            let mut memrefs = Vec::with_capacity(dealloc.memrefs.len());
            for (value, owned) in &dealloc.memrefs {
                let owned = match owned {
                    OwnedIf::Flag => self.flag(*value)?,
                    OwnedIf::BlockEnd(found) => self.result_flag(*value, found)?,
                };
                let owned = match edge_taken {
                    Some(edge_taken) => self.both(owned, edge_taken, &builder)?,
                    None => owned,
                };
                memrefs.push(OwnedMemref {
                    value: *value,
                    memref: self.memref(&builder, Some(dealloc.place), *value)?,
                    flag: owned,
                });
            }
            let retained = dealloc.retained.iter();
            let retained = retained
                .map(|value| self.memref(&builder, Some(dealloc.place), *value))
                .collect::<Result<Vec<_>, _>>()?;
            let found = self.free_all_if(&builder, memrefs, &retained)?;
            self.block_end_results.push(found);
        }
        Ok(())
    }

    /// Writes one operation for all memrefs that `memref.dealloc` frees, or that are retained anyway. Memory
    /// of other allocators is freed separately. Returns for each retained memref whether it is owned.
    fn free_all_if(
        &mut self,
        builder: &Builder<'c>,
        memrefs: Vec<OwnedMemref<'c>>,
        retained: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, WriteError<'c>> {
        let never = self.truths.get(&false).copied();
        let (by_memref_dealloc, mut others): (Vec<_>, Vec<_>) =
            memrefs.into_iter().partition(|owner| {
                self.allocator(owner.value) == Allocator::Memref
                    || retained.contains(&owner.memref)
                    || Some(owner.flag) == never
            });
        let memrefs: Vec<Val<'c>> = by_memref_dealloc.iter().map(|owner| owner.memref).collect();
        let flags: Vec<Val<'c>> = by_memref_dealloc.iter().map(|owner| owner.flag).collect();
        let mut found = self.write_dealloc(builder, &memrefs, &flags, retained)?;
        // A later alias takes care of the memory.
        others.reverse();
        while let Some(OwnedMemref {
            value,
            memref,
            flag,
        }) = others.pop()
        {
            let later = others.iter().map(|owner| owner.memref);
            let kept: Vec<Val<'c>> = retained.iter().copied().chain(later).collect();
            let same = self.free_if(builder, value, memref, flag, &kept)?;
            let flags = others.iter_mut().map(|owner| &mut owner.flag);
            for (flag, same) in found.iter_mut().chain(flags).zip(same) {
                *flag = builder.or(*flag, same)?;
            }
        }
        Ok(found)
    }

    /// The conjunction of a flag and a run-time condition.
    fn both(
        &mut self,
        flag: Val<'c>,
        condition: Val<'c>,
        builder: &Builder<'c>,
    ) -> Result<Val<'c>, WriteError<'c>> {
        if flag == self.constant_flag(true)? {
            Ok(condition)
        } else if flag == self.constant_flag(false)? {
            Ok(flag)
        } else {
            Ok(builder.and(flag, condition)?)
        }
    }

    /// The condition under which control leaves by an edge of a conditional branch.
    fn edge_condition(
        &mut self,
        edge: EdgeId,
        builder: &Builder<'c>,
    ) -> Result<Val<'c>, WriteError<'c>> {
        let (op, successor) = self.branch(edge)?;
        let condition = condition(op)?;
        // Inserted before the deallocs of both edges.
        let not = match self.negated.get(&op.key()) {
            Some(not) => *not,
            None => {
                let truth = self.constant_flag(true)?;
                let not = builder.exclusive_or(truth, condition)?;
                self.negated.insert(op.key(), not);
                not
            }
        };
        Ok(if successor == 0 { condition } else { not })
    }

    /// The flag of a value, from the results of deallocs.
    fn result_flag(
        &mut self,
        value: ValueId,
        found: &[(usize, usize)],
    ) -> Result<Val<'c>, WriteError<'c>> {
        let result = |(dealloc, slot): (usize, usize)| {
            let found: &Vec<Val<'c>> = &self.block_end_results[dealloc];
            found.get(slot).copied().ok_or_else(BuildError::unexpected)
        };
        let (one, other) = match *found {
            [] => return Ok(self.constant_flag(false)?),
            [one] => return Ok(result(one)?),
            // For the two edges of a conditional branch, in order.
            [one, other, ..] => (one, other),
        };
        if let Some(known) = self.selected_flags.get(&value) {
            return Ok(*known);
        }
        let (yes, no) = (result(one)?, result(other)?);
        let dealloc = &self.plan.block_end_deallocs[one.0];
        let edge = dealloc.only_on.ok_or_else(BuildError::unexpected)?;
        let (op, _) = self.branch(edge)?;
        let chosen = self
            .builder(dealloc.place)?
            .select(condition(op)?, yes, no)?;
        self.selected_flags.insert(value, chosen);
        Ok(chosen)
    }

    /// Makes flags of returned memrefs exclusive: of aliases, the first one is owned by the caller.
    pub(super) fn make_flags_exclusive(
        &mut self,
        edge: EdgeId,
        flags: &mut [Val<'c>],
        builder: &Builder<'c>,
    ) -> Result<(), WriteError<'c>> {
        let compared: Vec<(usize, ValueId)> = (0..flags.len())
            .filter(|at| {
                !self.plan.passed_ownership[edge.index()][*at]
                    .sources
                    .is_empty()
            })
            .filter_map(|at| Some((at, self.reading.function.edge(edge).passed[at]?)))
            .collect();
        if self.plan.block_end_deallocs.is_empty() {
            return Ok(());
        }
        for (number, (at, value)) in compared.iter().enumerate() {
            let own = self.memref(builder, None, *value)?;
            for (before, other) in &compared[..number] {
                // Frees nothing: the memref is retained.
                let other = self.memref(builder, None, *other)?;
                let same =
                    self.write_dealloc(builder, &[other], &[flags[*before]], &[other, own])?;
                let truth = self.constant_flag(true)?;
                let is_distinct = builder.exclusive_or(same[1], truth)?;
                flags[*at] = builder.and(flags[*at], is_distinct)?;
            }
        }
        Ok(())
    }

    /// The branch of an edge, and the number of its successor.
    fn branch(&self, edge: EdgeId) -> Result<(Op<'c>, usize), BuildError> {
        match self.reading.ir_edges[edge.index()] {
            IrEdge::Branch(op, successor) => Ok((self.current_op(op), successor)),
            IrEdge::Enter(_) | IrEdge::Yield(_) | IrEdge::Return(_) => {
                Err(BuildError::unexpected())
            }
        }
    }
}

/// The condition of a conditional branch.
fn condition(op: Op<'_>) -> Result<Val<'_>, BuildError> {
    operands(op).next().ok_or_else(BuildError::unexpected)
}
