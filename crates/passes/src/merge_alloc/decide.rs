//! Computes offsets from live ranges: a dynamic storage allocation problem for each scope and memory space.

use super::{
    arena_limit,
    banks::{BankRequest, failure::BankFailure},
    block_tree::BlockTree,
    decide_error::DecideError,
    dynamic::decide::Slots,
    excluded::{Excluded, ExcludedAddresses, merged},
    given::Given,
    memory_needs::{Bytes, MemoryNeeds},
    nested_arenas::{NestedArena, NestedArenaKind},
    plan::{Arena, Plan, Seats, Slice},
    split::{ENOUGH, Part, Question},
    unplanned_memory,
};
use crate::coalescing::{Candidate, Class, Life, join, join_any_size};
use crate::memory_spaces::per_space::PerSpace;
use memplan_lifetimes::{
    Analysis, Takeover,
    live::union,
    program::{BufferId, ScopeId},
};
use memplan_mlir::{
    ir::{results, type_of},
    layout::memory_space,
};
use memplan_planner::{
    BankError, Bounds, Buffer, Forbidden, Options, PlanError, Planner, Problem, validate::validate,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Parameters of a plan.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The planner.
    pub planner: Planner,
    /// Options of the planner.
    pub options: Options,
    /// Least alignment of a slice, in bytes.
    pub least_alignment: u64,
    /// Least alignment of slices in memory spaces, where it is more.
    pub alignments: PerSpace<u64>,
    /// Whether buffers may reuse the bytes of others in place.
    pub in_place: bool,
    /// Arenas of callees.
    pub guests: Vec<NestedArena>,
    /// What is given.
    pub given: Given,
    /// Trip counts of the scopes whose arenas are placed in the enclosing scope.
    pub trip_counts: FxHashMap<ScopeId, u64>,
    /// Capacity of memory spaces, in bytes.
    pub capacity: PerSpace<u64>,
    /// Addresses of the function's arenas that no buffer may use, half-open.
    pub forbidden: ExcludedAddresses,
    /// The banks of the function's arenas.
    pub banks: BankRequest,
    /// For each scope, the bytes that callees of its calls need.
    pub callee_needs: FxHashMap<ScopeId, Bytes>,
    /// Whether the arenas of the function's scope are those of its callers.
    pub is_passed: bool,
    /// New memory spaces of spilled buffers, by index in [`Analysis::plannable`].
    pub moved: FxHashMap<usize, String>,
    /// The most bytes of an arena.
    pub arena_limit: Option<u64>,
    /// Slots of buffers of dynamic size.
    pub slots: Vec<Slots>,
    /// Whether loops are taken to run at least once.
    pub loops_run: bool,
    /// Whether allocations are left alone if their arena could hold more than they would.
    pub leaves_larger: bool,
    /// Scopes with one arena for each memory space, in place of as many as it takes to hold less.
    pub in_one: FxHashSet<ScopeId>,
}

/// Plans every scope and memory space, and adds the slots of dynamic size. The result is validated.
pub fn decide(analysis: &Analysis<'_>, request: &Request) -> Result<Plan, DecideError> {
    let mut seats = Seats {
        places: FxHashMap::default(),
        by_scope: vec![Vec::new(); analysis.program.scopes.len()],
    };
    let mut plan = Plan {
        arenas: Vec::new(),
        guests: request.guests.clone(),
        idle_copies: Vec::new(),
        needs: MemoryNeeds::new(analysis.program.scopes.len(), &request.callee_needs),
    };
    if !request.capacity.is_empty() {
        for scope in (0..analysis.program.scopes.len()).map(ScopeId::new) {
            let bytes = unplanned_memory::bytes(analysis, scope);
            plan.needs.set_beside(scope, bytes);
        }
    }
    let in_slots: FxHashSet<BufferId> = request.slots.iter().flat_map(Slots::members).collect();
    for (index, plannable) in analysis.plannable.iter().enumerate() {
        let fact = &analysis.program.buffers[plannable.buffer.index()];
        if fact.dynamic.is_some() || in_slots.contains(&plannable.buffer) {
            continue;
        }
        let op = analysis.handles.buffers[plannable.buffer.index()];
        let space = match request.moved.get(&index) {
            Some(space) => space.clone(),
            None => results(op)
                .next()
                .map(|result| memory_space(type_of(result)))
                .unwrap_or_default(),
        };
        let own = request.alignments.get(&space).copied().unwrap_or(1);
        let least = request.least_alignment.max(own);
        let slice = slice(index, fact.size, plannable, least)?;
        let given = request.given.slices.get(&index);
        let number = given.map_or(0, |given| given.arena);
        let arena = plan.arena(&mut seats, fact.scope, space, Some(number));
        arena.slices.push(slice);
    }
    let mut fixed: FxHashMap<usize, u64> = request
        .given
        .slices
        .iter()
        .map(|(place, slice)| (*place, slice.offset))
        .collect();
    for index in 0..plan.guests.len() {
        seat_nested(&mut fixed, &mut plan, &mut seats, index, analysis, request)?;
    }
    has_one_arena_in_banks(&plan, request)?;
    let mut takeovers = vec![Vec::new(); analysis.program.scopes.len()];
    if request.in_place {
        for takeover in &analysis.takeovers {
            let from = &analysis.program.buffers[takeover.from.index()];
            takeovers[from.scope.index()].push(*takeover);
        }
    }
    let tree = BlockTree::of(&analysis.program).with_loops(request.loops_run);
    // Inner scopes first, as their arenas may be placed in the enclosing one.
    for scope in (0..analysis.program.scopes.len()).rev() {
        for index in seats.by_scope[scope].clone() {
            let steps = (&fixed, takeovers[scope].as_slice());
            let solve = |arena: &Arena| solve(&plan, arena, analysis, request, steps);
            let (solved, copies) = solve(&plan.arenas[index])?;
            if let Some(limit) = request.arena_limit.filter(|limit| solved.size > *limit) {
                let has_banks = request.banks.layout(&solved).is_some();
                if request.is_passed && scope == 0 || has_banks {
                    let (slice, size) = (None, solved.size);
                    return Err(DecideError::OverLimit { slice, size, limit });
                }
                let parts = arena_limit::within(limit, (solved, copies), solve)?;
                plan.add_all(index, parts);
                continue;
            }
            plan.arenas[index] = solved;
            let space = &plan.arenas[index].memory_space;
            let others = seats.by_scope[scope].iter();
            let mut others = others.filter(|other| **other != index);
            // Several are given where the limit on one, or what they hold, keeps them apart: they stay in the body.
            let is_only = others.all(|other| plan.arenas[*other].memory_space != *space);
            if let Some(guest) =
                hoisted(&plan.arenas[index], index, analysis, request)?.filter(|_| is_only)
            {
                plan.arenas[index].hoisted = Some(plan.guests.len());
                plan.guests.push(guest);
                let number = plan.guests.len() - 1;
                seat_nested(&mut fixed, &mut plan, &mut seats, number, analysis, request)?;
            } else if scope > 0 || !request.is_passed {
                let Arena {
                    memory_space, size, ..
                } = &plan.arenas[index];
                plan.needs.add(ScopeId::new(scope), memory_space, *size);
                if !request.in_one.contains(&ScopeId::new(scope))
                    && let Some(parts) =
                        split(&plan, (index, &copies), &tree, analysis, request, steps)
                {
                    let kept = parts.iter().filter(|(arena, _)| !arena.is_left);
                    plan.idle_copies.extend(kept.flat_map(|(_, copies)| copies));
                    let mut parts = parts.into_iter().map(|(arena, _)| arena);
                    plan.arenas[index] = parts.next().expect("there are arenas");
                    plan.arenas.extend(parts);
                    continue;
                }
            }
            plan.idle_copies.extend(copies);
        }
        unplanned_memory::fits(&plan, ScopeId::new(scope), &request.capacity)?;
        plan.needs.close(&analysis.program, ScopeId::new(scope));
    }
    let nested: Vec<bool> = plan
        .guests
        .iter()
        .map(|guest| guest.is_of_iteration)
        .collect();
    for arena in &mut plan.arenas {
        let is_given = |slice: &Slice| match slice.plannable.checked_sub(analysis.plannable.len()) {
            Some(guest) => nested[guest],
            None => {
                let given = request.given.slices.get(&slice.plannable);
                given.is_some_and(|given| given.is_of_iteration)
            }
        };
        arena.is_of_iteration |= arena.slices.iter().any(is_given);
    }
    plan.idle_copies.sort_unstable();
    plan.idle_copies.dedup();
    for slots in &request.slots {
        let place = seats.places.get(&(slots.scope, slots.space.clone()));
        let place = place.and_then(|own| own.first().map(|(_, place)| *place));
        add_slots(&mut plan, place, slots);
    }
    plan.sort_arenas();
    Ok(plan)
}

/// Checks that the function's scope has one arena in a memory space with banks: only one starts at the first address.
fn has_one_arena_in_banks(plan: &Plan, request: &Request) -> Result<(), DecideError> {
    let mut seen = FxHashSet::default();
    let all = plan.arenas.iter();
    for arena in all.filter(|arena| request.banks.layout(arena).is_some()) {
        if !seen.insert(&arena.memory_space) {
            return Err(DecideError::Banks {
                memory_space: arena.memory_space.clone(),
                failure: BankFailure::SeveralArenas,
                peak: Vec::new(),
            });
        }
    }
    Ok(())
}

/// Adds a nested arena to the arena around it, at its offset if that is given.
fn seat_nested(
    fixed: &mut FxHashMap<usize, u64>,
    plan: &mut Plan,
    seats: &mut Seats,
    index: usize,
    analysis: &Analysis<'_>,
    request: &Request,
) -> Result<(), DecideError> {
    let guest = &plan.guests[index];
    let id = (analysis.program.buffers.len() + index) as u64;
    let body = plan.body(guest).map(|scope| {
        let before = plan.guests[..index].iter();
        let number = before.filter(|other| plan.body(other) == Some(scope));
        (scope, number.count())
    });
    let place = request.given.nested.of(guest, body, id);
    let place = place.map_err(|misfit| DecideError::Nested {
        what: guest.what,
        scope: body.map_or(guest.scope, |(scope, _)| scope),
        size: guest.size,
        misfit,
    })?;
    plan.seat(seats, index, analysis, place.map(|place| place.arena));
    if let Some(place) = place {
        if place.is_of_iteration {
            plan.guests[index].is_of_iteration = true;
        }
        fixed.insert(analysis.plannable.len() + index, place.offset);
    }
    Ok(())
}

/// Adds slots: one part to the arena at `place`, if there is one.
fn add_slots(plan: &mut Plan, place: Option<usize>, slots: &Slots) {
    for part in &slots.parts {
        let place = place.filter(|_| part.is_after_static);
        if part.slots.is_empty() {
            continue;
        }
        let mut part = part.clone();
        part.sort();
        let alignment = part.slots.first().map_or(1, |slot| slot.alignment);
        let place = place.unwrap_or_else(|| {
            plan.arenas
                .push(Arena::empty(slots.scope, slots.space.clone()));
            plan.arenas.len() - 1
        });
        let arena = &mut plan.arenas[place];
        arena.alignment = arena.alignment.max(alignment);
        arena.dynamic = Some(part);
    }
}

/// The arenas of all iterations of a body, as a nested arena of the enclosing scope; `None` if each iteration
/// has its own.
fn hoisted(
    arena: &Arena,
    index: usize,
    analysis: &Analysis<'_>,
    request: &Request,
) -> Result<Option<NestedArena>, DecideError> {
    let (Some(count), Some(outer)) = (
        request.trip_counts.get(&arena.scope).copied(),
        analysis.program.scopes[arena.scope.index()].outer,
    ) else {
        return Ok(None);
    };
    if arena.size == 0 || count == 0 {
        return Ok(None);
    }
    let too_large = DecideError::TooLarge(arena.size);
    let stride = arena.size.checked_next_multiple_of(arena.alignment);
    let Some(size) = stride.and_then(|stride| stride.checked_mul(count)) else {
        return Err(too_large);
    };
    Ok(Some(NestedArena {
        what: NestedArenaKind::Bodies {
            arena: index,
            stride: size / count,
            count,
        },
        scope: outer.scope,
        memory_space: arena.memory_space.clone(),
        size,
        alignment: arena.alignment,
        live: std::iter::once((outer.span.0, outer.span.1 + 1)).collect(),
        is_of_iteration: false,
    }))
}

/// The slice of an allocation, without an offset.
pub fn slice(
    index: usize,
    size: u64,
    plannable: &memplan_lifetimes::Plannable,
    least_alignment: u64,
) -> Result<Slice, DecideError> {
    let alignment = plannable.alignment.max(least_alignment);
    let (slots, stride) = if plannable.carried.is_empty() || size == 0 {
        (1, size)
    } else {
        let stride = size
            .checked_next_multiple_of(alignment)
            .ok_or(DecideError::TooLarge(size))?;
        (plannable.carried.len() as u64 + 1, stride)
    };
    Ok(Slice {
        plannable: index,
        offset: 0,
        stride,
        slots,
        size: stride
            .checked_mul(slots)
            .ok_or(DecideError::TooLarge(stride))?,
        alignment,
        host: 0,
    })
}

/// Liveness of each slice of an arena, with its class for coalescing.
fn lives<'a>(
    plan: &'a Plan,
    arena: &'a Arena,
    analysis: &'a Analysis<'_>,
    request: &Request,
) -> Vec<Life<'a>> {
    let life = |slice: &Slice| {
        let own = analysis.plannable.get(slice.plannable);
        // Rotating slots are not coalesced, and fixed offsets only if that is given, too.
        let given = request.given.slices.get(&slice.plannable);
        let group = given.and_then(|given| given.group);
        // Nor buffers with a rule for banks.
        let stays = slice.slots > 1
            || given.is_some() && group.is_none()
            || request.banks.rules.concerns(slice.plannable);
        Life {
            live: plan.live(analysis, slice),
            through_one: own.map_or(&[], |own| &own.through_one),
            // A given group may have buffers of different sizes.
            class: (own.is_some() && !stays).then_some(Class {
                size: if group.is_some() { 0 } else { slice.size },
                group,
            }),
        }
    };
    arena.slices.iter().map(life).collect()
}

/// Takeovers between slices of an arena, with the copy that each would make redundant.
fn candidates(
    arena: &Arena,
    lives: &[Life<'_>],
    analysis: &Analysis<'_>,
    takeovers: &[Takeover],
) -> Vec<(Candidate, Option<u32>)> {
    let mut places = FxHashMap::default();
    for (place, (slice, life)) in arena.slices.iter().zip(lives).enumerate() {
        if life.class.is_some() {
            places.insert(analysis.plannable[slice.plannable].buffer, place);
        }
    }
    let candidate = |takeover: &Takeover| {
        let place = |buffer| places.get(buffer).copied();
        let (from, to) = (place(&takeover.from)?, place(&takeover.to)?);
        let group = |place: usize| lives[place].class.and_then(|class| class.group);
        if group(from) != group(to) {
            return None;
        }
        let position = takeover.position;
        Some((Candidate { from, to, position }, takeover.copy))
    };
    takeovers.iter().filter_map(candidate).collect()
}

/// What is fixed, by index of a slice's contents, and the takeovers of a scope.
type Steps<'s> = (&'s FxHashMap<usize, u64>, &'s [Takeover]);

/// Arenas in place of one, each with the copies that it makes redundant, if the function then holds less.
fn split(
    plan: &Plan,
    (index, copies): (usize, &[u32]),
    tree: &BlockTree<'_>,
    analysis: &Analysis<'_>,
    request: &Request,
    steps: Steps<'_>,
) -> Option<Vec<(Arena, Vec<u32>)>> {
    let arena = &plan.arenas[index];
    // Offsets are given for one arena.
    let stays = |slice: &Slice| steps.0.contains_key(&slice.plannable);
    // Only one arena starts at the first address of the memory space.
    if request.banks.layout(arena).is_some() {
        return None;
    }
    if !excluded(&request.forbidden, arena).is_empty() || arena.slices.iter().any(stays) {
        return None;
    }
    let mut question = Question::of(tree, analysis, plan, arena)?;
    let mut best = vec![Part {
        slices: (0..arena.slices.len()).collect(),
        size: arena.size,
        is_of_iteration: false,
        is_left: false,
    }];
    let (excess, most) = question.excess(&best);
    let mut arenas = vec![(arena.clone(), copies.to_vec())];
    let solved = |slices: &[usize]| {
        let mut part = Arena::empty(arena.scope, arena.memory_space.clone());
        part.slices = slices.iter().map(|slice| arena.slices[*slice]).collect();
        let (mut solved, copies) = solve(plan, &part, analysis, request, steps).ok()?;
        solved.together = Some(arena.bounds.lower_bound);
        Some((solved, copies))
    };
    // What is to be as little as possible: the bytes above the limits, and then what is left alone.
    let badness = |question: &Question<'_>, parts: &mut Vec<Part>, excess: u64| {
        if !request.leaves_larger || excess == 0 {
            return (excess, 0);
        }
        let left = question.leave(parts);
        (question.excess(parts).0, left)
    };
    let mut least = badness(&question, &mut best, excess);
    for of_iterations in [false, true] {
        if least == (0, 0) || of_iterations && !question.has_iterations() {
            break;
        }
        let any = of_iterations || request.leaves_larger;
        question.answer(of_iterations, any, |answer| {
            let found = answer.iter().map(|slices| solved(slices));
            let Some(found) = found.collect::<Option<Vec<_>>>() else {
                return true;
            };
            let mut parts = parts(answer, &found, of_iterations);
            let (excess, held) = question.excess(&parts);
            question.leave_iterations(&mut parts, excess);
            let own = badness(&question, &mut parts, excess);
            if held <= most && own < least {
                (arenas, best, least) = (found, parts, own);
            }
            least == (0, 0)
        });
    }
    if arenas.len() > ENOUGH && least == (0, 0) {
        // A little more than the one arena, in fewer arenas: the heap is not larger.
        question.relax();
        question.answer(false, true, |answer| {
            let is_fewer = answer.len() <= ENOUGH;
            let found = answer.iter().map(|slices| solved(slices));
            if let Some(found) = found.collect::<Option<Vec<_>>>().filter(|_| is_fewer) {
                let parts = parts(answer, &found, false);
                if question.excess(&parts).0 == 0 {
                    (arenas, best) = (found, parts);
                    return true;
                }
            }
            false
        });
    }
    for ((arena, _), part) in arenas.iter_mut().zip(&best) {
        arena.is_of_iteration = part.is_of_iteration;
        arena.is_left = part.is_left;
    }
    let is_other = arenas.len() > 1 || best[0].is_left || best[0].is_of_iteration;
    is_other.then_some(arenas)
}

/// The parts that arenas of these slices are.
fn parts(
    answer: Vec<Vec<usize>>,
    arenas: &[(Arena, Vec<u32>)],
    is_of_iteration: bool,
) -> Vec<Part> {
    let both = answer.into_iter().zip(arenas);
    let part = |(slices, (arena, _)): (Vec<usize>, &(Arena, Vec<u32>))| Part {
        slices,
        size: arena.size,
        is_of_iteration,
        is_left: false,
    };
    both.map(part).collect()
}

/// Computes the offsets of the slices of an arena. Returns it with the copies that are redundant then.
fn solve(
    plan: &Plan,
    arena: &Arena,
    analysis: &Analysis<'_>,
    request: &Request,
    (fixed, takeovers): Steps<'_>,
) -> Result<(Arena, Vec<u32>), DecideError> {
    let lives = lives(plan, arena, analysis, request);
    let found = candidates(arena, &lives, analysis, takeovers);
    let steps: Vec<Candidate> = found.iter().map(|(step, _)| *step).collect();
    let alone: Vec<usize> = (0..lives.len()).collect();
    let joined = led_by_largest(arena, join(&lives, &steps));
    let place = |hosts: &[usize]| place(plan, arena, analysis, request, fixed, &lives, hosts);
    let mut solved = place(&joined);
    // An error of an embedder's planner is not hidden by a second attempt.
    if let Err(DecideError::Plan(PlanError::Custom { .. })) = solved {
        return solved.map(|solved| (solved, Vec::new()));
    }
    let keep_better = |solved: &mut Result<Arena, DecideError>, hosts: &[usize]| {
        let found = place(hosts);
        let better = match (&*solved, &found) {
            (Ok(solved), Ok(found)) => found.size < solved.size,
            (Err(_), Ok(_)) => true,
            (_, Err(_)) => false,
        };
        if better {
            *solved = found;
        }
    };
    if joined != alone && !solved.as_ref().is_ok_and(|arena| arena.optimal) {
        // Coalescing may prevent a better plan.
        keep_better(&mut solved, &alone);
    }
    // Buffers of different sizes in one place take the bytes of the largest wherever one of them is live.
    let any_size = led_by_largest(arena, join_any_size(&lives, &steps));
    if any_size != joined {
        keep_better(&mut solved, &any_size);
    }
    let solved = solved?;
    let idle = |step: &Candidate| solved.slices[step.from].host == solved.slices[step.to].host;
    let copies = found.iter().filter(|(step, _)| idle(step));
    let copies: Vec<u32> = copies.filter_map(|(_, copy)| *copy).collect();
    Ok((solved, copies))
}

/// For each slice, the first largest one of its group, given the first one.
fn led_by_largest(arena: &Arena, mut firsts: Vec<usize>) -> Vec<usize> {
    let mut largest: Vec<usize> = (0..firsts.len()).collect();
    for (place, &first) in firsts.iter().enumerate() {
        let known = &mut largest[first];
        if arena.slices[place].size > arena.slices[*known].size {
            *known = place;
        }
    }
    for first in &mut firsts {
        *first = largest[*first];
    }
    firsts
}

/// Plans an arena; `hosts` has the groups of slices.
fn place(
    plan: &Plan,
    arena: &Arena,
    analysis: &Analysis<'_>,
    request: &Request,
    fixed: &FxHashMap<usize, u64>,
    lives: &[Life<'_>],
    hosts: &[usize],
) -> Result<Arena, DecideError> {
    let mut live: Vec<Vec<(u32, u32)>> = vec![Vec::new(); lives.len()];
    let mut alignments = vec![1; lives.len()];
    for (place, slice) in arena.slices.iter().enumerate() {
        live[hosts[place]].extend(lives[place].live.iter().copied());
        let alignment = &mut alignments[hosts[place]];
        *alignment = slice.alignment.max(*alignment);
    }
    let excluded = excluded(&request.forbidden, arena);
    let banks = request.banks.of_arena(plan, arena, analysis);
    let ends = live.iter().flatten().map(|(_, end)| *end);
    let after = ends.max().unwrap_or(0);
    let mut never_live = Vec::new();
    let mut numbers = vec![0; lives.len()];
    let mut buffers = Vec::new();
    for (place, live) in live.into_iter().enumerate() {
        if hosts[place] == place {
            numbers[place] = buffers.len();
            let slice = &arena.slices[place];
            let mut live = union(live);
            if live.is_empty() && (!excluded.is_empty() || banks.is_some()) {
                // What is never live may be anywhere else. It has a time for itself.
                let time = after + place as u32;
                live.push((time, time + 1));
                never_live.push(buffers.len());
            }
            let live = live.into_iter();
            let live = live.map(|(first, end)| (u64::from(first), u64::from(end)));
            let buffer =
                Buffer::new(plan.id(analysis, slice), slice.size, live).aligned(alignments[place]);
            buffers.push(match fixed.get(&slice.plannable) {
                Some(offset) => buffer.fixed_at(*offset),
                None => buffer,
            });
        }
    }
    let mut problem = Problem::new(buffers)?;
    let ranges = excluded.iter().map(|range| (range.start, range.end));
    for (start, end) in merged(ranges, request.least_alignment) {
        problem = problem.with_forbidden(Forbidden::new(start, end));
    }
    let whole = request.capacity.get(&arena.memory_space);
    let inside = plan.needs.inside(arena.scope, &arena.memory_space);
    let beside = plan.needs.beside(arena.scope, &arena.memory_space);
    let capacity = whole.map(|whole| whole.saturating_sub(inside.saturating_add(beside)));
    if let Some(capacity) = capacity {
        problem = problem.with_capacity(capacity);
    }
    if let Some(banks) = banks {
        problem = problem.with_banks(banks);
    }
    let failed = |problem: &Problem, error| match BankFailure::of(&error) {
        Some(failure) if problem.banks.is_some() => DecideError::Banks {
            memory_space: arena.memory_space.clone(),
            peak: match &failure {
                BankFailure::Buffer(BankError::Size { id, size, .. }) => {
                    let is_it = |slice: &&Slice| plan.id(analysis, slice) == *id;
                    let slice = arena.slices.iter().find(is_it);
                    slice
                        .map(|slice| (slice.plannable, *size))
                        .into_iter()
                        .collect()
                }
                _ => at_peak(plan, arena, analysis),
            },
            failure,
        },
        _ => error.into(),
    };
    let outcome = match request.planner.solve_with(&problem, &request.options) {
        Ok(outcome) => outcome,
        Err(error @ PlanError::Custom { .. }) => return Err(error.into()),
        // No plan fits: the smallest one shows by how much.
        Err(_) if capacity.is_some() => {
            problem.capacity = None;
            let smallest = request.planner.solve_with(&problem, &request.options);
            smallest.map_err(|error| failed(&problem, error))?
        }
        Err(error) => return Err(failed(&problem, error)),
    };
    if capacity.is_some_and(|capacity| outcome.solution.peak > capacity) {
        return Err(DecideError::OverCapacity {
            memory_space: arena.memory_space.clone(),
            size: outcome.solution.peak,
            inside,
            beside,
            capacity: whole.copied().unwrap_or(0),
            peak: at_peak(plan, arena, analysis),
        });
    }
    validate(&problem, &outcome.solution)?;
    if i64::try_from(outcome.solution.peak).is_err() {
        return Err(DecideError::TooLarge(outcome.solution.peak));
    }
    let mut solved = arena.clone();
    for (slice, &host) in solved.slices.iter_mut().zip(hosts) {
        slice.offset = outcome.solution.offsets[numbers[host]];
        slice.host = host;
    }
    let slices = solved.slices.iter();
    let naive = slices.map(|slice| slice.size.checked_next_multiple_of(slice.alignment));
    solved.bounds = Bounds {
        naive: naive.fold(0, |sum: u64, size| {
            sum.saturating_add(size.unwrap_or(u64::MAX))
        }),
        ..outcome.bounds
    };
    if !never_live.is_empty() {
        let all = problem.buffers.into_iter().enumerate();
        let others = all.filter(|(number, _)| never_live.binary_search(number).is_err());
        let others = Problem::new(others.map(|(_, buffer)| buffer).collect())?;
        solved.bounds.load = others.bounds().load;
    }
    solved.size = outcome.solution.peak;
    solved.alignment = alignments.into_iter().max().unwrap_or(1);
    solved.proof = outcome.certificate.kind();
    solved.planner = outcome.planner;
    solved.optimal = outcome.optimal;
    Ok(solved)
}

/// The addresses of an arena that no buffer may use. The arenas of bodies are placed elsewhere.
pub fn excluded<'e>(all: &'e ExcludedAddresses, arena: &Arena) -> &'e [Excluded] {
    let all = all.get(&arena.memory_space);
    let all = all.filter(|_| arena.scope.index() == 0);
    all.map_or(&[], Vec::as_slice)
}

/// Slices that are live at the first position of the peak, largest first, with their sizes.
fn at_peak(plan: &Plan, arena: &Arena, analysis: &Analysis<'_>) -> Vec<(usize, u64)> {
    let mut changes: Vec<(u32, i128)> = Vec::new();
    for slice in &arena.slices {
        for (first, end) in plan.live(analysis, slice) {
            changes.push((*first, i128::from(slice.size)));
            changes.push((*end, -i128::from(slice.size)));
        }
    }
    changes.sort_unstable();
    let (mut load, mut most, mut place) = (0, 0, 0);
    for (position, change) in changes {
        load += change;
        if load > most {
            (most, place) = (load, position);
        }
    }
    let mut live: Vec<(usize, u64)> = arena
        .slices
        .iter()
        .filter(|slice| {
            slice.size > 0 && memplan_lifetimes::live::contains(plan.live(analysis, slice), place)
        })
        .map(|slice| (slice.plannable, slice.size))
        .collect();
    live.sort_by_key(|(place, size)| (std::cmp::Reverse(*size), *place));
    live
}
