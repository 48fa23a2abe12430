//! Dynamic sizes: their dimensions, where they can be computed, and when they count.
//!
//! * `sites`: blocks for arenas.
//! * `sizes`: dimensions, their equality, and where they can be computed.
//! * `from_arguments`: sizes that callers can compute, too.
//! * `names`: what reports call dimensions.
//! * `allocation_path`: conditions under which an allocation executes.
//! * `allocation_intervals`: intervals in which allocations certainly take memory.
//! * `around`: what a scope has beside its arena.

mod allocation_intervals;
mod allocation_path;
mod around;
mod from_arguments;
mod names;
mod sites;
mod sizes;

pub use around::around;
pub use from_arguments::SizeOps;

use super::{
    facts::{
        Candidate, DimId, DynamicFacts, GuardId, NEVER, SiteId, SitePosition, Size, SlotProblem,
        TO_THE_END,
    },
    sources::{Factors, Sources},
};
use memplan_lifetimes::{
    Analysis,
    program::{BlockId, BufferId, NodeId, Position, Program, ScopeId, ValueId, ValueKind},
};
use memplan_mlir::{
    ir::{Key, Op, operands, results, type_of},
    layout::memory_space,
};
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};
use sizes::DEEPEST;
use smallvec::SmallVec;

/// Facts about the function's values that hold for every plan; kept from one reading to the next.
#[derive(Default)]
pub struct Learnt<'c> {
    readiness: FxHashMap<(SiteId, Key), SitePosition>,
    dims: FxHashMap<(SiteId, Key), DimId>,
    dims_of: FxHashMap<SiteId, Vec<DimId>>,
    sites: FxHashMap<Key, SiteId>,
    dim_ready: Vec<SitePosition>,
    /// Dimensions that are factors of sizes: the product of two negative numbers is one.
    factors: FxHashSet<DimId>,
    guards: FxHashMap<(Key, Key, bool), GuardId>,
    certain_blocks: FxHashMap<NodeId, FxHashSet<BlockId>>,
    compared: FxHashMap<(DimId, DimId), bool>,
    constant: Vec<(Option<u64>, Option<u64>)>,
    queries: usize,
    semantics: Semantics,
    /// The IR of the ids.
    pub sources: Sources<'c>,
}

/// Reads the facts about a function; `None` without dynamic sizes. The arena of an allocation may be in the
/// entry block of its scope, or, for each of its `levels`, further inside.
pub fn read<'c>(
    analysis: &Analysis<'c>,
    levels: &FxHashMap<BufferId, usize>,
    learnt: &mut Learnt<'c>,
    is_for_callee: &dyn Fn(Op<'c>) -> bool,
) -> DynamicFacts {
    let dynamic = |buffer: BufferId| analysis.program.buffers[buffer.index()].dynamic.is_some();
    let mut facts = DynamicFacts::default();
    if !analysis.plannable.iter().any(|one| dynamic(one.buffer)) {
        return facts;
    }
    let mut reader = SlotReader {
        analysis,
        learnt,
        merges: merges(analysis),
    };
    let held = allocation_intervals::held(analysis);
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
        let mut factors = Factors::of(fact.dynamic.unwrap_or(0));
        for operand in operands(op) {
            dims.push(reader.multiply(operand, site.0, &mut factors, DEEPEST));
        }
        factors.dims.sort_unstable();
        let sources = &mut reader.learnt.sources;
        sources.operands.insert(plannable.buffer, dims);
        sources.factors.insert(plannable.buffer, factors);
        let next = facts.companies.len();
        let company = *companies.entry((fact.scope, space_of(op))).or_insert(next);
        if company == next {
            facts.companies.push(SlotProblem {
                scope: Some(fact.scope),
                space: space_of(op),
                alone: (0, TO_THE_END),
                ..SlotProblem::default()
            });
        }
    }
    // All values from which dimensions are taken are known only now.
    for plannable in &analysis.plannable {
        let fact = &analysis.program.buffers[plannable.buffer.index()];
        let op = analysis.handles.buffers[plannable.buffer.index()];
        let Some(company) = companies.get(&(fact.scope, space_of(op))) else {
            continue;
        };
        let company = &mut facts.companies[*company];
        if fact.dynamic.is_none() {
            if let Some((site, _)) = reader.site_of(plannable.buffer, 0) {
                let first = company.first_static.unwrap_or(NEVER);
                let at = reader.at(op, site);
                company.first_static = Some(first.min(at));
                company.fixed.push(Candidate {
                    buffer: plannable.buffer,
                    live: plannable.live.clone(),
                    alignment: plannable.alignment,
                    size: Size::fixed(fact.size),
                    site,
                    range: (0, TO_THE_END),
                    at,
                    ready: 0,
                    guards: SmallVec::new(),
                    guards_ready: 0,
                    certain: false,
                    repeats: false,
                    held: held[plannable.buffer.index()],
                });
            }
            continue;
        }
        let Some((site, range)) = sites.get(&plannable.buffer).copied() else {
            continue;
        };
        let at = reader.at(op, site);
        let (size, ready) = reader.size(plannable.buffer);
        let path = reader.allocation_path(op, fact.block, site);
        company.candidates.push(Candidate {
            buffer: plannable.buffer,
            live: plannable.live.clone(),
            alignment: plannable.alignment,
            size,
            site,
            range,
            at,
            ready,
            guards: path.guards,
            guards_ready: path.ready,
            certain: path.certain,
            repeats: path.repeats,
            held: held[plannable.buffer.index()],
        });
    }
    for index in 0..analysis.program.buffers.len() {
        let buffer = BufferId::new(index);
        let fact = &analysis.program.buffers[index];
        let space = space_of(analysis.handles.buffers[index]);
        let is_for_callee = is_for_callee(analysis.handles.buffers[index]);
        let mut scope = Some(fact.scope);
        while let Some(at) = scope {
            let company = companies.get(&(at, space.clone()));
            if let Some(company) = company.filter(|_| is_for_callee) {
                facts.companies[*company].of_callees.insert(buffer);
            } else if let Some(company) = company
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

struct SlotReader<'a, 'c> {
    analysis: &'a Analysis<'c>,
    learnt: &'a mut Learnt<'c>,
    /// For each allocation, the blocks of values that may be it or another one.
    merges: FxHashMap<BufferId, Vec<BlockId>>,
}

/// For each allocation of dynamic size, the blocks of values that may be it or another one.
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

fn space_of(op: Op<'_>) -> String {
    results(op)
        .next()
        .map(|result| memory_space(type_of(result)))
        .unwrap_or_default()
}

/// Whether `inner` is `outer`, or nested in it.
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
