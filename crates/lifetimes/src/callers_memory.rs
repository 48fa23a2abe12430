//! Memory that outlives a call, of arguments and results: when the function needs its contents.

use crate::{
    alias::{Aliases, Root},
    live::{Event, EventKind, Ranges, Since, Solver},
    program::{Program, ScopeId, Successor, UseKind, ValueId, ValueKind},
};
use rustc_hash::FxHashMap;

/// The arguments whose memory only their own views refer to, each with its value. Nothing frees them, no merge is one of them, and
/// no operation uses them that is not followed, or asynchronously.
pub fn followed(program: &Program, aliases: &Aliases) -> Vec<(u32, ValueId)> {
    let (_, escapes) = aliases.escapes(program, |reason| reason != crate::Reason::Returned);
    let mut bases: Vec<Option<ValueId>> = vec![None; program.arguments as usize];
    for (index, fact) in program.values.iter().enumerate() {
        if let ValueKind::Argument(number) = fact.kind {
            bases[number as usize] = Some(ValueId::new(index));
        }
    }
    for (base, escape) in bases.iter_mut().zip(&escapes) {
        *base = base.filter(|_| escape.is_none());
    }
    let mut drop = |value: ValueId| {
        if aliases.is_wide(value) {
            bases.fill(None);
        }
        for root in aliases.roots(value) {
            if let Root::Argument(number) = root {
                bases[*number as usize] = None;
            }
        }
    };
    for (index, fact) in program.values.iter().enumerate() {
        if fact.kind == ValueKind::Merge {
            drop(ValueId::new(index));
        }
    }
    let pending = program.pending.iter().flat_map(|entry| &entry.values);
    let freed = program.deallocs.iter().map(|free| &free.value);
    pending.chain(freed).for_each(|value| drop(*value));
    let numbered = (0..).zip(bases);
    numbered
        .filter_map(|(number, base)| Some((number, base?)))
        .collect()
}

/// Memory that the caller has after a call.
#[derive(Clone, Copy, Debug)]
pub struct CallersMemory {
    /// An argument, or a buffer that is returned. All that refers to it is a view of this value.
    pub value: ValueId,
    /// Whether it has contents from the start.
    pub since: Since,
    /// Whether the caller needs what an argument holds in the end.
    pub is_kept: bool,
}

/// For each of these, the ranges in which its contents are needed.
pub fn needed(program: &Program, aliases: &Aliases, memory: &[CallersMemory]) -> Vec<Ranges> {
    let function = ScopeId::new(0);
    let mut events: FxHashMap<ValueId, Vec<Event>> = FxHashMap::default();
    for one in memory {
        let fact = &program.values[one.value.index()];
        let birth = Event {
            block: fact.block,
            first: fact.position,
            last: fact.position,
            kind: EventKind::Birth,
        };
        events.insert(one.value, vec![birth]);
    }
    for used in &program.uses {
        let base = aliases.base(used.value);
        let Some(all) = events.get_mut(&base) else {
            continue;
        };
        let overwrites = used.kind == UseKind::Overwrite
            && program.scope_of(used.block) == function
            && program.is_all_of(used.value, base);
        let kind = match used.kind {
            _ if overwrites => EventKind::Overwrite,
            UseKind::Touch | UseKind::Overwrite => EventKind::Touch,
            UseKind::Forward | UseKind::Mention => continue,
        };
        if let Some((block, first, last)) = program.seen_from(function, used.block, used.position) {
            // An operation may overwrite it and read it through another operand.
            let same = |event: &&mut Event| {
                event.kind != EventKind::Birth && event.block == block && event.first == first
            };
            match all.last_mut().filter(same) {
                Some(event) => {
                    if kind == EventKind::Touch {
                        event.kind = kind;
                    }
                    event.last = event.last.max(last);
                }
                None => all.push(Event {
                    block,
                    first,
                    last,
                    kind,
                }),
            }
        }
    }
    let exits = program.nodes[program.scopes[function.index()].body.index()]
        .blocks
        .iter()
        .filter(|block| {
            let successors = &program.blocks[block.index()].successors;
            successors.contains(&Successor::Exit)
        });
    let exits: Vec<Event> = exits
        .map(|block| {
            let last = program.blocks[block.index()].end.saturating_sub(1);
            Event {
                block: *block,
                first: last,
                last,
                kind: EventKind::Touch,
            }
        })
        .collect();
    let mut solver = Solver::new(program);
    let ranges = memory.iter().map(|one| {
        let mut all = events.remove(&one.value).unwrap_or_default();
        if one.is_kept {
            all.extend(&exits);
        }
        solver.ranges(function, &all, one.since)
    });
    ranges.collect()
}
