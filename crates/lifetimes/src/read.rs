//! The walk: a function's IR into plain data. Each operation is visited once, and its interfaces
//! are asked once.
//!
//! Operations fall into few classes: allocations and deallocations (by their effects), views,
//! operations with control flow inside or between blocks, calls, and the rest, of which only the
//! effects count. What says nothing of its effects lets every memref that it gets escape.

use crate::{
    program::{
        BlockFact, BlockId, BufferFact, BufferId, DeallocFact, NodeFact, NodeId, Outer, Position,
        Program, ScopeFact, ScopeId, Successor, Use, UseKind, ValueFact, ValueId, ValueKind,
    },
    reason::Reason,
    summary::{CallPolicy, Callees},
};
use memplan_mlir::{
    build::{self, MANUAL_DEALLOCATION},
    calls,
    effects::{Effect, EffectKind, effects},
    flow::{self, RegionEdge},
    ir::{
        Block, Identity, Key, Op, Region, Val, arguments, blocks, is_memref, is_plain_data,
        operands, ops, parent_block, regions, results, successors, terminator, type_of,
    },
    layout::DataLayout,
    melior::ir::{Type, operation::OperationLike},
    names::{Known, NameInfo, Names},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Marks an arena that memplan made.
pub const ARENA: &str = "memplan.arena";

/// The IR behind a [`Program`]'s ids, for those who write.
#[derive(Default)]
pub struct Handles<'c> {
    /// The function.
    pub function: Option<Op<'c>>,
    /// The operation of each allocation.
    pub buffers: Vec<Op<'c>>,
    /// The operation of each deallocation.
    pub deallocs: Vec<Op<'c>>,
    /// The value behind each value id.
    pub values: Vec<Val<'c>>,
    /// For each scope: the operation whose body it is, and the block that starts it.
    pub scopes: Vec<(Op<'c>, Block<'c>)>,
    /// For each scope: the terminators that leave it.
    pub exits: Vec<Vec<Op<'c>>>,
    /// `memref.distinct_objects`, which promise separate storage.
    pub distinct: Vec<Op<'c>>,
}

/// Reads a function. `callees` says what calls do.
pub fn read<'c>(
    function: Op<'c>,
    names: &mut Names,
    layout: &mut DataLayout,
    callees: &dyn Callees,
) -> (Program, Handles<'c>) {
    let mut reader = Reader {
        names,
        layout,
        callees,
        program: Program::default(),
        handles: Handles::default(),
        values: FxHashMap::default(),
        blocks: FxHashMap::default(),
        position: 0,
    };
    reader.handles.function = Some(function);
    if let Some(body) = calls::function_body(function) {
        reader.function(function, body);
    }
    reader.program.end = reader.position;
    reader.program.connect();
    (reader.program, reader.handles)
}

/// How what is nested relates to the blocks that are told apart.
#[derive(Clone, Copy)]
enum Mode {
    /// Blocks are told apart, operations have positions of their own.
    Flow,
    /// Runs in an order that is not known, while the operation around it runs.
    Opaque,
    /// Nothing is known; memrefs that are used there escape.
    Escape(Reason),
}

/// Where an operation stands.
#[derive(Clone, Copy)]
struct Place {
    scope: ScopeId,
    block: BlockId,
    mode: Mode,
}

struct Reader<'c, 'r> {
    names: &'r mut Names,
    layout: &'r mut DataLayout,
    callees: &'r dyn Callees,
    program: Program,
    handles: Handles<'c>,
    values: FxHashMap<Key, ValueId>,
    blocks: FxHashMap<Key, BlockId>,
    position: Position,
}

/// True for the last operation of its block. One that is not registered may be a terminator there.
fn is_last(op: Op<'_>) -> bool {
    parent_block(op)
        .and_then(terminator)
        .is_some_and(|last| last.key() == op.key())
}

/// Ends of blocks that control never reaches.
fn is_dead_end(op: Op<'_>) -> bool {
    let name = op.name();
    let name = name.as_string_ref();
    op.operand_count() == 0
        && name
            .as_str()
            .is_ok_and(|name| matches!(name, "llvm.unreachable" | "ub.unreachable"))
}

impl<'c> Reader<'c, '_> {
    fn function(&mut self, function: Op<'c>, body: Region<'c>) {
        let Some(entry) = blocks(body).next() else {
            return;
        };
        let scope = self.scope(function, None, &[body]);
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
        self.scope_blocks(scope, &[body]);
    }

    // Scopes and nodes.

    /// Opens a scope over the bodies of an operation: makes its blocks, does not walk them.
    fn scope(&mut self, op: Op<'c>, outer: Option<Outer>, bodies: &[Region<'c>]) -> ScopeId {
        let scope = ScopeId::new(self.program.scopes.len());
        let node = NodeId::new(self.program.nodes.len());
        self.program.scopes.push(ScopeFact { body: node, outer });
        self.program.nodes.push(NodeFact {
            parent: None,
            scope,
            start: self.position,
            end: self.position,
            blocks: Vec::new(),
            entries: SmallVec::new(),
            passes: false,
        });
        self.make_blocks(node, bodies);
        let entries = bodies
            .iter()
            .filter_map(|body| blocks(*body).next())
            .map(|block| self.blocks[&block.key()])
            .collect();
        self.program.nodes[node.index()].entries = entries;
        let first = bodies.iter().find_map(|body| blocks(*body).next());
        if let Some(first) = first {
            self.handles.scopes.push((op, first));
        }
        self.handles.exits.push(Vec::new());
        scope
    }

    fn scope_blocks(&mut self, scope: ScopeId, bodies: &[Region<'c>]) {
        let node = self.program.scopes[scope.index()].body;
        for body in bodies {
            for block in blocks(*body) {
                self.block(block, scope);
            }
        }
        self.program.nodes[node.index()].end = self.position;
    }

    fn make_blocks(&mut self, node: NodeId, bodies: &[Region<'c>]) {
        for body in bodies {
            for block in blocks(*body) {
                let id = BlockId::new(self.program.blocks.len());
                self.program.blocks.push(BlockFact {
                    node,
                    first: 0,
                    end: 0,
                    successors: SmallVec::new(),
                    predecessors: SmallVec::new(),
                });
                self.program.nodes[node.index()].blocks.push(id);
                self.blocks.insert(block.key(), id);
            }
        }
    }

    fn block(&mut self, block: Block<'c>, scope: ScopeId) {
        let id = self.blocks[&block.key()];
        let first = self.next();
        self.program.blocks[id.index()].first = first;
        for argument in arguments(block) {
            if is_memref(type_of(argument)) {
                let value = self.value(argument);
                // Arguments of the function are defined already.
                if self.program.values[value.index()].kind == ValueKind::Unknown {
                    self.define(value, ValueKind::Merge, id, first);
                }
                self.place_value(value, id, first);
            }
        }
        let place = Place {
            scope,
            block: id,
            mode: Mode::Flow,
        };
        for op in ops(block) {
            self.op(op, place);
        }
        self.program.blocks[id.index()].end = self.position;
    }

    fn next(&mut self) -> Position {
        let position = self.position;
        self.position = position.checked_add(1).expect("more than 2^32 operations");
        position
    }

    // Values and uses.

    fn value(&mut self, value: Val<'c>) -> ValueId {
        let next = ValueId::new(self.program.values.len());
        let id = *self.values.entry(value.key()).or_insert(next);
        if id == next {
            self.handles.values.push(value);
            self.program.values.push(ValueFact {
                kind: ValueKind::Unknown,
                sources: SmallVec::new(),
                external: false,
                block: BlockId(0),
                position: 0,
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

    fn uses(&mut self, value: ValueId, place: Place, position: Position, kind: UseKind) {
        if let Mode::Escape(reason) = place.mode {
            self.program.escapes.push((value, reason));
        }
        self.program.uses.push(Use {
            value,
            block: place.block,
            position,
            kind,
        });
    }

    fn escape(&mut self, value: ValueId, reason: Reason) {
        self.program.escapes.push((value, reason));
    }

    /// Defines the memref results of an operation as any of its memref operands, or unknown.
    fn merge_results(&mut self, op: Op<'c>, place: Place, position: Position, unknown: bool) {
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

    // Operations.

    fn op(&mut self, op: Op<'c>, place: Place) {
        let position = match place.mode {
            Mode::Flow => self.next(),
            // Inside of an operation that has the last position given out.
            _ => self.position - 1,
        };
        let info = self.names.info(op);
        let has_regions = regions(op).next().is_some();
        let ends_block = info.is_terminator() || (!info.is_registered() && is_last(op));
        if !has_regions && !ends_block && !self.concerns_memrefs(op) {
            return;
        }
        if ends_block && matches!(place.mode, Mode::Flow) {
            self.terminator(op, info, place, position);
            return;
        }
        if has_regions {
            self.with_regions(op, info, place, position);
        } else {
            self.simple(op, info, place, position);
        }
    }

    fn concerns_memrefs(&self, op: Op<'c>) -> bool {
        operands(op).any(|value| is_memref(type_of(value)))
            || results(op).any(|value| is_memref(type_of(value)))
    }

    fn memref_operands(&mut self, op: Op<'c>) -> SmallVec<[ValueId; 4]> {
        operands(op)
            .filter(|value| is_memref(type_of(*value)))
            .map(|value| self.value(value))
            .collect()
    }

    fn terminator(&mut self, op: Op<'c>, info: NameInfo, place: Place, position: Position) {
        let memrefs = self.memref_operands(op);
        let node = self.program.blocks[place.block.index()].node;
        if op.successor_count() > 0 {
            for memref in &memrefs {
                self.uses(*memref, place, position, UseKind::Forward);
            }
            for (index, successor) in successors(op).enumerate() {
                self.branch(op, info, (index, successor), place, &memrefs);
            }
            if regions(op).next().is_some() {
                let mode = Mode::Escape(Reason::UnknownEffects);
                self.nested(op, Place { mode, ..place });
            }
            return;
        }
        if self.program.nodes[node.index()].parent.is_none() {
            self.handles.exits[place.scope.index()].push(op);
            self.leave(op, place, position, &memrefs);
            return;
        }
        if is_dead_end(op) {
            return;
        }
        // Whoever opened the node has made sure that the edges are known.
        for memref in &memrefs {
            self.uses(*memref, place, position, UseKind::Forward);
        }
        let edges = flow::terminator_edges(op).unwrap_or_default();
        if let Some(parent) = memplan_mlir::ir::parent(op) {
            for successor in self.region_edges(parent, &edges) {
                let successors = &mut self.program.blocks[place.block.index()].successors;
                if !successors.contains(&successor) {
                    successors.push(successor);
                }
            }
        }
    }

    /// A terminator that leaves the scope.
    fn leave(
        &mut self,
        op: Op<'c>,
        place: Place,
        position: Position,
        memrefs: &SmallVec<[ValueId; 4]>,
    ) {
        self.program.blocks[place.block.index()]
            .successors
            .push(Successor::Exit);
        let is_function = self.program.scopes[place.scope.index()].outer.is_none();
        for memref in memrefs {
            self.uses(*memref, place, position, UseKind::Touch);
            self.escape(
                *memref,
                if is_function {
                    Reason::Returned
                } else {
                    Reason::UsedByTerminator
                },
            );
        }
        // What a terminator such as scf.reduce does inside happens after the scope's arena is freed.
        if regions(op).next().is_some() {
            let nested = Place {
                mode: Mode::Escape(Reason::UsedByTerminator),
                ..place
            };
            self.nested(op, nested);
        }
    }

    fn branch(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        (index, block): (usize, Block<'c>),
        place: Place,
        memrefs: &[ValueId],
    ) {
        let Some(target) = self.blocks.get(&block.key()).copied() else {
            return;
        };
        let successors = &mut self.program.blocks[place.block.index()].successors;
        if !successors.contains(&Successor::Block(target)) {
            successors.push(Successor::Block(target));
        }
        let branch = if info.is_branch() {
            flow::branch_operands(op, index)
        } else {
            None
        };
        for (at, argument) in arguments(block).enumerate() {
            if !is_memref(type_of(argument)) {
                continue;
            }
            let argument = self.value(argument);
            let forwarded = branch.as_ref().and_then(|branch| {
                let at = at.checked_sub(branch.produced)?;
                branch.forwarded.get(at).copied()
            });
            match forwarded {
                Some(value) if is_memref(type_of(value)) => {
                    let value = self.value(value);
                    self.source(argument, value);
                }
                _ => self.external(argument),
            }
        }
        if branch.is_none() {
            for memref in memrefs {
                self.escape(*memref, Reason::UnknownEffects);
            }
        }
    }

    /// Connects the values of region edges, and returns where control goes.
    fn region_edges(
        &mut self,
        parent: Op<'c>,
        edges: &[RegionEdge<'c>],
    ) -> SmallVec<[Successor; 2]> {
        let mut successors = SmallVec::new();
        for edge in edges {
            let entry = edge
                .region
                .and_then(|index| regions(parent).nth(index))
                .and_then(|region| blocks(region).next());
            let targets: SmallVec<[Val<'c>; 4]> = match (edge.region, entry) {
                (None, _) => results(parent).collect(),
                (Some(_), Some(block)) => arguments(block).collect(),
                // An empty region: control comes straight back.
                (Some(_), None) => SmallVec::new(),
            };
            successors.push(entry.map_or(Successor::Exit, |block| {
                Successor::Block(self.blocks[&block.key()])
            }));
            for target in targets {
                if !is_memref(type_of(target)) {
                    continue;
                }
                let from = edge.values.iter().find(|(_, to)| *to == target);
                let target = self.value(target);
                match from {
                    Some((from, _)) if is_memref(type_of(*from)) => {
                        let from = self.value(*from);
                        self.source(target, from);
                    }
                    _ => self.external(target),
                }
            }
        }
        successors
    }

    fn with_regions(&mut self, op: Op<'c>, info: NameInfo, place: Place, position: Position) {
        // Another function, or something else that uses nothing from outside.
        if info.is_isolated() {
            self.simple(op, info, place, position);
            return;
        }
        let flow = matches!(place.mode, Mode::Flow);
        if flow && self.names.runs_in_parallel(op) {
            self.parallel(op, info, place, position);
            return;
        }
        if flow && info.is_region_branch() && self.is_transparent(op) {
            self.sequential(op, place, position);
            return;
        }
        // The order inside is not known.
        let known = info.has_memory_effects() || info.has_recursive_effects();
        let mode = match place.mode {
            Mode::Escape(reason) => Mode::Escape(reason),
            _ if info.is_asynchronous => Mode::Escape(Reason::Asynchronous),
            _ if known => Mode::Opaque,
            _ => Mode::Escape(Reason::UnknownEffects),
        };
        self.simple(op, info, place, position);
        self.nested(op, Place { mode, ..place });
    }

    /// Walks what is nested in an operation without telling blocks apart.
    fn nested(&mut self, op: Op<'c>, place: Place) {
        let position = self.position - 1;
        for region in regions(op) {
            for block in blocks(region) {
                for argument in arguments(block) {
                    if is_memref(type_of(argument)) {
                        // May be anything that the operation or a block around it has got.
                        let value = self.value(argument);
                        self.define(value, ValueKind::Merge, place.block, position);
                        self.external(value);
                        for operand in self.memref_operands(op) {
                            self.source(value, operand);
                            self.escape(operand, Reason::UnknownEffects);
                        }
                    }
                }
                for nested in ops(block) {
                    if self.names.info(nested).is_terminator() {
                        // Where its operands go is not known.
                        for memref in self.memref_operands(nested) {
                            self.escape(memref, Reason::UnknownEffects);
                        }
                    }
                    self.op(nested, place);
                }
            }
        }
    }

    /// True if every way through the regions of `op` is known.
    fn is_transparent(&mut self, op: Op<'c>) -> bool {
        regions(op).flat_map(blocks).all(|block| {
            terminator(block).is_some_and(|last| {
                last.successor_count() > 0
                    || is_dead_end(last)
                    || (self.names.info(last).is_region_terminator()
                        && flow::terminator_edges(last).is_some())
            })
        }) && flow::entry_edges(op).is_some()
    }

    /// An operation whose regions run one after another, each any number of times.
    fn sequential(&mut self, op: Op<'c>, place: Place, start: Position) {
        for memref in self.memref_operands(op) {
            self.uses(memref, place, start, UseKind::Forward);
        }
        let node = NodeId::new(self.program.nodes.len());
        self.program.nodes.push(NodeFact {
            parent: Some(place.block),
            scope: place.scope,
            start,
            end: start,
            blocks: Vec::new(),
            entries: SmallVec::new(),
            passes: false,
        });
        let bodies: SmallVec<[Region<'c>; 2]> = regions(op).collect();
        self.make_blocks(node, &bodies);
        let edges = flow::entry_edges(op).unwrap_or_default();
        for successor in self.region_edges(op, &edges) {
            let fact = &mut self.program.nodes[node.index()];
            match successor {
                Successor::Block(block) => fact.entries.push(block),
                Successor::Exit => fact.passes = true,
            }
        }
        for body in bodies {
            for block in blocks(body) {
                self.block(block, place.scope);
            }
        }
        let end = self.next();
        self.program.nodes[node.index()].end = end;
        for result in results(op) {
            if is_memref(type_of(result)) {
                let value = self.value(result);
                self.define(value, ValueKind::Merge, place.block, end);
            }
        }
    }

    /// An operation whose bodies run at the same time: scopes of their own.
    fn parallel(&mut self, op: Op<'c>, info: NameInfo, place: Place, start: Position) {
        let asynchronous = info.is_asynchronous
            || results(op).any(|result| {
                let r#type = type_of(result);
                !is_memref(r#type) && is_token(r#type)
            });
        for memref in self.memref_operands(op) {
            self.uses(memref, place, start, UseKind::Touch);
            if asynchronous {
                self.escape(memref, Reason::Asynchronous);
            }
        }
        let first_use = self.program.uses.len();
        let first_value = self.program.values.len();
        let bodies: SmallVec<[Region<'c>; 1]> = regions(op)
            .filter(|body| blocks(*body).next().is_some())
            .collect();
        let mut scopes: SmallVec<[ScopeId; 1]> = SmallVec::new();
        for body in bodies {
            let outer = Outer {
                scope: place.scope,
                block: place.block,
                span: (start, start),
            };
            let scope = self.scope(op, Some(outer), &[body]);
            scopes.push(scope);
            for argument in blocks(body).next().into_iter().flat_map(arguments) {
                if is_memref(type_of(argument)) {
                    // Such as a private copy: not followed.
                    let value = self.value(argument);
                    let block = self.program.nodes[self.program.scopes[scope.index()].body.index()]
                        .entries[0];
                    self.define(value, ValueKind::Merge, block, start);
                    self.external(value);
                    for operand in self.memref_operands(op) {
                        self.source(value, operand);
                    }
                }
            }
            self.scope_blocks(scope, &[body]);
        }
        let end = self.next();
        for scope in scopes {
            if let Some(outer) = &mut self.program.scopes[scope.index()].outer {
                outer.span.1 = end;
            }
        }
        if asynchronous {
            for index in first_use..self.program.uses.len() {
                let value = self.program.uses[index].value;
                if value.index() < first_value {
                    self.escape(value, Reason::Asynchronous);
                }
            }
        }
        self.merge_results(op, place, end, true);
    }

    // Operations without control flow inside.

    fn simple(&mut self, op: Op<'c>, info: NameInfo, place: Place, position: Position) {
        if info.is_view() && self.view(op, info, place, position) {
            return;
        }
        match info.known {
            Known::Select => {
                for memref in self.memref_operands(op) {
                    self.uses(memref, place, position, UseKind::Forward);
                }
                self.merge_results(op, place, position, false);
                return;
            }
            Known::DistinctObjects => {
                self.handles.distinct.push(op);
                let memrefs = self.memref_operands(op);
                self.program.distinct.push(memrefs.to_vec());
                for (operand, result) in operands(op).zip(results(op)) {
                    let (source, value) = (self.value(operand), self.value(result));
                    self.define(value, ValueKind::View, place.block, position);
                    self.source(value, source);
                    self.uses(source, place, position, UseKind::Mention);
                }
                return;
            }
            Known::ExtractPointer => {
                return self.escapes(op, place, position, Reason::PointerExtracted);
            }
            Known::Realloc => return self.escapes(op, place, position, Reason::Reallocated),
            Known::Clone => return self.escapes(op, place, position, Reason::Cloned),
            Known::UnrealizedCast => return self.escapes(op, place, position, Reason::CastAway),
            Known::BufferizationDealloc => {
                return self.escapes(op, place, position, Reason::FreedElsewhere);
            }
            _ => {}
        }
        if info.is_call() {
            self.call(op, place, position);
            return;
        }
        let effects = if info.has_memory_effects() {
            effects(op)
        } else if info.has_recursive_effects() {
            // Those of what is nested, which is visited by itself.
            Some(SmallVec::new())
        } else {
            None
        };
        match effects {
            Some(effects) => self.with_effects(op, info, place, position, &effects),
            None if info.starts_transfer => {
                self.escapes(op, place, position, Reason::Asynchronous);
            }
            None => self.escapes(op, place, position, Reason::UnknownEffects),
        }
    }

    /// All memrefs that the operation gets or gives escape.
    fn escapes(&mut self, op: Op<'c>, place: Place, position: Position, reason: Reason) {
        for memref in self.memref_operands(op) {
            self.uses(memref, place, position, UseKind::Touch);
            self.escape(memref, reason);
        }
        self.merge_results(op, place, position, true);
    }

    fn view(&mut self, op: Op<'c>, info: NameInfo, place: Place, position: Position) -> bool {
        let Some(source) = calls::view_source(op).filter(|source| is_memref(type_of(*source)))
        else {
            return false;
        };
        let source_id = self.value(source);
        self.uses(source_id, place, position, UseKind::Mention);
        for operand in operands(op) {
            if is_memref(type_of(operand)) && operand != source {
                // Such as the shape that memref.reshape reads.
                let operand = self.value(operand);
                self.uses(operand, place, position, UseKind::Touch);
            }
        }
        if info.known == Known::AssumeAlignment
            && let Some(alignment) = build::integer(op, "alignment")
            && alignment > 0
        {
            self.program
                .alignments
                .push((source_id, (alignment as u64).next_power_of_two()));
        }
        for result in results(op) {
            let r#type = type_of(result);
            if is_memref(r#type) {
                let value = self.value(result);
                self.define(value, ValueKind::View, place.block, position);
                self.source(value, source_id);
                // Other elements in the same bytes: aligned if the allocation is.
                let alignment = self.layout.element_alignment(r#type);
                if alignment > self.layout.element_alignment(type_of(source)) {
                    self.program.alignments.push((source_id, alignment));
                }
            } else if !is_plain_data(r#type) {
                self.escape(source_id, Reason::CastAway);
            }
        }
        true
    }

    fn call(&mut self, op: Op<'c>, place: Place, position: Position) {
        let arguments = calls::call_arguments(op).unwrap_or(0..0);
        let opaque_result = results(op).any(|result| {
            let r#type = type_of(result);
            !is_memref(r#type) && !is_plain_data(r#type)
        });
        for (index, operand) in operands(op).enumerate() {
            if !is_memref(type_of(operand)) {
                continue;
            }
            let value = self.value(operand);
            self.uses(value, place, position, UseKind::Touch);
            if opaque_result {
                self.escape(value, Reason::CastAway);
            }
            let policy = if arguments.contains(&index) {
                self.callees.policy(op, index - arguments.start)
            } else {
                CallPolicy::Indirect
            };
            match policy {
                CallPolicy::Borrows => {}
                CallPolicy::Keeps => self.escape(value, Reason::KeptByCallee),
                CallPolicy::Unseen => self.escape(value, Reason::CalleeUnseen),
                CallPolicy::Indirect => self.escape(value, Reason::IndirectCall),
            }
        }
        self.merge_results(op, place, position, true);
    }

    fn with_effects(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        place: Place,
        position: Position,
        effects: &[Effect<'c>],
    ) {
        let on = |value: Val<'c>, kind: EffectKind| {
            effects
                .iter()
                .any(|effect| effect.kind == kind && effect.value == Some(value))
        };
        for result in results(op) {
            if !is_memref(type_of(result)) {
                continue;
            }
            let value = self.value(result);
            if on(result, EffectKind::Allocate) {
                self.allocation(op, info, result, value, place, position, effects);
            }
        }
        // Somewhere that a pointer could be kept: unnamed memory, or memory that holds more than
        // plain data.
        let could_keep = effects.iter().any(|effect| {
            effect.kind == EffectKind::Write
                && effect
                    .value
                    .is_none_or(|value| !holds_plain_data(type_of(value)))
        });
        let opaque_result = results(op).any(|result| {
            let r#type = type_of(result);
            !is_memref(r#type) && !is_plain_data(r#type)
        });
        let asynchronous =
            info.starts_transfer || results(op).any(|result| is_token(type_of(result)));
        for operand in operands(op) {
            if !is_memref(type_of(operand)) {
                continue;
            }
            let value = self.value(operand);
            if on(operand, EffectKind::Free) {
                if info.known == Known::Dealloc {
                    self.program.deallocs.push(DeallocFact { value });
                    self.handles.deallocs.push(op);
                    if let Mode::Escape(reason) = place.mode {
                        self.escape(value, reason);
                    }
                } else {
                    self.uses(value, place, position, UseKind::Touch);
                    self.escape(value, Reason::FreedElsewhere);
                }
                continue;
            }
            let touched = on(operand, EffectKind::Read) || on(operand, EffectKind::Write);
            let kind = if touched {
                UseKind::Touch
            } else {
                UseKind::Forward
            };
            self.uses(value, place, position, kind);
            if asynchronous {
                self.escape(value, Reason::Asynchronous);
            } else if opaque_result {
                self.escape(value, Reason::CastAway);
            } else if !touched && could_keep {
                self.escape(value, Reason::Stored);
            }
        }
        // Other memref results: one of the operands, or something read from memory.
        for result in results(op) {
            if is_memref(type_of(result)) && !on(result, EffectKind::Allocate) {
                let value = self.value(result);
                self.define(value, ValueKind::Merge, place.block, position);
                self.external(value);
                for operand in self.memref_operands(op) {
                    self.source(value, operand);
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn allocation(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        result: Val<'c>,
        value: ValueId,
        place: Place,
        position: Position,
        effects: &[Effect<'c>],
    ) {
        let automatic = effects.iter().any(|effect| {
            effect.kind == EffectKind::Allocate
                && effect.value == Some(result)
                && effect.automatic_scope
        });
        // Stack memory, and arenas made before, are memory like any other.
        if automatic || op.has_attribute(ARENA) {
            self.define(value, ValueKind::Unknown, place.block, position);
            return;
        }
        let buffer = BufferId::new(self.program.buffers.len());
        let extent = self.layout.extent(type_of(result));
        let skip = if info.known != Known::Alloc {
            Some(Reason::OtherAllocator)
        } else if op.has_attribute(MANUAL_DEALLOCATION) {
            Some(Reason::Manual)
        } else if let Err(no_size) = extent {
            Some(no_size.into())
        } else if op.operand_count() > 0 {
            Some(Reason::DynamicSize)
        } else {
            match place.mode {
                Mode::Flow => None,
                Mode::Opaque => Some(Reason::OpaqueRegion),
                Mode::Escape(reason) => Some(reason),
            }
        };
        let wanted = build::integer(op, "alignment").unwrap_or(1).max(1) as u64;
        let natural = extent.map_or(1, |extent| extent.alignment);
        self.define(value, ValueKind::Alloc(buffer), place.block, position);
        self.program.buffers.push(BufferFact {
            value,
            scope: place.scope,
            block: place.block,
            position,
            size: extent.map_or(0, |extent| extent.size),
            alignment: wanted.next_power_of_two().max(natural),
            skip,
        });
        self.handles.buffers.push(op);
    }
}

/// True if a memref's elements cannot hold a pointer to memory.
fn holds_plain_data(memref: Type<'_>) -> bool {
    use memplan_mlir::melior::ir::r#type::{MemRefType, ShapedTypeLike};
    MemRefType::try_from(memref).is_ok_and(|memref| is_plain_data(memref.element()))
}

/// Tokens of asynchronous operations.
fn is_token(r#type: Type<'_>) -> bool {
    !is_memref(r#type) && !is_plain_data(r#type) && r#type.to_string().contains("token")
}
