//! A function's IR into segments, edges and values that refer to memory.
//!
//! Each block is cut behind each operation that control enters regions of. Views are what they are a
//! view of. What holds on to memory without being a memref (a token, a pointer) is a value of its own,
//! which may be any of what it was made from, as far as it can be followed.

use super::{
    error::{Trouble, What},
    kinds::{Freeing, freeing},
};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    calls,
    effects::{EffectKind, effects},
    flow::{self, RegionEdge},
    ir::{
        Block, Identity, Key, Op, Region, Val, arguments, blocks, is_memref, is_plain_data,
        operands, ops, regions, results, successors, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
    names::{Known, NameInfo, Names},
};
use memplan_ownership::function::{
    Edge, EdgeId, Function, Kind, RegionId, Room, Segment, SegmentId, Step, Value, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// How an edge stands in the IR.
#[derive(Clone, Copy)]
pub enum Way<'c> {
    /// To a successor of a branch.
    Branch(Op<'c>, usize),
    /// From an operation into its regions, or past them.
    Enter(Op<'c>),
    /// From the end of a region to a region of the same operation, or behind it.
    Yield(Op<'c>),
    /// Out of the function.
    Return(Op<'c>),
}

/// Where a segment starts.
#[derive(Clone, Copy)]
pub enum Start<'c> {
    /// With a block.
    Block(Block<'c>),
    /// Behind an operation with regions.
    Behind(Op<'c>),
}

/// A function as data, and the IR behind it.
pub struct Reading<'c> {
    /// As data.
    pub function: Function,
    /// For each segment, where it starts.
    pub starts: Vec<Start<'c>>,
    /// For each segment, the operations that are its steps.
    pub steps: Vec<Vec<Op<'c>>>,
    /// For each edge, what it is.
    pub ways: Vec<Way<'c>>,
    /// For each value, the memref, or what holds on to one; `None` for what has no value.
    pub values: Vec<Option<Val<'c>>>,
    /// How the memory of each new value is given back.
    pub freeing: FxHashMap<ValueId, Freeing>,
    /// Deallocations of memory that the function has to free: they go.
    pub dropped: Vec<Op<'c>>,
    /// There is a `bufferization.dealloc`: who frees what was decided before.
    pub is_done: bool,
    /// Values that the function made, but does not free, and why.
    pub given_away: Vec<(ValueId, Op<'c>)>,
}

impl<'c> Reading<'c> {
    /// Code would have to stand on an edge.
    pub fn trouble_at(&self, edge: EdgeId) -> Trouble<'c> {
        let (Way::Branch(op, _) | Way::Enter(op) | Way::Yield(op) | Way::Return(op)) =
            self.ways[edge.index()];
        Trouble {
            op,
            what: What::NoPlace,
        }
    }
}

/// Reads a function.
pub fn read<'c>(body: Region<'c>, names: &mut Names) -> Result<Reading<'c>, Trouble<'c>> {
    let mut reader = Reader {
        names,
        reading: Reading {
            function: Function {
                regions: vec![None],
                ..Function::default()
            },
            starts: Vec::new(),
            steps: Vec::new(),
            ways: Vec::new(),
            values: Vec::new(),
            freeing: FxHashMap::default(),
            dropped: Vec::new(),
            is_done: false,
            given_away: Vec::new(),
        },
        ids: FxHashMap::default(),
        blocks: FxHashMap::default(),
        elsewhere: ValueId(0),
        touching: FxHashSet::default(),
        frees: Vec::new(),
        loaded: Vec::new(),
        stored: Vec::new(),
        escapes: Vec::new(),
        incoming: Vec::new(),
        trouble: None,
    };
    reader.function(body);
    match reader.trouble {
        Some(trouble) => Err(trouble),
        None => Ok(reader.reading),
    }
}

/// Where control goes at the end of a region.
#[derive(Clone, Copy)]
struct Around<'c> {
    op: Op<'c>,
    next: SegmentId,
    /// Regions run one after another, as the interfaces say; else in any order, any number of times.
    is_known: bool,
}

struct Reader<'c, 'n> {
    names: &'n mut Names,
    reading: Reading<'c>,
    ids: FxHashMap<Key, ValueId>,
    blocks: FxHashMap<Key, SegmentId>,
    /// Memory that is not followed.
    elsewhere: ValueId,
    /// Operations with regions that touch memrefs.
    touching: FxHashSet<Key>,
    /// Deallocations, and what they free.
    frees: Vec<(Op<'c>, ValueId)>,
    /// Values that are loaded from memory.
    loaded: Vec<ValueId>,
    /// Values that are stored in memory.
    stored: Vec<ValueId>,
    /// Values whose memory is out of the function's hands, and where.
    escapes: Vec<(ValueId, Op<'c>)>,
    /// The edges into each segment, at the end.
    incoming: Vec<SmallVec<[EdgeId; 2]>>,
    trouble: Option<Trouble<'c>>,
}

impl<'c> Reader<'c, '_> {
    fn function(&mut self, body: Region<'c>) {
        self.scan(body);
        self.elsewhere = self.value(Kind::Foreign, SegmentId(0), None, None);
        self.make_blocks(body, RegionId(0), None);
        self.region(body, RegionId(0), None);
        let Some(entry) = blocks(body).next() else {
            return;
        };
        debug_assert_eq!(self.blocks[&entry.key()], SegmentId(0));
        self.settle();
    }

    fn fails(&mut self, op: Op<'c>, what: What) {
        self.trouble.get_or_insert(Trouble { op, what });
    }

    /// Notes which operations hold others that touch memrefs.
    fn scan(&mut self, region: Region<'c>) -> bool {
        let mut touches = false;
        for block in blocks(region) {
            touches |= arguments(block).any(|argument| is_memref(type_of(argument)));
            for op in ops(block) {
                let mut inside = false;
                if regions(op).next().is_some() && !self.is_apart(op) {
                    for region in regions(op) {
                        inside |= self.scan(region);
                    }
                    if inside {
                        self.touching.insert(op.key());
                    }
                }
                touches |= inside
                    || operands(op).any(|operand| is_memref(type_of(operand)))
                    || results(op).any(|result| is_memref(type_of(result)));
            }
        }
        touches
    }

    /// A function or module of its own.
    fn is_apart(&mut self, op: Op<'c>) -> bool {
        let info = self.names.info(op);
        info.is_function() || info.is_symbol_table()
    }

    fn value(
        &mut self,
        kind: Kind,
        segment: SegmentId,
        step: Option<Step>,
        val: Option<Val<'c>>,
    ) -> ValueId {
        let function = &mut self.reading.function;
        let id = ValueId::new(function.values.len());
        if kind == Kind::Param {
            function.segments[segment.index()].params.push(id);
        }
        function.values.push(Value {
            kind,
            segment,
            step,
        });
        self.reading.values.push(val);
        if let Some(val) = val {
            self.ids.insert(val.key(), id);
        }
        id
    }

    fn segment(&mut self, region: RegionId, start: Start<'c>) -> SegmentId {
        let segments = &mut self.reading.function.segments;
        segments.push(Segment {
            region: Some(region),
            ..Segment::default()
        });
        self.reading.starts.push(start);
        self.reading.steps.push(Vec::new());
        SegmentId::new(self.reading.starts.len() - 1)
    }

    fn step(&mut self, segment: SegmentId, op: Op<'c>) -> Step {
        let steps = &mut self.reading.function.segments[segment.index()].steps;
        *steps += 1;
        self.reading.steps[segment.index()].push(op);
        *steps - 1
    }

    fn uses(&mut self, segment: SegmentId, step: Step, value: ValueId) {
        let uses = &mut self.reading.function.segments[segment.index()].uses;
        if uses.last() != Some(&(step, value)) {
            uses.push((step, value));
        }
    }

    /// The value behind one of the IR, if it refers to memory; a memref that was not come across is
    /// memory that is not followed.
    fn id(&self, val: Val<'c>) -> Option<ValueId> {
        match self.ids.get(&val.key()) {
            Some(id) => Some(*id),
            None => is_memref(type_of(val)).then_some(self.elsewhere),
        }
    }

    fn ids(&self, op: Op<'c>) -> SmallVec<[ValueId; 4]> {
        let mut all: SmallVec<[ValueId; 4]> = SmallVec::new();
        for id in operands(op).filter_map(|operand| self.id(operand)) {
            if !all.contains(&id) {
                all.push(id);
            }
        }
        all
    }

    fn edge(
        &mut self,
        from: SegmentId,
        to: Option<SegmentId>,
        passed: Vec<Option<ValueId>>,
        room: Room,
        way: Way<'c>,
    ) {
        let function = &mut self.reading.function;
        let edge = EdgeId::new(function.edges.len());
        function.edges.push(Edge {
            from,
            to,
            passed,
            room,
        });
        function.segments[from.index()].edges.push(edge);
        self.reading.ways.push(way);
    }

    /// Segments for the blocks of a region.
    fn make_blocks(&mut self, region: Region<'c>, id: RegionId, around: Option<Around<'c>>) {
        for (number, block) in blocks(region).enumerate() {
            let segment = self.segment(id, Start::Block(block));
            self.blocks.insert(block.key(), segment);
            for argument in arguments(block).filter(|argument| is_memref(type_of(*argument))) {
                let passed = number > 0 || around.is_some_and(|around| around.is_known);
                let kind = if passed { Kind::Param } else { Kind::Foreign };
                self.value(kind, segment, None, Some(argument));
            }
        }
    }

    /// What the blocks of a region hold.
    fn region(&mut self, region: Region<'c>, id: RegionId, around: Option<Around<'c>>) {
        for block in blocks(region) {
            let mut segment = self.blocks[&block.key()];
            for op in ops(block) {
                segment = self.op(op, segment, id, around);
            }
        }
    }

    /// An operation; the segment behind it.
    fn op(
        &mut self,
        op: Op<'c>,
        segment: SegmentId,
        region: RegionId,
        around: Option<Around<'c>>,
    ) -> SegmentId {
        let info = self.names.info(op);
        let step = self.step(segment, op);
        let is_last = memplan_mlir::ir::next_in_block(op).is_none();
        if self.touching.contains(&op.key()) {
            if is_last && (info.is_terminator() || op.successor_count() > 0) {
                self.fails(op, What::Terminator);
                return segment;
            }
            return self.with_regions(op, info, segment, step, region);
        }
        if is_last && (info.is_terminator() || !info.is_registered() || op.successor_count() > 0) {
            self.terminator(op, info, segment, step, around);
        } else {
            self.simple(op, info, segment, step);
        }
        segment
    }

    /// An operation with regions that touch memrefs.
    fn with_regions(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        step: Step,
        outer: RegionId,
    ) -> SegmentId {
        let is_known = info.is_region_branch() && self.is_known(op);
        let next = self.segment(outer, Start::Behind(op));
        let around = Around { op, next, is_known };
        for result in results(op).filter(|result| is_memref(type_of(*result))) {
            let kind = if is_known { Kind::Param } else { Kind::Foreign };
            self.value(kind, next, None, Some(result));
        }
        let first_user = self.reading.function.segments.len();
        let mut bodies: SmallVec<[(Region<'c>, RegionId); 2]> = SmallVec::new();
        for region in regions(op) {
            self.reading.function.regions.push(Some(outer));
            let id = RegionId::new(self.reading.function.regions.len() - 1);
            self.make_blocks(region, id, Some(around));
            bodies.push((region, id));
        }
        for (region, id) in bodies {
            self.region(region, id, Some(around));
        }
        // What it uses itself, it may use as long as it runs.
        let edges = if is_known {
            flow::entry_edges(op).unwrap_or_default()
        } else {
            Vec::new()
        };
        let forwarded: FxHashSet<Key> = edges
            .iter()
            .flat_map(|edge| edge.values.iter().map(|(from, _)| from.key()))
            .collect();
        for operand in operands(op) {
            if let Some(id) = self.id(operand)
                && (!forwarded.contains(&operand.key()) || !is_known)
            {
                self.uses(segment, step, id);
                self.reading.function.kept.push((next, id));
            }
        }
        if info.is_asynchronous {
            self.asynchronous(op, first_user, next);
        }
        if is_known {
            self.region_edges(segment, op, &edges, next, Way::Enter(op));
        } else {
            self.enter_all(segment, op, next, Way::Enter(op));
        }
        next
    }

    /// Into any region, and past all.
    fn enter_all(&mut self, from: SegmentId, op: Op<'c>, next: SegmentId, way: Way<'c>) {
        let entries: SmallVec<[SegmentId; 2]> = regions(op)
            .filter_map(|region| blocks(region).next())
            .map(|entry| self.blocks[&entry.key()])
            .collect();
        for entry in entries {
            self.edge(from, Some(entry), Vec::new(), Room::None, way);
        }
        self.edge(from, Some(next), Vec::new(), Room::None, way);
    }

    /// Are all ways through the regions known?
    fn is_known(&mut self, op: Op<'c>) -> bool {
        flow::entry_edges(op).is_some()
            && regions(op).flat_map(blocks).all(|block| {
                terminator(block).is_some_and(|last| {
                    last.successor_count() > 0
                        || self.is_dead_end(last)
                        || (self.names.info(last).is_region_terminator()
                            && flow::terminator_edges(last).is_some())
                })
            })
    }

    fn is_dead_end(&mut self, op: Op<'c>) -> bool {
        matches!(
            self.names.info(op).known,
            Known::Unreachable | Known::LlvmUnreachable
        )
    }

    /// Edges between an operation and its regions.
    fn region_edges(
        &mut self,
        from: SegmentId,
        op: Op<'c>,
        edges: &[RegionEdge<'c>],
        next: SegmentId,
        way: Way<'c>,
    ) {
        let empty_else = matches!(self.names.info(op).known, Known::ScfIf | Known::AffineIf)
            && results(op).next().is_none()
            && regions(op)
                .nth(1)
                .is_some_and(|region| blocks(region).next().is_none());
        for edge in edges {
            let entry = edge
                .region
                .and_then(|index| regions(op).nth(index))
                .and_then(|region| blocks(region).next());
            let to = entry.map_or(next, |entry| self.blocks[&entry.key()]);
            let room = if to == next && empty_else && matches!(way, Way::Enter(_)) {
                Room::Split
            } else {
                Room::None
            };
            let params = self.reading.function.segments[to.index()].params.clone();
            let passed = params
                .iter()
                .map(|param| {
                    let val = self.reading.values[param.index()]?;
                    let (from, _) = edge.values.iter().find(|(_, to)| *to == val)?;
                    self.id(*from)
                })
                .collect();
            self.edge(from, Some(to), passed, room, way);
        }
    }

    /// The last operation of a block.
    fn terminator(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        step: Step,
        around: Option<Around<'c>>,
    ) {
        if op.successor_count() > 0 {
            self.branch(op, info, segment, step);
            return;
        }
        if self.is_dead_end(op) {
            return;
        }
        match around {
            None => {
                let passed: Vec<Option<ValueId>> = operands(op)
                    .filter(|operand| is_memref(type_of(*operand)))
                    .map(|operand| self.id(operand))
                    .collect();
                self.carriers_escape(op);
                self.edge(segment, None, passed, Room::None, Way::Return(op));
            }
            Some(around) if around.is_known => {
                self.carriers_escape(op);
                let edges = flow::terminator_edges(op).unwrap_or_default();
                let forwarded: FxHashSet<Key> = edges
                    .iter()
                    .flat_map(|edge| edge.values.iter().map(|(from, _)| from.key()))
                    .collect();
                for operand in operands(op) {
                    if is_memref(type_of(operand)) && !forwarded.contains(&operand.key()) {
                        self.fails(op, What::Terminator);
                    }
                }
                self.region_edges(segment, around.op, &edges, around.next, Way::Yield(op));
            }
            Some(around) => {
                if operands(op).any(|operand| is_memref(type_of(operand))) {
                    self.fails(op, What::Terminator);
                }
                self.enter_all(segment, around.op, around.next, Way::Yield(op));
            }
        }
    }

    fn branch(&mut self, op: Op<'c>, info: NameInfo, segment: SegmentId, step: Step) {
        let mut forwarded: FxHashSet<Key> = FxHashSet::default();
        for (index, successor) in successors(op).enumerate() {
            let branch = if info.is_branch() {
                flow::branch_operands(op, index)
            } else {
                None
            };
            if branch.is_none() && operands(op).any(|operand| self.id(operand).is_some()) {
                self.fails(op, What::Terminator);
                return;
            }
            let to = self.blocks[&successor.key()];
            let mut passed = Vec::new();
            for (at, argument) in arguments(successor).enumerate() {
                let from = branch.as_ref().and_then(|branch| {
                    let at = at.checked_sub(branch.produced)?;
                    branch.forwarded.get(at).copied()
                });
                if let Some(from) = from {
                    forwarded.insert(from.key());
                    if !is_memref(type_of(from))
                        && let Some(id) = self.id(from)
                    {
                        self.escapes.push((id, op));
                    }
                }
                if is_memref(type_of(argument)) {
                    passed.push(from.and_then(|from| self.id(from)));
                }
            }
            self.edge(
                segment,
                Some(to),
                passed,
                Room::Split,
                Way::Branch(op, index),
            );
        }
        for operand in operands(op) {
            if let Some(id) = self.id(operand)
                && !forwarded.contains(&operand.key())
            {
                self.uses(segment, step, id);
            }
        }
    }

    /// What holds on to memory without being a memref is not followed over edges.
    fn carriers_escape(&mut self, op: Op<'c>) {
        for operand in operands(op) {
            if !is_memref(type_of(operand))
                && let Some(id) = self.id(operand)
            {
                self.escapes.push((id, op));
            }
        }
    }

    /// What an asynchronous operation uses is used until it is waited for: in the block of the operation
    /// itself, or it is never known to end.
    fn asynchronous(&mut self, op: Op<'c>, first: usize, next: SegmentId) {
        let mut used: SmallVec<[ValueId; 2]> = SmallVec::new();
        for segment in &self.reading.function.segments[first..] {
            for (_, value) in &segment.uses {
                let is_outer = self.reading.function.values[value.index()].segment.index() < first;
                if is_outer && !used.contains(value) {
                    used.push(*value);
                }
            }
        }
        self.held_until_awaited(op, &used, next, None);
    }

    fn held_until_awaited(
        &mut self,
        op: Op<'c>,
        used: &[ValueId],
        segment: SegmentId,
        step: Option<Step>,
    ) {
        if used.is_empty() {
            return;
        }
        let mut waits = false;
        for result in results(op).filter(|result| !is_memref(type_of(*result))) {
            let here = |user: Op<'c>| {
                memplan_mlir::ir::parent_block(user).map(|block| block.key())
                    == memplan_mlir::ir::parent_block(op).map(|block| block.key())
            };
            for user in memplan_mlir::ir::users(result) {
                let known = self.names.info(user).known;
                waits |= here(user) && matches!(known, Known::AsyncAwait | Known::GpuWait);
            }
            self.value(
                Kind::Any(used.iter().copied().collect()),
                segment,
                step,
                Some(result),
            );
        }
        if !waits {
            for value in used {
                self.escapes.push((*value, op));
            }
        }
    }

    /// An operation without regions that touch memrefs.
    fn simple(&mut self, op: Op<'c>, info: NameInfo, segment: SegmentId, step: Step) {
        let used = self.ids(op);
        let has_memrefs = results(op).any(|result| is_memref(type_of(result)));
        if used.is_empty() && !has_memrefs {
            return;
        }
        if info.is_view()
            && let Some(source) = calls::view_source(op)
            && let Some(source) = self.id(source)
        {
            for result in results(op).filter(|result| is_memref(type_of(*result))) {
                self.ids.insert(result.key(), source);
            }
            return;
        }
        match info.known {
            Known::Select => {
                if let Some(result) = results(op).next() {
                    self.value(
                        Kind::Any(used.into_iter().collect()),
                        segment,
                        Some(step),
                        Some(result),
                    );
                }
                return;
            }
            Known::DistinctObjects => {
                for (operand, result) in operands(op).zip(results(op)) {
                    if let Some(id) = self.id(operand) {
                        self.ids.insert(result.key(), id);
                    }
                }
                return;
            }
            Known::Realloc => return self.fails(op, What::Realloc),
            Known::BufferizationDealloc => {
                self.reading.is_done = true;
                return;
            }
            Known::Dim => return,
            _ => {}
        }
        let declared = effects(op);
        if declared.is_none() && !info.has_recursive_effects() && !info.is_call() && !info.is_view()
        {
            return self.fails(op, What::UnknownEffects);
        }
        let declared = declared.unwrap_or_default();
        for value in &used {
            self.uses(segment, step, *value);
        }
        let on = |val: Val<'c>, kind: EffectKind| {
            declared
                .iter()
                .any(|effect| effect.kind == kind && effect.value == Some(val))
        };
        for operand in operands(op) {
            if on(operand, EffectKind::Free)
                && let Some(id) = self.id(operand)
            {
                self.frees.push((op, id));
            }
        }
        self.stores(op, info, &declared);
        self.results(op, info, segment, step, &used, &declared);
        if info.starts_transfer {
            for value in &used {
                self.escapes.push((*value, op));
            }
        }
    }

    /// A memref that is written to memory.
    fn stores(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        effects: &[memplan_mlir::effects::Effect<'c>],
    ) {
        if info.is_call()
            || !effects
                .iter()
                .any(|effect| effect.kind == EffectKind::Write)
        {
            return;
        }
        for operand in operands(op) {
            let named = effects.iter().any(|effect| effect.value == Some(operand));
            let unnamed = effects.iter().any(|effect| effect.value.is_none());
            if let Some(id) = self.id(operand)
                && !named
                && !unnamed
            {
                self.stored.push(id);
                self.escapes.push((id, op));
            }
        }
    }

    fn results(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        step: Step,
        used: &[ValueId],
        effects: &[memplan_mlir::effects::Effect<'c>],
    ) {
        let mut first = None;
        let memref_operands = operands(op).any(|operand| is_memref(type_of(operand)));
        let holds = matches!(info.known, Known::ExtractPointer | Known::UnrealizedCast);
        let mut tokens = false;
        for result in results(op) {
            if !is_memref(type_of(result)) {
                let carried = operands(op).any(|operand| {
                    !is_memref(type_of(operand)) && self.ids.contains_key(&operand.key())
                });
                if holds || (carried && !info.is_call()) {
                    let sources: SmallVec<[ValueId; 2]> = used.iter().copied().collect();
                    if !sources.is_empty() {
                        self.value(Kind::Any(sources), segment, Some(step), Some(result));
                    }
                } else if !is_plain_data(type_of(result)) && !used.is_empty() {
                    tokens = true;
                }
                continue;
            }
            let allocation = effects
                .iter()
                .find(|effect| effect.kind == EffectKind::Allocate && effect.value == Some(result));
            let kind = if let Some(allocation) = allocation {
                let owned = !allocation.automatic_scope && !op.has_attribute(MANUAL_DEALLOCATION);
                Kind::Fresh {
                    owned,
                    same_as: None,
                }
            } else if info.is_call() {
                Kind::Fresh {
                    owned: true,
                    same_as: first,
                }
            } else if holds || memref_operands && !matches!(info.known, Known::Load) {
                let mut sources: SmallVec<[ValueId; 2]> = used.iter().copied().collect();
                if !holds {
                    sources.push(self.elsewhere);
                }
                Kind::Any(sources)
            } else {
                Kind::Foreign
            };
            let is_loaded = kind == Kind::Foreign && !used.is_empty();
            let is_new = matches!(kind, Kind::Fresh { .. });
            let id = self.value(kind, segment, Some(step), Some(result));
            if is_loaded {
                self.loaded.push(id);
            }
            if is_new {
                first.get_or_insert(id);
                self.reading.freeing.insert(id, freeing(op, info));
            }
        }
        if tokens {
            self.held_until_awaited(op, used, segment, Some(step));
        }
    }

    /// What is known only when all has been read: loads may give what is stored; what is out of the
    /// function's hands is not freed; and deallocations of what it frees go.
    fn settle(&mut self) {
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
