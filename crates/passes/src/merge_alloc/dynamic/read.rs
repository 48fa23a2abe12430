//! Sizes that only the run knows: what they are made of, from where on they can be computed, and
//! when they count.

use memplan_lifetimes::{
    Analysis, Reason,
    live::Ranges,
    program::{
        BlockId, BufferId, NodeId, Position, Program, ScopeId, Successor, ValueId, ValueKind,
    },
};
use memplan_mlir::{
    flow,
    ir::{
        Block, Identity, Key, Op, Origin, Val, block_parent, operands, ops, origin, parent,
        parent_block, regions, results, terminator, type_of,
    },
    layout::memory_space,
    melior::ir::{Location, operation::OperationLike},
    names::{Known, Names},
    values,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A dimension: an index value, one for all that are proven to be equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DimId(pub u32);

/// A block that arenas may stand in: the first one of a scope, or the only one of a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SiteId(pub u32);

/// A condition, one for all that are the same value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GuardId(pub u32);

/// A size in bytes: a constant times dimensions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// The constant.
    pub bytes: u64,
    /// The dimensions, sorted.
    pub dims: SmallVec<[DimId; 2]>,
}

impl Size {
    /// For people: `16*d0*d1`.
    pub fn text(&self) -> String {
        let mut text = self.bytes.to_string();
        for dim in &self.dims {
            text += &format!("*d{}", dim.0);
        }
        text
    }
}

/// A place in a site: that of an operation there. What is ready at n can be
/// computed in front of operation n.
pub type Place = u32;

/// Cannot be computed in the site.
pub const NEVER: Place = Place::MAX;

/// Held until the scope ends.
pub const TO_THE_END: Position = Position::MAX;

/// An allocation with a size that only the run knows.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Which one.
    pub buffer: BufferId,
    /// When it is live.
    pub live: Ranges,
    /// Alignment in bytes.
    pub alignment: u64,
    /// Its size.
    pub size: Size,
    /// Where its arena would stand.
    pub site: SiteId,
    /// The positions of the site, within which the arena is held.
    pub range: (Position, Position),
    /// The operation of the site that it is, or is in.
    pub at: Place,
    /// From where on its size can be computed.
    pub ready: Place,
    /// It runs only if these hold, sorted.
    pub guards: SmallVec<[(GuardId, bool); 1]>,
    /// From where on they can be computed.
    pub guards_ready: Place,
    /// It runs in every run of the site in which the guards hold.
    pub certain: bool,
    /// May run more than once.
    pub repeats: bool,
    /// Positions between which the program holds it for certain, if it runs.
    pub held: (Position, Position),
}

/// The candidates of a scope and memory space, and what stands beside them.
#[derive(Clone, Debug, Default)]
pub struct Company {
    /// The scope.
    pub scope: Option<ScopeId>,
    /// The memory space.
    pub space: String,
    /// In the order of the text.
    pub candidates: Vec<Candidate>,
    /// The operation of the scope's site that is, or holds, the first allocation of known size.
    pub first_static: Option<Place>,
    /// Allocations that are left alone: the last start and the first end of their being held.
    pub alone: (Position, Position),
}

/// What is known of two dimensions, and of one.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Pairs that are proven to be in this order.
    pub at_most: std::collections::BTreeSet<(DimId, DimId)>,
    /// Constant bounds, both included.
    pub constant: Vec<(Option<u64>, Option<u64>)>,
}

/// A condition in the IR.
#[derive(Clone, Copy)]
pub enum Condition<'c> {
    /// An `i1`.
    Value(Val<'c>),
    /// A loop runs: lower bound below upper bound; unsigned?
    Runs(Val<'c>, Val<'c>, bool),
}

/// The IR behind the ids.
#[derive(Default)]
pub struct Sources<'c> {
    /// Dimensions: the value that is ready first.
    pub dims: Vec<Val<'c>>,
    /// Conditions.
    pub guards: Vec<Condition<'c>>,
    /// The dimensions of each candidate's type, in its order.
    pub operands: FxHashMap<BufferId, Vec<DimId>>,
    /// Sites.
    pub sites: Vec<Site<'c>>,
    /// How many sites each candidate has to choose from.
    pub depths: FxHashMap<BufferId, usize>,
}

/// A block that arenas may stand in.
pub struct Site<'c> {
    /// It.
    pub block: Block<'c>,
    /// The operation that it is in.
    owner: Op<'c>,
    /// Where arenas are freed; for the first block of a scope, on the scope's exits.
    pub exit: Option<Op<'c>>,
    /// Its operations.
    pub ops: Vec<Op<'c>>,
    /// Their places.
    pub places: FxHashMap<Key, Place>,
}

impl<'c> Site<'c> {
    /// Where the operation around it is.
    pub fn location(&self) -> Location<'c> {
        self.owner.location()
    }

    /// Is an operation in the operation around it?
    pub fn holds(&self, op: Op<'c>) -> bool {
        let mut at = parent(op);
        while let Some(op) = at {
            if op.key() == self.owner.key() {
                return true;
            }
            at = parent(op);
        }
        false
    }
}

/// All facts.
#[derive(Default)]
pub struct Facts {
    /// Scopes and memory spaces with candidates, in the order of the text.
    pub companies: Vec<Company>,
    /// Relations of dimensions.
    pub bounds: Bounds,
}

/// What is known of the function's values, whatever is planned; kept from one reading to the next.
#[derive(Default)]
pub struct Learnt<'c> {
    readiness: FxHashMap<(SiteId, Key), Place>,
    dims: FxHashMap<(SiteId, Key), DimId>,
    dims_of: FxHashMap<SiteId, Vec<DimId>>,
    sites: FxHashMap<Key, SiteId>,
    dim_ready: Vec<Place>,
    guards: FxHashMap<(Key, Key, bool), GuardId>,
    certain_blocks: FxHashMap<NodeId, FxHashSet<BlockId>>,
    compared: FxHashMap<(DimId, DimId), bool>,
    constant: Vec<(Option<u64>, Option<u64>)>,
    queries: usize,
    /// The IR behind the ids.
    pub sources: Sources<'c>,
}

/// Dimensions beyond this number are only equal to themselves: comparing takes a query a pair.
const MOST_COMPARED: usize = 24;

/// So many queries are made of one function; then dimensions are only equal to themselves. One takes
/// some tens of microseconds.
const MOST_QUERIES: usize = 20_000;

/// Deeper computations of sizes are not looked through.
const DEEPEST: usize = 64;

/// Reads the facts of a function; none where nothing has such a size. The arena of an allocation may
/// stand in the first block of its scope, or, for each of its `levels`, further inside.
pub fn read<'c>(
    analysis: &Analysis<'c>,
    names: &mut Names,
    levels: &FxHashMap<BufferId, usize>,
    learnt: &mut Learnt<'c>,
) -> Facts {
    let dynamic = |buffer: BufferId| analysis.program.buffers[buffer.index()].dynamic.is_some();
    let mut facts = Facts::default();
    if !analysis.plannable.iter().any(|one| dynamic(one.buffer)) {
        return facts;
    }
    let mut reader = Reader {
        analysis,
        names,
        learnt,
        merges: merges(analysis),
    };
    let held = held(analysis);
    let mut companies: FxHashMap<(ScopeId, String), usize> = FxHashMap::default();
    let mut sites: FxHashMap<BufferId, (SiteId, (Position, Position))> = FxHashMap::default();
    for plannable in analysis.plannable.iter().filter(|one| dynamic(one.buffer)) {
        let fact = &analysis.program.buffers[plannable.buffer.index()];
        let level = levels.get(&plannable.buffer).copied().unwrap_or(0);
        let Some(site) = reader.site_of(plannable.buffer, level) else {
            continue;
        };
        sites.insert(plannable.buffer, site);
        let depth = reader.inner_blocks(plannable.buffer).len() + 1;
        reader.learnt.sources.depths.insert(plannable.buffer, depth);
        let op = analysis.handles.buffers[plannable.buffer.index()];
        let mut dims = Vec::new();
        for operand in operands(op) {
            dims.push(reader.dim(operand, site.0));
        }
        let operands = &mut reader.learnt.sources.operands;
        operands.insert(plannable.buffer, dims);
        let next = facts.companies.len();
        let company = *companies.entry((fact.scope, space_of(op))).or_insert(next);
        if company == next {
            facts.companies.push(Company {
                scope: Some(fact.scope),
                space: space_of(op),
                alone: (0, TO_THE_END),
                ..Company::default()
            });
        }
    }
    // Only now are the values known that dimensions are taken from.
    for plannable in &analysis.plannable {
        let fact = &analysis.program.buffers[plannable.buffer.index()];
        let op = analysis.handles.buffers[plannable.buffer.index()];
        let Some(company) = companies.get(&(fact.scope, space_of(op))) else {
            continue;
        };
        let company = &mut facts.companies[*company];
        let Some(bytes) = fact.dynamic else {
            if let Some((site, _)) = reader.site_of(plannable.buffer, 0) {
                let first = company.first_static.unwrap_or(NEVER);
                company.first_static = Some(first.min(reader.at(op, site)));
            }
            continue;
        };
        let Some((site, range)) = sites.get(&plannable.buffer).copied() else {
            continue;
        };
        let at = reader.at(op, site);
        let mut dims: SmallVec<[DimId; 2]> = reader
            .learnt
            .sources
            .operands
            .get(&plannable.buffer)
            .into_iter()
            .flatten()
            .copied()
            .collect();
        let ready = dims
            .iter()
            .map(|dim| reader.learnt.dim_ready[dim.0 as usize]);
        let ready = ready.max().unwrap_or(0);
        dims.sort_unstable();
        let way = reader.way(op, fact.block, site);
        company.candidates.push(Candidate {
            buffer: plannable.buffer,
            live: plannable.live.clone(),
            alignment: plannable.alignment,
            size: Size { bytes, dims },
            site,
            range,
            at,
            ready,
            guards: way.guards,
            guards_ready: way.ready,
            certain: way.certain,
            repeats: way.repeats,
            held: held[plannable.buffer.index()],
        });
    }
    for index in 0..analysis.program.buffers.len() {
        let buffer = BufferId::new(index);
        let fact = &analysis.program.buffers[index];
        let space = space_of(analysis.handles.buffers[index]);
        let mut scope = Some(fact.scope);
        while let Some(at) = scope {
            if let Some(company) = companies.get(&(at, space.clone()))
                && let Some(held) = reader.alone(buffer, at, held[index])
            {
                let alone = &mut facts.companies[*company].alone;
                *alone = (alone.0.max(held.0), alone.1.min(held.1));
            }
            scope = analysis.program.scopes[at.index()]
                .outer
                .map(|outer| outer.scope);
        }
    }
    facts.bounds = reader.bounds();
    facts
}

fn space_of(op: Op<'_>) -> String {
    results(op)
        .next()
        .map(|result| memory_space(type_of(result)))
        .unwrap_or_default()
}

/// Is an allocation that is left alone for this reason freed by nothing but the deallocations that
/// are seen?
fn is_held_until_freed(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::DynamicSize
            | Reason::NoneToShareWith
            | Reason::SizeNotReady
            | Reason::RaisesPeak
            | Reason::Layout
            | Reason::TooLarge
            | Reason::Alignment
            | Reason::Returned
            | Reason::FreedWithOther
            | Reason::OverlapsItself
            | Reason::UsedByTerminator
    )
}

/// For each allocation of unknown size: where values stand that may be it or another one.
fn merges(analysis: &Analysis<'_>) -> FxHashMap<BufferId, Vec<BlockId>> {
    let program = &analysis.program;
    let mut merges: FxHashMap<BufferId, Vec<BlockId>> = FxHashMap::default();
    for (value, fact) in (0..).map(ValueId).zip(&program.values) {
        if fact.kind == ValueKind::Merge {
            for buffer in analysis.aliases.buffers(value) {
                if program.buffers[buffer.index()].dynamic.is_some() {
                    merges.entry(buffer).or_default().push(fact.block);
                }
            }
        }
    }
    merges
}

/// For each allocation: from its position to the first deallocation that may free it.
fn held(analysis: &Analysis<'_>) -> Vec<(Position, Position)> {
    let program = &analysis.program;
    let mut held: Vec<(Position, Position)> = program
        .buffers
        .iter()
        .map(|fact| (fact.position, TO_THE_END))
        .collect();
    for dealloc in &program.deallocs {
        for buffer in analysis.aliases.buffers(dealloc.value) {
            let fact = &program.buffers[buffer.index()];
            // Where one block holds the other, the text says which comes first.
            let ordered = holds(program, fact.block, dealloc.block)
                || holds(program, dealloc.block, fact.block);
            let end = if ordered && dealloc.position > fact.position {
                dealloc.position
            } else {
                fact.position + 1
            };
            let known = &mut held[buffer.index()].1;
            *known = end.min(*known);
        }
    }
    held
}

/// Is `inner` the block `outer`, or in an operation of it?
fn holds(program: &Program, outer: BlockId, mut inner: BlockId) -> bool {
    while inner != outer {
        let node = program.blocks[inner.index()].node;
        match program.nodes[node.index()].parent {
            Some(parent) => inner = parent,
            None => return false,
        }
    }
    true
}

/// The way from the start of a site to an allocation.
struct Way {
    guards: SmallVec<[(GuardId, bool); 1]>,
    ready: Place,
    certain: bool,
    repeats: bool,
}

struct Reader<'a, 'c> {
    analysis: &'a Analysis<'c>,
    names: &'a mut Names,
    learnt: &'a mut Learnt<'c>,
    /// The blocks of values that may be one of several allocations, by allocation.
    merges: FxHashMap<BufferId, Vec<BlockId>>,
}

impl<'c> Reader<'_, 'c> {
    /// The site of a block.
    fn site(&mut self, owner: Op<'c>, block: Block<'c>, exit: Option<Op<'c>>) -> SiteId {
        let next = SiteId(self.learnt.sources.sites.len() as u32);
        let id = *self.learnt.sites.entry(block.key()).or_insert(next);
        if id == next {
            let ops: Vec<Op<'c>> = ops(block).collect();
            let places = ops.iter().map(Identity::key).zip(0..).collect();
            self.learnt.sources.sites.push(Site {
                block,
                owner,
                exit,
                ops,
                places,
            });
        }
        id
    }

    /// Where the arena of an allocation may stand, outermost first: number `level` of these, with
    /// its positions.
    fn site_of(
        &mut self,
        buffer: BufferId,
        level: usize,
    ) -> Option<(SiteId, (Position, Position))> {
        let program = &self.analysis.program;
        let fact = &program.buffers[buffer.index()];
        let (owner, first) = self.analysis.handles.scopes[fact.scope.index()];
        if level == 0 {
            let site = self.site(owner, first, None);
            return Some((site, (0, TO_THE_END)));
        }
        let (ir, block) = self.inner_blocks(buffer).into_iter().nth(level - 1)?;
        let fact = &program.blocks[block.index()];
        let site = self.site(block_parent(ir)?, ir, Some(terminator(ir)?));
        Some((site, (fact.first, fact.end)))
    }

    /// The blocks around an allocation that it does not leave, outermost first, without those of the
    /// scope itself.
    fn inner_blocks(&self, buffer: BufferId) -> Vec<(Block<'c>, BlockId)> {
        let program = &self.analysis.program;
        let fact = &program.buffers[buffer.index()];
        let mut inner: Vec<(Block<'c>, BlockId)> = Vec::new();
        let mut block = fact.block;
        let mut at = parent_block(self.analysis.handles.buffers[buffer.index()]);
        while let (Some(ir), Some(parent)) = (
            at,
            program.nodes[program.blocks[block.index()].node.index()].parent,
        ) {
            inner.push((ir, block));
            block = parent;
            at = block_parent(ir).and_then(parent_block);
        }
        inner.reverse();
        inner.retain(|(ir, block)| is_only_block(*ir) && self.stays_in(buffer, *block));
        inner
    }

    /// Is an allocation neither needed behind the last operation of a block, nor handed on there?
    fn stays_in(&self, buffer: BufferId, block: BlockId) -> bool {
        let program = &self.analysis.program;
        let fact = &program.blocks[block.index()];
        let plannable = &self.analysis.plannable;
        let live = plannable
            .binary_search_by_key(&buffer, |one| one.buffer)
            .map(|place| &plannable[place].live);
        live.is_ok_and(|live| {
            live.iter()
                .all(|(start, end)| fact.first <= *start && *end < fact.end)
        }) && self
            .merges
            .get(&buffer)
            .is_none_or(|merges| merges.iter().all(|merge| holds(program, block, *merge)))
    }

    /// The operation of the site that is `op` or holds it; the last one for what comes in a later
    /// block.
    fn at(&self, op: Op<'c>, site: SiteId) -> Place {
        let first = &self.learnt.sources.sites[site.0 as usize];
        let mut at = Some(op);
        while let Some(op) = at {
            if let Some(place) = first.places.get(&op.key()) {
                return *place;
            }
            if op.key() == first.owner.key() {
                break;
            }
            at = parent(op);
        }
        (first.ops.len() as Place).saturating_sub(1)
    }

    /// Is a block inside of the site?
    fn is_inside(&self, block: Block<'c>, site: SiteId) -> bool {
        let first = &self.learnt.sources.sites[site.0 as usize];
        block_parent(block).is_some_and(|op| op.key() == first.owner.key() || first.holds(op))
    }

    /// From where on a value can be had.
    fn ready(&mut self, value: Val<'c>, site: SiteId, depth: usize) -> Place {
        if let Some(known) = self.learnt.readiness.get(&(site, value.key())) {
            return *known;
        }
        // What defines itself, as unreachable code may, is never ready.
        self.learnt.readiness.insert((site, value.key()), NEVER);
        let ready = match origin(value) {
            Some(Origin::Argument(block, _)) => {
                let first = self.learnt.sources.sites[site.0 as usize].block.key();
                if block.key() == first || !self.is_inside(block, site) {
                    0
                } else {
                    NEVER
                }
            }
            Some(Origin::Result(op, _)) => self.op_ready(op, site, depth),
            None => NEVER,
        };
        self.learnt.readiness.insert((site, value.key()), ready);
        ready
    }

    fn op_ready(&mut self, op: Op<'c>, site: SiteId, depth: usize) -> Place {
        let place = self.learnt.sources.sites[site.0 as usize]
            .places
            .get(&op.key());
        let there = match place {
            Some(place) => place + 1,
            None if !parent_block(op).is_some_and(|block| self.is_inside(block, site)) => {
                return 0;
            }
            None => NEVER,
        };
        if depth == 0 || !may_move(op, self.names) {
            return there;
        }
        let mut ready = 0;
        for operand in operands(op) {
            ready = ready.max(self.ready(operand, site, depth - 1));
        }
        ready.min(there)
    }

    /// The dimension that a value is: one that is proven equal, or a new one.
    fn dim(&mut self, value: Val<'c>, site: SiteId) -> DimId {
        if let Some(dim) = self.learnt.dims.get(&(site, value.key())) {
            return *dim;
        }
        let ready = self.ready(value, site, DEEPEST);
        // Of the same site: what is ready there may not be ready elsewhere.
        let same = self.learnt.dims_of.entry(site).or_default();
        let dims = &mut self.learnt.sources.dims;
        let left = MOST_QUERIES.saturating_sub(self.learnt.queries);
        let compared = same.len().min(MOST_COMPARED).min(left);
        self.learnt.queries += compared;
        let equal = same[..compared]
            .iter()
            .find(|dim| values::equal(dims[dim.0 as usize], value));
        let dim = match equal {
            Some(equal) => *equal,
            None => {
                let dim = DimId(dims.len() as u32);
                same.push(dim);
                dims.push(value);
                self.learnt.dim_ready.push(ready);
                dim
            }
        };
        if ready < self.learnt.dim_ready[dim.0 as usize] {
            self.learnt.dim_ready[dim.0 as usize] = ready;
            self.learnt.sources.dims[dim.0 as usize] = value;
        }
        self.learnt.dims.insert((site, value.key()), dim);
        dim
    }

    fn bounds(&mut self) -> Bounds {
        let learnt = &mut *self.learnt;
        let dims = &learnt.sources.dims;
        let clip = |bound: i64| u64::try_from(bound).ok();
        for value in &dims[learnt.constant.len()..] {
            let asks = learnt.queries < MOST_QUERIES;
            learnt.queries += 2;
            let bound = |ask: fn(Val<'c>) -> Option<i64>| {
                asks.then(|| ask(*value)).flatten().and_then(clip)
            };
            let both = (bound(values::lower_bound), bound(values::upper_bound));
            learnt.constant.push(both);
        }
        let mut sites: Vec<_> = learnt.dims_of.iter().collect();
        sites.sort_unstable_by_key(|(site, _)| **site);
        let mut at_most = std::collections::BTreeSet::new();
        for (_, here) in sites {
            let here = &here[..here.len().min(MOST_COMPARED)];
            for one in here {
                for other in here {
                    let known = learnt.compared.entry((*one, *other)).or_insert_with(|| {
                        let asks = one != other && learnt.queries < MOST_QUERIES;
                        learnt.queries += usize::from(asks);
                        asks && values::at_most(dims[one.0 as usize], dims[other.0 as usize])
                    });
                    if *known {
                        at_most.insert((*one, *other));
                    }
                }
            }
        }
        Bounds {
            at_most,
            constant: learnt.constant.clone(),
        }
    }

    fn guard(&mut self, condition: Condition<'c>) -> GuardId {
        let key = match condition {
            Condition::Value(value) => (value.key(), value.key(), false),
            Condition::Runs(low, high, unsigned) => (low.key(), high.key(), unsigned),
        };
        let next = GuardId(self.learnt.sources.guards.len() as u32);
        let id = *self.learnt.guards.entry(key).or_insert(next);
        if id == next {
            self.learnt.sources.guards.push(condition);
        }
        id
    }

    /// What has to hold for an allocation to run.
    fn way(&mut self, op: Op<'c>, block: BlockId, site: SiteId) -> Way {
        let program = &self.analysis.program;
        let mut way = Way {
            guards: SmallVec::new(),
            ready: 0,
            certain: true,
            repeats: false,
        };
        let (mut op, mut block) = (op, block);
        loop {
            let node = program.blocks[block.index()].node;
            let Some(inner) = parent_block(op) else {
                break;
            };
            if inner.key() == self.learnt.sources.sites[site.0 as usize].block.key() {
                break;
            }
            if !is_only_block(inner) {
                way.certain &= self.is_certain_block(node, block);
                way.repeats = true;
            }
            let Some(outer) = program.nodes[node.index()].parent else {
                break;
            };
            let Some(around) = block_parent(inner) else {
                break;
            };
            self.step(around, inner, site, &mut way);
            (op, block) = (around, outer);
        }
        way.guards.sort_unstable();
        way.guards.dedup();
        way
    }

    /// The condition under which `block`, the body of `op`, runs.
    fn step(&mut self, op: Op<'c>, block: Block<'c>, site: SiteId, way: &mut Way) {
        let region = regions(op).position(|region| {
            memplan_mlir::ir::blocks(region).any(|one| one.key() == block.key())
        });
        let mut all = operands(op);
        let condition = match (self.names.info(op).known, region) {
            (Known::ScfIf, Some(region)) => {
                let condition = all.next().map(Condition::Value);
                condition.map(|condition| (condition, region == 0))
            }
            (Known::ScfExecuteRegion | Known::AllocaScope, _) => return,
            (Known::ScfWhile, Some(0)) => {
                way.repeats = true;
                return;
            }
            (known, _) => {
                way.repeats = true;
                if flow::static_trip_count(op).is_some_and(|count| count > 0) {
                    return;
                }
                match (known, all.next(), all.next()) {
                    (Known::ScfFor, Some(low), Some(high)) => {
                        let unsigned = op.has_attribute("unsignedCmp");
                        Some((Condition::Runs(low, high, unsigned), true))
                    }
                    _ => None,
                }
            }
        };
        let Some((condition, holds)) = condition else {
            way.certain = false;
            return;
        };
        let ready = match condition {
            Condition::Value(value) => self.ready(value, site, DEEPEST),
            Condition::Runs(low, high, _) => {
                let low = self.ready(low, site, DEEPEST);
                low.max(self.ready(high, site, DEEPEST))
            }
        };
        way.ready = way.ready.max(ready);
        let guard = self.guard(condition);
        way.guards.push((guard, holds));
    }

    /// Is the block on every way through its node? The blocks that are come in the order of
    /// the text, or only the first one counts.
    fn is_certain_block(&mut self, node: NodeId, block: BlockId) -> bool {
        let program = &self.analysis.program;
        let certain = self
            .learnt
            .certain_blocks
            .entry(node)
            .or_insert_with(|| certain_blocks(program, node).into_iter().collect());
        certain.contains(&block)
    }

    /// When an allocation is held for certain beside the arena of a scope; `None` if it is planned
    /// there.
    fn alone(
        &mut self,
        buffer: BufferId,
        scope: ScopeId,
        held: (Position, Position),
    ) -> Option<(Position, Position)> {
        let fact = &self.analysis.program.buffers[buffer.index()];
        let (_, start, _) = self
            .analysis
            .program
            .seen_from(scope, fact.block, fact.position)?;
        if fact.scope != scope {
            return Some((start, start + 1));
        }
        match self.analysis.left_because(buffer)? {
            reason if is_held_until_freed(reason) => Some(self.held_for_certain(buffer, held)),
            _ => Some((start, start + 1)),
        }
    }

    /// When an allocation that is left alone is held. Off the way that is always taken, the order
    /// of the text says nothing.
    fn held_for_certain(
        &mut self,
        buffer: BufferId,
        held: (Position, Position),
    ) -> (Position, Position) {
        let program = &self.analysis.program;
        let mut block = program.buffers[buffer.index()].block;
        let mut at = parent_block(self.analysis.handles.buffers[buffer.index()]);
        while let Some(inner) = at {
            let node = program.blocks[block.index()].node;
            if !is_only_block(inner) && !self.is_certain_block(node, block) {
                return match held.1 {
                    TO_THE_END => held,
                    _ => (Position::MAX, 0),
                };
            }
            match program.nodes[node.index()].parent {
                Some(parent) => block = parent,
                None => break,
            }
            at = block_parent(inner).and_then(parent_block);
        }
        held
    }
}

/// Is there no other block in the region of this one?
fn is_only_block(block: Block<'_>) -> bool {
    block_parent(block).is_some_and(|op| {
        regions(op).any(|region| {
            let mut all = memplan_mlir::ir::blocks(region);
            all.next().is_some_and(|first| first.key() == block.key()) && all.next().is_none()
        })
    })
}

/// The blocks that every way from the entry of a node to its end passes, in the order of the
/// text; only the entry where ways pass them in another order.
fn certain_blocks(program: &Program, node: NodeId) -> Vec<BlockId> {
    let fact = &program.nodes[node.index()];
    let [entry] = fact.entries.as_slice() else {
        return Vec::new();
    };
    // Post-dominators, by the algorithm of Cooper, Harvey and Kennedy; the end is number 0.
    let mut order: Vec<BlockId> = Vec::new();
    let mut seen: FxHashMap<BlockId, usize> = FxHashMap::default();
    let mut stack: Vec<(BlockId, usize)> = Vec::new();
    for exit in &fact.blocks {
        let exits = program.blocks[exit.index()]
            .successors
            .contains(&Successor::Exit);
        if !exits || seen.contains_key(exit) {
            continue;
        }
        seen.insert(*exit, 0);
        stack.push((*exit, 0));
        while let Some((block, next)) = stack.last_mut() {
            match program.blocks[block.index()].predecessors.get(*next) {
                Some(before) => {
                    *next += 1;
                    if !seen.contains_key(before) {
                        seen.insert(*before, 0);
                        stack.push((*before, 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
    }
    order.reverse();
    for (place, block) in order.iter().enumerate() {
        seen.insert(*block, place + 1);
    }
    let mut above: Vec<Option<usize>> = vec![None; order.len() + 1];
    above[0] = Some(0);
    let meet = |above: &[Option<usize>], mut one: usize, mut other: usize| {
        while one != other {
            if one > other {
                one = above[one].unwrap_or(0);
            } else {
                other = above[other].unwrap_or(0);
            }
        }
        one
    };
    let mut changed = true;
    while changed {
        changed = false;
        for (place, block) in order.iter().enumerate() {
            let mut found = None;
            for successor in &program.blocks[block.index()].successors {
                let next = match successor {
                    Successor::Exit => Some(0),
                    Successor::Block(next) => seen.get(next).copied(),
                };
                if let Some(next) = next.filter(|next| above[*next].is_some()) {
                    found = Some(found.map_or(next, |known| meet(&above, known, next)));
                }
            }
            if found.is_some() && above[place + 1] != found {
                above[place + 1] = found;
                changed = true;
            }
        }
    }
    let mut chain = vec![*entry];
    let mut at = seen.get(entry).copied().unwrap_or(0);
    while at != 0 {
        at = above[at].unwrap_or(0);
        if at != 0 {
            chain.push(order[at - 1]);
        }
    }
    let first = |block: &BlockId| program.blocks[block.index()].first;
    if chain
        .windows(2)
        .any(|pair| first(&pair[0]) > first(&pair[1]))
    {
        chain.truncate(1);
    }
    chain
}

/// May the operation run earlier than it does? A division may, with a divisor that is not zero.
pub fn may_move(op: Op<'_>, names: &mut Names) -> bool {
    values::is_safe_to_speculate(op) || is_division(names.info(op).known)
}

/// Divisions that are defined but for a divisor of zero, and overflow.
pub const fn is_division(known: Known) -> bool {
    is_signed_division(known) || matches!(known, Known::DivUI | Known::RemUI)
}

/// Those that may overflow too.
pub const fn is_signed_division(known: Known) -> bool {
    matches!(known, Known::DivSI | Known::RemSI)
}
