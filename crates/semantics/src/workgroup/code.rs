//! What the threads of a kernel do to some buffers, as a control-flow graph of events.
//!
//! Aliases are followed through views, selections and the edges of the graph. Uses that cannot be followed are
//! [obstacles](Code::obstacles). Events are those of one thread, in program order.

use super::{
    Callees, Kernel, KernelKind, callees::TIMES, collective::Collective, uniform::Uniformity,
};
use crate::{
    allocators::Allocator,
    graph::{ControlGraph, EdgeKind, End, Enter, SegmentId, Taken},
    op_memory::{Capture, Join, OpMemory, Promise, RegionOrder, ResultFact, TokenRef, Touch, Uses},
    semantics::Semantics,
};
use memplan_flow::{Components, PrimaryMap};
use memplan_interface::SkipReason;
use memplan_mlir::{
    calls::call_arguments,
    ir::{Identity, Key, Op, Origin, Val, blocks, operands, ops, origin, regions, results},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The number of a buffer, in the order in which they are given.
pub type Buffer = usize;

/// What a thread does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// Reads bytes of a buffer.
    Read(Buffer),
    /// Writes bytes of a buffer.
    Write(Buffer),
    /// From here on, a thread reads only bytes of the buffer that a thread which has come here has written.
    Discard(Buffer),
    /// Waits for all threads of the workgroup.
    Barrier,
    /// Starts an asynchronous copy that reads and writes these buffers.
    Copy {
        /// The buffers that it reads.
        reads: Vec<Buffer>,
        /// The buffers that it writes.
        writes: Vec<Buffer>,
    },
    /// Closes a group of copies.
    Commit,
    /// Waits for the copies in all groups of this thread, except this number of the newest.
    Wait(u32),
}

/// What a thread does at an operation.
#[derive(Clone, Debug)]
pub struct Event<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// What it does.
    pub what: What,
}

/// A sequence of events.
#[derive(Clone, Debug)]
pub struct Part<'c> {
    /// The events, in order.
    pub events: Vec<Event<'c>>,
    /// The parts of which one follows. The kernel ends after a part without successors.
    pub successors: Vec<SegmentId>,
    /// The operation that ends the part.
    pub end: Option<Op<'c>>,
    /// Threads may choose different successors.
    pub diverges: bool,
    /// All threads execute it together, or none does.
    pub is_uniform: bool,
}

/// A use of a buffer that cannot be followed.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle<'c> {
    /// The buffer.
    pub buffer: Buffer,
    /// The operation that uses it.
    pub op: Op<'c>,
    /// The reason.
    pub reason: SkipReason,
}

/// What the threads of a kernel do to some buffers.
#[derive(Clone, Debug)]
pub struct Code<'c> {
    /// The parts. The first one starts the kernel.
    pub parts: PrimaryMap<SegmentId, Part<'c>>,
    /// The uses that cannot be followed. Events say nothing about their buffers.
    pub obstacles: Vec<Obstacle<'c>>,
    /// The alignment in bytes that the program promises of each buffer; 1 without a promise.
    pub alignments: Vec<u64>,
    /// The deallocations, with the buffers that they may free.
    pub frees: Vec<(Op<'c>, Vec<Buffer>)>,
    /// Barriers in divergent control. They are no events.
    pub divergent_barriers: Vec<Op<'c>>,
    /// Paths lead from all parts to the end of the kernel. Otherwise nothing is known of control.
    pub has_exits: bool,
}

/// Reads what the threads of a kernel do to buffers: arguments of the body, or results of operations in it. Each execution
/// of such an operation makes contents undefined.
pub fn read<'c>(
    kernel: &Kernel<'c>,
    buffers: &[Val<'c>],
    callees: &Callees,
    semantics: &mut Semantics,
) -> Code<'c> {
    let graph = ControlGraph::of(kernel.body, semantics, &mut |op, _, semantics| match (
        Kernel::of(op, semantics),
        semantics.region_order(op),
    ) {
        (None, RegionOrder::Sequential) => Enter::IfKnown,
        (Some(inner), _) if inner.kind == KernelKind::Loop => Enter::Yes,
        _ => Enter::No,
    });
    let uniformity = Uniformity::of(&graph, kernel, semantics);
    let numbers = buffers.iter().enumerate();
    let numbers: FxHashMap<Key, Buffer> = numbers
        .map(|(number, value)| (value.key(), number))
        .collect();
    let mut reader = Reader {
        collective: Collective::new(kernel, &numbers),
        reached: uniformity.order.iter().copied().collect(),
        numbers: &numbers,
        graph: &graph,
        uniformity: &uniformity,
        callees,
        semantics,
        aliases: FxHashMap::default(),
        obstacles: BTreeMap::new(),
        alignments: vec![1; buffers.len()],
        frees: Vec::new(),
        divergent_barriers: Vec::new(),
    };
    for (value, number) in buffers.iter().zip(0..) {
        reader.aliases.insert(value.key(), BTreeSet::from([number]));
    }
    reader.follow(buffers);
    let parts = graph.segments.keys().map(|segment| reader.part(segment));
    let parts: PrimaryMap<SegmentId, Part<'c>> = parts.collect();
    Code {
        parts,
        obstacles: reader.obstacles.into_values().collect(),
        alignments: reader.alignments,
        frees: reader.frees,
        divergent_barriers: reader.divergent_barriers,
        has_exits: uniformity.has_exits,
    }
}

/// Buffers that a value may refer to, in order.
type Aliases = BTreeSet<Buffer>;

struct Reader<'a, 'c> {
    collective: Collective<'a, 'c>,
    reached: BTreeSet<SegmentId>,
    numbers: &'a FxHashMap<Key, Buffer>,
    graph: &'a ControlGraph<'c>,
    uniformity: &'a Uniformity,
    callees: &'a Callees,
    semantics: &'a mut Semantics,
    aliases: FxHashMap<Key, Aliases>,
    /// The first obstacle of each buffer.
    obstacles: BTreeMap<Buffer, Obstacle<'c>>,
    alignments: Vec<u64>,
    frees: Vec<(Op<'c>, Vec<Buffer>)>,
    divergent_barriers: Vec<Op<'c>>,
}

impl<'c> Reader<'_, 'c> {
    fn aliases_of(&self, value: Val<'c>) -> Aliases {
        self.aliases.get(&value.key()).cloned().unwrap_or_default()
    }

    fn aliases_of_operand(&self, op: Op<'c>, number: u32) -> Aliases {
        let operand = memplan_mlir::ir::operand(op, number);
        operand
            .map(|operand| self.aliases_of(operand))
            .unwrap_or_default()
    }

    /// Adds buffers that a value may refer to. Returns whether there were others before.
    fn add(&mut self, value: Val<'c>, of: Aliases) -> bool {
        if of.is_empty() || self.numbers.contains_key(&value.key()) {
            return false;
        }
        let known = self.aliases.entry(value.key()).or_default();
        let count = known.len();
        known.extend(of);
        known.len() > count
    }

    fn obstacle(&mut self, op: Op<'c>, buffers: &Aliases, reason: SkipReason) {
        for buffer in buffers {
            self.obstacles.entry(*buffer).or_insert(Obstacle {
                buffer: *buffer,
                op,
                reason,
            });
        }
    }

    /// Follows aliases until there are no new ones.
    fn follow(&mut self, buffers: &[Val<'c>]) {
        let graph = self.graph;
        let components = Components::of(&self.uniformity.graph);
        let order = self.uniformity.order.clone();
        let cyclic = order
            .iter()
            .filter(|segment| components.is_cyclic(**segment));
        let repeated: FxHashSet<Key> = cyclic
            .flat_map(|segment| graph.ops(*segment))
            .map(|op| op.key())
            .collect();
        let is_again = |value: &Val<'c>| match origin(*value) {
            Some(Origin::Result(op, _)) => repeated.contains(&op.key()),
            _ => false,
        };
        let again: Aliases = (0..buffers.len())
            .filter(|at| is_again(&buffers[*at]))
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for segment in &order {
                for op in graph.ops(*segment) {
                    changed |= self.results(op);
                }
                for edge in graph.edges_from(*segment) {
                    if edge.taken == Taken::Never {
                        continue;
                    }
                    for (from, to) in graph.values(edge) {
                        let of = self.aliases_of(*from);
                        let carried = of.intersection(&again).copied().collect();
                        if let Some(op) = graph.last_op(*segment) {
                            // An older instance may still be used when the next one is allocated.
                            self.obstacle(op, &carried, SkipReason::OverlapsItself);
                        }
                        changed |= self.add(*to, of);
                    }
                }
            }
        }
    }

    /// The results of an operation.
    fn results(&mut self, op: Op<'c>) -> bool {
        let mut changed = false;
        let memory = self.semantics.of(op);
        for used in &memory.results {
            let Some(result) = results(op).nth(used.result as usize) else {
                continue;
            };
            if self.numbers.contains_key(&result.key()) {
                continue;
            }
            let all = |list: &mut dyn Iterator<Item = u32>| -> Aliases {
                list.flat_map(|number| self.aliases_of_operand(op, number))
                    .collect()
            };
            match &used.fact {
                ResultFact::View { of, .. } => {
                    let of = self.aliases_of_operand(op, *of);
                    changed |= self.add(result, of);
                }
                ResultFact::AnyOf(list) => {
                    let of = all(&mut list.iter().copied());
                    changed |= self.add(result, of);
                }
                ResultFact::Unknown { may_be: list } => {
                    let of = all(&mut list.iter().copied());
                    self.obstacle(op, &of, SkipReason::UnknownEffects);
                }
                ResultFact::Address { of: list } => {
                    let of = all(&mut list.iter().copied());
                    self.obstacle(op, &of, SkipReason::PointerExtracted);
                }
                ResultFact::New {
                    may_share: Some(of),
                    ..
                } => {
                    let of = self.aliases_of_operand(op, *of);
                    self.obstacle(op, &of, SkipReason::Cloned);
                }
                ResultFact::New { .. }
                | ResultFact::Loaded { .. }
                | ResultFact::Borrowed
                | ResultFact::Token => {}
            }
        }
        changed
    }

    /// The events of a segment.
    fn part(&mut self, segment: SegmentId) -> Part<'c> {
        let graph = self.graph;
        let is_uniform = self.uniformity.is_uniform(segment);
        let mut part = Part {
            events: Vec::new(),
            successors: self.uniformity.graph.successors(segment).to_vec(),
            end: graph.last_op(segment),
            diverges: self.uniformity.chooses(segment),
            is_uniform,
        };
        if !self.reached.contains(&segment) {
            return part;
        }
        for op in graph.ops(segment) {
            if is_uniform {
                self.discards(op, &mut part.events);
            }
            self.op(op, is_uniform, &mut part.events);
            self.nested(op);
        }
        match graph.segments[segment].end {
            End::Enters(_) => {
                if let Some(op) = part.end.filter(|_| is_uniform) {
                    self.discards(op, &mut part.events);
                }
                self.not_forwarded(segment);
            }
            End::Terminator(op, None) => self.terminator(op, segment),
            End::Terminator(op, Some(_)) => {
                for operand in operands(op) {
                    let of = self.aliases_of(operand);
                    self.obstacle(op, &of, SkipReason::OpaqueRegion);
                }
            }
            End::NeverLeft(_) | End::NoTerminator => {}
        }
        part
    }

    fn terminator(&mut self, op: Op<'c>, segment: SegmentId) {
        let graph = self.graph;
        let returns = graph
            .edges_from(segment)
            .any(|edge| matches!(edge.kind, EdgeKind::Return(_)));
        match returns {
            true => {
                for operand in operands(op) {
                    let of = self.aliases_of(operand);
                    self.obstacle(op, &of, SkipReason::Returned);
                }
                self.nested(op);
            }
            false => self.not_forwarded(segment),
        }
    }

    /// Operands of the end of a segment that are more than forwarded.
    fn not_forwarded(&mut self, segment: SegmentId) {
        let graph = self.graph;
        let Some(op) = graph.last_op(segment) else {
            return;
        };
        let are_known = graph.edges_from(segment).all(|edge| edge.forwards_known);
        let others = match are_known {
            true => graph.not_forwarded(segment).into_vec(),
            false => operands(op).collect(),
        };
        for operand in others {
            let of = self.aliases_of(operand);
            self.obstacle(op, &of, SkipReason::OpaqueRegion);
        }
    }

    /// The buffers that all threads together overwrite when they execute an operation, which does not read them.
    fn discards(&mut self, op: Op<'c>, events: &mut Vec<Event<'c>>) {
        let mut used = BTreeMap::new();
        self.accesses(op, &mut used);
        used.retain(|_, (reads, writes)| *writes && !*reads);
        let among: Vec<Buffer> = used.into_keys().collect();
        if among.is_empty() {
            return;
        }
        let memory = self.semantics.of(op);
        let elements = self.semantics.elements(op);
        // Each thread overwrites it by itself.
        let alone = elements.overwritten.iter().filter_map(|number| {
            let operand = memplan_mlir::ir::operand(op, *number)?;
            self.numbers.get(&operand.key()).copied()
        });
        let alone: Aliases = alone.filter(|_| memory.start.is_none()).collect();
        let together = self.collective.overwritten(op, &among, self.semantics);
        for buffer in among {
            if alone.contains(&buffer) || together.contains(&buffer) {
                let what = What::Discard(buffer);
                events.push(Event { op, what });
            }
        }
    }

    /// Which buffers an operation and those in it read, and which they write.
    fn accesses(&mut self, op: Op<'c>, used: &mut BTreeMap<Buffer, (bool, bool)>) {
        let memory = self.semantics.of(op);
        for one in &memory.operands {
            for buffer in self.aliases_of_operand(op, one.operand) {
                let (reads, writes) = used.entry(buffer).or_default();
                *reads |= one.touch.reads() || one.capture != Capture::No;
                *writes |= one.touch.writes();
            }
        }
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.accesses(nested, used);
        }
    }

    fn op(&mut self, op: Op<'c>, is_uniform: bool, events: &mut Vec<Event<'c>>) {
        for result in results(op) {
            if let Some(buffer) = self.numbers.get(&result.key()).copied() {
                match is_uniform {
                    true => events.push(Event {
                        op,
                        what: What::Discard(buffer),
                    }),
                    false => {
                        let buffer = BTreeSet::from([buffer]);
                        self.obstacle(op, &buffer, SkipReason::DivergentControl);
                    }
                }
            }
        }
        let barrier = self.semantics.table_facts(op).workgroup_barrier;
        if barrier.is_some_and(|is_one| is_one(op)) {
            match is_uniform {
                true => events.push(Event {
                    op,
                    what: What::Barrier,
                }),
                false if self.uniformity.has_exits => self.divergent_barriers.push(op),
                false => {}
            }
        }
        let memory = self.semantics.of(op);
        self.promises(op, &memory);
        if !self.call(op, &memory, is_uniform, events) {
            self.uses(op, &memory, events);
        }
        for join in &memory.joins {
            match join {
                Join::Group { .. } => events.push(Event {
                    op,
                    what: What::Commit,
                }),
                Join::Drain { at_most } => events.push(Event {
                    op,
                    what: What::Wait(*at_most),
                }),
                Join::Wait(tokens) => {
                    let newer = tokens
                        .iter()
                        .filter_map(|token| newer_groups(op, token, events));
                    if let Some(newer) = newer.min() {
                        events.push(Event {
                            op,
                            what: What::Wait(newer),
                        });
                    }
                }
                Join::After { .. } | Join::OneOf { .. } => {}
            }
        }
    }

    /// What the program promises about buffers.
    fn promises(&mut self, op: Op<'c>, memory: &OpMemory) {
        for promise in &memory.promises {
            match promise {
                Promise::Alignment { operand, bytes, .. } => {
                    for buffer in self.aliases_of_operand(op, *operand) {
                        self.alignments[buffer] = self.alignments[buffer].max(*bytes);
                    }
                }
                Promise::Distinct => {
                    for operand in operands(op) {
                        let of = self.aliases_of(operand);
                        self.obstacle(op, &of, SkipReason::Distinct);
                    }
                }
            }
        }
    }

    /// What a known callee does. Returns false for other operations.
    fn call(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        is_uniform: bool,
        events: &mut Vec<Event<'c>>,
    ) -> bool {
        let callees = self.callees;
        let callee = callees.get(op).filter(|_| memory.start.is_none());
        let (Some(callee), Some(range)) = (callee, call_arguments(op)) else {
            return false;
        };
        let mut accesses = [const { (Aliases::new(), Aliases::new()) }; TIMES];
        for (number, operand) in operands(op).enumerate() {
            let of = self.aliases_of(operand);
            let argument = number
                .checked_sub(range.start)
                .filter(|_| number < range.end);
            let known = argument.and_then(|at| callee.arguments.get(at));
            match known {
                None => self.obstacle(op, &of, SkipReason::KeptByCallee),
                Some(known) => {
                    if let Some(reason) = known.obstacle {
                        self.obstacle(op, &of, reason);
                    }
                    for buffer in &of {
                        self.alignments[*buffer] = self.alignments[*buffer].max(known.alignment);
                    }
                    for ((reads, writes), then) in accesses.iter_mut().zip(known.accesses) {
                        reads.extend(of.iter().filter(|_| then.0));
                        writes.extend(of.iter().filter(|_| then.1));
                    }
                }
            }
        }
        let is_barrier = callee.synchronizes && is_uniform;
        let is_missed = callee.synchronizes || callee.has_other_barriers;
        if is_missed && !is_barrier && self.uniformity.has_exits {
            self.divergent_barriers.push(op);
        }
        for (time, (reads, writes)) in accesses.into_iter().enumerate() {
            // Without a barrier, all accesses are at one time.
            if !is_barrier && time != 1 {
                continue;
            }
            if is_barrier && time > 0 {
                let what = What::Barrier;
                events.push(Event { op, what });
            }
            let reads = reads.into_iter().map(What::Read);
            let all = reads.chain(writes.into_iter().map(What::Write));
            events.extend(all.map(|what| Event { op, what }));
        }
        true
    }

    /// Reads and writes of an operation, and uses of buffers that cannot be followed.
    fn uses(&mut self, op: Op<'c>, memory: &OpMemory, events: &mut Vec<Event<'c>>) {
        let (mut reads, mut writes) = (Aliases::new(), Aliases::new());
        let mut touched = Aliases::new();
        for used in &memory.operands {
            let of = self.aliases_of_operand(op, used.operand);
            if of.is_empty() {
                continue;
            }
            let reason = match used.capture {
                _ if memory.opaque.is_some() => Some(SkipReason::UnknownEffects),
                _ if memory.is_call => Some(SkipReason::KeptByCallee),
                Capture::Inside(_) => Some(SkipReason::Stored),
                Capture::Anywhere => Some(SkipReason::UnknownEffects),
                Capture::No => None,
            };
            if let Some(reason) = reason {
                self.obstacle(op, &of, reason);
            }
            if let Some(frees) = used.frees {
                let is_plain = frees.by == Some(Allocator::Memref)
                    && frees.flag.is_none()
                    && frees.is_certain
                    && memory.only_frees()
                    && memory.start.is_none();
                match is_plain {
                    true => self.frees.push((op, of.iter().copied().collect())),
                    false => self.obstacle(op, &of, SkipReason::FreedElsewhere),
                }
            }
            if used.touch.reads() {
                reads.extend(&of);
            }
            if used.touch.writes() {
                writes.extend(&of);
            }
            if matches!(used.touch, Touch::Contents { .. }) {
                touched.extend(of);
            }
        }
        match &memory.start {
            None => {
                let reads = reads.into_iter().map(What::Read);
                let all = reads.chain(writes.into_iter().map(What::Write));
                events.extend(all.map(|what| Event { op, what }));
            }
            Some(start) if start.grouped && start.uses == Uses::Operands => {
                if !touched.is_empty() {
                    let what = What::Copy {
                        reads: reads.into_iter().collect(),
                        writes: writes.into_iter().collect(),
                    };
                    events.push(Event { op, what });
                }
            }
            Some(_) => self.obstacle(op, &touched, SkipReason::Asynchronous),
        }
    }

    /// Uses in the regions of an operation whose control is not followed.
    fn nested(&mut self, op: Op<'c>) {
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            for operand in operands(nested) {
                let of = self.aliases_of(operand);
                self.obstacle(nested, &of, SkipReason::OpaqueRegion);
            }
            for result in results(nested) {
                if let Some(buffer) = self.numbers.get(&result.key()).copied() {
                    let buffer = BTreeSet::from([buffer]);
                    self.obstacle(nested, &buffer, SkipReason::OpaqueRegion);
                }
            }
            self.nested(nested);
        }
    }
}

/// How many groups are committed in this segment after the one that a token is, if that one is.
fn newer_groups<'c>(op: Op<'c>, token: &TokenRef, events: &[Event<'c>]) -> Option<u32> {
    let TokenRef::Operand(number) = token else {
        return None;
    };
    let Some(Origin::Result(group, _)) = origin(memplan_mlir::ir::operand(op, *number)?) else {
        return None;
    };
    let commits = events.iter().filter(|event| event.what == What::Commit);
    let after = commits.skip_while(|event| event.op != group);
    u32::try_from(after.count().checked_sub(1)?).ok()
}
