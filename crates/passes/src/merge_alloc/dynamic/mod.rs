//! Slots: buffers of dynamic size that share bytes by lifetime.
//!
//! A slot is as large as the largest of its members, which are never live at the same time. The slots of an
//! arena follow its static part, each at the end of the one before it, rounded up to its alignment. They are
//! computed where the arena is allocated:
//!
//! ```text
//! size_j   = max(term, term, …)     term = bytes * min(dim * dim, 2^54 / bytes), or select(guard, term, 0)
//! offset_j = offset_i + ((size_i + a - 1) & -a)   i the previous slot, a the alignment of j
//! arena    = memref.alloc(offset_last + size_last)
//! ```
//!
//! Products do not wrap around: dimensions are numbers without a sign, and a product that has more bits is the largest number. So a
//! size that is too large, or negative, gives an arena that is larger than any memory.
//!
//! If the last slots may be empty, the arena ends with the last one that is not: `max(offset_j + size_j,
//! select(0 < size_k, offset_k + size_k, 0), …)`.
//!
//! An arena is allocated in the entry block of its scope, before its first buffer. A buffer cannot use it if
//! its size is not known yet, if the peak forbids it, or if the arena would be unused when a branch is not
//! taken. Such a buffer may share an arena further inside: in the body of a loop or branch in which it stays,
//! freed at the end of that.
//!
//! * [`facts`] has the facts, with ids; [`sources`] has the IR of the ids.
//! * [`read`] computes sizes as products of dimensions, which are equal if value bounds prove it; where sizes
//!   can be computed; and under which conditions an allocation executes.
//! * [`decide`] assigns slots. It is a pure function, and checks the rule for the peak.
//! * [`groups`] finds the buffers that reuse each other's bytes. [`multiples`] plans slots with the same dimensions
//!   together, as if their sizes were static. [`stack`] places the buffers of slots with other dimensions one above the
//!   other: plans at [`samples`] give [`orders`], and [`polynomial`] compares what they take.
//!   [`mixed`] plans buffers of static size among them.
//!   [`whole`] plans all buffers of a scope where slots would leave some of them out.
//!   [`lower_bound`] says what no plan takes less than. [`apart`] replaces an arena by several that are freed earlier, where the function then holds less.
//! * [`write`] computes the sizes. Operations that are needed early are moved if it is safe to speculate
//!   them. A division is moved with a divisor that is never zero. [`moves`] says which operations may move.
//!
//! # The peak
//!
//! An arena of slots never takes more bytes than its allocations did at one moment of the same run (except for
//! alignment), and neither does one that replaces slots. One of [`whole`] is compared with these moments at many values, and
//! takes at most 1.1 times as much there. In a run, the size of each slot is that of one of its terms, and that buffer was allocated.
//! This holds because a size counts only if its allocation is on every path from the arena, or under
//! conditions that are known at the arena; the term is zero if they do not hold. Any two buffers that are
//! terms of different slots were allocated at the same time, or never execute both. Intervals that intersect
//! pairwise have a common point, which is the moment. Skipped allocations have to intersect all terms, too.

pub mod apart;
pub mod decide;
pub mod describe;
pub mod facts;
pub mod groups;
pub mod layout;
pub mod lower_bound;
pub mod mixed;
pub mod moves;
pub mod multiples;
pub mod orders;
pub mod polynomial;
pub mod read;
pub mod samples;
pub mod sources;
pub mod stack;
pub mod whole;
pub mod write;

use decide::{Part, Slots};
use facts::{Candidate, DynamicFacts, Extents, Size};
use groups::Known;
use memplan_lifetimes::{
    Analysis, Reason,
    program::{BufferId, ScopeId},
};
use memplan_mlir::{
    ir::{Op, operands, type_of},
    layout::DataLayout,
};
use memplan_planner::{Options, Planner};
use read::Learnt;
pub use read::SizeOps;
use rustc_hash::{FxHashMap, FxHashSet};
use sources::Sources;
use std::sync::Arc;

/// Largest number of assignments: because arenas of some buffers are further inside, or because a
/// deallocation excludes more buffers. After that, all buffers of dynamic size are skipped. It bounds the
/// time.
const MOST_ROUNDS: usize = 24;

/// Rounds in which plans of all buffers are tried.
const MOST_WHOLE: usize = 3;

/// How buffers are planned.
#[derive(Clone, Debug)]
pub struct PlanOptions {
    /// The planner.
    pub planner: Planner,
    /// Its options.
    pub options: Options,
    /// Least alignment of a buffer, in bytes.
    pub least_alignment: u64,
    /// Whether buffers may reuse the bytes of others in place.
    pub in_place: bool,
    /// Whether buffers of static size may have places that are computed at run time.
    pub mixes: bool,
}

/// Where buffers of dynamic size of a scope are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// After those of static size, in an arena that is allocated.
    Static,
    /// After those of static size, in an argument of the function: what these operations can compute from other arguments.
    Argument(SizeOps),
    /// In arenas of their own.
    Nothing,
}

/// Assigns slots to buffers of dynamic size, and removes skipped ones from the analysis. `is_for_callee` says which allocations
/// are arenas of callees.
pub fn plan<'c>(
    analysis: &mut Analysis<'c>,
    beside: impl Fn(&Analysis<'c>, ScopeId) -> Beside,
    is_for_callee: &dyn Fn(Op<'c>) -> bool,
    options: &PlanOptions,
) -> (Vec<Slots>, Sources<'c>) {
    let dynamic = |analysis: &Analysis<'c>, reason: Reason| -> Vec<(BufferId, Reason)> {
        let plannable = analysis.plannable.iter().map(|one| one.buffer);
        plannable
            .filter(|buffer| analysis.program.buffers[buffer.index()].dynamic.is_some())
            .map(|buffer| (buffer, reason))
            .collect()
    };
    if analysis.program.has_arena {
        // Those that remain were skipped when the arena was created.
        let all = dynamic(analysis, Reason::DynamicSize);
        analysis.skip(all);
        return (Vec::new(), Sources::default());
    }
    if has_narrow_index(analysis) {
        let all = dynamic(analysis, Reason::NarrowIndex);
        analysis.skip(all);
        return (Vec::new(), Sources::default());
    }
    let mut levels: FxHashMap<BufferId, usize> = FxHashMap::default();
    let mut reasons: FxHashMap<BufferId, Reason> = FxHashMap::default();
    let mut learnt = Learnt::default();
    for round in 0..MOST_ROUNDS {
        let mut facts = read::read(analysis, &levels, &mut learnt, is_for_callee);
        for company in &mut facts.companies {
            match company.scope.map(|scope| beside(analysis, scope)) {
                Some(Beside::Argument(most)) => {
                    let all = company.clone();
                    company.first_static = Some(0);
                    company.is_given = true;
                    if !learnt.compute_from_arguments(company, most) {
                        *company = all;
                        company.first_static = None;
                    }
                }
                Some(Beside::Nothing) => company.first_static = None,
                Some(Beside::Static) | None => {}
            }
        }
        if options.in_place {
            hand_over(analysis, &mut facts);
        }
        let all = facts.companies.iter();
        let all = all.flat_map(|company| company.candidates.iter().chain(&company.fixed));
        let candidates: FxHashMap<BufferId, &Candidate> =
            all.map(|one| (one.buffer, one)).collect();
        let known = Known::new(analysis, &candidates);
        let mut slots: Vec<Slots> = Vec::new();
        for company in &facts.companies {
            let Some(decided) = decide::decide(company, &facts.bounds) else {
                continue;
            };
            let whole = (!decided.left.is_empty() && round < MOST_WHOLE)
                .then(|| whole::plan(&known, &facts.bounds, company, options))
                .flatten();
            let mut own = whole.unwrap_or(decided);
            for slot in own.parts.iter_mut().flat_map(|part| &mut part.slots) {
                slot.alignment = slot.alignment.max(options.least_alignment);
            }
            slots.push(own);
        }
        let left: Vec<_> = slots.iter().flat_map(|slots| &slots.left).collect();
        if left.is_empty() {
            let members: FxHashSet<BufferId> = slots.iter().flat_map(Slots::members).collect();
            let mut missing = dynamic(analysis, Reason::DynamicSize);
            missing.retain(|(buffer, _)| !members.contains(buffer));
            if missing.is_empty() {
                let parts = slots.iter().flat_map(|slots| &slots.parts);
                let parts: Vec<Part> = parts.cloned().collect();
                multiples::plan(&known, &mut slots, options);
                stack::plan(&known, &facts.bounds, &parts, &mut slots, options);
                if options.mixes {
                    mixed::plan(&known, &facts, &parts, &mut slots, options);
                }
                let names = learnt.names(analysis);
                apart::plan(
                    &known,
                    &facts,
                    &parts,
                    &mut slots,
                    &mut |slots| {
                        let site = slots.parts.first()?.site;
                        let place = (slots.scope, slots.space.as_str());
                        read::around(analysis, &mut learnt, place, site)
                    },
                    options,
                );
                let extents = candidates.iter().map(|(buffer, one)| {
                    let alignment = one.alignment.max(options.least_alignment);
                    (*buffer, (one.size.clone(), alignment))
                });
                let extents: Extents = Arc::new(extents.collect());
                for slots in &mut slots {
                    let company = facts.company(slots.scope, &slots.space);
                    for part in &mut slots.parts {
                        part.lower_bound = lower_bound::lower_bound(&known, company, part, options);
                        part.names = names.clone();
                        part.extents = extents.clone();
                    }
                }
                return (slots, learnt.sources);
            }
            analysis.skip(missing);
            continue;
        }
        // Each skipped buffer may have an arena further inside, as long as there is a block.
        let mut leave = Vec::new();
        for (buffer, reason) in left {
            let reason = *reasons.entry(*buffer).or_insert(*reason);
            let level = levels.entry(*buffer).or_insert(0);
            *level += 1;
            if *level >= learnt.sources.depths.get(buffer).copied().unwrap_or(0) {
                leave.push((*buffer, reason));
            }
        }
        analysis.skip(leave);
    }
    let rest = dynamic(analysis, Reason::RaisesPeak);
    analysis.skip(rest);
    (Vec::new(), Sources::default())
}

/// Whether an index has fewer than 64 bits where there are buffers of dynamic size.
fn has_narrow_index(analysis: &Analysis<'_>) -> bool {
    let buffers = analysis.plannable.iter().map(|one| one.buffer);
    let allocs = buffers.map(|buffer| analysis.handles.buffers[buffer.index()]);
    let mut sized = allocs.filter_map(|alloc| Some((alloc, operands(alloc).next()?)));
    sized.next().is_some_and(|(alloc, size)| {
        let index = DataLayout::at(alloc).scalar(type_of(size));
        index.is_some_and(|extent| extent.size < 8)
    })
}

/// Finds the buffers that others of the same size may take over.
fn hand_over(analysis: &Analysis<'_>, facts: &mut DynamicFacts) {
    for company in &mut facts.companies {
        let sizes: FxHashMap<BufferId, &Size> = company
            .candidates
            .iter()
            .map(|one| (one.buffer, &one.size))
            .collect();
        let takeovers = analysis.takeovers.iter().filter(|one| one.copy.is_none());
        let same = takeovers.filter(|one| {
            let both = (sizes.get(&one.from), sizes.get(&one.to));
            both.0.is_some() && both.0 == both.1
        });
        company.handovers = same.map(|one| (one.from, one.to, one.position)).collect();
    }
}
