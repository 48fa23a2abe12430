//! Reads the IR of a function as plain data. Each operation is visited once.
//!
//! Operations fall into these classes: allocations and deallocations (by their effects), views,
//! operations with regions, branches, calls, and the rest, which only have effects. All memref operands
//! of an operation of unknown effects escape.

mod asynchronous;
mod edges;
mod memory;
mod structure;

use crate::{
    Reason,
    asynchronous::{Facts, HandleId, Tag, pending},
    program::{
        BlockId, CallFact, Position, Program, ScopeId, Use, UseKind, ValueFact, ValueId, ValueKind,
    },
};
use memplan_mlir::{
    calls,
    ir::{
        Block, Identity, Key, Op, Region, Val, arguments, blocks, is_memref, operands, ops,
        regions, results, type_of,
    },
    layout::DataLayout,
};
use memplan_semantics::{
    Semantics,
    graph::{self, ControlGraph, EnteredId, SegmentId},
    names::NameInfo,
};
use memplan_summaries::Callees;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The IR of the ids of a [`Program`].
#[derive(Default)]
pub struct Handles<'c> {
    /// The function.
    pub function: Option<Op<'c>>,
    /// Operations with a position of their own, in program order.
    pub ops: Vec<(Position, Op<'c>)>,
    /// The operation of each allocation.
    pub buffers: Vec<Op<'c>>,
    /// Each `memref.alloca` that is memory like any other, as the options exclude it.
    pub allocas: Vec<Op<'c>>,
    /// The operation of each deallocation.
    pub deallocs: Vec<Op<'c>>,
    /// The operation of each call.
    pub calls: Vec<Op<'c>>,
    /// The value of each value id.
    pub values: Vec<Val<'c>>,
    /// For each scope: the operation whose body it is, and its entry block.
    pub scopes: Vec<(Op<'c>, Block<'c>)>,
    /// For each scope: its exits.
    pub exits: Vec<Vec<Op<'c>>>,
    /// Operations that only copy.
    pub copies: Vec<Op<'c>>,
    /// Operations that take addresses, each with its index among the escapes.
    pub addresses: Vec<(usize, Op<'c>)>,
    /// `memref.distinct_objects` operations, which promise separate storage.
    pub distinct: Vec<Op<'c>>,
}

impl<'c> Handles<'c> {
    /// The operation at a position; `None` if the position is none of an operation.
    pub fn op_at(&self, position: Position) -> Option<Op<'c>> {
        let place = self.ops.binary_search_by_key(&position, |one| one.0);
        place.ok().map(|place| self.ops[place].1)
    }
}

/// Reads a function. `callees` has the effects of calls.
pub fn read<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    layout: &mut DataLayout,
    callees: &dyn Callees,
    with_allocas: bool,
) -> (Program, Handles<'c>) {
    let mut reader = LifetimeReader {
        semantics,
        layout,
        callees,
        with_allocas,
        program: Program::default(),
        handles: Handles::default(),
        values: FxHashMap::default(),
        blocks: FxHashMap::default(),
        position: 0,
        loops_over_strips: 0,
        asynchronous: Facts::default(),
        handles_by_value: FxHashMap::default(),
        tags: FxHashMap::default(),
        only_tags: FxHashMap::default(),
        numbers: FxHashMap::default(),
        is_coroutine: false,
        for_comparisons: FxHashMap::default(),
    };
    reader.handles.function = Some(function);
    if let Some(body) = calls::function_body(function) {
        reader.function(function, body);
    }
    reader.program.end = reader.position;
    reader.program.connect();
    pending(&mut reader.program, &reader.asynchronous);
    (reader.program, reader.handles)
}

/// How operations are read.
#[derive(Clone, Copy)]
enum Mode {
    /// Control flow is followed: operations have positions of their own.
    Flow,
    /// They execute in unknown order while the parent operation executes.
    Opaque,
    /// Nothing is known: memrefs that they use escape.
    Escape(Reason),
}

/// Context of an operation.
#[derive(Clone, Copy)]
struct OpContext {
    scope: ScopeId,
    block: BlockId,
    mode: Mode,
}

struct LifetimeReader<'c, 'r> {
    semantics: &'r mut Semantics,
    layout: &'r mut DataLayout,
    callees: &'r dyn Callees,
    with_allocas: bool,
    program: Program,
    handles: Handles<'c>,
    values: FxHashMap<Key, ValueId>,
    blocks: FxHashMap<Key, BlockId>,
    position: Position,
    /// Loops over strips around the operation that is read.
    loops_over_strips: u32,
    asynchronous: Facts,
    handles_by_value: FxHashMap<Key, HandleId>,
    tags: FxHashMap<Tag, HandleId>,
    only_tags: FxHashMap<Key, bool>,
    /// Numbers of the values that are indices of tags.
    numbers: FxHashMap<Key, u32>,
    /// Whether the function is a coroutine: it returns at each suspension, so that arenas would be freed too early.
    is_coroutine: bool,
    /// Whether bytes in which memrefs are stored serve only to compare addresses.
    for_comparisons: FxHashMap<Key, bool>,
}

impl<'c> LifetimeReader<'c, '_> {
    fn function(&mut self, function: Op<'c>, body: Region<'c>) {
        let Some(entry) = blocks(body).next() else {
            return;
        };
        let mut all = blocks(body).flat_map(ops);
        self.is_coroutine = all.any(|op| self.semantics.info(op).begins_coroutine());
        let graph = structure::control(body, self.semantics);
        let scope = self.scope(function, None, &graph, graph::BODY);
        let block = self.blocks[&entry.key()];
        let start = self.program.blocks[block.index()].first;
        for (place, argument) in arguments(entry).enumerate() {
            if is_memref(type_of(argument)) {
                let value = self.value(argument);
                self.define(
                    value,
                    ValueKind::Argument(self.program.arguments),
                    block,
                    start,
                );
                self.program.arguments += 1;
                self.program.argument_places.push(place);
            }
        }
        self.scope_blocks(&graph, graph::BODY, scope);
    }

    fn next(&mut self) -> Position {
        let position = self.position;
        self.position = position.checked_add(1).expect("more than 2^32 operations");
        position
    }

    fn value(&mut self, value: Val<'c>) -> ValueId {
        let next = ValueId::new(self.program.values.len());
        let id = *self.values.entry(value.key()).or_insert(next);
        if id == next {
            self.handles.values.push(value);
            let extent = self.layout.extent(type_of(value)).ok();
            self.program.values.push(ValueFact {
                kind: ValueKind::Unknown,
                sources: SmallVec::new(),
                external: false,
                block: BlockId(0),
                position: 0,
                extent: extent.map(|extent| extent.size),
                is_whole: false,
            });
        }
        id
    }

    fn define(&mut self, value: ValueId, kind: ValueKind, block: BlockId, position: Position) {
        self.program.values[value.index()].kind = kind;
        self.place_value(value, block, position);
    }

    fn place_value(&mut self, value: ValueId, block: BlockId, position: Position) {
        let fact = &mut self.program.values[value.index()];
        fact.block = block;
        fact.position = position;
    }

    fn source(&mut self, value: ValueId, source: ValueId) {
        let sources = &mut self.program.values[value.index()].sources;
        if !sources.contains(&source) {
            sources.push(source);
        }
    }

    fn external(&mut self, value: ValueId) {
        self.program.values[value.index()].external = true;
    }

    fn uses(&mut self, value: ValueId, place: OpContext, position: Position, kind: UseKind) {
        if let Mode::Escape(reason) = place.mode {
            self.program.escapes.push((value, reason));
        }
        self.program.uses.push(Use {
            value,
            block: place.block,
            position,
            kind,
            writes: matches!(kind, UseKind::Touch | UseKind::Overwrite),
        });
    }

    /// Marks the last use as a read.
    fn only_reads(&mut self) {
        if let Some(used) = self.program.uses.last_mut() {
            used.writes = false;
        }
    }

    fn escape(&mut self, value: ValueId, reason: Reason) {
        self.program.escapes.push((value, reason));
    }

    /// Records that a result of `op` that is not a memref may be the address of a value.
    fn address_taken(&mut self, op: Op<'c>, value: ValueId, reason: Reason) {
        let place = self.program.escapes.len();
        self.handles.addresses.push((place, op));
        self.escape(value, reason);
    }

    /// Defines the memref results of an operation as merges of its memref operands, and of unknown memory.
    fn merge_results(&mut self, op: Op<'c>, place: OpContext, position: Position, unknown: bool) {
        for result in results(op) {
            if !is_memref(type_of(result)) {
                continue;
            }
            let value = self.value(result);
            self.define(value, ValueKind::Merge, place.block, position);
            for operand in operands(op) {
                if is_memref(type_of(operand)) {
                    let operand = self.value(operand);
                    self.source(value, operand);
                }
            }
            if unknown {
                self.external(value);
            }
        }
    }

    /// Assigns the position of an operation, and records calls.
    #[inline]
    fn begins(&mut self, op: Op<'c>, info: NameInfo, place: OpContext) -> Position {
        let position = match place.mode {
            Mode::Flow => {
                let position = self.next();
                self.handles.ops.push((position, op));
                position
            }
            // The parent operation has the last position.
            _ => self.position - 1,
        };
        if info.is_call() {
            self.handles.calls.push(op);
            self.program.calls.push(CallFact {
                scope: place.scope,
                block: place.block,
                position,
                in_order: matches!(place.mode, Mode::Flow),
                heap: self.callees.callee(op).heap(),
            });
        }
        position
    }

    /// An operation whose regions, if any, are not followed.
    fn op(&mut self, op: Op<'c>, place: OpContext) {
        let info = self.semantics.info(op);
        let position = self.begins(op, info, place);
        let has_regions = regions(op).next().is_some();
        if !has_regions && !self.semantics.concerns(op) {
            return;
        }
        let memory = self.semantics.of(op);
        self.waits(op, &memory, place, position);
        if has_regions {
            self.with_regions(op, info, &memory, place, position);
        } else {
            self.simple(op, &memory, place, position);
        }
    }

    /// An operation whose regions are followed.
    fn entered(&mut self, graph: &ControlGraph<'c>, entered: EnteredId, place: OpContext) {
        let op = graph.entered[entered].op;
        let info = self.semantics.info(op);
        let position = self.begins(op, info, place);
        let memory = self.semantics.of(op);
        self.waits(op, &memory, place, position);
        self.enters(graph, entered, &memory, place, position);
    }

    /// The operation that ends a block.
    fn ends(&mut self, graph: &ControlGraph<'c>, at: SegmentId, op: Op<'c>, place: OpContext) {
        let info = self.semantics.info(op);
        let position = self.begins(op, info, place);
        if self.semantics.table_facts(op).is_described {
            // Registered effects of a terminator are an error; this reports it.
            self.semantics.of(op);
        }
        self.terminator(graph, at, op, place, position);
    }

    fn memref_operands(&mut self, op: Op<'c>) -> SmallVec<[ValueId; 4]> {
        operands(op)
            .filter(|value| is_memref(type_of(*value)))
            .map(|value| self.value(value))
            .collect()
    }
}
