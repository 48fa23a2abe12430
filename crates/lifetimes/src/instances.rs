//! When the memory of each value is needed, when each buffer is live, and which allocations overlap
//! with older instances of themselves.
//!
//! An instance of an allocation is referred to by its result, by views of that, and by merges: block
//! arguments, region results, selects, results of calls. So it is needed exactly while such a value is
//! needed: from the definition of the value to its last touch, or to where it is forwarded to a merge
//! that is needed. By dominance, this range never extends before the definition, in any control flow.
//! A buffer is live while its result (from the first touch on) or a merge that may refer to it is
//! needed.
//!
//! An operation that overwrites all of a buffer through its result, or a view of it, ends the live
//! range of the earlier contents. An overwrite through a merge does not: it overwrites one of the
//! buffers that the merge may refer to.
//!
//! Memory that an asynchronous operation uses is needed until the operation is known to be done,
//! whether or not a value refers to it.
//!
//! An allocation in a loop creates an instance in each iteration. Its result and their views are dead
//! when it executes again. So an older instance is needed then exactly if a merge that may refer to it
//! is needed across the allocation. Each such merge refers to at most one older instance.

use crate::{
    alias::Aliases,
    live::{Event, EventKind, Ranges, Since, Solver, contains, union},
    program::{BufferId, Position, Program, UseKind, ValueId, ValueKind},
};
use rustc_hash::FxHashMap;

/// Uses grouped by base, in program order.
struct UsesByBase {
    offsets: Vec<u32>,
    uses: Vec<u32>,
}

impl UsesByBase {
    fn of(program: &Program, aliases: &Aliases) -> Self {
        let mut offsets = vec![0_u32; program.values.len() + 1];
        for used in &program.uses {
            offsets[aliases.base(used.value).index() + 1] += 1;
        }
        for index in 1..offsets.len() {
            offsets[index] += offsets[index - 1];
        }
        let mut next = offsets.clone();
        let mut uses = vec![0; program.uses.len()];
        for (index, used) in program.uses.iter().enumerate() {
            let at = &mut next[aliases.base(used.value).index()];
            uses[*at as usize] = index as u32;
            *at += 1;
        }
        Self { offsets, uses }
    }

    fn through(&self, base: ValueId) -> &[u32] {
        let range = self.offsets[base.index()] as usize..self.offsets[base.index() + 1] as usize;
        &self.uses[range]
    }
}

/// Whether each base is forwarded, directly or through other merges, to a merge whose memory is touched.
fn handed_to_touched(program: &Program, aliases: &Aliases) -> Vec<bool> {
    let mut needed = vec![false; program.values.len()];
    let mut handed = vec![false; program.values.len()];
    let mut work: Vec<ValueId> = Vec::new();
    for used in &program.uses {
        let base = aliases.base(used.value);
        let touches = matches!(used.kind, UseKind::Touch | UseKind::Overwrite);
        if touches && !std::mem::replace(&mut needed[base.index()], true) {
            work.push(base);
        }
    }
    while let Some(value) = work.pop() {
        let fact = &program.values[value.index()];
        if fact.kind != ValueKind::Merge {
            continue;
        }
        for source in &fact.sources {
            let base = aliases.base(*source);
            handed[base.index()] = true;
            if !std::mem::replace(&mut needed[base.index()], true) {
                work.push(base);
            }
        }
    }
    handed
}

/// When values and buffers of a program are needed. The ranges of a merge are computed on first use, and shared
/// by all buffers that it may refer to.
pub struct Needed<'p> {
    program: &'p Program,
    /// The value that each value is a view of.
    bases: Vec<ValueId>,
    uses: UsesByBase,
    handed: Vec<bool>,
    holders: FxHashMap<BufferId, Vec<ValueId>>,
    /// For each buffer, the indices in [`Program::pending`] of the asynchronous operations that may use it.
    pending: FxHashMap<BufferId, Vec<u32>>,
    merges: FxHashMap<ValueId, Ranges>,
    solver: Solver<'p>,
}

impl<'p> Needed<'p> {
    /// Prepares a program with its aliases.
    pub fn of(program: &'p Program, aliases: &Aliases) -> Self {
        let mut holders: FxHashMap<BufferId, Vec<ValueId>> = FxHashMap::default();
        for (index, value) in program.values.iter().enumerate() {
            if value.kind == ValueKind::Merge {
                let value = ValueId::new(index);
                for buffer in aliases.buffers(value) {
                    holders.entry(buffer).or_default().push(value);
                }
            }
        }
        let mut pending: FxHashMap<BufferId, Vec<u32>> = FxHashMap::default();
        for (index, entry) in (0..).zip(&program.pending) {
            for value in &entry.values {
                for buffer in aliases.buffers(*value) {
                    // For an enclosing scope, the operation is done when the inner scope is left.
                    let entries = pending.entry(buffer).or_default();
                    if program.buffers[buffer.index()].scope == entry.scope
                        && entries.last() != Some(&index)
                    {
                        entries.push(index);
                    }
                }
            }
        }
        Self {
            program,
            pending,
            bases: (0..program.values.len())
                .map(|index| aliases.base(ValueId::new(index)))
                .collect(),
            uses: UsesByBase::of(program, aliases),
            handed: handed_to_touched(program, aliases),
            holders,
            merges: FxHashMap::default(),
            solver: Solver::new(program),
        }
    }

    /// Ranges in which the memory of a base is needed, from its first touch or from its definition on.
    fn base(&mut self, base: ValueId, since: Since) -> Ranges {
        let program = self.program;
        let fact = &program.values[base.index()];
        let scope = program.scope_of(fact.block);
        let mut events = vec![Event {
            block: fact.block,
            first: fact.position,
            last: fact.position,
            kind: EventKind::Birth,
        }];
        let handed = self.handed[base.index()];
        for index in self.uses.through(base) {
            let used = &program.uses[*index as usize];
            let counts = match used.kind {
                UseKind::Touch | UseKind::Overwrite => true,
                UseKind::Forward => handed,
                UseKind::Mention => false,
            };
            if counts
                && let Some((block, first, last)) =
                    program.seen_from(scope, used.block, used.position)
            {
                // `memplan-verify` does not follow overwrites through merges.
                let overwrites = used.kind == UseKind::Overwrite
                    && !handed
                    && matches!(fact.kind, ValueKind::Alloc(_))
                    && program.scope_of(used.block) == scope
                    && program.is_all_of(used.value, base);
                let kind = match overwrites {
                    true => EventKind::Overwrite,
                    false => EventKind::Touch,
                };
                // An operation may overwrite it and read it through another operand.
                let same = |event: &&mut Event| {
                    event.kind != EventKind::Birth && event.block == block && event.first == first
                };
                if let Some(event) = events.last_mut().filter(same) {
                    if kind == EventKind::Touch {
                        event.kind = kind;
                    }
                    event.last = event.last.max(last);
                    continue;
                }
                events.push(Event {
                    block,
                    first,
                    last,
                    kind,
                });
            }
        }
        self.solver.ranges(scope, &events, since)
    }

    fn merge(&mut self, merge: ValueId) -> &Ranges {
        if !self.merges.contains_key(&merge) {
            let ranges = self.base(merge, Since::Birth);
            self.merges.insert(merge, ranges);
        }
        &self.merges[&merge]
    }

    /// Merges that may refer to an older instance of `buffer` when it is allocated again.
    pub fn older_instances(&mut self, buffer: BufferId) -> Vec<ValueId> {
        let position = self.program.buffers[buffer.index()].position;
        let holders = self.holders.get(&buffer).cloned().unwrap_or_default();
        holders
            .into_iter()
            .filter(|merge| contains(self.merge(*merge), position))
            .collect()
    }

    /// Ranges in which asynchronous operations may use a buffer.
    fn pending(&self, buffer: BufferId) -> impl Iterator<Item = &'p Ranges> + use<'p, '_> {
        let entries = self.pending.get(&buffer).map_or(&[][..], Vec::as_slice);
        let program = self.program;
        entries
            .iter()
            .map(move |index| &program.pending[*index as usize].ranges)
    }

    /// Whether an asynchronous operation may use an older instance when `buffer` is allocated again.
    pub fn is_pending_again(&self, buffer: BufferId) -> bool {
        let position = self.program.buffers[buffer.index()].position;
        let mut pending = self.pending(buffer);
        pending.any(|ranges| contains(ranges, position))
    }

    /// Ranges in which one merge alone needs a buffer: neither its own result nor another merge does, or with `copies`, only
    /// merges that are always the same value. Sorted.
    pub fn through_one(
        &mut self,
        buffer: BufferId,
        copies: bool,
    ) -> Vec<(Position, Position, ValueId)> {
        let program = self.program;
        let fact = &program.buffers[buffer.index()];
        let Some(holders) = self.holders.get(&buffer).cloned() else {
            return Vec::new();
        };
        // A merge in a parallel body is forwarded from a merge outside, but `memplan-verify` does not follow that.
        let is_outside =
            |merge: &ValueId| program.scope_of(program.values[merge.index()].block) == fact.scope;
        if !holders.iter().all(is_outside) {
            return Vec::new();
        }
        // Where each value begins and ceases to need the buffer.
        let mut bounds: Vec<(Position, bool, Option<ValueId>)> = Vec::new();
        let mut add = |ranges: &Ranges, through| {
            for &(start, end) in ranges {
                bounds.push((start, true, through));
                bounds.push((end, false, through));
            }
        };
        add(&self.base(fact.value, Since::FirstTouch), None);
        for merge in holders {
            add(self.merge(merge), Some(merge));
        }
        for ranges in self.pending(buffer) {
            for &(start, end) in ranges {
                bounds.push((start, true, None));
                bounds.push((end, false, None));
            }
        }
        bounds.sort_unstable();
        // How many ranges of each value are open.
        let mut needed_by: FxHashMap<Option<ValueId>, u32> = FxHashMap::default();
        let mut alone: Vec<(Position, Position, ValueId)> = Vec::new();
        for window in 0..bounds.len() {
            let (position, starts, through) = bounds[window];
            let open = needed_by.entry(through).or_default();
            match starts {
                true => *open += 1,
                false => *open = open.saturating_sub(1),
            }
            if *open == 0 {
                needed_by.remove(&through);
            }
            let next = bounds.get(window + 1).map_or(position, |bound| bound.0);
            if position == next {
                continue;
            }
            let merge = match needed_by.iter().next() {
                Some((merge, 1)) if needed_by.len() == 1 => *merge,
                _ if copies => self.original(&needed_by),
                _ => None,
            };
            if let Some(merge) = merge {
                match alone.last_mut() {
                    Some((_, end, last)) if *end == position && *last == merge => *end = next,
                    _ => alone.push((position, next, merge)),
                }
            }
        }
        alone
    }

    /// The merge of which all others among these are copies: they are forwarded from nothing else. `None` if there is none.
    fn original(&self, merges: &FxHashMap<Option<ValueId>, u32>) -> Option<ValueId> {
        let is_copy = |merge: ValueId| {
            let fact = &self.program.values[merge.index()];
            let mut sources = fact.sources.iter();
            !fact.external
                && sources.all(|source| merges.contains_key(&Some(self.bases[source.index()])))
        };
        let mut original = None;
        for merge in merges.keys() {
            // One that is open twice is none that is alone.
            let merge = (*merge).filter(|_| merges[merge] == 1)?;
            if !is_copy(merge) && original.replace(merge).is_some() {
                return None;
            }
        }
        original
    }

    /// Live ranges of a buffer, in positions of its scope.
    pub fn buffer(&mut self, buffer: BufferId) -> Ranges {
        let program = self.program;
        let fact = &program.buffers[buffer.index()];
        let own = self.base(fact.value, Since::FirstTouch);
        let holders = self.holders.get(&buffer).cloned();
        let mut pending = self.pending(buffer).peekable();
        if holders.is_none() && pending.peek().is_none() {
            return own;
        }
        let mut all = own.to_vec();
        all.extend(pending.flatten().copied());
        let holders = holders.unwrap_or_default();
        for merge in holders {
            // A merge in a parallel body is needed only while the operation runs, and so is the value that is
            // forwarded to it.
            if program.scope_of(program.values[merge.index()].block) == fact.scope {
                all.extend(self.merge(merge).iter().copied());
            }
        }
        union(all)
    }
}
