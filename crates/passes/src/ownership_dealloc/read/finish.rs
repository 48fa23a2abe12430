//! Facts that are known only after the walk.

use super::{
    OwnershipReader, Reading,
    reachability::{Reachability, Stops},
};
use crate::{
    memory_function::{IrEdge, SegmentStart},
    ownership_dealloc::{error::ErrorKind, returned_allocators::ReturnedAllocators},
};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    ir::{Identity, Key, Op, ops, parent, parent_block, results},
    melior::ir::operation::OperationLike,
    symbols::is_private,
};
use memplan_ownership::function::{EdgeId, SegmentId, ValueId, ValueKind};
use memplan_semantics::{Allocator, Form, allocators};
use rustc_hash::{FxHashMap, FxHashSet};

impl<'c> OwnershipReader<'c, '_> {
    /// Leaves memory to the program that it frees only if an address is another than that of memory used later, where the
    /// memory may also be another's: an earlier run of deallocation wrote such frees, and flags that say who owns it.
    fn leave_compared(&mut self, frees: &[(Op<'c>, ValueId)]) {
        for (op, value) in frees {
            let origins = self.reading.origins(*value);
            let owned = origins.iter().filter(|origin| self.is_owned(**origin));
            if (1..origins.len()).contains(&owned.count()) && self.is_under_comparison(*op) {
                for origin in origins {
                    self.disown(origin);
                }
            }
        }
    }

    /// Whether an operation only runs if addresses of memrefs differ, or are equal.
    fn is_under_comparison(&mut self, op: Op<'c>) -> bool {
        let around = parent(op).filter(|around| self.semantics.form(*around) == Form::Choice);
        let choice = around.and_then(|around| self.semantics.choice(around));
        let flag = choice.and_then(|choice| choice.flag);
        flag.is_some_and(|flag| self.semantics.compares_addresses(flag))
    }

    /// After the walk: resolves loads of stored memrefs, gives up ownership of escaped memory, and drops
    /// deallocations that the plan replaces.
    pub(super) fn settle(&mut self) {
        self.settle_pointers();
        self.settle_pending_uses();
        self.reading.incoming = self.reading.memory.function.incoming();
        self.reading.reached = self.reading.memory.function.reached();
        let followed = self.settle_nested();
        // Stored memory that is not followed has been disowned, so such a load yields no memory that the
        // function frees.
        for loaded in &self.reading.loaded {
            if !followed.contains(loaded) {
                let sources = std::iter::once(self.reading.untracked).collect();
                self.reading.memory.function.values[loaded.index()].kind =
                    ValueKind::AnyOf(sources);
            }
        }
        let mut frees = Vec::new();
        for (op, value) in std::mem::take(&mut self.frees) {
            if op.has_attribute(MANUAL_DEALLOCATION) || results(op).next().is_some() {
                self.escapes.push((value, op));
            } else {
                frees.push((op, value));
            }
        }
        // Each value is visited once for escaping memory, and once for other memory.
        let mut seen = [FxHashSet::default(), FxHashSet::default()];
        for (value, op) in std::mem::take(&mut self.escapes) {
            // Callers see what is returned.
            let is_lost = !self.semantics.info(op).is_terminator() && self.is_reached(op);
            let is_freed = self.always_freed.contains(&(value, op.key()))
                && self.reading.origins(value).len() == 1;
            let needs_warning = !self.program_freed_stores.contains(&op.key()) && !is_freed;
            let seen = &mut seen[usize::from(is_lost)];
            for origin in self.reading.origins_excluding(value, seen) {
                if self.disown(origin) && needs_warning {
                    self.reading.disowned.push((origin, op));
                }
            }
        }
        let mut seen = FxHashSet::default();
        for (val, op) in self.stranded {
            let Some(value) = self.value_id(*val) else {
                continue;
            };
            for origin in self.reading.origins_excluding(value, &mut seen) {
                if self.disown(origin) {
                    self.reading.unplaceable.push((origin, *op));
                }
            }
        }
        self.leave_to_program();
        self.leave_compared(&frees);
        self.disown_call_results();
        self.find_left_to_program(&frees);
        for (op, value) in frees {
            self.reading.freed.push((op, value));
            let origins = self.reading.origins(value);
            let owned = origins.iter().filter(|origin| self.is_owned(**origin));
            let owned = owned.count();
            // The operation is unreachable.
            if origins.is_empty() {
                continue;
            }
            // Before the deallocation, the program may use an argument through an alias.
            let is_argument = |origin: &ValueId| self.is_taken_over(*origin);
            if owned == origins.len() && !origins.iter().any(is_argument) {
                self.reading.dropped.push(op);
            } else if owned > 0 && origins.contains(&self.reading.untracked) {
                // By its address it may be memory that is not followed; the program knows.
                for origin in origins {
                    self.disown(origin);
                }
                self.disown_call_results();
                self.reading.left_to_program.push(op);
            } else if owned > 0 {
                self.more_consuming_frees.push(op.key());
            }
        }
        let mut seen = FxHashSet::default();
        for value in std::mem::take(&mut self.retained) {
            let origins = self.reading.origins_excluding(value, &mut seen);
            let is_fresh = |origin: &ValueId| {
                let value = self.reading.memory.function.value(*origin);
                matches!(value.kind, ValueKind::Fresh { .. })
            };
            let fresh: Vec<ValueId> = origins.into_iter().filter(is_fresh).collect();
            self.reading.retained.extend(fresh);
        }
        self.check_returned_allocators();
        let mut freed = std::mem::take(&mut self.reading.freed);
        freed.retain(|(op, ..)| self.is_reached(*op));
        self.reading.freed = freed;
        self.check_merged_allocators();
        if !self.reading.dropped.is_empty() {
            let dropped: FxHashSet<Key> = self.reading.dropped.iter().map(|op| op.key()).collect();
            for (segment, steps) in self
                .reading
                .memory
                .function
                .segments
                .iter_mut()
                .zip(&self.reading.memory.steps)
            {
                segment.uses.retain(|(step, _)| {
                    !steps
                        .get(*step as usize)
                        .is_some_and(|op| dropped.contains(&op.key()))
                });
            }
        }
    }

    /// Whether a value is an argument that the function becomes the owner of.
    fn is_taken_over(&self, origin: ValueId) -> bool {
        let value = self.reading.memory.function.value(origin);
        let is_first = value.segment == SegmentId(0) && value.step.is_none();
        !self.taken_over.is_empty() && is_first && matches!(value.kind, ValueKind::Fresh { .. })
    }

    /// Leaves memory that callees free on some paths to the program, if that frees it otherwise.
    fn leave_to_program(&mut self) {
        for (value, op) in std::mem::take(&mut self.perhaps_left) {
            let mut is_owned = false;
            for origin in self.reading.origins(value) {
                is_owned |= self.disown(origin);
            }
            if is_owned && !self.reading.left_to_program.contains(&op) {
                self.reading.left_to_program.push(op);
            }
        }
    }

    /// Finds calls that free memory on some paths, and after which the program frees the same memory, by
    /// `frees` or by other calls. There the program knows whether it has been freed.
    fn find_left_to_program(&mut self, frees: &[(Op<'c>, ValueId)]) {
        if self.reading.perhaps_freed.is_empty() {
            return;
        }
        let mut by_origin: FxHashMap<ValueId, Vec<Op<'c>>> = FxHashMap::default();
        for (op, value) in frees.iter().chain(&self.reading.freed) {
            for origin in self.reading.origins(*value) {
                by_origin.entry(origin).or_default().push(*op);
            }
        }
        let known = by_origin.values().flatten().map(Identity::key);
        let places = self.positions(&known.collect());
        let calls = self.reading.perhaps_freed.len();
        let reach = Reachability::of(&self.reading.memory.function, calls, places.len());
        let comes_after = |call: Op<'c>, op: Op<'c>| {
            let (Some(call), Some(op)) = (places.get(&call.key()), places.get(&op.key())) else {
                return true;
            };
            call.0 == op.0 && call.1 < op.1 || reach.reaches(call.0, op.0, &Stops::new())
        };
        for (value, call) in &self.reading.perhaps_freed {
            let origins = self.reading.origins(*value).into_iter();
            let mut others = origins
                .filter_map(|origin| by_origin.get(&origin))
                .flatten();
            let is_left = others.any(|op| op.key() != call.key() && comes_after(*call, *op));
            if is_left {
                self.more_left_to_program.push(call.key());
            }
        }
    }

    /// Whether an operation is reachable.
    fn is_reached(&self, op: Op<'c>) -> bool {
        let block = parent_block(op).and_then(|block| self.blocks.get(&block.key()));
        block.is_none_or(|segment| self.reading.reached[segment.index()])
    }

    /// Whether the function has to free a value, or may have to.
    fn is_owned(&self, origin: ValueId) -> bool {
        matches!(
            self.reading.memory.function.value(origin).kind,
            ValueKind::Fresh { owned: true, .. } | ValueKind::FreshOrAnyOf(_)
        )
    }

    /// Gives up ownership of new memory; false if the function did not own it.
    fn disown(&mut self, origin: ValueId) -> bool {
        let untracked = self.reading.untracked;
        match &mut self.reading.memory.function.values[origin.index()].kind {
            ValueKind::Fresh { owned, .. } => std::mem::replace(owned, false),
            kind @ ValueKind::FreshOrAnyOf(_) => {
                if let ValueKind::FreshOrAnyOf(mut sources) =
                    std::mem::replace(kind, ValueKind::Foreign)
                {
                    sources.push(untracked);
                    *kind = ValueKind::AnyOf(sources);
                }
                true
            }
            _ => false,
        }
    }

    /// Results of one call may alias each other: if one is disowned, all are.
    fn disown_call_results(&mut self) {
        let values = &mut self.reading.memory.function.values;
        let mut disowned: FxHashSet<ValueId> = FxHashSet::default();
        for (index, value) in values.iter().enumerate() {
            if let ValueKind::Fresh {
                owned: false,
                may_alias,
            } = value.kind
            {
                disowned.insert(may_alias.unwrap_or(ValueId::new(index)));
            }
        }
        for (index, value) in values.iter_mut().enumerate() {
            if let ValueKind::Fresh { owned, may_alias } = &mut value.kind
                && disowned.contains(&may_alias.unwrap_or(ValueId::new(index)))
            {
                *owned = false;
            }
        }
    }

    /// Finds and checks the allocators of returned memory.
    fn check_returned_allocators(&mut self) {
        let is_other = |allocator: &Allocator| *allocator != Allocator::Memref;
        if !self.reading.allocators.values().any(is_other) {
            return;
        }
        let mut all: Vec<Option<Allocator>> = Vec::new();
        for index in 0..self.reading.memory.function.edges.len() {
            let edge = &self.reading.memory.function.edges[index];
            let IrEdge::Return(op) = self.reading.memory.ir_edges[index] else {
                continue;
            };
            let passed = edge.passed.iter().flatten();
            let mut origins = passed.flat_map(|value| self.reading.origins(*value));
            // Callers of a public function know about device memory, by its summary or by convention.
            let is_private = parent(op).is_some_and(is_private);
            let other =
                origins.find_map(
                    |origin| match self.reading.allocators.get(&origin).copied() {
                        Some(allocators::GPU) if !is_private => None,
                        Some(Allocator::FreedBy(name)) => Some(name),
                        _ => None,
                    },
                );
            if let Some(name) = other {
                self.set_error(op, ErrorKind::OtherAllocator(name));
            }
            if self.reading.is_reachable_edge(EdgeId::new(index))
                && !self.add_returned_allocators(index, &mut all)
            {
                self.set_error(op, ErrorKind::ReturnsMixed);
            }
        }
        let others = all.iter().enumerate();
        let others = others.filter_map(|(at, allocator)| match allocator {
            Some(Allocator::FreedBy(name)) => Some((at, *name)),
            _ => None,
        });
        self.reading.returned_allocators = ReturnedAllocators(others.collect());
    }

    /// Adds the allocators of the memory that one edge returns. False if a result may come from two
    /// allocators.
    fn add_returned_allocators(&self, edge: usize, all: &mut Vec<Option<Allocator>>) -> bool {
        let passed = &self.reading.memory.function.edges[edge].passed;
        all.resize(all.len().max(passed.len()), None);
        let mut is_alike = true;
        for (known, value) in all.iter_mut().zip(passed) {
            let origins = value.map(|value| self.reading.origins(value));
            for origin in origins.into_iter().flatten() {
                let allocator = match self.reading.memory.function.value(origin).kind {
                    ValueKind::Fresh { owned: true, .. } => {
                        self.reading.allocators.get(&origin).copied()
                    }
                    // It is copied.
                    _ => Some(Allocator::Memref),
                };
                let Some(allocator) = allocator else { continue };
                is_alike &= *known.get_or_insert(allocator) == allocator;
            }
        }
        is_alike
    }

    /// Checks that a merged value comes from one allocator only.
    fn check_merged_allocators(&mut self) {
        if !self
            .reading
            .allocators
            .values()
            .any(|allocator| *allocator != Allocator::Memref)
        {
            return;
        }
        for index in 0..self.reading.memory.function.values.len() {
            let value = ValueId::new(index);
            let fact = self.reading.memory.function.value(value);
            if fact.kind != ValueKind::Param
                || self.reading.memory.function.consumed.contains(&value)
            {
                continue;
            }
            let start = self.reading.memory.starts[fact.segment.index()];
            let origins = self.reading.origins(value).into_iter();
            let mut all =
                origins.filter_map(|origin| self.reading.allocators.get(&origin).copied());
            let Some(first) = all.next() else { continue };
            if all.any(|other| other != first) {
                let op = match start {
                    SegmentStart::After(op) | SegmentStart::Between(op) => Some(op),
                    SegmentStart::Block(block) => ops(block).next(),
                };
                if let Some(op) = op {
                    self.set_error(op, ErrorKind::MixedAllocators);
                }
            }
            self.reading.allocators.insert(value, first);
        }
    }
}

impl Reading<'_> {
    /// Whether an edge is reachable.
    fn is_reachable_edge(&self, edge: EdgeId) -> bool {
        self.reached[self.function.edge(edge).from.index()]
    }

    /// The values that define the memory which a value may refer to, or beyond which it is not followed.
    pub fn origins(&self, value: ValueId) -> Vec<ValueId> {
        self.origins_excluding(value, &mut FxHashSet::default())
    }

    /// Origins that are not reached through `seen` values. Visited values are added to these.
    pub(super) fn origins_excluding(
        &self,
        value: ValueId,
        seen: &mut FxHashSet<ValueId>,
    ) -> Vec<ValueId> {
        let function = &self.function;
        let mut open = vec![value];
        let mut origins = Vec::new();
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            let fact = function.value(value);
            match &fact.kind {
                ValueKind::Fresh { .. } | ValueKind::Foreign => origins.push(value),
                ValueKind::AnyOf(sources) => open.extend(sources.iter().copied()),
                ValueKind::FreshOrAnyOf(sources) => {
                    origins.push(value);
                    open.extend(sources.iter().copied());
                }
                ValueKind::Param => {
                    let params = &function.segment(fact.segment).params;
                    let at = params.iter().position(|param| *param == value);
                    let incoming = self.incoming[fact.segment.index()].iter();
                    for edge in incoming.filter(|edge| self.is_reachable_edge(**edge)) {
                        let passed = at.and_then(|at| function.edge(*edge).passed.get(at).copied());
                        open.push(passed.flatten().unwrap_or(self.untracked));
                    }
                }
            }
        }
        origins
    }
}
