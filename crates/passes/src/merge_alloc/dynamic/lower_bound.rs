//! Lower bounds of arenas of dynamic size: the bytes that are live at once, as sums of products of dimensions.
//!
//! No arena with these lifetimes takes less than the largest of these sums, whatever the values of the dimensions are. Buffers
//! that reuse each other's bytes count once, and buffers that may not be allocated do not count.

use super::{
    PlanOptions,
    decide::Part,
    facts::{Candidate, SlotProblem, Term},
    groups::Known,
    polynomial::{Largest, Polynomial},
    stack::numbered,
};
use memplan_lifetimes::program::{BufferId, Position};
use std::collections::BTreeMap;

/// Largest number of sums. More would be a bound, too, but no report for people.
const MOST_SUMS: usize = 8;

/// The largest sums for the buffers of a part: those in slots, and those of static size.
pub fn lower_bound(
    known: &Known<'_, '_>,
    company: Option<&SlotProblem>,
    part: &Part,
    options: &PlanOptions,
) -> Largest {
    let program = &known.analysis.program;
    let is_certain = |one: &Candidate| match one.size.dims.is_empty() {
        // Of a static size.
        true => {
            let fact = &program.buffers[one.buffer.index()];
            let body = program.scopes[fact.scope.index()].body;
            program.nodes[body.index()].blocks.first() == Some(&fact.block)
        }
        false => one.certain && one.guards.is_empty(),
    };
    let members = part.slots.iter().flat_map(|slot| &slot.members);
    let own = members.filter_map(|member| known.candidates.get(member).copied());
    let fixed = company.map_or(&[][..], |company| &company.fixed);
    let fixed = fixed.iter().filter(|_| part.is_after_static);
    let mut all: Vec<(BufferId, Term)> = own
        .chain(fixed)
        .filter(|one| is_certain(one))
        .map(|one| (one.buffer, one.term()))
        .collect();
    all.sort_unstable_by_key(|(buffer, _)| *buffer);
    all.dedup_by_key(|(buffer, _)| *buffer);
    let (numbers, sizes) = numbered(&all);
    let buffers: Vec<BufferId> = all.iter().map(|(buffer, _)| *buffer).collect();
    let mut largest = Largest::default();
    let Some((groups, _)) = known.groups(&buffers, &numbers, options) else {
        return largest;
    };
    // An end comes before a start at the same position.
    let mut events: BTreeMap<(Position, bool), Vec<usize>> = BTreeMap::new();
    for group in &groups {
        for (start, end) in &group.live {
            events.entry((*start, true)).or_default().push(group.size);
            events.entry((*end, false)).or_default().push(group.size);
        }
    }
    let mut live = Polynomial::default();
    let mut has_grown = false;
    for ((_, starts), ones) in events {
        if !starts && has_grown {
            largest.join_one(&live, MOST_SUMS);
        }
        has_grown = starts;
        for size in ones {
            match starts {
                true => live.add(&sizes[size]),
                false => live.remove(&sizes[size]),
            }
        }
    }
    largest
}
