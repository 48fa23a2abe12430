//! What is known only when all has been read.

use super::{
    OwnershipReader, Reading,
    reachability::{Reach, Stops},
};
use crate::{
    memory_function::{IrEdge, Start},
    ownership_dealloc::{allocators::Returned, error::ErrorKind},
};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    ir::{Identity, Key, Op, ops, parent, parent_block, results},
    melior::ir::operation::OperationLike,
    symbols::is_private,
};
use memplan_ownership::function::{EdgeId, Kind, SegmentId, ValueId};
use memplan_semantics::{Allocator, allocators};
use rustc_hash::{FxHashMap, FxHashSet};

impl<'c> OwnershipReader<'c, '_> {
    /// What is known only when all has been read: loads may give what is stored; what is out of the
    /// function's hands is not freed; and deallocations of what it frees go.
    pub(super) fn settle(&mut self) {
        self.settle_carriers();
        self.settle_held();
        self.reading.incoming = self.reading.memory.function.incoming();
        self.reading.reached = self.reading.memory.function.reached();
        let followed = self.settle_containers();
        // What is stored and not followed is given away, so that a load gives nothing that is freed here.
        for loaded in &self.reading.loaded {
            if !followed.contains(loaded) {
                let sources = std::iter::once(self.reading.elsewhere).collect();
                self.reading.memory.function.values[loaded.index()].kind = Kind::Any(sources);
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
        // Each value is followed once among what is lost, and once among what is not.
        let mut seen = [FxHashSet::default(), FxHashSet::default()];
        for (value, op) in std::mem::take(&mut self.escapes) {
            // What is returned, the caller sees.
            let is_lost = !self.semantics.info(op).is_terminator() && self.is_reached(op);
            let is_freed = self.freed_for_sure.contains(&(value, op.key()))
                && self.reading.origins(value).len() == 1;
            let forwards_known = !self.programs.contains(&op.key()) && !is_freed;
            let seen = &mut seen[usize::from(is_lost)];
            for origin in self.reading.origins_beyond(value, seen) {
                if self.give_away(origin) && forwards_known {
                    self.reading.given_away.push((origin, op));
                }
            }
        }
        let mut seen = FxHashSet::default();
        for (val, op) in self.stranded {
            let Some(value) = self.id(*val) else { continue };
            for origin in self.reading.origins_beyond(value, &mut seen) {
                if self.give_away(origin) {
                    self.reading.stranded.push((origin, *op));
                }
            }
        }
        self.leave_alone();
        self.give_away_together();
        self.find_left(&frees);
        for (op, value) in frees {
            self.reading.freed.push((op, value));
            let origins = self.reading.origins(value);
            let is_owned = |origin: &ValueId| {
                matches!(
                    self.reading.memory.function.value(*origin).kind,
                    Kind::Fresh { owned: true, .. } | Kind::Told(_)
                )
            };
            let owned = origins.iter().filter(|origin| is_owned(origin)).count();
            // Nowhere, where it is never reached.
            if origins.is_empty() {
                continue;
            }
            // Before it, the program may use an argument under the name of another one.
            let is_argument = |origin: &ValueId| self.is_taken_over(*origin);
            if owned == origins.len() && !origins.iter().any(is_argument) {
                self.reading.dropped.push(op);
            } else if owned > 0 && origins.contains(&self.reading.elsewhere) {
                // It may be memory that is not followed, by its address: the program knows.
                for origin in origins {
                    self.give_away(origin);
                }
                self.give_away_together();
                self.reading.left.push(op);
            } else if owned > 0 {
                self.mixed.push(op.key());
            }
        }
        let mut seen = FxHashSet::default();
        for value in std::mem::take(&mut self.retained) {
            let origins = self.reading.origins_beyond(value, &mut seen);
            let is_made = |origin: &ValueId| {
                let value = self.reading.memory.function.value(*origin);
                matches!(value.kind, Kind::Fresh { .. })
            };
            let made: Vec<ValueId> = origins.into_iter().filter(is_made).collect();
            self.reading.retained.extend(made);
        }
        self.returned_by_others();
        let mut freed = std::mem::take(&mut self.reading.freed);
        freed.retain(|(op, ..)| self.is_reached(*op));
        self.reading.freed = freed;
        self.freed_alike();
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

    /// Is it an argument that the function becomes the owner of?
    fn is_taken_over(&self, origin: ValueId) -> bool {
        let value = self.reading.memory.function.value(origin);
        let is_first = value.segment == SegmentId(0) && value.step.is_none();
        !self.taken_over.is_empty() && is_first && matches!(value.kind, Kind::Fresh { .. })
    }

    /// Memory that callees free perhaps is left to the program, where that frees it itself.
    fn leave_alone(&mut self) {
        for (value, op) in std::mem::take(&mut self.left_alone) {
            let mut is_owned = false;
            for origin in self.reading.origins(value) {
                is_owned |= self.give_away(origin);
            }
            if is_owned && !self.reading.left.contains(&op) {
                self.reading.left.push(op);
            }
        }
    }

    /// Finds the calls that free memory perhaps which the program frees itself after them, by `frees` or other calls: so
    /// it says when it has not been freed.
    fn find_left(&mut self, frees: &[(Op<'c>, ValueId)]) {
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
        let places = self.places(&known.collect());
        let calls = self.reading.perhaps_freed.len();
        let reach = Reach::of(&self.reading.memory.function, calls, places.len());
        let comes_after = |call: Op<'c>, op: Op<'c>| {
            let (Some(call), Some(op)) = (places.get(&call.key()), places.get(&op.key())) else {
                return true;
            };
            call.0 == op.0 && call.1 < op.1 || reach.comes_to(call.0, op.0, &Stops::new())
        };
        for (value, call) in &self.reading.perhaps_freed {
            let origins = self.reading.origins(*value).into_iter();
            let mut others = origins
                .filter_map(|origin| by_origin.get(&origin))
                .flatten();
            let is_left = others.any(|op| op.key() != call.key() && comes_after(*call, *op));
            if is_left {
                self.more_left.push(call.key());
            }
        }
    }

    /// Is an operation ever executed?
    fn is_reached(&self, op: Op<'c>) -> bool {
        let block = parent_block(op).and_then(|block| self.blocks.get(&block.key()));
        block.is_none_or(|segment| self.reading.reached[segment.index()])
    }

    /// The function does not free the memory that it made for a value; false if it never had to.
    fn give_away(&mut self, origin: ValueId) -> bool {
        let elsewhere = self.reading.elsewhere;
        match &mut self.reading.memory.function.values[origin.index()].kind {
            Kind::Fresh { owned, .. } => std::mem::replace(owned, false),
            kind @ Kind::Told(_) => {
                if let Kind::Told(mut sources) = std::mem::replace(kind, Kind::Foreign) {
                    sources.push(elsewhere);
                    *kind = Kind::Any(sources);
                }
                true
            }
            _ => false,
        }
    }

    /// Results of one call may be the same memory: if one is given away, all are.
    fn give_away_together(&mut self) {
        let values = &mut self.reading.memory.function.values;
        let mut given: FxHashSet<ValueId> = FxHashSet::default();
        for (index, value) in values.iter().enumerate() {
            if let Kind::Fresh {
                owned: false,
                same_as,
            } = value.kind
            {
                given.insert(same_as.unwrap_or(ValueId::new(index)));
            }
        }
        for (index, value) in values.iter_mut().enumerate() {
            if let Kind::Fresh { owned, same_as } = &mut value.kind
                && given.contains(&same_as.unwrap_or(ValueId::new(index)))
            {
                *owned = false;
            }
        }
    }

    /// What the memory that is returned is given back by.
    fn returned_by_others(&mut self) {
        let is_other = |freeing: &Allocator| *freeing != Allocator::Memref;
        if !self.reading.freeing.values().any(is_other) {
            return;
        }
        let mut all: Vec<Option<Allocator>> = Vec::new();
        for index in 0..self.reading.memory.function.edges.len() {
            let edge = &self.reading.memory.function.edges[index];
            let IrEdge::Return(op) = self.reading.memory.ways[index] else {
                continue;
            };
            let passed = edge.passed.iter().flatten();
            let mut origins = passed.flat_map(|value| self.reading.origins(*value));
            // Who gets memory of a device from a public function is told, or taken to know it.
            let is_private = parent(op).is_some_and(is_private);
            let other =
                origins.find_map(|origin| match self.reading.freeing.get(&origin).copied() {
                    Some(allocators::GPU) if !is_private => None,
                    Some(Allocator::FreedBy(name)) => Some(name),
                    _ => None,
                });
            if let Some(name) = other {
                self.fails(op, ErrorKind::OtherAllocator(name));
            }
            if self.reading.is_taken(EdgeId::new(index)) && !self.returned_alike(index, &mut all) {
                self.fails(op, ErrorKind::ReturnsMixed);
            }
        }
        let others = all.iter().enumerate();
        let others = others.filter_map(|(at, freeing)| match freeing {
            Some(Allocator::FreedBy(name)) => Some((at, *name)),
            _ => None,
        });
        self.reading.returned = Returned(others.collect());
    }

    /// What the memory that one edge returns is given back by is added to what that of others is; false if a memref may be
    /// given back in two ways.
    fn returned_alike(&self, edge: usize, all: &mut Vec<Option<Allocator>>) -> bool {
        let passed = &self.reading.memory.function.edges[edge].passed;
        all.resize(all.len().max(passed.len()), None);
        let mut is_alike = true;
        for (known, value) in all.iter_mut().zip(passed) {
            let origins = value.map(|value| self.reading.origins(value));
            for origin in origins.into_iter().flatten() {
                let freeing = match self.reading.memory.function.value(origin).kind {
                    Kind::Fresh { owned: true, .. } => self.reading.freeing.get(&origin).copied(),
                    // It is copied.
                    _ => Some(Allocator::Memref),
                };
                let Some(freeing) = freeing else { continue };
                is_alike &= *known.get_or_insert(freeing) == freeing;
            }
        }
        is_alike
    }

    /// What may be either of two memrefs is given back in one way.
    fn freed_alike(&mut self) {
        if !self
            .reading
            .freeing
            .values()
            .any(|freeing| *freeing != Allocator::Memref)
        {
            return;
        }
        for index in 0..self.reading.memory.function.values.len() {
            let value = ValueId::new(index);
            let fact = self.reading.memory.function.value(value);
            if fact.kind != Kind::Param || self.reading.memory.function.taken.contains(&value) {
                continue;
            }
            let start = self.reading.memory.starts[fact.segment.index()];
            let origins = self.reading.origins(value).into_iter();
            let mut all = origins.filter_map(|origin| self.reading.freeing.get(&origin).copied());
            let Some(first) = all.next() else { continue };
            if all.any(|other| other != first) {
                let op = match start {
                    Start::Behind(op) | Start::Between(op) => Some(op),
                    Start::Block(block) => ops(block).next(),
                };
                if let Some(op) = op {
                    self.fails(op, ErrorKind::MixedAllocators);
                }
            }
            self.reading.freeing.insert(value, first);
        }
    }
}

impl Reading<'_> {
    /// Does control ever go by an edge?
    fn is_taken(&self, edge: EdgeId) -> bool {
        self.reached[self.function.edge(edge).from.index()]
    }

    /// The values that make the memory that a value may be, or that it is not followed behind.
    pub fn origins(&self, value: ValueId) -> Vec<ValueId> {
        self.origins_beyond(value, &mut FxHashSet::default())
    }

    /// Those that are not reached through values that were `seen`; what it goes through is then, too.
    pub(super) fn origins_beyond(
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
                Kind::Fresh { .. } | Kind::Foreign => origins.push(value),
                Kind::Any(sources) => open.extend(sources.iter().copied()),
                Kind::Told(sources) => {
                    origins.push(value);
                    open.extend(sources.iter().copied());
                }
                Kind::Param => {
                    let params = &function.segment(fact.segment).params;
                    let at = params.iter().position(|param| *param == value);
                    let incoming = self.incoming[fact.segment.index()].iter();
                    for edge in incoming.filter(|edge| self.is_taken(**edge)) {
                        let passed = at.and_then(|at| function.edge(*edge).passed.get(at).copied());
                        open.push(passed.flatten().unwrap_or(self.elsewhere));
                    }
                }
            }
        }
        origins
    }
}
