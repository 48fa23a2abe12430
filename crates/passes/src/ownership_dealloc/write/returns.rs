//! Writes returns, with flags or with copies of memory that is not owned; and marks the function as
//! deallocated.

use super::{WriteError, WriteOptions, Writer};
use crate::{
    ownership_dealloc::{
        codes,
        error::{Error, ErrorKind},
        ownership_summary::MARK,
        read::{IrEdge, SegmentStart},
    },
    regions::borrowed::is_borrowed_result,
};
use memplan_mlir::{
    build::{self, BuildError, Builder, copy_problem},
    diagnostics::Diagnostic,
    ir::{
        Identity, Key, Op, Val, async_value_type, context_of, holds_memref, operands, ops, parent,
        type_of,
    },
    melior::ir::operation::OperationLike,
    symbols, values,
};
use memplan_ownership::{
    function::{EdgeId, ValueId, ValueKind},
    plan::Ownership,
};
use memplan_semantics::Allocator;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl<'c> Writer<'c, '_> {
    /// Adds a flag for each returned memref.
    pub(super) fn return_flags(&mut self) -> Result<(), WriteError<'c>> {
        let mut count = None;
        for index in 0..self.reading.ir_edges.len() {
            let IrEdge::Return(op) = self.reading.ir_edges[index] else {
                continue;
            };
            let builder = Builder::before(op, op.location()).ok_or_else(BuildError::unexpected)?;
            let mut flags = (0..self.plan.passed_ownership[index].len())
                .map(|at| self.passed_flag(EdgeId::new(index), at, &builder))
                .collect::<Result<Vec<_>, _>>()?;
            self.make_flags_exclusive(EdgeId::new(index), &mut flags, &builder)?;
            symbols::append_operands(op, &flags);
            count = Some(flags.len());
        }
        let i1 = context_of(self.function).integer_type(1);
        for _ in 0..count.unwrap_or(0) {
            if !symbols::append_result(self.function, i1) {
                return Err(BuildError::unexpected().into());
            }
        }
        build::mark(self.function, MARK);
        Ok(())
    }

    /// Copies returned memory that is not owned.
    pub(super) fn copy_unowned_returns(&mut self) -> Result<(), WriteError<'c>> {
        for index in 0..self.reading.ir_edges.len() {
            let IrEdge::Return(op) = self.reading.ir_edges[index] else {
                continue;
            };
            let edge = EdgeId::new(index);
            let from = self.reading.function.edge(edge).from;
            if !self.plan.reached[from.index()] {
                continue;
            }
            let places: Vec<(usize, Val<'c>)> = operands(op)
                .enumerate()
                .filter(|(_, operand)| holds_memref(type_of(*operand)))
                .collect();
            let function = parent(op);
            // A memref that is returned twice is copied once. Different views of it are copied separately.
            let mut copied: FxHashMap<Key, Val<'c>> = FxHashMap::default();
            let perhaps_owned = self.perhaps_owned_places(edge);
            for (at, (place, value)) in places.into_iter().enumerate() {
                if function.is_some_and(|function| is_borrowed_result(function, place)) {
                    continue;
                }
                let builder =
                    Builder::before(op, op.location()).ok_or_else(BuildError::unexpected)?;
                if let Some(copy) = copied.get(&value.key()) {
                    values::set_operand(op, place, *copy);
                    continue;
                }
                // Both have the same flag.
                let shared = self.plan.passed_ownership[index][at].shared_with;
                let at = shared.unwrap_or(at);
                let owned = self.plan.ownership_passed_by(edge, at);
                let beside = match owned {
                    Ownership::Always => SmallVec::new(),
                    Ownership::Never | Ownership::Dynamic => {
                        self.returned_beside(edge, at, &perhaps_owned)
                    }
                };
                let form = type_of(value);
                let is_other = self.reading.returned_allocators.of(at) != Allocator::Memref;
                let is_copyable = || match copy_problem(form, form, self.has_strict_casts) {
                    // Callers free a result by one operation.
                    _ if is_other => {
                        let kind = ErrorKind::ReturnsMixed;
                        Err(WriteError::Unsupported(Error { op, kind }))
                    }
                    None => Ok(()),
                    Some(problem) => {
                        let kind = ErrorKind::NoCopy(problem);
                        Err(WriteError::Unsupported(Error { op, kind }))
                    }
                };
                let returned = match owned {
                    Ownership::Always => continue,
                    _ if self.is_retained(edge, at) => continue,
                    _ if async_value_type(type_of(value)).is_some() => {
                        return Err(WriteError::Unsupported(Error {
                            op,
                            kind: ErrorKind::AwaitedNotOwned,
                        }));
                    }
                    // Returned memory that the function allocated is not freed: one of these results owns it.
                    _ if !beside.is_empty() && !self.may_be_others(edge, at) => continue,
                    _ if !beside.is_empty() => {
                        is_copyable()?;
                        warn_may_copy(op);
                        let flag = self.owned_by_any(edge, at, &beside, &builder)?;
                        builder.owned_or_copy(flag, value)?
                    }
                    Ownership::Never => {
                        is_copyable()?;
                        Diagnostic::new(
                            codes::COPIED,
                            op.location(),
                            "returns memory that the function does not own: the caller receives \
                             a copy, and does not see later writes to the original",
                        )
                        .emit();
                        builder.copy_of(value, form)?.memref
                    }
                    Ownership::Dynamic => {
                        is_copyable()?;
                        warn_may_copy(op);
                        let flag = self.passed_flag(edge, at, &builder)?;
                        builder.owned_or_copy(flag, value)?
                    }
                };
                self.is_changed = true;
                copied.insert(value.key(), returned);
                values::set_operand(op, place, returned);
            }
        }
        Ok(())
    }

    /// The memrefs of a return that may be owned.
    fn perhaps_owned_places(&self, edge: EdgeId) -> Vec<usize> {
        let places = 0..self.reading.function.edge(edge).passed.len();
        places
            .filter(|at| self.plan.ownership_passed_by(edge, *at) != Ownership::Never)
            .collect()
    }

    /// The other memrefs of a return that may be the same memory and owned. Quadratic where many returned memrefs
    /// have common origins and some are owned: code compares these pairs.
    fn returned_beside(
        &self,
        edge: EdgeId,
        at: usize,
        perhaps_owned: &[usize],
    ) -> SmallVec<[usize; 2]> {
        let passed = &self.reading.function.edge(edge).passed;
        let Some(value) = passed[at].filter(|_| !perhaps_owned.is_empty()) else {
            return SmallVec::new();
        };
        let origins = self.reading.origins(value);
        let may_be_same = |other: ValueId| {
            let others = self.reading.origins(other);
            others.iter().any(|origin| origins.contains(origin))
        };
        let others = perhaps_owned.iter().copied();
        others
            .filter(|other| *other != at && passed[*other].is_some_and(may_be_same))
            .collect()
    }

    /// Whether a returned memref may be memory that the program frees under a flag if it is not returned.
    fn is_retained(&self, edge: EdgeId, at: usize) -> bool {
        let retained = &self.reading.retained;
        let passed = self.reading.function.edge(edge).passed[at].filter(|_| !retained.is_empty());
        let origins = passed.map(|value| self.reading.origins(value));
        origins.is_some_and(|origins| origins.iter().any(|origin| retained.contains(origin)))
    }

    /// Whether a returned memref may be memory that the function does not own.
    fn may_be_others(&self, edge: EdgeId, at: usize) -> bool {
        let passed = self.reading.function.edge(edge).passed[at];
        let origins = passed.map(|value| self.reading.origins(value));
        origins.is_none_or(|origins| {
            let kinds = origins
                .iter()
                .map(|origin| &self.reading.function.value(*origin).kind);
            kinds
                .into_iter()
                .any(|kind| !matches!(kind, ValueKind::Fresh { owned: true, .. }))
        })
    }

    /// Whether a returned memref is owned, or aliases one of `beside` that is.
    fn owned_by_any(
        &mut self,
        edge: EdgeId,
        at: usize,
        beside: &[usize],
        builder: &Builder<'c>,
    ) -> Result<Val<'c>, WriteError<'c>> {
        let mut owned = self.passed_flag(edge, at, builder)?;
        let passed = self.reading.function.edge(edge).passed.clone();
        let value = passed[at].ok_or_else(BuildError::unexpected)?;
        let own = self.memref(builder, None, value)?;
        for other in beside {
            let flag = self.passed_flag(edge, *other, builder)?;
            let other = passed[*other].ok_or_else(BuildError::unexpected)?;
            let other = self.memref(builder, None, other)?;
            // Frees nothing: the memref is retained.
            let same = self.write_dealloc(builder, &[other], &[flag], &[other, own])?;
            owned = builder.or(owned, same[1])?;
        }
        Ok(owned)
    }

    /// Marks a function whose ownership is visible in flags only, so that a second run leaves it alone.
    pub(super) fn mark_as_deallocated(
        &mut self,
        options: WriteOptions,
    ) -> Result<(), WriteError<'c>> {
        let is_flagged = !self.slots.blocks.is_empty() || !self.slots.ops.is_empty();
        let has_to = is_flagged || options.has_bases || options.marks_changes && self.is_changed;
        if !has_to || self.is_marked {
            return Ok(());
        }
        let Some(SegmentStart::Block(entry)) = self.reading.starts.first() else {
            return Ok(());
        };
        if let Some(last) = ops(*entry).last() {
            let builder = Builder::before(last, last.location());
            builder
                .ok_or_else(BuildError::unexpected)?
                .deallocs(&[], &[], &[])?;
        }
        Ok(())
    }
}

fn warn_may_copy(op: Op<'_>) {
    Diagnostic::new(
        codes::COPIED,
        op.location(),
        "may return memory that the function does not own: the caller then receives a copy, and \
         does not see later writes to the original",
    )
    .emit();
}
