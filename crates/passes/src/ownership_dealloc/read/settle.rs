//! What is known only when all has been read.

use super::{Reader, Start};
use crate::ownership_dealloc::{error::What, kinds::Freeing};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    ir::{Identity, Key, ops, results},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::{Kind, ValueId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

impl<'c> Reader<'c, '_> {
    /// What is known only when all has been read: loads may give what is stored; what is out of the
    /// function's hands is not freed; and deallocations of what it frees go.
    pub(super) fn settle(&mut self) {
        self.settle_carriers();
        self.incoming = self.reading.function.incoming();
        let stored: SmallVec<[ValueId; 2]> = self.stored.iter().copied().collect();
        for loaded in std::mem::take(&mut self.loaded) {
            let mut sources = stored.clone();
            sources.push(self.elsewhere);
            self.reading.function.values[loaded.index()].kind = Kind::Any(sources);
        }
        let mut frees = Vec::new();
        for (op, value) in std::mem::take(&mut self.frees) {
            if op.has_attribute(MANUAL_DEALLOCATION) || results(op).next().is_some() {
                self.escapes.push((value, op));
            } else {
                frees.push((op, value));
            }
        }
        for (value, op) in std::mem::take(&mut self.escapes) {
            for origin in self.origins(value) {
                if let Kind::Fresh { owned, .. } =
                    &mut self.reading.function.values[origin.index()].kind
                    && std::mem::replace(owned, false)
                {
                    self.reading.given_away.push((origin, op));
                }
            }
        }
        for (op, value) in frees {
            let origins = self.origins(value);
            let is_owned = |origin: &ValueId| {
                matches!(
                    self.reading.function.value(*origin).kind,
                    Kind::Fresh { owned: true, .. }
                )
            };
            let owned = origins.iter().filter(|origin| is_owned(origin)).count();
            if owned == origins.len() {
                self.reading.dropped.push(op);
            } else if owned > 0 {
                self.fails(op, What::MixedDealloc);
            }
        }
        self.freed_alike();
        if !self.reading.dropped.is_empty() {
            let dropped: FxHashSet<Key> = self.reading.dropped.iter().map(|op| op.key()).collect();
            for (segment, steps) in self
                .reading
                .function
                .segments
                .iter_mut()
                .zip(&self.reading.steps)
            {
                segment.uses.retain(|(step, _)| {
                    !steps
                        .get(*step as usize)
                        .is_some_and(|op| dropped.contains(&op.key()))
                });
            }
        }
    }

    /// What each parameter's memory is freed by: all that it may be is freed in one way.
    fn freed_alike(&mut self) {
        if !self
            .reading
            .freeing
            .values()
            .any(|freeing| *freeing != Freeing::Memref)
        {
            return;
        }
        for index in 0..self.reading.function.values.len() {
            let value = ValueId::new(index);
            let fact = self.reading.function.value(value);
            if fact.kind != Kind::Param {
                continue;
            }
            let start = self.reading.starts[fact.segment.index()];
            let origins = self.origins(value).into_iter();
            let mut all = origins.filter_map(|origin| self.reading.freeing.get(&origin).copied());
            let Some(first) = all.next() else { continue };
            if all.any(|other| other != first) {
                let op = match start {
                    Start::Behind(op) => Some(op),
                    Start::Block(block) => ops(block).next(),
                };
                if let Some(op) = op {
                    self.fails(op, What::MixedAllocators);
                }
            }
            self.reading.freeing.insert(value, first);
        }
    }

    /// The memory that a value may be.
    fn origins(&self, value: ValueId) -> Vec<ValueId> {
        let function = &self.reading.function;
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        let mut open = vec![value];
        let mut origins = Vec::new();
        let incoming = &self.incoming;
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            let fact = function.value(value);
            match &fact.kind {
                Kind::Fresh { .. } | Kind::Foreign => origins.push(value),
                Kind::Any(sources) => open.extend(sources.iter().copied()),
                Kind::Param => {
                    let params = &function.segment(fact.segment).params;
                    let at = params.iter().position(|param| *param == value);
                    for edge in &incoming[fact.segment.index()] {
                        let passed = at.and_then(|at| function.edge(*edge).passed.get(at).copied());
                        open.push(passed.flatten().unwrap_or(self.elsewhere));
                    }
                }
            }
        }
        origins
    }
}
