//! Reads a function into plain data.
//!
//! There are two walks. The first numbers each memref, and finds the scopes: how the regions of operations
//! execute. The second reads the effects of operations (`op_effects`), and the control flow edges that
//! forward memrefs. Operations that are not understood reject all memory that they touch: no unknown
//! operation is assumed to be harmless.

mod asynchronous;
mod nested_memrefs;
mod op_effects;

use super::facts::{Allocation, Function, ROOT, Reason, Scope, ScopeId, ScopeKind, Slots, ValueId};
use memplan_flow::SecondaryMap;
use memplan_mlir::{
    ir::{
        Block, Identity, Key, Op, Region, Val, arguments, blocks, is_memref, operands,
        parent_block, regions, results, type_of,
    },
    layout::DataLayout,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Form, Opaque, RegionOrder, Semantics,
    graph::{self, ControlGraph, Enter, EnteredId, RegionId, SegmentId, Sources, Taken, Visit},
    names::NameInfo,
};
use memplan_summaries::{Pending, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

pub use memplan_semantics::attributes::SINGLE_REGION;

/// The callee of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// An analysed function, by its number.
    Function(usize),
    /// A function without a body, which uses its arguments only during the call.
    Declared,
    /// An asynchronous function that neither captures nor frees its arguments.
    Asynchronous,
    /// A function that an earlier run of the pass has rewritten.
    HasRegions,
    /// An unknown function.
    Unknown,
}

impl Callee {
    /// The callee that the call graph records.
    pub fn of(target: Target, unread: impl Fn(usize) -> Option<SkipReason>) -> Self {
        match target {
            Target::Function(callee) => match unread(callee) {
                None => Self::Function(callee),
                Some(SkipReason::HasRegions) => Self::HasRegions,
                Some(_) => Self::Unknown,
            },
            Target::Declared { .. } => Self::Declared,
            Target::Unknown => Self::Unknown,
        }
    }
}

/// The reason to skip a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// An earlier run of the pass has rewritten it.
    HasRegions,
    /// It is not a `func.func`, or not in a module.
    Kind,
    /// A coroutine is left at each suspension, and resumed.
    Coroutine,
    /// Its indices do not have 64 bits, which the runtime needs.
    Index,
}

impl SkipReason {
    /// The id of the reason, for the report.
    pub const fn id(self) -> &'static str {
        match self {
            Self::HasRegions => "worked-on",
            Self::Kind => "kind-of-function",
            Self::Coroutine => "coroutine",
            Self::Index => "index-width",
        }
    }

    /// The text of the remark; `None` if there is no remark.
    pub const fn text(self) -> Option<&'static str> {
        match self {
            Self::HasRegions => None,
            Self::Kind => Some("it is in a function that is not a func.func of a module"),
            Self::Coroutine => Some("it is in a coroutine"),
            Self::Index => Some("indices do not have 64 bits"),
        }
    }
}

/// A function as plain data, with the operations and blocks that the data is about.
pub struct Reading<'c> {
    /// The plain data.
    pub function: Function,
    /// The function.
    pub op: Op<'c>,
    /// Its allocations.
    pub allocations: Vec<Op<'c>>,
    /// Its calls of functions with a body.
    pub calls: Vec<Op<'c>>,
    /// Its returns.
    pub returns: Vec<Op<'c>>,
    /// For each scope, its first block.
    pub scopes: Vec<Block<'c>>,
    /// For each scope of one block, the operations of that block; empty for several blocks.
    pub block_ops: Vec<Vec<Op<'c>>>,
    /// The callees of all calls, in textual order.
    pub callees: Vec<Callee>,
}

/// Reads a function. `callee` is called for each call, in textual order.
pub fn read<'c>(
    op: Op<'c>,
    body: Region<'c>,
    callee: &mut dyn FnMut(Op<'c>) -> Callee,
    semantics: &mut Semantics,
) -> Option<Reading<'c>> {
    let entry = blocks(body).next()?;
    let graph = ControlGraph::of(body, semantics, &mut |_, _, _| Enter::Yes);
    let mut reader = RegionReader {
        semantics,
        callee,
        graph: &graph,
        layout: DataLayout::at(op),
        op_count: 0,
        ids: FxHashMap::default(),
        nested: FxHashMap::default(),
        pending: None,
        open_asynchronous: Vec::new(),
        used_until_wait: FxHashMap::default(),
        regions: vec![graph::BODY],
        scope_of: SecondaryMap::with_default(ROOT),
        repeated: FxHashSet::default(),
        reading: Reading {
            function: Function {
                is_single_region: op.has_attribute(SINGLE_REGION),
                ..Function::default()
            },
            op,
            allocations: Vec::new(),
            calls: Vec::new(),
            returns: Vec::new(),
            scopes: Vec::new(),
            block_ops: Vec::new(),
            callees: Vec::new(),
        },
    };
    reader.new_scope(ScopeKind::Function, None, entry, [false, true], None);
    reader.number_values(graph::BODY, ROOT, true);
    reader.reading.function.arguments = reader.slots(arguments(entry));
    arguments(entry).for_each(|argument| reader.reject_nested(argument));
    reader.read_region(graph::BODY, None);
    Some(reader.reading)
}

struct RegionReader<'c, 'r> {
    semantics: &'r mut Semantics,
    callee: &'r mut dyn FnMut(Op<'c>) -> Callee,
    /// The control flow.
    graph: &'r ControlGraph<'c>,
    layout: DataLayout,
    /// Number of operations that were read.
    op_count: u32,
    ids: FxHashMap<Key, ValueId>,
    /// For each nested memref, the memref that stands for its contents.
    nested: FxHashMap<ValueId, ValueId>,
    /// Where asynchronous operations are pending; computed at the first one.
    pending: Option<Rc<Pending<'c>>>,
    /// Asynchronous operations that are being read, innermost last.
    open_asynchronous: Vec<Op<'c>>,
    /// For each operation that waits, the memrefs that are in use until then.
    used_until_wait: FxHashMap<Key, Vec<ValueId>>,
    /// For each scope, its region.
    regions: Vec<RegionId>,
    scope_of: SecondaryMap<RegionId, ScopeId>,
    /// Blocks that may execute more than once in an execution of their scope.
    repeated: FxHashSet<Key>,
    reading: Reading<'c>,
}

impl<'c> RegionReader<'c, '_> {
    fn new_scope(
        &mut self,
        kind: ScopeKind,
        parent: Option<ScopeId>,
        block: Block<'c>,
        [is_single, is_once]: [bool; 2],
        iterations: Option<u64>,
    ) -> ScopeId {
        let function = &mut self.reading.function;
        let id = ScopeId(function.scopes.len() as u32);
        let outer = parent.map(|parent| *function.scope(parent));
        let is_barrier = matches!(kind, ScopeKind::Parallel | ScopeKind::Opaque);
        let barrier = if is_barrier {
            Some(id)
        } else {
            outer.and_then(|outer| outer.barrier)
        };
        let frame = match (kind, outer) {
            (ScopeKind::Iteration | ScopeKind::Opaque, Some(outer)) => outer.frame,
            _ => id,
        };
        function.scopes.push(Scope {
            kind,
            parent,
            depth: outer.map_or(0, |outer| outer.depth + 1),
            barrier,
            frame,
            is_once,
            is_single_region: is_single || outer.is_some_and(|outer| outer.is_single_region),
            iterations,
        });
        function.op_numbers.push(Vec::new());
        self.reading.scopes.push(block);
        self.reading.block_ops.push(Vec::new());
        id
    }

    /// Numbers all memrefs in a region, and finds the scopes of the regions in it. `is_once`: the region
    /// executes at most once in each execution of its scope.
    fn number_values(&mut self, region: RegionId, scope: ScopeId, is_once: bool) {
        let graph = self.graph;
        self.scope_of[region] = scope;
        let on_cycle = graph.on_cycles(region);
        for (block, repeats) in graph.blocks_of(region).zip(on_cycle) {
            let is_once = is_once && !repeats;
            let node = &graph.blocks[block];
            if !is_once {
                self.repeated.insert(node.block.key());
            }
            self.new_values(arguments(node.block), scope);
            for visit in graph.visits(block) {
                self.new_values(results(visit.op), scope);
                let Some(entered) = visit.entered else {
                    continue;
                };
                let info = self.semantics.info(visit.op);
                for nested in graph.regions_of(entered) {
                    let inner = self.scope_for(entered, info, nested, scope, is_once);
                    let is_once = inner != scope || is_once && graph.runs_regions_once(entered);
                    self.number_values(nested, inner, is_once);
                }
            }
        }
    }

    fn new_values(&mut self, vals: impl Iterator<Item = Val<'c>>, scope: ScopeId) {
        for val in vals.filter(|val| is_memref(type_of(*val))) {
            let id = self.new_value(scope);
            self.ids.insert(val.key(), id);
            self.new_nested(id, type_of(val), scope);
        }
    }

    fn new_value(&mut self, scope: ScopeId) -> ValueId {
        let values = &mut self.reading.function.value_scopes;
        values.push(scope);
        ValueId(values.len() as u32 - 1)
    }

    /// The scope of a region of an operation, which is in `scope`.
    fn scope_for(
        &mut self,
        entered: EnteredId,
        info: NameInfo,
        region: RegionId,
        scope: ScopeId,
        is_once: bool,
    ) -> ScopeId {
        let graph = self.graph;
        let node = &graph.entered[entered];
        let Some(entry) = graph.entry(region) else {
            return scope;
        };
        let op = node.op;
        let is_one_block = graph.blocks_of(region).len() == 1;
        let is_single = op.has_attribute(SINGLE_REGION);
        let is_followed = info.is_registered() && !info.is_isolated() && node.is_known;
        let kind = match (self.semantics.region_order(op), self.semantics.form(op)) {
            // A loop with a `mapping` attribute is to run on a device.
            (RegionOrder::Parallel, Form::Parallel)
                if is_one_block && !op.has_attribute("mapping") =>
            {
                ScopeKind::Parallel
            }
            (RegionOrder::Sequential, Form::Counted | Form::Repeated)
                if is_one_block && is_followed =>
            {
                ScopeKind::Iteration
            }
            (RegionOrder::Sequential, _) if is_followed => return scope,
            _ => ScopeKind::Opaque,
        };
        let iterations = node.iterations.filter(|_| kind == ScopeKind::Iteration);
        let entry = graph.blocks[entry].block;
        self.regions.push(region);
        self.new_scope(kind, Some(scope), entry, [is_single, is_once], iterations)
    }

    /// Whether an operation executes at most once in each execution of its scope.
    fn is_once(&self, op: Op<'c>) -> bool {
        parent_block(op).is_some_and(|block| !self.repeated.contains(&block.key()))
    }

    fn id(&self, val: Val<'c>) -> Option<ValueId> {
        self.ids.get(&val.key()).copied()
    }

    fn slots(&self, vals: impl Iterator<Item = Val<'c>>) -> Slots {
        vals.map(|val| self.id(val)).collect()
    }

    /// Rejects the memory of a memref: it is not placed in a region.
    fn reject(&mut self, val: Val<'c>, reason: Reason) {
        if let Some(id) = self.id(val) {
            self.reject_id(id, reason);
        }
    }

    fn reject_id(&mut self, id: ValueId, reason: Reason) {
        self.reading.function.rejected.push((id, reason));
        // These reasons are about the outer memory alone, not about the memrefs in it.
        if !matches!(
            reason,
            Reason::Deallocated | Reason::Form | Reason::Size | Reason::Marked
        ) {
            self.reject_nested_of(id);
        }
    }

    fn reject_all(&mut self, vals: impl Iterator<Item = Val<'c>>, reason: Reason) {
        for val in vals {
            self.reject(val, reason);
        }
    }

    /// Records that memory flows from one value to another. If one of them is no memref, the other is
    /// rejected.
    fn add_flow(&mut self, from: Val<'c>, to: Val<'c>) {
        match (self.id(from), self.id(to)) {
            (Some(from), Some(to)) => self.add_flow_ids(from, to),
            _ => {
                self.reject(from, Reason::UnknownFlow);
                self.reject(to, Reason::UnknownFlow);
            }
        }
    }

    /// Reads a region. With a reason, all memory that it touches is rejected.
    fn read_region(&mut self, region: RegionId, reject: Option<Reason>) {
        let graph = self.graph;
        for block in graph.blocks_of(region) {
            if let Some(reason) = reject {
                self.reject_all(arguments(graph.blocks[block].block), reason);
            }
            for visit in graph.visits(block) {
                self.read_op(visit, region, reject);
            }
        }
    }

    fn read_op(&mut self, visit: Visit<'c>, region: RegionId, reject: Option<Reason>) {
        let (op, graph) = (visit.op, self.graph);
        let info = self.semantics.info(op);
        let recorded = self.reading.function.uses.len();
        self.number_op(op, region);
        if let Some(reason) = reject {
            self.reject_all(operands(op).chain(results(op)), reason);
        }
        if info.is_function() || info.is_symbol_table() {
            return;
        }
        let nested = visit.entered.into_iter();
        let nested = nested.flat_map(|entered| graph.regions_of(entered));
        let is_end = info.is_terminator() || op.successor_count() > 0;
        if let Some(at) = visit.ends.filter(|_| is_end) {
            self.terminator(op, info, at);
            for nested in nested {
                self.read_region(nested, Some(reject.unwrap_or(Reason::UnknownUse)));
            }
            return;
        }
        let scope = self.scope_of[region];
        match visit.entered {
            None => self.plain_op(op, info, scope),
            Some(entered) => {
                let inner_reject = self.op_with_regions(entered, info, reject, scope);
                for nested in nested {
                    self.read_region(nested, inner_reject);
                }
            }
        }
        if self.open_asynchronous.last() == Some(&op) {
            self.open_asynchronous.pop();
            let recorded = recorded..self.reading.function.uses.len();
            self.extend_uses_to_waits(op, recorded);
        }
    }

    /// Numbers an operation, and records the memrefs that it uses.
    fn number_op(&mut self, op: Op<'c>, region: RegionId) {
        for operand in operands(op) {
            if let Some(id) = self.id(operand) {
                self.reading.function.uses.push((id, self.op_count));
            }
        }
        let awaited = self.used_until_wait.remove(&op.key()).into_iter().flatten();
        let awaited = awaited.map(|id| (id, self.op_count));
        self.reading.function.uses.extend(awaited);
        let graph = self.graph;
        let scope = self.scope_of[region].index();
        let mut blocks = graph.blocks_of(region);
        let is_single_block = blocks.len() == 1
            && blocks.next().is_some_and(|block| {
                graph.blocks[block].block.key() == self.reading.scopes[scope].key()
            });
        if is_single_block {
            self.reading.function.op_numbers[scope].push(self.op_count);
            self.reading.block_ops[scope].push(op);
        }
        self.op_count += 1;
    }

    /// Reads an operation with regions. Returns the reason to reject all memory that the regions touch, if
    /// there is one.
    fn op_with_regions(
        &mut self,
        entered: EnteredId,
        info: NameInfo,
        reject: Option<Reason>,
        scope: ScopeId,
    ) -> Option<Reason> {
        let node = &self.graph.entered[entered];
        let op = node.op;
        let region_arguments = regions(op).flat_map(blocks).flat_map(arguments);
        let memory = self.semantics.of(op);
        let is_asynchronous = memory.regions == RegionOrder::Offloaded
            || memory.opaque == Some(Opaque::Asynchronous)
            || memory.regions.outlives() && memory.start.is_none()
            || !self.is_waited_for(op, &memory);
        if is_asynchronous {
            self.reject_all(operands(op).chain(results(op)), Reason::Asynchronous);
            return Some(Reason::Asynchronous);
        }
        if !info.is_registered() || info.is_isolated() {
            self.reject_all(operands(op).chain(results(op)), Reason::UnknownUse);
            return Some(reject.unwrap_or(Reason::UnknownUse));
        }
        if memory.regions != RegionOrder::Sequential {
            // Reductions forward memrefs along edges that are not modelled.
            self.reject_all(operands(op).chain(results(op)), Reason::UnknownFlow);
            self.reject_all(region_arguments, Reason::UnknownFlow);
            return reject;
        }
        if node.is_known {
            self.forward(node.before);
            if self.semantics.form(op) == Form::Counted {
                self.loop_carried(entered);
            }
            return reject;
        }
        // The body computes with scalars, as the bodies of linalg operations do. Otherwise nothing is known
        // of the operation.
        self.reject_all(region_arguments, Reason::UnknownFlow);
        if info.has_memory_effects() {
            self.op_effects(op, &memory, scope);
        } else {
            self.reject_all(operands(op).chain(results(op)), Reason::UnknownUse);
        }
        reject
    }

    /// Records the memrefs that control flow forwards at the end of a segment. Operands that no edge forwards
    /// are rejected.
    fn forward(&mut self, at: SegmentId) {
        let graph = self.graph;
        let edges = graph.edges_from(at);
        for edge in edges.filter(|edge| edge.taken != Taken::Never) {
            for (from, to) in graph.values(edge) {
                if is_memref(type_of(*from)) || is_memref(type_of(*to)) {
                    self.add_flow(*from, *to);
                }
            }
        }
        let others = graph.not_forwarded(at);
        self.reject_all(others.into_iter(), Reason::UnknownFlow);
    }

    fn terminator(&mut self, op: Op<'c>, info: NameInfo, at: SegmentId) {
        let graph = self.graph;
        let block = &graph.blocks[graph.segments[at].block];
        if block.region == graph::BODY && info.is_return() {
            operands(op).for_each(|operand| self.reject_nested(operand));
            let returned = self.slots(operands(op));
            self.reading.function.returns.push(returned);
            self.reading.returns.push(op);
            return;
        }
        if op.successor_count() > 0 {
            for edge in graph.edges_from(at) {
                let mut sources = Sources::of(graph.values(edge));
                for target in edge.to.into_iter().flat_map(|to| graph.targets(to)) {
                    if sources.of_target(target).is_none() {
                        self.reject(target, Reason::UnknownFlow);
                    }
                }
            }
        }
        self.forward(at);
    }

    /// Records the loop-carried memrefs of a counted loop.
    fn loop_carried(&mut self, entered: EnteredId) {
        let graph = self.graph;
        for region in graph.regions_of(entered) {
            let scope = self.scope_of[region];
            let entry = graph.entry(region).map(|entry| graph.blocks[entry].first);
            let ends = graph
                .blocks_of(region)
                .map(|block| graph.blocks[block].last);
            let back = ends.flat_map(|end| graph.edges_from(end));
            for edge in back.filter(|edge| edge.to == entry) {
                for (yielded, argument) in graph.values(edge) {
                    if let (Some(argument), Some(yielded)) = (self.id(*argument), self.id(*yielded))
                    {
                        let flow = (scope, argument, yielded);
                        self.reading.function.loop_carried.push(flow);
                    }
                }
            }
        }
    }

    fn allocation(
        &mut self,
        op: Op<'c>,
        result: Val<'c>,
        scope: ScopeId,
        is_dynamic: bool,
        bytes: Option<u64>,
    ) {
        let Some(value) = self.id(result) else { return };
        let is_once = self.is_once(op);
        self.reading.allocations.push(op);
        self.reading.function.allocations.push(Allocation {
            value,
            scope,
            number: self.op_count - 1,
            is_once,
            is_dynamic,
            bytes,
        });
    }
}
