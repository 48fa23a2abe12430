//! Allocations whose older instances are still needed when they run again.
//!
//! An allocation in a loop makes a new instance each time. If the older one is still needed then,
//! because it is carried around the loop, one slice cannot stand for both. Instances of one
//! allocation are only told apart by the values that hold them: apart from the fresh result and
//! views of it, whatever may refer to an instance is a merge (block argument, region result,
//! select, result of a call), and by dominance the fresh result and its views are dead when the
//! allocation runs again. So the allocation overlaps itself exactly where a merge that may refer to
//! it is live across it, and each such merge holds at most one older instance.

use crate::{
    alias::Aliases,
    live::{Event, EventKind, Ranges, Since, Solver, contains},
    program::{BufferId, Program, UseKind, ValueId, ValueKind},
};
use rustc_hash::FxHashMap;

/// Uses by the base that they go through.
pub struct UsesByBase {
    offsets: Vec<u32>,
    uses: Vec<u32>,
}

impl UsesByBase {
    /// Sorts a program's uses, keeping the order of the text for each base.
    pub fn of(program: &Program, aliases: &Aliases) -> Self {
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

    /// The uses that go through a base, as indices into the program's.
    pub fn through(&self, base: ValueId) -> &[u32] {
        let range = self.offsets[base.index()] as usize..self.offsets[base.index() + 1] as usize;
        &self.uses[range]
    }
}

/// For each allocation that may be carried, the merges that may refer to it.
pub fn holders(program: &Program, aliases: &Aliases) -> FxHashMap<BufferId, Vec<ValueId>> {
    let mut holders: FxHashMap<BufferId, Vec<ValueId>> = FxHashMap::default();
    for (index, value) in program.values.iter().enumerate() {
        if value.kind == ValueKind::Merge {
            let value = ValueId::new(index);
            for buffer in aliases.buffers(value) {
                holders.entry(buffer).or_default().push(value);
            }
        }
    }
    holders
}

/// Live ranges of merges, each computed when it is first asked for.
pub struct MergeRanges<'p, 's> {
    program: &'p Program,
    uses: &'s UsesByBase,
    known: FxHashMap<ValueId, Ranges>,
}

impl<'p, 's> MergeRanges<'p, 's> {
    /// For the merges of a program.
    pub fn new(program: &'p Program, uses: &'s UsesByBase) -> Self {
        Self {
            program,
            uses,
            known: FxHashMap::default(),
        }
    }

    fn ranges(&mut self, solver: &mut Solver<'p>, merge: ValueId) -> &Ranges {
        let (program, uses) = (self.program, self.uses);
        self.known.entry(merge).or_insert_with(|| {
            let fact = &program.values[merge.index()];
            let scope = program.scope_of(fact.block);
            let birth = Event {
                block: fact.block,
                first: fact.position,
                last: fact.position,
                kind: EventKind::Birth,
            };
            let mut events = vec![birth];
            events.extend(uses.through(merge).iter().filter_map(|index| {
                let used = &program.uses[*index as usize];
                let (block, first, last) = program.seen_from(scope, used.block, used.position)?;
                Some(Event {
                    block,
                    first,
                    last,
                    kind: EventKind::Touch,
                })
            }));
            solver.ranges(scope, &events, Since::Birth)
        })
    }

    /// The merges among `holders` that are live across the allocation of `buffer`.
    pub fn across(
        &mut self,
        solver: &mut Solver<'p>,
        buffer: BufferId,
        holders: &[ValueId],
    ) -> Vec<ValueId> {
        let position = self.program.buffers[buffer.index()].position;
        holders
            .iter()
            .copied()
            .filter(|merge| contains(self.ranges(solver, *merge), position))
            .collect()
    }
}

/// The events of a buffer: its birth (unless it overlaps itself) and its touches through any alias.
pub fn buffer_events(
    program: &Program,
    uses: &UsesByBase,
    holders: &[ValueId],
    buffer: BufferId,
    overlaps_itself: bool,
) -> Vec<Event> {
    let fact = &program.buffers[buffer.index()];
    let mut events = Vec::new();
    if !overlaps_itself {
        events.push(Event {
            block: fact.block,
            first: fact.position,
            last: fact.position,
            kind: EventKind::Birth,
        });
    }
    for base in std::iter::once(fact.value).chain(holders.iter().copied()) {
        for index in uses.through(base) {
            let used = &program.uses[*index as usize];
            if used.kind == UseKind::Touch
                && let Some((block, first, last)) =
                    program.seen_from(fact.scope, used.block, used.position)
            {
                events.push(Event {
                    block,
                    first,
                    last,
                    kind: EventKind::Touch,
                });
            }
        }
    }
    events
}
