//! A function's IR as plain data.
//!
//! Two walks: the first gives each memref a number and finds out how the regions around it are executed, the second
//! looks at what operations do (`touch`) and where control takes memrefs. What is not understood says so of all memory
//! that it touches; nothing is taken to be harmless because nobody knows it.

mod nested_memrefs;
mod op_effects;
mod waits;

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

pub use memplan_semantics::attributes::SINGLE_REGION as SINGLE;

/// What a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function with a body that is looked into, by its number.
    Function(usize),
    /// One without a body, which uses what it is given while it runs.
    Outside,
    /// One that goes on after control has passed the call, and neither captures nor frees its arguments.
    Awaited,
    /// One that an earlier run has worked on.
    WorkedOn,
    /// Nobody knows.
    Unknown,
}

impl Callee {
    /// As the call graph has it.
    pub fn of(target: Target, unread: impl Fn(usize) -> Option<Unread>) -> Self {
        match target {
            Target::Function(callee) => match unread(callee) {
                None => Self::Function(callee),
                Some(Unread::WorkedOn) => Self::WorkedOn,
                Some(_) => Self::Unknown,
            },
            Target::Declared { .. } => Self::Outside,
            Target::Unknown => Self::Unknown,
        }
    }
}

/// Why a function is not looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// An earlier run has worked on it.
    WorkedOn,
    /// It is no `func.func`, or has no place in a module.
    Kind,
    /// A coroutine leaves at each suspension, and comes back.
    Coroutine,
    /// The runtime takes indices of 64 bits.
    Index,
}

impl Unread {
    /// In one word, for the report.
    pub const fn id(self) -> &'static str {
        match self {
            Self::WorkedOn => "worked-on",
            Self::Kind => "kind-of-function",
            Self::Coroutine => "coroutine",
            Self::Index => "index-width",
        }
    }

    /// For remarks, where there is something to say.
    pub const fn text(self) -> Option<&'static str> {
        match self {
            Self::WorkedOn => None,
            Self::Kind => Some("it is in a function that is not a func.func of a module"),
            Self::Coroutine => Some("it is in a coroutine"),
            Self::Index => Some("indices do not have 64 bits"),
        }
    }
}

/// A function as data, and the IR behind it.
pub struct Reading<'c> {
    /// As data.
    pub function: Function,
    /// The function.
    pub op: Op<'c>,
    /// Its allocations.
    pub allocations: Vec<Op<'c>>,
    /// Its calls of functions with a body.
    pub calls: Vec<Op<'c>>,
    /// Its returns.
    pub returns: Vec<Op<'c>>,
    /// For each scope, the block that it starts with.
    pub scopes: Vec<Block<'c>>,
    /// For each scope, the operations that it is a row of.
    pub lines: Vec<Vec<Op<'c>>>,
    /// What all calls call, in the order in which that was asked.
    pub callees: Vec<Callee>,
}

/// Reads a function; `callee` says what a call calls, and is asked in the order of the text.
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
        count: 0,
        ids: FxHashMap::default(),
        held: FxHashMap::default(),
        pending: None,
        started: Vec::new(),
        awaited: FxHashMap::default(),
        regions: vec![graph::BODY],
        scope_of: SecondaryMap::with_default(ROOT),
        repeated: FxHashSet::default(),
        reading: Reading {
            function: Function {
                is_single: op.has_attribute(SINGLE),
                ..Function::default()
            },
            op,
            allocations: Vec::new(),
            calls: Vec::new(),
            returns: Vec::new(),
            scopes: Vec::new(),
            lines: Vec::new(),
            callees: Vec::new(),
        },
    };
    reader.scope(ScopeKind::Function, None, entry, [false, true], None);
    reader.number(graph::BODY, ROOT, true);
    reader.reading.function.arguments = reader.slots(arguments(entry));
    arguments(entry).for_each(|argument| reader.stick_held(argument));
    reader.region(graph::BODY, None);
    Some(reader.reading)
}

struct RegionReader<'c, 'r> {
    semantics: &'r mut Semantics,
    callee: &'r mut dyn FnMut(Op<'c>) -> Callee,
    /// Where control goes.
    graph: &'r ControlGraph<'c>,
    layout: DataLayout,
    /// How many operations have been looked at.
    count: u32,
    ids: FxHashMap<Key, ValueId>,
    /// For memory of memrefs, what it holds.
    held: FxHashMap<ValueId, ValueId>,
    /// Until when asynchronous operations are pending, once there is one.
    pending: Option<Rc<Pending<'c>>>,
    /// Those that are being read.
    started: Vec<Op<'c>>,
    /// For operations that wait, what is used until then.
    awaited: FxHashMap<Key, Vec<ValueId>>,
    /// For each scope, its region.
    regions: Vec<RegionId>,
    scope_of: SecondaryMap<RegionId, ScopeId>,
    /// Blocks that may be executed more than once in one run of their scope.
    repeated: FxHashSet<Key>,
    reading: Reading<'c>,
}

impl<'c> RegionReader<'c, '_> {
    fn scope(
        &mut self,
        kind: ScopeKind,
        parent: Option<ScopeId>,
        block: Block<'c>,
        [is_single, is_once]: [bool; 2],
        turns: Option<u64>,
    ) -> ScopeId {
        let function = &mut self.reading.function;
        let id = ScopeId(function.scopes.len() as u32);
        let above = parent.map(|parent| *function.scope(parent));
        let is_barrier = matches!(kind, ScopeKind::Parallel | ScopeKind::Opaque);
        let barrier = if is_barrier {
            Some(id)
        } else {
            above.and_then(|above| above.barrier)
        };
        let frame = match (kind, above) {
            (ScopeKind::Turn | ScopeKind::Opaque, Some(above)) => above.frame,
            _ => id,
        };
        function.scopes.push(Scope {
            kind,
            parent,
            depth: above.map_or(0, |above| above.depth + 1),
            barrier,
            frame,
            is_once,
            is_single: is_single || above.is_some_and(|above| above.is_single),
            turns,
        });
        function.lines.push(Vec::new());
        self.reading.scopes.push(block);
        self.reading.lines.push(Vec::new());
        id
    }

    /// Numbers for all memrefs at or below a region, and scopes for the regions. `is_once`: the region is executed at most once
    /// in each run of its scope, and so is what it holds.
    fn number(&mut self, region: RegionId, scope: ScopeId, is_once: bool) {
        let graph = self.graph;
        self.scope_of[region] = scope;
        let turning = graph.on_cycles(region);
        for (block, turns) in graph.blocks_of(region).zip(turning) {
            let is_once = is_once && !turns;
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
                    self.number(nested, inner, is_once);
                }
            }
        }
    }

    fn new_values(&mut self, vals: impl Iterator<Item = Val<'c>>, scope: ScopeId) {
        for val in vals.filter(|val| is_memref(type_of(*val))) {
            let id = self.new_value(scope);
            self.ids.insert(val.key(), id);
            self.holds(id, type_of(val), scope);
        }
    }

    fn new_value(&mut self, scope: ScopeId) -> ValueId {
        let values = &mut self.reading.function.values;
        values.push(scope);
        ValueId(values.len() as u32 - 1)
    }

    /// The scope of a region of an operation that stands in `scope`.
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
        let is_single = op.has_attribute(SINGLE);
        let is_followed = info.is_registered() && !info.is_isolated() && node.is_known;
        let kind = match (self.semantics.region_order(op), self.semantics.form(op)) {
            // What has a mapping is to run on a device.
            (RegionOrder::Parallel, Form::Parallel)
                if is_one_block && !op.has_attribute("mapping") =>
            {
                ScopeKind::Parallel
            }
            (RegionOrder::Sequential, Form::Counted | Form::Repeated)
                if is_one_block && is_followed =>
            {
                ScopeKind::Turn
            }
            (RegionOrder::Sequential, _) if is_followed => return scope,
            _ => ScopeKind::Opaque,
        };
        let turns = node.iterations.filter(|_| kind == ScopeKind::Turn);
        let entry = graph.blocks[entry].block;
        self.regions.push(region);
        self.scope(kind, Some(scope), entry, [is_single, is_once], turns)
    }

    /// Is an operation executed at most once in each run of its scope?
    fn is_once(&self, op: Op<'c>) -> bool {
        parent_block(op).is_some_and(|block| !self.repeated.contains(&block.key()))
    }

    fn id(&self, val: Val<'c>) -> Option<ValueId> {
        self.ids.get(&val.key()).copied()
    }

    fn slots(&self, vals: impl Iterator<Item = Val<'c>>) -> Slots {
        vals.map(|val| self.id(val)).collect()
    }

    /// This memory does not go to a region.
    fn stick(&mut self, val: Val<'c>, reason: Reason) {
        if let Some(id) = self.id(val) {
            self.stick_id(id, reason);
        }
    }

    fn stick_id(&mut self, id: ValueId, reason: Reason) {
        self.reading.function.stuck.push((id, reason));
        // Who frees memory of memrefs, or what size it has, says nothing of what it holds.
        if !matches!(
            reason,
            Reason::Deallocated | Reason::Form | Reason::Size | Reason::Marked
        ) {
            self.stick_held_by(id);
        }
    }

    fn stick_all(&mut self, vals: impl Iterator<Item = Val<'c>>, reason: Reason) {
        for val in vals {
            self.stick(val, reason);
        }
    }

    /// Both may be one memory; where one is no memref, nothing is known of the other.
    fn join(&mut self, one: Val<'c>, other: Val<'c>) {
        match (self.id(one), self.id(other)) {
            (Some(one), Some(other)) => self.join_ids(one, other),
            _ => {
                self.stick(one, Reason::UnknownFlow);
                self.stick(other, Reason::UnknownFlow);
            }
        }
    }

    /// What a region holds. With a reason, nothing that is touched in it goes to a region.
    fn region(&mut self, region: RegionId, all: Option<Reason>) {
        let graph = self.graph;
        for block in graph.blocks_of(region) {
            if let Some(reason) = all {
                self.stick_all(arguments(graph.blocks[block].block), reason);
            }
            for visit in graph.visits(block) {
                self.op(visit, region, all);
            }
        }
    }

    fn op(&mut self, visit: Visit<'c>, region: RegionId, all: Option<Reason>) {
        let (op, graph) = (visit.op, self.graph);
        let info = self.semantics.info(op);
        let noted = self.reading.function.uses.len();
        self.counts(op, region);
        if let Some(reason) = all {
            self.stick_all(operands(op).chain(results(op)), reason);
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
                self.region(nested, Some(all.unwrap_or(Reason::UnknownUse)));
            }
            return;
        }
        let scope = self.scope_of[region];
        match visit.entered {
            None => self.touch(op, info, scope),
            Some(entered) => {
                let within = self.with_regions(entered, info, all, scope);
                for nested in nested {
                    self.region(nested, within);
                }
            }
        }
        if self.started.last() == Some(&op) {
            self.started.pop();
            let noted = noted..self.reading.function.uses.len();
            self.uses_until_waits(op, noted);
        }
    }

    /// Gives an operation a number, and notes what it uses.
    fn counts(&mut self, op: Op<'c>, region: RegionId) {
        for operand in operands(op) {
            if let Some(id) = self.id(operand) {
                self.reading.function.uses.push((id, self.count));
            }
        }
        let awaited = self.awaited.remove(&op.key()).into_iter().flatten();
        let awaited = awaited.map(|id| (id, self.count));
        self.reading.function.uses.extend(awaited);
        let graph = self.graph;
        let scope = self.scope_of[region].index();
        let mut blocks = graph.blocks_of(region);
        let is_row = blocks.len() == 1
            && blocks.next().is_some_and(|block| {
                graph.blocks[block].block.key() == self.reading.scopes[scope].key()
            });
        if is_row {
            self.reading.function.lines[scope].push(self.count);
            self.reading.lines[scope].push(op);
        }
        self.count += 1;
    }

    /// An operation with regions; whether what these touch is lost.
    fn with_regions(
        &mut self,
        entered: EnteredId,
        info: NameInfo,
        all: Option<Reason>,
        scope: ScopeId,
    ) -> Option<Reason> {
        let node = &self.graph.entered[entered];
        let op = node.op;
        let passed = regions(op).flat_map(blocks).flat_map(arguments);
        let memory = self.semantics.of(op);
        let goes_on = memory.regions == RegionOrder::Offloaded
            || memory.opaque == Some(Opaque::Asynchronous)
            || memory.regions.outlives() && memory.start.is_none()
            || !self.is_over(op, &memory);
        if goes_on {
            self.stick_all(operands(op).chain(results(op)), Reason::Asynchronous);
            return Some(Reason::Asynchronous);
        }
        if !info.is_registered() || info.is_isolated() {
            self.stick_all(operands(op).chain(results(op)), Reason::UnknownUse);
            return Some(all.unwrap_or(Reason::UnknownUse));
        }
        if memory.regions != RegionOrder::Sequential {
            // Reductions of memrefs go ways of their own.
            self.stick_all(operands(op).chain(results(op)), Reason::UnknownFlow);
            self.stick_all(passed, Reason::UnknownFlow);
            return all;
        }
        if node.is_known {
            self.pass(node.before);
            if self.semantics.form(op) == Form::Counted {
                self.carries(entered);
            }
            return all;
        }
        // Its body computes with scalars, as those of linalg do; else nothing is known of it.
        self.stick_all(passed, Reason::UnknownFlow);
        if info.has_memory_effects() {
            self.uses(op, &memory, scope);
        } else {
            self.stick_all(operands(op).chain(results(op)), Reason::UnknownUse);
        }
        all
    }

    /// Memrefs that control takes along at the end of a segment; others among the operands go nobody knows where.
    fn pass(&mut self, at: SegmentId) {
        let graph = self.graph;
        let taken = graph.edges_from(at);
        for edge in taken.filter(|edge| edge.taken != Taken::Never) {
            for (from, to) in graph.values(edge) {
                if is_memref(type_of(*from)) || is_memref(type_of(*to)) {
                    self.join(*from, *to);
                }
            }
        }
        let others = graph.not_forwarded(at);
        self.stick_all(others.into_iter(), Reason::UnknownFlow);
    }

    fn terminator(&mut self, op: Op<'c>, info: NameInfo, at: SegmentId) {
        let graph = self.graph;
        let block = &graph.blocks[graph.segments[at].block];
        if block.region == graph::BODY && info.is_return() {
            operands(op).for_each(|operand| self.stick_held(operand));
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
                        self.stick(target, Reason::UnknownFlow);
                    }
                }
            }
        }
        self.pass(at);
    }

    /// What the turns of a counting loop hand on.
    fn carries(&mut self, entered: EnteredId) {
        let graph = self.graph;
        for region in graph.regions_of(entered) {
            let scope = self.scope_of[region];
            let entry = graph.entry(region).map(|entry| graph.blocks[entry].first);
            let ends = graph
                .blocks_of(region)
                .map(|block| graph.blocks[block].last);
            let back = ends.flat_map(|end| graph.edges_from(end));
            for edge in back.filter(|edge| edge.to == entry) {
                for (given, argument) in graph.values(edge) {
                    if let (Some(argument), Some(given)) = (self.id(*argument), self.id(*given)) {
                        let carried = (scope, argument, given);
                        self.reading.function.carried.push(carried);
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
            number: self.count - 1,
            is_once,
            is_dynamic,
            bytes,
        });
    }
}
