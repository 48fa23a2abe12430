//! Buffers whose size only the run knows share by lifetime: slots.
//!
//! A slot is as large as the largest of its members, which are never live at the same time. The
//! slots of an arena lie behind its static part, each at the end of the one before it, rounded up
//! to its alignment. All of that is computed where the arena is made:
//!
//! ```text
//! size_j   = min(max(0, term, term, …), 2^54)     term = bytes * dim * dim, or select(guard, term, 0)
//! offset_j = offset_i + ((size_i + a - 1) & -a)   i the slot in front, a the alignment of j
//! arena    = memref.alloc(offset_last + size_last)
//! ```
//!
//! Where the last slots may be empty, the arena ends with the last one that is not:
//! `max(offset_j + size_j, select(0 < size_k, offset_k + size_k, 0), …)`.
//!
//! An arena stands in the first block of its scope, in front of its first buffer. What cannot have it
//! there, because its size is not known yet, or the peak forbids it, or it would be there for nothing
//! when a branch is not taken, may share one further inside: in a loop's or a branch's body that it
//! does not leave, freed at the end of that.
//!
//! * [`facts`] is what is known, with ids; [`sources`] is the IR behind these.
//! * [`read`] finds out what sizes are: products of dimensions, which are the same where value
//!   bounds prove them equal; from where on they can be computed; and under which conditions the
//!   allocation runs.
//! * [`decide`] assigns slots. It is pure, and holds the rule for the peak.
//! * [`write`] computes the sizes. What is needed early moves there, if it is safe to speculate. A
//!   division moves with a divisor that is never zero. [`moves`] says what may.
//!
//! # The peak
//!
//! The arena never takes more than the allocations that it stands for did at one moment of the
//! same run (but for rounding up to alignments). In a run, the size of each slot is that of one
//! of its terms, and that buffer was allocated: a size counts only if its allocation is on every
//! path from the arena, or under conditions that are known at the arena; then the term is zero
//! where they do not hold. Any two buffers that are terms of different slots have been allocated at
//! the same time, or never run both. Intervals that meet in pairs have a common point, and that is
//! the moment. Allocations that are left alone have to meet all terms too.

pub mod decide;
pub mod facts;
pub mod moves;
pub mod read;
pub mod sources;
pub mod write;

use decide::Slots;
use memplan_lifetimes::{
    Analysis, Reason,
    program::{BufferId, ScopeId},
};
use read::Learnt;
use rustc_hash::{FxHashMap, FxHashSet};
use sources::Sources;

/// So often the slots are decided anew: because arenas for some stand further inside, or because a
/// deallocation keeps more from being planned. Then everything of unknown size is left alone.
/// Bounds the time.
const MOST_ROUNDS: usize = 24;

/// Assigns slots to what has a size that only the run knows, and takes what is left alone out of the
/// analysis. In scopes that are `apart`, slots have arenas of their own.
pub fn plan<'c>(
    analysis: &mut Analysis<'c>,
    apart: impl Fn(&Analysis<'c>, ScopeId) -> bool,
) -> (Vec<Slots>, Sources<'c>) {
    let dynamic = |analysis: &Analysis<'c>, reason: Reason| -> Vec<(BufferId, Reason)> {
        let plannable = analysis.plannable.iter().map(|one| one.buffer);
        plannable
            .filter(|buffer| analysis.program.buffers[buffer.index()].dynamic.is_some())
            .map(|buffer| (buffer, reason))
            .collect()
    };
    if analysis.program.has_arena {
        // What is left here was left when that was made.
        let all = dynamic(analysis, Reason::DynamicSize);
        analysis.skip(all);
        return (Vec::new(), Sources::default());
    }
    let mut levels: FxHashMap<BufferId, usize> = FxHashMap::default();
    let mut reasons: FxHashMap<BufferId, Reason> = FxHashMap::default();
    let mut learnt = Learnt::default();
    for _ in 0..MOST_ROUNDS {
        let mut facts = read::read(analysis, &levels, &mut learnt);
        for company in &mut facts.companies {
            if company.scope.is_some_and(|scope| apart(analysis, scope)) {
                company.first_static = None;
            }
        }
        let slots: Vec<Slots> = facts
            .companies
            .iter()
            .filter_map(|company| decide::decide(company, &facts.bounds))
            .collect();
        let left: Vec<_> = slots.iter().flat_map(|slots| &slots.left).collect();
        if left.is_empty() {
            let members: FxHashSet<BufferId> = slots.iter().flat_map(Slots::members).collect();
            let mut missing = dynamic(analysis, Reason::DynamicSize);
            missing.retain(|(buffer, _)| !members.contains(buffer));
            if missing.is_empty() {
                return (slots, learnt.sources);
            }
            analysis.skip(missing);
            continue;
        }
        // Each one that is left may have an arena further inside, while there is a block there.
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
