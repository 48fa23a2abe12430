//! Translates IR to a [`Program`], in one visit to each operation.

mod access;
mod addresses;
mod banks;
mod bases;
mod control;
mod dynamic;
mod iterations;
mod moves;
mod nested;
mod scan;
mod slices;
mod slot_choice;
mod state;
mod tokens;

use super::{
    codes,
    descriptors::Descriptors,
    fault::Fault,
    program::{
        Action, ArenaId, BufferName, Derivation, Edge, Node, NodeId, OpAction, OpId, Program,
        SliceId, ValueId,
    },
};
use control::Frame;
use memplan_flow::SecondaryMap;
use memplan_mlir::{
    build,
    calls::function_body,
    codes::Code,
    ir::{
        Identity, Key, Op, Origin, Region, Val, arguments, blocks, operands, origin, parent,
        results, type_of,
    },
    layout::DataLayout,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Computes, Semantics,
    arithmetic::Binary,
    attributes::{ARENA, BUFFER, MOVE, OPERANDS_APART, is_iteration_arena, remark_old_iterations},
    bounds::Bounds,
    graph::{self, ControlGraph, EnteredId, SegmentId},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
pub use state::StateGlobals;
use std::collections::BTreeMap;
use tokens::Index;

/// A function as the machine sees it.
pub struct Reading<'c> {
    /// The function as plain data.
    pub program: Program,
    /// The operations of the program's actions, by id.
    pub ops: Vec<Op<'c>>,
    /// The faults found without executing the program.
    pub faults: Vec<Fault>,
    /// Results of calls that may refer to memory.
    pub calls: Vec<Call<'c>>,
    /// Donations to callees, by their actions.
    pub donations: Vec<usize>,
    /// Values that may refer to memory other than that of their sources.
    pub unknown: Vec<ValueId>,
    /// Values that are loaded from memory of memrefs, with the values that may be stored there.
    pub loaded: Vec<(ValueId, Vec<ValueId>)>,
    /// The function's arguments that may refer to memory.
    pub arguments: Vec<Option<ValueId>>,
    /// For each return that may be reached, the operands that may refer to memory.
    pub returned: Vec<Vec<Option<ValueId>>>,
    /// The deallocations of values that may refer to a buffer.
    pub frees: Vec<Free<'c>>,
    /// The arenas.
    pub arenas: Vec<Val<'c>>,
}

/// A deallocation.
pub struct Free<'c> {
    /// Its action.
    pub action: usize,
    /// The operation.
    pub op: Op<'c>,
    /// The value that it frees.
    pub value: Val<'c>,
}

/// A result of a call that may refer to memory.
pub struct Call<'c> {
    /// The call.
    pub op: Op<'c>,
    /// The index of the result.
    pub number: usize,
    /// The result.
    pub result: ValueId,
    /// The action that makes it an alias of operands, if there are any.
    pub step: Option<usize>,
    /// The operands that may refer to memory.
    pub operands: Vec<Option<ValueId>>,
}

/// Reads a function; `None` if it has no plan. With `globals`, no other function changes meanwhile, so that attributes of
/// callees may be read.
pub fn read<'c>(function: Op<'c>, globals: Option<&StateGlobals>) -> Option<Reading<'c>> {
    let body = function_body(function)?;
    let mut semantics = Semantics::default();
    let scan = scan::scan(body, &mut semantics);
    let is_planned = scan.state || !scan.arenas.is_empty();
    is_planned.then(|| read_with(function, body, semantics, scan, globals))
}

/// Reads a function as if it had no plan; `None` if it has no body.
pub fn read_unplanned<'c>(function: Op<'c>) -> Option<Reading<'c>> {
    let body = function_body(function)?;
    let mut semantics = Semantics::default();
    let mut scan = scan::scan(body, &mut semantics);
    scan.arenas.clear();
    Some(read_with(function, body, semantics, scan, None))
}

fn read_with<'c>(
    function: Op<'c>,
    body: Region<'c>,
    mut semantics: Semantics,
    scan: scan::Scan<'c>,
    globals: Option<&StateGlobals>,
) -> Reading<'c> {
    let graph = control::control(body, &scan.touching, &mut semantics);
    let mut reader = ProgramReader {
        semantics,
        layout: DataLayout::at(function),
        function,
        bounds: None,
        arenas: FxHashMap::default(),
        values: FxHashMap::default(),
        slices: FxHashMap::default(),
        wholes: FxHashMap::default(),
        unnumbered: 0,
        bank_spaces: Vec::new(),
        groups: BTreeMap::new(),
        pointers: FxHashMap::default(),
        dynamic: FxHashMap::default(),
        limits: FxHashMap::default(),
        starts: SecondaryMap::with_default(NodeId(0)),
        nodes: FxHashMap::default(),
        scope: None,
        around: None,
        iteration_bytes: FxHashMap::default(),
        tags: FxHashMap::default(),
        bodies: FxHashMap::default(),
        donated: FxHashMap::default(),
        globals,
        table: parent(function).map(|table| table.key()),
        arena_names: FxHashSet::default(),
        donations: Vec::new(),
        moves: scan.moves.then(moves::Moves::default),
        addresses: addresses::Addresses::default(),
        descriptors: Descriptors::default(),
        bases: bases::Bases::default(),
        current: NodeId(0),
        program: Program::default(),
        ops: Vec::new(),
        faults: Vec::new(),
        calls: Vec::new(),
        unknown: Vec::new(),
        loaded: Vec::new(),
        returned: Vec::new(),
        frees: Vec::new(),
    };
    let all_arenas = scan.arenas.iter().map(|arena| arena.value).collect();
    for arena in scan.arenas {
        let id = ArenaId(reader.program.arenas.len() as u32);
        let value = reader.value(arena.value);
        reader.program.arenas.push(super::program::Arena {
            value,
            slices: Vec::new(),
        });
        let size = reader.layout.extent(type_of(arena.value)).ok();
        if size.is_none() {
            reader.dynamic_arena(id, arena.value);
        }
        reader.banks(id, arena.value);
        let alignment = match origin(arena.value) {
            Some(Origin::Result(op, _)) => {
                if let Some(name) = reader.semantics.global_name(op)
                    && !reader.arena_names.insert(name)
                {
                    let reason = "two arenas of this function are the same global";
                    reader.malformed(op, codes::ARENA_USE, reason);
                }
                build::integer(op, "alignment").or_else(|| build::integer(op, ARENA))
            }
            _ => None,
        };
        reader.arenas.insert(
            arena.value.key(),
            Arena {
                id,
                size: size.map(|extent| extent.size),
                alignment: alignment.and_then(|alignment| u64::try_from(alignment).ok()),
                scope: arena.scope,
            },
        );
    }
    reader.node();
    reader.start(NodeId(0));
    reader.function(function, &graph);
    reader.finish_dynamic();
    reader.finish_moves();
    reader.finish_addresses();
    reader.finish_bases();
    reader.finish_banks();
    reader.program.close_choices();
    for node in &mut reader.program.nodes {
        node.redefined.sort_unstable();
        node.redefined.dedup();
    }
    let entry = blocks(body).next();
    let all = entry.into_iter().flat_map(arguments);
    let arguments = all.map(|argument| reader.reference(argument)).collect();
    let reached = reader.program.reached();
    let returned = reader.returned.into_iter();
    let returned = returned.filter(|(node, _)| reached[node.index()]);
    Reading {
        returned: returned.map(|(_, values)| values).collect(),
        frees: reader.frees,
        arenas: all_arenas,
        program: reader.program,
        ops: reader.ops,
        faults: reader.faults,
        calls: reader.calls,
        donations: reader.donations,
        unknown: reader.unknown,
        loaded: reader.loaded,
        arguments,
    }
}

struct Arena {
    id: ArenaId,
    /// The size in bytes, if it is static.
    size: Option<u64>,
    /// The alignment, if the operation declares one.
    alignment: Option<u64>,
    /// The innermost operation around it whose bodies run in parallel.
    scope: Option<Key>,
}

/// Reads one function.
struct ProgramReader<'c, 'g> {
    semantics: Semantics,
    layout: DataLayout,
    function: Op<'c>,
    /// What is said of sizes.
    bounds: Option<Bounds<'c>>,
    arenas: FxHashMap<Key, Arena>,
    values: FxHashMap<Key, ValueId>,
    slices: FxHashMap<(ArenaId, BufferName, Option<u64>), SliceId>,
    /// Arenas that are one buffer as a whole, and the values that stand for it.
    wholes: FxHashMap<Key, ValueId>,
    /// The number of slices without a number so far.
    unnumbered: u32,
    /// The memory spaces of arenas with banks.
    bank_spaces: Vec<String>,
    /// The slices of each group of an arena.
    groups: BTreeMap<(ArenaId, String), Vec<SliceId>>,
    /// Integers that are pointers, and the memrefs that they point into.
    pointers: FxHashMap<Key, Val<'c>>,
    /// Arenas of dynamic size.
    dynamic: FxHashMap<ArenaId, dynamic::Dynamic<'c>>,
    /// What is known of numbers.
    limits: dynamic::KnownLimits,
    /// The first node of each segment of the control-flow graph.
    starts: SecondaryMap<SegmentId, NodeId>,
    /// The first node of each block.
    nodes: FxHashMap<Key, NodeId>,
    /// The innermost operation around the current one whose bodies run in parallel.
    scope: Option<Key>,
    /// The next such operation around that.
    around: Option<Key>,
    /// For each block of a parallel loop, the slices of arenas around the loop that each iteration has to itself.
    iteration_bytes: FxHashMap<Key, Vec<ValueId>>,
    /// Tags of transfers by memref and indices: the value of the tag, and its number.
    tags: FxHashMap<(Key, Vec<Index>), (ValueId, u32)>,
    /// Symbols of callees that may store arguments, and whether they have bodies.
    bodies: FxHashMap<Key, bool>,
    /// The moves, if the function moves buffers.
    moves: Option<moves::Moves<'c>>,
    addresses: addresses::Addresses,
    descriptors: Descriptors<'c>,
    bases: bases::Bases,
    current: NodeId,
    program: Program,
    ops: Vec<Op<'c>>,
    faults: Vec<Fault>,
    /// For each callee, by the symbol in calls, its donated arguments.
    donated: FxHashMap<Key, SmallVec<[usize; 2]>>,
    /// The globals with state. Without them, attributes of callees may not be read either.
    globals: Option<&'g StateGlobals>,
    /// The symbol table of the function.
    table: Option<Key>,
    /// The names of globals that are arenas of the function.
    arena_names: FxHashSet<String>,
    donations: Vec<usize>,
    calls: Vec<Call<'c>>,
    unknown: Vec<ValueId>,
    loaded: Vec<(ValueId, Vec<ValueId>)>,
    /// For each return, the node that it ends.
    returned: Vec<(NodeId, Vec<Option<ValueId>>)>,
    frees: Vec<Free<'c>>,
}

impl<'c> ProgramReader<'c, '_> {
    /// Creates a node.
    fn node(&mut self) -> NodeId {
        self.program.nodes.push(Node::default());
        NodeId(self.program.nodes.len() as u32 - 1)
    }

    /// Appends actions to this node from now on. A node is started once.
    fn start(&mut self, node: NodeId) {
        self.current = node;
        let here = self.program.actions.len();
        self.program.nodes[node.index()].actions = here..here;
    }

    fn action(&mut self, op: OpId, action: Action) {
        self.program.actions.push(OpAction { op, action });
        self.program.nodes[self.current.index()].actions.end = self.program.actions.len();
    }

    fn edge(&mut self, to: NodeId, binds: Vec<(ValueId, ValueId)>) {
        let node = &mut self.program.nodes[self.current.index()];
        node.edges.push(Edge { to, binds });
    }

    /// A value that stands for no value of the IR.
    fn new_value(&mut self) -> ValueId {
        self.program.values.push(Derivation::Root);
        ValueId(self.program.values.len() as u32 - 1)
    }

    fn value(&mut self, value: Val<'c>) -> ValueId {
        if let Some(id) = self.values.get(&value.key()) {
            return *id;
        }
        let id = self.new_value();
        self.values.insert(value.key(), id);
        id
    }

    /// The number of an operation; the last number if it is the same operation again.
    fn id(&mut self, op: Op<'c>) -> OpId {
        if self.ops.last().is_none_or(|last| last.key() != op.key()) {
            self.ops.push(op);
        }
        OpId(self.ops.len() as u32 - 1)
    }

    fn malformed(&mut self, op: Op<'c>, code: &'static Code, reason: impl Into<String>) {
        let op = self.id(op);
        let reason = reason.into();
        self.faults.push(Fault::Malformed { op, code, reason });
    }

    /// The values that may refer to memory and are not arenas.
    fn references(&mut self, values: impl Iterator<Item = Val<'c>>) -> Vec<ValueId> {
        let mut all = Vec::new();
        for value in values {
            all.extend(self.reference(value));
        }
        all
    }

    /// A value, if it may refer to memory. An arena is the buffer that it is as a whole, if it is one.
    fn reference(&mut self, value: Val<'c>) -> Option<ValueId> {
        match self.arenas.contains_key(&value.key()) {
            true => self.wholes.get(&value.key()).copied(),
            false => self.refers(value).then(|| self.value(value)),
        }
    }

    /// Whether a value may refer to memory.
    fn refers(&mut self, value: Val<'c>) -> bool {
        self.semantics.class(type_of(value)).refers_to_memory()
    }

    /// The value of a constant.
    fn constant(&mut self, value: Val<'c>) -> Option<i64> {
        self.semantics.constant(value)
    }

    /// The operands of a value, if it is the result of this binary operation.
    fn binary(&mut self, value: Val<'c>, by: Binary) -> Option<[Val<'c>; 2]> {
        match self.semantics.computes(value)? {
            Computes::Binary(operation, operands) if operation == by => Some(operands),
            _ => None,
        }
    }

    fn function(&mut self, function: Op<'c>, graph: &ControlGraph<'c>) {
        self.blocks(graph, graph::BODY);
        if let Some(entry) = graph.entry(graph::BODY) {
            self.edge(self.starts[graph.blocks[entry].first], Vec::new());
        }
        let frame = Frame {
            op: function,
            is_function: true,
            hub: None,
        };
        self.region(graph, graph::BODY, &frame);
    }

    /// Reads an operation, and its regions if they are entered.
    fn op(&mut self, graph: &ControlGraph<'c>, op: Op<'c>, entered: Option<EnteredId>) {
        let info = self.semantics.info(op);
        if !self.pointers.is_empty() {
            self.pointer_uses(op);
        }
        if !self.addresses.is_empty() {
            self.addresses_ended(op);
        }
        if !self.arenas.is_empty()
            && let Some(view) = self.semantics.byte_view(op)
        {
            if is_iteration_arena(op) {
                remark_old_iterations(op);
                return self.iteration_arena(op, &view);
            }
            if op.has_attribute(BUFFER) {
                return self.slice(op, &view);
            }
            if op.has_attribute(ARENA) {
                return self.sized_argument(op, &view);
            }
            if self.is_unnumbered_slice(&view) {
                return self.slice(op, &view);
            }
        }
        if op.has_attribute(MOVE) {
            return self.moved(op);
        }
        match self.semantics.computed(op) {
            Some(Computes::Constant(_)) => return,
            Some(Computes::Pointer(of)) => {
                let pointers = results(op).map(|pointer| (pointer.key(), of));
                return self.pointers.extend(pointers);
            }
            _ if info.is_function() => return,
            _ => {}
        }
        for result in results(op) {
            if let Some(arena) = self.arenas.get(&result.key()) {
                let arena = arena.id;
                let value = self.value(result);
                let id = self.id(op);
                self.action(id, Action::Allocate { arena, value });
                self.whole_arena(op, result);
            }
        }
        if self.semantics.table_facts(op).names_global.is_some() {
            self.global(op);
        }
        for operand in operands(op) {
            if let Some(arena) = self.arenas.get(&operand.key()) {
                let arena = arena.id;
                self.arena_use(op, operand, arena);
            }
        }
        if !self.bank_spaces.is_empty() && op.has_attribute(OPERANDS_APART) {
            self.apart_operands(op);
        }
        match entered {
            Some(entered) => self.operation_with_regions(graph, entered, info),
            None => self.operation(op, info),
        }
    }
}
