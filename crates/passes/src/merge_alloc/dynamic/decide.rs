//! Assigns slots from sizes and live ranges.
//!
//! An arena is allocated before its first buffer, and takes all buffers whose sizes can be computed there;
//! the remaining ones go to the next arena. Within an arena, buffers are assigned in order of decreasing
//! size, as far as sizes can be compared, and then of their start. Each is assigned to the first slot that is
//! large enough and free while it is live, else to one that it enlarges, else to a new one. A buffer that
//! would break the rule for the peak is skipped, and everything is assigned again, as the rule also concerns
//! skipped buffers.

use super::{
    facts::{
        Bounds, Candidate, DimId, Extents, GuardId, NEVER, Names, SiteId, SitePosition, Size,
        SlotProblem, TO_THE_END, Term,
    },
    layout::{Layout, Places},
    polynomial::Largest,
};
use memplan_lifetimes::{
    Reason,
    program::{BufferId, Position, ScopeId},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Bytes that several buffers share.
#[derive(Clone, Default, Debug)]
pub struct Slot {
    /// Its size is the largest of these.
    pub terms: Vec<Term>,
    /// Alignment in bytes.
    pub alignment: u64,
    /// Its buffers, in program order.
    pub members: Vec<BufferId>,
    /// Where they are in it, unless all begin where it begins.
    pub layout: Option<Layout>,
    /// Ends of the live ranges of the members, by start. Two of them have at most one position in common.
    pub(super) live: BTreeMap<(Position, BufferId), Position>,
    /// Last start and first end of the intervals in which the terms are held.
    pub(super) held: Option<(Position, Position)>,
}

/// Slots of one arena, by decreasing alignment.
#[derive(Clone, Debug)]
pub struct Part {
    /// The site of the arena.
    pub site: SiteId,
    /// Positions between which the arena is held: those of the site, or fewer with an `end`.
    pub range: (Position, Position),
    /// The arena is allocated before this operation of the site.
    pub place: SitePosition,
    /// The arena is freed after this operation of the site; `None` if that is at the exits.
    pub end: Option<SitePosition>,
    /// Whether the arena also has the static part of the scope.
    pub is_after_static: bool,
    /// Whether the arena is an argument.
    pub is_given: bool,
    /// Sums of sizes that are live at once: no arena with these buffers takes less than the largest.
    pub lower_bound: Largest,
    /// How reports name dimensions.
    pub names: Names,
    /// What reports say of buffers.
    pub extents: Extents,
    /// The slots, in order.
    pub slots: Vec<Slot>,
}

/// Slots of one scope and memory space.
#[derive(Clone, Debug)]
pub struct Slots {
    /// The scope.
    pub scope: ScopeId,
    /// The memory space.
    pub space: String,
    /// One part for each arena.
    pub parts: Vec<Part>,
    /// Skipped buffers with the reasons.
    pub left: Vec<(BufferId, Reason)>,
}

impl Part {
    /// Puts the slots in order: by decreasing alignment, and those last that may be empty. Stable, so that others stay in the
    /// order of their creation.
    pub fn sort(&mut self) {
        let order = |slot: &Slot| (std::cmp::Reverse(slot.alignment), slot.is_conditional());
        self.slots.sort_by_key(order);
    }
}

impl Slots {
    /// All buffers with a slot.
    pub fn members(&self) -> impl Iterator<Item = BufferId> {
        let slots = self.parts.iter().flat_map(|part| &part.slots);
        slots.flat_map(|slot| slot.members.iter().copied())
    }
}

/// Largest number of slots of one arena: this many sizes of at most 2^54 bytes add up without overflow.
pub const MOST_SLOTS: usize = 256;

/// Largest number of terms of a slot: each is compared with each buffer.
const MOST_TERMS: usize = 16;

/// Largest number of arenas in one scope and memory space: each slot is compared with all others.
const MOST_PARTS: usize = 64;

/// Largest number of rounds; after that, every allocation is skipped. It bounds the time.
const MOST_ROUNDS: usize = 16;

/// Assigns the slots of a scope and memory space.
pub fn decide(company: &SlotProblem, bounds: &Bounds) -> Option<Slots> {
    let mut slots = Slots {
        scope: company.scope?,
        space: company.space.clone(),
        parts: Vec::new(),
        left: Vec::new(),
    };
    let mut alone = company.alone;
    let mut candidates: Vec<&Candidate> = Vec::new();
    for candidate in &company.candidates {
        if candidate.ready == NEVER {
            slots.left.push((candidate.buffer, Reason::SizeNotReady));
            if company.of_callees.contains(&candidate.buffer) {
                continue;
            }
            alone = (alone.0.max(candidate.held.0), alone.1.min(candidate.held.1));
        } else {
            candidates.push(candidate);
        }
    }
    for _ in 0..MOST_ROUNDS {
        let mut round = Round {
            bounds,
            handovers: &company.handovers,
            alone,
            is_given: company.is_given,
            parts: Vec::new(),
            left: Vec::new(),
        };
        let mut sites: Vec<SiteId> = candidates.iter().map(|one| one.site).collect();
        sites.sort_unstable();
        sites.dedup();
        for site in sites {
            let here = candidates.iter().filter(|one| one.site == site);
            let here: Vec<&Candidate> = here.copied().collect();
            let is_whole = here.first().is_some_and(|one| one.range.1 == TO_THE_END);
            round.place_all(company.first_static.filter(|_| is_whole), here);
        }
        if round.left.is_empty() {
            slots.parts = round.parts;
            return Some(slots);
        }
        for candidate in &candidates {
            let is_left = |(buffer, _): &(BufferId, Reason)| *buffer == candidate.buffer;
            if round.left.iter().any(is_left) && !company.of_callees.contains(&candidate.buffer) {
                alone = (alone.0.max(candidate.held.0), alone.1.min(candidate.held.1));
            }
        }
        let leave: std::collections::BTreeSet<BufferId> =
            round.left.iter().map(|(buffer, _)| *buffer).collect();
        candidates.retain(|candidate| !leave.contains(&candidate.buffer));
        slots.left.extend(round.left);
    }
    let rest = candidates
        .iter()
        .map(|one| (one.buffer, Reason::RaisesPeak));
    slots.left.extend(rest);
    Some(slots)
}

/// One attempt.
struct Round<'f> {
    bounds: &'f Bounds,
    handovers: &'f FxHashSet<(BufferId, BufferId, Position)>,
    alone: (Position, Position),
    /// Whether the arena of the static part is an argument.
    is_given: bool,
    parts: Vec<Part>,
    left: Vec<(BufferId, Reason)>,
}

impl Round<'_> {
    /// Assigns all buffers that share a site.
    fn place_all(&mut self, first_static: Option<SitePosition>, mut rest: Vec<&Candidate>) {
        rest.sort_by_key(|candidate| candidate.at);
        let mut by_ready = rest.clone();
        by_ready.sort_by_key(|candidate| (candidate.ready, candidate.at));
        let mut ready = by_ready.into_iter().peekable();
        let mut placed: FxHashSet<BufferId> = FxHashSet::default();
        let mut with_static = first_static;
        for first in rest {
            // Each buffer is ready where it is allocated: one iteration assigns the first of the rest, or if
            // the static part comes first, the next one.
            while !placed.contains(&first.buffer) {
                let place = first.at.min(with_static.unwrap_or(NEVER));
                let mut members: Vec<&Candidate> = Vec::new();
                while let Some(next) = ready.next_if(|next| next.ready <= place) {
                    placed.insert(next.buffer);
                    members.push(next);
                }
                let is_after_static = with_static.take().is_some();
                if !is_after_static && members.is_empty() {
                    // Unreachable, see above.
                    self.left.push((first.buffer, Reason::SizeNotReady));
                    break;
                }
                members.sort_by_key(|candidate| candidate.at);
                // An arena for a buffer that is not always allocated would exist when none is.
                let saves = (members.len() > 1 || members.iter().any(|one| one.repeats))
                    && members
                        .iter()
                        .any(|one| one.certain && one.guards.is_empty());
                if is_after_static || (saves && self.parts.len() < MOST_PARTS) {
                    self.part(place, members, is_after_static);
                } else {
                    let left = members.iter();
                    let left = left.map(|one| (one.buffer, Reason::NoneToShareWith));
                    self.left.extend(left);
                }
            }
        }
    }

    fn part(&mut self, place: SitePosition, mut members: Vec<&Candidate>, is_after_static: bool) {
        let Some((site, range)) = members.first().map(|one| (one.site, one.range)) else {
            return;
        };
        self.order(place, &mut members);
        let at = self.parts.len();
        self.parts.push(Part {
            site,
            range,
            place,
            end: None,
            is_after_static,
            is_given: is_after_static && self.is_given,
            lower_bound: Largest::default(),
            names: Names::default(),
            extents: Extents::default(),
            slots: Vec::new(),
        });
        for candidate in members {
            if !self.place(at, candidate) {
                self.left.push((candidate.buffer, Reason::RaisesPeak));
            }
        }
        let part = &mut self.parts[at];
        for slot in &mut part.slots {
            slot.members.sort_unstable();
        }
        part.sort();
    }

    /// Buffers whose size counts first, then by decreasing size, then by start.
    fn order(&self, place: SitePosition, members: &mut [&Candidate]) {
        let mut sizes: Vec<&Size> = Vec::new();
        let mut number: FxHashMap<&Size, usize> = FxHashMap::default();
        for candidate in members.iter() {
            number.entry(&candidate.size).or_insert_with(|| {
                sizes.push(&candidate.size);
                sizes.len() - 1
            });
        }
        // The larger of two sizes is at least as large as more others are. Quadratic in sizes, of which there
        // are few, or they are not compared.
        let below: Vec<usize> = sizes
            .iter()
            .map(|size| match sizes.len() {
                0..=512 => sizes
                    .iter()
                    .filter(|one| self.bounds.fits(one, size))
                    .count(),
                _ => 0,
            })
            .collect();
        members.sort_by_key(|candidate| {
            let rank = number.get(&candidate.size).map(|number| below[*number]);
            let counts = candidate.counts(place);
            (
                !counts,
                !candidate.guards.is_empty(),
                std::cmp::Reverse(rank),
                candidate.live.first().map(|(start, _)| *start),
                candidate.buffer,
            )
        });
    }

    /// Assigns a candidate to a slot; false if it has to be skipped.
    fn place(&mut self, at: usize, candidate: &Candidate) -> bool {
        let place = self.parts[at].place;
        let slots = &self.parts[at].slots;
        let covered = slots.iter().position(|slot| {
            slot.is_free(candidate, self.handovers)
                && slot
                    .terms
                    .iter()
                    .any(|term| self.bounds.covers(term, candidate))
        });
        if let Some(slot) = covered {
            self.parts[at].slots[slot].add(candidate);
            return true;
        }
        if !candidate.counts(place) {
            return false;
        }
        let term = candidate.term();
        if !meets(term.held, self.alone) {
            return false;
        }
        let grows = (0..slots.len()).find(|slot| {
            slots[*slot].terms.len() < MOST_TERMS
                && slots[*slot].is_free(candidate, self.handovers)
                && self.keeps_the_peak(&term, at, *slot)
        });
        let slot = match grows {
            Some(slot) => slot,
            None if slots.len() < MOST_SLOTS && self.keeps_the_peak(&term, at, usize::MAX) => {
                self.parts[at].slots.push(Slot::default());
                self.parts[at].slots.len() - 1
            }
            None => return false,
        };
        let bounds = self.bounds;
        let slot = &mut self.parts[at].slots[slot];
        slot.terms.retain(|known| {
            let covered = bounds.fits(&known.size, &term.size)
                && term.guards.iter().all(|guard| known.guards.contains(guard));
            !covered
        });
        // Earlier intervals stay: a stricter rule than needed is safe.
        slot.held = Some(slot.held.map_or(term.held, |held| {
            (held.0.max(term.held.0), held.1.min(term.held.1))
        }));
        slot.terms.push(term);
        slot.add(candidate);
        true
    }

    /// Whether the allocation of `term` was held together with each one that counts in another slot, or the
    /// two never execute both, or the arenas never exist at the same time.
    fn keeps_the_peak(&self, term: &Term, part: usize, slot: usize) -> bool {
        let range = self.parts[part].range;
        self.parts.iter().enumerate().all(|(at, other)| {
            !meets(range, other.range)
                || other.slots.iter().enumerate().all(|(index, other)| {
                    (at, index) == (part, slot)
                        || other.terms.iter().all(|other| {
                            meets(term.held, other.held) || exclude(&term.guards, &other.guards)
                        })
                })
        })
    }
}

/// Whether the intersection of two groups of intervals, given as last start and first end, is not empty.
fn meets(one: (Position, Position), other: (Position, Position)) -> bool {
    one.0 < other.1 && other.0 < one.1
}

fn exclude(one: &[(GuardId, bool)], other: &[(GuardId, bool)]) -> bool {
    one.iter()
        .any(|(guard, holds)| other.contains(&(*guard, !*holds)))
}

impl Slot {
    /// Whether it may be empty because none of its allocations executes.
    pub fn is_conditional(&self) -> bool {
        self.terms.iter().all(|term| !term.guards.is_empty())
    }

    /// The places of its members for reports: those of each order of which a run takes one, or none where all begin where the slot
    /// begins.
    pub fn places(&self, names: &Names) -> Vec<Places> {
        let layout = self.layout.as_ref();
        layout.map_or_else(Vec::new, |layout| layout.places(&self.members, names))
    }

    /// Texts for reports of the sizes of its members; it is as large as the largest of these, unless they have places.
    pub fn size_texts(&self, names: &Names) -> Vec<String> {
        let terms = self.terms.iter();
        terms.map(|term| term.size.text(names)).collect()
    }

    fn is_free(
        &self,
        candidate: &Candidate,
        handovers: &FxHashSet<(BufferId, BufferId, Position)>,
    ) -> bool {
        let own = candidate.buffer;
        candidate.live.iter().all(|(start, end)| {
            let before = self.live.range(..(*end, BufferId::new(0))).rev();
            let mut meeting = before.take_while(|(_, other_end)| *other_end > start);
            meeting.all(|((other_start, other), other_end)| {
                let first = *start.max(other_start);
                let is_one = *end.min(other_end) == first + 1;
                let takes = |from, to| handovers.contains(&(from, to, first));
                is_one && (takes(own, *other) || takes(*other, own))
            })
        })
    }

    fn add(&mut self, candidate: &Candidate) {
        self.alignment = self.alignment.max(candidate.alignment);
        self.members.push(candidate.buffer);
        let live = candidate.live.iter();
        self.live
            .extend(live.map(|(start, end)| ((*start, candidate.buffer), *end)));
    }
}

impl Bounds {
    fn at_most(&self, one: DimId, other: DimId) -> bool {
        one == other || self.at_most.contains(&(one, other))
    }

    /// Whether `small` is never larger than `large`: each dimension of the one needs a dimension of the other
    /// that is no smaller, or a constant bound.
    pub fn fits(&self, small: &Size, large: &Size) -> bool {
        let mut left: SmallVec<[_; 2]> = large.dims.clone();
        let mut bytes = u128::from(small.bytes);
        let mut open: SmallVec<[_; 2]> = SmallVec::new();
        for dim in &small.dims {
            match left.iter().position(|other| other == dim) {
                Some(same) => {
                    left.remove(same);
                }
                None => open.push(*dim),
            }
        }
        for dim in open {
            if let Some(larger) = left.iter().position(|other| self.at_most(dim, *other)) {
                left.remove(larger);
            } else if let Some(most) = self.constant[dim.0 as usize].1 {
                bytes = bytes.saturating_mul(u128::from(most));
            } else {
                return false;
            }
        }
        let mut room = u128::from(large.bytes);
        for dim in left {
            match self.constant[dim.0 as usize].0 {
                Some(least) if least > 0 => room = room.saturating_mul(u128::from(least)),
                _ => return false,
            }
        }
        bytes <= room
    }

    /// Whether a slot with this term is large enough for a candidate whenever it executes.
    pub fn covers(&self, term: &Term, candidate: &Candidate) -> bool {
        self.fits(&candidate.size, &term.size)
            && term
                .guards
                .iter()
                .all(|guard| candidate.guards.contains(guard))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_problems::random::Random;

    /// A candidate that is live over `live`, of `bytes` times each of `dims`, held from its start to the end
    /// of the scope.
    fn candidate(buffer: u32, live: (Position, Position), bytes: u64, dims: &[u32]) -> Candidate {
        Candidate {
            buffer: BufferId(buffer),
            live: std::iter::once(live).collect(),
            alignment: 4,
            size: Size {
                bytes,
                dims: dims.iter().map(|dim| DimId(*dim)).collect(),
            },
            site: SiteId(0),
            range: (0, TO_THE_END),
            at: live.0,
            ready: 0,
            guards: SmallVec::new(),
            guards_ready: 0,
            certain: true,
            repeats: false,
            held: (live.0, TO_THE_END),
        }
    }

    fn bounds(dims: usize) -> Bounds {
        Bounds {
            constant: vec![(Some(0), None); dims],
            ..Bounds::default()
        }
    }

    fn slots(candidates: Vec<Candidate>, bounds: &Bounds) -> Slots {
        let company = SlotProblem {
            scope: Some(ScopeId(0)),
            candidates,
            alone: (0, TO_THE_END),
            ..SlotProblem::default()
        };
        decide(&company, bounds).expect("there is a scope")
    }

    /// Members of each slot of each part.
    fn members(slots: &Slots) -> Vec<Vec<Vec<u32>>> {
        let part = |part: &Part| {
            let slots = part.slots.iter();
            slots
                .map(|slot| slot.members.iter().map(|buffer| buffer.0).collect())
                .collect()
        };
        slots.parts.iter().map(part).collect()
    }

    #[test]
    fn buffers_that_are_never_live_together_share_and_others_do_not() {
        let chain = (0..5).map(|index| candidate(index, (index, index + 2), 4, &[0]));
        let found = slots(chain.collect(), &bounds(1));
        assert_eq!(members(&found), [[vec![0, 2, 4], vec![1, 3]]]);
        assert!(found.left.is_empty());
        assert!(
            found.parts[0]
                .slots
                .iter()
                .all(|slot| slot.terms.len() == 1)
        );
    }

    #[test]
    fn a_buffer_that_takes_over_another_one_shares_its_slot() {
        let chain = || {
            let chain = (0..5).map(|index| candidate(index, (index, index + 2), 4, &[0]));
            chain.collect()
        };
        let mut company = SlotProblem {
            scope: Some(ScopeId(0)),
            candidates: chain(),
            alone: (0, TO_THE_END),
            ..SlotProblem::default()
        };
        let pair = |from: u32| (BufferId(from), BufferId(from + 1), from + 1);
        company.handovers = [pair(0), pair(2)].into_iter().collect();
        let found = decide(&company, &bounds(1)).expect("there is a scope");
        assert_eq!(members(&found), [[vec![0, 1, 3], vec![2, 4]]]);
        company.handovers.extend([pair(1), pair(3)]);
        let found = decide(&company, &bounds(1)).expect("there is a scope");
        assert_eq!(members(&found), [[vec![0, 1, 2, 3, 4]]]);
        // At another position they have more than one in common.
        company.handovers = (0..4)
            .map(|from| (pair(from).0, pair(from).1, from))
            .collect();
        let found = decide(&company, &bounds(1)).expect("there is a scope");
        assert_eq!(members(&found), [[vec![0, 2, 4], vec![1, 3]]]);
    }

    #[test]
    fn a_smaller_size_needs_no_term_of_its_own() {
        let both = vec![
            candidate(0, (0, 1), 4, &[0]),
            candidate(1, (2, 3), 8, &[0]),
            candidate(2, (4, 5), 8, &[1]),
        ];
        let mut bounds = bounds(2);
        assert_eq!(
            slots(both.clone(), &bounds).parts[0].slots[0].terms.len(),
            2
        );
        bounds.at_most.insert((DimId(1), DimId(0)));
        assert_eq!(slots(both, &bounds).parts[0].slots[0].terms.len(), 1);
    }

    #[test]
    fn a_product_with_what_may_be_zero_is_not_larger() {
        let mut bounds = bounds(2);
        let size = |bytes, dims: &[u32]| candidate(0, (0, 1), bytes, dims).size;
        assert!(!bounds.fits(&size(4, &[0]), &size(4, &[0, 1])));
        bounds.constant[1] = (Some(1), Some(8));
        assert!(bounds.fits(&size(4, &[0]), &size(4, &[0, 1])));
        assert!(bounds.fits(&size(4, &[0, 1]), &size(32, &[0])));
        assert!(!bounds.fits(&size(4, &[0, 1]), &size(31, &[0])));
        assert!(!bounds.fits(&size(4, &[0, 0]), &size(4, &[0])));
    }

    #[test]
    fn what_is_not_certain_to_run_gets_room_only_in_what_is_large_enough() {
        let mut maybe = candidate(1, (2, 3), 8, &[0]);
        maybe.certain = false;
        let small = candidate(0, (0, 1), 4, &[0]);
        let other = candidate(2, (0, 1), 4, &[0]);
        let found = slots(vec![small, maybe.clone(), other.clone()], &bounds(1));
        assert_eq!(found.left, [(BufferId(1), Reason::RaisesPeak)]);
        let large = candidate(0, (0, 1), 8, &[0]);
        let found = slots(vec![large, maybe, other], &bounds(1));
        assert_eq!(members(&found), [[vec![0, 1], vec![2]]]);
    }

    #[test]
    fn slots_never_take_more_than_was_held_at_one_moment() {
        // The first one is freed before the two others are allocated.
        let mut first = candidate(0, (0, 1), 4, &[0]);
        first.held = (0, 2);
        let others = [candidate(1, (3, 5), 4, &[1]), candidate(2, (3, 5), 4, &[1])];
        let all = |first: &Candidate| vec![first.clone(), others[0].clone(), others[1].clone()];
        let found = slots(all(&first), &bounds(2));
        assert!(found.parts.iter().all(|part| {
            let terms = |slot: &Slot| slot.terms.iter().any(|term| term.size.dims[0] == DimId(0));
            !(part.slots.len() > 1 && part.slots.iter().any(terms))
        }));
        // In branches that exclude each other they may.
        first.guards.push((GuardId(0), true));
        let mut second = all(&first);
        for other in &mut second[1..] {
            other.guards.push((GuardId(0), false));
        }
        second.push(candidate(3, (0, 9), 4, &[0]));
        let found = slots(second, &bounds(2));
        assert!(found.left.is_empty(), "{found:?}");
        assert_eq!(found.parts[0].slots.len(), 3);
    }

    #[test]
    fn what_is_ready_later_gets_a_later_arena() {
        let mut late = [candidate(2, (6, 8), 4, &[1]), candidate(3, (7, 9), 4, &[1])];
        for one in &mut late {
            one.ready = 5;
        }
        let early = [candidate(0, (1, 2), 4, &[0]), candidate(1, (3, 4), 4, &[0])];
        let all = early.into_iter().chain(late).collect();
        let found = slots(all, &bounds(2));
        assert_eq!(members(&found), [vec![vec![0, 1]], vec![vec![2], vec![3]]]);
        assert_eq!([found.parts[0].place, found.parts[1].place], [1, 6]);
    }

    #[test]
    fn one_alone_is_left_alone() {
        let found = slots(vec![candidate(0, (1, 2), 4, &[0])], &bounds(1));
        assert_eq!(found.left, [(BufferId(0), Reason::NoneToShareWith)]);
    }

    #[test]
    fn members_of_a_slot_are_never_live_together_and_terms_hold_them() {
        let mut random = Random(11);
        let mut next = |below: u64| random.below(below as usize) as u64;
        for _ in 0..300 {
            let count = 1 + next(20) as u32;
            let candidates: Vec<Candidate> = (0..count)
                .map(|index| {
                    let start = next(30) as Position;
                    let end = start + 1 + next(9) as Position;
                    let dims: Vec<u32> = (0..=next(1)).map(|_| next(3) as u32).collect();
                    let mut one = candidate(index, (start, end), 4 << next(3), &dims);
                    one.at = 1;
                    one.certain = next(4) > 0;
                    if next(3) == 0 {
                        one.guards.push((GuardId(next(2) as u32), next(2) == 0));
                    }
                    if next(3) == 0 {
                        one.held.1 = end + next(9) as Position;
                    }
                    one
                })
                .collect();
            let bounds = bounds(3);
            let found = slots(candidates.clone(), &bounds);
            let of = |buffer: &BufferId| &candidates[buffer.index()];
            let slots: Vec<&Slot> = found.parts.iter().flat_map(|part| &part.slots).collect();
            for (index, slot) in slots.iter().enumerate() {
                for (place, one) in slot.members.iter().enumerate() {
                    for other in &slot.members[place + 1..] {
                        assert!(!meets(of(one).live[0], of(other).live[0]));
                    }
                    assert!(slot.terms.iter().any(|term| bounds.covers(term, of(one))));
                }
                for other in &slots[index + 1..] {
                    for one in &slot.terms {
                        for with in &other.terms {
                            assert!(
                                meets(one.held, with.held) || exclude(&one.guards, &with.guards)
                            );
                        }
                    }
                }
            }
            assert_eq!(found.left.len() + found.members().count(), candidates.len());
        }
    }
}
